# yoke_flags: what every target of the project is compiled with.
add_library(yoke_flags INTERFACE)
# No contraction: fused multiply-adds are written, never invented, so that a path's bits are its own.
target_compile_options(yoke_flags INTERFACE -Wall -Wextra -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wvla -ffp-contract=off)
target_compile_definitions(yoke_flags INTERFACE
  $<$<PLATFORM_ID:Linux>:_GNU_SOURCE> $<$<PLATFORM_ID:Darwin>:_DARWIN_C_SOURCE>)
if(YOKE_WERROR)
  target_compile_options(yoke_flags INTERFACE -Werror)
endif()
if(YOKE_SANITIZE)
  target_compile_options(yoke_flags INTERFACE -fsanitize=${YOKE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(yoke_flags INTERFACE -fsanitize=${YOKE_SANITIZE})
endif()
