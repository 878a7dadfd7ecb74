/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a PROFILER block requests of a session: which events are collected, when,
 * through how large a pool, and in what form they are kept. session/requests fills
 * it from checked statements; events/ and the agent carry it out.
 *
 * Filters. An event is kept if its type is requested, and if every kind of filter
 * lets it pass: the program filters, if any of them matches (library and program
 * and, for statements, the line); the count filter, if its number among the events
 * that passed all others is in the range; the time filter, if its time since the
 * start of collecting, including pauses, is. Without a filter of a kind that kind
 * lets everything pass.
 */
#ifndef VIGIL_EVENTS_EVENT_REQUEST_H
#define VIGIL_EVENTS_EVENT_REQUEST_H

#include "common/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum event_statements { EVENT_STATEMENTS_OFF, EVENT_STATEMENTS_COUNT, EVENT_STATEMENTS_ON };

/* FILTER=PROGRAM: patterns with * and ?; NULL: any. Lines from 1; 0 and 0: any. */
struct event_program_filter {
	const char *library, *program;
	uint64_t line_from, line_to;
};

/* INIT CALLS=: patterns with * and ?; library "": any. At most EVENT_CALL_PATTERNS. */
struct event_call_pattern {
	const char *library, *function;
};
#define EVENT_CALL_PATTERNS 16

/* Minimum, maximum and default of the pool size PDPSIZE, KB. */
#define EVENT_POOL_MIN_KB UINT64_C(100)
#define EVENT_POOL_MAX_KB UINT64_C(2097151)
#define EVENT_POOL_DEFAULT UINT64_C(16384)

/* Texts are borrowed. */
struct event_request {
	bool wanted;  /* FUNCTION=INIT was given: without it the rest is ignored */
	bool started; /* FUNCTION=START followed, without a later PAUSE */
	uint64_t types; /* 1 << enum event_type; 0: all types */
	enum event_statements statements;
	bool run_time; /* FNAT=ON: also programs of run times (libc, libcob, the interpreter) */
	const struct event_program_filter *programs;
	size_t program_count;
	/* FUNCTIONS: patterns of functions to patch, OBJECT!FUNCTION or FUNCTION. */
	char *const *functions;
	size_t function_count;
	uint64_t count_from, count_to; /* from 1; 0: no bound */
	uint64_t time_from, time_to;   /* ns; 0: no bound */
	uint64_t interval; /* SAMPLING=ON: ns of CPU time; 0: every event is kept */
	bool consolidate;  /* CONSOLIDATE=ON */
	bool coverage;	   /* COVERAGE=ON */
	bool trace;	   /* TRACE=ON: a line per event on standard output while collecting */
	const struct event_call_pattern *calls; /* CALLS=: functions of other libraries */
	size_t call_count;
	bool shapes;	   /* SQL=SHAPE: statements without their values */
	bool online;	   /* ONLINE=ON: only the newest events are kept, for requests of them */
	uint64_t pool_kb;  /* 0: EVENT_POOL_DEFAULT */
};

/*
 * Appends the filters as statements: "FILTER=EVENT EVENT=(P,NS) FILTER=COUNT
 * TO=9"; nothing if everything is kept.
 */
void event_request_format(const struct event_request *request, struct strbuf *sb);

#endif
