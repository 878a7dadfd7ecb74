/* SPDX-License-Identifier: Apache-2.0 */
/* Tells a task that is given pages of memory from one that has called the kernel. */
#include "common/compat.h"
#include "sampler/page-look.h"

/* Up to this multiple of the time between page faults the first one may come. */
#define FIRST_WITHIN 3
#define FIRST_WITHIN_HUGE 1.5
/* If a task had no processor for IDLE ns, the first one may take that much longer: caches are cold. */
#define IDLE 40000
#define COLD 10000
/*
 * What a page fault costs if none was seen that follows another soon, ns; the longest time
 * between two that is taken for what one costs; and how much dearer one may be than the least.
 */
#define COST_USUAL 1000
#define COST_MOST 4000
#define COST_FACTOR 1.5
/* Number of page faults in a look from which on the time between them is a mean. */
#define MANY 8
/* Bytes between page faults of huge pages: 2 MB, of which some may not have been aligned. */
#define HUGE_LEAST (UINT64_C(1) << 20)
#define HUGE_MOST (UINT64_C(1) << 22)

bool page_look_add(struct page_look *look, uint64_t time, uint64_t address)
{
	uint64_t apart = address > look->address ? address - look->address : look->address - address;
	bool first = look->address == 0;

	RETURN_IF(time < look->begun, false);
	if (first) {
		look->first = time - look->begun;
	} else if (!look->apart) {
		look->apart = time - look->begun - look->first;
		look->huge = apart >= HUGE_LEAST && apart <= HUGE_MOST;
	}
	look->address = address;
	return first;
}

double page_look_part(const struct page_look *look, double in_kernel, struct page_cost *cost)
{
	/* The session may have taken the task's processor when it began to look. */
	uint64_t between, idle = look->idle + (look->idle > IDLE ? COLD : 0);
	uint64_t first = look->first > idle ? look->first - idle : 0;
	double most, used;

	RETURN_IF(!look->stack, 0);
	if (look->huge)
		return (double)first <= FIRST_WITHIN_HUGE * (double)look->apart;
	RETURN_IF(!look->count, 0);
	between = look->window / look->count;
	RETURN_IF(first > FIRST_WITHIN * between, 0);
	if (look->count >= MANY && (!cost->least || between < cost->least))
		cost->least = between;
	most = (cost->least && cost->least < COST_MOST ? (double)cost->least : COST_USUAL) * COST_FACTOR;
	used = in_kernel * (double)between;
	return used > most ? most / used : 1;
}
