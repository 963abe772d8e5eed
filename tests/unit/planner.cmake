yoke_test(planner_model ${CMAKE_CURRENT_LIST_DIR}/planner_model_test.c
  ${CMAKE_CURRENT_LIST_DIR}/planner_support.c ${CMAKE_CURRENT_LIST_DIR}/files_support.c)
yoke_test(planner_predict ${CMAKE_CURRENT_LIST_DIR}/planner_predict_test.c
  ${CMAKE_CURRENT_LIST_DIR}/planner_support.c)
yoke_test(planner_chip ${CMAKE_CURRENT_LIST_DIR}/planner_chip_test.c
  ${CMAKE_CURRENT_LIST_DIR}/planner_support.c)
yoke_test(planner_published ${CMAKE_CURRENT_LIST_DIR}/planner_published_test.c
  ${CMAKE_CURRENT_LIST_DIR}/planner_support.c)
