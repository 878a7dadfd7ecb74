/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parser for /proc/self/mountstats: the kernel's counters for each mounted NFS
 * file system, with all operations since the mount.
 *
 *     device SERVER:/PATH mounted on /MNT with fstype nfs4 statvers=1.1
 *         opts:   rw,vers=4.2,...
 *         events: 35 259 ...
 *         per-op statistics
 *                 READ: 1000 1000 0 220000 1048680000 1689 503927 505677 0
 *
 * Nothing is copied or allocated: results point into the text, which belongs to
 * the caller. Text in another format is skipped. Missing numbers are UINT64_MAX,
 * and so are negative times.
 */
#ifndef VIGIL_METRICS_MOUNT_STATISTICS_H
#define VIGIL_METRICS_MOUNT_STATISTICS_H

#include "common/compat.h"

/* A part of the text. */
struct text_part {
	const char *at;
	size_t length;
};

/* One mount. */
struct mount_statistics {
	struct text_part device, path; /* as the kernel writes them, with "\040" for a blank */
	const char *lines, *end;       /* its lines */
};

/* A line: the word before its colon, and what follows it. */
struct mount_line {
	struct text_part key;
	const char *rest, *end;
	bool operation; /* it belongs to the statistics by operation */
};

/* The counters of an operation, in this order; times in ms. */
enum {
	MOUNT_OPERATIONS,
	MOUNT_TRANSMISSIONS,
	MOUNT_TIMEOUTS,
	MOUNT_BYTES_SENT,
	MOUNT_BYTES_RECEIVED,
	MOUNT_QUEUE,
	MOUNT_RESPONSE,
	MOUNT_EXECUTION,
	MOUNT_ERRORS, /* from Linux 5.3 on */
	MOUNT_COUNTS
};

/*
 * Finds the next mount of NFS from *at on, and advances past it. Returns false
 * when there is none.
 */
bool mount_statistics_next(const char **at, struct mount_statistics *mount);
/* Finds the next line of a mount; line must be zero at first. Returns false after the last. */
bool mount_line_next(const struct mount_statistics *mount, struct mount_line *line);
/* Returns whether a line has this key. */
bool mount_line_is(const struct mount_line *line, const char *key);
/* Reads the numbers of a line, after leading words. Returns how many there are, at most most. */
size_t mount_numbers(const struct mount_line *line, uint64_t *numbers, size_t most);
/*
 * Copies a part with "\040" and the like converted to bytes. Returns the length of
 * text, at most size.
 */
size_t mount_text(struct text_part part, char *text, size_t size);

#endif
