/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library in one sequential file, vigil's own form: an archive that tar(1)
 * reads (ustar), in which each member is a file, each alias a symbolic link,
 * and the first file, .vigil-library, is the line of the library's attributes.
 */
#ifndef VIGIL_UTILITIES_IEBCOPY_UNLOAD_H
#define VIGIL_UTILITIES_IEBCOPY_UNLOAD_H

#include "datasets/attributes.h"
#include "utilities/members.h"

struct iebcopy_unload;

/* Begins the file anew. -1 with the reason. */
int iebcopy_unload_create(struct iebcopy_unload **unload, const char *path,
			  const struct attributes *attributes, struct error *err);
/* Adds a member under a name. */
int iebcopy_unload_add(struct iebcopy_unload *unload, const struct member *member, const char *name,
		       struct error *err);
/* Ends the file and free. -1: it could not be written; err may be NULL. */
int iebcopy_unload_finish(struct iebcopy_unload *unload, struct error *err);
/*
 * Makes a library of the file in a temporary folder. *folder is the caller's to
 * remove and to free, also after -1 when it is not NULL.
 */
int iebcopy_unload_extract(const char *path, char **folder, struct error *err);

#endif
