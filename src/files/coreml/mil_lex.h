/* MIL text, cut into words. */
#ifndef FILES_COREML_MIL_LEX_H
#define FILES_COREML_MIL_LEX_H

#include <stdbool.h>
#include <stddef.h>

typedef enum mil_token_kind {
    MIL_TOKEN_END,
    MIL_TOKEN_NAME,
    MIL_TOKEN_NUMBER,
    MIL_TOKEN_STRING, /* with its quotes and escapes */
    MIL_TOKEN_ARROW,  /* -> */
    MIL_TOKEN_SIGN,   /* one character */
    MIL_TOKEN_BAD     /* a character that begins nothing, or a string without an end */
} mil_token_kind;

typedef struct mil_token {
    mil_token_kind kind;
    const char *text;
    size_t length;
} mil_token;

typedef struct mil_lexer {
    const char *text;
    size_t size, at;
} mil_lexer;

mil_token mil_next_token(mil_lexer *lexer);

/* Line and column, from 1 on; columns count bytes. */
void mil_place(const mil_lexer *lexer, size_t at, size_t *line, size_t *column);

/* The text between the quotes of a string token: at most token.length bytes into `out`.
 * False for an unknown escape. */
bool mil_unescape(mil_token token, char *out, size_t *length);

#endif
