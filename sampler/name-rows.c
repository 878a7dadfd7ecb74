/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of objects, of named places, and of what the addresses mean. */
#include "common/compat.h"
#include "sampler/name-rows.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "sampler/named-places.h"
#include "sampler/stacks.h"
#include "program/names/names.h"

#include <sys/stat.h>
#include <time.h>

/* The part of the session's time that names may cost before its end, one in so many. */
#define EARLY_PART 100
/* A larger file may take long to read; nobody serves the kernel's rings meanwhile. */
#define EARLY_BYTES (8 << 20)

/* What is known of a frame here. */
struct name_rows_frame {
	uint32_t heat; /* samples that it was in, as leaf or as caller */
	bool named;    /* its rows are made */
};

enum object_use { USE_NONE, USE_NEW, USE_TOLD };

void name_rows_init(struct name_rows *rows, const struct name_rows_parts *parts)
{
	*rows = (struct name_rows){ .parts = *parts };
}

void name_rows_release(struct name_rows *rows)
{
	free(rows->used);
	free(rows->frames);
}

/* Frames in the order in which names are looked up best. */
static int by_place(const void *one, const void *other, void *argument)
{
	const struct stacks_frame *frames = argument;
	const struct stacks_frame *first = &frames[*(const uint32_t *)one];
	const struct stacks_frame *second = &frames[*(const uint32_t *)other];

	if (first->object != second->object)
		return first->object < second->object ? -1 : 1;
	return (first->offset > second->offset) - (first->offset < second->offset);
}

/* The rows of one frame. */
static void add_names(struct engine *engine, struct recordset *set, uint64_t frame,
		      const struct name *levels, size_t count)
{
	for (size_t depth = 0; depth < count; depth++) {
		const struct name *name = &levels[depth];
		struct record_name row = {
			.frame = frame,
			.depth = depth,
			.section = engine_string(engine, name->section),
			.procedure = engine_string(engine, name->procedure),
			.start = name->start,
			.size = name->size,
			.line = name->line,
			.file = engine_string(engine, name->file),
			.language = engine_string(engine, name->language),
			.text = engine_string(engine, name->text),
		};

		recordset_add(set, &row);
	}
}

/* Rows of places that are new: what a data collector said is kept even if the session is cut off,
   and a script may be gone at its end. */
static void place_rows(struct name_rows *rows, struct engine *engine, struct recordset *set)
{
	const struct stacks *stacks = rows->parts.stacks;
	struct name levels[NAMES_MAX_INLINE];

	for (; rows->places_told < stacks->frame_count; rows->places_told++) {
		const struct stacks_frame *frame = &stacks->frames[rows->places_told];
		size_t count = named_places_resolve(rows->parts.named_places, rows->parts.names,
						    frame->object, frame->offset, levels);

		add_names(engine, set, rows->places_told + 1, levels, count);
	}
}

/* The rows of one frame that has none yet. */
static void name_frame(struct name_rows *rows, struct engine *engine, uint32_t index,
		       struct recordset *set)
{
	const struct stacks_frame *frame = &rows->parts.stacks->frames[index];
	struct object *object = object_get(rows->parts.objects, frame->object);
	struct name levels[NAMES_MAX_INLINE];
	size_t count = names_resolve(rows->parts.names, object, frame->offset, frame->pid, levels);

	add_names(engine, set, index + 1, levels, count);
	rows->frames[index].named = true;
}

/* Rows of all addresses in objects that have none yet. */
static void address_rows(struct name_rows *rows, struct engine *engine, struct recordset *set)
{
	const struct stacks *stacks = rows->parts.stacks;
	uint32_t *order = xcalloc(stacks->frame_count + 1, sizeof(*order));

	for (uint32_t i = 0; i < stacks->frame_count; i++)
		order[i] = i;
	if (stacks->frame_count)
		qsort_r(order, stacks->frame_count, sizeof(*order), by_place, stacks->frames);
	/* Offset 0 stands for the whole object, not for an address. */
	for (size_t i = 0; i < stacks->frame_count; i++)
		if (stacks->frames[order[i]].offset && !rows->frames[order[i]].named)
			name_frame(rows, engine, order[i], set);
	free(order);
}

/* Have room for all frames. */
static void grow_frames(struct name_rows *rows)
{
	size_t count = rows->parts.stacks->frame_count;

	if (count <= rows->frame_count)
		return;
	GROW(rows->frames, count, rows->frame_alloc);
	memset(&rows->frames[rows->frame_count], 0,
	       (count - rows->frame_count) * sizeof(*rows->frames));
	rows->frame_count = count;
}

/* Count each frame of the samples' stacks. */
static void count_heat(struct name_rows *rows, const struct recordset *samples)
{
	const struct stacks *stacks = rows->parts.stacks;

	for (size_t i = 0; i < samples->count; i++) {
		const struct record_sample *sample = recordset_get(samples, i);

		for (uint32_t at = (uint32_t)sample->stack; at; at = stacks->nodes[at - 1].parent)
			rows->frames[stacks->nodes[at - 1].frame - 1].heat++;
	}
}

/* Whether a file is the system's: reports put it under .SYSTEM, and its debug file may be large. */
static bool is_of_system(const char *path)
{
	static const char *const folders[] = { "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/" };

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return true;
	return false;
}

/* Whether a frame may be named before the end: its file is the step's own, and read quickly. */
static bool is_early(const struct name_rows *rows, const struct stacks_frame *frame)
{
	const struct object *object = object_get(rows->parts.objects, frame->object);
	struct stat facts;

	if (object->kind != OBJECT_FILE || is_of_system(object->path))
		return false;
	if (object->image)
		return object->image_size <= EARLY_BYTES;
	return (object->fd >= 0 ? fstat(object->fd, &facts) : stat(object->path, &facts)) == 0 &&
	       facts.st_size <= EARLY_BYTES;
}

/* Frames with most samples first. */
static int by_heat(const void *one, const void *other, void *argument)
{
	const struct name_rows_frame *frames = argument;
	uint32_t first = frames[*(const uint32_t *)one].heat;
	uint32_t second = frames[*(const uint32_t *)other].heat;

	return (first < second) - (first > second);
}

/* CPU time of this thread, ns. */
static uint64_t thread_cpu(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

/* Rows of the frames that samples meet most, while that costs little. */
static void early_rows(struct name_rows *rows, struct engine *engine, struct recordset *set)
{
	const struct stacks *stacks = rows->parts.stacks;
	uint64_t budget = (clock_monotonic_ns() - rows->begun) / EARLY_PART;
	uint64_t start = thread_cpu() - rows->spent;
	uint32_t *order;
	size_t count = 0;

	if (rows->spent > budget)
		return;
	order = xcalloc(stacks->frame_count + 1, sizeof(*order));
	for (uint32_t i = 0; i < stacks->frame_count; i++)
		if (rows->frames[i].heat && !rows->frames[i].named && stacks->frames[i].offset)
			order[count++] = i;
	if (count)
		qsort_r(order, count, sizeof(*order), by_heat, rows->frames);
	for (size_t i = 0; i < count && thread_cpu() - start <= budget; i++)
		if (is_early(rows, &stacks->frames[order[i]]))
			name_frame(rows, engine, order[i], set);
	free(order);
	rows->spent = thread_cpu() - start;
}

void name_rows_names(struct name_rows *rows, struct engine *engine, const struct snapshot *snapshot,
		     struct recordset *set)
{
	if (!rows->begun)
		rows->begun = clock_monotonic_ns();
	place_rows(rows, engine, set);
	grow_frames(rows);
	if (snapshot->last) {
		address_rows(rows, engine, set);
		return;
	}
	count_heat(rows, snapshot_records(snapshot, RECORD_SAMPLE));
	early_rows(rows, engine, set);
}

/* Mark the objects that frames seen since the last call lie in. */
static void mark_used(struct name_rows *rows)
{
	size_t count = rows->used_count;

	if (rows->parts.objects->count > count) {
		GROW(rows->used, rows->parts.objects->count, rows->used_alloc);
		memset(&rows->used[count], 0,
		       (rows->parts.objects->count - count) * sizeof(*rows->used));
		rows->used_count = rows->parts.objects->count;
	}
	for (; rows->frames_marked < rows->parts.stacks->frame_count; rows->frames_marked++) {
		uint32_t object = rows->parts.stacks->frames[rows->frames_marked].object;

		if (rows->used[object - 1] == USE_NONE)
			rows->used[object - 1] = USE_NEW;
	}
}

/* The row of one object. */
static void object_row(struct engine *engine, struct object *object, struct recordset *set)
{
	struct strbuf build_id = STRBUF_INIT;
	struct record_object row = {
		.object = object->id,
		.kind = object->kind,
		.path = engine_string(engine, object->path),
	};

	/* The others have no file that could have one. */
	if (object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO)
		object_build_id(object, &build_id);
	row.build_id = engine_string(engine, build_id.text);
	row.note = engine_string(engine, object->note ? object->note : "");
	strbuf_release(&build_id);
	recordset_add(set, &row);
}

void name_rows_objects(struct name_rows *rows, struct engine *engine, bool last,
		       struct recordset *set)
{
	mark_used(rows);
	for (size_t i = 0; i < rows->used_count; i++) {
		struct object *object = rows->parts.objects->items[i];

		/* At the end once more where names were found missing. */
		if (rows->used[i] == USE_NEW || (last && rows->used[i] == USE_TOLD && object->note))
			object_row(engine, object, set);
		if (rows->used[i] == USE_NEW)
			rows->used[i] = USE_TOLD;
	}
}
