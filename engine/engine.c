/* SPDX-License-Identifier: Apache-2.0 */
/* The engine: runs processor modules in order through a collection or an extraction. */
#include "common/compat.h"
#include "engine/engine.h"
#include "common/clock.h"
#include "common/idmap.h"
#include "common/xalloc.h"

#include <poll.h>

/* Who is interested in a watched descriptor. */
struct watch {
	engine_ready ready;
	void *argument;
	uint64_t number; /* tells this watch from a later one of the same descriptor */
};

/* A descriptor that poll found ready. */
struct ready {
	int fd;
	short revents;
	uint64_t number;
};

/* A module and what only the engine knows of it. */
struct entry {
	struct module module; /* first, so that a module leads to its entry */
	bool up;	      /* init was passed and end not yet */
};

enum engine_state { ENGINE_NEW, ENGINE_RUNNING, ENGINE_ENDED };

struct engine {
	struct strmap strings;
	struct module **added; /* in the order of engine_add; owned */
	struct module **order; /* in calling order */
	size_t count, alloc;
	enum engine_state state;
	struct snapshot snapshot;
	uint64_t sequence; /* of the last snapshot */
	bool kept;	   /* the snapshot holds rows that no consumer has seen */
	char **notes;	   /* on modules switched off, for the next snapshot; owned */
	size_t note_count, note_alloc;

	struct pollfd *polls; /* what is watched, parallel to watches */
	struct watch *watches;
	size_t poll_count, poll_alloc, watch_alloc;
	struct idmap places; /* descriptor to its place in polls */
	uint64_t watch_number;
	struct ready *ready; /* scratch of engine_wait */
	size_t ready_alloc;
};

/* The groups in which modules are called. */
enum group { GROUP_SUPPORTER, GROUP_PRODUCER, GROUP_FILTER, GROUP_CONSUMER, GROUP_MONITOR };

/* The group of a class: the first that one of its capabilities belongs to. */
static enum group group_of(const struct module_class *class)
{
	unsigned capabilities = class->capabilities;

	if (capabilities & (MODULE_SUPPORTER | MODULE_TIMER | MODULE_GROUPER))
		return GROUP_SUPPORTER;
	if (capabilities & (MODULE_PRODUCER | MODULE_EXTRACTOR))
		return GROUP_PRODUCER;
	if (capabilities & MODULE_FILTER)
		return GROUP_FILTER;
	return capabilities & MODULE_CONSUMER ? GROUP_CONSUMER : GROUP_MONITOR;
}

struct engine *engine_new(void)
{
	struct engine *engine = xcalloc(1, sizeof(*engine));

	strmap_init(&engine->strings);
	idmap_init(&engine->places);
	for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
		recordset_init(&engine->snapshot.sets[id], &record_types[id]);
	return engine;
}

void engine_free(struct engine *engine)
{
	if (!engine)
		return;
	engine_finish(engine, NULL);
	for (size_t i = 0; i < engine->count; i++) {
		free(engine->added[i]->reason);
		free(engine->added[i]);
	}
	for (size_t i = 0; i < engine->note_count; i++)
		free(engine->notes[i]);
	for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
		recordset_release(&engine->snapshot.sets[id]);
	free(engine->added);
	free(engine->order);
	free(engine->notes);
	free(engine->polls);
	free(engine->watches);
	free(engine->ready);
	idmap_release(&engine->places);
	strmap_release(&engine->strings);
	free(engine);
}

struct strmap *engine_strings(struct engine *engine)
{
	return &engine->strings;
}

uint64_t engine_string(struct engine *engine, const char *text)
{
	return strmap_put(&engine->strings, text);
}

/* Whether module may only be called once other has been. */
static bool runs_after(const struct module *module, const struct module *other)
{
	const char *const *name = module->class->after;

	if (!name || group_of(module->class) != group_of(other->class))
		return false;
	while (*name && strcmp(*name, other->class->name) != 0)
		name++;
	return *name != NULL;
}

/* Whether module waits for one that is still to be placed. */
static bool is_held_up(const struct engine *engine, const bool *placed, const struct module *module)
{
	for (size_t i = 0; i < engine->count; i++)
		if (!placed[i] && runs_after(module, engine->added[i]))
			return true;
	return false;
}

/* The first module of a group, as added, that can be called next; engine->count when none can. */
static size_t next_in_group(const struct engine *engine, const bool *placed, enum group group)
{
	size_t i = 0;

	while (i < engine->count && (placed[i] || group_of(engine->added[i]->class) != group ||
				     is_held_up(engine, placed, engine->added[i])))
		i++;
	return i;
}

/* Put the modules into calling order; false when some wait for each other. */
static bool put_in_order(struct engine *engine)
{
	bool *placed = xcalloc(engine->count, sizeof(*placed));
	size_t done = 0;

	for (enum group group = GROUP_SUPPORTER; group <= GROUP_MONITOR; group++) {
		size_t next;

		while ((next = next_in_group(engine, placed, group)) < engine->count) {
			placed[next] = true;
			engine->order[done++] = engine->added[next];
		}
	}
	free(placed);
	return done == engine->count;
}

/* Whether a class may join the engine now. */
static int check_class(const struct engine *engine, const struct module_class *class,
		       struct error *err)
{
	size_t length = strlen(class->name);

	if (engine->state != ENGINE_NEW)
		return error_set(err, "module %s comes too late: the engine has started",
				 class->name);
	if (length == 0 || length > 31)
		return error_set(err, "module name \"%s\" does not have 1 to 31 characters",
				 class->name);
	for (size_t i = 0; i < engine->count; i++)
		if (strcmp(engine->added[i]->class->name, class->name) == 0)
			return error_set(err, "there is a module %s already", class->name);
	return 0;
}

struct module *engine_add(struct engine *engine, const struct module_class *class, void *context,
			  struct error *err)
{
	struct module *module;

	if (check_class(engine, class, err) < 0)
		return NULL;
	module = xcalloc(1, sizeof(struct entry));
	module->class = class;
	module->engine = engine;
	module->context = context;
	GROW(engine->added, engine->count + 1, engine->alloc);
	engine->order = xreallocarray(engine->order, engine->alloc, sizeof(*engine->order));
	engine->added[engine->count++] = module;
	if (!put_in_order(engine)) {
		engine->count--;
		put_in_order(engine);
		free(module);
		error_set(err, "module %s and another each want to be called after the other",
			  class->name);
		return NULL;
	}
	return module;
}

size_t engine_modules(const struct engine *engine, const struct module *const **modules)
{
	*modules = (const struct module *const *)engine->order;
	return engine->count;
}

/* The watch of fd, or NULL. */
static struct watch *find_watch(const struct engine *engine, int fd)
{
	uint64_t place;

	if (!idmap_get(&engine->places, (uint64_t)fd, &place))
		return NULL;
	return &engine->watches[place];
}

void engine_watch(struct engine *engine, int fd, short events, engine_ready ready, void *argument)
{
	struct watch watch = { ready, argument, ++engine->watch_number };
	uint64_t place = engine->poll_count;

	assert(fd >= 0);
	if (!idmap_get(&engine->places, (uint64_t)fd, &place)) {
		GROW(engine->polls, engine->poll_count + 1, engine->poll_alloc);
		GROW(engine->watches, engine->poll_count + 1, engine->watch_alloc);
		engine->poll_count++;
		idmap_put(&engine->places, (uint64_t)fd, place);
	}
	engine->polls[place] = (struct pollfd){ .fd = fd, .events = events };
	engine->watches[place] = watch;
}

void engine_unwatch(struct engine *engine, int fd)
{
	uint64_t place;
	size_t last = engine->poll_count - 1;

	if (!idmap_get(&engine->places, (uint64_t)fd, &place))
		return;
	idmap_remove(&engine->places, (uint64_t)fd);
	if (place != last) {
		engine->polls[place] = engine->polls[last];
		engine->watches[place] = engine->watches[last];
		idmap_put(&engine->places, (uint64_t)engine->polls[place].fd, place);
	}
	engine->poll_count--;
}

/* Copy what poll found ready, since serving it may change what is watched. */
static size_t gather_ready(struct engine *engine)
{
	size_t count = 0;

	GROW(engine->ready, engine->poll_count, engine->ready_alloc);
	for (size_t i = 0; i < engine->poll_count; i++)
		if (engine->polls[i].revents)
			engine->ready[count++] =
				(struct ready){ engine->polls[i].fd, engine->polls[i].revents,
						engine->watches[i].number };
	return count;
}

/* Call those who watch what is ready; a descriptor that is not open is told once. */
static void serve_ready(struct engine *engine, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct ready ready = engine->ready[i];
		const struct watch *watch = find_watch(engine, ready.fd);

		if (!watch || watch->number != ready.number)
			continue;
		watch->ready(watch->argument, ready.fd, ready.revents);
		watch = find_watch(engine, ready.fd);
		if ((ready.revents & POLLNVAL) && watch && watch->number == ready.number)
			engine_unwatch(engine, ready.fd);
	}
}

int engine_wait(struct engine *engine, int timeout_ms, struct error *err)
{
	int found = poll(engine->polls, engine->poll_count, timeout_ms);

	if (found < 0 && errno != EINTR)
		return error_errno(err, "waiting for the step failed");
	if (found > 0)
		serve_ready(engine, gather_ready(engine));
	return 0;
}

/* Keep a note for the next snapshot that reaches the consumers. */
static void add_note(struct engine *engine, const struct module *module)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "module %s was switched off: %s", module->class->name, module->reason);
	GROW(engine->notes, engine->note_count + 1, engine->note_alloc);
	engine->notes[engine->note_count++] = strbuf_detach(&text, NULL);
}

/* Move the notes into the snapshot. */
static void flush_notes(struct engine *engine)
{
	for (size_t i = 0; i < engine->note_count; i++) {
		snapshot_note(&engine->snapshot, engine, SEVERITY_WARNING, 4001, "%s",
			      engine->notes[i]);
		free(engine->notes[i]);
	}
	engine->note_count = 0;
}

/* Switch a module off, with the reason it gave. */
static void disable(struct module *module, const struct error *why, const char *otherwise)
{
	module->disabled = true;
	free(module->reason);
	module->reason = xstrdup(why->text.length ? error_text(why) : otherwise);
}

/* What a module's answer means for the engine: 0 go on, 1 the end of data, -1 the end. */
static int take_answer(struct module *module, enum module_status status, const struct error *why,
		       struct error *err)
{
	switch (status) {
	case MODULE_OK:
		return 0;
	case MODULE_DISABLE:
		disable(module, why, "it has nothing to do here");
		return 0;
	case MODULE_END_OF_DATA:
		return 1;
	case MODULE_ERROR:
		disable(module, why, "it failed without saying why");
		add_note(module->engine, module);
		return 0;
	case MODULE_FATAL:
		break;
	}
	disable(module, why, "it failed without saying why");
	if (why->text.length)
		return error_set(err, "%s", module->reason);
	return error_set(err, "module %s: %s", module->class->name, module->reason);
}

/* Call one module at one point if it wants to be. */
static int call_module(struct module *module, enum sync_point point, struct snapshot *snapshot,
		       struct error *err)
{
	struct error why = ERROR_INIT;
	int answer;

	if (module->disabled || !module->class->call || !(module->class->sync_points & 1U << point))
		return 0;
	answer = take_answer(module, module->class->call(module, point, snapshot, &why), &why, err);
	error_release(&why);
	return answer;
}

/* Call all modules at one point, in order; 1 and no further calls at the end of data. */
static int pass_point(struct engine *engine, enum sync_point point, struct snapshot *snapshot,
		      struct error *err)
{
	for (size_t i = 0; i < engine->count; i++) {
		struct module *module = engine->order[i];
		int answer;

		if (point == SYNC_SNAPSHOT && group_of(module->class) >= GROUP_CONSUMER) {
			flush_notes(engine);
			engine->kept = false;
		}
		answer = call_module(module, point, snapshot, err);
		if (answer != 0)
			return answer;
	}
	return 0;
}

/* Make the snapshot of the next tick; it is empty unless the last one was not consumed. */
static struct snapshot *begin_snapshot(struct engine *engine)
{
	if (!engine->kept)
		for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
			recordset_clear(&engine->snapshot.sets[id]);
	engine->snapshot.sequence = engine->sequence + 1;
	engine->snapshot.time = clock_monotonic_ns();
	return &engine->snapshot;
}

/* Bring one module up; one that fails stays down. */
static int bring_up(struct module *module, struct error *err)
{
	struct error why = ERROR_INIT;
	enum module_status status = MODULE_OK;
	int answer;

	if (module->class->init)
		status = module->class->init(module, &why);
	answer = take_answer(module, status, &why, err);
	((struct entry *)module)->up = answer == 0 && !module->disabled;
	error_release(&why);
	return answer;
}

/* End all modules that are up, in reverse order. */
static void end_modules(struct engine *engine)
{
	for (size_t i = engine->count; i-- > 0;) {
		struct module *module = engine->order[i];
		struct entry *entry = (struct entry *)module;

		if (entry->up && module->class->end)
			module->class->end(module);
		entry->up = false;
	}
	engine->state = ENGINE_ENDED;
}

int engine_start(struct engine *engine, struct error *err)
{
	assert(engine->state == ENGINE_NEW);
	engine->state = ENGINE_RUNNING;
	for (size_t i = 0; i < engine->count; i++) {
		if (bring_up(engine->order[i], err) < 0) {
			end_modules(engine);
			return -1;
		}
	}
	if (pass_point(engine, SYNC_PRE_BASELINE, NULL, err) < 0) {
		end_modules(engine);
		return -1;
	}
	return 0;
}

int engine_snapshot(struct engine *engine, struct error *err)
{
	struct snapshot *snapshot = begin_snapshot(engine);
	int answer;

	assert(engine->state == ENGINE_RUNNING);
	engine->kept = true;
	answer = pass_point(engine, SYNC_SNAPSHOT, snapshot, err);
	/* What was added before a failure or the end of data still reaches the consumers. */
	if (answer != 0)
		return answer;
	engine->kept = false;
	engine->sequence = snapshot->sequence;
	return pass_point(engine, SYNC_SNAPSHOT_END, snapshot, err) < 0 ? -1 : 0;
}

/*
 * Pass COLLECTION_END to every module, also when one fails there: what the
 * others have must still reach the consumers.
 */
static int pass_collection_end(struct engine *engine, struct error *err)
{
	struct snapshot *snapshot = begin_snapshot(engine);
	struct error later = ERROR_INIT;
	int result = 0;

	for (size_t i = 0; i < engine->count; i++) {
		struct module *module = engine->order[i];

		if (group_of(module->class) >= GROUP_CONSUMER)
			flush_notes(engine);
		if (call_module(module, SYNC_COLLECTION_END, snapshot, result < 0 ? &later : err) <
		    0)
			result = -1;
	}
	error_release(&later);
	return result;
}

int engine_finish(struct engine *engine, struct error *err)
{
	int result;

	if (engine->state != ENGINE_RUNNING)
		return 0;
	result = pass_collection_end(engine, err);
	end_modules(engine);
	return result;
}

int engine_extract(struct engine *engine, struct error *err)
{
	int answer = engine_start(engine, err);

	if (answer < 0)
		return -1;
	while (answer == 0)
		answer = engine_snapshot(engine, err);
	if (engine_finish(engine, answer < 0 ? NULL : err) < 0)
		answer = -1;
	return answer < 0 ? -1 : 0;
}

void snapshot_attribute(struct snapshot *snapshot, struct engine *engine, const char *key,
			const char *format, ...)
{
	struct record_attribute row = { .key = engine_string(engine, key) };
	struct strbuf value = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&value, format, ap);
	va_end(ap);
	row.value = engine_string(engine, value.text);
	recordset_add(&snapshot->sets[RECORD_ATTRIBUTE], &row);
	strbuf_release(&value);
}

void snapshot_note(struct snapshot *snapshot, struct engine *engine, enum severity severity,
		   unsigned number, const char *format, ...)
{
	struct record_note row = { .severity = severity, .number = number };
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	row.text = engine_string(engine, text.text);
	recordset_add(&snapshot->sets[RECORD_NOTE], &row);
	strbuf_release(&text);
}
