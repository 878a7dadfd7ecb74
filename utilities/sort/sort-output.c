/* SPDX-License-Identifier: Apache-2.0 */
/* Writes sorted records to SORTOUT and the outputs of OUTFIL. */
#include "common/compat.h"
#include "utilities/sort/sort-output.h"
#include "common/xalloc.h"

/* An open DD. */
struct target {
	const char *name;
	struct record_writer *writer;
	size_t skip; /* bytes of a record's descriptor, which are not written */
	uint64_t written;
};

/* State of an OUTFIL, or of SORTOUT without one, while records are written. */
struct way {
	struct outfil *outfil; /* NULL: SORTOUT without an OUTFIL */
	struct sort_output *output;
	struct target *targets;
	size_t target_count, turn; /* turn: current target of SPLIT */
	uint64_t seen, taken, placed; /* placed: records that SPLIT assigned to a target */
	bool variable;	    /* its records have descriptors */
	struct strbuf line; /* a report's line with its control character */
};

struct sort_output {
	struct utility *utility;
	struct sort_request *request;
	struct sort_form form; /* of the records that arrive */
	struct way *ways;
	size_t path_count;
	uint64_t count;
};

/* Returns an output's attributes for the case that its DD does not specify them. */
static struct attributes path_attributes(const struct sort_output *output, const struct way *way)
{
	struct attributes attributes = output->form.attributes;
	size_t length = reformat_length(&output->request->outrec, output->form.length);
	const struct outfil *outfil = way->outfil;

	if (output->form.length == 0)
		return (struct attributes){ 0 };
	if (outfil) {
		length = reformat_length(&outfil->reformat, length);
		if (outfil->to_fixed)
			snprintf(attributes.recfm, sizeof(attributes.recfm), "FB");
		if (outfil->to_variable) {
			snprintf(attributes.recfm, sizeof(attributes.recfm), "VB");
			length += DESCRIPTOR_SIZE;
		}
		if (outfil->report.wanted) {
			size_t report = sort_report_length(&outfil->report) +
					(way->variable ? DESCRIPTOR_SIZE : 0);

			length = (report > length ? report : length) +
				 !outfil->report.remove_control;
		}
	}
	attributes.lrecl = (unsigned)length;
	attributes.minimum = 0;
	if (attributes.organization != ORGANIZATION_UNKNOWN)
		attributes.organization = ORGANIZATION_SEQUENTIAL;
	attributes.key_count = 0;
	if (!*attributes.recfm)
		snprintf(attributes.recfm, sizeof(attributes.recfm),
			 output->form.variable ? "VB" : "FB");
	return attributes;
}

/* Returns the DD among the open ones that writes the same file as this one; NULL: none. */
static const char *same_target(const struct sort_output *output, const char *name)
{
	for (size_t i = 0; i < output->path_count; i++)
		for (size_t n = 0; n < output->ways[i].target_count; n++) {
			const char *other = output->ways[i].targets[n].name;

			if (utility_same_file(utility_dd(other), utility_dd(name)))
				return other;
		}
	return NULL;
}

static int open_target(struct sort_output *output, struct way *way, const char *name)
{
	const char *same;

	struct attributes attributes = path_attributes(output, way);
	struct target *target;

	if (!utility_dd(name))
		return utility_foreign_message(output->utility, "ICE056A", SEVERITY_SEVERE, 5502,
				     "%s NOT DEFINED", name);
	same = same_target(output, name);
	if (same)
		return utility_message(output->utility, SEVERITY_SEVERE, 5544,
				       "%s and %s are the same file", same, name);
	target = &way->targets[way->target_count++];
	*target = (struct target){ .name = name, .skip = way->variable ? DESCRIPTOR_SIZE : 0 };
	return dd_writer(output->utility, name, &attributes, 0, &target->writer, NULL);
}

/* Checks that the records of an output are long enough and of the form that its statements need. */
static int check_path(const struct sort_output *output, const struct way *way)
{
	const struct outfil *outfil = way->outfil;
	struct error err = ERROR_INIT;

	if (!outfil)
		return 0;
	if (outfil->to_fixed && (!output->form.variable || outfil->reformat.count == 0))
		error_set(&err, "VTOF and CONVERT need records of variable length and BUILD=");
	else if (outfil->to_variable && output->form.variable)
		error_set(&err, "FTOV needs records of fixed length");
	else if (way->variable && !outfil->to_variable)
		reformat_check(&outfil->reformat, &err);
	if (err.text.length == 0)
		return 0;
	utility_message(output->utility, SEVERITY_SEVERE, 5544, "OUTFIL: %s", error_text(&err));
	error_release(&err);
	return -1;
}

static int open_path(struct sort_output *output, struct outfil *outfil)
{
	struct way *way = &output->ways[output->path_count++];
	size_t names = outfil ? outfil->name_count : 0;

	*way = (struct way){ .outfil = outfil,
			     .output = output,
			     .targets = xcalloc(names ? names : 1, sizeof(struct target)),
			     .variable = output->form.variable && !(outfil && outfil->to_fixed),
			     .line = STRBUF_INIT };
	RETURN_IF(check_path(output, way) < 0, -1);
	if (names == 0)
		return open_target(output, way, "SORTOUT");
	for (size_t i = 0; i < names; i++)
		RETURN_IF(open_target(output, way, outfil->names[i]) < 0, -1);
	return 0;
}

/* Returns whether an OUTFIL writes SORTOUT; then SORTOUT is not written separately. */
static bool outfil_writes_sortout(const struct sort_request *request)
{
	for (size_t i = 0; i < request->outfil_count; i++) {
		const struct outfil *outfil = &request->outfils[i];

		if (outfil->name_count == 0)
			return true;
		for (size_t n = 0; n < outfil->name_count; n++)
			if (strcmp(outfil->names[n], "SORTOUT") == 0)
				return true;
	}
	return false;
}

int sort_output_open(struct sort_output **output, struct utility *utility,
		     struct sort_request *request, const struct sort_form *form)
{
	struct sort_output *made = xcalloc(1, sizeof(*made));

	*output = made;
	made->utility = utility;
	made->request = request;
	made->form = *form;
	made->ways = xcalloc(request->outfil_count + 1, sizeof(*made->ways));
	if (request->outfil_count == 0 ||
	    (utility_dd("SORTOUT") && !outfil_writes_sortout(request)))
		RETURN_IF(open_path(made, NULL) < 0, -1);
	for (size_t i = 0; i < request->outfil_count; i++)
		RETURN_IF(open_path(made, &request->outfils[i]) < 0, -1);
	return 0;
}

uint64_t sort_output_count(const struct sort_output *output)
{
	return output->count;
}

static int write_target(struct target *target, const struct sort_record *record, struct error *err)
{
	size_t skip = target->skip < record->length ? target->skip : record->length;
	const struct record one = { record->data + skip, record->length - skip, 0 };

	target->written++;
	if (record_write(target->writer, &one, err) == 0)
		return 0;
	return error_prefix(err, "%s", target->name);
}

/*
 * Returns the target whose turn it is and advances the turn; with SPLIT1R the last
 * target keeps it.
 */
static struct target *next_target(struct way *way)
{
	const struct outfil *outfil = way->outfil;
	size_t turn = way->turn;
	bool full = ++way->placed % outfil->split_by == 0;

	if (full && (outfil->split == SPLIT_TURN || turn + 1 < way->target_count))
		way->turn = (turn + 1) % way->target_count;
	return &way->targets[turn];
}

/* Writes a record to all targets, or to the one whose turn it is. */
static int write_path_record(struct way *way, const struct sort_record *record, struct error *err)
{
	if (way->outfil && way->outfil->split != SPLIT_NONE)
		return write_target(next_target(way), record, err);
	for (size_t i = 0; i < way->target_count; i++)
		RETURN_IF(write_target(&way->targets[i], record, err) < 0, -1);
	return 0;
}

/* Writes a line of a report; a sort_report_writer. */
static int write_report_line(void *argument, char control, const struct sort_record *line,
			     struct error *err)
{
	struct way *way = argument;
	struct sort_record record;

	strbuf_reset(&way->line);
	strbuf_addchars(&way->line, ' ', way->targets[0].skip);
	if (!way->outfil->report.remove_control)
		strbuf_addch(&way->line, control);
	strbuf_add(&way->line, line->data, line->length);
	record = (struct sort_record){ way->line.text, way->line.length };
	for (size_t i = 0; i < way->target_count; i++)
		RETURN_IF(write_target(&way->targets[i], &record, err) < 0, -1);
	return 0;
}

static struct sort_report_output sort_report_output(struct way *way)
{
	return (struct sort_report_output){ write_report_line, way, way->output->request->altseq,
					    way->targets[0].skip };
}

/* VLTRIM: removes trailing bytes that equal the one to be trimmed, down to least bytes. */
static void trim(const struct outfil *outfil, size_t least, struct sort_record *record)
{
	while (outfil->trimmed && record->length > least + 1 &&
	       record->data[record->length - 1] == outfil->trim)
		record->length--;
}

/* Writes the lines that an OUTFIL made of a record. */
static int write_lines(struct way *way, const struct sort_record *record,
		       const struct item_lines *lines, struct error *err)
{
	struct outfil *outfil = way->outfil;
	const struct sort_report_output report = sort_report_output(way);

	if (outfil->report.wanted)
		return sort_report_record(&outfil->report, &report, record, lines, err);
	for (size_t i = 0; i < lines->count; i++) {
		struct sort_record line = reformat_line(lines, i);

		trim(outfil, way->targets[0].skip, &line);
		RETURN_IF(write_path_record(way, &line, err) < 0, -1);
	}
	return 0;
}

/*
 * Sends a record that an OUTFIL takes to its outputs; with SEQNUM each copy of
 * REPEAT has its own number.
 */
static int send(struct way *way, const struct sort_record *record, struct error *err)
{
	struct outfil *outfil = way->outfil;
	const struct item_context context = { way->output->request->altseq, outfil->fill,
					      way->output->form.fixed, 0 };
	const bool numbers = reformat_has(&outfil->reformat, ITEM_SEQUENCE);
	const struct item_lines *lines = NULL;

	way->taken++;
	for (uint64_t times = 0; times < outfil->repeat; times++) {
		if (!lines || numbers)
			lines = reformat_run(&outfil->reformat, record, &context, way->variable,
					     err);
		RETURN_IF(!lines || write_lines(way, record, lines, err) < 0, -1);
	}
	return 0;
}

/* Returns whether an OUTFIL's numbers and conditions select a record. */
static bool takes(struct way *way, const struct sort_record *record)
{
	const struct outfil *outfil = way->outfil;

	way->seen++;
	if (way->seen < outfil->start || way->seen > outfil->end)
		return false;
	if (outfil->sample && (way->seen - outfil->start) % outfil->sample >= outfil->sampled)
		return false;
	return !outfil->condition || condition_holds(outfil->condition, record,
						     way->output->request->altseq) != outfil->omit;
}

static int send_all(struct sort_output *output, const struct sort_record *record, struct error *err)
{
	bool taken = false;

	for (size_t i = 0; i < output->path_count; i++) {
		struct way *way = &output->ways[i];

		if (!way->outfil) {
			RETURN_IF(write_path_record(way, record, err) < 0, -1);
		} else if (!way->outfil->save && takes(way, record)) {
			taken = true;
			RETURN_IF(send(way, record, err) < 0, -1);
		}
	}
	for (size_t i = 0; i < output->path_count && !taken; i++)
		if (output->ways[i].outfil && output->ways[i].outfil->save &&
		    takes(&output->ways[i], record))
			RETURN_IF(send(&output->ways[i], record, err) < 0, -1);
	return 0;
}

int sort_output_take(void *argument, const struct sort_record *record, struct error *err)
{
	struct sort_output *output = argument;
	const struct item_context context = { output->request->altseq, ' ', output->form.fixed, 0 };
	const struct item_lines *lines;
	struct sort_record now = *record;

	output->count++;
	if (output->request->outrec.count > 0) {
		lines = reformat_run(&output->request->outrec, record, &context,
				     output->form.variable, err);
		RETURN_IF(!lines, -1);
		now = reformat_line(lines, 0);
	}
	return send_all(output, &now, err);
}

/* Raises the return code for an output without records. */
static void raise_code(struct utility *utility, unsigned code)
{
	if (code > utility->worst)
		utility->worst = code;
}

/* Ends an output's report and reports how many records were written. */
static int end_path(struct way *way, struct error *err)
{
	struct outfil *outfil = way->outfil;
	const struct sort_report_output report = sort_report_output(way);
	struct utility *utility = way->output->utility;

	if (!outfil) {
		if (way->output->count == 0) {
			utility_foreign_message(utility, "ICE173I", SEVERITY_INFO, 0,
				      "0 NO RECORDS FOR THE SORTOUT DATA SET - RC=%u",
				      way->output->request->null_code);
			raise_code(utility, way->output->request->null_code);
		}
		return 0;
	}
	if (outfil->report.wanted)
		RETURN_IF(sort_report_end(&outfil->report, &report, err) < 0, -1);
	for (size_t i = 0; i < way->target_count; i++)
		utility_foreign_message(utility, "ICE227I", SEVERITY_INFO, 0,
			      "0 %-8s: DELETED = %" PRIu64 ", REPORT = %" PRIu64
			      ", DATA = %" PRIu64,
			      way->targets[i].name, way->output->count - way->taken,
			      outfil->report.extra_lines, way->targets[i].written - outfil->report.extra_lines);
	if (way->taken == 0) {
		utility_foreign_message(utility, "ICE174I", SEVERITY_INFO, 0,
			      "0 NO DATA RECORDS FOR AN OUTFIL DATA SET - RC=%u",
			      outfil->null_code);
		raise_code(utility, outfil->null_code);
	}
	return 0;
}

static int close_path(struct way *way, bool good, struct error *err)
{
	int result = good ? end_path(way, err) : 0;

	for (size_t i = 0; i < way->target_count; i++)
		if (way->targets[i].writer &&
		    record_writer_close(way->targets[i].writer, result == 0 ? err : NULL) < 0 &&
		    result == 0)
			result = error_prefix(err, "%s", way->targets[i].name);
	free(way->targets);
	strbuf_release(&way->line);
	return result;
}

int sort_output_close(struct sort_output *output, bool good, struct error *err)
{
	int result = 0;

	if (!output)
		return 0;
	for (size_t i = 0; i < output->path_count; i++)
		if (close_path(&output->ways[i], good && result == 0, result == 0 ? err : NULL) < 0)
			result = -1;
	free(output->ways);
	free(output);
	return result;
}
