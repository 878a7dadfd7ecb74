/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of the kernel that several producers parse: they are read once a snapshot,
 * so all producers see the same text. Producers declare at their start what they
 * read; a text with only one reader is not shared. LWS reports the counts.
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
		const char *text; /* in the present snapshot */
		uint64_t snapshot;
		int error;
	} * list; /* owned */
	size_t count, alloc;
	uint64_t reads, saved, bytes;
};

/*
 * Returns the present text of a file, opening it if necessary; one_line: it has
 * only one line. NULL with errno: it cannot be read.
 */
const char *shared_text_of_file(struct procfs_file *file, const char *path, bool one_line,
				int *error);

/* Declares that a producer will read a file. Returns the number of its text. */
size_t shared_texts_want(struct shared_texts *texts, const char *path, bool one_line);
/* Returns whether several producers read it. */
bool shared_texts_has(const struct shared_texts *texts, size_t number);
/* Returns the text in a snapshot; NULL with errno: it cannot be read. */
const char *shared_texts_read(struct shared_texts *texts, size_t number, uint64_t snapshot,
			      int *error);
/* Frees the contents; must have been zero-initialized. */
void shared_texts_release(struct shared_texts *texts);

#endif
