/* What tests set and ask: functions and the variable of the stand-ins, plain C. */
#ifndef STANDIN_CONTROL_H
#define STANDIN_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

/* How the stand-ins behave: "name,name=value,name=value". Child processes inherit it. */
#define STANDIN_SWITCHES "YOKE_STANDIN_SWITCHES"

/* Is a name among them? Its value (0 without one), or `missing`. */
bool standin_switch(const char *name);
unsigned long long standin_number(const char *name, unsigned long long missing);

/* Its value as text; false when it is not there. */
bool standin_word(const char *name, char *to, size_t room);

/* How often they were changed, which a test says by standin_switched. What is counted for a switch
 * ("from the 2nd evaluation on") is counted from the last change on. */
unsigned standin_generation(void);
void standin_switched(void);

/* Objects that live, of one class or (NULL) of all. A program finds it by dlsym. */
size_t standin_live_objects(const char *class_name);

/* Writes "2 NSString, 1 NSArray" and so on. */
void standin_name_live_objects(char *to, size_t room);

/* Things that are no objects, such as surfaces, are counted in the same way. */
void standin_count(const char *name, int change);

/* An object that is meant to live for ever is not counted any more. */
void *standin_immortal(void *object);

#endif
