/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares a profile for the forms with stacks. */
#include "common/compat.h"
#include "exports/stack-view.h"
#include "common/path.h"
#include "common/pattern.h"
#include "common/xalloc.h"
#include "profile/label.h"
#include "records/record-types.h"

/* Names an address without a symbol: MODULE+0xOFFSET. */
static void name_address(const struct profile *profile, const struct place *place,
			 struct strbuf *name)
{
	const char *module = profile_text(profile, place->real_module);

	strbuf_addstr(name, *module ? module : "[unknown]");
	if (place->offset && place->offset < FRAME_PLACES_FIRST)
		strbuf_addf(name, "+0x%" PRIx64, place->offset);
}

/* What distinguishes functions. */
struct function_key {
	struct keymap keys;  /* object, name, file */
	struct keymap twins; /* name, file */
	uint32_t *first;     /* by twin: its first function */
	size_t first_alloc;
	struct strbuf text;
};

/* Returns the first function with this name and file; number is the newest one. */
static uint32_t find_twin(struct function_key *known, uint64_t name, uint64_t file,
			  uint32_t function)
{
	const uint64_t key[] = { name, file };
	size_t before = known->twins.count, number = keymap_put(&known->twins, key);

	GROW(known->first, number + 1, known->first_alloc);
	if (number == before)
		known->first[number] = function;
	return known->first[number];
}

/* Returns the number of a function, adding it if it is new. */
static uint32_t put_function(struct stack_view *view, struct function_key *known,
			     const struct place *place, const struct record_name *name)
{
	const struct profile *profile = view->profile;
	size_t object = id_table_number(&profile->objects, place->object);
	const struct record_object *record =
		object == SIZE_MAX ? NULL : id_table_at(&profile->objects, object);
	const char *file = name ? profile_text(profile, name->file) : "", *procedure;
	uint64_t key[3] = { object };
	size_t before = known->keys.count, number;

	strbuf_reset(&known->text);
	procedure = profile_text(profile, name ? name->procedure : 0);
	if (strncmp(procedure, "+0x", 3) == 0) /* a function without a name */
		strbuf_addf(&known->text, "%s%s", profile_text(profile, place->real_module),
			    procedure);
	else if (*procedure)
		strbuf_addstr(&known->text, procedure);
	else if (name && name->line)
		strbuf_addf(&known->text, "%s:%" PRIu64,
			    path_base(*file ? file : profile_text(profile, name->section)),
			    name->line);
	else
		name_address(profile, place, &known->text);
	if (name && !*file)
		file = profile_text(profile, name->section);
	key[1] = strmap_put(&view->texts, known->text.text);
	key[2] = strmap_put(&view->texts, file);
	number = keymap_put(&known->keys, key);
	if (number < before)
		return (uint32_t)number;
	GROW(view->functions, number + 1, view->function_alloc);
	view->functions[number] = (struct stack_function){
		.name = strmap_text(&view->texts, (uint32_t)key[1]),
		.file = strmap_text(&view->texts, (uint32_t)key[2]),
		.module = profile_text(profile, place->real_module),
		.object = object,
		.twin = find_twin(known, key[1], key[2], (uint32_t)number),
		.kernel = record && record->kind == OBJECT_KERNEL,
		.named = *procedure && *procedure != '+',
	};
	view->function_count = number + 1;
	return (uint32_t)number;
}

static size_t add_level(struct stack_view *view, size_t count, uint32_t function, uint64_t line)
{
	GROW(view->levels, count + 1, view->level_alloc);
	view->levels[count] = (struct stack_level){ .function = function, .line = line };
	return count + 1;
}

/* Appends the levels of a frame after the first count levels; returns the new count. */
static size_t add_frame(struct stack_view *view, struct function_key *known, size_t frame,
			size_t count)
{
	const struct profile *profile = view->profile;
	const struct place *place = &profile->attribution.places[frame];
	const struct record_frame *record =
		frame < profile->frames.count ? id_table_at(&profile->frames, frame) : NULL;
	const struct record_name *name;
	size_t first = count;

	for (uint64_t depth = 0;
	     record && (name = name_table_find(&profile->names, record->frame, depth)); depth++) {
		if (count > first)
			view->levels[count - 1].inlined = true;
		count = add_level(view, count, put_function(view, known, place, name), name->line);
	}
	if (count == first)
		count = add_level(view, count, put_function(view, known, place, NULL), 0);
	return count;
}

/* Names all frames. */
static void name_frames(struct stack_view *view)
{
	size_t frames = view->profile->attribution.place_count + 1, count = 0;
	struct function_key known = { .text = STRBUF_INIT };

	keymap_init(&known.keys, 3);
	keymap_init(&known.twins, 2);
	view->first = xcalloc(frames + 1, sizeof(*view->first));
	for (size_t i = 0; i < frames; i++) {
		view->first[i] = count;
		count = add_frame(view, &known, i, count);
	}
	view->first[frames] = count;
	keymap_release(&known.keys);
	keymap_release(&known.twins);
	free(known.first);
	strbuf_release(&known.text);
}

/* Returns whether a pattern fits a task's name, with or without its number. */
static bool task_matches(const struct profile *profile, const struct record_task *task,
		      const char *pattern)
{
	struct strbuf label = STRBUF_INIT;
	bool fits = pattern_matches(pattern, profile_text(profile, task->name), PATTERN_IGNORE_CASE);

	label_task(profile, task->task, &label);
	fits = fits || pattern_matches(pattern, label.text, PATTERN_IGNORE_CASE);
	strbuf_release(&label);
	return fits;
}

static void select_rows(struct stack_view *view, const struct stack_selection *selection)
{
	const struct profile *profile = view->profile;

	view->no_task_wanted = !selection->task;
	view->no_transaction_wanted = !selection->transaction;
	if (selection->task)
		view->tasks_wanted = xcalloc(profile->tasks.count + 1, sizeof(bool));
	for (size_t i = 0; selection->task && i < profile->tasks.count; i++)
		view->tasks_wanted[i] =
			task_matches(profile, id_table_at(&profile->tasks, i), selection->task);
	if (!selection->transaction)
		return;
	view->transactions_wanted = xcalloc(profile->transactions.count + 1, sizeof(bool));
	for (size_t i = 0; i < profile->transactions.count; i++) {
		const struct record_transaction *record = id_table_at(&profile->transactions, i);

		view->transactions_wanted[i] = pattern_matches(
			selection->transaction, label_transaction(profile, record->transaction),
			PATTERN_IGNORE_CASE);
	}
	view->no_transaction_wanted =
		pattern_matches(selection->transaction, label_transaction(profile, 0), PATTERN_IGNORE_CASE);
}

static bool wants(const struct id_table *table, const bool *wanted, bool none, uint64_t id)
{
	size_t number;

	if (!wanted)
		return true;
	number = id_table_number(table, id);
	return number == SIZE_MAX ? none : wanted[number];
}

bool stack_view_wants(const struct stack_view *view, uint64_t task, uint64_t transaction)
{
	return wants(&view->profile->tasks, view->tasks_wanted, view->no_task_wanted, task) &&
	       wants(&view->profile->transactions, view->transactions_wanted,
		     view->no_transaction_wanted, transaction);
}

/* Adds a row; rows equal in all that the forms show are merged. */
static void add_cpu(struct stack_view *view, struct keymap *known, const struct profile_cpu *row,
		    uint64_t time)
{
	const uint64_t key[] = { row->stack, row->task, row->transaction, row->kind };
	size_t number = keymap_put(known, key);

	if (number == view->cpu_count)
		view->cpu[view->cpu_count++] = (struct stack_cpu){
			.stack = row->stack,
			.task = row->task,
			.transaction = row->transaction,
			.kind = row->kind,
		};
	view->cpu[number].count += row->count;
	view->cpu[number].time += time;
	view->samples += row->count;
	view->cpu_time += time;
}

static void take_cpu(struct stack_view *view)
{
	const struct profile *profile = view->profile;
	uint64_t samples = 0, before = 0;
	struct keymap known;

	keymap_init(&known, 4);
	view->cpu = xcalloc(profile->cpu_count + 1, sizeof(*view->cpu));
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *row = &profile->cpu[i];
		uint64_t time;

		samples += row->count;
		time = sample_scale_time(&view->scale, samples);
		if (stack_view_wants(view, row->task, row->transaction))
			add_cpu(view, &known, row, time - before);
		before = time;
	}
	keymap_release(&known);
}

static void take_waits(struct stack_view *view)
{
	const struct profile *profile = view->profile;

	view->waits = xcalloc(profile->wait_count + 1, sizeof(*view->waits));
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *row = &profile->waits[i];

		if (!stack_view_wants(view, row->task, row->transaction))
			continue;
		view->waits[view->wait_count++] = *row;
		view->charged += row->charged;
		view->wait_events += row->count;
	}
}

void stack_view_init(struct stack_view *view, const struct profile *profile,
		     const struct stack_selection *selection)
{
	memset(view, 0, sizeof(*view));
	view->profile = profile;
	view->scale = session_facts_scale(profile);
	strmap_init(&view->texts);
	select_rows(view, selection);
	name_frames(view);
	take_cpu(view);
	take_waits(view);
}

void stack_view_release(struct stack_view *view)
{
	strmap_release(&view->texts);
	free(view->functions);
	free(view->levels);
	free(view->first);
	free(view->cpu);
	free(view->waits);
	free(view->tasks_wanted);
	free(view->transactions_wanted);
	memset(view, 0, sizeof(*view));
}

size_t stack_view_frame(const struct stack_view *view, size_t stack)
{
	return stack == ATTRIBUTION_NONE ? view->profile->attribution.place_count
					 : view->profile->attribution.frames[stack];
}

size_t stack_view_parent(const struct stack_view *view, size_t stack)
{
	return stack == ATTRIBUTION_NONE ? stack : view->profile->attribution.parents[stack];
}

void stack_path_set(struct stack_path *path, const struct stack_view *view, size_t stack)
{
	size_t depth = 0;

	for (size_t at = stack; at != ATTRIBUTION_NONE; at = stack_view_parent(view, at))
		depth++;
	GROW(path->stacks, depth + 1, path->alloc);
	path->count = depth ? depth : 1;
	path->stacks[0] = ATTRIBUTION_NONE;
	for (size_t at = stack; depth-- > 0; at = stack_view_parent(view, at))
		path->stacks[depth] = at;
}

void stack_path_release(struct stack_path *path)
{
	free(path->stacks);
	memset(path, 0, sizeof(*path));
}
