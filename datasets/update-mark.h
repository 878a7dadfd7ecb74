/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mark of an indexed file that is open for update. The library keeps pages
 * in memory: a file whose writer was killed lacks some of them, and does not
 * show it. The mark is set when a file is open and taken away when it is
 * closed, by COBOL programs of steps (agent/step/cobol-mark.c) and by indexed.c;
 * one whose process is over says that the file may be damaged. The layout is
 * in agent/step-area.h.
 */
#ifndef VIGIL_DATASETS_UPDATE_MARK_H
#define VIGIL_DATASETS_UPDATE_MARK_H

#include "common/strbuf.h"

/* Marks a file as open for update by this process. A file system that takes no mark is no error. */
void update_mark_set(const char *path);
/* The file is closed whole, or gone. */
void update_mark_clear(const char *path);
/* A file was renamed, its old name is free: the mark beside it goes along. */
void update_mark_moved(const char *from, const char *to);
/*
 * Examines a file that has a mark: it becomes this process's, so that the file can
 * be opened. The mark that was there is put into text; update_mark_put gives it
 * back.
 */
void update_mark_hold(const char *path, struct strbuf *text);
void update_mark_put(const char *path, const struct strbuf *text);
/* Gives a copy of a file the file's mark. */
void update_mark_take(const char *from, const char *to);
/*
 * Returns whether the update of a file never came to its end: it is marked, and
 * the process that marked it is over. Who it was ("job A, step S1") is appended.
 */
bool update_mark_left(const char *path, struct strbuf *who);
/*
 * Returns whether a process that is there has the file open for update: what is on
 * disk may lack pages.
 */
bool update_mark_held(const char *path);

#endif
