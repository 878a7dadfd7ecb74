/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unloads a library to one sequential file and loads it again. The format is
 * vigil's: an archive that tar(1) reads (ustar), in which each member is a file
 * and each alias a symbolic link; the first file, .vigil-library, holds the line
 * of the library's attributes.
 */
#ifndef VIGIL_UTILITIES_IEBCOPY_UNLOAD_H
#define VIGIL_UTILITIES_IEBCOPY_UNLOAD_H

#include "datasets/attributes.h"
#include "utilities/members.h"

struct iebcopy_unload;

/* Begins a new file. -1 with the reason. */
int iebcopy_unload_create(struct iebcopy_unload **unload, const char *path,
			  const struct attributes *attributes, struct error *err);
/* Adds a member under the given name. */
int iebcopy_unload_add(struct iebcopy_unload *unload, const struct member *member, const char *name,
		       struct error *err);
/* Ends the file and frees unload. -1: the file could not be written; err may be NULL. */
int iebcopy_unload_finish(struct iebcopy_unload *unload, struct error *err);
/*
 * Extracts the library into a temporary folder. The caller removes the folder and
 * frees *folder, also after -1 when *folder is not NULL.
 */
int iebcopy_unload_extract(const char *path, char **folder, struct error *err);

#endif
