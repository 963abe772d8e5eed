yoke_apple_test(apple_standins ${CMAKE_CURRENT_LIST_DIR}/apple_standins_test.c)
yoke_apple_test(engines_metal ${CMAKE_CURRENT_LIST_DIR}/engines_metal_test.c)
