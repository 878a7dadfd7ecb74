/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a mapped file while that is possible: by path through the root of the
 * process, by path in vigil's own root, by /proc/PID/map_files; if the file no
 * longer exists, its loaded parts are copied.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_OBJECT_OPEN_H
#define VIGIL_PROGRAM_OBJECTS_OBJECT_OPEN_H

#include "common/compat.h"

#include <sys/types.h>

/*
 * Opens the file that pid has mapped at start, verified by its inode; where a file
 * system reports another inode, by comparing the mapped bytes. Returns -1 if that
 * is not possible. *stands_in: it has no content (object-notes.h).
 */
int object_open_file(const char *path, bool deleted, dev_t device, ino_t inode, pid_t pid,
		     uint64_t start, bool *stands_in);
/*
 * Copies the loaded segments of the ELF file mapped at start into a new anonymous
 * mapping, laid out as loaded. Returns NULL on failure, or if it would be larger
 * than limit.
 */
void *object_copy_mapped(pid_t pid, uint64_t start, uint64_t limit, size_t *size);

#endif
