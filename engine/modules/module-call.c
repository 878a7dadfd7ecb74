/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a module, and enforces which fields it may change and which answers it may give. */
#include "common/compat.h"
#include "engine/modules/module-call.h"
#include "common/clock.h"
#include "engine/modules/module-messages.h"
#include "engine/modules/views.h"

/* Where the parts of the contexts end that only some modules may change. */
#define GLOBAL_FIXED offsetof(struct vigil_global, interval)
#define GLOBAL_TIMED offsetof(struct vigil_global, trace_level)
#define MINE_FIXED offsetof(struct vigil_private, capabilities)
#define MINE_DECLARED offsetof(struct vigil_private, own)

void module_describe(const struct registered_module *registered_module, struct vigil_description *description)
{
	const struct module *inner = registered_module->inner;

	*description = (struct vigil_description){
		.size = sizeof(*description),
		.record_id = registered_module->mine.record_id,
		.name = registered_module->module->name,
		.summary = registered_module->module->summary ? registered_module->module->summary : "",
		.library = registered_module->library,
		.capabilities = registered_module->mine.capabilities,
		.disabled = registered_module->refusal || (inner && inner->disabled),
		.reason = inner && inner->reason ? inner->reason
			  : registered_module->refusal	 ? registered_module->refusal
						 : "",
	};
}

void module_call_open(struct call *call, struct vigil_engine *opened, struct registered_module *registered_module,
		      uint32_t what, struct snapshot *snapshot)
{
	const unsigned quiet = VIGIL_CONSUMER | VIGIL_MONITOR;
	uint64_t consumed = snapshot && registered_module && what == VIGIL_SNAPSHOT_END &&
					    !(registered_module->mine.capabilities & ~quiet)
				    ? snapshot->sequence
				    : 0;

	/* Consumers leave the records unchanged for the next consumer. */
	if (!consumed || consumed != opened->consumed)
		opened->stage++;
	opened->consumed = consumed;
	*call = (struct call){
		.global = opened->settings, .opened = opened, .registered_module = registered_module, .snapshot = snapshot
	};
	call->global.what = what;
	call->global.data = NULL;
	call->global.data_size = 0;
	if (!opened->inner || (what >= VIGIL_LOAD && what <= VIGIL_PREPARE))
		return;
	call->global.current =
		views_snapshot(opened, snapshot ? snapshot : engine_current(opened->inner));
	call->global.previous = views_snapshot(opened, engine_previous(opened->inner));
}

/* Reports once that a module changed a field that it must not. */
static void warn_illegal_write(struct registered_module *registered_module, const char *context)
{
	if (registered_module->warned_write)
		return;
	registered_module->warned_write = true;
	message_send_format(registered_module->opened, registered_module, VIGIL_MESSAGE_WARNING,
		    "it wrote to fields of the %s context that are not its own; they were restored",
		    context);
}

/* Takes over the module's changes of the global context that are allowed. */
static void take_global(struct call *call, const struct vigil_global *before)
{
	struct vigil_global *after = &call->global;
	struct vigil_global *settings = &call->opened->settings;
	bool times = call->registered_module->mine.capabilities & (VIGIL_TIMER | VIGIL_MONITOR);

	if (memcmp(after, before, GLOBAL_FIXED) != 0 ||
	    (!times && memcmp((char *)after + GLOBAL_FIXED, (const char *)before + GLOBAL_FIXED,
			      GLOBAL_TIMED - GLOBAL_FIXED) != 0))
		warn_illegal_write(call->registered_module, "global");
	if (times) {
		settings->interval = after->interval ? after->interval : settings->interval;
		settings->count = after->count;
		settings->start_time = after->start_time;
		settings->end_time = after->end_time;
	}
	settings->trace_level = after->trace_level;
}

/* Undoes changes of the private context that are not allowed. */
static void check_mine(struct registered_module *registered_module, const struct vigil_private *before, uint32_t what)
{
	bool declares = what == VIGIL_LOAD || what == VIGIL_PREPARE;
	size_t fixed = declares ? MINE_FIXED : MINE_DECLARED;

	if (memcmp(&registered_module->mine, before, fixed) == 0 && registered_module->mine.parameter == before->parameter)
		return;
	memcpy(&registered_module->mine, before, fixed);
	registered_module->mine.parameter = before->parameter;
	warn_illegal_write(registered_module, "private");
}

/* Sets a reason of the engine for a module that gave none. */
static int reason(struct registered_module *registered_module, int status, const char *format, ...) PRINTFLIKE(3, 4);
static int reason(struct registered_module *registered_module, int status, const char *format, ...)
{
	va_list ap;

	if (registered_module->last_error.length)
		return status;
	va_start(ap, format);
	strbuf_vaddf(&registered_module->last_error, format, ap);
	va_end(ap);
	return status;
}

/* Returns the effective result of a call. */
static int effective_status(struct registered_module *registered_module, uint32_t what, int status)
{
	if (status == VIGIL_OK && registered_module->mine.status < 0)
		status = registered_module->mine.status;
	switch (status) {
	case VIGIL_OK:
	case VIGIL_NOTHING_TO_DO:
		return status;
	case VIGIL_ERROR:
	case VIGIL_FATAL:
		return reason(registered_module, status, "it failed without giving a reason");
	case VIGIL_END_OF_DATA:
		if (what == VIGIL_SNAPSHOT && registered_module->mine.capabilities & VIGIL_EXTRACTOR)
			return status;
	}
	strbuf_reset(&registered_module->last_error);
	return reason(registered_module, VIGIL_ERROR,
		      "it returned %d, which is not valid here", status);
}

/* Calls the module with a complete context. */
static int run(struct call *call)
{
	struct registered_module *registered_module = call->registered_module;
	struct vigil_private before_mine;
	struct vigil_global before;
	const struct vigil_set *set;
	uint64_t begun = clock_monotonic_ns();
	uint32_t what = call->global.what;
	int status;

	if (registered_module->active)
		return reason(registered_module, VIGIL_ERROR, "it was called while it was active");
	strbuf_reset(&registered_module->last_error);
	registered_module->mine.status = VIGIL_OK;
	before_mine = registered_module->mine;
	before = call->global;
	set = registered_module->mine.record_id && call->snapshot
		      ? views_set(call->global.current, registered_module->mine.record_id)
		      : NULL;
	registered_module->active = true;
	status = registered_module->module->call(&call->global, &registered_module->mine, set);
	registered_module->active = false;
	registered_module->calls++;
	registered_module->cost += clock_monotonic_ns() - begun;
	check_mine(registered_module, &before_mine, what);
	take_global(call, &before);
	return effective_status(registered_module, what, status);
}

int module_call(struct registered_module *registered_module, uint32_t what, struct snapshot *snapshot)
{
	struct call call;
	int status;

	module_call_open(&call, registered_module->opened, registered_module, what, snapshot);
	call.dropping = snapshot && registered_module->mine.capabilities & VIGIL_FILTER;
	status = run(&call);
	if (call.dropping)
		views_drop(registered_module->opened, snapshot);
	return status;
}

int module_call_form(struct registered_module *registered_module, uint32_t what, const void *data, uint64_t size,
		     const void **out, uint64_t *out_size)
{
	struct call call;
	bool outwards = what == VIGIL_TO_PUBLIC;
	int status;

	module_call_open(&call, registered_module->opened, registered_module, what, NULL);
	registered_module->mine.data = outwards ? data : NULL;
	registered_module->mine.data_size = outwards ? size : 0;
	call.global.data = outwards ? NULL : data;
	call.global.data_size = outwards ? 0 : size;
	status = run(&call);
	*out = outwards ? call.global.data : registered_module->mine.data;
	*out_size = outwards ? call.global.data_size : registered_module->mine.data_size;
	return status;
}

int module_call_external(struct registered_module *registered_module, const struct registered_module *caller, struct snapshot *snapshot,
			 const void *input, void *output)
{
	struct vigil_description description = { .size = sizeof(description) };
	struct vigil_private before = registered_module->mine;
	struct vigil_global global;
	struct call call;
	int status;

	if (registered_module->active || !registered_module->called || registered_module->apart || !registered_module->module->external ||
	    !(registered_module->mine.options & VIGIL_ACCEPTS_CALLS))
		return VIGIL_REFUSED;
	if (caller)
		module_describe(caller, &description);
	module_call_open(&call, registered_module->opened, registered_module, 0, NULL);
	call.global.current = views_snapshot(registered_module->opened, snapshot);
	global = call.global;
	registered_module->active = true;
	status = registered_module->module->external(
		&call.global, &registered_module->mine,
		registered_module->mine.record_id ? views_set(global.current, registered_module->mine.record_id) : NULL,
		caller ? &description : NULL, input, output);
	registered_module->active = false;
	check_mine(registered_module, &before, 0);
	take_global(&call, &global);
	return status;
}
