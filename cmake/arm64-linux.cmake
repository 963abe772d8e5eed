# Cross build for arm64 Linux on Debian x86-64, run by qemu-user. The libraries stand in
# build/arm64-sysroot, put there by scripts/arm64-sysroot; libc comes with the cross compiler.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)

get_filename_component(sysroot ${CMAKE_CURRENT_LIST_DIR}/../build/arm64-sysroot ABSOLUTE)
set(libdir ${sysroot}/usr/lib/aarch64-linux-gnu)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${sysroot})
set(ENV{PKG_CONFIG_LIBDIR} ${libdir}/pkgconfig)
set(CMAKE_FIND_ROOT_PATH ${sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_C_FLAGS_INIT "-isystem ${sysroot}/usr/include/aarch64-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-rpath-link,${libdir})
set(CMAKE_SHARED_LINKER_FLAGS_INIT -Wl,-rpath-link,${libdir})

# max: every arm64 feature that qemu has, so that the newest path is taken unless a test pins one; SME
# with the vectors of 64 bytes that our kernels are for.
set(CMAKE_CROSSCOMPILING_EMULATOR
  qemu-aarch64 -cpu max,sme-default-vector-length=64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=${libdir})
