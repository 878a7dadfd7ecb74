/* SPDX-License-Identifier: Apache-2.0 */
/* Where the file systems of block devices are mounted; read again when mounts have changed. */
#ifndef VIGIL_METRICS_DISK_MOUNTS_H
#define VIGIL_METRICS_DISK_MOUNTS_H

#include "common/procfs-file.h"

/* Cleared at first. */
struct disk_mounts {
	bool begun;
	struct procfs_file file;
	struct disk_mount {
		uint64_t major, minor;
		char *path, *type; /* owned */
		bool whole;	   /* not a part of the file system only */
	} * list;		   /* owned */
	size_t count, alloc;
};

/* Reads the mounts when they have changed. */
void disk_mounts_look(struct disk_mounts *mounts);
/* The mount of a device, that of the whole file system before others; NULL: it has none. */
const struct disk_mount *disk_mounts_find(const struct disk_mounts *mounts, uint64_t major,
					  uint64_t minor);
void disk_mounts_release(struct disk_mounts *mounts);

#endif
