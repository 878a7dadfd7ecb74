/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that use a device, which answers after two milliseconds, under a lock:
 * convoy WORD THREADS TIMES.
 *
 *	one	one lock for all of them
 *	own	each thread has its own lock
 *	file	as one, with processes, and a lock on the file "ledger"
 *	parts	as file, each process with a part of the file
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 16

static pthread_mutex_t locks[THREADS];
static int times, together;

/* Waits for the device, which is simulated by a timer. */
static void ask_device(int device)
{
	struct itimerspec answer = { .it_value = { .tv_nsec = 2000000 } };
	uint64_t expired;

	timerfd_settime(device, 0, &answer, NULL);
	if (read(device, &expired, sizeof(expired)) < 0)
		exit(2);
}

static void post(int device, pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
	ask_device(device);
	pthread_mutex_unlock(lock);
}

static void *worker(void *number)
{
	int device = timerfd_create(CLOCK_MONOTONIC, 0);

	for (int i = 0; i < times; i++)
		post(device, &locks[together ? 0 : (intptr_t)number]);
	close(device);
	return NULL;
}

static void lock_part(int fd, int part, int type)
{
	struct flock lock = { .l_type = (short)type, .l_whence = SEEK_SET, .l_start = part, .l_len = 1 };

	if (fcntl(fd, F_SETLKW, &lock) < 0)
		exit(2);
}

static void process(int number)
{
	int fd = open("ledger", O_CREAT | O_RDWR, 0600), device = timerfd_create(CLOCK_MONOTONIC, 0);

	for (int i = 0; i < times; i++) {
		lock_part(fd, together ? 0 : number, F_WRLCK);
		ask_device(device);
		lock_part(fd, together ? 0 : number, F_UNLCK);
	}
}

static void in_processes(int count)
{
	for (int i = 0; i < count; i++)
		if (fork() == 0) {
			process(i);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

static void in_threads(int count)
{
	pthread_t ids[THREADS];

	for (intptr_t i = 0; i < count; i++) {
		pthread_mutex_init(&locks[i], NULL);
		pthread_create(&ids[i], NULL, worker, (void *)i);
	}
	for (int i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

int main(int argc, char **argv)
{
	int count = argc > 3 ? atoi(argv[2]) : 0;

	if (count < 1 || count > THREADS)
		return 2;
	times = atoi(argv[3]);
	together = !strcmp(argv[1], "one") || !strcmp(argv[1], "file");
	if (!strcmp(argv[1], "file") || !strcmp(argv[1], "parts"))
		in_processes(count);
	else
		in_threads(count);
	return 0;
}
