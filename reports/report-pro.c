/* SPDX-License-Identifier: Apache-2.0 */
/* Event Properties and Statistics: what was traced and how, and what happened to the events. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/coverage.h"
#include "profile/session-facts.h"
#include "records/record-types.h"
#include "reports/event-columns.h"

static uint64_t number(const struct context *context, const char *key)
{
	return profile_attribute_number(context->profile, key);
}

static void put_count(const struct context *context, struct pair_group *group, const char *id,
		      const char *label, const char *key)
{
	pair_number(group, id, label, COLUMN_NUMBER, number(context, key));
}

/* Returns what the data set contains, in words. */
static const char *form_of(const struct profile *profile)
{
	if (!event_usage_any(profile))
		return "COVERAGE";
	if (!event_usage_has_trace(profile))
		return "CONSOLIDATED";
	return "EVENTS";
}

/* Puts GENERAL INFO: the session. */
static void put_general(const struct context *context, struct pair_group *group)
{
	const struct profile *profile = context->profile;
	const char *data_set = profile_attribute(profile, ATTR_DATA_SET);
	uint64_t wall = number(context, ATTR_START_WALL);
	uint64_t interval = number(context, ATTR_EVENTS_INTERVAL);
	struct strbuf sb = STRBUF_INIT;

	pair_text(group, "program", "PROGRAM", profile_program(profile));
	pair_text(group, "job", "JOB NAME", profile_attribute(profile, ATTR_JOB));
	session_facts_step(profile, &sb);
	pair_text(group, "step", "STEP NAME", sb.text);
	strbuf_reset(&sb);
	if (wall)
		clock_format_wall(&sb, wall);
	pair_text(group, "start", "STARTED", sb.text);
	pair_number(group, "session_ns", "SESSION TIME, MM.SS.HH", COLUMN_TIME,
		    profile_run_time(profile));
	pair_text(group, "host", "SYSTEM", profile_attribute(profile, ATTR_HOST));
	pair_text(group, "vigil_version", "VIGIL VERSION",
		  profile_attribute(profile, ATTR_VERSION));
	pair_text(group, "data_set", "DATA SET", *profile->path ? profile->path : data_set);
	pair_text(group, "form", "DATA SET HOLDS", form_of(profile));
	pair_text(group, "sampled", "CPU SAMPLES",
		  session_facts_is_sampled(profile) ? "TAKEN" : "NOT ASKED FOR");
	pair_text(group, "sources", "EVENT SOURCES",
		  profile_attribute(profile, ATTR_EVENTS_SOURCES));
	if (interval)
		pair_number(group, "interval_ns", "SAMPLING INTERVAL, MS", COLUMN_AVERAGE,
			    interval);
	else
		pair_text(group, "interval_ns", "SAMPLING INTERVAL, MS", "NO SAMPLING");
	strbuf_release(&sb);
}

/* Puts TRACE SESSION: the programs and their events. */
static void put_trace(const struct context *context, struct pair_group *group)
{
	uint64_t total[EVENT_AMOUNTS];

	event_usage_total(context->profile, total);
	put_count(context, group, "offered", "EVENTS OFFERED", ATTR_EVENTS_OFFERED);
	put_count(context, group, "filtered", "  REJECTED BY FILTERS", ATTR_EVENTS_FILTERED);
	put_count(context, group, "sampled_out", "  LEFT OUT BY SAMPLING", ATTR_EVENTS_SAMPLED_OUT);
	if (number(context, ATTR_EVENTS_OVERWRITTEN))
		put_count(context, group, "overwritten", "  OVERWRITTEN BY NEWER ONES",
			  ATTR_EVENTS_OVERWRITTEN);
	pair_number(group, "events", "EVENTS IN THESE REPORTS", COLUMN_NUMBER,
		    total[EVENT_AMOUNT_EVENTS]);
	pair_number(group, "starts", "  PROGRAM STARTS", COLUMN_NUMBER, total[EVENT_AMOUNT_STARTS]);
	pair_number(group, "statements", "  STATEMENTS", COLUMN_NUMBER,
		    total[EVENT_AMOUNT_STATEMENTS]);
	put_count(context, group, "counted", "STATEMENTS COUNTED", ATTR_EVENTS_STATEMENTS);
	put_count(context, group, "pauses", "PAUSES", ATTR_EVENTS_PAUSES);
	pair_number(group, "cpu_ns", "CPU TIME OF EVENTS, MS", COLUMN_AVERAGE,
		    total[EVENT_AMOUNT_CPU]);
	pair_number(group, "elapsed_ns", "ELAPSED TIME OF EVENTS, MS", COLUMN_AVERAGE,
		    total[EVENT_AMOUNT_ELAPSED]);
	pair_number(group, "database_ns", "DATABASE TIME, MS", COLUMN_AVERAGE,
		    total[EVENT_AMOUNT_DATABASE]);
	pair_number(group, "own_cpu_ns", "AGENT'S CPU TIME, NOT COUNTED, MS", COLUMN_AVERAGE,
		    number(context, ATTR_EVENTS_OWN_CPU));
	put_count(context, group, "pool_full", "WAITS FOR A FULL DATA POOL", ATTR_POOL_FULL);
	pair_number(group, "pool_full_ns", "  TIME WAITED, MS", COLUMN_AVERAGE,
		    number(context, ATTR_POOL_FULL_TIME));
	put_count(context, group, "pool_empty_after_full", "DATA POOL EMPTY AFTER FULL",
		  ATTR_POOL_EMPTY_AFTER_FULL);
}

/* Puts COVERAGE: how much there is to execute, and how much was. */
static void put_coverage(const struct context *context, struct pair_group *group)
{
	const struct coverage_sums *sums = &context->profile->coverage;
	const struct coverage_counts *total;
	size_t partial = 0, optimised = 0;
	struct coverage_view view;

	coverage_view_init(&view, sums, COVERAGE_BY_PROGRAM, NULL);
	total = &view.total;
	for (size_t i = 0; i < view.unit_count; i++) {
		partial += view.units[i].partial;
		optimised += view.units[i].optimised;
	}
	pair_number(group, "programs", "PROGRAMS", COLUMN_NUMBER, view.unit_count);
	pair_number(group, "programs_partial", "  COVERED IN PART", COLUMN_NUMBER, partial);
	pair_number(group, "programs_optimised", "  COMPILED WITH OPTIMISATION", COLUMN_NUMBER,
		    optimised);
	pair_number(group, "statements", "STATEMENTS", COLUMN_NUMBER, total->statements);
	pair_number(group, "statements_executed", "  EXECUTED", COLUMN_NUMBER,
		    total->statements_executed);
	pair_real(group, "statements_percent", "  EXECUTED, PERCENT",
		  coverage_statement_percent(total));
	pair_number(group, "lines", "LINES", COLUMN_NUMBER, total->lines);
	pair_number(group, "lines_missed", "  MISSED", COLUMN_NUMBER,
		    total->lines - total->lines_executed);
	pair_number(group, "lines_partly", "  EXECUTED IN PART", COLUMN_NUMBER,
		    total->lines_partly);
	pair_number(group, "procedures", "PROCEDURES", COLUMN_NUMBER, total->procedures);
	pair_number(group, "procedures_never", "  NEVER EXECUTED", COLUMN_NUMBER,
		    total->procedures - total->procedures_executed);
	pair_number(group, "places", "PLACES WATCHED", COLUMN_NUMBER, total->places);
	pair_number(group, "places_executed", "  EXECUTED", COLUMN_NUMBER, total->places_executed);
	coverage_view_release(&view);
}

/* Puts MONITOR SESSION: the reader of the pool and writer of the data set. */
static void put_monitor(const struct context *context, struct pair_group *group)
{
	const struct profile *profile = context->profile;
	uint64_t total[EVENT_AMOUNTS];

	event_usage_total(profile, total);
	pair_number(group, "pool_bytes", "DATA POOL, BYTES", COLUMN_BYTES,
		    number(context, ATTR_POOL_SIZE));
	pair_number(group, "pool_most_bytes", "  USED AT MOST, BYTES", COLUMN_BYTES,
		    number(context, ATTR_POOL_MAX));
	pair_number(group, "pool_read_bytes", "READ FROM THE POOL, BYTES", COLUMN_BYTES,
		    number(context, ATTR_POOL_READ));
	pair_number(group, "snapshots", "SNAPSHOTS", COLUMN_NUMBER, profile->snapshots);
	pair_number(group, "sites", "PLACES OF EVENTS", COLUMN_NUMBER, profile->event_sites.count);
	pair_number(group, "sums", "CONSOLIDATED RECORDS", COLUMN_NUMBER, profile->events.count);
	pair_number(group, "events_kept", "EVENT RECORDS", COLUMN_NUMBER,
		    event_usage_has_trace(profile) ? total[EVENT_AMOUNT_EVENTS] : 0);
	pair_number(group, "data_set_bytes", "DATA SET, BYTES", COLUMN_BYTES, profile->file_bytes);
	pair_number(group, "own_cpu_ns", "VIGIL'S OWN CPU TIME, MS", COLUMN_AVERAGE,
		    number(context, ATTR_OVERHEAD_CPU));
}

/* Adds notes on the effects of a full pool and of sampling on the figures. */
static void put_notes(const struct context *context, struct document *document)
{
	if (number(context, ATTR_POOL_EMPTY_AFTER_FULL))
		document_note(document, SEVERITY_WARNING, 6502,
			      "the data pool was full and then empty %" PRIu64
			      " times: programs and monitor waited for each other; a larger "
			      "PDPSIZE makes the step faster",
			      number(context, ATTR_POOL_EMPTY_AFTER_FULL));
	if (number(context, ATTR_EVENTS_INTERVAL))
		document_note(document, SEVERITY_INFO, 6503,
			      "the events were sampled: CPU times are estimates, and counts, "
			      "elapsed and database times are those of the events that are left");
}

static void name_group(struct pair_group *group, const char *id, const char *title)
{
	group->id = id;
	group->title = title;
}

static void build(struct context *context, struct document *document)
{
	const char *filters = profile_attribute(context->profile, ATTR_EVENTS_FILTERS);
	bool coverage = coverage_any(&context->profile->coverage);
	bool events = event_usage_any(context->profile);
	struct pair_group *groups;

	if (!coverage && event_list_none(context, document))
		return;
	groups = document_pairs(document, 3);
	name_group(&groups[0], "general", "GENERAL INFO");
	name_group(&groups[1], events ? "trace_session" : "coverage",
		   events ? "TRACE SESSION" : "COVERAGE");
	name_group(&groups[2], "monitor_session", "MONITOR SESSION");
	put_general(context, &groups[0]);
	if (events)
		put_trace(context, &groups[1]);
	else
		put_coverage(context, &groups[1]);
	put_monitor(context, &groups[2]);
	if (events && coverage) {
		groups = document_pairs(document, 1);
		name_group(groups, "coverage", "COVERAGE");
		put_coverage(context, groups);
	}
	groups = document_pairs(document, 1);
	groups->id = "filters";
	groups->title = "";
	pair_text(groups, "filters", "FILTERS", *filters ? filters : "NONE");
	put_notes(context, document);
}

const struct report_class report_pro = { "PRO", "Event Properties and Statistics", build,
					 REPORT_OF_EITHER };
