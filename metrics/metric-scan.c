/* SPDX-License-Identifier: Apache-2.0 */
/* Reports rarely changing data when they change. */
#include "common/compat.h"
#include "metrics/metric-scan.h"
#include "common/hash.h"
#include "common/xalloc.h"

void metric_scan_add(struct metric_scan *scan, unsigned file, const char *name)
{
	GROW(scan->entries, scan->count + 1, scan->alloc);
	scan->entries[scan->count++] = (struct metric_scan_entry){ xstrdup(name), file };
}

static void clear_entries(struct metric_scan *scan)
{
	for (size_t i = 0; i < scan->count; i++)
		free(scan->entries[i].name);
	scan->count = scan->at = 0;
}

static uint64_t hash_of(const struct metric_source *source)
{
	return hash_more(HASH_START, source->values,
			 source->kind->item_count * sizeof(*source->values));
}

/* Returns the state of a name; new ones are not present. */
static struct metric_scan_state *find(struct metric_scan *scan, uint64_t name)
{
	uint64_t at;

	if (idmap_get(&scan->known, name, &at))
		return &scan->values[at];
	GROW(scan->values, scan->value_count + 1, scan->value_alloc);
	idmap_put(&scan->known, name, scan->value_count);
	scan->values[scan->value_count] = (struct metric_scan_state){ .name = name };
	return &scan->values[scan->value_count++];
}

/* Examines one entry, and reports it when it is new or has changed. */
static void look_at(struct metric_source *source, const struct metric_scan_entry *entry,
		    bool (*look)(struct metric_source *source,
				 const struct metric_scan_entry *entry))
{
	struct metric_scan *scan = source->own;
	struct metric_scan_state *known;
	uint64_t hash;

	metric_begin(source);
	if (!look(source, entry))
		return;
	metric_string(source, METRIC_SCAN_NAME, entry->name);
	source->values[METRIC_SCAN_PRESENT] = 1;
	known = find(scan, source->values[METRIC_SCAN_NAME]);
	hash = hash_of(source);
	if (!known->present || known->hash != hash)
		metric_add(source);
	known->present = true;
	known->hash = hash;
	known->round = scan->round;
}

/* Reports, after a round, the entries that were not found in it as gone. */
static void report_gone(struct metric_source *source)
{
	struct metric_scan *scan = source->own;

	for (size_t i = 0; i < scan->value_count; i++) {
		struct metric_scan_state *known = &scan->values[i];

		if (!known->present || known->round == scan->round)
			continue;
		known->present = false;
		metric_begin(source);
		source->values[METRIC_SCAN_NAME] = known->name;
		source->values[METRIC_SCAN_PRESENT] = 0;
		metric_add(source);
	}
}

void metric_scan_read(struct metric_source *source, void (*list)(struct metric_source *source),
		      bool (*look)(struct metric_source *source,
				   const struct metric_scan_entry *entry))
{
	struct metric_scan *scan = source->own;
	bool first = !scan->round;
	size_t part;

	scan->snapshots++;
	if (scan->at == scan->count) {
		if (first)
			idmap_init(&scan->known);
		else if (scan->snapshots < scan->began + METRIC_SCAN_SNAPSHOTS)
			return;
		scan->began = scan->snapshots;
		clear_entries(scan);
		list(source);
		scan->round++;
	}
	part = first ? scan->count
		     : (scan->count + METRIC_SCAN_SNAPSHOTS - 1) / METRIC_SCAN_SNAPSHOTS;
	for (; part && scan->at < scan->count; part--)
		look_at(source, &scan->entries[scan->at++], look);
	if (scan->at == scan->count && !first)
		report_gone(source);
}

void metric_scan_release(struct metric_source *source)
{
	struct metric_scan *scan = source->own;

	clear_entries(scan);
	free(scan->entries);
	free(scan->values);
	idmap_release(&scan->known);
}
