/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the data on files that a process has open. */
#include "common/compat.h"
#include "common/procfs.h"
#include "engine/engine.h"
#include "records/record-types.h"
#include "sampler/file-facts.h"
#include "sampler/files.h"

#include <fcntl.h>
#include <setjmp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/vigil-files-XXXXXX";

static int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink("DATA");
	unlink("DATA.1");
	unlink("DATA.OTHER");
	unlink("INDEXED");
	unlink("LIBRARYS");
	unlink("WHOLE");
	unlink("HEAD");
	unlink("ANEW");
	assert_int_equal(chdir("/"), 0);
	return rmdir(folder);
}

/* Makes a file of the folder with this content. */
static void make(const char *name, const void *content, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, size), (ssize_t)size);
	close(fd);
}

/* Returns the FILE row whose path ends in name. */
static const struct record_file *row_of(const struct recordset *rows, struct engine *engine,
					const char *name)
{
	for (size_t i = rows->count; i-- > 0;) {
		const struct record_file *row = recordset_get(rows, i);
		const char *path = strmap_text(engine_strings(engine), (uint32_t)row->path);
		size_t length = strlen(path);

		if (length >= strlen(name) && strcmp(path + length - strlen(name), name) == 0)
			return row;
	}
	fail_msg("no row for %s", name);
	return NULL;
}

/*
 * Returns the bytes in the activity rows of one file (the test's output may be a
 * file with rows too).
 */
static uint64_t bytes_moved(const struct recordset *activity, uint64_t file)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < activity->count; i++) {
		const struct record_file_activity *row = recordset_get(activity, i);

		if (row->file == file)
			bytes += row->bytes;
	}
	return bytes;
}

/* Checks the rows after 300 of 700 bytes of DATA were read. */
static void check_rows(const struct recordset *rows, const struct recordset *activity,
		       struct engine *engine)
{
	struct strmap *strings = engine_strings(engine);
	const struct record_file *row;

	row = row_of(rows, engine, "/DATA");
	assert_string_equal(strmap_text(strings, (uint32_t)row->ddname), "MASTER");
	assert_string_equal(strmap_text(strings, (uint32_t)row->dsn), "PAY.MASTER");
	assert_int_equal(row->opens, 1);
	assert_int_equal(row->size_last, 700);
	assert_int_equal((row->open_flags - 1) & O_ACCMODE, O_RDWR);
	assert_int_equal(bytes_moved(activity, row->file), 300);
	assert_string_equal(strmap_text(strings, (uint32_t)row_of(rows, engine, "/DATA.1")->ddname),
			    "MASTER");
	assert_string_equal(
		strmap_text(strings, (uint32_t)row_of(rows, engine, "/DATA.OTHER")->ddname), "");
	row = row_of(rows, engine, "/INDEXED");
	assert_string_equal(strmap_text(strings, (uint32_t)row->organization), "VS");
}

static void files_carry_their_dd_and_how_far_they_were_read(void **state)
{
	unsigned char indexed[64] = { 0 };
	char path[64], buffer[700];
	const struct sampler_file named[] = { { "MASTER", "PAY.MASTER", path, "PS", "FB", 80 } };
	struct files *files = files_new(named, 1);
	struct engine *engine = engine_new(&session_records);
	struct recordset rows, activity;
	int fd, other, sibling, index_fd, before;

	(void)state;
	snprintf(path, sizeof(path), "%s/DATA", folder);
	memset(buffer, 'x', sizeof(buffer));
	indexed[12] = 0x62, indexed[13] = 0x31, indexed[14] = 0x05;
	make("DATA", buffer, sizeof(buffer));
	make("DATA.1", buffer, 10);
	make("DATA.OTHER", buffer, 10);
	make("INDEXED", indexed, sizeof(indexed));
	before = open("DATA", O_RDWR);
	assert_int_equal(lseek(before, 0, SEEK_END), 700);
	files_adopt(files, getpid()); /* what the test already has open */
	fd = open("DATA", O_RDONLY);
	sibling = open("DATA.1", O_RDONLY);
	other = open("DATA.OTHER", O_RDONLY);
	index_fd = open("INDEXED", O_RDWR);
	recordset_init(&rows, &record_types[RECORD_FILE]);
	recordset_init(&activity, &record_types[RECORD_FILE_ACTIVITY]);
	files_look(files, getpid(), getpid());
	assert_int_equal(read(fd, buffer, 300), 300);
	files_look(files, getpid(), getpid());
	files_rows(files, engine, &rows);
	files_activity(files, 5, &activity);

	check_rows(&rows, &activity, engine);
	/* Nothing more happened: no more rows. */
	recordset_clear(&activity);
	recordset_clear(&rows);
	files_look(files, getpid(), getpid());
	files_rows(files, engine, &rows);
	files_activity(files, 6, &activity);
	assert_int_equal(activity.count, 0);
	assert_int_equal(rows.count, 0);
	files_forget(files, getpid());

	close(before);
	close(fd);
	close(sibling);
	close(other);
	close(index_fd);
	recordset_release(&rows);
	recordset_release(&activity);
	engine_free(engine);
	files_free(files);
}

/* If several DDs name a file, the longest match gets it, in any order. */
static void a_file_belongs_to_the_closest_dd(void **state UNUSED)
{
	static const char *const files_of[][2] = {
		{ "/LIBRARY/MEMBER", "LIB" },
		{ "/LIBRARY/DATA", "MASTER" },
		{ "/LIBRARYS", "" },
	};
	char library[80], data[80], others[80];
	struct engine *engine = engine_new(&session_records);

	snprintf(library, sizeof(library), "%s/LIBRARY", folder);
	snprintf(data, sizeof(data), "%s/LIBRARY/DATA", folder);
	snprintf(others, sizeof(others), "%s/LIBRARYS", folder);
	assert_int_equal(mkdir(library, 0700), 0);
	make(data, "x", 1);
	make("LIBRARY/MEMBER", "x", 1);
	make(others, "x", 1);
	for (unsigned first = 0; first < 2; first++) {
		struct sampler_file named[2] = { 0 };
		struct files *files = files_new(named, 2);
		struct recordset rows;
		int fds[3];

		named[first] = (struct sampler_file){ "LIB", "PAY.LIB", library, "PO", "FB", 80 };
		named[!first] =
			(struct sampler_file){ "MASTER", "PAY.MASTER", data, "PS", "FB", 80 };
		fds[0] = open("LIBRARY/MEMBER", O_RDONLY);
		fds[1] = open("LIBRARY/DATA", O_RDONLY);
		fds[2] = open("LIBRARYS", O_RDONLY);
		recordset_init(&rows, &record_types[RECORD_FILE]);
		files_look(files, getpid(), getpid());
		files_rows(files, engine, &rows);
		for (size_t i = 0; i < ARRAY_SIZE(files_of); i++)
			assert_string_equal(
				strmap_text(
					engine_strings(engine),
					(uint32_t)row_of(&rows, engine, files_of[i][0])->ddname),
				files_of[i][1]);
		for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
			close(fds[i]);
		recordset_release(&rows);
		files_free(files);
	}
	unlink(data);
	unlink("LIBRARY/MEMBER");
	rmdir(library);
	engine_free(engine);
}

/*
 * Descriptors of files that are not regular are not read again, but a change of
 * the file behind a number is noticed.
 */
static void a_descriptor_that_became_another_is_seen(void **state UNUSED)
{
	int ends[2], fd, others[4];
	uint64_t ids[4], last;
	struct files *files = files_new(NULL, 0);
	const struct record_file_activity *row;
	struct recordset activity;
	struct engine *engine = engine_new(&session_records);
	char buffer[100] = { 0 };

	files_adopt(files, getpid()); /* the test's output, which may be a file */
	make("BECAME", buffer, sizeof(buffer));
	assert_int_equal(pipe(ends), 0);
	others[0] = ends[0];
	others[1] = open("/dev/null", O_RDONLY);
	/* Both have the same inode, and different names. */
	others[2] = eventfd(0, 0);
	others[3] = epoll_create1(0);
	fd = dup(others[0]);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(dup2(others[i % 4], fd), fd);
		files_look(files, getpid(), getpid());
		last = files_of_descriptor(files, getpid(), getpid(), fd);
		assert_int_not_equal(last, 0);
		if (i < 4)
			ids[i] = last;
		assert_int_equal(last, ids[i % 4]);
		for (int j = 0; j < i && j < 4; j++)
			assert_true(j == i % 4 || ids[j] != last);
	}
	assert_int_equal(files_kind(files, ids[0]), FILE_PIPE);
	close(fd);
	assert_int_equal(open("BECAME", O_RDONLY), fd);
	unlink("BECAME");
	files_look(files, getpid(), getpid());
	assert_int_equal(read(fd, buffer, 60), 60);
	files_look(files, getpid(), getpid());
	recordset_init(&activity, &record_types[RECORD_FILE_ACTIVITY]);
	files_activity(files, 5, &activity);
	assert_int_equal(activity.count, 1);
	row = recordset_get(&activity, 0);
	assert_int_equal(row->bytes, 60);
	recordset_release(&activity);
	close(fd);
	close(ends[1]);
	for (int i = 0; i < 4; i++)
		close(others[i]);
	engine_free(engine);
	files_free(files);
}

/* Berkeley DB creates a file under another name and renames it. */
static void a_file_that_is_renamed_has_its_dd(void **state UNUSED)
{
	char path[80], beside[80];
	const struct sampler_file named[] = { { "MASTER", "PAY.MASTER", path, "VS", "", 0 } };
	struct files *files = files_new(named, 1);
	struct engine *engine = engine_new(&session_records);
	struct recordset rows;
	int fd;

	snprintf(path, sizeof(path), "%s/RENAMED", folder);
	snprintf(beside, sizeof(beside), "%s/__db.RENAMED", folder);
	recordset_init(&rows, &record_types[RECORD_FILE]);
	fd = open(beside, O_RDWR | O_CREAT, 0600);
	files_look(files, getpid(), getpid());
	files_rows(files, engine, &rows);
	assert_string_equal(strmap_text(engine_strings(engine),
					(uint32_t)row_of(&rows, engine, "__db.RENAMED")->ddname),
			    "");
	recordset_clear(&rows);
	assert_int_equal(rename(beside, path), 0);
	files_look(files, getpid(), getpid());
	files_rows(files, engine, &rows);
	assert_int_equal(rows.count, 1);
	assert_string_equal(strmap_text(engine_strings(engine),
					(uint32_t)row_of(&rows, engine, "/RENAMED")->ddname),
			    "MASTER");
	close(fd);
	unlink(path);
	recordset_release(&rows);
	engine_free(engine);
	files_free(files);
}

/* Returns the bytes reported as moved for a file that is opened at a position. */
static uint64_t moved_at(const char *name, int flags, off_t position)
{
	struct files *files = files_new(NULL, 0);
	struct engine *engine = engine_new(&session_records);
	struct recordset rows, activity;
	uint64_t bytes;
	int fd;

	recordset_init(&rows, &record_types[RECORD_FILE]);
	recordset_init(&activity, &record_types[RECORD_FILE_ACTIVITY]);
	files_look(files, getpid(), getpid());
	fd = open(name, flags);
	assert_int_equal(lseek(fd, position, SEEK_SET), position);
	files_look(files, getpid(), getpid());
	files_rows(files, engine, &rows);
	files_activity(files, 5, &activity);
	bytes = bytes_moved(&activity, row_of(&rows, engine, name)->file);
	close(fd);
	recordset_release(&rows);
	recordset_release(&activity);
	engine_free(engine);
	files_free(files);
	return bytes;
}

/*
 * What moved before the first look is counted, unless a program went to the end to
 * find the size.
 */
static void what_was_read_before_the_first_look_counts(void **state UNUSED)
{
	char text[500];

	memset(text, 'x', sizeof(text));
	make("WHOLE", text, sizeof(text));
	assert_int_equal(moved_at("WHOLE", O_RDONLY, 500), 500);
	assert_int_equal(moved_at("WHOLE", O_WRONLY, 500), 500);
	assert_int_equal(moved_at("WHOLE", O_RDWR, 499), 499);
	assert_int_equal(moved_at("WHOLE", O_RDWR, 500), 0);
	assert_int_equal(moved_at("WHOLE", O_RDWR, 0), 0);
	/* A position in a folder is not a number of bytes. */
	assert_int_equal(mkdir("FOLDER", 0700), 0);
	assert_int_equal(moved_at("FOLDER", O_RDONLY | O_DIRECTORY, 2), 0);
	rmdir("FOLDER");
}

/*
 * A process has more files open than are examined: one beyond the limit is found
 * at its waits, repeatedly.
 */
static void a_file_beyond_those_that_are_looked_at_is_opened_once(void **state UNUSED)
{
	struct files *files = files_new(NULL, 0);
	struct engine *engine = engine_new(&session_records);
	struct recordset rows, activity;
	char text[500];
	int fd, copies[300];

	memset(text, 'x', sizeof(text));
	make("WHOLE", text, sizeof(text));
	recordset_init(&rows, &record_types[RECORD_FILE]);
	recordset_init(&activity, &record_types[RECORD_FILE_ACTIVITY]);
	files_look(files, getpid(), getpid());
	for (size_t i = 0; i < ARRAY_SIZE(copies); i++)
		copies[i] = open("/dev/null", O_RDONLY);
	fd = open("WHOLE", O_RDONLY);
	assert_true(fd > copies[ARRAY_SIZE(copies) - 1]);
	assert_int_equal(lseek(fd, 200, SEEK_SET), 200);
	for (int look = 0; look < 5; look++) {
		files_look(files, getpid(), getpid());
		files_of_descriptor(files, getpid(), getpid(), fd);
	}
	files_rows(files, engine, &rows);
	files_activity(files, 5, &activity);
	assert_int_equal(row_of(&rows, engine, "WHOLE")->opens, 1);
	assert_int_equal(bytes_moved(&activity, row_of(&rows, engine, "WHOLE")->file), 200);
	close(fd);
	for (size_t i = 0; i < ARRAY_SIZE(copies); i++)
		close(copies[i]);
	recordset_release(&rows);
	recordset_release(&activity);
	engine_free(engine);
	files_free(files);
}

/* Returns the organization of a file by its first bytes. */
static const char *organization_of(const void *head, size_t size)
{
	make("HEAD", head, size);
	return facts_organization(FILE_REGULAR, "/HEAD", "HEAD");
}

static void the_first_bytes_tell_the_organization(void **state UNUSED)
{
	static const unsigned char magics[][4] = { { 0x62, 0x31, 5, 0 },
						   { 0, 5, 0x31, 0x62 },
						   { 0x61, 0x15, 6, 0 },
						   { 0, 6, 0x15, 0x61 } };
	unsigned char head[16] = { 0 };

	assert_string_equal(organization_of(head, 16), "PS");
	assert_string_equal(organization_of("SQLite format 3", 16), "SQLITE");
	assert_string_equal(organization_of("SQLite format 3", 15), "PS");
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++) {
		memcpy(head + 12, magics[i], 4);
		assert_string_equal(organization_of(head, 16), "VS");
		assert_string_equal(organization_of(head, 15), "PS");
	}
	assert_string_equal(facts_organization(FILE_CHARACTER, "/dev/null", ""), "DUMMY");
	assert_string_equal(facts_organization(FILE_CHARACTER, "/dev/pts/3", ""), "TERM");
	assert_string_equal(facts_organization(FILE_CHARACTER, "/dev/zero", ""), "DEVICE");
	assert_string_equal(facts_organization(FILE_DIRECTORY, "/dev", ""), "PO");
}

/*
 * A file that is created again is another one, even if it gets the inode number of
 * one that was removed.
 */
static void a_file_made_anew_is_another(void **state UNUSED)
{
	struct files *files = files_new(NULL, 0);
	uint64_t first, second;
	struct stat old, new;
	int fd;

	make("ANEW", "x", 1);
	assert_int_equal(stat("ANEW", &old), 0);
	first = files_of_path(files, getpid(), AT_FDCWD, "ANEW");
	assert_int_not_equal(first, 0);
	assert_int_equal(files_of_path(files, getpid(), AT_FDCWD, "ANEW"), first);
	unlink("ANEW");
	usleep(20000); /* file times have the resolution of ticks */
	make("ANEW", "x", 1);
	assert_int_equal(stat("ANEW", &new), 0);
	second = files_of_path(files, getpid(), AT_FDCWD, "ANEW");
	assert_int_not_equal(second, first);
	if (old.st_ino != new.st_ino)
		print_message("# the number of the file was not used again\n");
	fd = open("ANEW", O_RDONLY);
	assert_int_equal(files_of_descriptor(files, getpid(), getpid(), fd), second);
	close(fd);
	files_free(files);
}

static void devices_are_named_by_the_system(void **state)
{
	static const struct {
		unsigned major, minor;
		const char *name;
	} devices[] = { { 8, 1, "sda1" }, { 0, 27, "tmpfs" }, { 0, 7, "" } };
	char root[PROCFS_ROOT_MAX];

	(void)state;
	snprintf(root, sizeof(root), "%s/tests/procfs/linux-6.1", getenv("VIGIL_SOURCE"));
	procfs_set_root(root);
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		const struct statx status = { .stx_dev_major = devices[i].major,
					      .stx_dev_minor = devices[i].minor };
		char *device = facts_device(&status);

		assert_string_equal(device, devices[i].name);
		free(device);
	}
	procfs_set_root(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_carry_their_dd_and_how_far_they_were_read),
		cmocka_unit_test(devices_are_named_by_the_system),
		cmocka_unit_test(a_file_belongs_to_the_closest_dd),
		cmocka_unit_test(a_descriptor_that_became_another_is_seen),
		cmocka_unit_test(a_file_that_is_renamed_has_its_dd),
		cmocka_unit_test(what_was_read_before_the_first_look_counts),
		cmocka_unit_test(a_file_beyond_those_that_are_looked_at_is_opened_once),
		cmocka_unit_test(the_first_bytes_tell_the_organization),
		cmocka_unit_test(a_file_made_anew_is_another),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
