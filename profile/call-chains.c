/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of callers. */
#include "common/compat.h"
#include "profile/call-chains.h"
#include "common/xalloc.h"
#include "profile/call-tree.h"

/* Returns the place a path ends at. */
static uint64_t place_of(const struct call_chains *chains, size_t path)
{
	return keymap_key(&chains->paths, path - 1)[1];
}

/* Returns the path without its last place. */
static size_t parent_of(const struct call_chains *chains, size_t path)
{
	return (size_t)keymap_key(&chains->paths, path - 1)[0];
}

/* Returns the path to fold into if appending a place to a path completes a repetition; else 0. */
static size_t find_repetition(const struct call_chains *chains, size_t path, uint64_t place)
{
	uint64_t places[2 * CALL_TREE_PERIOD] = { place };
	size_t nodes[2 * CALL_TREE_PERIOD] = { 0 }, count = 1;

	for (; path && count < ARRAY_SIZE(places); path = parent_of(chains, path)) {
		nodes[count] = path;
		places[count++] = place_of(chains, path);
	}
	for (size_t period = 1; 2 * period <= count; period++)
		if (memcmp(places, places + period, period * sizeof(*places)) == 0)
			return nodes[period];
	return 0;
}

/* Returns the path that appends a place to another path. */
static size_t step(struct call_chains *chains, size_t path, uint64_t place)
{
	size_t before = chains->paths.count;
	size_t number = keymap_put(&chains->paths, (const uint64_t[]){ path, place });

	GROW(chains->targets, number + 1, chains->target_alloc);
	if (number == before) {
		size_t folded = find_repetition(chains, path, place);

		chains->targets[number] = folded ? folded : number + 1;
	}
	return chains->targets[number];
}

/* Returns the path of a stack whose outer stacks already have theirs. */
static size_t path_of(struct call_chains *chains, size_t stack)
{
	const struct attribution *attribution = &chains->places.profile->attribution;
	size_t parent = attribution->parents[stack], count;
	size_t path = parent == ATTRIBUTION_NONE ? 0 : chains->of_stacks[parent];
	const size_t *places = call_places_of(&chains->places, attribution->frames[stack], &count);

	for (size_t i = 0; i < count; i++)
		if (!chains->places.items[places[i]].system)
			path = step(chains, path, places[i]);
	return path;
}

void call_chains_init(struct call_chains *chains, const struct profile *profile)
{
	size_t count = profile->attribution.stack_count;

	*chains = (struct call_chains){ .of_stacks = xcalloc(count + 1, sizeof(size_t)) };
	call_places_init(&chains->places, profile, false, 0);
	keymap_init(&chains->paths, 2);
	keymap_init(&chains->chains, CALL_CHAINS_LENGTH);
	/* An outer stack has a lower number than those inside it. */
	for (size_t i = 0; i < count; i++)
		chains->of_stacks[i] = path_of(chains, i);
}

void call_chains_release(struct call_chains *chains)
{
	call_places_release(&chains->places);
	keymap_release(&chains->paths);
	keymap_release(&chains->chains);
	free(chains->targets);
	free(chains->of_stacks);
	*chains = (struct call_chains){ 0 };
}

size_t call_chains_of(struct call_chains *chains, size_t stack)
{
	const struct attribution *attribution = &chains->places.profile->attribution;
	uint64_t key[CALL_CHAINS_LENGTH] = { 0 };
	size_t caller = stack == ATTRIBUTION_NONE ? stack : attribution->callers[stack], path;

	if (caller != ATTRIBUTION_NONE && (path = chains->of_stacks[caller]) != 0)
		for (size_t i = 0; i < ARRAY_SIZE(key) && (path = parent_of(chains, path)); i++)
			key[i] = place_of(chains, path) + 1;
	return keymap_put(&chains->chains, key);
}
