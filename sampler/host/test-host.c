/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the process in which a collector runs: loading, calls, what a collector
 * can ask, and invalid answers.
 */
#include "common/compat.h"
#include "sampler/host/aliases.h"
#include "sampler/host/test-host.h"

#include "common/clock.h"

#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* As in tests/collectors/ask.c. */
enum question {
	ASK_AREA,
	ASK_READ,
	ASK_TEXT,
	ASK_MAPPING,
	ASK_MAPPING_NAMED,
	ASK_SYMBOL,
	ASK_SYMBOL_ADDRESS,
	ASK_ARGUMENT,
	ASK_VARIABLE,
	ASK_MESSAGE,
	ASK_PLACES,
	ASK_OUTCOME,
	ASK_RUBBISH,
};

/* Known values: a child made by fork has them at the same addresses. */
uint64_t known_variable = UINT64_C(0x1122334455667788);
uint64_t known_zero[16];
int known_function(int value);
static const char known_text[] = "the quick brown fox";
static char *pages; /* two pages, of which the second cannot be read */

int __attribute__((noinline)) known_function(int value)
{
	known_zero[0] += (uint64_t)value;
	return value + 1;
}

static struct test_host host;
static pid_t child;

/* In the child: maps another file where the first of the two pages was. */
static void map_anew(int signal_number)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	(void)signal_number;
	if (mmap(pages, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) ==
	    MAP_FAILED)
		abort();
}

/* Starts a process that only exists. */
static pid_t start_child(void)
{
	pid_t pid;

	/* Before the child can be sent it. */
	signal(SIGUSR1, map_anew);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	signal(SIGUSR1, SIG_DFL);
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Starts a host with the collector that asks, and a child to ask about. */
static int set_up(void **state)
{
	long page = sysconf(_SC_PAGESIZE);

	(void)state;
	if (!pages) {
		pages = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memset(pages, 'x', (size_t)page * 2);
		assert_int_equal(mprotect(pages + page, (size_t)page, PROT_NONE), 0);
		assert_int_equal(munmap(pages + page, (size_t)page), 0);
		known_function(1);
	}
	child = start_child();
	host_start(&host);
	assert_true(host_load(&host, "ask", "PARM"));
	assert_string_equal(host.area->answer.error, "");
	host_send_memory(&host, child, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	end_child(child);
	host_end(&host);
	return 0;
}

/* Makes the collector ask a question; the host must answer. */
static const struct call_answer *ask(enum question question, uint64_t first, uint64_t second,
				     const char *module, const char *transaction)
{
	struct call_request *request = &host.area->request;

	if (request->kind != CALL_TASK)
		host_task(&host, child);
	request->registers[0] = question;
	request->registers[1] = first;
	request->registers[2] = second;
	request->module_known = module != NULL;
	request->transaction_known = transaction != NULL;
	snprintf(request->module, sizeof(request->module), "%s", module ? module : "");
	snprintf(request->transaction, sizeof(request->transaction), "%s",
		 transaction ? transaction : "");
	/* What is not changed is not answered. */
	host.area->answer.base = host.area->answer.size = 0;
	assert_true(host_call(&host));
	return &host.area->answer;
}

static void test_load(void **state)
{
	const struct call_answer *answer = &host.area->answer;

	(void)state;
	assert_string_equal(answer->name, "STRBASK");
	assert_string_equal(answer->generation, "G-01");
	assert_int_equal(answer->collector_flags, VIGIL_HOLD);
	assert_int_equal(answer->pseudo_section_count, 2);
	assert_string_equal(answer->pseudo_sections[0].section, ".TESTLIB");
	assert_string_equal(answer->pseudo_sections[0].prefix, "ABC");
	assert_string_equal(answer->pseudo_sections[1].section, ".TESTLIB");
	assert_string_equal(answer->pseudo_sections[1].prefix, "DEFGH");
	assert_memory_equal(answer->programs, "MYPROG\0OUR*\0*****\0", 19);
}

/* Checks the error of loading a faulty object. */
static void expect_fault(const char *name, const char *cause)
{
	struct test_host other;

	host_start(&other);
	assert_true(host_load(&other, name, ""));
	if (!strstr(other.area->answer.error, cause))
		fail_msg("fault %s: \"%s\" is not in \"%s\"", name, cause,
			 other.area->answer.error);
	host_end(&other);
}

static void test_faults(void **state)
{
	static const struct {
		const char *name, *cause;
	} faults[] = {
		{ "no-such-object", "cannot be loaded" },
		{ "fault-nothing", "has no symbol vigil_collector" },
		{ "fault-identifier", "identifier is not \"VIGIL COLLECTOR \"" },
		{ "fault-version", "version 4 of <vigil/collector.h>" },
		{ "fault-name", "its name is \"MYOWN\"" },
		{ "fault-short_prefix", "prefix \"AB\" of entry 2 (.SECTION)" },
		{ "fault-no_section", "entry 1 of its pseudo-section table has no section name" },
		{ "fault-many_sections", "more than 25 entries" },
		{ "fault-wild_sections", "entry 1 of its pseudo-section table points nowhere" },
		{ "fault-wild_programs", "list of programs points nowhere" },
		{ "fault-many_programs", "list of programs is longer" },
		{ "fault-no_entry", "no entry point" },
		{ "fault-unresolved", "nobody_has_this" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		expect_fault(faults[i].name, faults[i].cause);
}

static void test_full_table(void **state)
{
	struct test_host other;

	(void)state;
	host_start(&other);
	assert_true(host_load(&other, "fault-full_sections", ""));
	assert_string_equal(other.area->answer.error, "");
	assert_int_equal(other.area->answer.pseudo_section_count, 25);
	host_end(&other);
}

static void test_crash_while_loading(void **state)
{
	struct test_host other;

	(void)state;
	host_start(&other);
	assert_false(host_load(&other, "fault-crash", ""));
	assert_int_equal(other.area->phase, CALL_LOADING);
	host_stop(&other);
	assert_true(WIFSIGNALED(other.status));
	assert_int_equal(WTERMSIG(other.status), SIGSEGV);
}

static void test_ends_with_the_sampler(void **state)
{
	struct test_host other;

	(void)state;
	host_start(&other);
	assert_true(host_load(&other, "ask", ""));
	host_stop(&other);
	assert_true(WIFEXITED(other.status));
	assert_int_equal(WEXITSTATUS(other.status), 0);
}

static void test_initial_area(void **state)
{
	struct call_request *request = &host.area->request;

	(void)state;
	for (int call = 0; call < 2; call++) {
		char expected[512];

		snprintf(expected, sizeof(expected),
			 "module none transaction none id none places 0/0 level 0 anchor %d work 0 "
			 "parameter PARM program MYPROG state 1 flags 0 frames 0 stack 0 version 3",
			 call);
		assert_string_equal(ask(ASK_AREA, 0, 0, NULL, NULL)->id, expected);
		assert_int_equal(host.area->answer.module_named, 0);
		assert_int_equal(host.area->answer.transaction_state, CALL_UNCHANGED);
		assert_int_equal(host.area->answer.read_time, 0);
	}
	request->frame_count = 3;
	request->stack_size = 16;
	assert_string_equal(
		ask(ASK_AREA, 0, 0, "MODULE", "TRANS")->id,
		"module MODULE transaction TRANS id none places 0/0 level 0 anchor 2 work 0 "
		"parameter PARM program MYPROG state 1 flags 0 frames 3 stack 16 version 3");
}

static void test_read(void **state)
{
	uint64_t before = clock_monotonic_ns();
	const struct call_answer *answer = ask(ASK_READ, (uintptr_t)&known_variable, 8, NULL, NULL);

	(void)state;
	assert_int_equal(answer->base, 8);
	assert_int_equal(answer->size, known_variable);
	assert_in_range(answer->read_time, before, clock_monotonic_ns());
}

static void test_read_nowhere(void **state)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = (uintptr_t)pages + page;

	(void)state;
	assert_int_equal(ask(ASK_READ, 0, 8, NULL, NULL)->base, 0);
	assert_int_equal(ask(ASK_READ, 4096, 8, NULL, NULL)->base, 0);
	assert_int_equal(ask(ASK_READ, UINT64_MAX - 3, 8, NULL, NULL)->base, 0);
	assert_int_equal(ask(ASK_READ, UINT64_C(1) << 63, 8, NULL, NULL)->base, 0);
	assert_int_equal(ask(ASK_READ, UINT64_C(0xffffffff81000000), 8, NULL, NULL)->base, 0);
	/* Up to the end of what is mapped. */
	assert_int_equal(ask(ASK_READ, end - 5, 8, NULL, NULL)->base, 5);
	assert_int_equal(ask(ASK_READ, end, 8, NULL, NULL)->base, 0);
}

static void test_read_stack(void **state)
{
	struct call_request *request = &host.area->request;

	(void)state;
	host_task(&host, child);
	/* Captured bytes take precedence over current memory, at their position within a read. */
	request->stack_address = (uintptr_t)&known_variable + 2;
	request->stack_size = 4;
	memcpy(request->stack, "\xaa\xbb\xcc\xdd", 4);
	assert_int_equal(ask(ASK_READ, (uintptr_t)&known_variable, 8, NULL, NULL)->base, 8);
	assert_int_equal(host.area->answer.size, UINT64_C(0x1122ddccbbaa7788));
	/* A stack that is read from the capture alone needs no memory. */
	request->stack_address = 4096;
	memcpy(request->stack, "STACK", 6);
	request->stack_size = 6;
	assert_string_equal(ask(ASK_TEXT, 4096, 100, NULL, NULL)->id, "STACK");
	assert_int_equal(host.area->answer.read_time, 0);
	assert_int_equal(ask(ASK_READ, 4096, 8, NULL, NULL)->base, 6);
}

static void test_text(void **state)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = (uintptr_t)pages + page;

	(void)state;
	assert_string_equal(ask(ASK_TEXT, (uintptr_t)known_text, 100, NULL, NULL)->id, known_text);
	assert_int_equal(host.area->answer.base, strlen(known_text));
	assert_string_equal(ask(ASK_TEXT, (uintptr_t)known_text, 10, NULL, NULL)->id, "the quick");
	assert_int_equal(host.area->answer.base, 9);
	/*
	 * A text that continues into unmapped memory is invalid, unless that is beyond the
	 * requested part.
	 */
	assert_int_equal((int64_t)ask(ASK_TEXT, end - 20, 100, NULL, NULL)->base, -1);
	assert_string_equal(host.area->answer.id, "");
	assert_string_equal(ask(ASK_TEXT, end - 20, 11, NULL, NULL)->id, "xxxxxxxxxx");
	assert_int_equal((int64_t)ask(ASK_TEXT, 0, 100, NULL, NULL)->base, -1);
}

/* Prints the child's mapping at address as ask.c does, from the file itself. */
static void oracle_mapping(uint64_t address, char *text, size_t size)
{
	char path[64], line[1024], rest[512];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)child);
	maps = fopen(path, "r");
	assert_non_null(maps);
	text[0] = '\0';
	while (fgets(line, sizeof(line), maps)) {
		unsigned long start, end, offset;
		char rights[8];

		rest[0] = '\0';
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %511[^\n]", &start, &end, rights, &offset,
			   rest) >= 4 &&
		    address >= start && address < end)
			snprintf(text, size, "%lx-%lx %lx %x %s", start, end, offset,
				 (rights[0] == 'r' ? PROT_READ : 0U) |
					 (rights[1] == 'w' ? PROT_WRITE : 0U) |
					 (rights[2] == 'x' ? PROT_EXEC : 0U),
				 rest);
	}
	fclose(maps);
}

static void test_mapping(void **state)
{
	uint64_t addresses[] = { (uintptr_t)known_function, (uintptr_t)&known_variable,
				 (uintptr_t)known_text, (uintptr_t)pages, (uintptr_t)malloc };
	char expected[1024];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
		oracle_mapping(addresses[i], expected, sizeof(expected));
		assert_string_not_equal(expected, "");
		assert_string_equal(ask(ASK_MAPPING, addresses[i], 0, NULL, NULL)->id, expected);
	}
	assert_int_equal((int64_t)ask(ASK_MAPPING, 16, 0, NULL, NULL)->base, -1);
	assert_true(strstr(ask(ASK_MAPPING_NAMED, 0, 0, "libc.so*", NULL)->id, "/libc.so") != NULL);
	assert_int_equal((int64_t)ask(ASK_MAPPING_NAMED, 0, 0, "no-such*", NULL)->base, -1);
}

/* Maps another file in the child where the first page was; expected: its mapping then. */
static void replace_mapping(char *expected, size_t size)
{
	char before[1024];

	oracle_mapping((uintptr_t)pages, before, sizeof(before));
	assert_string_equal(ask(ASK_MAPPING, (uintptr_t)pages, 0, NULL, NULL)->id, before);
	assert_int_equal(kill(child, SIGUSR1), 0);
	do {
		usleep(1000);
		oracle_mapping((uintptr_t)pages, expected, size);
	} while (strcmp(expected, before) == 0);
}

/* An address in a replaced mapping is not looked up in an old map forever. */
static void test_mapping_replaced(void **state)
{
	char expected[1024];

	(void)state;
	replace_mapping(expected, sizeof(expected));
	usleep(700000);
	assert_string_equal(ask(ASK_MAPPING, (uintptr_t)pages, 0, NULL, NULL)->id, expected);
}

/* A map that was read before other code was mapped is not used afterwards. */
static void test_code_replaced(void **state)
{
	char expected[1024];

	(void)state;
	replace_mapping(expected, sizeof(expected));
	host.area->request.mapped++;
	assert_string_equal(ask(ASK_MAPPING, (uintptr_t)pages, 0, NULL, NULL)->id, expected);
}

static void test_symbol(void **state)
{
	const struct call_answer *answer;
	char expected[256];

	(void)state;
	answer = ask(ASK_SYMBOL, (uintptr_t)known_function + 2, 0, NULL, NULL);
	snprintf(expected, sizeof(expected), "known_function %lx /",
		 (unsigned long)(uintptr_t)known_function);
	assert_memory_equal(answer->id, expected, strlen(expected));
	assert_true(answer->size > 2 && answer->size < 4096);
	answer = ask(ASK_SYMBOL, (uintptr_t)&known_variable + 1, 0, NULL, NULL);
	assert_memory_equal(answer->id, "known_variable ", 15);
	assert_int_equal(answer->size, sizeof(known_variable));
	/* Zero-initialized memory, where nothing of the file is mapped. */
	answer = ask(ASK_SYMBOL, (uintptr_t)&known_zero[5], 0, NULL, NULL);
	assert_memory_equal(answer->id, "known_zero ", 11);
	assert_int_equal(answer->size, sizeof(known_zero));
	assert_int_equal((int64_t)ask(ASK_SYMBOL, (uintptr_t)pages, 0, NULL, NULL)->base, -1);
	assert_int_equal((int64_t)ask(ASK_SYMBOL, 16, 0, NULL, NULL)->base, -1);
}

static void test_symbol_address(void **state)
{
	(void)state;
	assert_int_equal(ask(ASK_SYMBOL_ADDRESS, 0, 0, NULL, "known_zero")->base,
			 (uintptr_t)known_zero);
	assert_int_equal(ask(ASK_SYMBOL_ADDRESS, 0, 0, "*test-host", "known_function")->base,
			 (uintptr_t)known_function);
	assert_int_equal(ask(ASK_SYMBOL_ADDRESS, 0, 0, "libc.so*", "getpid")->base,
			 (uintptr_t)getpid);
	assert_int_equal(ask(ASK_SYMBOL_ADDRESS, 0, 0, "libc.so*", "known_zero")->base, 0);
	assert_int_equal(ask(ASK_SYMBOL_ADDRESS, 0, 0, "no-such*", "getpid")->base, 0);
	assert_int_equal(ask(ASK_SYMBOL_ADDRESS, 0, 0, NULL, "no_such_symbol")->base, 0);
}

/* Starts a process with specific arguments and environment. */
static pid_t start_sleep(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		static char *arguments[] = { "sleep", "1000", NULL };
		static char *variables[] = { "EMPTY=", "COLOUR=green", "COLOURS=many", NULL };

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execve("/bin/sleep", arguments, variables);
		_exit(127);
	}
	return pid;
}

/* Returns whether a file of /proc about a process begins with a text. */
static bool begins(pid_t pid, const char *name, const char *text)
{
	char path[64], line[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	file = fopen(path, "r");
	assert_non_null(file);
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return strncmp(line, text, strlen(text)) == 0;
}

/*
 * Waits until the process executes another file than this, and its arguments can
 * be read: the kernel sets comm early in an exec and the place of the arguments a
 * moment later.
 */
static void wait_exec(pid_t pid)
{
	while (!begins(pid, "comm", "sleep\n") || !begins(pid, "cmdline", "sleep") ||
	       !begins(pid, "environ", "EMPTY="))
		sched_yield();
}

static void test_arguments(void **state)
{
	pid_t sleeper = start_sleep();

	(void)state;
	wait_exec(sleeper);
	host_task(&host, sleeper);
	host_send_memory(&host, sleeper, 1);
	assert_string_equal(ask(ASK_ARGUMENT, 0, 0, NULL, NULL)->id, "sleep");
	assert_string_equal(ask(ASK_ARGUMENT, 1, 0, NULL, NULL)->id, "1000");
	assert_string_equal(ask(ASK_ARGUMENT, 2, 0, NULL, NULL)->id, "(none)");
	assert_string_equal(ask(ASK_ARGUMENT, UINT64_MAX, 0, NULL, NULL)->id, "(none)");
	assert_string_equal(ask(ASK_VARIABLE, 0, 0, NULL, "COLOUR")->id, "green");
	assert_string_equal(ask(ASK_VARIABLE, 0, 0, NULL, "COLOURS")->id, "many");
	assert_string_equal(ask(ASK_VARIABLE, 0, 0, NULL, "EMPTY")->id, "");
	assert_string_equal(ask(ASK_VARIABLE, 0, 0, NULL, "COLOU")->id, "(none)");
	end_child(sleeper);
}

static void test_exec(void **state)
{
	(void)state;
	/*
	 * The memory from before the exec is gone; that of the new program needs the new
	 * generation.
	 */
	assert_int_equal(ask(ASK_READ, (uintptr_t)&known_variable, 8, NULL, NULL)->base, 8);
	assert_int_equal(ask(ASK_SYMBOL_ADDRESS, 0, 0, NULL, "known_zero")->base,
			 (uintptr_t)known_zero);
	end_child(child);
	child = start_sleep();
	wait_exec(child);
	host_task(&host, child);
	host.area->request.generation = 2;
	host_send_memory(&host, child, 2);
	assert_int_equal(ask(ASK_SYMBOL_ADDRESS, 0, 0, NULL, "known_zero")->base, 0);
	assert_true(strstr(ask(ASK_MAPPING_NAMED, 0, 0, "*sleep*", NULL)->id, "sleep") ||
		    strstr(host.area->answer.id, "coreutils"));
}

static void test_exit(void **state)
{
	(void)state;
	host_task(&host, child);
	assert_int_equal(ask(ASK_READ, (uintptr_t)&known_variable, 8, NULL, NULL)->base, 8);
	assert_int_equal(host.area->answer.asked, CALL_ASKED);
	assert_int_equal(ask(ASK_READ, 8, 8, NULL, NULL)->base, 0); /* nothing is there */
	assert_int_equal(host.area->answer.asked, CALL_ASKED);
	end_child(child);
	assert_int_equal(ask(ASK_READ, (uintptr_t)&known_variable, 8, NULL, NULL)->base, 0);
	assert_int_equal(host.area->answer.asked, CALL_ASKED | CALL_GONE);
	assert_int_equal((int64_t)ask(ASK_TEXT, (uintptr_t)known_text, 10, NULL, NULL)->base, -1);
	assert_string_equal(ask(ASK_VARIABLE, 0, 0, NULL, "PATH")->id, "(none)");
	assert_string_equal(ask(ASK_ARGUMENT, 0, 0, NULL, NULL)->id, "(none)");
	assert_int_equal((int64_t)ask(ASK_MAPPING_NAMED, 0, 0, "libc*", NULL)->base, -1);
	host.area->request.kind = CALL_FORGET;
	assert_true(host_call(&host));
	child = start_child();
}

/* Thousands of processes come and go; the first one stays known. */
static void test_many_processes(void **state)
{
	char path[64];

	(void)state;
	for (int i = 0; i < 3000; i++) {
		host_task(&host, child);
		host.area->request.pid = 1000000 + i;
		host_send_memory(&host, child, 1);
		ask(ASK_AREA, 0, 0, NULL, NULL);
		if (i % 500 == 0) {
			host_task(&host, child);
			assert_int_equal(
				ask(ASK_READ, (uintptr_t)&known_variable, 8, NULL, NULL)->base, 8);
		}
	}
	snprintf(path, sizeof(path), "/proc/%d/fd/1500", (int)host.pid);
	assert_int_equal(access(path, F_OK), -1);
}

static void test_messages(void **state)
{
	(void)state;
	/* One per answer, each once, eight in total. */
	assert_string_equal(ask(ASK_MESSAGE, 3, 0, NULL, NULL)->message, "message 1");
	assert_string_equal(ask(ASK_MESSAGE, 3, 0, NULL, NULL)->message, "message 2");
	assert_string_equal(ask(ASK_MESSAGE, 20, 0, NULL, NULL)->message, "message 3");
	for (int i = 4; i <= 8; i++) {
		char expected[16];

		snprintf(expected, sizeof(expected), "message %d", i);
		assert_string_equal(ask(ASK_AREA, 0, 0, NULL, NULL)->message, expected);
	}
	assert_string_equal(ask(ASK_MESSAGE, 20, 0, NULL, NULL)->message, "");
}

static void test_places(void **state)
{
	const struct call_answer *answer = ask(ASK_PLACES, 3, 50, "MODULE", NULL);

	(void)state;
	assert_int_equal(answer->outcome, VIGIL_DONE);
	assert_int_equal(answer->module_named, 1);
	assert_string_equal(answer->module, "MODULE");
	assert_int_equal(answer->place_count, 3);
	assert_int_equal(answer->level, 1);
	assert_int_equal(answer->places[0].module, 0);
	assert_string_equal(answer->texts + answer->places[0].section, "SECTION");
	assert_string_equal(answer->texts + answer->places[2].module, "OUTER");
	assert_string_equal(answer->texts + answer->places[2].procedure, "PROCEDURE-2");
	assert_int_equal(strlen(answer->texts + answer->places[2].file), 50);
	assert_int_equal(answer->places[2].line, 10);
	/* At most as many as there is space for; the outer ones are cut off. */
	answer = ask(ASK_PLACES, 100, 50, "MODULE", NULL);
	assert_int_equal(answer->place_count, VIGIL_PLACES_MAX);
	assert_string_equal(answer->texts + answer->places[63].procedure, "PROCEDURE-63");
	assert_true(answer->truncated);
	assert_false(ask(ASK_PLACES, 64, 50, "MODULE", NULL)->truncated);
}

static void test_outcomes(void **state)
{
	(void)state;
	assert_int_equal(ask(ASK_OUTCOME, VIGIL_NOT_MINE, 0, NULL, NULL)->outcome, VIGIL_NOT_MINE);
	assert_int_equal(ask(ASK_OUTCOME, VIGIL_TORN, 0, NULL, NULL)->outcome, VIGIL_TORN);
	assert_int_equal(ask(ASK_OUTCOME, 77, 0, NULL, NULL)->outcome, CALL_RUBBISH);
	assert_int_equal(ask(ASK_OUTCOME, UINT32_MAX, 0, NULL, NULL)->outcome, CALL_RUBBISH);
	assert_int_equal(ask(ASK_OUTCOME, VIGIL_DONE, 0, NULL, NULL)->outcome, VIGIL_DONE);
}

/* An invalid address in each pointer of the area; the host survives. */
static void test_rubbish(void **state)
{
	static const uint64_t nowhere[] = {
		1, 16, 4097, UINT64_C(0x7ffffffff000), UINT64_C(1) << 63, UINT64_MAX
	};

	(void)state;
	for (uint64_t pointer = 0; pointer <= 4; pointer++)
		for (size_t i = 0; i < ARRAY_SIZE(nowhere); i++)
			assert_int_equal(
				ask(ASK_RUBBISH, pointer, nowhere[i], "MODULE", NULL)->outcome,
				CALL_RUBBISH);
	assert_int_equal(ask(ASK_PLACES, 3, 50, "MODULE", NULL)->outcome, VIGIL_DONE);
	assert_int_equal(host.area->answer.place_count, 3);
	/* More text than the answer has space for: the outer places are cut off. */
	assert_int_equal(ask(ASK_PLACES, 64, 8000, "MODULE", NULL)->outcome, VIGIL_DONE);
	assert_in_range(host.area->answer.place_count, 3, 4);
	assert_true(host.area->answer.truncated);
	assert_int_equal(ask(ASK_PLACES, 2, 8000, "MODULE", NULL)->place_count, 2);
	assert_false(host.area->answer.truncated);
}

static void test_aliases(void **state)
{
	const char *build = getenv("VIGIL_BUILD");
	struct strbuf list = STRBUF_INIT;
	struct error err = ERROR_INIT;
	char path[PATH_MAX];

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/collectors/ask.so", build ? build : ".");
	assert_int_equal(collector_aliases(path, &list, &err), 0);
	assert_string_equal(list.text, "OURP YOUR");
	strbuf_reset(&list);
	/* An object that crashes when it is loaded is only read. */
	snprintf(path, sizeof(path), "%s/tests/collectors/fault-crash.so", build ? build : ".");
	assert_int_equal(collector_aliases(path, &list, &err), 0);
	assert_string_equal(list.text, "");
	assert_int_equal(collector_aliases("/etc/passwd", &list, &err), -1);
	assert_string_equal(error_text(&err), "/etc/passwd is not a shared object");
	assert_int_equal(collector_aliases("/no/such/object", &list, &err), -1);
	strbuf_release(&list);
	error_release(&err);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_load),
		TEST(test_faults),
		TEST(test_full_table),
		TEST(test_crash_while_loading),
		TEST(test_ends_with_the_sampler),
		TEST(test_initial_area),
		TEST(test_read),
		TEST(test_read_nowhere),
		TEST(test_read_stack),
		TEST(test_text),
		TEST(test_mapping),
		TEST(test_mapping_replaced),
		TEST(test_code_replaced),
		TEST(test_symbol),
		TEST(test_symbol_address),
		TEST(test_arguments),
		TEST(test_exec),
		TEST(test_exit),
		TEST(test_many_processes),
		TEST(test_messages),
		TEST(test_places),
		TEST(test_outcomes),
		TEST(test_rubbish),
		TEST(test_aliases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
