/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel tells about one file and one open descriptor. */
#include "common/compat.h"
#include "sampler/file-facts.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "engine/record-types.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

unsigned facts_kind(const struct statx *status, const char *path)
{
	switch (status->stx_mode & S_IFMT) {
	case S_IFREG:
		return path[0] == '/' ? FILE_REGULAR : FILE_OTHER;
	case S_IFDIR:
		return FILE_DIRECTORY;
	case S_IFSOCK:
		return FILE_SOCKET;
	case S_IFIFO:
		return FILE_PIPE;
	case S_IFCHR:
		return FILE_CHARACTER;
	case S_IFBLK:
		return FILE_BLOCK;
	default:
		return FILE_OTHER;
	}
}

/* Append the type of the file system with this device number, as mountinfo has it. */
static void file_system_type(unsigned device_major, unsigned device_minor, struct strbuf *sb)
{
	struct strbuf mounts = STRBUF_INIT;
	char wanted[32];

	snprintf(wanted, sizeof(wanted), " %u:%u ", device_major, device_minor);
	if (strbuf_read_file(&mounts, "/proc/self/mountinfo") == 0) {
		const char *line = strstr(mounts.text, wanted);
		const char *type = line ? strstr(line, " - ") : NULL;

		if (type)
			strbuf_add(sb, type + 3, strcspn(type + 3, " \n"));
	}
	strbuf_release(&mounts);
}

char *facts_device(const struct statx *status)
{
	struct strbuf device = STRBUF_INIT;
	char path[64], link[PATH_MAX];
	ssize_t length;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", status->stx_dev_major,
		 status->stx_dev_minor);
	length = readlink(path, link, sizeof(link) - 1);
	if (length > 0) {
		const char *base;

		link[length] = '\0';
		base = strrchr(link, '/');
		strbuf_addstr(&device, base ? base + 1 : link);
	} else {
		file_system_type(status->stx_dev_major, status->stx_dev_minor, &device);
	}
	return strbuf_detach(&device, NULL);
}

/* The organization of a regular file by its first bytes. */
static const char *regular_organization(const char *at)
{
	unsigned char head[16] = { 0 };
	int fd = open(at, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t length;
	uint32_t magic;

	RETURN_IF(fd < 0, "PS");
	length = read(fd, head, sizeof(head));
	close(fd);
	RETURN_IF(length < (ssize_t)sizeof(head), "PS");
	/* Berkeley DB keeps its magic number at byte 12, in either byte order. */
	memcpy(&magic, head + 12, sizeof(magic));
	if (magic == 0x00053162 || magic == 0x62310500 || magic == 0x00061561 ||
	    magic == 0x61150600)
		return "VS";
	return memcmp(head, "SQLite format 3", 16) == 0 ? "SQLITE" : "PS";
}

/* The organization of a character device. */
static const char *character_organization(const char *path)
{
	RETURN_IF(strcmp(path, "/dev/null") == 0, "DUMMY");
	RETURN_IF(strncmp(path, "/dev/tty", 8) == 0 || strncmp(path, "/dev/pts/", 9) == 0, "TERM");
	return "DEVICE";
}

const char *facts_organization(unsigned kind, const char *path, const char *at)
{
	switch (kind) {
	case FILE_REGULAR:
		return regular_organization(at);
	case FILE_DIRECTORY:
		return "PO";
	case FILE_SOCKET:
		return "SOCKET";
	case FILE_PIPE:
		return "PIPE";
	case FILE_CHARACTER:
		return character_organization(path);
	case FILE_BLOCK:
		return "DEVICE";
	default:
		return "OTHER";
	}
}

/* The number behind a name at the start of a line. */
static bool field(const char *text, const char *name, int base, uint64_t *value)
{
	const char *at = strstr(text, name);

	RETURN_IF(!at, false);
	*value = strtoull(at + strlen(name), NULL, base);
	return true;
}

bool descriptor_state(pid_t pid, int fd, struct descriptor_state *state)
{
	char path[64], text[512];
	ssize_t length;
	int info;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", pid, fd);
	info = open(path, O_RDONLY | O_CLOEXEC);
	RETURN_IF(info < 0, false);
	length = read(info, text, sizeof(text) - 1);
	close(info);
	RETURN_IF(length <= 0, false);
	text[length] = '\0';
	return field(text, "pos:", 10, &state->position) &&
	       field(text, "flags:", 8, &state->flags);
}
