/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vigil's application data (vigil-monitor(5)): descriptions of record types, and
 * records by them, so that a reader gets every value unchanged.
 *
 * The data of one D10R2 record are a part: a head of 16 bytes, then bytes of a
 * message. A message that is too long for a part is continued in the next one.
 * Texts are UTF-8, preceded by their length; numbers are big-endian.
 */
#ifndef VIGIL_METRICS_MONITOR_APPLICATION_H
#define VIGIL_METRICS_MONITOR_APPLICATION_H

#include "engine/engine.h"
#include "metrics/monitor/layout.h"
#include "metrics/selection.h"

/* The user id of the data, and the product id; EBCDIC in the records. */
#define APPLICATION_USER "VIGIL"
#define APPLICATION_PRODUCT "VIGILMETRICS0100"

enum application_kind {
	APPLICATION_SNAPSHOT = 1, /* a snapshot begins */
	APPLICATION_TYPE = 2,	  /* description of a record type */
	APPLICATION_VALUES = 3,	  /* records of a type */
	APPLICATION_USERS = 4,	  /* the user ids of users */
	APPLICATION_DEVICES = 5,  /* the device numbers of devices */
	APPLICATION_END = 6,	  /* the data are complete; in a D10R1 record */
};

/* The head of a part. */
enum {
	PART_VERSION = 0,  /* 1 byte: 1 */
	PART_KIND = 1,	   /* 1 byte */
	PART_FLAGS = 2,	   /* 1 byte */
	PART_SERIAL = 4,   /* 4 bytes: parts are numbered from 1 */
	PART_SEQUENCE = 8, /* 8 bytes: of the snapshot */
	PART_HEAD = 16,
};
#define PART_CONTINUED 0x80 /* the message continues in the next part */
#define PART_FIRST 0x40	    /* it begins in this one */
/* Records are collected into messages of about this length. */
#define APPLICATION_MESSAGE 32768

/* A record type being written: its number in the file, and the fields to write. */
struct application_type {
	const struct record_type *type;
	unsigned number;
	size_t *fields; /* owned */
	size_t field_count;
};

void application_add_number(struct strbuf *sb, size_t size, uint64_t number);
void application_add_text(struct strbuf *sb, const void *text, size_t length);
/* Selects which fields of a type are written: those in the selection, NULL: all. */
void application_type_init(struct application_type *type, const struct record_type *from,
			   unsigned number, const struct selection *selection);
void application_type_release(struct application_type *type);
void application_add_type(struct strbuf *sb, const struct application_type *type);
/*
 * Appends the records of a set from number first on that make one message. Returns
 * the number after the last.
 */
size_t application_add_values(struct strbuf *sb, const struct application_type *type,
			      const struct recordset *set, size_t first,
			      const struct strmap *strings);

/* Reads parts and adds their records to snapshots. */
struct application_reader {
	struct application_source *types; /* by number; owned */
	size_t type_count, type_alloc;
	struct strbuf message;	       /* parts so far */
	bool open;		       /* the message is incomplete */
	unsigned kind;		       /* of the message */
	uint32_t serial;	       /* of the last part; 0: none */
	uint64_t sequence, time, wall; /* of the last snapshot begun */
	bool complete;		       /* the end was read, and no part before it was missing */
	bool lost;		       /* a part was missing */
};

void application_reader_init(struct application_reader *reader);
/* Returns whether a part begins a snapshot; to be called before the part is taken. */
bool application_begins(const unsigned char *part, size_t length);
/*
 * Reads a part. Returns whether a snapshot begins with it: then sequence, time and
 * wall are set. why: what is invalid.
 */
bool application_take(struct application_reader *reader, const unsigned char *part, size_t length,
		      struct engine *engine, struct snapshot *snapshot, struct strbuf *why);
void application_release(struct application_reader *reader);

#endif
