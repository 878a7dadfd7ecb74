/* SPDX-License-Identifier: Apache-2.0 */
/* Turns coverage rows into units, lines, procedures and statements. */
#include "common/compat.h"
#include "profile/coverage.h"
#include "common/keymap.h"
#include "common/pattern.h"
#include "common/xalloc.h"
#include "profile/share.h"
#include "records/record-types.h"

/* A statement of the sums, with its places. */
struct raw {
	size_t block, block_count;
	uint64_t places, places_executed, blocks_executed;
};

/* A view under construction. */
struct making {
	struct coverage_view *view;
	const struct coverage_sums *sums;
	enum coverage_grouping grouping;
	bool *wanted;		  /* by program of the sums */
	struct raw *raws;	  /* by statement of the sums */
	struct keymap programs;	  /* object, name, source: programs, all builds together */
	size_t *program_of;	  /* by program of the sums: its number in programs */
	struct keymap homes;	  /* program, procedure */
	uint64_t *home_files;	  /* by entry of homes: the main file of the procedure */
	struct keymap beginnings; /* program, procedure, file */
	uint64_t *first_lines;	  /* by entry of beginnings */
	struct keymap units, statements, procedures;
	size_t home_alloc, line_alloc, unit_alloc, statement_alloc, procedure_alloc;
	size_t *rank; /* by unit: its position in the order */
};

double coverage_statement_percent(const struct coverage_counts *counts)
{
	return counts->statements ? share_percent((double)counts->statements_executed,
						  (double)counts->statements)
				  : 100;
}

double coverage_line_percent(const struct coverage_counts *counts)
{
	return counts->lines ? share_percent((double)counts->lines_executed, (double)counts->lines)
			     : 100;
}

static void making_init(struct making *making)
{
	keymap_init(&making->programs, 3);
	keymap_init(&making->homes, 2);
	keymap_init(&making->beginnings, 3);
	keymap_init(&making->units, 3);
	keymap_init(&making->statements, 5);
	keymap_init(&making->procedures, 3);
	making->wanted = xcalloc(making->sums->program_count + 1, sizeof(*making->wanted));
	making->program_of = xcalloc(making->sums->program_count + 1, sizeof(*making->program_of));
	making->raws = xcalloc(making->sums->statement_count + 1, sizeof(*making->raws));
}

static void making_release(struct making *making)
{
	keymap_release(&making->programs);
	keymap_release(&making->homes);
	keymap_release(&making->beginnings);
	keymap_release(&making->units);
	keymap_release(&making->statements);
	keymap_release(&making->procedures);
	free(making->wanted);
	free(making->program_of);
	free(making->raws);
	free(making->home_files);
	free(making->first_lines);
	free(making->rank);
}

static const char *text(const struct making *making, uint64_t string)
{
	return strmap_text(making->sums->strings, (uint32_t)string);
}

static const struct record_coverage_program *program_at(const struct making *making,
							uint64_t number)
{
	return &making->sums->programs[number - 1];
}

/* Determines which programs are selected, and which are builds of the same one. */
static void choose_programs(struct making *making, const struct coverage_selection *selection)
{
	const char *pattern = selection ? selection->program : NULL;

	for (size_t i = 0; i < making->sums->program_count; i++) {
		const struct record_coverage_program *row = &making->sums->programs[i];
		uint64_t key[] = { row->object, row->name, row->source };

		making->wanted[i] =
			!pattern || pattern_matches(pattern, text(making, row->name), PATTERN_IGNORE_CASE);
		making->program_of[i] = keymap_put(&making->programs, key);
	}
}

/* Compares by statement, block and address. */
static int compare_places(const void *first, const void *second, void *argument)
{
	const struct coverage_sums *sums = argument;
	const struct record_coverage_place *a = &sums->places[*(const size_t *)first];
	const struct record_coverage_place *b = &sums->places[*(const size_t *)second];

	if (a->statement != b->statement)
		return a->statement < b->statement ? -1 : 1;
	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

/* Sums up places by block, and blocks by statement. */
static void make_blocks(struct making *making)
{
	const struct coverage_sums *sums = making->sums;
	struct coverage_view *view = making->view;
	size_t *order = xcalloc(sums->place_count + 1, sizeof(*order));
	const struct record_coverage_place *before = NULL;

	view->blocks = xcalloc(sums->place_count + 1, sizeof(*view->blocks));
	for (size_t i = 0; i < sums->place_count; i++)
		order[i] = i;
	qsort_r(order, sums->place_count, sizeof(*order), compare_places, (void *)(uintptr_t)sums);
	for (size_t i = 0; i < sums->place_count; i++) {
		const struct record_coverage_place *place = &sums->places[order[i]];
		struct raw *raw = &making->raws[place->statement - 1];
		struct coverage_block *block;

		if (!before || before->statement != place->statement ||
		    before->block != place->block) {
			if (!raw->block_count++)
				raw->block = view->block_count;
			view->blocks[view->block_count++].number = place->block;
		}
		block = &view->blocks[view->block_count - 1];
		raw->places++;
		raw->places_executed += place->executed;
		raw->blocks_executed += place->executed && !block->executed;
		block->executed = block->executed || place->executed;
		before = place;
	}
	free(order);
}

/* Finds where each procedure begins, and its main file: the source if the procedure is in it. */
static void find_procedures(struct making *making)
{
	for (size_t i = 0; i < making->sums->statement_count; i++) {
		const struct record_coverage_statement *row = &making->sums->statements[i];
		const struct record_coverage_program *program = program_at(making, row->program);
		uint64_t key[] = { making->program_of[row->program - 1], row->procedure,
				   row->file };
		size_t before = making->homes.count, at = keymap_put(&making->homes, key);

		GROW(making->home_files, at + 1, making->home_alloc);
		if (at == before || row->file == program->source)
			making->home_files[at] = row->file;
		before = making->beginnings.count;
		at = keymap_put(&making->beginnings, key);
		GROW(making->first_lines, at + 1, making->line_alloc);
		if (at == before || row->line < making->first_lines[at])
			making->first_lines[at] = row->line;
	}
}

/* Adds a program's properties to its unit. */
static void describe_unit(struct making *making, struct coverage_unit *unit,
			  const struct record_coverage_program *program)
{
	unit->events = unit->events || program->means == COVERAGE_BY_EVENTS;
	unit->optimised = unit->optimised || program->optimised;
	if (program->partial && !unit->partial) {
		unit->partial = true;
		unit->reason = program->reason;
	}
	if (!*text(making, unit->language))
		unit->language = program->language;
}

/* Returns the unit of a program, or of its rows for a file. */
static size_t unit_of(struct making *making, const struct record_coverage_program *program,
		      uint64_t file)
{
	struct coverage_view *view = making->view;
	bool by_file = making->grouping == COVERAGE_BY_FILE;
	uint64_t key[3] = { file, 0, 0 };
	size_t number;

	if (!by_file)
		key[0] = making->program_of[program->program - 1];
	number = keymap_put(&making->units, key);
	if (number == view->unit_count) {
		GROW(view->units, number + 1, making->unit_alloc);
		view->units[view->unit_count++] =
			(struct coverage_unit){ .name = by_file ? file : program->name,
						.source = by_file ? file : program->source,
						.library = program->library,
						.object = program->object };
	}
	describe_unit(making, &view->units[number], program);
	return number;
}

static enum coverage_state state_of(const struct coverage_statement *statement)
{
	if (!statement->count)
		return COVERAGE_MISSED;
	return statement->places_executed < statement->places ? COVERAGE_PARTLY : COVERAGE_EXECUTED;
}

/* Returns whether the places of a row show more executed than those of the statement so far. */
static bool is_better(const struct coverage_statement *statement,
		      const struct coverage_statement *row)
{
	if (row->state != statement->state)
		return row->state > statement->state;
	return row->places_executed * statement->places > statement->places_executed * row->places;
}

/* Merges a row of the sums into its statement. */
static void join(struct making *making, size_t number, const struct coverage_statement *row,
		 bool events)
{
	struct coverage_view *view = making->view;
	struct coverage_statement *statement;
	bool add;

	if (number == view->statement_count) {
		GROW(view->statements, number + 1, making->statement_alloc);
		view->statements[view->statement_count++] = *row;
		return;
	}
	statement = &view->statements[number];
	add = events || making->program_of[statement->program] == making->program_of[row->program];
	if (is_better(statement, row)) {
		uint64_t count = statement->count;

		*statement = *row;
		statement->count = count;
	}
	if (add)
		statement->count += row->count;
	else if (row->count > statement->count)
		statement->count = row->count;
}

/* Takes one row of the sums. */
static void take_statement(struct making *making, size_t index)
{
	const struct record_coverage_statement *from = &making->sums->statements[index];
	const struct record_coverage_program *program = program_at(making, from->program);
	const struct raw *raw = &making->raws[index];
	uint64_t key[5] = { making->program_of[from->program - 1], from->procedure, from->file };
	struct coverage_statement row = {
		.procedure = from->procedure,
		.file = from->file,
		.line = from->line,
		.ordinal = from->ordinal,
		.verb = from->verb,
		.count = from->count,
		.places = raw->places,
		.places_executed = raw->places_executed,
		.block = raw->block,
		.block_count = raw->block_count,
		.blocks_executed = raw->blocks_executed,
		.unit = unit_of(making, program, from->file),
		.program = (size_t)from->program - 1,
		.first_line = making->first_lines[keymap_find(&making->beginnings, key)],
	};

	row.state = state_of(&row);
	key[0] = row.unit;
	key[2] = making->grouping == COVERAGE_BY_FILE ? row.first_line : from->file;
	key[3] = from->line;
	key[4] = from->ordinal;
	join(making, keymap_put(&making->statements, key), &row,
	     program->means == COVERAGE_BY_EVENTS);
}

/* Takes all rows; programs without any statement get a unit, too. */
static void take_rows(struct making *making)
{
	for (size_t i = 0; i < making->sums->program_count; i++) {
		size_t unit;

		if (!making->wanted[i] || making->grouping == COVERAGE_BY_FILE)
			continue;
		unit = unit_of(making, &making->sums->programs[i], 0);
		making->view->units[unit].builds++;
	}
	for (size_t i = 0; i < making->sums->statement_count; i++)
		if (making->wanted[making->sums->statements[i].program - 1])
			take_statement(making, i);
}

/* Compares by name, source and object. */
static int compare_units(const void *first, const void *second, void *argument)
{
	const struct making *making = argument;
	const struct coverage_unit *a = &making->view->units[*(const size_t *)first];
	const struct coverage_unit *b = &making->view->units[*(const size_t *)second];
	int order = strcmp(text(making, a->name), text(making, b->name));

	if (!order)
		order = strcmp(text(making, a->source), text(making, b->source));
	return order ? order : strcmp(text(making, a->object), text(making, b->object));
}

/* Sorts the units and renumbers the statements' references. */
static void sort_units(struct making *making)
{
	struct coverage_view *view = making->view;
	size_t *order = xcalloc(view->unit_count + 1, sizeof(*order));
	struct coverage_unit *sorted = xcalloc(view->unit_count + 1, sizeof(*sorted));

	making->rank = xcalloc(view->unit_count + 1, sizeof(*making->rank));
	for (size_t i = 0; i < view->unit_count; i++)
		order[i] = i;
	qsort_r(order, view->unit_count, sizeof(*order), compare_units, making);
	for (size_t i = 0; i < view->unit_count; i++) {
		making->rank[order[i]] = i;
		sorted[i] = view->units[order[i]];
	}
	free(view->units);
	view->units = sorted;
	free(order);
	for (size_t i = 0; i < view->statement_count; i++)
		view->statements[i].unit = making->rank[view->statements[i].unit];
}

/* Compares two files of a unit: its source comes first. */
static int compare_files(const struct making *making, const struct coverage_unit *unit,
			 uint64_t first, uint64_t second)
{
	if (first == second)
		return 0;
	if (first == unit->source || second == unit->source)
		return first == unit->source ? -1 : 1;
	return strcmp(text(making, first), text(making, second));
}

/* Compares by unit, file, line, ordinal and procedure. */
static int compare_statements(const void *first, const void *second, void *argument)
{
	const struct coverage_statement *a = first, *b = second;
	const struct making *making = argument;
	int order;

	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	order = compare_files(making, &making->view->units[a->unit], a->file, b->file);
	if (order)
		return order;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->ordinal != b->ordinal)
		return a->ordinal < b->ordinal ? -1 : 1;
	order = strcmp(text(making, a->procedure), text(making, b->procedure));
	return order ? order : a->first_line < b->first_line ? -1 : a->first_line > b->first_line;
}

/*
 * Returns the procedure of a statement in its unit, adding it if it is new;
 * SIZE_MAX: its main file is elsewhere.
 */
static size_t procedure_of(struct making *making, const struct coverage_statement *statement)
{
	struct coverage_view *view = making->view;
	struct coverage_unit *unit = &view->units[statement->unit];
	const struct record_coverage_program *program = &making->sums->programs[statement->program];
	uint64_t home[] = { making->program_of[statement->program], statement->procedure };
	uint64_t key[] = { statement->unit, statement->procedure, 0 };
	size_t number;

	if (!*text(making, statement->procedure))
		return SIZE_MAX;
	if (making->grouping == COVERAGE_BY_FILE) {
		key[2] = statement->first_line;
		if (making->home_files[keymap_find(&making->homes, home)] != statement->file)
			return SIZE_MAX;
	}
	number = keymap_put(&making->procedures, key);
	if (number == view->procedure_count) {
		GROW(view->procedures, number + 1, making->procedure_alloc);
		view->procedures[view->procedure_count++] =
			(struct coverage_procedure){ .name = statement->procedure,
						     .program = program->name,
						     .file = statement->file,
						     .line = statement->line,
						     .count = statement->count };
		if (!unit->procedure_count++)
			unit->procedure = number;
	}
	return number;
}

/* Adds a statement to its procedure. */
static void add_to_procedure(struct making *making, struct coverage_statement *statement)
{
	struct coverage_procedure *procedure;

	statement->of_procedure = procedure_of(making, statement);
	if (statement->of_procedure == SIZE_MAX)
		return;
	procedure = &making->view->procedures[statement->of_procedure];
	procedure->statements++;
	procedure->executed += statement->count > 0;
	if (statement->count && !procedure->count)
		procedure->count = 1;
}

/* Adds a statement to its line; statements come in order. */
static void add_to_line(struct making *making, size_t number)
{
	struct coverage_view *view = making->view;
	const struct coverage_statement *statement = &view->statements[number];
	const struct coverage_statement *before = number ? statement - 1 : NULL;
	struct coverage_unit *unit = &view->units[statement->unit];
	struct coverage_line *line;

	if (!before || before->unit != statement->unit || before->file != statement->file ||
	    before->line != statement->line) {
		if (!unit->line_count++)
			unit->line = view->line_count;
		view->lines[view->line_count++] =
			(struct coverage_line){ .file = statement->file,
						.line = statement->line,
						.statement = number,
						.state = statement->state };
	}
	line = &view->lines[view->line_count - 1];
	line->statement_count++;
	line->executed += statement->count > 0;
	line->blocks += statement->block_count;
	line->blocks_executed += statement->blocks_executed;
	line->places += statement->places;
	line->places_executed += statement->places_executed;
	if (statement->count > line->count)
		line->count = statement->count;
	if (statement->state != line->state)
		line->state = COVERAGE_PARTLY;
}

/* Marks procedures of a unit whose name is not unique. */
static void find_ambiguous(struct making *making)
{
	struct coverage_view *view = making->view;
	struct keymap names;
	size_t *first = xcalloc(view->procedure_count + 1, sizeof(*first));

	keymap_init(&names, 2);
	for (size_t u = 0; u < view->unit_count; u++) {
		const struct coverage_unit *unit = &view->units[u];

		for (size_t i = unit->procedure; i < unit->procedure + unit->procedure_count; i++) {
			uint64_t key[] = { u, view->procedures[i].name };
			size_t before = names.count, at = keymap_put(&names, key);

			if (at == before) {
				first[at] = i;
				continue;
			}
			view->procedures[i].ambiguous = true;
			view->procedures[first[at]].ambiguous = true;
		}
	}
	keymap_release(&names);
	free(first);
}

/* Computes the counts of a unit. */
static void count_unit(const struct coverage_view *view, struct coverage_unit *unit)
{
	struct coverage_counts *counts = &unit->counts;

	for (size_t i = unit->line; i < unit->line + unit->line_count; i++) {
		const struct coverage_line *line = &view->lines[i];

		counts->lines++;
		counts->lines_executed += line->state != COVERAGE_MISSED;
		counts->lines_partly += line->state == COVERAGE_PARTLY;
		counts->statements += line->statement_count;
		counts->statements_executed += line->executed;
		counts->blocks += line->blocks;
		counts->blocks_executed += line->blocks_executed;
		counts->places += line->places;
		counts->places_executed += line->places_executed;
	}
	for (size_t i = unit->procedure; i < unit->procedure + unit->procedure_count; i++) {
		counts->procedures++;
		counts->procedures_executed += view->procedures[i].executed > 0;
	}
}

static void add_counts(struct coverage_counts *total, const struct coverage_counts *counts)
{
	total->statements += counts->statements;
	total->statements_executed += counts->statements_executed;
	total->lines += counts->lines;
	total->lines_executed += counts->lines_executed;
	total->lines_partly += counts->lines_partly;
	total->procedures += counts->procedures;
	total->procedures_executed += counts->procedures_executed;
	total->blocks += counts->blocks;
	total->blocks_executed += counts->blocks_executed;
	total->places += counts->places;
	total->places_executed += counts->places_executed;
}

/* Computes the counts of all units and keeps the selected ones. */
static void count_units(struct coverage_view *view, const struct coverage_selection *selection)
{
	double below = selection ? selection->below : 0;
	size_t kept = 0;

	for (size_t i = 0; i < view->unit_count; i++) {
		struct coverage_unit *unit = &view->units[i];

		count_unit(view, unit);
		if (below > 0 && coverage_statement_percent(&unit->counts) >= below)
			continue;
		add_counts(&view->total, &unit->counts);
		view->units[kept++] = *unit;
	}
	view->unit_count = kept;
}

void coverage_view_init(struct coverage_view *view, const struct coverage_sums *sums,
			enum coverage_grouping grouping, const struct coverage_selection *selection)
{
	struct making making = { .view = view, .sums = sums, .grouping = grouping };

	memset(view, 0, sizeof(*view));
	view->sums = sums;
	making_init(&making);
	choose_programs(&making, selection);
	make_blocks(&making);
	find_procedures(&making);
	take_rows(&making);
	sort_units(&making);
	if (view->statement_count)
		qsort_r(view->statements, view->statement_count, sizeof(*view->statements),
			compare_statements, &making);
	view->lines = xcalloc(view->statement_count + 1, sizeof(*view->lines));
	for (size_t i = 0; i < view->statement_count; i++) {
		add_to_procedure(&making, &view->statements[i]);
		add_to_line(&making, i);
	}
	find_ambiguous(&making);
	count_units(view, selection);
	making_release(&making);
}

void coverage_view_release(struct coverage_view *view)
{
	free(view->units);
	free(view->lines);
	free(view->statements);
	free(view->procedures);
	free(view->blocks);
	memset(view, 0, sizeof(*view));
}
