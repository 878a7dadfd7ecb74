/* SPDX-License-Identifier: Apache-2.0 */
/* A process for each record: many short children of one program, one after the other. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "profile/advice/advice-search.h"
#include "profile/session-facts.h"
#include "records/record-types.h"

/* This many children of one program indicate a loop. */
#define MIN_CHILDREN 50
/* A child that lives longer does useful work itself. */
#define SHORT_LIFE (200 * NSEC_PER_MSEC)

/* The children of one program, sorted by start. */
struct children {
	const struct record_process **items;
	size_t count;
};

static int compare(const void *first, const void *second)
{
	const struct record_process *const *a = first, *const *b = second;

	if ((*a)->program != (*b)->program)
		return (*a)->program < (*b)->program ? -1 : 1;
	return (*a)->start < (*b)->start ? -1 : (*a)->start > (*b)->start;
}

/* Returns the ns during which at least one of them lived. */
static uint64_t lived(const struct record_process *const *items, size_t count)
{
	uint64_t until = 0, sum = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t start = items[i]->start > until ? items[i]->start : until;

		if (items[i]->end <= start)
			continue;
		sum += items[i]->end - start;
		until = items[i]->end;
	}
	return sum;
}

/* Returns whether a program only runs scripts: then its start-up work is the same each time. */
static bool is_interpreter(const char *program)
{
	static const char *const names[] = { "python", "perl", "ruby", "node", "java", "php" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(program, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Returns whether a function of the C library creates processes. */
static bool makes_processes(const char *function)
{
	return strstr(function, "fork") || strstr(function, "Fork") || strstr(function, "clone") ||
	       strstr(function, "spawn") || !strcmp(function, "system") || !strcmp(function, "popen");
}

/* Returns the CPU samples of creating processes, in the tasks that do it. */
static uint64_t making(const struct profile *profile)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct place *via =
			attribution_via(&profile->attribution, profile->cpu[i].stack);

		if (via && makes_processes(profile_text(profile, via->procedure)))
			samples += profile->cpu[i].count;
	}
	return samples;
}

/* Adds advice on one program's children, as their part of all that were created. */
static void add_program(struct advice_search *search, const struct record_process *const *items,
			size_t count, double part)
{
	const char *program = profile_text(search->profile, items[0]->program);
	bool interpreter = is_interpreter(program);
	uint64_t time = lived(items, count), samples = making(search->profile);
	double made = (double)session_facts_sampled(search->profile, samples) * part;
	double margin = profile_share_margin(search->profile,
					     profile_cpu_percent(search->profile, samples)) /
			100 * (double)session_facts_sampled(search->profile, search->profile->samples) * part;
	double saves = (double)time + made;
	struct strbuf length = STRBUF_INIT;
	struct advice *advice;

	if (count < MIN_CHILDREN || time / count > SHORT_LIFE)
		return;
	saves = saves > (double)search->run ? (double)search->run : saves;
	advice = advice_add(
		search, interpreter ? "INTERPRETER-START" : "CHILDREN", saves, margin,
		interpreter ? "Start the interpreter once and pass it all records: on its standard "
			      "input, or in a file."
			    : "Do the work in the program itself, or start the child once and pass "
			      "it all records.");
	clock_format_duration(&length, time / count);
	if (advice) {
		advice_what(advice,
			    interpreter ? "%s is started %zu times, for %s each"
					: "a process of %s is started %zu times, for %s each",
			    program, count, length.text);
		advice_where(advice, "%s", program);
		advice_evidence(advice, "MSD", "PROCESSES %zu of %s", count, program);
	}
	strbuf_release(&length);
}

void advice_children(struct advice_search *search)
{
	const struct id_table *table = &search->profile->processes;
	const struct record_process **items = xcalloc(table->count + 1, sizeof(*items));
	size_t count = 0, first = 0, made = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct record_process *process = id_table_at(table, i);

		made += process->parent != 0;

		/* A child that only forks is part of the program. */
		if (process->parent && process->end && process->execs)
			items[count++] = process;
	}
	qsort(items, count, sizeof(*items), compare);
	for (size_t i = 1; i <= count; i++)
		if (i == count || items[i]->program != items[first]->program) {
			add_program(search, items + first, i - first,
				    (double)(i - first) / (double)made);
			first = i;
		}
	free(items);
}
