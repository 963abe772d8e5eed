# `cmake --install`: library, headers, program, pkg-config file and CMake package. All of them
# find each other by relative paths, so that the installed tree can be moved.
include(CMakePackageConfigHelpers)

set(YOKE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/yoke)

install(TARGETS yoke EXPORT yokeTargets)
install(DIRECTORY include/yoke DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(TARGETS yoke_program)
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
if(APPLE)
  set_target_properties(yoke_program PROPERTIES INSTALL_RPATH @loader_path/${bin_to_lib})
else()
  set_target_properties(yoke_program PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
endif()

if(APPLE) # elsewhere it is of use to tests alone
  install(TARGETS yoke_ane_compile DESTINATION ${CMAKE_INSTALL_LIBDIR}/yoke)
endif()

install(EXPORT yokeTargets NAMESPACE yoke:: FILE yokeConfig.cmake DESTINATION ${YOKE_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/yokeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/yokeConfigVersion.cmake DESTINATION ${YOKE_CMAKE_DIR})

file(RELATIVE_PATH pc_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/yoke.pc.in yoke.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/yoke.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
