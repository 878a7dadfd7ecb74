/* SPDX-License-Identifier: Apache-2.0 */
/*
 * held mutex|flock N MS [FILE]: wants() waits N times for a lock that another
 * thread or process holds for MS milliseconds, asleep in keeps(). Prints the
 * microseconds that it waited. held for FILE: waits once for a lock that some
 * other process holds.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int *turn; /* how often the holder took the lock; shared with other processes */
static long keep_ms;
static int fd = -1;

/* macros, so that the calls are made by wants() and keeps() themselves */
#define LOCK(file) \
	do { \
		if ((file) < 0 ? pthread_mutex_lock(&mutex) : flock(file, LOCK_EX)) \
			exit(1); \
	} while (0)
#define UNLOCK(file) \
	do { \
		if ((file) < 0 ? pthread_mutex_unlock(&mutex) : flock(file, LOCK_UN)) \
			exit(1); \
	} while (0)

static void rest_ms(long ms)
{
	struct timespec rest = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&rest, NULL);
}

void keeps(int file);
__attribute__((noinline, noclone)) void keeps(int file)
{
	struct timespec rest = { keep_ms / 1000, keep_ms % 1000 * 1000000 };

	LOCK(file);
	*turn = *turn + 1;
	nanosleep(&rest, NULL);
	UNLOCK(file);
}

void wants(int file);
__attribute__((noinline, noclone)) void wants(int file)
{
	LOCK(file);
	UNLOCK(file);
}

static void *keep(void *unused)
{
	for (;;) { /* ends when main does */
		keeps(-1);
		rest_ms(2);
	}
	return unused;
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Waits count times, each time while the holder has the lock. */
static uint64_t want(long count)
{
	uint64_t waited = 0, begun;

	for (int last = 0; count > 0; count--) {
		while (*turn == last)
			rest_ms(1);
		last = *turn;
		begun = now_us();
		wants(fd);
		waited += now_us() - begun;
	}
	return waited;
}

int main(int count, char **arguments)
{
	pthread_t thread;
	pid_t child = 0;

	if (count < 3)
		return 2;
	turn = mmap(NULL, sizeof(*turn), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (strcmp(arguments[1], "for") == 0) {
		wants(open(arguments[2], O_RDWR | O_CREAT, 0666));
		return 0;
	}
	keep_ms = count > 3 ? atol(arguments[3]) : 20;
	if (strcmp(arguments[1], "mutex") == 0) {
		pthread_create(&thread, NULL, keep, NULL);
		pthread_setname_np(thread, "keeper");
	} else if (count > 4) {
		fd = open(arguments[4], O_RDWR | O_CREAT, 0666);
		child = fork();
		if (child == 0) {
			int own = open(arguments[4], O_RDWR);
			alarm(120);
			for (;;) {
				keeps(own);
				rest_ms(2);
			}
		}
	}
	printf("%lu\n", (unsigned long)want(atol(arguments[2])));
	if (child) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	return 0;
}
