/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events as lines of text while they are collected (TRACE=ON): a filter that
 * changes nothing. It shows the events that the filters before it have let
 * through, those of a snapshot in the order of time, with the main data of the
 * event trace (report EVT): times since the session began and of CPU, task, type,
 * level, program, line, what happened, code, data. It comes before the filters
 * that sum events up or keep the newest of them.
 */
#ifndef VIGIL_EVENTS_EVENT_LINES_H
#define VIGIL_EVENTS_EVENT_LINES_H

#include "common/idmap.h"
#include "engine/engine.h"

/* Lines of one trace at most: what would fill a disk is in the data set. */
#define EVENT_LINES_MOST UINT64_C(1000000)
/* What each line begins with. */
#define EVENT_LINES_MARK "#EVT"

struct event_lines {
	uint64_t start; /* of the session, ns monotonic */
	uint64_t most;	/* lines at most */
	/* Takes one line, which ends with a newline. */
	void (*take)(void *argument, const char *line, size_t length);
	void *argument;

	/* Its own. */
	uint64_t count;		/* events so far */
	struct recordset sites; /* EVENT_SITE */
	struct idmap by_site;	/* to rows of sites */
	struct idmap tasks;	/* to strings, their names */
	struct strbuf line;
};

void event_lines_init(struct event_lines *lines);
void event_lines_release(struct event_lines *lines);
/* Show the events of the next snapshot. */
void event_lines_apply(struct event_lines *lines, const struct snapshot *snapshot,
		       const struct strmap *strings);

/* The same as a filter module. Context: struct event_lines with start, most, take and argument. */
extern const struct module_class event_lines_class;

#endif
