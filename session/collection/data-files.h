/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a long collection: night.vprf stands for
 * night-20261123T223000.000Z.vprf and those that come after it, which are in
 * the order of time by their names. The time is that at which a file
 * begins, UTC.
 */
#ifndef VIGIL_SESSION_COLLECTION_DATA_FILES_H
#define VIGIL_SESSION_COLLECTION_DATA_FILES_H

#include "common/error.h"

/* When the next file begins. */
enum rotation { ROTATE_NEVER, ROTATE_HOURLY, ROTATE_DAILY, ROTATE_SECONDS };
struct rotation_time {
	enum rotation kind;
	uint64_t seconds; /* of ROTATE_SECONDS */
};

/* Read "hourly", "daily" or seconds; false: it is none. */
bool rotation_parse(const char *text, struct rotation_time *rotation);
/* Read bytes, with k, M or G behind the number; false: it is none, or below 4096. */
bool rotation_parse_size(const char *text, uint64_t *bytes);
/* A number that is the same for all times of one period, of the wall clock, and grows: hours and
   days are local. */
uint64_t rotation_period(const struct rotation_time *rotation, uint64_t wall);

/* Append the name of the file of a pattern that begins at a time. */
void data_files_name(struct strbuf *sb, const char *pattern, uint64_t wall);
/* Remove the oldest files of a pattern, so that keep of them are left; but one of them is new.
   How many were removed, -1 with err: one could not be. */
int data_files_keep(const char *pattern, size_t keep, struct error *err);

#endif
