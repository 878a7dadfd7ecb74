/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the area through which a step tells its transactions. Its size is sealed: a program that
 * cuts it off must not take the pages away from under vigil, which maps them.
 */
#include "common/compat.h"
#include "session/measure/area.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "agent/transaction-area.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int area_init(struct area *area, bool paused, struct error *err)
{
	size_t size = sizeof(struct transaction_area) +
		      TRANSACTION_AREA_SLOTS * sizeof(struct transaction_change);
	struct transaction_area head = { .magic = TRANSACTION_AREA_MAGIC,
					 .slots = TRANSACTION_AREA_SLOTS,
					 .collecting = paused ? TRANSACTION_COLLECTING_PAUSED
							      : TRANSACTION_COLLECTING_ACTIVE,
					 .starts = paused ? 0 : 1 };
	char path[PROCFS_PATH_SIZE];

	area->path = NULL;
	area->fd = memfd_create("vigil-transactions", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (area->fd < 0)
		return error_errno(err, "cannot create the transaction area");
	if (ftruncate(area->fd, (off_t)size) < 0 ||
	    pwrite(area->fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
	    fcntl(area->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		error_errno(err, "cannot create the transaction area");
		area_release(area);
		return -1;
	}
	area->path = xstrdup(procfs_descriptor(path, getpid(), "fd", area->fd));
	return 0;
}

bool area_was_started(const struct area *area)
{
	struct transaction_area head;

	return area->fd < 0 || pread(area->fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
	       head.starts > 0;
}

void area_release(struct area *area)
{
	if (area->fd >= 0)
		close(area->fd);
	free(area->path);
	area->fd = -1;
	area->path = NULL;
}
