/* SPDX-License-Identifier: Apache-2.0 */
/* Names of tasks, files, transactions and waits, wherever they are shown. */
#ifndef VIGIL_PROFILE_LABEL_H
#define VIGIL_PROFILE_LABEL_H

#include "common/strbuf.h"

struct profile;

/* Numbers the tasks of each name from 1 if there is more than one. */
void label_number_tasks(struct profile *profile);

/*
 * Gives files whose paths end alike as many folders in their names as needed to
 * distinguish them.
 */
void label_distinguish_files(struct profile *profile);

/* Appends the name of a task: its comm, with a number if several have that name. */
void label_task(const struct profile *profile, uint64_t task, struct strbuf *sb);
/* Appends the DD name, or the end of the path, or the kind of the file. */
void label_file(const struct profile *profile, uint64_t file, struct strbuf *sb);
/* Returns the data set name, or the path, "" if unknown. */
const char *label_data_set(const struct profile *profile, uint64_t file);
/* Returns the device type, or the kind of file in upper case. */
const char *label_device(const struct profile *profile, uint64_t file);
/* Returns the name of a transaction, ".NOTRAN" for 0. */
const char *label_transaction(const struct profile *profile, uint64_t transaction);
/* Returns "FILE READ", "LOCK", ... for an enum wait_reason. */
const char *label_reason(uint64_t reason);
/* Returns ".LOCK", ".SLEEP", ...: the pseudo-file of waits without a file. */
const char *label_pseudo_file(uint64_t reason);
/*
 * Returns the first reason with the same pseudo-file: where the pseudo-file is
 * shown, such reasons are one row (reads, writes and syncs are all ".FILE").
 */
uint64_t label_pseudo_file_reason(uint64_t reason);
/* Appends "waiting for DD MASTER, file read". */
void label_wait(const struct profile *profile, uint64_t reason, uint64_t file, struct strbuf *sb);

#endif
