/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a sample data set: every intact block, whatever is between them. */
#include "common/compat.h"
#include "engine/dataset-format.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"
#include "engine/dataset-bases.h"
#include "engine/dataset-types.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Minimum bytes of a read. */
enum { READ_AT_ONCE = 256 << 10 };

/* A file with a damaged header must have an intact block within its first bytes of this number. */
enum { FIRST_BLOCK_WITHIN = 64 << 10 };

/* Strings of the file with consecutive numbers. */
struct string_range {
	uint64_t first; /* number in the file of the first one */
	size_t place;	/* index in string_numbers of the first one */
	size_t count;
};

struct dataset_reader {
	char *path;
	int fd;
	uint64_t position;     /* of the next block in the file */
	uint64_t checked;      /* bytes of payloads that were damaged */
	unsigned char *buffer; /* the file from buffer_start on */
	size_t buffer_length, buffer_alloc;
	uint64_t buffer_start;
	struct dataset_status status;
	uint64_t announced_blocks; /* according to the end block */
	bool pass_events;
	bool (*wants)(const void *argument, const struct record_type *type); /* NULL: all */
	const void *wants_argument;

	struct strmap *strings;			    /* the caller's; NULL when only blocks are
						     * read */
	uint64_t clock_offset;			    /* wall - monotonic clock, 0: unknown */
	struct file_types types;
	struct dataset_bases bases;
	uint64_t decoded_values; /* values decoded from changes */
	uint32_t *string_numbers;		    /* numbers in strings, in the order of the
						     * file's strings */
	size_t string_count, string_alloc;
	struct string_range *ranges; /* ascending */
	size_t range_count, range_alloc;
	struct dataset_packer *packer;
	struct strbuf content;
};

const struct dataset_status *dataset_reader_status(const struct dataset_reader *reader)
{
	return &reader->status;
}

void dataset_reader_skip_events(struct dataset_reader *reader)
{
	reader->pass_events = true;
}

void dataset_reader_want(struct dataset_reader *reader,
			 bool (*wants)(const void *argument, const struct record_type *type),
			 const void *argument)
{
	reader->wants = wants;
	reader->wants_argument = argument;
}

void dataset_reader_close(struct dataset_reader *reader)
{
	if (!reader)
		return;
	if (reader->fd >= 0)
		close(reader->fd);
	file_types_release(&reader->types);
	dataset_bases_release(&reader->bases);
	free(reader->path);
	free(reader->buffer);
	free(reader->string_numbers);
	free(reader->ranges);
	dataset_packer_free(reader->packer);
	strbuf_release(&reader->content);
	free(reader);
}

/* Reads until want bytes are in the buffer or the file ends. */
static int fill_buffer(struct dataset_reader *reader, size_t want)
{
	while (reader->buffer_length < want) {
		uint64_t at = reader->buffer_start + reader->buffer_length;
		ssize_t got = pread(reader->fd, reader->buffer + reader->buffer_length,
				    reader->buffer_alloc - reader->buffer_length, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			return 0;
		reader->buffer_length += (size_t)got;
	}
	return 0;
}

/* Moves the buffer to a position of the file. */
static void move_buffer(struct dataset_reader *reader, uint64_t position)
{
	uint64_t gone = position - reader->buffer_start;

	if (position < reader->buffer_start || gone >= reader->buffer_length) {
		reader->buffer_length = 0;
	} else {
		reader->buffer_length -= (size_t)gone;
		memmove(reader->buffer, reader->buffer + gone, reader->buffer_length);
	}
	reader->buffer_start = position;
}

/*
 * Returns the bytes of the file from position on, want of them or fewer at its
 * end; *got is their number. NULL when they cannot be read.
 */
static const unsigned char *view_file(struct dataset_reader *reader, uint64_t position, size_t want,
				 size_t *got, struct error *err)
{
	uint64_t end = reader->buffer_start + reader->buffer_length;

	if (position < reader->buffer_start || position > end ||
	    (position + want > end && end < reader->status.bytes)) {
		uint64_t left = reader->status.bytes - position;

		move_buffer(reader, position);
		if (left > want + READ_AT_ONCE)
			left = want + READ_AT_ONCE;
		GROW(reader->buffer, (size_t)left, reader->buffer_alloc);
		if (fill_buffer(reader, want) < 0) {
			error_errno(err, "%s cannot be read", reader->path);
			return NULL;
		}
	}
	*got = reader->buffer_length - (size_t)(position - reader->buffer_start);
	if (*got > want)
		*got = want;
	return reader->buffer + (position - reader->buffer_start);
}

/* What was found at a position of the file. */
enum finding { FOUND_UNREADABLE = -1, FOUND_NOTHING, FOUND_WHOLE, FOUND_DAMAGED };

/* Checks for a block at the reader's position. */
static enum finding check_block(struct dataset_reader *reader, struct dataset_block *block,
				   const unsigned char **payload, struct error *err)
{
	uint64_t left = reader->status.bytes - reader->position;
	const unsigned char *head;
	size_t got;

	head = view_file(reader, reader->position, DATASET_BLOCK_SIZE, &got, err);
	RETURN_IF(!head, FOUND_UNREADABLE);
	if (got < DATASET_BLOCK_SIZE || left < DATASET_BLOCK_SIZE ||
	    !dataset_get_block(head, block) || block->stored > left - DATASET_BLOCK_SIZE)
		return FOUND_NOTHING;
	head = view_file(reader, reader->position, DATASET_BLOCK_SIZE + block->stored, &got, err);
	RETURN_IF(!head, FOUND_UNREADABLE);
	RETURN_IF(got < DATASET_BLOCK_SIZE + block->stored, FOUND_NOTHING);
	*payload = head + DATASET_BLOCK_SIZE;
	return dataset_payload_is_whole(block, *payload) ? FOUND_WHOLE : FOUND_DAMAGED;
}

/* Advances to the next marker after the reader's position, or to the end of the file. */
static int find_marker(struct dataset_reader *reader, struct error *err)
{
	const size_t window = 4096;
	size_t got;

	do {
		const unsigned char *from = view_file(reader, reader->position, window, &got, err);
		const unsigned char *found;

		RETURN_IF(!from, -1);
		found = memmem(from, got, DATASET_MARKER, 4);
		if (found) {
			reader->position += (uint64_t)(found - from);
			return 0;
		}
		reader->position += got < window ? got : window - 3;
	} while (got == window);
	reader->position = reader->status.bytes;
	return 0;
}

/*
 * Advances past a position without an intact block. The search continues inside a
 * damaged block too, since bytes may be missing from it. But once damaged blocks
 * add up to more bytes than the file has, their heads are wrong, and each is
 * skipped as a whole, so that reading always ends.
 */
static int skip_damage(struct dataset_reader *reader, enum finding finding,
		       const struct dataset_block *block, struct error *err)
{
	uint64_t start = reader->position;

	reader->position++;
	if (finding == FOUND_DAMAGED) {
		reader->status.damaged_blocks++;
		reader->checked += block->stored;
		if (reader->checked > 4 * reader->status.bytes)
			reader->position = start + DATASET_BLOCK_SIZE + block->stored;
	}
	RETURN_IF(find_marker(reader, err) < 0, -1);
	if (reader->position > reader->status.bytes)
		reader->position = reader->status.bytes;
	reader->status.skipped_bytes += reader->position - start;
	return 0;
}

int dataset_reader_block(struct dataset_reader *reader, struct dataset_block *block,
			 const unsigned char **payload, struct error *err)
{
	while (reader->position < reader->status.bytes) {
		enum finding finding = check_block(reader, block, payload, err);

		if (finding == FOUND_WHOLE) {
			reader->position += DATASET_BLOCK_SIZE + block->stored;
			reader->status.blocks++;
			return 1;
		}
		RETURN_IF(finding == FOUND_UNREADABLE, -1);
		RETURN_IF(skip_damage(reader, finding, block, err) < 0, -1);
	}
	return 0;
}

/* Returns whether the first bytes of a file with an invalid header contain the head of a block. */
static bool has_block_head(const unsigned char *bytes, size_t length)
{
	struct dataset_block block;
	size_t at = 0;

	while (length - at >= DATASET_BLOCK_SIZE) {
		const unsigned char *found = memmem(bytes + at, length - at, DATASET_MARKER, 4);

		if (!found)
			return false;
		at = (size_t)(found - bytes);
		if (length - at >= DATASET_BLOCK_SIZE && dataset_get_block(found, &block))
			return true;
		at++;
	}
	return false;
}

/* Checks the header; a damaged one is skipped when blocks follow. */
static int read_header(struct dataset_reader *reader, struct error *err)
{
	unsigned major, minor;
	const unsigned char *bytes;
	size_t got;

	bytes = view_file(reader, 0, FIRST_BLOCK_WITHIN, &got, err);
	RETURN_IF(!bytes, -1);
	if (got < DATASET_HEADER_SIZE && memcmp(bytes, DATASET_MAGIC, got < 8 ? got : 8) == 0)
		return error_set(err, "sample data set %s is cut off in its header", reader->path);
	if (got >= DATASET_HEADER_SIZE && dataset_get_header(bytes, &major, &minor)) {
		if (major > DATASET_MAJOR)
			return error_set(err,
					 "sample data set %s has format %u.%u, written by a later "
					 "vigil; this one reads formats up to %u",
					 reader->path, major, minor, DATASET_MAJOR);
		snprintf(reader->status.version, sizeof(reader->status.version), "%u.%u", major,
			 minor);
		reader->position = DATASET_HEADER_SIZE;
		return 0;
	}
	if (!has_block_head(bytes, got))
		return error_set(err, "%s is not a sample data set", reader->path);
	return 0;
}

/* Checks the beginning of an open file, as dataset_check_path. */
static int check_open_file(int fd)
{
	char begin[sizeof(DATASET_MAGIC) - 1];
	struct stat facts;
	ssize_t got;

	RETURN_IF(fstat(fd, &facts) < 0, -1);
	RETURN_IF(!S_ISREG(facts.st_mode), 0);
	got = pread(fd, begin, sizeof(begin), 0);
	RETURN_IF(got < 0, -1);
	return got == (ssize_t)sizeof(begin) && memcmp(begin, DATASET_MAGIC, sizeof(begin)) == 0;
}

int dataset_check_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), is;

	RETURN_IF(fd < 0, -1);
	is = check_open_file(fd);
	close(fd);
	return is;
}

bool dataset_is_at(const char *path)
{
	return dataset_check_path(path) == 1;
}

/* Determines the size of the file. */
static int measure_file(struct dataset_reader *reader, struct error *err)
{
	struct stat status;

	if (reader->fd < 0 || fstat(reader->fd, &status) < 0)
		return error_errno(err, "%s cannot be read", reader->path);
	if (!S_ISREG(status.st_mode))
		return error_set(err, "%s is not a regular file", reader->path);
	if (status.st_size == 0)
		return error_set(err, "%s is empty", reader->path);
	reader->status.bytes = (uint64_t)status.st_size;
	return 0;
}

struct dataset_reader *dataset_reader_new(int fd, const char *path, struct strmap *strings,
					  struct registry *types, struct error *err)
{
	struct dataset_reader *reader = xcalloc(1, sizeof(*reader));

	reader->fd = fd;
	reader->path = xstrdup(path);
	reader->strings = strings;
	file_types_init(&reader->types, types);
	strbuf_init(&reader->content);
	if (measure_file(reader, err) < 0 || read_header(reader, err) < 0) {
		dataset_reader_close(reader);
		return NULL;
	}
	reader->packer = dataset_packer_new();
	if (strings)
		strmap_put(strings, "");
	return reader;
}

struct dataset_reader *dataset_reader_open(const char *path, struct strmap *strings,
					   struct registry *types, struct error *err)
{
	/* Opening a pipe without a writer must not block; it is refused. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return dataset_reader_new(fd, path, strings, types, err);
}

/* Prepares for strings of the file from number first on. Returns false when they are not new. */
static bool begin_strings(struct dataset_reader *reader, uint64_t first)
{
	struct string_range *last = NULL;

	if (reader->range_count)
		last = &reader->ranges[reader->range_count - 1];
	if (last && first < last->first + last->count)
		return false;
	if (last && first == last->first + last->count)
		return true;
	GROW(reader->ranges, reader->range_count + 1, reader->range_alloc);
	reader->ranges[reader->range_count++] =
		(struct string_range){ first, reader->string_count, 0 };
	return true;
}

/* Reads a block of strings. */
static bool read_strings(struct dataset_reader *reader, struct dataset_cursor cursor)
{
	uint64_t first = dataset_get_varint(&cursor);
	uint64_t count = dataset_get_varint(&cursor);

	RETURN_IF(cursor.bad || first > UINT32_MAX || count > UINT32_MAX, false);
	RETURN_IF(!begin_strings(reader, first), false);
	while (count-- > 0) {
		size_t length;
		const char *text = dataset_get_text(&cursor, &length);

		RETURN_IF(cursor.bad, false);
		GROW(reader->string_numbers, reader->string_count + 1, reader->string_alloc);
		reader->string_numbers[reader->string_count++] =
			strmap_put_n(reader->strings, text, length);
		reader->ranges[reader->range_count - 1].count++;
	}
	return cursor.at == cursor.end;
}

/*
 * Returns the number in strings of a string of the file; "(damaged)" for one whose
 * block is lost.
 */
static uint32_t translate_string(struct dataset_reader *reader, uint64_t number)
{
	const struct string_range *range;
	size_t behind;

	if (number == 0)
		return 0;
	behind = LOWER_BOUND(reader->range_count, i, reader->ranges[i].first <= number);
	range = behind ? &reader->ranges[behind - 1] : NULL;
	if (range && number - range->first < range->count)
		return reader->string_numbers[range->place + (number - range->first)];
	return strmap_put(reader->strings, "(damaged)");
}

/* Replaces the file's string numbers in new rows by those of strings. */
static void translate_rows(struct dataset_reader *reader, struct recordset *set, size_t first)
{
	const struct record_type *type = set->type;

	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];

		if (field->type != FIELD_STRING)
			continue;
		for (size_t row = first; row < set->count; row++) {
			uint64_t *value = (uint64_t *)((unsigned char *)recordset_at(set, row) +
						       field->offset);

			if (!field_is_missing(field, value))
				*value = translate_string(reader, *value);
		}
	}
}

/* The state of reading one block. */
struct block_state {
	struct snapshot *snapshot; /* receives the rows; NULL: none */
	uint64_t time;
	uint64_t values; /* number read so far */
	bool changes;	 /* sets may build on earlier ones, and later ones on them */
	bool base_missing;	 /* the snapshot on which it builds is missing */
	bool lost;	 /* a set is lost for that reason */
	bool any;	 /* it has other sets */
	bool partial;	 /* some sets are of unknown types */
};

/* Reads a set that may be stored as changes, or may be a base of changes. */
static bool read_numbers(struct dataset_reader *reader, struct dataset_set *set,
			 const struct file_type *type, struct block_state *block_state)
{
	const struct dataset_numbers_set *base =
		block_state->base_missing ? NULL
				 : dataset_bases_below(&reader->bases, (size_t)set->type);
	struct dataset_numbers_set *numbers;
	struct recordset *target;
	size_t first;

	if (set->changed) {
		uint64_t values = set->rows * (set->columns + 1);

		RETURN_IF(values > DATASET_DECODED_MAX * reader->status.bytes - reader->decoded_values, false);
		reader->decoded_values += values;
		if (!base) {
			block_state->lost = true;
			return true;
		}
	}
	numbers = dataset_bases_set(&reader->bases, (size_t)set->type);
	if (!dataset_get_numbers(set, base, numbers, block_state->time)) {
		numbers->rows = 0;
		return false;
	}
	block_state->any = true;
	if (!block_state->snapshot)
		return true;
	target = snapshot_set(block_state->snapshot, type->type->id);
	first = target->count;
	file_type_take(type, numbers, target);
	translate_rows(reader, target, first);
	return true;
}

/* Returns whether records of a known type are wanted. */
static bool is_wanted(const struct dataset_reader *reader, struct file_type *type)
{
	RETURN_IF(!reader->wants || type->type->id < RECORD_RUNTIME_FIRST, true);
	if (type->wanted == WANTED_UNKNOWN)
		type->wanted = reader->wants(reader->wants_argument, type->type) ? WANTED : UNWANTED;
	return type->wanted == WANTED;
}

/* Reads one set of a block. */
static bool read_set(struct dataset_reader *reader, struct dataset_set *set, struct block_state *block_state)
{
	struct file_type *type = file_types_of_set(&reader->types, set);
	struct recordset *target;
	size_t first;

	RETURN_IF(type->column_count != set->columns, false);
	RETURN_IF(set->changed && (type->has_bytes || !set->columns), false);
	block_state->partial = block_state->partial || !type->type;
	if (!type->type || !set->rows)
		return true;
	if (!is_wanted(reader, type)) {
		if (block_state->snapshot)
			block_state->snapshot->passed_over = true;
		return true;
	}
	block_state->values += set->rows * type->type->field_count;
	RETURN_IF(block_state->values > DATASET_MAX_VALUES, false);
	if (block_state->changes && !type->has_bytes &&
	    (set->changed || set->type >= RECORD_RUNTIME_FIRST))
		return read_numbers(reader, set, type, block_state);
	if (!block_state->snapshot)
		return true;
	block_state->any = true;
	target = snapshot_set(block_state->snapshot, type->type->id);
	first = target->count;
	RETURN_IF(!file_type_read(type, set, target, block_state->time), false);
	translate_rows(reader, target, first);
	return true;
}

/* Reads all sets of a block. */
static bool read_sets(struct dataset_reader *reader, struct dataset_cursor *cursor,
		      struct block_state *block_state)
{
	while (cursor->at < cursor->end) {
		struct dataset_set set;

		dataset_get_set(cursor, &set, block_state->changes);
		RETURN_IF(cursor->bad, false);
		RETURN_IF(!read_set(reader, &set, block_state), false);
	}
	return !cursor->bad;
}

/* Sets the time of day of a snapshot from the last clock record. */
static void set_wall(struct dataset_reader *reader, struct snapshot *snapshot)
{
	const struct recordset *clocks = snapshot_records(snapshot, RECORD_CLOCK);

	if (clocks->count) {
		const struct record_clock *clock = recordset_get(clocks, clocks->count - 1);

		reader->clock_offset = clock->wall - clock->time;
	}
	snapshot->wall = reader->clock_offset ? snapshot->time + reader->clock_offset : 0;
}

/* Reads the sets of a snapshot, including those that build on earlier ones. */
static bool read_all_sets(struct dataset_reader *reader, struct dataset_cursor cursor,
			  struct block_state *block_state)
{
	struct snapshot *snapshot = block_state->snapshot;
	uint64_t number = 0, base;

	snapshot->sequence = dataset_get_varint(&cursor);
	snapshot->time = block_state->time = dataset_get_varint(&cursor);
	if (block_state->changes) {
		number = dataset_get_varint(&cursor);
		base = dataset_get_varint(&cursor);
		block_state->base_missing = !dataset_bases_begin(&reader->bases, base);
	}
	RETURN_IF(!read_sets(reader, &cursor, block_state), false);
	if (block_state->changes && !block_state->base_missing)
		dataset_bases_keep(&reader->bases, number, block_state->partial);
	return true;
}

/* Result of reading a block. */
enum content { CONTENT_DAMAGED, CONTENT_TAKEN, CONTENT_SNAPSHOT };

/* Reads a snapshot block; a damaged one adds no rows. */
static enum content read_snapshot(struct dataset_reader *reader, struct dataset_cursor cursor,
				  struct snapshot *snapshot, bool changes)
{
	size_t counts[RECORD_TYPES_MAX];
	struct snapshot before = *snapshot;
	struct block_state block_state = { .snapshot = snapshot, .changes = changes };
	bool whole;

	for (size_t id = 0; id < before.set_count; id++)
		counts[id] = before.sets[id] ? before.sets[id]->count : 0;
	whole = read_all_sets(reader, cursor, &block_state);
	if (whole && block_state.lost)
		reader->status.lost_snapshots++;
	if (whole && (block_state.any || !block_state.lost)) {
		set_wall(reader, snapshot);
		return CONTENT_SNAPSHOT;
	}
	for (size_t id = 0; id < snapshot->set_count; id++)
		if (snapshot->sets[id])
			snapshot->sets[id]->count = id < before.set_count ? counts[id] : 0;
	snapshot->sequence = before.sequence;
	snapshot->time = before.time;
	return whole ? CONTENT_TAKEN : CONTENT_DAMAGED;
}

/* Reads the copy of a base on which changes build, if the original was damaged. */
static bool read_base_copy(struct dataset_reader *reader, struct dataset_cursor cursor)
{
	struct block_state block_state = { .changes = true };
	uint64_t number;

	dataset_get_varint(&cursor);
	block_state.time = dataset_get_varint(&cursor);
	number = dataset_get_varint(&cursor);
	if (dataset_bases_have(&reader->bases, number))
		return true;
	dataset_get_varint(&cursor);
	dataset_bases_begin(&reader->bases, 0);
	RETURN_IF(!read_sets(reader, &cursor, &block_state), false);
	dataset_bases_keep(&reader->bases, number, block_state.partial);
	return true;
}

/* Reads the end block. */
static bool read_end(struct dataset_reader *reader, struct dataset_cursor cursor)
{
	reader->announced_blocks = dataset_get_varint(&cursor);
	reader->status.complete = !cursor.bad;
	return !cursor.bad;
}

/* Reads an intact block. */
static enum content read_content(struct dataset_reader *reader, const struct dataset_block *block,
				 const unsigned char *payload, struct snapshot *snapshot)
{
	struct dataset_cursor cursor;
	bool whole;

	RETURN_IF(!dataset_unpack(reader->packer, block, payload, &reader->content),
		  CONTENT_DAMAGED);
	cursor = dataset_cursor(reader->content.text, reader->content.length);
	switch (block->type) {
	case BLOCK_TYPES:
		whole = file_types_describe(&reader->types, cursor);
		break;
	case BLOCK_STRINGS:
		whole = read_strings(reader, cursor);
		break;
	case BLOCK_SNAPSHOT:
	case BLOCK_EVENTS:
	case BLOCK_CHANGES:
		return read_snapshot(reader, cursor, snapshot, block->type == BLOCK_CHANGES);
	case BLOCK_MEANINGS:
		whole = file_types_explain(&reader->types, cursor);
		break;
	case BLOCK_BASE_COPY:
		whole = read_base_copy(reader, cursor);
		break;
	default:
		whole = read_end(reader, cursor);
	}
	return whole ? CONTENT_TAKEN : CONTENT_DAMAGED;
}

/* Returns whether a block's type is known to this version. */
static bool is_known(const struct dataset_block *block)
{
	return block->type >= BLOCK_TYPES && block->type <= BLOCK_BASE_COPY;
}

/*
 * Counts, at the end of the file, blocks that the end block announces but that
 * were not found as damaged.
 */
static void count_missing(struct dataset_reader *reader)
{
	struct dataset_status *status = &reader->status;
	uint64_t seen = status->blocks + status->unknown_blocks - 1;

	if (status->complete && reader->announced_blocks > seen &&
	    status->damaged_blocks < reader->announced_blocks - seen)
		status->damaged_blocks = reader->announced_blocks - seen;
}

/* Replaces records that stand for others. */
static void expand(struct snapshot *snapshot)
{
	for (size_t id = 0; id < snapshot->set_count && id < RECORD_RUNTIME_FIRST; id++) {
		const struct recordset *set = snapshot->sets[id];

		if (set && set->count && set->type->expand)
			set->type->expand(snapshot);
	}
}

int dataset_reader_snapshot(struct dataset_reader *reader, struct snapshot *snapshot,
			    struct error *err)
{
	struct dataset_block block;
	const unsigned char *payload;
	enum content content;
	int found;

	while ((found = dataset_reader_block(reader, &block, &payload, err)) == 1) {
		if (!is_known(&block)) {
			reader->status.blocks--;
			reader->status.unknown_blocks++;
			continue;
		}
		if (block.type == BLOCK_EVENTS && reader->pass_events) {
			reader->status.passed_events++;
			continue;
		}
		content = read_content(reader, &block, payload, snapshot);
		if (content == CONTENT_SNAPSHOT) {
			expand(snapshot);
			return 1;
		}
		if (content == CONTENT_DAMAGED) {
			reader->status.blocks--;
			reader->status.damaged_blocks++;
			reader->status.skipped_bytes += DATASET_BLOCK_SIZE + block.stored;
		}
	}
	if (found == 0)
		count_missing(reader);
	return found;
}

/* Reads all snapshots of an open file. */
static int read_all(struct dataset_reader *reader, dataset_snapshot each, void *argument,
		    struct error *err)
{
	struct snapshot snapshot;
	int found;

	snapshot_init(&snapshot, reader->types.known);
	while ((found = dataset_reader_snapshot(reader, &snapshot, err)) == 1) {
		if (each(argument, &snapshot, reader->strings) != 0)
			break;
		snapshot_clear(&snapshot);
	}
	snapshot_release(&snapshot);
	return found < 0 ? -1 : 0;
}

/* Reads a file, with or without the separate blocks of types with many rows. */
static int read_file(const char *path, const struct record_catalogue *built_in,
		     struct strmap *strings, bool few, dataset_snapshot each, void *argument,
		     struct dataset_status *status, struct error *err)
{
	struct dataset_reader *reader;
	struct registry types;
	int result = -1;

	registry_init(&types, built_in);
	reader = dataset_reader_open(path, strings, &types, err);
	if (reader) {
		reader->pass_events = few;
		result = read_all(reader, each, argument, err);
		*status = reader->status;
		dataset_reader_close(reader);
	}
	registry_release(&types);
	return result;
}

int dataset_read(const char *path, const struct record_catalogue *built_in, struct strmap *strings,
		 dataset_snapshot each, void *argument, struct dataset_status *status,
		 struct error *err)
{
	return read_file(path, built_in, strings, false, each, argument, status, err);
}

int dataset_read_few(const char *path, const struct record_catalogue *built_in,
		     struct strmap *strings, dataset_snapshot each, void *argument,
		     struct dataset_status *status, struct error *err)
{
	return read_file(path, built_in, strings, true, each, argument, status, err);
}

/* Appends "N things" or "1 thing". */
static void add_count(struct strbuf *sb, uint64_t count, const char *one, const char *many)
{
	strbuf_addf(sb, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

void dataset_describe_damage(const struct dataset_status *status, struct strbuf *sb)
{
	size_t start = sb->length;

	if (!status->complete) {
		strbuf_addstr(sb, "The sample data set was not finished or is cut off: its end "
				  "is missing, names may be too");
		if (status->skipped_bytes || status->damaged_blocks)
			strbuf_addstr(sb, "; ");
		else
			strbuf_addch(sb, '.');
	}
	if (status->damaged_blocks) {
		add_count(sb, status->damaged_blocks, "block is", "blocks are");
		strbuf_addstr(sb, " damaged or missing");
		strbuf_addstr(sb, status->skipped_bytes ? ", " : ".");
	}
	if (status->skipped_bytes) {
		add_count(sb, status->skipped_bytes, "byte was", "bytes were");
		strbuf_addstr(sb, " skipped.");
	}
	if (status->lost_snapshots) {
		strbuf_addstr(sb, sb->length > start ? " " : "");
		add_count(sb, status->lost_snapshots, "snapshot is", "snapshots are");
		strbuf_addstr(sb, " incomplete: they are based on a damaged block.");
	}
	if (status->unknown_blocks) {
		strbuf_addstr(sb, sb->length > start ? " " : "");
		add_count(sb, status->unknown_blocks, "block of a later version was",
			  "blocks of a later version were");
		strbuf_addstr(sb, " skipped.");
	}
}
