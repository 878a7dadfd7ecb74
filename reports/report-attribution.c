/* SPDX-License-Identifier: Apache-2.0 */
/* Attribution of CPU Execution Time and of CPU Wait Time: who invoked the services. */
#include "common/compat.h"
#include "profile/label.h"
#include "reports/fold.h"
#include "reports/wait-columns.h"

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

/*
 * What is summed up for a row: samples of execution, or enum wait_amount.
 * After them stands what is no sum.
 */
enum amount {
	EXECUTION_TOTAL = 0,
	EXECUTION_SOLO = 1,
	FUNCTION = WAIT_AMOUNTS, /* string: what the service is */
	HEAVIEST,		 /* weight of STACK */
	STACK,			 /* the stack that weighs most, for the invokers */
	AMOUNTS
};

#define INVOKER(type_, id_, heading_, width_, ...) \
	FIGURE(type_, id_, "WAS INVOKED BY", heading_, width_, __VA_ARGS__)
#define CALLER_COLUMNS \
	INVOKER(COLUMN_NAME, "transaction", "XACTION", 10, .flags = 0), \
		INVOKER(COLUMN_NAME, "module", "MODULE", 12, .flags = 0), \
		INVOKER(COLUMN_NAME, "section", "SECTION", 14, .flags = 0), \
		INVOKER(COLUMN_NAME, "procedure", "PROCEDURE", 18, \
			.legend = "the procedure of the program that called the service"), \
		INVOKER(COLUMN_NUMBER, "line", "LINE", 6, .flags = 0), \
		INVOKER(COLUMN_HEX, "return", "RETURN", 8, .flags = COLUMN_DATA_ONLY), \
		INVOKER(COLUMN_TEXT, "text", "SOURCE TEXT OR INVOKERS", 28, \
			.legend = \
				"the statement; where its text is not known, the callers of the " \
				"procedure"), \
		FIGURE(COLUMN_TEXT, "invokers", NULL, "INVOKERS", 0, .flags = COLUMN_DATA_ONLY), \
		FIGURE(COLUMN_NAME, "via_module", NULL, "VIA MODULE", 0, \
		       .flags = COLUMN_DATA_ONLY), \
		FIGURE(COLUMN_NAME, "via", NULL, "VIA", 18, \
		       .legend = "the function of the service that the program called")
/* Columns of CALLER_COLUMNS, and the one of them that holds the label of a sum. */
#define CALLER_NAMES 10
#define CALLER_LABEL 1

static const struct column execution_columns[] = {
	CALLER_COLUMNS,
	FIGURE(COLUMN_NUMBER, "samples", NULL, "SAMPLES", 8,
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY),
	CPU_COLUMNS,
};

static const struct column wait_columns[] = {
	CALLER_COLUMNS,
	WAIT_COUNT_COLUMNS(9, COLUMN_DATA_ONLY),
	WAIT_PAGE_COLUMN,
	WAIT_SHARE_COLUMN,
};

static const struct column execution_services[] = {
	{ .id = "service",
	  .heading = "SERVICE",
	  .width = 18,
	  .type = COLUMN_NAME,
	  .legend = "pseudo-section of .SYSTEM, or module that an interpreted program called" },
	{ .id = "function", .heading = "FUNCTION", .width = 34, .type = COLUMN_TEXT },
	SAMPLES_COLUMN,
	CPU_COLUMNS,
	CPU_BAR,
};

static const struct column wait_services[] = {
	{ .id = "service",
	  .heading = "SERVICE",
	  .width = 14,
	  .type = COLUMN_NAME,
	  .legend = "pseudo-section of .SYSTEM, or module, in which the wait took place" },
	{ .id = "function", .heading = "FUNCTION", .width = 20, .type = COLUMN_NAME },
	{ .id = "reason", .heading = "REASON", .width = 17, .type = COLUMN_TEXT },
	{ .id = "ddname", .heading = "FILE", .width = 14, .type = COLUMN_NAME },
	WAIT_COUNT_COLUMNS(9, 0),
	WAIT_PAGE_COLUMN,
	WAIT_SHARE_COLUMN,
	{ .id = "bar", .heading = "", .type = COLUMN_BAR, .bar = "run_total_percent" },
};

static void put_execution(struct context *context, struct table *table, struct row *row,
			  const uint64_t *sums, const uint64_t *above UNUSED)
{
	row_number(table, row, sums[EXECUTION_TOTAL]);
	context_put_cpu(context, table, row, sums[EXECUTION_SOLO], sums[EXECUTION_TOTAL]);
}

/* What the two reports differ in. */
struct kind {
	const struct column *columns, *services;
	size_t column_count, service_count;
	size_t service_names; /* columns of services before the amounts */
	size_t weight;	      /* the amount that rows are ordered by */
	void (*put)(struct context *context, struct table *table, struct row *row,
		    const uint64_t *sums, const uint64_t *above);
	bool waits;
};

static const struct kind execution = {
	.columns = execution_columns,
	.column_count = ARRAY_SIZE(execution_columns),
	.services = execution_services,
	.service_count = ARRAY_SIZE(execution_services),
	.service_names = 2,
	.weight = EXECUTION_TOTAL,
	.put = put_execution,
};

static const struct kind waiting = {
	.columns = wait_columns,
	.column_count = ARRAY_SIZE(wait_columns),
	.services = wait_services,
	.service_count = ARRAY_SIZE(wait_services),
	.service_names = 4,
	.weight = WAIT_AMOUNT_CHARGED,
	.put = wait_columns_put,
	.waits = true,
};

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

/* Remember the stack that weighs most. */
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
		sums[EXECUTION_TOTAL] += cpu->count;
		sums[EXECUTION_SOLO] += solo;
		remember(sums, cpu->stack, cpu->count);
		sums = sums_at(services, key);
		sums[EXECUTION_TOTAL] += cpu->count;
		sums[EXECUTION_SOLO] += solo;
		sums[FUNCTION] = place->function;
	}
}

static void sum_waits(const struct profile *profile, struct sums *rows, struct sums *services)
{
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const struct place *place = attribution_place(&profile->attribution, wait->stack);
		uint64_t key[KEY_COUNT] = { place->system ? place->section : place->module,
					    place->procedure, wait->reason + 1, wait->file + 1 };
		uint64_t *sums;

		/* Where a task is preempted is chance, so that place is no service. */
		if (wait->reason == WAIT_DISPATCH)
			key[KEY_SECTION] = key[KEY_PROCEDURE] = 0;
		set_caller(profile, wait->stack, wait->transaction, key);
		sums = sums_at(rows, key);
		wait_columns_add(sums, wait);
		remember(sums, wait->stack, wait->charged);
		wait_columns_add(sums_at(services, key), wait);
	}
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

/* Fill the columns of one caller of the service. */
static void put_caller(struct context *context, struct table *table, struct row *row,
		       const uint64_t *key, const uint64_t *sums)
{
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

/* The share of a row: of the CPU time, or of the run time. */
static double share(const struct context *context, const struct kind *kind, const uint64_t *sums)
{
	return kind->waits ? profile_run_percent(context->profile, sums[kind->weight])
			   : profile_cpu_percent(context->profile, sums[kind->weight]);
}

/* The table of one service: its callers, largest first. rows are in falling order. */
static void put_service(struct context *context, struct document *document, const struct sums *rows,
			const uint64_t *service, const uint64_t *values, const struct kind *kind)
{
	struct table *table =
		document_table(document, "callers", NULL, kind->columns, kind->column_count);
	struct fold fold = { .context = context,
			     .table = table,
			     .amounts = WAIT_AMOUNTS,
			     .names = CALLER_NAMES,
			     .label = CALLER_LABEL,
			     .put = kind->put };

	put_context(context, table, service, values, kind);
	for (size_t i = 0; i < rows->keys.count; i++) {
		const uint64_t *key = sums_key(rows, rows->order[i]);
		const uint64_t *sums = sums_values(rows, rows->order[i]);
		struct row *row;

		if (memcmp(key, service, KEY_SERVICE_END * sizeof(*key)) != 0 ||
		    !fold_take(&fold, sums, context_shows(context, share(context, kind, sums))))
			continue;
		row = table_row(table, ROW_DETAIL);
		put_caller(context, table, row, key, sums);
		fold_fill(&fold, row, sums);
	}
	fold_other(&fold);
	fold_total(&fold, "TOTALS");
}

/* Fill the columns that name a service in the list of all. */
static void put_service_names(struct context *context, struct table *table, struct row *row,
			      const uint64_t *service, const uint64_t *values,
			      const struct kind *kind)
{
	const struct profile *profile = context->profile;
	struct strbuf file = STRBUF_INIT;

	row_text(table, row, service_name(profile, service));
	if (!kind->waits) {
		context_put_string(context, table, row, values[FUNCTION]);
		return;
	}
	add_file(profile, service, &file);
	context_put_string(context, table, row, service[KEY_PROCEDURE]);
	row_text(table, row, label_reason(service[KEY_REASON] - 1));
	row_text(table, row, file.text);
	strbuf_release(&file);
}

/* The list of all services, and the sum of all. */
static void put_services(struct context *context, struct document *document,
			 const struct sums *services, const struct kind *kind)
{
	struct table *table = document_table(document, "services", "ALL SERVICES", kind->services,
					     kind->service_count);
	struct fold fold = { .context = context,
			     .table = table,
			     .amounts = WAIT_AMOUNTS,
			     .names = kind->service_names,
			     .put = kind->put };

	table->bar_title = kind->waits ? "RUN TIME HISTOGRAM" : "CPU TIME HISTOGRAM";
	table->bar_margin = kind->waits ? -1 : profile_margin(context->profile);
	for (size_t i = 0; i < services->keys.count; i++) {
		const uint64_t *values = sums_values(services, services->order[i]);
		bool shown = i < ROWS_ALWAYS_SHOWN ||
			     context_shows(context, share(context, kind, values));
		struct row *row;

		if (!fold_take(&fold, values, shown))
			continue;
		row = table_row(table, ROW_DETAIL);
		put_service_names(context, table, row, sums_key(services, services->order[i]),
				  values, kind);
		fold_fill(&fold, row, values);
	}
	fold_other(&fold);
	fold_total(&fold, "TOTALS");
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
	sums_sort_falling(&rows, kind->weight, NULL, NULL);
	sums_sort_falling(&services, kind->weight, NULL, NULL);
	put_services(context, document, &services, kind);
	for (size_t i = 0; i < services.keys.count; i++) {
		const uint64_t *values = sums_values(&services, services.order[i]);

		if (!context_details(context, share(context, kind, values)))
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
					 build_execution, REPORT_OF_SAMPLES };
const struct report_class report_acw = { "ACW", "Attribution of CPU Wait Time", build_waiting, REPORT_OF_SAMPLES };
