/* SPDX-License-Identifier: Apache-2.0 */
/* Examines single pages of monitor data. */
#include "common/compat.h"
#include "metrics/monitor/frame.h"

/*
 * Maximum pages of an entry: no saved segment for monitor data is larger; more
 * means a damaged entry.
 */
#define ENTRY_PAGES_MAX 0x10000u
/* Two years, in units of the TOD clock: 2^-12 us. */
#define NEAR_TOD ((uint64_t)2 * 366 * 86400 * 1000000 << 12)
/* Maximum domain and record number in a chain that is accepted without a control record. */
#define CHAIN_DOMAIN_MAX 15
#define CHAIN_RECORD_MAX 255

bool frame_entry_get(const unsigned char *page, unsigned number, struct frame_entry *entry)
{
	const unsigned char *at = page + MWTBK_ENTRIES + (size_t)number * MWTBK_ENTRY;

	if (number >= MWTBK_ENTRIES_MAX || (at[0] != MWTBK_SAMPLE && at[0] != MWTBK_EVENT) ||
	    !monitor_get(at + MWTBK_DOMAINS, 2))
		return false;
	entry->event = at[0] == MWTBK_EVENT;
	entry->first = monitor_get(at + MWTBK_START, 4);
	entry->last = monitor_get(at + MWTBK_END, 4);
	return entry->last > entry->first && entry->last - entry->first >= MRHDR_SIZE - 1 &&
	       frame_entry_pages(entry) <= ENTRY_PAGES_MAX;
}

unsigned frame_control_count(const unsigned char *page)
{
	uint32_t first = monitor_get(page + MWTBK_FIRST, 4);
	uint32_t last = monitor_get(page + MWTBK_LAST, 4);

	if (last <= first || (last - first + 1) % MWTBK_ENTRY ||
	    (last - first + 1) / MWTBK_ENTRY > MWTBK_ENTRIES_MAX)
		return 0;
	return (last - first + 1) / MWTBK_ENTRY;
}

bool frame_is_control(const unsigned char *page)
{
	unsigned count = frame_control_count(page);
	struct frame_entry entry;

	for (unsigned i = 0; i < count; i++)
		if (!frame_entry_get(page, i, &entry))
			return false;
	return count > 0;
}

const char *frame_record_wrong(const unsigned char *page, unsigned at, unsigned stop)
{
	unsigned length;

	if (stop - at < MRHDR_SIZE)
		return "there is no room for a record";
	length = monitor_get(page + at + MRHDR_LENGTH, 2);
	if (length < MRHDR_SIZE)
		return "a record is shorter than its header";
	if (length > stop - at)
		return "a record is longer than its frame";
	if (monitor_get(page + at + MRHDR_ZERO, 2))
		return "a record has no zeros after its length";
	return NULL;
}

bool frame_is_empty(const unsigned char *page, unsigned at, unsigned stop)
{
	while (at < stop)
		if (page[at++])
			return false;
	return true;
}

bool frame_is_near(uint64_t tod, uint64_t near)
{
	return tod && (!near || tod - near + NEAR_TOD <= 2 * NEAR_TOD);
}

bool frame_is_chain(const unsigned char *page, unsigned at, unsigned stop, uint64_t near,
		    bool ended)
{
	while (at < stop) {
		unsigned domain, number;

		if (frame_record_wrong(page, at, stop))
			return false;
		domain = page[at + MRHDR_DOMAIN];
		number = monitor_get(page + at + MRHDR_RECORD, 2);
		if (domain > CHAIN_DOMAIN_MAX || !number || number > CHAIN_RECORD_MAX ||
		    !frame_is_near(monitor_get64(page + at + MRHDR_TOD), near))
			return false;
		if (domain == 1 && (number == RECORD_END_OF_FRAME || number == RECORD_INTERVAL_END))
			return true;
		at += monitor_get(page + at + MRHDR_LENGTH, 2);
	}
	return !ended;
}
