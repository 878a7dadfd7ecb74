/* SPDX-License-Identifier: Apache-2.0 */
/* vigil modules: lists the processor modules and the data they provide. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "engine/timer.h"
#include "metrics/metrics.h"
#include "metrics/outputs.h"
#include "session/collection/exposition.h"
#include "session/collection/guests.h"
#include "session/collection/module-names.h"
#include "session/commands/command.h"
#include "session/commands/guest-options.h"

static struct guest_options options;

static const struct command_option *modules_options(void)
{
	static const struct command_option table[] = {
		GUEST_OPTIONS(options),
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return table;
}

/* The result of one snapshot of all modules. */
struct look {
	struct vigil_engine *guests; /* third-party modules */
	struct message_sink sink; /* discards their messages, because their state is listed */
	struct metrics *metrics;
	uint64_t *records;	/* of each third-party module */
	struct strbuf unusable; /* libraries, one per line */
};

/* Modules without metrics. */
static const struct module_class *const others[] = {
	&interval_timer_class, &dataset_consumer_class, &dataset_extractor_class,
	&text_list_class,      &timeline_class,		&json_lines_class,
	&live_table_class,     &time_range_class,	&exposition_class,
};

static void add_capabilities(struct strbuf *sb, unsigned capabilities)
{
	static const char *const names[] = { "producer",  "consumer", "timer",	   "filter",
					     "extractor", "grouper",  "supporter", "monitor" };
	const char *separator = "";

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(capabilities & 1U << i))
			continue;
		strbuf_addf(sb, "%s%s", separator, names[i]);
		separator = ",";
	}
}

/* Appends a line of the list. */
static void add_line(struct strbuf *sb, const char *name, const char *summary,
		     unsigned capabilities, const char *items, const char *records)
{
	strbuf_addf(sb, "%-14s ", name);
	add_capabilities(sb, capabilities);
	strbuf_pad_to(sb, 32);
	strbuf_addf(sb, " %5s %7s  %s\n", items, records, summary);
}

static void add_class(struct strbuf *sb, const struct module_class *class)
{
	add_line(sb, class->name, class->summary, class->capabilities, "", "");
}

/* Appends a line below a module. */
static void add_below(struct strbuf *sb, const char *format, ...) PRINTFLIKE(2, 3);
static void add_below(struct strbuf *sb, const char *format, ...)
{
	va_list ap;

	strbuf_addchars(sb, ' ', 48);
	va_start(ap, format);
	strbuf_vaddf(sb, format, ap);
	va_end(ap);
	strbuf_addch(sb, '\n');
}

/* Appends why a third-party module cannot take part; returns whether there is a reason. */
static bool add_reason(struct strbuf *sb, const struct hosted_module *module)
{
	size_t before = sb->length;

	if (module->inner && module->inner->reason)
		strbuf_addstr(sb, module->inner->reason);
	else if (module->refusal)
		strbuf_addstr(sb, module->refusal);
	else
		hosted_missing_privilege(module, sb);
	return sb->length > before;
}

/* Appends the third-party modules, and the libraries that cannot be used. */
static void add_guests(struct strbuf *sb, const struct look *look)
{
	struct strbuf reason = STRBUF_INIT;
	struct hosted_module module;

	for (size_t i = 0; hosted_module(look->guests, i, &module); i++) {
		char items[24] = "", records[24] = "";

		if (module.type) {
			snprintf(items, sizeof(items), "%zu", module.type->field_count);
			snprintf(records, sizeof(records), "%" PRIu64, look->records[i]);
		}
		add_line(sb, module.module->name, module.module->summary,
			 module.declared->capabilities, items, records);
		strbuf_reset(&reason);
		if (add_reason(&reason, &module))
			add_below(sb, "not available: %s", reason.text);
		add_below(sb, "of %s", module.library);
	}
	strbuf_release(&reason);
	strbuf_addbuf(sb, &look->unusable);
}

/* Appends all modules, with the records of one snapshot. */
static void add_list(struct strbuf *sb, const struct look *look)
{
	const struct metrics *metrics = look->metrics;
	size_t total = 0;

	strbuf_addf(sb, "%-14s %-17s %5s %7s  %s\n", "MODULE", "CAN BE", "ITEMS", "RECORDS",
		    "WHAT IT DOES");
	for (size_t i = 0; i < metrics_count(metrics); i++) {
		struct metrics_entry entry = metrics_get(metrics, i);
		char items[24], records[24];

		snprintf(items, sizeof(items), "%zu", entry.type->field_count);
		snprintf(records, sizeof(records), "%" PRIu64, entry.records);
		add_line(sb, entry.class->name, entry.class->summary, entry.class->capabilities,
			 items, records);
		total += entry.type->field_count * entry.records;
		if (entry.records)
			continue;
		strbuf_addchars(sb, ' ', 48);
		strbuf_addstr(sb, "no records: ");
		metrics_why(metrics, i, sb);
		strbuf_addch(sb, '\n');
	}
	for (size_t i = 0; metrics_groups[i]; i++)
		add_class(sb, metrics_groups[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		add_class(sb, others[i]);
	add_guests(sb, look);
	strbuf_addf(sb, "\n%zu values in a snapshot of all of them.\n", total);
}

/* Appends the items of a record type. */
static void add_items(struct strbuf *sb, const struct record_type *type)
{
	static const char *const senses[] = { "identity", "level", "counter", "amount" };

	strbuf_addf(sb, "\n%-28s %-8s %-8s  %s\n", "ITEM", "UNIT", "KIND", "MEANING");
	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];

		strbuf_addf(sb, "%-28s %-8s %-8s  %s\n", field->name, field->unit,
			    senses[field->sense], field->meaning);
	}
}

/* Appends what a producer reports, item by item. */
static void add_producer(struct strbuf *sb, const struct metrics *metrics, size_t number)
{
	struct metrics_entry entry = metrics_get(metrics, number);

	strbuf_addf(sb, "%s: %s\nRecord type %s; records now: %" PRIu64 ". %s\n", entry.class->name,
		    entry.class->summary, entry.type->name, entry.records, entry.type->meaning);
	if (!entry.records) {
		strbuf_addstr(sb, "No records: ");
		metrics_why(metrics, number, sb);
		strbuf_addch(sb, '\n');
	}
	add_items(sb, entry.type);
}

/* Appends a list of names in the private context. */
static void add_names(struct strbuf *sb, const char *heading, const char *const *names)
{
	if (!names || !*names)
		return;
	strbuf_addstr(sb, heading);
	for (; *names; names++)
		strbuf_addf(sb, " %s", *names);
	strbuf_addch(sb, '\n');
}

/* Appends a third-party module's self-description. */
static void add_guest(struct strbuf *sb, const struct look *look, size_t number,
		      const struct hosted_module *module)
{
	const struct vigil_private *declared = module->declared;
	struct strbuf reason = STRBUF_INIT;

	strbuf_addf(sb, "%s: %s\nFrom %s, built for version %u of <vigil/module.h>.\nCan be: ",
		    module->module->name, module->module->summary, module->library,
		    module->module->version);
	add_capabilities(sb, declared->capabilities);
	strbuf_addch(sb, '\n');
	if (add_reason(&reason, module))
		strbuf_addf(sb, "Not available: %s\n", reason.text);
	strbuf_release(&reason);
	add_names(sb, "Comes after:", declared->after);
	add_names(sb, "Its members:", declared->members);
	add_names(sb, "Needs:", declared->needs);
	add_names(sb, "Can use:", declared->uses);
	if (!module->type)
		return;
	strbuf_addf(sb, "Record type %s; records now: %" PRIu64 ". %s\n", module->type->name,
		    look->records[number], module->type->meaning);
	add_items(sb, module->type);
}

/* Appends the description of one module by name; false: no such module. */
static bool describe(struct strbuf *sb, const struct look *look, const char *name)
{
	const struct metrics *metrics = look->metrics;
	struct hosted_module module;

	for (size_t i = 0; i < metrics_count(metrics); i++) {
		if (strcmp(metrics_get(metrics, i).class->name, name) != 0)
			continue;
		add_producer(sb, metrics, i);
		return true;
	}
	for (size_t i = 0; metrics_groups[i]; i++) {
		if (strcmp(metrics_groups[i]->name, name) != 0)
			continue;
		strbuf_addf(sb, "%s: %s\nIts members:", name, metrics_groups[i]->summary);
		for (size_t m = 0; metrics_groups[i]->members[m]; m++)
			strbuf_addf(sb, " %s",
				    metrics_groups[i]->members[m] +
					    (*metrics_groups[i]->members[m] == '?'));
		strbuf_addch(sb, '\n');
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (strcmp(others[i]->name, name) != 0)
			continue;
		strbuf_addf(sb, "%s: %s\n", name, others[i]->summary);
		return true;
	}
	for (size_t i = 0; hosted_module(look->guests, i, &module); i++) {
		if (strcmp(module.module->name, name) != 0)
			continue;
		add_guest(sb, look, i, &module);
		return true;
	}
	return false;
}

static void hear_nothing(void *argument UNUSED, enum severity severity UNUSED,
			 unsigned number UNUSED, const char *text UNUSED)
{
}

/* Returns whether a library was already requested by name. */
static bool is_loaded(const struct look *look, const char *path)
{
	char *real = realpath(path, NULL);
	struct hosted_module module;
	bool loaded = false;

	for (size_t i = 0; real && hosted_module(look->guests, i, &module); i++)
		loaded = loaded || strcmp(module.library, real) == 0;
	free(real);
	return loaded;
}

/* Loads a library found in the search folders. */
static void load_found(void *argument, const char *path)
{
	struct look *look = argument;

	if (!is_loaded(look, path) && vigil_engine_register(look->guests, path, 0) < 0)
		strbuf_addf(&look->unusable, "%s\n", vigil_engine_problem(look->guests));
}

/* Counts the records that third-party modules have created. */
static void count_records(struct look *look, const struct engine *engine)
{
	const struct snapshot *snapshot = engine_current(engine);
	struct hosted_module module;

	for (size_t i = 0; hosted_module(look->guests, i, &module); i++) {
		look->records = xreallocarray(look->records, i + 1, sizeof(*look->records));
		look->records[i] =
			module.type ? snapshot_records(snapshot, module.type->id)->count : 0;
	}
}

/* Takes one snapshot of all modules that provide records, to find out which of them have any. */
static int take_snapshot(struct look *look, struct error *err)
{
	const struct vigil_operation operation = { .size = sizeof(operation),
						   .operation = VIGIL_COLLECTION };
	struct engine *engine;

	hosted_prepare(look->guests, &operation);
	do {
		strbuf_reset(&err->text);
		engine = hosted_begin(look->guests, err);
		metrics_free(look->metrics);
		look->metrics = engine ? metrics_offer(engine, NULL, err) : NULL;
		RETURN_IF(!look->metrics || engine_enable(engine, "ALL", err) < 0 ||
				  hosted_add(look->guests, VIGIL_PRODUCER | VIGIL_SUPPORTER, err) <
					  0,
			  -1);
		if (engine_prepare(engine, OPERATION_COLLECTION, err) == 0)
			break;
		RETURN_IF(!hosted_refuse(look->guests, err), -1);
	} while (true);
	RETURN_IF(engine_start(engine, err) < 0 || engine_snapshot(engine, err) < 0, -1);
	count_records(look, engine);
	return engine_finish(engine, err);
}

/* Collects the available modules; returns the exit status, after a message. */
static int find_modules(struct look *look)
{
	struct guest_request request;
	struct error err = ERROR_INIT;
	int status = guest_options_take(&options, &request);

	if (status != EXIT_OK)
		return status;
	look->sink = command_messages;
	look->guests = guests_load(&request, &look->sink);
	if (!look->guests)
		return EXIT_ERROR;
	look->sink = (struct message_sink){ hear_nothing, NULL };
	hosted_libraries(look->guests, load_found, look);
	if (take_snapshot(look, &err) < 0)
		status = command_message(SEVERITY_ERROR, 3503, "%s", error_text(&err));
	error_release(&err);
	return status;
}

/* Appends the requested output; returns the exit status. */
static int add_all(struct strbuf *text, const struct look *look, int argc, char **argv)
{
	int status = EXIT_OK;

	if (!argc)
		add_list(text, look);
	for (int i = 0; i < argc && status == EXIT_OK; i++) {
		char *name = module_names_upper(argv[i]);

		if (i)
			strbuf_addch(text, '\n');
		if (!describe(text, look, name))
			status = command_message(
				SEVERITY_ERROR, 3506,
				"there is no module %s; 'vigil modules' lists them", name);
		free(name);
	}
	return status;
}

static int modules_main(int argc, char **argv)
{
	struct look look = { .unusable = STRBUF_INIT };
	struct strbuf text = STRBUF_INIT;
	int status = find_modules(&look);

	if (status == EXIT_OK)
		status = add_all(&text, &look, argc, argv);
	if (fwrite(text.text, 1, text.length, stdout) != text.length || fflush(stdout) != 0)
		status = command_message(SEVERITY_ERROR, 31, "cannot write to standard output: %s",
					 strerror(errno));
	if (look.guests)
		hosted_end(look.guests);
	vigil_engine_finish(look.guests);
	metrics_free(look.metrics);
	free(look.records);
	strbuf_release(&look.unusable);
	strbuf_release(&text);
	return status;
}

const struct command modules_command = {
	.name = "modules",
	.arguments = "[MODULE...]",
	.summary = "Lists the processor modules, or what some of them record",
	.options = modules_options,
	.run = modules_main,
};
