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

set(YOKE_SANITIZERS ${YOKE_SANITIZE})
if(YOKE_FUZZ)
  # Coverage for the whole library; the fuzzers alone link the engine that uses it.
  set(YOKE_SANITIZERS address,undefined)
  target_compile_options(yoke_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(yoke_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(YOKE_SANITIZERS)
  target_compile_options(yoke_flags INTERFACE -fsanitize=${YOKE_SANITIZERS} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(yoke_flags INTERFACE -fsanitize=${YOKE_SANITIZERS})
endif()
