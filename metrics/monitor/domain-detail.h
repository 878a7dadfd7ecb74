/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The domain detail record, D1R14 (seed 001, MRMTRDDR): which users or
 * devices of a domain are monitored. A list that is too long for a frame goes
 * on in the next record of its profile and domain; the items of all of them
 * make one list here.
 */
#ifndef VIGIL_METRICS_MONITOR_DOMAIN_DETAIL_H
#define VIGIL_METRICS_MONITOR_DOMAIN_DETAIL_H

#include "metrics/monitor/monwrite-read.h"

struct domain_detail {
	uint64_t tod;	       /* of the first record */
	unsigned char profile; /* MTRDDR_PROFILE as it stands there, EBCDIC */
	unsigned char domain;  /* MTRDDR_DMNUMBER */
	unsigned char status;  /* MTRDDR_DMSTATUS */
	unsigned char flags;   /* MTRDDR_CALFLAGS of the last record */
	uint64_t records;
	uint64_t counted;    /* MTRDDR_DMITEMCT, of all records */
	size_t item_size;    /* 8: user ids, 2: device numbers, others: not known to vigil */
	struct strbuf items; /* of item_size each */
	bool open;	     /* the list goes on */
	bool broken;	     /* it did not, or not all its items are there */
};

/* Lists that are not complete; zeroes are none. */
struct domain_details {
	struct domain_detail *open;
	size_t count, alloc;
};

/* Bytes of an item of a domain's list; 0: vigil does not know. */
size_t domain_item_size(unsigned domain);
/*
 * Takes a record. When it completes a list, that is moved to detail, which is the
 * caller's to release, and true returned. What is wrong is told to reader.
 */
bool domain_details_take(struct domain_details *details, struct monwrite_reader *reader,
			 const struct monitor_record *record, struct domain_detail *detail);
/*
 * Takes out a list that nothing completes, once its interval or the file is over;
 * false: none is open.
 */
bool domain_details_give_up(struct domain_details *details, struct domain_detail *detail);
void domain_detail_release(struct domain_detail *detail);
void domain_details_release(struct domain_details *details);
/* Items of a list, and one of them as text: a user id, or a device number of four hexadecimal
 * digits. */
size_t domain_detail_count(const struct domain_detail *detail);
void domain_detail_item(const struct domain_detail *detail, size_t number, struct strbuf *sb);

#endif
