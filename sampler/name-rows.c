/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of objects, of named places, and at the end of the session of what the addresses mean. */
#include "common/compat.h"
#include "sampler/name-rows.h"
#include "common/xalloc.h"
#include "sampler/named-places.h"
#include "sampler/stacks.h"
#include "program/names/names.h"

enum object_use { USE_NONE, USE_NEW, USE_TOLD };

void name_rows_init(struct name_rows *rows, const struct name_rows_parts *parts)
{
	*rows = (struct name_rows){ .parts = *parts };
}

void name_rows_release(struct name_rows *rows)
{
	free(rows->used);
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

/* Rows of all addresses in objects. */
static void address_rows(struct name_rows *rows, struct engine *engine, struct recordset *set)
{
	const struct stacks *stacks = rows->parts.stacks;
	struct name levels[NAMES_MAX_INLINE];
	uint32_t *order = xcalloc(stacks->frame_count + 1, sizeof(*order));

	for (uint32_t i = 0; i < stacks->frame_count; i++)
		order[i] = i;
	if (stacks->frame_count)
		qsort_r(order, stacks->frame_count, sizeof(*order), by_place, stacks->frames);
	for (size_t i = 0; i < stacks->frame_count; i++) {
		const struct stacks_frame *frame = &stacks->frames[order[i]];
		struct object *object = object_get(rows->parts.objects, frame->object);
		size_t count;

		/* Offset 0 stands for the whole object, not for an address. */
		if (frame->offset == 0)
			continue;
		count = names_resolve(rows->parts.names, object, frame->offset, frame->pid, levels);
		add_names(engine, set, order[i] + 1, levels, count);
	}
	free(order);
}

void name_rows_names(struct name_rows *rows, struct engine *engine, bool last,
		     struct recordset *set)
{
	place_rows(rows, engine, set);
	if (last)
		address_rows(rows, engine, set);
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
