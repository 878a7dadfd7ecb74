/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a step's ring of changes. */
#include "common/compat.h"
#include "step/changes.h"
#include "common/clock.h"
#include "common/outside.h"

/*
 * ns after which a change that was begun but never published (its writer was
 * killed) is given up.
 */
#define UNPUBLISHED_PATIENCE (1 * NSEC_PER_SEC)

/* Returns whether a mapping of size bytes contains an area. */
static bool is_area(const struct transaction_area *area, size_t size)
{
	return area->magic == TRANSACTION_AREA_MAGIC && area->slots > 0 &&
	       area->slots <= (size - sizeof(*area)) / sizeof(area->changes[0]);
}

/* Makes what the step has written into the area's head readable. */
static void refresh_head(const struct changes *changes)
{
	outside_refresh(changes->area, sizeof(*changes->area));
}

int changes_init(struct changes *changes, const char *path, struct error *err)
{
	*changes = (struct changes){ 0 };
	RETURN_IF(!path, 0);
	changes->area = outside_share(path, &changes->size);
	RETURN_IF(!changes->area && errno != ENODATA, error_errno(err, "%s", path));
	if (changes->area && changes->size >= sizeof(struct transaction_area)) {
		refresh_head(changes);
		changes->slots = changes->area->slots;
		RETURN_IF(is_area(changes->area, changes->size), 0);
	}
	changes_release(changes);
	return error_set(err, "%s is not a transaction area", path);
}

void changes_release(struct changes *changes)
{
	if (changes->area)
		outside_unshare(changes->area, changes->size);
	*changes = (struct changes){ 0 };
}

bool changes_paused(const struct changes *changes)
{
	RETURN_IF(!changes->area, false);
	refresh_head(changes);
	return __atomic_load_n(&changes->area->collecting, __ATOMIC_ACQUIRE) == TRANSACTION_COLLECTING_PAUSED;
}

uint64_t changes_starts(const struct changes *changes)
{
	RETURN_IF(!changes->area, 0);
	refresh_head(changes);
	return __atomic_load_n(&changes->area->starts, __ATOMIC_ACQUIRE);
}

bool change_is_pause(const struct transaction_change *change)
{
	return strcmp(change->name, TRANSACTION_PAUSE) == 0;
}

/* Returns the ticket of the next change to be made. */
static uint64_t tickets(const struct changes *changes)
{
	refresh_head(changes);
	return __atomic_load_n(&changes->area->next, __ATOMIC_ACQUIRE);
}

void change_cursor_init(struct change_cursor *cursor, const struct changes *changes)
{
	*cursor = (struct change_cursor){ .next = changes->area ? tickets(changes) : 0 };
}

/* Returns the slot of a ticket; it may hold another ticket's change. */
static const struct transaction_change *slot_of(const struct changes *changes, uint64_t ticket)
{
	const struct transaction_change *slot = &changes->area->changes[ticket % changes->slots];

	outside_refresh(slot, sizeof(*slot));
	return slot;
}

/* Returns whether the slot holds the complete change of a ticket. */
static bool is_published(const struct transaction_change *slot, uint64_t ticket)
{
	return __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE) == ticket + 1;
}

/* Copies the change of a ticket; returns false if it was overwritten meanwhile. */
static bool copy_change(const struct transaction_change *slot, uint64_t ticket,
			struct transaction_change *change)
{
	memcpy(change, slot, sizeof(*change));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	change->name[TRANSACTION_AREA_NAME - 1] = '\0';
	return __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == ticket + 1;
}

/* Skips the oldest tickets if the writers have lapped the reader; returns whether they have. */
static bool catch_up(struct change_cursor *cursor, const struct changes *changes, uint64_t end)
{
	uint64_t keep = changes->slots - changes->slots / 4;

	RETURN_IF(end - cursor->next <= changes->slots, false);
	cursor->missed += end - keep - cursor->next;
	cursor->next = end - keep;
	cursor->stuck_since = 0;
	return true;
}

/*
 * Gives up the next ticket, which is not published, if its writer has had enough
 * time; returns whether it did.
 */
static bool give_up(struct change_cursor *cursor, uint64_t now)
{
	if (!cursor->stuck_since)
		cursor->stuck_since = now;
	RETURN_IF(!cursor->last && now < cursor->stuck_since + UNPUBLISHED_PATIENCE, false);
	cursor->stuck_since = 0;
	cursor->missed++;
	cursor->next++;
	return true;
}

bool change_cursor_peek(struct change_cursor *cursor, const struct changes *changes, uint64_t now,
			struct transaction_change *change)
{
	RETURN_IF(!changes->area || cursor->overwritten, false);
	for (;;) {
		const struct transaction_change *slot = slot_of(changes, cursor->next);
		uint64_t end = tickets(changes);

		cursor->overwritten = !transaction_area_whole(cursor->next, end);
		RETURN_IF(cursor->overwritten || cursor->next == end, false);
		if (catch_up(cursor, changes, end))
			continue;
		if (is_published(slot, cursor->next)) {
			cursor->stuck_since = 0;
			RETURN_IF(copy_change(slot, cursor->next, change), true);
		} else if (!give_up(cursor, now)) {
			return false;
		}
	}
}

uint64_t change_cursor_waiting(const struct change_cursor *cursor, const struct changes *changes)
{
	return changes->area && !cursor->overwritten ? tickets(changes) - cursor->next : 0;
}

bool change_cursor_is_late(const struct change_cursor *cursor, const struct changes *changes)
{
	return change_cursor_waiting(cursor, changes) > changes->slots / 2;
}

void changes_missed_text(uint64_t missed, struct strbuf *sb)
{
	strbuf_addf(sb, "%" PRIu64 " changes of transactions were lost: they came too fast, or the "
			"process that made them was killed", missed);
}

void change_cursor_pass(struct change_cursor *cursor)
{
	cursor->next++;
}

bool change_cursor_find_pending(const struct change_cursor *cursor, const struct changes *changes,
			 pid_t tid, uint64_t time, struct transaction_change *change)
{
	uint64_t first = cursor->next, ticket;

	RETURN_IF(!changes->area || cursor->overwritten, false);
	ticket = tickets(changes);
	RETURN_IF(!transaction_area_whole(first, ticket), false);
	if (ticket > first + changes->slots)
		first = ticket - changes->slots;
	while (ticket-- > first) {
		const struct transaction_change *slot = slot_of(changes, ticket);

		/* Changes not yet complete are unlikely to be older than the time asked about. */
		if (slot->tid == (uint32_t)tid && slot->time <= time &&
		    is_published(slot, ticket) && copy_change(slot, ticket, change) &&
		    change->tid == (uint32_t)tid && change->time <= time &&
		    !change_is_switch(change))
			return true;
	}
	return false;
}
