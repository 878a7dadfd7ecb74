/* SPDX-License-Identifier: Apache-2.0 */
/* Shows events as lines while they are collected. */
#include "common/compat.h"
#include "events/event-lines.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "records/event-codes.h"

void event_lines_init(struct event_lines *lines)
{
	lines->count = 0;
	recordset_init(&lines->sites, &record_types[RECORD_EVENT_SITE]);
	idmap_init(&lines->by_site);
	idmap_init(&lines->tasks);
	strbuf_init(&lines->line);
}

void event_lines_release(struct event_lines *lines)
{
	recordset_release(&lines->sites);
	idmap_release(&lines->by_site);
	idmap_release(&lines->tasks);
	strbuf_release(&lines->line);
}

/* Takes the rows needed to name the events of a snapshot. */
static void take_names(struct event_lines *lines, const struct snapshot *snapshot)
{
	const struct recordset *sites = snapshot_records(snapshot, RECORD_EVENT_SITE);
	const struct recordset *tasks = snapshot_records(snapshot, RECORD_TASK);

	for (size_t i = 0; i < sites->count; i++) {
		const struct record_event_site *row = recordset_get(sites, i);

		idmap_put(&lines->by_site, row->site, lines->sites.count);
		recordset_add(&lines->sites, row);
	}
	for (size_t i = 0; i < tasks->count; i++) {
		const struct record_task *row = recordset_get(tasks, i);

		idmap_put(&lines->tasks, row->task, row->name);
	}
}

/* Appends a string on one line; bytes that are not text become periods. */
static void add_text(struct strbuf *line, const struct strmap *strings, uint64_t string)
{
	const char *text = string < strings->count ? strmap_text(strings, (uint32_t)string) : "";

	for (; *text; text++)
		strbuf_addch(line, (unsigned char)*text < ' ' || *text == '\177' ? '.' : *text);
}

/* Appends a string as a column. */
static void add_column(struct strbuf *line, const struct strmap *strings, uint64_t string,
		       size_t width)
{
	size_t before = line->length;

	strbuf_addch(line, ' ');
	add_text(line, strings, string);
	while (line->length - before <= width)
		strbuf_addch(line, ' ');
}

/* Appends a number, blanks for 0. */
static void add_number(struct strbuf *line, uint64_t number, int width)
{
	if (number)
		strbuf_addf(line, " %*" PRIu64, width, number);
	else
		strbuf_addf(line, " %*s", width, "");
}

static void add_event(struct event_lines *lines, const struct record_event *event,
		      const struct strmap *strings)
{
	static const struct record_event_site nothing;
	const struct record_event_site *site = &nothing;
	int64_t cpu = event->task ? record_event_cpu(event) : 0;
	uint64_t elapsed = event->time > lines->start ? event->time - lines->start : 0;
	uint64_t number, name = 0;
	struct strbuf *line = &lines->line;

	if (idmap_get(&lines->by_site, event->site, &number))
		site = recordset_get(&lines->sites, number);
	idmap_get(&lines->tasks, event->task, &name);
	strbuf_addf(line, "%13.3f", (double)elapsed / (double)NSEC_PER_MSEC);
	if (event->task)
		strbuf_addf(line, " %13.3f", (double)(cpu > 0 ? cpu : 0) / (double)NSEC_PER_MSEC);
	else
		strbuf_addf(line, " %13s", "");
	add_column(line, strings, name, 12);
	strbuf_addf(line, " %-2s", event_code(site->type));
	add_number(line, event->level, 3);
	add_column(line, strings, site->program, 14);
	add_number(line, site->line, 7);
	add_column(line, strings, site->statement ? site->statement : site->procedure, 10);
	if (event->code != INT64_MIN)
		strbuf_addf(line, " %6" PRId64, event->code);
	else
		strbuf_addstr(line, "       ");
	strbuf_addch(line, ' ');
	add_text(line, strings, event->data);
}

/* Emits a line, without trailing blanks. */
static void emit_line(struct event_lines *lines)
{
	struct strbuf *line = &lines->line;

	while (line->length && line->text[line->length - 1] == ' ')
		strbuf_setlen(line, line->length - 1);
	strbuf_addch(line, '\n');
	lines->take(lines->argument, line->text, line->length);
	strbuf_reset(line);
}

/* Shows one event; the first is preceded by the column headings. */
static void show(struct event_lines *lines, const struct record_event *event,
		 const struct strmap *strings)
{
	if (lines->count++ == 0) {
		strbuf_addf(&lines->line,
			    EVENT_LINES_MARK " %13s %13s %-12s EV  LV %-14s %7s %-10s %6s DATA",
			    "TIME MS", "TASK CPU MS", "TASK", "PROGRAM", "LINE", "STATEMENT",
			    "CODE");
		emit_line(lines);
	}
	if (lines->count > lines->most + 1)
		return;
	strbuf_addstr(&lines->line, EVENT_LINES_MARK " ");
	if (lines->count == lines->most + 1)
		strbuf_addf(&lines->line,
			    "the trace ends here, after %" PRIu64
			    " events; the following events are in the sample data set",
			    lines->most);
	else
		add_event(lines, event, strings);
	emit_line(lines);
}

/* Orders by time, then by the order of the snapshot. */
static int compare(const void *first, const void *second)
{
	const struct record_event *a = *(const struct record_event *const *)first;
	const struct record_event *b = *(const struct record_event *const *)second;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a < b ? -1 : a > b;
}

void event_lines_apply(struct event_lines *lines, const struct snapshot *snapshot,
		       const struct strmap *strings)
{
	const struct recordset *events = snapshot_records(snapshot, RECORD_EVENT);
	const struct record_event **order;

	take_names(lines, snapshot);
	if (!events->count || lines->count > lines->most)
		return;
	order = xreallocarray(NULL, events->count, sizeof(*order));
	for (size_t i = 0; i < events->count; i++)
		order[i] = recordset_get(events, i);
	qsort(order, events->count, sizeof(*order), compare);
	for (size_t i = 0; i < events->count; i++)
		show(lines, order[i], strings);
	free(order);
}

static enum module_status lines_init(struct module *module, struct error *err UNUSED)
{
	event_lines_init(module->context);
	return MODULE_OK;
}

static enum module_status lines_call(struct module *module, enum sync_point point UNUSED,
				     struct snapshot *snapshot, struct error *err UNUSED)
{
	event_lines_apply(module->context, snapshot, engine_strings(module->engine));
	return MODULE_OK;
}

static void lines_end(struct module *module)
{
	event_lines_release(module->context);
}

const struct module_class event_lines_class = {
	.name = "EVENT.TRACE",
	.summary = "shows events as lines while they are collected",
	.capabilities = MODULE_FILTER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.after = (const char *const[]){ "?EVENT.SAMPLING", NULL },
	.init = lines_init,
	.call = lines_call,
	.end = lines_end,
};
