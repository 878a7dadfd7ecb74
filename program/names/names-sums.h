/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over bytes that are kept in a file, one a piece, so that what a session
 * does not look at need not be read: the names of a large library are
 * megabytes, and a step meets a few hundred of its functions.
 *
 * Nothing of a piece is to be believed before names_sums_hold has said so.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_SUMS_H
#define VIGIL_PROGRAM_NAMES_NAMES_SUMS_H

#include "common/compat.h"

struct names_sums;

/* A sum over bytes. */
uint64_t names_sum(const char *bytes, size_t length);
/* How many sums so many bytes have. */
size_t names_sums_count(size_t length);
/* Sum up bytes, into as many sums as names_sums_count says. */
void names_sums_make(const char *bytes, size_t length, uint64_t *sums);

/* Bytes with their sums; both are borrowed. */
struct names_sums *names_sums_new(const char *bytes, size_t length, const uint64_t *sums);
void names_sums_free(struct names_sums *sums);
/* Whether the bytes from there on, which are some of them, are as they were summed up. Once they are
   not, no others are believed either. */
bool names_sums_hold(struct names_sums *sums, const void *from, size_t length);
/* Whether bytes were found that are not as they were. */
bool names_sums_broken(const struct names_sums *sums);
/* How many of the pieces were read so far. */
size_t names_sums_read(const struct names_sums *sums);

#endif
