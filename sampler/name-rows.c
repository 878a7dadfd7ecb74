/* SPDX-License-Identifier: Apache-2.0 */
/* Makes rows of objects, of named places, and of the names of addresses. */
#include "common/compat.h"
#include "sampler/name-rows.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "sampler/named-places.h"
#include "sampler/namer.h"
#include "sampler/stacks.h"
#include "program/names/names.h"

/* State of a frame. */
struct name_rows_frame {
	uint32_t sample_count; /* number of samples that contain it, as leaf or as caller */
	bool given;    /* the namer was offered it */
	bool named;    /* its rows are made */
};

/* A named frame: its number, and the position of its levels. */
struct name_rows_finished {
	uint32_t index;
	size_t level, count;
};

/* Number of names whose rows are made at once, or the time after which they are. */
#define WRITE_MANY 128
#define WRITE_AFTER NSEC_PER_SEC

enum object_use { USE_NONE, USE_NEW, USE_WRITTEN };

void name_rows_init(struct name_rows *rows, const struct name_rows_parts *parts)
{
	*rows = (struct name_rows){ .parts = *parts, .namer = namer_new(parts->cache, parts->anew) };
}

void name_rows_release(struct name_rows *rows)
{
	namer_free(rows->namer);
	free(rows->used);
	free(rows->frames);
	free(rows->finished);
	free(rows->levels);
}

void name_rows_add(struct strmap *strings, struct recordset *set, uint64_t frame,
		   const struct name *levels, size_t count)
{
	for (size_t depth = 0; depth < count; depth++) {
		const struct name *name = &levels[depth];
		struct record_name row = {
			.frame = frame,
			.depth = depth,
			.section = strmap_put(strings, name->section),
			.procedure = strmap_put(strings, name->procedure),
			.start = name->start,
			.size = name->size,
			.line = name->line,
			.file = strmap_put(strings, name->file),
			.language = strmap_put(strings, name->language),
			.text = strmap_put(strings, name->text),
		};

		recordset_add(set, &row);
	}
}

/*
 * Adds rows of new places at once: so what a data collector said is kept even if
 * the session is aborted, and a script may be gone at its end.
 */
static void place_rows(struct name_rows *rows, struct engine *engine, struct recordset *set)
{
	const struct stacks *stacks = rows->parts.stacks;
	struct name levels[NAMES_MAX_INLINE];

	for (; rows->places_written < stacks->frame_count; rows->places_written++) {
		const struct stacks_frame *frame = &stacks->frames[rows->places_written];
		size_t count = named_places_resolve(rows->parts.named_places, rows->parts.names,
						    frame->object, frame->offset, levels);

		name_rows_add(engine_strings(engine), set, rows->places_written + 1, levels, count);
	}
}

uint64_t name_rows_cpu(const struct name_rows *rows)
{
	return namer_cpu(rows->namer);
}

/* Returns the namer's view of a frame. */
static struct namer_frame namer_frame_of(const struct name_rows *rows, uint32_t index)
{
	const struct stacks_frame *frame = &rows->parts.stacks->frames[index];

	return (struct namer_frame){
		.index = index,
		.object = object_get(rows->parts.objects, frame->object),
		.offset = frame->offset,
		.pid = frame->pid,
	};
}

/* Looks up one frame that has no rows yet, and adds its rows. */
static void name_frame(struct name_rows *rows, struct engine *engine, uint32_t index,
		       struct recordset *set)
{
	struct namer_frame frame = namer_frame_of(rows, index);
	struct name levels[NAMES_MAX_INLINE];
	size_t count = namer_resolve(rows->namer, &frame, levels);

	name_rows_add(engine_strings(engine), set, index + 1, levels, count);
	rows->frames[index].named = true;
}

/* Adds rows of all addresses in objects that have none yet. */
static void address_rows(struct name_rows *rows, struct engine *engine, struct recordset *set)
{
	const struct stacks *stacks = rows->parts.stacks;
	uint32_t *order = xcalloc(stacks->frame_count + 1, sizeof(*order));

	for (uint32_t i = 0; i < stacks->frame_count; i++)
		order[i] = i;
	if (stacks->frame_count)
		qsort_r(order, stacks->frame_count, sizeof(*order), stacks_by_place, stacks->frames);
	/* Offset 0 stands for the whole object, not for an address. */
	for (size_t i = 0; i < stacks->frame_count; i++)
		if (stacks->frames[order[i]].offset && !rows->frames[order[i]].named)
			name_frame(rows, engine, order[i], set);
	free(order);
}

/* Makes space for all frames. */
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

/* Counts a sample for each frame of a stack, and of the native one that it stands for. */
static void heat_stack(struct name_rows *rows, uint32_t stack)
{
	const struct stacks *stacks = rows->parts.stacks;
	uint32_t native = 0;

	for (uint32_t at = stack; at; at = stacks->nodes[at - 1].parent) {
		rows->frames[stacks->nodes[at - 1].frame - 1].sample_count++;
		native = native ? native : stacks->nodes[at - 1].native;
	}
	for (uint32_t at = native; at; at = stacks->nodes[at - 1].parent)
		rows->frames[stacks->nodes[at - 1].frame - 1].sample_count++;
}

/* Counts the samples for each frame of their stacks. */
static void count_heat(struct name_rows *rows, const struct recordset *samples)
{
	for (size_t i = 0; i < samples->count; i++) {
		const struct record_sample *sample = recordset_get(samples, i);

		heat_stack(rows, (uint32_t)sample->stack);
	}
}

/*
 * Returns whether a frame may be named before the end. The map of memory without a
 * file grows until then, and offset 0 stands for a whole object.
 */
static bool is_early(const struct name_rows *rows, const struct stacks_frame *frame)
{
	const struct object *object = object_get(rows->parts.objects, frame->object);

	return frame->offset && (object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO ||
				 object->kind == OBJECT_KERNEL);
}

/* Orders frames with most samples first. */
static int by_heat(const void *one, const void *other, void *argument)
{
	const struct name_rows_frame *frames = argument;
	uint32_t first = frames[*(const uint32_t *)one].sample_count;
	uint32_t second = frames[*(const uint32_t *)other].sample_count;

	return (first < second) - (first > second);
}

/* Takes the frames that were named meanwhile. */
static void take_finished(struct name_rows *rows)
{
	struct namer_result result;

	while (namer_take(rows->namer, &result)) {
		GROW(rows->finished, rows->finished_count + 1, rows->finished_alloc);
		rows->finished[rows->finished_count++] =
			(struct name_rows_finished){ result.index, rows->level_count,
						     result.count };
		GROW(rows->levels, rows->level_count + result.count, rows->level_alloc);
		if (result.count)
			memcpy(&rows->levels[rows->level_count], result.levels,
			       result.count * sizeof(*rows->levels));
		rows->level_count += result.count;
		object_set_note(result.object, result.note);
		rows->frames[result.index].named = true;
	}
}

/* As stacks_by_place. */
static int finished_by_place(const void *one, const void *other, void *argument)
{
	const struct name_rows_finished *first = one, *second = other;

	return stacks_by_place(&first->index, &second->index, argument);
}

/* Adds rows of the frames that were named meanwhile, in an order in which they compress well. */
static void finished_rows(struct name_rows *rows, struct engine *engine, uint64_t time,
			  struct recordset *set)
{
	rows->rows_at = time;
	if (!rows->finished_count)
		return;
	qsort_r(rows->finished, rows->finished_count, sizeof(*rows->finished), finished_by_place,
		rows->parts.stacks->frames);
	for (size_t i = 0; i < rows->finished_count; i++) {
		const struct name_rows_finished *one = &rows->finished[i];

		name_rows_add(engine_strings(engine), set, one->index + 1, &rows->levels[one->level], one->count);
	}
	rows->finished_count = 0;
	rows->level_count = 0;
}

/* Gives the frames with most samples to the namer. */
static void give_frames(struct name_rows *rows)
{
	const struct stacks *stacks = rows->parts.stacks;
	struct namer_frame batch[NAMER_BATCH];
	uint32_t *order;
	size_t count = 0, given;

	if (!namer_is_idle(rows->namer) || rows->given == stacks->frame_count)
		return;
	order = xcalloc(stacks->frame_count, sizeof(*order));
	for (uint32_t i = 0; i < stacks->frame_count; i++)
		if (!rows->frames[i].given && is_early(rows, &stacks->frames[i]))
			order[count++] = i;
	if (count)
		qsort_r(order, count, sizeof(*order), by_heat, rows->frames);
	else
		rows->given = (uint32_t)stacks->frame_count;
	if (count > NAMER_BATCH)
		count = NAMER_BATCH;
	for (size_t i = 0; i < count; i++)
		batch[i] = namer_frame_of(rows, order[i]);
	given = count ? namer_give(rows->namer, batch, count) : 0;
	/* One that it cannot accept is named at the end. */
	for (size_t i = 0; i < count && i <= given; i++)
		rows->frames[order[i]].given = true;
	free(order);
}

void name_rows_names(struct name_rows *rows, struct engine *engine, const struct snapshot *snapshot,
		     struct recordset *set)
{
	place_rows(rows, engine, set);
	grow_frames(rows);
	if (snapshot->last)
		namer_stop(rows->namer);
	take_finished(rows);
	if (!rows->rows_at)
		rows->rows_at = snapshot->time;
	if (snapshot->last || rows->finished_count >= WRITE_MANY ||
	    snapshot->time - rows->rows_at >= WRITE_AFTER)
		finished_rows(rows, engine, snapshot->time, set);
	if (snapshot->last) {
		address_rows(rows, engine, set);
		namer_save(rows->namer);
		return;
	}
	count_heat(rows, snapshot_records(snapshot, RECORD_SAMPLE));
	give_frames(rows);
}

/* Marks the objects of the frames seen since the last call. */
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

/* Adds the row of one object. */
static void object_row(struct engine *engine, struct object *object, struct recordset *set)
{
	struct strbuf build_id = STRBUF_INIT;
	struct record_object row = {
		.object = object->id,
		.kind = object->kind,
		.path = engine_string(engine, object->path),
	};

	/* The others have no file that could have a build id. */
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

		/* At the end once more if names were found to be missing. */
		if (rows->used[i] == USE_NEW || (last && rows->used[i] == USE_WRITTEN && object->note))
			object_row(engine, object, set);
		if (rows->used[i] == USE_NEW)
			rows->used[i] = USE_WRITTEN;
	}
}
