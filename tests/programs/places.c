/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits at places that take turns, each timed by the program itself:
 *   places rest MS US1 US2        rests in first() and in second()
 *   places sync N US FILE1 FILE2  writes and fsyncs one file in first(), the other in second(),
 *                                 and rests for US in between()
 * Prints for each of the two: waits (calls with a voluntary switch), the number of
 * voluntary switches in them, and microseconds.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static struct place {
	long waits, leavings;
	uint64_t us;
} places[2];

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static long leavings_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/* Begins and ends the timing of a wait. */
static struct place begin_wait(void)
{
	return (struct place){ .leavings = leavings_so_far(), .us = now_us() };
}

static void end_wait(struct place *place, struct place begun)
{
	long left = leavings_so_far() - begun.leavings;

	place->us += now_us() - begun.us;
	place->waits += left > 0;
	place->leavings += left;
}

/* Rests, or makes a file durable if there is one. */
#define PLACE(name, number) \
	void name(long us, int fd); \
	__attribute__((noinline, noclone)) void name(long us, int fd) \
	{ \
		struct timespec rest = { us / 1000000, us % 1000000 * 1000 }; \
		struct place begun = begin_wait(); \
		if (fd < 0) \
			nanosleep(&rest, NULL); \
		else if (fsync(fd) < 0) \
			exit(1); \
		end_wait(&places[number], begun); \
	}
PLACE(first, 0)
PLACE(second, 1)

void between(long us);
__attribute__((noinline, noclone)) void between(long us)
{
	struct timespec rest = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&rest, NULL);
	__asm__ volatile("");
}

static int create(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);

	if (fd < 0)
		exit(1);
	return fd;
}

/* more for the first than for the second */
static void put(int fd, size_t size)
{
	static char block[1 << 16];

	if (write(fd, block, size) != (ssize_t)size)
		exit(1);
}

int main(int count, char **arguments)
{
	if (count < 5)
		return 2;
	/* avoid page faults from here on, as far as locking memory is permitted */
	(void)!mlockall(MCL_CURRENT | MCL_FUTURE);
	if (strcmp(arguments[1], "rest") == 0) {
		uint64_t until = now_us() + (uint64_t)atol(arguments[2]) * 1000;

		while (now_us() < until) {
			first(atol(arguments[3]), -1);
			second(atol(arguments[4]), -1);
		}
	} else if (count > 5) {
		int one = create(arguments[4]), other = create(arguments[5]);

		for (long turn = 0; turn < atol(arguments[2]); turn++) {
			put(one, 1 << 16);
			first(0, one);
			put(other, 1 << 12);
			second(0, other);
			between(atol(arguments[3]));
		}
	}
	for (int i = 0; i < 2; i++)
		printf("%ld %ld %lu ", places[i].waits, places[i].leavings,
		       (unsigned long)places[i].us);
	printf("\n");
	return 0;
}
