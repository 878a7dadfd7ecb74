/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the file of a page fault. */
#include "common/compat.h"
#include "sampler/fault-files.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "program/objects/proc-maps.h"

#include <fcntl.h>
#include <sys/stat.h>

/* How long a mapping is assumed to exist. */
#define BELIEVED (100 * NSEC_PER_MSEC)

void fault_files_init(struct fault_files *faults, struct files *files)
{
	*faults = (struct fault_files){ .files = files };
}

/* Returns the file of a mapping: the one to which its path leads now, if it is the same. */
static uint64_t file_of(struct fault_files *faults, pid_t tid, const struct proc_region *region)
{
	char root[PROCFS_PATH_SIZE], path[PATH_MAX + PROCFS_PATH_SIZE];
	struct statx status;

	RETURN_IF(region->path[0] != '/', 0);
	snprintf(path, sizeof(path), "%s%s", procfs_process(root, tid, "root"), region->path);
	RETURN_IF(outside_status(AT_FDCWD, path, 0, &status) < 0 || status.stx_ino != region->inode, 0);
	return files_of_path(faults->files, tid, AT_FDCWD, region->path);
}

/*
 * Reads the mappings of a process up to the one that contains an address; returns
 * false if there are none, as it has ended.
 */
static bool read_mapping(struct fault_files *faults, pid_t tid, uint64_t address,
			 struct fault_mapping *found)
{
	struct proc_maps maps;
	struct proc_region region;
	bool any = false;

	RETURN_IF(proc_maps_read(&maps, tid, NULL) < 0, false);
	while (proc_maps_next(&maps, &region)) {
		any = true;
		if (region.start <= address && address < region.end) {
			found->start = region.start;
			found->end = region.end;
			found->file = file_of(faults, tid, &region);
			break;
		}
	}
	proc_maps_release(&maps);
	return any;
}

/* Returns the last known mapping that contains an address; NULL: none. */
static struct fault_mapping *known_mapping(struct fault_files *faults, pid_t pid, uint64_t address)
{
	struct fault_mapping *found = NULL;

	for (size_t i = 0; i < FAULT_MAPPINGS; i++) {
		struct fault_mapping *mapping = &faults->known[i];

		if (mapping->pid == pid && mapping->start <= address && address < mapping->end &&
		    (!found || mapping->until > found->until))
			found = mapping;
	}
	return found;
}

uint64_t fault_files_find(struct fault_files *faults, pid_t pid, pid_t tid, uint64_t address)
{
	struct fault_mapping *known = known_mapping(faults, pid, address);
	uint64_t now = clock_monotonic_ns();
	struct fault_mapping found = { .pid = pid, .until = now + BELIEVED };

	/*
	 * Records come late: a process that has ended is assumed to have had the mapping
	 * to the end.
	 */
	if (known && now < known->until)
		return known->file;
	if (!read_mapping(faults, tid, address, &found))
		return known ? known->file : 0;
	if (!known)
		known = &faults->known[faults->next++ % FAULT_MAPPINGS];
	*known = found;
	return found.file;
}
