/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of recovery after a process was killed: replacements of several files, and __db files. */
#include "common/compat.h"
#include "datasets/folders.h"
#include "datasets/leftovers.h"
#include "datasets/lock.h"
#include "datasets/replacing.h"
#include "datasets/update-mark.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/vigil-replacing-XXXXXX";

/* Runs a shell command in the root; returns whether it succeeds. */
static bool run(const char *command)
{
	struct strbuf text = STRBUF_INIT;
	int status;

	strbuf_addf(&text, "cd %s && { %s; }", root, command);
	status = system(text.text);
	strbuf_release(&text);
	return status == 0;
}

static char *in_root(const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", root, name);
	return strbuf_detach(&path, NULL);
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return folders_remove(root);
}

/* Creates a data set of three files, and a folder with two files to replace them. */
static void prepare(void)
{
	assert_true(
		run("rm -rf MY.* .vigil __db*; mkdir -p .vigil/JOB/update; cd .vigil/JOB/update;"
		    " echo new >MY.KSDS; echo key >MY.KSDS.1; cd ../../..; echo old >MY.KSDS;"
		    " echo old >MY.KSDS.1; echo old >MY.KSDS.2; echo other >MY.KSDS.3"));
}

/* Checks that the data set has its new content, and nothing else is left. */
static void check_new(void)
{
	assert_true(run("test \"$(cat MY.KSDS MY.KSDS.1)\" = \"$(printf 'new\\nkey')\""));
	assert_true(run("test ! -e MY.KSDS.2 && test -e MY.KSDS.3"));
	assert_true(run("test ! -e .vigil/replacing"));
}

static void test_commit(void **state)
{
	char *path = in_root("MY.KSDS"), *folder = in_root(".vigil/JOB/update");
	struct error err = ERROR_INIT;

	(void)state;
	prepare();
	assert_int_equal(replacing_commit(path, folder, 2, 3, &err), 0);
	check_new();
	assert_true(run("test ! -e .vigil/JOB/update"));
	/* The folder lacks a file, or does not exist: the data set stays as it was. */
	prepare();
	assert_int_equal(replacing_commit(path, folder, 3, 3, &err), -1);
	assert_non_null(strstr(error_text(&err), "cannot replace"));
	assert_true(run("test \"$(cat MY.KSDS MY.KSDS.1 MY.KSDS.2 | sort -u)\" = old"));
	assert_true(run("rm -r .vigil/JOB"));
	assert_int_equal(replacing_commit(path, folder, 1, 3, NULL), -1);
	assert_true(run("test \"$(cat MY.KSDS MY.KSDS.1 MY.KSDS.2 | sort -u)\" = old"));
	error_release(&err);
	free(path);
	free(folder);
}

/* Creates the state after a process was killed when it had moved this many files. */
static void prepare_cut(unsigned moved)
{
	prepare();
	assert_true(run("mkdir .vigil/replacing; mv .vigil/JOB/update .vigil/replacing/MY.KSDS;"
			" echo 2 3 >.vigil/replacing/MY.KSDS/.files"));
	if (moved > 0)
		assert_true(run("mv .vigil/replacing/MY.KSDS/MY.KSDS.1 ."));
	if (moved > 1)
		assert_true(run("rm MY.KSDS.2"));
	if (moved > 2)
		assert_true(run("mv .vigil/replacing/MY.KSDS/MY.KSDS ."));
	if (moved > 3)
		assert_true(run("rm .vigil/replacing/MY.KSDS/.files"));
	if (moved > 4)
		assert_true(run("rmdir .vigil/replacing/MY.KSDS"));
}

static void test_finish(void **state)
{
	char *path = in_root("MY.KSDS"), *other = in_root("MY.OTHER");

	(void)state;
	for (unsigned moved = 0; moved < 5; moved++) {
		prepare_cut(moved);
		replacing_finish(other);
		assert_true(run("test -e .vigil/replacing/MY.KSDS"));
		replacing_finish(path);
		check_new();
		prepare_cut(moved);
		replacing_finish_all(root);
		check_new();
	}
	/* Deleting and renaming apply to the new content. */
	prepare_cut(1);
	assert_int_equal(catalog_rename(path, other), 0);
	assert_true(run(
		"test $(cat MY.OTHER) = new && test ! -e MY.KSDS && test ! -e .vigil/replacing"));
	prepare_cut(0);
	assert_int_equal(catalog_remove(path), 0);
	replacing_finish_all(root);
	assert_true(run("test ! -e MY.KSDS"));
	free(path);
	free(other);
}

/* While one process moves the files, no other does. A link instead of the folder has no effect. */
static void test_busy(void **state)
{
	char *path = in_root("MY.KSDS"), *folder = in_root(".vigil/replacing/MY.KSDS");
	int fd;

	(void)state;
	prepare_cut(1);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	replacing_finish(path);
	assert_true(run("test $(cat MY.KSDS) = old"));
	close(fd);
	replacing_finish(path);
	check_new();
	prepare_cut(0);
	assert_true(run("mv .vigil/replacing/MY.KSDS elsewhere; ln -s ../../elsewhere "
			".vigil/replacing/MY.KSDS"));
	replacing_finish(path);
	assert_true(
		run("test $(cat MY.KSDS) = old && test -e elsewhere/MY.KSDS && rm -r elsewhere"));
	free(path);
	free(folder);
}

/* Files left by killed programs are removed, those of data sets in use and other files are not. */
static void test_leftovers(void **state)
{
	struct catalog catalog;
	struct lock_list locks;
	static const char *const stay = "__db.MY.USED __db.MY.USED.1 __db.001 __db. __db.my..file "
					"MY.__db.X";
	struct strbuf command = STRBUF_INIT;

	(void)state;
	prepare_cut(0);
	strbuf_addf(&command, "touch __db.MY.KSDS __db.MY.KSDS.1 __db.MY.K12 __db.A %s", stay);
	assert_true(run(command.text));
	assert_int_equal(catalog_open(&catalog, root, NULL, NULL), 0);
	lock_list_init(&locks);
	assert_int_equal(lock_list_open(&locks, root, NULL), 0);
	assert_int_equal(lock_list_try(&locks, "MY.USED", false, NULL), 1);
	leftovers_clear(&catalog);
	check_new();
	assert_true(
		run("test ! -e __db.MY.KSDS && test ! -e __db.MY.KSDS.1 && test ! -e __db.MY.K12"
		    " && test ! -e __db.A"));
	strbuf_reset(&command);
	strbuf_addf(&command, "ls %s", stay);
	assert_true(run(command.text));
	lock_list_release(&locks);
	leftovers_clear(&catalog);
	assert_true(run("test ! -e __db.MY.USED && test ! -e __db.MY.USED.1 && test -e __db.001"));
	catalog_release(&catalog);
	strbuf_release(&command);
}

/* A mark that is taken over to examine the file is restored; a copy has its file's mark. */
static void test_marks(void **state)
{
	char *path = in_root("MY.KSDS"), *copy = in_root("MY.COPY");
	struct strbuf mark = STRBUF_INIT, who = STRBUF_INIT;
	pid_t child;

	(void)state;
	prepare();
	assert_true(run("echo copy >MY.COPY"));
	update_mark_copy(path, copy);
	assert_false(update_mark_stale(copy, &who));
	child = fork();
	if (child == 0) {
		update_mark_set(path);
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(update_mark_stale(path, &who));
	update_mark_copy(path, copy);
	strbuf_reset(&who);
	assert_true(update_mark_stale(copy, &who));
	assert_int_equal(strncmp(who.text, "process ", 8), 0);
	update_mark_take_over(path, &mark);
	assert_false(update_mark_stale(path, &who));
	update_mark_restore(path, &mark);
	assert_true(update_mark_stale(path, &who));
	strbuf_release(&mark);
	strbuf_release(&who);
	free(path);
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commit), cmocka_unit_test(test_finish),
		cmocka_unit_test(test_busy),   cmocka_unit_test(test_leftovers),
		cmocka_unit_test(test_marks),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
