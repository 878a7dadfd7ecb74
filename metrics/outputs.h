/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consumers that write metrics as text. They use only records and their
 * descriptions, so live and stored data give the same output. The last snapshot of
 * an operation, which has no metrics, adds nothing.
 */
#ifndef VIGIL_METRICS_OUTPUTS_H
#define VIGIL_METRICS_OUTPUTS_H

#include "engine/engine.h"
#include "metrics/monitor/monitor.h"
#include "metrics/selection.h"

#include <stdio.h>

/* LIST: every value of every record, with its name and unit. LISTALL: also its meaning. */
struct text_list {
	FILE *stream;
	bool all;
	const struct selection *selection; /* NULL: all metrics */
};
extern const struct module_class text_list_class;

/*
 * CSV: a row an interval, a column a metric, like T4: levels as they are, counters
 * as growth per second. The columns are those of the first snapshot; later records
 * have none, and are counted. Processes, which come and go, and records reported
 * only on change ("present") have no columns.
 */
struct timeline {
	FILE *stream;
	const struct selection *selection; /* as above; metrics only */
	uint64_t late;			   /* output: records without a column */
	/* For the consumer's use. */
	struct timeline_group *groups;
	size_t group_count, group_alloc;
	uint64_t before; /* time of the last row, 0: none */
	struct strbuf row;
};
extern const struct module_class timeline_class;

/* A JSON object a record, one a line: {"snapshot":1,"time":...,"record":"mem","items":{}}. */
struct json_lines {
	FILE *stream;
	const struct selection *selection; /* as above */
};
extern const struct module_class json_lines_class;

/* One of these, by its name in either case. */
#define TEXT_FORMS "LIST, LISTALL, CSV, JSON or MONWRITE"
struct text_form {
	struct text_list list;
	struct timeline timeline;
	struct json_lines json;
	struct monitor_output monitor; /* not text: monitor records; the caller sets live */
};
bool text_form_known(const char *name);
/* Adds the consumer of a form to an engine; form is its context. Returns NULL on failure. */
struct module *text_form_add(struct engine *engine, struct text_form *form, const char *name,
			     FILE *stream, const struct selection *selection, struct error *err);

/*
 * A line an interval with the most important values; the heading is repeated after
 * every screenful. On a terminal the number of columns follows its present size.
 */
struct live_table {
	FILE *stream;
	unsigned lines; /* screen height where the output is no terminal, 0: print the heading
			 * once */
	uint64_t written;
	/* For the consumer's use. */
	unsigned columns; /* of the last heading */
	unsigned below;	  /* lines since the heading */
};
extern const struct module_class live_table_class;

/*
 * A filter: empties the snapshots outside a range of time (both ends inclusive, ns
 * since 1970; where a file has no time of day, ns of its clock), and marks which
 * selected records there are.
 */
struct time_range {
	uint64_t from, to;
	struct selection *selection;
	uint64_t passed; /* output: number of snapshots passed */
};
extern const struct module_class time_range_class;
/* Returns the time of a snapshot for that comparison. */
uint64_t time_range_place(const struct snapshot *snapshot);

/* Appends the time of a snapshot as "2026-11-23T06:50:01.250Z", "-" when it is unknown. */
void output_time(struct strbuf *sb, uint64_t wall);
/* Writes text to a stream, and empties it. */
enum module_status output_write(FILE *stream, struct strbuf *text, struct error *err);
/* Appends a value as text, "-" when it is missing. */
void output_value(struct strbuf *sb, const struct recordset *set, size_t record, size_t field,
		  const struct strmap *strings);
/* Returns whether a set has records that are selected. */
bool output_takes(const struct selection *selection, const struct recordset *set);
/* Returns the same for a field; one that identifies a record is always shown. */
bool output_shows(const struct selection *selection, const struct record_type *type, size_t field);

#endif
