/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the sample data set of a collection. */
#include "common/compat.h"
#include "session/collection/stored.h"
#include "common/clock.h"
#include "metrics/selection.h"

#include <sys/stat.h>
#include <unistd.h>

/* Pause after a file could not be written. */
#define RETRY (10 * NSEC_PER_SEC)
#define RETRY_SNAPSHOTS 10

/* Returns a module with another context, for the engine's writer or reader. */
static struct module with_context(const struct module *module, void *context)
{
	struct module seen = *module;

	seen.context = context;
	return seen;
}

bool stored_rotates(const struct stored_data *data)
{
	return data->size || data->rotation.kind != ROTATE_NEVER;
}

/* Creates a file; -1 with err. */
static int begin_file(struct stored_data *data, const struct engine *engine, uint64_t wall,
		      struct error *err)
{
	bool rotates = stored_rotates(data);

	strbuf_reset(&data->name);
	if (rotates) {
		/* Files of this or an earlier collection are never overwritten. */
		do {
			strbuf_reset(&data->name);
			data_files_name(&data->name, data->path, wall);
			wall += NSEC_PER_MSEC;
		} while (access(data->name.text, F_OK) == 0);
		file_start_begin(&data->start);
	} else {
		strbuf_addstr(&data->name, data->path);
	}
	data->snapshots = 0;
	data->writer = dataset_create(
		data->name.text,
		rotates ? &data->start.strings : engine_strings((struct engine *)engine), err);
	RETURN_IF(!data->writer, -1);
	dataset_limit(data->writer, data->size);
	return 0;
}

/* Closes the file; -1 with err. */
static int end_file(struct stored_data *data, struct error *err)
{
	struct dataset_writer *writer = data->writer;
	uint64_t size = dataset_size(writer);
	struct stat file;

	data->writer = NULL;
	RETURN_IF(dataset_finish(writer, err) < 0, -1);
	data->files++;
	data->bytes += stat(data->name.text, &file) == 0 ? (uint64_t)file.st_size : size;
	return 0;
}

/* Handles a write error; the end of a collection does not count as a missed snapshot. */
static enum module_status handle_write_error(struct stored_data *data, bool last, struct error *err)
{
	uint64_t size = data->writer ? dataset_size(data->writer) : 0;

	if (size) {
		data->files++;
		data->bytes += size;
	}
	dataset_abandon(data->writer);
	data->writer = NULL;
	data->retry = clock_monotonic_ns() + RETRY;
	RETURN_IF(data->alone && !stored_rotates(data), MODULE_FATAL);
	if (!data->missed_in_row)
		message_sink_emit(data->sink, SEVERITY_ERROR, 3697,
				 "%s; the collection continues without it", error_text(err));
	strbuf_reset(&err->text);
	data->missed_in_row++;
	data->missed += !last;
	return MODULE_OK;
}

static enum module_status data_init(struct module *module, struct error *err)
{
	struct stored_data *data = module->context;

	return begin_file(data, module->engine, clock_wall_ns(), err) < 0 ? MODULE_FATAL
									  : MODULE_OK;
}

/* Returns whether the next snapshot belongs to another file because of its time. */
static bool starts_new_file(const struct stored_data *data, const struct snapshot *snapshot)
{
	/* The last snapshot is immediate, and begins no file. */
	return data->snapshots && stored_rotates(data) && !snapshot->last &&
	       rotation_period(&data->rotation, snapshot->wall) != data->period;
}

/* Removes files beyond the number to keep. */
static void keep_files(const struct stored_data *data)
{
	struct error err = ERROR_INIT;

	if (data->keep && data_files_keep(data->path, data->keep, &err) < 0)
		message_sink_emit(data->sink, SEVERITY_WARNING, 3699, "%s", error_text(&err));
	error_release(&err);
}

/* Writes to the current file; -1 with err, 1: the file would be too large. */
static int write_into(struct stored_data *data, struct engine *engine,
			  struct snapshot *snapshot, struct error *err)
{
	const struct snapshot *stored = hosted_to_stored(data->guests, snapshot);
	bool first = !data->snapshots;
	int result;

	if (stored_rotates(data))
		stored = file_start_snapshot(&data->start, stored, engine_strings(engine), first);
	result = dataset_write(data->writer, stored, err);
	hosted_forget(data->guests, snapshot);
	RETURN_IF(result, result);
	if (first)
		data->period = rotation_period(&data->rotation, snapshot->wall);
	data->snapshots++;
	if (first && stored_rotates(data))
		keep_files(data);
	return 0;
}

/* Writes to the current file, or to a new one if it would be too large; -1 with err. */
static int write_snapshot(struct stored_data *data, struct engine *engine,
			  struct snapshot *snapshot, struct error *err)
{
	int result = write_into(data, engine, snapshot, err);

	RETURN_IF(result <= 0, result);
	RETURN_IF(end_file(data, err) < 0, -1);
	RETURN_IF(begin_file(data, engine, snapshot->wall, err) < 0, -1);
	return write_into(data, engine, snapshot, err);
}

/* Returns whether to try a file again, which costs as much as the first snapshot. */
static bool is_time_to_try(const struct stored_data *data)
{
	return data->missed_in_row % RETRY_SNAPSHOTS == 0 || clock_monotonic_ns() >= data->retry;
}

/* Provides a file for a snapshot; 1: there is none now, -1 with err. */
static int provide_file(struct stored_data *data, struct engine *engine, struct snapshot *snapshot,
		     struct error *err)
{
	if (data->writer && starts_new_file(data, snapshot))
		RETURN_IF(end_file(data, err) < 0, -1);
	if (data->writer)
		return 0;
	if (data->missed_in_row && (!stored_rotates(data) || snapshot->last || !is_time_to_try(data)))
		return 1;
	RETURN_IF(begin_file(data, engine, snapshot->wall, err) < 0, -1);
	if (data->missed_in_row)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3693,
			      "%" PRIu64 " snapshots before this one could not be stored",
			      data->missed_in_row);
	return 0;
}

static enum module_status data_call(struct module *module, enum sync_point point UNUSED,
				    struct snapshot *snapshot, struct error *err)
{
	struct stored_data *data = module->context;
	/* The last snapshot of a collection is immediate, and has nothing for a new file. */
	int found = snapshot->last && !data->writer && !data->missed_in_row
			    ? 1
			    : provide_file(data, module->engine, snapshot, err);

	if (found == 1) {
		data->missed_in_row += !snapshot->last;
		data->missed += !snapshot->last;
		return MODULE_OK;
	}
	if (found < 0 || write_snapshot(data, module->engine, snapshot, err) < 0)
		return handle_write_error(data, snapshot->last, err);
	data->missed_in_row = 0;
	if (snapshot->last && end_file(data, err) < 0)
		return handle_write_error(data, snapshot->last, err);
	return MODULE_OK;
}

static void data_end(struct module *module)
{
	struct stored_data *data = module->context;

	dataset_abandon(data->writer);
	data->writer = NULL;
	file_start_release(&data->start);
}

const struct module_class stored_data_class = {
	.name = "DATASET",
	.summary = "writes the sample data set",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.init = data_init,
	.call = data_call,
	.end = data_end,
};

static bool is_selected(const void *argument, const struct record_type *type)
{
	return selection_has(argument, type);
}

/* Opens the next file. */
static enum module_status open_file(struct module *module, struct error *err)
{
	struct stored_reader *reader = module->context;
	struct module inner = with_context(module, &reader->extractor);

	reader->extractor = (struct dataset_extractor){ .path = reader->paths[reader->at],
							.pass_events = reader->pass_events,
							.wants = reader->selection ? is_selected : NULL,
							.wants_argument = reader->selection,
							.silent = true };
	reader->begun = false;
	return dataset_extractor_class.init(&inner, err);
}

/* Closes it, and records its damage. */
static void close_file(struct module *module)
{
	struct stored_reader *reader = module->context;
	struct module inner = with_context(module, &reader->extractor);
	struct strbuf damage = STRBUF_INIT;

	if (reader->extractor.reader)
		dataset_describe_damage(&reader->extractor.status, &damage);
	if (damage.length)
		strbuf_addf(&reader->damage, "%s is damaged: %s\n", reader->extractor.path,
			    damage.text);
	strbuf_release(&damage);
	dataset_extractor_class.end(&inner);
}

static enum module_status reader_init(struct module *module, struct error *err)
{
	struct stored_reader *reader = module->context;

	reader->at = 0;
	reader->wall = 0;
	return open_file(module, err);
}

/* Checks that time increases from file to file. */
static void check_order(struct stored_reader *reader, const struct snapshot *snapshot)
{
	if (!reader->begun && snapshot->wall && snapshot->wall < reader->wall)
		strbuf_addf(&reader->disorder, "%s begins before %s ends\n",
			    reader->paths[reader->at], reader->paths[reader->at - 1]);
	reader->begun = true;
	reader->wall = snapshot->wall;
}

static enum module_status reader_call(struct module *module, enum sync_point point,
				      struct snapshot *snapshot, struct error *err)
{
	struct stored_reader *reader = module->context;
	struct module inner = with_context(module, &reader->extractor);
	enum module_status status = dataset_extractor_class.call(&inner, point, snapshot, err);

	while (status == MODULE_END_OF_DATA && reader->at + 1 < reader->count) {
		close_file(module);
		reader->at++;
		RETURN_IF(open_file(module, err) != MODULE_OK, MODULE_FATAL);
		status = dataset_extractor_class.call(&inner, point, snapshot, err);
	}
	if (status == MODULE_OK)
		check_order(reader, snapshot);
	if (status >= MODULE_OK)
		hosted_to_public(reader->guests, snapshot);
	else
		hosted_forget(reader->guests, snapshot);
	return status;
}

static void reader_end(struct module *module)
{
	close_file(module);
}

const struct module_class stored_reader_class = {
	.name = "DATASET.READER",
	.summary = "reads a sample data set",
	.capabilities = MODULE_EXTRACTOR,
	.sync_points = 1U << SYNC_SNAPSHOT,
	.init = reader_init,
	.call = reader_call,
	.end = reader_end,
};
