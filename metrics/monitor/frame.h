/* SPDX-License-Identifier: Apache-2.0 */
/* What one page shows by itself: whether it is a control record, where records follow each other.
 */
#ifndef VIGIL_METRICS_MONITOR_FRAME_H
#define VIGIL_METRICS_MONITOR_FRAME_H

#include "metrics/monitor/layout.h"

/* A stretch of monitor data as a control record announces it. */
struct frame_entry {
	bool event;
	uint32_t first, last; /* addresses */
};

/* Pages of an entry. */
static inline uint32_t frame_entry_pages(const struct frame_entry *entry)
{
	return entry->last / MONITOR_PAGE - entry->first / MONITOR_PAGE + 1;
}

/* Entry number of a page; false: there is none there. */
bool frame_entry_get(const unsigned char *page, unsigned number, struct frame_entry *entry);
/* Entries of a control record as its head counts them; 0: its head is not that of one. */
unsigned frame_control_count(const unsigned char *page);
/* Returns whether all entries that the head counts are there. */
bool frame_is_control(const unsigned char *page);

/* Why there is no record at a place; NULL: there is one. stop: where the data of the page end. */
const char *frame_record_wrong(const unsigned char *page, unsigned at, unsigned stop);
/* Returns whether all bytes of a stretch are 0. */
bool frame_is_empty(const unsigned char *page, unsigned at, unsigned stop);
/* Returns whether a TOD is within two years of another; 0 as the other: it is a time at all. */
bool frame_is_near(uint64_t tod, uint64_t near);
/*
 * Returns whether records surely follow each other from a place to stop, or to the
 * record that ends a frame or an interval; ended: only such a record is an end.
 * near: the TOD of a good record, 0 unknown.
 */
bool frame_is_chain(const unsigned char *page, unsigned at, unsigned stop, uint64_t near,
		    bool ended);

#endif
