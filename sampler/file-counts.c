/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what the programs of the step count for their files. */
#include "common/compat.h"
#include "sampler/file-counts.h"
#include "common/outside.h"
#include "common/xalloc.h"
#include "agent/file-area.h"
#include "sampler/files.h"

/*
 * Maximum bytes that the kernel and the dynamic linker read to start a program,
 * and the C library for itself.
 */
#define BEGINNING 65536

struct file_counts {
	const struct file_area *area;
	struct file_sums *reported; /* sums passed on, by slot */
	struct file_sums *sums; /* current sums */
	/* Values at the beginning of the session. */
	uint64_t others;	/* bytes of files that are not regular or have no slot */
	uint64_t unnamed, skipped, processes;
	uint64_t counted; /* bytes of slots since the session began */
};

/* Adds up the sums of all lanes of each slot, and of the slots themselves. */
static void add_up(struct file_counts *counts, uint64_t *others, uint64_t *unnamed);

static uint64_t load(const uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static size_t used(const uint64_t *value, size_t most)
{
	uint64_t count = __atomic_load_n(value, __ATOMIC_ACQUIRE);

	return count < most ? (size_t)count : most;
}

/* Makes what the programs have written by now readable, except for the processes. */
static void refresh_counts(const struct file_area *area)
{
	outside_refresh(&area->processes, sizeof(area->processes));
	outside_refresh(&area->skipped, sizeof(area->skipped));
	outside_refresh(&area->rest, sizeof(area->rest));
	outside_refresh(&area->slots_used, sizeof(area->slots_used));
	outside_refresh(&area->lanes_used, sizeof(area->lanes_used));
	outside_refresh(area->slots, used(&area->slots_used, FILE_AREA_SLOTS) * sizeof(*area->slots));
	outside_refresh(area->lanes, used(&area->lanes_used, FILE_AREA_LANES) * sizeof(*area->lanes));
}

struct file_counts *file_counts_new(const char *path)
{
	const struct file_area *area;
	struct file_counts *counts;
	size_t size;

	area = outside_share(path, &size);
	RETURN_IF(!area, NULL);
	if (size != sizeof(*area)) {
		outside_unshare(area, size);
		return NULL;
	}
	counts = xcalloc(1, sizeof(*counts));
	counts->area = area;
	refresh_counts(area);
	counts->reported = xcalloc(FILE_AREA_SLOTS, sizeof(*counts->reported));
	counts->sums = xcalloc(FILE_AREA_SLOTS, sizeof(*counts->sums));
	add_up(counts, &counts->others, &counts->unnamed);
	memcpy(counts->reported, counts->sums, FILE_AREA_SLOTS * sizeof(*counts->reported));
	counts->skipped = load(&counts->area->skipped);
	counts->processes = load(&counts->area->processes);
	return counts;
}

void file_counts_free(struct file_counts *counts)
{
	if (!counts)
		return;
	outside_unshare(counts->area, sizeof(*counts->area));
	free(counts->reported);
	free(counts->sums);
	free(counts);
}

bool file_counts_active(const struct file_counts *counts)
{
	RETURN_IF(!counts, false);
	outside_refresh(&counts->area->processes, sizeof(counts->area->processes));
	return load(&counts->area->processes) > 0;
}

bool file_counts_has(const struct file_counts *counts, pid_t pid, uint64_t execs)
{
	unsigned char begun = 0;
	uint64_t programs;

	if (pid > 0 && pid < FILE_AREA_PIDS) {
		outside_refresh(&counts->area->pids[pid], 1);
		begun = counts->area->pids[pid];
	}
	programs = begun & FILE_PID_PROGRAMS;
	if (execs == 0)
		return begun != 0;
	return programs >= (execs < FILE_PID_PROGRAMS ? execs : FILE_PID_PROGRAMS);
}

static void add(struct file_sums *sum, const struct file_sums *more)
{
	for (unsigned way = 0; way < 2; way++) {
		sum->bytes[way] += load(&more->bytes[way]);
		sum->calls[way] += load(&more->calls[way]);
	}
}

static void add_up(struct file_counts *counts, uint64_t *others, uint64_t *unnamed)
{
	const struct file_area *area = counts->area;
	size_t slots = used(&area->slots_used, FILE_AREA_SLOTS);
	size_t lanes = used(&area->lanes_used, FILE_AREA_LANES);

	*others = 0;
	*unnamed = load(&area->rest.bytes[0]) + load(&area->rest.bytes[1]);
	memset(counts->sums, 0, slots * sizeof(*counts->sums));
	for (size_t i = 0; i < slots; i++)
		add(&counts->sums[i], &area->slots[i].sums);
	for (size_t i = 0; i < lanes; i++) {
		const struct file_lane *lane = &area->lanes[i];
		uint32_t slot = __atomic_load_n(&lane->slot, __ATOMIC_ACQUIRE);

		if (slot && slot <= slots)
			add(&counts->sums[slot - 1], &lane->sums);
		else if (slot == FILE_LANE_UNNAMED)
			*unnamed += load(&lane->sums.bytes[0]) + load(&lane->sums.bytes[1]);
		else
			*others += load(&lane->sums.bytes[0]) + load(&lane->sums.bytes[1]);
	}
}

/* Passes on the sums of one slot since the last call; returns the bytes. */
static uint64_t take_slot(struct file_counts *counts, struct files *files, size_t at)
{
	const struct file_slot *slot = &counts->area->slots[at];
	const struct file_sums *now = &counts->sums[at], *reported = &counts->reported[at];
	uint32_t doubts = __atomic_load_n(&slot->doubts, __ATOMIC_RELAXED);
	struct files_counted seen = {
		.device_major = slot->device_major,
		.device_minor = slot->device_minor,
		.inode = slot->inode,
		.birth = slot->birth,
		.size = slot->size,
		.block = slot->block,
		.mode = slot->mode,
		.opens = load(&slot->opens),
		.doubtful = (doubts & ~(uint32_t)FILE_STREAMED) != 0,
		.streamed = (doubts & FILE_STREAMED) != 0,
		.pending = __atomic_load_n(&slot->streams, __ATOMIC_RELAXED) != 0,
		.bytes = now->bytes[0] - reported->bytes[0] + now->bytes[1] - reported->bytes[1],
		.calls = now->calls[0] - reported->calls[0] + now->calls[1] - reported->calls[1],
	};

	snprintf(seen.path, sizeof(seen.path), "%.*s", FILE_AREA_PATH - 1, slot->path);
	files_count(files, &seen);
	return seen.bytes;
}

void file_counts_take(struct file_counts *counts, struct files *files, uint64_t moved)
{
	uint64_t others, unnamed, known, begun;
	struct files_bound bound = { 0 };

	if (!file_counts_active(counts)) {
		files_judge(files, &(struct files_bound){ .moved = moved });
		return;
	}
	refresh_counts(counts->area);
	add_up(counts, &others, &unnamed);
	for (size_t i = 0; i < used(&counts->area->slots_used, FILE_AREA_SLOTS); i++)
		if (__atomic_load_n(&counts->area->slots[i].state, __ATOMIC_ACQUIRE) ==
		    FILE_SLOT_READY)
			counts->counted += take_slot(counts, files, i);
	memcpy(counts->reported, counts->sums, FILE_AREA_SLOTS * sizeof(*counts->reported));
	known = counts->counted + others - counts->others;
	begun = load(&counts->area->processes) - counts->processes + 1;
	bound.counted = true;
	bound.moved = moved;
	if (moved > known + begun * BEGINNING)
		bound.unknown = moved - known - begun * BEGINNING;
	if (unnamed - counts->unnamed > bound.unknown)
		bound.unknown = unnamed - counts->unnamed;
	bound.unbounded = load(&counts->area->skipped) != counts->skipped && moved == 0;
	files_judge(files, &bound);
}
