/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a comparison: what differs, then all rows by kind. */
#include "common/compat.h"
#include "reports/report-compare.h"
#include "records/record-types.h"
#include "reports/compare-tables.h"
#include "reports/device.h"
#include "reports/page/page-difference.h"

#include <math.h>

/* Maximum number of differences described in sentences. */
#define SENTENCES 5

/* Appends "POST-LEDGER (PAYCALC)", "READ-MASTER 92: COMPUTE ...", "FILE READ of MASTER". */
static void add_what(const struct comparison *comparison, const struct comparison_row *row,
		     struct strbuf *sb)
{
	const char *module = comparison_text(comparison, row, COMPARISON_MODULE);
	const char *name = comparison_text(comparison, row, COMPARISON_NAME);
	const char *file = comparison_text(comparison, row, COMPARISON_FILE);
	uint64_t line = row->lines[COMPARISON_OTHER] ? row->lines[COMPARISON_OTHER]
						     : row->lines[COMPARISON_BASE];

	switch (row->kind) {
	case COMPARISON_STATEMENT:
		strbuf_addf(sb, "%s", name);
		if (line)
			strbuf_addf(sb, " %" PRIu64, line);
		strbuf_addf(sb, ": %s", comparison_text(comparison, row, COMPARISON_TEXT));
		break;
	case COMPARISON_WAIT:
	case COMPARISON_WAIT_PLACE:
		strbuf_addstr(sb, comparison_text(comparison, row, COMPARISON_REASON));
		if (*file)
			strbuf_addf(sb, " of %s", file);
		if (row->kind == COMPARISON_WAIT_PLACE)
			strbuf_addf(sb, " in %s", *name ? name : module);
		break;
	case COMPARISON_DATA_SET:
		strbuf_addstr(sb, file);
		break;
	case COMPARISON_TOTAL:
		strbuf_addstr(sb, "CPU time of the whole run");
		break;
	default:
		strbuf_addstr(sb, *name ? name : module);
		if (*name && *module)
			strbuf_addf(sb, " (%s)", module);
		break;
	}
}

/* Appends the sentence about a difference. */
static void add_sentence(const struct comparison *comparison, const struct comparison_row *row,
			 struct strbuf *sb)
{
	static const char *const verdicts[][2] = {
		[COMPARISON_SAME] = { "is the same", "is the same" },
		[COMPARISON_SLOWER] = { "is slower", "lasts longer" },
		[COMPARISON_FASTER] = { "is faster", "is shorter" },
		[COMPARISON_ADDED] = { "is new", "is new" },
		[COMPARISON_REMOVED] = { "is gone", "is gone" },
	};
	bool wait = row->kind == COMPARISON_WAIT || row->kind == COMPARISON_WAIT_PLACE ||
		    row->kind == COMPARISON_DATA_SET || row->kind == COMPARISON_TRANSACTION_WAIT;

	add_what(comparison, row, sb);
	strbuf_addf(sb, " %s: %+.3f s +/- %.3f s", verdicts[row->verdict][wait],
		    row->difference / 1e9, row->margin / 1e9);
	if (isfinite(row->percent) && row->verdict != COMPARISON_REMOVED)
		strbuf_addf(sb, " (%+.1f %%)", row->percent);
}

/* Puts the facts of a side. */
static void put_side(const struct comparison *comparison,
		     const struct comparison_request *request, enum comparison_side side,
		     struct pair_group *group)
{
	const struct profile *first = request->runs[side][0];
	struct strbuf paths = STRBUF_INIT;

	pair_text(group, "program", "PROGRAM", profile_program(first));
	for (size_t i = 0; i < request->run_counts[side]; i++)
		strbuf_addf(&paths, "%s%s", i ? " " : "", request->runs[side][i]->path);
	pair_text(group, "data_set", "SAMPLE DATA SET", paths.text);
	strbuf_release(&paths);
	pair_number(group, "runs", "RUNS", COLUMN_NUMBER, request->run_counts[side]);
	pair_number(group, "samples", "SAMPLES", COLUMN_NUMBER, comparison->samples[side]);
	pair_number(group, "elapsed_ns", "ELAPSED, MEAN", COLUMN_TIME,
		    (uint64_t)comparison->elapsed[side]);
	pair_number(group, "cpu_ns", "CPU TIME, MEAN", COLUMN_TIME,
		    (uint64_t)comparison->cpu[side]);
	pair_number(group, "wait_ns", "WAITS OF ALL TASKS, MEAN", COLUMN_TIME,
		    (uint64_t)comparison->wait[side]);
	if (*comparison->work.name)
		pair_real(group, "work", "UNITS OF WORK, MEAN", comparison->work.units[side]);
}

/* Puts that nothing differs, and the row that is most certain. */
static void put_most_certain(const struct comparison *comparison, struct document *document)
{
	const struct comparison_row *row;
	struct strbuf what = STRBUF_INIT;

	document_text(document, "No difference can be seen.");
	if (comparison->surest == SIZE_MAX)
		return;
	row = &comparison->rows[comparison->surest];
	add_what(comparison, row, &what);
	document_text(document,
		      "The most certain is %s: %+.3f s +/- %.3f s. Of %.0f comparisons of equal "
		      "runs, %.0f have a row that is as certain.",
		      what.text, row->difference / 1e9, row->margin / 1e9, 100.0,
		      100 * comparison->chance);
	strbuf_release(&what);
}

/* Puts how small a difference the comparison could have seen. */
static void put_min(const struct comparison *comparison, struct document *document)
{
	const struct comparison_row *row;
	struct strbuf what = STRBUF_INIT;

	if (comparison->largest == SIZE_MAX)
		return;
	row = &comparison->rows[comparison->largest];
	add_what(comparison, row, &what);
	if (!isfinite(row->least))
		strbuf_addstr(&what, ", which takes most of the base, can hardly be compared");
	else
		strbuf_addf(&what,
			    ", which takes most of the base, is reliably seen to differ from %.0f "
			    "%% upward",
			    ceil(row->least));
	if (row->kind == COMPARISON_PROCEDURE && row->least > COMPARISON_WANTED_PERCENT) {
		if (isfinite(comparison->sample_factor) && comparison->sample_factor < 100)
			strbuf_addf(&what,
				    "; to see %.0f %% takes %.1f times as many samples (a higher "
				    "rate, or a longer run)",
				    COMPARISON_WANTED_PERCENT, comparison->sample_factor);
		else
			strbuf_addf(&what, "; to see %.0f %% takes more runs on each side",
				    COMPARISON_WANTED_PERCENT);
	}
	document_text(document, "%s. Smaller rows need more.", what.text);
	strbuf_release(&what);
}

/* Puts the overall result. */
static void put_verdict(const struct comparison *comparison, struct document *document)
{
	size_t *claims = comparison_claims(comparison);
	struct strbuf text = STRBUF_INIT;

	if (!comparison->claims)
		put_most_certain(comparison, document);
	for (size_t i = 0; i < comparison->claims && i < SENTENCES; i++) {
		strbuf_reset(&text);
		add_sentence(comparison, &comparison->rows[claims[i]], &text);
		document_text(document, "%s.", text.text);
	}
	if (comparison->claims > SENTENCES)
		document_text(document, "%zu more differences are in the table below.",
			      comparison->claims - SENTENCES);
	strbuf_release(&text);
	free(claims);
}

/* Puts what a reader must know about the figures. */
static void put_method(const struct comparison *comparison, struct document *document)
{
	double whole = 100 * (comparison->factor - 1);

	if (!comparison->from_runs)
		document_text(document,
			      "Most rows of CPU time agree that the other run was %.1f %% %s. With "
			      "one run on each side, this cannot be distinguished from the "
			      "machine's effect on whole runs unless it is far above %.0f %%; a "
			      "row's difference beyond it is shown as BEYOND. More runs on both "
			      "sides show smaller differences.",
			      fabs(whole), whole < 0 ? "faster" : "slower",
			      100 * (COMPARISON_RUN_FACTOR - 1));
	else
		document_text(document,
			      "Margins come from the scatter of the runs of a side, and at least "
			      "from sampling. Most rows of CPU time agree that the other runs were "
			      "%.1f %% %s.",
			      fabs(whole), whole < 0 ? "faster" : "slower");
	put_min(comparison, document);
	if (*comparison->work.name)
		document_text(document,
			      "Differences are scaled to the work of the base: it did %.0f %s%s, "
			      "the other side %.0f.",
			      comparison->work.units[COMPARISON_BASE],
			      strcmp(comparison->work.name, "transactions") == 0 ||
					      comparison->work.events
				      ? ""
				      : "records of ",
			      comparison->work.name, comparison->work.units[COMPARISON_OTHER]);
	document_text(document,
		      "Of %zu rows with enough data, %zu claim a difference. They are chosen so "
		      "that on average at most %.0f %% of the claims are wrong.",
		      comparison->tested, comparison->claims, 100 * COMPARISON_FALSE_RATE);
}

static void put_facts(const struct comparison *comparison,
		      const struct comparison_request *request, struct document *document)
{
	struct pair_group *groups = document_pairs(document, 3);

	groups[0].id = "base";
	groups[0].title = "BASE";
	put_side(comparison, request, COMPARISON_BASE, &groups[0]);
	groups[1].id = "other";
	groups[1].title = "OTHER";
	put_side(comparison, request, COMPARISON_OTHER, &groups[1]);
	groups[2].id = "comparison";
	groups[2].title = "COMPARISON";
	pair_number(&groups[2], "differences", "DIFFERENCES SEEN", COLUMN_NUMBER,
		    comparison->claims);
	pair_number(&groups[2], "rows_tested", "ROWS WITH ENOUGH DATA", COLUMN_NUMBER,
		    comparison->tested);
	pair_real(&groups[2], "common_percent", "COMMON TO CPU ROWS, %",
		  100 * (comparison->factor - 1));
	if (comparison->surest != SIZE_MAX) {
		struct strbuf what = STRBUF_INIT;

		add_what(comparison, &comparison->rows[comparison->surest], &what);
		pair_text(&groups[2], "surest", "SUREST TO DIFFER", what.text);
		pair_real(&groups[2], "chance_percent", "OF EQUAL RUNS SO SURE, %",
			  100 * comparison->chance);
		strbuf_release(&what);
	}
	if (comparison->largest != SIZE_MAX &&
	    isfinite(comparison->rows[comparison->largest].least))
		pair_real(&groups[2], "least_percent", "LARGEST ROW SEEN FROM, %",
			  comparison->rows[comparison->largest].least);
	pair_real(&groups[2], "scatter_percent", "SCATTER OF CPU ROWS, %",
		  100 * comparison->scatter);
	pair_text(&groups[2], "work", "WORK",
		  *comparison->work.name ? comparison->work.name : "not known");
}

/* Puts the differences, most certain first. */
static void put_claims(const struct comparison *comparison, struct document *document)
{
	size_t *claims = comparison_claims(comparison);
	struct table *table = compare_tables_claims(document, comparison);
	struct strbuf what = STRBUF_INIT;

	for (size_t i = 0; i < comparison->claims; i++) {
		strbuf_reset(&what);
		add_what(comparison, &comparison->rows[claims[i]], &what);
		compare_tables_put_claim(table, comparison, &comparison->rows[claims[i]],
					 what.text);
	}
	strbuf_release(&what);
	free(claims);
}

static void build(const struct comparison *comparison, const struct comparison_request *request,
		  const struct report_options *options, struct document *document)
{
	put_facts(comparison, request, document);
	put_verdict(comparison, document);
	put_method(comparison, document);
	for (size_t i = 0; i < comparison->notes.count; i++)
		document_note(document, comparison->notes.items[i].severity,
			      comparison->notes.items[i].number, "%s",
			      comparison->notes.items[i].text);
	if (comparison->claims)
		put_claims(comparison, document);
	for (int kind = 0; kind < COMPARISON_KINDS; kind++)
		compare_tables_put(document, comparison, kind, options);
}

int report_compare_print(const struct comparison *comparison,
			 const struct comparison_request *request,
			 const struct report_options *options, FILE *stream, struct error *err)
{
	const struct profile *other = request->runs[COMPARISON_OTHER][0];
	struct listing listing = {
		.heading = "COMPARISON",
		.version = PACKAGE_VERSION,
		.program = profile_program(other),
		.title = options->title ? options->title : profile_program(other),
		.job = profile_attribute(other, ATTR_JOB),
		.job_number = profile_attribute(other, ATTR_JOB_NUMBER),
		.step = profile_attribute(other, ATTR_STEP),
		.procstep = profile_attribute(other, ATTR_PROCSTEP),
		.date = "",
		.warning = "",
	};
	struct strbuf out = STRBUF_INIT, difference = STRBUF_INIT;
	struct document document;
	struct tokens tokens;
	struct device *device;
	int result = 0;

	if (options->device == &html_device) {
		page_difference_json(comparison, request, &difference);
		listing.difference = difference.text;
	}
	tokens_init(&tokens);
	document_init(&document, "CMP", "Comparison", &tokens);
	device = device_new(options->device, options, &listing, &out);
	device->class->begin(device);
	build(comparison, request, options, &document);
	device->class->print(device, &document);
	device->class->end(device);
	if (fwrite(out.text, 1, out.length, stream) != out.length || fflush(stream) != 0)
		result = error_errno(err, "the comparison cannot be written");
	device_free(device);
	document_release(&document);
	tokens_release(&tokens);
	strbuf_release(&out);
	strbuf_release(&difference);
	return result;
}
