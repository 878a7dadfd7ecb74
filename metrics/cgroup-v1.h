/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control groups of version 1, part of CGR: a hierarchy for each controller,
 * or for several, each mounted by itself. What groups of one path in them say
 * is one record; what version 2 has said of it already stays.
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

/* The files of a group, and what is taken of them. */
#define CGROUP_V1_FILES 19
#define CGROUP_V1_ROWS 44

struct cgroup_v1 {
	/* Where controllers are mounted, "" nowhere. */
	char mounts[CGROUP_CONTROLLERS][PROCFS_PATH_SIZE];
	size_t places[CGROUP_V1_ROWS]; /* of items of CGR */
};

extern const struct cgroup_v1_file {
	enum cgroup_v1_controller controller;
	const char *name;
} cgroup_v1_files[CGROUP_V1_FILES];

/* Finds where the items are; nothing is mounted yet. */
void cgroup_v1_init(struct cgroup_v1 *groups, const struct metric_item *items, size_t count);
/* Takes a line of mountinfo. */
void cgroup_v1_take_mount(struct cgroup_v1 *groups, const char *line);
/* Takes what a file says into the items of CGR that have no value yet. */
void cgroup_v1_take(const struct cgroup_v1 *groups, size_t file, const char *text,
		    const struct metric_item *items, uint64_t *values);

#endif
