/* SPDX-License-Identifier: Apache-2.0 */
/* Attribution of CPU Execution Time and of CPU Wait Time: who invoked the services. */
#include "common/compat.h"
#include "reports/report-class.h"
#include "profile/label.h"
#include "reports/text.h"

/* What makes a row: the service, then who invoked it and through what. */
enum key {
	KEY_SECTION,   /* service: pseudo-section */
	KEY_PROCEDURE, /* service: function, for waits only */
	KEY_REASON,    /* service: reason + 1, for waits only */
	KEY_FILE,      /* service: file + 1, for waits only */
	KEY_SERVICE_END,
	KEY_TRANSACTION = KEY_SERVICE_END,
	KEY_MODULE, /* caller; all 0 when the stack reaches no program */
	KEY_CALLER_SECTION,
	KEY_CALLER,
	KEY_LINE,
	KEY_RETURN, /* offset, where there is no line */
	KEY_TEXT,
	KEY_VIA_MODULE,
	KEY_VIA,
	KEY_COUNT
};

enum amount { TOTAL, SOLO, PAGE, COUNT, TIME, FUNCTION, HEAVIEST, STACK, AMOUNTS };

/* Amounts up to here are sums. */
#define SUMMED FUNCTION

#define CALLER_COLUMNS \
	{ "transaction", "WAS INVOKED BY", "XACTION", 10, COLUMN_NAME, 0, NULL, NULL, NULL }, \
		{ "module", "WAS INVOKED BY", "MODULE", 12, COLUMN_NAME, 0, NULL, NULL, NULL }, \
		{ "section", "WAS INVOKED BY", "SECTION", 14, COLUMN_NAME, 0, NULL, NULL, NULL }, \
		{ "procedure", \
		  "WAS INVOKED BY", \
		  "PROCEDURE", \
		  18, \
		  COLUMN_NAME, \
		  0, \
		  "first code of the program found from the service outward", \
		  NULL, \
		  NULL }, \
		{ "line", "WAS INVOKED BY", "LINE", 6, COLUMN_NUMBER, 0, NULL, NULL, NULL }, \
		{ "return", "WAS INVOKED BY", "RETURN", 8, COLUMN_HEX, COLUMN_DATA_ONLY, NULL, NULL, \
		  NULL }, \
		{ "text", \
		  "WAS INVOKED BY", \
		  "SOURCE TEXT OR INVOKERS", \
		  28, \
		  COLUMN_TEXT, \
		  0, \
		  "the statement; where its text is not known, who called the procedure", \
		  NULL, \
		  NULL }, \
		{ "invokers", NULL, "INVOKERS", 0, COLUMN_TEXT, COLUMN_DATA_ONLY, NULL, NULL, NULL }, \
		{ "via_module",	    NULL, "VIA MODULE", 0,   COLUMN_NAME, \
		  COLUMN_DATA_ONLY, NULL, NULL,		NULL }, \
	{ \
		"via", NULL, "VIA", 18, COLUMN_NAME, 0, \
			"function of the service that the program called", NULL, NULL \
	}

static const struct column execution_columns[] = {
	CALLER_COLUMNS,
	{ "samples", NULL, "SAMPLES", 8, COLUMN_NUMBER, COLUMN_ADDITIVE | COLUMN_DATA_ONLY, NULL,
	  NULL, NULL },
	CPU_COLUMNS,
};

static const struct column wait_columns[] = {
	CALLER_COLUMNS,
	{ "waits", NULL, "WAITS", 8, COLUMN_NUMBER, COLUMN_ADDITIVE | COLUMN_DATA_ONLY, NULL, NULL,
	  NULL },
	{ "wait_total_ns", NULL, "ALL TASKS", 9, COLUMN_TIME, COLUMN_ADDITIVE | COLUMN_DATA_ONLY,
	  NULL, NULL, NULL },
	{ "wait_charged_ns", NULL, "CHARGED", 9, COLUMN_TIME, COLUMN_ADDITIVE | COLUMN_DATA_ONLY,
	  NULL, NULL, NULL },
	{ "run_page_percent", "RUN TIME %", "PAGE", 6, COLUMN_PERCENT, COLUMN_ADDITIVE,
	  "waits for page faults", NULL, NULL },
	{ "run_total_percent", "RUN TIME %", "TOTAL", 6, COLUMN_PERCENT, COLUMN_ADDITIVE,
	  "share of the run time in which the step waited and this wait was the cause", NULL,
	  NULL },
};

static const struct column execution_services[] = {
	{ "service", NULL, "SERVICE", 18, COLUMN_NAME, 0,
	  "pseudo-section of .SYSTEM, or module that an interpreted program called", NULL, NULL },
	{ "function", NULL, "FUNCTION", 34, COLUMN_TEXT, 0, NULL, NULL, NULL },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CPU_BAR,
};

static const struct column wait_services[] = {
	{ "service", NULL, "SERVICE", 14, COLUMN_NAME, 0,
	  "pseudo-section of .SYSTEM, or module, that waited", NULL, NULL },
	{ "function", NULL, "FUNCTION", 20, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "reason", NULL, "REASON", 17, COLUMN_TEXT, 0, NULL, NULL, NULL },
	{ "ddname", NULL, "FILE", 14, COLUMN_NAME, 0, NULL, NULL, NULL },
	{ "waits", NULL, "WAITS", 9, COLUMN_NUMBER, COLUMN_ADDITIVE, NULL, NULL, NULL },
	{ "wait_total_ns", NULL, "ALL TASKS", 9, COLUMN_TIME, COLUMN_ADDITIVE,
	  "time blocked, mm.ss.hh, all tasks added", NULL, NULL },
	{ "wait_charged_ns", NULL, "CHARGED", 9, COLUMN_TIME, COLUMN_ADDITIVE | COLUMN_DATA_ONLY,
	  NULL, NULL, NULL },
	{ "run_page_percent", "RUN TIME %", "PAGE", 6, COLUMN_PERCENT, COLUMN_ADDITIVE, NULL, NULL,
	  NULL },
	{ "run_total_percent", "RUN TIME %", "TOTAL", 6, COLUMN_PERCENT, COLUMN_ADDITIVE, NULL,
	  NULL, NULL },
	{ "bar", NULL, "", 0, COLUMN_BAR, 0, NULL, "run_total_percent", NULL },
};

/* What the two reports differ in. */
struct kind {
	const struct column *columns, *services;
	size_t column_count, service_count;
	bool waits;
};

static const struct kind execution = { execution_columns, execution_services,
				       ARRAY_SIZE(execution_columns),
				       ARRAY_SIZE(execution_services), false };
static const struct kind waiting = { wait_columns, wait_services, ARRAY_SIZE(wait_columns),
				     ARRAY_SIZE(wait_services), true };

/* Fill the caller's part of a key. */
static void set_caller(const struct profile *profile, size_t stack, uint64_t transaction,
		       uint64_t key[KEY_COUNT])
{
	const struct place *caller = attribution_caller(&profile->attribution, stack);
	const struct place *via = attribution_via(&profile->attribution, stack);

	key[KEY_TRANSACTION] = transaction;
	if (caller) {
		key[KEY_MODULE] = caller->module;
		key[KEY_CALLER_SECTION] = caller->section;
		key[KEY_CALLER] = caller->procedure;
		key[KEY_LINE] = caller->line;
		key[KEY_RETURN] = caller->line ? 0 : caller->offset;
		key[KEY_TEXT] = caller->text;
	}
	if (via) {
		key[KEY_VIA_MODULE] = via->real_module;
		key[KEY_VIA] = via->procedure;
	}
}

/* Remember the stack that weighs most, for the invokers. */
static void remember(uint64_t *sums, size_t stack, uint64_t weight)
{
	if (weight < sums[HEAVIEST])
		return;
	sums[HEAVIEST] = weight;
	sums[STACK] = stack;
}

static void sum_execution(const struct profile *profile, struct sums *rows, struct sums *services)
{
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		const struct place *place = attribution_place(&profile->attribution, cpu->stack);
		uint64_t key[KEY_COUNT] = { place->system ? place->section : place->module };
		uint64_t solo = cpu->flags & SAMPLE_SOLO ? cpu->count : 0;
		uint64_t *sums;

		if (!attribution_is_service(&profile->attribution, cpu->stack))
			continue;
		set_caller(profile, cpu->stack, cpu->transaction, key);
		sums = sums_at(rows, key);
		sums[TOTAL] += cpu->count;
		sums[SOLO] += solo;
		remember(sums, cpu->stack, cpu->count);
		sums = sums_at(services, key);
		sums[TOTAL] += cpu->count;
		sums[SOLO] += solo;
		sums[FUNCTION] = place->function;
	}
}

static void add_wait(uint64_t *sums, const struct profile_wait *wait)
{
	sums[TOTAL] += wait->charged;
	sums[SOLO] += wait->solo;
	sums[PAGE] += wait->reason == WAIT_PAGE ? wait->charged : 0;
	sums[COUNT] += wait->count;
	sums[TIME] += wait->total;
}

static void sum_waits(const struct profile *profile, struct sums *rows, struct sums *services)
{
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const struct place *place = attribution_place(&profile->attribution, wait->stack);
		uint64_t key[KEY_COUNT] = { place->system ? place->section : place->module,
					    place->procedure, wait->reason + 1, wait->file + 1 };
		uint64_t *sums;

		/* Where a task was preempted is chance: no service of that place. */
		if (wait->reason == WAIT_DISPATCH)
			key[KEY_SECTION] = key[KEY_PROCEDURE] = 0;
		set_caller(profile, wait->stack, wait->transaction, key);
		sums = sums_at(rows, key);
		add_wait(sums, wait);
		remember(sums, wait->stack, wait->charged);
		add_wait(sums_at(services, key), wait);
	}
}

/* Fill the columns behind those of the caller. */
static void put_amounts(struct context *context, struct table *table, struct row *row,
			const uint64_t *sums)
{
	if (table->columns == execution_columns || table->columns == execution_services) {
		row_number(table, row, sums[TOTAL]);
		context_put_cpu(context, table, row, sums[SOLO], sums[TOTAL]);
		return;
	}
	row_number(table, row, sums[COUNT]);
	row_number(table, row, sums[TIME]);
	row_number(table, row, sums[TOTAL]);
	row_real(table, row, profile_run_percent(context->profile, sums[PAGE]));
	row_real(table, row, profile_run_percent(context->profile, sums[TOTAL]));
}

static void put_label(struct context *context, struct table *table, enum row_kind kind,
		      const char *label, const uint64_t *sums)
{
	struct row *row = table_row(table, kind);

	row_skip(table, row, 1);
	row_text(table, row, label);
	row_skip(table, row, 8);
	put_amounts(context, table, row, sums);
}

/* Fill line or offset, text and invokers of a caller. */
static void put_statement(struct context *context, struct table *table, struct row *row,
			  const uint64_t *key, const uint64_t *sums)
{
	const char *text = profile_text(context->profile, key[KEY_TEXT]);
	struct strbuf chain = STRBUF_INIT;

	attribution_chain(context->profile, (size_t)sums[STACK], &chain);
	if (key[KEY_LINE])
		row_number(table, row, key[KEY_LINE]);
	else
		row_skip(table, row, 1);
	if (key[KEY_RETURN])
		row_number(table, row, key[KEY_RETURN]);
	else
		row_skip(table, row, 1);
	text += strspn(text, " \t");
	row_text(table, row, *text ? text : chain.text);
	row_text(table, row, chain.text);
	strbuf_release(&chain);
}

/* A row: one caller of the service. */
static void put_caller(struct context *context, struct table *table, const uint64_t *key,
		       const uint64_t *sums)
{
	struct row *row = table_row(table, ROW_DETAIL);
	struct strbuf label = STRBUF_INIT;

	row_text(table, row,
		 key[KEY_TRANSACTION] ? label_transaction(context->profile, key[KEY_TRANSACTION])
				      : "");
	if (key[KEY_MODULE])
		context_put_string(context, table, row, key[KEY_MODULE]);
	else
		row_text(table, row, ".NOCALLER");
	context_put_string(context, table, row, key[KEY_CALLER_SECTION]);
	if (key[KEY_CALLER])
		strbuf_addstr(&label, profile_text(context->profile, key[KEY_CALLER]));
	else if (key[KEY_RETURN])
		strbuf_addf(&label, "+%" PRIX64, key[KEY_RETURN]);
	row_text(table, row, label.text);
	put_statement(context, table, row, key, sums);
	context_put_string(context, table, row, key[KEY_VIA_MODULE]);
	context_put_string(context, table, row, key[KEY_VIA] ? key[KEY_VIA] : key[KEY_VIA_MODULE]);
	put_amounts(context, table, row, sums);
	strbuf_release(&label);
}

/* Append the file of a service, or the pseudo-file of its reason. */
static void add_file(const struct profile *profile, const uint64_t *service, struct strbuf *sb)
{
	if (service[KEY_FILE] > 1)
		label_file(profile, service[KEY_FILE] - 1, sb);
	else
		strbuf_addstr(sb, label_pseudo_file(service[KEY_REASON] - 1));
}

/* The name of a service: pseudo-section or module, or the pseudo-file where no code is meant. */
static const char *service_name(const struct profile *profile, const uint64_t *service)
{
	return service[KEY_SECTION] ? profile_text(profile, service[KEY_SECTION])
				    : label_pseudo_file(service[KEY_REASON] - 1);
}

/* What stands above the rows of a service. */
static void put_context(const struct context *context, struct table *table, const uint64_t *service,
			const uint64_t *values, const struct kind *kind)
{
	const struct profile *profile = context->profile;
	struct strbuf file = STRBUF_INIT;

	table_context(table, "service", "SERVICE", service_name(profile, service));
	table_context(
		table, "function", "FUNCTION",
		profile_text(profile, kind->waits ? service[KEY_PROCEDURE] : values[FUNCTION]));
	if (!kind->waits)
		return;
	table_context(table, "reason", "REASON", label_reason(service[KEY_REASON] - 1));
	add_file(profile, service, &file);
	table_context(table, "ddname", "FILE", file.text);
	table_context(table, "data_set", "DATA SET",
		      service[KEY_FILE] > 1 ? label_data_set(profile, service[KEY_FILE] - 1) : "");
	strbuf_release(&file);
}

static double amount_percent(const struct context *context, const struct kind *kind,
			     const uint64_t *sums)
{
	return kind->waits ? profile_run_percent(context->profile, sums[TOTAL])
			   : profile_cpu_percent(context->profile, sums[TOTAL]);
}

/* The table of one service: its callers, largest first. rows are in falling order. */
static void put_service(struct context *context, struct document *document, const struct sums *rows,
			const uint64_t *service, const uint64_t *values, const struct kind *kind)
{
	struct table *table =
		document_table(document, "callers", NULL, kind->columns, kind->column_count);
	uint64_t folded[AMOUNTS] = { 0 };
	struct strbuf label = STRBUF_INIT;
	size_t folded_rows = 0;

	put_context(context, table, service, values, kind);
	for (size_t i = 0; i < rows->keys.count; i++) {
		const uint64_t *key = sums_key(rows, rows->order[i]);
		const uint64_t *sums = sums_values(rows, rows->order[i]);

		if (memcmp(key, service, KEY_SERVICE_END * sizeof(*key)) != 0)
			continue;
		if (context_shows(context, amount_percent(context, kind, sums))) {
			put_caller(context, table, key, sums);
			continue;
		}
		folded_rows++;
		for (size_t j = 0; j < SUMMED; j++)
			folded[j] += sums[j];
	}
	if (folded_rows) {
		strbuf_addf(&label, ".OTHER (%zu)", folded_rows);
		put_label(context, table, ROW_OTHER, label.text, folded);
	}
	put_label(context, table, ROW_TOTAL, "TOTALS", values);
	strbuf_release(&label);
}

/* A row of the list of services. */
static void put_service_row(struct context *context, struct table *table, const uint64_t *service,
			    const uint64_t *values)
{
	const struct profile *profile = context->profile;
	struct row *row = table_row(table, ROW_DETAIL);
	struct strbuf file = STRBUF_INIT;

	row_text(table, row, service_name(profile, service));
	if (table->columns == execution_services) {
		context_put_string(context, table, row, values[FUNCTION]);
	} else {
		add_file(profile, service, &file);
		context_put_string(context, table, row, service[KEY_PROCEDURE]);
		row_text(table, row, label_reason(service[KEY_REASON] - 1));
		row_text(table, row, file.text);
	}
	put_amounts(context, table, row, values);
	strbuf_release(&file);
}

/* A row of the list of services that stands for several. */
static void put_service_sum(struct context *context, struct table *table, enum row_kind kind,
			    const char *label, const uint64_t *values)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, label);
	row_skip(table, row, table->columns == execution_services ? 1 : 3);
	put_amounts(context, table, row, values);
}

/* The list of all services, and the sum of all. */
static void put_services(struct context *context, struct document *document,
			 const struct sums *services, const struct kind *kind)
{
	struct table *table = document_table(document, "services", "ALL SERVICES", kind->services,
					     kind->service_count);
	uint64_t folded[AMOUNTS] = { 0 }, total[AMOUNTS] = { 0 };
	struct strbuf label = STRBUF_INIT;
	size_t folded_rows = 0;

	table->bar_title = kind->waits ? "RUN TIME HISTOGRAM" : "CPU TIME HISTOGRAM";
	table->bar_margin = kind->waits ? -1 : profile_margin(context->profile);
	for (size_t i = 0; i < services->keys.count; i++) {
		const uint64_t *values = sums_values(services, services->order[i]);
		bool shown = i < ROWS_ALWAYS_SHOWN ||
			     context_shows(context, amount_percent(context, kind, values));

		for (size_t j = 0; j < SUMMED; j++) {
			total[j] += values[j];
			folded[j] += shown ? 0 : values[j];
		}
		folded_rows += !shown;
		if (shown)
			put_service_row(context, table, sums_key(services, services->order[i]),
					values);
	}
	strbuf_addf(&label, ".OTHER (%zu)", folded_rows);
	if (folded_rows)
		put_service_sum(context, table, ROW_OTHER, label.text, folded);
	put_service_sum(context, table, ROW_TOTAL, "TOTALS", total);
	strbuf_release(&label);
}

static void build(struct context *context, struct document *document, const struct kind *kind)
{
	struct sums rows, services;

	sums_init(&rows, KEY_COUNT, AMOUNTS);
	sums_init(&services, KEY_SERVICE_END, AMOUNTS);
	if (kind->waits)
		sum_waits(context->profile, &rows, &services);
	else
		sum_execution(context->profile, &rows, &services);
	sums_sort_falling(&rows, TOTAL, NULL, NULL);
	sums_sort_falling(&services, TOTAL, NULL, NULL);
	put_services(context, document, &services, kind);
	for (size_t i = 0; i < services.keys.count; i++) {
		const uint64_t *values = sums_values(&services, services.order[i]);

		if (!context_details(context, amount_percent(context, kind, values)))
			break;
		put_service(context, document, &rows, sums_key(&services, services.order[i]),
			    values, kind);
	}
	sums_release(&rows);
	sums_release(&services);
}

static void build_execution(struct context *context, struct document *document)
{
	build(context, document, &execution);
}

static void build_waiting(struct context *context, struct document *document)
{
	build(context, document, &waiting);
}

const struct report_class report_ace = { "ACE", "Attribution of CPU Execution Time",
					 build_execution };
const struct report_class report_acw = { "ACW", "Attribution of CPU Wait Time", build_waiting };
