/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address-space maps: for each process, which object lies where. Fed by the
 * mmap records of the kernel (in order of time) or by /proc/PID/maps; a fork
 * copies the parent's map (cheaply: maps are shared until one changes), an
 * exec empties it.
 *
 * Only executable mappings are kept.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_SPACE_H
#define VIGIL_PROGRAM_OBJECTS_SPACE_H

#include "program/objects/object.h"

struct mapping {
	uint64_t start, end; /* [start, end) */
	uint64_t bias;	     /* offset in the object = address - bias (modulo 2^64) */
	struct object *object;
};

struct space; /* reference-counted, copied when one of several holders changes it */

struct space *space_new(void);
struct space *space_share(struct space *space);
void space_drop(struct space *space); /* NULL is allowed */

/* A new mapping; whatever lay under it is cut away. *space may be replaced by a copy. */
void space_map(struct space **space, struct object_list *objects, pid_t pid, uint64_t start,
	       uint64_t length, uint64_t pgoff, const char *path, dev_t device, ino_t inode);
/* The same of an object that is known. */
void space_put(struct space **space, const struct mapping *mapping);
/* Take over the executable mappings of /proc/PID/maps. */
int space_read_proc(struct space **space, struct object_list *objects, pid_t pid,
		    struct error *err);
/* Forget everything (exec). */
void space_clear(struct space **space);
/* How often the map was changed: a number that has grown when it is another map than before. */
uint64_t space_changes(const struct space *space);
/* The mapping that holds address, or NULL. Fast: the last hit is tried first. */
const struct mapping *space_find(struct space *space, uint64_t address);

#endif
