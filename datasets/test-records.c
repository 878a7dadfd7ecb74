/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of records: each form is read as vigil writes it, and as other programs write it. */
#include "common/compat.h"
#include "datasets/records.h"
#include "common/xalloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test-records-XXXXXX";
static char path[sizeof(folder) + 8];

static int set_up(void **state)
{
	(void)state;
	unsetenv("COB_VARSEQ_FORMAT");
	unlink(path);
	return 0;
}

static int make_folder(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static struct attributes attributes_of(const char *line)
{
	struct attributes attributes;

	assert_true(attributes_parse(&attributes, line));
	return attributes;
}

static void write_file(const void *data, size_t size)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	assert_int_equal(fwrite(data, 1, size, stream), size);
	assert_int_equal(fclose(stream), 0);
}

#define WRITE_FILE(text) write_file(text, sizeof(text) - 1)

/* Returns the content of the file; the caller frees it. */
static struct strbuf content(void)
{
	struct strbuf text = STRBUF_INIT;

	assert_int_equal(strbuf_read_file(&text, path), 0);
	return text;
}

static void assert_content(const char *data, size_t size)
{
	struct strbuf text = content();

	assert_int_equal(text.length, size);
	assert_memory_equal(text.text, data, size);
	strbuf_release(&text);
}

#define ASSERT_CONTENT(text) assert_content(text, sizeof(text) - 1)

/* Reads all: records in brackets, then the error if there is one. */
static void assert_records(const char *line, const char *expected)
{
	struct attributes attributes = attributes_of(line);
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct record_reader *reader = NULL;
	struct record record;
	int got = record_reader_open(&reader, path, &attributes, &err);

	if (got == 0)
		while ((got = record_read(reader, &record, &err)) > 0) {
			strbuf_addch(&text, '[');
			strbuf_add(&text, record.data, record.length);
			strbuf_addch(&text, ']');
		}
	if (got < 0) {
		const char *reason = error_text(&err);

		if (strncmp(reason, path, strlen(path)) == 0)
			reason += strlen(path);
		strbuf_addstr(&text, reason);
	}
	assert_string_equal(text.text, expected);
	record_reader_close(reader);
	error_release(&err);
	strbuf_release(&text);
}

/* Writes records, NULL-terminated. Returns the result of the last write. */
static int write_records(const char *line, unsigned options, const char *const *records,
			 struct error *err)
{
	struct attributes attributes = attributes_of(line);
	struct record_writer *writer;
	int result = 0;

	assert_int_equal(record_writer_open(&writer, path, &attributes, options, err), 0);
	for (; *records; records++) {
		struct record record = { *records, strlen(*records), 0 };

		result = record_write(writer, &record, err);
	}
	assert_int_equal(record_writer_close(writer, err), 0);
	return result;
}

#define RECORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void test_text(void **state)
{
	(void)state;
	WRITE_FILE("one\n\nthree\nlast");
	assert_records("TEXT,0", "[one][][three][last]");
	WRITE_FILE("");
	assert_records("TEXT,0", "");
	assert_int_equal(write_records("TEXT,0", 0, RECORDS("a", "", "c"), NULL), 0);
	ASSERT_CONTENT("a\n\nc\n");
	WRITE_FILE("no end");
	assert_int_equal(write_records("TEXT,0", RECORD_APPEND, RECORDS("next"), NULL), 0);
	ASSERT_CONTENT("no end\nnext\n");
}

static void test_fixed(void **state)
{
	(void)state;
	WRITE_FILE("aaaabbbbcccc");
	assert_records("FB,4", "[aaaa][bbbb][cccc]");
	WRITE_FILE("aaaabb");
	assert_records("FB,4", "[aaaa]: record 2 is truncated: it has 2 bytes instead of 4");
	assert_int_equal(write_records("F,4", 0, RECORDS("ab", "abcdef", ""), NULL), 0);
	ASSERT_CONTENT("ab  abcd    ");
	assert_int_equal(write_records("F,4", RECORD_APPEND, RECORDS("x"), NULL), 0);
	ASSERT_CONTENT("ab  abcd    x   ");
}

static void test_appending_needs_whole_records(void **state)
{
	struct attributes attributes = attributes_of("FB,4");
	struct error err = ERROR_INIT;
	struct record_writer *writer;

	(void)state;
	WRITE_FILE("aaaabb");
	assert_int_equal(record_writer_open(&writer, path, &attributes, RECORD_APPEND, &err), -1);
	assert_non_null(strstr(error_text(&err), "6 bytes, which is not a multiple of the record length 4"));
	error_release(&err);
	ASSERT_CONTENT("aaaabb");
}

static void test_empty_files_of_keyed_records(void **state)
{
	struct attributes attributes = attributes_of(",8,DSORG=IS,KEY=4:0");
	struct record_reader *reader;

	(void)state;
	WRITE_FILE("");
	assert_records(",8,DSORG=IS,KEY=4:0", "");
	assert_records(",8,DSORG=RR", "");
	assert_int_equal(record_reader_open(&reader, "/dev/null", &attributes, NULL), 0);
	assert_int_equal(record_reader_start(reader, 0, "a", 1, 0, NULL), 0);
	record_reader_close(reader);
}

static void assert_form(const char *line, enum record_form form)
{
	struct attributes attributes = attributes_of(line);

	assert_int_equal(record_form(path, &attributes), form);
}

static void test_lines_that_are_said_to_be_fixed(void **state)
{
	(void)state;
	WRITE_FILE("one\ntwo two\n");
	assert_form("FB,80", RECORD_TEXT);
	assert_records("FB,80", "[one][two two]");
	WRITE_FILE("one\ntwo"); /* 7 bytes are no whole number of records of 4 */
	assert_form("FB,4", RECORD_TEXT);
	WRITE_FILE("abc\nabc\n"); /* lines of 3 characters, which look like records of 4 */
	assert_form("FB,4", RECORD_TEXT);
	assert_int_equal(write_records("FB,80", RECORD_APPEND, RECORDS("more"), NULL), 0);
	ASSERT_CONTENT("abc\nabc\nmore\n");
}

static void test_bytes_that_are_line_ends_by_chance(void **state)
{
	(void)state;
	WRITE_FILE("ab\0\ncd\0\n");
	assert_form("FB,4", RECORD_FIXED);
	WRITE_FILE("ab\n\x0c"
		   "cd\n\x01");
	assert_form("FB,4", RECORD_FIXED);
	WRITE_FILE("a\nbbc\ndd"); /* whole records, no line end at the end */
	assert_form("FB,4", RECORD_FIXED);
	WRITE_FILE("aaaaaaaa\n\n\n\n"); /* the first line is longer than a record */
	assert_form("FB,4", RECORD_FIXED);
	assert_records("FB,4", "[aaaa][aaaa][\n\n\n\n]");
}

static void test_forms(void **state)
{
	(void)state;
	assert_form("FB,80", RECORD_FIXED); /* the file is missing */
	WRITE_FILE("");
	assert_form("FBA,133", RECORD_FIXED);
	assert_form("VB,255", RECORD_VARIABLE);
	assert_form("F,0", RECORD_TEXT);
	assert_form("TEXT,80", RECORD_TEXT);
	assert_form(",80", RECORD_TEXT);
	assert_form("U,0", RECORD_TEXT);
	assert_form(",80,DSORG=IS,KEY=4:0", RECORD_INDEXED);
	assert_form("F,80,DSORG=RR", RECORD_RELATIVE);
}

static void test_variable_in_each_format(void **state)
{
	static const struct {
		const char *format, *bytes;
		size_t size;
	} cases[] = {
		{ "0", "\0\3\0\0abc\0\0\0\0\0\1\0\0x", 16 },
		{ "1", "\0\0\0\3abc\0\0\0\0\0\0\0\1x", 16 },
		{ "2", "\3\0\0\0abc\0\0\0\0\1\0\0\0x", 16 },
		{ "3", "\0\3abc\0\0\0\1x", 10 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		setenv("COB_VARSEQ_FORMAT", cases[i].format, 1);
		assert_int_equal(write_records("VB,84", 0, RECORDS("abc", "", "x"), NULL), 0);
		assert_content(cases[i].bytes, cases[i].size);
		assert_records("VB,84", "[abc][][x]");
		assert_records("V,0", "[abc][][x]");
	}
	setenv("COB_VARSEQ_FORMAT", "4", 1);
	assert_records("VB,84", "COB_VARSEQ_FORMAT=4 is not known; expected 0, 1, 2 or 3");
}

static void test_descriptors_that_cannot_be(void **state)
{
	(void)state;
	WRITE_FILE("\0\3\0\0abc\0\x0b\0\0abcdefghijk");
	assert_records("VB,14", "[abc]: record 2 has no valid descriptor: it gives 11 bytes, the "
				"longest record has 10 (COB_VARSEQ_FORMAT is 0)");
	WRITE_FILE("\0\3\0\1abc");
	assert_records("VB,14", ": record 1 has no valid descriptor: it gives no length, the "
				"longest record has 10 (COB_VARSEQ_FORMAT is 0)");
	WRITE_FILE("\0\3\0\0abc\0\5\0\0ab");
	assert_records("VB,14", "[abc]: record 2 is truncated: it has 6 bytes instead of 9");
	WRITE_FILE("\0\3\0\0abc\0\5");
	assert_records("VB,14", "[abc]: record 2 is truncated: it has 2 bytes instead of 4");
}

static void test_too_long_for_variable(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(write_records("VB,14", 0, RECORDS("12345678901"), &err), 1);
	assert_non_null(strstr(error_text(&err), "a record has 11 bytes, the longest may have 10"));
	error_release(&err);
	ASSERT_CONTENT("");
}

static void test_lines_that_are_said_to_be_variable(void **state)
{
	(void)state;
	WRITE_FILE("one\ntwo\n");
	assert_form("VB,255", RECORD_TEXT);
	assert_records("VB,255", "[one][two]");
	WRITE_FILE("\0\3\0\0ab\n\0\3\0\0cd\n");
	assert_form("VB,255", RECORD_VARIABLE);
}

/* Tests records larger than the buffer, and those across its end. */
static void test_large(void **state)
{
	static const char *const lines[] = { "TEXT,0", "FB,1000003", "V,0" };
	struct record_writer *writer;
	struct record_reader *reader;
	struct record record;
	size_t size = 1000003;
	char *data = xmalloc(size);

	(void)state;
	setenv("COB_VARSEQ_FORMAT", "1", 1);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct attributes attributes = attributes_of(lines[i]);

		assert_int_equal(record_writer_open(&writer, path, &attributes, 0, NULL), 0);
		for (int n = 0; n < 3; n++) {
			memset(data, 'a' + n, size);
			assert_int_equal(
				record_write(writer, &(struct record){ data, size, 0 }, NULL), 0);
		}
		assert_int_equal(record_writer_close(writer, NULL), 0);
		assert_int_equal(record_reader_open(&reader, path, &attributes, NULL), 0);
		for (int n = 0; n < 3; n++) {
			memset(data, 'a' + n, size);
			assert_int_equal(record_read(reader, &record, NULL), 1);
			assert_int_equal(record.length, size);
			assert_memory_equal(record.data, data, size);
		}
		assert_int_equal(record_read(reader, &record, NULL), 0);
		record_reader_close(reader);
	}
	free(data);
}

static void test_no_place_to_start(void **state)
{
	struct attributes attributes = attributes_of("FB,4");
	struct error err = ERROR_INIT;
	struct record_reader *reader;

	(void)state;
	WRITE_FILE("aaaa");
	assert_int_equal(record_reader_open(&reader, path, &attributes, NULL), 0);
	assert_int_equal(record_reader_start(reader, 0, "a", 1, 0, &err), -1);
	assert_non_null(strstr(error_text(&err), "has no keys"));
	record_reader_close(reader);
	error_release(&err);
}

static void test_files_that_cannot_be_used(void **state)
{
	struct attributes attributes = attributes_of("FB,4");
	struct error err = ERROR_INIT;
	struct record_reader *reader;
	struct record_writer *writer;

	(void)state;
	assert_int_equal(record_reader_open(&reader, "/none", &attributes, &err), -1);
	assert_string_equal(error_text(&err), "/none cannot be opened: No such file or directory");
	assert_int_equal(record_reader_open(&reader, "/", &attributes, &err), -1);
	assert_string_equal(error_text(&err), "/ is a folder; a member must be named");
	assert_int_equal(record_writer_open(&writer, "/", &attributes, 0, &err), -1);
	assert_string_equal(error_text(&err), "/ cannot be opened: Is a directory");
	assert_int_equal(record_writer_open(&writer, "/dev/full", &attributes, 0, &err), 0);
	assert_int_equal(record_write(writer, &(struct record){ "a", 1, 0 }, &err), 0);
	assert_int_equal(record_writer_close(writer, &err), -1);
	assert_string_equal(error_text(&err),
			    "/dev/full cannot be written: No space left on device");
	error_release(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_text, set_up),
		cmocka_unit_test_setup(test_fixed, set_up),
		cmocka_unit_test_setup(test_appending_needs_whole_records, set_up),
		cmocka_unit_test_setup(test_empty_files_of_keyed_records, set_up),
		cmocka_unit_test_setup(test_forms, set_up),
		cmocka_unit_test_setup(test_lines_that_are_said_to_be_fixed, set_up),
		cmocka_unit_test_setup(test_bytes_that_are_line_ends_by_chance, set_up),
		cmocka_unit_test_setup(test_variable_in_each_format, set_up),
		cmocka_unit_test_setup(test_descriptors_that_cannot_be, set_up),
		cmocka_unit_test_setup(test_too_long_for_variable, set_up),
		cmocka_unit_test_setup(test_lines_that_are_said_to_be_variable, set_up),
		cmocka_unit_test_setup(test_large, set_up),
		cmocka_unit_test_setup(test_no_place_to_start, set_up),
		cmocka_unit_test_setup(test_files_that_cannot_be_used, set_up),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
