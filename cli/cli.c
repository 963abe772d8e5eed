#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

volatile bool cli_stopped = false;

static void on_signal(int number)
{
    if (cli_stopped) {
        output_remove_unfinished();
        signal(number, SIG_DFL);
        raise(number);
    }
    cli_stopped = true;
}

void cli_catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        /* What nohup, or a shell for a job in the background, has turned off stays so. */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

static int exit_code(yoke_status status)
{
    switch (status) {
    case YOKE_OK: return EXIT_DONE;
    case YOKE_ERR_MEMORY:
    case YOKE_ERR_ENGINE:
    case YOKE_ERR_TIMEOUT:
    case YOKE_ERR_CHECK:
    case YOKE_ERR_INTERRUPTED: return EXIT_FAILED;
    default: return EXIT_BAD;
    }
}

int cli_fail(const yoke_error *err)
{
    fprintf(stderr, "yoke: %s\n", err->text[0] ? err->text : yoke_status_name(err->status));
    return exit_code(err->status);
}

int cli_usage(const char *verb, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    /* Through yoke_error_set, so that what the user typed cannot break the line. */
    yoke_error err = {0};
    yoke_error_set(&err, YOKE_ERR_USAGE, "%s: %s (see 'yoke help %s')", verb, text, verb);
    return cli_fail(&err);
}

bool cli_parse_u64(const char *text, uint64_t *value)
{
    if (*text < '0' || *text > '9') /* strtoull takes blanks and signs */
        return false;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0')
        return false;
    *value = number;
    return true;
}

bool cli_parse_size(const char *text, size_t least, size_t most, size_t *value)
{
    uint64_t number;
    if (!cli_parse_u64(text, &number) || number < least || number > most)
        return false;
    *value = (size_t)number;
    return true;
}

bool cli_parse_precision(const char *text, yoke_precision *precision)
{
    static const char *const names[] = {"full", "bf16", "int8"};
    static const yoke_precision values[] = {YOKE_PRECISION_FULL, YOKE_PRECISION_BF16_X,
                                            YOKE_PRECISION_INT8_X};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *precision = values[i];
            return true;
        }
    return false;
}
