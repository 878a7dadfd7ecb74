/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a program's own times: truth.h. */
#define _GNU_SOURCE
#include "truth.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static struct sums {
	_Atomic int64_t ns[2][TRUTH_PARTS];
	_Atomic int touched[2][TRUTH_PARTS];
	_Atomic int64_t user, kernel;
} * sums;
static _Thread_local uint64_t random_state;
static _Atomic uint64_t random_streams;

static void fail(const char *what)
{
	perror(what);
	exit(9);
}

void truth_init(void)
{
	sums = mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sums == MAP_FAILED)
		fail("truth: mmap");
}

static int64_t read_clock(clockid_t id)
{
	struct timespec now;
	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Returns how long the thread was ready and did not execute. */
static int64_t ready_time(void)
{
	long long cpu, ready;
	FILE *file = fopen("/proc/thread-self/schedstat", "re");
	if (!file || fscanf(file, "%lld %lld", &cpu, &ready) != 2)
		fail("truth: schedstat");
	fclose(file);
	return ready;
}

struct truth_clock truth_begin(enum truth_kind kind)
{
	struct truth_clock clock = { .ready = kind == TRUTH_WAIT ? ready_time() : 0 };
	clock.elapsed = kind == TRUTH_WAIT ? read_clock(CLOCK_MONOTONIC) : 0;
	clock.cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
	return clock;
}

void truth_end(const struct truth_clock *clock, enum truth_kind kind, int part)
{
	int64_t spent = read_clock(CLOCK_THREAD_CPUTIME_ID) - clock->cpu;
	if (kind == TRUTH_WAIT)
		spent = read_clock(CLOCK_MONOTONIC) - clock->elapsed - spent -
			(ready_time() - clock->ready);
	sums->ns[kind][part] += spent;
	sums->touched[kind][part] = 1;
}

void truth_calculated(double ns)
{
	sums->user += (int64_t)ns;
}

void truth_in_kernel(double ns)
{
	sums->kernel += (int64_t)ns;
}

static int64_t rusage_time(int who)
{
	struct rusage usage;
	getrusage(who, &usage);
	return ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
	       ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

void truth_write(void)
{
	static const char *const kinds[] = { "cpu", "wait" };
	const char *path = getenv("TRUTH_FILE");
	FILE *file = fopen(path ? path : "/dev/stdout", "w");
	int64_t total = rusage_time(RUSAGE_SELF) + rusage_time(RUSAGE_CHILDREN), parts = 0;
	if (!file)
		fail("truth: TRUTH_FILE");
	for (int part = 0; part < TRUTH_PARTS; part++)
		parts += sums->ns[TRUTH_CPU][part];
	for (int kind = 0; kind < 2; kind++)
		for (int part = 0; part < TRUTH_PARTS; part++)
			if (sums->touched[kind][part])
				fprintf(file, "%s %d %lld\n", kinds[kind], part,
					(long long)sums->ns[kind][part]);
	fprintf(file, "total %lld\n", (long long)(total > parts ? total : parts));
	if (sums->user)
		fprintf(file, "user %lld\n", (long long)sums->user);
	if (sums->kernel)
		fprintf(file, "kernel %lld\n", (long long)sums->kernel);
	if (fclose(file))
		fail("truth: write");
}

double truth_uniform(void)
{
	if (!random_state) {
		const char *seed = getenv("TRUTH_SEED");
		random_state = (seed ? strtoull(seed, NULL, 10) : 1) * 0x9e3779b97f4a7c15 +
			       ++random_streams * 0xbf58476d1ce4e5b9 + 1;
	}
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (double)(random_state >> 11) / 9007199254740992.0;
}

double truth_exponential(double mean)
{
	return -mean * log1p(-truth_uniform());
}
