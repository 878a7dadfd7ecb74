/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of the step: which a task waited for, under which DD the job
 * knows them, how far they were read and written. One entry for each
 * distinct file (device, inode; sockets and pipes by their number), with the
 * FILE id that WAIT and FILE_ACTIVITY rows carry.
 *
 * Reads /proc/PID/fd and /proc/PID/fdinfo; what cannot be read (another
 * user's process, one that has ended) gives id 0 and is no error.
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
 * The id of the file behind descriptor fd of process pid; 0 when it cannot be told. tid: a thread
 * of it that lives, as descriptors cannot be reached by a first thread that has ended.
 */
uint64_t files_of_descriptor(struct files *files, pid_t pid, pid_t tid, int fd);
/* The id of the file that path names for tid (relative to its descriptor dirfd or AT_FDCWD); 0. */
uint64_t files_of_path(struct files *files, pid_t tid, int dirfd, const char *path);
/* The enum file_kind of an id; 0 for id 0. */
unsigned files_kind(const struct files *files, uint64_t file);

/*
 * Look at all open descriptors of a process: newly open files, positions
 * that moved, sizes. Cheap enough for once a snapshot: does nothing when
 * nothing was open before and after, and stops at 256 descriptors. tid: a thread that lives.
 */
void files_look(struct files *files, pid_t pid, pid_t tid);
/* The same for a process that ran before the session began: what it has open counts as neither
   opened nor moved. */
void files_adopt(struct files *files, pid_t pid);
/* A process has ended: forget its descriptors (the files stay). */
void files_forget(struct files *files, pid_t pid);

/* What the programs of the step have counted of one regular file. */
struct files_counted {
	uint32_t device_major, device_minor, mode;
	uint64_t inode, birth, size, block;
	uint64_t opens;	    /* so far */
	bool doubtful;	    /* some of it cannot be counted */
	bool pending;	    /* some of it is not counted yet */
	bool streamed;	    /* stdio moved some of it: the calls are not known */
	uint64_t bytes, calls; /* since the last time */
	char path[256];
};
void files_count(struct files *files, const struct files_counted *counted);

/* What is known of the bytes of all files together. */
struct files_bound {
	bool counted;	  /* the programs count: otherwise positions alone tell */
	bool unbounded;	  /* nothing bounds what is not known */
	uint64_t moved;	  /* read and written by the step, as the kernel counts it; 0 unknown */
	uint64_t unknown; /* of it nobody knows the file, where programs count */
};
/* Say of which files the bytes are known: those to which what is unknown could not add one per cent. */
void files_judge(struct files *files, const struct files_bound *bound);
/* Whether a process that was looked at does not count what it reads and writes, where others do. One that
   has just begun may come to it: what is said last before files_forget is true. */
void files_set_stranger(struct files *files, pid_t pid, bool stranger);

/* What one file's waits of this snapshot came to; sums are added up until files_activity. */
struct files_wait {
	uint64_t waits, total, charged, charged_solo, busy, busy_solo; /* as record_file_activity */
};
void files_add_wait(struct files *files, uint64_t file, const struct files_wait *wait);
/* So much of what was added in this snapshot was no wait. */
void files_take_wait(struct files *files, uint64_t file, const struct files_wait *wait);

/* Append a FILE row for each file that is new or has changed since the last call. */
void files_rows(struct files *files, struct engine *engine, struct recordset *set);
/* Append a FILE_ACTIVITY row for each file with activity since the last call, and start anew. */
void files_activity(struct files *files, uint64_t time, struct recordset *set);

#endif
