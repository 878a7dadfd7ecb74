/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * Further names of a data collector, which are stored in its object
 * (VIGIL_COLLECTOR_ALIASES).
 */
#ifndef VIGIL_SAMPLER_HOST_ALIASES_H
#define VIGIL_SAMPLER_HOST_ALIASES_H

#include "common/error.h"

/*
 * Appends the names in section .vigil.aliases of the object at path, separated by
 * blanks; nothing if it has none. The object is read, never loaded. Returns -1
 * with err set if it is no ELF file or cannot be read.
 */
int collector_aliases(const char *path, struct strbuf *list, struct error *err) MUST_CHECK;

#endif
