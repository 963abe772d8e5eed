/* Foundation's few values, to and from C. What these make is autoreleased. */
#ifndef APPLE_FOUNDATION_H
#define APPLE_FOUNDATION_H

#include "apple/runtime.h"

apple_id apple_string(const apple *a, const char *text);
apple_id apple_number(const apple *a, int64_t value);
apple_id apple_file_url(const apple *a, const char *path);

/* Over the caller's bytes, which stay until it is gone. */
apple_id apple_data(const apple *a, const void *bytes, size_t count);

apple_id apple_array(const apple *a, const apple_id *objects, size_t count);
apple_id apple_dictionary(const apple *a, const apple_id *keys, const apple_id *values,
                          size_t count);

/* Copies the text, cut to fit; "" for nil. False when it did not fit. */
bool apple_text(const apple *a, apple_id string, char *out, size_t capacity);

/* 0 for nil and for anything that is no number. */
int64_t apple_integer(const apple *a, apple_id number);

/* nil past the end, and for anything that is no array. */
size_t apple_array_count(const apple *a, apple_id array);
apple_id apple_array_get(const apple *a, apple_id array, size_t index);

/* nil when there is no such key, and for anything that is no dictionary. */
apple_id apple_dictionary_get(const apple *a, apple_id dictionary, const char *key);

/* "engine ane: compileWithQoS:options:error:: text (domain, code 8)", for a call that failed with
 * this NSError (nil: "no reason given"). Returns status. */
yoke_status apple_error_set(const apple *a, yoke_error *err, yoke_status status, const char *engine,
                            const char *call, apple_id error);

/* The code of an NSError; 0 for nil. */
int64_t apple_error_code(const apple *a, apple_id error);

#endif
