/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations on folders and whole files, used by the data set root and the spool.
 * A folder is held by its descriptor during an operation, and folders below it are
 * opened without following links, so that a link which replaces a folder meanwhile
 * has no effect. Root only works in folders that no other user can change
 * (folders_refuse).
 */
#ifndef VIGIL_DATASETS_FOLDERS_H
#define VIGIL_DATASETS_FOLDERS_H

#include "common/error.h"

/*
 * Opens a folder beneath another: nowhere in path is a symbolic link followed or
 * ".." accepted. The caller closes the descriptor; -1 with errno set (ELOOP or
 * ENOTDIR: a link; EXDEV: it leads out).
 */
int folders_open_beneath(int folder, const char *path);
/*
 * Removes a folder with its content. Follows no symbolic link in it, nor one that
 * replaces a folder meanwhile; if path itself is a link, the link is removed.
 * Returns 0 also if nothing exists; -1 with errno set.
 */
int folders_remove(const char *path);
/* Does the same for a name in an open folder. */
int folders_remove_at(int parent, const char *name);
/* Creates a folder and its missing parents. -1 with errno set. */
int folders_make(const char *path);
/*
 * Writes a small file FOLDER/NAME whole or not at all, and leaves nothing behind
 * if the process is killed meanwhile: the file has no name until it is whole (if
 * the file system supports that; otherwise a temporary name). The folder is
 * created if missing; a link instead of .vigil or a folder in it is an error. -1
 * with errno set.
 */
int folders_write_file(const char *folder, const char *name, const struct strbuf *text);
/*
 * Returns why root must not work in a folder: another user could put links in it
 * or above it (trust.h). NULL if nothing is wrong, if it does not exist, and for
 * every user but root. The caller frees it.
 */
char *folders_refuse(const char *path);

#endif
