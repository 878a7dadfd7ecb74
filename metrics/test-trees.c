/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests with trees that were recorded, or come from other projects: the producers'
 * values equal those of another reader.
 */
#include "common/compat.h"
#include "metrics/metric-text.h"
#include "metrics/test-machine.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Returns whether a record of a mount and an operation has the name "MOUNT OPERATION". */
static bool is_operation(const struct machine *machine, size_t record, const char *name)
{
	struct field_value mount, operation;
	struct strmap *strings = engine_strings(machine->engine);
	char both[512];

	if (!recordset_value(records(machine, "nfsop"), record, 0, &mount) ||
	    !recordset_value(records(machine, "nfsop"), record, 1, &operation))
		return false;
	snprintf(both, sizeof(both), "%s %s", strmap_text(strings, (uint32_t)mount.number),
		 strmap_text(strings, (uint32_t)operation.number));
	return strcmp(both, name) == 0;
}

/*
 * Returns whether the first item of a record, a text or a number, matches a name;
 * "" matches any.
 */
static bool is_named(const struct machine *machine, const char *type, size_t record,
		     const char *name)
{
	const struct recordset *set = records(machine, type);
	struct field_value value;

	if (!*name)
		return true;
	if (strcmp(type, "nfsop") == 0)
		return is_operation(machine, record, name);
	if (!recordset_value(set, record, 0, &value))
		return false;
	if (set->type->fields[0].type == FIELD_STRING)
		return strcmp(strmap_text(engine_strings(machine->engine), (uint32_t)value.number),
			      name) == 0;
	return value.number == strtoull(name, NULL, 10);
}

/* Compares one value with that of the other reader. */
static void compare(const struct machine *machine, char *line)
{
	const char *type = strsep(&line, "\t"), *name = strsep(&line, "\t");
	const char *item = strsep(&line, "\t"), *expected = strsep(&line, "\n");
	size_t record = 0;

	while (record < count(machine, type) && !is_named(machine, type, record, name))
		record++;
	if (record == count(machine, type))
		fail_msg("no record %s %s", type, name);
	if (strcmp(expected, "-") == 0)
		is_missing(machine, type, record, item);
	else
		is(machine, type, record, item, strtoull(expected, NULL, 10));
}

/* Compares a tree. Returns the number of values compared. */
static size_t compare_tree(const char *tree)
{
	struct strbuf command = STRBUF_INIT;
	struct machine machine;
	char line[512];
	size_t compared = 0;
	FILE *expected;

	if (!getenv("VIGIL_SOURCE") || system("python3 -c ''") != 0) {
		print_message("python3 is not there\n");
		skip();
	}
	strbuf_addf(&command, "python3 '%s/tests/procfs-expected.py' '%s/tests/procfs/%s'",
		    getenv("VIGIL_SOURCE"), getenv("VIGIL_SOURCE"), tree);
	expected = popen(command.text, "r");
	assert_non_null(expected);
	strbuf_release(&command);
	begin_tree(&machine, tree);
	snap(&machine);
	for (; fgets(line, sizeof(line), expected); compared++)
		compare(&machine, line);
	assert_int_equal(pclose(expected), 0);
	end(&machine);
	return compared;
}

static void recorded(void **state)
{
	(void)state;
	assert_true(compare_tree("linux-6.18") > 120);
}

static void excerpts(void **state)
{
	(void)state;
	assert_true(compare_tree("excerpts") > 300);
}

/* Formats of other kernels: disks, memory, interrupts, mounts of NFS. */
static void other_kernels(void **state)
{
	struct machine machine;

	(void)state;
	assert_true(compare_tree("linux-4.19") > 200);
	assert_true(compare_tree("linux-6.8") > 80);
	begin_tree(&machine, "linux-4.19");
	snap(&machine);
	assert_int_equal(count(&machine, "nfs"), 2);
	is_text(&machine, "nfs", 0, "device", "nas.example:/srv/night data");
	is_text(&machine, "nfs", 0, "version", "3");
	is_text(&machine, "nfs", 0, "protocol", "tcp");
	is(&machine, "nfs", 0, "retransmissions", 11);
	is(&machine, "nfs", 0, "response_time", 242024000000);
	is_missing(&machine, "nfs", 0, "errors");
	is_text(&machine, "nfs", 1, "device", "[2001:db8::7]:/export");
	is_text(&machine, "nfs", 1, "protocol", "udp");
	/* A negative time is missing; two events were added later; UDP has no connections. */
	is_missing(&machine, "nfs", 1, "response_time");
	is_missing(&machine, "nfs", 1, "direct_server_reads");
	is_missing(&machine, "nfs", 1, "connects");
	assert_int_equal(count(&machine, "nfsop"), 7);
	is(&machine, "cpu", 0, "interrupts_had", 40449);
	is(&machine, "cpu", 1, "device_interrupts", 202);
	end(&machine);
	begin_tree(&machine, "linux-6.8");
	snap(&machine);
	is_text(&machine, "nfs", 0, "version", "4.2");
	is(&machine, "nfs", 0, "transports", 3);
	is(&machine, "nfs", 0, "sends", 6006);
	is(&machine, "nfs", 0, "errors", 16);
	end(&machine);
}

static void another_architecture(void **state)
{
	struct machine machine;

	(void)state;
	assert_true(compare_tree("cpu-aarch64") > 20);
	begin_tree(&machine, "cpu-aarch64");
	snap(&machine);
	is_text(&machine, "irq", 0, "name", "10");
	is_text(&machine, "irq", 0, "source", "GICv3 27 Level arch_timer");
	is_text(&machine, "irq", count(&machine, "irq") - 1, "name", "IPI1");
	is_text(&machine, "irq", count(&machine, "irq") - 1, "source", "Function call interrupts");
	end(&machine);
}

/* Texts about processors differ most between architectures. */
static void architectures(void **state)
{
	static const struct {
		const char *tree, *maker, *model, *product;
	} expected[] = {
		{ "linux-5.14-s390x", "IBM/S390",
		  "version = FF,  identification = 2733E8,  machine = 2964", NULL },
		{ "cpu-ppc64", NULL, "POWER7 (architected), altivec supported",
		  "CHRP IBM,8233-E8B" },
		{ "cpu-armv7", "0x41", "ARMv7 Processor rev 5 (v7l)", NULL },
		{ "cpu-aarch64", "0x41", "0xd0b", NULL },
		{ "linux-6.18", "GenuineIntel", "Intel(R) Xeon(R) Processor", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct machine machine;

		begin_tree(&machine, expected[i].tree);
		snap(&machine);
		if (expected[i].maker)
			is_text(&machine, "colhdr", 0, "processor_maker", expected[i].maker);
		else
			is_missing(&machine, "colhdr", 0, "processor_maker");
		is_text(&machine, "colhdr", 0, "processor_model", expected[i].model);
		if (expected[i].product)
			is_text(&machine, "colhdr", 0, "product", expected[i].product);
		else
			is_missing(&machine, "colhdr", 0, "product");
		end(&machine);
	}
}

/* Makes a random text of lines: similar keys, missing ones, another order. */
static void draw_text(char *text, size_t size, unsigned *seed)
{
	static const char *const starts[] = { "cpu",	"cpu0",		 "cpu:",
					      "Active", "Active(anon):", "Active_a_",
					      "a=",	"intr",		 "key that has no value",
					      "  cpu",	"cpu\t",	 "" };
	size_t length = 0, start;

	text[0] = '\0';
	for (unsigned lines = *seed >> 16 & 7; lines + 1; lines--) {
		*seed = *seed * 1103515245 + 12345;
		start = *seed >> 16 & 0xf;
		length += (size_t)snprintf(text + length, size - length, "%s%s%u %u\n",
					   start < ARRAY_SIZE(starts) ? starts[start] : "Active:",
					   *seed >> 24 & 1 ? " " : "", *seed >> 20 & 7,
					   *seed >> 25 & 63);
	}
}

/* A plan that has seen other texts takes the same values as a new one. */
static void plans_that_have_seen_others(void **state)
{
	static const struct metric_item items[] = {
		LEVEL("cpu", "count", KEY(1, "cpu"), "."),
		LEVEL("second", "count", KEY_COLUMN(1, "cpu", 2, 0), "."),
		LEVEL("cpu0", "count", KEY(1, "cpu0"), "."),
		LEVEL("active", "count", KEY(1, "Active"), "."),
		LEVEL("anonymous", "count", KEY(1, "Active(anon)|Active_a_1"), "."),
		LEVEL("a", "count", KEY(1, "a"), "."),
		LEVEL("intr", "count", KEY_COLUMN(1, "intr", 2, 0), "."),
		LEVEL("no_value", "count", KEY(1, "key"), "."),
	};
	struct metric_plan old;
	unsigned seed = 1, found = 0;

	(void)state;
	metric_plan_init(&old, items, ARRAY_SIZE(items), 1);
	for (int i = 0; i < 20000; i++) {
		uint64_t mine[ARRAY_SIZE(items)], other[ARRAY_SIZE(items)];
		struct metric_plan fresh;
		char text[512];

		draw_text(text, sizeof(text), &seed);
		metric_plan_init(&fresh, items, ARRAY_SIZE(items), 1);
		metric_clear(items, ARRAY_SIZE(items), mine);
		metric_clear(items, ARRAY_SIZE(items), other);
		metric_parse(&old, METRIC_KEYS, text, mine, NULL);
		metric_parse(&fresh, METRIC_KEYS, text, other, NULL);
		assert_memory_equal(mine, other, sizeof(mine));
		found += metric_any(&fresh, other);
		metric_plan_release(&fresh);
	}
	assert_true(found > 10000);
	metric_plan_release(&old);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded),	 cmocka_unit_test(excerpts),
		cmocka_unit_test(other_kernels), cmocka_unit_test(another_architecture),
		cmocka_unit_test(architectures), cmocka_unit_test(plans_that_have_seen_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
