/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's cost of reporting on all processes: "bench-processes N" reads stat
 * and schedstat of each, which are kept open, once per second, N times, and prints
 * the median CPU time in ms. It is the baseline for "processes" of "make bench",
 * on a machine that is equally busy.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Opens a file of a process; ignores it if the limit of open files is reached. */
static void add(int **fds, size_t *count, size_t *alloc, long pid, const char *name)
{
	char path[PROCFS_PATH_SIZE];
	int fd = open(procfs_process(path, (pid_t)pid, name), O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	GROW(*fds, *count + 1, *alloc);
	(*fds)[(*count)++] = fd;
}

static int compare(const void *a, const void *b)
{
	const double *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 10, count = 0, alloc = 0;
	double *spent = xcalloc(rounds + 1, sizeof(*spent));
	struct procfs_numbers walk;
	int *fds = NULL;
	long pid;

	procfs_processes(&walk);
	while ((pid = procfs_next_number(&walk)) > 0) {
		add(&fds, &count, &alloc, pid, "stat");
		add(&fds, &count, &alloc, pid, "schedstat");
	}
	for (size_t i = 0; i < rounds; i++) {
		char text[4096];

		sleep(1);
		spent[i] = used();
		for (size_t j = 0; j < count; j++)
			procfs_reread(fds[j], text, sizeof(text));
		procfs_processes(&walk);
		while (procfs_next_number(&walk) > 0)
			continue;
		spent[i] = used() - spent[i];
	}
	qsort(spent, rounds, sizeof(*spent), compare);
	printf("%.2f\n", spent[rounds / 2]);
	for (size_t j = 0; j < count; j++)
		close(fds[j]);
	free(spent);
	free(fds);
	return 0;
}
