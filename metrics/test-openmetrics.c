/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of OpenMetrics text, and of the state kept of records reported only on change. */
#include "common/compat.h"
#include "engine/registry.h"
#include "metrics/openmetrics.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

struct probe {
	uint64_t name, place, busy, memory, runs_total;
	int64_t heat;
	double share;
	uint64_t total;
};

#define MEMBER(name) offsetof(struct probe, name)
static const struct field probe_fields[] = {
	{ "name", FIELD_STRING, "name", SENSE_NONE, false, MEMBER(name), "The probe." },
	{ "place", FIELD_STRING, "name", SENSE_LEVEL, true, MEMBER(place), "Where it is." },
	{ "busy", FIELD_UNSIGNED, "ns", SENSE_COUNTER, true, MEMBER(busy), "Time \"in\"\nuse\\." },
	{ "memory", FIELD_UNSIGNED, "pages", SENSE_LEVEL, true, MEMBER(memory), "Its memory." },
	{ "runs_total", FIELD_UNSIGNED, "count", SENSE_COUNTER, true, MEMBER(runs_total), "Runs." },
	{ "heat", FIELD_SIGNED, "ms", SENSE_LEVEL, true, MEMBER(heat), "How far it is off." },
	{ "share", FIELD_DOUBLE, "percent", SENSE_LEVEL, true, MEMBER(share), "How full it is." },
	{ "total", FIELD_UNSIGNED, "count", SENSE_LEVEL, true, MEMBER(total), "All of it." },
};
static const struct record_type probe_type = { .name = "probe",
					       .fields = probe_fields,
					       .field_count = ARRAY_SIZE(probe_fields),
					       .size = sizeof(struct probe),
					       .meaning = "A probe." };

struct part {
	uint64_t name, present, size;
};
static const struct field part_fields[] = {
	{ "name", FIELD_STRING, "name", SENSE_NONE, false, offsetof(struct part, name), "It." },
	{ "present", FIELD_UNSIGNED, "flag", SENSE_LEVEL, false, offsetof(struct part, present),
	  "Whether it is there." },
	{ "size", FIELD_UNSIGNED, "bytes", SENSE_LEVEL, true, offsetof(struct part, size),
	  "Size." },
};
static const struct record_type part_type = { .name = "part",
					      .fields = part_fields,
					      .field_count = ARRAY_SIZE(part_fields),
					      .size = sizeof(struct part),
					      .meaning = "A part." };

/* The simulated machine of a test. */
struct scene {
	struct registry types;
	struct strmap strings;
	struct snapshot snapshot;
	struct present_records present;
	const struct record_type *probe, *part;
	struct strbuf text;
};

static int begin(void **state)
{
	static struct scene scene;

	scene = (struct scene){ .text = STRBUF_INIT };
	registry_init(&scene.types, &session_records);
	strmap_init(&scene.strings);
	scene.probe = registry_add(&scene.types, &probe_type, NULL);
	scene.part = registry_add(&scene.types, &part_type, NULL);
	snapshot_init(&scene.snapshot, &scene.types);
	scene.snapshot.sequence = 7;
	scene.snapshot.wall = 1700000000250000000;
	*state = &scene;
	return 0;
}

static int finish(void **state)
{
	struct scene *scene = *state;

	present_release(&scene->present);
	snapshot_release(&scene->snapshot);
	strmap_release(&scene->strings);
	registry_release(&scene->types);
	strbuf_release(&scene->text);
	return 0;
}

/* Makes a probe with nothing but its name. */
static struct probe make_probe(struct scene *scene, const char *name)
{
	return (struct probe){ .name = strmap_put(&scene->strings, name),
			       .place = UINT64_MAX,
			       .busy = UINT64_MAX,
			       .memory = UINT64_MAX,
			       .runs_total = UINT64_MAX,
			       .heat = INT64_MIN,
			       .share = __builtin_nan(""),
			       .total = UINT64_MAX };
}

static void add_probe(struct scene *scene, const struct probe *probe)
{
	recordset_add(snapshot_set(&scene->snapshot, scene->probe->id), probe);
}

/* Returns the text after the metrics on the snapshot itself. */
static const char *text_of(struct scene *scene)
{
	static const char head[] =
		"# HELP vigil_snapshots Snapshots that the collection has taken.\n"
		"# TYPE vigil_snapshots counter\nvigil_snapshots_total 7\n";
	const char *body;

	strbuf_reset(&scene->text);
	present_take(&scene->present, &scene->snapshot);
	openmetrics_add(&scene->text, &scene->snapshot, &scene->present, &scene->strings);
	assert_memory_equal(scene->text.text, head, sizeof(head) - 1);
	body = strstr(scene->text.text, "\nvigil_snapshot_time_seconds 1700000000.250000000\n");
	assert_non_null(body);
	return body + strlen("\nvigil_snapshot_time_seconds 1700000000.250000000\n");
}

static void values_are_in_base_units_and_missing_ones_are_absent(void **state)
{
	struct scene *scene = *state;
	struct probe one = make_probe(scene, "one"), two = make_probe(scene, "two");
	struct strbuf wanted = STRBUF_INIT;

	one.busy = 1500000001;
	one.memory = 3;
	one.runs_total = UINT64_MAX - 1;
	two.busy = 0;
	two.heat = -1250;
	two.share = 12.5;
	two.total = 4;
	add_probe(scene, &one);
	add_probe(scene, &two);
	strbuf_addf(&wanted,
		    "# HELP vigil_probe_info A probe.\n# TYPE vigil_probe_info gauge\n"
		    "vigil_probe_info{name=\"one\"} 1\nvigil_probe_info{name=\"two\"} 1\n"
		    "# HELP vigil_probe_busy_seconds Time \\\"in\\\"\\nuse\\\\.\n"
		    "# TYPE vigil_probe_busy_seconds counter\n"
		    "# UNIT vigil_probe_busy_seconds seconds\n"
		    "vigil_probe_busy_seconds_total{name=\"one\"} 1.500000001\n"
		    "vigil_probe_busy_seconds_total{name=\"two\"} 0\n"
		    "# HELP vigil_probe_memory_bytes Its memory.\n"
		    "# TYPE vigil_probe_memory_bytes gauge\n"
		    "# UNIT vigil_probe_memory_bytes bytes\n"
		    "vigil_probe_memory_bytes{name=\"one\"} %ld\n"
		    "# HELP vigil_probe_runs Runs.\n# TYPE vigil_probe_runs counter\n"
		    "vigil_probe_runs_total{name=\"one\"} 18446744073709551614\n"
		    "# HELP vigil_probe_heat_seconds How far it is off.\n"
		    "# TYPE vigil_probe_heat_seconds gauge\n"
		    "# UNIT vigil_probe_heat_seconds seconds\n"
		    "vigil_probe_heat_seconds{name=\"two\"} -1.25\n"
		    "# HELP vigil_probe_share_ratio How full it is.\n"
		    "# TYPE vigil_probe_share_ratio gauge\n# UNIT vigil_probe_share_ratio ratio\n"
		    "vigil_probe_share_ratio{name=\"two\"} 0.125\n"
		    "# HELP vigil_probe_total_value All of it.\n"
		    "# TYPE vigil_probe_total_value gauge\n"
		    "vigil_probe_total_value{name=\"two\"} 4\n# EOF\n",
		    3 * sysconf(_SC_PAGESIZE));
	assert_string_equal(text_of(scene), wanted.text);
	strbuf_release(&wanted);
}

static void labels_are_escaped(void **state)
{
	struct scene *scene = *state;
	struct probe probe = make_probe(scene, "a \"b\"\n\\\xff\xc3\xa4");

	probe.place = strmap_put(&scene->strings, "here");
	probe.total = 1;
	add_probe(scene, &probe);
	text_of(scene);
	assert_non_null(strstr(scene->text.text,
			       "vigil_probe_info{name=\"a \\\"b\\\"\\n\\\\\xef\xbf\xbd\xc3\xa4\","
			       "place=\"here\"} 1\n"));
}

/* No two samples have the same name and labels. */
static void records_of_one_name_are_told_apart(void **state)
{
	struct scene *scene = *state;
	struct probe one = make_probe(scene, "same"), two = make_probe(scene, "other");

	one.total = 1;
	two.total = 2;
	add_probe(scene, &one);
	add_probe(scene, &two);
	add_probe(scene, &one);
	text_of(scene);
	assert_non_null(
		strstr(scene->text.text, "vigil_probe_info{record=\"3\",name=\"same\"} 1\n"));
	assert_non_null(strstr(scene->text.text, "vigil_probe_total_value{record=\"1\"} 1\n"
						 "vigil_probe_total_value{record=\"2\"} 2\n"
						 "vigil_probe_total_value{record=\"3\"} 1\n"));
}

static void publish(struct scene *scene, const char *name, uint64_t present, uint64_t size)
{
	const struct part part = { strmap_put(&scene->strings, name), present, size };

	recordset_add(snapshot_set(&scene->snapshot, scene->part->id), &part);
}

/* Records reported only on change stay as last reported, until they are reported gone. */
static void what_is_told_once_stays(void **state)
{
	struct scene *scene = *state;

	publish(scene, "a", 1, 10);
	publish(scene, "b", 1, 20);
	publish(scene, "c", 1, 30);
	text_of(scene);
	snapshot_clear(&scene->snapshot);
	text_of(scene);
	assert_non_null(strstr(scene->text.text, "vigil_part_size_bytes{name=\"a\"} 10\n"
						 "vigil_part_size_bytes{name=\"b\"} 20\n"
						 "vigil_part_size_bytes{name=\"c\"} 30\n"));
	publish(scene, "a", 0, UINT64_MAX);
	publish(scene, "c", 1, 31);
	publish(scene, "d", 0, UINT64_MAX);
	text_of(scene);
	assert_non_null(strstr(scene->text.text, "# UNIT vigil_part_size_bytes bytes\n"
						 "vigil_part_size_bytes{name=\"c\"} 31\n"
						 "vigil_part_size_bytes{name=\"b\"} 20\n"));
	assert_null(strstr(scene->text.text, "{name=\"a\"}"));
	snapshot_clear(&scene->snapshot);
	publish(scene, "b", 0, UINT64_MAX);
	publish(scene, "c", 0, UINT64_MAX);
	text_of(scene);
	assert_null(present_get(&scene->present, scene->part->id));
	assert_null(present_get(&scene->present, scene->probe->id));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			values_are_in_base_units_and_missing_ones_are_absent, begin, finish),
		cmocka_unit_test_setup_teardown(labels_are_escaped, begin, finish),
		cmocka_unit_test_setup_teardown(records_of_one_name_are_told_apart, begin, finish),
		cmocka_unit_test_setup_teardown(what_is_told_once_stays, begin, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
