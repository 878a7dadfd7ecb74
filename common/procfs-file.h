/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of /proc or /sys, of any length, that stays open and is read repeatedly:
 * that saves a third to half of the time. Its process or device may disappear;
 * then reading fails (ESRCH, ENODEV), from then on.
 */
#ifndef VIGIL_COMMON_PROCFS_FILE_H
#define VIGIL_COMMON_PROCFS_FILE_H

#include "common/strbuf.h"

struct procfs_file {
	int fd;		    /* -1: not open */
	struct strbuf text; /* result of the last read; "" before it and after an error */
};

/* Opens a file; returns -1 with errno set on failure, and then nothing needs to be closed. */
int procfs_file_open(struct procfs_file *file, const char *path);
/*
 * Reads the whole file as it is now. Returns -1 with errno set on failure.
 * Allocates only if the file has grown.
 */
int procfs_file_read(struct procfs_file *file) MUST_CHECK;
/*
 * As procfs_file_read, for a file of one line, which the kernel returns in one
 * read: a file shorter than 256 bytes costs one read less, and the kernel clears
 * less memory for it.
 */
int procfs_file_read_line(struct procfs_file *file) MUST_CHECK;
void procfs_file_close(struct procfs_file *file);

#endif
