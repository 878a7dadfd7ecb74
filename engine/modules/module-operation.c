/* SPDX-License-Identifier: Apache-2.0 */
/* Creates the engine of an operation with the external modules, and ends it. */
#include "common/compat.h"
#include "engine/modules/module-operation.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "engine/modules/built-in.h"
#include "engine/modules/module-bridge.h"
#include "engine/modules/views.h"
#include "records/record-types.h"

#include <sys/param.h>

/* Sets what modules are given about the operation. */
static void set_settings(struct vigil_engine *engine)
{
	const struct vigil_operation *operation = &engine->operation;
	struct vigil_global *settings = &engine->settings;

	settings->operation = operation->operation;
	settings->file = engine->file;
	settings->taken = 0;
	settings->interval = operation->interval ? operation->interval : NSEC_PER_SEC;
	settings->count = operation->count;
	settings->start_time = operation->start_time;
	settings->end_time = operation->end_time;
	settings->trace_level = engine->options.trace_level;
	settings->begun = clock_monotonic_ns();
}

void operation_prepare(struct vigil_engine *engine, const struct vigil_operation *operation)
{
	engine->operation = (struct vigil_operation){ 0 };
	memcpy(&engine->operation, operation, MIN(operation->size, sizeof(*operation)));
	engine->file = operation->file ? xstrdup(operation->file) : NULL;
	engine->halted = false;
	set_settings(engine);
	for (size_t i = 0; i < engine->count; i++)
		bridge_prepare(engine->registered_module[i]);
}

/* Frees the operation's engine. */
static void drop_inner(struct vigil_engine *engine)
{
	engine_free(engine->inner);
	engine->inner = NULL;
	if (engine->offered)
		built_in_modules.free(engine->offered);
	engine->offered = NULL;
}

int operation_begin(struct vigil_engine *engine, struct error *err)
{
	drop_inner(engine);
	engine->inner = engine_new(&session_records);
	for (size_t id = RECORD_RUNTIME_FIRST; id < engine->types.count; id++)
		RETURN_IF(!registry_add(engine_types(engine->inner), engine->types.types[id], err),
			  -1);
	return 0;
}

int operation_add(struct vigil_engine *engine, uint32_t only, struct error *err)
{
	for (size_t i = 0; i < engine->count; i++) {
		struct registered_module *registered_module = engine->registered_module[i];
		bool takes_part = registered_module->takes_part;
		int result;

		if (only && !(registered_module->mine.capabilities & only))
			registered_module->takes_part = false;
		result = bridge_add(registered_module, engine->inner, err);
		registered_module->takes_part = takes_part;
		RETURN_IF(result < 0, -1);
	}
	return 0;
}

bool operation_refuse(struct vigil_engine *engine, struct error *err)
{
	const struct module *culprit = engine_culprit(engine->inner);
	struct registered_module *registered_module = NULL;

	for (size_t i = 0; culprit && i < engine->count; i++)
		if (engine->registered_module[i]->inner == culprit)
			registered_module = engine->registered_module[i];
	RETURN_IF(!registered_module || registered_module->refusal, false);
	bridge_refuse(registered_module, error_text(err));
	strbuf_reset(&err->text);
	return true;
}

void operation_drop(struct vigil_engine *engine)
{
	views_release(engine);
	drop_inner(engine);
	for (size_t i = 0; i < engine->count; i++)
		bridge_reset(engine->registered_module[i]);
	free(engine->file);
	engine->file = NULL;
	engine->started = false;
}

bool operation_has(const struct vigil_engine *engine, uint32_t capabilities)
{
	for (size_t i = 0; i < engine->count; i++)
		if (engine->registered_module[i]->takes_part && !engine->registered_module[i]->refusal &&
		    engine->registered_module[i]->mine.capabilities & capabilities)
			return true;
	return false;
}
