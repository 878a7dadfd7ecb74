/* SPDX-License-Identifier: Apache-2.0 */
/* Folders and whole files: what the data set root and the spool need alike. */
#ifndef VIGIL_SESSION_DATASETS_FOLDERS_H
#define VIGIL_SESSION_DATASETS_FOLDERS_H

#include "common/error.h"

/* Remove a folder with all that is in it; symbolic links are not followed. -1 with errno set. */
int folders_remove(const char *path);
/* Make a folder and those above it that are missing. -1 with errno set. */
int folders_make(const char *path);
/*
 * Write a small file FOLDER/NAME whole or not at all: under another name,
 * which is then renamed. The folder is made when it is missing. -1 with errno set.
 */
int folders_write_file(const char *folder, const char *name, const struct strbuf *text);

#endif
