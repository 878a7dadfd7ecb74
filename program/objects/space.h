/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address-space maps: which object is mapped where in each process. They are
 * filled from the kernel's mmap records (in order of time) or from /proc/PID/maps;
 * a fork shares the parent's map until one of them changes, an exec empties it.
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

struct space; /* reference-counted; copied when it is changed while shared */

struct space *space_new(void);
struct space *space_share(struct space *space);
void space_drop(struct space *space); /* NULL is allowed */

/* Adds a new mapping and removes whatever it overlaps. *space may be replaced by a copy. */
void space_map(struct space **space, struct object_list *objects, pid_t pid, uint64_t start,
	       uint64_t length, uint64_t pgoff, const char *path, dev_t device, ino_t inode);
/* As space_map, for a mapping with a known object. */
void space_put(struct space **space, const struct mapping *mapping);
/* Adds the executable mappings of /proc/PID/maps. */
int space_read_proc(struct space **space, struct object_list *objects, pid_t pid,
		    struct error *err);
/* Removes all mappings (exec). */
void space_clear(struct space **space);
/* Returns how often the map was changed: the number is larger if the map differs from before. */
uint64_t space_changes(const struct space *space);
/* Returns the mapping that contains address, or NULL. Fast: the last hit is tried first. */
const struct mapping *space_find(struct space *space, uint64_t address);

#endif
