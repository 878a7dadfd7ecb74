/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tallied WHAT [N]: functions that begin and end a known number of times, with
 * everything between them that the sums of a thread must not mix up. Linked with
 * libvigil.
 */
#include "vigil/vigil.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PLAIN __attribute__((noinline))
#define HIDDEN __attribute__((noinline, no_instrument_function))

static volatile long sink;
static const char *self;

PLAIN static void leaf(long number)
{
	sink = sink + number;
}

PLAIN static void calls(long count)
{
	for (long i = 0; i < count; i++)
		leaf(i);
	sink = sink + 1;
}

/* More pairs of a function and its caller than a thread has room for. */
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
#define ONE(n) PLAIN static void called##n(void) { sink = sink + 1; }
HUNDRED(1)
#undef ONE
#define ONE(n) called##n,
static void (*const all_called[])(void) = { HUNDRED(1) };
#undef ONE
#define ONE(n) PLAIN static void calling##n(void) { for (int i = 0; i < 100; i++) all_called[i](); sink = sink + 1; }
HUNDRED(1)
#undef ONE
#define ONE(n) calling##n,
static void (*const all_calling[])(void) = { HUNDRED(1) };

PLAIN static void many(long count)
{
	for (long i = 0; i < count; i++)
		for (int j = 0; j < 100; j++)
			all_calling[j]();
}

PLAIN static long deep(long depth)
{
	return depth ? deep(depth - 1) + 1 : 0;
}

/* Deeper than what is noted of a thread. */
PLAIN static void depths(long depth)
{
	for (int i = 0; i < 3; i++)
		sink = sink + deep(depth);
}

PLAIN static void units(long count)
{
	for (long i = 0; i < count; i++) {
		vigil_transaction(i % 2 ? "ODD" : "EVEN");
		calls(i % 7);
	}
	vigil_transaction("");
}

PLAIN static void pauses(long count)
{
	for (long i = 0; i < count; i++) {
		calls(2);
		vigil_pause();
		calls(3);
		vigil_start();
		leaf(i);
	}
}

/* A pause begins and ends at different depths. */
PLAIN static void pauses_inside(long count)
{
	calls(1);
	vigil_pause();
	calls(1);
	if (count > 1)
		pauses_inside(count - 1);
	vigil_start();
	calls(2);
}

PLAIN static void notes(long count)
{
	for (long i = 0; i < count; i++) {
		calls(i % 3);
		vigil_event((int)i, "between");
		leaf(i);
	}
}

PLAIN static void forks(long count)
{
	for (long i = 0; i < count; i++) {
		pid_t child = fork();

		calls(2);
		if (!child) {
			if (i % 3 == 1)
				kill(getpid(), SIGKILL);
			if (i % 3)
				_exit(0);
			return;
		}
		waitpid(child, NULL, 0);
	}
}

PLAIN static void *thread(void *count)
{
	calls((long)count);
	return NULL;
}

PLAIN static void threads(long count)
{
	pthread_t ids[300];

	for (int i = 0; i < 300; i++)
		pthread_create(&ids[i], NULL, thread, (void *)count);
	for (int i = 0; i < 300; i++)
		pthread_join(ids[i], NULL);
}

PLAIN static void rests(long count)
{
	for (long i = 0; i < count; i++) {
		calls(3);
		nanosleep(&(struct timespec){ 0, 300000 }, NULL);
		leaf(i);
	}
}

PLAIN static void executes(long count)
{
	struct itimerval none = { { 0, 0 }, { 0, 0 } };
	char number[24];

	calls(count);
	/* The timer of -pg outlives the handler of its signal. */
	setitimer(ITIMER_PROF, &none, NULL);
	snprintf(number, sizeof(number), "%ld", count);
	execl(self, self, "calls", number, (char *)NULL);
}

static const struct {
	const char *name;
	void (*function)(long);
} ways[] = { { "calls", calls },  { "many", many },   { "depths", depths }, { "units", units },
	     { "pauses", pauses }, { "inside", pauses_inside }, { "notes", notes }, { "forks", forks },
	     { "threads", threads }, { "rests", rests }, { "executes", executes } };

int main(int argc, char **argv)
{
	self = argv[0];
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (argc > 1 && strcmp(argv[1], ways[i].name) == 0)
			ways[i].function(argc > 2 ? atol(argv[2]) : 100);
	return 0;
}
