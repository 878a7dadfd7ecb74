/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks on data sets between the jobs of one root: a job that uses a data set with
 * DISP=SHR only shares it, any other DISP excludes other jobs.
 *
 * All locks of a job are taken before its first step, in the same order for all
 * jobs, so that no deadlock can occur; each is released after the last step that
 * uses the data set. They are byte-range locks on one file, ROOT/.vigil/locks, at
 * an offset computed from the name, so a killed job leaves no lock behind. Two
 * names with the same offset merely exclude each other needlessly. A file with
 * several names is also locked by the name that catalog_shared_name returns.
 *
 * A utility that accesses data sets by name (IDCAMS) shares its job's locks: it
 * inherits the job's open file, so that only locks of other jobs conflict, and
 * locks that it takes are held by the job until it ends.
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
	size_t last_step; /* index of the last step that uses it; LOCK_JOB: the end of the job */
};

struct lock_list {
	int fd; /* ROOT/.vigil/locks; -1: not open */
	struct lock *items;
	size_t count, alloc;
};

void lock_list_init(struct lock_list *list);
void lock_list_release(struct lock_list *list);
/*
 * Records that the step with this index uses dsn; LOCK_JOB: until the end of the
 * job. Using a generation includes using its base, so that no two jobs create or
 * count generations at once.
 */
void lock_list_add(struct lock_list *list, const char *dsn, bool exclusive, size_t index);
/* Opens the lock file. */
int lock_list_open(struct lock_list *list, const char *root, struct error *err);
/*
 * Takes all locks. If one is held by another job, calls wait(argument, dsn,
 * round), with round counting from 0, which waits for some time and returns false
 * to give up; then this function returns -1 with no text in err.
 */
int lock_list_take(struct lock_list *list,
		   bool (*wait)(void *argument, const char *dsn, unsigned round), void *argument,
		   struct error *err);
/* Releases the locks that no later step uses. */
void lock_list_step_ended(struct lock_list *list, size_t index);

/*
 * In a utility: uses the locks of the job that started it if VIGIL_LOCKS in the
 * environment is the number of their descriptor; else opens the lock file, for
 * locks that end with this process.
 */
int lock_list_join(struct lock_list *list, const char *root, struct error *err);
/* Makes utilities that this process starts from now on share these locks. */
int lock_list_share(const struct lock_list *list, struct error *err);
/*
 * Tries to take one data set's lock. 1: it is held now; 0: another job uses the
 * data set; -1: an error. It is held until the end.
 */
int lock_list_try(const struct lock_list *list, const char *dsn, bool exclusive,
		  struct error *err);

#endif
