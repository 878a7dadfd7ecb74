/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of a module's functions in this process: what it is given, what it may
 * change, and which answers are valid.
 */
#ifndef VIGIL_ENGINE_MODULES_MODULE_CALL_H
#define VIGIL_ENGINE_MODULES_MODULE_CALL_H

#include "engine/modules/opened-data.h"

/* Sets up the context of a call; snapshot NULL: none, or none to which records may be added. */
void module_call_open(struct call *call, struct vigil_engine *opened, struct registered_module *registered_module,
		      uint32_t what, struct snapshot *snapshot);
/*
 * Calls a module. Returns a valid answer; known->said has the reason of one that
 * is not VIGIL_OK.
 */
int module_call(struct registered_module *registered_module, uint32_t what, struct snapshot *snapshot);
/* Does the same to convert a record, data, to its other form; out is the resulting buffer. */
int module_call_form(struct registered_module *registered_module, uint32_t what, const void *data, uint64_t size,
		     const void **out, uint64_t *out_size);
/* Makes an external call from one module to another (caller NULL: from the client). */
int module_call_external(struct registered_module *registered_module, const struct registered_module *caller, struct snapshot *snapshot,
			 const void *input, void *output);
/* Fills in the description of a module for others. */
void module_describe(const struct registered_module *registered_module, struct vigil_description *description);

#endif
