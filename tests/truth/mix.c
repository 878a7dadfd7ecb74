/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mix KIND SECONDS: a program that measures its parts by its own clocks (truth.h).
 *
 *	cpu        ten functions of random weights, blocks of random length
 *	periodic   two functions that take turns each half millisecond
 *	calls-N    as cpu, N ms (2, 20) on average; five of the functions let the kernel work: they
 *	           read, or use new memory
 *	pages      as cpu, 2 ms; four of the functions write to memory that was not used before, and
 *	           call nothing; another one gets that memory
 *	loop       a main loop of 9 ms over a hundred functions
 *	wait-N     waits of N ms (0.2, 1, 5, 50) at four places, nanosleep
 *	sleep      the same of 0.2 to 50 ms
 *	turns      3 and 6 ms, in turn
 *	pipe       the same four places, each waits for a byte of another process
 *	condition  the same, for another thread's signal
 *	fsync      two files, in turn
 *	mixed      CPU time and waits of the same functions, three threads
 *	child-N    children of N ms (1, 5, 50), each in one of four functions
 *	children   the same of 1 to 50 ms
 *	brief      children of 0.3 to 3 ms, two at a time, about half of it in the kernel; one in
 *	           forty has 60 ms
 *	threads    500 threads that never wait, four functions
 *	clients    a server that waits with epoll for the requests of three clients, serves them,
 *	           and answers; the clients wait for answers, and between them
 *	deep       four functions, each below 3000 calls of another one
 *	jit        copies of the code of a function, with their names in /tmp/perf-PID.map
 *	killed     as cpu, until the process is killed: a child writes the truth then
 */
#define _GNU_SOURCE
#include "truth.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FUNCTIONS 100

typedef void work(double ns);
static double turns_a_ns; /* iterations of the loop below per ns, calibrated */

#define SPIN(ns) \
	do { \
		volatile uint64_t turn = 0; \
		for (uint64_t most = (uint64_t)((ns)*turns_a_ns); turn < most;) \
			turn = turn + 1; \
	} while (0)

/* The first part that lets the kernel work, and the first of these that uses memory. */
static int first_call = FUNCTIONS, first_touch = FUNCTIONS;

/* The thread's CPU time, ns; macros, as inlined functions would have rows of their own. */
#define USED(into) \
	do { \
		struct timespec used_; \
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used_); \
		(into) = (double)used_.tv_sec * 1e9 + (double)used_.tv_nsec; \
	} while (0)
/* Has the kernel generate bytes. */
#define READ_ZEROS(ns) \
	do { \
		static char bytes_[65536]; \
		int zero_ = open("/dev/zero", O_RDONLY | O_CLOEXEC); \
		double begun_, at_; \
		USED(begun_); \
		for (at_ = begun_; at_ < begun_ + (ns);) { \
			if (read(zero_, bytes_, sizeof(bytes_)) < 0) \
				_exit(8); \
			USED(at_); \
		} \
		close(zero_); \
		truth_in_kernel(at_ - begun_); \
	} while (0)
/* Uses new memory: the kernel clears its pages. */
#define USE_MEMORY(ns) \
	do { \
		enum { SIZE_ = 1 << 20 }; \
		double begun_, at_; \
		USED(begun_); \
		for (at_ = begun_; at_ < begun_ + (ns);) { \
			char *memory_ = mmap(NULL, SIZE_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, \
					     -1, 0); \
			if (memory_ == MAP_FAILED) \
				_exit(8); \
			for (int byte_ = 0; byte_ < SIZE_; byte_ += 4096) \
				memory_[byte_] = 1; \
			munmap(memory_, SIZE_); \
			USED(at_); \
		} \
		truth_in_kernel(at_ - begun_); \
	} while (0)

/* Memory to be used for the first time, the next page of it, and the part that gets it; later ones use it. */
#define ARENA ((size_t)64 << 20)
static char *arena;
static size_t arena_at = ARENA;
static int arena_part = FUNCTIONS;

#define GET_ARENA() \
	do { \
		if (arena) \
			munmap(arena, ARENA); \
		arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); \
		if (arena == MAP_FAILED) \
			_exit(8); \
		arena_at = 0; \
	} while (0)
/* Writes to as many pages as one a us. */
#define USE_ARENA(ns) \
	do { \
		for (size_t left_ = (size_t)((ns) / 1e3); left_ && arena_at < ARENA; left_--, arena_at += 4096) \
			arena[arena_at] = 1; \
	} while (0)

/* A function that executes this long by itself, or has the kernel execute. */
#define PART(number) \
	__attribute__((noinline, noclone)) static void part_##number(double ns) \
	{ \
		if ((number + 0) == arena_part) \
			GET_ARENA(); \
		else if ((number + 0) > arena_part) \
			USE_ARENA(ns); \
		else if ((number + 0) >= first_touch) \
			USE_MEMORY(ns); \
		else if ((number + 0) >= first_call) \
			READ_ZEROS(ns); \
		else \
			SPIN(ns); \
	}
#define TEN(macro, tens) \
	macro(tens##0) macro(tens##1) macro(tens##2) macro(tens##3) macro(tens##4) macro(tens##5) \
		macro(tens##6) macro(tens##7) macro(tens##8) macro(tens##9)
#define HUNDRED(macro) \
	TEN(macro, ) \
	TEN(macro, 1) TEN(macro, 2) TEN(macro, 3) TEN(macro, 4) TEN(macro, 5) TEN(macro, 6) \
		TEN(macro, 7) TEN(macro, 8) TEN(macro, 9)
HUNDRED(PART)
#define NAME(number) part_##number,
static work *const parts[FUNCTIONS] = { HUNDRED(NAME) };

static double seconds, weights[FUNCTIONS];
static double until;  /* ns */
static double length; /* of each wait or child, ns; 0: random */

static double now(clockid_t id)
{
	struct timespec time;
	clock_gettime(id, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

__attribute__((noinline, noclone)) static void calibrate(void)
{
	double best = 1e18;
	turns_a_ns = 1;
	for (int time = 0; time < 5; time++) {
		double before = now(CLOCK_THREAD_CPUTIME_ID), took;
		SPIN(2e6);
		took = now(CLOCK_THREAD_CPUTIME_ID) - before;
		best = took < best ? took : best;
	}
	turns_a_ns = 2e6 / best;
}

static void execute(int part, double ns)
{
	struct truth_clock clock = truth_begin(TRUTH_CPU);
	parts[part](ns);
	truth_end(&clock, TRUTH_CPU, part);
	if (part < first_call && part < arena_part)
		truth_calculated(ns);
}

static int choose(int count)
{
	double sum = 0, point;
	for (int i = 0; i < count; i++)
		sum += weights[i];
	point = truth_uniform() * sum;
	for (int i = 0; i < count - 1; i++)
		if ((point -= weights[i]) < 0)
			return i;
	return count - 1;
}

static void cpu(void)
{
	while (now(CLOCK_MONOTONIC) < until)
		execute(choose(10), truth_exponential(1e6));
}

static void calls(void)
{
	first_call = 5;
	first_touch = 8;
	while (now(CLOCK_MONOTONIC) < until)
		execute(choose(10), truth_exponential(length));
}

static void pages(void)
{
	arena_part = 5;
	while (now(CLOCK_MONOTONIC) < until) {
		int part = arena_at >= ARENA ? arena_part : choose(10);
		if (part != arena_part || arena_at >= ARENA)
			execute(part, truth_exponential(length));
	}
}

static void periodic(void)
{
	for (int part = 0; now(CLOCK_MONOTONIC) < until; part = !part)
		execute(part, 0.5e6);
}

static void loop(void)
{
	while (now(CLOCK_MONOTONIC) < until)
		for (int part = 0; part < FUNCTIONS; part++)
			execute(part, 90e3);
}

static enum { SLEEP, PIPE, CONDITION, FSYNC, EPOLL } way; /* in which all parts wait */
static int orders[2], answers[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ordered = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static double order;
static int files[2], file;
static char byte;
static int epoll; /* of the server */
static struct epoll_event ready;
static _Thread_local int connection; /* of the client; 0: the thread is the server */

static struct timespec as_time(double ns)
{
	return (struct timespec){ (time_t)(ns / 1e9),
				  (long)(ns - 1e9 * (double)(time_t)(ns / 1e9)) };
}

/* A function that waits this long by itself: it contains the blocking call once for each way. */
#define WAITER(number) \
	__attribute__((noinline, noclone)) static void wait_##number(double ns) \
	{ \
		struct timespec time = as_time(ns); \
		if (way == SLEEP) \
			nanosleep(&time, NULL); \
		else if (way == PIPE && read(answers[0], &byte, 1) != 1) \
			_exit(8); \
		else if (way == FSYNC) \
			fsync(files[file]); \
		else if (way == EPOLL && !connection) \
			epoll_wait(epoll, &ready, 1, -1); \
		else if (way == EPOLL && ns > 0) \
			nanosleep(&time, NULL); \
		else if (way == EPOLL && read(connection, &byte, 1) < 0) \
			_exit(8); \
		while (way == CONDITION && order > 0) \
			pthread_cond_wait(&done, &mutex); \
		__asm__ volatile("" ::: "memory"); \
	}
WAITER(0)
WAITER(1)
WAITER(2)
WAITER(3)
static work *const waiters[] = { wait_0, wait_1, wait_2, wait_3 };

/* Prepares the wait of a part. */
static void prepare(double ns)
{
	if (way == PIPE && write(orders[1], &ns, sizeof(ns)) != sizeof(ns))
		_exit(8);
	if (way == CONDITION) {
		pthread_mutex_lock(&mutex);
		order = ns;
		pthread_cond_signal(&ordered);
	}
}

static void await(int part, double ns)
{
	prepare(ns);
	struct truth_clock clock = truth_begin(TRUTH_WAIT);
	waiters[part](ns);
	truth_end(&clock, TRUTH_WAIT, part);
	if (way == CONDITION)
		pthread_mutex_unlock(&mutex);
}

/* Returns a wait of 0.2 to 50 ms; short and long ones are equally frequent. */
static double some_wait(void)
{
	double steps = truth_uniform() * 5.52; /* ln 250 */
	double ns = 0.2e6;
	if (length > 0)
		return length;
	for (; steps > 1; steps--)
		ns *= 2.718281828;
	return ns * (1 + steps * 1.718281828);
}

static void waits(void)
{
	while (now(CLOCK_MONOTONIC) < until) {
		int part = choose(4);
		await(part, some_wait());
	}
}

static void turns(void)
{
	for (int part = 0; now(CLOCK_MONOTONIC) < until; part = !part)
		await(part, part ? 6e6 : 3e6);
}

static void pipes(void)
{
	double ns;
	if (pipe2(orders, O_CLOEXEC) || pipe2(answers, O_CLOEXEC))
		exit(8);
	if (fork() == 0) {
		close(orders[1]);
		while (read(orders[0], &ns, sizeof(ns)) == sizeof(ns)) {
			struct timespec time = as_time(ns);
			nanosleep(&time, NULL);
			if (write(answers[1], "x", 1) != 1)
				break;
		}
		_exit(0);
	}
	way = PIPE;
	waits();
	close(orders[1]);
	wait(NULL);
}

static void *signaller(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (order == 0)
			pthread_cond_wait(&ordered, &mutex);
		double ns = order;
		if (ns < 0)
			break;
		struct timespec time = as_time(ns);
		pthread_mutex_unlock(&mutex);
		nanosleep(&time, NULL);
		pthread_mutex_lock(&mutex);
		order = 0;
		pthread_cond_signal(&done);
	}
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void conditions(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, signaller, NULL);
	way = CONDITION;
	waits();
	prepare(-1);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
}

static void fsyncs(void)
{
	static char data[65536];
	char name[32];
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "truth-%d.data", i);
		files[i] = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		if (files[i] < 0)
			exit(8);
		unlink(name);
	}
	way = FSYNC;
	for (file = 0; now(CLOCK_MONOTONIC) < until; file = !file) {
		if (pwrite(files[file], data, file ? 4096 : sizeof(data), 0) < 0)
			exit(8);
		await(file, 0);
	}
}

static void *mixer(void *unused)
{
	(void)unused;
	while (now(CLOCK_MONOTONIC) < until)
		if (truth_uniform() < 0.5)
			execute(choose(10), truth_exponential(2e6));
		else
			await(choose(4), some_wait());
	return NULL;
}

static void together(void *body(void *), int count)
{
	pthread_attr_t small;
	pthread_t *threads = calloc((size_t)count, sizeof(*threads));
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], &small, body, NULL))
			exit(8);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

static void mixed(void)
{
	way = SLEEP;
	together(mixer, 3);
}

static void *runnable(void *unused)
{
	(void)unused;
	while (now(CLOCK_MONOTONIC) < until)
		execute(choose(4), truth_exponential(1e6));
	return NULL;
}

static void threads(void)
{
	together(runnable, 500);
}

/* A client: thinks, asks, waits for the answer. */
static void *client(void *argument)
{
	int part;
	connection = *(int *)argument;
	while (now(CLOCK_MONOTONIC) < until) {
		await(1, truth_exponential(4e6));
		part = choose(4);
		if (write(connection, &part, sizeof(part)) < 0)
			_exit(8);
		await(2, 0);
	}
	shutdown(connection, SHUT_WR);
	return NULL;
}

static void clients(void)
{
	enum { CLIENTS = 3 };
	int ends[CLIENTS][2], part;
	pthread_t threads[CLIENTS];
	way = EPOLL;
	epoll = epoll_create1(EPOLL_CLOEXEC);
	for (int i = 0; i < CLIENTS; i++) {
		struct epoll_event event = { .events = EPOLLIN };
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]))
			exit(8);
		event.data.fd = ends[i][0];
		epoll_ctl(epoll, EPOLL_CTL_ADD, ends[i][0], &event);
		pthread_create(&threads[i], NULL, client, &ends[i][1]);
	}
	for (int alive = CLIENTS; alive > 0;) {
		await(0, 0);
		if (read(ready.data.fd, &part, sizeof(part)) == sizeof(part)) {
			execute(part, truth_exponential(0.5e6));
			if (write(ready.data.fd, "x", 1) < 0)
				exit(8);
		} else {
			epoll_ctl(epoll, EPOLL_CTL_DEL, ready.data.fd, NULL);
			alive--;
		}
	}
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(threads[i], NULL);
}

__attribute__((noinline, noclone)) static int descend(int levels, int part)
{
	volatile int below = 0;
	if (levels > 0)
		below = descend(levels - 1, part);
	else
		execute(part, truth_exponential(2e6));
	return below + 1;
}

static void deep(void)
{
	while (now(CLOCK_MONOTONIC) < until)
		descend(3000, choose(4));
}

/* Code that can be copied: it uses nothing but its argument. */
__attribute__((noinline, noclone, aligned(64))) static void copied(uint64_t most)
{
	for (volatile uint64_t turn = 0; turn < most;)
		turn = turn + 1;
}

static void jit(void)
{
	enum { COPIES = 4, SIZE = 64 };
	char name[64];
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	FILE *map = fopen(name, "we");
	if (code == MAP_FAILED || !map)
		exit(8);
	for (int i = 0; i < COPIES; i++) {
		memcpy(code + i * SIZE, (const void *)(uintptr_t)copied, SIZE);
		fprintf(map, "%lx %x part_%d\n", (unsigned long)(code + i * SIZE), SIZE, i);
	}
	fclose(map); /* it stays: who measures reads it when the program has ended */
	while (now(CLOCK_MONOTONIC) < until) {
		int part = choose(COPIES);
		double ns = truth_exponential(1e6);
		struct truth_clock clock = truth_begin(TRUTH_CPU);
		((void (*)(uint64_t))(uintptr_t)(code + part * SIZE))((uint64_t)(ns * turns_a_ns));
		truth_end(&clock, TRUTH_CPU, part);
	}
}

static void killed(void)
{
	int life[2];
	if (pipe(life))
		exit(8);
	if (fork() == 0) {
		close(life[1]);
		if (read(life[0], &byte, 1) == 0)
			truth_write();
		_exit(0);
	}
	cpu();
	_exit(0);
}

static void children(void)
{
	while (now(CLOCK_MONOTONIC) < until) {
		int part = choose(4);
		double ns =
			length > 0 ? length : some_wait() * 5; /* 1 to 250 ms, most of them short */
		if (ns > 50e6)
			ns = 1e6 + truth_uniform() * 4e6;
		pid_t child = fork();
		if (child == 0) {
			execute(part, ns);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

/* Works in the kernel. */
static void ask_kernel(double ns)
{
	READ_ZEROS(ns);
}

static void brief(void)
{
	for (int alive = 0, started = 0; now(CLOCK_MONOTONIC) < until; started++) {
		int part = choose(4);
		double ns = 0.3e6 + truth_uniform() * 2.7e6, kernel = ns * truth_uniform();
		if (started % 40 == 39)
			ns = 60e6;
		if (fork() == 0) {
			execute(part, ns - kernel);
			ask_kernel(kernel);
			_exit(0);
		}
		if (++alive == 2)
			alive -= wait(NULL) > 0;
	}
	while (wait(NULL) > 0)
		;
}

static void sleeps(void)
{
	way = SLEEP;
	waits();
}

static void three_and_six(void)
{
	way = SLEEP;
	turns();
}

static const struct {
	const char *name;
	void (*run)(void);
	double length; /* ms */
} kinds[] = {
	{ "cpu", cpu, 0 },
	{ "calls-2", calls, 2 },
	{ "calls-20", calls, 20 },
	{ "pages", pages, 2 },
	{ "periodic", periodic, 0 },
	{ "loop", loop, 0 },
	{ "wait-0.2", sleeps, 0.2 },
	{ "wait-1", sleeps, 1 },
	{ "wait-5", sleeps, 5 },
	{ "wait-50", sleeps, 50 },
	{ "sleep", sleeps, 0 },
	{ "turns", three_and_six, 0 },
	{ "pipe", pipes, 0 },
	{ "condition", conditions, 0 },
	{ "fsync", fsyncs, 0 },
	{ "mixed", mixed, 0 },
	{ "child-1", children, 1 },
	{ "child-5", children, 5 },
	{ "child-50", children, 50 },
	{ "children", children, 0 },
	{ "brief", brief, 0 },
	{ "threads", threads, 0 },
	{ "clients", clients, 0 },
	{ "deep", deep, 0 },
	{ "jit", jit, 0 },
	{ "killed", killed, 0 },
};

int main(int count, char **arguments)
{
	if (count != 3)
		return 7;
	seconds = atof(arguments[2]);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kinds[i].name, arguments[1]))
			continue;
		truth_init();
		for (int part = 0; part < FUNCTIONS; part++)
			weights[part] = 0.05 + truth_uniform();
		calibrate();
		length = kinds[i].length * 1e6;
		until = now(CLOCK_MONOTONIC) + seconds * 1e9;
		kinds[i].run();
		truth_write();
		return 0;
	}
	return 7;
}
