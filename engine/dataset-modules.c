/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sample data set as processor modules: a consumer that writes it, an
 * extractor that reads it.
 */
#include "common/compat.h"
#include "engine/dataset-format.h"

/* Creates the file. */
static enum module_status consumer_init(struct module *module, struct error *err)
{
	struct dataset_consumer *consumer = module->context;

	consumer->writer = dataset_create(consumer->path, engine_strings(module->engine), err);
	RETURN_IF(!consumer->writer, MODULE_FATAL);
	if (consumer->keep_old)
		dataset_keep_old(consumer->writer);
	return MODULE_OK;
}

/* Writes the closing records after the last snapshot. */
static int write_closing(const struct dataset_consumer *consumer, struct engine *engine,
			 const struct snapshot *last, struct error *err)
{
	struct snapshot snapshot;
	int result;

	if (!consumer->closing)
		return 0;
	snapshot_init(&snapshot, last->types);
	snapshot.sequence = last->sequence;
	snapshot.time = last->time;
	snapshot.wall = last->wall;
	consumer->closing(consumer->closing_argument, engine, &snapshot);
	result = dataset_write(consumer->writer, &snapshot, err);
	snapshot_release(&snapshot);
	return result;
}

/* Writes snapshots, and the end block after the last one. */
static enum module_status consumer_call(struct module *module, enum sync_point point UNUSED,
					struct snapshot *snapshot, struct error *err)
{
	struct dataset_consumer *consumer = module->context;
	struct dataset_writer *writer = consumer->writer;

	RETURN_IF(dataset_write(writer, snapshot, err) < 0, MODULE_FATAL);
	if (snapshot->last) {
		RETURN_IF(write_closing(consumer, module->engine, snapshot, err) < 0, MODULE_FATAL);
		consumer->writer = NULL;
		RETURN_IF(dataset_finish(writer, err) < 0, MODULE_FATAL);
	}
	return MODULE_OK;
}

/* Closes a data set that was not finished. */
static void consumer_end(struct module *module)
{
	struct dataset_consumer *consumer = module->context;

	dataset_abandon(consumer->writer);
	consumer->writer = NULL;
}

const struct module_class dataset_consumer_class = {
	.name = "DATASET",
	.summary = "writes the sample data set",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.init = consumer_init,
	.call = consumer_call,
	.end = consumer_end,
};

/* Notes in the data what the file has lost, so that a copy of it does not look complete. */
static void note_damage(const struct module *module, struct snapshot *snapshot)
{
	const struct dataset_extractor *extractor = module->context;
	struct strbuf text = STRBUF_INIT;

	dataset_describe_damage(&extractor->status, &text);
	if (text.length)
		snapshot_note(snapshot, module->engine, SEVERITY_WARNING, 4002, "%s: %s",
			      extractor->path, text.text);
	strbuf_release(&text);
}

/* Opens the file. */
static enum module_status extractor_init(struct module *module, struct error *err)
{
	struct dataset_extractor *extractor = module->context;

	extractor->reader = dataset_reader_open(extractor->path, engine_strings(module->engine),
						engine_types(module->engine), err);
	if (extractor->reader && extractor->pass_events)
		dataset_reader_skip_events(extractor->reader);
	if (extractor->reader && extractor->wants)
		dataset_reader_want(extractor->reader, extractor->wants, extractor->wants_argument);
	return extractor->reader ? MODULE_OK : MODULE_FATAL;
}

/* Reads one snapshot a call. */
static enum module_status extractor_call(struct module *module, enum sync_point point UNUSED,
					 struct snapshot *snapshot, struct error *err)
{
	struct dataset_extractor *extractor = module->context;
	int found = dataset_reader_snapshot(extractor->reader, snapshot, err);

	extractor->status = *dataset_reader_status(extractor->reader);
	RETURN_IF(found < 0, MODULE_FATAL);
	if (found == 1)
		return MODULE_OK;
	if (!extractor->silent)
		note_damage(module, snapshot);
	return MODULE_END_OF_DATA;
}

/* Closes the file. */
static void extractor_end(struct module *module)
{
	struct dataset_extractor *extractor = module->context;

	dataset_reader_close(extractor->reader);
	extractor->reader = NULL;
}

const struct module_class dataset_extractor_class = {
	.name = "DATASET.READER",
	.summary = "reads a sample data set",
	.capabilities = MODULE_EXTRACTOR,
	.sync_points = 1U << SYNC_SNAPSHOT,
	.init = extractor_init,
	.call = extractor_call,
	.end = extractor_end,
};
