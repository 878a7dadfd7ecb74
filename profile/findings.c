/* SPDX-License-Identifier: Apache-2.0 */
/* Where to look first. */
#include "common/compat.h"
#include "profile/findings.h"
#include "common/xalloc.h"
#include "profile/event-usage.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "profile/share.h"
#include "profile/usage.h"
#include "records/record-types.h"

static struct finding *add(struct findings *findings)
{
	struct finding *finding;

	GROW(findings->items, findings->count + 1, findings->alloc);
	finding = &findings->items[findings->count++];
	memset(finding, 0, sizeof(*finding));
	return finding;
}

/* Appends the line of a statement, with its file if that is not the section's main source. */
static void add_line(const char *other_file, uint64_t line, struct strbuf *sb)
{
	strbuf_addf(sb, " line %" PRIu64, line);
	if (*other_file)
		strbuf_addf(sb, " of %s", other_file);
}

/* Adds the CPU time charged to one statement. */
static void add_statement(struct findings *findings, const struct profile *profile,
			  const uint64_t *key, uint64_t samples, double cpu_time)
{
	const char *text = profile_text(profile, key[USAGE_TEXT]);
	const char *section = profile_text(profile, key[USAGE_SECTION]);
	struct finding *finding = add(findings);
	struct strbuf what = STRBUF_INIT, where = STRBUF_INIT;
	double run = (double)profile_run_time(profile);

	finding->kind = FINDING_CPU;
	finding->cpu_percent = profile_cpu_percent(profile, samples);
	finding->run_percent = run > 0 ? finding->cpu_percent * cpu_time / run : 0;
	usage_label(profile, key, &what);
	if (key[USAGE_LINE])
		add_line(profile_text(profile, key[USAGE_OTHER_FILE]), key[USAGE_LINE], &what);
	strbuf_addstr(&where, *section ? section : profile_text(profile, key[USAGE_MODULE]));
	text += strspn(text, " \t");
	if (*text)
		strbuf_addf(&where, ": %s", text);
	finding->module = profile_text(profile, key[USAGE_MODULE]);
	finding->what = strbuf_detach(&what, NULL);
	finding->where = strbuf_detach(&where, NULL);
}

/* Appends the program's statement that caused most of the waits for a reason without a file. */
static void add_waiter(const struct profile *profile, uint64_t reason, struct strbuf *sb)
{
	enum { PROCEDURE, OFFSET, LINE, SECTION, MODULE, OTHER_FILE, KEYS };
	const uint64_t *key;
	struct sums sums;

	sums_init(&sums, KEYS, 1);
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const struct place *caller = attribution_caller(&profile->attribution, wait->stack);

		if (wait->reason == reason && !wait->file && caller)
			*sums_at(&sums, (const uint64_t[]){ caller->procedure,
							    caller->procedure ? 0 : caller->offset,
							    caller->line, caller->section,
							    caller->module, caller->other_file }) +=
				wait->charged;
	}
	sums_sort_falling(&sums, 0, NULL, NULL);
	if (sums.keys.count) {
		key = sums_key(&sums, sums.order[0]);
		strbuf_addstr(sb, profile_text(profile, key[key[SECTION] ? SECTION : MODULE]));
		strbuf_addstr(sb, ": ");
		if (key[PROCEDURE])
			strbuf_addstr(sb, profile_text(profile, key[PROCEDURE]));
		else
			strbuf_addf(sb, "+%" PRIX64, key[OFFSET]);
		if (key[LINE])
			add_line(profile_text(profile, key[OTHER_FILE]), key[LINE], sb);
	}
	sums_release(&sums);
}

static void add_wait(struct findings *findings, const struct profile *profile, const uint64_t *key,
		     uint64_t charged)
{
	struct finding *finding = add(findings);
	struct strbuf what = STRBUF_INIT, where = STRBUF_INIT;

	finding->kind = FINDING_WAIT;
	finding->run_percent = profile_run_percent(profile, charged);
	label_wait(profile, key[0], key[1], &what);
	finding->what = strbuf_detach(&what, NULL);
	if (key[1])
		strbuf_addstr(&where, label_data_set(profile, key[1]));
	else if (key[0] == WAIT_DISPATCH)
		strbuf_addstr(&where, "other work used the processors");
	else if (key[0] == WAIT_VIGIL)
		strbuf_addstr(&where, "vigil's own wait, for space or an answer: use a larger "
			"PDPSIZE, or fewer events");
	else
		add_waiter(profile, key[0], &where);
	finding->where = strbuf_detach(&where, NULL);
}

/* Adds a place with much of the elapsed time of events. */
static void add_place(struct findings *findings, const struct profile *profile,
		      enum event_view view, const uint64_t *key, const uint64_t *amounts)
{
	uint64_t total[EVENT_AMOUNTS];
	struct finding *finding = add(findings);
	struct strbuf what = STRBUF_INIT;
	const char *where = profile_text(profile, key[1]);

	event_usage_total(profile, total);
	finding->kind = FINDING_CPU;
	finding->cpu_percent =
		share_percent((double)amounts[EVENT_AMOUNT_CPU], (double)total[EVENT_AMOUNT_CPU]);
	finding->run_percent = profile_run_percent(profile, amounts[EVENT_AMOUNT_ELAPSED]);
	strbuf_addstr(&what, profile_text(profile, key[0]));
	if (view == EVENT_VIEW_LINES) {
		strbuf_addf(&what, " line %" PRIu64, key[EVENT_LINE_NUMBER]);
		where = profile_text(profile, key[EVENT_LINE_FILE]);
	}
	finding->what = strbuf_detach(&what, NULL);
	finding->where = xstrdup(where);
}

/* Adds the lines, or programs if events have no lines, with the most elapsed time. */
static void add_places(struct findings *findings, const struct profile *profile, size_t limit)
{
	const struct event_selection all = { 0 };
	enum event_view view = EVENT_VIEW_LINES;
	struct sums sums;

	event_usage_sum(profile, view, &all, &sums);
	if (!sums.keys.count) {
		sums_release(&sums);
		view = EVENT_VIEW_PROGRAMS;
		event_usage_sum(profile, view, &all, &sums);
	}
	sums_sort_falling(&sums, EVENT_AMOUNT_ELAPSED, NULL, NULL);
	for (size_t i = 0; i < sums.keys.count && i < limit; i++)
		add_place(findings, profile, view, sums_key(&sums, sums.order[i]),
			  sums_values(&sums, sums.order[i]));
	sums_release(&sums);
}

/* Adds the statements charged with the most CPU time. */
static void add_statements(struct findings *findings, const struct profile *profile, size_t limit)
{
	double cpu_time = (double)session_facts_sampled(profile, profile->samples);
	struct usage usage;

	usage_init(&usage, profile, USAGE_RESOLUTION);
	sums_sort_falling(&usage.rows, USAGE_CHARGED, NULL, NULL);
	for (size_t i = 0; i < usage.rows.keys.count && i < limit; i++) {
		uint64_t charged = sums_values(&usage.rows, usage.rows.order[i])[USAGE_CHARGED];

		if (charged)
			add_statement(findings, profile, sums_key(&usage.rows, usage.rows.order[i]),
				      charged, cpu_time);
	}
	usage_release(&usage);
}

/* Adds the largest waits by reason and file. */
static void add_waits(struct findings *findings, const struct profile *profile, size_t limit)
{
	struct sums sums;

	sums_init(&sums, 2, 1);
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];

		*sums_at(&sums, (const uint64_t[]){ wait->reason, wait->file }) += wait->charged;
	}
	sums_sort_falling(&sums, 0, NULL, NULL);
	for (size_t i = 0; i < sums.keys.count && i < limit; i++)
		add_wait(findings, profile, sums_key(&sums, sums.order[i]),
			 *sums_values(&sums, sums.order[i]));
	sums_release(&sums);
}

static int compare_findings(const void *first, const void *second)
{
	const struct finding *a = first, *b = second;

	if (a->run_percent < b->run_percent)
		return 1;
	if (a->run_percent > b->run_percent)
		return -1;
	return strcmp(a->what, b->what);
}

static void drop_last(struct findings *findings)
{
	struct finding *last = &findings->items[--findings->count];

	free(last->what);
	free(last->where);
}

/* Returns whether a finding of another module looks the same. */
static bool has_twin(const struct findings *findings, size_t number)
{
	const struct finding *one = &findings->items[number];

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *other = &findings->items[i];

		if (one->module && other->module && strcmp(one->module, other->module) != 0 &&
		    strcmp(one->what, other->what) == 0 && strcmp(one->where, other->where) == 0)
			return true;
	}
	return false;
}

/* Adds the module to findings that look the same. */
static void show_modules(struct findings *findings)
{
	char **apart = xcalloc(findings->count + 1, sizeof(*apart));

	for (size_t i = 0; i < findings->count; i++) {
		struct strbuf where = STRBUF_INIT;

		if (!has_twin(findings, i))
			continue;
		strbuf_addf(&where, "%s, %s", findings->items[i].module, findings->items[i].where);
		apart[i] = strbuf_detach(&where, NULL);
	}
	for (size_t i = 0; i < findings->count; i++) {
		if (!apart[i])
			continue;
		free(findings->items[i].where);
		findings->items[i].where = apart[i];
	}
	free(apart);
}

void findings_init(struct findings *findings, const struct profile *profile, size_t limit)
{
	memset(findings, 0, sizeof(*findings));
	if (!profile->cpu_count && !profile->wait_count && event_usage_any(profile))
		add_places(findings, profile, limit);
	add_statements(findings, profile, limit);
	add_waits(findings, profile, limit);
	if (findings->count)
		qsort(findings->items, findings->count, sizeof(*findings->items), compare_findings);
	while (findings->count &&
	       (findings->count > limit || findings->items[findings->count - 1].run_percent < 1))
		drop_last(findings);
	show_modules(findings);
}

void findings_release(struct findings *findings)
{
	while (findings->count)
		drop_last(findings);
	free(findings->items);
	memset(findings, 0, sizeof(*findings));
}
