/* SPDX-License-Identifier: Apache-2.0 */
/*
 * brood SHORT US LONG MS [KERNEL]: starts SHORT children that use US microseconds
 * of CPU time each, two at a time, and, concurrently with the first of them, LONG
 * children that use MS milliseconds, one after every second short one. All work in
 * first() and second(), two thirds of it in second(); KERNEL percent of each short
 * child's time are spent in the kernel, in a call from first(). At the end the
 * parent writes what they executed by their own clocks, in ns: "user N kernel N total
 * N", total by rusage.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct sums {
	_Atomic long long user, kernel;
} *sums;

/* Maximum CPU time between two readings, ns; a loop reads every 20 to 100 us. */
#define JUMP 1000000

/*
 * Returns the ns of CPU time that this process has executed. Where a hypervisor takes
 * the processor away, the kernel's clock may go on all the same; such a jump is left out,
 * so that a child is in its loops for as long as was asked for.
 */
static long long used(void)
{
	static long long before, left_out;
	struct timespec now;
	long long clock;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	clock = now.tv_sec * 1000000000LL + now.tv_nsec;
	if (clock > before + JUMP)
		left_out += clock - before;
	before = clock;
	return clock - left_out;
}

/* Loops until the clock says end, in the calling function itself. */
#define UNTIL(end) \
	do { \
		for (volatile int turn = 0; turn < 20000; turn++) \
			; \
	} while (used() < (end))

__attribute__((noinline, noclone)) static void second(long long end)
{
	UNTIL(end);
	__asm__ volatile("" ::: "memory");
}

/* Works in the kernel: has it generate bytes. */
__attribute__((noinline, noclone)) static void ask_kernel(long long end)
{
	static char bytes[65536];
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	while (used() < end)
		for (int turn = 0; turn < 8; turn++)
			if (read(zero, bytes, sizeof(bytes)) < 0)
				_exit(8);
	close(zero);
}

__attribute__((noinline, noclone)) static void first(long long end, long long kernel)
{
	long long before = used();

	UNTIL(end);
	sums->user += used() - before;
	if (kernel) {
		before = used();
		ask_kernel(end + kernel);
		sums->kernel += used() - before;
	}
}

static void work(long long ns, int percent)
{
	long long begin = used(), kernel = ns * percent / 100, user = ns - kernel;

	first(begin + user / 3, kernel);
	begin = used();
	second(begin + user * 2 / 3);
	sums->user += used() - begin;
	_exit(0);
}

int main(int count, char **arguments)
{
	int shorts = count > 1 ? atoi(arguments[1]) : 100, longs = count > 3 ? atoi(arguments[3]) : 0;
	long long us = count > 2 ? atoll(arguments[2]) : 1000, ms = count > 4 ? atoll(arguments[4]) : 100;
	int percent = count > 5 ? atoi(arguments[5]) : 0, alive = 0;
	struct rusage self, children;

	sums = mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sums == MAP_FAILED)
		return 9;
	for (int child = 0; child < shorts; child++) {
		if (fork() == 0)
			work(us * 1000, percent);
		if (child % 2 && child / 2 < longs && fork() == 0)
			work(ms * 1000000, 0);
		alive += 1 + (child % 2 && child / 2 < longs);
		for (; alive > 1 + longs || (alive > 1 && child / 2 >= longs); alive--)
			if (wait(NULL) < 0)
				return 9;
	}
	while (wait(NULL) > 0)
		;
	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	printf("user %lld kernel %lld total %lld\n", (long long)sums->user, (long long)sums->kernel,
	       (self.ru_utime.tv_sec + self.ru_stime.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1000000000LL +
		       (self.ru_utime.tv_usec + self.ru_stime.tv_usec + children.ru_utime.tv_usec + children.ru_stime.tv_usec) *
			       1000LL);
	return 0;
}
