/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots: record sets by the id of their type. */
#include "common/compat.h"
#include "engine/snapshot.h"
#include "common/xalloc.h"

void snapshot_init(struct snapshot *snapshot, const struct registry *types)
{
	memset(snapshot, 0, sizeof(*snapshot));
	snapshot->types = types;
}

void snapshot_release(struct snapshot *snapshot)
{
	for (size_t id = 0; id < snapshot->set_count; id++) {
		if (snapshot->sets[id])
			recordset_release(snapshot->sets[id]);
		free(snapshot->sets[id]);
	}
	free(snapshot->sets);
	snapshot_init(snapshot, snapshot->types);
}

void snapshot_clear(struct snapshot *snapshot)
{
	for (size_t id = 0; id < snapshot->set_count; id++)
		if (snapshot->sets[id])
			recordset_clear(snapshot->sets[id]);
	snapshot->last = false;
	snapshot->passed_over = false;
}

/* Allocates space for sets of all types of the registry. */
static void grow(struct snapshot *snapshot)
{
	size_t count = snapshot->types->count;

	snapshot->sets = xreallocarray(snapshot->sets, count, sizeof(*snapshot->sets));
	memset(snapshot->sets + snapshot->set_count, 0,
	       (count - snapshot->set_count) * sizeof(*snapshot->sets));
	snapshot->set_count = count;
}

struct recordset *snapshot_set(struct snapshot *snapshot, unsigned id)
{
	const struct record_type *type = registry_type(snapshot->types, id);

	assert(type);
	if (id >= snapshot->set_count)
		grow(snapshot);
	if (!snapshot->sets[id]) {
		snapshot->sets[id] = xmalloc(sizeof(struct recordset));
		recordset_init(snapshot->sets[id], type);
	}
	return snapshot->sets[id];
}

const struct recordset *snapshot_records(const struct snapshot *snapshot, unsigned id)
{
	static const struct recordset none = { .bytes = STRBUF_INIT };

	return id < snapshot->set_count && snapshot->sets[id] ? snapshot->sets[id] : &none;
}

bool snapshot_is_empty(const struct snapshot *snapshot)
{
	for (size_t id = 0; id < snapshot->set_count; id++)
		if (snapshot->sets[id] && snapshot->sets[id]->count)
			return false;
	return true;
}
