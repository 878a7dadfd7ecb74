/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of /proc or /sys, of any length, that stays open and is read again
 * and again: that saves a third to half of the time. What it belongs to, a
 * process or a device, may go meanwhile: then reading is an error (ESRCH,
 * ENODEV), and stays one.
 */
#ifndef VIGIL_COMMON_PROCFS_FILE_H
#define VIGIL_COMMON_PROCFS_FILE_H

#include "common/strbuf.h"

struct procfs_file {
	int fd;		    /* -1: not open */
	struct strbuf text; /* what the last read gave, "" before and after an error */
};

/* Open; -1 with errno set, and then too there is nothing that must be closed. */
int procfs_file_open(struct procfs_file *file, const char *path);
/* Read it whole, as it is now. -1 with errno set. Allocates only when it has grown. */
int procfs_file_read(struct procfs_file *file) MUST_CHECK;
/*
 * The same of a file of one line, which the kernel gives with one read: where it is shorter than
 * 256 bytes that is a read less, and little that the kernel clears before.
 */
int procfs_file_read_line(struct procfs_file *file) MUST_CHECK;
void procfs_file_close(struct procfs_file *file);

#endif
