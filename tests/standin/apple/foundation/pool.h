/* The autorelease pools of a thread: one stack of objects with marks in it. */
#ifndef STANDIN_POOL_H
#define STANDIN_POOL_H

#include <objc/objc.h>

/* The object is released when the innermost pool ends; never, as on the real system, without one.
 */
void pool_add(id object);

#endif
