/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The area through which the programs of a step report to vigil what they read and
 * write: a file mapped shared by all of them (writers, through vigil-files.so) and
 * by the sampler (reader). VIGIL_FILES in the step's environment is its path.
 *
 * A slot is a regular file: its identity and its path. Slots are taken in order,
 * filled, and published by storing FILE_SLOT_READY (release); the index, an open
 * hash of the identity, leads to them. A lane counts what one process has read and
 * written through one descriptor: only that process writes it, so it needs no
 * atomic operation while the process has one thread; it stays when the process is
 * killed. The total of a file is the sum of its lanes and of its slot.
 *
 * The reader trusts nothing: it checks numbers, and limits the length of texts.
 */
#ifndef VIGIL_AGENT_FILE_AREA_H
#define VIGIL_AGENT_FILE_AREA_H

#include <stdint.h>

#define FILE_AREA_MAGIC UINT64_C(0x31454c4946474956)
#define FILE_AREA_SLOTS 16384
#define FILE_AREA_INDEX (2 * FILE_AREA_SLOTS)
#define FILE_AREA_LANES 65536
#define FILE_AREA_PATH 256
#define FILE_AREA_PIDS 4194304 /* the maximum on Linux */

/*
 * How a counting process began: the number of counting programs it has executed,
 * and whether it was forked from one.
 */
#define FILE_PID_PROGRAMS 0x7f
#define FILE_PID_FORKED 0x80

/* What a lane counts for, other than a slot's number. */
#define FILE_LANE_OTHER UINT32_C(0xfffffffe)   /* not a regular file */
#define FILE_LANE_UNNAMED UINT32_C(0xfffffffd) /* file not looked up: it would have cost too much */

enum file_direction { FILE_READ, FILE_WRITTEN };

struct file_sums {
	uint64_t bytes[2], calls[2]; /* by enum file_direction */
};

struct file_lane {
	uint32_t slot; /* slot number + 1, or one of the above; 0: unused */
	uint32_t unused;
	struct file_sums sums;
	uint64_t more[3];
};

enum file_slot_state { FILE_SLOT_FREE, FILE_SLOT_READY, FILE_SLOT_DEAD };

/* What is unknown of a file. */
enum file_slot_doubt {
	FILE_MAPPED = 1,  /* it was mapped into memory */
	FILE_UNSURE = 2,  /* its position does not show what stdio did with it */
	FILE_SKIPPED = 4, /* positions were no longer asked for: it would have cost too much */
	FILE_STREAMED = 8, /* stdio moved some of it, in an unknown number of calls; the bytes
			    * are known */
};

struct file_slot {
	uint32_t state; /* atomic */
	uint32_t doubts; /* atomic */
	uint32_t device_major, device_minor;
	uint64_t inode, birth; /* ns since 1970; 0 unknown */
	uint64_t size, block;
	uint32_t mode;
	uint32_t streams;    /* stdio streams whose bytes are not yet counted; atomic */
	uint64_t opens;	     /* descriptors found to refer to it; atomic */
	uint64_t sequential; /* bytes by which standard streams moved their shared position;
			      * atomic */
	struct file_sums sums; /* counted here if no lane was left; atomic */
	char path[FILE_AREA_PATH];
};

struct file_area {
	uint64_t magic;
	uint64_t slots_used, lanes_used; /* atomic; may exceed the number that exists */
	uint64_t processes;		 /* programs that began; atomic */
	uint64_t skipped; /* streams whose files were not looked up; atomic */
	uint64_t more[3];
	struct file_sums rest; /* of descriptors too high to be looked up and without a lane;
			        * atomic */
	uint32_t index[FILE_AREA_INDEX]; /* slot + 1; atomic */
	struct file_lane lanes[FILE_AREA_LANES];
	struct file_slot slots[FILE_AREA_SLOTS];
	unsigned char pids[FILE_AREA_PIDS]; /* how each process began; atomic */
};

#endif
