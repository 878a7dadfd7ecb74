/* SPDX-License-Identifier: Apache-2.0 */
/* What allocation and disposition share: the catalogue of a job, and the data sets it is making. */
#ifndef VIGIL_SESSION_JOB_DATA_SETS_H
#define VIGIL_SESSION_JOB_DATA_SETS_H

#include "session/job/runner.h"

/* Returns the catalogue, its root made when it is missing; NULL with the reason. */
struct catalog *data_set_catalog(struct runner *runner, struct error *err);
/*
 * Appends the path of a data set as it is now: where this job makes it, else where
 * the catalogue puts it, aliases followed. -1 with the reason.
 */
int data_set_path(struct runner *runner, const char *dsn, struct strbuf *path, struct error *err);

/* Returns the data sets in the making. */
struct data_set *data_set_find(const struct runner *runner, const char *dsn);
struct data_set *data_set_add(struct runner *runner, const char *dsn, const char *path,
			      const char *final);
void data_set_drop(struct runner *runner, struct data_set *set);

/*
 * Returns the staging folder for a data set that will be final, made when it is
 * missing; NULL with the reason.
 */
const char *data_set_staging(struct runner *runner, const char *final, struct error *err);
/* Removes them all, or says in the log where what must not be lost is. */
void data_set_end_stagings(struct runner *runner);

/* Appends from's bytes to to. */
int data_set_copy_file(const char *from, int to, struct error *err);

#endif
