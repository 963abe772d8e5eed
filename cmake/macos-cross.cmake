# Cross build for macOS on x86-64 Linux. The compiler's wrappers and the libraries stand in
# build/macos-sysroot/<processor>, put there by scripts/macos-sysroot. Frameworks are loaded at run
# time, so nothing of Apple's but the system library's list of symbols is needed to link.
set(CMAKE_SYSTEM_NAME Darwin)
get_filename_component(sysroot
  ${CMAKE_CURRENT_LIST_DIR}/../build/macos-sysroot/${CMAKE_SYSTEM_PROCESSOR} ABSOLUTE)
set(CMAKE_C_COMPILER ${sysroot}/bin/cc)
set(CMAKE_AR ${sysroot}/bin/ar)
set(CMAKE_RANLIB ${sysroot}/bin/ranlib)
set(ENV{PKG_CONFIG_LIBDIR} ${sysroot}/lib/pkgconfig)
set(CMAKE_FIND_ROOT_PATH ${sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# CMake asks the building machine's version of macOS whether its linker knows run paths.
set(CMAKE_USER_MAKE_RULES_OVERRIDE_C ${CMAKE_CURRENT_LIST_DIR}/macos-run-paths.cmake)
# What is linked is what is installed: to edit a run path afterwards would break the signature.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_NAME_TOOL /bin/false)
