/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets in monitor data. All numbers are big-endian.
 *
 * 	file      { control record, frames } ... end-of-data record; all of 4096 bytes
 * 	control   MWTBK: 40 bytes of the message that announced data, 12-byte entries
 * 	entry     type and domains, address of the first byte, address of the last one
 * 	frames    the pages from first to last address, whole; records do not cross them
 * 	record    MRRECHDR of 20 bytes, then its own fields (tests/monitor/ has them as tables)
 *
 * Records grow with releases: a field is present if the record is long enough. The
 * comments of members give the length of a field in bytes.
 */
#ifndef VIGIL_METRICS_MONITOR_LAYOUT_H
#define VIGIL_METRICS_MONITOR_LAYOUT_H

#include "common/compat.h"

#define MONITOR_PAGE 4096u

/* MWTBK. */
enum {
	MWTBK_FIRST = 12, /* 4: address of the first entry */
	MWTBK_LAST = 16,  /* 4: address of the last byte of the last entry */
	MWTBK_ENTRIES = 40,
	MWTBK_ENTRY = 12,
	MWTBK_ENTRIES_MAX = (4096 - 40) / 12,
	MWTBK_DOMAINS = 1, /* 2: in an entry */
	MWTBK_START = 4,   /* 4: in an entry */
	MWTBK_END = 8,	   /* 4: in an entry; the last byte */
};
#define MWTBK_SAMPLE 0xe2 /* 'S' in EBCDIC */
#define MWTBK_EVENT 0xc5  /* 'E' */

/* MRRECHDR. */
enum {
	MRHDR_LENGTH = 0, /* 2 */
	MRHDR_ZERO = 2,	  /* 2 */
	MRHDR_DOMAIN = 4, /* 1 */
	MRHDR_RECORD = 6, /* 2 */
	MRHDR_TOD = 8,	  /* 8 */
	MRHDR_SIZE = 20,
};

enum {
	DOMAIN_SCHEDULER = 2,
	DOMAIN_USER = 4,
	DOMAIN_IO = 6,
	DOMAIN_SEEK = 7,
	DOMAIN_APPLDATA = 10
};

/* Records of domain 1. */
enum {
	RECORD_EVENT_PROFILE = 1,
	RECORD_CONFIGURATION = 4,
	RECORD_SAMPLE_PROFILE = 9,
	RECORD_INTERVAL_END = 11,
	RECORD_END_OF_FRAME = 13,
	RECORD_DOMAIN_DETAIL = 14,
};

/* MTRDDR (seed 001). */
enum {
	MTRDDR_PROFILE = 20,  /* 1: 'E' or 'S' */
	MTRDDR_DMNUMBER = 21, /* 1 */
	MTRDDR_DMSTATUS = 22, /* 1 */
	MTRDDR_CALFLAGS = 23, /* 1 */
	MTRDDR_DMITEMCT = 24, /* 4 */
	MTRDDR_DMITEMS = 28,
};
#define MTRDDR_ALL 0x80
#define MTRDDR_ONLY 0x40
#define MTRDDR_EXCEPT 0x20
#define MTRDDR_CONT 0x80

/* MTREPR, MTRSPR. */
enum { MTREPR_DOMAINS = 20, MTREPR_PAGES = 22, MTREPR_SIZE = 24 };
enum {
	MTRSPR_INTERVAL = 20,
	MTRSPR_RATE = 24,
	MTRSPR_DOMAINS = 28,
	MTRSPR_RATE_DOMAINS = 30,
	MTRSPR_PAGES = 32,
	MTRSPR_SIZE = 36,
};

/* MTRSYS. */
enum {
	MTRSYS_LEVEL = 28,	 /* 8 */
	MTRSYS_IPL = 36,	 /* 8 */
	MTRSYS_TERMINATION = 44, /* 8 */
	MTRSYS_SYSTEM = 88,	 /* 8 */
	MTRSYS_MACHINE = 108,	 /* 4 */
	MTRSYS_MODEL = 112,	 /* 16 */
	MTRSYS_SERIAL = 128,	 /* 16 */
	MTRSYS_PARTITION = 160,	 /* 8 */
	MTRSYS_SIZE = 176,
};

/* APLEDT (D10R1) and APLSDT (D10R2). */
enum { RECORD_APPLICATION_END = 1, RECORD_APPLICATION_SAMPLE = 2 };
enum {
	APLSDT_USER = 20,    /* 8 */
	APLSDT_PRODUCT = 28, /* 16 */
	APLSDT_DATA_AT = 44, /* 2: APLSDT_CALDATOF, where the data begin */
	APLSDT_SIZE = 52,
	APLSDT_DATA_MAX = 4024,
};

static inline uint32_t monitor_get(const unsigned char *from, size_t size)
{
	uint32_t value = 0;

	while (size--)
		value = value << 8 | *from++;
	return value;
}

static inline uint64_t monitor_get64(const unsigned char *from)
{
	return (uint64_t)monitor_get(from, 4) << 32 | monitor_get(from + 4, 4);
}

static inline void monitor_put(unsigned char *to, size_t size, uint64_t value)
{
	for (; size--; value >>= 8)
		to[size] = (unsigned char)value;
}

#endif
