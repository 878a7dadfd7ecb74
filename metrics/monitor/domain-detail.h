/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The domain detail record, D1R14 (seed 001, MRMTRDDR): the users or devices of a
 * domain that are monitored. A list that is too long for a frame is continued in
 * the next record of its profile and domain; here the items of all of them are
 * joined.
 */
#ifndef VIGIL_METRICS_MONITOR_DOMAIN_DETAIL_H
#define VIGIL_METRICS_MONITOR_DOMAIN_DETAIL_H

#include "metrics/monitor/monwrite-read.h"

struct domain_detail {
	uint64_t tod;	       /* of the first record */
	unsigned char profile; /* MTRDDR_PROFILE as in the record, EBCDIC */
	unsigned char domain;  /* MTRDDR_DMNUMBER */
	unsigned char status;  /* MTRDDR_DMSTATUS */
	unsigned char flags;   /* MTRDDR_CALFLAGS of the last record */
	uint64_t records;
	uint64_t counted;    /* MTRDDR_DMITEMCT, summed over all records */
	size_t item_size;    /* 8: user ids, 2: device numbers, others: unknown */
	struct strbuf items; /* of item_size each */
	bool open;	     /* the list is incomplete */
	bool broken;	     /* it was never completed, or items are missing */
};

/* Incomplete lists; zero-initialized. */
struct domain_details {
	struct domain_detail *open;
	size_t count, alloc;
};

/* Returns the bytes of an item of a domain's list; 0: unknown. */
size_t domain_item_size(unsigned domain);
/*
 * Reads a record. If it completes a list, moves that to detail, which the caller
 * must release, and returns true. Errors are reported to reader.
 */
bool domain_details_take(struct domain_details *details, struct monwrite_reader *reader,
			 const struct monitor_record *record, struct domain_detail *detail);
/*
 * Removes and returns a list that remains incomplete at the end of its interval or
 * of the file. Returns false when none is open.
 */
bool domain_details_take_incomplete(struct domain_details *details, struct domain_detail *detail);
void domain_detail_release(struct domain_detail *detail);
void domain_details_release(struct domain_details *details);
/*
 * Return the number of items of a list, and one of them as text: a user id, or a
 * device number of four hexadecimal digits.
 */
size_t domain_detail_count(const struct domain_detail *detail);
void domain_detail_item(const struct domain_detail *detail, size_t number, struct strbuf *sb);

#endif
