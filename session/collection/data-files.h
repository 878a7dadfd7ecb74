/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a long collection: night.vprf stands for
 * night-20261123T223000.000Z.vprf and its successors, whose names sort by time.
 * The time is the beginning of a file, UTC.
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

/* Parses "hourly", "daily" or seconds; false: invalid. */
bool rotation_parse(const char *text, struct rotation_time *rotation);
/* Parses bytes, optionally with suffix k, M or G; false: invalid, or below 4096. */
bool rotation_parse_size(const char *text, uint64_t *bytes);
/*
 * Returns a number that is the same for all wall clock times of one period, and
 * increases; hours and days are local.
 */
uint64_t rotation_period(const struct rotation_time *rotation, uint64_t wall);

/* Appends the name of a pattern's file that begins at a time. */
void data_files_name(struct strbuf *sb, const char *pattern, uint64_t wall);
/*
 * Removes the oldest files of a pattern until keep are left, including the new
 * one. Returns how many were removed, -1 with err if one could not be.
 */
int data_files_keep(const char *pattern, size_t keep, struct error *err);

#endif
