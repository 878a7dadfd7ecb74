/* SPDX-License-Identifier: Apache-2.0 */
/* Merges inputs with a tournament tree of their first records: each inner node stores the loser. */
#include "common/compat.h"
#include "utilities/sort/merge.h"
#include "common/xalloc.h"

struct contender {
	uint64_t word;
	struct sort_record record;
	bool there;
};

struct tournament {
	const struct sort_keys *keys;
	size_t count;
	struct contender *contenders;
	size_t *losers; /* of nodes 1 to count-1; [0] is the overall winner */
	merge_reader read;
	void *inputs;
};

/* Returns whether the record of input a precedes that of b. */
static bool before(const struct tournament *tournament, size_t a, size_t b)
{
	const struct contender *x = &tournament->contenders[a], *y = &tournament->contenders[b];
	int order;

	if (!x->there || !y->there)
		return x->there;
	if (x->word != y->word)
		return x->word < y->word;
	order = sort_keys_compare(tournament->keys, &x->record, &y->record, sizeof(x->word));
	return order < 0 || (order == 0 && a < b);
}

static int advance(struct tournament *tournament, size_t index, struct error *err)
{
	struct contender *one = &tournament->contenders[index];
	int got = tournament->read(tournament->inputs, index, &one->record, err);

	one->there = got > 0;
	if (one->there)
		one->word = sort_keys_word(tournament->keys, &one->record, 0);
	return got < 0 ? -1 : 0;
}

/* Replays the matches from the leaf of an input up to the root. */
static void replay(struct tournament *tournament, size_t index)
{
	size_t winner = index;

	for (size_t node = (index + tournament->count) / 2; node > 0; node /= 2) {
		size_t other = tournament->losers[node];

		if (before(tournament, other, winner)) {
			tournament->losers[node] = winner;
			winner = other;
		}
	}
	tournament->losers[0] = winner;
}

/* Plays all matches below a node; returns the winner. */
static size_t play(struct tournament *tournament, size_t node)
{
	size_t left, right;

	if (node >= tournament->count)
		return node - tournament->count;
	left = play(tournament, node * 2);
	right = play(tournament, node * 2 + 1);
	if (before(tournament, right, left)) {
		tournament->losers[node] = left;
		return right;
	}
	tournament->losers[node] = right;
	return left;
}

static int run(struct tournament *tournament, sort_sink take, void *output, struct error *err)
{
	for (size_t i = 0; i < tournament->count; i++)
		RETURN_IF(advance(tournament, i, err) < 0, -1);
	tournament->losers[0] = tournament->count > 1 ? play(tournament, 1) : 0;
	while (tournament->contenders[tournament->losers[0]].there) {
		size_t first = tournament->losers[0];

		RETURN_IF(take(output, &tournament->contenders[first].record, err) < 0, -1);
		RETURN_IF(advance(tournament, first, err) < 0, -1);
		replay(tournament, first);
	}
	return 0;
}

int sort_merge(const struct sort_keys *keys, size_t count, merge_reader read, void *inputs,
	       sort_sink take, void *output, struct error *err)
{
	struct tournament tournament = {
		.keys = keys,
		.count = count,
		.contenders = xcalloc(count + 1, sizeof(struct contender)),
		.losers = xcalloc(count + 1, sizeof(size_t)),
		.read = read,
		.inputs = inputs,
	};
	int result = count > 0 ? run(&tournament, take, output, err) : 0;

	free(tournament.contenders);
	free(tournament.losers);
	return result;
}
