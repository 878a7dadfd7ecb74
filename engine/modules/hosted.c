/* SPDX-License-Identifier: Apache-2.0 */
/* External modules in operations of vigil's programs. */
#include "common/compat.h"
#include "engine/modules/hosted.h"
#include "engine/modules/module-bridge.h"
#include "engine/modules/module-forms.h"
#include "engine/modules/module-library.h"
#include "engine/modules/module-operation.h"
#include "engine/modules/module-privileges.h"

void hosted_prepare(struct vigil_engine *engine, const struct vigil_operation *operation)
{
	operation_prepare(engine, operation);
}

struct engine *hosted_begin(struct vigil_engine *engine, struct error *err)
{
	return operation_begin(engine, err) < 0 ? NULL : engine->inner;
}

int hosted_add(struct vigil_engine *engine, uint32_t only, struct error *err)
{
	return operation_add(engine, only, err);
}

bool hosted_refuse(struct vigil_engine *engine, struct error *err)
{
	return operation_refuse(engine, err);
}

void hosted_end(struct vigil_engine *engine)
{
	operation_drop(engine);
}

bool hosted_has(const struct vigil_engine *engine, uint32_t capabilities)
{
	return operation_has(engine, capabilities);
}

void hosted_count_snapshot(struct vigil_engine *engine)
{
	engine->settings.taken++;
}

const struct vigil_global *hosted_settings(const struct vigil_engine *engine)
{
	return &engine->settings;
}

const struct snapshot *hosted_to_stored(struct vigil_engine *engine, struct snapshot *snapshot)
{
	return forms_to_stored(engine, snapshot);
}

void hosted_forget(struct vigil_engine *engine, struct snapshot *snapshot)
{
	forms_forget(engine, snapshot);
}

void hosted_to_public(struct vigil_engine *engine, struct snapshot *snapshot)
{
	forms_to_public(engine, snapshot);
}

bool hosted_module(const struct vigil_engine *engine, size_t number, struct hosted_module *found)
{
	const struct registered_module *registered_module;

	RETURN_IF(number >= engine->count, false);
	registered_module = engine->registered_module[number];
	*found = (struct hosted_module){ registered_module->module,	 &registered_module->mine, registered_module->library,
					 registered_module->refusal, registered_module->inner, registered_module->type };
	return true;
}

void hosted_missing_privilege(const struct hosted_module *module, struct strbuf *sb)
{
	privileges_lacking(module->declared->needs, sb);
}

void hosted_libraries(const struct vigil_engine *engine,
		      void (*each)(void *argument, const char *path), void *argument)
{
	library_each(engine, each, argument);
}
