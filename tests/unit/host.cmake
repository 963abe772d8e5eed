foreach(part darwin features limits linux read topology)
  yoke_test(host_${part} ${CMAKE_CURRENT_LIST_DIR}/host_${part}_test.c)
endforeach()
yoke_apple_test(host_ane ${CMAKE_CURRENT_LIST_DIR}/host_ane_test.c)
