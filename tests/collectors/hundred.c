/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBHUND - the data collector of "make bench": its entry point is 100
 * instructions long, whatever the compiler makes of the rest, and reads nothing
 * from the program. Its cost is the cost of being called.
 *
 * With FLAGS=VIGIL_PROMPT it is called immediately; with READS it reads a word of
 * the program's memory in each call.
 */
#include <vigil/collector.h>

#ifndef FLAGS
#define FLAGS 0
#endif

static const char *const programs[] = { VIGIL_ALWAYS, NULL };

static enum vigil_outcome entry(struct vigil_communication *area)
{
	uint64_t value = area->address;

#ifdef READS
	value += vigil_pointer(area, area->address & ~UINT64_C(7));
#endif

	/* one more loads the address, one stores the value, two return */
	__asm__ volatile(".rept 96\n\timul $3, %0, %0\n\t.endr" : "+r"(value));
	area->anchor = (void *)value;
	return VIGIL_DONE;
}

VIGIL_COLLECTOR("STRBHUND", "G-00", FLAGS, NULL, programs, entry);
