/* SPDX-License-Identifier: Apache-2.0 */
/* Attribution of CPU Execution Time and of CPU Wait Time: which callers invoked the services. */
#include "common/compat.h"
#include "profile/attribution-chain.h"
#include "profile/label.h"
#include "records/record-types.h"
#include "reports/chain-rows.h"
#include "reports/fold.h"
#include "reports/wait-columns.h"
#include "reports/wait-holders.h"

/* Keys of a row: the service, then who invoked it and through what. */
enum key {
	KEY_SECTION,   /* service: pseudo-section */
	KEY_PROCEDURE, /* service: function, for waits only */
	KEY_REASON,    /* service: reason + 1, for waits only */
	KEY_FILE,      /* service: file + 1, for waits only */
	KEY_SERVICE_END,
	KEY_TRANSACTION = KEY_SERVICE_END,
	KEY_MODULE, /* caller; all 0 if no frame belongs to the program */
	KEY_CALLER_SECTION,
	KEY_CALLER,
	KEY_LINE_FILE, /* path, and its base name if it is not the section's main source */
	KEY_LINE_OTHER_FILE,
	KEY_LINE,
	KEY_RETURN, /* offset, if there is neither line nor procedure; callers of the same name
		     * are one row */
	KEY_TEXT,
	KEY_VIA_MODULE,
	KEY_VIA,
	KEY_CHAIN, /* who called the caller, if that splits the row (chain-rows.h) */
	KEY_COUNT
};

/*
 * Amounts of a row: samples of execution, or enum wait_amount. The values after
 * them are not sums.
 */
enum amount {
	EXECUTION_TOTAL = 0,
	EXECUTION_SOLO = 1,
	EXECUTION_PLACED = 2,
	FUNCTION = WAIT_AMOUNTS, /* string: description of the service */
	HEAVIEST,		 /* weight of STACK */
	STACK,			 /* the heaviest stack, for the invokers */
	AMOUNTS
};

#define INVOKER(type_, id_, heading_, width_, ...) \
	FIGURE(type_, id_, "WAS INVOKED BY", heading_, width_, __VA_ARGS__)
#define CALLER_COLUMNS \
	INVOKER(COLUMN_NAME, "transaction", "XACTION", 10, .flags = COLUMN_MINOR), \
		INVOKER(COLUMN_NAME, "module", "MODULE", 12, .flags = 0), \
		INVOKER(COLUMN_NAME, "section", "SECTION", 14, .flags = COLUMN_MINOR), \
		INVOKER(COLUMN_NAME, "procedure", "PROCEDURE", 18, \
			.legend = "the procedure of the program that called the service"), \
		INVOKER(COLUMN_NUMBER, "line", "LINE", 6, .flags = 0), \
		INVOKER(COLUMN_HEX, "return", "RETURN", 8, .flags = COLUMN_DATA_ONLY), \
		OTHER_FILE_COLUMN("WAS INVOKED BY", 12), \
		INVOKER(COLUMN_TEXT, "text", "SOURCE TEXT OR INVOKERS", 28, \
			.flags = COLUMN_YIELDS, \
			.legend = \
				"the statement; where its text is not known, the callers of the " \
				"procedure"), \
		FIGURE(COLUMN_TEXT, "invokers", NULL, "INVOKERS", 0, .flags = COLUMN_DATA_ONLY), \
		FIGURE(COLUMN_NAME, "via_module", NULL, "VIA MODULE", 0, \
		       .flags = COLUMN_DATA_ONLY), \
		FIGURE(COLUMN_NAME, "via", NULL, "VIA", 18, \
		       .legend = "the function of the service that the program called")
/* Number of CALLER_COLUMNS, and which of them holds the label of a sum. */
#define CALLER_NAMES 11
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
	context_put_cpu(context, table, row, sums[EXECUTION_SOLO], sums[EXECUTION_TOTAL],
			sums[EXECUTION_PLACED]);
}

/* Differences between the two reports. */
struct kind {
	const struct column *columns, *services;
	size_t column_count, service_count;
	size_t service_names; /* columns of services before the amounts */
	size_t weight;	      /* the amount that rows are sorted by */
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

/* Fills the caller's part of a key. */
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
		key[KEY_LINE_FILE] = caller->file;
		key[KEY_LINE_OTHER_FILE] = caller->other_file;
		key[KEY_LINE] = caller->line;
		key[KEY_RETURN] = caller->line || caller->procedure ? 0 : caller->offset;
		key[KEY_TEXT] = caller->text;
	}
	if (via) {
		key[KEY_VIA_MODULE] = via->real_module;
		key[KEY_VIA] = via->procedure;
	}
}

/* Keeps the heaviest stack. */
static void remember(uint64_t *sums, size_t stack, uint64_t weight)
{
	if (weight < sums[HEAVIEST])
		return;
	sums[HEAVIEST] = weight;
	sums[STACK] = stack;
}

/* Fills the key of a sample; returns false if its place is not a service. */
static bool set_execution(const struct profile *profile, const struct profile_cpu *cpu,
			  uint64_t key[KEY_COUNT])
{
	const struct place *place = attribution_place(&profile->attribution, cpu->stack);

	memset(key, 0, KEY_COUNT * sizeof(*key));
	key[KEY_SECTION] = place->system ? place->section : place->module;
	set_caller(profile, cpu->stack, cpu->transaction, key);
	return attribution_is_service(&profile->attribution, cpu->stack);
}

/* Fills the key of a wait. */
static void set_waiting(const struct profile *profile, const struct profile_wait *wait,
			uint64_t key[KEY_COUNT])
{
	const struct place *place = attribution_place(&profile->attribution, wait->stack);

	memset(key, 0, KEY_COUNT * sizeof(*key));
	/* The place at which a task is preempted is chance, so it is not a service. */
	if (wait->reason != WAIT_DISPATCH) {
		key[KEY_SECTION] = place->system ? place->section : place->module;
		key[KEY_PROCEDURE] = place->procedure;
	}
	key[KEY_REASON] = wait->reason + 1;
	key[KEY_FILE] = wait->file + 1;
	set_caller(profile, wait->stack, wait->transaction, key);
}

/* Determines which rows are split by who called their caller. */
static void divide(const struct profile *profile, bool waits, double least,
		   struct chain_rows *chains)
{
	uint64_t key[KEY_COUNT];

	chain_rows_init(chains, profile, KEY_CHAIN);
	for (size_t i = 0; !waits && i < profile->cpu_count; i++)
		if (set_execution(profile, &profile->cpu[i], key))
			chain_rows_take(chains, key, profile->cpu[i].stack, profile->cpu[i].count);
	for (size_t i = 0; waits && i < profile->wait_count; i++) {
		set_waiting(profile, &profile->waits[i], key);
		chain_rows_take(chains, key, profile->waits[i].stack, profile->waits[i].charged);
	}
	chain_rows_end(chains, least);
}

static void sum_execution(const struct profile *profile, struct chain_rows *chains, double least,
			  struct sums *rows, struct sums *services)
{
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		const struct place *place = attribution_place(&profile->attribution, cpu->stack);
		uint64_t solo = cpu->flags & SAMPLE_SOLO ? cpu->count : 0;
		uint64_t key[KEY_COUNT], *sums;

		if (!set_execution(profile, cpu, key))
			continue;
		key[KEY_CHAIN] = chain_rows_key(chains, key, cpu->stack, least);
		sums = sums_at(rows, key);
		sums[EXECUTION_TOTAL] += cpu->count;
		sums[EXECUTION_SOLO] += solo;
		sums[EXECUTION_PLACED] += profile_cpu_placed(cpu);
		remember(sums, cpu->stack, cpu->count);
		sums = sums_at(services, key);
		sums[EXECUTION_TOTAL] += cpu->count;
		sums[EXECUTION_SOLO] += solo;
		sums[EXECUTION_PLACED] += profile_cpu_placed(cpu);
		sums[FUNCTION] = place->function;
	}
}

static void sum_waits(const struct profile *profile, struct chain_rows *chains, double least,
		      struct wait_rows *rows, struct wait_rows *services)
{
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		uint64_t key[KEY_COUNT], *sums;

		set_waiting(profile, wait, key);
		key[KEY_CHAIN] = chain_rows_key(chains, key, wait->stack, least);
		sums = wait_rows_add(rows, key, i);
		remember(sums, wait->stack, wait->charged);
		wait_rows_add(services, key, i);
	}
	wait_rows_end(rows);
	wait_rows_end(services);
}

/*
 * Appends who called the caller of a row: the chain of the heaviest stack, or the
 * number of chains.
 */
static void add_invokers(const struct context *context, const struct chain_rows *chains,
			 const uint64_t *key, const uint64_t *sums, struct strbuf *sb)
{
	if (key[KEY_CHAIN] == CHAIN_ROWS_OTHERS)
		strbuf_addf(sb, "(%zu others)", chain_rows_others(chains, key));
	else
		attribution_chain(context->profile, (size_t)sums[STACK], sb);
}

/* Fills line or offset, file, text and invokers of a caller. */
static void put_statement(struct context *context, const struct chain_rows *chains,
			  struct table *table, struct row *row, const uint64_t *key,
			  const uint64_t *sums)
{
	const char *text = profile_text(context->profile, key[KEY_TEXT]);
	const struct place *caller =
		attribution_caller(&context->profile->attribution, (size_t)sums[STACK]);
	struct strbuf chain = STRBUF_INIT;

	add_invokers(context, chains, key, sums, &chain);
	if (key[KEY_CHAIN] != CHAIN_ROWS_WHOLE)
		row_below(row, "called by %s", chain.length ? chain.text : "no known caller");
	if (key[KEY_LINE])
		row_number(table, row, key[KEY_LINE]);
	else
		row_skip(table, row, 1);
	/* Of several, that of the heaviest stack. */
	if (!key[KEY_LINE] && key[KEY_MODULE] && caller->offset)
		row_number(table, row, caller->offset);
	else
		row_skip(table, row, 1);
	row_file(table, row, profile_text(context->profile, key[KEY_LINE_FILE]),
		 profile_text(context->profile, key[KEY_LINE_OTHER_FILE]));
	text += strspn(text, " \t");
	row_text(table, row, *text ? text : chain.text);
	row_text(table, row, chain.text);
	strbuf_release(&chain);
}

/* Fills the columns of one caller of the service. */
static void put_caller(struct context *context, const struct chain_rows *chains,
		       struct table *table, struct row *row, const uint64_t *key,
		       const uint64_t *sums)
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
	put_statement(context, chains, table, row, key, sums);
	context_put_string(context, table, row, key[KEY_VIA_MODULE]);
	context_put_string(context, table, row, key[KEY_VIA] ? key[KEY_VIA] : key[KEY_VIA_MODULE]);
	strbuf_release(&label);
}

/* Appends the file of a service, or the pseudo-file of its reason. */
static void add_file(const struct profile *profile, const uint64_t *service, struct strbuf *sb)
{
	if (service[KEY_FILE] > 1)
		label_file(profile, service[KEY_FILE] - 1, sb);
	else
		strbuf_addstr(sb, label_pseudo_file(service[KEY_REASON] - 1));
}

/* Returns the name of a service: pseudo-section or module, or the pseudo-file if it is not code. */
static const char *service_name(const struct profile *profile, const uint64_t *service)
{
	return service[KEY_SECTION] ? profile_text(profile, service[KEY_SECTION])
				    : label_pseudo_file(service[KEY_REASON] - 1);
}

/* Puts the facts above the rows of a service. */
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

/* Returns the share of a row: of the CPU time, or of the run time. */
static double share(const struct context *context, const struct kind *kind, const uint64_t *sums)
{
	return kind->waits ? profile_run_percent(context->profile, sums[kind->weight])
			   : profile_cpu_percent(context->profile, sums[kind->weight]);
}

/* Rows of one of the reports, or services; for waits with the data for their margins. */
struct listed {
	struct sums sums;
	struct wait_rows waits;
	const struct chain_rows *chains; /* borrowed; for rows */
};

/* fold_take for a row, by its number. */
static bool take(struct listed *listed, const struct kind *kind, struct fold *fold, size_t number,
		 bool shown)
{
	return kind->waits ? wait_rows_fold(&listed->waits, fold, number, shown)
			   : fold_take(fold, sums_values(&listed->sums, number), shown);
}

/* Ends a table with .OTHER and the total. */
static void total(struct listed *listed, const struct kind *kind, struct fold *fold)
{
	if (kind->waits) {
		wait_rows_total(&listed->waits, fold);
		return;
	}
	fold_other(fold);
	fold_total(fold, "TOTALS");
}

/* Puts the table of one service: its callers, largest first. listed is sorted by falling weight. */
static void put_service(struct context *context, struct document *document, struct listed *listed,
			const uint64_t *service, const uint64_t *values, const struct kind *kind)
{
	const struct sums *rows = &listed->sums;
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
		    !take(listed, kind, &fold, rows->order[i],
			  context_shows(context, share(context, kind, sums))))
			continue;
		row = table_row(table, ROW_DETAIL);
		put_caller(context, listed->chains, table, row, key, sums);
		fold_fill(&fold, row, sums);
	}
	total(listed, kind, &fold);
}

/* Fills the columns that name a service in the list of all. */
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

/* Puts the list of all services, and the total. */
static void put_services(struct context *context, struct document *document,
			 struct listed *listed, const struct kind *kind)
{
	const struct sums *services = &listed->sums;
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

		if (!take(listed, kind, &fold, services->order[i], shown))
			continue;
		row = table_row(table, ROW_DETAIL);
		put_service_names(context, table, row, sums_key(services, services->order[i]),
				  values, kind);
		fold_fill(&fold, row, values);
	}
	total(listed, kind, &fold);
}

static void build(struct context *context, struct document *document, const struct kind *kind)
{
	const struct profile *profile = context->profile;
	double all = kind->waits ? (double)profile_run_time(profile) : (double)profile->samples;
	/* The minimum for a separate row elsewhere: see context_shows. */
	double least = context->options->all ? 1 : all * context->options->baseline / 1000;
	struct chain_rows chains;
	struct listed rows = { .chains = &chains }, services = { .chains = &chains };

	divide(profile, kind->waits, least, &chains);
	sums_init(&rows.sums, KEY_COUNT, AMOUNTS);
	sums_init(&services.sums, KEY_SERVICE_END, AMOUNTS);
	wait_rows_init(&rows.waits, context->profile, &rows.sums);
	wait_rows_init(&services.waits, context->profile, &services.sums);
	if (kind->waits)
		sum_waits(profile, &chains, least, &rows.waits, &services.waits);
	else
		sum_execution(profile, &chains, least, &rows.sums, &services.sums);
	sums_sort_falling(&rows.sums, kind->weight, NULL, NULL);
	sums_sort_falling(&services.sums, kind->weight, NULL, NULL);
	put_services(context, document, &services, kind);
	if (kind->waits)
		wait_holders_put(context, document);
	for (size_t i = 0; i < services.sums.keys.count; i++) {
		const uint64_t *values = sums_values(&services.sums, services.sums.order[i]);

		if (!context_details(context, share(context, kind, values)))
			break;
		put_service(context, document, &rows, sums_key(&services.sums, services.sums.order[i]),
			    values, kind);
	}
	wait_rows_release(&rows.waits);
	wait_rows_release(&services.waits);
	sums_release(&rows.sums);
	sums_release(&services.sums);
	chain_rows_release(&chains);
}

static void build_execution(struct context *context, struct document *document)
{
	build(context, document, &execution);
}

static void build_waiting(struct context *context, struct document *document)
{
	if (!context_without_waits(context, document))
		build(context, document, &waiting);
}

const struct report_class report_ace = { "ACE", "Attribution of CPU Execution Time",
					 build_execution, REPORT_OF_SAMPLES };
const struct report_class report_acw = { "ACW", "Attribution of CPU Wait Time", build_waiting,
					 REPORT_OF_SAMPLES };
