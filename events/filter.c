/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which events are kept. */
#include "common/compat.h"
#include "events/filter.h"
#include "agent/event-filter-area.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "events/run-time.h"

#define TYPE(type) (UINT64_C(1) << (type))

void event_filter_init(struct event_filter *filter, const struct event_request *request,
		       struct event_sites *sites)
{
	*filter = (struct event_filter){ .request = request, .sites = sites };
}

void event_filter_release(struct event_filter *filter)
{
	free(filter->decided);
}

static bool is_wanted(const struct event_request *request, unsigned type)
{
	return !request->types || request->types & TYPE(type);
}

/* Copies program filters into the agent's format; returns false if they do not fit. */
static bool share_programs(const struct event_request *request, struct event_area *area)
{
	if (request->program_count > EVENT_FILTERS)
		return false;
	for (size_t i = 0; i < request->program_count; i++) {
		const struct event_program_filter *from = &request->programs[i];
		const char *library = from->library ? from->library : "";
		const char *program = from->program ? from->program : "";

		if (strlen(library) >= EVENT_PATTERN || strlen(program) >= EVENT_PATTERN)
			return false;
		memcpy(area->filters[i].library, library, strlen(library) + 1);
		memcpy(area->filters[i].program, program, strlen(program) + 1);
		area->filters[i].line_from = from->line_from;
		area->filters[i].line_to = from->line_to;
	}
	return true;
}

_Static_assert(EVENT_CALL_PATTERNS == EVENT_CALLS, "both sides have the same number of patterns");

/* Copies patterns of calls into the agent's format; those that do not fit were rejected earlier. */
static void share_calls(const struct event_request *request, struct event_area *area)
{
	if (!is_wanted(request, EVENT_CB) && !is_wanted(request, EVENT_CA))
		return;
	for (size_t i = 0; i < request->call_count && i < EVENT_CALLS; i++) {
		const struct event_call_pattern *from = &request->calls[i];
		struct event_call_area *to = &area->calls[area->call_count++];

		snprintf(to->library, sizeof(to->library), "%s", from->library);
		snprintf(to->function, sizeof(to->function), "%s", from->function);
	}
}

void event_filter_share(const struct event_request *request, struct event_area *area)
{
	/* Types of events whose program may be that of the active function. */
	uint64_t of_programs = ~(TYPE(EVENT_SI) | TYPE(EVENT_ST) | TYPE(EVENT_MP) | TYPE(EVENT_PL) |
				 TYPE(EVENT_PP) | TYPE(EVENT_NS) | TYPE(EVENT_KF) | TYPE(EVENT_KX) |
				 TYPE(EVENT_KT) | TYPE(EVENT_KE) | TYPE(EVENT_KP) | TYPE(EVENT_KS) |
				 TYPE(EVENT_MB));

	area->statements = request->statements == EVENT_STATEMENTS_ON	   ? EVENT_AREA_WRITE
			   : request->statements == EVENT_STATEMENTS_COUNT ? EVENT_AREA_COUNT
									   : 0;
	area->sections = is_wanted(request, EVENT_PP);
	area->functions = !request->types || request->types & of_programs;
	area->run_time = request->run_time;
	area->database = is_wanted(request, EVENT_DB) || is_wanted(request, EVENT_DA);
	area->spawns = is_wanted(request, EVENT_KP);
	area->signals = is_wanted(request, EVENT_KS);
	area->threads = is_wanted(request, EVENT_KT) || is_wanted(request, EVENT_KE) ||
			is_wanted(request, EVENT_KF);
	share_calls(request, area);
	area->filter_count = share_programs(request, area) ? request->program_count : 0;
	event_area_set_gate(area);
}

/*
 * ns of tolerance: limit of the comparison of the monitor's and the programs'
 * clocks, and of the delay until a session's start takes effect.
 */
#define EARLY (10 * NSEC_PER_MSEC)

void event_filter_begin(struct event_filter *filter, struct event_pool *pool, uint64_t now)
{
	const struct event_request *request = filter->request;

	filter->start = now;
	if (request && request->time_from > EARLY)
		pool->area->from = event_pool_ticks(pool, now + request->time_from - EARLY);
}

bool event_filter_over(struct event_filter *filter, struct event_area *area, uint64_t now)
{
	const struct event_request *request = filter->request;
	uint64_t since = now > filter->start ? now - filter->start : 0;
	bool over = request && ((request->count_to && filter->passed >= request->count_to) ||
				(request->time_to && since > request->time_to));

	if (!over || filter->over)
		return false;
	filter->over = true;
	area->sections = 0;
	area->statements = 0;
	area->functions = 0;
	event_area_set_gate(area);
	return true;
}

/* Returns whether a filter's library and program match. */
static bool fits(const struct event_program_filter *filter, const struct event_program *program)
{
	return event_filter_matches(filter->library ? filter->library : "",
				 filter->program ? filter->program : "", program->library,
				 program->name);
}

/* Returns whether a program's object belongs to a run time rather than to the application. */
static bool is_run_time(const struct event_program *program)
{
	return event_is_run_time(program->object) || event_filter_python_folder(program->library) ||
	       event_pattern_matches("<frozen*", program->object);
}

/* Decides on a program, ignoring lines. */
static bool decide(const struct event_filter *filter, const struct event_program *program)
{
	const struct event_request *request = filter->request;

	if (!request->run_time && is_run_time(program))
		return false;
	for (size_t i = 0; i < request->program_count; i++)
		if (fits(&request->programs[i], program))
			return true;
	return request->program_count == 0;
}

bool event_filter_function(const struct event_request *request, const char *library,
			   const char *object, const char *name)
{
	const struct event_filter filter = { .request = request };
	const struct event_program program = { .library = (char *)(uintptr_t)library,
					       .object = (char *)(uintptr_t)object,
					       .name = (char *)(uintptr_t)name };

	return decide(&filter, &program);
}

bool event_filter_load(const struct event_filter *filter, const char *path)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;

	if (event_pattern_matches("vigil-*.so", file))
		return false;
	return !filter->request || filter->request->run_time || !event_is_run_time(file);
}

bool event_filter_blocks(const struct event_filter *filter)
{
	return filter->request && filter->request->program_count > 0;
}

bool event_filter_program(struct event_filter *filter, uint32_t program)
{
	const struct event_program *facts = event_sites_at(filter->sites, program);
	size_t before = filter->decided_alloc;

	if (!filter->request || !facts)
		return !filter->request || filter->request->program_count == 0;
	GROW(filter->decided, (size_t)program + 1, filter->decided_alloc);
	if (filter->decided_alloc > before)
		memset(filter->decided + before, EVENT_PROGRAM_UNDECIDED,
		       filter->decided_alloc - before);
	if (filter->decided[program] == EVENT_PROGRAM_UNDECIDED)
		filter->decided[program] =
			decide(filter, facts) ? EVENT_PROGRAM_PASSES : EVENT_PROGRAM_BLOCKED;
	return filter->decided[program] == EVENT_PROGRAM_PASSES;
}

/*
 * Returns whether the line of a statement, section or paragraph is in the range of
 * a filter that matches its program.
 */
static bool line_passes(const struct event_filter *filter, uint32_t program, uint64_t line)
{
	const struct event_request *request = filter->request;
	const struct event_program *facts = event_sites_at(filter->sites, program);

	for (size_t i = 0; facts && i < request->program_count; i++) {
		const struct event_program_filter *one = &request->programs[i];

		if (line >= one->line_from && (!one->line_to || line <= one->line_to) &&
		    fits(one, facts))
			return true;
	}
	return request->program_count == 0;
}

/* Returns whether the filters of programs, lines and times keep an event. */
static bool passes(struct event_filter *filter, unsigned type, uint32_t program, uint64_t line,
		   uint64_t time)
{
	const struct event_request *request = filter->request;
	uint64_t since = time > filter->start ? time - filter->start : 0;

	return event_filter_program(filter, program) &&
	       ((type != EVENT_NS && type != EVENT_PP) || line_passes(filter, program, line)) &&
	       since >= request->time_from && (!request->time_to || since <= request->time_to);
}

enum event_verdict event_filter_judge(struct event_filter *filter, unsigned type, uint32_t program,
				      uint64_t line, uint64_t time)
{
	const struct event_request *request = filter->request;

	if (!request)
		return EVENT_KEPT;
	if (!is_wanted(request, type)) {
		filter->rejected++;
		return EVENT_TYPE_REJECTED;
	}
	if (!passes(filter, type, program, line, time)) {
		filter->rejected++;
		return EVENT_BLOCKED_HERE;
	}
	filter->passed++;
	if (filter->passed >= request->count_from &&
	    (!request->count_to || filter->passed <= request->count_to))
		return EVENT_KEPT;
	filter->rejected++;
	return EVENT_BLOCKED_HERE;
}
