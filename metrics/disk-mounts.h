/* SPDX-License-Identifier: Apache-2.0 */
/* The mount points of file systems on block devices; read again when mounts have changed. */
#ifndef VIGIL_METRICS_DISK_MOUNTS_H
#define VIGIL_METRICS_DISK_MOUNTS_H

#include "common/procfs-file.h"

/* Zero-initialized. */
struct disk_mounts {
	bool begun;
	struct procfs_file file;
	struct disk_mount {
		uint64_t major, minor;
		char *path, *type; /* owned */
		bool whole;	   /* the whole file system, not only a part of it */
	} * list;		   /* owned */
	size_t count, alloc;
};

/* Reads the mounts if they have changed. */
void disk_mounts_look(struct disk_mounts *mounts);
/* Returns the mount of a device, preferably one of the whole file system; NULL: none. */
const struct disk_mount *disk_mounts_find(const struct disk_mounts *mounts, uint64_t major,
					  uint64_t minor);
void disk_mounts_release(struct disk_mounts *mounts);

#endif
