/* SPDX-License-Identifier: Apache-2.0 */
/* busy THREADS MS: so many threads use so much CPU time each, all at once. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static void *spin(void *argument)
{
	uint64_t total = (uint64_t)(uintptr_t)argument * 1000000u;
	struct timespec now;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec < total);
	return NULL;
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 2;
	uintptr_t ms = argc > 2 ? strtoul(argv[2], NULL, 10) : 300;
	pthread_t *threads = calloc(count, sizeof(*threads));

	for (size_t i = 0; threads && i < count; i++)
		if (pthread_create(&threads[i], NULL, spin, (void *)ms))
			return 1;
	for (size_t i = 0; threads && i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
