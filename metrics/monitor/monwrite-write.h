/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts records into the frames of monitor data, and frames after a control record
 * into a MONWRITE file (layout.h). Data are sample data or event data; they are
 * kept until they are flushed.
 */
#ifndef VIGIL_METRICS_MONITOR_MONWRITE_WRITE_H
#define VIGIL_METRICS_MONITOR_MONWRITE_WRITE_H

#include "common/strbuf.h"
#include "metrics/monitor/layout.h"

struct monwrite_writer {
	struct strbuf frames; /* since the last flush: complete frames, and the one being filled */
	struct strbuf file;   /* data to write next; the caller takes them */
	uint64_t tod;	      /* time for the following records */
	uint32_t messages;    /* control records so far */
};

void monwrite_writer_init(struct monwrite_writer *writer);
void monwrite_writer_release(struct monwrite_writer *writer);
/* Returns how many bytes of a record's fields still fit into the frame; 0: not even a header. */
size_t monwrite_free_bytes(const struct monwrite_writer *writer);
/* Ends the frame with an end-of-frame record. */
void monwrite_end_frame(struct monwrite_writer *writer);
/*
 * Adds a record of a length, including its header, to the frame, or to the next
 * one. Returns it zeroed except for its header, for the caller to fill in until
 * the next call.
 */
unsigned char *monwrite_add(struct monwrite_writer *writer, unsigned domain, unsigned number,
			    size_t length);
/*
 * Adds a domain detail record, continued over frames as its list requires (seed
 * 001). items: count of item_size bytes each.
 */
void monwrite_add_detail(struct monwrite_writer *writer, unsigned char profile,
			 unsigned char domain, unsigned char status, const void *items,
			 size_t item_size, size_t count);
/* Moves the added data to the file, after a control record. Sample data end with their interval. */
void monwrite_flush(struct monwrite_writer *writer, bool event, unsigned domains);
/* Appends the end-of-data record. */
void monwrite_end(struct monwrite_writer *writer);

#endif
