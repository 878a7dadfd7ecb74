/* SPDX-License-Identifier: Apache-2.0 */
/* Flame graphs: calls as boxes, callers above their callees, each as wide as its time. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "profile/call-tree.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "profile/share.h"
#include "records/record-types.h"
#include "reports/name-forms.h"
#include "reports/page/page-tree.h"
#include "reports/print/picture-parts.h"
#include "reports/text.h"

/*
 * Points: boxes narrower than BOX_MIN are not drawn; then the minimum and
 * maximum height of a row.
 */
#define BOX_MIN 0.4
#define ROW_MIN 8.0
#define ROW_MAX 14.0
#define LEGEND 14.0

struct flame {
	struct sheets *sheets;
	const struct picture_area *area;
	struct call_tree tree;
	enum call_tree_amount amount;
	uint64_t (*reasons)[WAIT_REASON_COUNT]; /* for a graph of waits: charged, by node; or
						 * NULL */
	double scale, row; /* points per unit; the height of a row */
	size_t rows, deepest; /* rows that fit; depth of the tree */
	uint64_t hidden;      /* amount below the last row that fits */
	bool inks[INK_COUNT]; /* inks that were used */
};

/* A node to draw, beginning at x. */
struct box {
	size_t node;
	double x;
};

static double width_of(const struct flame *flame, size_t node)
{
	return (double)flame->tree.nodes[node].all[flame->amount] * flame->scale;
}

/* Appends a name in at most columns: one of its short forms if one fits; else as it is. */
static void add_name(struct strbuf *sb, const char *name, size_t columns)
{
	if (text_width(name) > columns && name_forms_has(name)) {
		for (unsigned form = 0; form < NAME_FORMS; form++) {
			strbuf_reset(sb);
			name_forms_add(sb, name, (enum name_form)form);
			if (text_width(sb->text) <= columns)
				return;
		}
	}
	strbuf_reset(sb);
	strbuf_addstr(sb, name);
}

/* Puts white behind a label, so that it is readable on a hatch. */
static void put_plate(struct flame *flame, double x, double y, double width, const char *label)
{
	double length = (double)text_width(label) * PICTURE_PITCH + 1;

	sheets_box(flame->sheets, x, y, length < width ? length : width, flame->row - 2.3, INK_NONE);
}

static void put_box(struct flame *flame, double x, size_t level, double width, enum ink ink, const char *label)
{
	double y = flame->area->y + flame->row * (double)level;
	double base = y + (flame->row - 0.7) / 2 + PICTURE_PITCH * 0.58;
	struct strbuf name = STRBUF_INIT;

	flame->inks[ink] = true;
	sheets_box(flame->sheets, x, y, width, flame->row - 0.7, ink)->frame = width > 1.5 ? INK_GREY : INK_NONE;
	if (width > 4 * PICTURE_PITCH) {
		add_name(&name, label, (size_t)((width - 3) / PICTURE_PITCH));
		if (ink_styles[ink].hatch)
			put_plate(flame, x + 1, y + 0.8, width - 2, name.text);
		picture_label(flame->sheets, x + 1.5, base, width - 3, name.text);
	}
	strbuf_release(&name);
}

static enum ink ink_of(const struct profile *profile, const struct call_place *place)
{
	switch (page_kind_of(profile, place)) {
	case PAGE_SYSTEM:
		return INK_LIBRARY;
	case PAGE_KERNEL:
		return INK_KERNEL;
	case PAGE_UNKNOWN:
		return INK_UNKNOWN;
	default:
		return INK_PROGRAM;
	}
}

static void put_node(struct flame *flame, const struct box *box)
{
	const struct call_tree_node *node = &flame->tree.nodes[box->node];
	struct strbuf label = STRBUF_INIT;
	enum ink ink = INK_FAINT;

	if (node->kind == CALL_TREE_ROOT) {
		strbuf_addstr(&label, flame->reasons ? "All run time waited, " : "All CPU time, ");
		clock_format_duration(&label, flame->reasons ? node->all[flame->amount] :
				      session_facts_sampled(flame->tree.profile, node->all[flame->amount]));
	} else {
		ink = ink_of(flame->tree.profile, call_tree_place(&flame->tree, box->node));
		call_tree_label(&flame->tree, box->node, &label);
	}
	put_box(flame, box->x, node->level, width_of(flame, box->node), ink, label.text);
	strbuf_release(&label);
}

/* Puts what a node itself waited for, below it and after its callees. */
static void put_reasons(struct flame *flame, size_t node, double x)
{
	size_t level = flame->tree.nodes[node].level + 1;

	for (unsigned reason = 0; flame->reasons && reason < WAIT_REASON_COUNT; reason++) {
		double width = (double)flame->reasons[node][reason] * flame->scale;

		if (width >= BOX_MIN && level < flame->rows)
			put_box(flame, x, level, width, picture_reason_ink(reason), label_reason(reason));
		x += width;
	}
}

/*
 * Walks the boxes that are wide enough; draws them if requested, else only finds
 * how deep they go.
 */
static void walk(struct flame *flame, bool drawn)
{
	struct box *boxes = NULL;
	size_t count = 0, alloc = 0;

	GROW(boxes, 1, alloc);
	boxes[count++] = (struct box){ 0, flame->area->x };
	while (count) {
		struct box box = boxes[--count];
		const struct call_tree_node *node = &flame->tree.nodes[box.node];
		double x = box.x;

		if (node->level + (flame->reasons ? 1 : 0) > flame->deepest)
			flame->deepest = node->level + (flame->reasons ? 1 : 0);
		if (drawn && node->level < flame->rows)
			put_node(flame, &box);
		if (drawn && node->level == flame->rows)
			flame->hidden += node->all[flame->amount];
		for (size_t child = node->child; child != CALL_TREE_NONE; child = flame->tree.nodes[child].next) {
			if (width_of(flame, child) >= BOX_MIN) {
				GROW(boxes, count + 1, alloc);
				boxes[count++] = (struct box){ child, x };
			}
			x += width_of(flame, child);
		}
		if (drawn)
			put_reasons(flame, box.node, x);
	}
	free(boxes);
}

static const struct {
	enum ink ink;
	const char *text;
} keys[] = {
	{ INK_PROGRAM, "program" },	 { INK_LIBRARY, "library" },	{ INK_KERNEL, "kernel" },
	{ INK_UNKNOWN, "unknown" },	 { INK_FILE_READ, "file read" }, { INK_FILE_WRITE, "file write" },
	{ INK_FILE_SYNC, "file sync" },	 { INK_FILE_OTHER, "file open, stat" },
	{ INK_NETWORK, "socket, pipe, poll" }, { INK_LOCK, "lock" },	{ INK_SLEEP, "sleep" },
	{ INK_DISPATCH, "dispatch delay" },   { INK_PAGE, "page" },	{ INK_CHILD, "child" },
	{ INK_OTHER, "other wait" },
};

/* Puts the meaning of the boxes, and what is not shown, in a line below them. */
static void put_legend(struct flame *flame)
{
	size_t rows = flame->deepest + 1 < flame->rows ? flame->deepest + 1 : flame->rows;
	double y = flame->area->y + flame->row * (double)rows + LEGEND - 2, x = flame->area->x;
	double right = x + flame->area->width;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (flame->inks[keys[i].ink] && x + picture_key_width(keys[i].text) < right)
			x = picture_key(flame->sheets, x, y, keys[i].ink, keys[i].text);
	if (!flame->hidden)
		return;
	strbuf_addf(&text, "%zu deeper levels (%.1f %%) are not drawn", flame->deepest + 1 - flame->rows,
		    share_percent((double)flame->hidden, (double)flame->tree.nodes[0].all[flame->amount]));
	picture_label(flame->sheets, x, y, right - x, text.text);
	strbuf_release(&text);
}

/* Sums up waits by the node they end at. */
static void sum_reasons(struct flame *flame)
{
	const struct profile *profile = flame->tree.profile;

	flame->reasons = xcalloc(flame->tree.count + 1, sizeof(*flame->reasons));
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		uint64_t reason = wait->reason && wait->reason < WAIT_REASON_COUNT ? wait->reason : WAIT_UNKNOWN;

		flame->reasons[flame->tree.wait_nodes[i]][reason] += wait->charged;
	}
}

static void draw(struct flame *flame)
{
	const struct picture_area *area = flame->area;
	uint64_t all = flame->tree.nodes[0].all[flame->amount];

	flame->scale = all ? area->width / (double)all : 0;
	walk(flame, false);
	flame->row = (area->height - LEGEND) / (double)(flame->deepest + 1);
	flame->row = flame->row < ROW_MIN ? ROW_MIN : flame->row > ROW_MAX ? ROW_MAX : flame->row;
	flame->rows = (size_t)((area->height - LEGEND) / flame->row);
	walk(flame, true);
	put_legend(flame);
	call_tree_release(&flame->tree);
	free(flame->reasons);
}

static void draw_cpu(struct sheets *sheets, const struct profile *profile, const struct picture_area *area,
		     unsigned resolution)
{
	const struct call_tree_options options = { .no_waits = true, .resolution = resolution };
	struct flame flame = { .sheets = sheets, .area = area, .amount = CALL_TREE_SAMPLES };

	call_tree_init(&flame.tree, profile, &options);
	draw(&flame);
}

static void draw_waits(struct sheets *sheets, const struct profile *profile, const struct picture_area *area,
		       unsigned resolution)
{
	const struct call_tree_options options = { .no_cpu = true, .resolution = resolution };
	struct flame flame = { .sheets = sheets, .area = area, .amount = CALL_TREE_CHARGED };

	call_tree_init(&flame.tree, profile, &options);
	sum_reasons(&flame);
	draw(&flame);
}

static double cpu_height(const struct profile *profile)
{
	return profile->samples > 0 ? PICTURE_ALL : 0;
}

static double waits_height(const struct profile *profile)
{
	return profile->charged > 0 ? PICTURE_ALL : 0;
}

const struct picture picture_flame = { "flame", "Call stacks of CPU time", cpu_height, draw_cpu };
const struct picture picture_wait_flame = { "wait-flame", "Call stacks of run time waited", waits_height, draw_waits };
