/* SPDX-License-Identifier: Apache-2.0 */
/* Measures one running program for a request of the store. */
#include "common/compat.h"
#include "session/watch/watched.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "session/measure/measure.h"
#include "session/measure/running.h"
#include "session/requests/precedence.h"
#include "session/watch/meant.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define STEP_MS 100

/* The session in progress. */
struct session {
	const struct watched *watched;
	const struct control_request *request;
	struct request_settled settled;
	struct measure_request wanted;
	struct measure *measure;
	struct request_step process;
	struct request_claim claim;
	char *program, *command, *output, *library;
	uint64_t opened, renewed; /* monotonic */
};

/* Returns whether the process is still the one that was found, and is not about to end. */
static bool is_there(const struct watched *watched)
{
	int64_t second;
	uint64_t ticks;

	return process_start_time(watched->pid, &second, &ticks) && ticks == watched->ticks;
}

/* Creates a new file; returns false only if the path exists already. */
static bool take_path(const char *path)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	RETURN_IF(fd < 0, errno != EEXIST);
	close(fd);
	return true;
}

/*
 * Returns a path for the sample data set that no other session has: two watches
 * may try the same process in the same second.
 */
static char *choose_output(const struct watched *watched)
{
	struct strbuf path = STRBUF_INIT;
	const time_t now = time(NULL);
	char when[32];
	struct tm local;
	size_t length;

	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", localtime_r(&now, &local));
	strbuf_addf(&path, "%s/REQ%05" PRIu64 "-%s-%d", watched->folder, watched->waiting->number,
		    when, watched->pid);
	length = path.length;
	strbuf_addstr(&path, ".vprf");
	for (unsigned number = 2; !take_path(path.text); number++) {
		strbuf_setlen(&path, length);
		strbuf_addf(&path, "-%u.vprf", number);
	}
	return strbuf_detach(&path, NULL);
}

/* Returns the request of the store for which the program is measured (struct request_inputs). */
static const struct control_request *waiting_request(void *argument, uint64_t *number)
{
	const struct session *session = argument;

	*number = session->watched->waiting->number;
	return session->request;
}

/*
 * Resolves the operands in effect: only the statements of the store select the
 * program, and they have no blocks.
 */
static void settle(struct session *session)
{
	struct diag_list diags = DIAG_LIST_INIT;

	request_resolve(&session->settled,
		       &(struct request_inputs){ .stored = waiting_request, .argument = session },
		       &diags);
	diag_list_release(&diags);
	session->library = request_shell_library(session->request->collector_library);
	request_settled_fill(&session->settled, &session->wanted, &session->library);
}

/* Sets what is to be measured, and how. */
static void fill(struct session *session)
{
	const struct watched *watched = session->watched;
	const struct control_request *request = session->request;
	const bool named = request->job && !strpbrk(request->job, "*%?");

	session->program = running_program(watched->pid);
	session->command = running_command(watched->pid);
	session->output = choose_output(watched);
	session->process = (struct request_step){
		.job = request->job,
		.step = "",
		.procstep = "",
		.program = session->program,
		.job_number = "vigil watch",
		.process = watched->pid,
	};
	session->wanted = (struct measure_request){
		.output = session->output,
		.job = named ? request->job : "",
		.job_number = "",
		.step = "",
		.procstep = "",
		.program = session->program,
		.command = session->command,
		.request_type = "ACTIVE",
		.whole_process = true,
	};
	settle(session);
}

static void release(struct session *session)
{
	measure_free(session->measure);
	request_settled_release(&session->settled);
	request_claim_release(&session->claim);
	free(session->program);
	free(session->command);
	free(session->output);
	free(session->library);
}

/* Calls work with the store, opened only for this call; returns its result, or -1. */
static int on_store(const struct session *session, int patience,
		    int (*work)(struct request_store *store, void *argument, struct error *err),
		    void *argument, struct error *err)
{
	struct request_store *store =
		request_store_open(session->watched->store, false, patience, err);
	int result = -1;

	if (store)
		result = work(store, argument, err);
	else if (!*error_text(err))
		error_set(err, "%s no longer exists", session->watched->store);
	request_store_close(store);
	return result;
}

struct refusal {
	uint64_t number;
	const char *why;
};

static int refuse_on(struct request_store *store, void *argument, struct error *err)
{
	const struct refusal *refusal = argument;

	return running_refuse(store, refusal->number, refusal->why, err);
}

/* Sets the request to Failed, because the process cannot be measured. */
static enum watched_status refuse(const struct session *session, const char *why)
{
	struct refusal refusal = { session->watched->waiting->number, why };
	struct error err = ERROR_INIT;
	enum watched_status status = WATCHED_DONE;

	if (on_store(session, STORE_PATIENCE, refuse_on, &refusal, &err) < 0) {
		message_sink_emit(session->watched->sink, SEVERITY_WARNING, 6820,
				 "request %" PRIu64 ": the request store could not be notified "
				 "that it cannot be measured (%s): %s",
				 refusal.number, why, error_text(&err));
		status = WATCHED_STORE;
	} else {
		message_sink_emit(session->watched->sink, SEVERITY_ERROR, 6818,
				 "request %" PRIu64 " cannot be measured: %s", refusal.number, why);
	}
	error_release(&err);
	return status;
}

static int claim_on(struct request_store *store, void *argument, struct error *err)
{
	struct session *session = argument;
	const char *const *variable = measure_environment(session->measure);
	static const char name[] = "VIGIL_TRANSACTIONS=";
	int result = running_claim(store, session->watched->waiting->number, &session->process,
				   session->watched->began, session->watched->at_most,
				   &session->claim, err);

	if (result != 1)
		return result;
	for (; variable && *variable; variable++)
		if (strncmp(*variable, name, sizeof(name) - 1) == 0 &&
		    request_claim_began(store, session->claim.number,
					*variable + sizeof(name) - 1, err) < 0)
			return -1;
	return 1;
}

static int renew_on(struct request_store *store, void *argument, struct error *err)
{
	const struct session *session = argument;

	return request_claim_renew(store, session->claim.number, err);
}

/* The outcome of a claim. */
struct ending {
	struct session *session;
	const char *data_set; /* NULL: none */
	const char *why;
	bool interrupted;
};

static int end_on(struct request_store *store, void *argument, struct error *err)
{
	const struct ending *ending = argument;
	const struct session *session = ending->session;

	if (ending->interrupted)
		return running_claim_interrupted(store, &session->claim, &session->process,
						 ending->data_set, err);
	return request_claim_end(store, &session->claim, &session->process, ending->data_set,
				 ending->why, err);
}

/* Begins to measure. WATCHED_DONE: started; otherwise the exit status for the watch. */
static enum watched_status open_session(struct session *session)
{
	const struct watched *watched = session->watched;
	struct diag_list diags = DIAG_LIST_INIT;
	struct error err = ERROR_INIT;
	enum watched_status status = WATCHED_DONE;

	if (running_check(watched->pid, &err) < 0) {
		status = is_there(watched) ? refuse(session, error_text(&err)) : WATCHED_NOTHING;
		error_release(&err);
		return status == WATCHED_DONE ? WATCHED_NEVER : status;
	}
	fill(session);
	session->measure = measure_new(&session->wanted, &diags);
	for (size_t i = 0; i < diags.count; i++)
		message_sink_emit(watched->sink, diags.items[i].severity, diags.items[i].number,
				 "request %" PRIu64 ": %s", watched->waiting->number,
				 diags.items[i].text);
	diag_list_release(&diags);
	if (measure_attach(session->measure, watched->pid, &err) < 0) {
		status = is_there(watched) ? refuse(session, error_text(&err)) : WATCHED_NOTHING;
		status = status == WATCHED_DONE ? WATCHED_NEVER : status;
	} else if (!is_there(watched)) {
		status = WATCHED_NOTHING;
	}
	error_release(&err);
	return status;
}

/* Makes the store assign the request to this process, which is already measuring. */
static enum watched_status claim(struct session *session)
{
	struct error err = ERROR_INIT;
	const int result = on_store(session, STORE_PATIENCE, claim_on, session, &err);
	enum watched_status status = WATCHED_NOTHING;

	if (result == 1) {
		status = WATCHED_DONE;
		message_sink_emit(session->watched->sink, SEVERITY_INFO, 6816,
				 "request %" PRIu64 ": process %d (%s) is measured",
				 session->claim.number, session->watched->pid, session->program);
	} else if (result == RUNNING_MEASURED) {
		status = WATCHED_NEVER;
	} else if (result < 0) {
		status = WATCHED_STORE;
		message_sink_emit(session->watched->sink, SEVERITY_WARNING, 6819,
				 "the request store cannot be used: %s", error_text(&err));
	}
	error_release(&err);
	return status;
}

/* Renews the claim now and then, and retries soon after a failure. */
static void renew(struct session *session)
{
	const uint64_t now = clock_monotonic_ns();
	struct error err = ERROR_INIT;

	if (now - session->renewed < (uint64_t)REQUEST_RENEW * NSEC_PER_SEC)
		return;
	session->renewed = now;
	on_store(session, STORE_RENEW_PATIENCE, renew_on, session, &err);
	error_release(&err);
}

/* Measures until the session is over; -1 if it broke off. */
static int observe(struct session *session, struct error *err)
{
	const struct control_request *request = session->request;
	const uint64_t minutes = request->no_limit ? 0 : request->session_minutes;

	while (measure_alive(session->measure) && !*session->watched->stop) {
		const uint64_t passed = clock_monotonic_ns() - session->opened;

		if (minutes && passed >= minutes * 60 * NSEC_PER_SEC)
			break;
		RETURN_IF(measure_step(session->measure, STEP_MS, err) < 0, -1);
		renew(session);
	}
	return 0;
}

/* Reports the result of the session to the store and to the message sink. */
static void log_end(struct session *session, struct ending *ending, uint64_t samples)
{
	const struct message_sink *sink = session->watched->sink;
	struct error err = ERROR_INIT;

	if (on_store(session, STORE_PATIENCE, end_on, ending, &err) < 0)
		message_sink_emit(sink, SEVERITY_WARNING, 6820,
				 "request %" PRIu64 ": the request store could not be notified "
				 "that process %d %s: %s",
				 session->claim.number, session->watched->pid, ending->why,
				 error_text(&err));
	if (ending->data_set)
		message_sink_emit(sink, SEVERITY_INFO, 6817,
				 "request %" PRIu64 ": process %d (%s) %s: %" PRIu64
				 " samples; sample data set %s",
				 session->claim.number, session->watched->pid, session->program,
				 ending->why, samples, ending->data_set);
	else
		message_sink_emit(sink, SEVERITY_ERROR, 6818,
				 "request %" PRIu64 ": process %d (%s) %s", session->claim.number,
				 session->watched->pid, session->program, ending->why);
	error_release(&err);
}

/* Reports a recording that is missing or not complete. */
static void log_recording(const struct session *session)
{
	const char *why = measure_recording_failure(session->measure);

	if (*why)
		message_sink_emit(session->watched->sink, SEVERITY_WARNING, 6621,
				 "request %" PRIu64 ": the recording %s is not complete: %s",
				 session->claim.number, measure_recording(session->measure), why);
}

/* Measures, closes the session, and reports the result. */
static void carry_out(struct session *session)
{
	struct ending ending = { .session = session, .why = "was measured" };
	struct error err = ERROR_INIT;
	struct strbuf why = STRBUF_INIT;
	struct sampler_counts counts;
	bool good = observe(session, &err) == 0;

	ending.interrupted = *session->watched->stop && *session->watched->stop != SIGQUIT;
	if (measure_finish(session->measure, &err) < 0)
		good = false;
	measure_counts(session->measure, &counts);
	if (!good) {
		strbuf_addf(&why, "was not measured to its end: %s", error_text(&err));
		ending.why = why.text;
		ending.interrupted = false;
	} else {
		ending.data_set = session->output;
		if (ending.interrupted)
			ending.why = "was measured until vigil watch was stopped";
	}
	log_recording(session);
	log_end(session, &ending, counts.processed);
	strbuf_release(&why);
	error_release(&err);
}

enum watched_status watched_run(const struct watched *watched)
{
	struct session session = {
		.watched = watched,
		.request = &watched->waiting->deck->statements->request,
		.opened = clock_monotonic_ns(),
		.renewed = clock_monotonic_ns(),
	};
	enum watched_status status = open_session(&session);

	if (status == WATCHED_DONE)
		status = *watched->stop ? WATCHED_NOTHING : claim(&session);
	if (status == WATCHED_DONE) {
		carry_out(&session);
	} else if (session.output) {
		measure_free(session.measure);
		session.measure = NULL;
		unlink(session.output);
	}
	release(&session);
	return status;
}
