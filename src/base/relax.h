/* What a spinning loop does between two looks: lets the core, and its sibling, rest. */
#ifndef BASE_RELAX_H
#define BASE_RELAX_H

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
