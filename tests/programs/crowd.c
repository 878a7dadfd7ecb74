/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crowd TASKS MILLISECONDS: TASKS threads that are always running or ready, until
 * the process has used this much CPU time. Each does twice as much work in often()
 * as in seldom(), in turns of some ten microseconds.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static uint64_t until;

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#define WORK(name) \
	__attribute__((noinline)) void name(int turns) \
	{ \
		volatile uint64_t sink = 0; \
		for (int i = 0; i < turns; i++) \
			sink = sink + (uint64_t)i * (uint64_t)i; \
	}
void often(int turns);
void seldom(int turns);
WORK(often)
WORK(seldom)

static void *work(void *unused)
{
	(void)unused;
	while (cpu_ns() < until)
		for (int i = 0; i < 10; i++) {
			often(20000);
			seldom(10000);
		}
	return NULL;
}

int main(int count, char **arguments)
{
	int tasks = count > 1 ? atoi(arguments[1]) : 500;
	pthread_t *threads = calloc((size_t)tasks, sizeof(*threads));
	pthread_attr_t small;

	until = (uint64_t)(count > 2 ? atoi(arguments[2]) : 2000) * 1000000u;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < tasks; i++)
		if (pthread_create(&threads[i], &small, work, NULL))
			return 8;
	for (int i = 0; i < tasks; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
