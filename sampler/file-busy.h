/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures how long each file was waited for by any task: the time from the first
 * waiting task to the last counts once, however many tasks wait. The sums go to
 * the files (files_add_wait) when the last task stops waiting, and at each
 * snapshot.
 */
#ifndef VIGIL_SAMPLER_FILE_BUSY_H
#define VIGIL_SAMPLER_FILE_BUSY_H

#include "sampler/files.h"
#include "sampler/wait-tally.h"

struct busy_file {
	uint64_t tasks;	     /* tasks that wait for it now */
	uint64_t file_tasks; /* those of them that wait for the file itself, not for a lock on it */
	uint64_t since;	     /* active clock */
	uint64_t alone;	     /* file_alone of the step clock at that time */
	uint64_t ended;	     /* active clock when the last wait for it ended */
};

struct file_busy {
	struct step_clock *clock; /* borrowed; counts the files waited for */
	struct files *files;	  /* borrowed */
	struct busy_file *items;  /* indexed by FILE id */
	size_t count, alloc;
};

void file_busy_init(struct file_busy *busy, struct step_clock *clock, struct files *files);
void file_busy_release(struct file_busy *busy);
/*
 * A task is found to wait for the file of a place (not 0). Its wait began, or was
 * last split, at since of the active clock, when the clock's idle was idle.
 */
void file_busy_begin(struct file_busy *busy, const struct wait_site *site, uint64_t since,
		     uint64_t idle);
/* That wait is over, or turns out to be another. */
void file_busy_end(struct file_busy *busy, const struct wait_site *site);
/* Adds the time so far to all files that are waited for. */
void file_busy_account(struct file_busy *busy);

#endif
