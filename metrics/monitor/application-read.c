/* SPDX-License-Identifier: Apache-2.0 */
/* Reads vigil's application data: joins parts into messages, and makes records from them. */
#include "common/compat.h"
#include "metrics/monitor/application.h"
#include "common/xalloc.h"
#include "metrics/monitor/monitor-types.h"

/* Maximum length of a message, except one with a record of several long blocks of bytes. */
#define MESSAGE_MAX ((size_t)16 << 20)
#define TYPES_MAX RECORD_TYPES_MAX

/* Mapping of a record type of the file. */
struct application_source {
	const struct record_type *type; /* the engine's type; NULL: its records are skipped */
	struct source_field {
		enum field_type type;
		bool optional;
		size_t target; /* SIZE_MAX: none */
	} * fields;	       /* owned */
	size_t field_count;
};

/* A message being read. */
struct cursor {
	const unsigned char *at, *end;
	bool bad;
};

static uint64_t get_number(struct cursor *cursor, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(cursor->end - cursor->at) < size) {
		cursor->bad = true;
		return 0;
	}
	while (size--)
		value = value << 8 | *cursor->at++;
	return value;
}

/* Returns a text or a block of bytes; NULL: it is missing, or the message is invalid. */
static const char *get_bytes(struct cursor *cursor, size_t *length)
{
	uint64_t size = get_number(cursor, 4);
	const unsigned char *bytes = cursor->at;

	*length = 0;
	if (cursor->bad || size == UINT32_MAX)
		return NULL;
	if ((uint64_t)(cursor->end - cursor->at) < size) {
		cursor->bad = true;
		return NULL;
	}
	cursor->at += size;
	*length = size;
	return (const char *)bytes;
}

/* Returns a text of a description, owned by the caller. */
static char *get_text(struct cursor *cursor)
{
	size_t length;
	const char *text = get_bytes(cursor, &length);

	return xstrndup(text ? text : "", length);
}

/* Reads the fields of a type; their offsets in the struct follow from their sizes. */
static void get_fields(struct cursor *cursor, struct record_type *type, struct field *fields,
		       size_t count)
{
	for (; type->field_count < count && !cursor->bad; type->field_count++) {
		struct field *field = &fields[type->field_count];
		uint64_t kind = get_number(cursor, 1), sense = get_number(cursor, 1);
		uint64_t optional = get_number(cursor, 2);
		size_t size;

		field->name = get_text(cursor);
		field->unit = get_text(cursor);
		field->meaning = get_text(cursor);
		if (kind >= FIELD_TYPE_COUNT || sense > SENSE_AMOUNT || optional > 1)
			cursor->bad = true;
		if (cursor->bad)
			kind = sense = 0;
		field->type = (enum field_type)kind;
		field->sense = (enum field_sense)sense;
		field->optional = optional == 1;
		/* A block of bytes is two numbers of four bytes. */
		size = field->type == FIELD_BYTES ? sizeof(uint32_t) : field_size(field->type);
		field->offset = (type->size + size - 1) / size * size;
		type->size = field->offset + field_size(field->type);
	}
	type->size = (type->size + 7) / 8 * 8;
}

/* Returns the number of the engine's field for one of the file; SIZE_MAX: none. */
static size_t find_field(const struct record_type *ours, const struct field *theirs)
{
	for (size_t i = 0; i < ours->field_count; i++)
		if (strcmp(ours->fields[i].name, theirs->name) == 0)
			return ours->fields[i].type == theirs->type ? i : SIZE_MAX;
	return SIZE_MAX;
}

/* Returns the slot of a type by its number, creating it if necessary. */
static struct application_source *type_slot(struct application_reader *reader, size_t number)
{
	while (reader->type_count <= number) {
		GROW(reader->types, reader->type_count + 1, reader->type_alloc);
		reader->types[reader->type_count++] = (struct application_source){ 0 };
	}
	return &reader->types[number];
}

/* Processes a description: maps it to the registered type of the name, or registers a new one. */
static bool adopt(struct application_reader *reader, size_t number,
		  const struct record_type *theirs, struct registry *types)
{
	struct application_source *source = type_slot(reader, number);
	struct error err = ERROR_INIT;

	free(source->fields);
	*source = (struct application_source){ .field_count = theirs->field_count };
	source->fields = xcalloc(theirs->field_count, sizeof(*source->fields));
	source->type = registry_find(types, theirs->name);
	if (!source->type)
		source->type = registry_add(types, theirs, &err);
	for (size_t i = 0; source->type && i < theirs->field_count; i++)
		source->fields[i] = (struct source_field){
			.type = theirs->fields[i].type,
			.optional = theirs->fields[i].optional,
			.target = find_field(source->type, &theirs->fields[i]),
		};
	error_release(&err);
	return source->type;
}

/* Reads a description. */
static bool take_type(struct application_reader *reader, struct cursor *cursor,
		      struct registry *types)
{
	size_t number = get_number(cursor, 2), count = get_number(cursor, 2);
	struct record_type type = { 0 };
	struct field *fields;
	bool taken = false;

	RETURN_IF(cursor->bad || number >= TYPES_MAX || !count || count > RECORD_FIELDS_MAX, false);
	fields = xcalloc(count, sizeof(*fields));
	type.fields = fields;
	type.name = get_text(cursor);
	type.meaning = get_text(cursor);
	get_fields(cursor, &type, fields, count);
	if (!cursor->bad)
		taken = adopt(reader, number, &type, types);
	for (size_t i = 0; i < type.field_count; i++) {
		free((char *)(uintptr_t)fields[i].name);
		free((char *)(uintptr_t)fields[i].unit);
		free((char *)(uintptr_t)fields[i].meaning);
	}
	free((char *)(uintptr_t)type.name);
	free((char *)(uintptr_t)type.meaning);
	free(fields);
	return taken;
}

/* Reads one value into its member, NULL to skip it. */
static void take_value(struct cursor *cursor, enum field_type type, unsigned char *member,
		       struct recordset *set, struct engine *engine)
{
	size_t size = field_size(type), length;
	struct record_bytes block;
	const char *bytes;
	uint64_t raw;

	if (type == FIELD_STRING || type == FIELD_BYTES) {
		bytes = get_bytes(cursor, &length);
		if (!member || !bytes)
			return;
		if (type == FIELD_STRING) {
			raw = strmap_put_n(engine_strings(engine), bytes, strnlen(bytes, length));
			memcpy(member, &raw, sizeof(raw));
		} else if (length <= RECORD_BYTES_MAX) {
			block = recordset_put_bytes(set, bytes, length);
			memcpy(member, &block, sizeof(block));
		}
		return;
	}
	raw = get_number(cursor, size);
	if (!member || cursor->bad)
		return;
	for (size_t i = 0; i < size; i++) {
		size_t at = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : size - 1 - i;

		member[at] = (unsigned char)(raw >> 8 * i);
	}
}

/* Reads one record. */
static void take_record(struct cursor *cursor, const struct application_source *source,
			struct recordset *set, struct engine *engine, unsigned char *row)
{
	const struct record_type *type = source->type;

	memset(row, 0, type->size);
	for (size_t i = 0; i < type->field_count; i++)
		field_set_missing(&type->fields[i], row + type->fields[i].offset);
	for (size_t i = 0; i < source->field_count; i++) {
		const struct source_field *field = &source->fields[i];
		const struct field *ours =
			field->target == SIZE_MAX ? NULL : &type->fields[field->target];

		take_value(cursor, field->type, ours ? row + ours->offset : NULL, set, engine);
	}
	if (!cursor->bad)
		recordset_add(set, row);
}

/* Reads records. */
static bool take_values(const struct application_reader *reader, struct cursor *cursor,
			struct engine *engine, struct snapshot *snapshot)
{
	size_t number = get_number(cursor, 2), count;
	const struct application_source *source;
	struct recordset *set;
	unsigned char *row;

	get_number(cursor, 2);
	count = get_number(cursor, 4);
	RETURN_IF(cursor->bad || number >= reader->type_count || !reader->types[number].type,
		  false);
	source = &reader->types[number];
	set = snapshot_set(snapshot, source->type->id);
	row = xcalloc(1, source->type->size);
	while (count-- && !cursor->bad)
		take_record(cursor, source, set, engine, row);
	free(row);
	return !cursor->bad;
}

/* Returns the set of a built-in monitor type; NULL: a module already has a type of that name. */
static struct recordset *monitor_type_set(struct engine *engine, struct snapshot *snapshot,
				 const struct record_type *type)
{
	const struct record_type *known = registry_add(engine_types(engine), type, NULL);

	return known ? snapshot_set(snapshot, known->id) : NULL;
}

/* Returns a text of a message as a string number; UINT64_MAX: it is empty or missing. */
static uint64_t take_string(struct cursor *cursor, struct engine *engine)
{
	size_t length;
	const char *text = get_bytes(cursor, &length);

	if (!text || !length)
		return UINT64_MAX;
	return strmap_put_n(engine_strings(engine), text, strnlen(text, length));
}

/* Reads the user ids of users. */
static bool take_users(struct cursor *cursor, struct engine *engine, struct snapshot *snapshot)
{
	struct recordset *set = monitor_type_set(engine, snapshot, &monitor_user_type);

	while (set && cursor->at < cursor->end && !cursor->bad) {
		struct monitor_user user = { .number = get_number(cursor, 4) };

		user.item = take_string(cursor, engine);
		user.name = take_string(cursor, engine);
		if (!cursor->bad)
			recordset_add(set, &user);
	}
	return !cursor->bad;
}

/* Reads the device numbers of devices. */
static bool take_devices(struct cursor *cursor, struct engine *engine, struct snapshot *snapshot)
{
	struct recordset *set = monitor_type_set(engine, snapshot, &monitor_device_type);
	char item[8];

	while (set && cursor->at < cursor->end && !cursor->bad) {
		struct monitor_device device;

		snprintf(item, sizeof(item), "%04X", (unsigned)get_number(cursor, 2));
		device.item = engine_string(engine, item);
		device.major = get_number(cursor, 4);
		device.minor = get_number(cursor, 4);
		device.name = take_string(cursor, engine);
		if (!cursor->bad)
			recordset_add(set, &device);
	}
	return !cursor->bad;
}

/* Reads a complete message. */
static bool take_message(struct application_reader *reader, struct engine *engine,
			 struct snapshot *snapshot)
{
	const unsigned char *text = (const unsigned char *)reader->message.text;
	struct cursor cursor = { text, text + reader->message.length, false };

	switch (reader->kind) {
	case APPLICATION_SNAPSHOT:
		reader->time = get_number(&cursor, 8);
		reader->wall = get_number(&cursor, 8);
		return !cursor.bad;
	case APPLICATION_TYPE:
		return take_type(reader, &cursor, engine_types(engine));
	case APPLICATION_VALUES:
		return take_values(reader, &cursor, engine, snapshot);
	case APPLICATION_USERS:
		return take_users(&cursor, engine, snapshot);
	case APPLICATION_DEVICES:
		return take_devices(&cursor, engine, snapshot);
	case APPLICATION_END:
		reader->complete = !reader->lost;
		return true;
	default:
		/*
		 * Names of users and devices are for other readers; later kinds are for later
		 * versions.
		 */
		return true;
	}
}

void application_reader_init(struct application_reader *reader)
{
	*reader = (struct application_reader){ .message = STRBUF_INIT };
}

bool application_begins(const unsigned char *part, size_t length)
{
	return length >= PART_HEAD && part[PART_KIND] == APPLICATION_SNAPSHOT;
}

/* Checks whether a part is the expected one; after a loss drops the open message. */
static void follow(struct application_reader *reader, const unsigned char *part, struct strbuf *why)
{
	uint32_t serial = monitor_get(part + PART_SERIAL, 4), expected = reader->serial + 1;

	reader->serial = serial;
	if (serial == expected)
		return;
	strbuf_addf(why, "application data: part %u follows part %u", serial, expected - 1);
	reader->lost = true;
	reader->open = false;
	strbuf_reset(&reader->message);
}

bool application_take(struct application_reader *reader, const unsigned char *part, size_t length,
		      struct engine *engine, struct snapshot *snapshot, struct strbuf *why)
{
	bool begins = false, continues;

	if (length < PART_HEAD || part[PART_VERSION] != 1) {
		strbuf_addstr(why, "application data of an unknown version");
		reader->lost = true;
		return false;
	}
	follow(reader, part, why);
	continues = part[PART_FLAGS] & PART_CONTINUED;
	/* The rest of a message whose beginning is lost. */
	if (!reader->open && !(part[PART_FLAGS] & PART_FIRST))
		return false;
	if (part[PART_FLAGS] & PART_FIRST) {
		strbuf_reset(&reader->message);
		reader->kind = part[PART_KIND];
	}
	if (reader->kind != part[PART_KIND] || reader->message.length + length > MESSAGE_MAX) {
		strbuf_addstr(why, "application data: parts that do not belong together");
		reader->open = false;
		reader->lost = true;
		return false;
	}
	strbuf_add(&reader->message, part + PART_HEAD, length - PART_HEAD);
	reader->open = continues;
	reader->sequence = monitor_get64(part + PART_SEQUENCE);
	if (continues)
		return false;
	if (!take_message(reader, engine, snapshot)) {
		strbuf_addf(why, "%sapplication data: a message cannot be read",
			    why->length ? "; " : "");
		reader->lost = true;
	} else if (reader->kind == APPLICATION_SNAPSHOT) {
		begins = true;
	}
	strbuf_reset(&reader->message);
	return begins;
}

void application_release(struct application_reader *reader)
{
	for (size_t i = 0; i < reader->type_count; i++)
		free(reader->types[i].fields);
	free(reader->types);
	strbuf_release(&reader->message);
}
