/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the rows of coverage to snapshots. */
#include "common/compat.h"
#include "events/coverage-collect.h"
#include "common/xalloc.h"
#include "events/coverage-server.h"
#include "program/objects/preloading.h"
#include "records/record-types.h"

struct coverage {
	struct coverage_server *server;
	struct coverage_events events;
	const char *executable;		       /* of the step; NULL: it ran before the session */
	size_t taken;			       /* number of objects that have rows */
	uint64_t statements, places, programs; /* numbers assigned, from 1 */
};

struct coverage *coverage_new(const struct event_request *request, const struct changes *changes,
			      struct error *err)
{
	struct coverage *coverage = xcalloc(1, sizeof(*coverage));

	coverage->server = coverage_server_new(request, changes, err);
	if (!coverage->server) {
		coverage_free(coverage);
		return NULL;
	}
	return coverage;
}

void coverage_free(struct coverage *coverage)
{
	if (!coverage)
		return;
	coverage_server_free(coverage->server);
	free(coverage);
}

const char *coverage_path(const struct coverage *coverage)
{
	return coverage_server_path(coverage->server);
}

/* Returns a row with the facts common to all programs of an object. */
static struct record_coverage_program common_facts(struct engine *engine,
						   const struct coverage_plan *plan)
{
	return (struct record_coverage_program){
		.means = COVERAGE_BY_PLACES,
		.library = engine_string(engine, plan->library),
		.object = engine_string(engine, plan->object),
		.build_id = engine_string(engine, plan->build_id),
	};
}

static void add_programs(struct coverage *coverage, struct coverage_served *served,
			 struct engine *engine, struct snapshot *snapshot)
{
	const struct coverage_plan *plan = &served->plan;
	struct record_coverage_program row = common_facts(engine, plan);

	served->first_program = coverage->programs + 1;
	for (size_t i = 0; i < plan->program_count; i++) {
		const struct coverage_plan_program *from = &plan->programs[i];

		row.program = ++coverage->programs;
		row.name = engine_string(engine, from->name);
		row.source = engine_string(engine, from->source);
		row.language = engine_string(engine, from->language);
		row.optimised = from->optimised;
		row.partial = from->reason != NULL || plan->reason != NULL;
		row.reason = engine_string(engine, from->reason	  ? from->reason
						   : plan->reason ? plan->reason
								  : "");
		recordset_add(snapshot_set(snapshot, RECORD_COVERAGE_PROGRAM), &row);
	}
}

static void add_statement(const struct coverage_served *served, size_t number,
			  struct engine *engine, struct snapshot *snapshot)
{
	const struct coverage_plan_statement *from = &served->plan.statements[number];
	const struct record_coverage_statement row = {
		.statement = served->first + number,
		.program = served->first_program + from->program,
		.procedure = engine_string(engine, from->procedure),
		.file = engine_string(engine, from->file),
		.line = from->line,
		.ordinal = 1,
		.verb = engine_string(engine, from->verb),
		.count = from->executed,
	};

	recordset_add(snapshot_set(snapshot, RECORD_COVERAGE_STATEMENT), &row);
}

static void add_place(const struct coverage_served *served, size_t number,
		      struct snapshot *snapshot)
{
	const struct coverage_plan_place *from = &served->plan.places[number];
	const struct record_coverage_place row = {
		.place = served->first_place + number,
		.statement = served->first + from->statement,
		.start = from->start,
		.end = from->end,
		.block = from->block,
		.executed = from->executed,
	};

	recordset_add(snapshot_set(snapshot, RECORD_COVERAGE_PLACE), &row);
}

/* Adds the rows of an object that was read. */
static void add_object(struct coverage *coverage, struct coverage_served *served,
		       struct engine *engine, struct snapshot *snapshot)
{
	const struct coverage_plan *plan = &served->plan;

	served->first = coverage->statements + 1;
	served->first_place = coverage->places + 1;
	if (plan->foreign)
		return;
	add_programs(coverage, served, engine, snapshot);
	for (size_t i = 0; i < plan->statement_count; i++)
		add_statement(served, i, engine, snapshot);
	for (size_t i = 0; i < plan->place_count; i++)
		add_place(served, i, snapshot);
	coverage->statements += plan->statement_count;
	coverage->places += plan->place_count;
}

/* Returns whether any watched address of a place was executed. */
static bool is_executed(const struct coverage_served *served,
			const struct coverage_plan_place *place)
{
	for (uint32_t i = 0; i < place->watch_count; i++)
		if (coverage_served_executed(served, served->plan.watches[place->first + i]))
			return true;
	return false;
}

/* Records what was executed since the last call, and adds its rows to a snapshot; NULL: none. */
static void take_executed(struct coverage_served *served, struct engine *engine,
			  struct snapshot *snapshot)
{
	struct coverage_plan *plan = &served->plan;
	uint64_t tally = coverage_served_tally(served);

	if (tally == served->tally)
		return;
	served->tally = tally;
	for (size_t i = 0; i < plan->place_count; i++) {
		struct coverage_plan_place *place = &plan->places[i];
		struct coverage_plan_statement *statement = &plan->statements[place->statement];

		if (place->executed || !is_executed(served, place))
			continue;
		place->executed = true;
		if (snapshot)
			add_place(served, i, snapshot);
		if (statement->executed)
			continue;
		statement->executed = true;
		if (snapshot)
			add_statement(served, place->statement, engine, snapshot);
	}
}

/* Adds a row for an object whose statements are unknown, unless it is covered by events. */
static void add_unknown(struct coverage *coverage, const struct coverage_served *served,
			struct engine *engine, struct snapshot *snapshot)
{
	const struct coverage_plan *plan = &served->plan;
	struct record_coverage_program row;

	if (plan->foreign || plan->program_count || !plan->reason ||
	    coverage_events_have(&coverage->events, plan->library, plan->object))
		return;
	row = common_facts(engine, plan);
	row.program = ++coverage->programs;
	row.name = row.object;
	row.partial = 1;
	row.reason = engine_string(engine, plan->reason);
	recordset_add(snapshot_set(snapshot, RECORD_COVERAGE_PROGRAM), &row);
}

/* Notes that no process of the step reported coverage, and why. */
static void note_uncovered(const char *executable, struct engine *engine,
			   struct snapshot *snapshot)
{
	const char *why = executable ? preloading_obstacle(executable) : NULL;

	if (!executable)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3130,
			      "there is no coverage: the process started before the session, so "
			      "vigil-coverage.so is not loaded; start the program with vigil run "
			      "or in a step");
	else if (why)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3130,
			      "there is no coverage: %s %s, so vigil-coverage.so was not loaded",
			      executable, why);
	else
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3130,
			      "there is no coverage: no process of the step reported any; a "
			      "process that changes its user or loses its environment cannot be "
			      "covered");
}

/* Notes what could not be covered. */
static void add_notes(struct coverage *coverage, struct engine *engine, struct snapshot *snapshot)
{
	const struct coverage_area *area = coverage_server_area(coverage->server);

	if (!area->processes)
		note_uncovered(coverage->executable, engine, snapshot);
	if (area->traced)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3131,
			      "%" PRIu64 " processes ran under a debugger and were not covered",
			      area->traced);
	if (area->failed)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3132,
			      "coverage breakpoints could not be set %" PRIu64 " times: statements "
			      "may be missing",
			      area->failed);
	if (area->changed)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3133,
			      "%" PRIu64 " places of statements were not covered: their "
			      "instructions in memory differ from those in the file",
			      area->changed);
	if (area->other_namespaces)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3135,
			      "objects loaded into a namespace of their own (dlmopen), in "
			      "%" PRIu64 " processes, were not covered",
			      area->other_namespaces);
	if (area->lost)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3134,
			      "%" PRIu64 " objects were not covered: the step has too many",
			      area->lost);
}

/* PRODUCER: coverage by breakpoints. */
static enum module_status places_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err UNUSED)
{
	struct coverage *coverage = module->context;
	struct coverage_served *served;

	for (size_t i = 0; (served = coverage_server_object(coverage->server, i)); i++) {
		bool is_new = i == coverage->taken;

		take_executed(served, module->engine, is_new ? NULL : snapshot);
		if (is_new) {
			add_object(coverage, served, module->engine, snapshot);
			coverage->taken++;
		}
	}
	if (snapshot->last)
		add_notes(coverage, module->engine, snapshot);
	return MODULE_OK;
}

/* FILTER: turns events into counts; it comes last, when it is known which objects had events. */
static enum module_status events_init(struct module *module, struct error *err UNUSED)
{
	struct coverage *coverage = module->context;

	coverage_events_init(&coverage->events, module->engine);
	return MODULE_OK;
}

static enum module_status events_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err UNUSED)
{
	struct coverage *coverage = module->context;
	struct coverage_served *served;

	coverage_events_apply(&coverage->events, snapshot);
	if (!snapshot->last)
		return MODULE_OK;
	for (size_t i = 0; i < coverage->taken; i++) {
		served = coverage_server_object(coverage->server, i);
		if (served->plan.statement_count)
			coverage_events_forget(&coverage->events, served->plan.library,
					       served->plan.object);
		else
			add_unknown(coverage, served, module->engine, snapshot);
	}
	coverage_events_put(&coverage->events, snapshot);
	return MODULE_OK;
}

static void events_end(struct module *module)
{
	struct coverage *coverage = module->context;

	coverage_events_release(&coverage->events);
}

static const struct module_class places_class = {
	.name = "COVERAGE",
	.summary = "which statements of the step's programs were executed",
	.capabilities = MODULE_PRODUCER,
	.sync_points = 1u << SYNC_SNAPSHOT,
	.produces = (const struct record_type *const[]){ &record_types[RECORD_COVERAGE_PROGRAM],
							 &record_types[RECORD_COVERAGE_STATEMENT],
							 &record_types[RECORD_COVERAGE_PLACE],
							 &record_types[RECORD_NOTE], NULL },
	.call = places_call,
};

static const struct module_class events_class = {
	.name = "COVERAGE.EVENTS",
	.summary = "counts statement events by statement",
	.capabilities = MODULE_FILTER,
	.sync_points = 1u << SYNC_SNAPSHOT_END,
	.after = (const char *const[]){ "?EVENT.CONSOLIDATION", NULL },
	.init = events_init,
	.call = events_call,
	.end = events_end,
};

int coverage_register(struct coverage *coverage, struct engine *engine, const char *executable,
		      struct error *err)
{
	coverage->executable = executable;
	RETURN_IF(!engine_add(engine, &places_class, coverage, err), -1);
	return engine_add(engine, &events_class, coverage, err) ? 0 : -1;
}
