/* SPDX-License-Identifier: Apache-2.0 */
/* The functions for clients (vigil/engine.h). */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "engine/modules/built-in.h"
#include "engine/modules/module-bridge.h"
#include "engine/modules/module-call.h"
#include "engine/modules/module-clock.h"
#include "engine/modules/module-forms.h"
#include "engine/modules/module-library.h"
#include "engine/modules/module-messages.h"
#include "engine/modules/module-operation.h"
#include "engine/modules/module-services.h"
#include "engine/modules/views.h"
#include "records/record-types.h"

#include <sys/param.h>

/* The exported functions; all others in the library are hidden (SHARED_CFLAGS in Makefile.am). */
#pragma GCC visibility push(default)

#define PATIENCE (10 * NSEC_PER_SEC)
/* Size in the first version; members of later versions are 0 for its clients. */
#define OPTIONS_SIZE (offsetof(struct vigil_options, patience) + sizeof(uint64_t))
#define OPERATION_SIZE (offsetof(struct vigil_operation, end_time) + sizeof(uint64_t))

struct vigil_engine *vigil_engine_init(const struct vigil_options *options)
{
	struct vigil_engine *opened;

	if (options && options->size < OPTIONS_SIZE)
		return NULL;
	opened = xcalloc(1, sizeof(*opened));
	if (options)
		memcpy(&opened->options, options, MIN(options->size, sizeof(*options)));
	if (!opened->options.patience)
		opened->options.patience = PATIENCE;
	opened->folders = xstrdup(opened->options.folders ? opened->options.folders : "");
	error_init(&opened->problem);
	registry_init(&opened->types, &session_records);
	opened->settings = (struct vigil_global){ .size = sizeof(opened->settings),
						  .version = VIGIL_MODULE_VERSION,
						  .services = &module_services,
						  .engine = opened,
						  .trace_level = opened->options.trace_level };
	opened->call = xcalloc(1, sizeof(*opened->call));
	opened->call->opened = opened;
	return opened;
}

void vigil_engine_finish(struct vigil_engine *engine)
{
	if (!engine)
		return;
	vigil_engine_end(engine);
	library_close(engine);
	registry_release(&engine->types);
	error_release(&engine->problem);
	free(engine->folders);
	for (size_t i = 0; i < engine->chosen_count; i++)
		free(engine->chosen[i]);
	free(engine->chosen);
	free(engine->stored.sets);
	free(engine->views);
	free(engine->call);
	free(engine);
}

const char *vigil_engine_problem(const struct vigil_engine *engine)
{
	return error_text(&engine->problem);
}

/* Begins a function of the client: clears the problem. */
static struct error *begin(struct vigil_engine *engine)
{
	strbuf_reset(&engine->problem.text);
	return &engine->problem;
}

/* Returns whether there is a built-in module of this name. */
static bool is_built_in(const char *name, struct error *err)
{
	struct engine *engine;
	void *offered;
	bool found;

	RETURN_IF(!&built_in_modules, false);
	engine = engine_new(&session_records);
	offered = built_in_modules.offer(engine, err);
	found = offered && engine_module(engine, name);
	engine_free(engine);
	built_in_modules.free(offered);
	return found;
}

/* Registers a module. Returns -1 with a message. */
static int take(struct vigil_engine *engine, const struct vigil_module *module, const char *path,
		const char *parameter, uint32_t flags)
{
	struct registered_module *registered_module = NULL;

	if (module && module->name && is_built_in(module->name, NULL))
		error_set(&engine->problem, "module %s already exists", module->name);
	else
		registered_module = library_take(engine, module, path, parameter, &engine->problem);
	if (!registered_module) {
		message_send_format(engine, NULL, VIGIL_MESSAGE_ERROR, "%s", error_text(&engine->problem));
		return -1;
	}
	registered_module->takes_part = !(flags & VIGIL_OFFER);
	return 0;
}

int vigil_engine_register(struct vigil_engine *engine, const char *library, uint32_t flags)
{
	return vigil_engine_register_with(engine, library, NULL, flags);
}

int vigil_engine_register_with(struct vigil_engine *engine, const char *library,
			       const char *parameter, uint32_t flags)
{
	struct error *err = begin(engine);
	const struct vigil_module_list *list;
	const char *path;
	int taken = 0;

	if (engine->inner)
		return error_set(err, "library %s comes too late: an operation is prepared already",
				 library);
	list = library_open(engine, library, parameter, &path, err);
	if (!list) {
		message_send_format(engine, NULL, VIGIL_MESSAGE_ERROR, "%s", error_text(err));
		return -1;
	}
	for (size_t i = 0; list->modules[i]; i++)
		taken += take(engine, list->modules[i], path, parameter, flags) == 0;
	return taken ? taken : -1;
}

int vigil_engine_register_linked(struct vigil_engine *engine, const struct vigil_module *module,
				 uint32_t flags)
{
	struct error *err = begin(engine);

	if (engine->inner)
		return error_set(err, "a module comes too late: an operation is prepared already");
	return take(engine, module, "", NULL, flags);
}

/* Sets whether a built-in module takes part. */
static void choose_built_in(struct vigil_engine *engine, const char *name, bool takes_part)
{
	size_t i = 0;

	while (i < engine->chosen_count && strcmp(engine->chosen[i], name) != 0)
		i++;
	if (takes_part && i == engine->chosen_count) {
		GROW(engine->chosen, engine->chosen_count + 1, engine->chosen_alloc);
		engine->chosen[engine->chosen_count++] = xstrdup(name);
	} else if (!takes_part && i < engine->chosen_count) {
		free(engine->chosen[i]);
		engine->chosen[i] = engine->chosen[--engine->chosen_count];
	}
}

int vigil_engine_choose(struct vigil_engine *engine, const char *name, int takes_part)
{
	struct error *err = begin(engine);

	if (engine->inner)
		return error_set(err,
				 "module %s comes too late: an operation is prepared "
				 "already", name);
	if (strcmp(name, module_writer_class.name) == 0) {
		engine->no_file = !takes_part;
		return 0;
	}
	for (size_t i = 0; i < engine->count; i++)
		if (strcmp(engine->registered_module[i]->module->name, name) == 0) {
			engine->registered_module[i]->takes_part = takes_part;
			return 0;
		}
	if (!is_built_in(name, err))
		return error_set(err, "there is no module %s", name);
	choose_built_in(engine, name, takes_part);
	return 0;
}

/* Offers the built-in modules to the operation's engine, and enables those that were chosen. */
static int add_built_in(struct vigil_engine *engine, struct error *err)
{
	RETURN_IF(!&built_in_modules, 0);
	engine->offered = built_in_modules.offer(engine->inner, err);
	RETURN_IF(!engine->offered, -1);
	for (size_t i = 0; i < engine->chosen_count; i++)
		RETURN_IF(engine_enable(engine->inner, engine->chosen[i], err) < 0, -1);
	return 0;
}

/* Adds the engine's own modules of an operation. */
static int add_engine_modules(struct vigil_engine *engine, struct error *err)
{
	bool collects = engine->operation.operation == VIGIL_COLLECTION;
	const struct module_class *file = collects ? &module_writer_class : &module_reader_class;

	if (collects && !operation_has(engine, VIGIL_TIMER))
		RETURN_IF(!engine_add(engine->inner, &module_clock_class, engine, err), -1);
	if (engine->file && !(collects && engine->no_file))
		RETURN_IF(!engine_add(engine->inner, file, engine, err), -1);
	return 0;
}

/*
 * Creates the operation's engine. Returns 1 when a module was refused and it must
 * be created again.
 */
static int build(struct vigil_engine *engine, struct error *err)
{
	enum operation operation = engine->operation.operation == VIGIL_COLLECTION
					   ? OPERATION_COLLECTION
					   : OPERATION_EXTRACTION;

	RETURN_IF(operation_begin(engine, err) < 0 || add_engine_modules(engine, err) < 0 ||
			  add_built_in(engine, err) < 0 || operation_add(engine, 0, err) < 0,
		  -1);
	RETURN_IF(engine_prepare(engine->inner, operation, err) == 0, 0);
	return operation_refuse(engine, err) ? 1 : -1;
}

int vigil_engine_prepare(struct vigil_engine *engine, const struct vigil_operation *operation)
{
	struct error *err = begin(engine);
	int again;

	if (engine->inner)
		return error_set(err, "an operation is prepared already");
	if (!operation || operation->size < OPERATION_SIZE ||
	    operation->operation < VIGIL_COLLECTION || operation->operation > VIGIL_EXTRACTION)
		return error_set(err, "the operation is not known to this version");
	operation_prepare(engine, operation);
	while ((again = build(engine, err)) == 1)
		;
	if (again < 0)
		operation_drop(engine);
	return again;
}

/* Starts the operation that was prepared, unless that was done. */
static int start(struct vigil_engine *engine, uint32_t wanted, struct error *err)
{
	int result;

	if (!engine->inner)
		return error_set(err, "no operation is prepared");
	if (wanted && engine->operation.operation != wanted)
		return error_set(err, "the prepared operation is of the other type");
	RETURN_IF(engine->started, 0);
	engine->settings.begun = clock_monotonic_ns();
	result = engine->operation.operation == VIGIL_COLLECTION
			 ? engine_start(engine->inner, err)
			 : engine_start_extraction(engine->inner, err);
	engine->started = result == 0;
	return result;
}

/* Returns a snapshot that was taken to the client, and counts it. */
static void show(struct vigil_engine *engine, const struct vigil_snapshot **snapshot)
{
	engine->stage++;
	if (snapshot)
		*snapshot = views_snapshot(engine, engine_current(engine->inner));
}

/* Takes the last snapshot that the timer wants. Returns 1 when it was taken before. */
static int take_last(struct vigil_engine *engine, struct error *err)
{
	const struct snapshot *current = engine_current(engine->inner);

	RETURN_IF(current && current->last, 1);
	return engine_last_snapshot(engine->inner, err);
}

int vigil_engine_collect_snapshot(struct vigil_engine *engine, int wait,
				  const struct vigil_snapshot **snapshot)
{
	struct error *err = begin(engine);
	int served = 0;

	if (snapshot)
		*snapshot = NULL;
	RETURN_IF(start(engine, VIGIL_COLLECTION, err) < 0, -1);
	while (wait && served == 0 && !engine_is_halted(engine->inner))
		served = engine_serve(engine->inner, INT_MAX, err);
	RETURN_IF(served < 0, -1);
	if (served == 0) {
		served = wait || engine_is_halted(engine->inner)
				 ? take_last(engine, err)
				 : engine_snapshot(engine->inner, err);
		RETURN_IF(served != 0, served);
	}
	engine->settings.taken++;
	show(engine, snapshot);
	return 0;
}

int vigil_engine_read_snapshot(struct vigil_engine *engine, const struct vigil_snapshot **snapshot)
{
	struct error *err = begin(engine);
	const struct snapshot *current;
	int answer;

	if (snapshot)
		*snapshot = NULL;
	RETURN_IF(start(engine, VIGIL_EXTRACTION, err) < 0, -1);
	current = engine_current(engine->inner);
	RETURN_IF(current && current->last, 1);
	answer = engine_is_halted(engine->inner) ? take_last(engine, err)
						 : engine_snapshot(engine->inner, err);
	RETURN_IF(answer < 0, -1);
	engine->settings.taken++;
	show(engine, snapshot);
	return answer;
}

/* Extracts one snapshot, when it is due if there is a timer. Returns 1 at the end. */
static int extract_one(struct vigil_engine *engine, struct error *err)
{
	int answer = engine_extract_next(engine->inner, err);

	engine->settings.taken++;
	return answer == 0 && engine_is_halted(engine->inner) ? 1 : answer;
}

int vigil_engine_start(struct vigil_engine *engine)
{
	struct error *err = begin(engine);
	bool collects = engine->operation.operation == VIGIL_COLLECTION;
	int answer = start(engine, 0, err);

	while (answer == 0)
		answer = collects ? vigil_engine_collect_snapshot(engine, 1, NULL)
				  : extract_one(engine, err);
	RETURN_IF(answer < 0, -1);
	return engine_finish(engine->inner, err);
}

int vigil_engine_end(struct vigil_engine *engine)
{
	struct error *err = &engine->problem;
	int result = 0;

	if (engine->inner && engine->started)
		result = engine_finish(engine->inner, err);
	operation_drop(engine);
	return result;
}

void vigil_engine_halt(struct vigil_engine *engine)
{
	engine->halted = true;
	if (engine->inner)
		engine_halt(engine->inner);
}

int vigil_engine_get_info(struct vigil_engine *engine, struct vigil_engine_information *info)
{
	struct error *err = begin(engine);
	struct vigil_engine_information whole;
	uint32_t size = info->size;

	if (size < offsetof(struct vigil_engine_information, modules))
		return error_set(err, "the information has no size");
	module_call_open(engine->call, engine, NULL, 0, NULL);
	whole = (struct vigil_engine_information){
		.size = size,
		.version = VIGIL_MODULE_VERSION,
		.state = !engine->inner	   ? VIGIL_ENGINE_IDLE
			 : engine->started ? VIGIL_ENGINE_STARTED
					   : VIGIL_ENGINE_PREPARED,
		.operation = engine->settings.operation,
		.modules = (uint32_t)engine->count,
		.snapshots = engine->settings.taken,
		.file_size = engine->consumer.writer ? dataset_size(engine->consumer.writer) : 0,
		.current = engine->call->global.current,
		.previous = engine->call->global.previous,
		.global = &engine->call->global,
	};
	memcpy(info, &whole, size < sizeof(whole) ? size : sizeof(whole));
	return 0;
}

int vigil_engine_get_module(struct vigil_engine *engine, uint32_t number,
			    struct vigil_module_information *info)
{
	struct error *err = begin(engine);
	struct vigil_module_information whole = { 0 };
	uint32_t size = info->size;
	const struct registered_module *registered_module;

	if (size < sizeof(whole.size) + sizeof(whole.takes_part))
		return error_set(err, "the information has no size");
	if (number >= engine->count)
		return error_set(err, "there is no module %u", number);
	registered_module = engine->registered_module[number];
	whole.size = size;
	whole.takes_part = registered_module->inner ? registered_module->inner->enabled : registered_module->takes_part;
	module_describe(registered_module, &engine->described);
	whole.description = &engine->described;
	whole.type = registered_module->mine.type;
	whole.missing = registered_module->mine.missing;
	whole.apart = registered_module->apart != NULL;
	whole.calls = registered_module->calls;
	whole.cost = registered_module->cost;
	memcpy(info, &whole, size < sizeof(whole) ? size : sizeof(whole));
	return 0;
}
