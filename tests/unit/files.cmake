# yoke_test(name source.c)
foreach(part corpus gguf npy open safetensors)
  yoke_test(files_${part} ${CMAKE_CURRENT_LIST_DIR}/files_${part}_test.c
    ${CMAKE_CURRENT_LIST_DIR}/files_support.c)
endforeach()
foreach(part blob compressed mil model native real weights write)
  yoke_test(files_coreml_${part} ${CMAKE_CURRENT_LIST_DIR}/files_coreml_${part}_test.c
    ${CMAKE_CURRENT_LIST_DIR}/files_coreml_support.c ${CMAKE_CURRENT_LIST_DIR}/files_support.c)
endforeach()
