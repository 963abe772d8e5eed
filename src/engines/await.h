/* Waiting for something that can only be asked whether it has ended. */
#ifndef ENGINES_AWAIT_H
#define ENGINES_AWAIT_H

#include "yoke/engine.h"

typedef bool await_ended(void *arg);

/* Asks until it has ended, in the manner wanted: BLOCK rests between looks, longer and longer; POLL
 * does not; SLEEP_POLL sleeps until shortly before the predicted end. False when the deadline comes
 * first. Times as for an engine's wait. */
bool await(await_ended *ended, void *arg, yoke_wait_how how, uint64_t predicted_end_ns,
           uint64_t deadline_ns);

/* What is said of a call that was given up: that the flag (NULL: there is none) is set, or else
 * that its deadline came. YOKE_ERR_INTERRUPTED or YOKE_ERR_TIMEOUT. */
yoke_status await_given_up(const char *engine, const char *call, const volatile bool *stop,
                           yoke_error *err);

#endif
