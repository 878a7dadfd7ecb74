/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the sample data set: damage, foreign content, and paths that cannot be written. */
#include "common/compat.h"
#include "engine/test-recording.h"
#include "common/xalloc.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_BLOCKS 64

/* A small file in memory, the offsets of its blocks, and the rows of each. */
struct image {
	struct strbuf file;
	size_t count;
	struct {
		size_t start, end;
		unsigned type;
		size_t rows;
	} blocks[MAX_BLOCKS];
	size_t rows;
};

/* Reads an image that may be damaged; it must be readable. */
static size_t read_image(const struct strbuf *file, struct dataset_status *status)
{
	struct error err = ERROR_INIT;
	struct rows rows;
	size_t total;

	rows_init(&rows);
	if (rows_read_image(&rows, file->text, file->length, status, &err) < 0)
		fail_msg("%s", error_text(&err));
	total = rows_total(&rows);
	rows_release(&rows);
	error_release(&err);
	return total;
}

/* Finds the blocks of an intact file. */
static void find_blocks(struct image *image)
{
	size_t at = DATASET_HEADER_SIZE;

	while (at < image->file.length) {
		struct dataset_block block;

		assert_true(image->count < MAX_BLOCKS);
		assert_true(dataset_get_block((unsigned char *)image->file.text + at, &block));
		image->blocks[image->count].start = at;
		at += DATASET_BLOCK_SIZE + block.stored;
		image->blocks[image->count].end = at;
		image->blocks[image->count++].type = block.type;
	}
	assert_int_equal(at, image->file.length);
}

/* Makes a small file of several snapshots. */
static void image_make(struct image *image)
{
	char path[] = "/tmp/test-damage.XXXXXX";
	struct error err = ERROR_INIT;
	struct dataset_status status;
	struct session session;
	size_t snapshot = 0;

	memset(image, 0, sizeof(*image));
	strbuf_init(&image->file);
	close(mkstemp(path));
	session_make(&session, 7, 3, 2);
	assert_int_equal(session_write(&session, path, true, &err), 0);
	assert_int_equal(strbuf_read_file(&image->file, path), 0);
	unlink(path);
	find_blocks(image);
	image->rows = read_image(&image->file, &status);
	for (size_t i = 0; i < image->count; i++) {
		if (image->blocks[i].type != BLOCK_SNAPSHOT)
			continue;
		for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
			image->blocks[i].rows +=
				snapshot_records(&session.snapshots[snapshot], id)->count;
		snapshot++;
	}
	assert_int_equal(snapshot, session.count);
	session_release(&session);
}

/* Loads a golden file. */
static void image_load(struct image *image, const char *name)
{
	const char *source = getenv("VIGIL_SOURCE");
	char path[4096];

	memset(image, 0, sizeof(*image));
	strbuf_init(&image->file);
	snprintf(path, sizeof(path), "%s/tests/dataset/%s", source ? source : "..", name);
	assert_int_equal(strbuf_read_file(&image->file, path), 0);
	find_blocks(image);
}

static void image_release(struct image *image)
{
	strbuf_release(&image->file);
}

static void a_file_cut_off_anywhere_gives_all_whole_blocks(void **state UNUSED)
{
	struct image image;

	image_make(&image);
	for (size_t length = DATASET_HEADER_SIZE; length <= image.file.length; length++) {
		struct strbuf cut = STRBUF_INIT;
		struct dataset_status status;
		size_t blocks = 0, rows = 0, end = DATASET_HEADER_SIZE;

		for (size_t i = 0; i < image.count && image.blocks[i].end <= length; i++) {
			blocks++;
			rows += image.blocks[i].rows;
			end = image.blocks[i].end;
		}
		strbuf_add(&cut, image.file.text, length);
		assert_int_equal(read_image(&cut, &status), rows);
		assert_int_equal(status.blocks, blocks);
		assert_int_equal(status.skipped_bytes, length - end);
		assert_int_equal(status.complete, length == image.file.length);
		strbuf_release(&cut);
	}
	image_release(&image);
}

static void a_file_cut_off_in_its_header_is_refused(void **state UNUSED)
{
	struct image image;

	image_make(&image);
	for (size_t length = 0; length < DATASET_HEADER_SIZE; length++) {
		struct error err = ERROR_INIT;
		struct dataset_status status;
		struct rows rows;

		rows_init(&rows);
		assert_int_equal(rows_read_image(&rows, image.file.text, length, &status, &err),
				 -1);
		assert_non_null(
			strstr(error_text(&err), length ? "is cut off in its header" : "is empty"));
		rows_release(&rows);
		error_release(&err);
	}
	image_release(&image);
}

/* Returns the number of rows of all blocks that do not overlap [from, to). */
static size_t rows_outside(const struct image *image, size_t from, size_t to, size_t *blocks)
{
	size_t rows = 0;

	*blocks = 0;
	for (size_t i = 0; i < image->count; i++) {
		if (image->blocks[i].start < to && image->blocks[i].end > from)
			continue;
		rows += image->blocks[i].rows;
		++*blocks;
	}
	return rows;
}

static void a_damaged_byte_costs_one_block(void **state UNUSED)
{
	struct image image;

	image_make(&image);
	/* Flips all bits of a byte, and one varying bit of its neighbour. */
	for (size_t place = 0; place < image.file.length; place++) {
		size_t blocks;
		unsigned flip = place % 2 ? 1u << place / 2 % 8 : 0xff;
		size_t rows = rows_outside(&image, place, place + 1, &blocks);
		struct dataset_status status;

		image.file.text[place] = (char)((unsigned char)image.file.text[place] ^ flip);
		assert_int_equal(read_image(&image.file, &status), rows);
		assert_int_equal(status.blocks, blocks);
		assert_true(status.skipped_bytes > 0);
		assert_int_equal(status.complete, place < image.blocks[image.count - 1].start);
		if (place >= DATASET_HEADER_SIZE && status.complete)
			assert_int_equal(status.damaged_blocks, 1);
		image.file.text[place] = (char)((unsigned char)image.file.text[place] ^ flip);
	}
	image_release(&image);
}

/* Makes the file without some of its bytes, or with some added. */
static void splice(struct strbuf *out, const struct strbuf *file, size_t at, size_t remove,
		   size_t insert)
{
	strbuf_reset(out);
	strbuf_add(out, file->text, at);
	strbuf_addchars(out, 'z', insert);
	strbuf_add(out, file->text + at + remove, file->length - at - remove);
}

/*
 * Returns the number of rows left when gone bytes are missing at an offset. Where
 * the bytes before or after them repeat, the same file results from other missing
 * bytes: by chance, a block's last byte is also the first one of the next. The
 * interpretation that affects the fewest rows counts.
 */
static size_t rows_without(const struct image *image, size_t at, size_t gone, size_t *blocks)
{
	const char *text = image->file.text;
	size_t rows = rows_outside(image, at, at + gone, blocks), other, other_blocks, from = at,
	       to = at;

	while (from > 0 && text[from - 1] == text[from - 1 + gone])
		from--;
	while (to + gone < image->file.length && text[to] == text[to + gone])
		to++;
	for (size_t place = from; place <= to; place++) {
		other = rows_outside(image, place, place + gone, &other_blocks);
		if (other_blocks > *blocks) {
			rows = other;
			*blocks = other_blocks;
		}
	}
	return rows;
}

/* Does the same for foreign bytes 'z' that are inserted. */
static size_t rows_around(const struct image *image, size_t at, size_t *blocks)
{
	const char *text = image->file.text;
	size_t rows = rows_outside(image, at, at, blocks), other, other_blocks, from = at, to = at;

	while (from > 0 && text[from - 1] == 'z')
		from--;
	while (to < image->file.length && text[to] == 'z')
		to++;
	for (size_t place = from; place <= to; place++) {
		other = rows_outside(image, place, place, &other_blocks);
		if (other_blocks > *blocks) {
			rows = other;
			*blocks = other_blocks;
		}
	}
	return rows;
}

static void missing_and_foreign_bytes_cost_what_they_touch(void **state UNUSED)
{
	struct strbuf file = STRBUF_INIT;
	struct dataset_status status;
	struct image image;
	size_t blocks;

	image_make(&image);
	for (size_t at = 0; at + 200 < image.file.length; at += 3) {
		size_t gone = 1 + at % 200;

		splice(&file, &image.file, at, gone, 0);
		assert_int_equal(read_image(&file, &status),
				 rows_without(&image, at, gone, &blocks));
		assert_int_equal(status.blocks, blocks);
		splice(&file, &image.file, at, 0, gone);
		assert_int_equal(read_image(&file, &status), rows_around(&image, at, &blocks));
		assert_int_equal(status.blocks, blocks);
	}
	strbuf_release(&file);
	image_release(&image);
}

static void lost_strings_are_shown_as_damaged(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	struct dataset_status status;
	struct image image;
	struct rows rows;
	size_t i = 0;

	image_make(&image);
	while (image.blocks[i].type != BLOCK_STRINGS)
		i++;
	image.file.text[image.blocks[i].end - 1] ^= 1;
	rows_init(&rows);
	assert_int_equal(rows_read_image(&rows, image.file.text, image.file.length, &status, &err),
			 0);
	assert_int_equal(rows_total(&rows), image.rows);
	assert_int_not_equal(strmap_find(&rows.strings, "(damaged)"), UINT32_MAX);
	rows_release(&rows);
	image_release(&image);
}

/* A file made by hand, block by block. */
struct handmade {
	struct strbuf file, content;
	struct dataset_packer *packer;
};

static void handmade_init(struct handmade *made)
{
	strbuf_init(&made->file);
	strbuf_init(&made->content);
	made->packer = dataset_packer_new();
	dataset_put_header(&made->file);
}

/* Turns the content into a block. */
static void handmade_block(struct handmade *made, unsigned type)
{
	dataset_put_block(made->packer, &made->file, type, &made->content, 0);
	strbuf_reset(&made->content);
}

static void handmade_release(struct handmade *made)
{
	strbuf_release(&made->file);
	strbuf_release(&made->content);
	dataset_packer_free(made->packer);
}

/* Appends numbers to the content. */
static void put_numbers(struct handmade *made, const uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		dataset_put_varint(&made->content, numbers[i]);
}
#define NUMBERS(made, ...) \
	put_numbers(made, (const uint64_t[]){ __VA_ARGS__ }, \
		    ARRAY_SIZE(((const uint64_t[]){ __VA_ARGS__ })))

/* Appends a type's description. */
static void put_type(struct handmade *made, unsigned id, const char *name,
		     const struct field *fields, size_t count)
{
	NUMBERS(made, id);
	dataset_put_text(&made->content, name, strlen(name));
	NUMBERS(made, count);
	for (size_t i = 0; i < count; i++) {
		NUMBERS(made, fields[i].type);
		dataset_put_text(&made->content, fields[i].name, strlen(fields[i].name));
		dataset_put_text(&made->content, fields[i].unit, strlen(fields[i].unit));
	}
}

/* Appends a record set of rows that have only numbers and strings. */
static void put_rows(struct handmade *made, const struct record_type *type, const uint64_t *rows,
		     size_t count)
{
	struct recordset set;

	recordset_init(&set, type);
	for (size_t i = 0; i < count; i++)
		recordset_add(&set, rows + i * type->field_count);
	dataset_put_set(&made->content, &set, 0, count, 1000);
	recordset_release(&set);
}

static void fields_are_matched_by_name(void **state UNUSED)
{
	/*
	 * A sample of another version: fewer fields, another order, a new one, one of
	 * another type.
	 */
	static const struct field fields[] = {
		{ .name = "stack", .unit = "id" },
		{ .name = "weight", .unit = "count", .offset = 8 },
		{ .name = "remark", .type = FIELD_STRING, .unit = "text", .offset = 16 },
		{ .name = "task", .unit = "id", .offset = 24 },
		{ .name = "transaction", .type = FIELD_STRING, .unit = "text", .offset = 32 },
	};
	static const struct record_type type = { .id = 77,
						 .name = "sample",
						 .fields = fields,
						 .field_count = ARRAY_SIZE(fields),
						 .size = 40 };
	struct record_type unknown = type;
	struct error err = ERROR_INIT;
	struct dataset_status status;
	struct handmade made;
	struct rows rows;

	unknown.id = 78;
	handmade_init(&made);
	put_type(&made, 77, "sample", fields, ARRAY_SIZE(fields));
	put_type(&made, 78, "weather", fields, ARRAY_SIZE(fields));
	handmade_block(&made, BLOCK_TYPES);
	NUMBERS(&made, 1, 2, 3, 4);
	handmade_block(&made, 4711);
	NUMBERS(&made, 5, 1000);
	put_rows(&made, &unknown, (const uint64_t[]){ 1, 2, 3, 4, 5 }, 1);
	put_rows(&made, &type, (const uint64_t[]){ 11, 1, 9, 21, 9, 12, 2, 9, 22, 9 }, 2);
	handmade_block(&made, BLOCK_SNAPSHOT);
	NUMBERS(&made, 3);
	handmade_block(&made, BLOCK_END);
	rows_init(&rows);
	assert_int_equal(rows_read_image(&rows, made.file.text, made.file.length, &status, &err),
			 0);
	assert_int_equal(rows_total(&rows), 2);
	for (size_t i = 0; i < 2; i++) {
		const struct record_sample *sample = recordset_get(&rows.sets[RECORD_SAMPLE], i);

		assert_int_equal(sample->stack, 11 + i);
		assert_int_equal(sample->task, 21 + i);
		assert_int_equal(sample->transaction, 0);
		assert_int_equal(sample->time, 0);
	}
	assert_int_equal(status.unknown_blocks, 1);
	assert_int_equal(status.damaged_blocks, 0);
	assert_int_equal(status.blocks, 3);
	assert_true(status.complete);
	rows_release(&rows);
	handmade_release(&made);
}

/* Reads a handmade file: its only snapshot must be rejected as damaged. */
static void assert_refused(struct handmade *made)
{
	struct dataset_status status;

	assert_int_equal(read_image(&made->file, &status), 0);
	assert_int_equal(status.damaged_blocks, 1);
	assert_int_equal(status.blocks, 0);
	assert_int_equal(status.skipped_bytes, status.bytes - DATASET_HEADER_SIZE);
	handmade_release(made);
}

static void content_that_lies_is_refused(void **state UNUSED)
{
	/* Each line: sequence, time, then type, rows, columns, bytes and columns of sets. */
	static const uint64_t lies[][24] = {
		{ 1, 1, RECORD_FRAME, UINT64_MAX, 3, 6, 0, 0, 0, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 1, UINT64_MAX, 6, 0, 0, 0, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 1, 3, UINT64_MAX, 0, 0, 0, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 1, 3, 200, 0, 0, 0, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 1, 3, 5, 0, 0, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 1, 3, 7, 0, 0, 0, 0, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 1, 3, 6, 0, 0, 5, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 1, 3, 6, 0, 0, 0x7f, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 9, 3, 6, COLUMN_PLAIN, 0, 0, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 9, 3, 6, COLUMN_DELTA2, 0, 0, 0, 0, 0 },
		{ 1, 1, RECORD_FRAME, 71, 3, 6, 0, 0, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		struct handmade made;
		size_t count = ARRAY_SIZE(lies[i]);

		while (lies[i][count - 1] == 0 && count > 12)
			count--;
		handmade_init(&made);
		put_numbers(&made, lies[i], count);
		handmade_block(&made, BLOCK_SNAPSHOT);
		assert_refused(&made);
	}
}

/*
 * Appends a block of strings: the number of the first, their number, and each as a
 * text of one letter.
 */
static void put_letters(struct handmade *made, uint64_t first, const char *letters)
{
	NUMBERS(made, first, strlen(letters));
	for (; *letters; letters++)
		dataset_put_text(&made->content, letters, 1);
	handmade_block(made, BLOCK_STRINGS);
}

/* Strings that exist already are damage, including the last one; the blocks after them are not. */
static void strings_do_not_come_twice(void **state UNUSED)
{
	struct error err = ERROR_INIT;
	struct dataset_status status;
	struct handmade made;
	struct rows rows;

	handmade_init(&made);
	put_letters(&made, 1, "ab");
	put_letters(&made, 2, "x");
	put_letters(&made, 1, "y");
	put_letters(&made, 3, "c");
	NUMBERS(&made, 1, 1000);
	put_rows(&made, &record_types[RECORD_ATTRIBUTE], (const uint64_t[]){ 2, 3 }, 1);
	handmade_block(&made, BLOCK_SNAPSHOT);
	rows_init(&rows);
	assert_int_equal(rows_read_image(&rows, made.file.text, made.file.length, &status, &err),
			 0);
	assert_int_equal(status.damaged_blocks, 2);
	assert_int_equal(strmap_find(&rows.strings, "x"), UINT32_MAX);
	assert_int_equal(strmap_find(&rows.strings, "y"), UINT32_MAX);
	assert_int_equal(rows_total(&rows), 1);
	rows_release(&rows);
	handmade_release(&made);
}

/* A rejected snapshot leaves no trace: neither rows nor its number and time. */
static void a_refused_snapshot_leaves_no_trace(void **state UNUSED)
{
	struct snapshot snapshot;
	struct dataset_reader *reader;
	struct error err = ERROR_INIT;
	struct registry types;
	struct strmap strings;
	struct handmade made;
	int fd = memfd_create("handmade", 0);

	handmade_init(&made);
	NUMBERS(&made, 77, 7777);
	put_rows(&made, &record_types[RECORD_FRAME], (const uint64_t[]){ 1, 2, 3 }, 1);
	NUMBERS(&made, RECORD_FRAME, 1, 3, 1, 0); /* columns are missing */
	handmade_block(&made, BLOCK_SNAPSHOT);
	assert_int_equal(write(fd, made.file.text, made.file.length), made.file.length);
	strmap_init(&strings);
	registry_init(&types, &session_records);
	snapshot_init(&snapshot, &types);
	snapshot.sequence = 5;
	snapshot.time = 500;
	reader = dataset_reader_new(fd, "handmade", &strings, &types, &err);
	assert_non_null(reader);
	assert_int_equal(dataset_reader_snapshot(reader, &snapshot, &err), 0);
	assert_int_equal(dataset_reader_status(reader)->damaged_blocks, 1);
	assert_true(snapshot_is_empty(&snapshot));
	assert_int_equal(snapshot.sequence, 5);
	assert_int_equal(snapshot.time, 500);
	dataset_reader_close(reader);
	snapshot_release(&snapshot);
	registry_release(&types);
	strmap_release(&strings);
	handmade_release(&made);
}

static void many_small_sets_do_not_fill_the_memory(void **state UNUSED)
{
	struct handmade made;

	handmade_init(&made);
	NUMBERS(&made, 1, 1);
	/* 3 million sets of 64 rows without a byte of data: gigabytes if they were accepted. */
	for (unsigned i = 0; i < 3000000; i++)
		strbuf_add(&made.content, "\x0f\x40\x00\x00", 4);
	handmade_block(&made, BLOCK_SNAPSHOT);
	assert_refused(&made);
}

static void a_block_that_unpacks_to_more_than_it_says_is_refused(void **state UNUSED)
{
	struct handmade made;
	struct dataset_block block;
	unsigned char *head;

	handmade_init(&made);
	strbuf_addchars(&made.content, '\0', 5000000);
	handmade_block(&made, BLOCK_SNAPSHOT);
	head = (unsigned char *)made.file.text + DATASET_HEADER_SIZE;
	assert_true(dataset_get_block(head, &block));
	for (unsigned i = 0; i < 3; i++) {
		static const uint32_t said[] = { 100, 5000001, UINT32_MAX };
		struct strbuf content = STRBUF_INIT;

		block.content = said[i];
		assert_false(
			dataset_unpack(made.packer, &block, head + DATASET_BLOCK_SIZE, &content));
		strbuf_release(&content);
	}
	handmade_release(&made);
}

static void false_heads_do_not_take_for_ever(void **state UNUSED)
{
	const size_t heads = 20000, size = heads * DATASET_BLOCK_SIZE;
	struct strbuf block = STRBUF_INIT;
	struct dataset_status status;
	struct handmade made;
	uint64_t random = 17;

	/* Valid heads, each of a damaged block of half the file's size. */
	handmade_init(&made);
	for (size_t i = 0; i < size / 2; i++)
		strbuf_addch(&made.content, (char)random_next(&random));
	dataset_put_block(made.packer, &block, BLOCK_SNAPSHOT, &made.content, 0);
	for (size_t i = 0; i < heads; i++)
		strbuf_add(&made.file, block.text, DATASET_BLOCK_SIZE);
	assert_int_equal(read_image(&made.file, &status), 0);
	assert_int_equal(status.skipped_bytes, status.bytes - DATASET_HEADER_SIZE);
	assert_int_equal(status.blocks, 0);
	/* Ten thousand blocks would have been searched from end to end. */
	assert_true(status.damaged_blocks < 100);
	strbuf_release(&block);
	handmade_release(&made);
}

/* A description of a type with one field. */
static void put_small_type(struct handmade *made, uint64_t id, const char *name)
{
	NUMBERS(made, id);
	dataset_put_text(&made->content, name, strlen(name));
	NUMBERS(made, 1, FIELD_UNSIGNED);
	dataset_put_text(&made->content, "time", 4);
	dataset_put_text(&made->content, "ns", 2);
}

static void type_ids_have_a_limit(void **state UNUSED)
{
	for (uint64_t id = DATASET_MAX_TYPES - 1; id <= DATASET_MAX_TYPES; id++) {
		struct handmade made;
		struct dataset_status status;
		bool described = id < DATASET_MAX_TYPES;

		handmade_init(&made);
		put_small_type(&made, id, "sample");
		handmade_block(&made, BLOCK_TYPES);
		/* A set of the id, and one that is known without a description. */
		NUMBERS(&made, 1, 1000, id, 1, 1, 2, COLUMN_CONSTANT, 14);
		NUMBERS(&made, RECORD_STACK, 1, 3, 6, 0, 2, 0, 2, 0, 2);
		handmade_block(&made, BLOCK_SNAPSHOT);
		/* An id beyond the limit cannot be described: the set is left out. */
		assert_int_equal(read_image(&made.file, &status), described ? 2 : 1);
		assert_int_equal(status.damaged_blocks, described ? 0 : 1);
		assert_int_equal(status.blocks, described ? 2 : 1);
		handmade_release(&made);
	}
}

static void a_block_behind_damage_of_any_length_is_found(void **state UNUSED)
{
	/* The marker is searched in windows of 4096 bytes: place it across their ends. */
	for (size_t length = 4080; length <= 4110; length++) {
		for (size_t windows = 0; windows < 3; windows++) {
			struct handmade made;
			struct dataset_status status;
			size_t damage = length + windows * 4093;

			handmade_init(&made);
			strbuf_addchars(&made.file, '?', damage);
			NUMBERS(&made, 1, 1000, RECORD_STACK, 1, 3, 6, 0, 2, 0, 2, 0, 2);
			handmade_block(&made, BLOCK_SNAPSHOT);
			assert_int_equal(read_image(&made.file, &status), 1);
			assert_int_equal(status.skipped_bytes, damage);
			assert_int_equal(status.blocks, 1);
			handmade_release(&made);
		}
	}
}

/* Reads a file repeatedly, each time with other bytes changed. */
static void mutate_file(const struct image *image)
{
	uint64_t random = 20260731;
	struct strbuf file = STRBUF_INIT;

	for (unsigned round = 0; round < 1500; round++) {
		strbuf_reset(&file);
		/* An odd first byte: the mutated bytes become contents with valid checksums. */
		if (round % 2)
			strbuf_add(&file, "\x01\x03\xff\x7f", 4);
		strbuf_addbuf(&file, &image->file);
		for (unsigned i = 0; i < 1 + round % 20; i++) {
			size_t at = random_next(&random) % file.length;

			file.text[at] = (char)random_next(&random);
		}
		LLVMFuzzerTestOneInput((const uint8_t *)file.text, file.length);
	}
	strbuf_release(&file);
}

/* Does the same with the contents of its blocks, so that no checksum is wrong. */
static void mutate_contents(const struct image *image)
{
	uint64_t random = 4711;
	struct dataset_packer *packer = dataset_packer_new();
	struct strbuf input = STRBUF_INIT, content = STRBUF_INIT;

	for (unsigned round = 0; round < 1500; round++) {
		strbuf_reset(&input);
		strbuf_addch(&input, 1);
		for (size_t i = 0; i < image->count; i++) {
			const unsigned char *head =
				(unsigned char *)image->file.text + image->blocks[i].start;
			struct dataset_block block;

			assert_true(dataset_get_block(head, &block));
			assert_true(dataset_unpack(packer, &block, head + DATASET_BLOCK_SIZE,
						   &content));
			strbuf_addch(&input, (char)block.type);
			strbuf_addch(&input, (char)(content.length & 255));
			strbuf_addch(&input, (char)(content.length >> 8));
			for (unsigned j = 0; content.length && j < round % 4; j++)
				content.text[random_next(&random) % content.length] =
					(char)random_next(&random);
			strbuf_addbuf(&input, &content);
		}
		LLVMFuzzerTestOneInput((const uint8_t *)input.text, input.length);
	}
	dataset_packer_free(packer);
	strbuf_release(&content);
	strbuf_release(&input);
}

/* Asserts that a data set cannot be created at path, and that the error has the reason. */
static void assert_not_created(const char *path, const char *why)
{
	struct error err = ERROR_INIT;
	struct strmap strings;

	strmap_init(&strings);
	assert_null(dataset_create(path, &strings, &err));
	assert_non_null(strstr(error_text(&err), path));
	assert_non_null(strstr(error_text(&err), why));
	strmap_release(&strings);
	error_release(&err);
}

static void mutated_files_never_crash(void **state UNUSED)
{
	struct image image;

	image_make(&image);
	mutate_file(&image);
	mutate_contents(&image);
	image_release(&image);
}

static void mutated_fields_of_all_types_never_crash(void **state UNUSED)
{
	struct image image;

	image_load(&image, "version-1.1.vprf");
	mutate_file(&image);
	mutate_contents(&image);
	image_release(&image);
}

static void places_that_cannot_be_written_are_named(void **state UNUSED)
{
	struct stat status;

	assert_not_created("/nowhere/at/all.vprf", "No such file or directory");
	assert_not_created("/tmp", "is not a regular file");
	assert_not_created("/dev/null", "is not a regular file");
	assert_not_created("/proc/version.vprf", "cannot create");
	assert_int_equal(stat("/dev/null", &status), 0);
	assert_true(S_ISCHR(status.st_mode));
}

static void what_cannot_be_read_is_named(void **state UNUSED)
{
	char folder[] = "/tmp/test-damage.XXXXXX", fifo[64];
	const char *const paths[][2] = {
		{ "/nowhere/at/all.vprf", "No such file or directory" },
		{ "/tmp", "is not a regular file" },
		{ "/dev/null", "is not a regular file" },
		{ "/proc/self/exe", "is not a sample data set" },
		{ fifo, "is not a regular file" },
	};

	assert_non_null(mkdtemp(folder));
	snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct error err = ERROR_INIT;
		struct dataset_status status;
		struct rows rows;

		rows_init(&rows);
		assert_int_equal(rows_read(&rows, paths[i][0], &status, &err), -1);
		assert_non_null(strstr(error_text(&err), paths[i][1]));
		rows_release(&rows);
		error_release(&err);
	}
	unlink(fifo);
	assert_int_equal(rmdir(folder), 0);
}

/* Writes snapshots until a limit on the file's size is reached. Returns how many are in it. */
static size_t write_to_limit(struct session *session, const char *path, struct error *err)
{
	struct dataset_writer *writer = dataset_create(path, &session->strings, err);
	uint64_t size = 0;
	size_t i = 0;

	assert_non_null(writer);
	while (i < session->count && dataset_write(writer, &session->snapshots[i], err) == 0) {
		size = dataset_size(writer);
		i++;
	}
	assert_true(i < session->count);
	assert_int_equal(dataset_size(writer), size);
	assert_non_null(strstr(error_text(err), "failed after"));
	assert_non_null(strstr(error_text(err), "File too large"));
	/* After a failed write nothing may follow, even if it would fit. */
	assert_int_equal(dataset_write(writer, &session->snapshots[0], err), -1);
	assert_int_equal(dataset_thin(writer, &record_types[RECORD_SAMPLE], NULL, NULL, err), -1);
	assert_int_equal(dataset_finish(writer, err), -1);
	return i;
}

static void a_full_disk_leaves_what_was_written(void **state UNUSED)
{
	char folder[] = "/tmp/test-damage.XXXXXX", path[64];
	struct error err = ERROR_INIT;
	struct rlimit before, limit;
	struct dataset_status status;
	struct session session;
	struct stat file;
	struct rows rows;
	size_t written;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/step.vprf", folder);
	session_make(&session, 12, 40, 20);
	assert_int_equal(session_write(&session, path, true, &err), 0);
	assert_int_equal(stat(path, &file), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = (rlim_t)file.st_size * 3 / 4;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	written = write_to_limit(&session, path, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_true(written > 1);
	rows_init(&rows);
	assert_int_equal(rows_read(&rows, path, &status, &err), 0);
	assert_int_equal(rows.snapshots, written);
	assert_int_equal(status.skipped_bytes, 0);
	assert_false(status.complete);
	rows_release(&rows);
	session_release(&session);
	error_release(&err);
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

static void a_disk_full_from_the_start_leaves_nothing(void **state UNUSED)
{
	char folder[] = "/tmp/test-damage.XXXXXX", path[64];
	struct error err = ERROR_INIT;
	struct rlimit before, limit;
	struct session session;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/step.vprf", folder);
	session_make(&session, 12, 2, 20);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(session_write(&session, path, true, &err), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_non_null(strstr(error_text(&err), "File too large"));
	session_release(&session);
	error_release(&err);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_cut_off_anywhere_gives_all_whole_blocks),
		cmocka_unit_test(a_file_cut_off_in_its_header_is_refused),
		cmocka_unit_test(a_damaged_byte_costs_one_block),
		cmocka_unit_test(missing_and_foreign_bytes_cost_what_they_touch),
		cmocka_unit_test(lost_strings_are_shown_as_damaged),
		cmocka_unit_test(fields_are_matched_by_name),
		cmocka_unit_test(content_that_lies_is_refused),
		cmocka_unit_test(strings_do_not_come_twice),
		cmocka_unit_test(a_refused_snapshot_leaves_no_trace),
		cmocka_unit_test(many_small_sets_do_not_fill_the_memory),
		cmocka_unit_test(a_block_that_unpacks_to_more_than_it_says_is_refused),
		cmocka_unit_test(false_heads_do_not_take_for_ever),
		cmocka_unit_test(mutated_files_never_crash),
		cmocka_unit_test(mutated_fields_of_all_types_never_crash),
		cmocka_unit_test(type_ids_have_a_limit),
		cmocka_unit_test(a_block_behind_damage_of_any_length_is_found),
		cmocka_unit_test(places_that_cannot_be_written_are_named),
		cmocka_unit_test(what_cannot_be_read_is_named),
		cmocka_unit_test(a_full_disk_leaves_what_was_written),
		cmocka_unit_test(a_disk_full_from_the_start_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
