/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests what is determined about a wait when it is over: the file of a page fault,
 * the meaning of a call's arguments.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "engine/engine.h"
#include "records/record-types.h"
#include "sampler/fault-files.h"
#include "sampler/probe.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SIZE 8192

static char folder[] = "/tmp/vigil-faults-XXXXXX";

/* Maps a file of the folder; returns its address. */
static uint64_t map_file(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	void *at;

	assert_int_equal(ftruncate(fd, SIZE), 0);
	at = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(at, MAP_FAILED);
	close(fd);
	return (uintptr_t)at;
}

static void a_fault_is_for_the_file_that_is_mapped_there(void **state)
{
	struct files *files = files_new(NULL, 0);
	struct fault_files faults;
	uint64_t one, other, none, address;
	pid_t pid = getpid(), tid = gettid();
	void *memory = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	fault_files_init(&faults, files);
	address = map_file("ONE");
	one = fault_files_find(&faults, pid, tid, address + 5000);
	assert_true(one > 0);
	assert_int_equal(one, files_of_path(files, pid, AT_FDCWD, "ONE"));
	assert_int_equal(fault_files_find(&faults, pid, tid, address), one);
	other = fault_files_find(&faults, pid, tid, map_file("OTHER"));
	assert_int_equal(other, files_of_path(files, pid, AT_FDCWD, "OTHER"));
	assert_int_not_equal(one, other);
	none = fault_files_find(&faults, pid, tid, (uintptr_t)memory);
	assert_int_equal(none, 0);
	assert_int_equal(fault_files_find(&faults, pid, tid, 16), 0);
	files_free(files);
}

/* The name now refers to another file. */
static void a_file_that_was_replaced_is_not_named(void **state)
{
	struct files *files = files_new(NULL, 0);
	struct fault_files faults;
	uint64_t address = map_file("OLD");

	(void)state;
	fault_files_init(&faults, files);
	map_file("NEW");
	assert_int_equal(rename("NEW", "OLD"), 0);
	assert_int_equal(fault_files_find(&faults, getpid(), gettid(), address), 0);
	files_free(files);
}

/* Records of its last faults come when it is gone. */
static void what_was_known_of_a_process_holds_beyond_its_end(void **state)
{
	struct files *files = files_new(NULL, 0);
	struct fault_files faults;
	uint64_t address = map_file("ONE"), file;
	pid_t child = fork();

	(void)state;
	if (child == 0)
		for (;;)
			pause();
	fault_files_init(&faults, files);
	file = fault_files_find(&faults, child, child, address);
	assert_true(file > 0);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	for (size_t i = 0; i < FAULT_MAPPINGS; i++)
		faults.known[i].until = 0; /* a while later */
	assert_int_equal(fault_files_find(&faults, child, child, address), file);
	assert_int_equal(fault_files_find(&faults, child, child, address + SIZE), 0);
	files_free(files);
}

/* The arguments of a call are examined later. */
static void a_past_wait_is_told_where_nothing_can_have_changed(void **state)
{
	const char *path = "OTHER";
	struct files *files = files_new(NULL, 0);
	struct prober *prober = prober_new(files);
	struct procfs_call sleeps = { .number = SYS_nanosleep },
			   opens = { .number = SYS_openat, .arguments = { 0, (uintptr_t)path } },
			   polls = { .number = SYS_poll, .arguments = { 0, 1 } },
			   syncs = { .number = SYS_fsync };
	struct probe_site site;
	int fd = open("ONE", O_RDWR | O_CREAT, 0600), looks = 0, other;
	uint64_t began;

	(void)state;
	assert_true(prober_classify(prober, getpid(), gettid(), &sleeps, &site));
	assert_int_equal(site.reason, WAIT_SLEEP);
	assert_int_equal(site.syscall, SYS_nanosleep + 1);
	assert_false(prober_classify(prober, getpid(), gettid(), &opens, &site));
	assert_false(prober_classify(prober, getpid(), gettid(), &polls, &site));
	/* A descriptor counts as a file once it has been that for a while. */
	syncs.arguments[0] = (uint64_t)fd;
	began = clock_monotonic_ns();
	while (!prober_classify(prober, getpid(), gettid(), &syncs, &site)) {
		assert_true(++looks < 100);
		usleep(2000);
	}
	/* Four times, with at least 5 ms in between. */
	assert_true(looks >= 3);
	assert_true(clock_monotonic_ns() - began >= 15 * NSEC_PER_MSEC);
	assert_int_equal(site.reason, WAIT_FILE_SYNC);
	assert_true(site.file > 0);
	/* And never again after it was another one. */
	other = open("OTHER", O_RDWR | O_CREAT, 0600);
	assert_int_equal(dup2(other, fd), fd);
	for (looks = 0; looks < 20; looks++) {
		assert_false(prober_classify(prober, getpid(), gettid(), &syncs, &site));
		usleep(2000);
	}
	close(other);
	close(fd);
	prober_free(prober);
	files_free(files);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	unlink("ONE");
	unlink("OTHER");
	unlink("OLD");
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fault_is_for_the_file_that_is_mapped_there),
		cmocka_unit_test(a_file_that_was_replaced_is_not_named),
		cmocka_unit_test(a_past_wait_is_told_where_nothing_can_have_changed),
		cmocka_unit_test(what_was_known_of_a_process_holds_beyond_its_end),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
