foreach(subject format half read convert random product check)
  yoke_test(matrix_${subject} ${CMAKE_CURRENT_LIST_DIR}/matrix_${subject}_test.c)
endforeach()

set(YOKE_TEST_GGML "" CACHE PATH "folder of a libggml-base.so to compare block formats with")
yoke_test(matrix_ggml ${CMAKE_CURRENT_LIST_DIR}/matrix_ggml_test.c)
target_compile_definitions(test_matrix_ggml PRIVATE YOKE_TEST_GGML="${YOKE_TEST_GGML}")
yoke_test(matrix_table ${CMAKE_CURRENT_LIST_DIR}/matrix_table_test.c)
