/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a session as data for the script of a page. */
#include "common/compat.h"
#include "reports/page/page-content.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "records/record-types.h"
#include "reports/page/page-axis.h"
#include "reports/page/page-sources.h"
#include "reports/page/page-text.h"
#include "reports/page/page-tree.h"

/* Maximum number of nodes of a page: more cannot be shown, and make it slow to load. */
#define NODES_MAX 40000


struct content {
	const struct profile *profile;
	struct strbuf *out;
	struct page_tree tree;
	struct page_axis axis;
	struct keymap tasks, transactions, files;
};

static size_t number_of(struct keymap *map, uint64_t id)
{
	return keymap_put(map, &id);
}

static void add_member(struct content *content, const char *name)
{
	strbuf_addf(content->out, ",\n\"%s\":", name);
}

/* Returns the course of a row; NULL if none was kept. */
static const struct course_row *course_of(const struct course_rows *rows, size_t row)
{
	return rows && row < rows->count ? &rows->items[row] : NULL;
}

static void put_numbers(struct content *content, bool *any, const uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		strbuf_addch(content->out, *any ? ',' : '[');
		*any = true;
		page_text_number(content->out, numbers[i]);
	}
}

static void end_numbers(struct content *content, bool any)
{
	strbuf_addstr(content->out, any ? "]" : "[]");
}

static void put_cpu(struct content *content)
{
	const struct profile *profile = content->profile;
	const struct course_rows *rows = profile->course ? &profile->course->cpu : NULL;
	bool any = false;

	add_member(content, "cpu");
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		const struct course_row *course = course_of(rows, i);

		put_numbers(content, &any,
			    (const uint64_t[]){ content->tree.cpu_nodes[i],
						number_of(&content->tasks, cpu->task),
						number_of(&content->transactions, cpu->transaction),
						course ? course->count : 1 },
			    4);
	}
	end_numbers(content, any);
	any = false;
	add_member(content, "cpuCells");
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct course_row *course = course_of(rows, i);

		if (!course)
			put_numbers(content, &any, (const uint64_t[]){ 0, profile->cpu[i].count }, 2);
		for (size_t c = 0; course && c < course->count; c++)
			put_numbers(content, &any,
				    (const uint64_t[]){ course->cells[c].slice, course->cells[c].amount },
				    2);
	}
	end_numbers(content, any);
}

static void put_wait_cells(struct content *content)
{
	const struct profile *profile = content->profile;
	const struct course_rows *rows = profile->course ? &profile->course->waits : NULL;
	bool any = false;

	add_member(content, "waitCells");
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const struct course_row *course = course_of(rows, i);

		if (!course)
			put_numbers(content, &any, (const uint64_t[]){ 0, wait->total, wait->charged }, 3);
		for (size_t c = 0; course && c < course->count; c++)
			put_numbers(content, &any,
				    (const uint64_t[]){ course->cells[c].slice, course->cells[c].amount,
							course->cells[c].charged },
				    3);
	}
	end_numbers(content, any);
}

static void put_waits(struct content *content)
{
	const struct profile *profile = content->profile;
	const struct course_rows *rows = profile->course ? &profile->course->waits : NULL;
	bool any = false;

	add_member(content, "waits");
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const struct course_row *course = course_of(rows, i);

		put_numbers(content, &any,
			    (const uint64_t[]){
				    content->tree.wait_nodes[i], number_of(&content->tasks, wait->task),
				    number_of(&content->transactions, wait->transaction),
				    wait->reason < WAIT_REASON_COUNT ? wait->reason : WAIT_UNKNOWN,
				    wait->file ? number_of(&content->files, wait->file) : 0,
				    course ? course->count : 1 },
			    6);
	}
	end_numbers(content, any);
	put_wait_cells(content);
}

/* Appends tasks and transactions by number. */
static void put_names(struct content *content)
{
	struct strbuf name = STRBUF_INIT;

	add_member(content, "tasks");
	for (size_t i = 0; i < content->tasks.count; i++) {
		strbuf_addch(content->out, i ? ',' : '[');
		strbuf_reset(&name);
		label_task(content->profile, *keymap_key(&content->tasks, i), &name);
		page_text_json(content->out, name.text);
	}
	end_numbers(content, content->tasks.count);
	add_member(content, "transactions");
	for (size_t i = 0; i < content->transactions.count; i++) {
		strbuf_addch(content->out, i ? ',' : '[');
		page_text_json(content->out, label_transaction(content->profile,
							       *keymap_key(&content->transactions, i)));
	}
	end_numbers(content, content->transactions.count);
	strbuf_release(&name);
}

/* Appends files by number, where 0 is none; and the reasons. */
static void put_files(struct content *content)
{
	struct strbuf name = STRBUF_INIT;

	add_member(content, "files");
	strbuf_addstr(content->out, "[null");
	for (size_t i = 1; i < content->files.count; i++) {
		uint64_t file = *keymap_key(&content->files, i);

		strbuf_addstr(content->out, ",[");
		strbuf_reset(&name);
		label_file(content->profile, file, &name);
		page_text_json(content->out, name.text);
		strbuf_addch(content->out, ',');
		page_text_json(content->out, label_data_set(content->profile, file));
		strbuf_addch(content->out, ',');
		page_text_json(content->out, label_device(content->profile, file));
		strbuf_addch(content->out, ']');
	}
	strbuf_addch(content->out, ']');
	add_member(content, "reasons");
	for (unsigned i = 0; i < WAIT_REASON_COUNT; i++) {
		strbuf_addch(content->out, i ? ',' : '[');
		page_text_json(content->out, i ? label_reason(i) : "");
	}
	strbuf_addch(content->out, ']');
	strbuf_release(&name);
}

/* Appends nodes, functions, texts. */
static void put_tree(struct content *content)
{
	const struct page_tree *tree = &content->tree;
	bool any = false;

	add_member(content, "nodes");
	for (size_t i = 0; i < tree->nodes.count; i++)
		put_numbers(content, &any, keymap_key(&tree->nodes, i), PAGE_NODE_KEYS);
	end_numbers(content, any);
	any = false;
	add_member(content, "functions");
	for (size_t i = 0; i < tree->functions.count; i++)
		put_numbers(content, &any, keymap_key(&tree->functions, i), PAGE_FUNCTION_KEYS);
	end_numbers(content, any);
	add_member(content, "texts");
	for (size_t i = 0; i < tree->texts.count; i++) {
		strbuf_addch(content->out, i ? ',' : '[');
		page_text_json(content->out, strmap_text(&tree->texts, (uint32_t)i));
	}
	strbuf_addch(content->out, ']');
}

static void put_head(struct content *content)
{
	const struct profile *profile = content->profile;
	const struct page_axis *axis = &content->axis;
	double time = (double)session_facts_sampled(profile, profile->samples);

	strbuf_addf(content->out, "{\"period\":%.6f,\"run\":%" PRIu64,
		    profile->samples ? time / (double)profile->samples : 0, profile_run_time(profile));
	strbuf_addf(content->out, ",\"axis\":{\"start\":%.0f,\"width\":%" PRIu64 ",\"count\":%zu}",
		    (double)axis->start - (double)axis->origin, axis->width, axis->count);
	strbuf_addf(content->out,
		    ",\"totals\":{\"samples\":%" PRIu64 ",\"charged\":%" PRIu64 ",\"waited\":%" PRIu64 "}",
		    profile->samples, profile->charged, profile->total_wait);
}

void page_content_json(const struct profile *profile, unsigned resolution, struct strbuf *out)
{
	struct content content = { .profile = profile, .out = out };

	page_tree_init(&content.tree, profile, resolution);
	page_tree_limit(&content.tree, NODES_MAX);
	page_axis_init(&content.axis, profile);
	keymap_init(&content.tasks, 1);
	keymap_init(&content.transactions, 1);
	keymap_init(&content.files, 1);
	number_of(&content.files, 0);
	put_head(&content);
	put_cpu(&content);
	put_waits(&content);
	put_names(&content);
	put_files(&content);
	put_tree(&content);
	add_member(&content, "groups");
	page_axis_json(&content.axis, profile, out);
	add_member(&content, "sources");
	page_sources_json(&content.tree, out);
	strbuf_addstr(out, "}\n");
	keymap_release(&content.tasks);
	keymap_release(&content.transactions);
	keymap_release(&content.files);
	page_tree_release(&content.tree);
}
