/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event-counts FILE: prints how many events of each site a sample data set has,
 * for tests: "TYPE program place line hits", separated by tabs, where place is a
 * section, paragraph or verb, or "-"; "level program least most": minimum and
 * maximum level of its starts; "cpu NS": CPU time of all events.
 */
#include "common/compat.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/event-codes.h"
#include "records/event-sums.h"

struct site {
	struct record_event_site row;
	uint64_t hits, least, most; /* least and most: minimum and maximum level */
};

/* The last event of a task. */
struct last {
	int64_t cpu;
	bool counts;
};

struct counts {
	struct site *sites;
	size_t site_count, site_alloc;
	struct idmap tasks;
	struct last *last;
	size_t last_count, last_alloc;
	int64_t cpu;
	struct event_sums sums;
	bool bare; /* it has sums alone */
	struct strmap *strings;
};

static struct site *site_at(struct counts *counts, uint64_t site)
{
	size_t before = counts->site_alloc;

	GROW(counts->sites, site + 1, counts->site_alloc);
	if (counts->site_alloc > before)
		memset(counts->sites + before, 0,
		       (counts->site_alloc - before) * sizeof(*counts->sites));
	if (counts->site_count <= site)
		counts->site_count = site + 1;
	return &counts->sites[site];
}

static struct last *last_of(struct counts *counts, uint64_t task)
{
	uint64_t index;

	if (!idmap_get(&counts->tasks, task, &index)) {
		GROW(counts->last, counts->last_count + 1, counts->last_alloc);
		index = counts->last_count++;
		counts->last[index] = (struct last){ 0, false };
		idmap_put(&counts->tasks, task, index);
	}
	return &counts->last[index];
}

static void take_event(struct counts *counts, const struct record_event *row)
{
	struct last *last = last_of(counts, row->task);
	int64_t cpu = (int64_t)row->time - row->idle;
	struct site *site = site_at(counts, row->site);
	uint64_t type;

	if (!site->hits++ || row->level < site->least)
		site->least = row->level;
	if (row->level > site->most)
		site->most = row->level;
	if (row->task && last->counts)
		counts->cpu += cpu - last->cpu;
	type = site_at(counts, row->site)->row.type;
	*last = (struct last){ cpu, type != EVENT_MP && type != EVENT_MB };
}

static enum module_status take(struct module *module, enum sync_point point UNUSED,
			       struct snapshot *snapshot, struct error *err UNUSED)
{
	struct counts *counts = module->context;
	const struct recordset *set = snapshot_records(snapshot, RECORD_EVENT_SITE);

	counts->strings = engine_strings(module->engine);
	for (size_t i = 0; i < set->count; i++) {
		const struct record_event_site *row = recordset_get(set, i);

		site_at(counts, row->site)->row = *row;
	}
	set = snapshot_records(snapshot, RECORD_EVENT);
	for (size_t i = 0; i < set->count; i++)
		take_event(counts, recordset_get(set, i));
	event_sums_take(&counts->sums, snapshot);
	return MODULE_OK;
}

static const struct module_class taker = {
	.name = "COUNTS",
	.summary = "counts events",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1u << SYNC_SNAPSHOT_END,
	.call = take,
};

/* Takes the sums of a data set that has those alone. */
static void take_sums(struct counts *counts)
{
	counts->bare = !counts->last_count;
	for (size_t i = 0; counts->bare && i < counts->sums.count; i++) {
		const struct record_event_sum *row = &counts->sums.rows[i];

		site_at(counts, row->site)->hits += row->hits;
		counts->cpu += (int64_t)row->cpu;
	}
}

static const char *text_of(const struct counts *counts, uint64_t string)
{
	const char *text = strmap_text(counts->strings, (uint32_t)string);

	return *text ? text : "-";
}

static void print(const struct counts *counts)
{
	for (size_t i = 0; i < counts->site_count; i++) {
		const struct record_event_site *row = &counts->sites[i].row;

		if (counts->sites[i].hits)
			printf("%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\n",
			       event_code(row->type),
			       text_of(counts, row->program),
			       text_of(counts, row->statement ? row->statement : row->procedure),
			       row->line, counts->sites[i].hits);
	}
	for (size_t i = 0; i < counts->site_count; i++)
		if (!counts->bare && counts->sites[i].row.type == EVENT_PS && counts->sites[i].hits)
			printf("level\t%s\t%" PRIu64 "\t%" PRIu64 "\n",
			       text_of(counts, counts->sites[i].row.program), counts->sites[i].least,
			       counts->sites[i].most);
	printf("cpu %" PRId64 "\n", counts->cpu);
}

int main(int argc, char **argv)
{
	struct dataset_extractor extractor = { .path = argc > 1 ? argv[1] : "" };
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;
	struct counts counts = { 0 };
	int status = 1;

	idmap_init(&counts.tasks);
	event_sums_init(&counts.sums);
	if (engine_add(engine, &dataset_extractor_class, &extractor, &err) &&
	    engine_add(engine, &taker, &counts, &err) && engine_extract(engine, &err) == 0) {
		take_sums(&counts);
		print(&counts);
		status = 0;
	} else {
		fprintf(stderr, "%s\n", error_text(&err));
	}
	free(counts.sites);
	free(counts.last);
	idmap_release(&counts.tasks);
	event_sums_release(&counts.sums);
	engine_free(engine);
	error_release(&err);
	return status;
}
