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
};

struct events *events_new(const struct event_request *request, struct error *err)
{
	struct events *events = xcalloc(1, sizeof(*events));

	events->request = request;
	events->timer = -1;
	transaction_history_init(&events->history, NULL, NULL);
	event_objects_init(&events->objects, &events->pool);
	patch_plan_init(&events->patches, request);
	if (event_pool_init(&events->pool, request->pool_kb ? request->pool_kb : EVENT_POOL_DEFAULT,
			    err) < 0) {
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
}

bool events_snapshot_is_due(const struct events *events)
{
	return events->up && events->decoder.rows.count >= MANY_ROWS;
}

/* Returns whether a process exists and is not a zombie. */
static bool is_alive(pid_t pid)
{
	char state = pid > 0 ? procfs_state(pid, pid) : '\0';

	return state && state != 'Z' && state != 'X';
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
	events->decoder.library.shapes = events->request->shapes;
	event_filter_init(&events->filter, events->request, &events->sites);
	event_filter_begin(&events->filter, &events->pool, clock_monotonic_ns());
	events->up = true;
	event_objects_watch(&events->objects, module->engine, &events->sites.objects);
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

/* Sets the ids of the rows' tasks. */
static void name_rows(const struct events *events, struct recordset *set, size_t first)
{
	struct record_event *rows = (struct record_event *)(void *)set->rows;

	for (size_t i = first; i < set->count; i++)
		if (rows[i].task & EVENT_TASK_NUMBER)
			rows[i].task =
				events->decoder.tasks[(rows[i].task & ~EVENT_TASK_NUMBER) - 1]->id;
}

/* Moves the rows that are ready into a snapshot. */
static void add_rows(struct events *events, struct snapshot *snapshot)
{
	struct event_decoder *decoder = &events->decoder;
	struct recordset *to = snapshot_set(snapshot, RECORD_EVENT);
	size_t first = to->count;

	events->kept += decoder->rows.count;
	if (first)
		recordset_append(to, &decoder->rows);
	else
		recordset_swap(to, &decoder->rows);
	recordset_clear(&decoder->rows);
	recordset_append(snapshot_set(snapshot, RECORD_EVENT_SITE), &events->sites.rows);
	recordset_clear(&events->sites.rows);
	if (decoder->unnamed)
		name_rows(events, to, first);
	decoder->unnamed = false;
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

static void events_end(struct module *module)
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
			&record_types[RECORD_EVENT], &record_types[RECORD_EVENT_SITE],
			&record_types[RECORD_TASK], &record_types[RECORD_PROCESS],
			&record_types[RECORD_TRANSACTION], &record_types[RECORD_ATTRIBUTE],
			&record_types[RECORD_NOTE], NULL },
	/* The sampler, if there is one, assigns the ids of tasks. */
	.after = (const char *const[]){ "?PROCESS", "?TASK", "?TRANSACTION", NULL },
	.init = events_init,
	.call = events_call,
	.end = events_end,
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
