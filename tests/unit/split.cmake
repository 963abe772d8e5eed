foreach(subject curve profile solve tune)
  yoke_test(split_${subject} ${CMAKE_CURRENT_LIST_DIR}/split_${subject}_test.c)
endforeach()
