/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mark of an indexed file that is open for update. GnuCOBOL's library keeps
 * pages in memory: a file whose writer was killed lacks some of them without any
 * other sign. COBOL programs of steps (agent/step/cobol-mark.c) and indexed.c set
 * the mark when they open a file and remove it when they close it; a mark of a
 * process that has ended means that the file may be damaged. The layout is in
 * agent/step-area.h.
 */
#ifndef VIGIL_DATASETS_UPDATE_MARK_H
#define VIGIL_DATASETS_UPDATE_MARK_H

#include "common/strbuf.h"

/*
 * Marks a file as open for update by this process. It is no error if the file
 * system supports no marks.
 */
void update_mark_set(const char *path);
/* Removes the mark: the file is closed completely, or removed. */
void update_mark_clear(const char *path);
/* Called after a file was renamed: renames the mark that is stored next to it. */
void update_mark_moved(const char *from, const char *to);
/*
 * Prepares to examine a marked file: the mark becomes this process's, so that the
 * file can be opened. The previous mark is put into text; update_mark_restore restores
 * it.
 */
void update_mark_take_over(const char *path, struct strbuf *text);
void update_mark_restore(const char *path, const struct strbuf *text);
/* Copies the mark of a file to its copy. */
void update_mark_copy(const char *from, const char *to);
/*
 * Returns whether the last update of a file was incomplete: it is marked, and the
 * process that marked it has ended. Appends the owner of the mark ("job A, step
 * S1") to who.
 */
bool update_mark_stale(const char *path, struct strbuf *who);
/*
 * Returns whether a running process has the file open for update, so that pages
 * may be missing on disk.
 */
bool update_mark_active(const char *path);

#endif
