/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events as lines of text while they are collected (TRACE=ON): a filter that
 * changes nothing. It shows the events that earlier filters have let through,
 * those of a snapshot in order of time, with the main data of the event trace
 * (report EVT): time since the session began and CPU time, task, type, level,
 * program, line, what happened, code, data. It comes before the filters that sum
 * events up or keep only the newest.
 */
#ifndef VIGIL_EVENTS_EVENT_LINES_H
#define VIGIL_EVENTS_EVENT_LINES_H

#include "common/idmap.h"
#include "engine/engine.h"

/* Maximum number of lines of a trace: more might fill a disk, and is in the data set. */
#define EVENT_LINES_MAX UINT64_C(1000000)
/* Prefix of each line. */
#define EVENT_LINES_MARK "#EVT"

struct event_lines {
	uint64_t start; /* of the session, ns monotonic */
	uint64_t most;	/* maximum number of lines */
	/* Takes one line, which ends with a newline. */
	void (*take)(void *argument, const char *line, size_t length);
	void *argument;

	/* Private. */
	uint64_t count;		/* number of events so far */
	struct recordset sites; /* EVENT_SITE */
	struct idmap by_site;	/* site -> index in sites */
	struct idmap tasks;	/* task -> string of its name */
	struct strbuf line;
};

void event_lines_init(struct event_lines *lines);
void event_lines_release(struct event_lines *lines);
/* Shows the events of the next snapshot. */
void event_lines_apply(struct event_lines *lines, const struct snapshot *snapshot,
		       const struct strmap *strings);

/*
 * The same as a filter module. Context: struct event_lines with start, most, take
 * and argument set.
 */
extern const struct module_class event_lines_class;

#endif
