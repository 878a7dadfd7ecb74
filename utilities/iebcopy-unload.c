/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads libraries unloaded to one file. */
#include "common/compat.h"
#include "utilities/iebcopy-unload.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 512
#define ATTRIBUTES_NAME ".vigil-library"
#define SIZE_LIMIT ((uint64_t)1 << 33) /* limit of eleven octal digits */

/* A file's header in the archive, as POSIX defines it. */
struct header {
	char name[100];
	char mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8];
	char type;
	char link[100];
	char magic[6], version[2];
	char owner[32], group[32], major[8], minor[8], prefix[155], rest[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "an archive is made of blocks");

struct iebcopy_unload {
	FILE *stream;
};

/* Writes octal digits that fill a field except its last byte. */
static void octal(char *field, size_t size, uint64_t value)
{
	for (size_t at = size - 1; at-- > 0; value /= 8)
		field[at] = (char)('0' + value % 8);
}

static uint64_t from_octal(const char *field, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size && field[i] >= '0' && field[i] <= '7'; i++)
		value = value * 8 + (uint64_t)(field[i] - '0');
	return value;
}

/* Returns the sum of a header's bytes, with the checksum field counted as blanks. */
static unsigned checksum(const struct header *header)
{
	struct header copy = *header;
	const unsigned char *bytes = (const unsigned char *)&copy;
	unsigned sum = 0;

	memset(copy.checksum, ' ', sizeof(copy.checksum));
	for (size_t i = 0; i < sizeof(copy); i++)
		sum += bytes[i];
	return sum;
}

static int write_header(struct iebcopy_unload *unload, const char *name, const struct stat *info,
			const char *target, struct error *err)
{
	struct header header = { .type = target ? '2' : '0', .magic = "ustar", .version = "00" };

	if (strlen(name) > sizeof(header.name) - 1 ||
	    (target && strlen(target) > sizeof(header.link) - 1))
		return error_set(err, "the name of member %s is too long to be unloaded", name);
	if ((uint64_t)info->st_size >= SIZE_LIMIT)
		return error_set(err, "member %s is too large to be unloaded", name);
	snprintf(header.name, sizeof(header.name), "%s", name);
	if (target)
		snprintf(header.link, sizeof(header.link), "%s", target);
	memcpy(header.version, "00", 2);
	octal(header.mode, sizeof(header.mode), info->st_mode & 0777);
	octal(header.uid, sizeof(header.uid), 0);
	octal(header.gid, sizeof(header.gid), 0);
	octal(header.size, sizeof(header.size), target ? 0 : (uint64_t)info->st_size);
	octal(header.mtime, sizeof(header.mtime), (uint64_t)info->st_mtime);
	octal(header.checksum, sizeof(header.checksum) - 1, checksum(&header));
	if (fwrite(&header, sizeof(header), 1, unload->stream) != 1)
		return error_errno(err, "cannot unload member %s", name);
	return 0;
}

/* Pads the last block. */
static void pad(FILE *stream, uint64_t size)
{
	for (uint64_t rest = size % BLOCK; rest > 0 && rest < BLOCK; rest++)
		putc('\0', stream);
}

int iebcopy_unload_create(struct iebcopy_unload **unload, const char *path,
			  const struct attributes *attributes, struct error *err)
{
	struct strbuf line = STRBUF_INIT;
	struct stat info = { .st_mode = 0644 };
	FILE *stream = fopen(path, "we");
	int result;

	RETURN_IF(!stream, error_errno(err, "%s cannot be written", path));
	*unload = xcalloc(1, sizeof(**unload));
	(*unload)->stream = stream;
	attributes_format(&line, attributes);
	strbuf_addch(&line, '\n');
	info.st_size = (off_t)line.length;
	result = write_header(*unload, ATTRIBUTES_NAME, &info, NULL, err);
	if (result == 0) {
		fwrite(line.text, 1, line.length, stream);
		pad(stream, line.length);
	}
	strbuf_release(&line);
	return result;
}

/* Appends a file's content; its size is already in the header. */
static int add_content(struct iebcopy_unload *unload, const char *path, uint64_t size,
		       struct error *err)
{
	FILE *from = fopen(path, "re");
	char buffer[BUFSIZ];
	uint64_t done = 0;
	size_t got;

	RETURN_IF(!from, error_errno(err, "%s cannot be read", path));
	while (done < size && (got = fread(buffer, 1, sizeof(buffer), from)) > 0) {
		if (got > size - done)
			got = (size_t)(size - done);
		fwrite(buffer, 1, got, unload->stream);
		done += got;
	}
	fclose(from);
	RETURN_IF(done < size, error_set(err, "%s became shorter while it was read", path));
	pad(unload->stream, size);
	return 0;
}

int iebcopy_unload_add(struct iebcopy_unload *unload, const struct member *member, const char *name,
		       struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	struct stat info;
	int result;

	strbuf_addf(&path, "%s/%s", member->folder, member->name);
	if (stat(path.text, &info) < 0)
		result = error_errno(err, "%s cannot be read", path.text);
	else
		result = write_header(unload, name, &info, member->target, err);
	if (result == 0 && !member->target)
		result = add_content(unload, path.text, (uint64_t)info.st_size, err);
	strbuf_release(&path);
	return result;
}

int iebcopy_unload_finish(struct iebcopy_unload *unload, struct error *err)
{
	static const char end[2 * BLOCK];
	bool failed;

	fwrite(end, 1, sizeof(end), unload->stream);
	failed = ferror(unload->stream) != 0;
	failed |= fclose(unload->stream) != 0;
	free(unload);
	return failed ? error_errno(err, "cannot write the unloaded library") : 0;
}

/* Returns whether a name is valid for a file of a library. */
static bool name_valid(const char *name)
{
	return *name && !strchr(name, '/') && (*name != '.' || strcmp(name, ATTRIBUTES_NAME) == 0);
}

/* Copies size bytes of the archive to a new file. */
static int extract_content(FILE *from, const char *path, const struct header *header, uint64_t size,
			   struct error *err)
{
	FILE *to = fopen(path, "wxe");
	char block[BLOCK];
	bool whole = true;
	uint64_t rest = size;

	RETURN_IF(!to, error_errno(err, "%s cannot be created", path));
	while (rest > 0 && whole) {
		size_t now = rest < BLOCK ? (size_t)rest : BLOCK;

		whole = fread(block, 1, BLOCK, from) == BLOCK && fwrite(block, 1, now, to) == now;
		rest -= now;
	}
	fchmod(fileno(to), (mode_t)from_octal(header->mode, sizeof(header->mode)) & 0777);
	if (fflush(to) == 0) {
		struct timespec time = { .tv_sec = (time_t)from_octal(header->mtime,
								      sizeof(header->mtime)) };
		struct timespec times[] = { time, time };

		futimens(fileno(to), times);
	}
	if (fclose(to) != 0 || !whole)
		return error_set(err, "the unloaded library ends in the middle of a member, or it "
				      "cannot be written");
	return 0;
}

/* Extracts the next file of the archive. 1: extracted, 0: end, -1: error. */
static int extract_one(FILE *from, const char *folder, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	struct header header;
	char name[sizeof(header.name) + 1] = "", link[sizeof(header.link) + 1] = "";
	int result = 0;

	if (fread(&header, sizeof(header), 1, from) != 1)
		return error_set(err, "the unloaded library is truncated");
	if (header.name[0] == '\0')
		return 0;
	memcpy(name, header.name, sizeof(header.name));
	memcpy(link, header.link, sizeof(header.link));
	if (memcmp(header.magic, "ustar", 5) != 0 ||
	    from_octal(header.checksum, sizeof(header.checksum)) != checksum(&header))
		return error_set(err, "it is neither a library nor an unloaded library");
	strbuf_addf(&path, "%s/%s", folder, name);
	if (!name_valid(name) || (header.type == '2' && !name_valid(link)))
		result = error_set(
			err, "the unloaded library has an entry that is not a member: %s", name);
	else if (header.type == '2')
		result = symlink(link, path.text) < 0
				 ? error_errno(err, "cannot create alias %s", name)
				 : 0;
	else if (header.type == '0')
		result = extract_content(from, path.text, &header,
					 from_octal(header.size, sizeof(header.size)), err);
	strbuf_release(&path);
	return result < 0 ? -1 : 1;
}

/* Sets the folder's attributes from those in the archive. */
static void restore_attributes(const char *folder)
{
	struct strbuf path = STRBUF_INIT, line = STRBUF_INIT;
	struct attributes attributes;

	strbuf_addf(&path, "%s/%s", folder, ATTRIBUTES_NAME);
	if (strbuf_read_file(&line, path.text) == 0) {
		strbuf_rtrim(&line);
		if (attributes_parse(&attributes, line.text))
			attributes_set(folder, &attributes, NULL);
	}
	strbuf_release(&path);
	strbuf_release(&line);
}

int iebcopy_unload_extract(const char *path, char **folder, struct error *err)
{
	const char *above = getenv("TMPDIR");
	struct strbuf name = STRBUF_INIT;
	FILE *from = fopen(path, "re");
	int result;

	*folder = NULL;
	RETURN_IF(!from, error_errno(err, "%s cannot be read", path));
	strbuf_addf(&name, "%s/iebcopy.XXXXXX", above ? above : "/tmp");
	if (mkdtemp(name.text)) {
		*folder = strbuf_detach(&name, NULL);
		do {
			result = extract_one(from, *folder, err);
		} while (result > 0);
		restore_attributes(*folder);
	} else {
		result = error_errno(err, "cannot create a folder to load into");
		strbuf_release(&name);
	}
	fclose(from);
	return result;
}
