/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the state of records that are reported only on change. */
#include "common/compat.h"
#include "metrics/present.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "metrics/metric-scan.h"

struct present_set {
	struct recordset set;
	struct idmap known; /* by the name's number: index in set */
};

bool present_is_for(const struct record_type *type)
{
	if (type->field_count <= METRIC_SCAN_ITEMS ||
	    strcmp(type->fields[METRIC_SCAN_PRESENT].name, "present") != 0)
		return false;
	for (size_t i = 0; i < type->field_count; i++)
		if (type->fields[i].type == FIELD_BYTES)
			return false;
	return type->fields[METRIC_SCAN_NAME].type == FIELD_STRING;
}

static struct present_set *set_of(struct present_records *records, const struct record_type *type)
{
	if (type->id >= records->count) {
		size_t count = type->id + 1;

		records->sets = xreallocarray(records->sets, count, sizeof(*records->sets));
		memset(records->sets + records->count, 0,
		       (count - records->count) * sizeof(*records->sets));
		records->count = count;
	}
	if (!records->sets[type->id]) {
		records->sets[type->id] = xcalloc(1, sizeof(**records->sets));
		recordset_init(&records->sets[type->id]->set, type);
		idmap_init(&records->sets[type->id]->known);
	}
	return records->sets[type->id];
}

static uint64_t number_of(const struct recordset *set, size_t record, size_t field)
{
	struct field_value value = { .number = 0 };

	recordset_value(set, record, field, &value);
	return value.number;
}

/* Removes a record; the last one takes its position. */
static void drop(struct present_set *kept, uint64_t name, uint64_t at)
{
	struct recordset *set = &kept->set;
	size_t last = set->count - 1;

	if (at != last) {
		memcpy(recordset_at(set, at), recordset_get(set, last), set->type->size);
		idmap_put(&kept->known, number_of(set, at, METRIC_SCAN_NAME), at);
	}
	set->count--;
	idmap_remove(&kept->known, name);
}

static void take_record(struct present_set *kept, const struct recordset *from, size_t record)
{
	uint64_t name = number_of(from, record, METRIC_SCAN_NAME), at;
	bool known = idmap_get(&kept->known, name, &at);

	if (!number_of(from, record, METRIC_SCAN_PRESENT)) {
		if (known)
			drop(kept, name, at);
	} else if (known) {
		memcpy(recordset_at(&kept->set, at), recordset_get(from, record), from->type->size);
	} else {
		idmap_put(&kept->known, name, kept->set.count);
		recordset_add(&kept->set, recordset_get(from, record));
	}
}

void present_take(struct present_records *records, const struct snapshot *snapshot)
{
	for (size_t id = RECORD_RUNTIME_FIRST; id < snapshot->set_count; id++) {
		const struct recordset *from = snapshot->sets[id];

		if (!from || !from->count || !present_is_for(from->type))
			continue;
		for (size_t i = 0; i < from->count; i++)
			take_record(set_of(records, from->type), from, i);
	}
}

const struct recordset *present_get(const struct present_records *records, unsigned type)
{
	if (type >= records->count || !records->sets[type] || !records->sets[type]->set.count)
		return NULL;
	return &records->sets[type]->set;
}

void present_release(struct present_records *records)
{
	for (size_t id = 0; id < records->count; id++) {
		if (!records->sets[id])
			continue;
		recordset_release(&records->sets[id]->set);
		idmap_release(&records->sets[id]->known);
		free(records->sets[id]);
	}
	free(records->sets);
	*records = (struct present_records){ 0 };
}
