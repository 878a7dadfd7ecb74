/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders and whole files: what the data set root and the spool need alike.
 *
 * A folder is held by its descriptor while something is done in it, and looked
 * up beneath another without following links: a link that is put in its place
 * meanwhile leads nowhere. Root works only in folders that nobody else can
 * change (folders_refuse).
 */
#ifndef VIGIL_DATASETS_FOLDERS_H
#define VIGIL_DATASETS_FOLDERS_H

#include "common/error.h"

/*
 * Opens a folder beneath another: no symbolic link is followed and ".." is
 * refused, in all of path. The descriptor is the caller's; -1 with errno set
 * (ELOOP or ENOTDIR: a link; EXDEV: it leads out).
 */
int folders_open_beneath(int folder, const char *path);
/*
 * Removes a folder with all that is in it. No symbolic link in it is followed, nor
 * one that takes the place of a folder meanwhile; a link of that name is removed
 * itself. 0 also when nothing is there; -1 with errno set.
 */
int folders_remove(const char *path);
/* The same for a name in an open folder. */
int folders_remove_at(int parent, const char *name);
/* Makes a folder and those above it that are missing. -1 with errno set. */
int folders_make(const char *path);
/*
 * Writes a small file FOLDER/NAME whole or not at all, and leave nothing behind
 * when the process is killed meanwhile: the file has no name until it is whole
 * (where the file system can do that; otherwise another one). The folder is made
 * when it is missing; a link in the place of .vigil or of a folder in it is an
 * error. -1 with errno set.
 */
int folders_write_file(const char *folder, const char *name, const struct strbuf *text);
/*
 * Why root must not work in a folder: another user could put links in it or
 * above it (trust.h). NULL when nothing is wrong, when it is not there, and
 * for every user but root. The caller frees it.
 */
char *folders_refuse(const char *path);

#endif
