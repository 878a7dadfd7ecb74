/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The area through which a step tells vigil its transactions: a file mapped
 * shared by the step's processes (writers, through libvigil) and by the
 * sampler (reader). VIGIL_TRANSACTIONS in the step's environment is its path.
 *
 * It holds a ring of changes. A writer takes the next ticket with an atomic
 * add on next, fills the slot ticket % slots, and publishes it by storing
 * ticket + 1 into the slot's sequence (release). The reader takes slots in
 * ticket order while sequence == ticket + 1; when it has been overtaken it
 * counts the changes it missed. Writers never wait.
 */
#ifndef VIGIL_AGENT_TRANSACTION_AREA_H
#define VIGIL_AGENT_TRANSACTION_AREA_H

#include <stdint.h>

#define TRANSACTION_AREA_MAGIC UINT64_C(0x314e585447495621)
#define TRANSACTION_AREA_NAME 64

struct transaction_change {
	uint64_t sequence; /* ticket + 1 once the rest is written */
	uint64_t time;	   /* CLOCK_MONOTONIC, ns */
	uint32_t pid;	   /* as seen by the writer */
	uint32_t tid;
	char name[TRANSACTION_AREA_NAME]; /* ends with NUL; "" resets */
};

struct transaction_area {
	uint64_t magic;
	uint64_t slots; /* a power of two */
	uint64_t next;	/* ticket of the next change; atomic */
	uint64_t reserved[5];
	struct transaction_change changes[];
};

#define TRANSACTION_AREA_SLOTS 65536

#endif
