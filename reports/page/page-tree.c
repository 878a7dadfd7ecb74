/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of a profile as a tree of functions at lines. */
#include "common/compat.h"
#include "reports/page/page-tree.h"
#include "common/xalloc.h"
#include "profile/label.h"
#include "records/record-types.h"

static uint64_t put_text(struct page_tree *tree, uint64_t string)
{
	return strmap_put(&tree->texts, profile_text(tree->profile, string));
}

enum page_kind page_kind_of(const struct profile *profile, const struct call_place *place)
{
	const char *section = profile_text(profile, place->section);

	if (!place->system)
		return PAGE_PROGRAM;
	if (strcmp(section, ".KERNEL") == 0 || strcmp(section, ".VDSO") == 0)
		return PAGE_KERNEL;
	return strcmp(section, ".UNKNOWN") == 0 ? PAGE_UNKNOWN : PAGE_SYSTEM;
}

/* Returns the number of the function that a place is in. */
static size_t put_function(struct page_tree *tree, const struct call_place *place)
{
	struct strbuf name = STRBUF_INIT;
	uint64_t key[PAGE_FUNCTION_KEYS];

	call_place_label(tree->profile, place, &name);
	key[PAGE_FUNCTION_NAME] = strmap_put(&tree->texts, name.text);
	key[PAGE_FUNCTION_SECTION] = put_text(tree, place->section);
	key[PAGE_FUNCTION_MODULE] = put_text(tree, place->system ? place->real_module : place->module);
	key[PAGE_FUNCTION_KIND] = page_kind_of(tree->profile, place);
	key[PAGE_FUNCTION_REASON] = 0;
	strbuf_release(&name);
	return keymap_put(&tree->functions, key);
}

static size_t put_node(struct page_tree *tree, size_t parent, size_t function, uint64_t file, uint64_t line)
{
	uint64_t key[] = { parent, function, line ? put_text(tree, file) : 0, line };

	return keymap_put(&tree->nodes, key);
}

/* Adds the nodes of all calls, and of the rows of CPU time. */
static void put_calls(struct page_tree *tree)
{
	size_t *functions = xcalloc(tree->calls.places.keys.count + 1, sizeof(*functions));

	for (size_t i = 1; i < tree->calls.count; i++) {
		const struct call_tree_node *node = &tree->calls.nodes[i];
		const struct call_place *place = call_tree_place(&tree->calls, i);

		if (!functions[node->place])
			functions[node->place] = put_function(tree, place);
		tree->of_calls[i] = put_node(tree, tree->of_calls[node->parent], functions[node->place],
					     place->file, place->line);
	}
	for (size_t i = 0; i < tree->profile->cpu_count; i++)
		tree->cpu_nodes[i] = tree->of_calls[tree->calls.cpu_nodes[i]];
	free(functions);
}

/* Returns the node of a wait, below the procedure that waits. */
static size_t put_wait(struct page_tree *tree, size_t parent, const struct profile_wait *wait)
{
	struct strbuf name = STRBUF_INIT;
	uint64_t key[PAGE_FUNCTION_KEYS] = { 0 };

	label_wait(tree->profile, wait->reason, wait->file, &name);
	key[PAGE_FUNCTION_NAME] = strmap_put(&tree->texts, name.text);
	key[PAGE_FUNCTION_SECTION] = strmap_put(&tree->texts, label_reason(wait->reason));
	key[PAGE_FUNCTION_KIND] = PAGE_WAIT;
	key[PAGE_FUNCTION_REASON] = wait->reason < WAIT_REASON_COUNT ? wait->reason : WAIT_UNKNOWN;
	strbuf_release(&name);
	return put_node(tree, parent, keymap_put(&tree->functions, key), 0, 0);
}

void page_tree_init(struct page_tree *tree, const struct profile *profile, unsigned resolution)
{
	const struct call_tree_options options = { .by_line = true, .resolution = resolution };

	memset(tree, 0, sizeof(*tree));
	tree->profile = profile;
	call_tree_init(&tree->calls, profile, &options);
	strmap_init(&tree->texts);
	strmap_put(&tree->texts, "");
	keymap_init(&tree->functions, PAGE_FUNCTION_KEYS);
	keymap_init(&tree->nodes, PAGE_NODE_KEYS);
	keymap_put(&tree->functions, (const uint64_t[PAGE_FUNCTION_KEYS]){ 0, 0, 0, PAGE_UNKNOWN, 0 });
	keymap_put(&tree->nodes, (const uint64_t[PAGE_NODE_KEYS]){ 0 });
	tree->of_calls = xcalloc(tree->calls.count + 1, sizeof(size_t));
	tree->cpu_nodes = xcalloc(profile->cpu_count + 1, sizeof(size_t));
	tree->wait_nodes = xcalloc(profile->wait_count + 1, sizeof(size_t));
	put_calls(tree);
	for (size_t i = 0; i < profile->wait_count; i++)
		tree->wait_nodes[i] =
			put_wait(tree, tree->of_calls[tree->calls.wait_nodes[i]], &profile->waits[i]);
}

void page_tree_release(struct page_tree *tree)
{
	call_tree_release(&tree->calls);
	strmap_release(&tree->texts);
	keymap_release(&tree->functions);
	keymap_release(&tree->nodes);
	free(tree->of_calls);
	free(tree->cpu_nodes);
	free(tree->wait_nodes);
}

static int compare_falling(const void *first, const void *second)
{
	double a = *(const double *)first, b = *(const double *)second;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* Returns the minimum weight of a node to be among the `most` heaviest. */
static double least_weight(const double *weights, size_t count, size_t most)
{
	double *sorted = xcalloc(count, sizeof(*sorted)), least;

	memcpy(sorted, weights, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_falling);
	least = sorted[most];
	free(sorted);
	return least;
}

/* Returns the time of each node including callees, ns. */
static double *make_weights(const struct page_tree *tree)
{
	const struct profile *profile = tree->profile;
	double *weights = xcalloc(tree->nodes.count, sizeof(*weights));
	double period = (double)profile_period(profile);

	for (size_t i = 0; i < profile->cpu_count; i++)
		weights[tree->cpu_nodes[i]] += period * (double)profile->cpu[i].count;
	for (size_t i = 0; i < profile->wait_count; i++)
		weights[tree->wait_nodes[i]] += (double)profile->waits[i].charged;
	for (size_t i = tree->nodes.count; i-- > 1;)
		weights[keymap_key(&tree->nodes, i)[PAGE_NODE_PARENT]] += weights[i];
	return weights;
}

/*
 * Returns, by node, what it is shown as: itself, or the node that represents
 * everything light below a kept one.
 */
static size_t *make_kept(struct page_tree *tree, const double *weights, double least)
{
	uint64_t key[PAGE_FUNCTION_KEYS] = { strmap_put(&tree->texts, "(all that is smaller)"), 0, 0,
					     PAGE_UNKNOWN, 0 };
	size_t small = keymap_put(&tree->functions, key), count = tree->nodes.count;
	size_t *kept = xcalloc(count, sizeof(*kept));

	for (size_t i = 1; i < count; i++) {
		size_t parent = keymap_key(&tree->nodes, i)[PAGE_NODE_PARENT];

		if (kept[parent] != parent)
			kept[i] = kept[parent];
		else
			kept[i] = weights[i] > least ? i : put_node(tree, parent, small, 0, 0);
	}
	return kept;
}

void page_tree_limit(struct page_tree *tree, size_t most)
{
	size_t count = tree->nodes.count, *kept;
	double *weights;

	if (count <= most)
		return;
	weights = make_weights(tree);
	kept = make_kept(tree, weights, least_weight(weights, count, most));
	for (size_t i = 0; i < tree->profile->cpu_count; i++)
		tree->cpu_nodes[i] = kept[tree->cpu_nodes[i]];
	for (size_t i = 0; i < tree->profile->wait_count; i++)
		tree->wait_nodes[i] = kept[tree->wait_nodes[i]];
	free(weights);
	free(kept);
}
