/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads recordings. */
#include "common/compat.h"
#include "sampler/recording/tape-file.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "records/record-types.h"

#include <linux/perf_event.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#define TAPE_VERSION "1"

struct tape_file {
	struct dataset_writer *writer; /* NULL: writing has failed */
	struct registry types;
	struct strmap strings;
	struct snapshot snapshot;
	bool full;
};

/* Appends what the content of entries depends on: the processor, and the sizes of what the kernel fills in. */
static void add_machine(struct strbuf *sb)
{
	struct utsname names;

	strbuf_addf(sb, "%s %zu %zu %zu", uname(&names) == 0 ? names.machine : "?",
		    sizeof(struct statx), sizeof(siginfo_t), sizeof(struct rlimit));
}

static void add_attribute(struct tape_file *file, const char *key, const char *value)
{
	recordset_add(snapshot_set(&file->snapshot, RECORD_ATTRIBUTE),
		      &(struct record_attribute){ strmap_put(&file->strings, key),
						  strmap_put(&file->strings, value) });
}

struct tape_file *tape_file_create(const char *path, uint64_t limit, struct error *err)
{
	struct tape_file *file = xcalloc(1, sizeof(*file));
	struct strbuf machine = STRBUF_INIT;

	registry_init(&file->types, &session_records);
	strmap_init(&file->strings);
	snapshot_init(&file->snapshot, &file->types);
	file->writer = dataset_create(path, &file->strings, err);
	if (file->writer && dataset_keep_private(file->writer, err) < 0) {
		dataset_abandon(file->writer);
		file->writer = NULL;
	}
	if (!file->writer) {
		tape_file_finish(file, NULL);
		return NULL;
	}
	dataset_keep_old(file->writer);
	dataset_limit(file->writer, limit);
	add_machine(&machine);
	add_attribute(file, ATTR_RECORDING, TAPE_VERSION);
	add_attribute(file, ATTR_RECORDING_MACHINE, machine.text);
	strbuf_release(&machine);
	return file;
}

int tape_file_put(struct tape_file *file, struct strbuf *piece, struct error *err)
{
	struct snapshot *snapshot = &file->snapshot;
	size_t parts = (piece->length + RECORD_BYTES_MAX - 1) / RECORD_BYTES_MAX;
	int result;

	snapshot->sequence++;
	snapshot->time = clock_monotonic_ns();
	for (size_t i = 0; i < parts; i++) {
		struct recordset *set = snapshot_set(snapshot, RECORD_TAPE);
		size_t from = i * RECORD_BYTES_MAX, rest = piece->length - from;
		struct record_tape row = { .piece = snapshot->sequence, .part = i, .parts = parts };

		row.bytes = recordset_put_bytes(set, piece->text + from,
						rest < RECORD_BYTES_MAX ? rest : RECORD_BYTES_MAX);
		recordset_add(set, &row);
	}
	strbuf_reset(piece);
	result = dataset_write(file->writer, snapshot, err);
	snapshot_clear(snapshot);
	file->full = result != 0;
	return result;
}

int tape_file_finish(struct tape_file *file, struct error *err)
{
	int result = file->writer ? dataset_finish(file->writer, err) : 0;

	snapshot_release(&file->snapshot);
	strmap_release(&file->strings);
	registry_release(&file->types);
	free(file);
	return result;
}

/* Takes the attributes that a recording has. */
static void take_attributes(struct tape_pieces *pieces, const struct snapshot *snapshot,
			    const struct strmap *strings)
{
	const struct recordset *set = snapshot_records(snapshot, RECORD_ATTRIBUTE);

	for (size_t i = 0; i < set->count; i++) {
		const struct record_attribute *row = recordset_get(set, i);
		const char *key = strmap_text(strings, (uint32_t)row->key);
		const char *value = strmap_text(strings, (uint32_t)row->value);

		if (strcmp(key, ATTR_RECORDING) == 0 && !pieces->version)
			pieces->version = xstrdup(value);
		if (strcmp(key, ATTR_RECORDING_MACHINE) == 0 && !pieces->machine)
			pieces->machine = xstrdup(value);
	}
}

/* Appends a part; once one is missing everything behind it is lost. */
static void take_part(struct tape_pieces *pieces, const struct recordset *set, const struct record_tape *row)
{
	if (pieces->lost || row->piece != pieces->count + !pieces->partial ||
	    row->part != (pieces->partial ? pieces->expected_part : 0) || row->part >= row->parts) {
		pieces->lost++;
		return;
	}
	if (!pieces->partial) {
		GROW(pieces->items, pieces->count + 1, pieces->alloc);
		strbuf_init(&pieces->items[pieces->count++]);
	}
	strbuf_add(&pieces->items[pieces->count - 1], set->bytes.text + row->bytes.offset, row->bytes.length);
	pieces->expected_part = row->part + 1;
	pieces->partial = pieces->expected_part < row->parts;
}

/* A dataset_snapshot. */
static int take_snapshot(void *argument, const struct snapshot *snapshot, const struct strmap *strings)
{
	const struct recordset *set = snapshot_records(snapshot, RECORD_TAPE);

	take_attributes(argument, snapshot, strings);
	for (size_t i = 0; i < set->count; i++)
		take_part(argument, set, recordset_get(set, i));
	return 0;
}

/* Checks that it is a recording of this version, and of a machine like this one. */
static int check(const struct tape_pieces *pieces, const char *path, struct error *err)
{
	struct strbuf machine = STRBUF_INIT;
	int result = 0;

	if (!pieces->version)
		return error_set(err, "%s is no recording: vigil run --record makes them", path);
	if (strcmp(pieces->version, TAPE_VERSION) != 0)
		return error_set(err, "%s is a recording of another version of vigil: its tape has version %s, not %s",
				 path, pieces->version, TAPE_VERSION);
	add_machine(&machine);
	if (!pieces->machine || strcmp(pieces->machine, machine.text) != 0)
		result = error_set(err, "%s is a recording of another kind of machine: %s, not %s", path,
				   pieces->machine ? pieces->machine : "unknown", machine.text);
	strbuf_release(&machine);
	return result;
}

int tape_load(const char *path, struct tape_pieces *pieces, struct error *err)
{
	struct strmap strings;
	int result;

	memset(pieces, 0, sizeof(*pieces));
	strmap_init(&strings);
	result = dataset_read(path, &session_records, &strings, take_snapshot, pieces, &pieces->status, err);
	strmap_release(&strings);
	if (result == 0)
		result = check(pieces, path, err);
	if (pieces->partial) {
		strbuf_release(&pieces->items[--pieces->count]);
		pieces->lost++;
	}
	if (result < 0)
		tape_pieces_release(pieces);
	return result;
}

void tape_pieces_release(struct tape_pieces *pieces)
{
	for (size_t i = 0; i < pieces->count; i++)
		strbuf_release(&pieces->items[i]);
	free(pieces->items);
	free(pieces->version);
	free(pieces->machine);
	memset(pieces, 0, sizeof(*pieces));
}
