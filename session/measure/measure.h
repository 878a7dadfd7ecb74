/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A measurement session: one step observed from start to end, one sample data set.
 * Combines sampler, engine and data set, and runs the loop.
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
	const char *named;				/* the path that the data set has of itself;
							 * NULL: output */
	const char *record;				/* the recording to make; NULL: none */
	bool record_beside;				/* without record: a recording with the name of
							 * the data set and RECORDING_SUFFIX is made */
	bool record_no_memory;				/* without data of the program */
	bool record_objects;				/* with the content of objects */
	uint64_t record_limit;				/* its maximum size, bytes; 0:
							 * RECORDING_SIZE_MB */
	const char *replayed;				/* a recording is replayed with these
							 * options, other than it was made with;
							 * NULL: it is not */
	bool no_collectors, names_anew;			/* such options: no data collectors are
							 * called; files that are there are named
							 * anew */
	const char *resource;				/* its name in a resource library; NULL:
							 * none */
	const char *job, *job_number, *step, *procstep; /* "" outside jobs */
	const char *program;				/* as named by the user */
	const char *executable;				/* its file; NULL: unknown */
	const char *command;				/* the command line, for the header */
	uint64_t request_number;			/* 0: from run or attach */
	const char *request_type;			/* "QUEUED", "ACTIVE" */
	uint64_t samples;				/* 0: default 10000 */
	uint64_t session_minutes; /* 0: not given; sets the rate to samples / minutes */
	uint64_t rate;		  /* samples per second of CPU time and task; 0: default */
	double cost;		  /* limit of the overhead, percent of the step's CPU time; 0:
				   * default */
	bool no_metrics;	  /* no metrics of the whole system */
	bool limit_given, no_limit;
	uint64_t limit;
	bool limit_stops; /* STOP instead of QUIT */
	enum privilege privilege; /* the highest to use; a lower one is reported */
	bool keep_old;		  /* an existing output is kept as OUTPUT.old */
	const struct sampler_file *files;
	size_t file_count;
	struct collector_request collectors;
	bool sampled; /* samples are taken; false if only a PROFILER block requests the session */
	bool paused;  /* the session begins paused: INIT or PAUSE came last, without START */
	struct event_request events;
	const char *trace; /* output of its trace: a file to create; NULL: standard output */
	bool count_files; /* the programs start with measure_preload, and count what they read
			   * and write */
	bool whole_process; /* everything that this process does, from its start, counts for the
			     * session */
	bool progress; /* show progress on standard error if it is a terminal */
};

struct measure;

/*
 * Creates a session before the step's process exists, and sets up the transaction
 * area. Without an area, for example because of a file size limit, everything else
 * is measured, and a note says so. The request and what it points to are borrowed
 * until measure_free. Problems with data collectors are in diags; they never stop
 * the session.
 *
 * LIMIT=(n,QUIT): a sample data set is closed when it holds SAMPLES samples and
 * the next begins, n in all ("x.vprf", "x.2.vprf", ...); then sampling ends though
 * the step continues. LIMIT=(n,STOP): the same, but the last one is only suspended
 * and closed when the step ends. Otherwise the session lasts as long as the step,
 * and the rate is halved as the session grows.
 */
struct measure *measure_new(const struct measure_request *request, struct diag_list *diags);
/*
 * Returns the path of a request's session (numbered from 1): "x.vprf", "x.2.vprf",
 * ... The caller frees it.
 */
char *measure_session_path(const char *output, uint64_t session);
/* Returns the variables to add to the step's environment, "NAME=value", NULL-terminated. */
const char *const *measure_environment(const struct measure *measure);
/* Returns the library to preload into the step, before all others; NULL: none. */
const char *measure_preload(const struct measure *measure);
/* Returns the samples per second of CPU time of a task with which a request's session begins. */
uint64_t measure_rate(const struct measure_request *request);
/* Observes child, which is blocked before its exec and may be released on return. */
int measure_follow(struct measure *measure, pid_t child, struct error *err);
/* Observes a running process instead. */
int measure_attach(struct measure *measure, pid_t pid, struct error *err);

/*
 * Serves the session for at most timeout_ms, or until something else needs the
 * caller. Call it until the step is over. -1: the session cannot continue (the
 * step may).
 */
int measure_step(struct measure *measure, int timeout_ms, struct error *err);
/* Returns whether any task of the step is alive. */
bool measure_alive(const struct measure *measure);
/*
 * Removes the progress line because something else will be printed; it reappears
 * at the next step.
 */
void measure_quiet(struct measure *measure);
/* Sets how the step ended, for the header: "" abend if it ended normally. CPU times in ns. */
void measure_set_result(struct measure *measure, int return_code, const char *abend,
			uint64_t cpu_user, uint64_t cpu_system, uint64_t peak_resident);
/* Ends the session: resolves names and closes the data set. */
int measure_finish(struct measure *measure, struct error *err);
/*
 * Returns whether collecting was active at any time; false if the session began
 * paused and was never started.
 */
bool measure_was_started(const struct measure *measure);
/* Returns whether a process belongs to the session instead of the step. */
bool measure_owns(const struct measure *measure, pid_t pid);
void measure_counts(const struct measure *measure, struct sampler_counts *counts);
/* Returns the number of events in the data set; 0 if none were requested. */
uint64_t measure_events(const struct measure *measure);
/* Returns whether a session had less privilege than the request wants. */
bool measure_lacks_privilege(const struct measure *measure);
/* Returns why trace lines are missing; "": none are missing. */
const char *measure_trace_failure(const struct measure *measure);
/*
 * Returns why the recording is missing or not complete, a sentence without full
 * stop; "": it is there, or was not requested. After measure_finish.
 */
const char *measure_recording_failure(const struct measure *measure);
/* Returns the path of the recording; NULL: none was requested. */
const char *measure_recording(const struct measure *measure);
void measure_free(struct measure *measure);

#endif
