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

void module_describe(const struct known *known, struct vigil_description *description)
{
	const struct module *inner = known->inner;

	*description = (struct vigil_description){
		.size = sizeof(*description),
		.record_id = known->mine.record_id,
		.name = known->module->name,
		.summary = known->module->summary ? known->module->summary : "",
		.library = known->library,
		.capabilities = known->mine.capabilities,
		.disabled = known->refusal || (inner && inner->disabled),
		.reason = inner && inner->reason ? inner->reason
			  : known->refusal	 ? known->refusal
						 : "",
	};
}

void module_call_open(struct call *call, struct vigil_engine *opened, struct known *known,
		      uint32_t what, struct snapshot *snapshot)
{
	const unsigned quiet = VIGIL_CONSUMER | VIGIL_MONITOR;
	uint64_t consumed = snapshot && known && what == VIGIL_SNAPSHOT_END &&
					    !(known->mine.capabilities & ~quiet)
				    ? snapshot->sequence
				    : 0;

	/* Consumers leave the records unchanged for the next consumer. */
	if (!consumed || consumed != opened->consumed)
		opened->stage++;
	opened->consumed = consumed;
	*call = (struct call){
		.global = opened->settings, .opened = opened, .known = known, .snapshot = snapshot
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
static void tell_of_writing(struct known *known, const char *context)
{
	if (known->told)
		return;
	known->told = true;
	message_say(known->opened, known, VIGIL_MESSAGE_WARNING,
		    "it wrote into fields of the %s context that are not its own; they were put "
		    "back",
		    context);
}

/* Takes over the module's changes of the global context that are allowed. */
static void take_global(struct call *call, const struct vigil_global *before)
{
	struct vigil_global *after = &call->global;
	struct vigil_global *settings = &call->opened->settings;
	bool times = call->known->mine.capabilities & (VIGIL_TIMER | VIGIL_MONITOR);

	if (memcmp(after, before, GLOBAL_FIXED) != 0 ||
	    (!times && memcmp((char *)after + GLOBAL_FIXED, (const char *)before + GLOBAL_FIXED,
			      GLOBAL_TIMED - GLOBAL_FIXED) != 0))
		tell_of_writing(call->known, "global");
	if (times) {
		settings->interval = after->interval ? after->interval : settings->interval;
		settings->count = after->count;
		settings->start_time = after->start_time;
		settings->end_time = after->end_time;
	}
	settings->trace_level = after->trace_level;
}

/* Undoes changes of the private context that are not allowed. */
static void check_mine(struct known *known, const struct vigil_private *before, uint32_t what)
{
	bool declares = what == VIGIL_LOAD || what == VIGIL_PREPARE;
	size_t fixed = declares ? MINE_FIXED : MINE_DECLARED;

	if (memcmp(&known->mine, before, fixed) == 0 && known->mine.parameter == before->parameter)
		return;
	memcpy(&known->mine, before, fixed);
	known->mine.parameter = before->parameter;
	tell_of_writing(known, "private");
}

/* Sets a reason of the engine for a module that gave none. */
static int reason(struct known *known, int status, const char *format, ...) PRINTFLIKE(3, 4);
static int reason(struct known *known, int status, const char *format, ...)
{
	va_list ap;

	if (known->said.length)
		return status;
	va_start(ap, format);
	strbuf_vaddf(&known->said, format, ap);
	va_end(ap);
	return status;
}

/* Returns the effective result of a call. */
static int judge(struct known *known, uint32_t what, int status)
{
	if (status == VIGIL_OK && known->mine.status < 0)
		status = known->mine.status;
	switch (status) {
	case VIGIL_OK:
	case VIGIL_NOTHING_TO_DO:
		return status;
	case VIGIL_ERROR:
	case VIGIL_FATAL:
		return reason(known, status, "it failed without saying why");
	case VIGIL_END_OF_DATA:
		if (what == VIGIL_SNAPSHOT && known->mine.capabilities & VIGIL_EXTRACTOR)
			return status;
	}
	strbuf_reset(&known->said);
	return reason(known, VIGIL_ERROR, "it returned %d, which means nothing here", status);
}

/* Calls the module with a complete context. */
static int run(struct call *call)
{
	struct known *known = call->known;
	struct vigil_private before_mine;
	struct vigil_global before;
	const struct vigil_set *set;
	uint64_t begun = clock_monotonic_ns();
	uint32_t what = call->global.what;
	int status;

	if (known->active)
		return reason(known, VIGIL_ERROR, "it was called while it was active");
	strbuf_reset(&known->said);
	known->mine.status = VIGIL_OK;
	before_mine = known->mine;
	before = call->global;
	set = known->mine.record_id && call->snapshot
		      ? views_set(call->global.current, known->mine.record_id)
		      : NULL;
	known->active = true;
	status = known->module->call(&call->global, &known->mine, set);
	known->active = false;
	known->calls++;
	known->cost += clock_monotonic_ns() - begun;
	check_mine(known, &before_mine, what);
	take_global(call, &before);
	return judge(known, what, status);
}

int module_call(struct known *known, uint32_t what, struct snapshot *snapshot)
{
	struct call call;
	int status;

	module_call_open(&call, known->opened, known, what, snapshot);
	call.dropping = snapshot && known->mine.capabilities & VIGIL_FILTER;
	status = run(&call);
	if (call.dropping)
		views_drop(known->opened, snapshot);
	return status;
}

int module_call_form(struct known *known, uint32_t what, const void *data, uint64_t size,
		     const void **out, uint64_t *out_size)
{
	struct call call;
	bool outwards = what == VIGIL_TO_PUBLIC;
	int status;

	module_call_open(&call, known->opened, known, what, NULL);
	known->mine.data = outwards ? data : NULL;
	known->mine.data_size = outwards ? size : 0;
	call.global.data = outwards ? NULL : data;
	call.global.data_size = outwards ? 0 : size;
	status = run(&call);
	*out = outwards ? call.global.data : known->mine.data;
	*out_size = outwards ? call.global.data_size : known->mine.data_size;
	return status;
}

int module_call_external(struct known *known, const struct known *caller, struct snapshot *snapshot,
			 const void *input, void *output)
{
	struct vigil_description description = { .size = sizeof(description) };
	struct vigil_private before = known->mine;
	struct vigil_global global;
	struct call call;
	int status;

	if (known->active || !known->called || known->apart || !known->module->external ||
	    !(known->mine.options & VIGIL_ACCEPTS_CALLS))
		return VIGIL_REFUSED;
	if (caller)
		module_describe(caller, &description);
	module_call_open(&call, known->opened, known, 0, NULL);
	call.global.current = views_snapshot(known->opened, snapshot);
	global = call.global;
	known->active = true;
	status = known->module->external(
		&call.global, &known->mine,
		known->mine.record_id ? views_set(global.current, known->mine.record_id) : NULL,
		caller ? &description : NULL, input, output);
	known->active = false;
	check_mine(known, &before, 0);
	take_global(&call, &global);
	return status;
}
