/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first include, and the rules, of code that runs inside a measured program.
 *
 * The agent is a guest: it links with no other part of vigil, includes only this
 * folder and include/vigil, and calls only what signal-safety(7) allows in a
 * signal handler: the program may be in the middle of malloc, of stdio or of
 * anything that holds a lock when the agent runs. Text is built with agent-text.h
 * and written with write(2). The agent preserves errno. The only names visible to
 * the program are functions that interpose on others and those that vigil.h
 * declares.
 *
 * Each library has a folder; this folder has the code that several of them share,
 * and the layouts of the memory they share with other processes (*-area.h).
 *
 * tests/agent-rule compares the functions called by the objects with that list.
 * Exceptions are listed there by name, with the reason why they are harmless.
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
/* Converts a time of the system to ns. */
static inline uint64_t agent_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * UINT64_C(1000000000) + (uint64_t)time->tv_nsec;
}
/*
 * A function visible to the program; where the library is built with hidden
 * visibility, all others are hidden.
 */
#define AGENT_VISIBLE __attribute__((visibility("default")))
/*
 * Data shared by several files of one library: the attribute is on the
 * declaration, so that access needs no GOT entry.
 */
#define AGENT_HIDDEN __attribute__((visibility("hidden")))

#endif
