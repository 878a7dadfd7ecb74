/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two sides. */
#include "common/compat.h"
#include "profile/comparison.h"
#include "common/xalloc.h"
#include "profile/comparison-data.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "records/record-types.h"

#include <math.h>

/* Returns how messages call a run that a comparison rejects or comments on. */
static const char *called(const struct profile *profile)
{
	return *profile->path ? profile->path : profile_program(profile);
}

/* Returns 0 if the runs can be compared at all, else -1 with the reason in err. */
static int check_runs(const struct comparison_table *table, struct error *err)
{
	const struct profile *first = table->runs[0];

	for (size_t i = 0; i < table->run_count; i++) {
		const struct profile *profile = table->runs[i];

		if (!session_facts_is_sampled(profile))
			return error_set(err,
					 "%s has events or coverage only: a comparison needs a "
					 "session with samples",
					 called(profile));
		if (!profile->samples && !profile->wait_count)
			return error_set(err, "%s has neither samples nor waits", called(profile));
		if (!table->request->any_program &&
		    strcmp(profile_program(first), profile_program(profile)) != 0)
			return error_set(err,
					 "%s is of program %s, %s of program %s: different "
					 "programs have nothing in common that could be compared",
					 called(first), profile_program(first), called(profile),
					 profile_program(profile));
	}
	return 0;
}

/* Returns whether the runs are from different machines; notes say what differs. */
static bool note_machines(const struct comparison_table *table, struct note_list *notes)
{
	static const struct {
		const char *key, *what;
		bool other_machine;
	} facts[] = {
		{ ATTR_CPU_MODEL, "processors", true },
		{ ATTR_HOST, "hosts", true },
		{ ATTR_CPUS, "numbers of processors", false },
		{ ATTR_KERNEL, "kernels", false },
		{ ATTR_PRIVILEGE, "measurement methods", false },
	};
	bool other = false;

	for (size_t fact = 0; fact < ARRAY_SIZE(facts); fact++) {
		const char *first = profile_attribute(table->runs[0], facts[fact].key);

		for (size_t i = 1; i < table->run_count; i++) {
			const char *one = profile_attribute(table->runs[i], facts[fact].key);

			if (strcmp(first, one) == 0)
				continue;
			note_list_add(notes, SEVERITY_WARNING,
				      facts[fact].other_machine ? 6662 : 6663,
				      "the runs had different %s (%s; %s)%s", facts[fact].what,
				      *first ? first : "not known", *one ? one : "not known",
				      facts[fact].other_machine
					      ? ": only differences beyond the factor of the whole "
						"run can be attributed to the program"
					      : "");
			other |= facts[fact].other_machine;
			break;
		}
	}
	return other;
}

static void note_runs(const struct comparison_table *table, struct note_list *notes)
{
	for (size_t i = 0; i < table->run_count; i++) {
		const struct profile *profile = table->runs[i];

		if (profile->samples < SESSION_FEW_SAMPLES)
			note_list_add(notes, SEVERITY_WARNING, 6664,
				      "%s has only %" PRIu64
				      " samples: only large differences of CPU time can be seen",
				      called(profile), profile->samples);
		if (!session_facts_is_complete(profile))
			note_list_add(notes, SEVERITY_WARNING, 6665,
				      "%s is incomplete: what is missing looks like a difference",
				      called(profile));
	}
}

/* Fills in the facts of the sides. */
static void fill_sides(const struct comparison_table *table, struct comparison *comparison)
{
	for (size_t i = 0; i < table->run_count; i++) {
		enum comparison_side side = comparison_side_of(table, i);
		double runs = (double)table->request->run_counts[side];
		const struct profile *profile = table->runs[i];

		comparison->elapsed[side] += (double)profile_run_time(profile) / runs;
		comparison->cpu[side] +=
			(double)session_facts_sampled(profile, profile->samples) / runs;
		comparison->wait[side] += (double)profile->total_wait / runs;
		comparison->samples[side] += profile->samples;
	}
}

/* Fills in the parts of a row that need no statistics. */
static void fill_row(const struct comparison_table *table, size_t number,
		     struct comparison_row *row)
{
	const uint64_t *key = keymap_key(&table->keys, number);
	double units[COMPARISON_SIDES] = { 0 };
	bool own = true;

	memset(row, 0, sizeof(*row));
	row->kind = (enum comparison_kind)key[COMPARISON_KEY_KIND];
	row->procedure = table->procedures[number];
	for (size_t i = 0; i < COMPARISON_NAMES; i++)
		row->names[i] = (uint32_t)key[i];
	for (size_t i = 0; i < table->run_count; i++)
		own = own && comparison_cell(table, number, i)->units > 0;
	for (size_t i = 0; i < table->run_count; i++) {
		const struct comparison_cell *cell = comparison_cell(table, number, i);
		enum comparison_side side = comparison_side_of(table, i);

		row->amounts[side] +=
			cell->amount / (double)table->request->run_counts[side];
		row->counts[side] += cell->count;
		units[side] += (own ? cell->units : table->work[i]) /
			       (double)table->request->run_counts[side];
	}
	for (int side = 0; side < COMPARISON_SIDES; side++) {
		uint64_t line = table->lines[number][side];

		row->lines[side] = line == UINT64_MAX ? 0 : line;
		row->units[side] = units[side] > 0 ? row->amounts[side] / units[side] : 0;
	}
}

/* Compares by kind, then tested first, most certain first, largest first. */
static int compare_rows(const void *first, const void *second)
{
	const struct comparison_row *one = *(const struct comparison_row *const *)first,
				    *other = *(const struct comparison_row *const *)second;
	double sizes[] = { fabs(one->difference), fabs(other->difference) };

	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	if (one->sure > other->sure || one->sure < other->sure)
		return one->sure > other->sure ? -1 : 1;
	if (sizes[0] > sizes[1] || sizes[0] < sizes[1])
		return sizes[0] > sizes[1] ? -1 : 1;
	return one < other ? -1 : one > other;
}

/* Sorts the rows and updates their references to procedures. */
static void sort_rows(struct comparison *comparison)
{
	size_t count = comparison->count;
	struct comparison_row *sorted = xcalloc(count + 1, sizeof(*sorted));
	struct comparison_row **order = xcalloc(count + 1, sizeof(struct comparison_row *));
	size_t *places = xcalloc(count + 1, sizeof(*places));

	for (size_t i = 0; i < count; i++)
		order[i] = &comparison->rows[i];
	qsort(order, count, sizeof(*order), compare_rows);
	for (size_t i = 0; i < count; i++) {
		sorted[i] = *order[i];
		places[order[i] - comparison->rows] = i;
		comparison->from[sorted[i].kind + 1] = i + 1;
	}
	for (size_t i = 0; i < count; i++)
		if (sorted[i].procedure != SIZE_MAX)
			sorted[i].procedure = places[sorted[i].procedure];
	for (size_t kind = 1; kind <= COMPARISON_KINDS; kind++)
		if (comparison->from[kind] < comparison->from[kind - 1])
			comparison->from[kind] = comparison->from[kind - 1];
	free(comparison->rows);
	comparison->rows = sorted;
	free(order);
	free(places);
}

static int compare_probabilities(const void *first, const void *second)
{
	const struct comparison_row *one = *(const struct comparison_row *const *)first,
				    *other = *(const struct comparison_row *const *)second;

	return one->probability < other->probability	 ? -1
	       : one->probability > other->probability ? 1
						       : 0;
}

/* Applies the rule of Benjamini and Hochberg: revokes the verdict of rows that do not pass. */
static void apply_rule(struct comparison *comparison)
{
	struct comparison_row **order =
		xcalloc(comparison->count + 1, sizeof(struct comparison_row *));
	size_t claims = 0;

	for (size_t i = 0; i < comparison->count; i++)
		if (comparison->rows[i].tested)
			order[comparison->tested++] = &comparison->rows[i];
		else
			comparison->rows[i].verdict = COMPARISON_SAME;
	qsort(order, comparison->tested, sizeof(*order), compare_probabilities);
	for (size_t i = 0; i < comparison->tested; i++)
		if (order[i]->probability <=
		    COMPARISON_FALSE_RATE * (double)(i + 1) / (double)comparison->tested)
			claims = i + 1;
	for (size_t i = claims; i < comparison->tested; i++)
		order[i]->verdict = COMPARISON_SAME;
	comparison->claims = claims;
	free(order);
}

/*
 * Returns whether a row belongs to the program and is not part of another row. The
 * time a task was ready belongs to other work.
 */
static bool is_standalone(const struct comparison *comparison, const struct comparison_row *row)
{
	return row->kind != COMPARISON_TOTAL && row->kind != COMPARISON_STATEMENT &&
	       strcmp(comparison_text(comparison, row, COMPARISON_REASON),
		      label_reason(WAIT_DISPATCH)) != 0;
}

/*
 * Finds the row with the most certain difference: the first of the claims, else of
 * all that were tested.
 */
static void find_most_certain(struct comparison *comparison)
{
	size_t *claims = comparison_claims(comparison);

	comparison->surest = comparison->claims ? claims[0] : SIZE_MAX;
	free(claims);
	for (size_t i = 0; !comparison->claims && i < comparison->count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		if (!row->tested || !is_standalone(comparison, row) || row->sure <= 0)
			continue;
		if (comparison->surest == SIZE_MAX ||
		    row->sure > comparison->rows[comparison->surest].sure)
			comparison->surest = i;
	}
	if (comparison->surest == SIZE_MAX)
		return;
	comparison->chance =
		1 - pow(1 - comparison->rows[comparison->surest].probability,
			(double)comparison->tested);
}

/* Finds the largest row with a place, and how many more samples it needs. */
static void find_largest(struct comparison *comparison)
{
	const struct comparison_row *largest;

	comparison->largest = SIZE_MAX;
	for (size_t i = 0; i < comparison->count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		if (!row->tested || !is_standalone(comparison, row) ||
		    (row->kind != COMPARISON_PROCEDURE && row->kind != COMPARISON_WAIT_PLACE))
			continue;
		if (comparison->largest == SIZE_MAX ||
		    row->amounts[COMPARISON_BASE] >
			    comparison->rows[comparison->largest].amounts[COMPARISON_BASE])
			comparison->largest = i;
	}
	if (comparison->largest == SIZE_MAX)
		return;
	largest = &comparison->rows[comparison->largest];
	/* More samples do not reduce the rest of the error. */
	comparison->sample_factor = pow(COMPARISON_WANTED_PERCENT / largest->least, 2) - 1 + largest->sampling;
	comparison->sample_factor = comparison->sample_factor > 0
					   ? largest->sampling / comparison->sample_factor
					   : INFINITY;
}

struct comparison *comparison_new(const struct comparison_request *request, struct error *err)
{
	struct comparison *comparison = xcalloc(1, sizeof(*comparison));
	struct comparison_table table;

	strmap_init(&comparison->strings);
	strmap_put(&comparison->strings, "");
	note_list_init(&comparison->notes);
	comparison_rows_init(&table, request, &comparison->strings);
	if (check_runs(&table, err) < 0) {
		comparison_rows_release(&table);
		comparison_free(comparison);
		return NULL;
	}
	comparison_work_find(&table, &comparison->work);
	comparison_rows_take(&table);
	comparison->count = table.keys.count;
	comparison->rows = xcalloc(comparison->count + 1, sizeof(*comparison->rows));
	for (size_t i = 0; i < comparison->count; i++)
		fill_row(&table, i, &comparison->rows[i]);
	comparison_margins(&table, note_machines(&table, &comparison->notes), comparison);
	note_runs(&table, &comparison->notes);
	fill_sides(&table, comparison);
	comparison_rows_release(&table);
	apply_rule(comparison);
	sort_rows(comparison);
	find_most_certain(comparison);
	find_largest(comparison);
	return comparison;
}

void comparison_free(struct comparison *comparison)
{
	if (!comparison)
		return;
	strmap_release(&comparison->strings);
	note_list_release(&comparison->notes);
	free(comparison->rows);
	free(comparison);
}

const char *comparison_text(const struct comparison *comparison,
			    const struct comparison_row *row, enum comparison_name name)
{
	return strmap_text(&comparison->strings, row->names[name]);
}

/* A claim and its sort key: its procedure's position comes first. */
struct claim {
	size_t number;
	double sure, size; /* of the head: the procedure's if it claims something too */
	size_t head;
};

static int compare_claims(const void *first, const void *second)
{
	const struct claim *one = first, *other = second;

	if (one->sure > other->sure || one->sure < other->sure)
		return one->sure > other->sure ? -1 : 1;
	if (one->size > other->size || one->size < other->size)
		return one->size > other->size ? -1 : 1;
	if (one->head != other->head)
		return one->head < other->head ? -1 : 1;
	return one->number < other->number ? -1 : one->number > other->number;
}

size_t *comparison_claims(const struct comparison *comparison)
{
	struct claim *claims = xcalloc(comparison->claims + 1, sizeof(*claims));
	size_t *numbers = xcalloc(comparison->claims + 1, sizeof(*numbers)), count = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		const struct comparison_row *row = &comparison->rows[i], *head = row;

		if (row->verdict == COMPARISON_SAME)
			continue;
		if (row->kind == COMPARISON_STATEMENT &&
		    comparison->rows[row->procedure].verdict != COMPARISON_SAME)
			head = &comparison->rows[row->procedure];
		claims[count++] = (struct claim){ i, head->sure, fabs(head->difference),
						  (size_t)(head - comparison->rows) };
	}
	qsort(claims, count, sizeof(*claims), compare_claims);
	for (size_t i = 0; i < count; i++)
		numbers[i] = claims[i].number;
	free(claims);
	return numbers;
}
