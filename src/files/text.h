/* Names and other text from files. */
#ifndef FILES_TEXT_H
#define FILES_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 sequence that `left` >= 1 bytes begin with; 0 when it is none. */
size_t text_utf8_sequence(const char *text, size_t left);

bool text_is_utf8(const char *text, size_t length);

bool text_ends_with(const char *text, const char *end);

/* What follows the last '/' of a path. */
const char *text_base_name(const char *path);

/* Does a path that a file names stay in the file's folder? Not absolute, and no step up. */
bool text_is_inner_path(const char *path);

/* A name as a message can show it: cut when long, '?' for NUL. Use as text_shown(...).text. */
typedef struct shown_text {
    char text[100];
} shown_text;

shown_text text_shown(const char *name, size_t length);

#endif
