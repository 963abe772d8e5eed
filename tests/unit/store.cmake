# The history is part of the program: its library stands beside the objects of libyoke.
set(store_tests import)
if(SQLite3_FOUND)
  list(APPEND store_tests history history_trouble)
endif()
foreach(name ${store_tests})
  yoke_test(store_${name} ${CMAKE_CURRENT_LIST_DIR}/store_${name}_test.c
    ${CMAKE_CURRENT_LIST_DIR}/store_support.c ${CMAKE_CURRENT_LIST_DIR}/record_full.c)
  target_link_libraries(test_store_${name} PRIVATE yoke_store)
endforeach()
