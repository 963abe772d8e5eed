yoke_test(measure_statistics ${CMAKE_CURRENT_LIST_DIR}/measure_statistics_test.c)
yoke_test(measure_sample ${CMAKE_CURRENT_LIST_DIR}/measure_sample_test.c)
yoke_test(measure_fit ${CMAKE_CURRENT_LIST_DIR}/measure_fit_test.c)
