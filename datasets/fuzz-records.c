/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A libFuzzer target: any bytes, read as records of each sequential form, must
 * give records within the file, or an error. What was read is written, and must be
 * the same when read again.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "datasets/records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const forms[] = { "TEXT,0", "FB,1", "FB,7", "F,80", "V,0", "VB,24" };

static struct record_reader *open_reader(const char *path, const char *form)
{
	struct attributes attributes;
	struct record_reader *reader;

	if (!attributes_parse(&attributes, form) ||
	    record_reader_open(&reader, path, &attributes, NULL) < 0)
		abort();
	return reader;
}

/* Copies all readable records to a file; returns their number. */
static size_t copy(const char *from, const char *to, const char *form)
{
	struct record_reader *reader = open_reader(from, form);
	struct error err = ERROR_INIT;
	struct attributes attributes;
	struct record_writer *writer;
	struct record record;
	size_t count = 0;

	attributes_parse(&attributes, record_reader_form(reader) == RECORD_TEXT ? "TEXT,0" : form);
	if (record_writer_open(&writer, to, &attributes, 0, NULL) < 0)
		abort();
	for (; record_read(reader, &record, &err) > 0; count++)
		if (record_write(writer, &record, NULL) != 0)
			abort();
	error_release(&err);
	record_reader_close(reader);
	if (record_writer_close(writer, NULL) < 0)
		abort();
	return count;
}

/* Checks that both files begin with the same count records, of one form or as lines. */
static void compare(const char *a, const char *b, const char *form, size_t count)
{
	struct record_reader *one = open_reader(a, form), *other;
	struct record x, y;

	other = open_reader(b, record_reader_form(one) == RECORD_TEXT ? "TEXT,0" : form);
	/* Records that are all text may become lines when written without what followed. */
	if (record_reader_form(one) != record_reader_form(other))
		count = 0;
	for (; count > 0; count--)
		if (record_read(one, &x, NULL) != 1 || record_read(other, &y, NULL) != 1 ||
		    x.length != y.length || memcmp(x.data, y.data, x.length) != 0)
			abort();
	record_reader_close(one);
	record_reader_close(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *from, *to;

	if (size < 1)
		return 0;
	from = test_input(0, data + 1, size - 1);
	setenv("COB_VARSEQ_FORMAT", (const char *[]){ "0", "1", "2", "3" }[data[0] % 4], 1);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		to = test_input(1, "", 0);
		compare(from, to, forms[i], copy(from, to, forms[i]));
	}
	return 0;
}
