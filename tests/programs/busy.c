/* SPDX-License-Identifier: Apache-2.0 */
/*
 * busy THREADS MS [FILE]: THREADS threads use MS of CPU time each, concurrently;
 * with FILE they continue until that exists, 10 seconds at most.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SLICE UINT64_C(5000000)
#define LONGEST UINT64_C(10000000000)

static const char *file;

static void *spin(void *argument)
{
	uint64_t total = (uint64_t)(uintptr_t)argument * 1000000u, used;
	struct timespec now;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		used = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
		if (used >= total && file && total < LONGEST && access(file, F_OK) != 0)
			total += SLICE;
	} while (used < total);
	return NULL;
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 2;
	uintptr_t ms = argc > 2 ? strtoul(argv[2], NULL, 10) : 300;
	pthread_t *threads = calloc(count, sizeof(*threads));

	file = argc > 3 ? argv[3] : NULL;
	for (size_t i = 0; threads && i < count; i++)
		if (pthread_create(&threads[i], NULL, spin, (void *)ms))
			return 1;
	for (size_t i = 0; threads && i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
