yoke_apple_test(apple_needs ${CMAKE_CURRENT_LIST_DIR}/apple_needs_test.c)
yoke_apple_test(engines_ane ${CMAKE_CURRENT_LIST_DIR}/engines_ane_test.c)
target_compile_definitions(test_engines_ane PRIVATE YOKE_ANE_COMPILE="$<TARGET_FILE:yoke_ane_compile>")
add_dependencies(test_engines_ane yoke_ane_compile)
