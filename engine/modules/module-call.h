/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of a module's functions in this process: what it is given, what it
 * may write, and what its answer may be.
 */
#ifndef VIGIL_ENGINE_MODULES_MODULE_CALL_H
#define VIGIL_ENGINE_MODULES_MODULE_CALL_H

#include "engine/modules/opened-data.h"

/* The context of a call; snapshot NULL: none, or none that may be added to. */
void module_call_open(struct call *call, struct vigil_engine *opened, struct known *known,
		      uint32_t what, struct snapshot *snapshot);
/*
 * Calls a module: an answer that it may give; known->said has the reason of one
 * that is not VIGIL_OK.
 */
int module_call(struct known *known, uint32_t what, struct snapshot *snapshot);
/* The same, with the other form of a record to be made from data; out is its buffer then. */
int module_call_form(struct known *known, uint32_t what, const void *data, uint64_t size,
		     const void **out, uint64_t *out_size);
/* An external call, by one module of another (caller NULL: by the client). */
int module_call_external(struct known *known, const struct known *caller, struct snapshot *snapshot,
			 const void *input, void *output);
/* What others are told of a module. */
void module_describe(const struct known *known, struct vigil_description *description);

#endif
