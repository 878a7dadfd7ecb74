/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of the ring in which a step says what transactions its threads are at, and when
 * collecting is started and paused (agent/transaction-area.h). The area is mapped and checked once
 * for all who measure the step; each who takes changes has a cursor of his own, and the rules are
 * the same for all:
 *
 * - A change is read when its writer has published it, whole or not at all.
 * - A ticket that is not published is waited for. After a second its writer is taken to have been
 *   killed, and the ticket counts as missed; at the end of the session, at once.
 * - Who is lapped by the writers goes on with the newest three quarters of the ring; what he gives
 *   up counts as missed.
 * - Where the step has overwritten the area, no ticket can be trusted: nothing more is read.
 */
#ifndef VIGIL_STEP_CHANGES_H
#define VIGIL_STEP_CHANGES_H

#include "agent/transaction-area.h"
#include "common/error.h"
#include "common/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The area; all zero: there is none, and nothing ever changes. */
struct changes {
	const struct transaction_area *area;
	size_t size; /* of the mapping */
	uint64_t slots;
};

/* path may be NULL (no area). -1 when the file is not there or is no area; then it is all zero. */
int changes_init(struct changes *changes, const char *path, struct error *err);
void changes_release(struct changes *changes);
/* Whether collecting is paused now, by the word in the area. */
bool changes_paused(const struct changes *changes);
/* How often collecting has become active so far; may be asked in any thread. */
uint64_t changes_starts(const struct changes *changes);

/* How far somebody has read. */
struct change_cursor {
	uint64_t next;	      /* ticket to be read next */
	uint64_t stuck_since; /* ns: when it was first found unpublished; 0: it was not */
	uint64_t missed;      /* changes that were given up */
	bool overwritten;     /* by the step: nothing more is read */
	bool last;	      /* the session ends: nothing is waited for any more */
};

/* Begin with the changes that are made from now on. */
void change_cursor_init(struct change_cursor *cursor, const struct changes *changes);
/*
 * Copy the next change, which stays the next until change_cursor_pass; false when none can be read.
 * now: the reader's time, ns, by which a ticket is waited for.
 */
bool change_cursor_peek(struct change_cursor *cursor, const struct changes *changes, uint64_t now,
			struct transaction_change *change);
/* How many changes there are that it has not passed yet, and whether the writers may soon lap it. */
uint64_t change_cursor_waiting(const struct change_cursor *cursor, const struct changes *changes);
bool change_cursor_is_late(const struct change_cursor *cursor, const struct changes *changes);
/* The change that was copied is taken. */
void change_cursor_pass(struct change_cursor *cursor);
/*
 * Copy the last transaction that thread tid has named up to a time, among what the cursor has not
 * passed yet; false when there is none. The cursor stays where it is.
 */
bool change_cursor_ahead(const struct change_cursor *cursor, const struct changes *changes,
			 pid_t tid, uint64_t time, struct transaction_change *change);

/* Whether a change starts or pauses collecting, and is no transaction. */
static inline bool change_is_switch(const struct transaction_change *change)
{
	return change->name[0] == TRANSACTION_SWITCH;
}

/* Whether it pauses collecting. */
bool change_is_pause(const struct transaction_change *change);

/* Append a sentence on changes that were given up. */
void changes_missed_text(uint64_t missed, struct strbuf *sb);

#endif
