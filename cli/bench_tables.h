/* A bench record as tables for people. */
#ifndef CLI_BENCH_TABLES_H
#define CLI_BENCH_TABLES_H

#include "yoke/record.h"

/* Prints what the record holds on stdout: the weight, the machine, a table for each suite with a
 * sentence on what it means, failures and notes. */
void bench_print(const yoke_record *record);

/* Its parts: the suites of one engine, that of the Neural Engine, and those of several. */
void bench_print_alone(const yoke_record *record);
void bench_print_ane(const yoke_record *record);
void bench_print_together(const yoke_record *record);

#endif
