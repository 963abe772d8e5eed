yoke_test(base_memory ${CMAKE_CURRENT_LIST_DIR}/base_memory_test.c)
yoke_test(base_pool ${CMAKE_CURRENT_LIST_DIR}/base_pool_test.c)
yoke_test(base_status ${CMAKE_CURRENT_LIST_DIR}/base_status_test.c)
