/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work with an inefficiency that costs time, and without it: faults KIND COUNT.
 *
 *	poll	checks every 20 ms whether a child ended;	await	waits for its end
 *	sync	synchronizes a file after each record;		put	once at the end
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sum;

/* Uses us microseconds of CPU time. */
static void work(long us)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (unsigned long i = 0; i < 200; i++)
			sum += i * i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < us);
}

static void look_for(pid_t pid)
{
	while (!waitpid(pid, NULL, WNOHANG))
		usleep(20000);
}

static void make_children(int count, int polls)
{
	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (!pid) {
			work(3000);
			_exit(0);
		}
		if (polls)
			look_for(pid);
		else
			waitpid(pid, NULL, 0);
	}
}

static int put_records(int count, int syncs)
{
	int fd = open("ledger", O_CREAT | O_TRUNC | O_WRONLY, 0600);
	char record[80];

	memset(record, 'x', sizeof(record));
	for (int i = 0; i < count; i++) {
		if (write(fd, record, sizeof(record)) != sizeof(record))
			return 1;
		if (syncs && fsync(fd) < 0)
			return 1;
		work(300);
	}
	return fsync(fd) < 0 || close(fd) < 0;
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 0;

	if (argc < 3)
		return 2;
	if (argv[1][0] == 's' || !strcmp(argv[1], "put"))
		return put_records(count, argv[1][0] == 's');
	make_children(count, argv[1][0] == 'p');
	return 0;
}
