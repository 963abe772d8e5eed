/* Text from elsewhere that is to be printed: what a terminal would obey becomes '?'. */
#ifndef STORE_PLAIN_H
#define STORE_PLAIN_H

/* Control characters, those of two bytes in UTF-8 too, each become one '?'. In place. */
void plain_text(char *text);

/* The same for the texts of a JSON text, where they may be written as escapes. In place. */
void plain_json(char *json);

#endif
