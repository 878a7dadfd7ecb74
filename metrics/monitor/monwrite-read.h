/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the records of a MONWRITE file (layout.h), one page in memory at a time,
 * from files and streams.
 *
 * Damage is not an error: it is reported with its offset (in the decompressed
 * file), and reading continues with the next record that is certain: records
 * follow from it without a gap to the end of the frame, with times within two
 * years of the last good one. In a page that no control record announces, only
 * records before an end-of-frame or end-of-interval record are accepted: data
 * after the last record of a frame may be old.
 */
#ifndef VIGIL_METRICS_MONITOR_MONWRITE_READ_H
#define VIGIL_METRICS_MONITOR_MONWRITE_READ_H

#include "common/error.h"
#include "metrics/monitor/layout.h"

/* A record; data are valid until the next is read. */
struct monitor_record {
	const unsigned char *data;
	size_t length;
	unsigned domain, number;
	uint64_t tod;
	uint64_t offset;
	bool event; /* of event data */
};

struct monwrite_status {
	uint64_t bytes, controls, frames, records;
	uint64_t damages;	/* number of reports */
	uint64_t skipped_bytes; /* bytes in frames that belong to no record */
	bool complete;		/* there was an end-of-data record */
};

typedef void (*monwrite_damage)(void *argument, uint64_t offset, const char *text);

struct monwrite_reader;

/*
 * Returns whether a file or stream begins like a MONWRITE file; searches a page
 * with a complete control record only at its beginning. The part of a stream that
 * was read is lost.
 */
bool monwrite_is(const char *path);
struct monwrite_reader *monwrite_open(const char *path, monwrite_damage damage, void *argument,
				      struct error *err);
void monwrite_close(struct monwrite_reader *reader);
/* Reads the next record: 1, 0 at the end, -1 with err when reading fails. */
int monwrite_next(struct monwrite_reader *reader, struct monitor_record *record, struct error *err);
const struct monwrite_status *monwrite_status(const struct monwrite_reader *reader);
/* Reports damage inside the record that was read last. */
void monwrite_report_damage(struct monwrite_reader *reader, const struct monitor_record *record,
		   const char *format, ...) PRINTFLIKE(3, 4);

#endif
