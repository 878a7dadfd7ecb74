/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates the area through which a step reports its transactions. Its size is
 * sealed: a program must not be able to truncate it, which would remove pages that
 * vigil has mapped.
 */
#include "common/compat.h"
#include "session/measure/area.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "agent/transaction-area.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int area_init(struct area *area, bool paused, bool online, struct error *err)
{
	size_t size = sizeof(struct transaction_area) +
		      TRANSACTION_AREA_SLOTS * sizeof(struct transaction_change);
	struct transaction_area head = { .magic = TRANSACTION_AREA_MAGIC,
					 .slots = TRANSACTION_AREA_SLOTS,
					 .collecting = paused ? TRANSACTION_COLLECTING_PAUSED
							      : TRANSACTION_COLLECTING_ACTIVE,
					 .starts = paused ? 0 : 1,
					 .online = online ? TRANSACTION_ONLINE
							  : TRANSACTION_ONLINE_NOT };
	char path[PROCFS_PATH_SIZE];

	area->path = NULL;
	area->fd = memfd_create("vigil-transactions", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (area->fd < 0)
		return error_errno(err, "cannot create the transaction area");
	/*
	 * The head is written before the size is set: a reader that finds the full size
	 * finds the head in it.
	 */
	if (pwrite(area->fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
	    ftruncate(area->fd, (off_t)size) < 0 ||
	    fcntl(area->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		error_errno(err, "cannot create the transaction area");
		area_release(area);
		return -1;
	}
	area->path = xstrdup(procfs_descriptor(path, getpid(), "fd", area->fd));
	return 0;
}

/*
 * Writes one word of the area. Errors are ignored: a reader gives up after a while
 * if the word is missing.
 */
static void put_word(const struct area *area, size_t offset, uint64_t word)
{
	if (area->fd >= 0 && pwrite(area->fd, &word, sizeof(word), (off_t)offset) < 0)
		return;
}

void area_end_online(const struct area *area)
{
	put_word(area, offsetof(struct transaction_area, online), TRANSACTION_ONLINE_ENDED);
}

uint64_t area_last_request(const struct area *area)
{
	uint64_t asked;

	if (area->fd < 0 ||
	    pread(area->fd, &asked, sizeof(asked), offsetof(struct transaction_area, asked)) !=
		    (ssize_t)sizeof(asked))
		return 0;
	return asked & UINT32_MAX;
}

void area_send_answer(const struct area *area, uint64_t number, int fd)
{
	put_word(area, offsetof(struct transaction_area, answered),
		 number << 32 | (uint64_t)(fd + 1));
}

void area_release(struct area *area)
{
	if (area->fd >= 0)
		close(area->fd);
	free(area->path);
	area->fd = -1;
	area->path = NULL;
}
