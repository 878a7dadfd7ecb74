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

bool apart_is_for(const struct known *known)
{
	const uint32_t here = VIGIL_SUPPORTER | VIGIL_GROUPER;

	return known->library[0] && !(known->mine.capabilities & here) &&
	       !(known->mine.options & (VIGIL_TOGETHER | VIGIL_ACCEPTS_CALLS));
}

/* Returns whether a module is an extractor in this operation. */
static bool is_extractor(const struct known *known)
{
	return known->opened->operation.operation == VIGIL_EXTRACTION &&
	       known->mine.capabilities & VIGIL_EXTRACTOR;
}

/* Returns whether a module may read records of others; an extractor produces them. */
static bool is_reader(const struct known *known)
{
	RETURN_IF(is_extractor(known), false);
	return known->mine.capabilities & ~(uint32_t)(VIGIL_PRODUCER | VIGIL_TIMER) ||
	       known->mine.after || known->mine.sync_points & VIGIL_AT_SNAPSHOT_END;
}

/*
 * The module's process
 */

/* State in the module's process. */
struct away {
	struct known *known;
	int fd;
	struct strbuf in, out, dropped;
	uint32_t told; /* number of texts created here that were sent */
	size_t types;  /* number of types that the engine has */
};

static void send_message(void *argument, const struct vigil_engine_message *message)
{
	struct away *away = argument;
	struct strbuf body = STRBUF_INIT;

	frame_put_number(&body, message->severity);
	frame_put_number(&body, message->level);
	frame_put_text(&body, message->text);
	frame_send(away->fd, FRAME_MESSAGE, &body, UINT64_MAX);
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
							    : engine_turn(opened->inner);
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
static void take_loss(struct known *known, struct frame_reader *reader)
{
	known->lost.size = sizeof(known->lost);
	known->lost.name = frame_take_text(reader);
	known->lost.reason = frame_take_text(reader);
	known->lost.summary = known->lost.library = "";
	known->lost.disabled = 1;
	known->mine.lost = &known->lost;
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
static void put_records(struct strbuf *body, const struct known *known,
			const struct snapshot *snapshot, size_t before)
{
	bool extracts = snapshot && is_extractor(known);
	const struct recordset *own =
		snapshot && known->type ? snapshot_records(snapshot, known->type->id) : NULL;
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
static void put_extracted(struct away *away, const struct snapshot *snapshot)
{
	const struct registry *types = engine_types(away->known->opened->inner);
	bool extracts = is_extractor(away->known);

	frame_put_number(&away->out, extracts ? types->count - away->types : 0);
	while (extracts && away->types < types->count)
		put_type(&away->out, registry_type(types, away->types++));
	frame_put_number(&away->out, snapshot ? snapshot->time : 0);
	frame_put_number(&away->out, snapshot ? snapshot->wall : 0);
}

/* Executes one call. */
static void answer(struct away *away)
{
	struct known *known = away->known;
	struct vigil_engine *opened = known->opened;
	struct snapshot *snapshot;
	struct frame_reader reader;
	size_t before = 0;
	uint32_t what;
	int status;

	frame_read(&reader, &away->in);
	what = (uint32_t)frame_take_number(&reader);
	memcpy((char *)&opened->settings + PART_START, frame_take(&reader, PART_SIZE), PART_SIZE);
	take_loss(known, &reader);
	snapshot = take_snapshot(opened, &reader);
	if (snapshot && known->type)
		before = snapshot_records(snapshot, known->type->id)->count;
	known->mine.due = VIGIL_NEVER;
	strbuf_reset(&away->dropped);
	status = module_call(known, what, snapshot);
	strbuf_reset(&away->out);
	if (opened->halted)
		frame_send(away->fd, FRAME_HALT, &away->out, UINT64_MAX);
	opened->halted = false;
	frame_put_number(&away->out, (uint64_t)status);
	frame_put_text(&away->out, known->said.text);
	frame_put_number(&away->out, known->mine.due);
	frame_put(&away->out, (const char *)&opened->settings + PART_START, PART_SIZE);
	frame_put_number(&away->out, opened->local->count - away->told);
	while (away->told < opened->local->count)
		frame_put_text(&away->out, strmap_text(opened->local, away->told++));
	put_extracted(away, snapshot);
	put_records(&away->out, known, snapshot, before);
	frame_put_number(&away->out, away->dropped.length / (2 * sizeof(uint64_t)));
	frame_put(&away->out, away->dropped.text, away->dropped.length);
	frame_send(away->fd, FRAME_ANSWER, &away->out, UINT64_MAX);
}

/* Main function of the process: executes calls until the other end closes. */
static void serve(void *argument, int fd)
{
	struct away away = { .known = argument, .fd = fd };
	struct vigil_engine *opened = away.known->opened;
	struct strmap local;
	enum frame_kind kind;

	strbuf_init(&away.in);
	strbuf_init(&away.out);
	strbuf_init(&away.dropped);
	opened->dropped = &away.dropped;
	away.types = engine_types(opened->inner)->count;
	strmap_init(&local);
	opened->local = &local;
	opened->options.message = send_message;
	opened->options.argument = &away;
	while (frame_receive(fd, &kind, &away.in, UINT64_MAX))
		answer(&away);
}

/*
 * The engine's end
 */

int apart_start(struct known *known, struct error *err)
{
	struct apart *apart = xcalloc(1, sizeof(*apart));

	strbuf_init(&apart->out);
	strbuf_init(&apart->in);
	apart->reads = is_reader(known);
	apart->texts = engine_strings(known->opened->inner)->count;
	apart->types = engine_types(known->opened->inner)->count;
	if (forked_start(&apart->forked, serve, known, err) < 0) {
		free(apart);
		return -1;
	}
	known->apart = apart;
	return 0;
}

void apart_end(struct known *known)
{
	struct apart *apart = known->apart;

	if (!apart)
		return;
	forked_end(&apart->forked, NULL);
	strbuf_release(&apart->in);
	strbuf_release(&apart->out);
	free(apart->numbers);
	free(apart->ids);
	free(apart);
	known->apart = NULL;
}

/* Adds new texts and types to a call. */
static void put_news(struct apart *apart, struct vigil_engine *opened)
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
		put_news(apart, opened);
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
static void pass_message(struct known *known, const struct strbuf *body)
{
	struct frame_reader reader;
	uint32_t severity, level;
	const char *text;

	frame_read(&reader, body);
	severity = (uint32_t)frame_take_number(&reader);
	level = (uint32_t)frame_take_number(&reader);
	text = frame_take_text(&reader);
	if (!reader.broken && severity <= VIGIL_MESSAGE_FATAL)
		message_text(known->opened, known->module->name, severity, level, text);
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
static const struct record_type *find_type(const struct known *known, uint64_t id)
{
	const struct apart *apart = known->apart;
	const struct record_type *type;

	if (!is_extractor(known))
		return known->type && id == known->type->id ? known->type : NULL;
	if (id >= apart->types)
		id = id - apart->types < apart->id_count ? apart->ids[id - apart->types] : 0;
	type = registry_type(engine_types(known->opened->inner), id);
	return type && views_has_prefix(type) ? type : NULL;
}

/* Reads the records of one type of an answer. */
static bool take_set(struct known *known, struct snapshot *snapshot, struct frame_reader *reader)
{
	const struct record_type *type = find_type(known, frame_take_number(reader));
	size_t count = frame_take_number(reader);
	struct recordset *set;

	RETURN_IF(reader->broken || !snapshot || !type || count > FRAME_MAX / type->size, false);
	set = snapshot_set(snapshot, type->id);
	for (size_t i = 0; i < count; i++) {
		const void *row = frame_take(reader, type->size);

		RETURN_IF(!row, false);
		recordset_add(set, row);
		RETURN_IF(!renumber(known->apart, type, recordset_at(set, set->count - 1)), false);
	}
	return true;
}

/* Reads all records of an answer. */
static bool take_records(struct known *known, struct snapshot *snapshot,
			 struct frame_reader *reader)
{
	uint64_t sets = frame_take_number(reader);

	while (sets-- > 0 && !reader->broken)
		RETURN_IF(!take_set(known, snapshot, reader), false);
	return !reader->broken;
}

/* Reads the types that an extractor has registered, and the time of its snapshot. */
static bool take_extracted(struct known *known, struct snapshot *snapshot,
			   struct frame_reader *reader)
{
	struct apart *apart = known->apart;
	uint64_t types = frame_take_number(reader), when, wall;

	RETURN_IF(types && !is_extractor(known), false);
	while (types-- > 0 && !reader->broken) {
		const struct record_type *type = take_type(known->opened, reader);

		GROW(apart->ids, apart->id_count + 1, apart->id_alloc);
		apart->ids[apart->id_count++] = type ? type->id : 0;
	}
	when = frame_take_number(reader);
	wall = frame_take_number(reader);
	if (snapshot && is_extractor(known)) {
		snapshot->time = when;
		snapshot->wall = wall;
	}
	return !reader->broken;
}

/* Removes the records that a filter has discarded. */
static bool take_dropped(const struct known *known, struct snapshot *snapshot,
			 struct frame_reader *reader)
{
	struct vigil_engine *opened = known->opened;
	uint64_t count = frame_take_number(reader);
	const struct vigil_snapshot *view;

	RETURN_IF(reader->broken || !count, !reader->broken);
	RETURN_IF(!snapshot || !(known->mine.capabilities & VIGIL_FILTER), false);
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
static bool take_answer(struct known *known, struct snapshot *snapshot, int *status)
{
	struct apart *apart = known->apart;
	struct vigil_engine *opened = known->opened;
	struct frame_reader reader;
	const void *part;
	uint64_t texts;

	frame_read(&reader, &apart->in);
	*status = (int)(int64_t)frame_take_number(&reader);
	strbuf_reset(&known->said);
	strbuf_addstr(&known->said, frame_take_text(&reader));
	known->mine.due = frame_take_number(&reader);
	part = frame_take(&reader, PART_SIZE);
	texts = frame_take_number(&reader);
	while (texts-- > 0 && !reader.broken) {
		GROW(apart->numbers, apart->number_count + 1, apart->number_alloc);
		apart->numbers[apart->number_count++] =
			engine_string(opened->inner, frame_take_text(&reader));
	}
	RETURN_IF(!take_extracted(known, snapshot, &reader) ||
			  !take_records(known, snapshot, &reader) ||
			  !take_dropped(known, snapshot, &reader) || !part,
		  false);
	RETURN_IF(*status < VIGIL_FATAL || *status > VIGIL_END_OF_DATA, false);
	/* The process has undone changes that the module may not make. */
	memcpy((char *)&opened->settings + PART_START, part, PART_SIZE);
	return true;
}

/* Ends a process that did not answer, or (otherwise) not correctly, and reports how it ended. */
static int give_up(struct known *known, uint32_t what, const char *otherwise)
{
	static const char *const words[] = {
		[VIGIL_START] = "at the start",
		[VIGIL_BASELINE] = "before the first snapshot",
		[VIGIL_SNAPSHOT] = "at a snapshot",
		[VIGIL_SNAPSHOT_END] = "at a snapshot's end",
		[VIGIL_COLLECTION_END] = "at the end of the collection",
		[VIGIL_DUE] = "when it was asked for a time",
		[VIGIL_LOST] = "when it was told of a loss",
		[VIGIL_END] = "at the end",
	};
	struct strbuf how = STRBUF_INIT;

	forked_end(&known->apart->forked, &how);
	apart_end(known);
	known->called = false;
	strbuf_reset(&known->said);
	strbuf_addf(&known->said, "%s %s", otherwise ? otherwise : how.text, words[what]);
	strbuf_release(&how);
	return VIGIL_ERROR;
}

int apart_call(struct known *known, uint32_t what, struct snapshot *snapshot)
{
	struct apart *apart = known->apart;
	struct vigil_engine *opened = known->opened;
	uint64_t begun = clock_monotonic_ns(), before = begun + opened->options.patience;
	bool whole;
	enum frame_kind kind;
	int status;

	strbuf_reset(&apart->out);
	frame_put_number(&apart->out, what);
	frame_put(&apart->out, (const char *)&opened->settings + PART_START, PART_SIZE);
	frame_put_text(&apart->out, what == VIGIL_LOST ? known->lost.name : "");
	frame_put_text(&apart->out,
		       what == VIGIL_LOST && known->lost.reason ? known->lost.reason : "");
	if (snapshot)
		put_snapshot(apart, opened, snapshot);
	else
		frame_put_number(&apart->out, 0);
	whole = frame_send(apart->forked.fd, FRAME_CALL, &apart->out, before);
	while (whole && (whole = frame_receive(apart->forked.fd, &kind, &apart->in, before)) &&
	       kind != FRAME_ANSWER) {
		if (kind == FRAME_MESSAGE)
			pass_message(known, &apart->in);
		else if (kind == FRAME_HALT)
			engine_halt(opened->inner);
	}
	known->calls++;
	known->cost += clock_monotonic_ns() - begun;
	if (!whole)
		return give_up(known, what, NULL);
	if (!take_answer(known, snapshot, &status))
		return give_up(known, what, "something wrote over its memory");
	return status;
}
