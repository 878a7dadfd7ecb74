/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the reports and the devices on synthetic sessions. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/utf8.h"
#include "common/xalloc.h"
#include "profile/fixture.h"
#include "records/record-types.h"
#include "reports/device.h"
#include "reports/report-check.h"
#include "reports/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Returns all reports of a session as one text; the caller frees it. */
static char *print_session(const char *name, const struct report_options *options)
{
	struct profile *profile = fixture_profile(name);
	struct error err = ERROR_INIT;
	char *text = NULL;
	size_t length;
	FILE *stream = open_memstream(&text, &length);

	assert_non_null(profile);
	assert_non_null(stream);
	assert_int_equal(report_print(profile, options, stream, &err), 0);
	fclose(stream);
	profile_free(profile);
	return text;
}

/* Sets each combination of the options that change which rows there are. */
static void set_variant(struct report_options *options, unsigned variant)
{
	report_options_init(options);
	options->all = variant & 1;
	options->margins = variant & 2;
	options->lines = variant & 4 ? 24 : variant & 8 ? 0 : 60;
	options->baseline = variant & 8 ? 30 : 2;
	options->by = (enum call_tree_by)(variant % 3);
}

static void totals_tie_out(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; fixture_names[i]; i++) {
		struct profile *profile = fixture_profile(fixture_names[i]);

		for (unsigned variant = 0; variant < 16; variant++) {
			struct report_options options;

			set_variant(&options, variant);
			if (report_check(profile, &options, &sb))
				fail_msg("%s, variant %u:\n%s", fixture_names[i], variant, sb.text);
		}
		profile_free(profile);
	}
	strbuf_release(&sb);
}

static void the_check_finds_what_does_not_tie(void **state UNUSED)
{
	struct profile *profile = fixture_profile("payroll");
	struct strbuf sb = STRBUF_INIT;
	struct report_options options;

	report_options_init(&options);
	profile->samples += 3;
	assert_true(report_check(profile, &options, &sb) > 3);
	profile->samples -= 3;
	profile->waits[0].charged += 1000000000;
	assert_true(report_check(profile, &options, &sb) > 3);
	strbuf_release(&sb);
	profile_free(profile);
}

static void no_line_is_too_long(void **state UNUSED)
{
	for (size_t i = 0; fixture_names[i]; i++)
		for (unsigned variant = 0; variant < 16; variant++) {
			struct report_options options;
			char *text, *line, *rest;

			set_variant(&options, variant);
			rest = text = print_session(fixture_names[i], &options);
			while ((line = strsep(&rest, "\n"))) {
				line += *line == '\f';
				if (text_width(line) > 132)
					fail_msg("%s: %s", fixture_names[i], line);
				for (const char *at = line; *at; at++)
					assert_true((unsigned char)*at >= ' ' && *at != 0x7f);
			}
			free(text);
		}
}

static void pages_have_heads_and_no_more_lines_than_asked(void **state UNUSED)
{
	struct report_options options;
	unsigned lines = 0, pages = 0;
	char *text, *line, *rest;

	report_options_init(&options);
	options.ansi_control = true;
	options.lines = 30;
	rest = text = print_session("payroll", &options);
	while ((line = strsep(&rest, "\n")) && *line) {
		assert_true(*line == '1' || *line == ' ');
		if (*line == '1') {
			char page[16];

			snprintf(page, sizeof(page), "PAGE %4u", ++pages);
			assert_non_null(strstr(line, page));
			assert_non_null(strstr(line, "PAYCALC"));
			lines = 0;
		}
		assert_true(++lines <= 30);
	}
	assert_true(pages > 15);
	free(text);
}

static void only_what_is_asked_for(void **state UNUSED)
{
	const char *codes[] = { "PSU" };
	struct report_options options;
	struct error err = ERROR_INIT;
	struct profile *profile;
	char *text;

	report_options_init(&options);
	options.codes = codes;
	options.code_count = 1;
	text = print_session("payroll", &options);
	assert_non_null(strstr(text, "#PSU"));
	assert_null(strstr(text, "#MSD"));
	free(text);
	assert_true(report_known("TLX"));
	assert_false(report_known("psu"));
	codes[0] = "XYZ";
	profile = fixture_profile("payroll");
	assert_int_equal(report_print(profile, &options, stderr, &err), -1);
	assert_non_null(strstr(error_text(&err), "XYZ"));
	profile_free(profile);
	error_release(&err);
}

/* Returns the next field of a CSV line, unquoted in place; NULL at the end of the line. */
static char *next_field(char **rest)
{
	char *start = *rest, *to = start, *from = start;

	if (!start)
		return NULL;
	if (*from != '"') {
		*rest = strchr(start, ',');
		if (*rest)
			*(*rest)++ = '\0';
		return start;
	}
	for (from++; *from && (from[0] != '"' || from[1] == '"'); from++) {
		from += *from == '"';
		*to++ = *from;
	}
	*rest = from[0] && from[1] == ',' ? from + 2 : NULL;
	*to = '\0';
	return start;
}

/* Sums of the fields of a CSV listing, named by report, table, kind of row and column. */
struct sum {
	char name[96];
	double value;
};

struct named_sums {
	struct sum items[2000];
	size_t count;
};

static void add_named(struct named_sums *sums, const char *report, const char *table,
		      const char *row, const char *column, double value)
{
	char name[96];

	snprintf(name, sizeof(name), "%s.%s.%s.%s", report, table, row, column);
	for (size_t i = 0; i < sums->count; i++)
		if (strcmp(sums->items[i].name, name) == 0) {
			sums->items[i].value += value;
			return;
		}
	assert_true(sums->count < ARRAY_SIZE(sums->items));
	memcpy(sums->items[sums->count].name, name, sizeof(name));
	sums->items[sums->count++].value = value;
}

/* Returns whether a whole field is a number. */
static bool is_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return *text && !*end && !strchr(" +ni", *text);
}

static void sum_csv(char *text, struct named_sums *sums)
{
	char *columns[96], *line;
	size_t count = 0;

	while ((line = strsep(&text, "\n")) && *line) {
		char *rest = line, *report = next_field(&rest), *table = next_field(&rest);
		char *row = next_field(&rest), *field;
		size_t number = 0;
		double value;

		if (strcmp(report, "report") == 0) {
			for (count = 0; (field = next_field(&rest)); count++)
				columns[count] = field;
			continue;
		}
		while ((field = next_field(&rest))) {
			assert_true(number < count);
			if (strcmp(columns[number], "value") != 0 &&
			    (strcmp(columns[number], "level") != 0 || strcmp(report, "CTR") == 0) &&
			    is_number(field, &value))
				add_named(sums, report, table, row, columns[number], value);
			number++;
		}
		assert_int_equal(number, count);
	}
}

/* Adds the members of a one-line JSON row. */
static void sum_json_row(const char *line, const char *report, const char *table,
			 struct named_sums *sums)
{
	const char *at = strstr(line, "{\"row\":\"");
	char row[16], key[64];
	bool in_string = false;
	size_t length;

	if (!at)
		return;
	at += 8;
	length = strcspn(at, "\"");
	memcpy(row, at, length);
	row[length] = '\0';
	for (at += length + 1; *at; at++) {
		double value;
		char *end;

		if (*at == '\\' && in_string) {
			at++;
			continue;
		}
		if (*at == '"') {
			const char *close = strchr(at + 1, '"');

			if (!in_string && close && close[1] == ':') {
				memcpy(key, at + 1, (size_t)(close - at - 1));
				key[close - at - 1] = '\0';
				at = close + 1;
				value = strtod(at + 1, &end);
				if (end != at + 1 && at[1] != 'n')
					add_named(sums, report, table, row, key, value);
				continue;
			}
			in_string = !in_string;
		}
	}
}

static void sum_json(char *text, struct named_sums *sums)
{
	char report[8] = "", table[64] = "", *line;

	while ((line = strsep(&text, "\n"))) {
		if (strncmp(line, " {\"code\":\"", 10) == 0)
			snprintf(report, sizeof(report), "%.3s", line + 10);
		if (strncmp(line, "   {\"table\":\"", 13) == 0)
			snprintf(table, sizeof(table), "%.*s", (int)strcspn(line + 13, "\""),
				 line + 13);
		sum_json_row(line, report, table, sums);
	}
}

static void csv_and_json_have_the_same_sums(void **state UNUSED)
{
	static const char *const names[] = { "payroll", "threads", "truncated", "empty",
					     "many",	"python",  "database",	"loaded" };
	struct named_sums *csv = xcalloc(1, sizeof(*csv)), *json = xcalloc(1, sizeof(*json));

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct report_options options;
		char *text;

		report_options_init(&options);
		csv->count = json->count = 0;
		options.device = &csv_device;
		text = print_session(names[i], &options);
		sum_csv(text, csv);
		free(text);
		options.device = &json_device;
		text = print_session(names[i], &options);
		sum_json(text, json);
		free(text);
		assert_true(csv->count > 5);
		for (size_t j = 0; j < json->count; j++)
			for (size_t k = 0; k < csv->count; k++)
				if (strcmp(json->items[j].name, csv->items[k].name) == 0 &&
				    fabs(json->items[j].value - csv->items[k].value) >
					    1e-6 * (1 + fabs(csv->items[k].value)))
					fail_msg("%s %s: JSON %.9f, CSV %.9f", names[i],
						 json->items[j].name, json->items[j].value,
						 csv->items[k].value);
		assert_int_equal(json->count, csv->count);
	}
	free(csv);
	free(json);
}

static void csv_totals_are_the_sums_of_their_rows(void **state UNUSED)
{
	struct named_sums *sums = xcalloc(1, sizeof(*sums));
	struct report_options options;
	double detail = 0, other = 0, total = -1;
	char *text;

	report_options_init(&options);
	options.device = &csv_device;
	text = print_session("payroll", &options);
	sum_csv(text, sums);
	for (size_t i = 0; i < sums->count; i++) {
		if (strcmp(sums->items[i].name, "PSU.sections.detail.samples") == 0)
			detail = sums->items[i].value;
		if (strcmp(sums->items[i].name, "PSU.sections.other.samples") == 0)
			other = sums->items[i].value;
		if (strcmp(sums->items[i].name, "PSU.sections.total.samples") == 0)
			total = sums->items[i].value;
	}
	assert_true(detail + other == 12 * 419 && total == 12 * 419);
	free(text);
	free(sums);
}

static void data_devices_are_valid_utf8(void **state UNUSED)
{
	static const struct device_class *const classes[] = { &text_device, &csv_device, &json_device };

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		struct report_options options;
		char *text;
		size_t length;

		report_options_init(&options);
		options.device = classes[i];
		text = print_session("names", &options);
		for (const char *at = text; *at; at += length)
			assert_true(utf8_decode(at, &length) != UINT32_MAX);
		free(text);
	}
}

static void long_names_have_tokens(void **state UNUSED)
{
	struct report_options options;
	char *text, *cross;

	report_options_init(&options);
	text = print_session("names", &options);
	cross = strstr(text, "#TLX");
	assert_non_null(cross);
	assert_non_null(strstr(cross, "namespace_of_the_payroll::"));
	assert_non_null(strstr(text, "names..xxxxxx"));
	free(text);
}

/* The document of one report on a session, and what it was made from. */
struct built {
	struct profile *profile;
	struct report_options options;
	struct context context;
	struct document document;
};

static void build_of(struct built *built, struct profile *profile, const struct report_class *class)
{
	built->profile = profile;
	report_options_init(&built->options);
	context_init(&built->context, built->profile, &built->options);
	document_init(&built->document, class->code, class->title, &built->context.tokens);
	class->build(&built->context, &built->document);
}

static void build(struct built *built, const char *name, const struct report_class *class)
{
	build_of(built, fixture_profile(name), class);
}

static void end(struct built *built)
{
	document_release(&built->document);
	context_release(&built->context);
	profile_free(built->profile);
}

static const struct table *find_table(const struct built *built, const char *id)
{
	for (size_t i = 0; i < built->document.count; i++) {
		const struct table *table = built->document.blocks[i].table;

		if (table && strcmp(table->id, id) == 0)
			return table;
	}
	fail_msg("there is no table %s", id);
	return NULL;
}

/* Returns the first row whose text in a column is text; fails if there is none. */
static const struct value *find_row(const struct table *table, const char *column, const char *text)
{
	size_t number = table_column(table, column);

	for (size_t i = 0; i < table->row_count; i++) {
		const char *have = table->rows[i].values[number].text;

		if (have && strcmp(have, text) == 0)
			return table->rows[i].values;
	}
	fail_msg("%s has no row with %s %s", table->id, column, text);
	return NULL;
}

static void pieces_of_a_procedure_are_one_row(void **state UNUSED)
{
	const struct table *table;
	const struct value *row;
	struct built built;
	unsigned samples = 0;

	build(&built, "many", &report_mep);
	table = find_table(&built, "procedures_charged");
	row = find_row(table, "procedure", "procedure_001");
	for (unsigned i = 3; i < 6; i++)
		samples += 1 + i % 7 + 1 + i % 3 + (i % 5 == 0);
	assert_int_equal(row[table_column(table, "charged_samples")].number, samples);
	find_row(table, "module", ".OTHER");
	end(&built);
}

static void linkage_stubs_are_charged_to_their_callers(void **state UNUSED)
{
	const struct table *table;
	struct built built;

	build(&built, "many", &report_psu);
	table = find_table(&built, "sections");
	assert_int_equal(find_row(table, "section", ".PLT")[table_column(table, "samples")].number,
			 60);
	find_row(table, "section", ".LIBFUZZY");
	end(&built);
}

static void long_lists_are_folded(void **state UNUSED)
{
	struct built built;

	build(&built, "many", &report_rdd);
	assert_int_equal(find_table(&built, "tasks")->row_count, 42);
	assert_int_equal(find_table(&built, "files")->row_count, 42);
	end(&built);
	build(&built, "many", &report_dsc);
	/* 60 files, .OTHER, TOTALS. */
	assert_int_equal(find_table(&built, "files")->row_count, 62);
	find_row(find_table(&built, "files"), "ddname", "part-000");
	end(&built);
	build(&built, "many", &report_tda);
	assert_int_equal(find_table(&built, "tasks")->row_count, 6);
	assert_int_equal(find_table(&built, "files")->row_count, 12);
	end(&built);
}

static void dispatch_delay_is_no_service_of_a_place(void **state UNUSED)
{
	const struct table *table;
	const struct value *row;
	struct built built;

	build(&built, "payroll", &report_acw);
	table = find_table(&built, "services");
	row = find_row(table, "service", ".DISPATCH");
	assert_int_equal(row[table_column(table, "waits")].number, 120);
	row = find_row(table, "ddname", "MASTER");
	assert_string_equal(row[table_column(table, "service")].text, ".LIBC");
	assert_string_equal(row[table_column(table, "reason")].text, "FILE READ");
	table = find_table(&built, "callers");
	row = find_row(table, "procedure", "FIND-EMPLOYEE");
	assert_int_equal(row[table_column(table, "line")].number, 130);
	assert_string_equal(row[table_column(table, "invokers")].text, "main 12 < _start");
	end(&built);
}

static void the_largest_shares_come_first(void **state UNUSED)
{
	const struct table *table;
	struct built built;

	build(&built, "payroll", &report_msd);
	table = find_table(&built, "look_first");
	assert_true(table->row_count >= 4);
	for (size_t i = 1; i < table->row_count; i++)
		assert_true(table->rows[i - 1].values[0].real >= table->rows[i].values[0].real);
	find_row(table, "what", "PROJECT-PENSION line 164");
	find_row(table, "what", "waiting for DD MASTER, file read");
	end(&built);
}

static void few_samples_and_damage_are_said(void **state UNUSED)
{
	struct report_options options;
	char *text, *first;

	report_options_init(&options);
	text = print_session("truncated", &options);
	first = strchr(text, '\f');
	*first = '\0';
	assert_non_null(strstr(text, "VIG6001W"));
	assert_non_null(strstr(text, "2 blocks are damaged"));
	assert_non_null(strstr(text, "VIG6003W"));
	assert_non_null(strstr(text, "VIG6004W"));
	assert_non_null(strstr(text, "VIG6008W"));
	free(text);
	text = print_session("empty", &options);
	assert_non_null(strstr(text, "FEWER THAN 100 CPU SAMPLES"));
	free(text);
	text = print_session("payroll", &options);
	assert_null(strstr(text, "FEWER THAN 100 CPU SAMPLES"));
	assert_null(strstr(text, "VIG6003W"));
	assert_null(strstr(text, "VIG6004W"));
	assert_null(strstr(text, "VIG6008W"));
	assert_non_null(strstr(text, "VIG3001I"));
	free(text);
}

static void summary_says_the_essence(void **state UNUSED)
{
	struct profile *profile = fixture_profile("payroll");
	struct strbuf sb = STRBUF_INIT;
	size_t lines = 0;

	report_summary(profile, &sb);
	assert_non_null(strstr(sb.text, "PAYCALC, step CALC, job PAYROLL, return code 0"));
	assert_non_null(strstr(sb.text, "PROJECT-PENSION (paycalc.cob)"));
	assert_non_null(strstr(sb.text, "waiting for DD MASTER, file read (PAY.MASTER)"));
	for (const char *at = sb.text; *at; at++)
		lines += *at == '\n';
	assert_in_range(lines, 6, 12);
	strbuf_release(&sb);
	profile_free(profile);
}

static void a_full_device_is_an_error(void **state UNUSED)
{
	struct profile *profile = fixture_profile("payroll");
	FILE *full = fopen("/dev/full", "w");
	struct report_options options;
	struct error err = ERROR_INIT;

	report_options_init(&options);
	if (full) {
		assert_int_equal(report_print(profile, &options, full, &err), -1);
		assert_string_not_equal(error_text(&err), "");
		fclose(full);
	}
	error_release(&err);
	profile_free(profile);
}

/* Returns the number of tables of a document with an id whose context is text. */
static size_t count_tables(const struct built *built, const char *id, const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < built->document.count; i++) {
		const struct table *table = built->document.blocks[i].table;

		count += table && strcmp(table->id, id) == 0 && table->context_count &&
			 strcmp(table->context[0].value.text, text) == 0;
	}
	return count;
}

static void activity_in_a_pseudo_section_is_one_detail_line_and_one_subreport(void **state UNUSED)
{
	const struct table *table;
	struct built built;
	size_t tables = 0;

	build(&built, "loaded", &report_psu);
	table = find_table(&built, "sections");
	assert_int_equal(
		find_row(table, "section", ".SORTING")[table_column(table, "samples")].number, 380);
	for (size_t i = 0; i < table->row_count; i++)
		assert_true(!table->rows[i].values[0].text ||
			    (strncmp(table->rows[i].values[0].text, "ABC", 3) &&
			     strncmp(table->rows[i].values[0].text, "DEF", 3)));
	end(&built);
	build(&built, "loaded", &report_pup);
	for (size_t i = 0; i < built.document.count; i++) {
		table = built.document.blocks[i].table;
		if (!table || table->context_count < 2 ||
		    strcmp(table->context[1].value.text, ".SORTING") != 0)
			continue;
		tables++;
		assert_string_equal(table->context[0].value.text, ".SYSTEM");
		/* Its parts are still visible, including an ELF file. */
		find_row(table, "real_module", "ABCSORT");
		find_row(table, "real_module", "ABCMERGE");
		find_row(table, "real_module", "DEFIO.so");
	}
	assert_int_equal(tables, 1);
	end(&built);
}

static void activity_that_nobody_identifies_is_reported_by_where_it_lies(void **state UNUSED)
{
	static const struct {
		const char *section;
		unsigned samples;
	} places[] = { { ".PRIVATE", 150 },
		       { ".HEAP", 90 },
		       { ".STACK", 50 },
		       { ".VDSO", 30 },
		       { ".KERNEL", 20 } };
	const struct table *table;
	struct built built;

	build(&built, "loaded", &report_psu);
	table = find_table(&built, "sections");
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct value *row = find_row(table, "section", places[i].section);

		assert_string_equal(row[0].text, ".SYSTEM");
		assert_int_equal(row[table_column(table, "samples")].number, places[i].samples);
	}
	end(&built);
}

static void for_each_transaction_there_is_a_detail_line_and_a_subsection(void **state UNUSED)
{
	const struct table *table;
	struct built summary, sections;
	size_t name, details = 0;

	build(&summary, "database", &report_tus);
	build(&sections, "database", &report_tuc);
	table = find_table(&summary, "transactions");
	name = table_column(table, "transaction");
	for (size_t i = 0; i < table->row_count; i++) {
		if (table->rows[i].kind != ROW_DETAIL)
			continue;
		details++;
		assert_int_equal(
			count_tables(&sections, "sections", table->rows[i].values[name].text), 1);
	}
	/* 14 and .NOTRAN. */
	assert_int_equal(details, 15);
	end(&summary);
	end(&sections);
}

static void with_pseudo_transactions_the_reports_account_for_all_activity(void **state UNUSED)
{
	const struct table *table;
	const struct row *total;
	uint64_t overhead = 0, named = 0;
	struct built built;
	size_t samples;

	build(&built, "database", &report_tus);
	total = document_total(&built.document, "transactions", &table);
	assert_non_null(total);
	samples = table_column(table, "samples");
	for (size_t i = 0; i < table->row_count; i++)
		if (table->rows[i].kind == ROW_DETAIL)
			*(table->rows[i].values[0].text[0] == '.' ? &overhead : &named) +=
				table->rows[i].values[samples].number;
	assert_int_equal(overhead, 10 + 20 + 20);
	assert_int_equal(total->values[samples].number, overhead + named);
	assert_int_equal(total->values[samples].number, built.profile->samples);
	end(&built);
}

static void the_id_text_is_printed_in_the_subsystem_field(void **state UNUSED)
{
	struct report_options options;
	char *text;

	report_options_init(&options);
	text = print_session("database", &options);
	assert_non_null(strstr(text, "SUBSYSTEM ................ POSTGRESQL 15.6"));
	free(text);
}

/* Returns the text of a file with the words of each line separated by one blank. */
static char *squeeze(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (!strchr(" \n", *from))
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
	return text;
}

static void long_transactions_are_readable_in_full(void **state UNUSED)
{
	const struct record_transaction *last;
	struct profile *profile = fixture_profile("database");
	struct report_options options;
	const char *name;
	char *text;

	last = id_table_at(&profile->transactions, profile->transactions.count - 1);
	name = profile_text(profile, last->name);
	assert_int_equal(strlen(name), 255);
	report_options_init(&options);
	options.lines = 0;
	text = squeeze(print_session("database", &options));
	assert_non_null(strstr(strstr(text, "#TLX"), name));
	/* The subsection shows both: the token of the summary and the text. */
	assert_non_null(strstr(text, "TRANSACTION SELECT -FOOM ORDERS O JOIN ORD = SELECT"));
	free(text);
	for (unsigned i = 0; i < 2; i++) {
		options.device = i ? &json_device : &csv_device;
		text = print_session("database", &options);
		assert_non_null(strstr(text, name));
		free(text);
	}
	profile_free(profile);
}

static void every_kind_of_long_name_has_a_token_that_is_explained(void **state UNUSED)
{
	struct report_options options;
	char *text, *cross;

	report_options_init(&options);
	options.lines = 0;
	text = print_session("loaded", &options);
	cross = strstr(text, "#TLX");
	assert_non_null(strstr(cross, "SEGMENT-OF-THE-NIGHTLY-SETTLEMENT-RUN"));
	assert_non_null(strstr(cross, "SEGMENT-OF-THE-NIGHTLY-PAYMENTS-RUN"));
	free(text);
	text = print_session("database", &options);
	cross = strstr(text, "#TLX");
	assert_non_null(strstr(cross, "SELECT O.ORDER_ID, O.CUSTOMER_ID"));
	free(text);
	text = print_session("python", &options);
	cross = strstr(text, "#TLX");
	assert_non_null(strstr(cross, "json.decoder"));		   /* module */
	assert_non_null(strstr(cross, "Py_InitializeFromConfig")); /* procedure */
	free(text);
	/* A section. */
	text = print_session("names", &options);
	assert_non_null(strstr(strstr(text, "#TLX"), "ANSCHRIFT-DES-MITARBEITERS"));
	free(text);
}

static void the_summary_names_the_largest_transaction(void **state UNUSED)
{
	struct profile *profile = fixture_profile("database");
	struct strbuf sb = STRBUF_INIT;

	report_summary(profile, &sb);
	assert_non_null(strstr(sb.text, "working on  13.1 %  SELECT O.ORDER_ID, O.CUSTOMER_ID,"));
	assert_null(strstr(sb.text, ".NOTRAN"));
	profile_free(profile);
	strbuf_reset(&sb);
	profile = fixture_profile("payroll");
	report_summary(profile, &sb);
	assert_null(strstr(sb.text, "working on"));
	profile_free(profile);
	strbuf_release(&sb);
}

static void interpreters_serve_the_places_of_their_program(void **state UNUSED)
{
	const struct table *table;
	const struct value *row;
	struct built built;

	build(&built, "python", &report_mep);
	table = find_table(&built, "procedures_charged");
	row = find_row(table, "procedure", "compress");
	assert_int_equal(row[table_column(table, "charged_samples")].number, 4 * 450);
	row = find_row(table, "procedure", "Py_InitializeFromConfig");
	assert_int_equal(row[table_column(table, "charged_samples")].number, 60);
	end(&built);
	build(&built, "python", &report_ace);
	table = find_table(&built, "services");
	row = find_row(table, "service", "python3.11");
	assert_int_equal(row[table_column(table, "samples")].number, 4 * 30);
	row = find_row(table, "service", ".LIBZ");
	assert_int_equal(row[table_column(table, "samples")].number, 4 * 420);
	row = find_row(find_table(&built, "callers"), "procedure", "compress");
	table = find_table(&built, "callers");
	assert_string_equal(row[table_column(table, "invokers")].text, "main 48 < <module> 60");
	assert_string_equal(row[table_column(table, "via")].text, "zlib_compress");
	end(&built);
}

static void collectors_with_a_problem_are_noted(void **state UNUSED)
{
	const struct table *table;
	const struct value *row;
	struct built built;
	struct strbuf sb = STRBUF_INIT;

	build(&built, "loaded", &report_msd);
	table = find_table(&built, "data_collectors");
	assert_int_equal(table->row_count, 4);
	row = find_row(table, "collector", "STRBLOAD");
	assert_string_equal(row[table_column(table, "state")].text, "SWITCHED OFF");
	row = find_row(table, "collector", "STRBSETL");
	assert_string_equal(row[table_column(table, "state")].text, "NOT LOADED");
	assert_string_equal(row[table_column(table, "origin")].text, "REQUEST");
	row = find_row(table, "collector", "STRBLOAN");
	assert_string_equal(row[table_column(table, "state")].text, "NOT CALLED");
	row = find_row(table, "collector", "STRBLOAF");
	assert_string_equal(row[table_column(table, "state")].text, "NOT CALLED");
	table = find_table(&built, "collector_calls");
	row = find_row(table, "collector", "STRBLOAD");
	assert_int_equal(row[table_column(table, "calls")].number, 870);
	assert_int_equal(row[table_column(table, "torn")].number, 8);
	assert_true(fabs(row[table_column(table, "call_cost_us")].real - 2.3) < 1e-9);
	report_summary(built.profile, &sb);
	assert_non_null(strstr(sb.text, "VIG6101W data collector STRBLOAD was switched off after "
					"870 calls: it crashed (SIGSEGV)"));
	assert_non_null(strstr(sb.text, "VIG6100W data collector STRBSETL was not loaded"));
	assert_non_null(strstr(sb.text, "VIG6104W data collector STRBLOAD read the program's "
					"memory 7.200 ms after the sample"));
	end(&built);
	strbuf_reset(&sb);
	build(&built, "python", &report_msd);
	report_summary(built.profile, &sb);
	assert_null(strstr(sb.text, "VIG61"));
	assert_non_null(strstr(sb.text, "compress (Archive)"));
	end(&built);
	strbuf_release(&sb);
}

/*
 * Returns the pages that a report shows for a session whose only STEP row has this
 * many pages in memory.
 */
static uint64_t pages_in_memory(uint64_t pages)
{
	struct record_step step = { .interval = NSEC_PER_SEC,
				    .exec = NSEC_PER_SEC,
				    .resident = pages };
	struct built built;
	struct fixture f;
	const struct table *table;
	uint64_t found;

	fixture_init(&f);
	step.time = f.time;
	fixture_add(&f, RECORD_STEP, &step);
	fixture_end_snapshot(&f);
	build_of(&built, fixture_end(&f), &report_wss);
	table = find_table(&built, "intervals");
	found = table->rows[0].values[table_column(table, "resident_bytes")].number;
	end(&built);
	return found;
}

static void what_no_number_can_hold_is_the_largest(void **state UNUSED)
{
	assert_int_equal(pages_in_memory(1000), 1000 * 4096);
	assert_true(pages_in_memory(UINT64_MAX) == UINT64_MAX);
	assert_true(pages_in_memory(UINT64_MAX / 4096 + 1) == UINT64_MAX);
}

static void very_long_names_take_no_time_and_are_cut_in_the_summary(void **state UNUSED)
{
	enum { BYTES = 200000 };
	char *name = xcalloc(BYTES + 1, 1);
	struct strbuf sb = STRBUF_INIT;
	struct profile *profile;
	struct fixture f;
	uint64_t object;

	memset(name, 'n', BYTES);
	fixture_init(&f);
	object = fixture_object(&f, OBJECT_FILE, "/opt/pay/server", "");
	fixture_samples(&f, 200,
			fixture_stack(&f, 0, fixture_frame(&f, object, 0x100, "a.cc", name, 1, "")),
			1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	report_summary(profile, &sb);
	assert_true(sb.length < 2000);
	strbuf_reset(&sb);
	/* The end of a name is found in one pass; with quadratic time this takes minutes. */
	for (unsigned i = 0; i < 20; i++)
		text_add_end(&sb, name, 3);
	assert_int_equal(sb.length, 60);
	strbuf_release(&sb);
	profile_free(profile);
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_tie_out),
		cmocka_unit_test(the_check_finds_what_does_not_tie),
		cmocka_unit_test(no_line_is_too_long),
		cmocka_unit_test(pages_have_heads_and_no_more_lines_than_asked),
		cmocka_unit_test(only_what_is_asked_for),
		cmocka_unit_test(csv_and_json_have_the_same_sums),
		cmocka_unit_test(csv_totals_are_the_sums_of_their_rows),
		cmocka_unit_test(data_devices_are_valid_utf8),
		cmocka_unit_test(long_names_have_tokens),
		cmocka_unit_test(pieces_of_a_procedure_are_one_row),
		cmocka_unit_test(linkage_stubs_are_charged_to_their_callers),
		cmocka_unit_test(long_lists_are_folded),
		cmocka_unit_test(dispatch_delay_is_no_service_of_a_place),
		cmocka_unit_test(the_largest_shares_come_first),
		cmocka_unit_test(few_samples_and_damage_are_said),
		cmocka_unit_test(summary_says_the_essence),
		cmocka_unit_test(a_full_device_is_an_error),
		cmocka_unit_test(activity_in_a_pseudo_section_is_one_detail_line_and_one_subreport),
		cmocka_unit_test(activity_that_nobody_identifies_is_reported_by_where_it_lies),
		cmocka_unit_test(for_each_transaction_there_is_a_detail_line_and_a_subsection),
		cmocka_unit_test(with_pseudo_transactions_the_reports_account_for_all_activity),
		cmocka_unit_test(the_id_text_is_printed_in_the_subsystem_field),
		cmocka_unit_test(long_transactions_are_readable_in_full),
		cmocka_unit_test(every_kind_of_long_name_has_a_token_that_is_explained),
		cmocka_unit_test(the_summary_names_the_largest_transaction),
		cmocka_unit_test(interpreters_serve_the_places_of_their_program),
		cmocka_unit_test(collectors_with_a_problem_are_noted),
		cmocka_unit_test(what_no_number_can_hold_is_the_largest),
		cmocka_unit_test(very_long_names_take_no_time_and_are_cut_in_the_summary),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
