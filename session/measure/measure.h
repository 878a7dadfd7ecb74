/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A measurement session: one step observed from start to end, one sample
 * data set. Puts sampler, engine and data set together and runs the loop.
 */
#ifndef VIGIL_SESSION_MEASURE_MEASURE_H
#define VIGIL_SESSION_MEASURE_MEASURE_H

#include "common/error.h"
#include "events/event-request.h"
#include "sampler/sampler.h"
#include "session/measure/choose-collectors.h"

#define MEASURE_DEFAULT_SAMPLES UINT64_C(10000)
#define MEASURE_DEFAULT_RATE UINT64_C(1000)

struct measure_request {
	const char *output;				/* path of the sample data set */
	const char *resource;				/* its name in a resource library; NULL none */
	const char *job, *job_number, *step, *procstep; /* "" outside jobs */
	const char *program;				/* as the user named it */
	const char *executable;				/* its file; NULL: not known */
	const char *command;				/* the command line, for the header */
	uint64_t request_number;			/* 0: made by run or attach */
	const char *request_type;			/* "QUEUED", "ACTIVE" */
	uint64_t samples;				/* 0: default 10000 */
	uint64_t session_minutes; /* 0: not given; fixes the rate at samples / minutes */
	uint64_t rate;		  /* samples a second of CPU time and a task; 0: the default */
	double cost;		  /* percent of the step's CPU time that it may cost; 0: the default */
	bool no_metrics;	  /* nothing is told of the whole system */
	bool limit_given, no_limit;
	uint64_t limit;
	bool limit_stops; /* STOP instead of QUIT */
	enum privilege privilege; /* the highest that is used; what it lacks is said */
	bool keep_old;		  /* what stands at output is kept as OUTPUT.old */
	const struct sampler_file *files;
	size_t file_count;
	struct collector_request collectors;
	bool sampled; /* samples are taken: not when a PROFILER block alone asks for the session */
	bool paused;  /* the session begins paused: INIT or PAUSE came last, and no START */
	struct event_request events;
	const char *trace; /* where its trace goes: a file to make; NULL: standard output */
	bool count_files; /* the programs begin with measure_preload, and count what they read and write */
	bool whole_process; /* all that this process does is for the session, from its start */
	bool progress; /* show progress on standard error when it is a terminal */
};

struct measure;

/*
 * Prepare before the step's process exists: sets up the transaction area. Without
 * one, perhaps for a limit on the size of files, everything else is measured, and a
 * note says so.
 * The request and what it points at are borrowed until measure_free. What
 * is wrong with its data collectors is in diags; it never stops the session.
 *
 * LIMIT=(n,QUIT): a sample data set is closed when it holds SAMPLES samples
 * and the next begins, n in all ("x.vprf", "x.2.vprf", ...); then sampling
 * ends though the step goes on. LIMIT=(n,STOP): the same, but the last one
 * is only suspended and closed when the step ends. Otherwise the session
 * lasts as long as the step and the rate is halved as it grows.
 */
struct measure *measure_new(const struct measure_request *request, struct diag_list *diags);
/* The path of a request's session, from 1: "x.vprf", "x.2.vprf", ... The caller frees it. */
char *measure_session_path(const char *output, uint64_t session);
/* The variables the step needs to see, "NAME=value", NULL at the end. */
const char *const *measure_environment(const struct measure *measure);
/* The library that must be preloaded into the step, before all others; NULL: none. */
const char *measure_preload(const struct measure *measure);
/* child is blocked before its exec; on return it may be let go. */
int measure_follow(struct measure *measure, pid_t child, struct error *err);
/* Or: observe a process that runs. */
int measure_attach(struct measure *measure, pid_t pid, struct error *err);

/*
 * Serve the session until something happens that is not its business: wait
 * at most timeout_ms. Call until the step is over. -1: the session cannot go
 * on (the step may).
 */
int measure_step(struct measure *measure, int timeout_ms, struct error *err);
/* Whether any task of the step is alive. */
bool measure_alive(const struct measure *measure);
/* Take the progress line away, because something else is to be shown; it comes back at the next step. */
void measure_quiet(struct measure *measure);
/* How the step ended, for the header: "" abend when it ended by itself. CPU times in ns. */
void measure_set_result(struct measure *measure, int return_code, const char *abend,
			uint64_t cpu_user, uint64_t cpu_system, uint64_t peak_resident);
/* End the session: names are resolved, the data set closed. */
int measure_finish(struct measure *measure, struct error *err);
/* Whether collecting was active at any time: not when the session began paused and nobody started it. */
bool measure_was_started(const struct measure *measure);
/* Whether a process belongs to the session, and not to the step. */
bool measure_owns(const struct measure *measure, pid_t pid);
void measure_counts(const struct measure *measure, struct sampler_counts *counts);
/* Events in the data set; 0 when none were asked for. */
uint64_t measure_events(const struct measure *measure);
/* Whether a session was measured on a lower rung than the request asks for. */
bool measure_lacks_privilege(const struct measure *measure);
/* Why lines of its trace are missing; "" when none are. */
const char *measure_trace_failure(const struct measure *measure);
void measure_free(struct measure *measure);

#endif
