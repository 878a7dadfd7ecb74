/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of the kernel that several producers take apart: they are read once a
 * snapshot, and all of them see the same text. Producers say at their start
 * what they read; what one alone reads stays its own. LWS tells of it.
 */
#ifndef VIGIL_METRICS_SHARED_TEXTS_H
#define VIGIL_METRICS_SHARED_TEXTS_H

#include "common/procfs-file.h"

struct shared_texts {
	struct shared_text {
		const char *path;
		bool one_line;
		unsigned readers;
		struct procfs_file file;
		const char *text; /* in the snapshot */
		uint64_t snapshot;
		int error;
	} * list; /* owned */
	size_t count, alloc;
	uint64_t reads, saved, bytes;
};

/*
 * The text of a file, which may be one of one line only, as it is now, opened if need be; NULL and
 * an errno: it cannot be read.
 */
const char *shared_text_of_file(struct procfs_file *file, const char *path, bool one_line,
				int *error);

/* A producer will read a file; the number of its text. */
size_t shared_texts_want(struct shared_texts *texts, const char *path, bool one_line);
/* Returns whether several producers read it. */
bool shared_texts_has(const struct shared_texts *texts, size_t number);
/* The text in a snapshot; NULL and an errno: it cannot be read. */
const char *shared_texts_read(struct shared_texts *texts, size_t number, uint64_t snapshot,
			      int *error);
/* Frees what it has; it was cleared at first. */
void shared_texts_release(struct shared_texts *texts);

#endif
