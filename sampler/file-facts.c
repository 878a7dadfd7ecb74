/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about one file that the kernel reports. */
#include "common/compat.h"
#include "sampler/file-facts.h"
#include "common/outside.h"
#include "common/path.h"
#include "common/procfs.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "records/record-types.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

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

/* Appends the type of the file system with this device number, from mountinfo. */
static void file_system_type(unsigned device_major, unsigned device_minor, struct strbuf *sb)
{
	struct strbuf mounts = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE], wanted[32];

	snprintf(wanted, sizeof(wanted), " %u:%u ", device_major, device_minor);
	if (strbuf_read_file(&mounts, procfs_process(path, PROCFS_SELF, "mountinfo")) == 0) {
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
	char path[PROCFS_PATH_SIZE], link[PATH_MAX];

	procfs_path(path, "/sys/dev/block/%u:%u", status->stx_dev_major, status->stx_dev_minor);
	if (procfs_link(path, link, sizeof(link)) > 0)
		strbuf_addstr(&device, path_base(link));
	else
		file_system_type(status->stx_dev_major, status->stx_dev_minor, &device);
	return strbuf_detach(&device, NULL);
}

/* Returns the organization of a regular file by its first bytes. */
static const char *regular_organization(const char *at)
{
	unsigned char head[16] = { 0 };
	int fd = outside_open(at, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t length;
	uint32_t magic;

	RETURN_IF(fd < 0, "PS");
	length = outside_read(fd, head, sizeof(head));
	outside_close(fd);
	RETURN_IF(length < (ssize_t)sizeof(head), "PS");
	/* Berkeley DB has its magic number at byte 12, in either byte order. */
	memcpy(&magic, head + 12, sizeof(magic));
	if (magic == 0x00053162 || magic == 0x62310500 || magic == 0x00061561 ||
	    magic == 0x61150600)
		return "VS";
	return memcmp(head, "SQLite format 3", 16) == 0 ? "SQLITE" : "PS";
}

/* Returns the organization of a character device. */
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

/* Returns the text of an address; NULL: none. */
static char *address_text(const struct sockaddr_storage *address, socklen_t size)
{
	const struct sockaddr_in *four = (const void *)address;
	const struct sockaddr_in6 *six = (const void *)address;
	const struct sockaddr_un *local = (const void *)address;
	struct strbuf text = STRBUF_INIT;
	char number[INET6_ADDRSTRLEN];

	if (address->ss_family == AF_INET && inet_ntop(AF_INET, &four->sin_addr, number, sizeof(number)))
		strbuf_addf(&text, "%s:%u", number, ntohs(four->sin_port));
	else if (address->ss_family == AF_INET6 &&
		 inet_ntop(AF_INET6, &six->sin6_addr, number, sizeof(number)))
		strbuf_addf(&text, "[%s]:%u", number, ntohs(six->sin6_port));
	else if (address->ss_family == AF_UNIX && size > offsetof(struct sockaddr_un, sun_path) &&
		 local->sun_path[0])
		strbuf_addf(&text, "%.*s", (int)(size - offsetof(struct sockaddr_un, sun_path)),
			    local->sun_path);
	return text.length ? strbuf_detach(&text, NULL) : NULL;
}

char *facts_peer(pid_t pid, int fd)
{
	struct sockaddr_storage address = { 0 };
	socklen_t size = sizeof(address);

	RETURN_IF(outside_peer(pid, fd, &address, &size) < 0, NULL);
	return address_text(&address, size);
}
