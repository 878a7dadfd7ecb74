/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of record types made at run time, of fields of all types, and of
 * missing values: in memory, and in a file whose reader knows them only by their
 * description.
 *
 * 	test-fields golden PATH	writes the golden file of version 1.1
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

/* A record with a member of each type. */
struct record_weather {
	uint64_t station;
	int64_t height;
	uint64_t place; /* string number */
	uint8_t cloud;
	int8_t degrees;
	uint16_t wind;
	int16_t shift;
	uint32_t rain;
	int32_t balance;
	double pressure;
	struct record_bytes picture;
};

#define WEATHER(member, kind, unit, sense, optional, meaning) \
	{ \
#member, FIELD_##kind, unit, SENSE_##sense, optional, \
			offsetof(struct record_weather, member), meaning \
	}

static const struct field weather_fields[] = {
	WEATHER(station, UNSIGNED, "id", NONE, false, "number of the station"),
	WEATHER(height, SIGNED, "m", LEVEL, true, "above the sea"),
	WEATHER(place, STRING, "text", NONE, true, "where it stands"),
	WEATHER(cloud, U8, "eighth", LEVEL, true, "cover of clouds"),
	WEATHER(degrees, I8, "celsius", LEVEL, true, "air temperature"),
	WEATHER(wind, U16, "mm/s", LEVEL, false, "speed of the wind"),
	WEATHER(shift, I16, "mm/s", AMOUNT, true, "by how much it changed"),
	WEATHER(rain, U32, "ml", COUNTER, true, "rain since the station was built"),
	WEATHER(balance, I32, "J", AMOUNT, false, "heat in less heat out"),
	WEATHER(pressure, DOUBLE, "hPa", LEVEL, true, "air pressure"),
	WEATHER(picture, BYTES, "bytes", NONE, true, "the sky"),
};

static const struct record_type weather = { .name = "weather",
					    .fields = weather_fields,
					    .field_count = ARRAY_SIZE(weather_fields),
					    .size = sizeof(struct record_weather),
					    .meaning = "what a station saw" };

/* A collection to be stored. */
struct stock {
	struct registry types;
	struct snapshot snapshot;
	struct strmap strings;
	const struct record_type *type;
};

static void stock_init(struct stock *stock)
{
	struct error err = ERROR_INIT;

	registry_init(&stock->types, &session_records);
	strmap_init(&stock->strings);
	strmap_put(&stock->strings, "");
	stock->type = registry_add(&stock->types, &weather, &err);
	assert_non_null(stock->type);
	snapshot_init(&stock->snapshot, &stock->types);
	stock->snapshot.sequence = 1;
	stock->snapshot.time = 5000000;
}

static void stock_release(struct stock *stock)
{
	snapshot_release(&stock->snapshot);
	strmap_release(&stock->strings);
	registry_release(&stock->types);
}

/* Sets all members of a row that may be missing to missing. */
static void set_missing(struct record_weather *row)
{
	for (size_t i = 0; i < ARRAY_SIZE(weather_fields); i++)
		field_set_missing(&weather_fields[i],
				  (unsigned char *)row + weather_fields[i].offset);
}

/*
 * Makes the rows of the golden file: all values present, at the limits, and all
 * missing that may be.
 */
static void fill(struct stock *stock)
{
	struct recordset *set = snapshot_set(&stock->snapshot, stock->type->id);
	struct record_weather row = {
		.station = 1,
		.height = -7,
		.place = strmap_put(&stock->strings, "DE BILT"),
		.cloud = 8,
		.degrees = -20,
		.wind = 12000,
		.shift = -300,
		.rain = 4000000000,
		.balance = -2000000000,
		.pressure = 1013.25,
		.picture = recordset_put_bytes(set, "grey\0grey", 9),
	};

	recordset_add(set, &row);
	row = (struct record_weather){ .station = UINT64_MAX,
				       .height = INT64_MAX,
				       .cloud = 254,
				       .degrees = INT8_MAX,
				       .wind = UINT16_MAX,
				       .shift = INT16_MAX,
				       .rain = UINT32_MAX - 1,
				       .balance = INT32_MIN,
				       .pressure = -0.0,
				       .picture = recordset_put_bytes(set, "", 0) };
	recordset_add(set, &row);
	set_missing(&row);
	row.station = 3;
	recordset_add(set, &row);
	row = (struct record_weather){ .station = 4, .picture = recordset_put_bytes(set, "x", 1) };
	recordset_add(set, &row);
	recordset_add(snapshot_set(&stock->snapshot, RECORD_SAMPLE),
		      &(struct record_sample){ .time = 4999999, .task = 1, .stack = 2 });
	recordset_add(snapshot_set(&stock->snapshot, RECORD_CLOCK),
		      &(struct record_clock){ .time = 5000000, .wall = 1700000000005000000 });
}

/* Returns a value of a row, which must be present. */
static struct field_value value_of(const struct recordset *set, size_t row, const char *name)
{
	struct field_value value;

	for (size_t i = 0; i < set->type->field_count; i++)
		if (strcmp(set->type->fields[i].name, name) == 0) {
			if (!recordset_value(set, row, i, &value))
				fail_msg("%s of row %zu is missing", name, row);
			return value;
		}
	fail_msg("there is no field %s", name);
	return value;
}

/* Checks the first two rows. */
static void assert_values(const struct recordset *set, const struct strmap *strings)
{
	struct field_value value;

	assert_int_equal(value_of(set, 0, "station").number, 1);
	assert_true(value_of(set, 0, "height").integer == -7);
	assert_string_equal(strmap_text(strings, (uint32_t)value_of(set, 0, "place").number),
			    "DE BILT");
	assert_int_equal(value_of(set, 0, "cloud").number, 8);
	assert_true(value_of(set, 0, "degrees").integer == -20);
	assert_int_equal(value_of(set, 0, "wind").number, 12000);
	assert_true(value_of(set, 0, "shift").integer == -300);
	assert_int_equal(value_of(set, 0, "rain").number, 4000000000);
	assert_true(value_of(set, 0, "balance").integer == -2000000000);
	assert_true(value_of(set, 0, "pressure").real == 1013.25);
	value = value_of(set, 0, "picture");
	assert_int_equal(value.bytes.length, 9);
	assert_memory_equal(value.bytes.data, "grey\0grey", 9);
	assert_true(value_of(set, 1, "station").number == UINT64_MAX);
	assert_true(value_of(set, 1, "height").integer == INT64_MAX);
	assert_int_equal(value_of(set, 1, "place").number, 0);
	assert_int_equal(value_of(set, 1, "cloud").number, 254);
	assert_true(value_of(set, 1, "degrees").integer == INT8_MAX);
	assert_true(value_of(set, 1, "shift").integer == INT16_MAX);
	assert_int_equal(value_of(set, 1, "rain").number, UINT32_MAX - 1);
	assert_true(value_of(set, 1, "balance").integer == INT32_MIN);
	assert_true(value_of(set, 1, "pressure").real == 0 &&
		    signbit(value_of(set, 1, "pressure").real));
	assert_int_equal(value_of(set, 1, "picture").bytes.length, 0);
}

/* Checks a set made by fill, wherever it has been since. */
static void assert_filled(const struct recordset *set, const struct strmap *strings)
{
	assert_int_equal(set->count, 4);
	assert_values(set, strings);
	for (size_t i = 0; i < ARRAY_SIZE(weather_fields); i++) {
		struct field_value value;

		assert_string_equal(set->type->fields[i].name, weather_fields[i].name);
		assert_true(recordset_value(set, 2, i, &value) == !weather_fields[i].optional);
		/* A value of 0 is present. */
		assert_true(recordset_value(set, 3, i, &value));
	}
	assert_int_equal(value_of(set, 3, "rain").number, 0);
	assert_memory_equal(value_of(set, 3, "picture").bytes.data, "x", 1);
}

static void values_are_read_by_their_description(void **state UNUSED)
{
	struct stock stock;

	stock_init(&stock);
	fill(&stock);
	assert_filled(snapshot_records(&stock.snapshot, stock.type->id), &stock.strings);
	stock_release(&stock);
}

/* Returns whether a row's station is odd. */
static bool is_odd(void *argument UNUSED, const void *record)
{
	return ((const struct record_weather *)record)->station % 2;
}

static void rows_and_their_bytes_are_copied_and_dropped(void **state UNUSED)
{
	struct stock stock, other;
	struct recordset *set;

	stock_init(&stock);
	fill(&stock);
	stock_init(&other);
	other.snapshot.types = &stock.types;
	set = snapshot_set(&other.snapshot, stock.type->id);
	recordset_put_bytes(set, "before", 6);
	recordset_append(set, snapshot_records(&stock.snapshot, stock.type->id));
	assert_filled(set, &stock.strings);
	recordset_keep(set, is_odd, NULL);
	assert_int_equal(set->count, 3);
	assert_int_equal(value_of(set, 2, "station").number, 3);
	assert_values(set, &stock.strings);
	snapshot_clear(&other.snapshot);
	assert_true(snapshot_is_empty(&other.snapshot));
	stock_release(&other);
	stock_release(&stock);
}

/* Asserts that a description is refused, and the reason. */
static void assert_refused(const struct record_type *type, const char *text)
{
	struct registry types;
	struct error err = ERROR_INIT;

	registry_init(&types, &session_records);
	assert_null(registry_add(&types, type, &err));
	assert_string_equal(error_text(&err), text);
	error_release(&err);
	registry_release(&types);
}

static void wrong_descriptions_are_refused(void **state UNUSED)
{
	static const struct field overlap[] = {
		{ "a", FIELD_UNSIGNED, "id", SENSE_NONE, false, 0, "" },
		{ "b", FIELD_U32, "id", SENSE_NONE, false, 4, "" },
	};
	static const struct field beyond[] = {
		{ "a", FIELD_UNSIGNED, "id", SENSE_NONE, false, 8, "" },
	};
	static const struct field skew[] = { { "a", FIELD_U32, "id", SENSE_NONE, false, 2, "" } };
	static const struct field twice[] = {
		{ "a", FIELD_U32, "id", SENSE_NONE, false, 0, "" },
		{ "a", FIELD_U32, "id", SENSE_NONE, false, 4, "" },
	};

	assert_refused(&(struct record_type){ 0, "x", overlap, 2, 8, "", false, NULL },
		       "the description of field 2 of record type x is wrong");
	assert_refused(&(struct record_type){ 0, "x", beyond, 1, 8, "", false, NULL },
		       "the description of field 1 of record type x is wrong");
	assert_refused(&(struct record_type){ 0, "x", skew, 1, 8, "", false, NULL },
		       "the description of field 1 of record type x is wrong");
	assert_refused(&(struct record_type){ 0, "x", twice, 2, 8, "", false, NULL },
		       "the description of field 2 of record type x is wrong");
	assert_refused(&(struct record_type){ 0, "x", twice, 1, 7, "", false, NULL },
		       "the size of record type x is not a multiple of 8");
	assert_refused(&(struct record_type){ 0, "x", twice, 0, 8, "", false, NULL },
		       "record type x does not have 1 to 256 fields");
	assert_refused(&(struct record_type){ 0, "sample", twice, 1, 8, "", false, NULL },
		       "record type sample already exists with other fields");
}

/* Fields that touch do not overlap, in whatever order they are described. */
static void fields_may_be_described_in_any_order(void **state UNUSED)
{
	static const struct field fields[] = {
		{ "third", FIELD_U32, "", SENSE_NONE, false, 4, "" },
		{ "last", FIELD_UNSIGNED, "", SENSE_NONE, false, 8, "" },
		{ "second", FIELD_U16, "", SENSE_NONE, false, 2, "" },
		{ "first", FIELD_U16, "", SENSE_NONE, false, 0, "" },
	};
	static const struct record_type type = { .name = "any order",
						 .fields = fields,
						 .field_count = ARRAY_SIZE(fields),
						 .size = 16 };
	struct error err = ERROR_INIT;
	struct registry types;

	registry_init(&types, &session_records);
	if (!registry_add(&types, &type, &err))
		fail_msg("%s", error_text(&err));
	registry_release(&types);
}

static void a_registry_has_an_end(void **state UNUSED)
{
	static const struct field fields[] = {
		{ "a", FIELD_UNSIGNED, "id", SENSE_NONE, false, 0, "" },
	};
	struct registry types;
	struct error err = ERROR_INIT;
	const struct record_type *type;
	unsigned count = 0;

	registry_init(&types, &session_records);
	do {
		char name[32];
		const struct record_type next = { 0, name, fields, 1, 8, "", false, NULL };

		snprintf(name, sizeof(name), "type %u", count);
		type = registry_add(&types, &next, &err);
		count += type != NULL;
		/* Adding the same type again returns the same. */
		assert_ptr_equal(registry_add(&types, &next, &err), type);
	} while (type);
	assert_int_equal(count, RECORD_TYPES_MAX - RECORD_RUNTIME_FIRST);
	assert_string_equal(error_text(&err),
			    "there are already 1024 record types; type 960 is one too many");
	error_release(&err);
	registry_release(&types);
}

/* Results of reading a file. */
struct found {
	unsigned snapshots;
	size_t pictures;
	size_t bytes;
};

/* Checks the snapshot of the golden file, with types known only from it. */
static int check_golden(void *argument, const struct snapshot *snapshot,
			const struct strmap *strings)
{
	struct found *found = argument;
	const struct record_type *type = registry_find(snapshot->types, "weather");

	assert_non_null(type);
	assert_true(type->id >= RECORD_RUNTIME_FIRST);
	assert_string_equal(type->meaning, weather.meaning);
	assert_int_equal(type->field_count, weather.field_count);
	for (size_t i = 0; i < type->field_count; i++) {
		assert_int_equal(type->fields[i].type, weather_fields[i].type);
		assert_int_equal(type->fields[i].sense, weather_fields[i].sense);
		assert_int_equal(type->fields[i].optional, weather_fields[i].optional);
		assert_string_equal(type->fields[i].unit, weather_fields[i].unit);
		assert_string_equal(type->fields[i].meaning, weather_fields[i].meaning);
	}
	assert_filled(snapshot_records(snapshot, type->id), strings);
	assert_int_equal(snapshot_records(snapshot, RECORD_SAMPLE)->count, 1);
	assert_int_equal(snapshot->time, 5000000);
	assert_int_equal(snapshot->wall, 1700000000005000000);
	found->snapshots++;
	return 0;
}

/* Reads a file with the rows that fill makes. */
static void assert_golden(const char *path, const char *version)
{
	struct error err = ERROR_INIT;
	struct dataset_status status = { 0 };
	struct found found = { 0, 0, 0 };
	struct strmap strings;

	strmap_init(&strings);
	if (dataset_read(path, &session_records, &strings, check_golden, &found, &status, &err) < 0)
		fail_msg("%s", error_text(&err));
	assert_int_equal(found.snapshots, 1);
	assert_int_equal(status.damaged_blocks, 0);
	assert_int_equal(status.unknown_blocks, 0);
	assert_true(status.complete);
	assert_string_equal(status.version, version);
	strmap_release(&strings);
}

/* Writes a stock as a data set. */
static void store(struct stock *stock, const char *path)
{
	struct error err = ERROR_INIT;
	struct dataset_writer *writer = dataset_create(path, &stock->strings, &err);

	assert_non_null(writer);
	assert_int_equal(dataset_write(writer, &stock->snapshot, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
}

static void fields_of_all_types_come_back(void **state UNUSED)
{
	char path[] = "/tmp/test-fields.XXXXXX";
	struct stock stock;

	close(mkstemp(path));
	stock_init(&stock);
	fill(&stock);
	store(&stock, path);
	assert_golden(path, "1.2");
	unlink(path);
	stock_release(&stock);
}

static void version_1_1_is_read(void **state UNUSED)
{
	const char *source = getenv("VIGIL_SOURCE");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/dataset/version-1.1.vprf", source ? source : "..");
	assert_golden(path, "1.1");
}

/* Counts blocks of bytes; length and content of each must match its station. */
static int count_pictures(void *argument, const struct snapshot *snapshot,
			  const struct strmap *strings UNUSED)
{
	struct found *found = argument;
	const struct recordset *set =
		snapshot_records(snapshot, registry_find(snapshot->types, "weather")->id);

	for (size_t i = 0; i < set->count; i++) {
		struct field_value value = value_of(set, i, "picture");
		uint64_t station = value_of(set, i, "station").number;

		assert_int_equal(value.bytes.length, station * 1000);
		for (size_t j = 0; j < value.bytes.length; j++)
			assert_int_equal(((const unsigned char *)value.bytes.data)[j],
					 station % 251);
		found->pictures++;
		found->bytes += value.bytes.length;
	}
	found->snapshots++;
	return 0;
}

static void bulk_data_takes_several_blocks(void **state UNUSED)
{
	char path[] = "/tmp/test-fields.XXXXXX";
	struct dataset_status status = { 0 };
	struct error err = ERROR_INIT;
	struct found found = { 0, 0, 0 };
	struct recordset *set;
	struct stock stock;
	struct strmap strings;

	close(mkstemp(path));
	stock_init(&stock);
	strmap_init(&strings);
	set = snapshot_set(&stock.snapshot, stock.type->id);
	for (uint64_t i = 1000; i <= 1040; i++) {
		struct record_weather row = { .station = i };
		void *picture = xmalloc(i * 1000);

		memset(picture, (int)(i % 251), i * 1000);
		row.picture = recordset_put_bytes(set, picture, i * 1000);
		recordset_add(set, &row);
		free(picture);
	}
	store(&stock, path);
	assert_int_equal(dataset_read(path, &session_records, &strings, count_pictures, &found, &status, &err), 0);
	assert_int_equal(status.damaged_blocks, 0);
	assert_int_equal(found.pictures, 41);
	assert_int_equal(found.bytes, 41 * 1020000);
	assert_true(found.snapshots > 1);
	unlink(path);
	strmap_release(&strings);
	stock_release(&stock);
}

/* A type of the same name, from another version of the program. */
struct record_other {
	uint64_t cloud; /* wider */
	uint64_t wind;
	uint64_t fog;	  /* not in the file */
	uint32_t station; /* narrower */
	uint32_t place;	  /* now a number */
};

static void a_type_of_ours_takes_what_is_alike(void **state UNUSED)
{
	static const struct field fields[] = {
		{ "cloud", FIELD_UNSIGNED, "eighth", SENSE_LEVEL, true,
		  offsetof(struct record_other, cloud), "" },
		{ "wind", FIELD_UNSIGNED, "mm/s", SENSE_LEVEL, false,
		  offsetof(struct record_other, wind), "" },
		{ "fog", FIELD_UNSIGNED, "m", SENSE_LEVEL, true, offsetof(struct record_other, fog),
		  "" },
		{ "station", FIELD_U32, "id", SENSE_NONE, false,
		  offsetof(struct record_other, station), "" },
		{ "place", FIELD_U32, "id", SENSE_NONE, true, offsetof(struct record_other, place),
		  "" },
	};
	static const struct record_type type = { .name = "weather",
						 .fields = fields,
						 .field_count = ARRAY_SIZE(fields),
						 .size = sizeof(struct record_other) };
	const char *source = getenv("VIGIL_SOURCE");
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;
	struct dataset_extractor extractor = { 0 };
	const struct recordset *set;
	const struct record_other *row;
	const struct record_type *ours;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/dataset/version-1.1.vprf", source ? source : "..");
	extractor.path = path;
	ours = registry_add(engine_types(engine), &type, &err);
	assert_non_null(ours);
	assert_non_null(engine_add(engine, &dataset_extractor_class, &extractor, &err));
	assert_int_equal(engine_start_extraction(engine, &err), 0);
	assert_int_equal(engine_snapshot(engine, &err), 0);
	assert_int_equal(engine_snapshot(engine, &err), 1);
	set = snapshot_records(engine_previous(engine), ours->id);
	assert_int_equal(set->count, 4);
	row = recordset_get(set, 0);
	assert_int_equal(row->cloud, 8);
	assert_int_equal(row->wind, 12000);
	assert_int_equal(row->station, 1);
	/* Missing in the file, or of another kind: missing, not 0. */
	assert_true(row->fog == UINT64_MAX);
	assert_true(row->place == UINT32_MAX);
	row = recordset_get(set, 1);
	/* Too large for the narrower field. */
	assert_int_equal(row->station, UINT32_MAX);
	row = recordset_get(set, 2);
	assert_true(row->cloud == UINT64_MAX);
	assert_int_equal(engine_finish(engine, &err), 0);
	engine_free(engine);
}

/* Another program's catalogue: the engine's records, and two types with many rows. */
enum { RECORD_FIRST_MANY = 5, RECORD_SECOND_MANY = 40, OWN_TYPES };

struct record_many {
	uint64_t number;
};

static const struct field many_fields[] = {
	{ "number", FIELD_UNSIGNED, "number", SENSE_NONE, false, 0, "which row" },
};

static struct record_catalogue own_catalogue(struct record_type types[OWN_TYPES])
{
	static const unsigned needed[] = { RECORD_ATTRIBUTE, RECORD_NOTE, RECORD_CLOCK };

	memset(types, 0, OWN_TYPES * sizeof(*types));
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		types[needed[i]] = session_records.types[needed[i]];
	types[RECORD_FIRST_MANY] = (struct record_type){ RECORD_FIRST_MANY, "first", many_fields, 1,
							 sizeof(struct record_many), "", true, NULL };
	types[RECORD_SECOND_MANY] =
		(struct record_type){ RECORD_SECOND_MANY, "second", many_fields, 1,
				      sizeof(struct record_many), "", true, NULL };
	return (struct record_catalogue){ types, OWN_TYPES };
}

/* Counts the rows of the program's types, which come in order. */
static int count_own(void *argument, const struct snapshot *snapshot,
		     const struct strmap *strings UNUSED)
{
	static const unsigned ids[] = { RECORD_ATTRIBUTE, RECORD_FIRST_MANY, RECORD_SECOND_MANY };
	size_t *counts = argument;

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		const struct recordset *set = snapshot_records(snapshot, ids[i]);

		for (size_t j = 0; i && j < set->count; j++)
			assert_int_equal(((const struct record_many *)recordset_get(set, j))->number,
					 counts[i] + j);
		counts[i] += set->count;
	}
	return 0;
}

/* Reads the file, with or without the separate blocks. */
static void assert_own(const char *path, const struct record_catalogue *own, bool few, size_t each)
{
	struct dataset_status status = { 0 };
	struct error err = ERROR_INIT;
	size_t counts[3] = { 0, 0, 0 };
	struct strmap strings;

	strmap_init(&strings);
	assert_int_equal((few ? dataset_read_few : dataset_read)(path, own, &strings, count_own, counts,
								 &status, &err),
			 0);
	assert_true(status.complete);
	assert_int_equal(counts[0], 1);
	assert_int_equal(counts[1], each);
	assert_int_equal(counts[2], each);
	assert_int_equal(status.passed_events > 0, few);
	strmap_release(&strings);
}

/* The engine itself has three types; of those with many rows, each is in separate blocks. */
static void another_catalogue_has_its_own_types(void **state UNUSED)
{
	char path[] = "/tmp/test-fields.XXXXXX";
	struct record_type types[OWN_TYPES];
	struct record_catalogue own = own_catalogue(types);
	struct error err = ERROR_INIT;
	struct record_attribute fact;
	struct dataset_writer *writer;
	struct snapshot snapshot;
	struct registry registry;
	struct strmap strings;

	close(mkstemp(path));
	registry_init(&registry, &own);
	strmap_init(&strings);
	snapshot_init(&snapshot, &registry);
	snapshot.sequence = 1;
	fact.key = strmap_put(&strings, "key");
	fact.value = strmap_put(&strings, "value");
	recordset_add(snapshot_set(&snapshot, RECORD_ATTRIBUTE), &fact);
	for (uint64_t i = 0; i < 1000; i++) {
		struct record_many row = { i };

		recordset_add(snapshot_set(&snapshot, RECORD_FIRST_MANY), &row);
		recordset_add(snapshot_set(&snapshot, RECORD_SECOND_MANY), &row);
	}
	writer = dataset_create(path, &strings, &err);
	assert_non_null(writer);
	assert_int_equal(dataset_write(writer, &snapshot, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	assert_own(path, &own, false, 1000);
	assert_own(path, &own, true, 0);
	engine_free(engine_new(&own));
	unlink(path);
	snapshot_release(&snapshot);
	strmap_release(&strings);
	registry_release(&registry);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_read_by_their_description),
		cmocka_unit_test(rows_and_their_bytes_are_copied_and_dropped),
		cmocka_unit_test(wrong_descriptions_are_refused),
		cmocka_unit_test(fields_may_be_described_in_any_order),
		cmocka_unit_test(a_registry_has_an_end),
		cmocka_unit_test(fields_of_all_types_come_back),
		cmocka_unit_test(version_1_1_is_read),
		cmocka_unit_test(bulk_data_takes_several_blocks),
		cmocka_unit_test(a_type_of_ours_takes_what_is_alike),
		cmocka_unit_test(another_catalogue_has_its_own_types),
	};

	if (argc == 3 && strcmp(argv[1], "golden") == 0) {
		struct stock stock;

		stock_init(&stock);
		fill(&stock);
		store(&stock, argv[2]);
		stock_release(&stock);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
