/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consumers that write metrics as text. They see records and their
 * descriptions only, so live and stored data are the same to them. The last
 * snapshot of an operation, which has no metrics, adds nothing.
 */
#ifndef VIGIL_METRICS_OUTPUTS_H
#define VIGIL_METRICS_OUTPUTS_H

#include "engine/engine.h"
#include "metrics/monitor/monitor.h"
#include "metrics/selection.h"

#include <stdio.h>

/* LIST: every value of every record, with its name and unit. LISTALL: and its meaning. */
struct text_list {
	FILE *stream;
	bool all;
	const struct selection *selection; /* NULL: all metrics */
};
extern const struct module_class text_list_class;

/*
 * A row an interval, a column a metric, as T4 has them: levels as they are,
 * counters as what they grew in a second. The columns are those of the first
 * snapshot; what comes later has none, and is counted. Processes, which come
 * and go, and what is told when it changes ("present") have none.
 */
struct timeline {
	FILE *stream;
	const struct selection *selection; /* as above; metrics only */
	uint64_t late;			   /* records that had no column; filled */
	/* The consumer's own. */
	struct timeline_group *groups;
	size_t group_count, group_alloc;
	uint64_t before; /* time of the last row, 0 none */
	struct strbuf row;
};
extern const struct module_class timeline_class;

/* A JSON object a record, on a line of its own: {"snapshot":1,"time":...,"record":"mem","items":{}}. */
struct json_lines {
	FILE *stream;
	const struct selection *selection; /* as above */
};
extern const struct module_class json_lines_class;

/* One of these by its name, in either case. */
#define TEXT_FORMS "LIST, LISTALL, CSV, JSON or MONWRITE"
struct text_form {
	struct text_list list;
	struct timeline timeline;
	struct json_lines json;
	struct monitor_output monitor; /* no text: monitor records; the caller sets live */
};
bool text_form_known(const char *name);
/* Adds the consumer of a form to an engine; form is its context. NULL: that cannot be. */
struct module *text_form_add(struct engine *engine, struct text_form *form, const char *name,
			     FILE *stream, const struct selection *selection, struct error *err);

/*
 * A line an interval with what one looks at first; heading lines come again
 * after every screen. On a terminal there are as many columns as it has room
 * for, whatever is done to its size.
 */
struct live_table {
	FILE *stream;
	unsigned lines; /* of the screen of what is no terminal, 0: one heading is enough */
	uint64_t written;
	/* The consumer's own. */
	unsigned columns; /* of the last heading */
	unsigned below;	  /* lines since */
};
extern const struct module_class live_table_class;

/*
 * A filter: empties the snapshots before and after a time (of both ends, ns since 1970; where a
 * file tells no time of day, ns of its own clock), and sees which selected records there are.
 */
struct time_range {
	uint64_t from, to;
	struct selection *selection;
	uint64_t passed; /* snapshots; filled */
};
extern const struct module_class time_range_class;
/* Where a snapshot stands in that time. */
uint64_t time_range_place(const struct snapshot *snapshot);

/* Appends the time of a snapshot as "2026-11-23T06:50:01.250Z", "-" when it is not known. */
void output_time(struct strbuf *sb, uint64_t wall);
/* Writes what is in text to a stream, and empty it. */
enum module_status output_write(FILE *stream, struct strbuf *text, struct error *err);
/* Appends a value as text, "-" when it is missing. */
void output_value(struct strbuf *sb, const struct recordset *set, size_t record, size_t field,
		  const struct strmap *strings);
/* Returns whether a set has records that are selected. */
bool output_takes(const struct selection *selection, const struct recordset *set);
/* The same of a field; what tells a record from others of its type is always shown. */
bool output_shows(const struct selection *selection, const struct record_type *type, size_t field);

#endif
