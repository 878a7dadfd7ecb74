/* SPDX-License-Identifier: Apache-2.0 */
/* What tasks, files, transactions and waits are called, wherever they are shown. */
#ifndef VIGIL_PROFILE_LABEL_H
#define VIGIL_PROFILE_LABEL_H

#include "common/strbuf.h"

struct profile;

/* Number the tasks of each name from 1, where there is more than one. */
void label_number_tasks(struct profile *profile);

/* Files whose paths end alike have as many of their folders in their names as tell them apart. */
void label_tell_files_apart(struct profile *profile);

/* Append the name of a task: its comm, with a number when there are several of that name. */
void label_task(const struct profile *profile, uint64_t task, struct strbuf *sb);
/* Append DD name, or the end of the path, or what kind of thing it is. */
void label_file(const struct profile *profile, uint64_t file, struct strbuf *sb);
/* Data set name, or path, "" when unknown. */
const char *label_data_set(const struct profile *profile, uint64_t file);
/* Device type, or the kind of file in upper case. */
const char *label_device(const struct profile *profile, uint64_t file);
/* The name of a transaction, ".NOTRAN" for 0. */
const char *label_transaction(const struct profile *profile, uint64_t transaction);
/* "FILE READ", "LOCK", ... of enum wait_reason. */
const char *label_reason(uint64_t reason);
/* ".LOCK", ".SLEEP", ...: the pseudo-file of waits that are for no file. */
const char *label_pseudo_file(uint64_t reason);
/* The first reason of a reason's pseudo-file: reasons that look the same are one row where it is the
   pseudo-file that is shown (reads, writes and syncs are all ".FILE"). */
uint64_t label_pseudo_file_reason(uint64_t reason);
/* Append "waiting for DD MASTER, file read". */
void label_wait(const struct profile *profile, uint64_t reason, uint64_t file, struct strbuf *sb);

#endif
