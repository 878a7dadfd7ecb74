/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of reading /proc and /sys, on the recorded trees in tests/procfs and
 * on the running system.
 */
#include "common/compat.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "common/procfs-file.h"
#include "common/strbuf.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static char root[PROCFS_ROOT_MAX + 1];

/* Reads below tests/procfs/NAME from now on. */
static void use_tree(const char *name)
{
	const char *source = getenv("VIGIL_SOURCE");

	snprintf(root, sizeof(root), "%s/tests/procfs/%s", source ? source : ".", name);
	procfs_set_root(root);
	assert_int_equal(access(root, R_OK), 0);
}

static int use_system(void **state UNUSED)
{
	procfs_set_root(NULL);
	return 0;
}

static void paths_are_below_the_root(void **state UNUSED)
{
	char path[PROCFS_PATH_SIZE];

	assert_string_equal(procfs_process(path, 4711, "stat"), "/proc/4711/stat");
	assert_string_equal(procfs_process(path, PROCFS_SELF, "exe"), "/proc/self/exe");
	assert_string_equal(procfs_process(path, -1, "maps"), "/proc/0/maps");
	assert_string_equal(procfs_task(path, 1, 2147483647, "comm"),
			    "/proc/1/task/2147483647/comm");
	assert_string_equal(procfs_descriptor(path, 10, "fd", 0), "/proc/10/fd/0");
	assert_string_equal(procfs_path(path, "/sys/dev/block/%u:%u", 8U, 10U),
			    "/sys/dev/block/8:10");
	procfs_set_root("/tmp/recorded");
	assert_string_equal(procfs_process(path, 4711, "stat"), "/tmp/recorded/proc/4711/stat");
	assert_string_equal(procfs_path(path, "/proc/stat"), "/tmp/recorded/proc/stat");
	memset(root, 'x', PROCFS_ROOT_MAX);
	root[PROCFS_ROOT_MAX] = '\0';
	procfs_set_root(root);
	procfs_task(path, 2147483647, 2147483647, "schedstat");
	assert_string_equal(path + PROCFS_ROOT_MAX, "/proc/2147483647/task/2147483647/schedstat");
}

static void small_files_are_read_into_the_buffer(void **state UNUSED)
{
	char path[PROCFS_PATH_SIZE], text[64];

	use_tree("linux-6.1");
	procfs_path(path, "/proc/sys/kernel/perf_event_paranoid");
	assert_int_equal(procfs_read(path, text, sizeof(text)), 2);
	assert_string_equal(text, "2\n");
	/* Truncated to the size of the buffer, NULs kept. */
	assert_int_equal(procfs_read(procfs_process(path, 4711, "cmdline"), text, 25), 24);
	assert_memory_equal(text, "/opt/pay/payroll\0--month", 25);
	assert_int_equal(procfs_read(procfs_process(path, 4711, "none"), text, 25), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(procfs_read(procfs_process(path, 4711, "task"), text, 25), -1);
	assert_int_equal(errno, EISDIR);
}

static void a_file_kept_open_is_read_again(void **state UNUSED)
{
	char path[PROCFS_PATH_SIZE], text[64];
	long first, second;
	int fd;

	fd = open(procfs_path(path, "/proc/uptime"), O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_true(procfs_reread(fd, text, sizeof(text)) > 0);
	first = strtol(text, NULL, 10);
	assert_true(procfs_reread(fd, text, sizeof(text)) > 0);
	second = strtol(text, NULL, 10);
	assert_true(first > 0 && second >= first);
	assert_int_equal(procfs_reread(fd, text, 3), 2);
	assert_int_equal(strlen(text), 2);
	close(fd);
	assert_int_equal(procfs_reread(fd, text, sizeof(text)), -1);
}

static void a_long_file_is_read_whole_again(void **state UNUSED)
{
	char path[PROCFS_PATH_SIZE];
	struct procfs_file file;
	struct strbuf other = STRBUF_INIT;
	size_t allocated;
	pid_t pid;

	assert_int_equal(procfs_file_open(&file, procfs_path(path, "/proc/none")), -1);
	assert_int_equal(errno, ENOENT);
	procfs_file_close(&file);
	assert_int_equal(procfs_file_open(&file, procfs_path(path, "/proc/kallsyms")), 0);
	assert_int_equal(procfs_file_read(&file), 0);
	assert_int_equal(strbuf_read_file(&other, path), 0);
	assert_true(file.text.length > 65536);
	assert_string_equal(file.text.text, other.text);
	allocated = file.text.alloc;
	assert_int_equal(procfs_file_read(&file), 0);
	assert_string_equal(file.text.text, other.text);
	assert_int_equal(file.text.alloc, allocated);
	procfs_file_close(&file);
	strbuf_release(&other);
	pid = fork();
	if (pid == 0)
		pause();
	assert_int_equal(procfs_file_open(&file, procfs_process(path, pid, "maps")), 0);
	assert_int_equal(procfs_file_read(&file), 0);
	assert_non_null(strstr(file.text.text, "[stack]"));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(procfs_file_read(&file), -1);
	assert_int_equal(errno, ESRCH);
	assert_string_equal(file.text.text, "");
	procfs_file_close(&file);
}

static void a_line_is_read_at_once(void **state UNUSED)
{
	char path[] = "/tmp/test-procfs-XXXXXX";
	char line[1001];
	struct procfs_file file;
	int fd = mkstemp(path);

	assert_int_equal(procfs_file_open(&file, path), 0);
	assert_int_equal(procfs_file_read_line(&file), 0);
	assert_string_equal(file.text.text, "");
	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	/* A line that is longer than expected is read completely, too. */
	for (size_t length = 1; length < sizeof(line); length += 9) {
		assert_int_equal(pwrite(fd, line, length, 0), length);
		assert_int_equal(procfs_file_read_line(&file), 0);
		assert_int_equal(file.text.length, length);
		assert_string_equal(file.text.text, line + sizeof(line) - 1 - length);
	}
	assert_int_equal(ftruncate(fd, 3), 0);
	assert_int_equal(procfs_file_read_line(&file), 0);
	assert_string_equal(file.text.text, "xxx");
	procfs_file_close(&file);
	close(fd);
	unlink(path);
}

static void links_tell_what_is_deleted(void **state UNUSED)
{
	char path[PROCFS_PATH_SIZE], target[64], self[PATH_MAX], again[PATH_MAX];

	use_tree("linux-6.1");
	assert_true(procfs_program(4711, target, sizeof(target)));
	assert_string_equal(target, "/opt/pay/payroll (deleted)");
	assert_true(procfs_strip_deleted(target));
	assert_string_equal(target, "/opt/pay/payroll");
	assert_false(procfs_strip_deleted(target));
	snprintf(target, sizeof(target), "%s", " (deleted)");
	assert_false(procfs_strip_deleted(target));
	assert_int_equal(
		procfs_link(procfs_path(path, "/sys/dev/block/%u:%u", 8U, 1U), self, sizeof(self)),
		60);
	assert_string_equal(self, "../../devices/pci0000:00/0000:00:04.0/virtio1/block/sda/sda1");
	assert_int_equal(procfs_link(procfs_descriptor(path, 4711, "fd", 17), target, 7), 6);
	assert_string_equal(target, "socket");
	assert_false(procfs_program(4720, target, sizeof(target)));
	procfs_set_root(NULL);
	assert_true(procfs_program(PROCFS_SELF, self, sizeof(self)));
	assert_true(procfs_program(getpid(), again, sizeof(again)));
	assert_string_equal(self, again);
}

static void values_begin_their_line(void **state UNUSED)
{
	static const char text[] = "Name:\tPPid: 5\nPPid:\t 41\nread_bytes: 1\nempty:";

	assert_int_equal(atoi(procfs_value(text, "PPid:")), 41);
	assert_int_equal(atoi(procfs_value(text, "read_bytes:")), 1);
	assert_null(procfs_value(text, "bytes:"));
	assert_null(procfs_value(text, "none:"));
	assert_string_equal(procfs_value(text, "empty:"), "");
	assert_null(procfs_value("", "PPid:"));
}

/* Appends the numbers of an iteration as text, " 1 2 3". */
static void list_numbers(struct procfs_numbers *walk, struct strbuf *sb)
{
	unsigned long seen = 0;
	long number;

	while ((number = procfs_next_number(walk)) >= 0) {
		assert_true(number < 64 || number >= 4711);
		seen |= number < 64 ? 1UL << number : 1UL << (number - 4711);
	}
	for (unsigned bit = 0; bit < 64; bit++)
		if (seen >> bit & 1)
			strbuf_addf(sb, " %u", bit);
	assert_int_equal(procfs_next_number(walk), -1);
}

static void numbers_of_a_folder_are_walked(void **state UNUSED)
{
	struct procfs_numbers walk;
	struct strbuf sb = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE];

	use_tree("damaged");
	procfs_processes(&walk);
	list_numbers(&walk, &sb);
	assert_string_equal(sb.text, " 10 11 12 13 14 15");
	strbuf_reset(&sb);
	use_tree("linux-6.1");
	procfs_threads(&walk, 4711);
	list_numbers(&walk, &sb);
	assert_string_equal(sb.text, " 0 1 2 3");
	strbuf_reset(&sb);
	procfs_numbers(&walk, procfs_process(path, 4711, "fd"));
	list_numbers(&walk, &sb);
	assert_string_equal(sb.text, " 0 1 3 17");
	strbuf_release(&sb);
	procfs_threads(&walk, 4712);
	assert_int_equal(procfs_next_number(&walk), -1);
	procfs_threads(&walk, 4711);
	assert_true(procfs_next_number(&walk) >= 4711);
	procfs_numbers_close(&walk);
	assert_int_equal(fcntl(walk.fd, F_GETFD), -1);
	assert_int_equal(procfs_next_number(&walk), -1);
}

/* Entries as a damaged recording may have them: the length of the first one is that of the test. */
static unsigned short first_length;

static ssize_t false_entries(struct outside *self UNUSED, int fd, void *buffer, size_t size)
{
	static int given = -1;
	struct dirent64 *entry = buffer;

	if (given == fd) {
		given = -1;
		return 0;
	}
	given = fd;
	memset(buffer, '1', size < 64 ? size : 64);
	entry->d_reclen = first_length;
	return 64;
}

static void entries_without_sense_end_the_walk(void **state UNUSED)
{
	static const unsigned short lengths[] = { 0, 1, 18, 19, 24, 64, 65, 65535 };
	struct outside source = outside_system;
	struct procfs_numbers walk;

	source.entries = false_entries;
	outside_current = &source;
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		first_length = lengths[i];
		procfs_threads(&walk, getpid());
		assert_int_equal(procfs_next_number(&walk), -1);
	}
	outside_current = &outside_system;
}

static void children_of_all_threads_are_walked(void **state UNUSED)
{
	struct procfs_children walk;
	long count = 0, sum = 0;
	pid_t child;

	use_tree("linux-6.1");
	procfs_children(&walk, 4711);
	while ((child = procfs_next_child(&walk)) >= 0) {
		count++;
		sum += child;
	}
	/* 4720; 4721 and 5000 to 5999, which take more than one read. */
	assert_int_equal(count, 1002);
	assert_int_equal(sum, 4720 + 4721 + 1000 * 5499 + 500);
	assert_int_equal(procfs_next_child(&walk), -1);
	procfs_children(&walk, 1);
	assert_int_equal(procfs_next_child(&walk), 312);
	procfs_children_close(&walk);
	assert_int_equal(procfs_next_child(&walk), -1);
	use_tree("linux-3.10");
	procfs_children(&walk, 77);
	assert_int_equal(procfs_next_child(&walk), -1);
	use_tree("damaged");
	procfs_children(&walk, 14);
	for (count = sum = 0; (child = procfs_next_child(&walk)) >= 0; count++)
		sum += child;
	assert_int_equal(count, 3);
	assert_int_equal(sum, 21 + 22 + 23);
}

/*
 * The kernel finds its position in the list again by counting: a child that ends
 * between two reads hides another one.
 */
static void no_child_is_missed_when_those_before_it_end(void **state UNUSED)
{
	struct procfs_children walk;
	pid_t child, holder = fork();
	unsigned found = 0;
	int status;

	if (holder == 0) {
		for (unsigned i = 0; i < 100; i++)
			if (fork() == 0) {
				prctl(PR_SET_PDEATHSIG, SIGKILL);
				for (;;)
					pause();
			}
		procfs_children(&walk, getpid());
		while ((child = procfs_next_child(&walk)) >= 0) {
			kill(child, SIGKILL);
			found += waitpid(child, NULL, 0) == child;
		}
		_exit((int)found);
	}
	assert_true(holder > 0);
	assert_int_equal(waitpid(holder, &status, 0), holder);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 100);
}

static void stat_survives_odd_names(void **state UNUSED)
{
	struct procfs_stat stat = { .parent = 5 };

	use_tree("linux-6.1");
	assert_true(procfs_stat(4711, &stat));
	assert_string_equal(stat.name, "pay) S 1 (roll");
	assert_int_equal(stat.state, 'S');
	assert_int_equal(stat.parent, 1);
	assert_int_equal(stat.minor_faults, 3001);
	assert_int_equal(stat.children_minor_faults, 70000);
	assert_int_equal(stat.major_faults, 13);
	assert_int_equal(stat.children_major_faults, 5);
	assert_int_equal(stat.user, 211);
	assert_int_equal(stat.system, 17);
	assert_int_equal(stat.children_user, 4801);
	assert_int_equal(stat.children_system, 907);
	assert_true(procfs_stat(312, &stat));
	assert_string_equal(stat.name, "kworker/u16:3-e");
	assert_int_equal(stat.state, 'I');
	use_tree("linux-3.10");
	assert_true(procfs_stat(77, &stat));
	assert_int_equal(stat.children_system, 5);
}

static void stat_that_is_cut_off_is_none(void **state UNUSED)
{
	struct procfs_stat stat = { .parent = 5 };

	use_tree("damaged");
	for (pid_t pid = 10; pid <= 13; pid++) {
		errno = 0;
		assert_false(procfs_stat(pid, &stat));
		assert_int_equal(errno, EIO);
	}
	assert_false(procfs_stat(15, &stat));
	assert_int_equal(stat.parent, 5);
	assert_false(procfs_stat(16, &stat));
	assert_int_equal(errno, ENOENT);
	assert_true(procfs_stat(14, &stat));
	assert_int_equal(stat.parent, 2147483647);
	assert_true(stat.minor_faults == UINT64_MAX && stat.user == UINT64_MAX);
	assert_true(stat.children_minor_faults == UINT64_C(1) << 63);
	assert_int_equal(stat.children_user, 1);
}

static void states_and_names_of_threads(void **state UNUSED)
{
	struct procfs_thread thread;
	char name[PROCFS_NAME_SIZE];

	use_tree("linux-6.1");
	assert_int_equal(procfs_state(4711, 4711), 'S');
	assert_int_equal(procfs_state(4711, 4712), 'D');
	assert_int_equal(procfs_state(4711, 4713), 'R');
	assert_int_equal(procfs_state(4720, 4720), 'Z');
	/* Ended since the threads were listed. */
	assert_int_equal(procfs_state(4711, 4714), 0);
	assert_false(procfs_is_in_exec(4711));
	assert_false(procfs_is_in_exec(4799));
	assert_true(procfs_thread(4711, 4711, &thread));
	assert_int_equal(thread.processor, 1);
	assert_true(procfs_thread(4711, 4713, &thread));
	assert_int_equal(thread.processor, 1);
	assert_false(procfs_thread(4711, 4714, &thread));
	assert_int_equal(procfs_state(4799, 4799), 0);
	procfs_name(4711, 4711, name, sizeof(name));
	assert_string_equal(name, "pay) S 1 (roll");
	procfs_name(4711, 4713, name, sizeof(name));
	assert_string_equal(name, "two");
	procfs_name(312, 312, name, sizeof(name));
	assert_string_equal(name, "kworker/u16:3-e");
	procfs_name(4711, 4714, name, sizeof(name));
	assert_string_equal(name, "");
	use_tree("damaged");
	for (pid_t pid = 10; pid <= 12; pid++)
		assert_int_equal(procfs_state(pid, pid), 0);
	assert_int_equal(procfs_state(13, 13), 'S');
	procfs_name(11, 11, name, sizeof(name));
	assert_string_equal(name, "no newline");
	procfs_name(10, 10, name, sizeof(name));
	assert_string_equal(name, "");
}

static void numbers_of_the_status(void **state UNUSED)
{
	use_tree("linux-6.1");
	assert_int_equal(procfs_number(4711, "PPid:"), 1);
	assert_int_equal(procfs_number(4711, "NSpid:"), 4711);
	assert_int_equal(procfs_number(4711, "voluntary_ctxt_switches:"), 150);
	assert_int_equal(procfs_number(4799, "PPid:"), -1);
	assert_int_equal(procfs_inner_pid(4711), 23);
	assert_int_equal(procfs_inner_pid(4799), 4799);
	use_tree("linux-3.10");
	assert_int_equal(procfs_number(77, "NSpid:"), -1);
	assert_int_equal(procfs_inner_pid(77), 77);
	assert_int_equal(procfs_number(77, "nonvoluntary_ctxt_switches:"), 207);
	use_tree("damaged");
	assert_int_equal(procfs_number(10, "PPid:"), -1);
	assert_int_equal(procfs_number(11, "PPid:"), -1);
	/*
	 * A process name that looks like a line is not taken for one; 1500 groups do not
	 * hide what follows them.
	 */
	assert_int_equal(procfs_number(14, "PPid:"), 14 - 11);
	assert_true(procfs_number(14, "voluntary_ctxt_switches:") == INT64_MAX);
}

static void input_output_and_memory(void **state UNUSED)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct procfs_memory memory = { 1, 2 };
	struct procfs_io io = { 0 };

	use_tree("linux-6.1");
	assert_true(procfs_io(4711, &io));
	assert_int_equal(io.read_calls, 257);
	assert_int_equal(io.write_calls, 131);
	assert_int_equal(io.read_bytes, 8192);
	assert_int_equal(io.write_bytes, 12288);
	assert_true(procfs_memory(4711, &memory));
	assert_int_equal(memory.size, 39158 * page);
	assert_int_equal(memory.resident, 3840 * page);
	assert_false(procfs_io(4720, &io));
	assert_false(procfs_memory(4720, &memory));
	use_tree("damaged");
	assert_false(procfs_io(10, &io));
	assert_false(procfs_memory(10, &memory));
	assert_false(procfs_memory(11, &memory));
	assert_int_equal(memory.resident, 3840 * page);
	assert_true(procfs_io(11, &io));
	assert_int_equal(io.read_calls, 3);
	assert_int_equal(io.write_calls, 0);
	assert_true(procfs_io(14, &io));
	assert_true(io.read_calls == UINT64_MAX && io.read_bytes == UINT64_MAX);
	assert_true(procfs_memory(14, &memory));
	assert_true(memory.resident == UINT64_C(4503599627370494) * page);
}

static void times_of_the_machine(void **state UNUSED)
{
	struct procfs_times times = { 0 };

	use_tree("linux-6.1");
	assert_true(procfs_times(&times));
	assert_int_equal(times.busy, (74342 + 41954 + 18124 + 0 + 151) * UINT64_C(10000000));
	assert_int_equal(times.stolen, 560000000);
	use_tree("linux-3.10");
	assert_true(procfs_times(&times));
	assert_int_equal(times.busy, (100 + 2 + 30 + 6 + 7) * 10000000);
	assert_int_equal(times.stolen, 80000000);
	use_tree("damaged");
	assert_false(procfs_times(&times));
}

static void schedules_and_calls(void **state UNUSED)
{
	struct procfs_schedule schedule = { 0 };
	struct procfs_call call;

	use_tree("linux-6.1");
	assert_true(procfs_schedule(4711, 4711, &schedule));
	assert_int_equal(schedule.cpu, 2280000017);
	assert_int_equal(schedule.delay, 190);
	assert_int_equal(schedule.slices, 19);
	assert_int_equal(procfs_call(4711, 4711, &call), 1);
	assert_int_equal(call.number, 35);
	assert_int_equal(call.arguments[0], 0x7ffd7a209d10);
	assert_int_equal(call.arguments[5], 8);
	assert_int_equal(call.stack, 0x7ffd7a209cd8);
	assert_int_equal(call.instruction, 0x7f10e7ad3b60);
	assert_int_equal(procfs_call(4711, 4712, &call), 1);
	assert_int_equal(call.number, -1);
	assert_int_equal(call.arguments[0], 0);
	assert_int_equal(call.stack, 0x7f10e6bfee40);
	assert_int_equal(call.instruction, 0x7f10e7b0c2ad);
	assert_int_equal(procfs_call(4711, 4713, &call), 0);
	assert_int_equal(procfs_call(4711, 4714, &call), -1);
	assert_int_equal(errno, ENOENT);
	use_tree("linux-3.10");
	assert_false(procfs_schedule(77, 77, &schedule));
	use_tree("damaged");
	assert_false(procfs_schedule(10, 10, &schedule));
	assert_false(procfs_schedule(11, 11, &schedule));
	assert_int_equal(schedule.cpu, 2280000017);
	assert_true(procfs_schedule(14, 14, &schedule));
	assert_true(schedule.cpu == UINT64_MAX);
	assert_int_equal(procfs_call(10, 10, &call), 0);
	assert_int_equal(procfs_call(11, 11, &call), 1);
	assert_int_equal(call.arguments[0], 3);
	assert_int_equal(call.stack, 0);
	assert_int_equal(procfs_call(14, 14, &call), 1);
	assert_true(call.arguments[0] == UINT64_MAX && call.instruction == UINT64_MAX);
}

static void locks_have_a_holder(void **state UNUSED)
{
	use_tree("linux-5.14-s390x");
	assert_int_equal(procfs_lock_holder(4720), 4711);
	assert_int_equal(procfs_lock_holder(4721), 4711);
	assert_int_equal(procfs_lock_holder(4711), 0); /* waits for no lock */
	assert_int_equal(procfs_lock_holder(4799), 0); /* lock of an open file */
	assert_int_equal(procfs_lock_holder(77), 0);   /* two holders */
	use_tree("linux-3.10");
	assert_int_equal(procfs_lock_holder(4720), 0);
	use_tree("damaged");
	assert_int_equal(procfs_lock_holder(4720), 0);
}

static void positions_of_descriptors(void **state UNUSED)
{
	struct procfs_position position = { 1, 2 };

	use_tree("linux-6.1");
	assert_true(procfs_position(4711, 3, &position));
	assert_int_equal(position.position, 32768);
	assert_int_equal(position.flags, O_RDWR | 0100000);
	assert_true(procfs_position(4711, 17, &position));
	assert_int_equal(position.flags, O_RDWR | O_NONBLOCK);
	assert_false(procfs_position(4711, 0, &position));
	use_tree("damaged");
	assert_false(procfs_position(10, 0, &position));
	assert_false(procfs_position(10, 1, &position));
	assert_int_equal(position.flags, O_RDWR | O_NONBLOCK);
	assert_true(procfs_position(10, 2, &position));
	assert_true(position.position == INT64_MAX);
	assert_int_equal(position.flags & O_ACCMODE, O_WRONLY);
}

/* Reading a file that was opened while the process lived fails when the process has ended. */
static void a_process_ends_while_it_is_read(void **state UNUSED)
{
	char path[PROCFS_PATH_SIZE], text[256];
	struct procfs_numbers walk;
	struct procfs_stat stat;
	pid_t pid = fork();
	int fd;

	if (pid == 0)
		pause();
	assert_true(pid > 0);
	fd = open(procfs_process(path, pid, "statm"), O_RDONLY | O_CLOEXEC);
	procfs_threads(&walk, pid);
	assert_true(procfs_reread(fd, text, sizeof(text)) > 0);
	assert_true(procfs_stat(pid, &stat));
	assert_int_equal(stat.parent, getpid());
	assert_int_equal(procfs_number(pid, "PPid:"), getpid());
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(procfs_reread(fd, text, sizeof(text)), -1);
	assert_int_equal(errno, ESRCH);
	assert_int_equal(procfs_next_number(&walk), -1);
	assert_int_equal(walk.fd, -1);
	assert_false(procfs_stat(pid, &stat));
	assert_int_equal(procfs_number(pid, "PPid:"), -1);
	close(fd);
}

static void *read_own_name(void *argument)
{
	prctl(PR_SET_NAME, "a) (b c");
	procfs_name(getpid(), gettid(), argument, PROCFS_NAME_SIZE);
	return NULL;
}

static void the_system_is_read_without_a_root(void **state UNUSED)
{
	char name[PROCFS_NAME_SIZE];
	struct procfs_memory memory;
	struct procfs_schedule schedule;
	struct procfs_position position;
	struct procfs_numbers walk;
	int found = 0, fd;
	pthread_t thread;
	long number;

	assert_int_equal(pthread_create(&thread, NULL, read_own_name, name), 0);
	pthread_join(thread, NULL);
	assert_string_equal(name, "a) (b c");
	assert_int_equal(procfs_state(getpid(), gettid()), 'R');
	assert_true(procfs_memory(getpid(), &memory));
	assert_true(memory.resident > 100000 && memory.resident < memory.size);
	assert_true(procfs_schedule(getpid(), gettid(), &schedule) && schedule.cpu > 0);
	procfs_processes(&walk);
	while ((number = procfs_next_number(&walk)) >= 0)
		found += number == getpid();
	assert_int_equal(found, 1);
	fd = open("/dev/null", O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_true(procfs_position(PROCFS_SELF, fd, &position));
	assert_int_equal(position.flags & (O_ACCMODE | O_APPEND), O_WRONLY | O_APPEND);
	close(fd);
}

static void *wait_for_signals(void *unused)
{
	pause();
	return unused;
}

/* Starts a process whose main thread ends, while another one waits. */
static pid_t start_without_main(void)
{
	pthread_t thread;
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (pthread_create(&thread, NULL, wait_for_signals, NULL))
			_exit(1);
		pthread_exit(NULL);
	}
	assert_true(pid > 0);
	for (int i = 0; i < 5000 && procfs_state(pid, pid) != 'Z'; i++)
		usleep(1000);
	return pid;
}

static void a_process_goes_on_without_its_main_thread(void **state UNUSED)
{
	char path[PROCFS_PATH_SIZE], own[PATH_MAX], program[PATH_MAX];
	struct strbuf text = STRBUF_INIT;
	struct procfs_life life;
	pid_t pid, living;

	assert_int_equal(procfs_living(getpid()), getpid());
	procfs_living_process(path, getpid(), "environ");
	assert_null(strstr(path, "task"));
	pid = start_without_main();
	assert_int_equal(procfs_state(pid, pid), 'Z');
	living = procfs_living(pid);
	assert_true(living > 0 && living != pid);
	assert_int_equal(procfs_number(living, "Tgid:"), pid);
	assert_true(procfs_program(PROCFS_SELF, own, sizeof(own)) && procfs_program(pid, program, sizeof(program)));
	assert_string_equal(program, own);
	assert_true(procfs_life(pid, &life) && life.peak > 0);
	assert_int_equal(strbuf_read_file(&text, procfs_living_process(path, pid, "cmdline")), 0);
	assert_true(text.length > 0);
	strbuf_release(&text);
	kill(pid, SIGKILL);
	for (int i = 0; i < 5000 && procfs_living(pid); i++)
		usleep(1000);
	assert_int_equal(procfs_living(pid), 0);
	assert_false(procfs_program(pid, program, sizeof(program)));
	waitpid(pid, NULL, 0);
	assert_int_equal(procfs_living(pid), 0);
}

/* Reads everything of a task that is read often. */
static void read_all(pid_t pid, pid_t tid)
{
	char name[PROCFS_NAME_SIZE], program[256];
	struct procfs_schedule schedule;
	struct procfs_children children;
	struct procfs_position position;
	struct procfs_memory memory;
	struct procfs_numbers walk;
	struct procfs_stat stat;
	struct procfs_call call;
	struct procfs_io io;

	procfs_stat(pid, &stat);
	procfs_state(pid, tid);
	procfs_name(pid, tid, name, sizeof(name));
	procfs_number(pid, "PPid:");
	procfs_program(pid, program, sizeof(program));
	procfs_io(pid, &io);
	procfs_memory(pid, &memory);
	procfs_schedule(pid, tid, &schedule);
	procfs_call(pid, tid, &call);
	procfs_position(pid, 3, &position);
	procfs_threads(&walk, pid);
	while (procfs_next_number(&walk) >= 0)
		;
	procfs_children(&children, pid);
	while (procfs_next_child(&children) >= 0)
		;
}

static void nothing_is_allocated_nor_left_open(void **state UNUSED)
{
	int before = open("/dev/null", O_RDONLY | O_CLOEXEC), after;
	struct mallinfo2 first, second;

	close(before);
	use_tree("linux-6.1");
	first = mallinfo2();
	read_all(4711, 4711);
	read_all(4799, 4799);
	procfs_set_root(NULL);
	read_all(getpid(), gettid());
	second = mallinfo2();
	assert_int_equal(first.uordblks, second.uordblks);
	assert_int_equal(first.fordblks, second.fordblks);
	after = open("/dev/null", O_RDONLY | O_CLOEXEC);
	close(after);
	assert_int_equal(before, after);
}

/*
 * Returns the sum of the values on the lines of text that begin with prefix and a
 * number, as in "cpu0 123"; *count is the number of lines.
 */
static uint64_t sum_of_lines(const char *text, const char *prefix, size_t *count)
{
	uint64_t sum = 0;

	for (*count = 0; (text = strstr(text, prefix)); text++) {
		const char *at = text + strlen(prefix);

		if (*at < '0' || *at > '9')
			continue;
		sum += strtoull(at + strspn(at, "0123456789"), NULL, 10);
		(*count)++;
	}
	return sum;
}

/* Makes the tree of a machine and reads from it. Returns false if it cannot be made here. */
static bool make_machine(const char *folder)
{
	struct strbuf command = STRBUF_INIT;
	int status;

	strbuf_addf(&command, "python3 '%s/tests/procfs-machine.py' '%s' --processes 500",
		    getenv("VIGIL_SOURCE"), folder);
	status = system(command.text);
	strbuf_release(&command);
	return status == 0;
}

/* Writes a file of the tree. */
static void write_file(const char *folder, const char *name, const char *text)
{
	char path[PROCFS_PATH_SIZE];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

#define FOLDER "/tmp/vigil-test-procfs-XXXXXX"

/* Makes a folder, with process 7, the root. */
static void make_process(char *folder)
{
	char path[PROCFS_PATH_SIZE];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/proc", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/7", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	procfs_set_root(folder);
}

static void remove_folder(const char *folder)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	assert_int_equal(system(command), 0);
}

static void a_process_that_exits_has_ended(void **state UNUSED)
{
	static const struct {
		const char *begin;
		bool ended;
	} cases[] = {
		{ "7 (vigil) S 1 7 7 0 -1 4194304", false },
		/* Only the flag shows it while memory and files are being released. */
		{ "7 (vigil) R 1 7 7 0 -1 4194308", true },
		{ "7 (vigil) D 1 7 7 0 -1 4194564", true },
		{ "7 (vigil) Z 1 7 7 0 -1 4194304", true },
		{ "7 (vigil) X 1 7 7 0 -1 0", true },
	};
	char folder[] = FOLDER, text[200];
	struct procfs_stat stat;

	make_process(folder);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(text, sizeof(text), "%s 11 12 13 14 15 16 17 18 20 0 1 0 4711\n", cases[i].begin);
		write_file(folder, "proc/7/stat", text);
		assert_true(procfs_stat(7, &stat));
		assert_int_equal(stat.ending, cases[i].ended);
		assert_int_equal(stat.minor_faults, 11);
		assert_int_equal(stat.children_system, 18);
		assert_int_equal(stat.start, 4711);
		assert_int_equal(procfs_has_ended(7), cases[i].ended);
	}
	assert_true(procfs_has_ended(8));
	remove_folder(folder);
}

/* What Linux 6.1 shows of a process at each moment of exec, and of one of another user. */
static void processes_in_exec(void **state UNUSED)
{
	static const struct {
		/* Size, resident part and its limit, where its code begins and ends, where its stack begins. */
		const char *memory;
		/* Where arguments and environment begin and end. */
		const char *arguments;
		bool in_exec;
	} cases[] = {
		{ "2596864 231 18446744073709551615 93956000 93976000 140722000", "140722100 140722120 140722120 140722200", false },
		{ "135168 1 18446744073709551615 0 0 0", "0 0 0 0", true },
		{ "2437120 120 18446744073709551615 0 0 0", "140722080 0 0 0", true },
		{ "2437120 120 18446744073709551615 0 0 0", "140722080 140722120 0 140722200", true },
		/* Of another user, and a thread of the kernel. */
		{ "2596864 231 18446744073709551615 1 1 0", "0 0 0 0", false },
		{ "0 0 18446744073709551615 0 0 0", "0 0 0 0", false },
	};
	char folder[] = FOLDER, text[400];

	make_process(folder);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(text, sizeof(text),
			 "7 (a b) R 1 7 7 0 -1 4194304 11 12 13 14 15 16 17 18 20 0 1 0 4711 %s 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 "
			 "0 %s 0\n",
			 cases[i].memory, cases[i].arguments);
		write_file(folder, "proc/7/stat", text);
		assert_int_equal(procfs_is_in_exec(7), cases[i].in_exec);
	}
	write_file(folder, "proc/7/stat", "7 (a b) R 1 7");
	assert_false(procfs_is_in_exec(7));
	assert_false(procfs_is_in_exec(8));
	remove_folder(folder);
}

static void a_large_machine_is_read(void **state UNUSED)
{
	char folder[] = FOLDER, path[PROCFS_PATH_SIZE];
	uint64_t faults = 0, processes = 0, children = 0;
	struct procfs_children child;
	struct procfs_numbers walk;
	struct procfs_file file;
	struct procfs_stat stat;
	size_t count;
	long pid;

	if (!getenv("VIGIL_SOURCE") || system("python3 -c ''") != 0) {
		print_message("python3 is not there\n");
		skip();
	}
	assert_non_null(mkdtemp(folder));
	assert_true(make_machine(folder));
	procfs_set_root(folder);
	assert_int_equal(procfs_file_open(&file, procfs_path(path, "/proc/stat")), 0);
	assert_int_equal(procfs_file_read(&file), 0);
	assert_int_equal(sum_of_lines(file.text.text, "cpu", &count), 256 * 1000 + 255 * 128);
	assert_int_equal(count, 256);
	assert_string_equal(procfs_value(file.text.text, "procs_running"),
			    "256\nprocs_blocked 3\n");
	procfs_file_close(&file);
	assert_int_equal(procfs_file_open(&file, procfs_path(path, "/proc/diskstats")), 0);
	assert_int_equal(procfs_file_read(&file), 0);
	assert_int_equal(sum_of_lines(file.text.text, "sd", &count), 10 * 1999 * 1000);
	assert_int_equal(count, 2000);
	procfs_file_close(&file);
	procfs_processes(&walk);
	for (; (pid = procfs_next_number(&walk)) >= 0; processes++) {
		assert_true(procfs_stat((pid_t)pid, &stat));
		faults += stat.minor_faults;
		procfs_children(&child, (pid_t)pid);
		while (procfs_next_child(&child) >= 0)
			children++;
	}
	assert_int_equal(processes, 500);
	assert_int_equal(faults, 3 * 500 * 501 / 2);
	assert_int_equal(children, 500 - 7);
	remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(paths_are_below_the_root, use_system),
		cmocka_unit_test_teardown(small_files_are_read_into_the_buffer, use_system),
		cmocka_unit_test(a_file_kept_open_is_read_again),
		cmocka_unit_test(a_long_file_is_read_whole_again),
		cmocka_unit_test(a_line_is_read_at_once),
		cmocka_unit_test_teardown(links_tell_what_is_deleted, use_system),
		cmocka_unit_test(values_begin_their_line),
		cmocka_unit_test_teardown(numbers_of_a_folder_are_walked, use_system),
		cmocka_unit_test(entries_without_sense_end_the_walk),
		cmocka_unit_test_teardown(children_of_all_threads_are_walked, use_system),
		cmocka_unit_test(no_child_is_missed_when_those_before_it_end),
		cmocka_unit_test_teardown(stat_survives_odd_names, use_system),
		cmocka_unit_test_teardown(stat_that_is_cut_off_is_none, use_system),
		cmocka_unit_test_teardown(states_and_names_of_threads, use_system),
		cmocka_unit_test_teardown(numbers_of_the_status, use_system),
		cmocka_unit_test_teardown(input_output_and_memory, use_system),
		cmocka_unit_test_teardown(times_of_the_machine, use_system),
		cmocka_unit_test_teardown(schedules_and_calls, use_system),
		cmocka_unit_test_teardown(locks_have_a_holder, use_system),
		cmocka_unit_test_teardown(positions_of_descriptors, use_system),
		cmocka_unit_test(a_process_ends_while_it_is_read),
		cmocka_unit_test(the_system_is_read_without_a_root),
		cmocka_unit_test_teardown(a_process_that_exits_has_ended, use_system),
		cmocka_unit_test_teardown(processes_in_exec, use_system),
		cmocka_unit_test_teardown(a_large_machine_is_read, use_system),
		cmocka_unit_test(a_process_goes_on_without_its_main_thread),
		cmocka_unit_test(nothing_is_allocated_nor_left_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
