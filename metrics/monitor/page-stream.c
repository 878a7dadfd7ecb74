/* SPDX-License-Identifier: Apache-2.0 */
/* Reads pages with zlib, compressed or not. */
#include "common/compat.h"
#include "metrics/monitor/page-stream.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

struct pages {
	gzFile file;
	char *path;
	bool ended;
};

struct pages *pages_open(const char *path, struct error *err)
{
	int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
					: open(path, O_RDONLY | O_CLOEXEC);
	struct pages *pages;
	gzFile file;

	if (fd < 0) {
		error_errno(err, "cannot open %s", path);
		return NULL;
	}
	file = gzdopen(fd, "rb");
	if (!file) {
		close(fd);
		error_set(err, "cannot read %s", path);
		return NULL;
	}
	pages = xcalloc(1, sizeof(*pages));
	pages->file = file;
	pages->path = xstrdup(path);
	return pages;
}

void pages_close(struct pages *pages)
{
	if (!pages)
		return;
	gzclose_r(pages->file);
	free(pages->path);
	free(pages);
}

int pages_read(struct pages *pages, unsigned char page[MONITOR_PAGE], struct error *err)
{
	unsigned got = 0;

	while (got < MONITOR_PAGE && !pages->ended) {
		int more = gzread(pages->file, page + got, MONITOR_PAGE - got), code;

		if (more < 0) {
			const char *why = gzerror(pages->file, &code);

			/* The data before the truncation of a compressed file are still good. */
			pages->ended = true;
			if (code == Z_BUF_ERROR || code == Z_DATA_ERROR)
				break;
			if (code == Z_ERRNO)
				return error_errno(err, "cannot read %s", pages->path);
			return error_set(err, "cannot read %s: %s", pages->path, why);
		}
		pages->ended = more == 0;
		got += (unsigned)more;
	}
	return (int)got;
}
