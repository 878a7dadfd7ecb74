/* SPDX-License-Identifier: Apache-2.0 */
/* The mounts of block devices. */
#include "common/compat.h"
#include "metrics/disk-mounts.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <poll.h>

static void forget(struct disk_mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++) {
		free(mounts->list[i].path);
		free(mounts->list[i].type);
	}
	mounts->count = 0;
}

/* Returns a word of a line with \\NNN converted to bytes. The caller frees it. */
static char *unescape(const char *word, size_t length)
{
	char *text = xcalloc(1, length + 1), *to = text;

	for (size_t i = 0; i < length; i++) {
		unsigned value;

		if (word[i] == '\\' && length - i > 3 && sscanf(word + i + 1, "%3o", &value) == 1) {
			*to++ = (char)value;
			i += 3;
		} else {
			*to++ = word[i];
		}
	}
	return text;
}

/* Parses a line: "36 35 98:0 /root /mount rw master:1 - ext4 /dev/root rw". */
static void take_line(struct disk_mounts *mounts, const char *line)
{
	const char *end = line + strcspn(line, "\n"), *type = strstr(line, " - ");
	struct disk_mount mount = { 0 };
	int root = 0, path = 0, after = 0;

	if (!type || type >= end ||
	    sscanf(line, "%*s %*s %" SCNu64 ":%" SCNu64 " %n%*s %n%*s%n", &mount.major,
		   &mount.minor, &root, &path, &after) != 2 ||
	    !after)
		return;
	/* File systems without a device have major number 0. */
	if (!mount.major)
		return;
	mount.whole = strncmp(line + root, "/ ", 2) == 0;
	mount.path = unescape(line + path, (size_t)(after - path));
	mount.type = unescape(type + 3, strcspn(type + 3, " \n"));
	GROW(mounts->list, mounts->count + 1, mounts->alloc);
	mounts->list[mounts->count++] = mount;
}

void disk_mounts_look(struct disk_mounts *mounts)
{
	char path[PROCFS_PATH_SIZE];
	struct pollfd changed = { .fd = mounts->file.fd, .events = POLLPRI };
	const char *line;

	if (!mounts->begun) {
		mounts->begun = true;
		strbuf_init(&mounts->file.text);
		mounts->file.fd = -1;
		if (procfs_file_open(&mounts->file, procfs_path(path, "/proc/self/mountinfo")) < 0)
			return;
	} else if (mounts->file.fd < 0 || poll(&changed, 1, 0) < 1 ||
		   !(changed.revents & (POLLPRI | POLLERR))) {
		return;
	}
	forget(mounts);
	if (procfs_file_read(&mounts->file) < 0)
		return;
	for (line = mounts->file.text.text; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		take_line(mounts, line);
}

const struct disk_mount *disk_mounts_find(const struct disk_mounts *mounts, uint64_t major,
					  uint64_t minor)
{
	const struct disk_mount *found = NULL;

	for (size_t i = 0; i < mounts->count; i++) {
		const struct disk_mount *mount = &mounts->list[i];

		if (mount->major == major && mount->minor == minor &&
		    (!found || (mount->whole && !found->whole)))
			found = mount;
	}
	return found;
}

void disk_mounts_release(struct disk_mounts *mounts)
{
	forget(mounts);
	free(mounts->list);
	if (mounts->begun)
		procfs_file_close(&mounts->file);
}
