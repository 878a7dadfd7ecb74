/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which records and items are shown. */
#include "common/compat.h"
#include "metrics/selection.h"
#include "common/xalloc.h"
#include "metrics/metrics.h"

static void add_part(struct selection *selection, char *record, char *item, bool optional)
{
	GROW(selection->parts, selection->count + 1, selection->alloc);
	selection->parts[selection->count++] = (struct selection_part){
		.record = record,
		.item = item,
		.optional = optional,
	};
}

/* Adds the members of a group, and of groups among them. Returns false when it is no group. */
static bool add_group(struct selection *selection, const char *name)
{
	for (size_t i = 0; metrics_groups[i]; i++) {
		const char *const *members = metrics_groups[i]->members;

		if (strcasecmp(metrics_groups[i]->name, name) != 0)
			continue;
		for (; *members; members++) {
			const char *member = *members + (**members == '?');

			if (!add_group(selection, member))
				add_part(selection, xstrdup(member), NULL, true);
		}
		return true;
	}
	return false;
}

bool selection_add(struct selection *selection, const char *text)
{
	size_t length = strcspn(text, ".");
	const char *item = text[length] ? text + length + 1 : NULL;

	if (!length || (item && !*item))
		return false;
	if (!item && add_group(selection, text))
		return true;
	add_part(selection, xstrndup(text, length), item ? xstrdup(item) : NULL, false);
	return true;
}

void selection_release(struct selection *selection)
{
	for (size_t i = 0; i < selection->count; i++) {
		free(selection->parts[i].record);
		free(selection->parts[i].item);
	}
	free(selection->parts);
	*selection = (struct selection){ 0 };
}

/* Returns whether a part names a field of its type. */
static bool is_item(const struct selection_part *part, const struct record_type *type, size_t field)
{
	return !part->item || strcasecmp(part->item, type->fields[field].name) == 0;
}

/* Returns whether a part names a type, with its item. */
static bool is_known(const struct selection_part *part, const struct record_type *type)
{
	if (strcasecmp(type->name, part->record) != 0)
		return false;
	for (size_t i = 0; i < type->field_count; i++)
		if (is_item(part, type, i))
			return true;
	return false;
}

bool selection_settle(struct selection *selection, const struct registry *types)
{
	bool all = true;

	for (size_t i = 0; i < selection->count; i++) {
		struct selection_part *part = &selection->parts[i];

		for (size_t id = 0; id < types->count && !part->known; id++)
			part->known = types->types[id] && is_known(part, types->types[id]);
		all = all && (part->known || part->optional);
	}
	return all;
}

void selection_mark(struct selection *selection, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < selection->count; i++) {
		struct selection_part *part = &selection->parts[i];

		for (size_t id = 0; id < snapshot->set_count && !part->found; id++)
			part->found = snapshot->sets[id] && snapshot->sets[id]->count &&
				      is_known(part, snapshot->sets[id]->type);
	}
}

bool selection_has(const struct selection *selection, const struct record_type *type)
{
	if (!selection || !selection->count)
		return type->id >= RECORD_RUNTIME_FIRST || (selection && selection->built_in);
	for (size_t i = 0; i < selection->count; i++)
		if (strcasecmp(selection->parts[i].record, type->name) == 0)
			return true;
	return false;
}

bool selection_has_item(const struct selection *selection, const struct record_type *type,
			size_t field)
{
	if (!selection || !selection->count)
		return true;
	for (size_t i = 0; i < selection->count; i++)
		if (strcasecmp(selection->parts[i].record, type->name) == 0 &&
		    is_item(&selection->parts[i], type, field))
			return true;
	return false;
}
