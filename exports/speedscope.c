/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The speedscope file: one profile per value over all tasks; then, if there are
 * several tasks, CPU time and charged waits of each. Stacks are sorted, so that
 * stacks with the same beginning are adjacent. A frame is a line of a function;
 * the innermost frame of a wait is its reason and file.
 */
#include "common/compat.h"
#include "common/json.h"
#include "common/xalloc.h"
#include "exports/export-form.h"
#include "profile/label.h"

enum { CPU, SAMPLES, WAIT, WAITS, VALUES };
static const struct {
	const char *name, *unit;
} values[VALUES] = { { "CPU time", "nanoseconds" },
		     { "CPU samples", "none" },
		     { "charged wait", "nanoseconds" },
		     { "waits", "none" } };

/* The amounts of one stack of one task. */
struct row {
	uint64_t task;
	const char *stack; /* frame numbers as written in the file; the texts own it */
	uint64_t amounts[VALUES];
};

struct making {
	struct exporting *exporting;
	const struct stack_view *view;
	struct keymap frames; /* function and line, or number of functions and text of a wait */
	struct strmap wait_names;
	char **chains; /* by stack, and one for no stack: "1,4,7"; NULL: not made yet */
	struct stack_path path;
	struct strmap texts;
	struct keymap row_keys; /* task, text */
	struct row *rows;
	size_t row_alloc;
	bool several; /* several tasks have rows */
	bool first;   /* the next profile is the first */
};

/* Returns the frames of a stack, outermost first. */
static const char *chain_of(struct making *making, size_t stack)
{
	const struct stack_view *view = making->view;
	size_t number = stack == ATTRIBUTION_NONE ? view->profile->stacks.count : stack;
	struct strbuf text = STRBUF_INIT;

	if (making->chains[number])
		return making->chains[number];
	stack_path_set(&making->path, view, stack);
	for (size_t i = 0; i < making->path.count; i++) {
		size_t frame = stack_view_frame(view, making->path.stacks[i]);

		for (size_t at = view->first[frame + 1]; at-- > view->first[frame];) {
			const struct stack_level *level = &view->levels[at];
			const uint64_t key[] = { view->functions[level->function].twin,
						 level->line };

			if (text.length)
				strbuf_addch(&text, ',');
			strbuf_addnum(&text, keymap_put(&making->frames, key));
		}
	}
	return making->chains[number] = strbuf_detach(&text, NULL);
}

/* Returns the row of a stack of a task; text is the stack's frames. */
static struct row *row_of(struct making *making, uint64_t task, const char *text)
{
	uint64_t key[] = { task, strmap_put(&making->texts, text) };
	size_t before = making->row_keys.count, number = keymap_put(&making->row_keys, key);

	GROW(making->rows, number + 1, making->row_alloc);
	if (number == before)
		making->rows[number] = (struct row){
			.task = task,
			.stack = strmap_text(&making->texts, (uint32_t)key[1]),
		};
	making->several = making->several || task != making->rows[0].task;
	return &making->rows[number];
}

static void add_cpu(struct making *making, const struct stack_cpu *cpu)
{
	struct row *row = row_of(making, cpu->task, chain_of(making, cpu->stack));

	row->amounts[CPU] += cpu->time;
	row->amounts[SAMPLES] += cpu->count;
}

static void add_wait(struct making *making, const struct profile_wait *wait)
{
	struct strbuf name = STRBUF_INIT, text = STRBUF_INIT;
	uint64_t key[2] = { making->view->function_count };
	struct row *row;

	strbuf_addch(&name, '(');
	label_wait(making->view->profile, wait->reason, wait->file, &name);
	strbuf_addch(&name, ')');
	key[1] = strmap_put(&making->wait_names, name.text);
	strbuf_addf(&text, "%s,%zu", chain_of(making, wait->stack),
		    keymap_put(&making->frames, key));
	row = row_of(making, wait->task, text.text);
	row->amounts[WAIT] += wait->charged;
	row->amounts[WAITS] += wait->count;
	strbuf_release(&name);
	strbuf_release(&text);
}

/* Compares by task, then by stack. */
static int compare_rows(const void *first, const void *second)
{
	const struct row *one = first, *other = second;

	if (one->task != other->task)
		return one->task < other->task ? -1 : 1;
	return strcmp(one->stack, other->stack);
}

static int compare_stacks(const void *first, const void *second)
{
	return strcmp(((const struct row *)first)->stack, ((const struct row *)second)->stack);
}

static void add_frames(struct making *making)
{
	struct strbuf *out = &making->exporting->out;

	strbuf_addstr(out, "\"shared\":{\"frames\":[");
	for (size_t i = 0; i < making->frames.count; i++) {
		const uint64_t *key = keymap_key(&making->frames, i);
		bool waits = key[0] == making->view->function_count;
		const struct stack_function *function = &making->view->functions[key[0]];

		strbuf_addstr(out, i ? ",\n{\"name\":" : "\n{\"name\":");
		json_string(out, waits ? strmap_text(&making->wait_names, (uint32_t)key[1])
				       : function->name);
		if (!waits && *function->file) {
			json_key(out, "file", false);
			json_string(out, function->file);
		}
		if (!waits && key[1]) {
			json_key(out, "line", false);
			strbuf_addnum(out, key[1]);
		}
		strbuf_addch(out, '}');
		export_flush_if_large(making->exporting);
	}
	strbuf_addstr(out, "]},\n\"profiles\":[");
}

/* Begins a profile up to its samples. */
static void begin_profile(struct making *making, size_t value, const char *task, uint64_t total)
{
	struct strbuf *out = &making->exporting->out, name = STRBUF_INIT;

	strbuf_addf(&name, "%s%s%s", task, *task ? ": " : "", values[value].name);
	strbuf_addstr(out, making->first ? "\n" : ",\n");
	strbuf_addstr(out, "{\"type\":\"sampled\",\"name\":");
	json_string(out, name.text);
	strbuf_addf(out,
		    ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRIu64 ",\n\"samples\":[",
		    values[value].unit, total);
	making->first = false;
	strbuf_release(&name);
}

/* Adds the profile of a value over some rows, unless all its amounts are 0. */
static void add_profile(struct making *making, size_t value, const char *task,
			const struct row *rows, size_t count)
{
	struct strbuf *out = &making->exporting->out, weights = STRBUF_INIT;
	uint64_t total = 0;
	const char *comma = "";

	for (size_t i = 0; i < count; i++)
		total += rows[i].amounts[value];
	if (!total)
		return;
	begin_profile(making, value, task, total);
	for (size_t i = 0; i < count; i++) {
		uint64_t weight = rows[i].amounts[value];

		/* over all tasks, equal stacks are added up */
		for (; i + 1 < count && strcmp(rows[i].stack, rows[i + 1].stack) == 0; i++)
			weight += rows[i + 1].amounts[value];
		if (!weight)
			continue;
		strbuf_addstr(out, comma);
		strbuf_addch(out, '[');
		strbuf_addstr(out, rows[i].stack);
		strbuf_addch(out, ']');
		strbuf_addstr(&weights, comma);
		strbuf_addnum(&weights, weight);
		comma = ",";
		export_flush_if_large(making->exporting);
	}
	strbuf_addstr(out, "],\n\"weights\":[");
	strbuf_addbuf(out, &weights);
	strbuf_addstr(out, "]}");
	strbuf_release(&weights);
	export_flush_if_large(making->exporting);
}

/* Adds the profiles of each task. */
static void add_tasks(struct making *making)
{
	struct strbuf name = STRBUF_INIT;

	qsort(making->rows, making->row_keys.count, sizeof(*making->rows), compare_rows);
	for (size_t first = 0, end; first < making->row_keys.count; first = end) {
		for (end = first; end < making->row_keys.count &&
				  making->rows[end].task == making->rows[first].task;)
			end++;
		strbuf_reset(&name);
		label_task(making->view->profile, making->rows[first].task, &name);
		if (!name.length)
			strbuf_addstr(&name, "(task not known)");
		add_profile(making, CPU, name.text, making->rows + first, end - first);
		add_profile(making, WAIT, name.text, making->rows + first, end - first);
	}
	strbuf_release(&name);
}

static void making_init(struct making *making, struct exporting *exporting)
{
	memset(making, 0, sizeof(*making));
	making->exporting = exporting;
	making->view = &exporting->stacks;
	making->first = true;
	making->chains = xcalloc(making->view->profile->stacks.count + 1, sizeof(*making->chains));
	keymap_init(&making->frames, 2);
	keymap_init(&making->row_keys, 2);
	strmap_init(&making->texts);
	strmap_init(&making->wait_names);
}

static void making_release(struct making *making)
{
	for (size_t i = 0; i <= making->view->profile->stacks.count; i++)
		free(making->chains[i]);
	free(making->chains);
	free(making->rows);
	keymap_release(&making->frames);
	keymap_release(&making->row_keys);
	strmap_release(&making->texts);
	strmap_release(&making->wait_names);
	stack_path_release(&making->path);
}

static void write_speedscope(struct exporting *exporting)
{
	const struct stack_view *view = &exporting->stacks;
	struct strbuf *out = &exporting->out;
	struct making making;

	making_init(&making, exporting);
	for (size_t i = 0; i < view->cpu_count; i++)
		add_cpu(&making, &view->cpu[i]);
	for (size_t i = 0; i < view->wait_count; i++)
		add_wait(&making, &view->waits[i]);
	strbuf_addstr(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
			   "\"exporter\":\"vigil\",\"activeProfileIndex\":0,\"name\":");
	json_string(out, exporting->request->name);
	strbuf_addstr(out, ",\n");
	add_frames(&making);
	if (making.row_keys.count)
		qsort(making.rows, making.row_keys.count, sizeof(*making.rows), compare_stacks);
	for (size_t i = 0; i < VALUES; i++)
		add_profile(&making, i, "", making.rows, making.row_keys.count);
	if (making.several)
		add_tasks(&making);
	strbuf_addstr(out, "]}\n");
	making_release(&making);
}

const struct export_form speedscope_form = { "speedscope", "JSON for speedscope", EXPORT_STACKS,
					     write_speedscope };
