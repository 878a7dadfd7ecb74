/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a recording's instructions come from, looked for on this machine. A file is the
 * recording's when it has the build id that the recording tells; where that tells none, when it has
 * the inode that was mapped and was not changed since the recording was written. Of another one
 * nothing is used: its names would be wrong, and so the object has none and a note that says why.
 * Where the path leads to another file, the copy that perf record keeps in ~/.debug is taken.
 *
 * Paths and numbers of processes are those of the recording: nothing is asked of processes that
 * happen to have the same numbers now.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORTED_OBJECTS_H
#define VIGIL_SESSION_IMPORT_IMPORTED_OBJECTS_H

#include "program/objects/space.h"

struct imported_file;

/* A file as a recording tells it. */
struct recorded_file {
	const char *path;
	const unsigned char *build_id; /* NULL: it tells none */
	size_t build_id_size;
	uint64_t device, inode, generation; /* inode 0: it tells none */
};

struct imported_objects {
	struct object_list list;
	struct strmap keys;	 /* path and identity */
	struct object **by_key;
	size_t key_alloc;
	char **build_ids; /* as recorded, by object id - 1; NULL: none */
	size_t build_id_count, build_id_alloc;
	uint64_t written;  /* of the recording, ns since 1970; 0: not known */
	bool vdso_fits;	   /* the vDSO here is the recording's */
	bool kernel_fits;  /* so is the kernel, at the same addresses: this boot's */
};

void imported_objects_init(struct imported_objects *objects, uint64_t written);
void imported_objects_release(struct imported_objects *objects);
/* The kernel of the recording: its release, its build id (size 0: not told), and where it was
   loaded (address of its symbol; 0: not told). Says whether it is the one that runs here. */
void imported_objects_kernel(struct imported_objects *objects, const char *release,
			     const unsigned char *build_id, size_t size, const char *symbol,
			     uint64_t address);
/* The vDSO, from a mapping of so many bytes. */
void imported_objects_vdso(struct imported_objects *objects, const unsigned char *build_id,
			   size_t size, uint64_t length);
/* A mapping begins in a space. */
void imported_objects_map(struct imported_objects *objects, struct space **space, uint64_t start,
			  uint64_t length, uint64_t offset, const struct recorded_file *file);
/* OBJECT rows of those that are used, by number - 1. */
void imported_objects_rows(struct imported_objects *objects, const unsigned char *used,
			   struct imported_file *file);

#endif
