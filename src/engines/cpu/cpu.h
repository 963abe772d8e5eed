/* The CPU engine: "cpu" (every usable core) and "cpu:0", "cpu:1", ... (core sets). */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include "yoke/engine.h"

extern const yoke_engine_class engine_cpu;

#endif
