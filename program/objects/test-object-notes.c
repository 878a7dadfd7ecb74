/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of files in recordings: what was read once is known again, without the file. */
#include "common/compat.h"
#include "program/objects/object-notes.h"
#include "common/outside.h"
#include "common/xalloc.h"
#include "program/objects/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define FILE_SIZE 100000

struct note {
	enum outside_note what;
	uint64_t key;
	void *bytes;
	size_t size;
};

/* A source that keeps notes, and then answers from them. */
struct notes {
	struct outside source;
	struct note *items;
	size_t count, alloc;
	bool recalls;
	size_t missing; /* files that were not there */
};

static void keep(struct outside *self, enum outside_note what, uint64_t key, const void *found, size_t size)
{
	struct notes *notes = (struct notes *)self;

	notes->missing += what == OUTSIDE_OBJECT_MISSING;
	if (notes->recalls)
		return;
	GROW(notes->items, notes->count + 1, notes->alloc);
	notes->items[notes->count++] = (struct note){ what, key, xmemdup(found, size), size };
}

/* The last note counts. */
static const void *recall(struct outside *self, enum outside_note what, uint64_t key, size_t *size)
{
	const struct notes *notes = (const struct notes *)self;

	*size = 0;
	RETURN_IF(!notes->recalls, NULL);
	for (size_t i = notes->count; i-- > 0;)
		if (notes->items[i].what == what && notes->items[i].key == key) {
			*size = notes->items[i].size;
			return notes->items[i].bytes;
		}
	return "";
}

struct bench {
	struct notes notes;
	char path[64];
	dev_t device;
	ino_t inode;
	unsigned char content[FILE_SIZE];
};

static void write_file(const struct bench *bench)
{
	FILE *file = fopen(bench->path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bench->content, FILE_SIZE, 1, file), 1);
	assert_int_equal(fclose(file), 0);
}

static int begin(void **state)
{
	struct bench *bench = xcalloc(1, sizeof(*bench));
	struct stat status;

	bench->notes.source = outside_system;
	bench->notes.source.note = keep;
	bench->notes.source.recall = recall;
	snprintf(bench->path, sizeof(bench->path), "/tmp/vigil-notes-%d", (int)getpid());
	for (size_t i = 0; i < FILE_SIZE; i++)
		bench->content[i] = (unsigned char)(i * i >> 7);
	write_file(bench);
	assert_int_equal(stat(bench->path, &status), 0);
	bench->device = status.st_dev;
	bench->inode = status.st_ino;
	outside_current = &bench->notes.source;
	*state = bench;
	return 0;
}

static int finish(void **state)
{
	struct bench *bench = *state;

	outside_current = &outside_system;
	unlink(bench->path);
	for (size_t i = 0; i < bench->notes.count; i++)
		free(bench->notes.items[i].bytes);
	free(bench->notes.items);
	free(bench);
	return 0;
}

/* Opens the file as a session does, mapped by this process. */
static struct object *open_object(const struct bench *bench, struct object_list *list)
{
	object_list_init(list);
	return object_for_file(list, bench->path, bench->device, bench->inode, getpid(), 0);
}

static void expect_part(const struct bench *bench, struct object *object, uint64_t position, uint64_t size)
{
	const unsigned char *part = object_part(object, position, size);

	assert_non_null(part);
	assert_memory_equal(part, bench->content + position, size);
}

static void what_was_read_is_known_without_the_file(void **state)
{
	struct bench *bench = *state;
	struct object_list list;
	struct object *object = open_object(bench, &list);

	assert_false(object->stands_in);
	expect_part(bench, object, 0, 64);
	expect_part(bench, object, 50000, 3000);
	expect_part(bench, object, FILE_SIZE - 1, 1);
	object_list_release(&list);
	unlink(bench->path);
	bench->notes.recalls = true;
	object = open_object(bench, &list);
	assert_true(object->stands_in);
	expect_part(bench, object, 50000, 3000);
	expect_part(bench, object, 51000, 10);
	expect_part(bench, object, 0, 64);
	expect_part(bench, object, FILE_SIZE - 1, 1);
	assert_int_equal(bench->notes.missing, 0);
	/* Of the rest nothing is known, which is not the same as zeros. */
	assert_null(object_part(object, 80000, 10));
	assert_true(bench->notes.missing > 0);
	object_list_release(&list);
}

/* A file that was written anew is another object, and the old one cannot be read any more. */
static void a_change_is_known_too(void **state)
{
	struct bench *bench = *state;
	struct object_list list;
	struct object *before = open_object(bench, &list), *after;

	expect_part(bench, before, 0, 64);
	assert_int_equal(truncate(bench->path, FILE_SIZE - 1), 0);
	after = object_for_file(&list, bench->path, bench->device, bench->inode, getpid(), 0);
	assert_ptr_not_equal(after, before);
	assert_int_not_equal(after->generation, before->generation);
	assert_null(object_part(before, 50000, 10));
	assert_non_null(object_part(after, 50000, 10));
	object_list_release(&list);
	unlink(bench->path);
	bench->notes.recalls = true;
	before = open_object(bench, &list);
	assert_non_null(object_part(before, 50000, 10));
	object_list_release(&list);
}

/* As in recordings of a version that noted the beginning of a file only. */
static void a_file_that_is_there_as_it_was_needs_no_parts(void **state)
{
	struct bench *bench = *state;
	struct object_list list;
	struct object *object = open_object(bench, &list);

	object_list_release(&list);
	bench->notes.recalls = true;
	object = open_object(bench, &list);
	assert_false(object->stands_in);
	expect_part(bench, object, 70000, 500);
	object_list_release(&list);
	bench->content[0] ^= 1;
	write_file(bench);
	object = open_object(bench, &list);
	assert_true(object->stands_in);
	assert_null(object_part(object, 70000, 500));
	object_list_release(&list);
}

static void whole_files_have_no_parts(void **state)
{
	struct bench *bench = *state;
	struct object_list list;
	struct object *object;

	bench->notes.source.wants_objects = true;
	object = open_object(bench, &list);
	expect_part(bench, object, 50000, 3000);
	object_list_release(&list);
	for (size_t i = 0; i < bench->notes.count; i++)
		assert_int_not_equal(bench->notes.items[i].what, OUTSIDE_OBJECT_PART);
	unlink(bench->path);
	bench->notes.recalls = true;
	object = open_object(bench, &list);
	assert_false(object->stands_in);
	expect_part(bench, object, 80000, 10);
	object_list_release(&list);
}

static void a_part_that_cannot_be_read_is_known_not_to_be_readable(void **state)
{
	struct bench *bench = *state;
	unsigned char bytes[600];

	object_note_part(bench->path, 7, 100, NULL, 600);
	object_note_part(bench->path, 7, 2000, bench->content, 600);
	bench->notes.recalls = true;
	assert_int_equal(object_recall_part(bench->path, 7, 100, bytes, 600), 0);
	assert_int_equal(object_recall_part(bench->path, 7, 2000, bytes, 600), 1);
	assert_memory_equal(bytes, bench->content, 600);
	/* Another content of the same path, another place. */
	assert_int_equal(object_recall_part(bench->path, 8, 2000, bytes, 600), -1);
	assert_int_equal(object_recall_part(bench->path, 7, 5000, bytes, 600), -1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_read_is_known_without_the_file),
		TEST(a_change_is_known_too),
		TEST(a_file_that_is_there_as_it_was_needs_no_parts),
		TEST(whole_files_have_no_parts),
		TEST(a_part_that_cannot_be_read_is_known_not_to_be_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
