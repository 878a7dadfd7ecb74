/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the names of the functions that dash executes. A called function is on the
 * stack of the sample; if the shell has continued since, it is looked up in the
 * table of commands. That table has no symbol; it is found in the program's data
 * by its properties: 31 chains of entries, each with a name that belongs in its
 * chain.
 */
#ifndef VIGIL_COLLECTORS_DASH_FUNCTIONS_H
#define VIGIL_COLLECTORS_DASH_FUNCTIONS_H

#include "collectors/image.h"

/*
 * Finds the name of the executing function that begins in a line; "" if it is
 * unknown, or if the stack does not show which of several it is. Uses the first
 * two of the image's private numbers.
 */
void dash_function_name(const struct vigil_communication *area, struct image *image, uint32_t line,
			char *name, size_t size);

#endif
