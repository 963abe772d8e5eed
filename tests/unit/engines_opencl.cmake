yoke_test(engines_opencl ${CMAKE_CURRENT_LIST_DIR}/engines_opencl_test.c)
yoke_test(engines_opencl_device ${CMAKE_CURRENT_LIST_DIR}/engines_opencl_device_test.c)

# Stand-ins for the OpenCL loader, one a failure.
set(standin_folder ${CMAKE_CURRENT_BINARY_DIR}/opencl)
target_compile_definitions(test_engines_opencl PRIVATE STANDIN_FOLDER="${standin_folder}")
foreach(kind GOOD NO_PLATFORM NO_DEVICE NO_COMPILER BUILD_FAILS ENQUEUE_FAILS EVENT_FAILS NEVER_ENDS HANGS UPLOAD_HANGS LITTLE_MEMORY
    LETS_GO_LATE NEVER_LETS_GO)
  string(TOLOWER ${kind} name)
  add_library(opencl_${name} MODULE ${PROJECT_SOURCE_DIR}/tests/standin/opencl/opencl.c)
  target_link_libraries(opencl_${name} PRIVATE yoke_flags)
  target_include_directories(opencl_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(opencl_${name} PRIVATE ${kind})
  set_target_properties(opencl_${name} PROPERTIES
    PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${standin_folder})
  add_dependencies(test_engines_opencl opencl_${name})
endforeach()
