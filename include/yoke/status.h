/* Status codes and error text, used by every other header.
 *
 * Threads: different objects may be used by different threads at the same time. One object may be
 * read by several, through functions that take it as const; a function that may change it wants it
 * for itself, unless it says that it is thread-safe. */
#ifndef YOKE_STATUS_H
#define YOKE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(YOKE_BUILDING) && defined(__GNUC__)
#define YOKE_API __attribute__((visibility("default")))
#else
#define YOKE_API
#endif

#if defined(__GNUC__)
#define YOKE_PRINTF(format_index, first_index)                                                     \
    __attribute__((format(printf, format_index, first_index)))
#else
#define YOKE_PRINTF(format_index, first_index)
#endif

#define YOKE_VERSION_MAJOR 0
#define YOKE_VERSION_MINOR 1
#define YOKE_VERSION_PATCH 0
#define YOKE_VERSION       "0.1.0"

/* What a call came to. Values never change; new ones are added at the end. */
typedef enum yoke_status {
    YOKE_OK = 0,
    YOKE_ERR_USAGE = 1,       /* an argument is NULL, out of range or not understood */
    YOKE_ERR_MEMORY = 2,      /* an allocation failed */
    YOKE_ERR_IO = 3,          /* a file could not be opened, read or written */
    YOKE_ERR_FORMAT = 4,      /* a file is malformed */
    YOKE_ERR_UNSUPPORTED = 5, /* valid, but not something yoke or this engine can do */
    YOKE_ERR_NOT_FOUND = 6,   /* no such engine, tensor or format */
    YOKE_ERR_SHAPE = 7,       /* matrices whose shapes or formats do not go together */
    YOKE_ERR_ENGINE = 8,      /* an engine failed; the results are undefined */
    YOKE_ERR_TIMEOUT = 9,     /* an engine did not answer before its deadline */
    YOKE_ERR_CHECK = 10,      /* a result is wrong */
    YOKE_ERR_INTERRUPTED = 11 /* stopped on request */
} yoke_status;

/* Owned by the caller; filled when a call returns anything but YOKE_OK, untouched otherwise.
 * Wherever a function takes a yoke_error, NULL is allowed and means "the status is enough". */
typedef struct yoke_error {
    yoke_status status;
    char text[512]; /* one line, no newline: the file, field and offset, or the engine and call */
} yoke_error;

/* The name of a status, as "YOKE_ERR_SHAPE"; "unknown status" for any other value.
 * Static text. Thread-safe. */
YOKE_API const char *yoke_status_name(yoke_status status);

/* Fills *err (if not NULL) with a printf-formatted line and returns `status`, so that a caller
 * can write `return yoke_error_set(err, YOKE_ERR_SHAPE, "x has %zu columns", k);`.
 * Control characters in the text become '?', and a line that does not fit is cut. Thread-safe. */
YOKE_API yoke_status yoke_error_set(yoke_error *err, yoke_status status, const char *format, ...)
    YOKE_PRINTF(3, 4);

/* The version of the library in use, as "0.1.0"; YOKE_VERSION is that of the header. */
YOKE_API const char *yoke_version(void);

#ifdef __cplusplus
}
#endif
#endif
