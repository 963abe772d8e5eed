yoke_test(measure_statistics ${CMAKE_CURRENT_LIST_DIR}/measure_statistics_test.c)
yoke_test(measure_sample ${CMAKE_CURRENT_LIST_DIR}/measure_sample_test.c)
yoke_test(measure_fit ${CMAKE_CURRENT_LIST_DIR}/measure_fit_test.c)
yoke_test(measure_record ${CMAKE_CURRENT_LIST_DIR}/measure_record_test.c)
yoke_test(measure_record_parse ${CMAKE_CURRENT_LIST_DIR}/measure_record_parse_test.c
  ${CMAKE_CURRENT_LIST_DIR}/record_full.c)
yoke_test(measure_artefact ${CMAKE_CURRENT_LIST_DIR}/measure_artefact_test.c)
yoke_test(measure_bench ${CMAKE_CURRENT_LIST_DIR}/measure_bench_test.c)
yoke_test(measure_compare ${CMAKE_CURRENT_LIST_DIR}/measure_compare_test.c)
