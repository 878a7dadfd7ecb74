/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the progress of a session on a terminal. */
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

/* Appends "12 s" or "2 min 03 s". */
static void add_seconds(struct strbuf *line, uint64_t seconds)
{
	if (seconds >= 60)
		strbuf_addf(line, "%" PRIu64 " min %02" PRIu64 " s", seconds / 60, seconds % 60);
	else
		strbuf_addf(line, "%" PRIu64 " s", seconds);
}

void progress_show(struct progress *progress, const struct sampler_counts *counts)
{
	struct strbuf line = STRBUF_INIT;
	uint64_t now;

	if (!progress->wanted)
		return;
	now = clock_monotonic_ns();
	if (now - progress->last < NSEC_PER_SEC / 2)
		return;
	progress->last = now;
	strbuf_addstr(&line, "\rvigil: ");
	add_seconds(&line, (now - progress->start) / NSEC_PER_SEC);
	strbuf_addf(&line, ", CPU %.1f s, %" PRIu64 " samples", (double)counts->cpu_exact / 1e9,
		    counts->processed);
	if (counts->lost)
		strbuf_addf(&line, ", %" PRIu64 " lost", counts->lost);
	strbuf_addstr(&line, "\033[K");
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
