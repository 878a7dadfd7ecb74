/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what the programs of the step count themselves of what they read and
 * write, by file (agent/file-area.h). In some steps no program counts, in others
 * some processes do not: then the bytes of a file are unknown, but limited by the
 * bytes of all files.
 */
#ifndef VIGIL_SAMPLER_FILE_COUNTS_H
#define VIGIL_SAMPLER_FILE_COUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct file_counts;
struct files;

/*
 * Begins to read the area at path; what it already contains does not count. NULL:
 * there is no area.
 */
struct file_counts *file_counts_new(const char *path);
void file_counts_free(struct file_counts *counts);
/* Returns whether any process has begun to count. NULL: no. */
bool file_counts_active(const struct file_counts *counts);
/* Returns whether a process that has executed execs programs counts what it reads and writes. */
bool file_counts_has(const struct file_counts *counts, pid_t pid, uint64_t execs);
/*
 * Passes on to files what was counted since the last call. moved: bytes that all
 * processes together have read and written since the session began, as the kernel
 * counts them.
 */
void file_counts_take(struct file_counts *counts, struct files *files, uint64_t moved);

#endif
