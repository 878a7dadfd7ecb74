/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executes code in memory that belongs to no file: "memory MILLISECONDS AREA...",
 * in turn in each area, for equal shares of CPU time. An area is mapped memory,
 * whose second half holds the text of the argument so that a collector can
 * identify it, "heap" or "stack" (link with -z execstack), or "here", the
 * program's own code.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define AREA 4096
#define AREAS 16

/* mov rax, rdi; again: dec rax; jnz again; ret */
static const unsigned char loop[] = { 0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3 };

__attribute__((noinline)) static void here(long count)
{
	while (count--)
		__asm__ volatile("");
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Returns executable memory of the given kind. */
static void *make_area(const char *kind, void *stack)
{
	void *area;

	if (strcmp(kind, "stack") == 0)
		return memcpy(stack, loop, sizeof(loop));
	if (strcmp(kind, "here") == 0)
		return (void *)(uintptr_t)here;
	if (strcmp(kind, "heap") == 0) {
		area = (void *)(((uintptr_t)malloc(2 * AREA) + AREA - 1) & ~(uintptr_t)(AREA - 1));
		if (mprotect(area, AREA, PROT_READ | PROT_WRITE | PROT_EXEC))
			return NULL;
		return memcpy(area, loop, sizeof(loop));
	}
	area = mmap(NULL, AREA, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	if (area == MAP_FAILED)
		return NULL;
	snprintf((char *)area + AREA / 2, AREA / 2, "%s", kind);
	return memcpy(area, loop, sizeof(loop));
}

int main(int argc, char **argv)
{
	unsigned char stack[64];
	void *areas[AREAS];
	int count = argc - 2;
	double share = argc > 2 ? atof(argv[1]) / count : 0;

	if (count < 1 || count > AREAS)
		return 2;
	for (int i = 0; i < count; i++) {
		areas[i] = make_area(argv[i + 2], stack);
		if (!areas[i])
			return 3;
	}
	for (int i = 0; i < count; i++)
		for (double end = now() + share; now() < end;)
			((void (*)(long))areas[i])(200000);
	return 0;
}
