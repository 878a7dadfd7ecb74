/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of data on processes and interfaces of this machine that are found without
 * reading their files.
 */
#include "common/compat.h"
#include "metrics/link-statistics.h"
#include "metrics/process-watch.h"
#include "metrics/test-machine.h"
#include "records/record-types.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* Memory of a child. */
#define CHILD_BYTES (2048 * 4096)

/* A child that repeatedly waits for a byte, executes for a while, and answers. */
struct child {
	pid_t pid;
	int ask, answer;
	unsigned char *page; /* memory that it maps from a file */
	int file;
};

static void serve(int ask, int answer, volatile const unsigned char *page)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(ask, &byte, 1) == 1) {
		struct timespec from, now;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
		do
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec <
		       3000000);
		for (size_t i = 0; i < CHILD_BYTES; i += 4096)
			byte = (char)(byte + page[i]);
		if (write(answer, "", 1) != 1)
			break;
	}
	_exit(0);
}

static void wait_for_state(pid_t pid, char state)
{
	const struct timespec moment = { 0, 2000000 };

	for (int i = 0; i < 5000 && procfs_state(pid, pid) != state; i++)
		nanosleep(&moment, NULL);
	assert_int_equal(procfs_state(pid, pid), state);
}

static void wait_for_sleep(pid_t pid)
{
	wait_for_state(pid, 'S');
}

static void ask(const struct child *child)
{
	char byte;

	assert_int_equal(write(child->ask, "", 1), 1);
	assert_int_equal(read(child->answer, &byte, 1), 1);
	wait_for_sleep(child->pid);
}

static struct child begin_child(void)
{
	char name[] = "/tmp/test-watch-XXXXXX";
	struct child child = { .file = mkstemp(name) };
	int ask_pipe[2], answer_pipe[2];

	unlink(name);
	assert_int_equal(ftruncate(child.file, CHILD_BYTES), 0);
	child.page = mmap(NULL, CHILD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, child.file, 0);
	assert_true(child.page != MAP_FAILED);
	assert_int_equal(pipe(ask_pipe), 0);
	assert_int_equal(pipe(answer_pipe), 0);
	child.pid = fork();
	assert_true(child.pid >= 0);
	if (!child.pid)
		serve(ask_pipe[0], answer_pipe[1], child.page);
	close(ask_pipe[0]);
	close(answer_pipe[1]);
	child.ask = ask_pipe[1];
	child.answer = answer_pipe[0];
	ask(&child);
	return child;
}

static void end_child(struct child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->ask);
	close(child->answer);
	close(child->file);
	munmap(child->page, CHILD_BYTES);
}

static const struct process_seen *seen(const struct process_watch *watch, pid_t pid)
{
	for (size_t i = 0; i < watch->count; i++)
		if (watch->list[i].pid == (uint64_t)pid)
			return &watch->list[i];
	return NULL;
}

/*
 * The clock of an executing process advances; new and ended processes are found,
 * with and without listing /proc.
 */
static void clocks(void **state)
{
	struct process_watch watch = { 0 };
	struct child child = begin_child(), other;
	uint64_t clock;

	(void)state;
	procfs_set_root(NULL);
	process_watch_look(&watch);
	assert_non_null(seen(&watch, getpid()));
	assert_non_null(seen(&watch, child.pid));
	if (!watch.has_clocks) {
		print_message("/proc is not that of this process\n");
		end_child(&child);
		process_watch_release(&watch);
		skip();
	}
	clock = seen(&watch, child.pid)->clock;
	process_watch_look(&watch);
	assert_true(seen(&watch, child.pid)->clock == clock);
	ask(&child);
	process_watch_look(&watch);
	assert_true(seen(&watch, child.pid)->clock >= clock + 3000000);
	for (size_t i = 1; i < watch.count; i++)
		assert_true(watch.list[i - 1].pid < watch.list[i].pid);
	for (int i = 0; i < 2 * PROCESS_WATCH_LIST; i++) {
		other = begin_child();
		process_watch_look(&watch);
		assert_non_null(seen(&watch, other.pid));
		end_child(&other);
		process_watch_look(&watch);
		assert_null(seen(&watch, other.pid));
		assert_non_null(seen(&watch, child.pid));
	}
	end_child(&child);
	process_watch_release(&watch);
}

/* A process started by another thread of this one is found; the thread itself is not a process. */
static void only_processes(void **state)
{
	struct process_watch watch = { 0 };

	(void)state;
	procfs_set_root(NULL);
	for (int i = 0; i < 3; i++) {
		process_watch_look(&watch);
		for (size_t j = 0; j < watch.count; j++) {
			char path[PROCFS_PATH_SIZE], text[4096], number[32];
			const char *leader;

			if (procfs_read(procfs_process(path, (pid_t)watch.list[j].pid, "status"),
					text, sizeof(text)) < 0)
				continue;
			leader = procfs_value(text, "Tgid:");
			snprintf(number, sizeof(number), "%" PRIu64 "\n", watch.list[j].pid);
			assert_memory_equal(leader, number, strlen(number));
		}
	}
	process_watch_release(&watch);
}

/* Starts an engine on this machine with only the processes. */
static void begin_here(struct machine *machine)
{
	struct error err = ERROR_INIT;

	memset(machine, 0, sizeof(*machine));
	procfs_set_root(NULL);
	machine->engine = engine_new(&session_records);
	machine->metrics = metrics_offer(machine->engine, NULL, &err);
	assert_int_equal(engine_enable(machine->engine, "PRO", &err), 0);
	add_taker(machine);
	assert_int_equal(engine_start(machine->engine, &err), 0);
	for (int i = 0; i < 3; i++)
		snap(machine);
}

/* Returns the record of a process in a new snapshot. */
static size_t record_of(struct machine *machine, pid_t pid)
{
	struct field_value value;
	size_t at = 0;

	snap(machine);
	while (at < count(machine, "pro") && get(machine, "pro", at, "pid", &value) &&
	       value.number != (uint64_t)pid)
		at++;
	return at;
}

static uint64_t number(struct machine *machine, pid_t pid, const char *item)
{
	struct field_value value;
	size_t at = record_of(machine, pid);

	assert_true(get(machine, "pro", at, item, &value));
	return value.type == FIELD_SIGNED ? (uint64_t)value.integer : value.number;
}

/* What others do to a sleeping process is reported in the next snapshot. */
static void done_by_others(void **state)
{
	const struct sched_param none = { 0 };
	struct machine machine;
	struct child child = begin_child();
	uint64_t time;

	(void)state;
	begin_here(&machine);
	time = number(&machine, child.pid, "run_time");
	assert_true(number(&machine, child.pid, "run_time") == time);
	assert_true(number(&machine, child.pid, "nice") != 7);
	assert_int_equal(setpriority(PRIO_PROCESS, (id_t)child.pid, 19), 0);
	assert_int_equal(number(&machine, child.pid, "nice"), 19);
	assert_int_equal(sched_setscheduler(child.pid, SCHED_BATCH, &none), 0);
	assert_int_equal(number(&machine, child.pid, "policy"), SCHED_BATCH);
	assert_true(number(&machine, child.pid, "group") != (uint64_t)child.pid);
	number(&machine, child.pid, "group");
	assert_int_equal(setpgid(child.pid, child.pid), 0);
	assert_int_equal(number(&machine, child.pid, "group"), (uint64_t)child.pid);
	assert_true(number(&machine, child.pid, "run_time") == time);
	/* Its pages are those of the file. */
	assert_true(number(&machine, child.pid, "resident") >= CHILD_BYTES);
	time = number(&machine, child.pid, "resident");
	assert_int_equal(ftruncate(child.file, 0), 0);
	/* In stat the kernel counts this only approximately. */
	assert_true(number(&machine, child.pid, "resident") <= time - CHILD_BYTES / 4 * 3);
	assert_int_equal(kill(child.pid, SIGSTOP), 0);
	wait_for_state(child.pid, 'T');
	is_text(&machine, "pro", record_of(&machine, child.pid), "state", "T");
	assert_int_equal(kill(child.pid, SIGKILL), 0);
	wait_for_state(child.pid, 'Z');
	is_text(&machine, "pro", record_of(&machine, child.pid), "state", "Z");
	is_text(&machine, "pro", record_of(&machine, child.pid), "state", "Z");
	end_child(&child);
	time = record_of(&machine, child.pid);
	assert_int_equal(time, count(&machine, "pro"));
	end(&machine);
}

/* A process that loses its parent while it sleeps has another one in the next snapshot. */
static void lose_parent(bool at_once)
{
	struct machine machine;
	int pipe_of[2], hold[2];
	pid_t parent, child;

	assert_int_equal(pipe(pipe_of), 0);
	assert_int_equal(pipe(hold), 0);
	parent = fork();
	if (!parent) {
		/* If the test fails, nothing else ends them. */
		alarm(60);
		child = fork();
		alarm(60);
		if (child && write(pipe_of[1], &child, sizeof(child)) < 0)
			_exit(1);
		while (read(hold[0], &parent, 1) < 0)
			continue;
		_exit(0);
	}
	assert_int_equal(read(pipe_of[0], &child, sizeof(child)), sizeof(child));
	wait_for_sleep(child);
	wait_for_sleep(parent);
	begin_here(&machine);
	assert_int_equal(number(&machine, child, "parent"), (uint64_t)parent);
	assert_int_equal(kill(parent, SIGKILL), 0);
	if (at_once) {
		assert_int_equal(waitpid(parent, NULL, 0), parent);
	} else {
		/* It still exists, but is no parent any more. */
		wait_for_state(parent, 'Z');
		assert_int_equal(number(&machine, child, "parent"), (uint64_t)getpid());
		assert_int_equal(waitpid(parent, NULL, 0), parent);
	}
	assert_int_equal(number(&machine, child, "parent"), (uint64_t)getpid());
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	for (int i = 0; i < 2; i++) {
		close(pipe_of[i]);
		close(hold[i]);
	}
	end(&machine);
}

static void left_alone(void **state)
{
	(void)state;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	lose_parent(true);
	lose_parent(false);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

/* Starts a process that monopolizes a processor. Returns -1 if that is not allowed. */
static pid_t begin_hog(const cpu_set_t *processor)
{
	struct sched_param high = { .sched_priority = 10 };
	pid_t hog = fork();

	if (!hog) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (sched_setaffinity(0, sizeof(*processor), processor) < 0 ||
		    sched_setscheduler(0, SCHED_FIFO, &high) < 0)
			_exit(1);
		for (;;)
			continue;
	}
	for (;;) {
		if (sched_getscheduler(hog) == SCHED_FIFO)
			return hog;
		if (waitpid(hog, NULL, WNOHANG) == hog)
			return -1;
		usleep(1000);
	}
}

/* Finds two processors available to this process. Returns false when there is only one. */
static bool two_processors(cpu_set_t *one, cpu_set_t *other)
{
	cpu_set_t all;
	int found = 0;

	CPU_ZERO(one);
	CPU_ZERO(other);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	for (size_t i = 0; i < CPU_SETSIZE && found < 2; i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, found++ ? other : one);
	return found == 2;
}

/* Returns the ns of CPU time of a child, by the kernel's clock. */
static uint64_t clock_of_child(const struct child *child)
{
	struct timespec used;
	clockid_t clock;

	assert_int_equal(clock_getcpuclockid(child->pid, &clock), 0);
	assert_int_equal(clock_gettime(clock, &used), 0);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/*
 * Triggers a child that cannot get its processor. Returns 1 when it is reported
 * ready in one of 11 snapshots, each of which has the CPU time that it had; -1: it
 * is not; 0: it got the processor meanwhile.
 */
static int is_reported_ready(struct machine *machine, const struct child *child, uint64_t time)
{
	uint64_t clock = clock_of_child(child);

	assert_int_equal(write(child->ask, "", 1), 1);
	for (int i = 0; i < 11; i++) {
		struct field_value state, run_time;
		size_t at = record_of(machine, child->pid);

		if (clock_of_child(child) != clock)
			return 0;
		if (!get(machine, "pro", at, "state", &state) ||
		    !get(machine, "pro", at, "run_time", &run_time) || run_time.number != time)
			return -1;
		if (strcmp(strmap_text(engine_strings(machine->engine), (uint32_t)state.number),
			   "R") == 0)
			return 1;
	}
	return -1;
}

/* Waits until a child has had its turn after all. Returns its CPU time as reported. */
static uint64_t answered(struct machine *machine, const struct child *child)
{
	char byte;

	assert_int_equal(read(child->answer, &byte, 1), 1);
	wait_for_sleep(child->pid);
	return number(machine, child->pid, "run_time");
}

/* A process that waits for a processor is reported ready in time, although it has not executed. */
static void waits_for_processor(void **state)
{
	cpu_set_t one, other, before;
	struct machine machine;
	struct child child;
	uint64_t time;
	pid_t hog;
	int ready = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	if (!two_processors(&one, &other)) {
		print_message("there is one processor only\n");
		skip();
	}
	child = begin_child();
	assert_int_equal(sched_setaffinity(child.pid, sizeof(one), &one), 0);
	ask(&child);
	assert_int_equal(sched_setaffinity(0, sizeof(other), &other), 0);
	begin_here(&machine);
	time = number(&machine, child.pid, "run_time");
	hog = begin_hog(&one);
	if (hog < 0) {
		end_child(&child);
		end(&machine);
		print_message("only root may have a processor alone\n");
		skip();
	}
	/*
	 * The kernel runs the child once a second: an attempt that sees this is no wait,
	 * and is repeated.
	 */
	for (int tries = 0; tries < 20 && ready == 0; tries++) {
		ready = is_reported_ready(&machine, &child, time);
		if (ready == 0)
			time = answered(&machine, &child);
	}
	kill(hog, SIGKILL);
	waitpid(hog, NULL, 0);
	sched_setaffinity(0, sizeof(before), &before);
	assert_int_equal(ready, 1);
	end_child(&child);
	end(&machine);
}

/* Reads a small file of an interface. Returns false when it cannot be read. */
static bool read_by_file(const char *interface, const char *name, char *text, size_t size)
{
	char path[PROCFS_PATH_SIZE];
	ssize_t length =
		procfs_read(procfs_path(path, "/sys/class/net/%s/%s", interface, name), text, size);

	if (length > 0)
		text[strcspn(text, "\n")] = '\0';
	return length > 0;
}

/* Reads the columns of an interface in /proc/net/dev. Returns false when it has no line there. */
static bool columns_of(const char *interface, uint64_t columns[LINK_COLUMNS])
{
	struct strbuf text;
	const char *line;
	char *at, start[32];

	strbuf_init(&text);
	assert_int_equal(strbuf_read_file(&text, "/proc/net/dev"), 0);
	snprintf(start, sizeof(start), " %s:", interface);
	line = strstr(text.text, start);
	if (!line) {
		snprintf(start, sizeof(start), "\n%s:", interface);
		line = strstr(text.text, start);
	}
	at = line ? (char *)line + strlen(start) : NULL;
	for (size_t i = 0; at && i < LINK_COLUMNS; i++)
		columns[i] = strtoull(at, &at, 10);
	strbuf_release(&text);
	return line;
}

/* The columns reported by netlink are between those of the file before and after. */
static void columns_printed(void **state)
{
	struct links links = { 0 };
	struct if_nameindex *all = if_nameindex();
	size_t compared = 0;

	(void)state;
	procfs_set_root(NULL);
	links_look(&links);
	if (!links.complete || !all || access("/proc/net/dev", R_OK) < 0) {
		print_message("no netlink, or no /proc/net/dev\n");
		links_release(&links);
		skip();
	}
	assert_true(links.columns);
	for (size_t i = 0; all[i].if_index; i++) {
		uint64_t before[LINK_COLUMNS], after[LINK_COLUMNS];
		const struct link_statistics *link;

		if (!columns_of(all[i].if_name, before))
			continue;
		links_look(&links);
		link = links_find(&links, all[i].if_index);
		if (!link || !columns_of(all[i].if_name, after))
			continue;
		assert_string_equal(link->name, all[i].if_name);
		for (size_t j = 0; j < LINK_COLUMNS; j++) {
			assert_true(link->columns[j] >= before[j]);
			assert_true(link->columns[j] <= after[j]);
			compared++;
		}
	}
	assert_true(compared >= LINK_COLUMNS);
	if_freenameindex(all);
	links_release(&links);
}

/* The data reported by netlink on this machine's interfaces match their files. */
static void interfaces(void **state)
{
	static const char *const names[] = {
		"statistics/rx_crc_errors",
		"statistics/rx_length_errors",
		"statistics/rx_missed_errors",
		"statistics/rx_over_errors",
		"statistics/rx_nohandler",
		"statistics/tx_aborted_errors",
		"statistics/tx_heartbeat_errors",
		"statistics/tx_window_errors",
		"carrier_changes",
		"mtu",
		"tx_queue_len",
		"carrier",
	};
	struct links links = { 0 };
	struct if_nameindex *all = if_nameindex();
	char text[64], expected[32];
	size_t compared = 0;

	(void)state;
	procfs_set_root(NULL);
	_Static_assert(ARRAY_SIZE(names) == LINK_NUMBERS, "a file a number");
	links_look(&links);
	if (!links.complete || !all || access("/sys/class/net/lo", F_OK) < 0) {
		print_message("no netlink, or no /sys\n");
		links_release(&links);
		skip();
	}
	for (size_t i = 0; all[i].if_index; i++) {
		const struct link_statistics *link = links_find(&links, all[i].if_index);

		assert_non_null(link);
		if (read_by_file(all[i].if_name, "operstate", text, sizeof(text)))
			assert_string_equal(link->state, text);
		for (size_t j = 0; j < LINK_NUMBERS; j++) {
			snprintf(expected, sizeof(expected), "%" PRIu64, link->numbers[j]);
			if (read_by_file(all[i].if_name, names[j], text, sizeof(text)))
				assert_string_equal(expected, text);
			else
				assert_true(link->numbers[j] == UINT64_MAX);
			compared++;
		}
	}
	assert_true(compared >= LINK_NUMBERS);
	assert_null(links_find(&links, 1 << 30));
	if_freenameindex(all);
	links_release(&links);
}

/* An interface as reported by the kernel. */
struct answer_link {
	struct nlmsghdr head;
	struct ifinfomsg message;
	struct rtattr mtu;
	uint32_t bytes;
	struct rtattr state;
	uint8_t up, spare[3];
	struct rtattr carrier;
	uint8_t carries, spare2[3];
	struct rtattr called;
	char name[8];
	struct rtattr statistics;
	uint64_t numbers[24];
} __attribute__((packed));

/* The sums of /proc/net/dev (dev_seq_printf_stats) where each member is 1000 plus its number. */
static const uint64_t summed[LINK_COLUMNS] = { 1002, 1000, 1004, 2021, 1014, 4046, 1021, 1008,
					       1003, 1001, 1005, 1007, 1018, 1009, 4072, 1022 };

/* From messages truncated anywhere, at most the interface is taken. */
static void cut_off(struct links *links, struct answer_link *complete)
{
	for (uint32_t length = 0; length < sizeof(*complete); length++) {
		unsigned char *copy = malloc(length ? length : 1);

		complete->head.nlmsg_len = length;
		memcpy(copy, complete, length);
		links->count = 0;
		links_take(links, copy, length);
		assert_true(links->count <= 1);
		free(copy);
	}
}

/* Truncated data are not reported, and nothing is read after the end; an interface may be down. */
static void interfaces_taken(void **state)
{
	struct answer_link complete = {
		.head = { sizeof(complete), RTM_NEWLINK, NLM_F_MULTI, 5, 0 },
		.message = { .ifi_index = 3, .ifi_flags = IFF_UP },
		.mtu = { 8, IFLA_MTU },
		.bytes = 1500,
		.state = { 5, IFLA_OPERSTATE },
		.up = 6,
		.carrier = { 5, 33 },
		.carries = 1,
		.called = { 4 + 5, IFLA_IFNAME },
		.name = "eth9",
		.statistics = { 4 + sizeof(complete.numbers), 23 },
	};
	struct links links = { .kernel.sequence = 5, .columns = true };
	const unsigned char *bytes = (const unsigned char *)&complete;
	const struct link_statistics *link;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(complete.numbers); i++)
		complete.numbers[i] = 1000 + i;
	assert_true(links_take(&links, bytes, sizeof(complete)));
	link = links_find(&links, 3);
	assert_non_null(link);
	assert_true(link->up);
	assert_int_equal(link->numbers[LINK_MTU], 1500);
	assert_int_equal(link->numbers[LINK_CARRIER], 1);
	assert_int_equal(link->numbers[LINK_CRC_ERRORS], 1012);
	assert_int_equal(link->numbers[LINK_NO_HANDLER], 1023);
	assert_true(link->numbers[LINK_SEND_QUEUE] == UINT64_MAX);
	assert_string_equal(link->state, "up");
	assert_string_equal(link->name, "eth9");
	assert_memory_equal(link->columns, summed, sizeof(summed));
	/*
	 * From an older kernel, without the separate counter of packets for which there is
	 * no receiver.
	 */
	complete.statistics.rta_len = 4 + 23 * 8;
	complete.message.ifi_flags = 0;
	complete.up = 77;
	links.count = 0;
	links_take(&links, bytes, sizeof(complete));
	link = links_find(&links, 3);
	assert_int_equal(link->numbers[LINK_WINDOW], 1020);
	assert_true(link->numbers[LINK_NO_HANDLER] == UINT64_MAX);
	assert_true(link->numbers[LINK_CARRIER] == UINT64_MAX);
	assert_null(link->state);
	assert_memory_equal(link->columns, summed, sizeof(summed));
	assert_true(links.columns);
	/* Without all members there are no columns: they are then read from the file. */
	complete.statistics.rta_len = 4 + 22 * 8;
	links.count = 0;
	links_take(&links, bytes, sizeof(complete));
	assert_false(links.columns);
	assert_true(links_find(&links, 3)->columns[0] == UINT64_MAX);
	cut_off(&links, &complete);
	links_release(&links);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks),
		cmocka_unit_test(only_processes),
		cmocka_unit_test(done_by_others),
		cmocka_unit_test(left_alone),
		cmocka_unit_test(waits_for_processor),
		cmocka_unit_test(columns_printed),
		cmocka_unit_test(interfaces),
		cmocka_unit_test(interfaces_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
