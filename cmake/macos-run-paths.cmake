# Read by CMake after its own files for the platform: the linker of a cross build for macOS knows run paths.
set(CMAKE_SHARED_LIBRARY_RUNTIME_C_FLAG -Wl,-rpath,)
