/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts what this process reads and writes, by file.
 *
 * A descriptor is looked up when it is first used; lookups may cost one per cent
 * of the process's run time, and files beyond that stay unnamed. stdio calls the
 * kernel inside the C library, where no function can be interposed: what a stream
 * moved is the change of its position less the bytes counted, computed before the
 * program closes or positions it, and at the end.
 */
#ifndef VIGIL_AGENT_FILES_FILE_COUNT_H
#define VIGIL_AGENT_FILES_FILE_COUNT_H

#include "agent/agent.h"
#include "agent/file-area.h"
#include "agent/file-own.h"

#include <stdio.h>
#include <sys/types.h>

#define FILE_DESCRIPTORS 4096

/*
 * The lane of each descriptor, NULL: not looked up, or none left; and the bytes
 * moved at its position.
 */
extern struct file_lane *file_lanes[FILE_DESCRIPTORS];
extern int64_t file_direct[FILE_DESCRIPTORS];
/* Of the C library: no other thread was ever started. */
extern char __libc_single_threaded __attribute__((weak));

/* The slow path of file_counted. */
void file_count_other(int fd, ssize_t bytes, enum file_direction direction, bool sequential);

/*
 * Counts the bytes that a call has moved (below 0: it failed). sequential: at the
 * descriptor's position, not at an explicit offset.
 */
static inline void file_counted(int fd, ssize_t bytes, enum file_direction direction,
				bool sequential)
{
	struct file_lane *lane = (unsigned)fd < FILE_DESCRIPTORS ? file_lanes[fd] : NULL;

	if (!lane || bytes < 0 || !&__libc_single_threaded || !__libc_single_threaded) {
		file_count_other(fd, bytes, direction, sequential);
		return;
	}
	lane->sums.bytes[direction] += (uint64_t)bytes;
	lane->sums.calls[direction]++;
	file_direct[fd] += sequential ? bytes : 0;
}
/* Call before a descriptor is closed, or becomes another file. */
void file_forget(int fd);
/* Call after a descriptor became a copy of another: stdio continues with the standard ones. */
void file_copied(int fd);
/* Does the same as file_forget for a range of descriptors. */
void file_forget_from(unsigned first, unsigned last);
/* Records that a descriptor is mapped. */
void file_mapped(int fd);

/* Records that a stream was opened. */
void file_stream_opened(FILE *stream, int fd);
/* Call before and after the position of a descriptor is set. */
void file_position_before(int fd);
void file_position_after(int fd);

#endif
