yoke_apple_test(apple_standins ${CMAKE_CURRENT_LIST_DIR}/apple_standins_test.c)
