/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control groups of version 1, part of CGR: one hierarchy for each controller, or
 * for several, each mounted separately. The groups with one path in all
 * hierarchies make one record; values already taken from version 2 are kept.
 */
#ifndef VIGIL_METRICS_CGROUP_V1_H
#define VIGIL_METRICS_CGROUP_V1_H

#include "common/procfs.h"
#include "metrics/metric-text.h"

enum cgroup_v1_controller {
	CGROUP_CPU,
	CGROUP_CPUACCT,
	CGROUP_MEMORY,
	CGROUP_BLKIO,
	CGROUP_PIDS,
	CGROUP_CONTROLLERS
};

/* The files of a group, and the items taken from them. */
#define CGROUP_V1_FILES 19
#define CGROUP_V1_ROWS 44

struct cgroup_v1 {
	/* Mount points of the controllers, "": not mounted. */
	char mounts[CGROUP_CONTROLLERS][PROCFS_PATH_SIZE];
	size_t item_index[CGROUP_V1_ROWS]; /* indexes of items of CGR */
};

extern const struct cgroup_v1_file {
	enum cgroup_v1_controller controller;
	const char *name;
} cgroup_v1_files[CGROUP_V1_FILES];

/* Looks up the items; nothing is mounted yet. */
void cgroup_v1_init(struct cgroup_v1 *groups, const struct metric_item *items, size_t count);
/* Processes a line of mountinfo. */
void cgroup_v1_take_mount(struct cgroup_v1 *groups, const char *line);
/* Stores the values of a file in the items of CGR that have no value yet. */
void cgroup_v1_take(const struct cgroup_v1 *groups, size_t file, const char *text,
		    const struct metric_item *items, uint64_t *values);

#endif
