/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first include of every vigil source file: feature macros, configuration,
 * attributes, and the functions that must not be used.
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
 * A size that is small in a build with --enable-fuzzers: inputs there are short,
 * and clearing large buffers would take most of the time.
 */
#ifdef VIGIL_FUZZERS
#define FOR_FUZZERS(small, usual) (small)
#else
#define FOR_FUZZERS(small, usual) (usual)
#endif

/*
 * RETURN_IF(condition, value): returns value at once if condition holds, so that a
 * check and its consequence are one line:
 *
 * 	RETURN_IF(size < sizeof(header), error_set(err, "the file is cut off"));
 */
#define RETURN_IF(condition, value)                                                                \
	do {                                                                                       \
		if (condition)                                                                     \
			return value;                                                              \
	} while (0)

/*
 * Text is built only in a struct strbuf, time is broken down only with reentrant
 * functions, and random numbers never come from the C library.
 */
#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets
#pragma GCC poison localtime gmtime ctime asctime mktemp tmpnam tempnam

#endif
