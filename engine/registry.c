/* SPDX-License-Identifier: Apache-2.0 */
/* The known record types: built-in ones, and others added at run time. */
#include "common/compat.h"
#include "engine/registry.h"
#include "common/xalloc.h"
#include "engine/engine-records.h"

/* Checks the types of which the engine itself makes rows. */
static void check_engine_types(const struct record_catalogue *built_in)
{
	assert(built_in->count <= RECORD_RUNTIME_FIRST && built_in->count > RECORD_CLOCK);
	assert(built_in->types[RECORD_ATTRIBUTE].size == sizeof(struct record_attribute));
	assert(built_in->types[RECORD_NOTE].size == sizeof(struct record_note));
	assert(built_in->types[RECORD_CLOCK].size == sizeof(struct record_clock));
	for (unsigned id = 1; id < built_in->count; id++)
		assert(!built_in->types[id].name || built_in->types[id].id == id);
}

void registry_init(struct registry *registry, const struct record_catalogue *built_in)
{
	check_engine_types(built_in);
	memset(registry, 0, sizeof(*registry));
	GROW(registry->types, RECORD_RUNTIME_FIRST, registry->alloc);
	memset(registry->types, 0, registry->alloc * sizeof(*registry->types));
	for (unsigned id = 1; id < built_in->count; id++)
		if (built_in->types[id].name)
			registry->types[id] = &built_in->types[id];
	registry->count = RECORD_RUNTIME_FIRST;
}

/* Frees a copy of a type's description. */
static void free_type(const struct record_type *type)
{
	for (size_t i = 0; i < type->field_count; i++) {
		free((char *)type->fields[i].name);
		free((char *)type->fields[i].unit);
		free((char *)type->fields[i].meaning);
	}
	free((struct field *)type->fields);
	free((char *)type->name);
	free((char *)type->meaning);
	free((struct record_type *)type);
}

void registry_release(struct registry *registry)
{
	for (size_t id = RECORD_RUNTIME_FIRST; id < registry->count; id++)
		free_type(registry->types[id]);
	free(registry->types);
	memset(registry, 0, sizeof(*registry));
}

const struct record_type *registry_type(const struct registry *registry, uint64_t id)
{
	return id < registry->count ? registry->types[id] : NULL;
}

const struct record_type *registry_find(const struct registry *registry, const char *name)
{
	for (size_t id = 1; id < registry->count; id++)
		if (registry->types[id] && strcmp(registry->types[id]->name, name) == 0)
			return registry->types[id];
	return NULL;
}

/* Returns whether two descriptions are of the same struct. */
static bool is_same(const struct record_type *a, const struct record_type *b)
{
	if (a->field_count != b->field_count || a->size != b->size)
		return false;
	for (size_t i = 0; i < a->field_count; i++) {
		const struct field *one = &a->fields[i], *other = &b->fields[i];

		if (strcmp(one->name, other->name) != 0 || one->type != other->type ||
		    one->optional != other->optional || one->offset != other->offset)
			return false;
	}
	return true;
}

/* Returns whether a field is within the struct, aligned for its type, and has a unique name. */
static bool is_sound(const struct record_type *type, size_t number)
{
	const struct field *field = &type->fields[number];
	size_t size = (unsigned)field->type < FIELD_TYPE_COUNT ? field_size(field->type) : 0;

	if (!field->name || !*field->name || !size || field->offset % size != 0 ||
	    field->offset + size > type->size || field->sense > SENSE_AMOUNT)
		return false;
	for (size_t i = 0; i < number; i++) {
		const struct field *other = &type->fields[i];

		if (strcmp(other->name, field->name) == 0 ||
		    (field->offset < other->offset + field_size(other->type) &&
		     other->offset < field->offset + size))
			return false;
	}
	return true;
}

/* Checks a description. */
static int check_type(const struct record_type *type, struct error *err)
{
	if (!type->name || !*type->name)
		return error_set(err, "a record type has no name");
	if (!type->field_count || type->field_count > RECORD_FIELDS_MAX)
		return error_set(err, "record type %s does not have 1 to %d fields", type->name,
				 RECORD_FIELDS_MAX);
	if (!type->size || type->size % 8 != 0)
		return error_set(err, "the size of record type %s is not a multiple of 8",
				 type->name);
	for (size_t i = 0; i < type->field_count; i++)
		if (!is_sound(type, i))
			return error_set(err,
					 "the description of field %zu of record type %s is "
					 "wrong",
					 i + 1, type->name);
	return 0;
}

/* Returns a copy of a text, NULL for NULL. */
static char *copy_text(const char *text)
{
	return xstrdup(text ? text : "");
}

/* Returns a copy of a description under an id. */
static const struct record_type *copy_type(const struct record_type *type, unsigned id)
{
	struct record_type *copy = xmemdup(type, sizeof(*type));
	struct field *fields = xmemdup(type->fields, type->field_count * sizeof(*fields));

	for (size_t i = 0; i < type->field_count; i++) {
		fields[i].name = copy_text(fields[i].name);
		fields[i].unit = copy_text(fields[i].unit);
		fields[i].meaning = copy_text(fields[i].meaning);
	}
	copy->id = id;
	copy->name = copy_text(type->name);
	copy->meaning = copy_text(type->meaning);
	copy->fields = fields;
	return copy;
}

const struct record_type *registry_add(struct registry *registry, const struct record_type *type,
				       struct error *err)
{
	const struct record_type *known;

	RETURN_IF(check_type(type, err) < 0, NULL);
	known = registry_find(registry, type->name);
	if (known) {
		if (is_same(known, type))
			return known;
		error_set(err, "record type %s already exists with other fields", type->name);
		return NULL;
	}
	if (registry->count >= RECORD_TYPES_MAX) {
		error_set(err, "there are already %d record types; %s is one too many",
			  RECORD_TYPES_MAX, type->name);
		return NULL;
	}
	GROW(registry->types, registry->count + 1, registry->alloc);
	registry->types[registry->count] = copy_type(type, (unsigned)registry->count);
	return registry->types[registry->count++];
}

void registry_explain(struct registry *registry, const struct record_type *type, size_t number,
		      const char *meaning)
{
	struct record_type *own = (struct record_type *)registry->types[type->id];
	const char **text = &own->meaning;

	assert(own == type && type->id >= RECORD_RUNTIME_FIRST);
	if (number != SIZE_MAX)
		text = &((struct field *)own->fields)[number].meaning;
	free((char *)*text);
	*text = xstrdup(meaning);
}
