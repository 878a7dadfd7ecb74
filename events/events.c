/* SPDX-License-Identifier: Apache-2.0 */
/* Collects events in a session. */
#include "common/compat.h"
#include "events/events.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "events/decoder.h"
#include "events/objects.h"
#include "events/settle.h"
#include "events/task-rows.h"
#include "records/record-types.h"

#include <poll.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* ns between emptyings of the pool. */
#define DRAIN_EVERY (5 * NSEC_PER_MSEC)
/* Approximate maximum number of rows kept between snapshots: they fit a processor's cache. */
#define MANY_ROWS 8192
/* The same for slots of runs, which take a few bytes each. */
#define MANY_SLOTS 65536

struct events {
	const struct event_request *request;
	struct event_pool pool;
	struct event_objects objects;
	struct patch_plan patches;
	struct event_sites sites;
	struct event_decoder decoder;
	struct transaction_history history;
	struct event_filter filter;
	struct step *step; /* of the session; NULL before one */
	uint64_t drained;  /* ns: everything written until then was read, except from new lanes */
	uint64_t led;	   /* ns: up to where events advance the transactions */
	struct engine *engine;
	int timer; /* -1: none */
	struct event_subject subject;
	bool up; /* sites and decoder are initialized */
	uint64_t kept, pauses;
	bool has_late; /* the last snapshot has left rows for the next one */
};

/* Returns whether no module of the session needs a row of each event. */
static bool may_be_compact(const struct event_request *request)
{
	return !request->interval && !request->online && !request->trace && !request->coverage;
}

/* Types of the events of a function, which a thread tallies together. */
#define FUNCTION_TYPES (UINT64_C(1) << EVENT_PS | UINT64_C(1) << EVENT_PT | UINT64_C(1) << EVENT_PR)

/* Returns whether threads may add up functions by themselves: no single event decides anything. */
static bool may_be_tallied(const struct event_request *request)
{
	if (request->types && (request->types & FUNCTION_TYPES) != FUNCTION_TYPES)
		return false;
	return request->consolidate && may_be_compact(request) && !request->program_count &&
	       !request->count_from && !request->count_to && !request->time_from && !request->time_to;
}

struct events *events_new(const struct event_request *request, struct error *err)
{
	struct events *events = xcalloc(1, sizeof(*events));

	events->request = request;
	events->timer = -1;
	transaction_history_init(&events->history, NULL, NULL);
	event_objects_init(&events->objects, &events->pool);
	patch_plan_init(&events->patches, request);
	if (event_pool_init(&events->pool, request->pool_kb ? request->pool_kb : EVENT_POOL_DEFAULT,
			    may_be_tallied(request), err) < 0) {
		events_free(events);
		return NULL;
	}
	event_filter_share(request, events->pool.area);
	/* Coverage patches the same instructions. */
	if (events->pool.area->functions && !request->coverage)
		event_objects_plan(&events->objects, EVENT_PLAN_FUNCTIONS, patch_plan_object,
				   &events->patches);
	if (event_objects_open(&events->objects, err) < 0) {
		events_free(events);
		return NULL;
	}
	events_pause(events, !request->started);
	return events;
}

static void stop(struct events *events)
{
	if (events->timer < 0)
		return;
	event_objects_stop(&events->objects);
	engine_unwatch(events->engine, events->timer);
	close(events->timer);
	events->timer = -1;
}

void events_free(struct events *events)
{
	if (!events)
		return;
	stop(events);
	if (events->up) {
		event_decoder_release(&events->decoder);
		event_filter_release(&events->filter);
		event_sites_release(&events->sites);
	}
	transaction_history_release(&events->history);
	event_objects_release(&events->objects);
	patch_plan_release(&events->patches);
	event_pool_release(&events->pool);
	free(events);
}

const char *events_path(const struct events *events)
{
	return events->pool.path;
}

void events_follow(struct events *events, const struct event_subject *subject)
{
	events->subject = *subject;
}

void events_pause(struct events *events, bool pause)
{
	__atomic_store_n(&events->pool.area->state, pause ? EVENT_STATE_PAUSED : EVENT_STATE_ACTIVE,
			 __ATOMIC_SEQ_CST);
	event_area_set_gate(events->pool.area);
}

bool events_snapshot_is_due(const struct events *events)
{
	const struct event_decoder *decoder = &events->decoder;

	return events->up && (decoder->rows.count + decoder->late.count >= MANY_ROWS ||
			      decoder->run_slots >= MANY_SLOTS || events->has_late);
}

/* Returns whether a process has a thread that has not ended. */
static bool is_alive(pid_t pid)
{
	return pid > 0 && procfs_living(pid) > 0;
}

bool events_alive(const struct events *events)
{
	if (is_alive(events->subject.root))
		return true;
	for (size_t i = 0; events->up && i < events->decoder.process_count; i++)
		if (!events->decoder.processes[i]->end &&
		    is_alive(events->decoder.processes[i]->pid))
			return true;
	return false;
}

void events_counts(const struct events *events, struct events_counts *counts)
{
	*counts = (struct events_counts){ .kept = events->kept };
	if (!events->up)
		return;
	counts->offered = events->decoder.offered;
	counts->tasks = events->decoder.task_count;
	counts->processes = events->decoder.process_count;
}

/*
 * Takes everything written until now. Begins and ends are also written while
 * collecting is paused, so it stops after twice the pool's size.
 */
static void take_all(struct events *events)
{
	uint64_t until = events->pool.statistics.read + 2 * events->pool.statistics.size;

	while (event_pool_drain(&events->pool, false, event_decoder_take, &events->decoder) &&
	       events->pool.statistics.read < until)
		;
}

/*
 * Leads the transactions, up to where everything was read, so that a thread has
 * ended before its number names another's transaction. If events arrive faster
 * than they are read, changes take precedence: they are taken up to now.
 */
static void advance_transactions(struct events *events, uint64_t now, bool last)
{
	struct transactions *led = events->decoder.led;

	if (led && last)
		transactions_last(led);
	if (last || (led && transactions_are_late(led)))
		events->drained = now;
	events->led = events->drained;
	if (led)
		transactions_advance(led, events->led, NULL);
	if (!events->pool.more)
		events->drained = now;
}

static void drain(struct events *events, bool last)
{
	struct transaction_history *history = &events->history;
	uint64_t now = clock_monotonic_ns();

	if (last)
		transaction_history_last(history);
	transaction_history_advance(history, now);
	if (event_filter_over(&events->filter, events->pool.area, now)) {
		take_all(events);
		event_decoder_pause(&events->decoder, clock_monotonic_ns());
	}
	event_pool_drain(&events->pool, last, event_decoder_take, &events->decoder);
	advance_transactions(events, now, last);
	/* Includes pauses read along with the events. */
	for (size_t i = 0; i < history->pause_count; i++, events->pauses++)
		event_decoder_session(&events->decoder, EVENT_MP, history->pauses[i]);
	history->pause_count = 0;
}

const uint64_t *events_started(const struct events *events)
{
	return &events->history.started;
}

void events_settle(struct events *events)
{
	if (!events->up)
		return;
	events->pool.looked = 0; /* threads that have ended are reported now */
	take_all(events);
	event_decoder_settle(&events->decoder);
}

/* Empties the pool in from ns, and periodically after that. */
static int set_timer(const struct events *events, uint64_t from)
{
	const struct itimerspec every = { { 0, DRAIN_EVERY }, { 0, (long)from } };

	return timerfd_settime(events->timer, 0, &every, NULL);
}

bool events_take(struct events *events)
{
	if (!events->up)
		return false;
	do
		drain(events, false);
	while (events->pool.more && !events_snapshot_is_due(events));
	return events_snapshot_is_due(events);
}

bool events_end(struct events *events)
{
	if (events_take(events))
		return true;
	/* The last snapshot has rows only: the end of a task or of the session follows its runs. */
	events->decoder.compact = false;
	return events->decoder.running_count != 0;
}

/* Empties the pool; what is left is read next time. */
static void on_timer(void *argument, int fd, short revents UNUSED)
{
	struct events *events = argument;
	uint64_t times;

	if (read(fd, &times, sizeof(times)) != (ssize_t)sizeof(times))
		return;
	events_take(events);
	if (events->pool.more)
		set_timer(events, 1);
}

/* A thread has written the first events that filters may block. */
static void on_bell(void *argument)
{
	struct events *events = argument;

	events_take(events);
	if (events->pool.more)
		set_timer(events, 1);
}

static enum module_status events_init(struct module *module, struct error *err)
{
	struct events *events = module->context;

	events->engine = module->engine;
	events->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (events->timer < 0 || set_timer(events, DRAIN_EVERY) < 0) {
		error_errno(err, "cannot create a timer");
		return MODULE_FATAL;
	}
	event_sites_init(&events->sites, &events->pool, module->engine);
	event_decoder_init(&events->decoder, &events->pool, &events->sites, &events->history,
			   &events->filter, module->engine);
	events->decoder.led = events->subject.sampled ? NULL : events->step->transactions;
	events->patches.sites = &events->sites;
	events->decoder.patches = &events->patches;
	events->decoder.compact = may_be_compact(events->request);
	events->decoder.bare = events->request->consolidate;
	events->decoder.library.shapes = events->request->shapes;
	event_filter_init(&events->filter, events->request, &events->sites);
	event_filter_begin(&events->filter, &events->pool, clock_monotonic_ns());
	events->up = true;
	event_objects_watch(&events->objects, module->engine, &events->sites.objects, on_bell, events);
	engine_watch(module->engine, events->timer, POLLIN, on_timer, events);
	event_decoder_session(&events->decoder, EVENT_SI, clock_monotonic_ns());
	return MODULE_OK;
}

/* A source of events. */
struct seen_source {
	bool seen;
	const char *name;
};

/* Appends the names of the sources that made events. */
static void name_sources(const struct seen_source *sources, size_t count, struct strbuf *names)
{
	for (size_t i = 0; i < count; i++)
		if (sources[i].seen)
			strbuf_addf(names, "%s%s", names->length ? ", " : "", sources[i].name);
}

/* Appends the names of sources within programs, and of all including the system's. */
static void name_all_sources(const struct event_decoder *decoder, struct strbuf *programs,
			     struct strbuf *all)
{
	const struct library_events *library = &decoder->library;
	const struct seen_source within[] = { { decoder->cobol, "COBOL" },
					 { decoder->functions, "functions" },
					 { decoder->patched, "patched functions" },
					 { decoder->python, "Python" },
					 { decoder->user, "user" },
					 { library->database, "database" },
					 { library->calls, "calls" } };
	const struct seen_source system[] = { { library->spawns, "spawn" },
					 { library->signals, "signals" } };

	name_sources(within, ARRAY_SIZE(within), programs);
	strbuf_addstr(all, programs->text);
	name_sources(system, ARRAY_SIZE(system), all);
}

#define NUMBER(key, value) snapshot_attribute(snapshot, engine, key, "%" PRIu64, value)

static void add_attributes(struct events *events, struct snapshot *snapshot)
{
	struct engine *engine = events->engine;
	struct event_pool_statistics pool;
	struct strbuf programs = STRBUF_INIT, sources = STRBUF_INIT, filters = STRBUF_INIT;

	event_pool_statistics(&events->pool, &pool);
	name_all_sources(&events->decoder, &programs, &sources);
	event_request_format(events->request, &filters);
	if (snapshot->last)
		event_silence_note(&events->subject, events->request,
				   events->decoder.process_count, programs.text, engine,
				   snapshot);
	NUMBER(ATTR_EVENTS, events->kept);
	NUMBER(ATTR_EVENTS_OFFERED, events->decoder.offered);
	NUMBER(ATTR_EVENTS_FILTERED, events->filter.rejected);
	NUMBER(ATTR_EVENTS_STATEMENTS, pool.counted);
	NUMBER(ATTR_EVENTS_OWN_CPU, events->decoder.own);
	NUMBER(ATTR_EVENTS_PAUSES, events->pauses);
	snapshot_attribute(snapshot, engine, ATTR_EVENTS_SOURCES, "%s", sources.text);
	snapshot_attribute(snapshot, engine, ATTR_EVENTS_FILTERS, "%s", filters.text);
	NUMBER(ATTR_EVENTS_INTERVAL, events->request->interval);
	NUMBER(ATTR_POOL_SIZE, pool.size);
	NUMBER(ATTR_POOL_FULL, pool.full);
	NUMBER(ATTR_POOL_FULL_TIME, pool.full_time);
	NUMBER(ATTR_POOL_EMPTY_AFTER_FULL, pool.empty_after_full);
	NUMBER(ATTR_POOL_MAX, pool.most);
	NUMBER(ATTR_POOL_READ, pool.read);
	strbuf_release(&programs);
	strbuf_release(&sources);
	strbuf_release(&filters);
}

/*
 * Notes which Python events are missing because a program took over the functions
 * that report them, and that names are missing.
 */
static void add_notes(struct events *events, struct snapshot *snapshot)
{
	uint64_t lost = __atomic_load_n(&events->pool.area->python, __ATOMIC_RELAXED);
	uint64_t nameless = __atomic_load_n(&events->pool.area->names_lost, __ATOMIC_RELAXED);

	if (nameless)
		snapshot_note(snapshot, events->engine, SEVERITY_WARNING, 3183,
			      "names of events found no room %" PRIu64 " times: the names are "
			      "shown as ?",
			      nameless);
	if (snapshot->last && events->pool.holes)
		snapshot_note(snapshot, events->engine, SEVERITY_WARNING, 3184,
			      "up to %" PRIu64 " events are missing: threads began to write them "
			      "but did not finish, for example because they were killed",
			      events->pool.holes);
	if (lost & EVENT_PYTHON_FUNCTIONS_LOST)
		snapshot_note(snapshot, events->engine, SEVERITY_WARNING, 3160,
			      "a Python program profiled and traced itself: its functions are not "
			      "recorded from then on");
	else if (lost & EVENT_PYTHON_LINES_LOST)
		snapshot_note(snapshot, events->engine, SEVERITY_WARNING, 3161,
			      "a Python program traced itself: its lines are not recorded from "
			      "then on");
}

/* Notes which patterns of CALLS matched nothing, and which functions were left alone. */
static void note_calls(const struct events *events, struct snapshot *snapshot)
{
	const struct event_area *area = events->pool.area;

	for (uint64_t i = 0; i < events->request->call_count && i < EVENT_CALLS; i++) {
		const struct event_call_pattern *pattern = &events->request->calls[i];

		if (!__atomic_load_n(&area->calls[i].found, __ATOMIC_RELAXED))
			snapshot_note(snapshot, events->engine, SEVERITY_WARNING, 3150,
				      "CALLS=%s%s%s matches no function that the step's programs "
				      "import from another library",
				      pattern->library, *pattern->library ? "!" : "",
				      pattern->function);
	}
	if (area->calls_left)
		snapshot_note(snapshot, events->engine, SEVERITY_WARNING, 3151,
			      "CALLS selects more functions than a process can have: calls of "
			      "%" PRIu64 " functions are not recorded",
			      area->calls_left);
}

/* Returns the id of a task that a row names by its number. */
static uint64_t named(const struct events *events, uint64_t task)
{
	return task & EVENT_TASK_NUMBER ? events->decoder.tasks[(task & ~EVENT_TASK_NUMBER) - 1]->id
					: task;
}

/* Sets the ids of the tasks of rows and runs. */
static void name_rows(struct events *events)
{
	struct event_decoder *decoder = &events->decoder;
	struct record_event *rows = (struct record_event *)(void *)decoder->rows.rows;
	struct record_event *late = (struct record_event *)(void *)decoder->late.rows;

	if (!decoder->unnamed)
		return;
	for (size_t i = 0; i < decoder->rows.count; i++)
		rows[i].task = named(events, rows[i].task);
	for (size_t i = 0; i < decoder->late.count; i++)
		late[i].task = named(events, late[i].task);
	for (size_t i = 0; i < decoder->runs.count; i++) {
		struct record_event_run *run = recordset_at(&decoder->runs, i);

		run->task = named(events, run->task);
	}
	decoder->unnamed = false;
}

/* Moves the records of one set into another. */
static void move(struct recordset *to, struct recordset *from)
{
	if (to->count)
		recordset_append(to, from);
	else
		recordset_swap(to, from);
	recordset_clear(from);
}

/* Replaces runs that are left for the last snapshot by rows, since the late rows follow them. */
static void expand_runs(struct event_decoder *decoder)
{
	for (size_t i = 0; i < decoder->runs.count; i++)
		event_run_expand(&decoder->runs, i, &decoder->rows);
	if (!decoder->bare)
		recordset_clear(&decoder->runs);
	recordset_append(&decoder->rows, &decoder->late);
	recordset_clear(&decoder->late);
}

/* Moves the rows and runs that are ready into a snapshot. */
static void add_rows(struct events *events, struct snapshot *snapshot)
{
	struct event_decoder *decoder = &events->decoder;

	event_settle_finish_runs(decoder);
	if (snapshot->last)
		expand_runs(decoder);
	name_rows(events);
	events->kept += decoder->rows.count;
	for (size_t i = 0; i < decoder->runs.count; i++)
		events->kept += ((const struct record_event_run *)recordset_get(&decoder->runs, i))->count;
	move(snapshot_set(snapshot, RECORD_EVENT), &decoder->rows);
	if (decoder->runs.count)
		move(snapshot_set(snapshot, RECORD_EVENT_RUN), &decoder->runs);
	events->has_late = decoder->late.count != 0;
	event_settle_begin_snapshot(decoder);
	recordset_append(snapshot_set(snapshot, RECORD_EVENT_SITE), &events->sites.rows);
	recordset_clear(&events->sites.rows);
}

static bool is_thread_there(pid_t tid)
{
	return is_alive(tid);
}

/* Adds rows of transactions: all if no sampler does, else those that the sampler has not reached. */
static void add_transactions(struct events *events, struct snapshot *snapshot)
{
	struct transactions *transactions = events->step->transactions;
	struct recordset *set = snapshot_set(snapshot, RECORD_TRANSACTION);

	if (!events->decoder.led) {
		transactions_wanted_rows(transactions, events->engine, set);
		return;
	}
	/*
	 * Threads whose end was noticed are done; the end of threads that wrote no event
	 * is not reported otherwise.
	 */
	transactions_advance(transactions, events->led, NULL);
	transactions_end_gone(transactions, is_thread_there, clock_monotonic_ns());
	transactions_rows(transactions, events->engine, events->led, set);
	if (snapshot->last)
		transactions_notes(transactions, events->engine, snapshot);
}

static enum module_status events_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err UNUSED)
{
	struct events *events = module->context;

	if (snapshot->last || !events_snapshot_is_due(events))
		drain(events, snapshot->last);
	if (snapshot->last) {
		stop(events);
		note_calls(events, snapshot);
		event_decoder_settle(&events->decoder);
		event_decoder_session(&events->decoder, EVENT_ST, clock_monotonic_ns());
		event_sites_count(&events->sites);
		add_notes(events, snapshot);
		transaction_history_notes(&events->history, events->engine, snapshot);
		patch_plan_notes(&events->patches, events->objects.table, events->engine, snapshot);
	}
	event_settle_quiet(&events->decoder, clock_monotonic_ns());
	task_rows_make(&events->step->tasks, &events->decoder, snapshot);
	add_transactions(events, snapshot);
	add_rows(events, snapshot);
	add_attributes(events, snapshot);
	return MODULE_OK;
}

static void end_module(struct module *module)
{
	stop(module->context);
}

static const struct module_class events_class = {
	.name = "EVENTS",
	.summary = "events reported by the step's programs: programs, statements, functions, user "
		   "events",
	.capabilities = MODULE_PRODUCER,
	.sync_points = 1u << SYNC_SNAPSHOT,
	.produces =
		(const struct record_type *const[]){
			&record_types[RECORD_EVENT], &record_types[RECORD_EVENT_RUN],
			&record_types[RECORD_EVENT_SITE],
			&record_types[RECORD_TASK], &record_types[RECORD_PROCESS],
			&record_types[RECORD_TRANSACTION], &record_types[RECORD_ATTRIBUTE],
			&record_types[RECORD_NOTE], NULL },
	/* The sampler, if there is one, assigns the ids of tasks. */
	.after = (const char *const[]){ "?PROCESS", "?TASK", "?TRANSACTION", NULL },
	.init = events_init,
	.call = events_call,
	.end = end_module,
};

int events_register(struct events *events, struct step *step, struct engine *engine,
		    struct error *err)
{
	events->step = step;
	step_tasks_keep(&step->tasks);
	transaction_history_release(&events->history);
	transaction_history_init(&events->history, step->changes, step->transactions);
	return engine_add(engine, &events_class, events, err) ? 0 : -1;
}
