/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads /proc/PID/maps. The whole text is read first, so that an iteration sees
 * one state, as far as the kernel provides one.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_PROC_MAPS_H
#define VIGIL_PROGRAM_OBJECTS_PROC_MAPS_H

#include "common/error.h"

#include <sys/types.h>

struct proc_maps {
	struct strbuf text;
	char *next; /* the next line */
};

struct proc_region {
	uint64_t start, end, offset;
	dev_t device;
	ino_t inode;
	bool readable, writable, executable;
	const char *path; /* "" if there is none; valid until proc_maps_release */
};

int proc_maps_read(struct proc_maps *maps, pid_t pid, struct error *err);
void proc_maps_release(struct proc_maps *maps);
/* Reads the next mapping; returns false at the end. */
bool proc_maps_next(struct proc_maps *maps, struct proc_region *region);

#endif
