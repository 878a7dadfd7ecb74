/* SPDX-License-Identifier: Apache-2.0 */
/* Takes snapshots of the whole system at intervals, according to a request. */
#include "common/compat.h"
#include "session/collection/collection.h"
#include "common/clock.h"
#include "common/destination.h"
#include "engine/timer.h"
#include "metrics/metrics.h"
#include "metrics/outputs.h"
#include "session/collection/exposition.h"
#include "session/collection/module-names.h"
#include "session/collection/monitor-files.h"
#include "session/collection/stored.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

/* A collection in progress. */
struct collection {
	const struct collect_request *request;
	struct message_count count;
	struct message_sink sink;    /* counts */
	struct vigil_engine *guests; /* third-party modules */
	struct engine *engine;	     /* the engine of guests */
	struct metrics *metrics;
	struct interval_timer timer;
	struct stored_data data_set;
	struct text_form form;
	struct live_table live;
	struct exposition exposition;
	uint64_t taken; /* number of snapshots, without the last */
	uint64_t end;	/* ns since 1970 UTC; 0: never */
	int signals;	/* a signalfd */
	bool ended;	/* by a signal */
};

/*
 * Blocks the signals that end a collection and reads them where the engine waits,
 * so that none is missed.
 */
static void take_signals(struct collection *collection, sigset_t *before)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, before);
	signal(SIGPIPE, SIG_IGN);
	collection->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Restores signals; discards those that arrived, as they have had their effect. */
static void leave_signals(struct collection *collection, const sigset_t *before)
{
	struct signalfd_siginfo taken;

	while (read(collection->signals, &taken, sizeof(taken)) > 0)
		;
	close(collection->signals);
	sigprocmask(SIG_SETMASK, before, NULL);
}

static void on_signal(void *argument, int fd UNUSED, short revents UNUSED)
{
	struct collection *collection = argument;

	collection->ended = true;
	engine_unwatch(collection->engine, collection->signals);
}

/* A client of the port needs service. */
static void on_client(void *argument, int fd UNUSED, short revents UNUSED)
{
	scrape_serve(argument);
}

/* Sleeps until start by the wall clock, even if it is set meanwhile, or until a signal arrives. */
static void wait_for_start(struct collection *collection, uint64_t start)
{
	struct pollfd pollfd = { .fd = collection->signals, .events = POLLIN };

	while (!collection->ended) {
		uint64_t now = clock_wall_ns(), left = start - now;

		if (now >= start)
			return;
		if (left > NSEC_PER_SEC)
			left = NSEC_PER_SEC;
		if (poll(&pollfd, 1, (int)(left / NSEC_PER_MSEC) + 1) > 0)
			collection->ended = true;
	}
}

/* Adds the formats of text. */
static int add_text(struct collection *collection, struct error *err)
{
	const struct collect_request *request = collection->request;
	struct engine *engine = collection->engine;

	collection->form.monitor.live = true;
	if (request->text)
		return text_form_add(engine, &collection->form, request->text, request->stream,
				     NULL, err)
			       ? 0
			       : -1;
	RETURN_IF(!request->live || hosted_has(collection->guests, VIGIL_CONSUMER), 0);
	collection->live =
		(struct live_table){ .stream = request->stream, .lines = request->lines };
	return engine_add(engine, &live_table_class, &collection->live, err) ? 0 : -1;
}

/* Adds the publication of the newest snapshot. */
static int add_exposition(struct collection *collection, struct error *err)
{
	const struct collect_request *request = collection->request;
	struct exposition *exposition = &collection->exposition;

	RETURN_IF(!request->openmetrics && !exposition->scrape, 0);
	*exposition = (struct exposition){ .path = request->openmetrics,
					   .scrape = exposition->scrape,
					   .sink = &collection->sink };
	if (exposition->scrape)
		engine_watch(collection->engine, scrape_descriptor(exposition->scrape), POLLIN,
			     on_client, exposition->scrape);
	return engine_add(collection->engine, &exposition_class, exposition, err) ? 0 : -1;
}

/* Adds the data set. */
static int add_data_set(struct collection *collection, struct error *err)
{
	const struct collect_request *request = collection->request;
	struct stored_data *data = &collection->data_set;
	bool others = request->text || collection->live.stream || request->openmetrics ||
		      collection->exposition.scrape ||
		      hosted_has(collection->guests, VIGIL_CONSUMER | VIGIL_MONITOR);

	RETURN_IF(!request->data_set, 0);
	strbuf_release(&data->name);
	*data = (struct stored_data){ .path = request->data_set,
				      .size = request->size,
				      .rotation = request->rotation,
				      .keep = request->keep,
				      .alone = !others,
				      .sink = &collection->sink,
				      .guests = collection->guests,
				      .name = STRBUF_INIT };
	return engine_add(collection->engine, &stored_data_class, data, err) ? 0 : -1;
}

/* Adds vigil's modules. */
static int add_own(struct collection *collection, struct error *err)
{
	struct engine *engine = collection->engine;
	bool timer = !hosted_has(collection->guests, VIGIL_TIMER);

	if (timer && !engine_add(engine, &interval_timer_class, &collection->timer, err))
		return -1;
	metrics_free(collection->metrics);
	collection->metrics = metrics_offer(engine, timer ? &collection->timer : NULL, err);
	RETURN_IF(!collection->metrics, -1);
	RETURN_IF(add_data_set(collection, err) < 0 || add_text(collection, err) < 0 ||
			  add_exposition(collection, err) < 0,
		  -1);
	engine_watch(engine, collection->signals, POLLIN, on_signal, collection);
	return 0;
}

/*
 * Adds all modules; 1 if a third-party module was refused and everything must be
 * repeated. -1 with err, or (err empty) after a message.
 */
static int build(struct collection *collection, struct error *err)
{
	const struct collect_request *request = collection->request;
	struct vigil_engine *guests = collection->guests;

	collection->engine = hosted_begin(guests, err);
	RETURN_IF(!collection->engine || add_own(collection, err) < 0 ||
			  hosted_add(guests, 0, err) < 0,
		  -1);
	if (module_names_enable(collection->engine, request->modules, request->module_count,
				&collection->sink) != EXIT_SUCCESS)
		return -1;
	RETURN_IF(engine_prepare(collection->engine, OPERATION_COLLECTION, err) == 0, 0);
	return hosted_refuse(guests, err) ? 1 : -1;
}

/* Raises the limit of descriptors, because each observed process needs some. */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max < 65536 ? limit.rlim_max : 65536;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* Returns whether the end time has come; a snapshot due at that moment still counts. */
static bool is_over(const struct collection *collection, int *wait)
{
	uint64_t grace = collection->timer.longest / 2, now = clock_wall_ns(), left;

	*wait = INT_MAX;
	if (collection->exposition.scrape && scrape_busy(collection->exposition.scrape)) {
		scrape_serve(collection->exposition.scrape);
		*wait = 1000;
	}
	if (!collection->end)
		return false;
	if (grace > 20 * NSEC_PER_MSEC)
		grace = 20 * NSEC_PER_MSEC;
	if (now >= collection->end + grace)
		return true;
	left = (collection->end + grace - now) / NSEC_PER_MSEC + 1;
	/* The wall clock may be set meanwhile: check every minute. */
	left = left < 60000 ? left : 60000;
	*wait = (int)left < *wait ? (int)left : *wait;
	return false;
}

/* Serves timers and monitors of third-party modules. */
static void follow(struct collection *collection)
{
	const struct vigil_global *settings = hosted_settings(collection->guests);
	struct interval_timer *timer = &collection->timer;

	timer->shortest = timer->longest = settings->interval;
	timer->from = settings->start_time;
	/* The last snapshot is immediate and has no metrics. */
	timer->limit = settings->count ? settings->count + 1 : 0;
	collection->end = settings->end_time;
}

/* Collects until the end; -1 with err. */
static int collect(struct collection *collection, struct error *err)
{
	const struct interval_timer *timer = &collection->timer;
	struct error later = ERROR_INIT;
	int answer = engine_start(collection->engine, err), wait;

	RETURN_IF(answer < 0, -1);
	follow(collection);
	if (collection->exposition.scrape)
		message_sink_emit(&collection->sink, SEVERITY_INFO, 3696,
				 "the newest snapshot is at http://127.0.0.1:%u/metrics",
				 scrape_port(collection->exposition.scrape));
	while (answer >= 0 && !collection->ended && !is_over(collection, &wait) &&
	       !engine_is_halted(collection->engine)) {
		if (timer->limit && collection->taken + 1 >= timer->limit)
			break;
		answer = engine_serve(collection->engine, wait, err);
		if (answer <= 0)
			continue;
		collection->taken++;
		hosted_count_snapshot(collection->guests);
		follow(collection);
	}
	if (engine_finish(collection->engine, answer < 0 ? &later : err) < 0)
		answer = -1;
	error_release(&later);
	return answer < 0 ? -1 : 0;
}

/* Reports what was done, and what is missing. */
static void report_result(struct collection *collection)
{
	const struct stored_data *data = &collection->data_set;
	const char *path = collection->request->data_set;
	struct stat file;

	if (collection->timer.overruns)
		message_sink_emit(&collection->sink, SEVERITY_WARNING, 3500,
				 "%" PRIu64 " intervals have no snapshot: the previous one took "
				 "too long",
				 collection->timer.overruns);
	if (collection->form.timeline.late)
		message_sink_emit(&collection->sink, SEVERITY_WARNING, 3505,
				 "%" PRIu64 " records have no column: they were not in the first "
				 "snapshot",
				 collection->form.timeline.late);
	monitor_files_written(&collection->form.monitor, &collection->sink);
	if (!path)
		return;
	if (data->missed)
		message_sink_emit(&collection->sink, SEVERITY_ERROR, 3697,
				 "%s: %" PRIu64 " snapshots could not be stored", path,
				 data->missed);
	if (stored_rotates(data) && data->files)
		message_sink_emit(&collection->sink, SEVERITY_INFO, 3504,
				 "%s: %" PRIu64 " snapshots, %" PRIu64 " bytes in %" PRIu64
				 " files, the newest is %s",
				 path, collection->taken - data->missed, data->bytes, data->files,
				 data->name.text);
	else if (!stored_rotates(data) && stat(path, &file) == 0)
		message_sink_emit(&collection->sink, SEVERITY_INFO, 3504,
				 "%s: %" PRIu64 " snapshots, %" PRIu64 " bytes", path,
				 collection->taken - data->missed, (uint64_t)file.st_size);
}

/* Returns whether the reader of the text is gone: no reason for a message. */
static bool reader_gone(FILE *stream)
{
	struct pollfd pollfd;

	RETURN_IF(!stream || !ferror(stream), false);
	pollfd = (struct pollfd){ .fd = fileno(stream) };
	return poll(&pollfd, 1, 0) > 0 && pollfd.revents & POLLERR;
}

/* Reports why the collection cannot continue, unless already reported. */
static void fail(struct collection *collection, const struct error *err)
{
	collection->count.worst =
		collection->count.worst < SEVERITY_ERROR ? SEVERITY_ERROR : collection->count.worst;
	if (*error_text(err) && !reader_gone(collection->request->stream))
		message_sink_emit(&collection->sink, SEVERITY_ERROR, 3503, "%s", error_text(err));
}

/* Collects with third-party modules loaded. */
static void run_collection(struct collection *collection)
{
	const struct collect_request *request = collection->request;
	const struct vigil_operation operation = { .size = sizeof(operation),
						   .operation = VIGIL_COLLECTION,
						   .file = request->data_set,
						   .interval = request->interval,
						   .count = request->count,
						   .start_time = request->start,
						   .end_time = request->end };
	struct error err = ERROR_INIT;
	sigset_t before;
	int again;

	take_signals(collection, &before);
	raise_descriptors();
	if (request->has_port)
		collection->exposition.scrape = scrape_open(request->port, &err);
	hosted_prepare(collection->guests, &operation);
	do
		again = *error_text(&err) ? -1 : build(collection, &err);
	while (again == 1);
	if (again < 0) {
		fail(collection, &err);
	} else {
		wait_for_start(collection, request->start);
		if (!collection->ended && collect(collection, &err) < 0)
			fail(collection, &err);
		else
			report_result(collection);
	}
	hosted_end(collection->guests);
	scrape_close(collection->exposition.scrape);
	metrics_free(collection->metrics);
	strbuf_release(&collection->data_set.name);
	leave_signals(collection, &before);
	error_release(&err);
}

/* Checks the location of the data set; returns the exit status. */
static int check_data_set(const struct collect_request *request, const struct message_sink *sink)
{
	struct destination destination;
	struct error err = ERROR_INIT;
	bool rotates = request->size || request->rotation.kind != ROTATE_NEVER || request->keep;
	int status = EXIT_SUCCESS;

	if (!request->data_set)
		return rotates ? message_sink_emit(sink, SEVERITY_ERROR, 3501,
						  "there is no data set to divide into files")
			       : EXIT_SUCCESS;
	if (destination_find(&destination, request->data_set, &err) < 0) {
		status = message_sink_emit(sink, SEVERITY_ERROR, 31, "%s", error_text(&err));
		error_release(&err);
		return status;
	}
	if (destination.kind == DESTINATION_FILE && !request->replace && !rotates)
		status = message_sink_emit(sink, SEVERITY_ERROR, 3502,
					  "%s exists already; --replace replaces it",
					  request->data_set);
	else if (destination.kind != DESTINATION_NEW && destination.kind != DESTINATION_FILE)
		status = message_sink_emit(sink, SEVERITY_ERROR, 31, "%s cannot be the file of a "
								     "data set",
					  request->data_set);
	destination_release(&destination);
	return status;
}

bool collect_parse_interval(const char *text, uint64_t *interval)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds >= 0.01) || !(seconds <= 86400))
		return false;
	*interval = (uint64_t)(seconds * 1000 + 0.5) * NSEC_PER_MSEC;
	return true;
}

int collect_run(const struct collect_request *request, const struct message_sink *sink)
{
	struct collection collection = {
		.data_set = { .name = STRBUF_INIT },
		.request = request,
		.count = { .sink = sink, .quiet = request->quiet },
		.timer = { .aligned = true },
	};
	int status = check_data_set(request, sink);

	if (status != EXIT_SUCCESS)
		return status;
	collection.sink = message_count_sink(&collection.count);
	collection.guests = guests_load(&request->guests, &collection.sink);
	if (collection.guests)
		run_collection(&collection);
	vigil_engine_finish(collection.guests);
	return (int)collection.count.worst;
}
