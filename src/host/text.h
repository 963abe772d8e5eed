/* Small text files of the kernel. `root` stands before `path`; out is "" where false is returned.
 */
#ifndef HOST_TEXT_H
#define HOST_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* The file for reading, or NULL. */
FILE *text_open(const char *root, const char *path);

/* The first line without its end and the blanks around it; false when there is none. */
bool text_first_line(const char *root, const char *path, char *out, size_t out_bytes);

/* The value of the first line "key<blanks>:<blanks>value". */
bool text_value(const char *root, const char *path, const char *key, char *out, size_t out_bytes);

/* Copies, cut to fit and trimmed of blanks at both ends. False when nothing is left. */
bool text_copy_trimmed(char *out, size_t out_bytes, const char *text);

#endif
