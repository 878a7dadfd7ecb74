/* SPDX-License-Identifier: Apache-2.0 */
/* TSO commands that move records: SUBMIT to the internal reader, OCOPY between DDs. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "session/job/reader.h"
#include "utilities/dd.h"
#include "utilities/tso/tso.h"

#include <ctype.h>

/* Copies all records to lines, or from one record format to another. */
static int copy_records(struct record_reader *reader, struct record_writer *writer,
			struct error *err)
{
	struct record record;
	int result = 0, got;

	while (result == 0 && (got = record_read(reader, &record, err)) != 0)
		result = got < 0 ? -1 : record_write(writer, &record, err);
	return result == 0 ? 0 : -1;
}

/* Prints "IKJ56250I JOB NAME SUBMITTED" for each JOB statement of a deck that is recognized. */
static void report_submitted(struct tso *tso, const char *path, const struct attributes *attributes)
{
	struct record_reader *reader;
	struct record record;

	if (record_reader_open(&reader, path, attributes, NULL) < 0)
		return;
	while (record_read(reader, &record, NULL) > 0) {
		char *card = xstrndup(record.data, record.length);
		size_t length = strcspn(card, " ");
		const char *operation = card + length + strspn(card + length, " ");

		if (length > 2 && strncmp(card, "//", 2) == 0 && card[2] != '*' &&
		    strncmp(operation, "JOB", 3) == 0 && (!operation[3] || operation[3] == ' '))
			utility_foreign_message(&tso->utility, "IKJ56250I", SEVERITY_INFO, 0,
				      "JOB %.*s SUBMITTED", (int)length - 2, card + 2);
		free(card);
	}
	record_reader_close(reader);
}

/* Appends a deck to the file that the job's runner submits when the step has ended. */
static int submit(struct tso *tso, const char *path)
{
	const char *spool = getenv("VIGIL_JOB_SPOOL"), *step = getenv("VIGIL_STEP");
	const struct attributes text = { .recfm = "TEXT" };
	struct record_reader *reader = NULL;
	struct record_writer *writer = NULL;
	struct error err = ERROR_INIT;
	struct strbuf queue = STRBUF_INIT;
	struct attributes attributes;
	int result = -1;

	if (!spool || !step) {
		utility_message(&tso->utility, SEVERITY_ERROR, 5691,
				"SUBMIT is not supported outside a job: use vigil submit");
		return TSO_FAILED;
	}
	strbuf_addf(&queue, "%s/%s." READER_NAME, spool, step);
	attributes_get(path, &attributes);
	if (record_reader_open(&reader, path, &attributes, &err) == 0 &&
	    record_writer_open(&writer, queue.text, &text, RECORD_APPEND, &err) == 0)
		result = copy_records(reader, writer, &err);
	if (writer && record_writer_close(writer, result == 0 ? &err : NULL) < 0)
		result = -1;
	if (reader)
		record_reader_close(reader);
	if (result == 0)
		report_submitted(tso, path, &attributes);
	else
		tso_fail(tso, "IKJ56641I", 5696, "SUBMIT ENDED DUE TO ERROR: %s", error_text(&err));
	error_release(&err);
	strbuf_release(&queue);
	return result == 0 ? 0 : TSO_FAILED;
}

/* SUBMIT 'name(member)' */
int tso_submit(struct tso *tso, const char *verb, const char *operands)
{
	struct strbuf path = STRBUF_INIT;
	struct tso_operands parsed;
	int code = TSO_FAILED;

	(void)verb;
	RETURN_IF(tso_parse(tso, operands, &parsed) < 0, TSO_FAILED);
	if (parsed.count == 0)
		tso_fail(tso, "IKJ56701I", 5683, "MISSING DATA SET NAME");
	else if (tso_operands_known(tso, &parsed, 1,
				    "HOLD NOHOLD NOTIFY NONOTIFY JOBCHAR NOJOBCHAR USER NOUSER"))
		code = tso_existing(tso, &parsed.items[0], &path);
	if (code == 0)
		code = submit(tso, path.text);
	tso_operands_release(&parsed);
	strbuf_release(&path);
	return code;
}

/* Copies one DD to another, each in its record format. */
static int copy_dds(struct tso *tso, const char *input, const char *output)
{
	struct record_reader *reader;
	struct record_writer *writer;
	struct error err = ERROR_INIT;
	int result;

	RETURN_IF(dd_reader(&tso->utility, input, &reader, NULL) < 0, TSO_FAILED);
	if (dd_writer(&tso->utility, output, NULL, 0, &writer, NULL) < 0) {
		record_reader_close(reader);
		return TSO_FAILED;
	}
	result = copy_records(reader, writer, &err);
	if (record_writer_close(writer, result == 0 ? &err : NULL) < 0)
		result = -1;
	record_reader_close(reader);
	if (result < 0)
		tso_fail(tso, "IKJ56641I", 5696, "OCOPY ENDED DUE TO ERROR: %s", error_text(&err));
	error_release(&err);
	return result < 0 ? TSO_FAILED : 0;
}

/* Returns a DD name in upper case; the caller frees it. */
static char *dd_operand(const struct tso_operand *operand)
{
	char *name = tso_unquote(operand->value ? operand->value : "");

	for (char *at = name; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return name;
}

/* OCOPY INDD(name) OUTDD(name) TEXT */
int tso_ocopy(struct tso *tso, const char *verb, const char *operands)
{
	const struct tso_operand *input, *output;
	struct tso_operands parsed;
	int code = TSO_FAILED;

	(void)verb;
	RETURN_IF(tso_parse(tso, operands, &parsed) < 0, TSO_FAILED);
	input = tso_operand(&parsed, "INDD IND");
	output = tso_operand(&parsed, "OUTDD OUTD");
	if (!tso_operands_known(
		    tso, &parsed, 0,
		    "INDD IND OUTDD OUTD TEXT BINARY CONVERT PATHOPTS TO1047 FROM1047")) {
		code = TSO_FAILED;
	} else if (!input || !output) {
		tso_fail(tso, "IKJ56701I", 5683, "MISSING %s", input ? "OUTDD" : "INDD");
	} else {
		char *from = dd_operand(input), *to = dd_operand(output);

		code = copy_dds(tso, from, to);
		free(from);
		free(to);
	}
	tso_operands_release(&parsed);
	return code;
}
