/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What dash executes, read from a program without symbols: its variables are
 * found by the code that uses them.
 *
 * The one that prints "%s: %d: %s: " (script, line, command) before a message
 * loads all three by the registers of the calling convention. Whoever stores
 * that line number is a function that evaluates commands; before each store
 * stands the load of the line where the running function begins, behind it
 * the store of LINENO. The function that hands their addresses out is the one
 * that chooses between them; the other addresses there are those that
 * evaluate without a line, as for pipelines.
 */
#ifndef VIGIL_COLLECTORS_DASH_LAYOUT_H
#define VIGIL_COLLECTORS_DASH_LAYOUT_H

#include "collectors/image.h"

#define DASH_FUNCTIONS_MAX 6

enum dash_fact {
	DASH_SCRIPT,   /* char *: $0 */
	DASH_LINE,     /* int: line of the command in its file */
	DASH_COMMAND,  /* char *: the file that is read with ".", or the built-in command */
	DASH_FUNCTION, /* int: line where the running function begins, 0: none runs */
	DASH_LINENO,   /* int: line counted from there */
	DASH_INPUT,    /* struct dash_input *: what is read now */
	/* Starts and ends of the functions that evaluate, until a start is 0: first those that know
	   the line, then the others. */
	DASH_LINED,
	DASH_LINELESS = DASH_LINED + 2 * DASH_FUNCTIONS_MAX,
	DASH_END = DASH_LINELESS + 2 * DASH_FUNCTIONS_MAX,
};

struct dash_input {
	uint64_t previous;	  /* what is read behind this, 0: the first */
	int32_t line, descriptor; /* -1: a string */
};

image_examine dash_examine;

#endif
