/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts what this process reads and writes, by file.
 *
 * A descriptor is looked up when it is first used; what is looked up may cost
 * one per cent of the time that the process runs, and what passes that stays
 * unnamed. stdio calls the kernel inside the C library, where nothing can stand
 * before: what a stream came to is how far its position moved, less what was
 * counted, looked at before the program closes or moves it and at the end.
 */
#ifndef VIGIL_AGENT_FILES_FILE_COUNT_H
#define VIGIL_AGENT_FILES_FILE_COUNT_H

#include "agent/agent.h"
#include "agent/file-area.h"
#include "agent/file-own.h"

#include <stdio.h>
#include <sys/types.h>

#define FILE_DESCRIPTORS 4096

/* The lane of each descriptor, NULL: not looked up, or none left; and bytes moved at its position. */
extern struct file_lane *file_lanes[FILE_DESCRIPTORS];
extern int64_t file_direct[FILE_DESCRIPTORS];
/* Of the C library: no other thread was ever started. */
extern char __libc_single_threaded __attribute__((weak));

/* file_counted for what is not plain. */
void file_count_other(int fd, ssize_t bytes, enum file_direction direction, bool sequential);

/* A call has moved bytes (below 0: it failed), at the position of the descriptor or at one of its own. */
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
/* A descriptor is about to be closed, or to become another file. */
void file_forget(int fd);
/* It has become a copy of another: stdio goes on with the standard ones. */
void file_copied(int fd);
/* All from a descriptor on are. */
void file_forget_from(unsigned first, unsigned last);
/* A descriptor is mapped. */
void file_mapped(int fd);

/* A stream was opened. */
void file_stream_opened(FILE *stream, int fd);
/* The position of a descriptor is about to be set, and was set. */
void file_position_before(int fd);
void file_position_after(int fd);

#endif
