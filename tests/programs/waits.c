/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Known waits, one kind per call:
 *   waits sleep MS [FILE]  one sleep in nap(), and with FILE more of them until that exists,
 *                       100 at most
 *   waits short N US    N short sleeps in naps(); prints the number of voluntary switches
 *                       before, and in the sleeps
 *   waits pipe MS       a child sleeps, the parent reads its pipe in hear()
 *   waits lock MS       one thread holds a mutex, main waits for it in grab()
 *   waits child MS      main waits in wait_for_child() for a sleeping child
 *   waits borrow MS     main waits in lend() for a sleeping child that shares its memory
 *   waits orphan MS     the first thread ends, another one reads a pipe, a third one sleeps
 *   waits sync FILE N   writes and fsyncs FILE N times in store()
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sleep_us(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

__attribute__((noinline)) void nap(long ms)
{
	sleep_us(ms * 1000);
	__asm__ volatile("");
}

static void nap_until(long ms, const char *file)
{
	int naps = 0;

	do
		nap(ms);
	while (file && ++naps < 100 && access(file, F_OK) != 0);
}

/* Returns the number of voluntary switches of this thread so far. */
static long waits_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/* A sleep that is over before the task has left the processor is no wait. */
__attribute__((noinline)) long naps(long count, long us)
{
	long waited = 0;

	while (count-- > 0) {
		long before = waits_so_far();

		sleep_us(us);
		waited += waits_so_far() > before;
	}
	return waited;
}

static void short_waits(long count, long us)
{
	long before;

	/* avoid page faults from here on */
	mlockall(MCL_CURRENT | MCL_FUTURE);
	before = waits_so_far();
	printf("%ld %ld\n", before, naps(count, us));
}

__attribute__((noinline)) void hear(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		exit(1);
	__asm__ volatile("");
}

static void pipe_wait(long ms)
{
	int ends[2];

	if (pipe(ends) < 0)
		exit(1);
	if (fork() == 0) {
		nap(ms);
		_exit(write(ends[1], "", 1) != 1);
	}
	hear(ends[0]);
	wait(NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t held, wanted;

/* Holds the mutex for ms from the moment at which main wants it. */
static void *hold(void *ms)
{
	pthread_mutex_lock(&mutex);
	sem_post(&held);
	sem_wait(&wanted);
	nap((long)ms);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

__attribute__((noinline)) void grab(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void lock_wait(long ms)
{
	pthread_t thread;

	pthread_create(&thread, NULL, hold, (void *)ms);
	sem_wait(&held);
	sem_post(&wanted);
	grab();
	pthread_join(thread, NULL);
}

__attribute__((noinline)) void wait_for_child(void)
{
	wait(NULL);
	__asm__ volatile("");
}

static void child_wait(long ms)
{
	if (fork() == 0) {
		nap(ms);
		_exit(0);
	}
	wait_for_child();
}

static int borrower(void *ms)
{
	sleep_us((long)ms * 1000);
	return 0;
}

__attribute__((noinline)) void lend(long ms)
{
	static char stack[65536] __attribute__((aligned(16)));

	if (clone(borrower, stack + sizeof(stack), CLONE_VFORK | CLONE_VM | SIGCHLD, (void *)ms) < 0)
		exit(1);
	wait(NULL);
}

static int orphan_pipe[2];

static void *orphan_reader(void *unused)
{
	hear(orphan_pipe[0]);
	return unused;
}

static void *orphan_writer(void *ms)
{
	nap((long)ms);
	if (write(orphan_pipe[1], "x", 1) != 1)
		exit(1);
	return NULL;
}

static void orphan_wait(long ms)
{
	pthread_t one;

	if (pipe(orphan_pipe) < 0 || pthread_create(&one, NULL, orphan_reader, NULL) ||
	    pthread_create(&one, NULL, orphan_writer, (void *)ms))
		exit(1);
	pthread_exit(NULL);
}

__attribute__((noinline)) void store(const char *path, long count)
{
	char block[65536];
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);

	memset(block, 'v', sizeof(block));
	while (count-- > 0)
		if (write(fd, block, sizeof(block)) < 0 || fsync(fd) < 0)
			exit(1);
	close(fd);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 2 ? argv[1] : "";

	if (strcmp(kind, "sleep") == 0)
		nap_until(atol(argv[2]), argc > 3 ? argv[3] : NULL);
	else if (strcmp(kind, "short") == 0 && argc > 3)
		short_waits(atol(argv[2]), atol(argv[3]));
	else if (strcmp(kind, "pipe") == 0)
		pipe_wait(atol(argv[2]));
	else if (strcmp(kind, "lock") == 0)
		lock_wait(atol(argv[2]));
	else if (strcmp(kind, "child") == 0)
		child_wait(atol(argv[2]));
	else if (strcmp(kind, "borrow") == 0)
		lend(atol(argv[2]));
	else if (strcmp(kind, "orphan") == 0)
		orphan_wait(atol(argv[2]));
	else if (strcmp(kind, "sync") == 0 && argc > 3)
		store(argv[2], atol(argv[3]));
	else
		return 2;
	return 0;
}
