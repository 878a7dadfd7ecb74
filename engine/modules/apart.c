/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a module in a copy of this process, and transfers the results back. */
#include "common/compat.h"
#include "engine/modules/apart.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "engine/modules/forked.h"
#include "engine/modules/frames.h"
#include "engine/modules/module-call.h"
#include "engine/modules/module-messages.h"
#include "engine/modules/views.h"

#include <unistd.h>

/*
 * Offset of the part of the global context that modules may change, which is sent
 * with each call.
 */
#define PART_START offsetof(struct vigil_global, taken)
#define PART_SIZE (offsetof(struct vigil_global, data) - PART_START)

struct apart {
	struct forked forked;
	struct strbuf out, in;
	bool reads;	   /* the module is sent the records of others */
	size_t texts;	   /* number of the engine's texts that the process has */
	size_t types;	   /* likewise for types */
	uint64_t *numbers; /* the engine's number of each text of the process */
	size_t number_count, number_alloc;
	uint64_t *ids; /* the engine's id of each type that an extractor has registered */
	size_t id_count, id_alloc;
};

bool separate_process_is_for(const struct registered_module *registered_module)
{
	const uint32_t here = VIGIL_SUPPORTER | VIGIL_GROUPER;

	return registered_module->library[0] && !(registered_module->mine.capabilities & here) &&
	       !(registered_module->mine.options & (VIGIL_TOGETHER | VIGIL_ACCEPTS_CALLS));
}

/* Returns whether a module is an extractor in this operation. */
static bool is_extractor(const struct registered_module *registered_module)
{
	return registered_module->opened->operation.operation == VIGIL_EXTRACTION &&
	       registered_module->mine.capabilities & VIGIL_EXTRACTOR;
}

/* Returns whether a module may read records of others; an extractor produces them. */
static bool is_reader(const struct registered_module *registered_module)
{
	RETURN_IF(is_extractor(registered_module), false);
	return registered_module->mine.capabilities & ~(uint32_t)(VIGIL_PRODUCER | VIGIL_TIMER) ||
	       registered_module->mine.after || registered_module->mine.sync_points & VIGIL_AT_SNAPSHOT_END;
}

/*
 * The module's process
 */

/* State in the module's process. */
struct remote_state {
	struct registered_module *registered_module;
	int fd;
	struct strbuf in, out, dropped;
	uint32_t texts_sent; /* number of texts created here that were sent */
	size_t types;  /* number of types that the engine has */
};

static void send_message(void *argument, const struct vigil_engine_message *message)
{
	struct remote_state *remote_state = argument;
	struct strbuf body = STRBUF_INIT;

	frame_put_number(&body, message->severity);
	frame_put_number(&body, message->level);
	frame_put_text(&body, message->text);
	frame_send(remote_state->fd, FRAME_MESSAGE, &body, UINT64_MAX);
	strbuf_release(&body);
}

/* Reads the sets of a snapshot from a call. */
static void take_sets(struct snapshot *snapshot, struct frame_reader *reader)
{
	uint64_t count = frame_take_number(reader);

	while (count-- > 0 && !reader->broken) {
		struct recordset *set = snapshot_set(snapshot, (unsigned)frame_take_number(reader));
		size_t rows = frame_take_number(reader), bytes = frame_take_number(reader);

		recordset_clear(set);
		if (rows)
			memcpy(recordset_extend(set, rows),
			       frame_take(reader, rows * set->type->size), rows * set->type->size);
		strbuf_add(&set->bytes, frame_take(reader, bytes), bytes);
	}
}

/* Reads a record type sent by the other end; NULL when it is invalid. */
static const struct record_type *take_type(struct vigil_engine *opened, struct frame_reader *reader)
{
	struct field fields[RECORD_FIELDS_MAX];
	struct record_type type = { .fields = fields };

	type.name = frame_take_text(reader);
	type.meaning = frame_take_text(reader);
	type.size = frame_take_number(reader);
	type.field_count = frame_take_number(reader);
	for (size_t i = 0; i < type.field_count && i < RECORD_FIELDS_MAX; i++) {
		fields[i].name = frame_take_text(reader);
		fields[i].unit = frame_take_text(reader);
		fields[i].meaning = frame_take_text(reader);
		fields[i].type = (enum field_type)frame_take_number(reader);
		fields[i].sense = (enum field_sense)frame_take_number(reader);
		fields[i].optional = frame_take_number(reader);
		fields[i].offset = frame_take_number(reader);
	}
	return reader->broken ? NULL : registry_add(engine_types(opened->inner), &type, NULL);
}

static void put_type(struct strbuf *body, const struct record_type *type)
{
	frame_put_text(body, type->name);
	frame_put_text(body, type->meaning);
	frame_put_number(body, type->size);
	frame_put_number(body, type->field_count);
	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];

		frame_put_text(body, field->name);
		frame_put_text(body, field->unit);
		frame_put_text(body, field->meaning);
		frame_put_number(body, field->type);
		frame_put_number(body, field->sense);
		frame_put_number(body, field->optional);
		frame_put_number(body, field->offset);
	}
}

/* Reads the texts that were added since the process began. */
static void take_texts(struct vigil_engine *opened, struct frame_reader *reader)
{
	uint64_t count = frame_take_number(reader);

	while (count-- > 0 && !reader->broken)
		engine_string(opened->inner, frame_take_text(reader));
}

/* Reads the snapshot for which the process is called. */
static struct snapshot *take_snapshot(struct vigil_engine *opened, struct frame_reader *reader)
{
	const struct snapshot *current = engine_current(opened->inner);
	uint64_t sequence = frame_take_number(reader);
	struct snapshot *snapshot;

	RETURN_IF(!sequence, NULL);
	snapshot = current && current->sequence == sequence ? (struct snapshot *)current
							    : engine_new_current(opened->inner);
	snapshot->sequence = sequence;
	snapshot->time = frame_take_number(reader);
	snapshot->wall = frame_take_number(reader);
	snapshot->last = frame_take_number(reader);
	take_texts(opened, reader);
	for (uint64_t types = frame_take_number(reader); types > 0 && !reader->broken; types--)
		take_type(opened, reader);
	take_sets(snapshot, reader);
	return snapshot;
}

/* Reads which module was lost; valid until the next call. */
static void read_lost_module(struct registered_module *registered_module, struct frame_reader *reader)
{
	registered_module->lost.size = sizeof(registered_module->lost);
	registered_module->lost.name = frame_take_text(reader);
	registered_module->lost.reason = frame_take_text(reader);
	registered_module->lost.summary = registered_module->lost.library = "";
	registered_module->lost.disabled = 1;
	registered_module->mine.lost = &registered_module->lost;
}

/* Appends the new records of a set. */
static void put_set(struct strbuf *body, const struct recordset *set, size_t before)
{
	size_t count = set->count - before;

	frame_put_number(body, set->type->id);
	frame_put_number(body, count);
	frame_put(body, set->rows + before * set->type->size, count * set->type->size);
}

/*
 * Appends the records that the module has added: those of its set after the first
 * before, or (for an extractor) all.
 */
static void put_records(struct strbuf *body, const struct registered_module *registered_module,
			const struct snapshot *snapshot, size_t before)
{
	bool extracts = snapshot && is_extractor(registered_module);
	const struct recordset *own =
		snapshot && registered_module->type ? snapshot_records(snapshot, registered_module->type->id) : NULL;
	uint64_t sets = !extracts && own && own->count > before;

	for (size_t id = 0; extracts && id < snapshot->set_count; id++)
		sets += snapshot->sets[id] && snapshot->sets[id]->count;
	frame_put_number(body, sets);
	if (!extracts && sets)
		put_set(body, own, before);
	for (size_t id = 0; extracts && id < snapshot->set_count; id++)
		if (snapshot->sets[id] && snapshot->sets[id]->count)
			put_set(body, snapshot->sets[id], 0);
}

/* Appends the types that the module has registered, and the time of the snapshot that it read. */
static void put_extracted(struct remote_state *remote_state, const struct snapshot *snapshot)
{
	const struct registry *types = engine_types(remote_state->registered_module->opened->inner);
	bool extracts = is_extractor(remote_state->registered_module);

	frame_put_number(&remote_state->out, extracts ? types->count - remote_state->types : 0);
	while (extracts && remote_state->types < types->count)
		put_type(&remote_state->out, registry_type(types, remote_state->types++));
	frame_put_number(&remote_state->out, snapshot ? snapshot->time : 0);
	frame_put_number(&remote_state->out, snapshot ? snapshot->wall : 0);
}

/* Executes one call. */
static void answer(struct remote_state *remote_state)
{
	struct registered_module *registered_module = remote_state->registered_module;
	struct vigil_engine *opened = registered_module->opened;
	struct snapshot *snapshot;
	struct frame_reader reader;
	size_t before = 0;
	uint32_t what;
	int status;

	frame_read(&reader, &remote_state->in);
	what = (uint32_t)frame_take_number(&reader);
	memcpy((char *)&opened->settings + PART_START, frame_take(&reader, PART_SIZE), PART_SIZE);
	read_lost_module(registered_module, &reader);
	snapshot = take_snapshot(opened, &reader);
	if (snapshot && registered_module->type)
		before = snapshot_records(snapshot, registered_module->type->id)->count;
	registered_module->mine.due = VIGIL_NEVER;
	strbuf_reset(&remote_state->dropped);
	status = module_call(registered_module, what, snapshot);
	strbuf_reset(&remote_state->out);
	if (opened->halted)
		frame_send(remote_state->fd, FRAME_HALT, &remote_state->out, UINT64_MAX);
	opened->halted = false;
	frame_put_number(&remote_state->out, (uint64_t)status);
	frame_put_text(&remote_state->out, registered_module->last_error.text);
	frame_put_number(&remote_state->out, registered_module->mine.due);
	frame_put(&remote_state->out, (const char *)&opened->settings + PART_START, PART_SIZE);
	frame_put_number(&remote_state->out, opened->local->count - remote_state->texts_sent);
	while (remote_state->texts_sent < opened->local->count)
		frame_put_text(&remote_state->out, strmap_text(opened->local, remote_state->texts_sent++));
	put_extracted(remote_state, snapshot);
	put_records(&remote_state->out, registered_module, snapshot, before);
	frame_put_number(&remote_state->out, remote_state->dropped.length / (2 * sizeof(uint64_t)));
	frame_put(&remote_state->out, remote_state->dropped.text, remote_state->dropped.length);
	frame_send(remote_state->fd, FRAME_ANSWER, &remote_state->out, UINT64_MAX);
}

/* Main function of the process: executes calls until the other end closes. */
static void serve(void *argument, int fd)
{
	struct remote_state remote_state = { .registered_module = argument, .fd = fd };
	struct vigil_engine *opened = remote_state.registered_module->opened;
	struct strmap local;
	enum frame_kind kind;

	strbuf_init(&remote_state.in);
	strbuf_init(&remote_state.out);
	strbuf_init(&remote_state.dropped);
	opened->dropped = &remote_state.dropped;
	remote_state.types = engine_types(opened->inner)->count;
	strmap_init(&local);
	opened->local = &local;
	opened->options.message = send_message;
	opened->options.argument = &remote_state;
	while (frame_receive(fd, &kind, &remote_state.in, UINT64_MAX))
		answer(&remote_state);
}

/*
 * The engine's end
 */

int separate_process_start(struct registered_module *registered_module, struct error *err)
{
	struct apart *apart = xcalloc(1, sizeof(*apart));

	strbuf_init(&apart->out);
	strbuf_init(&apart->in);
	apart->reads = is_reader(registered_module);
	apart->texts = engine_strings(registered_module->opened->inner)->count;
	apart->types = engine_types(registered_module->opened->inner)->count;
	if (forked_start(&apart->forked, serve, registered_module, err) < 0) {
		free(apart);
		return -1;
	}
	registered_module->apart = apart;
	return 0;
}

void separate_process_end(struct registered_module *registered_module)
{
	struct apart *apart = registered_module->apart;

	if (!apart)
		return;
	forked_end(&apart->forked, NULL);
	strbuf_release(&apart->in);
	strbuf_release(&apart->out);
	free(apart->numbers);
	free(apart->ids);
	free(apart);
	registered_module->apart = NULL;
}

/* Adds new texts and types to a call. */
static void put_new_texts_and_types(struct apart *apart, struct vigil_engine *opened)
{
	const struct strmap *texts = engine_strings(opened->inner);
	const struct registry *types = engine_types(opened->inner);
	struct strbuf *body = &apart->out;

	frame_put_number(body, texts->count - apart->texts);
	while (apart->texts < texts->count)
		frame_put_text(body, strmap_text(texts, (uint32_t)apart->texts++));
	frame_put_number(body, types->count - apart->types);
	while (apart->types < types->count)
		put_type(body, registry_type(types, apart->types++));
}

/* Adds the records of a snapshot to a call, for a module that reads them. */
static void put_snapshot(struct apart *apart, struct vigil_engine *opened,
			 const struct snapshot *snapshot)
{
	struct strbuf *body = &apart->out;
	size_t sets = apart->reads ? snapshot->set_count : 0;
	uint64_t count = 0;

	frame_put_number(body, snapshot->sequence);
	frame_put_number(body, snapshot->time);
	frame_put_number(body, snapshot->wall);
	frame_put_number(body, snapshot->last);
	if (apart->reads) {
		put_new_texts_and_types(apart, opened);
	} else {
		frame_put_number(body, 0);
		frame_put_number(body, 0);
	}
	for (size_t id = 0; id < sets; id++)
		count += snapshot->sets[id] && snapshot->sets[id]->count;
	frame_put_number(body, count);
	for (size_t id = 0; id < sets; id++) {
		const struct recordset *set = snapshot->sets[id];

		if (!set || !set->count)
			continue;
		frame_put_number(body, id);
		frame_put_number(body, set->count);
		frame_put_number(body, set->bytes.length);
		frame_put(body, set->rows, set->count * set->type->size);
		frame_put(body, set->bytes.text, set->bytes.length);
	}
}

/* Passes a message from the module's process to the client. */
static void pass_message(struct registered_module *registered_module, const struct strbuf *body)
{
	struct frame_reader reader;
	uint32_t severity, level;
	const char *text;

	frame_read(&reader, body);
	severity = (uint32_t)frame_take_number(&reader);
	level = (uint32_t)frame_take_number(&reader);
	text = frame_take_text(&reader);
	if (!reader.broken && severity <= VIGIL_MESSAGE_FATAL)
		message_text(registered_module->opened, registered_module->module->name, severity, level, text);
}

/*
 * Replaces the numbers in the text members of a record by the engine's. Returns
 * false when one is unknown.
 */
static bool renumber(const struct apart *apart, const struct record_type *type, unsigned char *row)
{
	for (size_t i = 0; i < type->field_count; i++) {
		uint64_t number;

		if (type->fields[i].type != FIELD_STRING)
			continue;
		memcpy(&number, row + type->fields[i].offset, sizeof(number));
		if (number < LOCAL_TEXTS || number == UINT64_MAX)
			continue;
		RETURN_IF(number - LOCAL_TEXTS >= apart->number_count, false);
		memcpy(row + type->fields[i].offset, &apart->numbers[number - LOCAL_TEXTS],
		       sizeof(number));
	}
	return true;
}

/*
 * Returns the type of records in an answer, by its id in the process; NULL when
 * the module may not add them.
 */
static const struct record_type *find_type(const struct registered_module *registered_module, uint64_t id)
{
	const struct apart *apart = registered_module->apart;
	const struct record_type *type;

	if (!is_extractor(registered_module))
		return registered_module->type && id == registered_module->type->id ? registered_module->type : NULL;
	if (id >= apart->types)
		id = id - apart->types < apart->id_count ? apart->ids[id - apart->types] : 0;
	type = registry_type(engine_types(registered_module->opened->inner), id);
	return type && views_has_prefix(type) ? type : NULL;
}

/* Reads the records of one type of an answer. */
static bool take_set(struct registered_module *registered_module, struct snapshot *snapshot, struct frame_reader *reader)
{
	const struct record_type *type = find_type(registered_module, frame_take_number(reader));
	size_t count = frame_take_number(reader);
	struct recordset *set;

	RETURN_IF(reader->broken || !snapshot || !type || count > FRAME_MAX / type->size, false);
	set = snapshot_set(snapshot, type->id);
	for (size_t i = 0; i < count; i++) {
		const void *row = frame_take(reader, type->size);

		RETURN_IF(!row, false);
		recordset_add(set, row);
		RETURN_IF(!renumber(registered_module->apart, type, recordset_at(set, set->count - 1)), false);
	}
	return true;
}

/* Reads all records of an answer. */
static bool take_records(struct registered_module *registered_module, struct snapshot *snapshot,
			 struct frame_reader *reader)
{
	uint64_t sets = frame_take_number(reader);

	while (sets-- > 0 && !reader->broken)
		RETURN_IF(!take_set(registered_module, snapshot, reader), false);
	return !reader->broken;
}

/* Reads the types that an extractor has registered, and the time of its snapshot. */
static bool take_extracted(struct registered_module *registered_module, struct snapshot *snapshot,
			   struct frame_reader *reader)
{
	struct apart *apart = registered_module->apart;
	uint64_t types = frame_take_number(reader), when, wall;

	RETURN_IF(types && !is_extractor(registered_module), false);
	while (types-- > 0 && !reader->broken) {
		const struct record_type *type = take_type(registered_module->opened, reader);

		GROW(apart->ids, apart->id_count + 1, apart->id_alloc);
		apart->ids[apart->id_count++] = type ? type->id : 0;
	}
	when = frame_take_number(reader);
	wall = frame_take_number(reader);
	if (snapshot && is_extractor(registered_module)) {
		snapshot->time = when;
		snapshot->wall = wall;
	}
	return !reader->broken;
}

/* Removes the records that a filter has discarded. */
static bool take_dropped(const struct registered_module *registered_module, struct snapshot *snapshot,
			 struct frame_reader *reader)
{
	struct vigil_engine *opened = registered_module->opened;
	uint64_t count = frame_take_number(reader);
	const struct vigil_snapshot *view;

	RETURN_IF(reader->broken || !count, !reader->broken);
	RETURN_IF(!snapshot || !(registered_module->mine.capabilities & VIGIL_FILTER), false);
	opened->stage++;
	view = views_snapshot(opened, snapshot);
	while (count-- > 0 && !reader->broken) {
		uint64_t id = frame_take_number(reader), number = frame_take_number(reader);

		RETURN_IF(id > UINT32_MAX || views_mark(opened, snapshot,
							views_set(view, (uint32_t)id), number) < 0,
			  false);
	}
	views_drop(opened, snapshot);
	return !reader->broken;
}

/* Processes an answer. Returns false when it is invalid. */
static bool take_answer(struct registered_module *registered_module, struct snapshot *snapshot, int *status)
{
	struct apart *apart = registered_module->apart;
	struct vigil_engine *opened = registered_module->opened;
	struct frame_reader reader;
	const void *part;
	uint64_t texts;

	frame_read(&reader, &apart->in);
	*status = (int)(int64_t)frame_take_number(&reader);
	strbuf_reset(&registered_module->last_error);
	strbuf_addstr(&registered_module->last_error, frame_take_text(&reader));
	registered_module->mine.due = frame_take_number(&reader);
	part = frame_take(&reader, PART_SIZE);
	texts = frame_take_number(&reader);
	while (texts-- > 0 && !reader.broken) {
		GROW(apart->numbers, apart->number_count + 1, apart->number_alloc);
		apart->numbers[apart->number_count++] =
			engine_string(opened->inner, frame_take_text(&reader));
	}
	RETURN_IF(!take_extracted(registered_module, snapshot, &reader) ||
			  !take_records(registered_module, snapshot, &reader) ||
			  !take_dropped(registered_module, snapshot, &reader) || !part,
		  false);
	RETURN_IF(*status < VIGIL_FATAL || *status > VIGIL_END_OF_DATA, false);
	/* The process has undone changes that the module may not make. */
	memcpy((char *)&opened->settings + PART_START, part, PART_SIZE);
	return true;
}

/* Ends a process that did not answer, or (otherwise) not correctly, and reports how it ended. */
static int end_failed_process(struct registered_module *registered_module, uint32_t what, const char *otherwise)
{
	static const char *const words[] = {
		[VIGIL_START] = "at the start",
		[VIGIL_BASELINE] = "before the first snapshot",
		[VIGIL_SNAPSHOT] = "at a snapshot",
		[VIGIL_SNAPSHOT_END] = "at a snapshot's end",
		[VIGIL_COLLECTION_END] = "at the end of the collection",
		[VIGIL_DUE] = "when it was asked for the time of the next snapshot",
		[VIGIL_LOST] = "when it was notified of the loss of another module",
		[VIGIL_END] = "at the end",
	};
	struct strbuf how = STRBUF_INIT;

	forked_end(&registered_module->apart->forked, &how);
	separate_process_end(registered_module);
	registered_module->called = false;
	strbuf_reset(&registered_module->last_error);
	strbuf_addf(&registered_module->last_error, "%s %s", otherwise ? otherwise : how.text, words[what]);
	strbuf_release(&how);
	return VIGIL_ERROR;
}

int separate_process_call(struct registered_module *registered_module, uint32_t what, struct snapshot *snapshot)
{
	struct apart *apart = registered_module->apart;
	struct vigil_engine *opened = registered_module->opened;
	uint64_t begun = clock_monotonic_ns(), before = begun + opened->options.patience;
	bool whole;
	enum frame_kind kind;
	int status;

	strbuf_reset(&apart->out);
	frame_put_number(&apart->out, what);
	frame_put(&apart->out, (const char *)&opened->settings + PART_START, PART_SIZE);
	frame_put_text(&apart->out, what == VIGIL_LOST ? registered_module->lost.name : "");
	frame_put_text(&apart->out,
		       what == VIGIL_LOST && registered_module->lost.reason ? registered_module->lost.reason : "");
	if (snapshot)
		put_snapshot(apart, opened, snapshot);
	else
		frame_put_number(&apart->out, 0);
	whole = frame_send(apart->forked.fd, FRAME_CALL, &apart->out, before);
	while (whole && (whole = frame_receive(apart->forked.fd, &kind, &apart->in, before)) &&
	       kind != FRAME_ANSWER) {
		if (kind == FRAME_MESSAGE)
			pass_message(registered_module, &apart->in);
		else if (kind == FRAME_HALT)
			engine_halt(opened->inner);
	}
	registered_module->calls++;
	registered_module->cost += clock_monotonic_ns() - begun;
	if (!whole)
		return end_failed_process(registered_module, what, NULL);
	if (!take_answer(registered_module, snapshot, &status))
		return end_failed_process(registered_module, what, "its memory was overwritten");
	return status;
}
