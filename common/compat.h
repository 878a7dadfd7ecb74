/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first include of every vigil source file: the feature macros, the
 * configuration, attributes, and the functions nobody may use.
 */
#ifndef VIGIL_COMMON_COMPAT_H
#define VIGIL_COMMON_COMPAT_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PRINTFLIKE(text, first) __attribute__((format(printf, text, first)))
#define UNUSED __attribute__((unused))
#define NORETURN __attribute__((noreturn))
#define MUST_CHECK __attribute__((warn_unused_result))

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * A size that is small in a build of --enable-fuzzers: inputs there are short, so that what they reach
 * beyond lies in large buffers, and clearing these takes most of the time.
 */
#ifdef VIGIL_FUZZERS
#define FOR_FUZZERS(small, usual) (small)
#else
#define FOR_FUZZERS(small, usual) (usual)
#endif

/*
 * RETURN_IF(condition, value): leave at once with value. The check and what
 * follows from it stand on one line:
 *
 *	RETURN_IF(size < sizeof(header), error_set(err, "the file is cut off"));
 */
#define RETURN_IF(condition, value)                                                                \
	do {                                                                                       \
		if (condition)                                                                     \
			return value;                                                              \
	} while (0)

/*
 * Text is built in a struct strbuf only, time is broken down reentrantly,
 * and randomness is never taken from the C library.
 */
#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets
#pragma GCC poison localtime gmtime ctime asctime mktemp tmpnam tempnam

#endif
