/* What the parts of the MIL parser share: the next word, and the first error. */
#ifndef FILES_COREML_MIL_READER_H
#define FILES_COREML_MIL_READER_H

#include "files/coreml/mil.h"
#include "files/coreml/mil_build.h"
#include "files/coreml/mil_lex.h"

/* After an error every word is the end, so that all loops stop. */
typedef struct mil_reader {
    mil_lexer lexer;
    mil_token next;
    mil_build build;
    const char *path;
    yoke_status status;
    yoke_error *err;
} mil_reader;

bool mil_reader_ok(const mil_reader *reader);

/* Where the next word begins. */
size_t mil_reader_at(const mil_reader *reader);

void mil_advance(mil_reader *reader);

/* Records the first error, at the next word. */
void mil_fail(mil_reader *reader, const char *format, ...) YOKE_PRINTF(2, 3);
void mil_fail_at(mil_reader *reader, size_t at, const char *format, ...) YOKE_PRINTF(3, 4);
void mil_fail_memory(mil_reader *reader);

/* Is the next word this sign; taken if so. */
bool mil_is_sign(const mil_reader *reader, char sign);
bool mil_take_sign(mil_reader *reader, char sign);
void mil_expect_sign(mil_reader *reader, char sign);

/* Takes the word `word`, or fails. */
void mil_expect_word(mil_reader *reader, const char *word);

/* Takes a name, copied; never NULL. `what` says what it names. */
const char *mil_expect_name(mil_reader *reader, const char *what);

/* A list {"," item} goes on: takes the comma. */
bool mil_take_comma(mil_reader *reader);

void mil_reader_push(mil_reader *reader, const void *item, size_t size);

/* NULL for an error. */
void *mil_reader_collect(mil_reader *reader, size_t mark, size_t item_size, size_t *count);

void mil_read_type(mil_reader *reader, mil_type *type, unsigned depth);

/* type "(" value ")" */
void mil_read_typed(mil_reader *reader, mil_value *value, unsigned depth);

#endif
