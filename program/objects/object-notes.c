/* SPDX-License-Identifier: Apache-2.0 */
/* Files of objects in recordings. */
#include "common/compat.h"
#include "program/objects/object-notes.h"
#include "common/clock.h"
#include "common/hash.h"
#include "common/outside.h"
#include "common/strbuf.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger files are not taken whole. */
#define WHOLE_MAX (UINT64_C(512) << 20)

/* Appends the first bytes of a file; returns how many. */
static size_t add_content(struct strbuf *bytes, int fd, size_t size)
{
	size_t before = bytes->length;

	while (bytes->length - before < size) {
		size_t rest = size - (bytes->length - before);
		ssize_t got;

		strbuf_grow(bytes, rest + 1);
		got = pread(fd, bytes->text + bytes->length, rest, (off_t)(bytes->length - before));
		if (got <= 0)
			break;
		bytes->length += (size_t)got;
		bytes->text[bytes->length] = '\0';
	}
	return bytes->length - before;
}

void object_note_file(const char *path, int fd)
{
	struct strbuf bytes = STRBUF_INIT;
	struct object_seen seen;
	struct stat status;

	if (!outside_keeps_notes())
		return;
	if (fd >= 0 && fstat(fd, &status) == 0) {
		seen.size = (uint64_t)status.st_size;
		strbuf_add(&bytes, &seen, sizeof(seen));
		add_content(&bytes, fd,
			    outside_current->wants_objects && seen.size <= WHOLE_MAX ? (size_t)seen.size
										     : OBJECT_SEEN_HEAD);
	}
	outside_note_of(OUTSIDE_OBJECT, hash_bytes(path, strlen(path)), bytes.text, bytes.length);
	strbuf_release(&bytes);
}

/* Opens a copy of a file's content; -1: there is no memory for it. */
static int open_content(const unsigned char *content, size_t size)
{
	int fd = memfd_create("vigil-object", MFD_CLOEXEC);

	for (size_t at = 0; fd >= 0 && at < size;) {
		ssize_t written = write(fd, content + at, size - at);

		if (written <= 0) {
			close(fd);
			return -1;
		}
		at += (size_t)written;
	}
	return fd;
}

/* Returns whether an open file has this size, and begins like this. */
static bool is_seen(int fd, const struct object_seen *seen, const unsigned char *head, size_t size)
{
	struct strbuf own = STRBUF_INIT;
	struct stat status;
	bool same;

	RETURN_IF(fstat(fd, &status) < 0 || (uint64_t)status.st_size != seen->size, false);
	same = add_content(&own, fd, size) == size && memcmp(own.text, head, size) == 0;
	strbuf_release(&own);
	return same;
}

bool object_recall_file(const char *path, int *fd)
{
	struct object_seen seen;
	const unsigned char *content;
	size_t size;

	content = outside_recall_of(OUTSIDE_OBJECT, hash_bytes(path, strlen(path)), &size);
	RETURN_IF(!content, false);
	*fd = -1;
	RETURN_IF(size < sizeof(seen), true);
	memcpy(&seen, content, sizeof(seen));
	content += sizeof(seen);
	size -= sizeof(seen);
	if (size == seen.size) {
		*fd = open_content(content, size);
		return true;
	}
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd >= 0 && !is_seen(*fd, &seen, content, size)) {
		close(*fd);
		*fd = -1;
	}
	if (*fd < 0)
		outside_note(OUTSIDE_OBJECT_MISSING, path, strlen(path));
	return true;
}

uint64_t object_file_state(int fd)
{
	struct stat status;
	uint64_t state;

	if (outside_recall(OUTSIDE_OBJECT_STATE, &state, sizeof(state)))
		return state;
	state = fd >= 0 && fstat(fd, &status) == 0
			? hash_pair((uint64_t)status.st_size, clock_timespec_ns(&status.st_mtim)) | 1
			: 0;
	outside_note(OUTSIDE_OBJECT_STATE, &state, sizeof(state));
	return state;
}
