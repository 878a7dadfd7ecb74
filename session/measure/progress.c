/* SPDX-License-Identifier: Apache-2.0 */
/* Shows on a terminal how a session goes. */
#include "common/compat.h"
#include "session/measure/progress.h"
#include "common/clock.h"

#include <unistd.h>

void progress_init(struct progress *progress, bool wanted)
{
	memset(progress, 0, sizeof(*progress));
	progress->wanted = wanted && isatty(STDERR_FILENO);
	progress->start = clock_monotonic_ns();
}

void progress_show(struct progress *progress, const struct sampler_counts *counts, uint64_t bytes)
{
	uint64_t now = clock_monotonic_ns();
	struct strbuf line = STRBUF_INIT;

	if (!progress->wanted || now - progress->last < NSEC_PER_SEC / 2)
		return;
	progress->last = now;
	strbuf_addstr(&line, "\rvigil: ");
	clock_format_duration(&line, now - progress->start);
	strbuf_addf(&line, "  %" PRIu64 " samples, %" PRIu64 " lost, %" PRIu64 " KB\033[K",
		    counts->processed, counts->lost, bytes / 1024);
	fputs(line.text, stderr);
	fflush(stderr);
	progress->shown = true;
	strbuf_release(&line);
}

void progress_clear(struct progress *progress)
{
	if (!progress->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->shown = false;
}
