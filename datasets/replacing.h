/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of an indexed data set are replaced together: its own and those of
 * alternate keys beside it. They come in a folder, which is renamed to
 * PARENT/.vigil/replacing/NAME: from then on the data set has its new content.
 * Then each file is moved to its place, the data set's own last. Who is killed
 * between two of these leaves the folder; the next one who looks at the data set
 * finishes the moves. Whoever moves holds a lock on the folder.
 */
#ifndef VIGIL_DATASETS_REPLACING_H
#define VIGIL_DATASETS_REPLACING_H

#include "common/error.h"

/*
 * Replaces the data set at path (absolute, no link) with the files in a folder on
 * the same file system: count files, NAME, NAME.1 and so on, where there were
 * before. They are forced to disk first. The folder goes. -1 with the reason: the
 * data set is as it was, or its new content is complete at the next
 * replacing_finish.
 */
int replacing_commit(const char *path, const char *folder, unsigned count, unsigned before,
		     struct error *err);
/* Finishes the replacement of one data set that somebody who is no more has begun. */
void replacing_finish(const char *path);
/* The same for all data sets of a folder. */
void replacing_finish_all(const char *parent);

#endif
