/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SORT (also ICEMAN, DFSORT): sorts or copies SORTIN, or merges SORTIN01, SORTIN02
 * ..., to SORTOUT and the outputs of OUTFIL, as SYSIN requests; the PARM of EXEC
 * overrides SYSIN, and DFSPARM overrides both.
 *
 * The path of a record: input.c (read, SKIPREC, INCLUDE, STOPAFT, INREC) ->
 * sorter.c or merge.c -> sum.c -> sort-output.c (OUTREC, OUTFIL, write).
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "utilities/sort/sort-output.h"
#include "utilities/sort/sorter.h"
#include "utilities/sort/sum.h"
#include "utilities/sort/sort-symbols.h"

#define MAX_INPUTS 100
#define RETURN_CODE_FAILED 16

struct sort {
	struct utility *utility;
	struct sort_symbols symbols;
	struct sort_request request;
	struct sort_keys keys;
	struct sort_counts counts;
	struct sort_sum sum;
	struct sort_output *output;
	struct sort_form form; /* of records after INREC */
};

/* An input of MERGE, with its current and previous record. */
struct merge_input {
	const struct sort *sort;
	struct sort_input input;
	struct strbuf now, before;
	uint64_t count;
};

/* Checks that SORTOUT is not the file that is read at the same time. */
static int check_distinct_files(struct sort *sort, const char *name)
{
	const char *from = utility_dd(name);
	const struct sort_request *request = &sort->request;

	for (size_t i = 0; i <= request->outfil_count; i++) {
		const struct outfil *outfil = i ? &request->outfils[i - 1] : NULL;

		for (size_t n = 0; n < (outfil && outfil->name_count ? outfil->name_count : 1);
		     n++) {
			const char *to_name =
				outfil && outfil->name_count ? outfil->names[n] : "SORTOUT";
			const char *to = utility_dd(to_name);

			if (from && to && utility_same_file(from, to))
				return utility_message(sort->utility, SEVERITY_SEVERE, 5544,
						       "%s and %s are the same file", name,
						       to_name);
		}
	}
	return 0;
}

/* Determines the form of records after INREC, and checks that the statements fit it. */
static int determine_form(struct sort *sort, const struct sort_form *form)
{
	struct error err = ERROR_INIT;
	int result = 0;

	sort->form = *form;
	if (form->length > 0)
		sort->form.length = reformat_length(&sort->request.inrec, form->length);
	if (form->variable)
		result = reformat_check(&sort->request.inrec, &err) < 0 ||
					 reformat_check(&sort->request.outrec, &err) < 0
				 ? -1
				 : 0;
	if (result < 0)
		utility_message(sort->utility, SEVERITY_SEVERE, 5544, "%s", error_text(&err));
	error_release(&err);
	sort_keys_init(&sort->keys, &sort->request);
	sort->keys.fill = form->variable ? '\0' : ' ';
	utility_foreign_message(sort->utility, "ICE201I", SEVERITY_INFO, 0,
		      "0 RECORD TYPE IS %c - DATA STARTS IN POSITION %d",
		      form->variable ? 'V' : 'F', form->variable ? 5 : 1);
	return result;
}

static bool sums(const struct sort *sort)
{
	return sort->request.unique || sort->request.sum_count > 0;
}

/* Opens the outputs; -1 after a message. */
static int open_output(struct sort *sort)
{
	sort_sum_init(&sort->sum, &sort->request, &sort->keys, sort_output_take, NULL);
	RETURN_IF(sort_output_open(&sort->output, sort->utility, &sort->request, &sort->form) < 0,
		  -1);
	sort->sum.output = sort->output;
	return 0;
}

/* Returns the function that takes the sorted records, and its argument. */
static sort_sink record_sink(struct sort *sort, void **argument)
{
	*argument = sums(sort) ? (void *)&sort->sum : (void *)sort->output;
	return sums(sort) ? sort_sum_take : sort_output_take;
}

/*
 * Checks that a variable record has its whole key, unless short keys are allowed;
 * -1 with the reason.
 */
static int check_key(const struct sort *sort, const struct sort_record *record, struct error *err)
{
	if (!sort->form.variable || sort->request.short_keys || !sort_keys_truncated(&sort->keys, record))
		return 0;
	return error_set(err,
			 "ICE218A A %zu BYTE VARIABLE RECORD ends before its sort fields do; "
			 "OPTION VLSHRT allows that",
			 record->length);
}

/* Executes FIELDS=COPY. */
static int copy(struct sort *sort, struct sort_input *input, struct error *err)
{
	struct sort_record record;
	int got;

	RETURN_IF(check_distinct_files(sort, input->name) < 0 || open_output(sort) < 0, -1);
	while ((got = sort_input_next(input, &record, err)) > 0)
		RETURN_IF(sort_output_take(sort->output, &record, err) < 0, -1);
	return got;
}

/* Reads all records, then opens the outputs: one of them may be the input. */
static int collect(struct sort *sort, struct sort_input *input, struct sorter *sorter,
		   struct error *err)
{
	struct sort_record record;
	sort_sink take;
	void *argument;
	int got;

	while ((got = sort_input_next(input, &record, err)) > 0) {
		RETURN_IF(check_key(sort, &record, err) < 0, -1);
		RETURN_IF(sorter_add(sorter, &record, err) < 0, -1);
	}
	RETURN_IF(got < 0, -1);
	sort_input_close(input);
	RETURN_IF(open_output(sort) < 0, -1);
	take = record_sink(sort, &argument);
	return sorter_finish(sorter, take, argument, err);
}

static int sort_or_copy(struct sort *sort, struct error *err)
{
	struct sort_input input;
	struct sorter *sorter;
	int result =
		sort_input_open(&input, "SORTIN", &sort->request, &sort->counts, sort->utility);

	if (result == 0)
		result = determine_form(sort, &input.form);
	if (result == 0 && sort->request.kind == SORT_COPY) {
		result = copy(sort, &input, err);
	} else if (result == 0) {
		sorter = sorter_new(&sort->keys, sort->request.memory, err);
		result = sorter ? collect(sort, &input, sorter, err) : -1;
		sorter_free(sorter);
	}
	sort_input_close(&input);
	return result;
}

/* Reads a record and checks that the input is in order; a merge_reader. */
static int read_input(void *argument, size_t index, struct sort_record *record, struct error *err)
{
	struct merge_input *one = (struct merge_input *)argument + index;
	struct strbuf other = one->before;
	int got = sort_input_next(&one->input, record, err);

	RETURN_IF(got <= 0, got);
	RETURN_IF(check_key(one->sort, record, err) < 0, -1);
	one->before = one->now;
	one->now = other;
	strbuf_reset(&one->now);
	strbuf_add(&one->now, record->data, record->length);
	*record = (struct sort_record){ one->now.text, one->now.length };
	if (one->count++ > 0) {
		const struct sort_record before = { one->before.text, one->before.length };

		if (sort_keys_compare(&one->sort->keys, &before, record, 0) > 0)
			return error_set(err, "ICE068A OUT OF SEQUENCE %s: record %" PRIu64,
					 one->input.name, one->count);
	}
	return 1;
}

/* Checks that all inputs of a merge have the same form of records. */
static int check_forms(struct sort *sort, const struct merge_input *inputs, size_t count)
{
	const struct sort_form *first = &inputs[0].input.form;

	for (size_t i = 1; i < count; i++) {
		const struct sort_form *form = &inputs[i].input.form;

		if (form->variable != first->variable || form->fixed != first->fixed ||
		    (form->fixed && form->length != first->length))
			return utility_message(sort->utility, SEVERITY_SEVERE, 5544,
					       "%s and %s have records of different form or length",
					       inputs[0].input.name, inputs[i].input.name);
	}
	return 0;
}

/* Opens SORTIN01 and so on, as many as exist; returns their count, -1 after a message. */
static int open_inputs(struct sort *sort, struct merge_input *inputs)
{
	int count = 0;

	for (unsigned number = 0; number < MAX_INPUTS; number++) {
		struct merge_input *one = &inputs[count];
		char name[16];

		snprintf(name, sizeof(name), "SORTIN%02u", number);
		if (!utility_dd(name))
			continue;
		RETURN_IF(check_distinct_files(sort, name) < 0, -1);
		one->sort = sort;
		strbuf_init(&one->now);
		strbuf_init(&one->before);
		count++;
		RETURN_IF(sort_input_open(&one->input, name, &sort->request, &sort->counts,
					  sort->utility) < 0,
			  -1);
	}
	if (count == 0)
		return utility_foreign_message(sort->utility, "ICE056A", SEVERITY_SEVERE, 5502,
				     "SORTIN01 NOT DEFINED");
	return count;
}

static int merge_inputs(struct sort *sort, struct merge_input *inputs, struct error *err)
{
	int count = open_inputs(sort, inputs);
	sort_sink take;
	void *argument;

	RETURN_IF(count < 0 || check_forms(sort, inputs, (size_t)count) < 0, -1);
	RETURN_IF(determine_form(sort, &inputs[0].input.form) < 0 || open_output(sort) < 0, -1);
	take = record_sink(sort, &argument);
	return sort_merge(&sort->keys, (size_t)count, read_input, inputs, take, argument, err);
}

static int merge(struct sort *sort, struct error *err)
{
	struct merge_input *inputs = xcalloc(MAX_INPUTS, sizeof(*inputs));
	int result = merge_inputs(sort, inputs, err);

	for (size_t i = 0; i < MAX_INPUTS && *inputs[i].input.name; i++) {
		sort_input_close(&inputs[i].input);
		strbuf_release(&inputs[i].now);
		strbuf_release(&inputs[i].before);
	}
	free(inputs);
	return result;
}

/* Reports what was done. */
static void report_result(struct sort *sort, uint64_t written)
{
	struct utility *utility = sort->utility;

	if (sort->sum.overflows > 0)
		utility_foreign_message(utility, "ICE152I", SEVERITY_INFO, 0,
			      "0 OVERFLOW DURING SUMMATION - RC=0");
	utility_foreign_message(utility, "ICE055I", SEVERITY_INFO, 0, "0 INSERT 0, DELETE %" PRIu64,
		      sort->counts.deleted + sort->sum.deleted);
	utility_foreign_message(utility, "ICE054I", SEVERITY_INFO, 5545,
		      "0 RECORDS - IN: %" PRIu64 ", OUT: %" PRIu64, sort->counts.read, written);
}

/* Executes the request. */
static void run(struct sort *sort)
{
	struct error err = ERROR_INIT;
	int result =
		sort->request.kind == SORT_MERGE ? merge(sort, &err) : sort_or_copy(sort, &err);
	uint64_t written;

	if (result == 0 && sums(sort))
		result = sort_sum_end(&sort->sum, &err);
	else
		strbuf_release(&sort->sum.held);
	written = sort->output ? sort_output_count(sort->output) : 0;
	if (sort_output_close(sort->output, result == 0, result == 0 ? &err : NULL) < 0)
		result = -1;
	if (result == 0)
		report_result(sort, written);
	else if (err.text.length > 0)
		utility_message(sort->utility, SEVERITY_SEVERE, 5544, "%s", error_text(&err));
	error_release(&err);
}

/* Reads a source's statements and lists its lines unchanged. */
static void read_source(struct sort *sort, const struct source *source, bool cards,
			struct diag_list *diags)
{
	struct sort_statement *statements = sort_statements(source, cards, diags);

	for (size_t i = 0; cards && i < source->line_count; i++)
		utility_echo(sort->utility->print, " ", source->lines[i].text,
			     source->lines[i].length, "");
	sort_symbols_apply(&sort->symbols, statements);
	sort_request_read(&sort->request, statements, diags);
	sort_statements_free(statements);
}

/* Returns how often OUTFIL statements name an output; those that name none write SORTOUT. */
static unsigned times_named(const struct sort_request *request, const char *name)
{
	unsigned times = 0;

	for (size_t i = 0; i < request->outfil_count; i++) {
		const struct outfil *outfil = &request->outfils[i];

		times += outfil->name_count == 0 && strcmp(name, "SORTOUT") == 0;
		for (size_t n = 0; n < outfil->name_count; n++)
			times += strcmp(outfil->names[n], name) == 0;
	}
	return times;
}

/* Diagnoses two OUTFILs with the same output, which would overwrite each other. */
static void check_names(const struct sort_request *request, struct diag_list *diags)
{
	for (size_t i = 0; i < request->outfil_count; i++) {
		const struct outfil *outfil = &request->outfils[i];

		for (size_t n = 0; n < (outfil->name_count ? outfil->name_count : 1); n++) {
			const char *name = outfil->name_count ? outfil->names[n] : "SORTOUT";

			if (times_named(request, name) > 1)
				diag_add(diags, SEVERITY_SEVERE, 5541, NULL,
					 "OUTFIL statements write %s more than once", name);
		}
	}
}

/* Checks what the statements of all sources together must have. */
static void check_request(const struct sort_request *request, struct diag_list *diags)
{
	bool sum = request->unique || request->sum_count > 0;

	if (request->kind == SORT_UNKNOWN)
		diag_add(diags, SEVERITY_SEVERE, 5542, NULL,
			 "ICE010A NO SORT OR MERGE CONTROL STATEMENT");
	if (request->kind == SORT_COPY && sum)
		diag_add(diags, SEVERITY_SEVERE, 5541, NULL,
			 "SUM cannot be used when records are copied");
	if (request->kind == SORT_MERGE && (request->skip > 0 || request->stop != UINT64_MAX))
		diag_add(diags, SEVERITY_SEVERE, 5541, NULL,
			 "SKIPREC and STOPAFT cannot be used with MERGE");
	check_names(request, diags);
	if (reformat_has(&request->inrec, ITEM_LINE) || reformat_has(&request->outrec, ITEM_LINE))
		diag_add(diags, SEVERITY_SEVERE, 5541, NULL,
			 "'/' can only be used with OUTFIL: INREC and OUTREC make one record of "
			 "each");
}

/* Reads the statements of a DD. */
static struct source *read_dd(struct sort *sort, const char *name, struct diag_list *diags)
{
	struct source *source = dd_source(sort->utility, name);

	if (source)
		read_source(sort, source, true, diags);
	return source;
}

/* Reads all sources of the request; -1 after messages. */
static int read_request(struct sort *sort, const char *parm)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct source *sources[5] = { 0 };
	struct strbuf option = STRBUF_INIT;

	utility_foreign_message(sort->utility, "ICE000I", SEVERITY_INFO, 0, "0 CONTROL STATEMENTS FOR SORT");
	sources[4] = dd_source(sort->utility, "SYMNAMES");
	if (sources[4])
		sort_symbols_read(&sort->symbols, sources[4], &diags);
	sources[0] = read_dd(sort, "SYSIN", &diags);
	if (parm && *parm) {
		strbuf_addf(&option, " OPTION %s", parm);
		sources[1] = source_new("PARM", option.text, option.length);
		read_source(sort, sources[1], false, &diags);
	}
	sources[2] = read_dd(sort, "DFSPARM", &diags);
	sources[3] = read_dd(sort, "$ORTPARM", &diags);
	check_request(&sort->request, &diags);
	diag_sort(&diags);
	diag_print(&diags, sort->utility->print);
	if (diag_max_severity(&diags) > sort->utility->worst)
		sort->utility->worst = diag_max_severity(&diags);
	diag_list_release(&diags);
	strbuf_release(&option);
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		source_free(sources[i]);
	return sort->utility->worst >= SEVERITY_ERROR ? -1 : 0;
}

/* Sends messages to SYSOUT, where users of this program look for them, if there is no SYSPRINT. */
static void open_messages(struct utility *utility)
{
	const char *path = utility_dd("SYSPRINT") ? NULL : utility_dd("SYSOUT");
	FILE *stream = path ? utility_listing(path) : NULL;

	if (stream)
		utility->print = stream;
}

/* Ends with return code 16 for a sort that failed, the code that users know. */
static int end(struct utility *utility)
{
	int code = utility_end(utility);

	return code >= SEVERITY_SEVERE ? RETURN_CODE_FAILED : code;
}

int main(int argc, char **argv)
{
	struct utility utility;
	struct sort sort = { .utility = &utility, .sum = { .held = STRBUF_INIT } };
	const char *parm;
	int arguments;

	utility_init(&utility, "SORT");
	arguments = utility_arguments(&utility, argc, argv, &parm);
	if (arguments != 0)
		return arguments < 0 ? RETURN_CODE_FAILED : 0;
	open_messages(&utility);
	sort_request_init(&sort.request);
	if (read_request(&sort, parm) == 0)
		run(&sort);
	if (utility.worst < SEVERITY_SEVERE)
		utility_foreign_message(&utility, "ICE052I", SEVERITY_INFO, 0, "0 END OF SORT");
	sort_request_release(&sort.request);
	sort_symbols_release(&sort.symbols);
	return end(&utility);
}
