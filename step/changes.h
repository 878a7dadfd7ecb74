/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of the ring in which a step reports its threads' transactions, and
 * the start and pause of collecting (agent/transaction-area.h). The area is mapped
 * and checked once for all parts of vigil that measure the step. Each reader of
 * changes has its own cursor; the rules are the same for all:
 *
 * - A change is read only once its writer has published it completely.
 * - An unpublished ticket is waited for. After a second its writer is assumed to have been
 *   killed, and the ticket counts as missed; at the end of the session, at once.
 * - A reader lapped by the writers continues with the newest three quarters of the ring; what it
 *   skips counts as missed.
 * - If the step has overwritten the area, no ticket can be trusted: nothing more is read.
 */
#ifndef VIGIL_STEP_CHANGES_H
#define VIGIL_STEP_CHANGES_H

#include "agent/transaction-area.h"
#include "common/error.h"
#include "common/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The mapped area; all zero: there is none, and no change ever appears. */
struct changes {
	const struct transaction_area *area;
	size_t size; /* of the mapping */
	uint64_t slots;
};

/*
 * Maps the area. path may be NULL (no area). Returns -1 when the file does not
 * exist or is no area; then changes is all zero.
 */
int changes_init(struct changes *changes, const char *path, struct error *err);
void changes_release(struct changes *changes);
/* Returns whether collecting is paused now, by the word in the area. */
bool changes_paused(const struct changes *changes);
/* Returns how often collecting has become active so far; callable from any thread. */
uint64_t changes_starts(const struct changes *changes);

/* A reader's position in the ring. */
struct change_cursor {
	uint64_t next;	      /* ticket to read next */
	uint64_t stuck_since; /* ns: when it was first found unpublished; 0: it was not */
	uint64_t missed;      /* changes given up */
	bool overwritten;     /* by the step: nothing more is read */
	bool last;	      /* the session ends: unpublished tickets are not waited for */
};

/* Begins with the changes made from now on. */
void change_cursor_init(struct change_cursor *cursor, const struct changes *changes);
/*
 * Copies the next change, which stays next until change_cursor_pass; returns false
 * when none can be read. now: the reader's time, ns, for the limit on waiting for
 * a ticket.
 */
bool change_cursor_peek(struct change_cursor *cursor, const struct changes *changes, uint64_t now,
			struct transaction_change *change);
/* Return the number of changes not passed yet, and whether the writers may soon lap the cursor. */
uint64_t change_cursor_waiting(const struct change_cursor *cursor, const struct changes *changes);
bool change_cursor_is_late(const struct change_cursor *cursor, const struct changes *changes);
/* Moves past the change that was copied. */
void change_cursor_pass(struct change_cursor *cursor);
/*
 * Copies the last transaction that thread tid named up to a time, among the
 * changes the cursor has not passed; returns false when there is none. The cursor
 * does not move.
 */
bool change_cursor_find_pending(const struct change_cursor *cursor, const struct changes *changes,
			 pid_t tid, uint64_t time, struct transaction_change *change);

/* Returns whether a change starts or pauses collecting, rather than names a transaction. */
static inline bool change_is_switch(const struct transaction_change *change)
{
	return change->name[0] == TRANSACTION_SWITCH;
}

/* Returns whether a change pauses collecting. */
bool change_is_pause(const struct transaction_change *change);

/* Appends a sentence that reports the changes given up. */
void changes_missed_text(uint64_t missed, struct strbuf *sb);

#endif
