/* SPDX-License-Identifier: Apache-2.0 */
/* A measurement session: one step observed from start to end. */
#include "common/compat.h"
#include "session/measure/measure.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "engine/timer.h"
#include "events/coverage-collect.h"
#include "events/event-consolidate.h"
#include "events/event-lines.h"
#include "events/event-sampling.h"
#include "events/events.h"
#include "metrics/metrics.h"
#include "records/record-types.h"
#include "session/measure/area.h"
#include "session/measure/counting.h"
#include "session/measure/header.h"
#include "session/measure/online.h"
#include "session/measure/privilege.h"
#include "session/measure/progress.h"
#include "session/measure/recording.h"
#include "session/measure/trace-output.h"
#include "common/paths.h"

#include <poll.h>

/*
 * A snapshot costs some tenths of a millisecond: more than four a second would be
 * noticeable in a short step, and no report shows more than forty intervals. With
 * events, which may be followed as they arrive, the interval is shorter.
 */
#define SNAPSHOT_MIN (250 * NSEC_PER_MSEC)
#define SNAPSHOT_MIN_EVENTS (50 * NSEC_PER_MSEC)
#define SNAPSHOT_MAX (1 * NSEC_PER_SEC)
#define SNAPSHOTS_WANTED 100
/*
 * Minimum distance of system metrics: the kernel counts CPU time in hundredths of
 * a second, so shorter intervals contain little information. In a long step the
 * distance is a fixed part of its duration, which keeps its file small.
 */
#define METRICS_INTERVAL_MIN (500 * NSEC_PER_MSEC)
#define METRICS_PARTS 100

struct measure {
	const struct measure_request *request;
	struct recording *recording;	/* NULL: none */
	char *record_path;		/* NULL: none was requested */
	struct error without_recording; /* why there is none; "": there is one, or none was
					 * requested */
	struct area area;
	struct changes changes; /* changes that the step makes through the area */
	struct counting counting;
	struct error without_area; /* why there is no area; "": there is one */
	struct error without_events; /* why events are not collected; "": they are, or none were
				      * requested */
	char *environment[5];	     /* "VIGIL_TRANSACTIONS=..." and others; NULL-terminated */
	size_t environment_count;
	char *names_cache;	     /* folder; NULL: resolved names are not cached */
	char *preload;		     /* libraries preloaded into the step; NULL: none */
	struct events *events;	     /* NULL: not collected */
	struct coverage *coverage;   /* NULL: not collected */
	struct event_sampling sampling;	   /* of events, if requested */
	struct event_consolidate sums;	   /* of events */
	struct online online;		   /* the newest events, if requested */
	struct event_lines lines;	   /* trace lines of events, if requested */
	struct trace_output trace;	   /* their output */
	struct collectors *collectors;
	struct progress progress;
	pid_t root; /* the step's first process */
	uint64_t cpu_before; /* CPU time of this process that belongs to no session or the
			      * previous one */

	/* The current session; engine is NULL between and after sessions. */
	uint64_t session; /* its number, from 1 */
	char *output;
	char *named; /* the path that the data set has of itself */
	struct step *step;
	struct sampler *sampler;
	struct engine *engine;
	struct metrics *metrics; /* of the whole system; NULL: none */
	struct interval_timer timer;
	struct dataset_consumer consumer;
	struct header header;
	bool lacks_privilege;	      /* in this session or one before it */
	bool suspended;		      /* LIMIT with STOP was reached */
	struct sampler_counts counts; /* of the last session */
};

/* Returns whether samples are taken: always in a session without a PROFILER block. */
static bool is_sampled(const struct measure *measure)
{
	return measure->request->sampled || !measure->request->events.wanted;
}

/* Returns whether the step can be started and paused. */
static bool has_area(const struct measure *measure)
{
	return !error_text(&measure->without_area)[0];
}

static void add_variable(struct measure *measure, const char *name, const char *value)
{
	struct strbuf variable = STRBUF_INIT;

	strbuf_addf(&variable, "%s=%s", name, value);
	measure->environment[measure->environment_count++] = strbuf_detach(&variable, NULL);
}

/* Returns the size of the buffer of newest events: that of the data pool. */
static uint64_t buffer_size(const struct measure_request *request)
{
	return (request->events.pool_kb ? request->events.pool_kb : EVENT_POOL_DEFAULT) * 1024;
}

/* Adds a library to be preloaded. */
static void add_preload(struct measure *measure, const char *library)
{
	struct strbuf all = STRBUF_INIT;

	strbuf_addf(&all, "%s%s%s", measure->preload ? measure->preload : "",
		    measure->preload ? ":" : "", library);
	free(measure->preload);
	measure->preload = strbuf_detach(&all, NULL);
}

/* Creates the area in which programs count by file, and preloads the library that counts. */
static void make_counting(struct measure *measure)
{
	char *library = paths_files_library();

	if (library)
		counting_init(&measure->counting);
	if (measure->counting.path) {
		add_variable(measure, "VIGIL_FILES", measure->counting.path);
		add_preload(measure, library);
	}
	free(library);
}

/* Creates the coverage collection, and preloads the library that reports it. */
static void make_coverage(struct measure *measure)
{
	char *library = paths_coverage_library();

	if (library)
		measure->coverage = coverage_new(&measure->request->events, &measure->changes,
						 &measure->without_events);
	else
		error_set(&measure->without_events, "there is no vigil-coverage.so");
	if (measure->coverage) {
		add_variable(measure, "VIGIL_COVERAGE", coverage_path(measure->coverage));
		add_preload(measure, library);
	}
	free(library);
}

/* Creates the data pool, and preloads the library that fills it. */
static void make_events(struct measure *measure)
{
	char *library = paths_events_library();

	if (library)
		measure->events = events_new(&measure->request->events, &measure->without_events);
	else
		error_set(&measure->without_events, "there is no vigil-events.so");
	if (measure->events)
		add_preload(measure, library);
	free(library);
	if (!measure->events)
		return;
	add_variable(measure, "VIGIL_EVENTS", events_path(measure->events));
	if (measure->request->events.coverage)
		make_coverage(measure);
	if (has_area(measure))
		events_pause(measure->events, false); /* the area decides about pauses */
	if (measure->request->events.online)
		online_init(&measure->online, buffer_size(measure->request));
}

/* Creates the area through which the step reports its transactions, and is started and paused. */
static void make_area(struct measure *measure)
{
	const struct measure_request *request = measure->request;

	if (area_init(&measure->area, request->paused, request->events.online,
		      &measure->without_area) < 0)
		return;
	if (changes_init(&measure->changes, measure->area.path, &measure->without_area) < 0)
		area_release(&measure->area);
	else
		add_variable(measure, "VIGIL_TRANSACTIONS", measure->area.path);
}

/* A call of the session begins: what it learns is recorded, if that was requested. */
static void enter(struct measure *measure, enum session_call call, uint64_t number)
{
	recording_enter(measure->recording, &(struct tape_entry){ .a = call, .b = number });
}

/* Begins the recording, if one is requested. */
static void make_recording(struct measure *measure)
{
	const struct measure_request *request = measure->request;

	if (request->record)
		measure->record_path = xstrdup(request->record);
	else if (request->record_beside)
		measure->record_path = recording_beside(request->output);
	if (!measure->record_path)
		return;
	if (request->events.wanted)
		error_set(&measure->without_recording, "events cannot be recorded");
	else
		measure->recording = recording_new(measure->record_path, request, &measure->without_recording);
}

struct measure *measure_new(const struct measure_request *request, struct diag_list *diags)
{
	struct measure *measure = xcalloc(1, sizeof(*measure));

	measure->request = request;
	error_init(&measure->without_recording);
	make_recording(measure);
	enter(measure, SESSION_NEW, 0);
	measure->counting.fd = -1;
	measure->names_cache = paths_names_cache();
	measure->cpu_before = request->whole_process ? 0 : header_process_cpu();
	error_init(&measure->without_area);
	error_init(&measure->without_events);
	make_area(measure);
	if (request->events.wanted)
		make_events(measure);
	if (request->count_files)
		make_counting(measure);
	trace_output_init(&measure->trace, measure->events && request->events.trace,
			  request->trace);
	if (!measure->events && request->events.online)
		area_end_online(&measure->area);
	measure->collectors = collectors_new(&request->collectors, request->program, diags);
	progress_init(&measure->progress, request->progress);
	recording_leave(measure->recording);
	return measure;
}

const char *const *measure_environment(const struct measure *measure)
{
	return (const char *const *)measure->environment;
}

const char *measure_preload(const struct measure *measure)
{
	return measure->preload;
}

char *measure_session_path(const char *output, uint64_t session)
{
	const char *suffix = strrchr(output, '.');
	struct strbuf path = STRBUF_INIT;

	if (!suffix || strchr(suffix, '/'))
		suffix = output + strlen(output);
	strbuf_add(&path, output, (size_t)(suffix - output));
	if (session > 1)
		strbuf_addf(&path, ".%" PRIu64, session);
	strbuf_addstr(&path, suffix);
	return strbuf_detach(&path, NULL);
}

/* Lets the sampler thin stored samples. */
static int thin_stored(void *argument, bool (*keep)(void *keep_argument, const void *row),
		       void *keep_argument, struct error *err)
{
	struct measure *measure = argument;

	return dataset_thin(measure->consumer.writer, &record_types[RECORD_SAMPLE], keep,
			    keep_argument, err);
}

static uint64_t wanted_samples(const struct measure_request *request)
{
	return request->samples ? request->samples : MEASURE_DEFAULT_SAMPLES;
}

uint64_t measure_rate(const struct measure_request *request)
{
	const uint64_t seconds = request->session_minutes * 60;

	if (seconds)
		return (wanted_samples(request) + seconds - 1) / seconds;
	return request->rate ? request->rate : MEASURE_DEFAULT_RATE;
}

/*
 * Fills the sampler's configuration from the request; -1 if the environment's
 * limit of privilege is invalid.
 */
static int sampler_config(struct measure *measure, struct sampler_config *config,
			  struct error *err)
{
	const struct measure_request *request = measure->request;
	enum privilege limit;

	memset(config, 0, sizeof(*config));
	RETURN_IF(privilege_limit(&limit, err) < 0, -1);
	config->privilege = limit > request->privilege ? limit : request->privilege;
	config->rate = measure_rate(request);
	config->fixed_rate = request->session_minutes != 0;
	config->target = wanted_samples(request);
	config->cost = request->cost;
	config->files = request->files;
	config->file_count = request->file_count;
	config->step = measure->step;
	config->counts = measure->counting.path;
	config->names_cache = measure->names_cache;
	config->thin = thin_stored;
	config->thin_argument = measure;
	config->other_options = request->replayed != NULL;
	config->names_anew = request->names_anew;
	if (!request->no_collectors)
		collectors_configure(measure->collectors, config);
	if (request->limit_given && !request->no_limit)
		config->stop_after_samples = wanted_samples(request);
	return 0;
}

/* Frees the members of the current session. */
static void drop_session(struct measure *measure)
{
	engine_free(measure->engine);
	metrics_free(measure->metrics);
	sampler_free(measure->sampler);
	step_free(measure->step);
	free(measure->output);
	free(measure->named);
	measure->engine = NULL;
	measure->metrics = NULL;
	measure->sampler = NULL;
	measure->step = NULL;
	measure->output = measure->named = NULL;
}

/* Observes pid by samples. */
static int observe(struct measure *measure, pid_t pid, bool follow, struct error *err)
{
	struct sampler_config config;

	RETURN_IF(sampler_config(measure, &config, err) < 0, -1);
	measure->sampler = sampler_new(&config);
	return (follow ? sampler_follow : sampler_attach)(measure->sampler, pid, err);
}

/* Adds the modules that provide, thin and summarize events. */
static int add_events(struct measure *measure, pid_t pid, bool follow, struct error *err)
{
	const struct event_request *request = &measure->request->events;
	const char *executable = measure->request->executable ? measure->request->executable : "";

	events_follow(measure->events,
		      &(struct event_subject){ .root = pid,
					       .executable = follow ? executable : NULL,
					       .sampled = is_sampled(measure) });
	RETURN_IF(events_register(measure->events, measure->step, measure->engine,
				  err) < 0, -1);
	measure->sampling = (struct event_sampling){ .interval = request->interval };
	measure->sums = (struct event_consolidate){ .drop = request->consolidate };
	if (request->interval && !engine_add(measure->engine, &event_sampling_class,
					     &measure->sampling, err))
		return -1;
	if (measure->coverage && coverage_register(measure->coverage, measure->engine,
						   follow ? executable : NULL, err) < 0)
		return -1;
	measure->lines = (struct event_lines){ .start = measure->header.start,
					       .most = EVENT_LINES_MAX,
					       .take = trace_output_line,
					       .argument = &measure->trace };
	if (request->trace &&
	    !engine_add(measure->engine, &event_lines_class, &measure->lines, err))
		return -1;
	measure->online.buffer.started = events_started(measure->events);
	if (request->online && !engine_add(measure->engine, &event_online_class,
					   &measure->online.buffer, err))
		return -1;
	return engine_add(measure->engine, &event_consolidate_class, &measure->sums, err) ? 0 : -1;
}

/* Adds the system metrics that the System Activity reports show. */
static int add_metrics(struct measure *measure, struct error *err)
{
	static const char *const modules[] = { "SYS", "CPU", "MEM", "DSK", "NTI", "PSI" };

	measure->metrics = metrics_offer(measure->engine, NULL, err);
	RETURN_IF(!measure->metrics, -1);
	metrics_pace(measure->metrics, METRICS_INTERVAL_MIN, METRICS_PARTS);
	measure->header.metrics = measure->metrics;
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
		RETURN_IF(engine_enable(measure->engine, modules[i], err) < 0, -1);
	return 0;
}

/* Observes pid and starts the engine for it. */
static int start_session(struct measure *measure, pid_t pid, bool follow, struct error *err)
{
	RETURN_IF(!is_sampled(measure) && !measure->events,
		  error_set(err, "%s", error_text(&measure->without_events)));
	measure->step = step_new(&measure->changes);
	RETURN_IF(is_sampled(measure) && observe(measure, pid, follow, err) < 0, -1);
	header_init(&measure->header, measure->request, measure->named, measure->sampler);
	measure->lacks_privilege |= header_lacks_privilege(&measure->header);
	measure->header.overhead_start = measure->cpu_before;
	measure->header.without_area = error_text(&measure->without_area);
	measure->header.without_events = error_text(&measure->without_events);
	if (measure->sampler && measure->request->paused && !has_area(measure))
		sampler_pause(measure->sampler, true); /* nothing can start it */
	measure->engine = engine_new(&session_records);
	measure->consumer = (struct dataset_consumer){ .path = measure->output,
						       .keep_old = measure->request->keep_old,
						       .closing = header_closing,
						       .closing_argument = &measure->header };
	measure->timer = (struct interval_timer){ .shortest = measure->events
								      ? SNAPSHOT_MIN_EVENTS
								      : SNAPSHOT_MIN,
						  .longest = SNAPSHOT_MAX,
						  .wanted = SNAPSHOTS_WANTED };
	RETURN_IF(!engine_add(measure->engine, &interval_timer_class, &measure->timer, err), -1);
	RETURN_IF(!engine_add(measure->engine, &header_class, &measure->header, err), -1);
	/*
	 * Before the sampler, whose work at the end may take a while: metrics shall be
	 * close to the time of the snapshot.
	 */
	RETURN_IF(measure->sampler && !measure->request->no_metrics &&
			  add_metrics(measure, err) < 0,
		  -1);
	RETURN_IF(measure->sampler && sampler_register(measure->sampler, measure->engine, err) < 0,
		  -1);
	RETURN_IF(measure->events && add_events(measure, pid, follow, err) < 0, -1);
	RETURN_IF(!engine_add(measure->engine, &dataset_consumer_class, &measure->consumer, err),
		  -1);
	return engine_start(measure->engine, err);
}

/* Opens the next session. */
static int open_session(struct measure *measure, pid_t pid, bool follow, struct error *err)
{
	const struct measure_request *request = measure->request;

	measure->root = pid;
	measure->session++;
	measure->suspended = false;
	measure->output = measure_session_path(request->output, measure->session);
	measure->named = measure_session_path(request->named ? request->named : request->output,
					      measure->session);
	if (start_session(measure, pid, follow, err) == 0)
		return 0;
	drop_session(measure);
	return -1;
}

int measure_follow(struct measure *measure, pid_t child, struct error *err)
{
	int result;

	enter(measure, SESSION_FOLLOW, (uint64_t)child);
	result = open_session(measure, child, true, err);
	recording_leave(measure->recording);
	return result;
}

int measure_attach(struct measure *measure, pid_t pid, struct error *err)
{
	int result;

	enter(measure, SESSION_ATTACH, (uint64_t)pid);
	result = open_session(measure, pid, false, err);
	recording_leave(measure->recording);
	return result;
}

static void look_at_counts(struct measure *measure)
{
	if (measure->sampler)
		sampler_counts(measure->sampler, &measure->counts);
}

/* Closes the current session: the last snapshot, names, the end of the data set. */
static int close_session(struct measure *measure, struct error *err)
{
	int result = 0;

	/* The pool may still hold far more than one snapshot should. */
	while (result == 0 && measure->events && events_end(measure->events))
		result = engine_snapshot(measure->engine, err) < 0 ? -1 : 0;
	if (engine_finish(measure->engine, result < 0 ? NULL : err) < 0)
		result = -1;
	trace_output_flush(&measure->trace, true);
	look_at_counts(measure);
	measure->cpu_before = header_process_cpu();
	drop_session(measure);
	return result;
}

/*
 * Applies LIMIT when a session has its samples. With events there is one session
 * as long as the step: no data set is closed while they arrive, only sampling is
 * suspended.
 */
static int limit_reached(struct measure *measure, struct error *err)
{
	const struct measure_request *request = measure->request;
	bool last = measure->session >= request->limit;

	if (measure->events || (last && request->limit_stops)) {
		sampler_pause(measure->sampler, true);
		measure->suspended = true;
		return 0;
	}
	RETURN_IF(close_session(measure, err) < 0, -1);
	return last ? 0 : open_session(measure, measure->root, false, err);
}

/* Serves the current session until the next snapshot or the timeout, whichever comes first. */
static int serve(struct measure *measure, int timeout_ms, struct error *err)
{
	RETURN_IF(engine_serve(measure->engine, timeout_ms, err) < 0, -1);
	/* Much data triggers the next snapshot early, to limit memory. */
	RETURN_IF(measure->events && events_snapshot_is_due(measure->events) &&
			  engine_snapshot(measure->engine, err) < 0,
		  -1);
	RETURN_IF(online_serve(&measure->online, &measure->area, measure->events, measure->engine,
			       measure->output, err) < 0,
		  -1);
	trace_output_flush(&measure->trace, false);
	look_at_counts(measure);
	if (measure->sampler && !measure->suspended && sampler_limit_reached(measure->sampler))
		return limit_reached(measure, err);
	return 0;
}

int measure_step(struct measure *measure, int timeout_ms, struct error *err)
{
	int result;

	if (!measure->engine) {
		poll(NULL, 0, timeout_ms);
		return 0;
	}
	enter(measure, SESSION_STEP, (uint64_t)timeout_ms);
	result = serve(measure, timeout_ms, err);
	recording_leave(measure->recording);
	if (result == 0)
		progress_show(&measure->progress, &measure->counts);
	return result;
}

bool measure_alive(const struct measure *measure)
{
	return measure->engine && (measure->sampler ? sampler_alive(measure->sampler) :
						      events_alive(measure->events));
}

void measure_quiet(struct measure *measure)
{
	progress_clear(&measure->progress);
}

void measure_set_result(struct measure *measure, int return_code, const char *abend,
			uint64_t cpu_user, uint64_t cpu_system, uint64_t peak_resident)
{
	struct header *header = &measure->header;
	const struct session_result result = { return_code, cpu_user, cpu_system, peak_resident };

	recording_enter(measure->recording, &(struct tape_entry){ .a = SESSION_RESULT, .text = abend,
								  .data = &result, .size = sizeof(result) });
	recording_leave(measure->recording);
	header->result_known = true;
	header->return_code = return_code;
	snprintf(header->abend, sizeof(header->abend), "%s", abend);
	header->cpu_user = cpu_user;
	header->cpu_system = cpu_system;
	header->peak_resident = peak_resident;
	if (measure->sampler)
		sampler_set_used(measure->sampler, cpu_user + cpu_system);
}

/* Ends the current session, if any. */
static int finish(struct measure *measure, struct error *err)
{
	RETURN_IF(!measure->engine, 0);
	header_step_ended(&measure->header);
	/* Answers requests that arrived in the last moment. */
	RETURN_IF(online_serve(&measure->online, &measure->area, measure->events, measure->engine,
			       measure->output, err) < 0,
		  -1);
	return close_session(measure, err);
}

int measure_finish(struct measure *measure, struct error *err)
{
	int result;

	progress_clear(&measure->progress);
	enter(measure, SESSION_FINISH, 0);
	result = finish(measure, err);
	recording_leave(measure->recording);
	recording_end(measure->recording);
	return result;
}

const char *measure_recording(const struct measure *measure)
{
	return measure->record_path;
}

const char *measure_recording_failure(const struct measure *measure)
{
	return measure->recording ? recording_failure(measure->recording)
				  : error_text(&measure->without_recording);
}

bool measure_lacks_privilege(const struct measure *measure)
{
	return measure->lacks_privilege;
}

const char *measure_trace_failure(const struct measure *measure)
{
	return trace_output_failure(&measure->trace);
}

bool measure_was_started(const struct measure *measure)
{
	return has_area(measure) ? changes_starts(&measure->changes) > 0 : !measure->request->paused;
}

bool measure_owns(const struct measure *measure, pid_t pid)
{
	return measure->sampler && sampler_owns(measure->sampler, pid);
}

void measure_counts(const struct measure *measure, struct sampler_counts *counts)
{
	*counts = measure->counts;
}

uint64_t measure_events(const struct measure *measure)
{
	struct events_counts counts = { 0 };

	if (measure->online.wanted)
		return measure->online.buffer.delivered;
	if (measure->events)
		events_counts(measure->events, &counts);
	return counts.kept;
}

void measure_free(struct measure *measure)
{
	if (!measure)
		return;
	/* Areas that the recording gave out are given back to it. */
	enter(measure, SESSION_FREE, 0);
	drop_session(measure);
	events_free(measure->events);
	online_end(&measure->online, &measure->area);
	trace_output_release(&measure->trace);
	coverage_free(measure->coverage);
	collectors_free(measure->collectors);
	changes_release(&measure->changes);
	recording_leave(measure->recording);
	recording_free(measure->recording);
	error_release(&measure->without_recording);
	free(measure->record_path);
	area_release(&measure->area);
	counting_release(&measure->counting);
	error_release(&measure->without_area);
	error_release(&measure->without_events);
	for (size_t i = 0; i < measure->environment_count; i++)
		free(measure->environment[i]);
	free(measure->preload);
	free(measure->names_cache);
	free(measure);
}
