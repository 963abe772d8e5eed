yoke_test(chips_csv ${CMAKE_CURRENT_LIST_DIR}/chips_csv_test.c)
yoke_test(chips_open ${CMAKE_CURRENT_LIST_DIR}/chips_open_test.c
  ${CMAKE_CURRENT_LIST_DIR}/chips_support.c)
yoke_test(chips_table ${CMAKE_CURRENT_LIST_DIR}/chips_table_test.c
  ${CMAKE_CURRENT_LIST_DIR}/chips_support.c)
yoke_test(chips_audit ${CMAKE_CURRENT_LIST_DIR}/chips_audit_test.c
  ${CMAKE_CURRENT_LIST_DIR}/chips_support.c)
yoke_test(chips_audit_published ${CMAKE_CURRENT_LIST_DIR}/chips_audit_published_test.c
  ${CMAKE_CURRENT_LIST_DIR}/chips_support.c)
