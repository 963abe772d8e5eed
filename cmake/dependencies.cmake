# What the library links: YOKE_DEPENDENCIES. Drivers and frameworks are loaded at run time instead.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
set(YOKE_DEPENDENCIES PkgConfig::HWLOC PkgConfig::JANSSON Threads::Threads ${CMAKE_DL_LIBS} m)

# What the program uses besides; without it `yoke history` says so.
find_package(SQLite3)
