/* UNROLL before a loop of few, constant turns: arrays indexed by it then live in registers. clang
 * does that by itself, and worse when told to; under a sanitizer, which looks at every access, it
 * would only make the code too large to compile in reasonable time. */
#ifndef CPU_UNROLL_H
#define CPU_UNROLL_H

#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 64")
#endif

/* Of a kernel's functions: an argument that is a constant must be one inside. */
#define INLINE static inline __attribute__((always_inline))

/* A loop of few, constant turns. */
#define EACH(i, count) UNROLL for (size_t i = 0; i < (count); i++)

#endif
