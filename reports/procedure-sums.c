/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of one procedure. */
#include "common/compat.h"
#include "reports/procedure-sums.h"

/*
 * Sets the key of a row; returns false if the procedure is not on its stack. wait
 * NULL: a sample.
 */
static bool set_key(const struct procedure *procedure, enum procedure_view view, size_t node,
		    const struct profile_wait *wait, uint64_t key[2])
{
	const struct butterfly_side *side = &procedure->butterfly.sides[node];

	if (side->callee == BUTTERFLY_NONE)
		return false;
	key[0] = view == PROCEDURE_CALLERS   ? side->caller
		 : view == PROCEDURE_CALLEES ? side->callee
					     : side->line;
	key[1] = 0;
	if (view == PROCEDURE_WAITS) {
		key[0] = wait ? wait->reason : 0;
		key[1] = wait ? wait->file : 0;
	}
	return view != PROCEDURE_WAITS || wait;
}

static void add_samples(struct procedure_sums *rows, const struct procedure *procedure,
			enum procedure_view view)
{
	const struct call_tree *tree = &procedure->butterfly.tree;

	for (size_t i = 0; i < tree->profile->cpu_count; i++) {
		uint64_t key[2], count = tree->profile->cpu[i].count, *sums;

		if (!set_key(procedure, view, tree->cpu_nodes[i], NULL, key))
			continue;
		sums = sums_at(&rows->sums, key);
		sums[PROCEDURE_SAMPLES] += count;
		sums[PROCEDURE_PLACED] += profile_cpu_placed(&tree->profile->cpu[i]);
		if (procedure->butterfly.sides[tree->cpu_nodes[i]].callee == BUTTERFLY_SELF)
			sums[PROCEDURE_OWN_SAMPLES] += count;
	}
}

/* Sorts rows as if all CPU time were used on one processor. */
static void sort(struct procedure_sums *rows, const struct profile *profile)
{
	uint64_t period = profile_period(profile);
	struct sums weights;

	sums_init(&weights, 2, 1);
	for (size_t i = 0; i < rows->sums.keys.count; i++) {
		const uint64_t *values = sums_values(&rows->sums, i);

		*sums_at(&weights, sums_key(&rows->sums, i)) =
			values[PROCEDURE_SAMPLES] * period + values[WAIT_AMOUNT_CHARGED];
	}
	sums_sort_falling(&weights, 0, NULL, NULL);
	sums_sort(&rows->sums, NULL, NULL);
	memcpy(rows->sums.order, weights.order, weights.keys.count * sizeof(*weights.order));
	sums_release(&weights);
}

void procedure_sums_init(struct procedure_sums *rows, const struct procedure *procedure,
			 enum procedure_view view)
{
	const struct call_tree *tree = &procedure->butterfly.tree;
	const struct profile *profile = tree->profile;

	sums_init(&rows->sums, 2, PROCEDURE_AMOUNTS);
	wait_rows_init(&rows->waits, profile, &rows->sums);
	add_samples(rows, procedure, view);
	for (size_t i = 0; i < profile->wait_count; i++) {
		uint64_t key[2];

		if (set_key(procedure, view, tree->wait_nodes[i], &profile->waits[i], key))
			wait_rows_add(&rows->waits, key, i);
	}
	wait_rows_end(&rows->waits);
	sort(rows, profile);
}

void procedure_sums_release(struct procedure_sums *rows)
{
	wait_rows_release(&rows->waits);
	sums_release(&rows->sums);
}
