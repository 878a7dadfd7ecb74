/* SPDX-License-Identifier: Apache-2.0 */
/*
 * producers FILE SEED PROCESSES: starts PROCESSES processes, a few at a time, and
 * more until there are many, that fork, execute themselves, make threads, take
 * signals, are killed at random moments and end in every way, and call a function
 * all the time. FILE holds the counts of all threads.
 *
 * Prints how many calls were ended, begun, and in progress: a thread that was
 * killed in a call has begun one more than it has ended.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((no_instrument_function))
#define CELLS 200000
#define CHILDREN 6
#define THREADS 6
/* seconds after which no more are started, even if they are few */
#define LONGEST 20

/* The calls of one thread, or of its signal handler. */
struct cell {
	uint64_t begun, ended;
};

struct counts {
	uint64_t next;
	struct cell cells[CELLS];
};

static struct counts *counts;
static char *file, *self;
static volatile long sink;
static struct cell *of_handler;

__attribute__((noinline)) void traced(long number)
{
	sink += number;
}

HIDDEN static struct cell *new_cell(void)
{
	uint64_t number = __atomic_fetch_add(&counts->next, 1, __ATOMIC_RELAXED);

	if (number >= CELLS)
		_exit(99);
	return &counts->cells[number];
}

HIDDEN static void call(struct cell *cell)
{
	__atomic_store_n(&cell->begun, cell->begun + 1, __ATOMIC_SEQ_CST);
	traced(1);
	__atomic_store_n(&cell->ended, cell->ended + 1, __ATOMIC_SEQ_CST);
}

HIDDEN static uint64_t dice(uint64_t *seed, uint64_t sides)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (*seed >> 16) % sides;
}

/* Handles the alarm; only one thread of a process takes it, and never nested. */
HIDDEN static void on_alarm(int number)
{
	(void)number;
	call(of_handler);
}

HIDDEN static void *work(void *argument)
{
	uint64_t seed = (uint64_t)(uintptr_t)argument | 1, bursts = dice(&seed, 20);
	struct cell *cell = new_cell();

	for (uint64_t i = 0; i < bursts; i++) {
		uint64_t calls = dice(&seed, 2000);

		while (calls--)
			call(cell);
		if (dice(&seed, 4) == 0)
			usleep((useconds_t)dice(&seed, 2000));
	}
	if (dice(&seed, 2))
		pthread_exit(NULL);
	return NULL;
}

HIDDEN static void take_alarms(void)
{
	const struct itimerval often = { { 0, 700 }, { 0, 700 } };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };

	of_handler = new_cell();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

/* Runs one process: threads, perhaps a child, an end. */
HIDDEN __attribute__((noreturn)) static void live(uint64_t seed, int depth)
{
	pthread_t threads[THREADS];
	uint64_t count = dice(&seed, THREADS + 1), end;
	sigset_t alarms;
	pid_t child = 0;

	if (dice(&seed, 3) == 0)
		take_alarms();
	/* the first thread is the one that is interrupted */
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	for (uint64_t i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(seed + 77 * i)))
			_exit(98);
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
	if (depth < 2 && dice(&seed, 3) == 0) {
		child = fork();
		if (child == 0) {
			prctl(PR_SET_PDEATHSIG, 0);
			live(seed * 31 + 7, depth + 1);
		}
	}
	work((void *)(uintptr_t)((seed | 1) & ~UINT64_C(2)));
	end = dice(&seed, 5);
	if (end == 0)
		kill(getpid(), SIGKILL);
	for (uint64_t i = 0; i < count && end != 1; i++)
		pthread_join(threads[i], NULL);
	if (child > 0)
		waitpid(child, NULL, 0);
	if (end == 2)
		_exit(3);
	if (end == 3)
		raise(SIGTERM);
	exit(4);
}

HIDDEN static uint64_t now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec;
}

/* Starts a process, by fork or by exec. */
HIDDEN static pid_t begin(uint64_t seed)
{
	char text[32];
	pid_t pid;

	snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
	switch (seed % 4) {
	case 0:
		pid = vfork();
		if (pid == 0) {
			execl(self, self, file, text, "child", (char *)NULL);
			_exit(97);
		}
		return pid;
	case 1:
		pid = fork();
		if (pid == 0) {
			execl(self, self, file, text, "child", (char *)NULL);
			_exit(97);
		}
		return pid;
	default:
		pid = fork();
		if (pid == 0)
			live(seed, 0);
		return pid;
	}
}

/*
 * Returns whether there were more than 20 threads and 10000 calls, however little
 * CPU time they got.
 */
HIDDEN static int are_many(void)
{
	unsigned long long ended = 0;

	for (uint64_t i = 0; i < counts->next && i < CELLS; i++)
		ended += __atomic_load_n(&counts->cells[i].ended, __ATOMIC_SEQ_CST);
	return counts->next > 20 && ended > 10000;
}

HIDDEN static int sum_up(void)
{
	unsigned long long begun = 0, ended = 0;

	for (uint64_t i = 0; i < counts->next && i < CELLS; i++) {
		begun += counts->cells[i].begun;
		ended += counts->cells[i].ended;
	}
	printf("%llu %llu %llu\n", ended, begun, (unsigned long long)counts->next);
	return 0;
}

HIDDEN int main(int argc, char **argv)
{
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, end, wanted, begun = 0;
	int fd = argc > 3 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
	pid_t children[CHILDREN] = { 0 };

	if (fd < 0 || ftruncate(fd, sizeof(*counts)))
		return 2;
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (counts == MAP_FAILED)
		return 2;
	file = argv[1];
	self = argv[0];
	seed = seed * 2654435761 + 1;
	if (strcmp(argv[3], "child") == 0)
		live(seed, 0);
	wanted = strtoull(argv[3], NULL, 10);
	end = now() + LONGEST;
	/* grandchildren whose parent was killed become children of this process */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	while ((begun < wanted || !are_many()) && now() < end) {
		int which = (int)dice(&seed, CHILDREN);

		if (children[which] <= 0) {
			children[which] = begin(seed);
			begun++;
		} else if (waitpid(children[which], NULL, WNOHANG) == children[which]) {
			children[which] = 0;
		} else if (dice(&seed, 8) == 0) {
			kill(children[which], SIGKILL);
		}
		usleep((useconds_t)dice(&seed, 3000));
	}
	while (wait(NULL) > 0)
		;
	return sum_up();
}
