/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of the step count themselves of what they read and write,
 * by file (agent/file-area.h). There are steps whose programs count nothing, and
 * processes among others that do not: then nobody knows what a file came to,
 * but what all of them came to bounds it.
 */
#ifndef VIGIL_SAMPLER_FILE_COUNTS_H
#define VIGIL_SAMPLER_FILE_COUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct file_counts;
struct files;

/* Begin to read the area at path; what it holds already does not count. NULL: it is none. */
struct file_counts *file_counts_new(const char *path);
void file_counts_free(struct file_counts *counts);
/* Whether any process has begun to count. NULL: none. */
bool file_counts_active(const struct file_counts *counts);
/* Whether a process that has executed so many programs counts what it reads and writes. */
bool file_counts_has(const struct file_counts *counts, pid_t pid, uint64_t execs);
/*
 * Tell the files what was counted since the last call. moved: bytes that all processes
 * together have read and written since the session began, as the kernel counts them.
 */
void file_counts_take(struct file_counts *counts, struct files *files, uint64_t moved);

#endif
