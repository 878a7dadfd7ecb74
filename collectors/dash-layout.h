/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about what dash executes, read from a program without symbols: its
 * variables are found by the code that uses them.
 *
 * The function that prints "%s: %d: %s: " (script, line, command) before a message
 * loads all three into the registers of the calling convention. Every function
 * that stores that line number evaluates commands; before each store is the load
 * of the line where the running function begins, after it the store of LINENO. The
 * function that returns their addresses chooses between them; the other addresses
 * in it are those of functions that evaluate without a line, as for pipelines.
 */
#ifndef VIGIL_COLLECTORS_DASH_LAYOUT_H
#define VIGIL_COLLECTORS_DASH_LAYOUT_H

#include "collectors/image.h"

#define DASH_FUNCTIONS_MAX 6

enum dash_fact {
	DASH_SCRIPT,   /* char *: $0 */
	DASH_LINE,     /* int: line of the command in its file */
	DASH_COMMAND,  /* char *: the file that is read with ".", or the built-in command */
	DASH_FUNCTION, /* int: line where the running function begins, 0: none */
	DASH_LINENO,   /* int: line relative to that */
	DASH_INPUT,    /* struct dash_input *: the current input */
	/*
	 * Starts and ends of the evaluating functions, up to a start of 0: first those
	 * that know the line, then the others.
	 */
	DASH_LINED,
	DASH_LINELESS = DASH_LINED + 2 * DASH_FUNCTIONS_MAX,
	DASH_END = DASH_LINELESS + 2 * DASH_FUNCTIONS_MAX,
};

struct dash_input {
	uint64_t previous;	  /* the outer input, 0: this is the first */
	int32_t line, descriptor; /* -1: a string */
};

image_examine dash_examine;

#endif
