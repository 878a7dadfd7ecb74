/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up sessions for the tests of the sample data set. */
#include "common/compat.h"
#include "engine/test-recording.h"
#include "common/xalloc.h"
#include "records/record-types.h"

#include <sys/mman.h>
#include <unistd.h>

uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Patterns for the values of a column. */
enum shape { SHAPE_SAME, SHAPE_LINEAR, SHAPE_SMALL, SHAPE_WILD, SHAPE_TIME, SHAPE_EDGES, SHAPES };

/* Returns the next value of a column. */
static uint64_t shape_value(enum shape shape, uint64_t start, size_t row, uint64_t *random)
{
	static const uint64_t edges[] = {
		0, 1, 127, 128, INT64_MAX, UINT64_MAX, UINT64_C(1) << 63, 16383, 16384
	};

	switch (shape) {
	case SHAPE_SAME:
		return start;
	case SHAPE_LINEAR:
		return start + row * (start % 1000);
	case SHAPE_SMALL:
		return random_next(random) % 100;
	case SHAPE_WILD:
		return random_next(random);
	case SHAPE_TIME:
		return 5000000000000 + row * 1000000 + random_next(random) % 5000;
	default:
		return edges[random_next(random) % ARRAY_SIZE(edges)];
	}
}

/* Returns a text of some length, occasionally one seen before. */
static uint64_t random_text(struct strmap *strings, uint64_t *random)
{
	char text[64];
	size_t length = random_next(random) % sizeof(text);

	if (random_next(random) % 2)
		return random_next(random) % strings->count;
	for (size_t i = 0; i < length; i++)
		text[i] = (char)(1 + random_next(random) % 255);
	return strmap_put_n(strings, text, length);
}

/* Fills a set with rows. */
static void fill_set(struct session *session, struct recordset *set, size_t rows, uint64_t *random)
{
	uint64_t record[DATASET_TEST_WIDTH], start[DATASET_TEST_WIDTH];
	enum shape shapes[DATASET_TEST_WIDTH];

	for (size_t i = 0; i < set->type->field_count; i++) {
		start[i] = random_next(random) >> random_next(random) % 64;
		shapes[i] = (enum shape)(random_next(random) % SHAPES);
	}
	for (size_t row = 0; row < rows; row++) {
		for (size_t i = 0; i < set->type->field_count; i++)
			record[i] = set->type->fields[i].type == FIELD_STRING
					    ? random_text(&session->strings, random)
					    : shape_value(shapes[i], start[i], row, random);
		recordset_add(set, record);
	}
}

/* Allocates empty snapshots. */
static void begin_session(struct session *session, size_t snapshots)
{
	strmap_init(&session->strings);
	session->snapshots = xcalloc(snapshots, sizeof(*session->snapshots));
	session->count = snapshots;
	registry_init(&session->types, &session_records);
	for (size_t i = 0; i < snapshots; i++)
		snapshot_init(&session->snapshots[i], &session->types);
}

/* Returns whether a type has fields of bytes. */
static bool has_bytes(const struct record_type *type)
{
	for (size_t i = 0; i < type->field_count; i++)
		if (type->fields[i].type == FIELD_BYTES)
			return true;
	return false;
}

void session_make(struct session *session, uint64_t seed, size_t snapshots, size_t max_rows)
{
	uint64_t random = seed * 2 + 1;

	begin_session(session, snapshots);
	for (size_t i = 0; i < snapshots; i++) {
		struct snapshot *snapshot = &session->snapshots[i];

		snapshot->sequence = i + 1;
		snapshot->time = 5000000000000 + i * 100000000;
		for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
			/*
			 * A reader returns other records in place of those that stand for them;
			 * those with bytes have blocks of their own (test-fields.c).
			 */
			if (!record_types[id].expand && !has_bytes(&record_types[id]))
				fill_set(session, snapshot_set(snapshot, id),
					 random_next(&random) % (max_rows + 1), &random);
	}
}

/* Returns a value of the golden session: of varying size, but never to change. */
static uint64_t golden_value(struct session *session, const struct field *field, unsigned id,
			     size_t place, uint64_t time)
{
	char text[80];

	if (strcmp(field->name, "time") == 0)
		return time - place * 1000;
	if (field->type != FIELD_STRING)
		return (uint64_t)(id * 37 + place * 11) << (place * 7 % 57);
	snprintf(text, sizeof(text), "%s of %s %zu", field->name, record_types[id].name, place % 5);
	return strmap_put(&session->strings, text);
}

/* The last type that version 1.0 had when its golden file was written. */
#define GOLDEN_LAST RECORD_NAME

void session_make_golden(struct session *session)
{
	begin_session(session, 3);
	for (size_t i = 0; i < session->count; i++) {
		struct snapshot *snapshot = &session->snapshots[i];

		snapshot->sequence = i + 1;
		snapshot->time = 7000000000000 + i * 1000000;
		for (unsigned id = 1; id <= GOLDEN_LAST; id++) {
			struct recordset *set = snapshot_set(snapshot, id);
			uint64_t record[DATASET_TEST_WIDTH];

			for (size_t row = 0; row < i + id % 4; row++) {
				for (size_t f = 0; f < set->type->field_count; f++)
					record[f] = golden_value(session, &set->type->fields[f], id,
								 row + f, snapshot->time);
				recordset_add(set, record);
			}
		}
	}
}

void session_release(struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		snapshot_release(&session->snapshots[i]);
	registry_release(&session->types);
	free(session->snapshots);
	strmap_release(&session->strings);
}

int session_write(const struct session *session, const char *path, bool finish, struct error *err)
{
	struct dataset_writer *writer = dataset_create(path, &session->strings, err);

	RETURN_IF(!writer, -1);
	for (size_t i = 0; i < session->count; i++) {
		if (dataset_write(writer, &session->snapshots[i], err) < 0) {
			dataset_abandon(writer);
			return -1;
		}
	}
	if (finish)
		return dataset_finish(writer, err);
	dataset_abandon(writer);
	return 0;
}

void rows_init(struct rows *rows)
{
	memset(rows, 0, sizeof(*rows));
	strmap_init(&rows->strings);
	for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
		recordset_init(&rows->sets[id], &record_types[id]);
}

void rows_release(struct rows *rows)
{
	for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
		recordset_release(&rows->sets[id]);
	strmap_release(&rows->strings);
}

int rows_add(void *argument, const struct snapshot *snapshot, const struct strmap *strings)
{
	struct rows *rows = argument;

	for (unsigned id = 1; id < RECORD_ID_COUNT; id++) {
		const struct record_type *type = &record_types[id];
		const struct recordset *set = snapshot_records(snapshot, id);

		for (size_t row = 0; row < set->count; row++) {
			uint64_t record[DATASET_TEST_WIDTH];

			memcpy(record, recordset_get(set, row), type->size);
			for (size_t i = 0; i < type->field_count; i++)
				if (type->fields[i].type == FIELD_STRING)
					record[i] = strmap_put(
						&rows->strings,
						strmap_text(strings, (uint32_t)record[i]));
			recordset_add(&rows->sets[id], record);
		}
	}
	rows->snapshots++;
	rows->last_sequence = snapshot->sequence;
	rows->last_time = snapshot->time;
	return 0;
}

int rows_read(struct rows *rows, const char *path, struct dataset_status *status, struct error *err)
{
	struct strmap strings;
	int result;

	strmap_init(&strings);
	/* Existing strings of the table must not affect the result. */
	strmap_put(&strings, "before");
	memset(status, 0, sizeof(*status));
	result = dataset_read(path, &session_records, &strings, rows_add, rows, status, err);
	strmap_release(&strings);
	return result;
}

int rows_read_image(struct rows *rows, const void *image, size_t length,
		    struct dataset_status *status, struct error *err)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	char path[64];
	int result;

	RETURN_IF(fd < 0 || write(fd, image, length) != (ssize_t)length,
		  error_errno(err, "no file in memory"));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	result = rows_read(rows, path, status, err);
	close(fd);
	return result;
}

size_t rows_total(const struct rows *rows)
{
	size_t total = 0;

	for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
		total += rows->sets[id].count;
	return total;
}

/* Returns whether a field of two rows is equal; texts are compared by content. */
static bool same_value(const struct rows *a, const struct rows *b, const struct field *field,
		       uint64_t value_a, uint64_t value_b)
{
	if (field->type != FIELD_STRING)
		return value_a == value_b;
	return strcmp(strmap_text(&a->strings, (uint32_t)value_a),
		      strmap_text(&b->strings, (uint32_t)value_b)) == 0;
}

/* Compares the rows of one type. */
static void compare_sets(const struct rows *rows, const struct rows *expected, unsigned id,
			 struct strbuf *sb)
{
	const struct record_type *type = &record_types[id];
	const struct recordset *a = &rows->sets[id], *b = &expected->sets[id];
	const uint64_t *left = (const uint64_t *)(const void *)a->rows;
	const uint64_t *right = (const uint64_t *)(const void *)b->rows;

	if (a->count != b->count) {
		strbuf_addf(sb, "%zu rows of %s, expected %zu", a->count, type->name, b->count);
		return;
	}
	for (size_t at = 0; at < a->count * type->field_count; at++) {
		const struct field *field = &type->fields[at % type->field_count];

		if (same_value(rows, expected, field, left[at], right[at]))
			continue;
		strbuf_addf(sb, "row %zu of %s: %s is %" PRIu64 ", expected %" PRIu64,
			    at / type->field_count, type->name, field->name, left[at],
			    right[at]);
		return;
	}
}

void rows_compare(const struct rows *rows, const struct rows *expected, struct strbuf *sb)
{
	for (unsigned id = 1; id < RECORD_ID_COUNT && !sb->length; id++)
		compare_sets(rows, expected, id, sb);
	if (!sb->length && (rows->last_sequence != expected->last_sequence ||
			    rows->last_time != expected->last_time))
		strbuf_addf(sb, "the last snapshot is another");
}
