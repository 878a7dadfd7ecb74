/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the data set, and converts records between their two forms. */
#include "common/compat.h"
#include "engine/modules/module-forms.h"
#include "common/xalloc.h"
#include "engine/modules/module-call.h"
#include "engine/modules/module-messages.h"

/* Stops using the other form of a module's records: they are left out, with one message. */
static void give_up_form(struct registered_module *registered_module, const char *problem)
{
	if (registered_module->mine.options & VIGIL_PRIVATE_FORM)
		message_send_format(registered_module->opened, registered_module, VIGIL_MESSAGE_ERROR,
			    "its records cannot be converted to their other form: %s", problem);
	registered_module->mine.options &= ~(uint32_t)VIGIL_PRIVATE_FORM;
}

/* Converts all records of from into those of to. Returns the number that could be converted. */
static size_t change_form(struct registered_module *registered_module, uint32_t what, const struct recordset *from,
			  struct recordset *to)
{
	const uint16_t flag = what == VIGIL_TO_PRIVATE ? VIGIL_RECORD_PRIVATE : 0;

	for (size_t i = 0; i < from->count; i++) {
		struct vigil_prefix *prefix =
			(struct vigil_prefix *)(from->rows + i * from->type->size);
		struct vigil_prefix *changed;
		const void *out;
		uint64_t size;
		int status;

		prefix->size = (uint32_t)from->type->size;
		prefix->id = (uint16_t)from->type->id;
		status = module_call_form(registered_module, what, prefix, from->type->size, &out, &size);
		if (status != VIGIL_OK || !out || size != to->type->size) {
			give_up_form(registered_module, status == VIGIL_OK ? "it returned no "
									     "record of the right "
									     "size"
							       : registered_module->last_error.text);
			return i;
		}
		recordset_add(to, out);
		changed = recordset_at(to, to->count - 1);
		*changed = (struct vigil_prefix){
			(uint32_t)size, (uint16_t)to->type->id,
			(uint16_t)((prefix->flags & ~VIGIL_RECORD_PRIVATE) | flag), prefix->time
		};
	}
	return from->count;
}

/* Returns whether the records of a module are stored in a private form. */
static bool has_form(const struct registered_module *registered_module)
{
	return registered_module->private_type && registered_module->mine.options & VIGIL_PRIVATE_FORM;
}

const struct snapshot *forms_to_stored(struct vigil_engine *opened, struct snapshot *snapshot)
{
	struct snapshot *stored = &opened->stored;
	bool any = false;

	for (size_t i = 0; i < opened->count; i++)
		any = any || has_form(opened->registered_module[i]);
	RETURN_IF(!any, snapshot);
	for (size_t i = 0; i < opened->count; i++)
		if (has_form(opened->registered_module[i])) /* the set must exist before it is borrowed */
			snapshot_set(snapshot, opened->registered_module[i]->private_type->id);
	stored->sequence = snapshot->sequence;
	stored->time = snapshot->time;
	stored->wall = snapshot->wall;
	stored->last = snapshot->last;
	stored->types = snapshot->types;
	stored->sets = xreallocarray(stored->sets, snapshot->set_count, sizeof(*stored->sets));
	stored->set_count = snapshot->set_count;
	memcpy(stored->sets, snapshot->sets, snapshot->set_count * sizeof(*stored->sets));
	for (size_t i = 0; i < opened->count; i++) {
		struct registered_module *registered_module = opened->registered_module[i];
		const struct recordset *set;

		if (!has_form(registered_module))
			continue;
		set = snapshot_records(snapshot, registered_module->type->id);
		change_form(registered_module, VIGIL_TO_PRIVATE, set, stored->sets[registered_module->private_type->id]);
		stored->sets[registered_module->type->id] = NULL;
	}
	return stored;
}

void forms_forget(struct vigil_engine *opened, struct snapshot *snapshot)
{
	for (size_t i = 0; i < opened->count; i++) {
		const struct record_type *type = opened->registered_module[i]->private_type;

		if (type && type->id < snapshot->set_count && snapshot->sets[type->id])
			recordset_clear(snapshot->sets[type->id]);
	}
}

static enum module_status writer_init(struct module *module, struct error *err)
{
	struct vigil_engine *opened = module->context;

	opened->consumer.path = opened->file;
	opened->consumer.writer = dataset_create(opened->file, engine_strings(module->engine), err);
	return opened->consumer.writer ? MODULE_OK : MODULE_FATAL;
}

static enum module_status writer_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err)
{
	struct vigil_engine *opened = module->context;
	struct dataset_writer *writer = opened->consumer.writer;
	int result = dataset_write(writer, forms_to_stored(opened, snapshot), err);

	forms_forget(opened, snapshot);
	RETURN_IF(result < 0, MODULE_FATAL);
	RETURN_IF(!snapshot->last, MODULE_OK);
	opened->consumer.writer = NULL;
	return dataset_finish(writer, err) < 0 ? MODULE_FATAL : MODULE_OK;
}

/* As dataset_consumer_class: closes a data set that was not finished as it is. */
static void writer_end(struct module *module)
{
	struct vigil_engine *opened = module->context;
	struct module as_consumer = *module;

	as_consumer.context = &opened->consumer;
	dataset_consumer_class.end(&as_consumer);
}

const struct module_class module_writer_class = {
	.name = "DATASET",
	.summary = "writes the sample data set",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.init = writer_init,
	.call = writer_call,
	.end = writer_end,
};

/* Returns the module as the engine's reader expects it. */
static struct module as_reader(const struct module *module)
{
	struct vigil_engine *opened = module->context;
	struct module reader = *module;

	reader.context = &opened->extractor;
	return reader;
}

static enum module_status reader_init(struct module *module, struct error *err)
{
	struct vigil_engine *opened = module->context;
	struct module reader = as_reader(module);

	opened->extractor = (struct dataset_extractor){ .path = opened->file };
	return dataset_extractor_class.init(&reader, err);
}

void forms_to_public(struct vigil_engine *opened, struct snapshot *snapshot)
{
	for (size_t i = 0; i < opened->count; i++) {
		struct registered_module *registered_module = opened->registered_module[i];
		const struct recordset *stored;

		if (!has_form(registered_module))
			continue;
		stored = snapshot_records(snapshot, registered_module->private_type->id);
		if (stored->count)
			change_form(registered_module, VIGIL_TO_PUBLIC, stored,
				    snapshot_set(snapshot, registered_module->type->id));
	}
	forms_forget(opened, snapshot);
}

static enum module_status reader_call(struct module *module, enum sync_point point,
				      struct snapshot *snapshot, struct error *err)
{
	struct vigil_engine *opened = module->context;
	struct module reader = as_reader(module);
	enum module_status status = dataset_extractor_class.call(&reader, point, snapshot, err);

	if (status >= MODULE_OK)
		forms_to_public(opened, snapshot);
	else
		forms_forget(opened, snapshot);
	return status;
}

static void reader_end(struct module *module)
{
	struct module reader = as_reader(module);

	dataset_extractor_class.end(&reader);
}

const struct module_class module_reader_class = {
	.name = "DATASET.READER",
	.summary = "reads a sample data set",
	.capabilities = MODULE_EXTRACTOR,
	.sync_points = 1U << SYNC_SNAPSHOT,
	.init = reader_init,
	.call = reader_call,
	.end = reader_end,
};
