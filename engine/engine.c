/* SPDX-License-Identifier: Apache-2.0 */
/* The engine: calls processor modules in order through a collection or an extraction. */
#include "common/compat.h"
#include "engine/engine.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "engine/roster.h"
#include "engine/timer.h"
#include "engine/watches.h"

enum engine_state { ENGINE_NEW, ENGINE_RUNNING, ENGINE_ENDED };

/* A snapshot and its reference count. The snapshot is the first member. */
struct counted_snapshot {
	struct snapshot snapshot;
	unsigned reserved;
	bool in_use; /* one of the engine's current two */
};

struct engine {
	struct registry types;
	struct strmap strings;
	struct roster roster;
	struct watches watches;
	struct interval_timer timer; /* used unless the client adds another timer */
	enum operation operation;
	enum engine_state state;
	bool halted;

	struct counted_snapshot **snapshots; /* in use, reserved, and free for reuse; owned */
	size_t snapshot_count, snapshot_alloc;
	struct counted_snapshot *current;	/* in progress, or the last one */
	struct counted_snapshot *previous; /* the one before current */
	uint64_t sequence;		/* of the last snapshot */
	uint64_t last_tick;    /* ns monotonic of the last snapshot, or of the operation's start */
	uint64_t clock_offset; /* wall - monotonic clock according to the records, 0: none yet */
	bool kept;	       /* the current snapshot has rows that no consumer has seen */
	bool has_previous;     /* consumers have seen the previous snapshot */
	bool processed_last;      /* the last snapshot was processed */

	char **notes; /* about disabled modules, for the next snapshot; owned */
	size_t note_count, note_alloc;
};

/* Returns a snapshot that is not referenced, or a new one. */
static struct counted_snapshot *spare_snapshot(struct engine *engine)
{
	struct counted_snapshot *kept;

	for (size_t i = 0; i < engine->snapshot_count; i++)
		if (!engine->snapshots[i]->in_use && !engine->snapshots[i]->reserved) {
			engine->snapshots[i]->in_use = true;
			return engine->snapshots[i];
		}
	kept = xcalloc(1, sizeof(*kept));
	kept->in_use = true;
	snapshot_init(&kept->snapshot, &engine->types);
	GROW(engine->snapshots, engine->snapshot_count + 1, engine->snapshot_alloc);
	engine->snapshots[engine->snapshot_count++] = kept;
	return kept;
}

struct engine *engine_new(const struct record_catalogue *built_in)
{
	struct engine *engine = xcalloc(1, sizeof(*engine));

	registry_init(&engine->types, built_in);
	strmap_init(&engine->strings);
	roster_init(&engine->roster);
	watches_init(&engine->watches);
	engine->current = spare_snapshot(engine);
	return engine;
}

void engine_free(struct engine *engine)
{
	if (!engine)
		return;
	engine_finish(engine, NULL);
	for (size_t i = 0; i < engine->note_count; i++)
		free(engine->notes[i]);
	free(engine->notes);
	for (size_t i = 0; i < engine->snapshot_count; i++) {
		snapshot_release(&engine->snapshots[i]->snapshot);
		free(engine->snapshots[i]);
	}
	free(engine->snapshots);
	watches_release(&engine->watches);
	roster_release(&engine->roster);
	strmap_release(&engine->strings);
	registry_release(&engine->types);
	free(engine);
}

struct registry *engine_types(struct engine *engine)
{
	return &engine->types;
}

struct strmap *engine_strings(struct engine *engine)
{
	return &engine->strings;
}

uint64_t engine_string(struct engine *engine, const char *text)
{
	return strmap_put(&engine->strings, text);
}

struct module *engine_offer(struct engine *engine, const struct module_class *class, void *context,
			    struct error *err)
{
	if (engine->state != ENGINE_NEW) {
		error_set(err, "module %s comes too late: the engine has started", class->name);
		return NULL;
	}
	return roster_add(&engine->roster, engine, class, context, err);
}

struct module *engine_add(struct engine *engine, const struct module_class *class, void *context,
			  struct error *err)
{
	struct module *module = engine_offer(engine, class, context, err);

	if (module)
		module->enabled = true;
	return module;
}

int engine_enable(struct engine *engine, const char *name, struct error *err)
{
	struct module *module = roster_find(&engine->roster, name);

	if (engine->state != ENGINE_NEW)
		return error_set(err, "module %s comes too late: the engine has started", name);
	if (!module)
		return error_set(err, "there is no module %s", name);
	module->enabled = true;
	return 0;
}

struct module *engine_module(const struct engine *engine, const char *name)
{
	return roster_find(&engine->roster, name);
}

const struct module *engine_culprit(const struct engine *engine)
{
	return engine->roster.culprit;
}

size_t engine_modules(const struct engine *engine, const struct module *const **modules)
{
	*modules = (const struct module *const *)engine->roster.order;
	return engine->roster.order_count;
}

void engine_watch(struct engine *engine, int fd, short events, engine_ready ready, void *argument)
{
	watches_put(&engine->watches, fd, events, ready, argument);
}

void engine_unwatch(struct engine *engine, int fd)
{
	watches_remove(&engine->watches, fd);
}

int engine_wait(struct engine *engine, int timeout_ms, struct error *err)
{
	return watches_wait(&engine->watches, (uint64_t)timeout_ms * NSEC_PER_MSEC, err);
}

void engine_halt(struct engine *engine)
{
	engine->halted = true;
}

bool engine_is_halted(const struct engine *engine)
{
	return engine->halted;
}

const struct snapshot *engine_previous(const struct engine *engine)
{
	return engine->has_previous ? &engine->previous->snapshot : NULL;
}

const struct snapshot *engine_current(const struct engine *engine)
{
	return engine->current->snapshot.sequence ? &engine->current->snapshot : NULL;
}

void engine_reserve(const struct snapshot *snapshot)
{
	((struct counted_snapshot *)snapshot)->reserved++;
}

bool engine_release(const struct snapshot *snapshot)
{
	struct counted_snapshot *kept = (struct counted_snapshot *)snapshot;

	RETURN_IF(!kept->reserved, false);
	kept->reserved--;
	return true;
}

/* Returns the timer that takes part and is not disabled; NULL when there is none. */
static struct module *find_timer(const struct engine *engine)
{
	for (size_t i = 0; i < engine->roster.count; i++) {
		struct module *module = engine->roster.all[i];

		if (module->enabled && !module->disabled && module->capabilities & MODULE_TIMER)
			return module;
	}
	return NULL;
}

/* Ensures that a collection has exactly one timer: the client's, or else the engine's. */
static int settle_timer(struct engine *engine, struct error *err)
{
	struct module *own = NULL;
	const struct module *other = NULL;

	engine->roster.culprit = NULL;

	for (size_t i = 0; i < engine->roster.count; i++) {
		struct module *module = engine->roster.all[i];

		if (module->context == &engine->timer)
			own = module;
		if (!module->enabled || module == own ||
		    !(module->class->capabilities & MODULE_TIMER))
			continue;
		if (other) {
			engine->roster.culprit = module;
			return error_set(err,
					 "modules %s and %s are both timers, but only one is "
					 "allowed",
					 other->class->name, module->class->name);
		}
		other = module;
	}
	if (own)
		own->enabled = !other;
	if (own || other)
		return 0;
	engine->timer =
		(struct interval_timer){ .shortest = NSEC_PER_SEC, .longest = NSEC_PER_SEC };
	return engine_add(engine, &interval_timer_class, &engine->timer, err) ? 0 : -1;
}

int engine_prepare(struct engine *engine, enum operation operation, struct error *err)
{
	assert(engine->state == ENGINE_NEW);
	engine->operation = operation;
	RETURN_IF(roster_prepare(&engine->roster, operation, &engine->types, err) < 0, -1);
	if (operation == OPERATION_EXTRACTION)
		return 0;
	RETURN_IF(settle_timer(engine, err) < 0, -1);
	return roster_prepare(&engine->roster, operation, &engine->types, err);
}

/* Keeps a note for the next snapshot that is passed to the consumers. */
static void add_note(struct engine *engine, const struct module *module)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "module %s was switched off: %s", module->class->name, module->reason);
	GROW(engine->notes, engine->note_count + 1, engine->note_alloc);
	engine->notes[engine->note_count++] = strbuf_detach(&text, NULL);
}

/* Moves the notes into the snapshot. */
static void flush_notes(struct engine *engine, struct snapshot *snapshot)
{
	for (size_t i = 0; i < engine->note_count; i++) {
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 4001, "%s", engine->notes[i]);
		free(engine->notes[i]);
	}
	engine->note_count = 0;
}

/* Notifies the modules that depend on a module that it was disabled. */
static void notify_dependents(const struct module *lost)
{
	const struct roster *roster = &lost->engine->roster;

	for (size_t i = 0; i < roster->order_count; i++) {
		struct module *module = roster->order[i];

		if (module->class->lost && !module->disabled && roster_depends(module, lost))
			module->class->lost(module, lost);
	}
}

/* Disables a module, with the reason it gave. */
static void disable(struct module *module, const struct error *why, const char *otherwise)
{
	module->disabled = true;
	free(module->reason);
	module->reason = xstrdup(why->text.length ? error_text(why) : otherwise);
	notify_dependents(module);
}

void engine_disable(struct module *module, const char *reason)
{
	struct error why = ERROR_INIT;

	if (module->disabled)
		return;
	error_set(&why, "%s", reason);
	disable(module, &why, "");
	add_note(module->engine, module);
	error_release(&why);
}

/* Handles the result of a module's call. Returns 0 to continue, -1 to end the operation. */
static int handle_status(struct module *module, enum module_status status, const struct error *why,
		       struct error *err)
{
	switch (status) {
	case MODULE_OK:
		return 0;
	case MODULE_DISABLE:
		disable(module, why, "it has nothing to do here");
		return 0;
	case MODULE_END_OF_DATA:
		module->drained = true;
		return 0;
	case MODULE_ERROR:
		disable(module, why, "it failed without giving a reason");
		add_note(module->engine, module);
		return 0;
	case MODULE_FATAL:
		break;
	}
	disable(module, why, "it failed without giving a reason");
	if (why->text.length)
		return error_set(err, "%s", module->reason);
	return error_set(err, "module %s: %s", module->class->name, module->reason);
}

/* Calls one module at one point if its class requests it. */
static int call_module(struct module *module, enum sync_point point, struct snapshot *snapshot,
		       struct error *err)
{
	struct error why = ERROR_INIT;
	int answer;

	if (!module->up || module->disabled || module->drained || !module->class->call ||
	    !(module->class->sync_points & 1U << point))
		return 0;
	answer = handle_status(module, module->class->call(module, point, snapshot, &why), &why, err);
	error_release(&why);
	return answer;
}

/* Calls all modules of a group; with to_all also those after a module that failed fatally. */
static int call_group(struct engine *engine, enum module_group group, enum sync_point point,
		      struct snapshot *snapshot, bool to_all, struct error *err)
{
	struct error later = ERROR_INIT;
	int result = 0;

	for (size_t i = 0; i < engine->roster.order_count && (result == 0 || to_all); i++) {
		struct module *module = engine->roster.order[i];

		if (roster_group(module) == group &&
		    call_module(module, point, snapshot, result < 0 ? &later : err) < 0)
			result = -1;
	}
	error_release(&later);
	return result;
}

/* Calls all modules at one point, group after group. */
static int call_point(struct engine *engine, enum sync_point point, struct snapshot *snapshot,
		      bool to_all, struct error *err)
{
	struct error later = ERROR_INIT;
	int result = 0;

	for (enum module_group group = GROUP_SUPPORTER;
	     group <= GROUP_MONITOR && (result == 0 || to_all); group++) {
		if (group == GROUP_CONSUMER && snapshot)
			flush_notes(engine, snapshot);
		if (group == GROUP_CONSUMER && point == SYNC_SNAPSHOT_END)
			engine->kept = false;
		if (call_group(engine, group, point, snapshot, to_all, result < 0 ? &later : err) <
		    0)
			result = -1;
	}
	error_release(&later);
	return result;
}

/* Adds a clock record if there is none yet or a clock was set. */
static void add_clock(struct engine *engine, struct snapshot *snapshot)
{
	uint64_t offset = snapshot->wall - snapshot->time;

	if (engine->clock_offset && !clock_offset_moved(offset, engine->clock_offset))
		return;
	engine->clock_offset = offset;
	recordset_add(snapshot_set(snapshot, RECORD_CLOCK),
		      &(struct record_clock){ snapshot->time, snapshot->wall });
}

struct snapshot *engine_new_current(struct engine *engine)
{
	if (engine->current->snapshot.sequence) {
		if (engine->has_previous)
			engine->previous->in_use = false;
		engine->has_previous = true;
		engine->previous = engine->current;
		engine->current = spare_snapshot(engine);
		snapshot_clear(&engine->current->snapshot);
	}
	return &engine->current->snapshot;
}

/* Begins the snapshot of the next tick; it is empty unless the last one was not consumed. */
static struct snapshot *begin_snapshot(struct engine *engine)
{
	struct snapshot *snapshot = &engine->current->snapshot;

	if (!engine->kept)
		snapshot = engine_new_current(engine);
	snapshot->sequence = engine->sequence + 1;
	engine->kept = true;
	if (engine->operation == OPERATION_EXTRACTION) {
		/* The extractor sets the times; after the end of the data they do not change. */
		snapshot->time = engine->has_previous ? engine_previous(engine)->time : 0;
		snapshot->wall = engine->has_previous ? engine_previous(engine)->wall : 0;
		return snapshot;
	}
	snapshot->time = clock_monotonic_ns();
	snapshot->wall = clock_wall_ns();
	add_clock(engine, snapshot);
	/* As a reader will compute it: live and stored data have the same times. */
	snapshot->wall = snapshot->time + engine->clock_offset;
	return snapshot;
}

/* Returns whether an extraction has reached the end of its data. */
static bool is_drained(const struct engine *engine)
{
	bool drained = false;

	for (size_t i = 0; i < engine->roster.order_count; i++) {
		const struct module *module = engine->roster.order[i];

		if (!(module->capabilities & MODULE_EXTRACTOR) || module->disabled)
			continue;
		if (!module->drained)
			return false;
		drained = true;
	}
	return drained || engine->operation == OPERATION_EXTRACTION;
}

/* Passes one snapshot through both of its points. */
static int process_snapshot(struct engine *engine, struct snapshot *snapshot, struct error *err)
{
	struct error later = ERROR_INIT;
	bool to_all = snapshot->last;
	int result = call_point(engine, SYNC_SNAPSHOT, snapshot, to_all, err);

	if (engine->operation == OPERATION_EXTRACTION && is_drained(engine))
		snapshot->last = true;
	if (result == 0)
		result = call_point(engine, SYNC_SNAPSHOT_END, snapshot, to_all, err);
	else if (to_all)
		call_point(engine, SYNC_SNAPSHOT_END, snapshot, to_all, &later);
	/* Records added before a failure still reach the consumers, with the last snapshot. */
	if (!engine->kept)
		engine->sequence = snapshot->sequence;
	engine->processed_last = engine->processed_last || (snapshot->last && !engine->kept);
	error_release(&later);
	return result;
}

/* Initializes one module; one that fails is not up. */
static int bring_up(struct module *module, struct error *err)
{
	struct error why = ERROR_INIT;
	enum module_status status = MODULE_OK;
	int answer;

	if (module->disabled)
		return 0;
	if (module->class->init)
		status = module->class->init(module, &why);
	answer = handle_status(module, status, &why, err);
	module->up = answer == 0 && !module->disabled;
	error_release(&why);
	return answer;
}

/* Ends all modules that are up, in reverse order. */
static void end_modules(struct engine *engine)
{
	for (size_t i = engine->roster.order_count; i-- > 0;) {
		struct module *module = engine->roster.order[i];

		if (module->up && module->class->end)
			module->class->end(module);
		module->up = false;
	}
	engine->state = ENGINE_ENDED;
}

/* Begins an operation. */
static int start(struct engine *engine, enum operation operation, struct error *err)
{
	RETURN_IF(engine_prepare(engine, operation, err) < 0, -1);
	engine->state = ENGINE_RUNNING;
	for (size_t i = 0; i < engine->roster.order_count; i++) {
		if (bring_up(engine->roster.order[i], err) < 0) {
			end_modules(engine);
			return -1;
		}
	}
	engine->last_tick = clock_monotonic_ns();
	if (call_point(engine, SYNC_PRE_BASELINE, NULL, false, err) < 0) {
		end_modules(engine);
		return -1;
	}
	return 0;
}

int engine_start(struct engine *engine, struct error *err)
{
	return start(engine, OPERATION_COLLECTION, err);
}

int engine_start_extraction(struct engine *engine, struct error *err)
{
	return start(engine, OPERATION_EXTRACTION, err);
}

int engine_snapshot(struct engine *engine, struct error *err)
{
	struct snapshot *snapshot = begin_snapshot(engine);

	assert(engine->state == ENGINE_RUNNING && !engine->processed_last);
	RETURN_IF(process_snapshot(engine, snapshot, err) < 0, -1);
	return snapshot->last ? 1 : 0;
}

int engine_serve(struct engine *engine, int timeout_ms, struct error *err)
{
	struct module *timer = find_timer(engine);
	uint64_t now = clock_monotonic_ns();
	uint64_t wait = (uint64_t)timeout_ms * NSEC_PER_MSEC;
	uint64_t due = timer ? timer->class->due(timer, engine->last_tick, now) : TIMER_NEVER;

	if (due == TIMER_NEVER) {
		engine->halted = true;
		return engine_wait(engine, 0, err);
	}
	if (due <= now)
		wait = 0;
	else if (due - now < wait)
		wait = due - now;
	RETURN_IF(watches_wait(&engine->watches, wait, err) < 0, -1);
	now = clock_monotonic_ns();
	if (now < due)
		return 0;
	engine->last_tick = now;
	return engine_snapshot(engine, err) < 0 ? -1 : 1;
}

/*
 * Makes the last snapshot and passes it to every module, so that the failure of
 * one loses no data of the others.
 */
static int process_last(struct engine *engine, struct error *err)
{
	struct snapshot *snapshot = begin_snapshot(engine);

	snapshot->last = true;
	/* An extraction that ends early reads no further. */
	for (size_t i = 0; i < engine->roster.order_count; i++)
		if (engine->roster.order[i]->capabilities & MODULE_EXTRACTOR)
			engine->roster.order[i]->drained = true;
	return process_snapshot(engine, snapshot, err);
}

int engine_last_snapshot(struct engine *engine, struct error *err)
{
	return engine->processed_last ? 0 : process_last(engine, err);
}

int engine_finish(struct engine *engine, struct error *err)
{
	struct error later = ERROR_INIT;
	int result = 0;

	if (engine->state != ENGINE_RUNNING)
		return 0;
	result = engine_last_snapshot(engine, err);
	if (call_point(engine, SYNC_COLLECTION_END, NULL, true, result < 0 ? &later : err) < 0)
		result = -1;
	end_modules(engine);
	error_release(&later);
	return result;
}

int engine_collect(struct engine *engine, struct error *err)
{
	int answer = engine_start(engine, err);

	RETURN_IF(answer < 0, -1);
	while (answer >= 0 && !engine->halted)
		answer = engine_serve(engine, INT_MAX, err);
	if (engine_finish(engine, answer < 0 ? NULL : err) < 0)
		answer = -1;
	return answer < 0 ? -1 : 0;
}

int engine_extract_next(struct engine *engine, struct error *err)
{
	int served;

	if (!find_timer(engine))
		return engine_snapshot(engine, err);
	served = engine_serve(engine, INT_MAX, err);
	return served < 0 ? -1 : engine->processed_last;
}

int engine_extract(struct engine *engine, struct error *err)
{
	int answer = engine_start_extraction(engine, err);

	RETURN_IF(answer < 0, -1);
	while (answer == 0 && !engine->halted)
		answer = engine_extract_next(engine, err);
	if (engine_finish(engine, answer < 0 ? NULL : err) < 0)
		answer = -1;
	return answer < 0 ? -1 : 0;
}

/* Formats a text and interns it. Returns its string number. */
static uint64_t format_string(struct engine *engine, const char *format, va_list ap)
{
	struct strbuf text = STRBUF_INIT;
	uint64_t string;

	strbuf_vaddf(&text, format, ap);
	string = engine_string(engine, text.text);
	strbuf_release(&text);
	return string;
}

void snapshot_attribute(struct snapshot *snapshot, struct engine *engine, const char *key,
			const char *format, ...)
{
	struct record_attribute row = { .key = engine_string(engine, key) };
	va_list ap;

	va_start(ap, format);
	row.value = format_string(engine, format, ap);
	va_end(ap);
	recordset_add(snapshot_set(snapshot, RECORD_ATTRIBUTE), &row);
}

void snapshot_note(struct snapshot *snapshot, struct engine *engine, enum severity severity,
		   unsigned number, const char *format, ...)
{
	struct record_note row = { .severity = severity, .number = number };
	va_list ap;

	va_start(ap, format);
	row.text = format_string(engine, format, ap);
	va_end(ap);
	recordset_add(snapshot_set(snapshot, RECORD_NOTE), &row);
}
