/* SPDX-License-Identifier: Apache-2.0 */
/* Merges coverage rows by identity, within a session and across sessions. */
#include "common/compat.h"
#include "records/coverage-sums.h"
#include "common/xalloc.h"

static void index_init(struct coverage_index *index, size_t width)
{
	keymap_init(&index->keys, width);
	idmap_init(&index->numbers);
	idmap_init(&index->counted);
}

static void index_release(struct coverage_index *index)
{
	keymap_release(&index->keys);
	idmap_release(&index->numbers);
	idmap_release(&index->counted);
}

/* Discards the session's numbers; keys and rows stay. */
static void index_begin(struct coverage_index *index)
{
	idmap_release(&index->numbers);
	idmap_release(&index->counted);
	idmap_init(&index->numbers);
	idmap_init(&index->counted);
}

void coverage_sums_init(struct coverage_sums *sums, struct strmap *strings)
{
	memset(sums, 0, sizeof(*sums));
	sums->strings = strings;
	index_init(&sums->program_index, 7);
	index_init(&sums->statement_index, 5);
	index_init(&sums->place_index, 4);
	strbuf_init(&sums->text);
}

void coverage_sums_release(struct coverage_sums *sums)
{
	index_release(&sums->program_index);
	index_release(&sums->statement_index);
	index_release(&sums->place_index);
	strbuf_release(&sums->text);
	free(sums->programs);
	free(sums->statements);
	free(sums->places);
}

void coverage_sums_begin(struct coverage_sums *sums)
{
	sums->session++;
	index_begin(&sums->program_index);
	index_begin(&sums->statement_index);
	index_begin(&sums->place_index);
}

/*
 * Returns the number in the sums' strings of one of a snapshot's strings; 0 if out
 * of range, as in a damaged row.
 */
static uint64_t import_string(struct coverage_sums *sums, const struct strmap *strings, uint64_t string)
{
	if (strings == sums->strings)
		return string < strings->count ? string : 0;
	return string < strings->count
		       ? strmap_put(sums->strings, strmap_text(strings, (uint32_t)string))
		       : 0;
}

/* Appends a path in normal form: "a/../b/./c" becomes "b/c". */
static void add_clean_path(struct strbuf *sb, const char *path)
{
	size_t start = sb->length + (*path == '/'), length;

	if (*path == '/')
		strbuf_addch(sb, '/');
	for (; *path; path += length) {
		const char *last = strrchr(sb->text + start, '/');

		path += strspn(path, "/");
		length = strcspn(path, "/");
		last = last ? last + 1 : sb->text + start;
		if (!length || (length == 1 && *path == '.'))
			continue;
		if (length == 2 && memcmp(path, "..", 2) == 0 && *last && strcmp(last, "..") != 0) {
			size_t keep = (size_t)(last - sb->text);

			sb->length = keep > start ? keep - 1 : start;
			sb->text[sb->length] = '\0';
			continue;
		}
		if (sb->length > start)
			strbuf_addch(sb, '/');
		strbuf_add(sb, path, length);
	}
}

/*
 * Does the same for a path, in normal form. Compilers name a header by the way it
 * was included, so without this one header would have a different name in each
 * program.
 */
static uint64_t import_path(struct coverage_sums *sums, const struct strmap *strings, uint64_t string)
{
	uint64_t number = import_string(sums, strings, string);
	const char *path = strmap_text(sums->strings, (uint32_t)number);

	if (!strstr(path, "/.") && !strstr(path, "//") && strncmp(path, "./", 2) != 0)
		return number;
	strbuf_reset(&sums->text);
	add_clean_path(&sums->text, path);
	return strmap_put(sums->strings, sums->text.text);
}

/*
 * Sets *row to the row of a key, adding it if new, and maps the session's number
 * to it. Returns whether it is new.
 */
static bool find(struct coverage_index *index, uint64_t number, const uint64_t *key, size_t *row)
{
	size_t before = index->keys.count;

	*row = keymap_put(&index->keys, key);
	idmap_put(&index->numbers, number, *row);
	return *row == before;
}

/* Sets *row to the row with a number in the session; returns false when there is none. */
static bool find_by_number(const struct coverage_index *index, uint64_t number, size_t *row)
{
	uint64_t value;
	bool found = idmap_get(&index->numbers, number, &value);

	if (found)
		*row = (size_t)value;
	return found;
}

/*
 * Returns whether a program is distinct in each session: covered by places and
 * without the build id that could identify it.
 */
static bool is_session_specific(const struct coverage_sums *sums,
			  const struct record_coverage_program *row)
{
	return !*strmap_text(sums->strings, (uint32_t)row->build_id) &&
	       row->means == COVERAGE_BY_PLACES;
}

/* Finds or adds the row of a program; returns whether it is new. */
static bool find_program(struct coverage_sums *sums, uint64_t number,
			 const struct record_coverage_program *row, size_t *at)
{
	bool build = *strmap_text(sums->strings, (uint32_t)row->build_id);
	uint64_t key[] = { row->means,
			   row->build_id,
			   row->name,
			   row->source,
			   build ? 0 : row->library,
			   build ? 0 : row->object,
			   is_session_specific(sums, row) ? sums->session : 0 };

	return find(&sums->program_index, number, key, at);
}

/*
 * Takes a program and returns its index. same: the index of the existing program
 * that it is; SIZE_MAX: its key decides.
 */
static size_t take_program(struct coverage_sums *sums, const struct strmap *strings,
			   const struct record_coverage_program *from, size_t same)
{
	struct record_coverage_program row = *from;
	uint64_t *const texts[] = { &row.library, &row.object,	 &row.build_id,
				    &row.name,	  &row.language, &row.reason };
	size_t at = same;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		*texts[i] = import_string(sums, strings, *texts[i]);
	row.source = import_path(sums, strings, row.source);
	if (same != SIZE_MAX) {
		idmap_put(&sums->program_index.numbers, from->program, same);
	} else if (find_program(sums, from->program, &row, &at)) {
		GROW(sums->programs, at + 1, sums->program_alloc);
		row.program = at + 1;
		sums->programs[at] = row;
		sums->program_count++;
		return at;
	}
	if (row.partial && !sums->programs[at].partial) {
		sums->programs[at].partial = row.partial;
		sums->programs[at].reason = row.reason;
	}
	sums->programs[at].optimised |= row.optimised;
	return at;
}

/* Adds the increase of a row's count since the row last appeared in this session. */
static void count_statement(struct coverage_sums *sums, uint64_t number, size_t at, uint64_t count)
{
	struct record_coverage_statement *row = &sums->statements[at];
	uint64_t before = 0;

	idmap_get(&sums->statement_index.counted, number, &before);
	idmap_put(&sums->statement_index.counted, number, count);
	row->count += count - before;
}

static void take_statement(struct coverage_sums *sums, const struct strmap *strings,
			   const struct record_coverage_statement *from)
{
	struct record_coverage_statement row = *from;
	size_t at, program;

	if (!find_by_number(&sums->program_index, from->program, &program)) {
		sums->orphans++;
		return;
	}
	if (!find_by_number(&sums->statement_index, from->statement, &at)) {
		uint64_t key[5] = { program + 1, 0, 0, row.line, row.ordinal };

		row.program = key[0];
		row.procedure = key[1] = import_string(sums, strings, from->procedure);
		row.file = key[2] = import_path(sums, strings, from->file);
		row.verb = import_string(sums, strings, from->verb);
		row.count = 0;
		if (find(&sums->statement_index, from->statement, key, &at)) {
			GROW(sums->statements, at + 1, sums->statement_alloc);
			row.statement = at + 1;
			sums->statements[at] = row;
			sums->statement_count++;
		}
	}
	count_statement(sums, from->statement, at, from->count);
}

static void take_place(struct coverage_sums *sums, const struct record_coverage_place *from)
{
	struct record_coverage_place row = *from;
	size_t at, statement;

	if (!find_by_number(&sums->statement_index, from->statement, &statement)) {
		sums->orphans++;
		return;
	}
	if (!find_by_number(&sums->place_index, from->place, &at)) {
		const uint64_t key[] = { statement + 1, row.start, row.end, row.block };

		row.statement = key[0];
		row.executed = 0;
		if (find(&sums->place_index, from->place, key, &at)) {
			GROW(sums->places, at + 1, sums->place_alloc);
			row.place = at + 1;
			sums->places[at] = row;
			sums->place_count++;
		}
	}
	if (!from->executed)
		return;
	sums->places[at].executed = 1;
	if (!sums->statements[sums->places[at].statement - 1].count)
		sums->statements[sums->places[at].statement - 1].count = 1;
}

void coverage_sums_take(struct coverage_sums *sums, const struct snapshot *snapshot,
			const struct strmap *strings)
{
	const struct recordset *set = snapshot_records(snapshot, RECORD_COVERAGE_PROGRAM);

	for (size_t i = 0; i < set->count; i++)
		take_program(sums, strings, recordset_get(set, i), SIZE_MAX);
	set = snapshot_records(snapshot, RECORD_COVERAGE_STATEMENT);
	for (size_t i = 0; i < set->count; i++)
		take_statement(sums, strings, recordset_get(set, i));
	set = snapshot_records(snapshot, RECORD_COVERAGE_PLACE);
	for (size_t i = 0; i < set->count; i++)
		take_place(sums, recordset_get(set, i));
}

size_t coverage_sums_add_program(struct coverage_sums *sums, const struct coverage_sums *from,
				 size_t program, size_t same)
{
	return take_program(sums, from->strings, &from->programs[program], same);
}

void coverage_sums_add_rest(struct coverage_sums *sums, const struct coverage_sums *from)
{
	for (size_t i = 0; i < from->statement_count; i++)
		take_statement(sums, from->strings, &from->statements[i]);
	for (size_t i = 0; i < from->place_count; i++)
		take_place(sums, &from->places[i]);
	sums->orphans += from->orphans;
}

void coverage_sums_add(struct coverage_sums *sums, const struct coverage_sums *from)
{
	coverage_sums_begin(sums);
	for (size_t i = 0; i < from->program_count; i++)
		coverage_sums_add_program(sums, from, i, SIZE_MAX);
	coverage_sums_add_rest(sums, from);
}

void coverage_sums_put(const struct coverage_sums *sums, struct snapshot *snapshot)
{
	for (size_t i = 0; i < sums->program_count; i++)
		recordset_add(snapshot_set(snapshot, RECORD_COVERAGE_PROGRAM), &sums->programs[i]);
	for (size_t i = 0; i < sums->statement_count; i++)
		recordset_add(snapshot_set(snapshot, RECORD_COVERAGE_STATEMENT),
			      &sums->statements[i]);
	for (size_t i = 0; i < sums->place_count; i++)
		recordset_add(snapshot_set(snapshot, RECORD_COVERAGE_PLACE), &sums->places[i]);
}
