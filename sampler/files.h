/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of the step: which ones tasks waited for, under which DD the job knows
 * them, how far they were read and written. There is one entry for each distinct
 * file (device, inode; sockets and pipes by their number), with the FILE id used
 * in WAIT and FILE_ACTIVITY rows.
 *
 * Reads /proc/PID/fd and /proc/PID/fdinfo; what cannot be read (another user's
 * process, one that has ended) gives id 0 and is no error.
 */
#ifndef VIGIL_SAMPLER_FILES_H
#define VIGIL_SAMPLER_FILES_H

#include "engine/engine.h"
#include "sampler/sampler-config.h"

#include <sys/types.h>

struct files;

/* named is borrowed while the files live. */
struct files *files_new(const struct sampler_file *named, size_t count);
void files_free(struct files *files);

/*
 * Returns the id of the file of descriptor fd of process pid; 0: unknown. tid: a
 * live thread of it, as descriptors cannot be read through a first thread that has
 * ended.
 */
uint64_t files_of_descriptor(struct files *files, pid_t pid, pid_t tid, int fd);
/*
 * Returns the id of the file that path names for tid (relative to its descriptor
 * dirfd, or AT_FDCWD); 0: unknown.
 */
uint64_t files_of_path(struct files *files, pid_t tid, int dirfd, const char *path);
/* Returns the enum file_kind of an id; 0 for id 0. */
unsigned files_kind(const struct files *files, uint64_t file);

/*
 * Examines all open descriptors of a process: newly opened files, changes of
 * positions, sizes. Cheap enough for once a snapshot; stops at 256 descriptors.
 * tid: a live thread.
 */
void files_look(struct files *files, pid_t pid, pid_t tid);
/*
 * Does the same for a process that ran before the session began: what it has open
 * counts neither as opened nor as moved.
 */
void files_adopt(struct files *files, pid_t pid);
/* Forgets the descriptors of a process that has ended; the files stay. */
void files_forget(struct files *files, pid_t pid);

/* What the programs of the step have counted for one regular file. */
struct files_counted {
	uint32_t device_major, device_minor, mode;
	uint64_t inode, birth, size, block;
	uint64_t opens;	    /* so far */
	bool doubtful;	    /* a part of it cannot be counted */
	bool pending;	    /* a part of it is not counted yet */
	bool streamed;	    /* stdio moved a part of it: the number of calls is unknown */
	uint64_t bytes, calls; /* since the last time */
	char path[256];
};
void files_count(struct files *files, const struct files_counted *counted);

/* What is known about the bytes of all files together. */
struct files_bound {
	bool counted;	  /* the programs count; false: only positions are known */
	bool unbounded;	  /* there is no limit for the unknown part */
	uint64_t moved;	  /* bytes read and written by the step, as the kernel counts it; 0:
			   * unknown */
	uint64_t unknown; /* bytes of it for which the file is unknown, if programs count */
};
/*
 * Determines for which files the bytes are known: those to which the unknown bytes
 * could add at most one percent.
 */
void files_judge(struct files *files, const struct files_bound *bound);
/*
 * Sets whether a process that was examined does not count what it reads and
 * writes, although others do. A process that has just begun may still start to
 * count: the last value before files_forget counts.
 */
void files_set_stranger(struct files *files, pid_t pid, bool stranger);

/* Waits for one file in this snapshot; sums accumulate until files_activity. */
struct files_wait {
	uint64_t waits, total, charged, charged_solo, busy, busy_solo; /* as in
								        * record_file_activity */
};
void files_add_wait(struct files *files, uint64_t file, const struct files_wait *wait);
/* Subtracts what was added in this snapshot and turned out to be no wait. */
void files_take_wait(struct files *files, uint64_t file, const struct files_wait *wait);

/* Appends a FILE row for each file that is new or has changed since the last call. */
void files_rows(struct files *files, struct engine *engine, struct recordset *set);
/*
 * Appends a FILE_ACTIVITY row for each file with activity since the last call, and
 * clears the sums.
 */
void files_activity(struct files *files, uint64_t time, struct recordset *set);

#endif
