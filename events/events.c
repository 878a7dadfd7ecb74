/* SPDX-License-Identifier: Apache-2.0 */
/* The session's part that collects events. */
#include "common/compat.h"
#include "events/events.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "events/decoder.h"
#include "events/task-rows.h"

#include <poll.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* How often the pool is emptied. */
#define DRAIN_EVERY (5 * NSEC_PER_MSEC)
/* Rows that are kept between snapshots at most, about. */
#define MANY_ROWS 65536

struct events {
	const struct event_request *request;
	struct event_pool pool;
	struct event_sites sites;
	struct event_decoder decoder;
	struct event_changes changes;
	struct event_filter filter;
	struct engine *engine;
	int timer; /* -1: none */
	pid_t root;
	bool up; /* sites and decoder are there */
	uint64_t kept, pauses;
	struct task_rows tasks;
};

struct events *events_new(const struct event_request *request, const char *transactions,
			  struct error *err)
{
	struct events *events = xcalloc(1, sizeof(*events));

	events->request = request;
	events->timer = -1;
	task_rows_init(&events->tasks);
	event_changes_init(&events->changes, transactions);
	if (event_pool_init(&events->pool, request->pool_kb ? request->pool_kb : EVENT_POOL_DEFAULT,
			    err) < 0) {
		events_free(events);
		return NULL;
	}
	event_filter_share(request, events->pool.area);
	events_pause(events, !request->started);
	return events;
}

static void stop(struct events *events)
{
	if (events->timer < 0)
		return;
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
	task_rows_release(&events->tasks);
	event_changes_release(&events->changes);
	event_pool_release(&events->pool);
	free(events);
}

const char *events_path(const struct events *events)
{
	return events->pool.path;
}

void events_follow(struct events *events, pid_t root)
{
	events->root = root;
}

void events_pause(struct events *events, bool pause)
{
	__atomic_store_n(&events->pool.area->state, pause ? EVENT_STATE_PAUSED : EVENT_STATE_ACTIVE,
			 __ATOMIC_SEQ_CST);
}

bool events_are_many(const struct events *events)
{
	return events->up && events->decoder.rows.count >= MANY_ROWS;
}

/* Whether a process is there and more than a name. */
static bool is_alive(pid_t pid)
{
	char state = pid > 0 ? procfs_state(pid, pid) : '\0';

	return state && state != 'Z' && state != 'X';
}

bool events_alive(const struct events *events)
{
	if (is_alive(events->root))
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

static void drain(struct events *events, bool last)
{
	event_changes_advance(&events->changes);
	for (size_t i = 0; i < events->changes.pause_count; i++, events->pauses++)
		event_decoder_session(&events->decoder, EVENT_MP, events->changes.pauses[i]);
	events->changes.pause_count = 0;
	event_pool_drain(&events->pool, last, event_decoder_take, &events->decoder);
}

/* Time to empty the pool. */
static void on_timer(void *argument, int fd, short revents UNUSED)
{
	uint64_t times;

	if (read(fd, &times, sizeof(times)) == (ssize_t)sizeof(times))
		drain(argument, false);
}

static enum module_status events_init(struct module *module, struct error *err)
{
	const struct itimerspec every = { { 0, DRAIN_EVERY }, { 0, DRAIN_EVERY } };
	struct events *events = module->context;

	events->engine = module->engine;
	events->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (events->timer < 0 || timerfd_settime(events->timer, 0, &every, NULL) < 0) {
		error_errno(err, "cannot create a timer");
		return MODULE_FATAL;
	}
	event_sites_init(&events->sites, &events->pool, module->engine);
	event_decoder_init(&events->decoder, &events->pool, &events->sites, &events->changes,
			   &events->filter, module->engine);
	event_filter_init(&events->filter, events->request, &events->sites);
	events->filter.start = clock_monotonic_ns();
	events->up = true;
	engine_watch(module->engine, events->timer, POLLIN, on_timer, events);
	event_decoder_session(&events->decoder, EVENT_SI, clock_monotonic_ns());
	return MODULE_OK;
}

/* The names of the sources that made events. */
static void name_sources(const struct event_decoder *decoder, struct strbuf *names)
{
	if (decoder->cobol)
		strbuf_addstr(names, "COBOL");
	if (decoder->functions)
		strbuf_addf(names, "%sfunctions", names->length ? ", " : "");
	if (decoder->user)
		strbuf_addf(names, "%suser", names->length ? ", " : "");
}

#define NUMBER(key, value) snapshot_attribute(snapshot, engine, key, "%" PRIu64, value)

static void add_attributes(struct events *events, struct snapshot *snapshot)
{
	struct engine *engine = events->engine;
	struct event_pool_statistics pool;
	struct strbuf sources = STRBUF_INIT;

	event_pool_statistics(&events->pool, &pool);
	name_sources(&events->decoder, &sources);
	NUMBER(ATTR_EVENTS, events->kept);
	NUMBER(ATTR_EVENTS_OFFERED, events->decoder.offered);
	NUMBER(ATTR_EVENTS_FILTERED, events->filter.rejected);
	NUMBER(ATTR_EVENTS_STATEMENTS, pool.counted);
	NUMBER(ATTR_EVENTS_OWN_CPU, events->decoder.own);
	NUMBER(ATTR_EVENTS_PAUSES, events->pauses);
	snapshot_attribute(snapshot, engine, ATTR_EVENTS_SOURCES, "%s", sources.text);
	NUMBER(ATTR_POOL_SIZE, pool.size);
	NUMBER(ATTR_POOL_FULL, pool.full);
	NUMBER(ATTR_POOL_FULL_TIME, pool.full_time);
	NUMBER(ATTR_POOL_EMPTY_AFTER_FULL, pool.empty_after_full);
	NUMBER(ATTR_POOL_MOST, pool.most);
	NUMBER(ATTR_POOL_READ, pool.read);
	strbuf_release(&sources);
}

/* Put the rows that are ready into a snapshot, with the ids of their tasks. */
static void add_rows(struct events *events, struct snapshot *snapshot)
{
	struct recordset *to = snapshot_set(snapshot, RECORD_EVENT);
	size_t first = to->count;

	recordset_append(to, &events->decoder.rows);
	recordset_append(snapshot_set(snapshot, RECORD_EVENT_SITE), &events->sites.rows);
	events->kept += events->decoder.rows.count;
	recordset_clear(&events->decoder.rows);
	recordset_clear(&events->sites.rows);
	for (size_t i = first; i < to->count; i++) {
		struct record_event *row = recordset_at(to, i);

		row->transaction = event_changes_id(&events->changes, row->transaction);
		if (row->task)
			row->task = events->decoder.tasks[row->task - 1]->id;
	}
}

static enum module_status events_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err UNUSED)
{
	struct events *events = module->context;

	drain(events, snapshot->last);
	if (snapshot->last) {
		stop(events);
		event_decoder_settle(&events->decoder);
		event_decoder_session(&events->decoder, EVENT_ST, clock_monotonic_ns());
	}
	task_rows_make(&events->tasks, &events->decoder, snapshot);
	event_changes_rows(&events->changes, module->engine, snapshot);
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
	.summary = "what the step's programs tell: programs, statements, functions, user events",
	.capabilities = MODULE_PRODUCER,
	.sync_points = 1u << SYNC_SNAPSHOT,
	.produces =
		(const struct record_type *const[]){
			&record_types[RECORD_EVENT], &record_types[RECORD_EVENT_SITE],
			&record_types[RECORD_TASK], &record_types[RECORD_PROCESS],
			&record_types[RECORD_TRANSACTION], &record_types[RECORD_ATTRIBUTE], NULL },
	/* The ids of tasks are the sampler's, where there is one. */
	.after = (const char *const[]){ "?PROCESS", "?TASK", "?TRANSACTION", NULL },
	.init = events_init,
	.call = events_call,
	.end = events_end,
};

int events_register(struct events *events, struct engine *engine, struct error *err)
{
	return engine_add(engine, &events_class, events, err) ? 0 : -1;
}
