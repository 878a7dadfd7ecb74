/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures how long a walk takes, and how long a large object stalls the sampler
 * when it is first seen. Arguments: ELF files to try (default: this program).
 */
#include "common/compat.h"
#include "program/unwind/test-unwind.h"

#include "program/unwind/code-table.h"

#include <dlfcn.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WALKS 200000
#define FRAMES 12
#define LOOKUPS 1000

static volatile int sum;

/* Recursion with a frame of medium size. */
static NOINLINE int recurse(int depth)
{
	volatile char room[200];

	room[0] = (char)depth;
	if (depth > 0)
		sum += recurse(depth - 1);
	else
		__asm__ volatile("int3");
	return room[0];
}

static void scenario(void)
{
	sum += recurse(FRAMES);
}

/* Returns the nanoseconds since start. */
static double since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) * 1e9 + (double)(now.tv_nsec - start->tv_nsec);
}

/* Multiplies large numbers in libgmp, whose inner routines have no call-frame information. */
static void multiply(void)
{
	void (*power)(void *, unsigned long, unsigned long) = NULL;
	void *library = dlopen("libgmp.so.10", RTLD_NOW), *address;
	static void *number[2];

	address = library ? dlsym(library, "__gmpz_ui_pow_ui") : NULL;
	if (!address)
		return;
	memcpy(&power, &address, sizeof(power));
	power(number, 12345, 1); /* allocates its memory */
	__asm__ volatile("int3");
	power(number, 12345, 2000);
}

/* Steps until the walk has to examine code to find a caller. */
static bool step_to_guess(struct target *target)
{
	for (int steps = 0; steps < 20000; steps++) {
		target_walk(target);
		if (target->count > 1 && target->frames[1].guessed)
			return true;
		if (ptrace(PTRACE_SINGLESTEP, target->pid, NULL, NULL) < 0 ||
		    waitpid(target->pid, NULL, 0) < 0)
			return false;
		target_capture(target);
	}
	return false;
}

/* Walks one stack many times. */
static void bench_walk(const char *what, void (*scenario_run)(void), bool guess)
{
	static struct target target;
	struct timespec start;
	double first, all;

	if (!target_fork(&target, scenario_run)) {
		printf("%s: cannot be had here\n", what);
		target_end(&target);
		return;
	}
	target_capture(&target);
	target.space = space_new();
	space_read_proc(&target.space, &target.objects, target.pid, NULL);
	clock_gettime(CLOCK_MONOTONIC, &start);
	target_walk(&target);
	first = since(&start);
	if (!guess || step_to_guess(&target)) {
		clock_gettime(CLOCK_MONOTONIC, &start);
		for (int i = 0; i < WALKS; i++)
			target_walk(&target);
		all = since(&start);
		printf("%s, %zu frames: %.0f ns a walk (%.1f ns a frame), the first one %.0f us\n",
		       what, target.count, all / WALKS, all / WALKS / (double)target.count,
		       first / 1e3);
	}
	target_end(&target);
}

/* Opens the tables of one file and looks up functions throughout it. */
static void bench_object(const char *path)
{
	struct object_list list;
	struct timespec start;
	struct object *object;
	struct code_table *table;
	struct stat st;
	double opened, looked_up;

	if (stat(path, &st) < 0) {
		printf("%s cannot be read\n", path);
		return;
	}
	object_list_init(&list);
	clock_gettime(CLOCK_MONOTONIC, &start);
	object = object_for_file(&list, path, st.st_dev, st.st_ino, getpid(), 0);
	table = code_table_of(object);
	opened = since(&start);
	if (table && table->cfi.frames.count > 0) {
		clock_gettime(CLOCK_MONOTONIC, &start);
		for (size_t i = 0; i < LOOKUPS; i++)
			cfi_find(&table->cfi,
				 object->lowest_address +
					 table->cfi.frames
						 .starts[i * table->cfi.frames.count / LOOKUPS]);
		looked_up = since(&start);
		printf("%s: %.0f MB, %zu functions: opened in %.0f us, then %.2f us a function\n",
		       path, (double)st.st_size / 1e6, table->cfi.frames.count, opened / 1e3,
		       looked_up / LOOKUPS / 1e3);
	}
	object_list_release(&list);
}

int main(int argc, char **argv)
{
	bench_walk("with call-frame information", scenario, false);
	bench_walk("out of assembly without it", multiply, true);
	for (int i = 1; i < argc; i++)
		bench_object(argv[i]);
	if (argc < 2)
		bench_object("/proc/self/exe");
	return 0;
}
