/* UNROLL before a loop of few, constant turns: arrays indexed by it then live in registers. clang
 * does that by itself, and worse when told to. */
#ifndef CPU_UNROLL_H
#define CPU_UNROLL_H

#ifdef __clang__
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

/* A loop of few, constant turns. */
#define EACH(i, count) UNROLL for (size_t i = 0; i < (count); i++)

#endif
