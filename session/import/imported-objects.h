/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files with a recording's instructions, as found on this machine. A file
 * matches if it has the recorded build id or, if none was recorded, if it has the
 * recorded inode and was not changed since the recording was written. A file that
 * does not match is not used, because its names would be wrong: the object gets no
 * names, and a note says why. If the path has another file, the copy that perf
 * record keeps in ~/.debug is used.
 *
 * Paths and process numbers are those of the recording: processes that now have
 * the same numbers are never inspected.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORTED_OBJECTS_H
#define VIGIL_SESSION_IMPORT_IMPORTED_OBJECTS_H

#include "program/objects/space.h"

struct imported_file;

/* A file as recorded. */
struct recorded_file {
	const char *path;
	const unsigned char *build_id; /* NULL: not recorded */
	size_t build_id_size;
	uint64_t device, inode, generation; /* inode 0: not recorded */
};

struct imported_objects {
	struct object_list list;
	struct strmap keys;	 /* path and identity */
	struct object **by_key;
	size_t key_alloc;
	char **build_ids; /* as recorded, by object id - 1; NULL: none */
	size_t build_id_count, build_id_alloc;
	uint64_t written;  /* modification time of the recording, ns since 1970; 0: unknown */
	bool vdso_fits;	   /* the vDSO here matches the recording */
	bool kernel_fits;  /* the kernel matches, at the same addresses: the recording is from
			    * this boot */
};

void imported_objects_init(struct imported_objects *objects, uint64_t written);
void imported_objects_release(struct imported_objects *objects);
/*
 * Sets the kernel of the recording: its release, its build id (size 0: unknown),
 * and its load address (address of its symbol; 0: unknown). Decides whether it is
 * the running one.
 */
void imported_objects_kernel(struct imported_objects *objects, const char *release,
			     const unsigned char *build_id, size_t size, const char *symbol,
			     uint64_t address);
/* Sets the vDSO, from a mapping of this length. */
void imported_objects_vdso(struct imported_objects *objects, const unsigned char *build_id,
			   size_t size, uint64_t length);
/* Adds a mapping to a space. */
void imported_objects_map(struct imported_objects *objects, struct space **space, uint64_t start,
			  uint64_t length, uint64_t offset, const struct recorded_file *file);
/* Adds OBJECT rows of the used objects; used is indexed by number - 1. */
void imported_objects_rows(struct imported_objects *objects, const unsigned char *used,
			   struct imported_file *file);

#endif
