/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cold FILE: writes FILE, drops it from the page cache, and reads one byte of some
 * of its pages in touch(), through a mapping. Prints how many page faults had to
 * wait for the file, and how many voluntary switches there were.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define SIZE (64u << 20)
#define DISTANCE (37 * 4096)

int touch(const volatile char *bytes);
__attribute__((noinline, noclone)) int touch(const volatile char *bytes)
{
	int sum = 0;

	for (size_t at = 0; at < SIZE; at += DISTANCE)
		sum += bytes[at];
	return sum;
}

static void fill(int fd)
{
	static char block[1 << 20];

	memset(block, 'c', sizeof(block));
	for (size_t at = 0; at < SIZE; at += sizeof(block))
		if (write(fd, block, sizeof(block)) != sizeof(block))
			exit(1);
	if (fsync(fd) < 0)
		exit(1);
	posix_fadvise(fd, 0, SIZE, POSIX_FADV_DONTNEED);
}

int main(int count, char **arguments)
{
	int fd = count > 1 ? open(arguments[1], O_RDWR | O_CREAT | O_TRUNC, 0666) : -1;
	struct rusage before, after;
	char *bytes;

	if (fd < 0)
		return 2;
	fill(fd);
	bytes = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return 1;
	madvise(bytes, SIZE, MADV_RANDOM);
	getrusage(RUSAGE_THREAD, &before);
	touch(bytes);
	getrusage(RUSAGE_THREAD, &after);
	printf("%ld %ld\n", after.ru_majflt - before.ru_majflt, after.ru_nvcsw - before.ru_nvcsw);
	return 0;
}
