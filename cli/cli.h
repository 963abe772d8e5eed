/* What the verbs of the program share. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yoke/yoke.h"

/* How the program ends. */
enum {
    CLI_GO_ON = -1, /* not yet */
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* a measurement failed, a result was wrong, or the run was stopped */
    EXIT_BAD = 2     /* bad input or usage */
};

#define CLI_WIDTH 100 /* columns that tables fit */

/* Set by SIGINT, SIGTERM and SIGHUP once cli_catch_signals has run; give its address to
 * yoke_sampling.stop. A second signal ends the program at once (unfinished outputs are removed). */
extern volatile bool cli_stopped;
void cli_catch_signals(void);

/* Prints "yoke: TEXT" as one line on stderr and returns the exit code for the error's status. */
int cli_fail(const yoke_error *err);

/* Prints "yoke: VERB: TEXT (see 'yoke help VERB')" and returns EXIT_BAD. */
int cli_usage(const char *verb, const char *format, ...) YOKE_PRINTF(2, 3);

/* Reads a whole decimal number within [least, most]; false for anything else. */
bool cli_parse_size(const char *text, size_t least, size_t most, size_t *value);
bool cli_parse_u64(const char *text, uint64_t *value);

/* Reads "full", "bf16" or "int8". */
bool cli_parse_precision(const char *text, yoke_precision *precision);

#endif
