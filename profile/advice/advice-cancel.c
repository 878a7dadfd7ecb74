/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Subprograms that are called and cancelled again and again: each call loads the
 * unloaded object again, and initializes the program's storage.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "profile/advice/cobol-statements.h"

/* One CANCEL takes microseconds: this many samples in them show a pattern. */
#define MIN_SAMPLES 2

static const char *const loading[] = { "cob_resolve*", "cob_call_field", "_dl_runtime_resolve*", NULL };
static const char *const cancelling[] = { "cob_cancel*", NULL };

enum part {
	PART_ELSE,
	PART_LOADING,
	PART_CANCELLING,
	PART_BEGINNING /* of the called program, before its first statement */
};

struct reloads {
	const struct profile *profile;
	uint64_t samples[PART_BEGINNING + 1];
	struct cobol_statements statements;
	uint64_t *by_statement[PART_CANCELLING + 1]; /* samples of the functions it calls itself */
	uint64_t *kernel; /* by statement: of the kernel, when it is not known through which
			   * calls */
};

/* Returns the part that a frame indicates for the stack it is on. */
static enum part part_of(const struct reloads *reloads, const struct place *place)
{
	const char *name = profile_text(reloads->profile, place->procedure);
	bool cobol = !strcmp(profile_text(reloads->profile, place->function), "COBOL program");

	if (cobol_is_one_of(name, loading))
		return PART_LOADING;
	if (cobol_is_one_of(name, cancelling))
		return PART_CANCELLING;
	return cobol && !place->system && !place->line && strncmp(name, "cob_", 4) &&
			       strcmp(name, "main") != 0
		       ? PART_BEGINNING
		       : PART_ELSE;
}

/* Returns the outermost part on a stack inside its innermost statement. */
static enum part find_part(const struct reloads *reloads, size_t stack)
{
	const struct attribution *attribution = &reloads->profile->attribution;
	enum part found = PART_ELSE;

	for (; stack != ATTRIBUTION_NONE; stack = attribution->parents[stack]) {
		const struct place *place = attribution_place(attribution, stack);
		enum part part = part_of(reloads, place);

		if (place->line && !place->system)
			return found;
		if (part)
			found = part;
	}
	/* The main program begins only once. */
	return PART_ELSE;
}

static void take(struct reloads *reloads, size_t number)
{
	const struct profile_cpu *cpu = &reloads->profile->cpu[number];
	size_t statement = reloads->statements.of[number];
	enum part part = cpu->stack == ATTRIBUTION_NONE ? PART_ELSE : find_part(reloads, cpu->stack);

	const struct place *via = attribution_via(&reloads->profile->attribution, cpu->stack);

	reloads->samples[part] += cpu->count;
	if (statement != ATTRIBUTION_NONE && !part && via &&
	    !strcmp(profile_text(reloads->profile, via->section), ".KERNEL"))
		reloads->kernel[statement] += cpu->count;
	if (statement != ATTRIBUTION_NONE && part <= PART_CANCELLING)
		reloads->by_statement[part][statement] += cpu->count;
}

/* Returns the statement with the most samples of a part; ATTRIBUTION_NONE if none has any. */
static size_t find_heaviest(const struct reloads *reloads, enum part part)
{
	const uint64_t *samples = reloads->by_statement[part];
	size_t most = ATTRIBUTION_NONE;

	for (size_t i = 0; i < reloads->statements.count; i++)
		if (samples[i] && (most == ATTRIBUTION_NONE || samples[i] > samples[most]))
			most = i;
	return most;
}

static void add_row(const struct reloads *reloads, struct advice *advice, enum part part, size_t number)
{
	struct strbuf row = STRBUF_INIT;

	if (number == ATTRIBUTION_NONE)
		return;
	cobol_statement_label(reloads->profile, reloads->statements.items[number].place, &row);
	advice_evidence(advice, "ACE", "%s, %" PRIu64 " CPU samples of %s", row.text,
			reloads->by_statement[part][number],
			part == PART_LOADING ? "loading" : "cancelling");
	strbuf_release(&row);
}

/*
 * Returns the samples of the kernel loading and unloading: for users without
 * kernel stacks they are directly at the statement, which itself hardly calls the
 * kernel.
 */
static uint64_t kernel_samples(const struct reloads *reloads)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < reloads->statements.count; i++)
		if (reloads->by_statement[PART_LOADING][i] + reloads->by_statement[PART_CANCELLING][i])
			samples += reloads->kernel[i];
	return samples;
}

static void add(const struct reloads *reloads, struct advice_search *search)
{
	size_t load = find_heaviest(reloads, PART_LOADING), cancel = find_heaviest(reloads, PART_CANCELLING);
	uint64_t saved = reloads->samples[PART_LOADING] + reloads->samples[PART_CANCELLING] +
			 reloads->samples[PART_BEGINNING] + kernel_samples(reloads);
	struct advice *advice;

	if (reloads->samples[PART_CANCELLING] < MIN_SAMPLES || cancel == ATTRIBUTION_NONE)
		return;
	advice = advice_add_cpu(search, "CANCEL", saved, ADVICE_PLACED_UNKNOWN,
				"Leave CANCEL out, or use it once, after the last call: a program "
				"that stays loaded is called at once. If its WORKING-STORAGE must "
				"be initialized for each call, set the items that matter.");
	if (!advice)
		return;
	advice_what(advice, "a subprogram is called and cancelled again and again");
	advice_where_place(search, advice, reloads->statements.items[cancel].place);
	add_row(reloads, advice, PART_CANCELLING, cancel);
	add_row(reloads, advice, PART_LOADING, load);
}

void advice_cancel(struct advice_search *search)
{
	const struct profile *profile = search->profile;
	struct reloads reloads = { .profile = profile };

	cobol_statements_init(&reloads.statements, profile);
	for (size_t i = 0; i <= PART_CANCELLING; i++)
		reloads.by_statement[i] =
			xcalloc(reloads.statements.count + 1, sizeof(*reloads.by_statement[i]));
	reloads.kernel = xcalloc(reloads.statements.count + 1, sizeof(*reloads.kernel));
	for (size_t i = 0; i < profile->cpu_count; i++)
		take(&reloads, i);
	add(&reloads, search);
	for (size_t i = 0; i <= PART_CANCELLING; i++)
		free(reloads.by_statement[i]);
	free(reloads.kernel);
	cobol_statements_release(&reloads.statements);
}
