/* SPDX-License-Identifier: Apache-2.0 */
/* Call Tree: callers above their callees, for the whole step or for each thread or transaction. */
#include "common/compat.h"
#include "profile/call-tree.h"
#include "common/margin.h"
#include "common/xalloc.h"
#include "profile/wait-variance.h"
#include "reports/device.h"
#include "reports/report-class.h"
#include "reports/wait-columns.h"

#define INDENT_MAX 24 /* columns of the listing */

static const struct column tree_columns[] = {
	FIGURE(COLUMN_NUMBER, "level", NULL, "LEVEL", 5,
	       .legend = "1 is an outermost procedure, 2 what it calls, and so on"),
	FIGURE(COLUMN_NAME, "procedure", NULL, "PROCEDURE", 48,
	       .legend = "below its caller; inlined: its code is part of its caller's; recursive: "
			 "it calls itself, levels below the first are part of its row"),
	FIGURE(COLUMN_NAME, "module", NULL, "MODULE", 12, .flags = 0),
	FIGURE(COLUMN_NAME, "section", NULL, "SECTION", 14, .flags = 0),
	FIGURE(COLUMN_TEXT, "object", NULL, "OBJECT", 0, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_TEXT, "file", NULL, "FILE", 0, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_TEXT, "kind", NULL, "KIND", 0, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_TEXT, "path", NULL, "PATH", 0, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_NUMBER, "node", NULL, "NODE", 0, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_NUMBER, "parent", NULL, "PARENT", 0, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_NUMBER, "samples", NULL, "OWN SAMPLES", 0,
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY),
	FIGURE(COLUMN_NUMBER, "cumulative_samples", NULL, "SAMPLES", 0, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_PERCENT, "cpu_own_percent", "CPU TIME %", "OWN", 6, .flags = COLUMN_ADDITIVE,
	       .legend = "the procedure itself; rows add up to the total"),
	FIGURE(COLUMN_PERCENT, "cpu_own_margin_percent", NULL, "OWN +/-", 0,
	       .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_PERCENT, "cpu_cumulative_percent", "CPU TIME %", "CUMUL", 6,
	       .legend = "with all that it called"),
	FIGURE(COLUMN_PERCENT, "cpu_cumulative_margin_percent", "CPU TIME %", "+/-", 5,
	       .flags = COLUMN_MARGIN,
	       .legend = "margin of error of CUMUL in percentage points, at 95 % confidence"),
	FIGURE(COLUMN_NUMBER, "waits", NULL, "OWN WAITS", 0,
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY),
	FIGURE(COLUMN_NUMBER, "cumulative_waits", NULL, "WAITS", 8,
	       .legend = "number of waits, of the procedure and of all that it called"),
	FIGURE(COLUMN_TIME, "wait_total_ns", NULL, "OWN ALL TASKS", 0,
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY),
	FIGURE(COLUMN_TIME, "cumulative_wait_total_ns", NULL, "ALL TASKS", 0,
	       .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_TIME, "wait_charged_ns", NULL, "OWN CHARGED", 0,
	       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY),
	FIGURE(COLUMN_TIME, "cumulative_wait_charged_ns", NULL, "CHARGED", 0,
	       .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_TIME, "wait_margin_ns", NULL, "OWN MARGIN", 0, .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_TIME, "cumulative_wait_margin_ns", NULL, "MARGIN", 0,
	       .flags = COLUMN_DATA_ONLY),
	FIGURE(COLUMN_PERCENT, "run_own_percent", "RUN TIME %", "OWN", 6, .flags = COLUMN_ADDITIVE,
	       .legend = "share of the run time in which no task executed because of its waits"),
	FIGURE(COLUMN_PERCENT, "run_cumulative_percent", "RUN TIME %", "CUMUL", 6,
	       .legend = "with those of all that it called"),
	FIGURE(COLUMN_PERCENT, "run_cumulative_margin_percent", "RUN TIME %", "+/-", 5,
	       .flags = COLUMN_MARGIN,
	       .legend = "margin of error of CUMUL in percentage points, at 95 % confidence; 0 is "
			 "exact"),
};

#define PART_COLUMNS(id_, heading_) \
	FIGURE(COLUMN_NAME, id_, NULL, heading_, 40, .flags = 0), SAMPLES_COLUMN, \
		FIGURE(COLUMN_PERCENT, "cpu_total_percent", "CPU %", "TOTAL", 6, \
		       .flags = COLUMN_ADDITIVE, .legend = "share of all CPU samples of the run"), \
		FIGURE(COLUMN_PERCENT, "cpu_margin_percent", "CPU %", "+/-", 5, \
		       .flags = COLUMN_MARGIN, \
		       .legend = "margin of error of TOTAL in percentage points, at 95 % " \
				 "confidence"), \
		FIGURE(COLUMN_NUMBER, "waits", NULL, "WAITS", 9, .flags = COLUMN_ADDITIVE, \
		       .legend = "number of waits"), \
		FIGURE(COLUMN_TIME, "wait_total_ns", "MM.SS.HH", "ALL TASKS", 9, \
		       .flags = COLUMN_ADDITIVE, \
		       .legend = "minutes, seconds and hundredths waited"), \
		FIGURE(COLUMN_TIME, "wait_charged_ns", NULL, "CHARGED", 0, \
		       .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY), \
		FIGURE(COLUMN_TIME, "wait_margin_ns", NULL, "MARGIN", 0, \
		       .flags = COLUMN_DATA_ONLY), \
		FIGURE(COLUMN_PERCENT, "run_total_percent", "RUN %", "TOTAL", 6, \
		       .flags = COLUMN_ADDITIVE, \
		       .legend = "share of the run time in which no task executed because of " \
				 "these waits"), \
		FIGURE(COLUMN_PERCENT, "run_margin_percent", "RUN %", "+/-", 5, \
		       .flags = COLUMN_MARGIN, \
		       .legend = "margin of error of TOTAL in percentage points, at 95 % " \
				 "confidence; 0 is exact")

static const struct column thread_columns[] = { PART_COLUMNS("thread", "THREAD") };
static const struct column transaction_columns[] = { PART_COLUMNS("transaction", "TRANSACTION") };

/* Names for the parts of a session by which the tree is divided. */
struct part {
	const char *id, *list, *heading, *title;
	const struct column *columns;
	size_t column_count;
};

static const struct part parts[] = {
	[CALL_TREE_BY_TASK] = { "thread", "threads", "THREAD", "ALL THREADS", thread_columns,
				ARRAY_SIZE(thread_columns) },
	[CALL_TREE_BY_TRANSACTION] = { "transaction", "transactions", "TRANSACTION",
				       "ALL TRANSACTIONS", transaction_columns,
				       ARRAY_SIZE(transaction_columns) },
};

/* A row: a node, or the sum of the small nodes below a node. */
struct entry {
	size_t node;	 /* of a sum: the node they are below */
	size_t parent;	 /* entry; SIZE_MAX for the first, the root's */
	size_t folded;	 /* number of subtrees summed up; 0: it is a node */
	size_t branches; /* number of entries with it as parent */
	size_t indent;	 /* in columns */
	uint64_t own[CALL_TREE_AMOUNTS], all[CALL_TREE_AMOUNTS];
};

struct forest {
	struct context *context;
	struct call_tree tree;
	struct entry *entries; /* callers before callees, in row order */
	size_t count, alloc;
	size_t *entry_of;		     /* by node: the row that includes its own amounts */
	uint64_t *own_variances, *variances; /* by entry */
	size_t step; /* columns of indentation per level; 0: one column, and only below callers
		      * with several callees */
};

static bool is_large(const struct forest *forest, size_t node)
{
	const uint64_t *all = forest->tree.nodes[node].all;
	const struct profile *profile = forest->context->profile;

	return context_details(forest->context,
			       profile_cpu_percent(profile, all[CALL_TREE_SAMPLES])) ||
	       context_details(forest->context,
			       profile_run_percent(profile, all[CALL_TREE_CHARGED]));
}

static bool is_part(const struct forest *forest, size_t node)
{
	return forest->tree.nodes[node].kind == CALL_TREE_TASK ||
	       forest->tree.nodes[node].kind == CALL_TREE_TRANSACTION;
}

/* Returns whether a node has a row; the first threads or transactions always do. */
static bool is_shown(const struct forest *forest, size_t node)
{
	size_t rank = 0;

	if (node == 0 || is_large(forest, node))
		return true;
	if (!is_part(forest, node))
		return false;
	for (size_t i = forest->tree.nodes[0].child; i != node && rank < ROWS_ALWAYS_SHOWN;
	     i = forest->tree.nodes[i].next)
		rank++;
	return rank < ROWS_ALWAYS_SHOWN;
}

static struct entry *add_entry(struct forest *forest, size_t node, size_t parent)
{
	struct entry *entry;

	GROW(forest->entries, forest->count + 1, forest->alloc);
	if (parent != SIZE_MAX)
		forest->entries[parent].branches++;
	entry = &forest->entries[forest->count++];
	*entry = (struct entry){ .node = node, .parent = parent };
	return entry;
}

/* Adds the row of a node. */
static void add_node(struct forest *forest, size_t number)
{
	const struct call_tree_node *node = &forest->tree.nodes[number];
	struct entry *entry = add_entry(
		forest, number,
		node->parent == CALL_TREE_NONE ? SIZE_MAX : forest->entry_of[node->parent]);

	memcpy(entry->own, node->own, sizeof(entry->own));
	memcpy(entry->all, node->all, sizeof(entry->all));
	forest->entry_of[number] = forest->count - 1;
}

/* Adds the row that sums up the children of a node without rows. */
static void add_other(struct forest *forest, size_t number)
{
	const struct call_tree *tree = &forest->tree;
	struct entry *other = NULL;

	for (size_t i = tree->nodes[number].child; i != CALL_TREE_NONE; i = tree->nodes[i].next) {
		if (forest->entry_of[i] != SIZE_MAX)
			continue;
		if (!other)
			other = add_entry(forest, number, forest->entry_of[number]);
		forest->entry_of[i] = forest->count - 1;
		other->folded++;
		for (size_t j = 0; j < CALL_TREE_AMOUNTS; j++)
			other->own[j] = other->all[j] += tree->nodes[i].all[j];
	}
}

/* Returns whether a node's children may have rows: a small thread has only its own row. */
static bool is_entered(const struct forest *forest, size_t node)
{
	return forest->entry_of[node] != SIZE_MAX && forest->tree.nodes[node].child != SIZE_MAX &&
	       (!is_part(forest, node) || is_large(forest, node));
}

/* Makes the rows: a node, its children with theirs, then the sum of the small ones. */
static void add_entries(struct forest *forest)
{
	const struct call_tree_node *nodes = forest->tree.nodes;
	size_t node = 0;

	for (;;) {
		if (is_shown(forest, node))
			add_node(forest, node);
		if (is_entered(forest, node)) {
			node = nodes[node].child;
			continue;
		}
		while (node != 0 && nodes[node].next == CALL_TREE_NONE) {
			node = nodes[node].parent;
			add_other(forest, node);
		}
		if (node == 0)
			break;
		node = nodes[node].next;
	}
	/* A node without a row belongs to the row of its parent. */
	for (size_t i = 1; i < forest->tree.count; i++)
		if (forest->entry_of[i] == SIZE_MAX)
			forest->entry_of[i] = forest->entry_of[nodes[i].parent];
}

/* Computes the variances of the rows' waits. */
static void set_variances(struct forest *forest)
{
	const struct profile *profile = forest->context->profile;
	size_t *rows = xcalloc(profile->wait_count + 1, sizeof(*rows));
	size_t *parents = xcalloc(forest->count, sizeof(*parents));

	for (size_t i = 0; i < profile->wait_count; i++) {
		size_t node = forest->tree.wait_nodes[i];

		rows[i] = node == CALL_TREE_NONE ? SIZE_MAX : forest->entry_of[node];
	}
	for (size_t i = 0; i < forest->count; i++)
		parents[i] = forest->entries[i].parent;
	forest->own_variances = xcalloc(forest->count, sizeof(uint64_t));
	forest->variances = xcalloc(forest->count, sizeof(uint64_t));
	wait_variances(profile, rows, forest->count, forest->own_variances);
	wait_variances_of_tree(profile, rows, parents, forest->count, forest->variances);
	free(rows);
	free(parents);
}

/* Returns the level of a row in its table. */
static size_t level_of(const struct forest *forest, const struct entry *entry)
{
	size_t level = forest->tree.nodes[entry->node].level + (entry->folded ? 1 : 0);

	return forest->tree.options.by == CALL_TREE_BY_NONE ? level : level - 1;
}

/* Sets the indentation of rows: less in deep trees, in very deep ones only where they branch. */
static void set_indents(struct forest *forest)
{
	size_t deepest = 0;

	for (size_t i = 1; i < forest->count; i++) {
		size_t level = level_of(forest, &forest->entries[i]);

		deepest = level > deepest ? level : deepest;
	}
	forest->step = deepest * 2 <= INDENT_MAX + 2 ? 2 : deepest <= INDENT_MAX + 1 ? 1 : 0;
	for (size_t i = 1; i < forest->count; i++) {
		struct entry *entry = &forest->entries[i];
		const struct entry *parent = &forest->entries[entry->parent];
		size_t step = forest->step ? forest->step : entry->branches > 1;

		/* The first level is not indented. */
		entry->indent = level_of(forest, entry) ? parent->indent + step : 0;
		if (entry->indent > INDENT_MAX)
			entry->indent = INDENT_MAX;
	}
}

static void forest_init(struct forest *forest, struct context *context)
{
	const struct call_tree_options options = { .by = context->options->by,
						   .resolution = context->options->resolution };

	*forest = (struct forest){ .context = context };
	call_tree_init(&forest->tree, context->profile, &options);
	forest->entry_of = xcalloc(forest->tree.count, sizeof(size_t));
	for (size_t i = 0; i < forest->tree.count; i++)
		forest->entry_of[i] = SIZE_MAX;
	add_entries(forest);
	set_variances(forest);
	set_indents(forest);
}

static void forest_release(struct forest *forest)
{
	call_tree_release(&forest->tree);
	free(forest->entries);
	free(forest->entry_of);
	free(forest->own_variances);
	free(forest->variances);
}

/* Returns the margin of the total time of waits, ns. */
static double wait_margin(const struct forest *forest, const uint64_t *amounts, uint64_t variance)
{
	const uint64_t sums[WAIT_AMOUNTS] = {
		[WAIT_AMOUNT_TOTAL] = amounts[CALL_TREE_WAIT_TOTAL],
		[WAIT_AMOUNT_VARIANCE] = variance,
	};

	return wait_columns_margin(forest->context->profile, sums);
}

/* Returns the margin of the share of the run time. */
static double run_margin(const struct profile *profile, const uint64_t *amounts, double margin)
{
	uint64_t total = amounts[CALL_TREE_WAIT_TOTAL];

	return total ? profile_run_percent(profile, amounts[CALL_TREE_CHARGED]) * margin /
			       (double)total
		     : 0;
}

/* Fills the columns from samples on. In a total, own is all. */
static void put_amounts(const struct forest *forest, struct table *table, struct row *row,
			const struct entry *entry, const uint64_t *own_amounts)
{
	const struct profile *profile = forest->context->profile;
	size_t number = (size_t)(entry - forest->entries);
	const uint64_t *own = own_amounts, *all = entry->all;
	uint64_t own_variance =
		own == all ? forest->variances[number] : forest->own_variances[number];
	double margin = wait_margin(forest, all, forest->variances[number]);

	row_number(table, row, own[CALL_TREE_SAMPLES]);
	row_number(table, row, all[CALL_TREE_SAMPLES]);
	row_real(table, row, profile_cpu_percent(profile, own[CALL_TREE_SAMPLES]));
	context_put_margin(forest->context, table, row, own[CALL_TREE_SAMPLES], own[CALL_TREE_PLACED]);
	row_real(table, row, profile_cpu_percent(profile, all[CALL_TREE_SAMPLES]));
	context_put_margin(forest->context, table, row, all[CALL_TREE_SAMPLES], all[CALL_TREE_PLACED]);
	row_number(table, row, own[CALL_TREE_WAITS]);
	row_number(table, row, all[CALL_TREE_WAITS]);
	row_number(table, row, own[CALL_TREE_WAIT_TOTAL]);
	row_number(table, row, all[CALL_TREE_WAIT_TOTAL]);
	row_number(table, row, own[CALL_TREE_CHARGED]);
	row_number(table, row, all[CALL_TREE_CHARGED]);
	row_number(table, row, (uint64_t)wait_margin(forest, own, own_variance));
	row_number(table, row, (uint64_t)margin);
	row_real(table, row, profile_run_percent(profile, own[CALL_TREE_CHARGED]));
	row_real(table, row, profile_run_percent(profile, all[CALL_TREE_CHARGED]));
	row_real(table, row, run_margin(profile, all, margin));
}

/* Appends "main;report;print", the nodes from the first level to this one. */
static void add_path(const struct forest *forest, size_t node, struct strbuf *sb)
{
	const struct call_tree_node *nodes = forest->tree.nodes;
	size_t *path = xcalloc(nodes[node].level + 1, sizeof(*path)), count = 0;

	for (; nodes[node].kind == CALL_TREE_PROCEDURE; node = nodes[node].parent)
		path[count++] = node;
	while (count--) {
		if (sb->length)
			strbuf_addch(sb, ';');
		call_tree_label(&forest->tree, path[count], sb);
	}
	free(path);
}

/* Fills the description of a node: procedure, module, section, file, kind. */
static void put_place(const struct forest *forest, struct table *table, struct row *row,
		      const struct entry *entry, size_t indent)
{
	const struct call_tree_node *node = &forest->tree.nodes[entry->node];
	const struct call_place *place = call_tree_place(&forest->tree, entry->node);
	const char *kind = node->inlined ? "inlined" : node->recursive ? "recursive" : "";
	struct strbuf label = STRBUF_INIT, note = STRBUF_INIT;

	call_tree_label(&forest->tree, entry->node, &label);
	if (*kind)
		strbuf_addf(&note, " (%s)", kind);
	row_indented(table, row, label.text, indent, note.text);
	context_put_string(forest->context, table, row, place->module);
	context_put_string(forest->context, table, row, place->section);
	context_put_string(forest->context, table, row, place->real_module);
	context_put_string(forest->context, table, row, place->file);
	row_text(table, row, kind);
	strbuf_release(&label);
	strbuf_release(&note);
}

/* Writes one row. */
static void put_entry(const struct forest *forest, struct table *table, const struct entry *entry)
{
	struct row *row = table_row(table, entry->folded ? ROW_OTHER : ROW_DETAIL);
	size_t indent = forest->entries[entry->parent].indent;
	size_t parent = entry->folded ? entry->node : forest->tree.nodes[entry->node].parent;
	struct strbuf sb = STRBUF_INIT;

	row_number(table, row, level_of(forest, entry));
	if (entry->folded) {
		strbuf_addf(&sb, ".OTHER (%zu)", entry->folded);
		row_indented(table, row, sb.text, indent, "");
		row_skip(table, row, 5);
		strbuf_reset(&sb);
	} else {
		put_place(forest, table, row, entry, indent);
	}
	if (!forest->context->options->device->lines)
		add_path(forest, entry->node, &sb);
	row_text(table, row, sb.text);
	if (entry->folded)
		row_skip(table, row, 1);
	else
		row_number(table, row, entry->node);
	row_number(table, row, parent);
	row->share = profile_cpu_percent(forest->context->profile, entry->all[CALL_TREE_SAMPLES]);
	put_amounts(forest, table, row, entry, entry->own);
	strbuf_release(&sb);
}

/* Writes the rows below an entry, from first up to end, and their sum. */
static void put_rows(const struct forest *forest, struct table *table, const struct entry *above,
		     size_t first, size_t end)
{
	struct row *row;

	for (size_t i = first; i < end; i++) {
		put_entry(forest, table, &forest->entries[i]);
		table_flow(table);
	}
	row = table_row(table, ROW_TOTAL);
	row_skip(table, row, 1);
	row_text(table, row, "TOTALS");
	row_skip(table, row, 8);
	put_amounts(forest, table, row, above, above->all);
}

/* Fills a row of the list of threads or transactions from its SAMPLES on. */
static void put_part_amounts(const struct forest *forest, struct table *table, struct row *row,
			     const struct entry *entry)
{
	const struct profile *profile = forest->context->profile;
	const uint64_t *all = entry->all;
	double margin = wait_margin(forest, all, forest->variances[entry - forest->entries]);

	row_number(table, row, all[CALL_TREE_SAMPLES]);
	row_real(table, row, profile_cpu_percent(profile, all[CALL_TREE_SAMPLES]));
	context_put_margin(forest->context, table, row, all[CALL_TREE_SAMPLES], all[CALL_TREE_PLACED]);
	row_number(table, row, all[CALL_TREE_WAITS]);
	row_number(table, row, all[CALL_TREE_WAIT_TOTAL]);
	row_number(table, row, all[CALL_TREE_CHARGED]);
	row_number(table, row, (uint64_t)margin);
	row_real(table, row, profile_run_percent(profile, all[CALL_TREE_CHARGED]));
	row_real(table, row, run_margin(profile, all, margin));
}

/* Puts the list of all threads or transactions. */
static void put_parts(const struct forest *forest, struct document *document,
		      const struct part *part)
{
	struct table *table = document_table(document, part->list, part->title, part->columns,
					     part->column_count);
	struct strbuf label = STRBUF_INIT;
	struct row *row;

	for (size_t i = 1; i < forest->count; i++) {
		const struct entry *entry = &forest->entries[i];

		if (entry->parent != 0)
			continue;
		strbuf_reset(&label);
		if (entry->folded)
			strbuf_addf(&label, ".OTHER (%zu)", entry->folded);
		else
			call_tree_label(&forest->tree, entry->node, &label);
		row = table_row(table, entry->folded ? ROW_OTHER : ROW_DETAIL);
		row_text(table, row, label.text);
		put_part_amounts(forest, table, row, entry);
	}
	row = table_row(table, ROW_TOTAL);
	row_text(table, row, "TOTALS");
	put_part_amounts(forest, table, row, &forest->entries[0]);
	strbuf_release(&label);
}

/* Puts a table for each thread or transaction that is large enough. */
static void put_each(const struct forest *forest, struct document *document,
		     const struct part *part)
{
	struct strbuf label = STRBUF_INIT;

	for (size_t i = 1, end; i < forest->count; i = end) {
		const struct entry *entry = &forest->entries[i];
		struct table *table;

		for (end = i + 1; end < forest->count && forest->entries[end].parent != 0; end++)
			;
		if (entry->folded || !is_large(forest, entry->node))
			continue;
		table = document_table(document, "calls", NULL, tree_columns,
				       ARRAY_SIZE(tree_columns));
		strbuf_reset(&label);
		call_tree_label(&forest->tree, entry->node, &label);
		table_context(table, part->id, part->heading, label.text);
		put_rows(forest, table, entry, i + 1, end);
	}
	strbuf_release(&label);
}

static void build(struct context *context, struct document *document)
{
	enum call_tree_by by = context->options->by;
	struct forest forest;

	forest_init(&forest, context);
	if (!forest.step)
		document_text(document,
			      "The tree is deep: a row is indented only below a procedure that "
			      "called more than one. LEVEL gives its depth.");
	if (by == CALL_TREE_BY_NONE) {
		put_rows(&forest,
			 document_table(document, "calls", NULL, tree_columns,
					ARRAY_SIZE(tree_columns)),
			 &forest.entries[0], 1, forest.count);
	} else {
		put_parts(&forest, document, &parts[by]);
		put_each(&forest, document, &parts[by]);
	}
	forest_release(&forest);
}

const struct report_class report_ctr = { "CTR", "Call Tree", build, REPORT_OF_SAMPLES };
