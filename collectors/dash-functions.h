/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of the functions that dash executes. A function that is called
 * lies on the stack of the sample; where the shell has gone on since, it is
 * looked for in the table of commands. That has no symbol; it is found in the
 * program's data by what must hold of it: 31 chains of entries, each with a
 * name that belongs in its chain.
 */
#ifndef VIGIL_COLLECTORS_DASH_FUNCTIONS_H
#define VIGIL_COLLECTORS_DASH_FUNCTIONS_H

#include "collectors/image.h"

/* The name of the function that is executed and begins in a line; "" when it is unknown, or when
   the stack does not say which of several it is. Uses the first two of the image's own numbers. */
void dash_function_name(const struct vigil_communication *area, struct image *image, uint32_t line,
			char *name, size_t size);

#endif
