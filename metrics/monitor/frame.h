/* SPDX-License-Identifier: Apache-2.0 */
/* Checks on a single page: whether it is a control record, and where it has a chain of records. */
#ifndef VIGIL_METRICS_MONITOR_FRAME_H
#define VIGIL_METRICS_MONITOR_FRAME_H

#include "metrics/monitor/layout.h"

/* A range of monitor data announced by a control record. */
struct frame_entry {
	bool event;
	uint32_t first, last; /* addresses */
};

/* Returns the number of pages of an entry. */
static inline uint32_t frame_entry_pages(const struct frame_entry *entry)
{
	return entry->last / MONITOR_PAGE - entry->first / MONITOR_PAGE + 1;
}

/* Reads entry number of a page. Returns false when there is none. */
bool frame_entry_get(const unsigned char *page, unsigned number, struct frame_entry *entry);
/*
 * Returns the number of entries of a control record according to its head; 0: the
 * head is invalid.
 */
unsigned frame_control_count(const unsigned char *page);
/* Returns whether all entries counted by the head are valid. */
bool frame_is_control(const unsigned char *page);

/* Returns why there is no record at an offset; NULL: there is one. stop: end of the page's data. */
const char *frame_record_wrong(const unsigned char *page, unsigned at, unsigned stop);
/* Returns whether all bytes of a range are 0. */
bool frame_is_empty(const unsigned char *page, unsigned at, unsigned stop);
/* Returns whether a TOD is within two years of near; near 0: whether it is a valid time. */
bool frame_is_near(uint64_t tod, uint64_t near);
/*
 * Returns whether there is certainly a chain of records from an offset to stop, or
 * to the record that ends a frame or an interval; ended: only such a record is an
 * end. near: the TOD of a good record, 0: unknown.
 */
bool frame_is_chain(const unsigned char *page, unsigned at, unsigned stop, uint64_t near,
		    bool ended);

#endif
