/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of folders and whole files: links, depth, full disks, and processes that are killed. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/folders.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static bool without_openat2;
long __real_syscall(long number, ...);
long __wrap_syscall(long number, int folder, const char *path, void *how, size_t size);

/* Simulates a kernel without openat2, on request. */
long __wrap_syscall(long number, int folder, const char *path, void *how, size_t size)
{
	if (number == SYS_openat2 && without_openat2) {
		errno = ENOSYS;
		return -1;
	}
	return __real_syscall(number, folder, path, how, size);
}

static bool without_tmpfile;
int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, unsigned mode);

/* Simulates a file system without unnamed files, on request. */
int __wrap_openat(int folder, const char *path, int flags, unsigned mode)
{
	if ((flags & O_TMPFILE) == O_TMPFILE && without_tmpfile) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return __real_openat(folder, path, flags, mode);
}

/* A private folder, and one in it. */
struct fixture {
	char folder[32], root[64];
};

static int set_up(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	snprintf(fixture->folder, sizeof(fixture->folder), "/tmp/foldersXXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	snprintf(fixture->root, sizeof(fixture->root), "%s/root", fixture->folder);
	assert_int_equal(mkdir(fixture->root, 0777), 0);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	without_tmpfile = without_openat2 = false;
	folders_remove(fixture->folder);
	free(fixture);
	return 0;
}

static void write_file(const char *folder, const char *name, const char *content)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addstr(&text, content);
	assert_int_equal(folders_write_file(folder, name, &text), 0);
	strbuf_release(&text);
}

/*
 * Returns the number of files in a folder with other names than the expected one,
 * which must be whole.
 */
static unsigned others_in(const char *folder, const char *expected)
{
	DIR *open_folder = opendir(folder);
	struct dirent *entry;
	unsigned others = 0;

	assert_non_null(open_folder);
	while ((entry = readdir(open_folder)))
		others += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			  strcmp(entry->d_name, expected) != 0;
	closedir(open_folder);
	return others;
}

/* Simulates a full disk with a limit on the file size. */
static void write_too_much(const struct fixture *fixture)
{
	struct rlimit before, small;
	struct strbuf text = STRBUF_INIT, kept = STRBUF_INIT, path = STRBUF_INIT;
	int result, why;

	strbuf_addf(&path, "%s/entries", fixture->root);
	strbuf_addstr(&text, "old\n");
	assert_int_equal(folders_write_file(path.text, "A.B", &text), 0);
	strbuf_addchars(&text, 'x', 8192);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 4096;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	result = folders_write_file(path.text, "A.B", &text);
	why = errno;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(result, -1);
	assert_int_equal(why, EFBIG);
	assert_int_equal(others_in(path.text, "A.B"), 0);
	strbuf_addstr(&path, "/A.B");
	assert_int_equal(strbuf_read_file(&kept, path.text), 0);
	assert_string_equal(kept.text, "old\n");
	strbuf_release(&text);
	strbuf_release(&kept);
	strbuf_release(&path);
}

/* A half-written file of a killed process does not disturb others. */
static void write_over_half(const struct fixture *fixture)
{
	struct strbuf name = STRBUF_INIT, text = STRBUF_INIT, path = STRBUF_INIT;

	strbuf_addf(&path, "%s/half", fixture->root);
	if (without_tmpfile)
		strbuf_addf(&name, ".entry.%d", (int)getpid());
	else
		strbuf_addstr(&name, ".entry.next");
	write_file(path.text, "entry", "old");
	write_file(path.text, name.text, "half");
	write_file(path.text, "entry", "whole");
	assert_int_equal(others_in(path.text, "entry"), 0);
	strbuf_addstr(&path, "/entry");
	assert_int_equal(strbuf_read_file(&text, path.text), 0);
	assert_string_equal(text.text, "whole");
	strbuf_release(&name);
	strbuf_release(&text);
	strbuf_release(&path);
}

static void texts_are_whole_or_the_old_ones(void **state)
{
	const struct fixture *fixture = *state;

	for (int way = 0; way < 2; way++) {
		without_tmpfile = way == 1;
		write_too_much(fixture);
		write_over_half(fixture);
	}
}

/*
 * A file that is written repeatedly by processes that are killed stays whole, and
 * nothing else is left.
 */
static void files_of_killed_writers_are_whole_and_alone(void **state)
{
	struct fixture *fixture = *state;
	const char *root = fixture->root;
	struct strbuf text = STRBUF_INIT, found = STRBUF_INIT, path = STRBUF_INIT;

	for (int i = 0; i < 3000; i++)
		strbuf_addf(&text, "%d\n", i);
	strbuf_addf(&path, "%s/X.Y", root);
	for (unsigned round = 0; round < 200; round++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		while (pid == 0)
			if (folders_write_file(root, "X.Y", &text) < 0)
				_exit(1);
		usleep(round * 37 % 3000);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		strbuf_reset(&found);
		if (strbuf_read_file(&found, path.text) == 0)
			assert_string_equal(found.text, text.text);
	}
	assert_int_equal(folders_write_file(root, "X.Y", &text), 0);
	assert_int_equal(others_in(root, "X.Y"), 0);
	strbuf_release(&text);
	strbuf_release(&found);
	strbuf_release(&path);
}

/* Returns the result of folders_open_beneath: 0 or the error. */
static int opening(int folder, const char *path)
{
	int fd = folders_open_beneath(folder, path);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? errno : 0;
}

static void folders_are_opened_beneath(void **state)
{
	struct fixture *fixture = *state;
	int root = open(fixture->root, O_RDONLY | O_DIRECTORY);

	assert_int_equal(mkdirat(root, "a", 0777), 0);
	assert_int_equal(mkdirat(root, "a/b", 0777), 0);
	assert_int_equal(symlinkat("a", root, "link"), 0);
	assert_int_equal(symlinkat("b", root, "a/link"), 0);
	for (int kernel = 0; kernel < 2; kernel++) {
		without_openat2 = kernel == 1;
		assert_int_equal(opening(root, "a"), 0);
		assert_int_equal(opening(root, "a/b"), 0);
		assert_int_not_equal(opening(root, "link"), 0);
		assert_int_not_equal(opening(root, "link/b"), 0);
		assert_int_not_equal(opening(root, "a/link"), 0);
		assert_int_equal(opening(root, ".."), EXDEV);
		assert_int_equal(opening(root, "a/../.."), EXDEV);
		assert_int_equal(opening(root, "none"), ENOENT);
	}
	without_openat2 = false;
	close(root);
}

/*
 * Links in a folder, to a folder and a file outside, are removed; their targets
 * are not. Depth is not limited.
 */
static void removing_follows_no_link(void **state)
{
	struct fixture *fixture = *state;
	int outer = open(fixture->folder, O_RDONLY | O_DIRECTORY), at;

	write_file(fixture->folder, "precious", "text");
	assert_int_equal(mkdirat(outer, "kept", 0777), 0);
	assert_int_equal(symlinkat("../kept", outer, "root/folder"), 0);
	assert_int_equal(symlinkat("../precious", outer, "root/file"), 0);
	at = openat(outer, "root", O_RDONLY | O_DIRECTORY);
	for (int depth = 0; depth < 300; depth++) {
		int next;

		assert_int_equal(mkdirat(at, "down", 0777), 0);
		assert_int_equal(symlinkat(fixture->folder, at, "up"), 0);
		next = openat(at, "down", O_RDONLY | O_DIRECTORY);
		close(at);
		at = next;
	}
	close(at);
	assert_int_equal(folders_remove(fixture->root), 0);
	assert_int_equal(faccessat(outer, "root", F_OK, AT_SYMLINK_NOFOLLOW), -1);
	assert_int_equal(faccessat(outer, "precious", F_OK, 0), 0);
	assert_int_equal(symlinkat("kept", outer, "link"), 0);
	assert_int_equal(folders_remove_at(outer, "link"), 0);
	assert_int_equal(faccessat(outer, "kept", F_OK, 0), 0);
	assert_int_equal(faccessat(outer, "link", F_OK, AT_SYMLINK_NOFOLLOW), -1);
	close(outer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(texts_are_whole_or_the_old_ones, set_up, tear_down),
		cmocka_unit_test_setup_teardown(files_of_killed_writers_are_whole_and_alone, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(folders_are_opened_beneath, set_up, tear_down),
		cmocka_unit_test_setup_teardown(removing_follows_no_link, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
