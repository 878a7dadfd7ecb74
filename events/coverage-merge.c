/* SPDX-License-Identifier: Apache-2.0 */
/* Merges the coverage of several data sets. */
#include "common/compat.h"
#include "events/coverage-merge.h"
#include "common/destination.h"
#include "common/hash.h"
#include "common/xalloc.h"
#include "records/coverage-sums.h"
#include "engine/dataset.h"

/* Data of a merged program, in addition to its row. */
struct merged_program {
	uint64_t builds;     /* number of builds it was merged from */
	uint64_t content;    /* of a program of one file: a hash of its statements */
	uint64_t statements; /* number of statements */
};

struct merge {
	struct strmap strings; /* of the new data set */
	struct coverage_sums all;
	struct recordset attributes;
	struct merged_program *programs; /* by index in all */
	size_t program_alloc;
	struct keymap builds; /* keys: index in all, and build id */
	uint64_t time, wall;  /* of the first data set's last snapshot */
	uint64_t runs;
	/* The file being read. */
	struct coverage_sums file;
	uint64_t file_runs;
	bool first;
};

/* Keeps an attribute of the first file; of every file takes the number of runs. */
static void take_attribute(struct merge *merge, const struct record_attribute *row,
			   const struct strmap *strings)
{
	const char *key = strmap_text(strings, (uint32_t)row->key);
	const char *value = strmap_text(strings, (uint32_t)row->value);
	struct record_attribute kept = { strmap_put(&merge->strings, key),
					 strmap_put(&merge->strings, value) };

	if (strcmp(key, ATTR_COVERAGE_RUNS) == 0)
		merge->file_runs = strtoull(value, NULL, 10);
	else if (merge->first)
		recordset_add(&merge->attributes, &kept);
}

static int take_snapshot(void *argument, const struct snapshot *snapshot,
			 const struct strmap *strings)
{
	const struct recordset *attributes = snapshot_records(snapshot, RECORD_ATTRIBUTE);
	struct merge *merge = argument;

	for (size_t i = 0; i < attributes->count; i++)
		take_attribute(merge, recordset_get(attributes, i), strings);
	coverage_sums_take(&merge->file, snapshot, strings);
	if (merge->first) {
		merge->time = snapshot->time;
		merge->wall = snapshot->wall;
	}
	return 0;
}

/*
 * Hashes the statements of each program of the file, independently of their order
 * and without the addresses of their code.
 */
static struct merged_program *hash_contents(const struct coverage_sums *file)
{
	struct merged_program *programs = xcalloc(file->program_count + 1, sizeof(*programs));
	struct strbuf key = STRBUF_INIT;

	for (size_t i = 0; i < file->statement_count; i++) {
		const struct record_coverage_statement *row = &file->statements[i];
		struct merged_program *program = &programs[row->program - 1];

		strbuf_reset(&key);
		strbuf_addf(&key, "%s\n%s\n%" PRIu64 "\n%" PRIu64,
			    strmap_text(file->strings, (uint32_t)row->procedure),
			    strmap_text(file->strings, (uint32_t)row->file), row->line,
			    row->ordinal);
		program->content += hash_bytes(key.text, key.length);
		program->statements++;
	}
	strbuf_release(&key);
	return programs;
}

/* Returns whether a text of the file equals one of all. */
static bool is_same(const struct merge *merge, uint64_t file, uint64_t all)
{
	return strcmp(strmap_text(merge->file.strings, (uint32_t)file),
		      strmap_text(&merge->strings, (uint32_t)all)) == 0;
}

/*
 * Returns the program in all that one of the file is, although of another build:
 * all statements are the same. SIZE_MAX: there is none, or none is needed.
 */
static size_t find_other_build(const struct merge *merge, const struct record_coverage_program *row,
			       const struct merged_program *facts)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < merge->all.program_count && facts->statements; i++) {
		const struct record_coverage_program *other = &merge->all.programs[i];

		if (other->means != row->means || !is_same(merge, row->name, other->name) ||
		    !is_same(merge, row->source, other->source))
			continue;
		if (*strmap_text(&merge->strings, (uint32_t)other->build_id) &&
		    is_same(merge, row->build_id, other->build_id))
			return SIZE_MAX;
		if (is_same(merge, row->object, other->object) &&
		    merge->programs[i].content == facts->content &&
		    merge->programs[i].statements == facts->statements)
			found = i;
	}
	return found;
}

/* Counts a build of a program, and states in its reason that it was merged from several. */
static void count_build(struct merge *merge, size_t program, uint64_t build)
{
	const char *text = strmap_text(merge->file.strings, (uint32_t)build);
	struct record_coverage_program *row = &merge->all.programs[program];
	struct strbuf reason = STRBUF_INIT;
	size_t before = merge->builds.count;

	/* By places nothing shows that two files without a build id have the same build. */
	keymap_put(&merge->builds,
		   (uint64_t[]){ program, strmap_put(&merge->strings, text),
				 *text || row->means != COVERAGE_BY_PLACES ? 0 : merge->runs + 1 });
	if (merge->builds.count == before || ++merge->programs[program].builds == 1)
		return;
	strbuf_addf(&reason, "%" PRIu64 " builds with the same statements are merged",
		    merge->programs[program].builds);
	if (!row->partial)
		row->reason = strmap_put(&merge->strings, reason.text);
	strbuf_release(&reason);
}

/* Merges the file that was read. */
static void merge_file(struct merge *merge)
{
	const struct coverage_sums *file = &merge->file;
	struct merged_program *facts = hash_contents(file);

	coverage_sums_begin(&merge->all);
	for (size_t i = 0; i < file->program_count; i++) {
		size_t same = find_other_build(merge, &file->programs[i], &facts[i]);
		size_t before = merge->all.program_count;
		size_t program = coverage_sums_add_program(&merge->all, file, i, same);

		GROW(merge->programs, program + 1, merge->program_alloc);
		if (program == before)
			merge->programs[program] = facts[i];
		count_build(merge, program, file->programs[i].build_id);
	}
	coverage_sums_add_rest(&merge->all, file);
	free(facts);
}

/* Reads a data set and merges it. */
static int take_file(struct merge *merge, const char *path, struct strbuf *damage,
		     struct error *err)
{
	struct dataset_status status;
	struct strmap strings, kept;
	int result;

	strmap_init(&strings);
	strmap_init(&kept);
	coverage_sums_init(&merge->file, &kept);
	merge->file_runs = 1;
	result = dataset_read(path, &session_records, &strings, take_snapshot, merge, &status, err);
	if (result == 0 && !merge->file.program_count)
		result = error_set(err, "%s has no coverage", path);
	if (result == 0) {
		merge_file(merge);
		merge->runs += merge->file_runs;
		dataset_describe_damage(&status, damage);
	}
	merge->first = false;
	coverage_sums_release(&merge->file);
	strmap_release(&kept);
	strmap_release(&strings);
	return result;
}

/* Returns whether a place's program has one build only. */
static bool is_of_one_build(void *argument, const void *row)
{
	const struct record_coverage_place *place = row;
	const struct merge *merge = argument;

	return merge->programs[merge->all.statements[place->statement - 1].program - 1].builds == 1;
}

/* Writes the result to a data set. */
static int write_all(struct merge *merge, const char *path, struct error *err)
{
	struct strbuf runs = STRBUF_INIT;
	struct record_attribute attribute;
	struct dataset_writer *writer;
	struct snapshot snapshot;
	struct registry types;
	int result = -1;

	strbuf_addf(&runs, "%" PRIu64, merge->runs);
	attribute = (struct record_attribute){ strmap_put(&merge->strings, ATTR_COVERAGE_RUNS),
					       strmap_put(&merge->strings, runs.text) };
	recordset_add(&merge->attributes, &attribute);
	registry_init(&types, &session_records);
	snapshot_init(&snapshot, &types);
	snapshot.sequence = 1;
	snapshot.time = merge->time;
	snapshot.wall = merge->wall;
	snapshot.last = true;
	recordset_append(snapshot_set(&snapshot, RECORD_ATTRIBUTE), &merge->attributes);
	coverage_sums_put(&merge->all, &snapshot);
	recordset_keep(snapshot_set(&snapshot, RECORD_COVERAGE_PLACE), is_of_one_build, merge);
	writer = dataset_create(path, &merge->strings, err);
	if (writer) {
		result = dataset_write(writer, &snapshot, err);
		if (dataset_finish(writer, result == 0 ? err : NULL) < 0)
			result = -1;
	}
	snapshot_release(&snapshot);
	registry_release(&types);
	strbuf_release(&runs);
	return result;
}

/* Checks whether the new data set may be written to its path. */
static int check_place(const char *to, bool replace, struct error *err)
{
	struct destination place;
	int result = 0;

	RETURN_IF(destination_find(&place, to, err) < 0, -1);
	if (place.kind != DESTINATION_NEW && place.kind != DESTINATION_FILE)
		result = error_set(err, "%s is not a regular file", to);
	else if (place.kind == DESTINATION_FILE && !replace)
		result = error_set(err, "%s already exists; REPLACE was not specified", to);
	destination_release(&place);
	return result;
}

static void count(const struct merge *merge, struct coverage_merge_result *result)
{
	result->programs = merge->all.program_count;
	result->statements = merge->all.statement_count;
	result->runs = merge->runs;
	for (size_t i = 0; i < merge->all.statement_count; i++)
		result->executed += merge->all.statements[i].count > 0;
}

int coverage_merge(const char *const *from, size_t files, const char *to, bool replace,
		   struct coverage_merge_result *result, struct error *err)
{
	struct merge merge = { .first = true };
	int done;

	memset(result, 0, sizeof(*result));
	strbuf_init(&result->damage);
	strmap_init(&merge.strings);
	coverage_sums_init(&merge.all, &merge.strings);
	keymap_init(&merge.builds, 3);
	recordset_init(&merge.attributes, &record_types[RECORD_ATTRIBUTE]);
	done = check_place(to, replace, err);
	for (size_t i = 0; done == 0 && i < files; i++)
		done = take_file(&merge, from[i], &result->damage, err);
	if (done == 0)
		done = write_all(&merge, to, err);
	if (done == 0)
		count(&merge, result);
	else
		strbuf_release(&result->damage);
	recordset_release(&merge.attributes);
	keymap_release(&merge.builds);
	coverage_sums_release(&merge.all);
	strmap_release(&merge.strings);
	free(merge.programs);
	return done;
}
