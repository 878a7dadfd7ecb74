/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first include of code that runs inside a measured program, and its rule.
 *
 * The agent is a guest: it is linked with nothing of vigil, includes nothing
 * but this room and include/vigil, and calls only what signal-safety(7)
 * allows in a signal handler: a program may be in the middle of malloc, of
 * stdio or of anything that holds a lock when it comes here. Text is put
 * together by agent-text.h and written by write(2). It changes no errno, and
 * no name is visible to the program but those that stand before others or
 * that vigil.h declares.
 *
 * Each library has a folder; here stands what several of them use, and the
 * layouts of the memory they share with others (*-area.h).
 *
 * tests/agent-rule compares what the objects call with that list. What is
 * called beyond it stands there by name, with the reason why it cannot do harm.
 */
#ifndef VIGIL_AGENT_AGENT_H
#define VIGIL_AGENT_AGENT_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define UNUSED __attribute__((unused))
#define NORETURN __attribute__((noreturn))
/* A time that the system gives, as ns. */
static inline uint64_t agent_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * UINT64_C(1000000000) + (uint64_t)time->tv_nsec;
}
/* A function that the program finds; all others are hidden where the library is built so. */
#define AGENT_VISIBLE __attribute__((visibility("default")))
/* Data of a library's own that several of its files use: told where it is declared, so that no table stands between. */
#define AGENT_HIDDEN __attribute__((visibility("hidden")))

#endif
