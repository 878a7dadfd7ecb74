/* SPDX-License-Identifier: Apache-2.0 */
/* Event Trace: each event; Event Program Trace: which program called which, and for how long. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "profile/event-trace.h"
#include "records/event-codes.h"
#include "profile/label.h"
#include "reports/event-columns.h"

#define TIME_COLUMNS \
	FIGURE(COLUMN_AVERAGE, "time_ns", NULL, "TIME MS", 13, \
	       .legend = "milliseconds since the session began"), \
		FIGURE(COLUMN_AVERAGE, "task_cpu_ns", NULL, "TASK CPU MS", 13, \
		       .legend = "CPU time that the task had used by then, in milliseconds")
#define TASK_COLUMN(width_) \
	{ \
		.id = "task", .heading = "TASK", .width = width_, .type = COLUMN_NAME, \
		.legend = "the thread; blank for events of the whole session" \
	}
#define TYPE_COLUMN \
	{ \
		.id = "type", .heading = "EV", .width = 2, .type = COLUMN_TEXT, \
		.legend = "type of the event, as vigil-reports(7) lists them" \
	}

static const struct column event_columns[] = {
	FIGURE(COLUMN_NUMBER, "number", NULL, "NUMBER", 10,
	       .legend = "of the event in the data set"),
	TIME_COLUMNS,
	TASK_COLUMN(10),
	TYPE_COLUMN,
	FIGURE(COLUMN_NUMBER, "level", NULL, "LV", 3,
	       .legend = "how many programs of the task are active, this one counted"),
	{ .id = "program", .heading = "PROGRAM", .width = 12, .type = COLUMN_NAME },
	{ .id = "library", .heading = "LIBRARY", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	{ .id = "procedure",
	  .heading = "PROCEDURE",
	  .width = 13,
	  .type = COLUMN_NAME,
	  .legend = "section or paragraph" },
	EVENT_FILE_COLUMN(12),
	FIGURE(COLUMN_NUMBER, "line", NULL, "LINE", 7, .legend = NULL),
	{ .id = "statement", .heading = "STATEMENT", .width = 12, .type = COLUMN_TEXT },
	{ .id = "code",
	  .heading = "CODE",
	  .width = 6,
	  .type = COLUMN_TEXT,
	  .legend = "return code, error number, child or number of the user's event" },
	{ .id = "data",
	  .heading = "DATA",
	  .width = 20,
	  .type = COLUMN_TEXT,
	  .flags = COLUMN_YIELDS,
	  .legend = "statement text of a database call, called function, path, or data of the user" },
	{ .id = "transaction",
	  .heading = "TRANSACTION",
	  .width = 8,
	  .type = COLUMN_NAME,
	  .flags = COLUMN_DATA_ONLY },
	{ .id = "database", .heading = "DATABASE", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
};

static const struct column call_columns[] = {
	TIME_COLUMNS,
	TASK_COLUMN(12),
	TYPE_COLUMN,
	{ .id = "program",
	  .heading = "PROGRAM",
	  .width = 44,
	  .type = COLUMN_TEXT,
	  .legend = "indented by its level: a program is below the one that called it" },
	FIGURE(COLUMN_NUMBER, "level", NULL, "LEVEL", 5, .legend = NULL),
	{ .id = "library", .heading = "LIBRARY", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	FIGURE(COLUMN_AVERAGE, "cpu_ns", NULL, "CPU MS", 12,
	       .legend = "at the program's end: CPU time from its start, with all that it called"),
	FIGURE(COLUMN_AVERAGE, "elapsed_ns", NULL, "ELAPSED MS", 12,
	       .legend = "the same in elapsed time"),
	{ .id = "code", .heading = "CODE", .width = 10, .type = COLUMN_TEXT },
};

/* A program that a task has entered. */
struct entered {
	uint64_t level, program, elapsed, cpu;
};

/* The active programs of a task, outermost first. */
struct calls {
	struct entered *items;
	size_t count, alloc;
};

/* A trace while it is written. */
struct writing {
	struct context *context;
	struct table *table;
	struct strbuf text;
	struct idmap tasks;  /* task to its number in calls */
	struct calls *calls; /* by task */
	size_t task_count, task_alloc;
};

/* Fills the columns of time, task and type. */
static void put_head(struct writing *writing, struct row *row, const struct event_trace_row *event)
{
	struct table *table = writing->table;

	row_number(table, row, event->elapsed);
	if (event->event->task)
		row_number(table, row, event->cpu);
	else
		row_skip(table, row, 1);
	strbuf_reset(&writing->text);
	if (event->event->task)
		label_task(writing->context->profile, event->event->task, &writing->text);
	row_text(table, row, writing->text.text);
	row_text(table, row, event_code(event->site->type));
}

static void put_code(struct writing *writing, struct row *row, const struct record_event *event)
{
	char code[24] = "";

	if (event->code != INT64_MIN)
		snprintf(code, sizeof(code), "%" PRId64, event->code);
	row_text(writing->table, row, code);
}

static int put_event(void *argument, const struct event_trace_row *event)
{
	struct writing *writing = argument;
	struct context *context = writing->context;
	const struct record_event_site *site = event->site;
	struct table *table = writing->table;
	struct row *row = table_row(table, ROW_DETAIL);

	row_number(table, row, event->number);
	put_head(writing, row, event);
	if (event->event->task)
		row_number(table, row, event->event->level);
	else
		row_skip(table, row, 1);
	context_put_string(context, table, row, site->program);
	context_put_string(context, table, row, site->library);
	context_put_string(context, table, row, site->procedure);
	row_file(table, row, profile_text(context->profile, site->file),
		 event_files_other(&context->event_files, context->profile, site->program,
				   site->library, site->file));
	if (site->line)
		row_number(table, row, site->line);
	else
		row_skip(table, row, 1);
	context_put_string(context, table, row, site->statement);
	put_code(writing, row, event->event);
	row_text(table, row, event->data);
	row_text(table, row,
		 event->event->transaction
			 ? label_transaction(context->profile, event->event->transaction)
			 : "");
	context_put_string(context, table, row, site->database);
	table_flow(table);
	return 0;
}

/* Returns the active programs of a task. */
static struct calls *calls_of(struct writing *writing, uint64_t task)
{
	uint64_t number;

	if (!idmap_get(&writing->tasks, task, &number)) {
		number = writing->task_count++;
		GROW(writing->calls, writing->task_count, writing->task_alloc);
		writing->calls[number] = (struct calls){ NULL, 0, 0 };
		idmap_put(&writing->tasks, task, number);
	}
	return &writing->calls[number];
}

/*
 * A program of a task starts: programs of its level and deeper have ended, even
 * without an event.
 */
static void enter(struct writing *writing, const struct event_trace_row *event)
{
	struct calls *calls = calls_of(writing, event->event->task);

	while (calls->count && calls->items[calls->count - 1].level >= event->event->level)
		calls->count--;
	GROW(calls->items, calls->count + 1, calls->alloc);
	calls->items[calls->count++] = (struct entered){ event->event->level, event->site->program,
							 event->elapsed, event->cpu };
}

/* A program ends: gets its start; returns false if the trace lacks it. */
static bool leave(struct writing *writing, const struct event_trace_row *event,
		  struct entered *start)
{
	struct calls *calls = calls_of(writing, event->event->task);

	while (calls->count && calls->items[calls->count - 1].level > event->event->level)
		calls->count--;
	if (!calls->count || calls->items[calls->count - 1].level != event->event->level ||
	    calls->items[calls->count - 1].program != event->site->program)
		return false;
	*start = calls->items[--calls->count];
	return true;
}

/*
 * Puts a name indented by two columns per level, limited so that deep recursion
 * does not push names off the line.
 */
static void put_indented(struct writing *writing, struct row *row,
			 const struct event_trace_row *event)
{
	uint64_t level = event->event->level, depth = level ? level - 1 : 0;
	const char *name = profile_text(writing->context->profile, event->site->program);

	strbuf_reset(&writing->text);
	strbuf_addchars(&writing->text, ' ', 2 * (depth < 14 ? (size_t)depth : 14));
	if (depth > 14)
		strbuf_addstr(&writing->text, "+ ");
	strbuf_addstr(&writing->text, *name ? name : ".SESSION");
	row_text(writing->table, row, writing->text.text);
}

/* Returns whether an event is part of the call structure. */
static bool is_call(uint64_t type)
{
	return type == EVENT_PS || type == EVENT_PT || type == EVENT_E || type == EVENT_U ||
	       type == EVENT_KE || type == EVENT_KT || type == EVENT_KF || type == EVENT_KX ||
	       type == EVENT_MP || type == EVENT_SI || type == EVENT_ST;
}

static int put_call(void *argument, const struct event_trace_row *event)
{
	struct writing *writing = argument;
	struct table *table = writing->table;
	struct entered start = { 0 };
	bool ended = false;
	struct row *row;

	if (!is_call(event->site->type))
		return 0;
	if (event->site->type == EVENT_PS)
		enter(writing, event);
	if (event->site->type == EVENT_PT)
		ended = leave(writing, event, &start);
	row = table_row(table, ROW_DETAIL);
	put_head(writing, row, event);
	put_indented(writing, row, event);
	if (event->event->task)
		row_number(table, row, event->event->level);
	else
		row_skip(table, row, 1);
	context_put_string(writing->context, table, row, event->site->library);
	if (ended) {
		row_number(table, row, event->cpu > start.cpu ? event->cpu - start.cpu : 0);
		row_number(table, row, event->elapsed - start.elapsed);
	} else {
		row_skip(table, row, 2);
	}
	put_code(writing, row, event->event);
	table_flow(table);
	return 0;
}

static void writing_release(struct writing *writing)
{
	for (size_t i = 0; i < writing->task_count; i++)
		free(writing->calls[i].items);
	free(writing->calls);
	idmap_release(&writing->tasks);
	strbuf_release(&writing->text);
}

/* Returns whether there is no trace, and if so adds a note with the reason. */
static bool has_no_trace(struct context *context, struct document *document)
{
	if (event_list_none(context, document))
		return true;
	if (event_usage_has_trace(context->profile) && *context->profile->path)
		return false;
	document_note(document, SEVERITY_INFO, 6504,
		      "there is no event trace: the events were consolidated, only their sums are "
		      "known (ECR)");
	return true;
}

static void build_trace(struct context *context, struct document *document, const char *id,
			const struct column *columns, size_t column_count, event_trace_each each)
{
	struct writing writing = { .context = context, .text = STRBUF_INIT };
	struct error err = ERROR_INIT;

	if (has_no_trace(context, document))
		return;
	event_list_selection(context, document, true);
	idmap_init(&writing.tasks);
	writing.table = document_table(document, id, NULL, columns, column_count);
	/* Rows flow as they come, so this is decided before the first. */
	writing.table->shows_other = context->event_files.several;
	if (event_trace_read(context->profile, &context->options->events, each, &writing, &err) < 0)
		document_note(document, SEVERITY_ERROR, 6505, "the event trace is incomplete: %s",
			      error_text(&err));
	writing_release(&writing);
	error_release(&err);
}

static void build_events(struct context *context, struct document *document)
{
	build_trace(context, document, "events", event_columns, ARRAY_SIZE(event_columns),
		    put_event);
}

static void build_calls(struct context *context, struct document *document)
{
	build_trace(context, document, "calls", call_columns, ARRAY_SIZE(call_columns), put_call);
}

const struct report_class report_evt = { "EVT", "Event Trace", build_events, REPORT_ON_REQUEST };
const struct report_class report_ept = { "EPT", "Event Program Trace", build_calls,
					 REPORT_ON_REQUEST };
