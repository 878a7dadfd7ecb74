/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of record sets that are stored as changes of earlier ones: what is
 * read is bitwise what was written, for random sequences of snapshots, intact and
 * damaged.
 *
 * 	test-changes golden PATH	writes the golden file of version 1.2
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "engine/dataset-format.h"
#include "records/record-types.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

/* The type whose records begin and end. */
struct record_worker {
	uint64_t time; /* grows equally in all of them */
	uint64_t id;
	uint64_t name; /* string number */
	uint64_t cpu;
	int64_t balance;
	double load;
	uint32_t faults;
	int16_t nice;
	uint8_t state;
};

#define MEMBER(record, member, kind, sense, optional) \
	{ \
#member, FIELD_##kind, "count", SENSE_##sense, optional, \
			offsetof(struct record, member), "" \
	}

static const struct field task_fields[] = {
	MEMBER(record_worker, time, UNSIGNED, LEVEL, false),
	MEMBER(record_worker, id, UNSIGNED, NONE, false),
	MEMBER(record_worker, name, STRING, LEVEL, true),
	MEMBER(record_worker, cpu, UNSIGNED, COUNTER, true),
	MEMBER(record_worker, balance, SIGNED, LEVEL, true),
	MEMBER(record_worker, load, DOUBLE, LEVEL, true),
	MEMBER(record_worker, faults, U32, COUNTER, false),
	MEMBER(record_worker, nice, I16, LEVEL, true),
	MEMBER(record_worker, state, U8, LEVEL, true),
};

/* A type without a key; and one that cannot be stored as changes. */
struct record_machine {
	uint64_t idle, busy;
};
struct record_shot {
	uint64_t number;
	struct record_bytes picture;
};

static const struct field machine_fields[] = {
	MEMBER(record_machine, idle, UNSIGNED, COUNTER, false),
	MEMBER(record_machine, busy, UNSIGNED, COUNTER, true),
};
static const struct field shot_fields[] = {
	MEMBER(record_shot, number, UNSIGNED, NONE, false),
	MEMBER(record_shot, picture, BYTES, NONE, true),
};

static const struct record_type given_types[] = {
	{ .name = "worker", .fields = task_fields, .field_count = ARRAY_SIZE(task_fields),
	  .size = sizeof(struct record_worker), .meaning = "" },
	{ .name = "machine", .fields = machine_fields, .field_count = ARRAY_SIZE(machine_fields),
	  .size = sizeof(struct record_machine), .meaning = "" },
	{ .name = "shot", .fields = shot_fields, .field_count = ARRAY_SIZE(shot_fields),
	  .size = sizeof(struct record_shot), .meaning = "" },
};

enum { TASK, MACHINE, SHOT, TYPES };
enum { MAX_SNAPSHOTS = 300, MAX_TASKS = 60 };
/* Seed and number of snapshots of the golden file. */
enum { GOLDEN_SEED = 12, GOLDEN_COUNT = 70 };

/* A collection, and the file made of it. */
struct stock {
	struct registry types;
	const struct record_type *of[TYPES];
	struct strmap strings;
	struct snapshot snapshots[MAX_SNAPSHOTS]; /* by sequence - 1 */
	size_t count;
	struct strbuf file;
	uint64_t random;

	/* The present records. */
	struct record_worker tasks[MAX_TASKS];
	size_t task_count;
	uint64_t next_id;
	struct record_machine machine;
};

static uint64_t draw(struct stock *stock, uint64_t below)
{
	stock->random ^= stock->random << 13;
	stock->random ^= stock->random >> 7;
	stock->random ^= stock->random << 17;
	return stock->random % below;
}

static void stock_init(struct stock *stock, uint64_t seed)
{
	struct error err = ERROR_INIT;

	memset(stock, 0, sizeof(*stock));
	stock->random = seed * 0x9e3779b97f4a7c15U + 1;
	registry_init(&stock->types, &session_records);
	strmap_init(&stock->strings);
	strmap_put(&stock->strings, "");
	strbuf_init(&stock->file);
	for (size_t i = 0; i < TYPES; i++) {
		stock->of[i] = registry_add(&stock->types, &given_types[i], &err);
		assert_non_null(stock->of[i]);
	}
}

static void stock_release(struct stock *stock)
{
	for (size_t i = 0; i < stock->count; i++)
		snapshot_release(&stock->snapshots[i]);
	strbuf_release(&stock->file);
	strmap_release(&stock->strings);
	registry_release(&stock->types);
}

/* Adds a new record. */
static void begin_task(struct stock *stock)
{
	struct record_worker *task = &stock->tasks[stock->task_count++];
	char name[32];

	snprintf(name, sizeof(name), "task %d", (int)draw(stock, 40));
	*task = (struct record_worker){ .id = ++stock->next_id,
				      .name = strmap_put(&stock->strings, name),
				      .cpu = draw(stock, 1000000000),
				      .load = 0.5,
				      .state = 1 };
}

/* Sets some members of a record to another value, or to none. */
static void change_task(struct stock *stock, struct record_worker *task)
{
	static const uint64_t edges[] = { 0, 1, UINT64_MAX - 1, UINT64_MAX / 2, 1ULL << 63 };

	task->cpu += draw(stock, 3) ? draw(stock, 5000) : edges[draw(stock, ARRAY_SIZE(edges))];
	task->balance = (int64_t)draw(stock, 2000) - 1000;
	if (draw(stock, 4) == 0)
		task->load = (double)draw(stock, 1000) / 7;
	task->faults += (uint32_t)draw(stock, 3);
	task->nice = (int16_t)(draw(stock, 40) - 20);
	task->state = (uint8_t)draw(stock, 5);
	if (draw(stock, 10) == 0)
		for (size_t i = 2; i < ARRAY_SIZE(task_fields); i++)
			if (draw(stock, 3) == 0)
				field_set_missing(&task_fields[i],
						  (unsigned char *)task + task_fields[i].offset);
	if (draw(stock, 20) == 0)
		task->id = ++stock->next_id;
}

/* Makes records begin, end, and change their order and values. */
static void advance(struct stock *stock)
{
	if (draw(stock, 5) == 0 && stock->task_count) {
		size_t gone = draw(stock, stock->task_count);

		memmove(stock->tasks + gone, stock->tasks + gone + 1,
			(--stock->task_count - gone) * sizeof(*stock->tasks));
	}
	while (draw(stock, 2) == 0 && stock->task_count < MAX_TASKS)
		begin_task(stock);
	for (size_t i = 0; i < stock->task_count; i++) {
		stock->tasks[i].time += 1000000007;
		if (draw(stock, 8) == 0)
			change_task(stock, &stock->tasks[i]);
	}
	if (draw(stock, 9) == 0 && stock->task_count > 1) {
		size_t a = draw(stock, stock->task_count), b = draw(stock, stock->task_count);
		struct record_worker swap = stock->tasks[a];

		stock->tasks[a] = stock->tasks[b];
		stock->tasks[b] = swap;
	}
	stock->machine.idle += draw(stock, 100000);
	stock->machine.busy = draw(stock, 10) ? stock->machine.busy + draw(stock, 3) : UINT64_MAX;
}

/* Takes a snapshot of the present records; occasionally a type has none, or another has some. */
static void take(struct stock *stock)
{
	struct snapshot *snapshot = &stock->snapshots[stock->count++];

	snapshot_init(snapshot, &stock->types);
	snapshot->sequence = stock->count;
	snapshot->time = 5000000000000 + stock->count * 1000000007;
	for (size_t i = 0; draw(stock, 30) && i < stock->task_count; i++)
		recordset_add(snapshot_set(snapshot, stock->of[TASK]->id), &stock->tasks[i]);
	for (size_t i = draw(stock, 30) ? 2 : 0; i > 0; i--)
		recordset_add(snapshot_set(snapshot, stock->of[MACHINE]->id), &stock->machine);
	if (draw(stock, 6) == 0) {
		struct recordset *set = snapshot_set(snapshot, stock->of[SHOT]->id);
		struct record_shot shot = { .number = stock->count };

		shot.picture = recordset_put_bytes(set, "light", draw(stock, 6));
		recordset_add(set, &shot);
	}
	if (draw(stock, 6) == 0 || snapshot_is_empty(snapshot))
		recordset_add(snapshot_set(snapshot, RECORD_STEP),
			      &(struct record_step){ .time = snapshot->time });
}

/* Makes a data set of all snapshots. */
static void store(struct stock *stock)
{
	char path[] = "/tmp/test-changes.XXXXXX";
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;

	close(mkstemp(path));
	writer = dataset_create(path, &stock->strings, &err);
	assert_non_null(writer);
	for (size_t i = 0; i < stock->count; i++)
		assert_int_equal(dataset_write(writer, &stock->snapshots[i], &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	strbuf_reset(&stock->file);
	assert_int_equal(strbuf_read_file(&stock->file, path), 0);
	unlink(path);
}

static void stock_make(struct stock *stock, uint64_t seed, size_t snapshots)
{
	stock_init(stock, seed);
	for (size_t i = 0; i < snapshots; i++) {
		advance(stock);
		take(stock);
	}
	store(stock);
}

/* Results of reading, for comparison. */
struct found {
	const struct stock *stock;
	bool names_lost; /* strings may be "(damaged)" */
	size_t whole, parts, rows;
	uint64_t last;
	bool seen[MAX_SNAPSHOTS];
};

static void compare_value(const struct found *found, const struct recordset *set,
			  const struct recordset *expected, size_t row, size_t field,
			  const struct strmap *strings)
{
	struct field_value is, was;
	bool there = recordset_value(set, row, field, &is);

	assert_int_equal(there, recordset_value(expected, row, field, &was));
	if (!there)
		return;
	if (is.type == FIELD_STRING) {
		const char *text = strmap_text(strings, (uint32_t)is.number);

		if (!found->names_lost || strcmp(text, "(damaged)") != 0)
			assert_string_equal(text, strmap_text(&found->stock->strings,
							      (uint32_t)was.number));
	} else if (is.type == FIELD_BYTES) {
		assert_int_equal(is.bytes.length, was.bytes.length);
		assert_memory_equal(is.bytes.data, was.bytes.data, is.bytes.length);
	} else {
		assert_memory_equal(&is.number, &was.number, sizeof(is.number));
	}
}

/* Compares a snapshot that was read: each of its sets is as written, or missing. */
static int compare(void *argument, const struct snapshot *snapshot, const struct strmap *strings)
{
	struct found *found = argument;
	const struct snapshot *was;
	bool whole = true;

	assert_in_range(snapshot->sequence, found->last + 1, found->stock->count);
	found->last = snapshot->sequence;
	was = &found->stock->snapshots[snapshot->sequence - 1];
	assert_true(snapshot->time == was->time);
	for (unsigned id = 0; id < was->set_count; id++) {
		const struct recordset *expected = snapshot_records(was, id), *set;
		const struct record_type *type = found->stock->types.types[id], *theirs;

		theirs = type ? registry_find(snapshot->types, type->name) : NULL;
		set = snapshot_records(snapshot, theirs ? theirs->id : 0);
		if (!set->count && expected->count)
			whole = false;
		if (!set->count)
			continue;
		assert_int_equal(set->count, expected->count);
		for (size_t row = 0; row < set->count; row++)
			for (size_t i = 0; i < type->field_count; i++)
				compare_value(found, set, expected, row, i, strings);
		found->rows += set->count;
	}
	found->whole += whole;
	found->parts += !whole;
	found->seen[snapshot->sequence - 1] = whole;
	return 0;
}

/* Reads the bytes of a file, which must be readable, and compares the results. */
static void read_and_compare(const struct stock *stock, const struct strbuf *file,
			     struct found *found, struct dataset_status *status)
{
	struct error err = ERROR_INIT;
	struct strmap strings;
	char path[64];
	int fd = memfd_create("test-changes", MFD_CLOEXEC);

	assert_int_equal(write(fd, file->text, file->length), file->length);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	found->stock = stock;
	strmap_init(&strings);
	if (dataset_read(path, &session_records, &strings, compare, found, status, &err) < 0)
		fail_msg("%s", error_text(&err));
	strmap_release(&strings);
	close(fd);
}

static void random_sequences_come_back(void **state UNUSED)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct found found = { 0 };
		struct dataset_status status;
		struct stock stock;

		stock_make(&stock, seed, 150);
		read_and_compare(&stock, &stock.file, &found, &status);
		assert_int_equal(found.whole, 150);
		assert_true(found.rows > 1000);
		assert_true(status.complete);
		assert_int_equal(status.damaged_blocks, 0);
		assert_int_equal(status.lost_snapshots, 0);
		stock_release(&stock);
	}
}

/* The blocks of an intact file. */
struct blocks {
	struct {
		size_t start, end;
		unsigned type;
		uint64_t sequence, number, base; /* for a snapshot */
	} at[4 * MAX_SNAPSHOTS];
	size_t count;
};

static void find_blocks(const struct stock *stock, struct blocks *blocks)
{
	struct dataset_packer *packer = dataset_packer_new();
	struct strbuf content = STRBUF_INIT;
	size_t at = DATASET_HEADER_SIZE;

	blocks->count = 0;
	while (at < stock->file.length) {
		const unsigned char *head = (unsigned char *)stock->file.text + at;
		struct dataset_cursor cursor;
		struct dataset_block block;
		size_t i = blocks->count++;

		assert_true(dataset_get_block(head, &block));
		assert_true(dataset_unpack(packer, &block, head + DATASET_BLOCK_SIZE, &content));
		cursor = dataset_cursor(content.text, content.length);
		blocks->at[i].start = at;
		blocks->at[i].type = block.type;
		blocks->at[i].sequence = dataset_get_varint(&cursor);
		dataset_get_varint(&cursor);
		blocks->at[i].number = dataset_get_varint(&cursor);
		blocks->at[i].base = dataset_get_varint(&cursor);
		blocks->at[i].end = at += DATASET_BLOCK_SIZE + block.stored;
	}
	strbuf_release(&content);
	dataset_packer_free(packer);
}

/* Returns whether the base of a snapshot is in a separate block that has a copy. */
static bool has_copy(const struct blocks *blocks, size_t block)
{
	for (size_t i = 0; i < blocks->count; i++)
		if (blocks->at[i].type == BLOCK_BASE_COPY &&
		    blocks->at[i].number == blocks->at[block].number)
			return true;
	return false;
}

/* Returns how many snapshots build on that of a block, if it has no copy. */
static size_t others(const struct blocks *blocks, size_t block)
{
	size_t count = 0;

	if (blocks->at[block].type != BLOCK_CHANGES || !blocks->at[block].number ||
	    has_copy(blocks, block))
		return 0;
	for (size_t i = 0; i < blocks->count; i++)
		count += blocks->at[i].type == BLOCK_CHANGES &&
			 blocks->at[i].base == blocks->at[block].number;
	return count;
}

static bool is_snapshot(unsigned type)
{
	return type == BLOCK_SNAPSHOT || type == BLOCK_CHANGES;
}

static void a_damaged_block_takes_few_along(void **state UNUSED)
{
	struct blocks *blocks = xmalloc(sizeof(*blocks));
	size_t pictures = 0, most = 0, all = 0, gone = 0;
	struct stock stock;

	stock_make(&stock, 77, 140);
	find_blocks(&stock, blocks);
	for (size_t i = 0; i < blocks->count; i++) {
		size_t at = blocks->at[i].start + DATASET_BLOCK_SIZE +
			    (blocks->at[i].end - blocks->at[i].start - DATASET_BLOCK_SIZE) / 2;
		struct found found = { .names_lost = blocks->at[i].type == BLOCK_STRINGS };
		struct dataset_status status;
		struct strbuf text = STRBUF_INIT;
		size_t lost = is_snapshot(blocks->at[i].type), along = others(blocks, i);

		stock.file.text[at] = (char)~stock.file.text[at];
		read_and_compare(&stock, &stock.file, &found, &status);
		stock.file.text[at] = (char)~stock.file.text[at];
		assert_int_equal(status.damaged_blocks, 1);
		/* A snapshot among them that shares no type with it is complete. */
		assert_true(status.lost_snapshots <= along);
		all += along;
		gone += status.lost_snapshots;
		/* The first snapshot comes before the repetition of its types. */
		if (blocks->at[i].type == BLOCK_TYPES && i == 0)
			lost = 1;
		assert_int_equal(found.whole, stock.count - lost - status.lost_snapshots);
		dataset_describe_damage(&status, &text);
		assert_int_equal(status.lost_snapshots > 0, strstr(text.text, "incomplete") != NULL);
		strbuf_release(&text);
		pictures += blocks->at[i].type == BLOCK_BASE_COPY;
		most = along > most ? along : most;
	}
	assert_int_equal(pictures, 3);
	assert_in_range(most, 1, 3);
	assert_in_range(gone, all * 8 / 10, all);
	stock_release(&stock);
	free(blocks);
}

static void a_file_cut_anywhere_has_all_before_it(void **state UNUSED)
{
	struct blocks *blocks = xmalloc(sizeof(*blocks));
	struct stock stock;

	stock_make(&stock, 5, 100);
	find_blocks(&stock, blocks);
	for (size_t i = 0; i < blocks->count; i++) {
		struct strbuf cut = STRBUF_INIT;
		struct found found = { 0 };
		struct dataset_status status;
		size_t before = 0;

		strbuf_add(&cut, stock.file.text, blocks->at[i].end - 1 - draw(&stock, 20));
		for (size_t j = 0; j < i; j++)
			before += is_snapshot(blocks->at[j].type);
		read_and_compare(&stock, &cut, &found, &status);
		assert_int_equal(found.whole, before);
		assert_int_equal(found.parts, 0);
		assert_false(status.complete);
		strbuf_release(&cut);
	}
	stock_release(&stock);
	free(blocks);
}

/* Whatever happens to the bytes, everything that is read is as it was written. */
static void damage_anywhere_makes_nothing_up(void **state UNUSED)
{
	struct stock stock;

	stock_make(&stock, 9, 80);
	for (unsigned round = 0; round < 300; round++) {
		struct found found = { .names_lost = true };
		struct dataset_status status;
		struct strbuf file = STRBUF_INIT;

		strbuf_addbuf(&file, &stock.file);
		for (uint64_t i = 1 + draw(&stock, 3); i > 0; i--) {
			size_t at = draw(&stock, file.length), count = draw(&stock, 3000);

			if (count > file.length - at)
				count = file.length - at;
			if (draw(&stock, 3) == 0) {
				memmove(file.text + at, file.text + at + count,
					file.length - at - count);
				file.length -= count;
				continue;
			}
			for (size_t j = 0; j < count; j++)
				file.text[at + j] = (char)draw(&stock, 256);
		}
		if (file.length > DATASET_HEADER_SIZE && memcmp(file.text, DATASET_MAGIC, 8) == 0)
			read_and_compare(&stock, &file, &found, &status);
		strbuf_release(&file);
	}
	stock_release(&stock);
}

/*
 * Returns the size of a file with this many snapshots, in each of which this many
 * of 50 records change.
 */
static size_t bytes_of(size_t snapshots, size_t changing)
{
	struct stock stock;
	size_t bytes;

	stock_init(&stock, 3);
	while (stock.task_count < 50)
		begin_task(&stock);
	for (size_t i = 0; i < snapshots; i++) {
		struct snapshot *snapshot = &stock.snapshots[stock.count++];

		snapshot_init(snapshot, &stock.types);
		snapshot->sequence = stock.count;
		snapshot->time = stock.count * 1000000007;
		for (size_t j = 0; j < stock.task_count; j++) {
			stock.tasks[j].time += 1000000007;
			if (j < changing)
				stock.tasks[j].cpu += draw(&stock, 100);
		}
		for (size_t j = 0; j < stock.task_count; j++)
			recordset_add(snapshot_set(snapshot, stock.of[TASK]->id), &stock.tasks[j]);
	}
	store(&stock);
	bytes = stock.file.length;
	stock_release(&stock);
	return bytes;
}

static void what_stays_the_same_takes_next_to_nothing(void **state UNUSED)
{
	size_t one = bytes_of(1, 0), none = bytes_of(61, 0), all = bytes_of(61, 50);

	/* The head of a block, time and numbers of the snapshot, and the head of the set. */
	assert_in_range((none - one - 800) / 60, 24, 64);
	/* A byte for each counter that has changed, and a bit. */
	assert_in_range((all - none) / 60, 40, 120);
}

static bool is_machine(const void *argument, const struct record_type *type)
{
	return strcmp(type->name, argument) == 0;
}

/* With only one type wanted, the others are skipped, which does not count as a loss. */
static void what_is_not_wanted_is_passed_over(void **state UNUSED)
{
	char path[] = "/tmp/test-changes.XXXXXX";
	struct found found = { 0 };
	struct error err = ERROR_INIT;
	struct dataset_reader *reader;
	size_t machines = 0, read = 0, passed = 0;
	struct snapshot snapshot;
	struct registry types;
	struct strmap strings;
	struct stock stock;
	int fd = mkstemp(path);

	stock_make(&stock, 31, 90);
	assert_int_equal(write(fd, stock.file.text, stock.file.length), stock.file.length);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	registry_init(&types, &session_records);
	strmap_init(&strings);
	snapshot_init(&snapshot, &types);
	found.stock = &stock;
	reader = dataset_reader_new(fd, path, &strings, &types, &err);
	assert_non_null(reader);
	dataset_reader_want(reader, is_machine, "machine");
	while (dataset_reader_snapshot(reader, &snapshot, &err) == 1) {
		compare(&found, &snapshot, &strings);
		read += snapshot_records(&snapshot, registry_find(&types, "machine")->id)->count;
		assert_int_equal(
			snapshot_records(&snapshot, registry_find(&types, "worker")->id)->count, 0);
		passed += snapshot.passed_over;
		snapshot_clear(&snapshot);
		assert_false(snapshot.passed_over);
	}
	for (size_t i = 0; i < stock.count; i++)
		machines += snapshot_records(&stock.snapshots[i], stock.of[MACHINE]->id)->count;
	assert_int_equal(found.whole + found.parts, stock.count);
	assert_int_equal(read, machines);
	assert_in_range(passed, stock.count / 2, stock.count);
	assert_int_equal(dataset_reader_status(reader)->lost_snapshots, 0);
	dataset_reader_close(reader);
	snapshot_release(&snapshot);
	strmap_release(&strings);
	registry_release(&types);
	stock_release(&stock);
	unlink(path);
}

/* Reads a file written by version 1.2. */
static void version_1_2_is_read(void **state UNUSED)
{
	const char *source = getenv("VIGIL_SOURCE");
	struct strbuf file = STRBUF_INIT;
	struct found found = { 0 };
	struct dataset_status status;
	struct stock stock;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/dataset/version-1.2.vprf", source ? source : "..");
	assert_int_equal(strbuf_read_file(&file, path), 0);
	stock_make(&stock, GOLDEN_SEED, GOLDEN_COUNT);
	read_and_compare(&stock, &file, &found, &status);
	assert_int_equal(found.whole, GOLDEN_COUNT);
	assert_true(status.complete);
	assert_int_equal(status.damaged_blocks, 0);
	assert_string_equal(status.version, "1.2");
	stock_release(&stock);
	strbuf_release(&file);
}

/* A handmade file: a type of two numbers, then blocks of changes. */
struct handmade {
	struct strbuf file, content;
	struct dataset_packer *packer;
	struct strmap strings;
	struct registry types;
	struct snapshot snapshot;
	struct dataset_status status;
	size_t snapshots;
	uint64_t values[8][2];
	size_t rows, total;
	bool limit; /* only count the rows */
};

static void put(struct handmade *made, const uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		dataset_put_varint(&made->content, numbers[i]);
}
#define NUMBERS(made, ...) \
	put(made, (const uint64_t[]){ __VA_ARGS__ }, \
	    ARRAY_SIZE(((const uint64_t[]){ __VA_ARGS__ })))

static void put_block(struct handmade *made, unsigned type)
{
	dataset_put_block(made->packer, &made->file, type, &made->content, 0);
	strbuf_reset(&made->content);
}

/* Begins a file with a whole snapshot, number 1: records 10, 20 and 11, 21. */
static void handmade_init(struct handmade *made)
{
	memset(made, 0, sizeof(*made));
	strbuf_init(&made->file);
	strbuf_init(&made->content);
	made->packer = dataset_packer_new();
	dataset_put_header(&made->file);
	NUMBERS(made, 100);
	dataset_put_text(&made->content, "pair", 4);
	NUMBERS(made, 2, FIELD_UNSIGNED);
	dataset_put_text(&made->content, "a", 1);
	dataset_put_text(&made->content, "id", 2);
	NUMBERS(made, FIELD_UNSIGNED);
	dataset_put_text(&made->content, "b", 1);
	dataset_put_text(&made->content, "id", 2);
	put_block(made, BLOCK_TYPES);
	NUMBERS(made, 1, 1000, 1, 0);
	NUMBERS(made, 100, 2, 2, 6, COLUMN_PLAIN, 10, 11, COLUMN_PLAIN, 20, 21);
	put_block(made, BLOCK_CHANGES);
}

static int keep_last(void *argument, const struct snapshot *snapshot,
		     const struct strmap *strings UNUSED)
{
	const struct record_type *type = registry_find(snapshot->types, "pair");
	struct handmade *made = argument;
	const struct recordset *set = snapshot_records(snapshot, type->id);

	made->snapshots++;
	made->rows = set->count;
	made->total += set->count;
	if (made->limit)
		return 0;
	assert_true(set->count <= ARRAY_SIZE(made->values));
	if (set->count)
		memcpy(made->values, set->rows, set->count * sizeof(made->values[0]));
	return 0;
}

/* Reads the file, and frees it. */
static void handmade_read(struct handmade *made)
{
	struct error err = ERROR_INIT;
	char path[64];
	int fd = memfd_create("test-changes", MFD_CLOEXEC);

	assert_int_equal(write(fd, made->file.text, made->file.length), made->file.length);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	strmap_init(&made->strings);
	if (dataset_read(path, &session_records, &made->strings, keep_last, made, &made->status, &err) < 0)
		fail_msg("%s", error_text(&err));
	strmap_release(&made->strings);
	strbuf_release(&made->file);
	strbuf_release(&made->content);
	dataset_packer_free(made->packer);
	close(fd);
}

/* Adds a snapshot that builds on number 1, with a set of this many rows and these bytes. */
#define CHANGES(made, base, rows, ...) \
	do { \
		const uint64_t bytes_[] = { __VA_ARGS__ }; \
		NUMBERS(made, 2, 2000, 0, base, 100 + DATASET_CHANGED, rows, 2, \
			ARRAY_SIZE(bytes_)); \
		put(made, bytes_, ARRAY_SIZE(bytes_)); \
		put_block(made, BLOCK_CHANGES); \
	} while (0)

static void changes_are_as_the_manual_says(void **state UNUSED)
{
	static const uint64_t expected[][2] = { { 12, 21 }, { 7, 8 }, { 11, 23 } };
	struct handmade made;

	handmade_init(&made);
	/*
	 * One record from the second on (1 ahead), and a new one; one from the first on (2
	 * back). One has changed, the second of those. The first field of all has grown by
	 * 1, the second field of the changed one by 3. The new one is 7, 8.
	 */
	CHANGES(&made, 1, 3, 2, 1, 1, 3, 1, 0, 1, 1, 3, 2, 2, 1, 6, 0, COLUMN_PLAIN, 7,
		COLUMN_PLAIN, 8);
	handmade_read(&made);
	assert_int_equal(made.status.damaged_blocks, 0);
	assert_int_equal(made.snapshots, 2);
	assert_int_equal(made.rows, 3);
	assert_memory_equal(made.values, expected, sizeof(expected));
}

static void changes_of_what_is_lost_are_left_out(void **state UNUSED)
{
	struct handmade made;

	handmade_init(&made);
	CHANGES(&made, 9, 2, 0, 2, 0, 0, 0);
	/* What is left still serves as a base. */
	CHANGES(&made, 1, 1, 0, 1, 0, 0, 0);
	handmade_read(&made);
	assert_int_equal(made.status.lost_snapshots, 1);
	assert_int_equal(made.status.damaged_blocks, 0);
	assert_int_equal(made.snapshots, 2);
	assert_int_equal(made.rows, 1);
}

#define REFUSED(...) \
	do { \
		struct handmade made_; \
		handmade_init(&made_); \
		CHANGES(&made_, 1, __VA_ARGS__); \
		handmade_read(&made_); \
		assert_int_equal(made_.status.damaged_blocks, 1); \
		assert_int_equal(made_.snapshots, 1); \
	} while (0)

static void wrong_changes_are_refused(void **state UNUSED)
{
	REFUSED(3, 0, 3, 0, 0, 0);		 /* more records than there were */
	REFUSED(1, 1, 1, 0, 0, 0);		 /* a record before the first */
	REFUSED(1, 4, 1, 0, 0, 0);		 /* a record after the last */
	REFUSED(1, 0, 2, 0, 0, 0);		 /* more records than the set has */
	REFUSED(1, 0, 0, 2, 0, 0, 0, 7, 0, 7);	 /* more new records than the set has */
	REFUSED(2, 0, 1, 0, 0, 0);		 /* fewer records than the set has */
	REFUSED(2, 0, 0, 0, 0, 2, 0, 0, 0);	 /* a step without records */
	REFUSED(2, 0, 2, 0, 3, 0, 0, 0, 0);	 /* more records changed than there are */
	REFUSED(2, 0, 2, 0, 1, 2, 0);		 /* a record after the last one changed */
	REFUSED(2, 0, 2, 0, 2, 0, 1, 0);	 /* the second changed record is after the last */
	REFUSED(2, 0, 2, 0, 1, 0, 6, 1, 2, 0);	 /* a third field */
	REFUSED(2, 0, 2, 0, 1, 0, 1, 1, 2, 0);	 /* a field before the first */
	REFUSED(2, 0, 2, 0, 1, 0, 2);		 /* without the changed records */
	REFUSED(2, 0, 2, 0, 1, 0, 2, 1);	 /* without the growth */
	REFUSED(2, 0, 2, 0, 0);			 /* without the end of the fields */
	REFUSED(2, 0, 2, 0, 0, 0, 0);		 /* trailing bytes */
	REFUSED(2, 0, 1, 1, 0, 0, COLUMN_PLAIN, 7); /* a column of the new record is missing */
}

/* A few bytes must not expand beyond what a file of that size could represent. */
static void changes_have_a_limit(void **state UNUSED)
{
	struct handmade made;
	uint64_t rows = 1 << 17;

	handmade_init(&made);
	NUMBERS(&made, 1, 1000, 2, 0, 100, rows, 2, rows + 3, COLUMN_CONSTANT, 2, COLUMN_PLAIN);
	for (uint64_t i = 0; i < rows; i++)
		NUMBERS(&made, 1);
	put_block(&made, BLOCK_BASE_COPY);
	for (unsigned i = 0; i < 1000; i++) {
		struct strbuf set = STRBUF_INIT;

		NUMBERS(&made, 2, 2000, 0, 2, 100 + DATASET_CHANGED, rows, 2);
		dataset_put_varint(&set, 0);
		dataset_put_varint(&set, rows);
		for (int j = 0; j < 3; j++)
			dataset_put_varint(&set, 0);
		dataset_put_text(&made.content, set.text, set.length);
		strbuf_release(&set);
		put_block(&made, BLOCK_CHANGES);
	}
	made.limit = true;
	handmade_read(&made);
	assert_in_range(made.status.damaged_blocks, 1, 999);
	assert_true(made.total <= DATASET_DECODED_MAX * made.status.bytes);
	assert_true(made.total > 1 << 20);
}

/* Writes the golden file. */
static int make_golden(const char *path)
{
	FILE *file = fopen(path, "we");
	struct stock stock;
	int failed;

	stock_make(&stock, GOLDEN_SEED, GOLDEN_COUNT);
	failed = !file || fwrite(stock.file.text, stock.file.length, 1, file) != 1;
	if (file && fclose(file) != 0)
		failed = 1;
	stock_release(&stock);
	return failed;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_sequences_come_back),
		cmocka_unit_test(a_damaged_block_takes_few_along),
		cmocka_unit_test(a_file_cut_anywhere_has_all_before_it),
		cmocka_unit_test(damage_anywhere_makes_nothing_up),
		cmocka_unit_test(what_stays_the_same_takes_next_to_nothing),
		cmocka_unit_test(what_is_not_wanted_is_passed_over),
		cmocka_unit_test(version_1_2_is_read),
		cmocka_unit_test(changes_are_as_the_manual_says),
		cmocka_unit_test(changes_of_what_is_lost_are_left_out),
		cmocka_unit_test(wrong_changes_are_refused),
		cmocka_unit_test(changes_have_a_limit),
	};

	if (argc == 3 && strcmp(argv[1], "golden") == 0)
		return make_golden(argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
