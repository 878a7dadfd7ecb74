/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the engine's snapshots and record sets to the form of the public headers. */
#include "common/compat.h"
#include "engine/modules/views.h"
#include "common/xalloc.h"

#define FLAGS_NAME "record_flags"
#define TIME_NAME "record_time"
#define PREFIX sizeof(struct vigil_prefix)
#define PREFIX_FIELDS 2

/* A record type in public form. */
struct type_view {
	struct vigil_record_type public;
	bool native;			  /* the records already begin with a prefix */
	const struct field *flags, *time; /* NULL: the type has none */
};

struct set_view {
	struct vigil_set public;
	const struct vigil_prefix **pointers;
	size_t alloc;
	unsigned char *arena; /* copies of the records with prefix, for a type without one */
	size_t arena_alloc;
	const unsigned char *seen_rows;
	uint64_t seen_stage;
	bool *marked;
	size_t marked_alloc;
	bool has_marks;
};

struct snapshot_view {
	struct vigil_snapshot public;
	const struct snapshot *inner;
	struct set_view **sets; /* by type id */
	size_t set_alloc;
	const struct vigil_set **list;
	size_t list_alloc;
};

bool views_has_prefix(const struct record_type *type)
{
	return type->field_count > PREFIX_FIELDS && strcmp(type->fields[0].name, FLAGS_NAME) == 0 &&
	       type->fields[0].offset == offsetof(struct vigil_prefix, flags) &&
	       type->fields[0].type == FIELD_U16 && strcmp(type->fields[1].name, TIME_NAME) == 0 &&
	       type->fields[1].offset == offsetof(struct vigil_prefix, time) &&
	       type->fields[1].type == FIELD_UNSIGNED;
}

/* Makes a field from a module's description. */
static int make_field(const struct vigil_record_type *from, uint32_t number, struct field *field,
		      struct error *err)
{
	struct vigil_field given = { 0 };
	size_t size = from->field_size < sizeof(given) ? from->field_size : sizeof(given);

	memcpy(&given, (const char *)from->fields + (size_t)number * from->field_size, size);
	if (!given.name || given.type > VIGIL_DOUBLE || given.offset < PREFIX)
		return error_set(err, "the description of field %u of record type %s is wrong",
				 number + 1, from->name);
	*field = (struct field){ given.name,
				 (enum field_type)given.type,
				 given.unit,
				 (enum field_sense)given.sense,
				 given.flags & VIGIL_FIELD_OPTIONAL,
				 given.offset,
				 given.meaning };
	return 0;
}

int views_make_type(const struct vigil_record_type *from, struct record_type *type,
		    struct error *err)
{
	struct field *fields;

	if (!from->name || !from->fields || !from->field_count ||
	    from->field_count > RECORD_FIELDS_MAX - PREFIX_FIELDS ||
	    from->field_size < offsetof(struct vigil_field, unit) || from->size <= PREFIX)
		return error_set(err, "the description of record type %s is wrong",
				 from->name ? from->name : "(without a name)");
	fields = xcalloc(from->field_count + PREFIX_FIELDS, sizeof(*fields));
	fields[0] = (struct field){ .name = FLAGS_NAME,
				    .type = FIELD_U16,
				    .unit = "enum",
				    .offset = offsetof(struct vigil_prefix, flags),
				    .meaning = "the state of the record" };
	fields[1] = (struct field){ .name = TIME_NAME,
				    .type = FIELD_UNSIGNED,
				    .unit = "ns",
				    .offset = offsetof(struct vigil_prefix, time),
				    .meaning = "when the record was made, since 1970 UTC" };
	for (uint32_t i = 0; i < from->field_count; i++)
		if (make_field(from, i, &fields[i + PREFIX_FIELDS], err) < 0) {
			free(fields);
			return -1;
		}
	*type = (struct record_type){ .name = from->name,
				      .fields = fields,
				      .field_count = from->field_count + PREFIX_FIELDS,
				      .size = from->size,
				      .meaning = from->meaning };
	return 0;
}

/*
 * Describes a type in public form: without the fields of the prefix, and without
 * blocks of bytes.
 */
static struct type_view *make_type_view(const struct record_type *type)
{
	struct type_view *view = xcalloc(1, sizeof(*view));
	struct vigil_field *fields = xcalloc(type->field_count, sizeof(*fields));
	uint32_t count = 0;

	view->native = views_has_prefix(type);
	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];

		if (strcmp(field->name, FLAGS_NAME) == 0 && field->type == FIELD_U16)
			view->flags = field;
		else if (strcmp(field->name, TIME_NAME) == 0 && field->type == FIELD_UNSIGNED)
			view->time = field;
		else if (field->type != FIELD_BYTES)
			fields[count++] = (struct vigil_field){
				.name = field->name,
				.type = field->type,
				.sense = field->sense,
				.flags = field->optional ? VIGIL_FIELD_OPTIONAL : 0,
				.offset = (uint32_t)(field->offset + (view->native ? 0 : PREFIX)),
				.unit = field->unit,
				.meaning = field->meaning,
			};
	}
	view->public = (struct vigil_record_type){
		.name = type->name,
		.meaning = type->meaning,
		.size = (uint32_t)(type->size + (view->native ? 0 : PREFIX)),
		.field_size = sizeof(struct vigil_field),
		.field_count = count,
		.fields = fields,
	};
	return view;
}

/* Returns the view of a type, creating it if necessary. */
static const struct type_view *type_view(struct vigil_engine *opened,
					 const struct record_type *type)
{
	if (type->id >= opened->type_view_count) {
		size_t count = type->id + 16;

		opened->type_views =
			xreallocarray(opened->type_views, count, sizeof(*opened->type_views));
		memset(opened->type_views + opened->type_view_count, 0,
		       (count - opened->type_view_count) * sizeof(*opened->type_views));
		opened->type_view_count = count;
	}
	if (!opened->type_views[type->id])
		opened->type_views[type->id] = make_type_view(type);
	return opened->type_views[type->id];
}

/* Points to the records of a type with prefix; completes the prefix of one that was read. */
static void point_to_rows(struct set_view *view, const struct recordset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct vigil_prefix *prefix =
			(struct vigil_prefix *)(set->rows + i * set->type->size);

		prefix->size = view->public.type->size;
		prefix->id = (uint16_t)view->public.id;
		view->pointers[i] = prefix;
	}
}

/* Copies the records of a type without prefix, each after a prefix. */
static void copy_rows(struct set_view *view, const struct type_view *type,
		      const struct recordset *set, uint64_t wall)
{
	size_t inner = set->type->size, size = type->public.size;

	GROW(view->arena, set->count * size, view->arena_alloc);
	for (size_t i = 0; i < set->count; i++) {
		const unsigned char *row = set->rows + i * inner;
		struct vigil_prefix *prefix = (struct vigil_prefix *)(view->arena + i * size);

		*prefix =
			(struct vigil_prefix){ (uint32_t)size, (uint16_t)view->public.id, 0, wall };
		if (type->flags)
			memcpy(&prefix->flags, row + type->flags->offset, sizeof(prefix->flags));
		if (type->time)
			memcpy(&prefix->time, row + type->time->offset, sizeof(prefix->time));
		memcpy(prefix + 1, row, inner);
		view->pointers[i] = prefix;
	}
}

/* Updates the view of a set. */
static void refresh_set(struct vigil_engine *opened, struct set_view *view,
			const struct recordset *set, uint64_t wall)
{
	const struct type_view *type = type_view(opened, set->type);

	if (view->public.count == set->count && view->seen_rows == set->rows &&
	    view->seen_stage == opened->stage)
		return;
	view->public.size = sizeof(view->public);
	view->public.id = set->type->id;
	view->public.type = &type->public;
	view->public.count = set->count;
	GROW(view->pointers, set->count, view->alloc);
	view->public.records = view->pointers;
	if (type->native)
		point_to_rows(view, set);
	else
		copy_rows(view, type, set, wall);
	view->seen_rows = set->rows;
	view->seen_stage = opened->stage;
}

/* Returns the view of a snapshot, new or existing. */
static struct snapshot_view *find_view(struct vigil_engine *opened, const struct snapshot *snapshot)
{
	struct snapshot_view *view;

	for (size_t i = 0; i < opened->view_count; i++)
		if (opened->views[i]->inner == snapshot)
			return opened->views[i];
	view = xcalloc(1, sizeof(*view));
	view->inner = snapshot;
	GROW(opened->views, opened->view_count + 1, opened->view_alloc);
	opened->views[opened->view_count++] = view;
	return view;
}

/* Allocates space for sets of as many types as the snapshot has. */
static void grow_view(struct snapshot_view *view)
{
	size_t count = view->inner->set_count;

	if (count > view->set_alloc) {
		view->sets = xreallocarray(view->sets, count, sizeof(*view->sets));
		memset(view->sets + view->set_alloc, 0,
		       (count - view->set_alloc) * sizeof(*view->sets));
		view->set_alloc = count;
	}
	GROW(view->list, count, view->list_alloc);
}

const struct vigil_snapshot *views_snapshot(struct vigil_engine *opened,
					    const struct snapshot *snapshot)
{
	struct snapshot_view *view;
	struct vigil_snapshot *public;

	RETURN_IF(!snapshot, NULL);
	view = find_view(opened, snapshot);
	public = &view->public;
	grow_view(view);
	*public = (struct vigil_snapshot){
		.size = sizeof(*public),
		.flags = snapshot->last ? VIGIL_LAST_SNAPSHOT : 0,
		.sequence = snapshot->sequence,
		.time = snapshot->time,
		.wall = snapshot->wall,
		.sets = view->list,
	};
	for (size_t id = 0; id < snapshot->set_count; id++) {
		const struct recordset *set = snapshot->sets[id];

		if (!set || !set->count)
			continue;
		if (!view->sets[id])
			view->sets[id] = xcalloc(1, sizeof(*view->sets[id]));
		refresh_set(opened, view->sets[id], set, snapshot->wall);
		view->list[public->set_count++] = &view->sets[id]->public;
	}
	return public;
}

const struct snapshot *views_inner(const struct vigil_engine *opened,
				   const struct vigil_snapshot *view)
{
	for (size_t i = 0; i < opened->view_count; i++)
		if (&opened->views[i]->public == view)
			return opened->views[i]->inner;
	return NULL;
}

const struct vigil_set *views_set(const struct vigil_snapshot *view, uint32_t id)
{
	for (uint64_t i = 0; view && i < view->set_count; i++)
		if (view->sets[i]->id == id)
			return view->sets[i];
	return NULL;
}

int views_mark(struct vigil_engine *opened, const struct snapshot *snapshot,
	       const struct vigil_set *set, uint64_t number)
{
	struct snapshot_view *view = find_view(opened, snapshot);
	struct set_view *own;

	RETURN_IF(!set || set->id >= view->set_alloc || !view->sets[set->id], -1);
	own = view->sets[set->id];
	RETURN_IF(&own->public != set || number >= set->count, -1);
	if (!own->has_marks) {
		GROW(own->marked, set->count, own->marked_alloc);
		memset(own->marked, 0, set->count * sizeof(*own->marked));
		own->has_marks = true;
	}
	own->marked[number] = true;
	return 0;
}

/* Position while iterating over the rows of a set. */
struct dropping {
	const bool *marked;
	size_t at;
};

/* Notes which records of a set are discarded. */
static void note_dropped(struct strbuf *dropped, uint64_t id, const bool *marked, size_t count)
{
	for (uint64_t number = 0; number < count; number++) {
		if (!marked[number])
			continue;
		strbuf_add(dropped, &id, sizeof(id));
		strbuf_add(dropped, &number, sizeof(number));
	}
}

static bool is_kept(void *argument, const void *record UNUSED)
{
	struct dropping *dropping = argument;

	return !dropping->marked[dropping->at++];
}

size_t views_drop(struct vigil_engine *opened, struct snapshot *snapshot)
{
	struct snapshot_view *view = find_view(opened, snapshot);
	size_t dropped = 0;

	for (size_t id = 0; id < view->set_alloc; id++) {
		struct set_view *own = view->sets[id];
		struct dropping dropping = { own ? own->marked : NULL, 0 };

		if (!own || !own->has_marks)
			continue;
		if (opened->dropped)
			note_dropped(opened->dropped, id, own->marked, snapshot->sets[id]->count);
		dropped += snapshot->sets[id]->count;
		recordset_keep(snapshot->sets[id], is_kept, &dropping);
		dropped -= snapshot->sets[id]->count;
		own->has_marks = false;
		own->seen_rows = NULL;
		own->public.count = UINT64_MAX;
	}
	return dropped;
}

void views_release(struct vigil_engine *opened)
{
	for (size_t i = 0; i < opened->view_count; i++) {
		struct snapshot_view *view = opened->views[i];

		for (size_t id = 0; id < view->set_alloc; id++) {
			if (!view->sets[id])
				continue;
			free(view->sets[id]->pointers);
			free(view->sets[id]->arena);
			free(view->sets[id]->marked);
			free(view->sets[id]);
		}
		free(view->sets);
		free(view->list);
		free(view);
	}
	opened->view_count = 0;
	for (size_t id = 0; id < opened->type_view_count; id++) {
		if (opened->type_views[id])
			free((struct vigil_field *)opened->type_views[id]->public.fields);
		free(opened->type_views[id]);
	}
	free(opened->type_views);
	opened->type_views = NULL;
	opened->type_view_count = 0;
}

/* Returns a second header for the records of set, followed by an array of pointers. */
struct vigil_set *views_clone(const struct vigil_set *set)
{
	size_t bytes = (size_t)set->count * sizeof(set->records[0]);
	struct vigil_set *clone = xmalloc(sizeof(*clone) + bytes);

	*clone = *set;
	clone->records = (const struct vigil_prefix **)(clone + 1);
	if (bytes)
		memcpy(clone->records, set->records, bytes);
	return clone;
}

/* Returns a copy of a description. */
static struct vigil_record_type *copy_type(const struct vigil_record_type *type)
{
	struct vigil_record_type *copy = xmemdup(type, sizeof(*type));
	struct vigil_field *fields = xmemdup(type->fields, type->field_count * sizeof(*fields));

	copy->name = xstrdup(type->name);
	copy->meaning = xstrdup(type->meaning ? type->meaning : "");
	for (uint32_t i = 0; i < type->field_count; i++) {
		fields[i].name = xstrdup(fields[i].name);
		fields[i].unit = xstrdup(fields[i].unit ? fields[i].unit : "");
		fields[i].meaning = xstrdup(fields[i].meaning ? fields[i].meaning : "");
	}
	copy->fields = fields;
	return copy;
}

struct vigil_snapshot *views_copy(const struct vigil_snapshot *snapshot)
{
	struct vigil_snapshot *copy = xmemdup(snapshot, sizeof(*snapshot));
	struct vigil_set **sets = xcalloc(snapshot->set_count + 1, sizeof(struct vigil_set *));

	for (uint64_t i = 0; i < snapshot->set_count; i++) {
		size_t size = snapshot->sets[i]->type->size;
		struct vigil_set *set = views_clone(snapshot->sets[i]);
		unsigned char *rows = xmalloc((size_t)set->count * size);

		for (uint64_t row = 0; row < set->count; row++) {
			memcpy(rows + row * size, set->records[row], size);
			set->records[row] = (struct vigil_prefix *)(rows + row * size);
		}
		set->type = copy_type(set->type);
		sets[i] = set;
	}
	copy->sets = (const struct vigil_set *const *)sets;
	return copy;
}

void views_copy_free(struct vigil_snapshot *copy)
{
	if (!copy)
		return;
	for (uint64_t i = 0; i < copy->set_count; i++) {
		struct vigil_set *set = (struct vigil_set *)copy->sets[i];

		for (uint32_t field = 0; field < set->type->field_count; field++) {
			free((char *)set->type->fields[field].name);
			free((char *)set->type->fields[field].unit);
			free((char *)set->type->fields[field].meaning);
		}
		free((struct vigil_field *)set->type->fields);
		free((char *)set->type->name);
		free((char *)set->type->meaning);
		free((struct vigil_record_type *)set->type);
		free((void *)set->records[0]);
		free(set);
	}
	free((void *)copy->sets);
	free(copy);
}
