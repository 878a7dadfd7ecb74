/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how long files were waited for. */
#include "common/compat.h"
#include "sampler/file-busy.h"
#include "common/xalloc.h"

void file_busy_init(struct file_busy *busy, struct step_clock *clock, struct files *files)
{
	*busy = (struct file_busy){ .clock = clock, .files = files };
}

void file_busy_release(struct file_busy *busy)
{
	free(busy->items);
	*busy = (struct file_busy){ 0 };
}

/* Returns the entry of a file; makes it if it is new. */
static struct busy_file *entry(struct file_busy *busy, uint64_t file)
{
	size_t count = busy->count;

	if (file >= count) {
		GROW(busy->items, (size_t)file + 1, busy->alloc);
		memset(&busy->items[count], 0, ((size_t)file + 1 - count) * sizeof(*busy->items));
		busy->count = (size_t)file + 1;
	}
	return &busy->items[file];
}

/* The first task waits for a file, since a time that may be in the past. */
static void begin_busy(struct file_busy *busy, struct busy_file *file, uint64_t since)
{
	file->since = since < file->ended ? file->ended : since;
	file->alone = busy->clock->file_alone;
}

/* The first task waits for the file itself. */
static void begin_file(struct file_busy *busy, struct busy_file *file, uint64_t since,
		       uint64_t idle)
{
	struct step_clock *clock = busy->clock;

	/* Time before it was known counts as if no other file was waited for. */
	if (clock->files == 0 && file->tasks == 1 && file->since == since)
		file->alone -= clock->idle - idle;
	step_clock_begin_file(clock);
}

void file_busy_begin(struct file_busy *busy, const struct wait_site *site, uint64_t since,
		     uint64_t idle)
{
	struct busy_file *file = entry(busy, site->file);

	if (file->tasks++ == 0)
		begin_busy(busy, file, since);
	if (!wait_site_is_file(site))
		return;
	if (file->file_tasks++ == 0)
		begin_file(busy, file, since, idle);
	step_clock_begin_file_wait(busy->clock);
}

/* Adds the busy time so far to a file. */
static void add_busy_time(struct file_busy *busy, uint64_t number)
{
	const struct step_clock *clock = busy->clock;
	struct busy_file *file = entry(busy, number);
	struct files_wait wait = {
		.busy = clock->active - file->since,
		.busy_solo = clock->file_alone - file->alone,
	};

	files_add_wait(busy->files, number, &wait);
	file->since = clock->active;
	file->alone = clock->file_alone;
}

void file_busy_end(struct file_busy *busy, const struct wait_site *site)
{
	struct busy_file *file = entry(busy, site->file);

	assert(file->tasks > 0);
	if (--file->tasks == 0) {
		add_busy_time(busy, site->file);
		file->ended = busy->clock->active;
	}
	if (!wait_site_is_file(site))
		return;
	step_clock_end_file_wait(busy->clock);
	assert(file->file_tasks > 0);
	if (--file->file_tasks == 0)
		step_clock_end_file(busy->clock);
}

void file_busy_account(struct file_busy *busy)
{
	for (size_t file = 1; file < busy->count; file++)
		if (busy->items[file].tasks)
			add_busy_time(busy, file);
}
