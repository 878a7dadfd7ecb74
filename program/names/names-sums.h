/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checksums of the bytes of a file, one per piece, so that unused parts need not
 * be read: the names of a large library are megabytes, and a step executes a few
 * hundred of its functions.
 *
 * No part of a piece may be used before names_sums_check has checked it.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_SUMS_H
#define VIGIL_PROGRAM_NAMES_NAMES_SUMS_H

#include "common/compat.h"

struct names_sums;

/* Returns the checksum of bytes. */
uint64_t names_sum(const char *bytes, size_t length);
/* Returns how many checksums this many bytes have. */
size_t names_sums_count(size_t length);
/* Calculates the checksums of bytes, as many as names_sums_count returns. */
void names_sums_make(const char *bytes, size_t length, uint64_t *sums);

/* Creates a checker for bytes and their checksums; both are borrowed. */
struct names_sums *names_sums_new(const char *bytes, size_t length, const uint64_t *sums);
void names_sums_free(struct names_sums *sums);
/*
 * Returns whether the bytes from there on, which are a part of them, are intact.
 * Once damage is found, no others are accepted either.
 */
bool names_sums_check(struct names_sums *sums, const void *from, size_t length);
/* Returns whether damage was found. */
bool names_sums_damaged(const struct names_sums *sums);
/* Returns how many pieces were read so far. */
size_t names_sums_read(const struct names_sums *sums);

#endif
