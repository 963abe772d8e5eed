yoke_test(engines_specification ${CMAKE_CURRENT_LIST_DIR}/engines_specification_test.c)
yoke_test(engines_multiply ${CMAKE_CURRENT_LIST_DIR}/engines_multiply_test.c)
yoke_test(engines_fake ${CMAKE_CURRENT_LIST_DIR}/engines_fake_test.c)
yoke_test(engines_ref ${CMAKE_CURRENT_LIST_DIR}/engines_ref_test.c)
yoke_test(engines_plugin ${CMAKE_CURRENT_LIST_DIR}/engines_plugin_test.c)

# Plug-ins to load: the fake engine under another name, and stand-ins that must be refused.
set(plugin_folder ${CMAKE_CURRENT_BINARY_DIR}/plugins)
target_compile_definitions(test_engines_plugin PRIVATE PLUGIN_FOLDER="${plugin_folder}")
function(yoke_plugin name)
  add_library(plugin_${name} MODULE ${ARGN})
  target_link_libraries(plugin_${name} PRIVATE yoke yoke_flags m)
  target_include_directories(plugin_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  set_target_properties(plugin_${name} PROPERTIES
    PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${plugin_folder})
  add_dependencies(test_engines_plugin plugin_${name})
endfunction()

set(engines_source ${PROJECT_SOURCE_DIR}/src/engines)
yoke_plugin(scripted ${engines_source}/fake/fake.c ${engines_source}/fake/script.c
  ${engines_source}/copy.c)
target_compile_definitions(plugin_scripted PRIVATE YOKE_ENGINE_PLUGIN FAKE_NAME="scripted")

set(standin ${CMAKE_CURRENT_LIST_DIR}/engines_plugin_standin.c)
foreach(kind GOOD OLD_AND_SMALL WRONG_ABI TOO_SMALL NO_SYMBOL NULL_TABLE BAD_NAME TAKEN_NAME PROBE_FAILS)
  string(TOLOWER ${kind} name)
  yoke_plugin(${name} ${standin})
  target_compile_definitions(plugin_${name} PRIVATE STANDIN_${kind})
endforeach()
file(WRITE ${plugin_folder}/no_library.so "this is no shared object\n")
file(WRITE ${plugin_folder}/readme.txt "not a plug-in by its name\n")

# The AMX paths once more, on emulated tiles: in portable code, and with AVX-512 around the tiles.
yoke_test(engines_cpu_tile ${CMAKE_CURRENT_LIST_DIR}/engines_cpu_tile_test.c)
yoke_test(engines_cpu_dot ${CMAKE_CURRENT_LIST_DIR}/engines_cpu_dot_test.c)
function(yoke_amx_emulated suffix)
  add_library(amx_emulated_${suffix} OBJECT
    ${PROJECT_SOURCE_DIR}/src/engines/cpu/bf16_amx.c ${PROJECT_SOURCE_DIR}/src/engines/cpu/int8_amx.c)
  target_link_libraries(amx_emulated_${suffix} PRIVATE yoke_flags)
  target_include_directories(amx_emulated_${suffix} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(amx_emulated_${suffix} PRIVATE AMX_EMULATED=_${suffix})
  target_compile_options(amx_emulated_${suffix} PRIVATE ${ARGN})
  target_sources(test_engines_cpu_dot PRIVATE $<TARGET_OBJECTS:amx_emulated_${suffix}>)
endfunction()
yoke_amx_emulated(plain)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  yoke_amx_emulated(avx512 -mavx2 -mfma -mf16c -mavx512f -mavx512bw -mavx512dq -mavx512vl)
endif()
yoke_test(engines_cpu_slabs ${CMAKE_CURRENT_LIST_DIR}/engines_cpu_slabs_test.c)
