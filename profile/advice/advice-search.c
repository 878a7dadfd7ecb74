/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the rules that search for faults. */
#include "common/compat.h"
#include "profile/advice/advice-search.h"
#include "common/clock.h"
#include "common/margin.h"
#include "common/xalloc.h"
#include "profile/session-facts.h"
#include "records/record-types.h"

#include <math.h>
#include <stdarg.h>

bool advice_is_reportable(const struct advice_search *search, double saves, double margin)
{
	const struct profile_step *step = &search->profile->step;
	uint64_t own = step->exec + step->wait;

	/* While other work uses the processors, the program's faults take no time. */
	return saves - margin > 0 &&
	       saves - margin >= (double)(own ? own : search->run) * ADVICE_MIN_PERCENT / 100;
}

struct advice *advice_add(struct advice_search *search, const char *code, double saves, double margin,
			  const char *change)
{
	struct advice_list *found = search->found;
	struct advice *advice;

	RETURN_IF(!advice_is_reportable(search, saves, margin), NULL);
	GROW(found->items, found->count + 1, found->alloc);
	advice = &found->items[found->count++];
	*advice = (struct advice){ .code = code,
				   .change = change,
				   .saves = (uint64_t)saves,
				   .margin = (uint64_t)margin,
				   .what = xstrdup(""),
				   .where = xstrdup("") };
	return advice;
}

/* Replaces a text. */
static void put(char **text, const char *format, va_list arguments)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_vaddf(&sb, format, arguments);
	free(*text);
	*text = strbuf_detach(&sb, NULL);
}

void advice_what(struct advice *advice, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put(&advice->what, format, arguments);
	va_end(arguments);
}

void advice_where(struct advice *advice, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put(&advice->where, format, arguments);
	va_end(arguments);
}

void advice_evidence(struct advice *advice, const char *report, const char *format, ...)
{
	struct advice_evidence *evidence;
	va_list arguments;

	GROW(advice->evidence, advice->evidence_count + 1, advice->evidence_alloc);
	evidence = &advice->evidence[advice->evidence_count++];
	*evidence = (struct advice_evidence){ .report = report };
	va_start(arguments, format);
	put(&evidence->row, format, arguments);
	va_end(arguments);
}

void advice_where_wait(const struct advice_search *search, struct advice *advice, const uint64_t *key)
{
	const struct profile *profile = search->profile;
	const char *section = profile_text(profile, key[ADVICE_SECTION]);
	const char *procedure = profile_text(profile, key[ADVICE_PROCEDURE]);
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, *section ? section : profile_text(profile, key[ADVICE_MODULE]));
	if (*procedure)
		strbuf_addf(&sb, ": %s", procedure);
	if (key[ADVICE_LINE])
		strbuf_addf(&sb, " line %" PRIu64, key[ADVICE_LINE]);
	if (key[ADVICE_LINE] && key[ADVICE_OTHER_FILE] && *profile_text(profile, key[ADVICE_OTHER_FILE]))
		strbuf_addf(&sb, " of %s", profile_text(profile, key[ADVICE_OTHER_FILE]));
	advice_where(advice, "%s", sb.text);
	strbuf_release(&sb);
}

void advice_where_place(const struct advice_search *search, struct advice *advice,
			const struct place *place)
{
	const uint64_t key[ADVICE_WAIT_KEYS] = { [ADVICE_MODULE] = place->module,
						 [ADVICE_SECTION] = place->section,
						 [ADVICE_PROCEDURE] = place->procedure,
						 [ADVICE_LINE] = place->line,
						 [ADVICE_OTHER_FILE] = place->other_file };

	advice_where_wait(search, advice, key);
}

/*
 * Returns the margin of a share of the CPU time, in percentage points. Estimated kernel
 * samples that no look has placed, as in a profile of an earlier version, are where the
 * other samples are: they add no information on who called the kernel.
 */
static double margin_of(const struct profile *profile, uint64_t samples, uint64_t placed)
{
	struct margin_basis basis = profile->basis;

	if (basis.variance <= 0 && basis.all > 0)
		basis.observed *= 1 - basis.placed / basis.all;
	return 100 * (placed == ADVICE_PLACED_UNKNOWN ? margin_of_any_row(&basis, (double)samples)
						      : margin_of_row(&basis, (double)samples, (double)placed));
}

struct advice *advice_add_cpu(struct advice_search *search, const char *code, uint64_t samples,
			      uint64_t placed, const char *change)
{
	const struct profile *profile = search->profile;
	double all = (double)session_facts_sampled(profile, profile->samples);
	double margin = margin_of(profile, samples, placed) / 100 * all;
	double saves = (double)session_facts_sampled(profile, samples);

	return advice_add(search, code, saves > (double)search->run ? (double)search->run : saves,
			  margin, change);
}

double advice_wait_margin(const struct advice_search *search, const uint64_t *amounts)
{
	double total = (double)amounts[ADVICE_TOTAL];

	if (amounts[ADVICE_TOTAL] >= search->profile->total_wait || total <= 0)
		return 0;
	return MARGIN_DEVIATIONS * 1000 * sqrt((double)amounts[ADVICE_VARIANCE]) *
	       (double)amounts[ADVICE_CHARGED] / total;
}

void advice_wait_row(struct strbuf *sb, const uint64_t *amounts)
{
	uint64_t count = amounts[ADVICE_COUNT];

	strbuf_addf(sb, "%" PRIu64 " waits of ", count);
	clock_format_duration(sb, count ? amounts[ADVICE_TOTAL] / count : 0);
	strbuf_addstr(sb, ", ");
	clock_format_duration(sb, amounts[ADVICE_CHARGED]);
	strbuf_addstr(sb, " of the run");
}
