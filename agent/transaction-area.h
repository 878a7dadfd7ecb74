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
 *
 * The ring also carries the moments at which collecting is started or paused,
 * by the step itself or from outside: changes with the names below, which no
 * transaction has. The word collecting is what holds now, for who cannot wait
 * for the ring.
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

/* Names of changes that are no transactions: they begin with a byte that no other name has. */
#define TRANSACTION_SWITCH '\001'
#define TRANSACTION_START "\001START"
#define TRANSACTION_PAUSE "\001PAUSE"

enum transaction_collecting {
	TRANSACTION_COLLECTING_NONE = 0, /* not initialised: whoever made the area does not say */
	TRANSACTION_COLLECTING_PAUSED = 1,
	TRANSACTION_COLLECTING_ACTIVE = 2,
};

enum transaction_online {
	TRANSACTION_ONLINE_NOT = 0,
	TRANSACTION_ONLINE = 1,	      /* who asks for the newest events is answered */
	TRANSACTION_ONLINE_ENDED = 2, /* not any more */
};

struct transaction_area {
	uint64_t magic;
	uint64_t slots;	     /* a power of two */
	uint64_t next;	     /* ticket of the next change; atomic */
	uint64_t collecting; /* enum transaction_collecting; atomic */
	uint64_t starts;     /* how often it became active, from the beginning on; atomic */
	/*
	 * ONLINE=ON: who wants the newest events adds 1 to asked, which gives him his number, and
	 * waits until answered has it in its upper half. In the lower half stands the descriptor
	 * of the process that made the area through which they can be read, plus 1; 0: they
	 * could not be written.
	 */
	uint64_t online;   /* enum transaction_online */
	uint64_t asked;	   /* atomic */
	uint64_t answered; /* atomic */
	struct transaction_change changes[];
};

#define TRANSACTION_AREA_SLOTS 65536

/* What is said of a session whose step has overwritten its area. */
#define TRANSACTION_AREA_OVERWRITTEN \
	"the step has overwritten the area in which it names its transactions: those named " \
	"later are not known"

/*
 * Whether next may follow a ticket that was seen before: no step takes so many between two looks.
 * Where it does not, the program has overwritten the area, and no ticket can be trusted any more.
 */
static inline int transaction_area_whole(uint64_t seen, uint64_t next)
{
	return next >= seen && next - seen < UINT64_C(1) << 40;
}

#endif
