/* SPDX-License-Identifier: Apache-2.0 */
/* Modules whose declarations and actions are set by tests. */
#include "common/compat.h"
#include "engine/modules/test-parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

struct part parts[PARTS];
struct strbuf history = STRBUF_INIT;  /* "NAME:what " for each call */
struct strbuf messages = STRBUF_INIT; /* "NAME severity text\n" */

/* Call function of all modules of the tests; finds the part by its name. */
static int call_part(struct vigil_global *global, struct vigil_private *mine,
		     const struct vigil_set *set)
{
	struct part *part = parts;

	while (strcmp(part->module.name, mine->name) != 0)
		part++;
	strbuf_addf(&history, "%s:%u ", mine->name, global->what);
	if (global->what == VIGIL_LOAD || global->what == VIGIL_PREPARE) {
		mine->capabilities = part->capabilities;
		mine->sync_points = part->sync_points;
		mine->options = part->options;
		mine->after = part->after;
		mine->members = part->members;
		mine->needs = part->needs;
		mine->uses = part->uses;
		mine->type = part->type;
		mine->private_type = part->private_type;
	}
	if (part->fail_at == global->what && part->answer)
		return part->answer == VIGIL_ERROR ? vigil_error(global, mine, "the tape is torn")
						   : part->answer;
	return part->act ? part->act(part, global, mine, set) : VIGIL_OK;
}

static void keep_message(void *argument UNUSED, const struct vigil_engine_message *message)
{
	strbuf_addf(&messages, "%s %u %s\n", message->module, message->severity, message->text);
}

const struct vigil_field gauge_fields[] = {
	{ "number", VIGIL_UNSIGNED, VIGIL_IDENTITY, 0, offsetof(struct gauge, number), "id",
	  "which" },
	{ "level", VIGIL_I32, VIGIL_LEVEL, VIGIL_FIELD_OPTIONAL, offsetof(struct gauge, level),
	  "count", "what it shows" },
	{ "label", VIGIL_TEXT, VIGIL_IDENTITY, 0, offsetof(struct gauge, label), "name",
	  "its name" },
};
const struct vigil_record_type gauge_type = {
	"gauge", "a gauge", sizeof(struct gauge), sizeof(struct vigil_field), 3, 0, gauge_fields
};
static const struct vigil_field small_fields[] = {
	{ "number", VIGIL_U8, VIGIL_IDENTITY, 0, offsetof(struct small_gauge, number), "id",
	  "which" },
};
const struct vigil_record_type small_type = { "gauge_stored",
					      "a gauge as it is stored",
					      sizeof(struct small_gauge),
					      sizeof(struct vigil_field),
					      1,
					      0,
					      small_fields };

/* Adds gauges 3, 2, 1; number 2 has no level. */
int add_gauges(struct part *part, struct vigil_global *global, struct vigil_private *mine,
	       const struct vigil_set *set UNUSED)
{
	if (global->what != VIGIL_SNAPSHOT)
		return VIGIL_OK;
	part->seen++;
	for (uint64_t number = 3; number > 0; number--) {
		struct gauge gauge = { .number = number,
				       .level = number == 2 ? INT32_MIN : (int32_t)part->seen,
				       .label = global->services->text_put(global, "oil") };

		assert_int_equal(vigil_add(global, mine, &gauge, VIGIL_RECORD_FIRST), VIGIL_OK);
	}
	return VIGIL_OK;
}

/* A file has one pair of clocks while they move alike: within a millisecond (timer.h). */
void assert_wall(uint64_t time, uint64_t wall)
{
	assert_true(time + 2 * UINT64_C(1000000) > wall && wall + 2 * UINT64_C(1000000) > time);
}

/* Counts the gauges of the snapshot. */
static int count_gauges(struct part *part, struct vigil_global *global,
			struct vigil_private *mine UNUSED, const struct vigil_set *set UNUSED)
{
	const struct vigil_set *gauges;

	if (global->what != VIGIL_SNAPSHOT_END)
		return VIGIL_OK;
	gauges = vigil_set_of(global->current, "gauge");
	for (uint64_t i = 0; gauges && i < gauges->count; i++) {
		const struct gauge *gauge = (const struct gauge *)gauges->records[i];

		assert_int_equal(gauge->prefix.size, sizeof(*gauge));
		assert_int_equal(gauge->prefix.id, gauges->id);
		assert_int_equal(gauge->prefix.flags, VIGIL_RECORD_FIRST);
		assert_wall(gauge->prefix.time, global->current->wall);
		assert_string_equal(global->services->text(global, gauge->label), "oil");
		assert_int_equal(gauge->level == INT32_MIN, gauge->number == 2);
	}
	part->seen += gauges ? gauges->count : 0;
	return VIGIL_OK;
}

/* Returns module number "number" of the test under a name; the caller sets its actions. */
struct part *part(unsigned number, const char *name, uint32_t capabilities, uint32_t sync_points)
{
	struct part *new = &parts[number];

	*new = (struct part){ .module = { sizeof(new->module), VIGIL_MODULE_VERSION, name, "a part",
					  call_part, NULL },
			      .capabilities = capabilities,
			      .sync_points = sync_points };
	return new;
}

struct part *producer(unsigned number)
{
	struct part *new = part(number, "GAUGES", VIGIL_PRODUCER, VIGIL_AT_SNAPSHOT);

	new->type = &gauge_type;
	new->act = add_gauges;
	return new;
}

struct part *counter(unsigned number)
{
	struct part *new = part(number, "COUNT", VIGIL_CONSUMER, VIGIL_AT_SNAPSHOT_END);

	new->act = count_gauges;
	return new;
}

/* Returns an engine with the first count parts. */
struct vigil_engine *engine_of(unsigned count)
{
	const struct vigil_options options = { .size = sizeof(options), .message = keep_message };
	struct vigil_engine *engine = vigil_engine_init(&options);

	strbuf_reset(&history);
	strbuf_reset(&messages);
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(vigil_engine_register_linked(engine, &parts[i].module, 0), 0);
	return engine;
}

const struct vigil_operation brief = {
	.size = sizeof(brief), .operation = VIGIL_COLLECTION, .interval = 1, .count = 3
};

/* Runs an operation to its end. */
void run(struct vigil_engine *engine, const struct vigil_operation *operation)
{
	assert_int_equal(vigil_engine_prepare(engine, operation), 0);
	assert_int_equal(vigil_engine_start(engine), 0);
	assert_int_equal(vigil_engine_end(engine), 0);
}

/* Does the same with the file of the tests. */
void run_with_file(struct vigil_engine *engine, uint32_t kind)
{
	struct vigil_operation operation = brief;
	char path[] = "test-opened-engine.vprf";

	operation.operation = kind;
	operation.file = path;
	run(engine, &operation);
	if (kind == VIGIL_EXTRACTION)
		unlink(path);
}

void assert_message(const char *text)
{
	if (!strstr(messages.text, text))
		fail_msg("\"%s\" is not in:\n%s", text, messages.text);
}

int see_interval(struct part *part, struct vigil_global *global, struct vigil_private *mine UNUSED,
		 const struct vigil_set *set UNUSED)
{
	if (global->what == VIGIL_SNAPSHOT_END && global->interval == 5)
		part->seen++;
	return VIGIL_OK;
}
