/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for the debug information of stripped objects. */
#include "common/compat.h"
#include "program/names/names-debugfile.h"
#include "program/names/debuginfod.h"
#include "program/names/elf-section.h"
#include "common/hash.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <gelf.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define MAX_BUILD_ID 64
#define MAX_SYMBOLS (UINT64_C(256) << 20)
#define UNPACK_MEMORY (UINT64_C(128) << 20)

/* Returns the content of the section with a name, or NULL. */
static Elf_Data *named_data(Elf *elf, const char *name)
{
	Elf_Scn *section = elf_section_named(elf, name);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;

	return data && data->d_buf && data->d_size ? data : NULL;
}

/* Finds the build id in a note section; returns its length, 0 if there is none. */
static size_t build_id_in(Elf_Data *data, const unsigned char **id)
{
	size_t at = 0, name, content;
	GElf_Nhdr note;

	while (data && data->d_buf && (at = gelf_getnote(data, at, &note, &name, &content)) > 0)
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp((char *)data->d_buf + name, "GNU", 4) && note.n_descsz >= 2 &&
		    note.n_descsz <= MAX_BUILD_ID) {
			*id = (const unsigned char *)data->d_buf + content;
			return note.n_descsz;
		}
	return 0;
}

/* Finds the build id of a file; returns its length, 0 if it has none. */
static size_t elf_build_id(Elf *elf, const unsigned char **id)
{
	size_t count = 0, length = 0;

	if (elf_getphdrnum(elf, &count))
		return 0;
	for (size_t i = 0; i < count && !length; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_NOTE)
			length = build_id_in(elf_getdata_rawchunk(elf, (int64_t)header.p_offset,
								  header.p_filesz, ELF_T_NHDR),
					     id);
	}
	if (!length) {
		Elf_Scn *section = elf_section_named(elf, ".note.gnu.build-id");

		if (section)
			length = build_id_in(elf_getdata(section, NULL), id);
	}
	return length;
}

/* Opens a regular file; returns -1 if it is not one. */
static int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd >= 0 && (fstat(fd, &status) || !S_ISREG(status.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns whether the file open as fd has the build id. */
static bool has_build_id(int fd, const unsigned char *id, size_t length)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	const unsigned char *found;
	bool same = elf && elf_build_id(elf, &found) == length && !memcmp(found, id, length);

	elf_end(elf);
	return same;
}

/* Appends the path of the debug file for a build id. */
static void place_by_build_id(const char *folder, const unsigned char *id, size_t length,
			      struct strbuf *path)
{
	strbuf_addf(path, "%s/.build-id/%02x/", folder, id[0]);
	for (size_t i = 1; i < length; i++)
		strbuf_addf(path, "%02x", id[i]);
	strbuf_addstr(path, ".debug");
}

/* Opens the debug file for a build id. */
static int open_by_build_id(const char *folder, const unsigned char *id, size_t length)
{
	struct strbuf path = STRBUF_INIT;
	int fd;

	place_by_build_id(folder, id, length, &path);
	fd = open_regular(path.text);
	if (fd >= 0 && !has_build_id(fd, id, length)) {
		close(fd);
		fd = -1;
	}
	strbuf_release(&path);
	return fd;
}

/* Calculates the checksum in .gnu_debuglink, over the whole file. */
static bool file_checksum(int fd, uint32_t *checksum)
{
	unsigned char *buffer = xmalloc(1 << 16);
	uLong sum = crc32(0, NULL, 0);
	ssize_t got;
	off_t at = 0;

	while ((got = pread(fd, buffer, 1 << 16, at)) > 0) {
		sum = crc32(sum, buffer, (uInt)got);
		at += got;
	}
	free(buffer);
	*checksum = (uint32_t)sum;
	return got == 0;
}

/* Opens a candidate for the file of a debug link; it must have the checksum. */
static int open_link(const char *path, uint32_t checksum, struct strbuf *why)
{
	int fd = open_regular(path);
	uint32_t found;

	if (fd < 0)
		return -1;
	if (file_checksum(fd, &found) && found == checksum)
		return fd;
	if (!why->length)
		strbuf_addf(why, "%s belongs to another version", path);
	close(fd);
	return -1;
}

enum link_place { SAME_FOLDER, SUBFOLDER, DEBUG, PLACES };

/* Appends a candidate path for a debug link; slash is the last one of object_path. */
static void place_of_link(enum link_place place, const char *object_path, const char *slash,
			  const char *folder, const char *name, struct strbuf *path)
{
	if (place == DEBUG)
		strbuf_addstr(path, folder);
	strbuf_add(path, object_path, (size_t)(slash - object_path));
	strbuf_addf(path, place == SUBFOLDER ? "/.debug/%s" : "/%s", name);
}

/*
 * Opens the file that .gnu_debuglink names: next to the object, in .debug, or in
 * the system's folder.
 */
static int open_by_link(Elf *elf, const char *object_path, const char *folder, struct strbuf *why)
{
	Elf_Data *data = named_data(elf, ".gnu_debuglink");
	const char *name = data ? data->d_buf : "", *slash = strrchr(object_path, '/');
	size_t length = data ? strnlen(name, data->d_size) : 0;
	size_t position = (length + 4) & ~(size_t)3;
	uint32_t checksum;
	int fd = -1;

	if (!length || !slash || strchr(name, '/') || position + 4 > data->d_size)
		return -1;
	memcpy(&checksum, name + position, sizeof(checksum));
	for (enum link_place i = SAME_FOLDER; i < PLACES && fd < 0; i++) {
		struct strbuf path = STRBUF_INIT;

		place_of_link(i, object_path, slash, folder, name, &path);
		if (strcmp(path.text, object_path))
			fd = open_link(path.text, checksum, why);
		strbuf_release(&path);
	}
	return fd;
}

int debugfile_open(Elf *elf, const char *path, const char *folder, struct strbuf *why)
{
	const unsigned char *id = NULL;
	size_t length = elf_build_id(elf, &id);
	int fd = length ? open_by_build_id(folder, id, length) : -1;

	if (fd < 0)
		fd = open_by_link(elf, path, folder, why);
	if (fd < 0 && length)
		fd = debuginfod_fetch(id, length, why);
	return fd;
}

/* Returns a hash that identifies the file at a path: 0: none. */
static uint64_t file_identity(const char *path)
{
	struct stat status;

	RETURN_IF(stat(path, &status), 0);
	return hash_pair(hash_pair((uint64_t)status.st_ino, (uint64_t)status.st_size),
			 hash_pair((uint64_t)status.st_mtim.tv_sec,
				   (uint64_t)status.st_mtim.tv_nsec));
}

uint64_t debugfile_signature(Elf *elf, const char *object_path, const char *folder)
{
	Elf_Data *data = named_data(elf, ".gnu_debuglink");
	const char *name = data ? data->d_buf : "", *slash = strrchr(object_path, '/');
	const char *urls = getenv("DEBUGINFOD_URLS");
	const unsigned char *id = NULL;
	struct strbuf path = STRBUF_INIT;
	size_t length = elf_build_id(elf, &id);
	uint64_t signature = urls && *urls ? hash_bytes(urls, strlen(urls)) : 0;

	if (length) {
		place_by_build_id(folder, id, length, &path);
		signature = hash_pair(signature, file_identity(path.text));
	}
	if (data && slash && !strchr(name, '/') && strnlen(name, data->d_size) < data->d_size)
		for (enum link_place i = SAME_FOLDER; i < PLACES; i++) {
			strbuf_reset(&path);
			place_of_link(i, object_path, slash, folder, name, &path);
			signature = hash_pair(signature, file_identity(path.text));
		}
	strbuf_release(&path);
	return signature;
}

/* Decompresses a whole stream into growing memory. */
static void *unpack(lzma_stream *stream, size_t *size)
{
	size_t alloc = 0;
	unsigned char *buffer = NULL;
	lzma_ret result = LZMA_OK;

	while (result == LZMA_OK && stream->total_out < MAX_SYMBOLS) {
		GROW(buffer, (size_t)stream->total_out + 65536, alloc);
		stream->next_out = buffer + stream->total_out;
		stream->avail_out = alloc - (size_t)stream->total_out;
		result = lzma_code(stream, LZMA_FINISH);
	}
	*size = (size_t)stream->total_out;
	if (result == LZMA_STREAM_END)
		return buffer;
	free(buffer);
	return NULL;
}

void *debugfile_unpack_symbols(Elf *elf, size_t *size)
{
	Elf_Data *data = named_data(elf, ".gnu_debugdata");
	lzma_stream stream = LZMA_STREAM_INIT;
	void *symbols;

	if (!data || lzma_stream_decoder(&stream, UNPACK_MEMORY, 0) != LZMA_OK)
		return NULL;
	stream.next_in = data->d_buf;
	stream.avail_in = data->d_size;
	symbols = unpack(&stream, size);
	lzma_end(&stream);
	return symbols;
}
