# yoke_test(name source.c)
foreach(part corpus gguf npy open safetensors)
  yoke_test(files_${part} ${CMAKE_CURRENT_LIST_DIR}/files_${part}_test.c
    ${CMAKE_CURRENT_LIST_DIR}/files_support.c)
endforeach()
