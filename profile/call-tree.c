/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the tree of call stacks. */
#include "common/compat.h"
#include "profile/call-tree.h"
#include "common/xalloc.h"
#include "profile/label.h"
#include "profile/wait-variance.h"

/* The tree under construction. */
struct growth {
	struct call_tree *tree;
	struct keymap edges; /* parent, kind, and the place or id */
	size_t *targets;     /* by edge: the node it leads to */
	size_t target_alloc;
	struct keymap stacks; /* stack, and the node it is attached to */
	size_t *stack_nodes;  /* by entry of stacks: the node of its innermost procedure */
	size_t stack_alloc;
	size_t *chain; /* scratch: stacks from the innermost outward */
	size_t chain_alloc;
};

static void growth_init(struct growth *growth, struct call_tree *tree)
{
	*growth = (struct growth){ .tree = tree };
	keymap_init(&growth->edges, 3);
	keymap_init(&growth->stacks, 2);
}

static void growth_release(struct growth *growth)
{
	keymap_release(&growth->edges);
	keymap_release(&growth->stacks);
	free(growth->targets);
	free(growth->stack_nodes);
	free(growth->chain);
}

/* Adds a node without children. */
static size_t new_node(struct call_tree *tree, enum call_tree_kind kind, size_t parent)
{
	GROW(tree->nodes, tree->count + 1, tree->alloc);
	tree->nodes[tree->count] = (struct call_tree_node){
		.kind = kind,
		.inlined = kind == CALL_TREE_PROCEDURE, /* until it is seen as a frame */
		.parent = parent,
		.level = parent == CALL_TREE_NONE ? 0 : tree->nodes[parent].level + 1,
		.place = CALL_TREE_NONE,
		.child = CALL_TREE_NONE,
		.next = CALL_TREE_NONE,
	};
	return tree->count++;
}

/*
 * Checks whether a place below node completes a repetition of the preceding period
 * places; returns the node to fold into.
 */
static size_t repeats(const struct call_tree *tree, size_t node, size_t place, size_t period)
{
	size_t places[2 * CALL_TREE_PERIOD] = { place }, nodes[2 * CALL_TREE_PERIOD] = { 0 };

	for (size_t i = 1; i < 2 * period; i++, node = tree->nodes[node].parent) {
		if (tree->nodes[node].kind != CALL_TREE_PROCEDURE)
			return CALL_TREE_NONE;
		nodes[i] = node;
		places[i] = tree->nodes[node].place;
	}
	return memcmp(places, places + period, period * sizeof(*places)) == 0 ? nodes[period]
									      : CALL_TREE_NONE;
}

/* Returns the node that a place below node is folded into, or none. */
static size_t find_repetition(const struct call_tree *tree, size_t node, size_t place)
{
	size_t found = CALL_TREE_NONE;

	for (size_t period = 1; found == CALL_TREE_NONE && period <= CALL_TREE_PERIOD; period++)
		found = repeats(tree, node, place, period);
	return found;
}

/* Returns the node of a place, or of an id, below another node. */
static size_t step_down(struct growth *growth, size_t node, enum call_tree_kind kind,
			uint64_t value)
{
	struct call_tree *tree = growth->tree;
	size_t before = growth->edges.count, target = CALL_TREE_NONE;
	size_t edge = keymap_put(&growth->edges, (const uint64_t[]){ node, kind, value });

	GROW(growth->targets, edge + 1, growth->target_alloc);
	if (edge < before)
		return growth->targets[edge];
	if (kind == CALL_TREE_PROCEDURE && !tree->options.keep_recursion)
		target = find_repetition(tree, node, (size_t)value);
	if (target != CALL_TREE_NONE) {
		tree->nodes[target].recursive = true;
	} else {
		target = new_node(tree, kind, node);
		if (kind == CALL_TREE_PROCEDURE)
			tree->nodes[target].place = (size_t)value;
		else
			tree->nodes[target].id = value;
	}
	growth->targets[edge] = target;
	return target;
}

/* Returns the node that the procedures of one frame below node end at. */
static size_t add_frame(struct growth *growth, size_t node, size_t frame)
{
	size_t count;
	const size_t *places = call_places_of(&growth->tree->places, frame, &count);

	for (size_t i = 0; i < count; i++) {
		node = step_down(growth, node, CALL_TREE_PROCEDURE, places[i]);
		if (i == 0)
			growth->tree->nodes[node].inlined = false;
	}
	return node;
}

/* Returns the number of a stack below top, SIZE_MAX if it is not in the tree yet. */
static size_t find_stack(const struct growth *growth, size_t stack, size_t top)
{
	return keymap_find(&growth->stacks, (const uint64_t[]){ stack, top });
}

/* Returns the node of a stack below top, adding what is missing. */
static size_t add_stack(struct growth *growth, size_t stack, size_t top)
{
	const struct attribution *attribution = &growth->tree->profile->attribution;
	size_t count = 0, node = top;

	if (stack == ATTRIBUTION_NONE)
		return add_frame(growth, top, attribution->place_count);
	for (; stack != ATTRIBUTION_NONE; stack = attribution->parents[stack]) {
		size_t number = growth->stacks.count ? find_stack(growth, stack, top) : SIZE_MAX;

		if (number != SIZE_MAX) {
			node = growth->stack_nodes[number];
			break;
		}
		GROW(growth->chain, count + 1, growth->chain_alloc);
		growth->chain[count++] = stack;
	}
	while (count--) {
		size_t number = keymap_put(&growth->stacks,
					   (const uint64_t[]){ growth->chain[count], top });

		node = add_frame(growth, node, attribution->frames[growth->chain[count]]);
		GROW(growth->stack_nodes, number + 1, growth->stack_alloc);
		growth->stack_nodes[number] = node;
	}
	return node;
}

/* Returns the node below which stacks of a task and transaction are attached. */
static size_t find_top(struct growth *growth, uint64_t task, uint64_t transaction)
{
	switch (growth->tree->options.by) {
	case CALL_TREE_BY_TASK:
		return step_down(growth, 0, CALL_TREE_TASK, task);
	case CALL_TREE_BY_TRANSACTION:
		return step_down(growth, 0, CALL_TREE_TRANSACTION, transaction);
	default:
		return 0;
	}
}

/* Returns the node of a row of the profile, CALL_TREE_NONE if it is not selected. */
static size_t add_row(struct growth *growth, size_t stack, uint64_t task, uint64_t transaction)
{
	const struct call_tree_options *options = &growth->tree->options;

	if (options->one_task && task != options->task)
		return CALL_TREE_NONE;
	if (options->one_transaction && transaction != options->transaction)
		return CALL_TREE_NONE;
	return add_stack(growth, stack, find_top(growth, task, transaction));
}

/* Builds the tree from the outside in; sets cpu_nodes and wait_nodes. */
static void grow(struct call_tree *tree)
{
	const struct profile *profile = tree->profile;
	struct growth growth;

	growth_init(&growth, tree);
	new_node(tree, CALL_TREE_ROOT, CALL_TREE_NONE);
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];

		tree->cpu_nodes[i] = tree->options.no_cpu ? CALL_TREE_NONE
							  : add_row(&growth, cpu->stack, cpu->task,
								    cpu->transaction);
	}
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];

		tree->wait_nodes[i] =
			tree->options.no_waits
				? CALL_TREE_NONE
				: add_row(&growth, wait->stack, wait->task, wait->transaction);
	}
	growth_release(&growth);
}

/* Replaces each row's node by its new number. */
static void renumber(const struct call_tree *tree, const size_t *now)
{
	for (size_t i = 0; i < tree->profile->cpu_count; i++)
		if (tree->cpu_nodes[i] != CALL_TREE_NONE)
			tree->cpu_nodes[i] = now[tree->cpu_nodes[i]];
	for (size_t i = 0; i < tree->profile->wait_count; i++)
		if (tree->wait_nodes[i] != CALL_TREE_NONE)
			tree->wait_nodes[i] = now[tree->wait_nodes[i]];
}

/* Marks the nodes that rows end at. */
static bool *find_ends(const struct call_tree *tree)
{
	bool *ends = xcalloc(tree->count, sizeof(*ends));

	for (size_t i = 0; i < tree->profile->cpu_count; i++)
		if (tree->cpu_nodes[i] != CALL_TREE_NONE)
			ends[tree->cpu_nodes[i]] = true;
	for (size_t i = 0; i < tree->profile->wait_count; i++)
		if (tree->wait_nodes[i] != CALL_TREE_NONE)
			ends[tree->wait_nodes[i]] = true;
	return ends;
}

/* Drops the nodes without rows below them: those that were only steps to a repetition. */
static void prune(struct call_tree *tree)
{
	bool *used = find_ends(tree);
	size_t *now = xcalloc(tree->count, sizeof(*now)), count = 0;

	used[0] = true;
	for (size_t i = tree->count; i-- > 1;)
		if (used[i])
			used[tree->nodes[i].parent] = true;
	for (size_t i = 0; i < tree->count; i++) {
		if (!used[i])
			continue;
		now[i] = count;
		tree->nodes[count] = tree->nodes[i];
		if (i)
			tree->nodes[count].parent = now[tree->nodes[i].parent];
		count++;
	}
	tree->count = count;
	renumber(tree, now);
	free(used);
	free(now);
}

static void add(uint64_t *sums, const uint64_t *amounts)
{
	for (size_t i = 0; i < CALL_TREE_AMOUNTS; i++)
		sums[i] += amounts[i];
}

/* Sums up the rows of each node, and those below it. */
static void sum_up(struct call_tree *tree)
{
	const struct profile *profile = tree->profile;

	for (size_t i = 0; i < profile->cpu_count; i++) {
		const uint64_t amounts[CALL_TREE_AMOUNTS] = {
			[CALL_TREE_SAMPLES] = profile->cpu[i].count,
			[CALL_TREE_PLACED] = profile_cpu_placed(&profile->cpu[i]),
		};

		if (tree->cpu_nodes[i] != CALL_TREE_NONE)
			add(tree->nodes[tree->cpu_nodes[i]].own, amounts);
	}
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const uint64_t amounts[CALL_TREE_AMOUNTS] = { [CALL_TREE_WAITS] = wait->count,
							      [CALL_TREE_WAIT_TOTAL] = wait->total,
							      [CALL_TREE_CHARGED] = wait->charged };

		if (tree->wait_nodes[i] != CALL_TREE_NONE)
			add(tree->nodes[tree->wait_nodes[i]].own, amounts);
	}
	for (size_t i = tree->count; i-- > 0;) {
		struct call_tree_node *node = &tree->nodes[i];

		add(node->all, node->own);
		if (i)
			add(tree->nodes[node->parent].all, node->all);
	}
}

uint64_t call_tree_weight(const struct profile *profile, const uint64_t amounts[CALL_TREE_AMOUNTS])
{
	return amounts[CALL_TREE_SAMPLES] * profile_period(profile) + amounts[CALL_TREE_CHARGED];
}

struct ordering {
	const struct call_tree *tree;
	uint64_t period;
};

static int compare_nodes(const void *first, const void *second, void *argument)
{
	const struct ordering *ordering = argument;
	const struct call_tree *tree = ordering->tree;
	const struct call_tree_node *a = &tree->nodes[*(const size_t *)first];
	const struct call_tree_node *b = &tree->nodes[*(const size_t *)second];
	uint64_t x = a->all[CALL_TREE_SAMPLES] * ordering->period + a->all[CALL_TREE_CHARGED];
	uint64_t y = b->all[CALL_TREE_SAMPLES] * ordering->period + b->all[CALL_TREE_CHARGED];

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (x != y)
		return x > y ? -1 : 1;
	if (a->kind == CALL_TREE_PROCEDURE)
		return call_place_compare(tree->profile, &tree->places.items[a->place],
					  &tree->places.items[b->place]);
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Links the children of each node, heaviest first. */
static void link_children(struct call_tree *tree)
{
	struct ordering ordering = { tree, profile_period(tree->profile) };
	size_t count = tree->count - 1, *order = xcalloc(count + 1, sizeof(*order));

	for (size_t i = 0; i < count; i++)
		order[i] = i + 1;
	qsort_r(order, count, sizeof(*order), compare_nodes, &ordering);
	for (size_t i = count; i-- > 0;) {
		struct call_tree_node *node = &tree->nodes[order[i]];
		struct call_tree_node *parent = &tree->nodes[node->parent];

		node->next = parent->child;
		parent->child = order[i];
	}
	free(order);
}

/*
 * Counts a node in the sums of its procedure; active: how often the procedure is
 * already on the path.
 */
static void enter(struct call_tree *tree, size_t number, size_t *active)
{
	const struct call_tree_node *node = &tree->nodes[number];

	if (node->kind != CALL_TREE_PROCEDURE)
		return;
	if (active[node->place]++ == 0)
		add(tree->sums[node->place].all, node->all);
	add(tree->sums[node->place].own, node->own);
}

/* Computes the totals of each procedure over the whole tree. */
static void sum_procedures(struct call_tree *tree)
{
	size_t *active = xcalloc(tree->places.keys.count + 1, sizeof(*active)), node = 0;

	tree->sums = xcalloc(tree->places.keys.count + 1, sizeof(*tree->sums));
	while (node != CALL_TREE_NONE) {
		enter(tree, node, active);
		if (tree->nodes[node].child != CALL_TREE_NONE) {
			node = tree->nodes[node].child;
			continue;
		}
		while (node != CALL_TREE_NONE) {
			if (tree->nodes[node].kind == CALL_TREE_PROCEDURE)
				active[tree->nodes[node].place]--;
			if (tree->nodes[node].next != CALL_TREE_NONE) {
				node = tree->nodes[node].next;
				break;
			}
			node = tree->nodes[node].parent;
		}
	}
	free(active);
}

void call_tree_init(struct call_tree *tree, const struct profile *profile,
		    const struct call_tree_options *options)
{
	*tree = (struct call_tree){
		.profile = profile,
		.cpu_nodes = xcalloc(profile->cpu_count + 1, sizeof(size_t)),
		.wait_nodes = xcalloc(profile->wait_count + 1, sizeof(size_t)),
	};
	if (options)
		tree->options = *options;
	call_places_init(&tree->places, profile, tree->options.by_line, tree->options.resolution);
	grow(tree);
	prune(tree);
	sum_up(tree);
	link_children(tree);
	sum_procedures(tree);
}

void call_tree_release(struct call_tree *tree)
{
	call_places_release(&tree->places);
	free(tree->nodes);
	free(tree->sums);
	free(tree->cpu_nodes);
	free(tree->wait_nodes);
	*tree = (struct call_tree){ 0 };
}

void call_tree_label(const struct call_tree *tree, size_t node, struct strbuf *sb)
{
	switch (tree->nodes[node].kind) {
	case CALL_TREE_TASK:
		label_task(tree->profile, tree->nodes[node].id, sb);
		break;
	case CALL_TREE_TRANSACTION:
		strbuf_addstr(sb, label_transaction(tree->profile, tree->nodes[node].id));
		break;
	case CALL_TREE_PROCEDURE:
		call_place_label(tree->profile, call_tree_place(tree, node), sb);
		break;
	default:
		break;
	}
}

void call_tree_variances(const struct call_tree *tree, uint64_t *own, uint64_t *all)
{
	size_t *parents = xcalloc(tree->count, sizeof(*parents));

	for (size_t i = 0; i < tree->count; i++)
		parents[i] = tree->nodes[i].parent;
	if (own)
		wait_variances(tree->profile, tree->wait_nodes, tree->count, own);
	wait_variances_of_tree(tree->profile, tree->wait_nodes, parents, tree->count, all);
	free(parents);
}
