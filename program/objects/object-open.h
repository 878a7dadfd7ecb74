/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gets hold of a mapped file while there is a way to it: by path through the
 * root of the process, by path as it is here, by /proc/PID/map_files, and
 * when there is no file any more by copying what is loaded of it.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_OBJECT_OPEN_H
#define VIGIL_PROGRAM_OBJECTS_OBJECT_OPEN_H

#include "common/compat.h"

#include <sys/types.h>

/*
 * Open the file that pid has mapped at start, verified to be that file
 * (inode; where a file system reports another one, by comparing the mapped
 * bytes). -1 when no way leads to it.
 */
int object_open_file(const char *path, bool deleted, dev_t device, ino_t inode, pid_t pid,
		     uint64_t start);
/*
 * Copy the loaded segments of the ELF file mapped at start into a new
 * anonymous mapping, laid out as loaded. NULL when that cannot be done or
 * it would be larger than limit.
 */
void *object_copy_mapped(pid_t pid, uint64_t start, uint64_t limit, size_t *size);

#endif
