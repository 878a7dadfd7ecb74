/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The area through which the programs of a step tell vigil what they read and
 * write: a file mapped shared by all of them (writers, through vigil-files.so)
 * and by the sampler (reader). VIGIL_FILES in the step's environment is its path.
 *
 * A slot is a regular file: who it is, and its path. It is taken in order,
 * filled, and published by storing FILE_SLOT_READY (release); an entry of the
 * index, found by hashing who it is, leads to it. A lane is what one process has
 * read and written through one descriptor: that process alone writes it, so
 * it needs no atomic operation as long as it has one thread; it stays when the
 * process is killed. What a file came to is the sum of its lanes and of its slot.
 *
 * The reader trusts nothing: numbers are checked, and a text ends where it must.
 */
#ifndef VIGIL_AGENT_FILE_AREA_H
#define VIGIL_AGENT_FILE_AREA_H

#include <stdint.h>

#define FILE_AREA_MAGIC UINT64_C(0x31454c4946474956)
#define FILE_AREA_SLOTS 16384
#define FILE_AREA_INDEX (2 * FILE_AREA_SLOTS)
#define FILE_AREA_LANES 65536
#define FILE_AREA_PATH 256
#define FILE_AREA_PIDS 4194304 /* as many as Linux has at most */

/* How a process began that counts: how many programs it has executed that do, and whether it was forked from one. */
#define FILE_PID_PROGRAMS 0x7f
#define FILE_PID_FORKED 0x80

/* What a lane counts for, beside the number of a slot. */
#define FILE_LANE_OTHER UINT32_C(0xfffffffe)   /* what is no regular file */
#define FILE_LANE_UNNAMED UINT32_C(0xfffffffd) /* which file was not found out: it would have cost too much */

enum file_direction { FILE_READ, FILE_WRITTEN };

struct file_sums {
	uint64_t bytes[2], calls[2]; /* by enum file_direction */
};

struct file_lane {
	uint32_t slot; /* its number + 1, or one of the above; 0: nothing yet */
	uint32_t unused;
	struct file_sums sums;
	uint64_t more[3];
};

enum file_slot_state { FILE_SLOT_FREE, FILE_SLOT_READY, FILE_SLOT_DEAD };

/* What is not known of a file. */
enum file_slot_doubt {
	FILE_MAPPED = 1,  /* it was mapped into memory */
	FILE_UNSURE = 2,  /* what stdio did with it cannot be told from its position */
	FILE_SKIPPED = 4, /* positions were not asked for any more: it would have cost too much */
	FILE_STREAMED = 8, /* stdio moved some of it, in calls that nobody counts: the bytes are known */
};

struct file_slot {
	uint32_t state; /* atomic */
	uint32_t doubts; /* atomic */
	uint32_t device_major, device_minor;
	uint64_t inode, birth; /* ns since 1970; 0 unknown */
	uint64_t size, block;
	uint32_t mode;
	uint32_t streams;    /* stdio streams whose bytes are not counted yet; atomic */
	uint64_t opens;	     /* descriptors that were found to be of it; atomic */
	uint64_t sequential; /* bytes by which the shared position of standard streams was moved; atomic */
	struct file_sums sums; /* when there was no lane; atomic */
	char path[FILE_AREA_PATH];
};

struct file_area {
	uint64_t magic;
	uint64_t slots_used, lanes_used; /* atomic; may pass the number there is */
	uint64_t processes;		 /* programs that began; atomic */
	uint64_t skipped; /* streams of files that were not found out; atomic */
	uint64_t more[3];
	struct file_sums rest; /* of descriptors beyond those that are looked up, and without a lane; atomic */
	uint32_t index[FILE_AREA_INDEX]; /* slot + 1; atomic */
	struct file_lane lanes[FILE_AREA_LANES];
	struct file_slot slots[FILE_AREA_SLOTS];
	unsigned char pids[FILE_AREA_PIDS]; /* what a process has begun as; atomic */
};

#endif
