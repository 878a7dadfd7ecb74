/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a line an interval with the most important values. */
#include "common/compat.h"
#include "common/clock.h"
#include "metrics/outputs.h"

#include <sys/ioctl.h>

/* Width in characters of the time, and of a column including the blank before it. */
#define TIME_WIDTH 8U
#define COLUMN_WIDTH 10U
#define NOT_KNOWN (__builtin_nan(""))

/*
 * Returns the sum of a field over the records of a type, without the one named
 * except; NaN: unknown.
 */
static double sum_of(const struct module *module, const struct snapshot *snapshot, const char *type,
		     const char *field, const char *except)
{
	const struct record_type *found = registry_find(engine_types(module->engine), type);
	const struct recordset *set = found ? snapshot_records(snapshot, found->id) : NULL;
	struct field_value value;
	double sum = NOT_KNOWN;
	size_t at = 0;

	if (!set || !set->count)
		return sum;
	while (at < found->field_count && strcmp(found->fields[at].name, field) != 0)
		at++;
	for (size_t i = 0; at < found->field_count && i < set->count; i++) {
		if (except && recordset_value(set, i, 0, &value) &&
		    strcmp(strmap_text(engine_strings(module->engine), (uint32_t)value.number),
			   except) == 0)
			continue;
		if (!recordset_value(set, i, at, &value))
			continue;
		sum = (sum == sum ? sum : 0) +
		      (value.type == FIELD_DOUBLE ? value.real : (double)value.number);
	}
	return sum;
}

/* One column. */
struct column {
	const char *head, *type, *field;
	const char *except;
	double divisor;
	enum { AS_IT_IS, PER_SECOND, SHARE } kind; /* SHARE: percent of all CPU time */
};

static const struct column columns[] = {
	{ "user%", "sys", "user", NULL, 0, SHARE },
	{ "sys%", "sys", "system", NULL, 0, SHARE },
	{ "wait%", "sys", "io_wait", NULL, 0, SHARE },
	{ "stolen%", "sys", "stolen", NULL, 0, SHARE },
	{ "run", "sys", "running", NULL, 1, AS_IT_IS },
	{ "blocked", "sys", "blocked", NULL, 1, AS_IT_IS },
	{ "avail MB", "mem", "available", NULL, 1e6, AS_IT_IS },
	{ "swap/s", "mem", "swapped_out", NULL, 1, PER_SECOND },
	{ "read MB/s", "mem", "paged_in", NULL, 1e6, PER_SECOND },
	{ "writ MB/s", "mem", "paged_out", NULL, 1e6, PER_SECOND },
	{ "recv MB/s", "nti", "bytes_received", "lo", 1e6, PER_SECOND },
	{ "sent MB/s", "nti", "bytes_sent", "lo", 1e6, PER_SECOND },
};

/* Returns all CPU time of a snapshot; guest time is included in user and nice. */
static double all_time(const struct module *module, const struct snapshot *snapshot)
{
	static const char *const modes[] = { "user",	"nice",
					     "system",	"idle",
					     "io_wait", "interrupts_time",
					     "stolen",	"soft_interrupts_time" };
	double sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		double time = sum_of(module, snapshot, "sys", modes[i], NULL);

		sum += time == time ? time : 0;
	}
	return sum;
}

/* Returns the value of a column. */
static double value_of(const struct module *module, const struct column *column,
		       const struct snapshot *now, const struct snapshot *before)
{
	double value = sum_of(module, now, column->type, column->field, column->except);
	double grown, span;

	if (column->kind == AS_IT_IS)
		return value / column->divisor;
	if (!before)
		return NOT_KNOWN;
	grown = value - sum_of(module, before, column->type, column->field, column->except);
	if (grown < 0)
		return NOT_KNOWN;
	if (column->kind == PER_SECOND)
		return grown / column->divisor /
		       ((double)(now->time - before->time) / (double)NSEC_PER_SEC);
	span = all_time(module, now) - all_time(module, before);
	return span > 0 ? 100 * grown / span : NOT_KNOWN;
}

/* Size of the terminal in lines and columns; otherwise as set by the client. */
struct screen {
	unsigned lines, columns;
};

static struct screen screen_of(const struct live_table *table)
{
	struct screen screen = { table->lines, ARRAY_SIZE(columns) };
	struct winsize size;

	/* The terminal may have been resized since the last line. */
	if (ioctl(fileno(table->stream), TIOCGWINSZ, &size) < 0 || !size.ws_col || size.ws_row < 3)
		return screen;
	screen.lines = size.ws_row - 2U;
	screen.columns = size.ws_col < TIME_WIDTH ? 0 : (size.ws_col - TIME_WIDTH) / COLUMN_WIDTH;
	if (screen.columns > ARRAY_SIZE(columns))
		screen.columns = ARRAY_SIZE(columns);
	return screen;
}

/* Appends the heading when none is on the screen, or the last one was for another width. */
static void add_heading(struct live_table *table, const struct screen *screen, struct strbuf *line)
{
	if (table->written && table->columns == screen->columns &&
	    (!screen->lines || table->below < screen->lines))
		return;
	strbuf_addstr(line, "time    ");
	for (size_t i = 0; i < screen->columns; i++)
		strbuf_addf(line, " %9s", columns[i].head);
	strbuf_addch(line, '\n');
	table->columns = screen->columns;
	table->below = 0;
}

static enum module_status live_call(struct module *module, enum sync_point point UNUSED,
				    struct snapshot *snapshot, struct error *err)
{
	struct live_table *table = module->context;
	const struct snapshot *before = engine_previous(module->engine);
	struct strbuf line = STRBUF_INIT;
	enum module_status status;
	struct screen screen;

	if (snapshot->last)
		return MODULE_OK;
	screen = screen_of(table);
	add_heading(table, &screen, &line);
	clock_format_wall_time(&line, snapshot->wall);
	for (size_t i = 0; i < screen.columns; i++) {
		double value = value_of(module, &columns[i], snapshot, before);

		if (value != value)
			strbuf_addf(&line, " %9s", "-");
		else
			strbuf_addf(&line, " %9.*f", columns[i].kind == AS_IT_IS ? 0 : 1, value);
	}
	strbuf_addch(&line, '\n');
	table->written++;
	table->below++;
	status = output_write(table->stream, &line, err);
	strbuf_release(&line);
	return status;
}

const struct module_class live_table_class = {
	.name = "TEXT.LIVE",
	.summary = "writes a line per interval, for watching",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.call = live_call,
};
