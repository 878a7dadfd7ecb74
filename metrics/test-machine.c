/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated machine for tests of producers. */
#include "common/compat.h"
#include "metrics/test-machine.h"
#include "records/record-types.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A consumer that gives the snapshot to the test. */
static enum module_status take(struct module *module, enum sync_point point,
			       struct snapshot *snapshot, struct error *err)
{
	struct machine *machine = module->context;

	(void)point;
	(void)err;
	machine->now = snapshot;
	if (snapshot->last && registry_find(engine_types(machine->engine), "mem"))
		machine->ended_with = count(machine, "mem");
	return MODULE_OK;
}

static const struct module_class taker_class = {
	.name = "TAKER",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.call = take,
};

void add_taker(struct machine *machine)
{
	struct error err = ERROR_INIT;

	assert_non_null(engine_add(machine->engine, &taker_class, machine, &err));
}

void begin(struct machine *machine, const char *root)
{
	struct error err = ERROR_INIT;

	memset(machine, 0, sizeof(*machine));
	snprintf(machine->root, sizeof(machine->root), "%s", root);
	procfs_set_root(machine->root);
	machine->engine = engine_new(&session_records);
	machine->metrics = metrics_offer(machine->engine, NULL, &err);
	assert_non_null(machine->metrics);
	assert_int_equal(engine_enable(machine->engine, "ALL", &err), 0);
	add_taker(machine);
	assert_int_equal(engine_start(machine->engine, &err), 0);
}

void begin_tree(struct machine *machine, const char *tree)
{
	char root[PROCFS_ROOT_MAX];

	snprintf(root, sizeof(root), "%s/tests/procfs/%s", getenv("VIGIL_SOURCE"), tree);
	begin(machine, root);
}

void snap(struct machine *machine)
{
	struct error err = ERROR_INIT;

	assert_int_equal(engine_snapshot(machine->engine, &err), 0);
}

void end(struct machine *machine)
{
	struct error err = ERROR_INIT;

	assert_int_equal(engine_finish(machine->engine, &err), 0);
	engine_free(machine->engine);
	metrics_free(machine->metrics);
	procfs_set_root(NULL);
}

const struct recordset *records(const struct machine *machine, const char *type)
{
	const struct record_type *found = registry_find(engine_types(machine->engine), type);

	if (!found)
		fail_msg("there is no type %s", type);
	return snapshot_records(machine->now, found->id);
}

/* Returns whether a record has a value for an item; the item must exist. */
bool get(const struct machine *machine, const char *type, size_t record, const char *item,
	 struct field_value *value)
{
	const struct recordset *set = records(machine, type);
	size_t field = 0;

	assert_true(record < set->count);
	while (strcmp(set->type->fields[field].name, item) != 0) {
		field++;
		assert_true(field < set->type->field_count);
	}
	return recordset_value(set, record, field, value);
}

void is(const struct machine *machine, const char *type, size_t record, const char *item,
	uint64_t expected)
{
	struct field_value value;

	if (!get(machine, type, record, item, &value) || value.number != expected)
		print_message("%s %zu %s\n", type, record, item);
	assert_true(get(machine, type, record, item, &value));
	assert_int_equal(value.number, expected);
}

void is_missing(const struct machine *machine, const char *type, size_t record, const char *item)
{
	struct field_value value;

	assert_false(get(machine, type, record, item, &value));
}

void is_text(const struct machine *machine, const char *type, size_t record, const char *item,
	     const char *expected)
{
	struct field_value value;

	assert_true(get(machine, type, record, item, &value));
	assert_string_equal(strmap_text(engine_strings(machine->engine), (uint32_t)value.number),
			    expected);
}

void is_real(const struct machine *machine, const char *type, size_t record, const char *item,
	     double expected)
{
	struct field_value value;

	assert_true(get(machine, type, record, item, &value));
	assert_true(fabs(value.real - expected) < 1e-9);
}

/* Returns the number of records of a type in a snapshot. */
size_t count(const struct machine *machine, const char *type)
{
	return records(machine, type)->count;
}

/* Writes a file of a tree made by the test. */
void put(const char *root, const char *path, const char *text)
{
	char full[PROCFS_PATH_SIZE];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

void remove_tree(const char *root)
{
	char command[PROCFS_PATH_SIZE + 16];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	assert_int_equal(system(command), 0);
}
