/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of indexed and relative files: what a COBOL program
 * (tests/programs/keyed.cob) writes is read here, and the other way round.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/btree.h"
#include "datasets/records.h"
#include "datasets/update-mark.h"
#include "common/paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#define KEYED ",60,DSORG=IS,MIN=30,KEY=8:3,KEY=9:11,KEY=3:0D"
#define NUMBERED ",20,DSORG=RR"

static char folder[] = "/tmp/test-indexed-XXXXXX";
static char path[sizeof(folder) + 8];

static int make_folder(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	setenv("DD_KEYED", path, 1);
	setenv("DD_NUMBERED", path, 1);
	return 0;
}

/* Runs a shell command in the folder; the caller frees its output. */
static char *run(const char *command)
{
	struct strbuf line = STRBUF_INIT, output = STRBUF_INIT;
	FILE *stream;

	strbuf_addf(&line, "cd %s && %s", folder, command);
	stream = popen(line.text, "r");
	assert_non_null(stream);
	assert_int_equal(strbuf_read_fd(&output, fileno(stream)), 0);
	if (pclose(stream) != 0)
		fail_msg("%s: %s", command, output.text);
	strbuf_release(&line);
	return strbuf_detach(&output, NULL);
}

static int remove_folder(void **state)
{
	(void)state;
	free(run("rm -rf $PWD"));
	return 0;
}

static bool have_gnucobol(void)
{
	char *module = paths_indexed_module();
	const char *compiler = getenv("COBC");

	free(module);
	return module && compiler && *compiler && getenv("VIGIL_SOURCE");
}

static int set_up(void **state)
{
	(void)state;
	free(run("rm -f file*; test -x keyed || "
		 "$COBC -x -o keyed \"$VIGIL_SOURCE/tests/programs/keyed.cob\""));
	return 0;
}

static void test_without_gnucobol(void **state)
{
	(void)state;
	skip();
}

static struct attributes attributes_of(const char *line)
{
	struct attributes attributes;

	assert_true(attributes_parse(&attributes, line));
	return attributes;
}

static struct record_reader *open_reader(const char *line)
{
	struct attributes attributes = attributes_of(line);
	struct error err = ERROR_INIT;
	struct record_reader *reader = NULL;

	if (record_reader_open(&reader, path, &attributes, &err) < 0)
		fail_msg("%s", error_text(&err));
	return reader;
}

static struct record_writer *open_writer(const char *line, unsigned options)
{
	struct attributes attributes = attributes_of(line);
	struct error err = ERROR_INIT;
	struct record_writer *writer = NULL;

	if (record_writer_open(&writer, path, &attributes, options, &err) < 0)
		fail_msg("%s", error_text(&err));
	return writer;
}

/* Appends the remaining records as the program shows them. */
static void show(struct record_reader *reader, struct strbuf *text)
{
	struct record record;
	int got;

	while ((got = record_read(reader, &record, NULL)) > 0) {
		if (record.number)
			strbuf_addf(text, "%06u ", (unsigned)record.number);
		else
			strbuf_addf(text, "%02zu ", record.length);
		strbuf_add(text, record.data, record.length);
		strbuf_addch(text, '\n');
	}
	assert_int_equal(got, 0);
}

/* Appends all records by each key, as "keyed READ" shows them. */
static void show_by_keys(struct strbuf *text)
{
	struct record_reader *reader = open_reader(KEYED);

	show(reader, text);
	assert_int_equal(record_reader_start(reader, 1, "", 0, 0, NULL), 1);
	show(reader, text);
	assert_int_equal(record_reader_start(reader, 2, "", 0, 0, NULL), 1);
	show(reader, text);
	record_reader_close(reader);
}

static void assert_same_as_program(const char *command)
{
	struct strbuf here = STRBUF_INIT;
	char *there = run(command);

	show_by_keys(&here);
	assert_true(strcmp(here.text, there) == 0);
	strbuf_release(&here);
	free(there);
}

static void test_program_writes_indexed(void **state)
{
	(void)state;
	free(run("./keyed WRITE 3000"));
	assert_same_as_program("./keyed READ");
}

/* Returns the record of the program with that number. */
static struct record make_record(char area[61], unsigned number)
{
	size_t length = 30 + number % 31;
	char digits[12];

	memset(area, 'x', 60);
	snprintf(digits, sizeof(digits), "%03u%08u", number % 997, number);
	memcpy(area, digits, 11);
	area[11] = 'N';
	for (int i = 0; i < 8; i++)
		area[12 + i] = digits[10 - i];
	return (struct record){ area, length, 0 };
}

static void test_program_reads_indexed(void **state)
{
	struct record_writer *writer;
	char area[61], *lines;

	(void)state;
	writer = open_writer(KEYED, 0);
	assert_int_equal(record_writer_form(writer), RECORD_INDEXED);
	for (unsigned number = 1; number <= 20000; number++) {
		struct record record = make_record(area, number);

		assert_int_equal(record_write(writer, &record, NULL), 0);
	}
	assert_int_equal(record_writer_close(writer, NULL), 0);
	assert_same_as_program("./keyed READ | tee listing");
	lines = run("wc -l <listing");
	assert_int_equal(atoi(lines), 60000);
	free(lines);
}

static void assert_starts(struct record_reader *reader, unsigned key, const char *bytes,
			  const char *number)
{
	struct record record;

	assert_int_equal(record_reader_start(reader, key, bytes, strlen(bytes), 0, NULL), 1);
	assert_int_equal(record_read(reader, &record, NULL), 1);
	assert_memory_equal(record.data + 3, number, 8);
}

static void test_start(void **state)
{
	struct record_reader *reader;

	(void)state;
	free(run("./keyed WRITE 2000"));
	reader = open_reader(KEYED);
	assert_starts(reader, 0, "00000042", "00000042");
	assert_starts(reader, 0, "0000009", "00000090");
	assert_starts(reader, 1, "N2", "00000002");
	assert_starts(reader, 1, "N21000000", "00000012");
	assert_starts(reader, 2, "007", "00001004"); /* the program wrote it before 00000007 */
	assert_int_equal(record_reader_start(reader, 0, "00002001", 8, 0, NULL), 0);
	assert_int_equal(record_reader_start(reader, 3, "x", 1, 0, NULL), 0);
	record_reader_close(reader);
}

/* Tests two keys that begin at the same byte. */
static void test_keys_at_one_place(void **state)
{
	static const char line[] = ",12,DSORG=IS,KEY=6:0,KEY=2:0D,KEY=4:0D";
	struct record_writer *writer;
	struct record_reader *reader;
	struct record record;

	(void)state;
	writer = open_writer(line, 0);
	assert_int_equal(record_write(writer, &(struct record){ "aabbcc first", 12, 0 }, NULL), 0);
	assert_int_equal(record_write(writer, &(struct record){ "aabbdd next ", 12, 0 }, NULL), 0);
	assert_int_equal(record_writer_close(writer, NULL), 0);
	reader = open_reader(line);
	for (unsigned key = 0; key < 3; key++) {
		assert_int_equal(record_reader_start(reader, key, "ab", 2, 0, NULL), 0);
		assert_int_equal(record_reader_start(reader, key, "aa", 2, 0, NULL), 1);
		assert_int_equal(record_read(reader, &record, NULL), 1);
		assert_memory_equal(record.data, "aabbcc first", 12);
	}
	record_reader_close(reader);
}

/* Checks the result of writing a record, and the reason if it is refused. */
static void assert_write(struct record_writer *writer, const char *text, int expected,
			 const char *reason)
{
	struct error err = ERROR_INIT;
	struct record record = { text, strlen(text), 0 };

	assert_int_equal(record_write(writer, &record, &err), expected);
	if (!strstr(error_text(&err), reason))
		fail_msg("%s instead of %s", error_text(&err), reason);
	error_release(&err);
}

static void test_refused_records(void **state)
{
	static const char line[] = ",12,DSORG=IS,MIN=8,KEY=2:0,KEY=2:4";
	struct record_writer *writer;
	struct record_reader *reader;
	struct strbuf text = STRBUF_INIT;

	(void)state;
	writer = open_writer(line, 0);
	assert_write(writer, "bb  11 first", 0, "");
	assert_write(writer, "bb  22 again", 1, "the key exists already (file status 22)");
	assert_write(writer, "cc  11 other", 1, "the key exists already (file status 22)");
	assert_write(writer, "dd  44 too long", 1,
		     "a record has 15 bytes, the longest may have 12");
	assert_write(writer, "d", 1, "too long or too short");
	assert_write(writer, "dd  44", 0, "");
	assert_int_equal(record_writer_close(writer, NULL), 0);
	writer = open_writer(line, RECORD_APPEND | RECORD_REPLACE);
	assert_write(writer, "bb  12 newer", 0, "");
	assert_write(writer, "aa  33 lower", 0, "");
	assert_write(writer, "ee  12 other", 1, "the key exists already (file status 22)");
	assert_int_equal(record_writer_close(writer, NULL), 0);
	reader = open_reader(line);
	show(reader, &text);
	assert_string_equal(text.text, "12 aa  33 lower\n12 bb  12 newer\n08 dd  44  \n");
	record_reader_close(reader);
	strbuf_release(&text);
}

static void test_replace_in_a_new_file(void **state)
{
	static const char line[] = ",6,DSORG=IS,KEY=2:0";
	struct record_writer *writer = open_writer(line, RECORD_REPLACE);
	struct record_reader *reader;
	struct strbuf text = STRBUF_INIT;

	(void)state;
	assert_write(writer, "bb one", 0, "");
	assert_write(writer, "aa two", 0, "");
	assert_write(writer, "bb 333", 0, "");
	assert_int_equal(record_writer_close(writer, NULL), 0);
	reader = open_reader(line);
	show(reader, &text);
	assert_string_equal(text.text, "06 aa two\n06 bb 333\n");
	record_reader_close(reader);
	strbuf_release(&text);
}

static void test_program_writes_relative(void **state)
{
	struct record_reader *reader;
	struct strbuf here = STRBUF_INIT;
	struct record record;
	char *there;

	(void)state;
	free(run("./keyed RWRITE"));
	there = run("./keyed RREAD");
	reader = open_reader(NUMBERED);
	show(reader, &here);
	assert_string_equal(here.text, there);
	assert_int_equal(record_reader_start(reader, 0, NULL, 0, 4, NULL), 1);
	assert_int_equal(record_read(reader, &record, NULL), 1);
	assert_int_equal(record.number, 7);
	assert_int_equal(record_reader_start(reader, 0, NULL, 0, 9, NULL), 0);
	record_reader_close(reader);
	strbuf_release(&here);
	free(there);
}

static void test_program_reads_relative(void **state)
{
	struct record_writer *writer;
	char *there;

	(void)state;
	writer = open_writer(NUMBERED, 0);
	assert_int_equal(record_write(writer, &(struct record){ "first", 5, 0 }, NULL), 0);
	assert_int_equal(record_write(writer, &(struct record){ "fifth", 5, 5 }, NULL), 0);
	assert_int_equal(record_write(writer, &(struct record){ "again", 5, 5 }, NULL), 1);
	assert_int_equal(record_write(writer, &(struct record){ "third", 5, 3 }, NULL), 0);
	assert_int_equal(record_write(writer, &(struct record){ "sixth", 5, 0 }, NULL), 0);
	assert_int_equal(record_writer_close(writer, NULL), 0);
	writer = open_writer(NUMBERED, RECORD_APPEND | RECORD_REPLACE);
	assert_int_equal(record_write(writer, &(struct record){ "seventh", 7, 0 }, NULL), 0);
	assert_int_equal(record_write(writer, &(struct record){ "FIFTH", 5, 5 }, NULL), 0);
	assert_int_equal(record_writer_close(writer, NULL), 0);
	there = run("./keyed RREAD");
	assert_string_equal(there, "000001 first               \n"
				   "000003 third               \n"
				   "000005 FIFTH               \n"
				   "000006 sixth               \n"
				   "000007 seventh             \n");
	free(there);
}

static void assert_not_opened(const char *line, const char *reason)
{
	struct attributes attributes = attributes_of(line);
	struct error err = ERROR_INIT;
	struct record_reader *reader;

	assert_int_equal(record_reader_open(&reader, path, &attributes, &err), -1);
	if (!strstr(error_text(&err), reason))
		fail_msg("%s instead of %s", error_text(&err), reason);
	error_release(&err);
}

/*
 * Offsets in a page of a Berkeley DB file: 8: its number; 16: number of the next
 * leaf; 24: its level; 25: its type.
 */
#define PAGE_NUMBER 8
#define PAGE_NEXT 16
#define PAGE_LEVEL 24
#define PAGE_KIND 25
#define KIND_LEAF 5

static uint32_t number_at(const char *page, size_t offset)
{
	uint32_t number;

	memcpy(&number, page + offset, sizeof(number));
	return number;
}

/* Links the last leaf of the file back to an earlier one, so that reading loops. */
static void lead_back(void)
{
	struct strbuf text = STRBUF_INIT;
	uint32_t size, leaves = 0, last = 0, back = 0;
	FILE *stream;

	assert_int_equal(strbuf_read_file(&text, path), 0);
	size = number_at(text.text, 20);
	for (uint32_t i = 1; i < text.length / size; i++) {
		const char *page = text.text + (size_t)i * size;

		if (page[PAGE_LEVEL] != 1 || page[PAGE_KIND] != KIND_LEAF)
			continue;
		leaves++;
		if (number_at(page, PAGE_NEXT) == 0)
			last = i;
		else if (number_at(page, PAGE_NEXT) != last && leaves == 2)
			back = number_at(page, PAGE_NUMBER);
	}
	assert_true(leaves > 3 && last && back && last != back);
	memcpy(text.text + (size_t)last * size + PAGE_NEXT, &back, sizeof(back));
	stream = fopen(path, "we");
	assert_int_equal(fwrite(text.text, 1, text.length, stream), text.length);
	fclose(stream);
	strbuf_release(&text);
}

static void test_records_that_come_round(void **state)
{
	static const char line[] = "FB,100,DSORG=IS,KEY=8:0";
	struct record_writer *writer = open_writer(line, 0);
	struct attributes attributes = attributes_of(line);
	struct error err = ERROR_INIT;
	struct record_reader *reader;
	char text[101];
	struct record record = { .data = text, .length = 100 };
	int got, count = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "%08d%92s", i, "");
		assert_int_equal(record_write(writer, &record, NULL), 0);
	}
	assert_int_equal(record_writer_close(writer, NULL), 0);
	reader = open_reader(line);
	while ((got = record_read(reader, &record, NULL)) > 0)
		count++;
	assert_int_equal(got, 0);
	assert_int_equal(count, 1000);
	record_reader_close(reader);
	assert_int_equal(btree_check(path, &err), 0);
	lead_back();
	assert_int_equal(btree_check(path, &err), -1);
	assert_non_null(strstr(error_text(&err), "its pages do not follow each other"));
	error_release(&err);
	assert_int_equal(record_reader_open(&reader, path, &attributes, &err), -1);
	assert_non_null(strstr(error_text(&err), "its pages do not follow each other"));
	error_release(&err);
	/* While a process updates a file, its pages on disk may be inconsistent. */
	update_mark_set(path);
	assert_true(update_mark_active(path));
	assert_int_equal(record_reader_open(&reader, path, &attributes, NULL), 0);
	for (count = 0; (got = record_read(reader, &record, &err)) > 0 && count < 100000;)
		count++;
	assert_int_equal(got, -1);
	assert_int_equal(count, 1000);
	assert_non_null(strstr(error_text(&err), "its keys do not ascend"));
	error_release(&err);
	record_reader_close(reader);
	update_mark_clear(path);
	assert_false(update_mark_active(path));
}

/*
 * Tests a root page that was written before its tree grew: it is a leaf, and the
 * leaves after it are not found.
 */
static void test_an_old_root(void **state)
{
	static const char line[] = "FB,100,DSORG=IS,KEY=8:0";
	struct record_writer *writer = open_writer(line, 0);
	struct error err = ERROR_INIT;
	struct strbuf text = STRBUF_INIT;
	char data[101];
	uint32_t size, root;
	FILE *stream;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(data, sizeof(data), "%08d%92s", i, "");
		assert_int_equal(record_write(writer, &(struct record){ data, 100, 0 }, NULL), 0);
	}
	assert_int_equal(record_writer_close(writer, NULL), 0);
	assert_int_equal(strbuf_read_file(&text, path), 0);
	size = number_at(text.text, 20);
	root = number_at(text.text, 88);
	assert_int_not_equal(text.text[root * size + PAGE_KIND], KIND_LEAF);
	text.text[root * size + PAGE_KIND] = KIND_LEAF;
	stream = fopen(path, "we");
	assert_int_equal(fwrite(text.text, 1, text.length, stream), text.length);
	fclose(stream);
	assert_int_equal(btree_check(path, &err), -1);
	assert_non_null(strstr(error_text(&err), "are reachable from its first page"));
	error_release(&err);
	strbuf_release(&text);
}

/* Files left by a killed program that was creating a file do not stop the next one. */
static void test_leftovers(void **state)
{
	(void)state;
	free(run("echo left >__db.file; echo left >__db.file.2; touch __db.file.7"));
	assert_int_equal(record_writer_close(open_writer(KEYED, 0), NULL), 0);
	free(run("test ! -e __db.file && test ! -e __db.file.2 && rm __db.file.7"));
}

static void test_files_that_are_none(void **state)
{
	(void)state;
	assert_not_opened(KEYED, "cannot be opened: No such file");
	free(run("echo 'lines of text' >file"));
	assert_int_equal(btree_check(path, NULL), -1);
	assert_not_opened(KEYED, "or is not a GnuCOBOL file (file status 30)");
	assert_not_opened(",60,DSORG=IS", "its keys are not known");
	assert_not_opened(",0,DSORG=IS,KEY=1:0", "its record length is not known");
	assert_not_opened(",60,DSORG=IS,KEY=8:0,KEY=10:51",
			  "key 1, of 10 bytes at offset 51, is not within records of 60 bytes");
	assert_not_opened(",20,DSORG=RR,MIN=30",
			  "its shortest record has 30 bytes, its longest 20");
	free(run("rm file; mkdir file"));
	assert_not_opened(KEYED, "is a folder");
	free(run("rmdir file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_program_writes_indexed, set_up),
		cmocka_unit_test_setup(test_program_reads_indexed, set_up),
		cmocka_unit_test_setup(test_start, set_up),
		cmocka_unit_test_setup(test_keys_at_one_place, set_up),
		cmocka_unit_test_setup(test_refused_records, set_up),
		cmocka_unit_test_setup(test_replace_in_a_new_file, set_up),
		cmocka_unit_test_setup(test_program_writes_relative, set_up),
		cmocka_unit_test_setup(test_program_reads_relative, set_up),
		cmocka_unit_test_setup(test_records_that_come_round, set_up),
		cmocka_unit_test_setup(test_an_old_root, set_up),
		cmocka_unit_test_setup(test_leftovers, set_up),
		cmocka_unit_test_setup(test_files_that_are_none, set_up),
	};
	const struct CMUnitTest none[] = { cmocka_unit_test(test_without_gnucobol) };

	if (!have_gnucobol())
		return cmocka_run_group_tests(none, NULL, NULL);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
