/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache, in files, of names that earlier sessions found: one file for each
 * object by its build id, and one for each piece of the running kernel. A file is
 * valid while everything that its names were read from is unchanged: the object,
 * the separate debug files that exist or do not, vigil itself; for the kernel,
 * this boot and its modules.
 *
 * The folder must belong to the user (common/trust.h), and so must each file;
 * others, and damaged files, are ignored. A file appears complete, by rename, so
 * sessions may run concurrently: of two that add names, the later one's file
 * stays. The least recently used files are removed when all together take more
 * than CACHE_SIZE_MAX.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_CACHE_H
#define VIGIL_PROGRAM_NAMES_NAMES_CACHE_H

#include "program/names/names-known.h"

#include <libelf.h>

#define CACHE_SIZE_MAX (UINT64_C(256) << 20)

struct names_cache;

/*
 * Opens a folder, creating it and those above it if needed; returns NULL if it
 * cannot be used safely.
 */
struct names_cache *names_cache_open(const char *folder);
/* Frees everything without writing. */
void names_cache_close(struct names_cache *cache);
/*
 * Returns the cached names of an object; NULL if its names are not cached.
 * signature: returns that of its debug files.
 */
struct names_known *names_cache_object(struct names_cache *cache, struct object *object,
				       uint64_t (*signature)(void *argument, struct object *object),
				       void *argument);
/*
 * As names_cache_object, for the piece of the kernel that contains an address;
 * sets *whole if the piece is complete.
 */
struct names_known *names_cache_kernel(struct names_cache *cache, uint64_t address, bool *whole);
/* Begins replacing all symbols of the kernel, by names_cache_kernel_put. */
void names_cache_kernel_begin(struct names_cache *cache);
void names_cache_kernel_put(struct names_cache *cache, const struct name *symbol);
/*
 * Returns an open descriptor of a decompressed copy of an object's debug file; -1:
 * it was not compressed, or cannot be cached. Decompressing that of the C library
 * takes longer than everything else.
 */
int names_cache_debug(struct names_cache *cache, struct object *object, uint64_t signature,
		      Elf *debug);
/* Writes what was added. */
void names_cache_save(struct names_cache *cache);

#endif
