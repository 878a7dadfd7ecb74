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

/* Opens an empty file of a size; -1: that cannot be. */
static int open_stand_in(uint64_t size)
{
	int fd = memfd_create("vigil-object", MFD_CLOEXEC);

	if (fd >= 0 && (size > INT64_MAX || ftruncate(fd, (off_t)size) < 0)) {
		close(fd);
		return -1;
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

bool object_recall_file(const char *path, int *fd, bool *stands_in)
{
	struct object_seen seen;
	const unsigned char *content;
	size_t size;

	content = outside_recall_of(OUTSIDE_OBJECT, hash_bytes(path, strlen(path)), &size);
	RETURN_IF(!content, false);
	*fd = -1;
	*stands_in = false;
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
	if (*fd < 0) {
		*fd = open_stand_in(seen.size);
		*stands_in = true;
	}
	return true;
}

/* Returns the number of a piece of a part. */
static uint64_t piece_key(const char *path, uint64_t state, uint64_t position, size_t size)
{
	return hash_pair(hash_pair(hash_bytes(path, strlen(path)), state), hash_pair(position, size));
}

/* Returns how much of a part is noted as one piece: up to a multiple of OBJECT_PIECE. */
static size_t piece_size(uint64_t position, size_t size)
{
	size_t most = (size_t)(OBJECT_PIECE - position % OBJECT_PIECE);

	return size < most ? size : most;
}

int object_recall_part(const char *path, uint64_t state, uint64_t position, void *bytes, size_t size)
{
	unsigned char *at = bytes;

	if (!outside_keeps_notes())
		return -1;
	while (size > 0) {
		size_t length, part = piece_size(position, size);
		const unsigned char *piece = outside_recall_of(
			OUTSIDE_OBJECT_PART, piece_key(path, state, position, part), &length);

		RETURN_IF(!piece || length == 0, -1);
		RETURN_IF(length != part + 1, 0);
		memcpy(at, piece + 1, part);
		at += part;
		position += part;
		size -= part;
	}
	return 1;
}

void object_note_part(const char *path, uint64_t state, uint64_t position, const void *bytes, size_t size)
{
	struct strbuf piece = STRBUF_INIT;

	if (!outside_keeps_notes() || outside_current->wants_objects)
		return;
	for (size_t at = 0; at < size;) {
		size_t part = piece_size(position + at, size - at);

		strbuf_reset(&piece);
		strbuf_addch(&piece, bytes != NULL);
		if (bytes)
			strbuf_add(&piece, (const char *)bytes + at, part);
		outside_note_of(OUTSIDE_OBJECT_PART, piece_key(path, state, position + at, part), piece.text,
				piece.length);
		at += part;
	}
	strbuf_release(&piece);
}

void object_note_missing(const char *path)
{
	outside_note(OUTSIDE_OBJECT_MISSING, path, strlen(path));
}

uint64_t object_file_state(int fd, uint64_t key, uint64_t *noted)
{
	struct stat status;
	uint64_t state;

	if (outside_recall_whole(OUTSIDE_OBJECT_STATE, key, &state, sizeof(state)))
		return state;
	state = fd >= 0 && fstat(fd, &status) == 0
			? hash_pair((uint64_t)status.st_size, clock_timespec_ns(&status.st_mtim)) | 1
			: 0;
	if (state != *noted)
		outside_note_of(OUTSIDE_OBJECT_STATE, key, &state, sizeof(state));
	*noted = state;
	return state;
}
