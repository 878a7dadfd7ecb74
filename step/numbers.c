/* SPDX-License-Identifier: Apache-2.0 */
/* Records which holder had a kernel number (pid, tid), and when. */
#include "common/compat.h"
#include "step/numbers.h"
#include "common/xalloc.h"

void numbers_init(struct numbers *numbers)
{
	idmap_init(&numbers->newest);
}

/* Returns the newest holder of a number; NULL: it was never assigned. */
static struct number_holder *newest_of(const struct numbers *numbers, uint64_t number)
{
	uint64_t value;

	RETURN_IF(!idmap_get(&numbers->newest, number, &value), NULL);
	return (struct number_holder *)(uintptr_t)value;
}

void numbers_release(struct numbers *numbers)
{
	uint64_t number, value;

	for (size_t at = 0; idmap_next(&numbers->newest, &at, &number, &value);) {
		struct number_holder *next = (struct number_holder *)(uintptr_t)value, *holder;

		while ((holder = next)) {
			next = holder->earlier;
			free(holder);
		}
	}
	idmap_release(&numbers->newest);
}

void numbers_add(struct numbers *numbers, uint64_t number, void *holder, const uint64_t *end,
		 uint64_t since)
{
	struct number_holder *added = xcalloc(1, sizeof(*added));

	*added = (struct number_holder){ newest_of(numbers, number), holder, end, since };
	idmap_put(&numbers->newest, number, (uintptr_t)added);
}

/* Returns whether a holder had ended before a time. */
static bool had_ended(const struct number_holder *holder, uint64_t time)
{
	return *holder->end && *holder->end + NUMBERS_SLACK < time;
}

void *numbers_newest(const struct numbers *numbers, uint64_t number, uint64_t time)
{
	const struct number_holder *holder = newest_of(numbers, number);

	return holder && !had_ended(holder, time) ? holder->holder : NULL;
}

void *numbers_find(const struct numbers *numbers, uint64_t number, uint64_t from, uint64_t until)
{
	const struct number_holder *holder = newest_of(numbers, number);
	void *found = NULL;

	for (; holder && !had_ended(holder, from); holder = holder->earlier) {
		if (holder->since > from && holder->since - from > NUMBERS_SLACK) {
			if (holder->since <= until)
				found = holder->holder;
			continue;
		}
		return holder->holder;
	}
	return found;
}

void numbers_extend(struct numbers *numbers, uint64_t number, const void *holder, uint64_t since)
{
	struct number_holder *at = newest_of(numbers, number);

	while (at && at->holder != holder)
		at = at->earlier;
	if (at && since < at->since)
		at->since = since;
}

void numbers_remove(struct numbers *numbers, uint64_t number, const void *holder)
{
	struct number_holder *first = newest_of(numbers, number), **link = &first, *removed;

	while (*link && (*link)->holder != holder)
		link = &(*link)->earlier;
	removed = *link;
	if (!removed)
		return;
	*link = removed->earlier;
	free(removed);
	if (first)
		idmap_put(&numbers->newest, number, (uintptr_t)first);
	else
		idmap_remove(&numbers->newest, number);
}
