/* SPDX-License-Identifier: Apache-2.0 */
/* Makes each file of a long collection self-contained. */
#include "common/compat.h"
#include "session/collection/file-start.h"
#include "common/xalloc.h"
#include "records/record-types.h"

void file_start_begin(struct file_start *start)
{
	if (start->has_strings) {
		strmap_release(&start->strings);
		idmap_release(&start->numbers);
	}
	strmap_init(&start->strings);
	idmap_init(&start->numbers);
	strmap_put(&start->strings, ""); /* number 0 in every file */
	start->has_strings = true;
}

/*
 * Returns whether records that are only in the first snapshot apply to the whole
 * collection; notes and counts apply only to their moment.
 */
static bool is_kept(const struct recordset *set)
{
	if (!set || !set->count || set->type->id == RECORD_NOTE || present_is_for(set->type))
		return false;
	for (size_t i = 0; i < set->type->field_count; i++)
		if (set->type->fields[i].sense == SENSE_COUNTER ||
		    set->type->fields[i].sense == SENSE_AMOUNT)
			return false;
	return true;
}

/* Keeps the records of the first snapshot; drops those whose type reappears later. */
static void take_once(struct file_start *start, const struct snapshot *snapshot)
{
	if (!start->begun) {
		start->once_count = snapshot->set_count;
		start->once = xcalloc(start->once_count, sizeof(*start->once));
	}
	for (size_t id = 0; id < start->once_count && id < snapshot->set_count; id++) {
		if (!is_kept(snapshot->sets[id]))
			continue;
		if (!start->begun) {
			start->once[id] = xcalloc(1, sizeof(**start->once));
			recordset_init(start->once[id], snapshot->sets[id]->type);
			recordset_append(start->once[id], snapshot->sets[id]);
		} else if (start->once[id]) {
			recordset_release(start->once[id]);
			free(start->once[id]);
			start->once[id] = NULL;
		}
	}
	start->begun = true;
}

/* Returns the number of a text in the file. */
static uint64_t number_in_file(struct file_start *start, const struct strmap *strings,
			       uint64_t number)
{
	uint64_t own;

	if (number == UINT64_MAX || !number)
		return number;
	if (!idmap_get(&start->numbers, number, &own)) {
		own = strmap_put(&start->strings, strmap_text(strings, (uint32_t)number));
		idmap_put(&start->numbers, number, own);
	}
	return own;
}

/* Replaces the text numbers in the records of a set by those of the file. */
static void renumber(struct file_start *start, struct recordset *set, const struct strmap *strings)
{
	for (size_t f = 0; f < set->type->field_count; f++) {
		const struct field *field = &set->type->fields[f];

		for (size_t i = 0; field->type == FIELD_STRING && i < set->count; i++) {
			char *member = (char *)recordset_at(set, i) + field->offset;
			uint64_t number;

			memcpy(&number, member, sizeof(number));
			number = number_in_file(start, strings, number);
			memcpy(member, &number, sizeof(number));
		}
	}
}

/*
 * Returns the records of a type for the file: those of the snapshot, or all that
 * were produced before.
 */
static const struct recordset *choose(const struct file_start *start,
				      const struct snapshot *snapshot, size_t id, bool first)
{
	const struct recordset *set = id < snapshot->set_count ? snapshot->sets[id] : NULL;
	const struct recordset *all = first ? present_get(&start->present, (unsigned)id) : NULL;

	if (all)
		return all;
	if (first && (!set || !set->count) && id < start->once_count && start->once[id])
		return start->once[id];
	return set;
}

const struct snapshot *file_start_snapshot(struct file_start *start, const struct snapshot *snapshot,
				       const struct strmap *strings, bool first)
{
	struct snapshot *made = &start->made;
	size_t count = snapshot->set_count;

	present_take(&start->present, snapshot);
	take_once(start, snapshot);
	if (!made->types)
		snapshot_init(made, snapshot->types);
	snapshot_clear(made);
	made->sequence = snapshot->sequence;
	made->time = snapshot->time;
	made->wall = snapshot->wall;
	made->last = snapshot->last;
	if (start->present.count > count)
		count = start->present.count;
	if (start->once_count > count)
		count = start->once_count;
	for (size_t id = 0; id < count; id++) {
		const struct recordset *from = choose(start, snapshot, id, first);
		struct recordset *set;

		if (!from || !from->count)
			continue;
		set = snapshot_set(made, (unsigned)id);
		recordset_append(set, from);
		renumber(start, set, strings);
	}
	return made;
}

void file_start_release(struct file_start *start)
{
	present_release(&start->present);
	for (size_t id = 0; id < start->once_count; id++) {
		if (!start->once[id])
			continue;
		recordset_release(start->once[id]);
		free(start->once[id]);
	}
	free(start->once);
	if (start->made.types)
		snapshot_release(&start->made);
	if (start->has_strings) {
		strmap_release(&start->strings);
		idmap_release(&start->numbers);
	}
	*start = (struct file_start){ 0 };
}
