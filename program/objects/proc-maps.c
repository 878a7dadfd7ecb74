/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of /proc/PID/maps. */
#include "common/compat.h"
#include "program/objects/proc-maps.h"
#include "common/procfs.h"

#include <sys/sysmacros.h>

/* Reads the text; a process whose main thread has ended has it below another one. */
static int read_text(struct strbuf *text, pid_t pid)
{
	char path[PROCFS_PATH_SIZE];
	pid_t heir;

	if (strbuf_read_file(text, procfs_process(path, pid, "maps")) < 0)
		return -1;
	heir = text->length ? 0 : procfs_heir(pid);
	return heir ? strbuf_read_file(text, procfs_process(path, heir, "maps")) : 0;
}

int proc_maps_read(struct proc_maps *maps, pid_t pid, struct error *err)
{
	strbuf_init(&maps->text);
	if (read_text(&maps->text, pid) < 0) {
		error_errno(err, "the memory map of process %d cannot be read", (int)pid);
		strbuf_release(&maps->text);
		return -1;
	}
	maps->next = maps->text.text;
	return 0;
}

void proc_maps_release(struct proc_maps *maps)
{
	strbuf_release(&maps->text);
	maps->next = NULL;
}

/* Converts "\012" back into a newline. */
static void unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from; from++) {
		if (strncmp(from, "\\012", 4) == 0) {
			*to++ = '\n';
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

bool proc_maps_next(struct proc_maps *maps, struct proc_region *region)
{
	char *line = maps->next, *end, permissions[8];
	unsigned major_number, minor_number;
	unsigned long long inode;
	int used = 0;

	if (!line || !*line)
		return false;
	end = strchr(line, '\n');
	if (end)
		*end++ = '\0';
	maps->next = end;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %llu%n", &region->start,
		   &region->end, permissions, &region->offset, &major_number, &minor_number, &inode,
		   &used) < 7)
		return false;
	region->device = makedev(major_number, minor_number);
	region->inode = (ino_t)inode;
	region->readable = permissions[0] == 'r';
	region->writable = permissions[1] == 'w';
	region->executable = permissions[2] == 'x';
	line += used;
	line += strspn(line, " ");
	unescape(line);
	region->path = line;
	return true;
}
