/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a file and reads it again in blocks of BYTES bytes, with some work in
 * between: blocks BYTES SIZE FILE.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sum;

/* Uses us microseconds of CPU time. */
static void work(long us)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (unsigned long i = 0; i < 20000; i++)
			sum += i * i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < us);
}

static int put(const char *name, char *block, size_t size, size_t bytes)
{
	int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	for (size_t at = 0; at < bytes; at += size)
		if (write(fd, block, size) != (ssize_t)size)
			return 1;
	return close(fd) < 0;
}

static int get(const char *name, char *block, size_t size, size_t bytes)
{
	int fd = open(name, O_RDONLY);
	size_t seen = 0;

	for (ssize_t got; (got = read(fd, block, size)) > 0;)
		seen += (size_t)got;
	return seen < bytes || close(fd) < 0;
}

int main(int argc, char **argv)
{
	size_t bytes = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
	size_t size = argc > 3 ? strtoul(argv[2], NULL, 10) : 0;
	char *block = size ? calloc(1, size) : NULL;
	int wrong;

	if (!block)
		return 2;
	wrong = put(argv[3], block, size, bytes) || get(argv[3], block, size, bytes);
	work(150000);
	free(block);
	return wrong;
}
