/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of dash's functions. Its table of commands has no symbol; it is
 * found in the program's data by what must hold of it: 31 chains of entries,
 * each with a name that belongs in its chain.
 */
#ifndef VIGIL_COLLECTORS_DASH_FUNCTIONS_H
#define VIGIL_COLLECTORS_DASH_FUNCTIONS_H

#include "sampler/collectors/image.h"

/* The name of the function that begins in a line; "" when it is unknown, or when several do. Uses
   the first two of the image's own numbers. */
void dash_function_name(const struct vigil_communication *area, struct image *image, uint32_t line,
			char *name, size_t size);

#endif
