/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells a task that is given pages of memory from one that has called the kernel.
 *
 * A function that touches memory for the first time executes in the kernel for most of
 * its time and calls nothing. A walk downwards (unwind-down.h) then shows its last call as
 * if that lasted: the mmap() or malloc() before, say. But the kernel tells an ordinary user
 * of minor page faults of user code. So those during a look are counted, and the place of the
 * next one is recorded (perf_watch_pages). They tell whether the task was in a sequence of
 * them: the next one comes as soon as the others follow each other, and what the kernel used
 * for each is no more than a page fault costs. A huge page takes longer than a look: places
 * are recorded until the next tick, and two that are a huge page apart tell.
 */
#ifndef VIGIL_SAMPLER_PAGE_LOOK_H
#define VIGIL_SAMPLER_PAGE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* Number of page faults whose place is recorded: two tell how far they are apart. */
#define PAGE_LOOK_RECORDS 2

/* The page faults during a look; all 0: none. */
struct page_look {
	uint64_t begun;	  /* time from which places are recorded */
	uint64_t first;	  /* ns from then until the first one */
	uint64_t apart;	  /* ns between two that were recorded; 0: there are no two */
	uint64_t address; /* of the last one that was recorded */
	uint64_t count;	  /* of all */
	uint64_t window;  /* ns for which the task executed while they were counted */
	uint64_t idle;	  /* ns for which it did not, or places may not have been recorded yet */
	uint32_t stack;	  /* of the first one; 0: not known */
	bool huge;	  /* two are a huge page apart */
};

/* What page faults cost on this machine. */
struct page_cost {
	uint64_t least; /* ns between two of them, the least mean of a look; 0: none was seen */
};

/* A page was given at address. Returns whether it is the first one, whose stack is wanted. */
bool page_look_add(struct page_look *look, uint64_t time, uint64_t address);
/*
 * Returns the probability that a task was given a page when a look found it in the kernel, 0
 * to 1. in_kernel: the part of its CPU time that it uses in the kernel. cost is learned from it.
 */
double page_look_part(const struct page_look *look, double in_kernel, struct page_cost *cost);

#endif
