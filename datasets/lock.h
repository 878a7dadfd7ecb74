/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks on data sets between the jobs of one root: a job that uses a data
 * set with DISP=SHR only shares it, any other DISP keeps other jobs out.
 *
 * All locks of a job are taken before its first step, in one order for all
 * jobs, so that jobs cannot wait for each other in a circle; each is given
 * back after the last step that uses the data set. They are byte-range locks
 * on one file, ROOT/.vigil/locks, at an offset made from the name: nothing
 * is left behind when a job is killed. Two names that share an offset are
 * only kept apart without need. A file with several names is locked by the
 * one that catalog_shared_name gives it, too.
 *
 * A utility that works on data sets by name (IDCAMS) joins its job's locks: it
 * gets the job's open file, so that only other jobs' locks are in its way,
 * and what it takes the job holds until it ends.
 */
#ifndef VIGIL_DATASETS_LOCK_H
#define VIGIL_DATASETS_LOCK_H

#include "common/error.h"

#define LOCK_ENVIRONMENT "VIGIL_LOCKS"
#define LOCK_JOB SIZE_MAX

struct lock {
	char *dsn;
	int64_t offset;
	bool exclusive, held;
	size_t last_step; /* index of the last step that uses it, LOCK_JOB */
};

struct lock_list {
	int fd; /* ROOT/.vigil/locks, -1 while not open */
	struct lock *items;
	size_t count, alloc;
};

void lock_list_init(struct lock_list *list);
void lock_list_release(struct lock_list *list);
/*
 * Steps number index uses dsn; LOCK_JOB: until the job's end. Who uses a
 * generation uses its base too, so that no two jobs make or count generations at
 * once.
 */
void lock_list_add(struct lock_list *list, const char *dsn, bool exclusive, size_t index);
/* Opens the lock file. */
int lock_list_open(struct lock_list *list, const char *root, struct error *err);
/*
 * Takes all locks. While one is held by another job, wait(argument, dsn, round) is
 * called, round counting from 0; it passes some time and returns false to give up,
 * which makes this function return -1 with no text in err.
 */
int lock_list_take(struct lock_list *list,
		   bool (*wait)(void *argument, const char *dsn, unsigned round), void *argument,
		   struct error *err);
/* Gives back what no step after this one uses. */
void lock_list_step_ended(struct lock_list *list, size_t index);

/*
 * In a step's utility: use the locks of the job that started it, when
 * VIGIL_LOCKS in the environment is the number of their descriptor; else
 * open the lock file, for locks that end with this process.
 */
int lock_list_join(struct lock_list *list, const char *root, struct error *err);
/* The utilities that this process starts from now on join these locks. */
int lock_list_share(const struct lock_list *list, struct error *err);
/*
 * Takes one data set's lock at once: 1 it is held now, 0 another job has the data
 * set in use, -1 an error. It is never given back before the end.
 */
int lock_list_try(const struct lock_list *list, const char *dsn, bool exclusive,
		  struct error *err);

#endif
