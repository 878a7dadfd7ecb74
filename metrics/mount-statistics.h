/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of /proc/self/mountstats: what the kernel counts of each file
 * system of NFS that is mounted, with all operations since it was.
 *
 *     device SERVER:/PATH mounted on /MNT with fstype nfs4 statvers=1.1
 *         opts:   rw,vers=4.2,...
 *         events: 35 259 ...
 *         per-op statistics
 *                 READ: 1000 1000 0 220000 1048680000 1689 503927 505677 0
 *
 * Nothing is copied and nothing allocated: all is places in the text, which
 * belongs to the caller. Text of another form is passed over; numbers that are
 * not there are UINT64_MAX, and so are times that the kernel has below zero.
 */
#ifndef VIGIL_METRICS_MOUNT_STATISTICS_H
#define VIGIL_METRICS_MOUNT_STATISTICS_H

#include "common/compat.h"

/* A part of the text. */
struct text_part {
	const char *at;
	size_t length;
};

/* What is mounted where. */
struct mount_statistics {
	struct text_part device, path; /* as the kernel writes them: blanks are "\040" */
	const char *lines, *end;       /* what is said of it, from line to line */
};

/* A line: the word before its colon, and what stands behind it. */
struct mount_line {
	struct text_part key;
	const char *rest, *end;
	bool operation; /* it is one of the statistics by operation */
};

/* What is counted of an operation, in this order; times in ms. */
enum {
	MOUNT_OPERATIONS,
	MOUNT_TRANSMISSIONS,
	MOUNT_TIMEOUTS,
	MOUNT_BYTES_SENT,
	MOUNT_BYTES_RECEIVED,
	MOUNT_QUEUE,
	MOUNT_RESPONSE,
	MOUNT_EXECUTION,
	MOUNT_ERRORS, /* told from Linux 5.3 on */
	MOUNT_COUNTS
};

/* The next mount of NFS from *at on, which moves behind it; false: there is no other. */
bool mount_statistics_next(const char **at, struct mount_statistics *mount);
/* The next line of a mount; at first all of line is zero. False: that was the last. */
bool mount_line_next(const struct mount_statistics *mount, struct mount_line *line);
/* Returns whether a line has this key. */
bool mount_line_is(const struct mount_line *line, const char *key);
/* The numbers of a line, behind words that are none; how many there are, at most most. */
size_t mount_numbers(const struct mount_line *line, uint64_t *numbers, size_t most);
/* A part with "\040" and the like as the bytes they stand for; the length of text, at most size. */
size_t mount_text(struct text_part part, char *text, size_t size);

#endif
