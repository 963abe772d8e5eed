foreach(subject curve profile solve tune)
  yoke_test(split_${subject} ${CMAKE_CURRENT_LIST_DIR}/split_${subject}_test.c)
endforeach()
foreach(subject border adapt failover execute)
  yoke_test(split_${subject} ${CMAKE_CURRENT_LIST_DIR}/split_${subject}_test.c)
endforeach()

# One test counts allocations, where the linker can put it in between.
if(NOT APPLE)
  target_link_options(test_split_execute PRIVATE -Wl,--wrap=malloc,--wrap=calloc)
  target_compile_definitions(test_split_execute PRIVATE COUNT_ALLOCATIONS)
endif()
