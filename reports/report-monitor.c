/* SPDX-License-Identifier: Apache-2.0 */
/* Monitor Records: collects what monitor data of z/VM say about themselves, and prints it. */
#include "common/compat.h"
#include "reports/report-monitor.h"
#include "common/clock.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "reports/device.h"

/* Limit of kinds of application data that are distinguished; further ones are merged. */
#define APPLICATIONS_MAX 1000

/* A field of a record that is shown as it is. */
struct fact {
	const char *field, *label;
	enum { FACT_TEXT, FACT_NUMBER, FACT_TIME, FACT_HUNDREDTHS } kind;
};

static const struct fact system_facts[] = {
	{ "system", "SYSTEM", FACT_TEXT },	  { "level", "CP LEVEL", FACT_TEXT },
	{ "ipl", "STARTED", FACT_TIME },	  { "termination", "ENDED BEFORE", FACT_TIME },
	{ "machine", "MACHINE", FACT_TEXT },	  { "model", "MODEL", FACT_TEXT },
	{ "serial", "SERIAL NUMBER", FACT_TEXT }, { "partition", "PARTITION", FACT_TEXT },
};
static const struct fact sample_facts[] = {
	{ "interval", "INTERVAL, S", FACT_NUMBER },
	{ "rate", "HIGH-FREQUENCY RATE, S", FACT_HUNDREDTHS },
	{ "domains", "DOMAINS", FACT_TEXT },
	{ "rate_domains", "HIGH-FREQUENCY DOMAINS", FACT_TEXT },
	{ "pages", "CONFIGURATION PAGES", FACT_NUMBER },
};
static const struct fact event_facts[] = {
	{ "domains", "DOMAINS", FACT_TEXT },
	{ "pages", "CONFIGURATION PAGES", FACT_NUMBER },
};

/* The fields of one type of record; the last such record is shown. */
static const struct fact_group {
	const char *record, *id, *title;
	const struct fact *facts;
	size_t count;
} groups[] = {
	{ "mtrsys", "system", "SYSTEM CONFIGURATION", system_facts, ARRAY_SIZE(system_facts) },
	{ "mtrspr", "sample", "SAMPLE PROFILE", sample_facts, ARRAY_SIZE(sample_facts) },
	{ "mtrepr", "event", "EVENT PROFILE", event_facts, ARRAY_SIZE(event_facts) },
};
#define FACTS_MAX ARRAY_SIZE(system_facts)

/* The newest list of a profile and domain. */
struct listed {
	char *profile, *domain_name, *covers; /* owned */
	uint64_t list, time, domain, status, flags, items, counted, records, complete;
	uint64_t lists; /* how many there were */
	char **names;	/* of the items; owned */
	size_t name_count, name_alloc;
};

struct counted {
	char *id, *name; /* owned */
	uint64_t domain, number, records, bytes, shortest, longest;
};

struct application {
	char *user, *product; /* owned */
	uint64_t records, bytes;
};

struct monitor_facts {
	char *texts[ARRAY_SIZE(groups)][FACTS_MAX]; /* owned; NULL: none */
	struct listed *lists;
	size_t list_count, list_alloc;
	struct counted *counts;
	size_t count_count, count_alloc;
	struct idmap kinds; /* domain and record: number of its count */
	struct application *applications;
	size_t application_count, application_alloc;
	uint64_t first, last, snapshots; /* times of the first and the last snapshot, and their
					  * number */
};

/* The record being examined. */
struct look {
	const struct recordset *set;
	size_t record;
	const struct strmap *strings;
};

/* Gets a value by field name; returns false if it is missing. */
static bool value_of(const struct look *look, const char *name, struct field_value *value)
{
	const struct record_type *type = look->set->type;

	for (size_t i = 0; i < type->field_count; i++)
		if (strcmp(type->fields[i].name, name) == 0)
			return recordset_value(look->set, look->record, i, value);
	return false;
}

/* Returns a number; UINT64_MAX: it is missing. */
static uint64_t number_of(const struct look *look, const char *name)
{
	struct field_value value;

	return value_of(look, name, &value) && value.type == FIELD_UNSIGNED ? value.number
									    : UINT64_MAX;
}

/* Returns a text; "": it is missing. */
static const char *text_of(const struct look *look, const char *name)
{
	struct field_value value;

	return value_of(look, name, &value) && value.type == FIELD_STRING
		       ? strmap_text(look->strings, (uint32_t)value.number)
		       : "";
}

static void replace(char **text, const char *by)
{
	free(*text);
	*text = xstrdup(by);
}

/* Keeps a field in the form to be shown; a missing one leaves the previous value. */
static void keep_fact(const struct look *look, const struct fact *fact, char **text)
{
	uint64_t number = fact->kind == FACT_TEXT ? 0 : number_of(look, fact->field);
	struct strbuf sb = STRBUF_INIT;

	if (fact->kind == FACT_TEXT)
		strbuf_addstr(&sb, text_of(look, fact->field));
	else if (fact->kind == FACT_NUMBER && number != UINT64_MAX)
		strbuf_addf(&sb, "%" PRIu64, number);
	else if (fact->kind == FACT_HUNDREDTHS && number != UINT64_MAX)
		strbuf_addf(&sb, "%" PRIu64 ".%02u", number / 100, (unsigned)(number % 100));
	else if (fact->kind == FACT_TIME && number != UINT64_MAX)
		clock_format_wall(&sb, number);
	if (sb.length)
		replace(text, sb.text);
	strbuf_release(&sb);
}

/* Returns the newest list of a profile and domain, adding it if there was none. */
static struct listed *find_list(struct monitor_facts *facts, const char *profile, uint64_t domain)
{
	struct listed *list;

	for (size_t i = 0; i < facts->list_count; i++)
		if (facts->lists[i].domain == domain &&
		    strcmp(facts->lists[i].profile, profile) == 0)
			return &facts->lists[i];
	GROW(facts->lists, facts->list_count + 1, facts->list_alloc);
	list = &facts->lists[facts->list_count++];
	*list = (struct listed){ .profile = xstrdup(profile), .domain = domain };
	return list;
}

static void drop_names(struct listed *list)
{
	for (size_t i = 0; i < list->name_count; i++)
		free(list->names[i]);
	list->name_count = 0;
}

/* Keeps a list. */
static void keep_list(struct monitor_facts *facts, const struct look *look)
{
	struct listed *list = find_list(facts, text_of(look, "profile"), number_of(look, "domain"));

	list->list = number_of(look, "list");
	list->time = number_of(look, "time");
	list->status = number_of(look, "status");
	list->flags = number_of(look, "flags");
	list->items = number_of(look, "items");
	list->counted = number_of(look, "counted");
	list->records = number_of(look, "records");
	list->complete = number_of(look, "complete");
	list->lists++;
	replace(&list->domain_name, text_of(look, "domain_name"));
	replace(&list->covers, text_of(look, "covers"));
	drop_names(list);
}

/* Keeps an item, if its list is still the newest. */
static void keep_item(struct monitor_facts *facts, const struct look *look)
{
	uint64_t number = number_of(look, "list");

	for (size_t i = 0; i < facts->list_count; i++) {
		struct listed *list = &facts->lists[i];

		if (list->list != number)
			continue;
		GROW(list->names, list->name_count + 1, list->name_alloc);
		list->names[list->name_count++] = xstrdup(text_of(look, "item"));
	}
}

static void keep_count(struct monitor_facts *facts, const struct look *look)
{
	uint64_t domain = number_of(look, "domain"), number = number_of(look, "number");
	uint64_t shortest = number_of(look, "shortest"), longest = number_of(look, "longest");
	uint64_t kind = domain << 16 | number, at = facts->count_count;
	struct counted *count;

	if (!idmap_get(&facts->kinds, kind, &at)) {
		idmap_put(&facts->kinds, kind, at);
		GROW(facts->counts, facts->count_count + 1, facts->count_alloc);
		facts->counts[facts->count_count++] = (struct counted){
			.id = xstrdup(text_of(look, "id")),
			.name = xstrdup(text_of(look, "name")),
			.domain = domain,
			.number = number,
			.shortest = shortest,
		};
	}
	count = &facts->counts[at];
	count->records += number_of(look, "records");
	count->bytes += number_of(look, "bytes");
	if (shortest < count->shortest)
		count->shortest = shortest;
	if (longest > count->longest)
		count->longest = longest;
}

static void keep_application(struct monitor_facts *facts, const struct look *look)
{
	const char *user = text_of(look, "user"), *product = text_of(look, "product");
	uint64_t length = number_of(look, "length");
	struct application *application = facts->applications;
	size_t i = 0;

	if (facts->application_count == APPLICATIONS_MAX)
		user = product = "";
	while (i < facts->application_count && (strcmp(application[i].user, user) != 0 ||
						strcmp(application[i].product, product) != 0))
		i++;
	if (i == facts->application_count) {
		GROW(facts->applications, i + 1, facts->application_alloc);
		facts->applications[facts->application_count++] =
			(struct application){ .user = xstrdup(user), .product = xstrdup(product) };
	}
	facts->applications[i].records++;
	facts->applications[i].bytes += length == UINT64_MAX ? 0 : length;
}

/* Examines a record and keeps its data. */
static void keep(struct monitor_facts *facts, const struct look *look)
{
	const char *name = look->set->type->name;

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		for (size_t f = 0; strcmp(groups[i].record, name) == 0 && f < groups[i].count; f++)
			keep_fact(look, &groups[i].facts[f], &facts->texts[i][f]);
	if (strcmp(name, "mtrddr") == 0)
		keep_list(facts, look);
	else if (strcmp(name, "mtrddritem") == 0)
		keep_item(facts, look);
	else if (strcmp(name, "monrec") == 0)
		keep_count(facts, look);
	else if (strcmp(name, "aplsdt") == 0)
		keep_application(facts, look);
}

static enum module_status report_init(struct module *module, struct error *err UNUSED)
{
	struct monitor_report *report = module->context;

	report->facts = xcalloc(1, sizeof(*report->facts));
	return MODULE_OK;
}

static enum module_status report_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err UNUSED)
{
	struct monitor_report *report = module->context;
	struct monitor_facts *facts = report->facts;
	struct look look = { .strings = engine_strings(module->engine) };

	if (snapshot_is_empty(snapshot))
		return MODULE_OK;
	if (!facts->snapshots++)
		facts->first = snapshot->wall;
	facts->last = snapshot->wall;
	for (size_t id = RECORD_RUNTIME_FIRST; id < snapshot->set_count; id++) {
		look.set = snapshot->sets[id];
		for (look.record = 0; look.set && look.record < look.set->count; look.record++)
			keep(facts, &look);
	}
	return MODULE_OK;
}

const struct module_class monitor_report_class = {
	.name = "REPORT.MONITOR",
	.summary = "gathers the report on monitor data",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.init = report_init,
	.call = report_call,
};

void monitor_report_release(struct monitor_report *report)
{
	struct monitor_facts *facts = report->facts;

	if (!facts)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		for (size_t f = 0; f < FACTS_MAX; f++)
			free(facts->texts[i][f]);
	for (size_t i = 0; i < facts->list_count; i++) {
		drop_names(&facts->lists[i]);
		free(facts->lists[i].names);
		free(facts->lists[i].profile);
		free(facts->lists[i].domain_name);
		free(facts->lists[i].covers);
	}
	for (size_t i = 0; i < facts->count_count; i++) {
		free(facts->counts[i].id);
		free(facts->counts[i].name);
	}
	for (size_t i = 0; i < facts->application_count; i++) {
		free(facts->applications[i].user);
		free(facts->applications[i].product);
	}
	free(facts->lists);
	free(facts->counts);
	idmap_release(&facts->kinds);
	free(facts->applications);
	free(facts);
	report->facts = NULL;
}

/* Puts the file, and the period it covers. */
static void put_file(const struct monitor_report *report, struct pair_group *group)
{
	const struct monitor_facts *facts = report->facts;
	struct strbuf sb = STRBUF_INIT;
	uint64_t records = 0, bytes = 0;

	for (size_t i = 0; i < facts->count_count; i++) {
		records += facts->counts[i].records;
		bytes += facts->counts[i].bytes;
	}
	pair_text(group, "file", "FILE", report->path);
	if (facts->first)
		clock_format_wall(&sb, facts->first);
	pair_text(group, "first", "FIRST INTERVAL ENDS", sb.text);
	strbuf_reset(&sb);
	if (facts->last)
		clock_format_wall(&sb, facts->last);
	pair_text(group, "last", "LAST RECORDS", sb.text);
	pair_number(group, "intervals", "INTERVALS", COLUMN_NUMBER, facts->snapshots);
	pair_number(group, "records", "RECORDS", COLUMN_NUMBER, records);
	pair_number(group, "record_bytes", "BYTES OF RECORDS", COLUMN_NUMBER, bytes);
	pair_number(group, "damages", "DAMAGED PLACES", COLUMN_NUMBER, report->damages);
	strbuf_release(&sb);
}

/* Puts the file, and next to it the configuration records. */
static void put_configuration(const struct monitor_report *report, struct document *document)
{
	struct pair_group *pairs = document_pairs(document, 2);

	pairs[0].id = "file";
	pairs[0].title = "FILE";
	put_file(report, &pairs[0]);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		struct pair_group *group;

		if (i == 1)
			pairs = document_pairs(document, 2);
		group = i ? &pairs[i - 1] : &pairs[1];
		group->id = groups[i].id;
		group->title = groups[i].title;
		for (size_t f = 0; f < groups[i].count; f++) {
			const char *text = report->facts->texts[i][f];

			pair_text(group, groups[i].facts[f].field, groups[i].facts[f].label,
				  text ? text : "");
		}
	}
}

static const struct column list_columns[] = {
	{ .id = "profile",
	  .heading = "PROFILE",
	  .width = 8,
	  .type = COLUMN_TEXT,
	  .legend = "of sample or of event data" },
	FIGURE(COLUMN_NUMBER, "domain", "DOMAIN", "NO", 4),
	{ .id = "domain_name",
	  .group = "DOMAIN",
	  .heading = "NAME",
	  .width = 12,
	  .type = COLUMN_TEXT },
	FIGURE(COLUMN_HEX, "status", NULL, "STATUS", 6,
	       .legend = "80 all items of the domain, 40 those listed only, 20 all except those"),
	{ .id = "covers", .heading = "COVERS", .width = 8, .type = COLUMN_TEXT },
	FIGURE(COLUMN_HEX, "flags", NULL, "FLAGS", 6, .legend = "of the last record of the list"),
	FIGURE(COLUMN_NUMBER, "items", "ITEMS", "LISTED", 8),
	FIGURE(COLUMN_NUMBER, "counted", "ITEMS", "COUNTED", 8,
	       .legend = "sum of the counts in the records of the list"),
	FIGURE(COLUMN_NUMBER, "records", NULL, "RECORDS", 8, .legend = "number of records of the "
		"list"),
	FIGURE(COLUMN_NUMBER, "lists", NULL, "LISTS", 8,
	       .legend = "number of lists in the file; the last one is shown"),
	{ .id = "complete", .heading = "COMPLETE", .width = 8, .type = COLUMN_TEXT },
	{ .id = "time", .heading = "BUILT", .width = 20, .type = COLUMN_TEXT },
};

static void put_lists(const struct monitor_facts *facts, struct document *document)
{
	struct table *table = document_table(document, "domain_detail", "DOMAIN DETAIL",
					     list_columns, ARRAY_SIZE(list_columns));
	struct strbuf time = STRBUF_INIT;

	for (size_t i = 0; i < facts->list_count; i++) {
		const struct listed *list = &facts->lists[i];
		struct row *row = table_row(table, ROW_DETAIL);

		strbuf_reset(&time);
		if (list->time != UINT64_MAX)
			clock_format_wall(&time, list->time);
		row_text(table, row, list->profile);
		row_number(table, row, list->domain);
		row_text(table, row, list->domain_name);
		row_number(table, row, list->status);
		row_text(table, row, list->covers);
		row_number(table, row, list->flags);
		row_number(table, row, list->items);
		row_number(table, row, list->counted);
		row_number(table, row, list->records);
		row_number(table, row, list->lists);
		row_text(table, row, list->complete ? "YES" : "NO");
		row_text(table, row, time.text);
	}
	strbuf_release(&time);
}

static const struct column item_columns[] = {
	FIGURE(COLUMN_NUMBER, "number", NULL, "NUMBER", 8),
	{ .id = "item",
	  .heading = "ITEM",
	  .width = 32,
	  .type = COLUMN_TEXT,
	  .legend = "a user id, or a device number in hexadecimal" },
};

/* Puts the items of each list that has any. */
static void put_items(const struct monitor_facts *facts, struct document *document)
{
	for (size_t i = 0; i < facts->list_count; i++) {
		const struct listed *list = &facts->lists[i];
		struct table *table;

		if (!list->name_count)
			continue;
		table = document_table(document, "domain_items", "ITEMS OF A DOMAIN", item_columns,
				       ARRAY_SIZE(item_columns));
		table_context(table, "profile", "PROFILE", list->profile);
		table_context(table, "domain_name", "DOMAIN", list->domain_name);
		table_context(table, "covers", "COVERS", list->covers);
		for (size_t number = 0; number < list->name_count; number++) {
			struct row *row = table_row(table, ROW_DETAIL);

			row_number(table, row, number + 1);
			row_text(table, row, list->names[number]);
		}
	}
}

static const struct column count_columns[] = {
	{ .id = "id", .heading = "RECORD", .width = 10, .type = COLUMN_TEXT },
	{ .id = "name",
	  .heading = "NAME",
	  .width = 10,
	  .type = COLUMN_TEXT,
	  .legend = "none for a record that vigil does not know" },
	FIGURE(COLUMN_NUMBER, "domain", NULL, "DOMAIN", 6),
	FIGURE(COLUMN_NUMBER, "number", NULL, "NUMBER", 6),
	FIGURE(COLUMN_NUMBER, "records", NULL, "RECORDS", 12, .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_NUMBER, "bytes", NULL, "BYTES", 16, .flags = COLUMN_ADDITIVE),
	FIGURE(COLUMN_NUMBER, "shortest_bytes", "LENGTH", "SHORTEST", 8),
	FIGURE(COLUMN_NUMBER, "longest_bytes", "LENGTH", "LONGEST", 8),
};

static int by_kind(const void *a, const void *b)
{
	const struct counted *one = a, *other = b;

	if (one->domain != other->domain)
		return one->domain < other->domain ? -1 : 1;
	return one->number < other->number ? -1 : one->number > other->number;
}

static void put_counts(struct monitor_facts *facts, struct document *document)
{
	struct table *table = document_table(document, "records", "RECORDS BY DOMAIN",
					     count_columns, ARRAY_SIZE(count_columns));
	uint64_t records = 0, bytes = 0;
	struct row *row;

	if (facts->count_count)
		qsort(facts->counts, facts->count_count, sizeof(*facts->counts), by_kind);
	for (size_t i = 0; i < facts->count_count; i++) {
		const struct counted *count = &facts->counts[i];

		row = table_row(table, ROW_DETAIL);
		row_text(table, row, count->id);
		row_text(table, row, count->name);
		row_number(table, row, count->domain);
		row_number(table, row, count->number);
		row_number(table, row, count->records);
		row_number(table, row, count->bytes);
		row_number(table, row, count->shortest);
		row_number(table, row, count->longest);
		records += count->records;
		bytes += count->bytes;
	}
	row = table_row(table, ROW_TOTAL);
	row_text(table, row, "TOTAL");
	row_skip(table, row, 3);
	row_number(table, row, records);
	row_number(table, row, bytes);
	row_skip(table, row, 2);
}

static const struct column application_columns[] = {
	{ .id = "user", .heading = "USER", .width = 10, .type = COLUMN_TEXT },
	{ .id = "product", .heading = "PRODUCT", .width = 52, .type = COLUMN_TEXT },
	FIGURE(COLUMN_NUMBER, "records", NULL, "RECORDS", 12),
	FIGURE(COLUMN_NUMBER, "bytes", NULL, "BYTES", 16),
};

static void put_applications(const struct monitor_facts *facts, struct document *document)
{
	struct table *table;

	if (!facts->application_count)
		return;
	table = document_table(document, "application_data", "APPLICATION DATA OF OTHERS",
			       application_columns, ARRAY_SIZE(application_columns));
	for (size_t i = 0; i < facts->application_count; i++) {
		const struct application *application = &facts->applications[i];
		struct row *row = table_row(table, ROW_DETAIL);

		row_text(table, row, application->user);
		row_text(table, row, application->product);
		row_number(table, row, application->records);
		row_number(table, row, application->bytes);
	}
}

static void build(const struct monitor_report *report, struct document *document)
{
	put_configuration(report, document);
	put_lists(report->facts, document);
	put_counts(report->facts, document);
	put_applications(report->facts, document);
	put_items(report->facts, document);
}

int monitor_report_print(const struct monitor_report *report, const struct report_options *options,
			 FILE *stream, struct error *err)
{
	struct strbuf out = STRBUF_INIT, date = STRBUF_INIT;
	struct listing listing = {
		.heading = "MONITOR RECORDS",
		.version = PACKAGE_VERSION,
		.title = options->title ? options->title : report->path,
		.job = "",
		.job_number = "",
		.step = "",
		.procstep = "",
		.program = "",
		.damaged = report->damages > 0,
		.warning = report->damages ? "** THE FILE IS DAMAGED **" : "",
	};
	struct document document;
	struct tokens tokens;
	struct device *device;
	const char *failure;
	bool written;

	if (report->facts->first)
		clock_format_wall(&date, report->facts->first);
	listing.date = date.text;
	listing.moment = report->facts->first;
	tokens_init(&tokens);
	document_init(&document, "MON", "Monitor Records", &tokens);
	build(report, &document);
	device = device_new(options->device, options, &listing, &out);
	device->class->begin(device);
	device->class->print(device, &document);
	device->class->end(device);
	failure = device->failure;
	written = fwrite(out.text, 1, out.length, stream) == out.length && fflush(stream) == 0;
	device_free(device);
	document_release(&document);
	tokens_release(&tokens);
	strbuf_release(&out);
	strbuf_release(&date);
	RETURN_IF(failure, error_set(err, "the report cannot be drawn: %s", failure));
	return written ? 0 : error_errno(err, "the report cannot be written");
}
