/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBORDE - the data collector of tests/programs/orders.c: the transaction is the
 * text in its variable orders_unit.
 */
#include <vigil/collector.h>

#define PROCESSES 64

/* address of the variable in each process, since its exec */
static struct {
	uint64_t generation, address;
} known[PROCESSES];
static char unit[16];

static enum vigil_outcome entry(struct vigil_communication *area)
{
	uint64_t generation = area->task->generation, address;
	size_t at = (generation >> 24) % PROCESSES;

	if (known[at].generation != generation) {
		known[at].generation = generation;
		known[at].address = vigil_symbol_address(area, "orders", "orders_unit");
	}
	address = known[at].address;
	if (!address || vigil_text(area, address, unit, sizeof(unit)) < 0)
		return VIGIL_NOT_MINE;
	area->transaction = unit;
	return VIGIL_DONE;
}

static const char *const programs[] = { "orders", 0 };

VIGIL_COLLECTOR("STRBORDE", "G-00", VIGIL_PROMPT, 0, programs, entry);
