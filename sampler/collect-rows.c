/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the rows, attribute and notes about data collectors. */
#include "common/compat.h"
#include "records/record-types.h"
#include "sampler/answers.h"
#include "sampler/collect-data.h"
#include "sampler/task-stop.h"

/*
 * Returns whether a collector gets a row: one that comes with vigil only if it was
 * called for the step.
 */
static bool has_row(const struct collector *collector)
{
	return collector->wanted->origin != COLLECTOR_FEATURE || collector->called;
}

/* Returns why it was not called, or not to the end; "": no problem. */
static const char *problem_of(const struct collector *collector)
{
	if (collector->client.problem.length)
		return collector->client.problem.text;
	if (!collector->client.loaded_once)
		return collector->started ? "it was still loading" : "";
	return collector->called ? "" : "no program of the step is in its list of programs";
}

/* Adds the row of one collector. */
static void collector_row(const struct collector *collector, struct engine *engine,
			  struct recordset *set)
{
	const struct host_client *client = &collector->client;
	struct record_collector row = {
		.collector = collector->id,
		.name = engine_string(engine, collector->wanted->name),
		.generation = engine_string(engine, client->loaded.generation),
		.path = engine_string(engine, collector->wanted->path),
		.origin = collector->wanted->origin,
		.problem = engine_string(engine, problem_of(collector)),
		.calls = collector->calls,
		.answers = collector->answers,
		.outside = collector->outside,
		.torn = collector->torn,
		.late = collector->late,
		.cost = collector->cost,
		.delay = answers_delay(collector),
		.delay_most = collector->delay_max,
		.held = collector->held,
		.loaded = client->loaded_once,
	};

	recordset_add(set, &row);
}

void collect_rows(struct collect *collect, struct engine *engine, struct recordset *set)
{
	size_t count = collect ? collect->count : 0;

	for (size_t i = 0; i < count; i++) {
		struct collector *collector = collect->items[i];

		if (!has_row(collector) || !(collector->changed || collector->client.changed))
			continue;
		collector->changed = collector->client.changed = false;
		collector_row(collector, engine, set);
	}
}

/* Adds the pseudo-sections of one collector. */
static void section_rows(const struct collector *collector, struct engine *engine,
			 struct recordset *set)
{
	const struct call_answer *loaded = &collector->client.loaded;
	struct strbuf name = STRBUF_INIT;

	for (uint32_t i = 0; i < loaded->pseudo_section_count; i++) {
		const char *section = loaded->pseudo_sections[i].section;
		struct record_pseudo_section row = {
			.entry = collector->id * VIGIL_PSEUDO_SECTIONS_MAX + i,
			.collector = collector->id,
			.prefix = engine_string(engine, loaded->pseudo_sections[i].prefix),
		};

		strbuf_reset(&name);
		strbuf_addf(&name, "%s%s", *section == '.' ? "" : ".", section);
		row.section = engine_string(engine, name.text);
		recordset_add(set, &row);
	}
	strbuf_release(&name);
}

void collect_section_rows(struct collect *collect, struct engine *engine, struct recordset *set)
{
	size_t count = collect ? collect->count : 0;

	for (size_t i = 0; i < count; i++) {
		struct collector *collector = collect->items[i];

		if (collector->sections_written || !collector->called)
			continue;
		collector->sections_written = true;
		section_rows(collector, engine, set);
	}
}

void collect_notes(struct collect *collect, struct engine *engine, struct snapshot *snapshot)
{
	struct strbuf subsystem = STRBUF_INIT;
	const struct collector *from;
	struct task_stops *stops;
	const char *text;

	if (!collect)
		return;
	if (collect_subsystem(collect, &subsystem))
		snapshot_attribute(snapshot, engine, ATTR_SUBSYSTEM, "%s", subsystem.text);
	strbuf_release(&subsystem);
	while ((text = collect_next_message(collect, &from)))
		snapshot_note(snapshot, engine, SEVERITY_INFO, 3420, "data collector %s: %s",
			      from->wanted->name, text);
	stops = collect->parts.task_stops;
	if (!stops->refused || stops->noted)
		return;
	stops->noted = true;
	snapshot_note(
		snapshot, engine, SEVERITY_INFO, 3421,
		"cannot stop tasks for the data collectors that request it: the kernel does not "
		"permit it, or another program traces them");
}
