/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests what programs count for their files: with an area filled as they do, and
 * with invalid ones.
 */
#include "common/compat.h"
#include "agent/file-area.h"
#include "records/record-types.h"
#include "sampler/file-counts.h"
#include "sampler/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct test {
	char path[32];
	struct file_area *area;
	struct file_counts *counts;
	struct files *files;
	struct engine *engine;
	struct recordset rows, activity;
};

static int begin(void **state)
{
	struct test *test = calloc(1, sizeof(*test));
	int fd;

	snprintf(test->path, sizeof(test->path), "/tmp/counts.XXXXXX");
	fd = mkstemp(test->path);
	assert_int_equal(ftruncate(fd, sizeof(struct file_area)), 0);
	test->area = mmap(NULL, sizeof(struct file_area), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	assert_ptr_not_equal(test->area, MAP_FAILED);
	test->area->magic = FILE_AREA_MAGIC;
	test->files = files_new(NULL, 0);
	test->engine = engine_new(&session_records);
	recordset_init(&test->rows, &record_types[RECORD_FILE]);
	recordset_init(&test->activity, &record_types[RECORD_FILE_ACTIVITY]);
	*state = test;
	return 0;
}

static int finish(void **state)
{
	struct test *test = *state;

	file_counts_free(test->counts);
	munmap(test->area, sizeof(*test->area));
	unlink(test->path);
	recordset_release(&test->rows);
	recordset_release(&test->activity);
	engine_free(test->engine);
	files_free(test->files);
	free(test);
	return 0;
}

/* A program that counts has begun, and has registered a file; returns its slot. */
static struct file_slot *add_slot(struct test *test, const char *path)
{
	uint64_t number = test->area->slots_used++;
	struct file_slot *slot = &test->area->slots[number];

	test->area->processes = 1;
	*slot = (struct file_slot){ .inode = 4711 + number,
				    .device_minor = 17,
				    .birth = 5,
				    .mode = S_IFREG | 0600,
				    .opens = 1,
				    .state = FILE_SLOT_READY };
	snprintf(slot->path, sizeof(slot->path), "%s", path);
	return slot;
}

static struct file_lane *add_lane(struct test *test, uint32_t slot, uint64_t bytes)
{
	struct file_lane *lane = &test->area->lanes[test->area->lanes_used++];

	lane->slot = slot;
	lane->sums.bytes[FILE_READ] = bytes;
	lane->sums.calls[FILE_READ] = 1;
	return lane;
}

/* Takes the counts, while the kernel has counted moved bytes in total. */
static void take(struct test *test, uint64_t moved)
{
	if (!test->counts)
		test->counts = file_counts_new(test->path);
	assert_non_null(test->counts);
	recordset_clear(&test->rows);
	recordset_clear(&test->activity);
	file_counts_take(test->counts, test->files, moved);
	files_rows(test->files, test->engine, &test->rows);
	files_activity(test->files, 1, &test->activity);
}

/* Returns the bytes of the newest activity of a file; -1: unknown. */
static int64_t bytes_of(const struct test *test, uint64_t file)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < test->rows.count; i++) {
		const struct record_file *row = recordset_get(&test->rows, i);

		if (row->file == file && !row->bytes_known)
			return -1;
	}
	for (size_t i = 0; i < test->activity.count; i++) {
		const struct record_file_activity *row = recordset_get(&test->activity, i);

		bytes += row->file == file ? row->bytes : 0;
	}
	return (int64_t)bytes;
}

static void what_all_processes_counted_is_added_up(void **state)
{
	struct test *test = *state;
	struct file_slot *slot;

	take(test, 0); /* no process has begun to count */
	slot = add_slot(test, "/nowhere/a");
	add_slot(test, "/nowhere/b");
	add_lane(test, 1, 1000);
	add_lane(test, 2, 50)->sums.bytes[FILE_WRITTEN] = 8;
	add_lane(test, 1, 300);
	slot->sums.bytes[FILE_WRITTEN] = 7;
	take(test, 1365);
	assert_int_equal(test->rows.count, 2);
	assert_int_equal(bytes_of(test, 1), 1307);
	assert_int_equal(bytes_of(test, 2), 58);
	take(test, 1365);
	assert_int_equal(test->activity.count, 0);
	test->area->lanes[2].sums.bytes[FILE_READ] += 11;
	take(test, 1376);
	assert_int_equal(bytes_of(test, 1), 11);
}

static void what_an_earlier_session_took_does_not_count(void **state)
{
	struct test *test = *state;

	add_slot(test, "/nowhere/a");
	add_lane(test, 1, 1000);
	take(test, 0);
	assert_int_equal(bytes_of(test, 1), 0);
	test->area->lanes[0].sums.bytes[FILE_READ] += 5;
	take(test, 5);
	assert_int_equal(bytes_of(test, 1), 5);
}

static void what_is_doubtful_is_not_known(void **state)
{
	struct test *test = *state;
	struct file_slot *slot;

	take(test, 0);
	slot = add_slot(test, "/nowhere/a");
	add_lane(test, 1, 1000);
	slot->streams = 1; /* stdio has it open */
	take(test, 1000);
	assert_int_equal(bytes_of(test, 1), -1);
	slot->streams = 0;
	take(test, 1000);
	assert_int_not_equal(bytes_of(test, 1), -1);
	slot->doubts = FILE_MAPPED;
	take(test, 1000);
	assert_int_equal(bytes_of(test, 1), -1);
	slot->doubts = 0; /* this does not undo it */
	take(test, 1000);
	slot->opens++;
	take(test, 1000);
	assert_int_equal(bytes_of(test, 1), -1);
}

/* Bytes without a known file could belong to any file: they hardly matter for large ones. */
static void what_is_not_counted_bounds_the_rest(void **state)
{
	struct test *test = *state;

	take(test, 0);
	add_slot(test, "/nowhere/small");
	add_slot(test, "/nowhere/large");
	add_lane(test, 1, 1000);
	add_lane(test, 2, 100000000);
	add_lane(test, FILE_LANE_OTHER, 77777777);
	take(test, 1000 + 100000000 + 77777777);
	assert_int_equal(bytes_of(test, 1), 1000);
	assert_int_equal(bytes_of(test, 2), 100000000);
	add_lane(test, FILE_LANE_UNNAMED, 20000);
	take(test, 1000 + 100000000 + 77777777 + 20000);
	assert_int_equal(bytes_of(test, 1), -1);
	assert_int_not_equal(bytes_of(test, 2), -1);
	/* A process that counts nothing has moved as much as the large file. */
	take(test, 1000 + 100000000 + 77777777 + 20000 + 100000000);
	assert_int_equal(bytes_of(test, 2), -1);
}

static void rubbish_is_survived(void **state)
{
	struct test *test = *state;
	struct file_slot *slot;

	take(test, 0);
	slot = add_slot(test, "/nowhere/a");
	memset(slot->path, '/', sizeof(slot->path));
	add_lane(test, 77, 5);
	add_lane(test, 1, 9);
	test->area->slots_used = UINT64_MAX;
	test->area->lanes_used = UINT64_MAX;
	take(test, 14);
	assert_int_equal(bytes_of(test, 1), 9);
	assert_false(file_counts_has(test->counts, -1, 0));
	assert_false(file_counts_has(test->counts, FILE_AREA_PIDS, 0));
	assert_null(file_counts_new("/dev/null"));
}

static void a_program_counts_when_it_said_so(void **state)
{
	struct test *test = *state;

	take(test, 0);
	assert_false(file_counts_active(test->counts));
	test->area->processes = 1;
	assert_true(file_counts_active(test->counts));
	assert_false(file_counts_has(test->counts, 100, 0));
	test->area->pids[100] = FILE_PID_FORKED;
	assert_true(file_counts_has(test->counts, 100, 0));
	/* It has executed a program into which nothing was preloaded. */
	assert_false(file_counts_has(test->counts, 100, 1));
	test->area->pids[100]++;
	assert_true(file_counts_has(test->counts, 100, 1));
	assert_false(file_counts_has(test->counts, 100, 2));
	test->area->pids[100] = FILE_PID_PROGRAMS;
	assert_true(file_counts_has(test->counts, 100, 1000));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_all_processes_counted_is_added_up),
		TEST(what_an_earlier_session_took_does_not_count),
		TEST(what_is_doubtful_is_not_known),
		TEST(what_is_not_counted_bounds_the_rest),
		TEST(rubbish_is_survived),
		TEST(a_program_counts_when_it_said_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
