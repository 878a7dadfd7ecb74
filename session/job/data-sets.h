/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by allocation and disposition: the catalogue of a job, and the data sets
 * that the job is creating.
 */
#ifndef VIGIL_SESSION_JOB_DATA_SETS_H
#define VIGIL_SESSION_JOB_DATA_SETS_H

#include "session/job/runner.h"

/* Returns the catalogue; creates its root if missing. NULL with the reason. */
struct catalog *data_set_catalog(struct runner *runner, struct error *err);
/*
 * Appends the current path of a data set: where this job creates it, else where
 * the catalogue puts it, aliases followed. -1 with the reason.
 */
int data_set_path(struct runner *runner, const char *dsn, struct strbuf *path, struct error *err);

/* The list of data sets that this job is creating. */
struct data_set *data_set_find(const struct runner *runner, const char *dsn);
struct data_set *data_set_add(struct runner *runner, const char *dsn, const char *path,
			      const char *final);
void data_set_drop(struct runner *runner, struct data_set *set);

/*
 * Returns the staging folder for a data set whose final path is final, created if
 * missing; NULL with the reason.
 */
const char *data_set_staging(struct runner *runner, const char *final, struct error *err);
/*
 * Removes all staging folders. One whose content must not be lost is kept, and the
 * log says where.
 */
void data_set_end_stagings(struct runner *runner);

/* Appends the bytes of the file from to the descriptor to. */
int data_set_copy_file(const char *from, int to, struct error *err);

#endif
