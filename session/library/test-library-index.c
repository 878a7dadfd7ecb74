/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the index of a library: the list is the same whatever happens to the
 * index, and no data set is opened.
 */
#include "common/compat.h"
#include "session/library/library-index.h"
#include "common/test-folder.h"
#include "engine/dataset.h"
#include "records/record-types.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

/* Returns the path of a file in the test's folder; the caller frees it. */
static char *place(void **state, const char *file)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", (char *)*state, file);
	return strbuf_detach(&path, NULL);
}

/* Writes a sample data set of a program, complete or not. */
static void make(void **state, const char *file, const char *program, bool complete)
{
	const char *const attributes[] = {
		ATTR_PROGRAM, program,	       ATTR_EVENTS,	"12",	       ATTR_JOB,
		"NIGHT",      ATTR_START_WALL, "1000000000000", ATTR_COMPLETE, complete ? "1" : "0"
	};
	char *path = place(state, file);
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct registry types;
	struct snapshot snapshot;
	struct strmap strings;

	registry_init(&types, &session_records);
	snapshot_init(&snapshot, &types);
	strmap_init(&strings);
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i += 2)
		recordset_add(snapshot_set(&snapshot, RECORD_ATTRIBUTE),
			      &(struct record_attribute){
				      .key = strmap_put(&strings, attributes[i]),
				      .value = strmap_put(&strings, attributes[i + 1]) });
	writer = dataset_create(path, &strings, &err);
	assert_non_null(writer);
	assert_int_equal(dataset_write(writer, &snapshot, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	snapshot_release(&snapshot);
	registry_release(&types);
	strmap_release(&strings);
	error_release(&err);
	free(path);
}

static void write_text(void **state, const char *file, const char *text, size_t length)
{
	char *path = place(state, file);
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	assert_int_equal(fwrite(text, 1, length, stream), length);
	assert_int_equal(fclose(stream), 0);
	free(path);
}

/* Sets the mtime of a file to some seconds after 1970. */
static void set_changed(void **state, const char *file, time_t seconds)
{
	const struct timespec times[] = { { .tv_sec = seconds },
					  { .tv_sec = seconds, .tv_nsec = 5 } };
	char *path = place(state, file);

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	free(path);
}

/* Returns the list as it is printed; the caller frees it. */
static char *list(void **state)
{
	struct resources resources;
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	assert_int_equal(resources_list(&resources, *state, NULL, &err), 0);
	resources_print(&resources, &text);
	resources_release(&resources);
	return strbuf_detach(&text, NULL);
}

static void assert_listed(void **state, const char *expected)
{
	char *text = list(state);

	assert_string_equal(text, expected);
	free(text);
}

/*
 * Lists, and checks how many times a data set was opened. The kernel counts, so
 * neither caches nor permissions (root has all) hide an open.
 */
static void assert_opens(void **state, unsigned expected, const char *listing)
{
	char events[8192] __attribute__((aligned(__alignof__(struct inotify_event))));
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	unsigned opened = 0;
	ssize_t got;

	assert_true(fd >= 0);
	assert_true(inotify_add_watch(fd, *state, IN_OPEN) >= 0);
	assert_listed(state, listing);
	while ((got = read(fd, events, sizeof(events))) > 0)
		for (char *at = events; at < events + got;) {
			const struct inotify_event *event = (const void *)at;

			assert_false(event->mask & IN_Q_OVERFLOW);
			opened += event->len && resource_is_file(event->name);
			at += sizeof(*event) + event->len;
		}
	close(fd);
	assert_int_equal(opened, expected);
}

/* Creates three data sets and another file; returns their list. */
static char *make_library(void **state)
{
	make(state, "A.vprf", "PAY", true);
	make(state, "B.vprc", "a\tb%25\n\x7f\xc3\xa4", true);
	make(state, "C.vcvf", "", true);
	write_text(state, "FALSE.vprf", "a letter", 8);
	set_changed(state, "FALSE.vprf", 1000);
	return list(state);
}

static void an_unchanged_library_is_listed_without_an_open(void **state)
{
	char *text = make_library(state), *again;

	assert_opens(state, 0, text);
	/* Only new and changed files are read. */
	make(state, "D.vprf", "NEW", true);
	again = list(state);
	assert_string_not_equal(again, text);
	assert_opens(state, 0, again);
	set_changed(state, "A.vprf", 2000);
	assert_opens(state, 1, again);
	assert_opens(state, 0, again);
	free(again);
	/* Deleted files are removed from the list and the index. */
	again = place(state, "D.vprf");
	assert_int_equal(unlink(again), 0);
	free(again);
	assert_opens(state, 0, text);
	free(text);
}

/*
 * Proof with the files themselves: other content with the same size, mtime and
 * inode is not noticed.
 */
static void what_is_listed_comes_from_the_index(void **state)
{
	static const char *const files[] = { "A.vprf", "B.vprc", "C.vcvf" };
	char *text = make_library(state), *path;
	struct resources resources;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		set_changed(state, files[i], 3000);
	assert_listed(state, text);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct stat before, after;
		int fd;

		path = place(state, files[i]);
		fd = open(path, O_WRONLY | O_CLOEXEC);
		assert_int_equal(fstat(fd, &before), 0);
		for (off_t at = 0; at < before.st_size; at++)
			assert_int_equal(pwrite(fd, "x", 1, at), 1);
		assert_int_equal(close(fd), 0);
		set_changed(state, files[i], 3000);
		assert_int_equal(stat(path, &after), 0);
		assert_true(after.st_size == before.st_size && after.st_ino == before.st_ino);
		free(path);
	}
	assert_listed(state, text);
	/* But a file that is not a data set any more is not deleted. */
	assert_int_equal(resources_list(&resources, *state, NULL, &err), 0);
	assert_int_equal(resource_delete(&resources.items[0], &err), -1);
	assert_non_null(strstr(error_text(&err), "no longer a sample data set"));
	assert_int_equal(access(resources.items[0].path, F_OK), 0);
	resources_release(&resources);
	error_release(&err);
	free(text);
}

/*
 * Any byte of the index may be different, and it may end anywhere: the list is the
 * same, and the index is repaired.
 */
static void a_damaged_index_is_made_again(void **state)
{
	char *text = make_library(state), *path = place(state, LIBRARY_INDEX_NAME);
	struct strbuf whole = STRBUF_INIT, now = STRBUF_INIT;

	assert_true(strbuf_read_file(&whole, path) >= 0);
	for (size_t i = 0; i < whole.length; i++) {
		whole.text[i] ^= 1;
		write_text(state, LIBRARY_INDEX_NAME, whole.text, whole.length);
		whole.text[i] ^= 1;
		assert_listed(state, text);
		write_text(state, LIBRARY_INDEX_NAME, whole.text, i);
		assert_listed(state, text);
		strbuf_reset(&now);
		assert_true(strbuf_read_file(&now, path) >= 0);
		assert_int_equal(now.length, whole.length);
	}
	assert_opens(state, 0, text);
	assert_int_equal(unlink(path), 0);
	assert_opens(state, 4, text);
	assert_opens(state, 0, text);
	strbuf_release(&whole);
	strbuf_release(&now);
	free(path);
	free(text);
}

/* A whole file with a correct checksum may also be nonsense. */
static void an_index_of_nonsense_is_none(void **state)
{
	static const char *const lines[] = {
		"A.vprf\n",
		"A.vprf\t1\t2\t3\t1\t9\t1\t1\t1\t1\tA\tP\tJ\tS\n",
		"A.vprf\t1\t2\t3\t1\t0\t1\t1\t1\t1\tA\tP\tJ\tS\tmore\n",
		"A.vprf\t-1\t2\t3\t1\t0\t1\t1\t1\t1\tA\tP\tJ\tS\n",
		"A.vprf\t99999999999999999999999\t2\t3\t1\t0\t1\t1\t1\t1\tA\tP\tJ\tS\n",
		"A.vprf\t1\t2\t3\t1\t0\t1\t1\t1\t1\tA\tP%0\tJ\tS\n",
		"A.vprf\t1\t2\t3\t1\t0\t1\t1\t1\t1\tA\tP%00\tJ\tS\n",
	};
	char *text = make_library(state);

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct strbuf made = STRBUF_INIT;
		struct library_index index;

		strbuf_addf(&made, "VIGIL LIBRARY INDEX 1\n%s", lines[i]);
		strbuf_addf(&made, "CHECKSUM %08lx\n",
			    crc32(0, (const Bytef *)made.text, (uInt)made.length));
		write_text(state, LIBRARY_INDEX_NAME, made.text, made.length);
		library_index_read(&index, *state);
		assert_int_equal(index.count, 0);
		library_index_release(&index);
		assert_listed(state, text);
		strbuf_release(&made);
	}
	free(text);
}

/* Returns the number of entries of a folder without "." and "..". */
static unsigned count_files(void **state)
{
	DIR *folder = opendir(*state);
	struct dirent *entry;
	unsigned count = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder)))
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(folder);
	return count;
}

/* If the index cannot be written the list is the same, and nothing is left behind. */
static void without_an_index_there_is_a_list(void **state)
{
	char *text = make_library(state), *path = place(state, LIBRARY_INDEX_NAME);
	struct rlimit limit, small;

	/* Its name is taken. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_opens(state, 4, text);
	assert_opens(state, 4, text);
	assert_int_equal(count_files(state), 5);
	assert_int_equal(rmdir(path), 0);
	/* The file size limit is too low. */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = (struct rlimit){ .rlim_cur = 10, .rlim_max = limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_opens(state, 4, text);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(count_files(state), 4);
	/* The name is a link to another file, which is neither read nor written. */
	assert_int_equal(symlink("FALSE.vprf", path), 0);
	assert_opens(state, 4, text);
	write_text(state, "LETTER", "", 0);
	assert_opens(state, 0, text); /* the link was replaced */
	free(path);
	free(text);
}

/* Lists as another user, who may not write there (only when run as root). */
static void list_as_nobody(void **state, const char *expected)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		char *text;

		if (setgid(65534) < 0 || setuid(65534) < 0)
			_exit(1);
		text = list(state);
		_exit(strcmp(text, expected) != 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void a_library_that_is_read_only_is_listed(void **state)
{
	char *text = make_library(state), *path = place(state, LIBRARY_INDEX_NAME);

	assert_int_equal(unlink(path), 0);
	assert_int_equal(chmod(*state, 0555), 0);
	if (geteuid() == 0) {
		list_as_nobody(state, text);
		assert_int_equal(access(path, F_OK), -1);
	} else {
		assert_opens(state, 4, text);
		assert_int_equal(access(path, F_OK), -1);
	}
	assert_int_equal(chmod(*state, 0755), 0);
	free(path);
	free(text);
}

/* Several processes list and write it at once: each list is right, and the final index is whole. */
static void several_write_it_at_once(void **state)
{
	char *text = make_library(state), *path = place(state, LIBRARY_INDEX_NAME);
	pid_t children[4];

	for (size_t i = 0; i < ARRAY_SIZE(children); i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i])
			continue;
		for (unsigned round = 0; round < 50; round++) {
			char *now;

			unlink(path); /* so that each writes it */
			now = list(state);
			if (strcmp(now, text) != 0)
				_exit(1);
			free(now);
		}
		_exit(0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(children); i++) {
		int status;

		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	assert_listed(state, text);
	assert_opens(state, 0, text);
	free(path);
	free(text);
}

/* The writer of a resource records it, so that the first LIST finds it in the index. */
static void a_resource_that_was_written_is_known(void **state)
{
	char *text = make_library(state), *path;

	path = place(state, LIBRARY_INDEX_NAME);
	assert_int_equal(unlink(path), 0);
	free(path);
	path = place(state, "A.vprf");
	resource_written(path);
	free(path);
	assert_opens(state, 3, text);
	assert_opens(state, 0, text);
	free(text);
}

/*
 * A data set that cannot be read now may be readable later, so it is not recorded
 * as "not a data set".
 */
static void what_cannot_be_read_is_not_remembered(void **state)
{
	char *text = make_library(state), *path = place(state, "A.vprf"), *away = place(state, "A");
	bool root = geteuid() == 0;
	char *without;

	set_changed(state, "A.vprf", 5000);
	assert_int_equal(rename(path, away), 0);
	without = list(state);
	assert_string_not_equal(without, text);
	assert_int_equal(rename(away, path), 0);
	if (root)
		assert_int_equal(chown(*state, 65534, 65534), 0);
	assert_int_equal(chmod(path, root ? 0600 : 0), 0);
	if (root)
		list_as_nobody(state, without);
	else
		assert_listed(state, without);
	assert_int_equal(chmod(path, 0644), 0);
	if (root)
		list_as_nobody(state, text);
	else
		assert_listed(state, text);
	free(without);
	free(away);
	free(path);
	free(text);
}

/* A file that is still being written is read each time, until it has not changed for a while. */
static void what_is_not_finished_is_not_kept(void **state)
{
	time_t now = time(NULL);
	char *text;

	make(state, "A.vprf", "PAY", false);
	set_changed(state, "A.vprf", now + 60); /* counts as just changed, however slow the
						 * machine is */
	text = list(state);
	assert_opens(state, 1, text);
	set_changed(state, "A.vprf", 4000);
	assert_opens(state, 1, text);
	assert_opens(state, 0, text);
	free(text);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, test_folder_make, test_folder_drop)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(an_unchanged_library_is_listed_without_an_open),
		IN_FOLDER(what_is_listed_comes_from_the_index),
		IN_FOLDER(a_damaged_index_is_made_again),
		IN_FOLDER(an_index_of_nonsense_is_none),
		IN_FOLDER(without_an_index_there_is_a_list),
		IN_FOLDER(a_library_that_is_read_only_is_listed),
		IN_FOLDER(several_write_it_at_once),
		IN_FOLDER(a_resource_that_was_written_is_known),
		IN_FOLDER(what_cannot_be_read_is_not_remembered),
		IN_FOLDER(what_is_not_finished_is_not_kept),
	};

	return cmocka_run_group_tests_name("library-index", tests, NULL, NULL);
}
