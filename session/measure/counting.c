/* SPDX-License-Identifier: Apache-2.0 */
/* Creates the area in which the programs of a step count by file. */
#include "common/compat.h"
#include "session/measure/counting.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "agent/file-area.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Sets the size of a new area and seals it: nobody can remove pages that vigil has mapped. */
static bool make(int fd)
{
	static const uint64_t magic = FILE_AREA_MAGIC;

	return ftruncate(fd, sizeof(struct file_area)) == 0 &&
	       pwrite(fd, &magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
	       fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

void counting_init(struct counting *counting)
{
	char path[PROCFS_PATH_SIZE];

	counting->path = NULL;
	counting->fd = memfd_create("vigil-files", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (counting->fd < 0)
		return;
	if (make(counting->fd))
		counting->path =
			xstrdup(procfs_descriptor(path, getpid(), "fd", counting->fd));
	else
		counting_release(counting);
}

void counting_release(struct counting *counting)
{
	if (counting->fd >= 0)
		close(counting->fd);
	free(counting->path);
	counting->fd = -1;
	counting->path = NULL;
}
