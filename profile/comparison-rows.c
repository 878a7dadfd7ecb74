/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the rows that two sides have in common, and the amounts of each run in them. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "profile/comparison-data.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "profile/wait-variance.h"
#include "records/record-types.h"

#include <ctype.h>

/* Limit of lines that are matched by shifting. */
#define MOVED_LINES 200

/* Facts about names, gathered before rows are made; texts are strings of the comparison. */
struct known {
	struct keymap pairs; /* module, procedure */
	struct known_pair {
		size_t run; /* last run it was seen in, + 1 */
		uint32_t section;
		bool several; /* a run has this procedure in several sections */
	} * items;
	size_t alloc;
	struct idmap builds; /* module: build id, MOVED if there are several or none */
	struct keymap shifts; /* row of the procedure: shift of the other side's lines */
	int64_t *moves;
	size_t move_alloc;
};
#define MOVED UINT64_MAX

/* One run while it is entered into the table. */
struct taking {
	struct comparison_table *table;
	struct known *known;
	const struct profile *profile;
	size_t run;
	size_t *procedures, *statements; /* by place: row, SIZE_MAX: not resolved yet */
};

void comparison_rows_init(struct comparison_table *table, const struct comparison_request *request,
			  struct strmap *strings)
{
	memset(table, 0, sizeof(*table));
	table->request = request;
	table->strings = strings;
	table->base_count = request->run_counts[COMPARISON_BASE];
	table->run_count = table->base_count + request->run_counts[COMPARISON_OTHER];
	table->runs = xcalloc(table->run_count, sizeof(*table->runs));
	table->sample = xcalloc(table->run_count, sizeof(*table->sample));
	table->looks = xcalloc(table->run_count, sizeof(*table->looks));
	table->work = xcalloc(table->run_count, sizeof(*table->work));
	keymap_init(&table->keys, COMPARISON_KEYS);
	for (size_t i = 0; i < table->run_count; i++) {
		enum comparison_side side = comparison_side_of(table, i);
		const struct profile *profile =
			request->runs[side][side == COMPARISON_BASE ? i : i - table->base_count];
		double samples = (double)profile->samples;

		table->runs[i] = profile;
		table->looks[i] = samples > 0 ? profile->basis.observed / samples : 0;
		if (samples > 0)
			table->sample[i] =
				(double)session_facts_sampled(profile, profile->samples) / samples;
		if ((double)profile_run_time(profile) > table->longest)
			table->longest = (double)profile_run_time(profile);
	}
}

void comparison_rows_release(struct comparison_table *table)
{
	keymap_release(&table->keys);
	free(table->runs);
	free(table->sample);
	free(table->looks);
	free(table->work);
	free(table->cells);
	free(table->lines);
	free(table->procedures);
}

/* Returns the number of a row, adding it if it is new. */
static size_t row_at(struct comparison_table *table, const uint64_t key[COMPARISON_KEYS])
{
	size_t before = table->keys.count, row = keymap_put(&table->keys, key);

	if (row < before)
		return row;
	GROW(table->cells, (row + 1) * table->run_count, table->alloc);
	GROW(table->lines, row + 1, table->lines_alloc);
	GROW(table->procedures, row + 1, table->procedures_alloc);
	memset(comparison_cell(table, row, 0), 0, table->run_count * sizeof(*table->cells));
	table->lines[row][COMPARISON_BASE] = table->lines[row][COMPARISON_OTHER] = 0;
	table->procedures[row] = SIZE_MAX;
	return row;
}

/* Converts a string of a run into one of the comparison. */
static uint32_t text_of(const struct taking *taking, uint64_t string)
{
	return strmap_put(taking->table->strings, profile_text(taking->profile, string));
}

/* Records which procedures a run has, and whether a name is ambiguous. */
static void record_sections(struct taking *taking)
{
	struct known *known = taking->known;
	const struct attribution *attribution = &taking->profile->attribution;

	for (size_t i = 0; i < attribution->place_count; i++) {
		const struct place *place = &attribution->places[i];
		uint32_t section = text_of(taking, place->section);
		uint64_t pair[] = { text_of(taking, place->module),
				    text_of(taking, place->procedure) };
		size_t before = known->pairs.count, number;

		if (place->system || !place->procedure)
			continue;
		number = keymap_put(&known->pairs, pair);
		GROW(known->items, number + 1, known->alloc);
		if (number == before)
			known->items[number] = (struct known_pair){ 0 };
		if (known->items[number].run == taking->run + 1 &&
		    known->items[number].section != section)
			known->items[number].several = true;
		known->items[number].run = taking->run + 1;
		known->items[number].section = section;
	}
}

/* Records whether a run's objects are the same builds as in the runs before. */
static void record_builds(struct taking *taking)
{
	for (size_t i = 0; i < taking->profile->objects.count; i++) {
		const struct record_object *object = id_table_at(&taking->profile->objects, i);
		const char *path = profile_text(taking->profile, object->path);
		const char *slash = strrchr(path, '/');
		uint64_t module = strmap_put(taking->table->strings, slash ? slash + 1 : path);
		uint64_t build = text_of(taking, object->build_id), known;

		if (object->kind != OBJECT_FILE)
			continue;
		if (!*profile_text(taking->profile, object->build_id) ||
		    (idmap_get(&taking->known->builds, module, &known) && known != build))
			build = MOVED;
		idmap_put(&taking->known->builds, module, build);
	}
}

/* Returns whether the lines of a place may have moved in another run. */
static bool is_moved(const struct taking *taking, const struct place *place)
{
	uint64_t build;

	return place->named ||
	       !idmap_get(&taking->known->builds, text_of(taking, place->module), &build) ||
	       build == MOVED;
}

/*
 * Returns the row of a place's procedure; NULL: the row of stacks without a frame
 * of the program.
 */
static size_t procedure_row(struct taking *taking, const struct place *place)
{
	uint64_t key[COMPARISON_KEYS] = { [COMPARISON_KEY_KIND] = COMPARISON_PROCEDURE };
	unsigned resolution = taking->table->request->resolution;
	size_t *row, pair;

	if (!place) {
		key[COMPARISON_MODULE] = strmap_put(taking->table->strings, ".NOCALLER");
		return row_at(taking->table, key);
	}
	row = &taking->procedures[place - taking->profile->attribution.places];
	if (*row != SIZE_MAX)
		return *row;
	key[COMPARISON_MODULE] = text_of(taking, place->module);
	if (place->procedure) {
		key[COMPARISON_NAME] = text_of(taking, place->procedure);
		pair = keymap_find(&taking->known->pairs,
				   (uint64_t[]){ key[COMPARISON_MODULE], key[COMPARISON_NAME] });
		if (pair != SIZE_MAX && taking->known->items[pair].several)
			key[COMPARISON_SECTION] = text_of(taking, place->section);
	} else {
		char name[32];

		if (!resolution)
			resolution = 64;
		snprintf(name, sizeof(name), "+%" PRIX64, place->offset / resolution * resolution);
		key[COMPARISON_NAME] = strmap_put(taking->table->strings,
						  place->offset ? name : ATTRIBUTION_NO_PLACE);
	}
	*row = row_at(taking->table, key);
	return *row;
}

/* Returns the text of a statement without surrounding blanks; 0 if unknown. */
static uint32_t statement_text(const struct taking *taking, const struct place *place)
{
	const char *text = profile_text(taking->profile, place->text);
	size_t length;

	while (isspace((unsigned char)*text))
		text++;
	length = strlen(text);
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	return length ? strmap_put_n(taking->table->strings, text, length) : 0;
}

/* Returns the base's line that matches a line of a procedure without texts. */
static uint64_t line_of_base(const struct taking *taking, size_t procedure, uint64_t line)
{
	size_t number = keymap_find(&taking->known->shifts, (uint64_t[]){ procedure });

	if (comparison_side_of(taking->table, taking->run) == COMPARISON_BASE ||
	    number == SIZE_MAX)
		return line;
	return (uint64_t)((int64_t)line - taking->known->moves[number]);
}

/* Returns the row of the statement at a place that has a line. */
static size_t statement_row(struct taking *taking, const struct place *place)
{
	struct comparison_table *table = taking->table;
	enum comparison_side side = comparison_side_of(table, taking->run);
	size_t *row = &taking->statements[place - taking->profile->attribution.places];
	size_t procedure = procedure_row(taking, place);
	uint64_t key[COMPARISON_KEYS];
	uint64_t *line;

	if (*row != SIZE_MAX)
		return *row;
	memcpy(key, keymap_key(&table->keys, procedure), sizeof(key));
	key[COMPARISON_KEY_KIND] = COMPARISON_STATEMENT;
	key[COMPARISON_TEXT] = statement_text(taking, place);
	key[COMPARISON_FILE] = text_of(taking, place->other_file);
	if (!is_moved(taking, place))
		key[COMPARISON_KEY_LINE] = place->line;
	else if (!key[COMPARISON_TEXT])
		key[COMPARISON_KEY_LINE] = line_of_base(taking, procedure, place->line);
	*row = row_at(table, key);
	table->procedures[*row] = procedure;
	line = &table->lines[*row][side];
	*line = *line == 0 || *line == place->line ? place->line : MOVED;
	return *row;
}

/* Adds samples to a row. */
static void add_samples(struct taking *taking, size_t row, const struct profile_cpu *cpu)
{
	struct comparison_cell *cell = comparison_cell(taking->table, row, taking->run);

	cell->count += (double)cpu->count;
	if (taking->profile->basis.variance > 0)
		cell->placed += (double)profile_cpu_placed(cpu);
	else
		cell->lumped += (double)profile_cpu_placed(cpu);
	if (cpu->kind == SAMPLE_RESIDUE)
		cell->lumped += (double)cpu->count;
}

/* Adds the CPU samples of a run; statements: to its statement rows, else to all other rows. */
static void take_cpu(struct taking *taking, bool statements)
{
	const struct profile *profile = taking->profile;
	struct comparison_table *table = taking->table;

	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		const struct place *caller = attribution_caller(&profile->attribution, cpu->stack);
		uint64_t key[COMPARISON_KEYS] = { [COMPARISON_KEY_KIND] = COMPARISON_TRANSACTION };

		if (statements && caller && caller->line) {
			add_samples(taking, statement_row(taking, caller), cpu);
		} else if (!statements) {
			add_samples(taking, procedure_row(taking, caller), cpu);
			if (!profile->transactions.count)
				continue;
			key[COMPARISON_NAME] = strmap_put(
				table->strings, label_transaction(profile, cpu->transaction));
			add_samples(taking, row_at(table, key), cpu);
		}
	}
}

/* Fills the key of a wait's row of a kind; returns false if it has none. */
static bool wait_key(struct taking *taking, const struct profile_wait *wait,
		     enum comparison_kind kind, uint64_t key[COMPARISON_KEYS], size_t *procedure)
{
	struct strmap *strings = taking->table->strings;
	const struct profile *profile = taking->profile;
	const struct place *caller;
	struct strbuf file = STRBUF_INIT;

	memset(key, 0, COMPARISON_KEYS * sizeof(*key));
	key[COMPARISON_KEY_KIND] = kind;
	*procedure = SIZE_MAX;
	if ((kind == COMPARISON_DATA_SET && !wait->file) ||
	    (kind == COMPARISON_TRANSACTION_WAIT && !profile->transactions.count))
		return false;
	if (kind == COMPARISON_TRANSACTION_WAIT) {
		key[COMPARISON_NAME] =
			strmap_put(strings, label_transaction(profile, wait->transaction));
		return true;
	}
	if (wait->file)
		label_file(profile, wait->file, &file);
	if (kind == COMPARISON_DATA_SET)
		key[COMPARISON_FILE] = strmap_put(strings, file.text);
	if (kind == COMPARISON_WAIT_PLACE) {
		caller = attribution_caller(&profile->attribution, wait->stack);
		*procedure = procedure_row(taking, caller);
		memcpy(key, keymap_key(&taking->table->keys, *procedure),
		       COMPARISON_KEYS * sizeof(*key));
		key[COMPARISON_KEY_KIND] = kind;
	}
	if (kind != COMPARISON_DATA_SET) {
		key[COMPARISON_REASON] = strmap_put(strings, label_reason(wait->reason));
		key[COMPARISON_FILE] = strmap_put(strings, file.text);
	}
	strbuf_release(&file);
	return true;
}

/* Adds the waits of a run to the rows of a kind. */
static void take_waits(struct taking *taking, enum comparison_kind kind)
{
	const struct profile *profile = taking->profile;
	struct comparison_table *table = taking->table;
	size_t *rows = xcalloc(profile->wait_count + 1, sizeof(*rows));
	uint64_t *variances;

	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		uint64_t key[COMPARISON_KEYS];
		struct comparison_cell *cell;
		size_t procedure;

		rows[i] = SIZE_MAX;
		if (!wait_key(taking, wait, kind, key, &procedure))
			continue;
		rows[i] = row_at(table, key);
		table->procedures[rows[i]] = procedure;
		cell = comparison_cell(table, rows[i], taking->run);
		cell->amount += (double)wait->total;
		cell->count += (double)wait->count;
	}
	variances = xcalloc(table->keys.count + 1, sizeof(*variances));
	wait_variances(profile, rows, table->keys.count, variances);
	for (size_t i = 0; i < table->keys.count; i++)
		comparison_cell(table, i, taking->run)->variance += (double)variances[i] * 1e6;
	free(variances);
	free(rows);
}

/* Sets how often each transaction ran, if known. */
static void take_units(struct taking *taking)
{
	struct comparison_table *table = taking->table;

	for (size_t i = 0; i < taking->profile->transactions.count; i++) {
		const struct record_transaction *transaction =
			id_table_at(&taking->profile->transactions, i);
		double units = transaction->told && transaction->told_exact
				       ? (double)transaction->told
			       : !transaction->seen ? (double)transaction->count
						    : 0;

		for (int kind = COMPARISON_TRANSACTION; kind <= COMPARISON_TRANSACTION_WAIT;
		     kind++) {
			uint64_t key[COMPARISON_KEYS] = { [COMPARISON_KEY_KIND] = (uint64_t)kind };
			size_t row;

			key[COMPARISON_NAME] = text_of(taking, transaction->name);
			row = keymap_find(&table->keys, key);
			if (row != SIZE_MAX)
				comparison_cell(table, row, taking->run)->units += units;
		}
	}
}

static int compare_moves(const void *first, const void *second)
{
	int64_t one = *(const int64_t *)first, other = *(const int64_t *)second;

	return one < other ? -1 : one > other;
}

static int64_t length_of(int64_t move)
{
	return move < 0 ? -move : move;
}

/* Returns the shift that matches the most lines of both; the shortest of these. */
static int64_t best_move(const uint64_t *base, size_t base_count, const uint64_t *other,
			 size_t other_count)
{
	int64_t *moves = xcalloc(base_count * other_count + 1, sizeof(*moves)), move = 0;
	size_t count = 0, best = 0;

	for (size_t i = 0; i < base_count; i++)
		for (size_t j = 0; j < other_count; j++)
			moves[count++] = (int64_t)(other[j] - base[i]);
	qsort(moves, count, sizeof(*moves), compare_moves);
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from; to < count && moves[to] == moves[from];)
			to++;
		if (to - from > best ||
		    (to - from == best && length_of(moves[from]) < length_of(move))) {
			best = to - from;
			move = moves[from];
		}
	}
	free(moves);
	return move;
}

/* The lines of one procedure without text, by side. */
struct moved_lines {
	uint64_t lines[COMPARISON_SIDES][MOVED_LINES];
	size_t counts[COMPARISON_SIDES];
};

/* Collects the lines without text of a run, by procedure. */
static void note_lines(struct taking *taking, struct keymap *seen)
{
	const struct attribution *attribution = &taking->profile->attribution;

	for (size_t i = 0; i < attribution->place_count; i++) {
		const struct place *place = &attribution->places[i];

		if (place->system || !place->line || taking->procedures[i] == SIZE_MAX ||
		    !is_moved(taking, place) || statement_text(taking, place))
			continue;
		keymap_put(seen, (uint64_t[]){ taking->procedures[i],
					       comparison_side_of(taking->table, taking->run),
					       place->line });
	}
}

/* Finds the line shift of each procedure. */
static void find_moves(struct known *known, const struct keymap *seen)
{
	struct moved_lines *lines = NULL;
	size_t alloc = 0;

	for (size_t i = 0; i < seen->count; i++) {
		const uint64_t *key = keymap_key(seen, i);
		size_t before = known->shifts.count, number = keymap_put(&known->shifts, key);
		size_t *count;

		GROW(lines, number + 1, alloc);
		if (number == before)
			memset(&lines[number], 0, sizeof(*lines));
		count = &lines[number].counts[key[1]];
		if (*count < MOVED_LINES)
			lines[number].lines[key[1]][(*count)++] = key[2];
	}
	GROW(known->moves, known->shifts.count + 1, known->move_alloc);
	for (size_t i = 0; i < known->shifts.count; i++)
		known->moves[i] = best_move(lines[i].lines[0], lines[i].counts[0],
					    lines[i].lines[1], lines[i].counts[1]);
	free(lines);
}

/* Converts samples to time, and computes the variance of that. */
static void finish_cpu(struct comparison_table *table)
{
	for (size_t row = 0; row < table->keys.count; row++) {
		uint64_t kind = keymap_key(&table->keys, row)[COMPARISON_KEY_KIND];

		if (kind != COMPARISON_PROCEDURE && kind != COMPARISON_STATEMENT &&
		    kind != COMPARISON_TRANSACTION)
			continue;
		for (size_t run = 0; run < table->run_count; run++) {
			struct comparison_cell *cell = comparison_cell(table, row, run);
			const struct margin_basis *basis = &table->runs[run]->basis;
			double share = basis->all > 0 ? cell->count / basis->all : 0, sampling, placed;

			cell->amount = cell->count * table->sample[run];
			cell->certain = 1;
			if (basis->observed <= 0)
				continue;
			sampling = share * (1 - share) / basis->observed * basis->all * basis->all;
			placed = margin_placed_variance(basis, cell->placed);
			cell->variance = (sampling + placed + cell->lumped * cell->lumped) *
					 table->sample[run] * table->sample[run];
			if (placed > 0 && sampling > 0)
				cell->certain = sampling / (sampling + placed);
		}
	}
}

/* Adds the CPU time of the run as a row. */
static void take_total(struct taking *taking)
{
	uint64_t key[COMPARISON_KEYS] = { [COMPARISON_KEY_KIND] = COMPARISON_TOTAL };
	size_t row = row_at(taking->table, key);
	struct comparison_cell *cell = comparison_cell(taking->table, row, taking->run);

	cell->amount = (double)session_facts_sampled(taking->profile, taking->profile->samples);
	cell->count = (double)taking->profile->samples;
}

static void begin_taking(struct taking *taking, struct comparison_table *table,
			 struct known *known, size_t run)
{
	size_t places = table->runs[run]->attribution.place_count + 1;

	*taking = (struct taking){ .table = table, .known = known, .run = run };
	taking->profile = table->runs[run];
	taking->procedures = xmalloc(places * sizeof(*taking->procedures));
	taking->statements = xmalloc(places * sizeof(*taking->statements));
	memset(taking->procedures, 0xff, places * sizeof(*taking->procedures));
	memset(taking->statements, 0xff, places * sizeof(*taking->statements));
	record_sections(taking);
	record_builds(taking);
}

void comparison_rows_take(struct comparison_table *table)
{
	struct taking *takings = xcalloc(table->run_count, sizeof(*takings));
	struct known known = { 0 };
	struct keymap seen;

	keymap_init(&known.pairs, 2);
	keymap_init(&known.shifts, 1);
	keymap_init(&seen, 3);
	idmap_init(&known.builds);
	for (size_t i = 0; i < table->run_count; i++)
		begin_taking(&takings[i], table, &known, i);
	for (size_t i = 0; i < table->run_count; i++) {
		take_cpu(&takings[i], false);
		note_lines(&takings[i], &seen);
	}
	find_moves(&known, &seen);
	for (size_t i = 0; i < table->run_count; i++) {
		take_cpu(&takings[i], true);
		take_waits(&takings[i], COMPARISON_WAIT);
		take_waits(&takings[i], COMPARISON_WAIT_PLACE);
		take_waits(&takings[i], COMPARISON_DATA_SET);
		take_waits(&takings[i], COMPARISON_TRANSACTION_WAIT);
		take_units(&takings[i]);
		take_total(&takings[i]);
		free(takings[i].procedures);
		free(takings[i].statements);
	}
	finish_cpu(table);
	keymap_release(&known.pairs);
	keymap_release(&known.shifts);
	keymap_release(&seen);
	idmap_release(&known.builds);
	free(known.items);
	free(known.moves);
	free(takings);
}
