/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replaces the files of an indexed data set together: its main file and those of
 * alternate keys next to it. The new files are in a folder, which is renamed to
 * PARENT/.vigil/replacing/NAME: from then on the data set has its new content.
 * Then each file is moved to its final path, the main file last. A process that is
 * killed between two of these steps leaves the folder; the next one that uses the
 * data set completes the moves. A process that moves files holds a lock on the
 * folder.
 */
#ifndef VIGIL_DATASETS_REPLACING_H
#define VIGIL_DATASETS_REPLACING_H

#include "common/error.h"

/*
 * Replaces the data set at path (absolute, no link) with the files in a folder on
 * the same file system: count files, NAME, NAME.1 and so on, instead of before
 * files. They are forced to disk first; the folder is removed. -1 with the reason:
 * the data set is as it was, or the next replacing_finish completes its new
 * content.
 */
int replacing_commit(const char *path, const char *folder, unsigned count, unsigned before,
		     struct error *err);
/* Completes the replacement of one data set that a dead process has begun. */
void replacing_finish(const char *path);
/* Does the same for all data sets of a folder. */
void replacing_finish_all(const char *parent);

#endif
