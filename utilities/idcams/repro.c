/* SPDX-License-Identifier: Apache-2.0 */
/* REPRO: copies records from one data set to another, whatever their formats. */
#include "common/compat.h"
#include "utilities/idcams/set.h"
#include "utilities/idcams/verbs.h"
#include "common/xalloc.h"

#include <sys/stat.h>

#define DEFAULT_ERROR_LIMIT 4
#define SHOWN_KEY 5 /* bytes of a key in messages */

/* The data set that receives the records. */
struct output {
	struct idcams_set set;
	struct record_writer *writer;
	enum record_form form;
	size_t longest, shortest; /* record lengths in bytes; 0: unknown */
	bool loading;		  /* an empty indexed file is loaded: keys ascend */
	struct strbuf last_key;
	struct strbuf filled; /* a padded record */
	uint64_t written, truncated;
	unsigned errors, limit;
};

/* Returns whether a data set has no records; -1 with the reason. */
static int is_empty(const struct idcams_set *set, struct error *err)
{
	struct record_reader *reader;
	struct record record;
	int got;

	RETURN_IF(!catalog_exists(set->dd.path), 1);
	RETURN_IF(record_reader_open(&reader, set->dd.path, &set->dd.attributes, err) < 0, -1);
	got = record_read(reader, &record, err);
	record_reader_close(reader);
	return got < 0 ? -1 : got == 0;
}

/*
 * Returns the options for opening the output: clusters keep their records, other
 * data sets are rewritten.
 */
static unsigned writer_options(const struct output *output, const struct idcams_operand *operands)
{
	unsigned options = idcams_find(operands, "REPLACE") ? RECORD_REPLACE : 0;

	if (idcams_set_is_cluster(&output->set) && !idcams_find(operands, "REUSE"))
		options |= RECORD_APPEND;
	return options;
}

/* Opens the output; unknown attributes come from the input. -1 with the reason. */
static int open_writer(struct idcams *idcams, struct output *output,
		       const struct idcams_input *input, const struct idcams_operand *operands,
		       struct error *err)
{
	const struct attributes *attributes = &output->set.dd.attributes;
	int empty = is_empty(&output->set, err);

	RETURN_IF(empty < 0, -1);
	if (idcams_find(operands, "REUSE") && output->set.entry.type == CATALOG_CLUSTER &&
	    !output->set.entry.reuse && !empty)
		return error_set(err, "REUSE needs a cluster defined with REUSE, or an empty one");
	RETURN_IF(dd_open_writer(idcams->utility, &output->set.dd, &input->set.dd.attributes,
				 writer_options(output, operands), &output->writer, err) < 0,
		  -1);
	output->form = record_writer_form(output->writer);
	output->longest = attributes_data_length(attributes);
	output->shortest = attributes->minimum ? attributes->minimum : output->longest;
	output->loading = output->form == RECORD_INDEXED &&
			  (empty || idcams_find(operands, "REUSE")) &&
			  !idcams_find(operands, "REPLACE");
	return 0;
}

/* Appends the first bytes of a record's key, for messages. */
static void key_prefix(const struct output *output, const struct record *record, struct strbuf *sb)
{
	const struct record_key *key = &output->set.dd.attributes.keys[0];

	for (size_t i = 0; i < SHOWN_KEY && i < key->length && key->offset + i < record->length;
	     i++)
		strbuf_addf(sb, "%02X", (unsigned char)record->data[key->offset + i]);
}

/* Reports that a record was rejected. */
static void report_rejected(struct idcams *idcams, struct output *output, const struct record *record,
		    bool out_of_order, const char *reason)
{
	struct strbuf key = STRBUF_INIT;

	key_prefix(output, record, &key);
	utility_foreign_message(idcams->utility, "IDC3302I", SEVERITY_ERROR, 5634, "ACTION ERROR ON %s",
		      output->set.name);
	if (out_of_order)
		utility_foreign_message(idcams->utility, "IDC3314I", SEVERITY_ERROR, 0,
			      "RECORD %s OUT OF SEQUENCE", key.text);
	else if (strstr(reason, "status 22"))
		utility_foreign_message(idcams->utility, "IDC3308I", SEVERITY_ERROR, 0,
			      "** DUPLICATE RECORD %s", key.text);
	else
		utility_message(idcams->utility, SEVERITY_ERROR, 5634, "%s", reason);
	output->errors++;
	strbuf_release(&key);
}

/* Returns whether a record's key is below the previous one; stores the key. */
static bool out_of_order(struct output *output, const struct record *record)
{
	const struct record_key *key = &output->set.dd.attributes.keys[0];
	bool wrong;

	if (!output->loading || key->offset + key->length > record->length)
		return false;
	wrong = output->last_key.length > 0 &&
		memcmp(record->data + key->offset, output->last_key.text, key->length) < 0;
	if (!wrong) {
		strbuf_reset(&output->last_key);
		strbuf_add(&output->last_key, record->data + key->offset, key->length);
	}
	return wrong;
}

/* Pads or truncates a record to the length of the output's records. */
static void fit(struct output *output, struct record *record)
{
	bool sized = output->form == RECORD_INDEXED || output->form == RECORD_RELATIVE;

	if (output->longest == 0 || output->form == RECORD_TEXT)
		return;
	while (record->length > output->longest && record->data[record->length - 1] == ' ')
		record->length--;
	output->truncated += output->form == RECORD_FIXED && record->length > output->longest;
	if (!sized || record->length >= output->shortest)
		return;
	strbuf_reset(&output->filled);
	strbuf_add(&output->filled, record->data, record->length);
	strbuf_addchars(&output->filled, ' ', output->shortest - record->length);
	record->data = output->filled.text;
	record->length = output->filled.length;
}

/* Writes one record. -1 with the reason, also when there were too many errors. */
static int put(struct idcams *idcams, struct output *output, struct record *record,
	       struct error *err)
{
	int result = 0;

	fit(output, record);
	if (out_of_order(output, record)) {
		report_rejected(idcams, output, record, true, "");
	} else {
		result = record_write(output->writer, record, err);
		RETURN_IF(result < 0, -1);
		if (result > 0)
			report_rejected(idcams, output, record, false, error_text(err));
		else
			output->written++;
	}
	RETURN_IF(output->errors < output->limit, 0);
	utility_foreign_message(idcams->utility, "IDC31467I", SEVERITY_SEVERE, 5635,
		      "MAXIMUM ERROR LIMIT REACHED");
	return error_set(err, "too many records were rejected");
}

/* Copies all selected records of the input. */
static void copy(struct idcams *idcams, struct idcams_input *input, struct output *output)
{
	struct error err = ERROR_INIT;
	struct record record;
	int got, result = 0;

	while (result == 0 && (got = idcams_input_read(idcams, input, &record)) != 0)
		result = got < 0 ? -1 : put(idcams, output, &record, &err);
	if (record_writer_close(output->writer, result ? NULL : &err) < 0)
		result = -1;
	output->writer = NULL;
	if (result < 0 && *error_text(&err) && output->errors < output->limit)
		utility_message(idcams->utility, SEVERITY_SEVERE, 5555, "%s cannot be written: %s",
				output->set.name, error_text(&err));
	if (output->truncated > 0)
		utility_message(idcams->utility, SEVERITY_WARNING, 5636,
				"%" PRIu64 " records were longer than those of %s and were cut",
				output->truncated, output->set.name);
	idcams_processed(idcams, output->written);
	if (result < 0)
		idcams_terminated(idcams);
	error_release(&err);
}

/* Opens the output and copies the records. */
static void copy_to(struct idcams *idcams, struct idcams_input *input,
		    const struct idcams_operand *operands)
{
	struct output output = { .limit = idcams_number(operands, "ERRORLIMIT", 0,
							DEFAULT_ERROR_LIMIT),
				 .last_key = STRBUF_INIT,
				 .filled = STRBUF_INIT };
	struct error err = ERROR_INIT;

	if (idcams_set_find(idcams, &output.set, operands, "OUTFILE", "OUTDATASET", false, true) <
	    0) {
		idcams_terminated(idcams);
		return;
	}
	if (!idcams_find(operands, "REUSE") && idcams_check_whole(idcams, &output.set) < 0) {
		idcams_terminated(idcams);
	} else if (utility_same_file(input->set.dd.path, output.set.dd.path)) {
		utility_message(idcams->utility, SEVERITY_SEVERE, 5506,
				"REPRO: input and output are the same file");
		idcams_terminated(idcams);
	} else if (open_writer(idcams, &output, input, operands, &err) < 0) {
		utility_foreign_message(idcams->utility, "IDC3300I", SEVERITY_SEVERE, 5620,
			      "ERROR OPENING %s: %s", output.set.name, error_text(&err));
		idcams_terminated(idcams);
	} else {
		copy(idcams, input, &output);
	}
	idcams_set_release(&output.set);
	strbuf_release(&output.last_key);
	strbuf_release(&output.filled);
	error_release(&err);
}

void idcams_repro(struct idcams *idcams, const struct idcams_command *command)
{
	struct idcams_input input;

	if (idcams_input_open(idcams, &input, command) < 0) {
		idcams_processed(idcams, 0);
		idcams_terminated(idcams);
		return;
	}
	copy_to(idcams, &input, command->operands);
	idcams_input_close(&input);
}
