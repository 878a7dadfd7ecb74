/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that earlier sessions found, kept in files: one for each object by
 * its build id, and one for each piece of the kernel that runs. A file counts as long as all that
 * its names were read from is the same: the object, the separate debug files that there are or are
 * not, vigil itself; of the kernel, this start and its modules.
 *
 * The folder must be the user's own (common/trust.h), and so must each file; what is not is left
 * alone, and so are damaged files. A file appears whole, by rename, so sessions
 * may go on side by side: of two that add, the later one's file stays. The files that were not used
 * for longest are removed when all together take more than CACHE_MOST.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_CACHE_H
#define VIGIL_PROGRAM_NAMES_NAMES_CACHE_H

#include "program/names/names-known.h"

#include <libelf.h>

#define CACHE_MOST (UINT64_C(256) << 20)

struct names_cache;

/* Open a folder, made when it is not there, with those above it; NULL when it cannot be used
 * safely. */
struct names_cache *names_cache_open(const char *folder);
/* Write nothing more, and free all. */
void names_cache_close(struct names_cache *cache);
/* What is known of an object; NULL when its names are not kept. signature: of its debug files. */
struct names_known *names_cache_object(struct names_cache *cache, struct object *object,
				       uint64_t (*signature)(void *argument, struct object *object),
				       void *argument);
/* The same of the piece of the kernel that holds an address; whole says that all of it is known. */
struct names_known *names_cache_kernel(struct names_cache *cache, uint64_t address, bool *whole);
/* All symbols of the kernel are told anew, by names_cache_kernel_put. */
void names_cache_kernel_begin(struct names_cache *cache);
void names_cache_kernel_put(struct names_cache *cache, const struct name *symbol);
/*
 * The debug information of an object's debug file, unpacked, as a file that is open to be read; -1:
 * it was not packed, or cannot be kept. Unpacking that of the C library takes longer than all else.
 */
int names_cache_debug(struct names_cache *cache, struct object *object, uint64_t signature,
		      Elf *debug);
/* Write what was added. */
void names_cache_save(struct names_cache *cache);

#endif
