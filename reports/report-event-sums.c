/* SPDX-License-Identifier: Apache-2.0 */
/* Hot spots of events: by program, line, statement and transaction, and each sum separately. */
#include "common/compat.h"
#include "records/event-codes.h"
#include "profile/label.h"
#include "reports/event-columns.h"

#define STARTS_COLUMN \
	FIGURE(COLUMN_NUMBER, "starts", NULL, "STARTS", 11, .flags = COLUMN_ADDITIVE, \
	       .legend = "how often the program was entered (PS events)")
#define STATEMENTS_COLUMN \
	FIGURE(COLUMN_NUMBER, "statements", NULL, "STATEMENTS", 13, .flags = COLUMN_ADDITIVE, \
	       .legend = "how many statements were executed (NS events, or counted by " \
			 "STATEMENT=COUNT); 0 when STATEMENT was not requested")
#define EVENTS_COLUMN(width_) \
	FIGURE(COLUMN_NUMBER, "events", NULL, "EVENTS", width_, .flags = COLUMN_ADDITIVE)

static const struct column program_columns[] = {
	{ .id = "program",
	  .heading = "PROGRAM",
	  .width = 20,
	  .type = COLUMN_NAME,
	  .legend = "program or function; .SESSION means events of no program" },
	{ .id = "library",
	  .heading = "LIBRARY",
	  .width = 19,
	  .type = COLUMN_PATH,
	  .legend = "folder of its object or script" },
	{ .id = "object", .heading = "OBJECT", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	{ .id = "kind", .heading = "KIND", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	STARTS_COLUMN,
	STATEMENTS_COLUMN,
	EVENTS_COLUMN(13),
	EVENT_TIME_COLUMNS,
};

static const struct column line_columns[] = {
	{ .id = "program", .heading = "PROGRAM", .width = 16, .type = COLUMN_NAME },
	{ .id = "library", .heading = "LIBRARY", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	EVENT_FILE_COLUMN(14),
	{ .id = "line", .heading = "LINE", .width = 7, .type = COLUMN_NUMBER },
	{ .id = "text",
	  .heading = "SOURCE TEXT",
	  .width = 39,
	  .type = COLUMN_TEXT,
	  .flags = COLUMN_YIELDS,
	  .legend = "from the current source; blank when the source is not available" },
	EVENTS_COLUMN(13),
	EVENT_TIME_COLUMNS,
};

static const struct column statement_columns[] = {
	{ .id = "statement",
	  .heading = "STATEMENT",
	  .width = 24,
	  .type = COLUMN_NAME,
	  .legend = "verb; (none) where the source of the events does not report it" },
	STATEMENTS_COLUMN,
	EVENT_TIME_COLUMNS,
};

static const struct column transaction_columns[] = {
	{ .id = "transaction",
	  .heading = "TRANSACTION",
	  .width = 26,
	  .type = COLUMN_NAME,
	  .legend = "unit of work; .NOTRAN is time outside any transaction" },
	{ .id = "count",
	  .heading = "COUNT",
	  .width = 10,
	  .type = COLUMN_NUMBER,
	  .legend = "number of times it began" },
	STARTS_COLUMN,
	STATEMENTS_COLUMN,
	EVENTS_COLUMN(13),
	EVENT_TIME_COLUMNS,
};

static const struct column record_columns[] = {
	{ .id = "type",
	  .heading = "EV",
	  .width = 2,
	  .type = COLUMN_TEXT,
	  .legend = "type of the events, as vigil-reports(7) lists them" },
	{ .id = "program", .heading = "PROGRAM", .width = 16, .type = COLUMN_NAME },
	{ .id = "library", .heading = "LIBRARY", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	{ .id = "procedure", .heading = "PROCEDURE", .width = 16, .type = COLUMN_NAME },
	{ .id = "file", .heading = "FILE", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	{ .id = "line", .heading = "LINE", .width = 7, .type = COLUMN_NUMBER },
	{ .id = "statement", .heading = "STATEMENT", .width = 11, .type = COLUMN_TEXT },
	{ .id = "transaction", .heading = "TRANSACTION", .width = 11, .type = COLUMN_NAME },
	EVENTS_COLUMN(11),
	EVENT_TIME_COLUMNS,
};

/* Compares this many strings at the start of two keys. */
static int compare_strings(const struct context *context, const uint64_t *first,
			   const uint64_t *second, size_t count)
{
	int order = 0;

	for (size_t i = 0; !order && i < count; i++)
		order = profile_compare_texts(context->profile, first[i], second[i]);
	return order;
}

static int compare_programs(const uint64_t *first, const uint64_t *second, void *context)
{
	return compare_strings(context, first, second, 3);
}

static int compare_lines(const uint64_t *first, const uint64_t *second, void *context)
{
	int order = compare_strings(context, first, second, 3);

	if (order || first[EVENT_LINE_NUMBER] == second[EVENT_LINE_NUMBER])
		return order;
	return first[EVENT_LINE_NUMBER] < second[EVENT_LINE_NUMBER] ? -1 : 1;
}

static int compare_statements(const uint64_t *first, const uint64_t *second, void *context)
{
	return compare_strings(context, first, second, 1);
}

static int compare_transactions(const uint64_t *first, const uint64_t *second, void *argument)
{
	const struct context *context = argument;

	return strcmp(label_transaction(context->profile, first[0]),
		      label_transaction(context->profile, second[0]));
}

/* Compares by program, line and type. */
static int compare_records(const uint64_t *first, const uint64_t *second, void *argument)
{
	const struct context *context = argument;
	const struct record_event_site *a = event_usage_site(context->profile, first[0]);
	const struct record_event_site *b = event_usage_site(context->profile, second[0]);
	const uint64_t names[][2] = { { a->program, a->library }, { b->program, b->library } };
	int order = compare_strings(context, names[0], names[1], 2);

	if (!order && a->line != b->line)
		order = a->line < b->line ? -1 : 1;
	if (!order && a->type != b->type)
		order = a->type < b->type ? -1 : 1;
	return order ? order : compare_transactions(first + 1, second + 1, argument);
}

/* Puts the name of a program; that of the session's events if it has none. */
static void put_program(struct context *context, struct table *table, struct row *row,
			uint64_t program)
{
	const char *name = profile_text(context->profile, program);

	row_text(table, row, *name ? name : ".SESSION");
}

static void put_program_names(struct context *context, struct table *table, struct row *row,
			      const uint64_t *key)
{
	static const char *const kinds[] = { "session", "program", "function" };

	put_program(context, table, row, key[0]);
	context_put_string(context, table, row, key[1]);
	context_put_string(context, table, row, key[2]);
	row_text(table, row, key[3] < ARRAY_SIZE(kinds) ? kinds[key[3]] : "");
}

static void put_line_names(struct context *context, struct table *table, struct row *row,
			   const uint64_t *key)
{
	const char *file = profile_text(context->profile, key[EVENT_LINE_FILE]);
	const char *path = source_texts_find(
		&context->sources, file, profile_text(context->profile, key[EVENT_LINE_LIBRARY]));
	const char *text = source_texts_line(&context->sources, path, key[EVENT_LINE_NUMBER]);

	put_program(context, table, row, key[EVENT_LINE_PROGRAM]);
	context_put_string(context, table, row, key[EVENT_LINE_LIBRARY]);
	row_file(table, row, file,
		 event_files_other(&context->event_files, context->profile, key[EVENT_LINE_PROGRAM],
				   key[EVENT_LINE_LIBRARY], key[EVENT_LINE_FILE]));
	row_number(table, row, key[EVENT_LINE_NUMBER]);
	row_text(table, row, text + strspn(text, " \t"));
}

static void put_statement_names(struct context *context, struct table *table, struct row *row,
				const uint64_t *key)
{
	const char *verb = profile_text(context->profile, key[0]);

	row_text(table, row, *verb ? verb : "(none)");
}

static void put_transaction_names(struct context *context, struct table *table, struct row *row,
				  const uint64_t *key)
{
	const struct record_transaction *transaction =
		id_table_get(&context->profile->transactions, key[0]);

	row_text(table, row, label_transaction(context->profile, key[0]));
	if (transaction && transaction->told_exact)
		row_number(table, row, transaction->told);
	else if (transaction && transaction->seen)
		row_at_least(table, row, transaction->count);
	else if (transaction)
		row_number(table, row, transaction->count);
	else
		row_skip(table, row, 1);
}

static void put_record_names(struct context *context, struct table *table, struct row *row,
			     const uint64_t *key)
{
	const struct record_event_site *site = event_usage_site(context->profile, key[0]);

	row_text(table, row, event_code(site->type));
	put_program(context, table, row, site->program);
	context_put_string(context, table, row, site->library);
	context_put_string(context, table, row, site->procedure);
	context_put_string(context, table, row, site->line ? site->file : 0);
	if (site->line)
		row_number(table, row, site->line);
	else
		row_skip(table, row, 1);
	context_put_string(context, table, row, site->statement);
	row_text(table, row, key[1] ? label_transaction(context->profile, key[1]) : "");
}

/* Builds a report that consists of one list. */
static void build_list(struct context *context, struct document *document, const char *id,
		       const struct column *columns, size_t column_count,
		       const struct event_list *list)
{
	if (event_list_none(context, document))
		return;
	event_list_selection(context, document, false);
	event_list_put(context, document, id, columns, column_count, list);
}

static void build_programs(struct context *context, struct document *document)
{
	static const struct event_list list = {
		.view = EVENT_VIEW_PROGRAMS,
		.names = 4,
		.put_names = put_program_names,
		.counts = { EVENT_AMOUNT_STARTS, EVENT_AMOUNT_STATEMENTS, EVENT_AMOUNT_EVENTS },
		.count_count = 3,
		.sort = REPORT_SORT_CPU,
		.compare = compare_programs,
	};

	build_list(context, document, "event_programs", program_columns,
		   ARRAY_SIZE(program_columns), &list);
}

static void build_lines(struct context *context, struct document *document)
{
	static const struct event_list list = {
		.view = EVENT_VIEW_LINES,
		.names = 5,
		.none_number = 6508,
		.none = "no event has a line of a source; STATEMENT=ON requests statements",
		.put_names = put_line_names,
		.counts = { EVENT_AMOUNT_EVENTS },
		.count_count = 1,
		.sort = REPORT_SORT_CPU,
		.compare = compare_lines,
	};

	build_list(context, document, "event_lines", line_columns, ARRAY_SIZE(line_columns), &list);
}

static void build_statements(struct context *context, struct document *document)
{
	static const struct event_list list = {
		.view = EVENT_VIEW_STATEMENTS,
		.names = 1,
		.none_number = 6512,
		.none = "there are no statement events; STATEMENT=ON requests them, and COBOL "
			"programs compiled with -ftraceall and Python scripts report them",
		.put_names = put_statement_names,
		.counts = { EVENT_AMOUNT_STATEMENTS },
		.count_count = 1,
		.sort = REPORT_SORT_CPU,
		.compare = compare_statements,
	};

	build_list(context, document, "event_statements", statement_columns,
		   ARRAY_SIZE(statement_columns), &list);
}

static void build_transactions(struct context *context, struct document *document)
{
	static const struct event_list list = {
		.view = EVENT_VIEW_TRANSACTIONS,
		.names = 2,
		.put_names = put_transaction_names,
		.counts = { EVENT_AMOUNT_STARTS, EVENT_AMOUNT_STATEMENTS, EVENT_AMOUNT_EVENTS },
		.count_count = 3,
		.sort = REPORT_SORT_CPU,
		.compare = compare_transactions,
	};

	build_list(context, document, "event_transactions", transaction_columns,
		   ARRAY_SIZE(transaction_columns), &list);
}

static void build_records(struct context *context, struct document *document)
{
	static const struct event_list list = {
		.view = EVENT_VIEW_RECORDS,
		.names = 8,
		.label = 1,
		.whole = true,
		.put_names = put_record_names,
		.counts = { EVENT_AMOUNT_EVENTS },
		.count_count = 1,
		.sort = REPORT_SORT_NAME,
		.compare = compare_records,
	};

	build_list(context, document, "event_records", record_columns, ARRAY_SIZE(record_columns),
		   &list);
}

const struct report_class report_eps = { "EPS", "Event Program Summary", build_programs,
					 REPORT_OF_EVENTS };
const struct report_class report_els = { "ELS", "Event Line Summary", build_lines,
					 REPORT_OF_EVENTS };
const struct report_class report_ess = { "ESS", "Event Statement Summary", build_statements,
					 REPORT_OF_EVENTS };
const struct report_class report_ets = { "ETS", "Event Transaction Summary", build_transactions,
					 REPORT_OF_EVENTS };
const struct report_class report_ecr = { "ECR", "Event Consolidated Records", build_records,
					 REPORT_ON_REQUEST };
