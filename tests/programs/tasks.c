/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many tasks:
 *   tasks threads N MS   N threads; each works a little, sleeps MS, ends; prints ns of CPU time
 *   tasks threads-until FILE N   the same, but they sleep until the file exists, 30 s at most
 *   tasks forks N US     N children one after the other, each using US of CPU; prints the same
 *   tasks exec PROGRAM ARG...   works 100 ms, then execs
 *   tasks until FILE PROGRAM ARG...   works until the file exists, 30 s at most, removes it, execs
 *   tasks behind US FILE MORE  a child uses US of CPU, prints the ns it has used, waits for the file, 30 s at most, uses MORE and ends
 *   tasks zombie FILE   a child ends at once; waits for the file, 30 s at most, before it waits for the child
 *   tasks main-ends FILE   its main thread ends; another one works until the file exists, 30 s of CPU time at most
 *   tasks daemon US     a grandchild that is not waited for uses US of CPU
 *   tasks signal NUMBER  works 100 ms, then dies by the signal
 *   tasks kernel MS      works for about MS, 13 of 14 parts of it in system calls
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;

static uint64_t cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000;
}

__attribute__((noinline)) void work(uint64_t us)
{
	uint64_t end = cpu_us() + us;

	while (cpu_us() < end)
		for (int i = 0; i < 1000; i++)
			sink += (uint64_t)i * i;
}

static void *thread_body(void *ms)
{
	struct timespec t = { (long)ms / 1000, (long)ms % 1000 * 1000000 };

	work(500);
	nanosleep(&t, NULL);
	return NULL;
}

static const char *awaited;

static void *work_until_body(void *unused)
{
	while (access(awaited, F_OK) != 0 && cpu_us() < 30000000)
		work(1000);
	return unused;
}

static int main_ends(const char *file)
{
	pthread_t other;

	awaited = file;
	if (pthread_create(&other, NULL, work_until_body, NULL))
		return 1;
	pthread_exit(NULL);
}

static void *until_body(void *unused)
{
	work(500);
	for (int i = 0; i < 300 && access(awaited, F_OK) != 0; i++)
		usleep(100000);
	return unused;
}

static int threads(long count, long ms)
{
	pthread_t *all = calloc((size_t)count, sizeof(*all));

	for (long i = 0; i < count; i++)
		if (pthread_create(&all[i], NULL, awaited ? until_body : thread_body, (void *)ms))
			return 1;
	for (long i = 0; i < count; i++)
		pthread_join(all[i], NULL);
	free(all);
	return 0;
}

static int forks(long count, uint64_t us)
{
	while (count-- > 0) {
		pid_t child = fork();

		if (child == 0) {
			work(us);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}

static int behind(uint64_t us, const char *file, uint64_t more)
{
	if (fork() == 0) {
		work(us);
		printf("%llu\n", (unsigned long long)cpu_us() * 1000);
		fflush(stdout);
		for (int i = 0; i < 3000 && access(file, F_OK) != 0; i++)
			usleep(10000);
		work(more);
		_exit(0);
	}
	wait(NULL);
	return 0;
}

static int keep_zombie(const char *file)
{
	if (fork() == 0)
		_exit(0);
	for (int i = 0; i < 3000 && access(file, F_OK) != 0; i++)
		usleep(10000);
	wait(NULL);
	return 0;
}

static int leave_daemon(uint64_t us)
{
	if (fork() == 0) {
		if (fork() == 0)
			work(us);
		_exit(0);
	}
	wait(NULL);
	return 0;
}

__attribute__((noinline)) void system_calls(uint64_t ms)
{
	uint64_t end = cpu_us() + ms * 1000, before, after;
	static char block[1 << 20];
	int fd = open("/dev/zero", O_RDONLY);

	for (before = cpu_us(); before < end; before = cpu_us()) {
		for (int i = 0; i < 4; i++)
			if (read(fd, block, sizeof(block)) < 0)
				exit(1);
		after = cpu_us();
		work((after - before) / 13);
	}
	close(fd);
}

/* Prints the ns of CPU time of this process and its children by the kernel's accounts. */
static int own(int status)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	timeradd(&self.ru_utime, &self.ru_stime, &self.ru_utime);
	timeradd(&self.ru_utime, &children.ru_utime, &self.ru_utime);
	timeradd(&self.ru_utime, &children.ru_stime, &self.ru_utime);
	printf("%lld\n", (long long)self.ru_utime.tv_sec * 1000000000LL + (long long)self.ru_utime.tv_usec * 1000);
	return status;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 2 ? argv[1] : "";
	struct rlimit no_core = { 0, 0 };

	setrlimit(RLIMIT_CORE, &no_core);
	if (strcmp(kind, "threads") == 0 && argc > 3)
		return own(threads(atol(argv[2]), atol(argv[3])));
	if (strcmp(kind, "threads-until") == 0 && argc > 3) {
		awaited = argv[2];
		return own(threads(atol(argv[3]), 0));
	}
	if (strcmp(kind, "forks") == 0 && argc > 3)
		return own(forks(atol(argv[2]), strtoull(argv[3], NULL, 10)));
	if (strcmp(kind, "exec") == 0) {
		work(100000);
		execvp(argv[2], argv + 2);
	}
	if (strcmp(kind, "until") == 0 && argc > 3) {
		for (int i = 0; i < 300 && access(argv[2], F_OK) != 0; i++)
			work(100000);
		unlink(argv[2]);
		execvp(argv[3], argv + 3);
	}
	if (strcmp(kind, "signal") == 0) {
		work(100000);
		raise(atoi(argv[2]));
	}
	if (strcmp(kind, "behind") == 0 && argc > 4)
		return behind(strtoull(argv[2], NULL, 10), argv[3], strtoull(argv[4], NULL, 10));
	if (strcmp(kind, "zombie") == 0)
		return keep_zombie(argv[2]);
	if (strcmp(kind, "main-ends") == 0)
		return main_ends(argv[2]);
	if (strcmp(kind, "daemon") == 0)
		return leave_daemon(strtoull(argv[2], NULL, 10));
	if (strcmp(kind, "kernel") == 0) {
		system_calls(strtoull(argv[2], NULL, 10));
		return 0;
	}
	return 2;
}
