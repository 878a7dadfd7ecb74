/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The area through which a step reports its transactions to vigil: a file mapped
 * shared by the step's processes (writers, through libvigil) and by the sampler
 * (reader). VIGIL_TRANSACTIONS in the step's environment is its path.
 *
 * It holds a ring of changes. A writer takes the next ticket with an atomic add on
 * next, fills the slot ticket % slots, and publishes it by storing ticket + 1 into
 * the slot's sequence (release). The reader takes slots in ticket order while
 * sequence == ticket + 1; when it has been overtaken it counts the changes it
 * missed. Writers never wait.
 *
 * The ring also carries the times at which collecting is started or paused, by the
 * step itself or from outside: changes with the names below, which no transaction
 * has. The word collecting is the current state, for code that cannot wait for the
 * ring.
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

/*
 * Names of changes that are not transactions: they begin with a byte that no other
 * name begins with.
 */
#define TRANSACTION_SWITCH '\001'
#define TRANSACTION_START "\001START"
#define TRANSACTION_PAUSE "\001PAUSE"

enum transaction_collecting {
	TRANSACTION_COLLECTING_NONE = 0, /* not initialised: the creator of the area does not say */
	TRANSACTION_COLLECTING_PAUSED = 1,
	TRANSACTION_COLLECTING_ACTIVE = 2,
};

enum transaction_online {
	TRANSACTION_ONLINE_NOT = 0,
	TRANSACTION_ONLINE = 1,	      /* requests for the newest events are answered */
	TRANSACTION_ONLINE_ENDED = 2, /* no longer */
};

struct transaction_area {
	uint64_t magic;
	uint64_t slots;	     /* a power of two */
	uint64_t next;	     /* ticket of the next change; atomic */
	uint64_t collecting; /* enum transaction_collecting; atomic */
	uint64_t starts;     /* times it became active, including at the beginning; atomic */
	/*
	 * ONLINE=ON: a requester of the newest events adds 1 to asked, which gives it its
	 * number, and waits until the upper half of answered reaches that. The lower half
	 * is 1 plus the descriptor, in the process that made the area, through which they
	 * can be read; 0: they could not be written.
	 */
	uint64_t online;   /* enum transaction_online */
	uint64_t asked;	   /* atomic */
	uint64_t answered; /* atomic */
	struct transaction_change changes[];
};

#define TRANSACTION_AREA_SLOTS 65536

/* The message of a session whose step has overwritten its area. */
#define TRANSACTION_AREA_OVERWRITTEN \
	"the step has overwritten the area in which it names its transactions: " \
	"transactions named later are unknown"

/*
 * Returns whether next may follow a ticket seen earlier: no step takes that many
 * in between. If it may not, the program has overwritten the area, and no ticket
 * can be trusted any more.
 */
static inline int transaction_area_whole(uint64_t seen, uint64_t next)
{
	return next >= seen && next - seen < UINT64_C(1) << 40;
}

#endif
