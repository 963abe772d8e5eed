foreach(part features limits linux read topology)
  yoke_test(host_${part} ${CMAKE_CURRENT_LIST_DIR}/host_${part}_test.c)
endforeach()
