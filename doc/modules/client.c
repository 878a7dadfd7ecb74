/* SPDX-License-Identifier: Apache-2.0 */
/* A client of the engine: client collect|read FILE|- COUNT MILLISECONDS LIBRARY...
   cc -o client client.c $(pkg-config --cflags --libs vigil-engine) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vigil/engine.h>

static void print_message(void *argument, const struct vigil_engine_message *message)
{
	static const char *const words[] = { "trace", "info", "warning", "error", "fatal" };

	(void)argument;
	fprintf(stderr, "%s: %s%s%s\n", words[message->severity], message->module,
		*message->module ? ": " : "", message->text);
}

/* Prints the result of each module. */
static void print_modules(struct vigil_engine *engine, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct vigil_module_information info = { .size = sizeof(info) };

		if (vigil_engine_get_module(engine, i, &info) == 0)
			printf("module %s %s%s calls %" PRIu64 "%s%s\n", info.description->name,
			       info.description->disabled ? "off" : "on",
			       info.apart ? " apart" : "", info.calls,
			       info.description->disabled ? ": " : "", info.description->reason);
	}
}

static int fail(struct vigil_engine *engine)
{
	fprintf(stderr, "client: %s\n", vigil_engine_problem(engine));
	vigil_engine_finish(engine);
	return 1;
}

/* Collects or reads one snapshot after another. */
static int run(struct vigil_engine *engine, int collects)
{
	const struct vigil_snapshot *snapshot;
	int answer = 0;

	while (answer == 0) {
		answer = collects ? vigil_engine_collect_snapshot(engine, 1, &snapshot)
				  : vigil_engine_read_snapshot(engine, &snapshot);
		if (answer < 0)
			return -1;
		for (uint64_t i = 0; snapshot && i < snapshot->set_count; i++)
			printf("snapshot %" PRIu64 "%s %s %" PRIu64 "\n", snapshot->sequence,
			       snapshot->flags & VIGIL_LAST_SNAPSHOT ? " last" : "",
			       snapshot->sets[i]->type->name, snapshot->sets[i]->count);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct vigil_options options = { .size = sizeof(options), .message = print_message };
	struct vigil_operation operation = { .size = sizeof(operation) };
	struct vigil_engine_information info = { .size = sizeof(info) };
	struct vigil_engine *engine;
	int collects;

	if (argc < 5)
		return 2;
	collects = strcmp(argv[1], "collect") == 0;
	options.patience = UINT64_C(2000000000);
	engine = vigil_engine_init(&options);
	for (int i = 5; i < argc; i++)
		if (vigil_engine_register(engine, argv[i], 0) < 0)
			return fail(engine);
	operation.operation = collects ? VIGIL_COLLECTION : VIGIL_EXTRACTION;
	operation.file = strcmp(argv[2], "-") == 0 ? NULL : argv[2];
	operation.count = strtoull(argv[3], NULL, 10);
	operation.interval = strtoull(argv[4], NULL, 10) * 1000000;
	if (vigil_engine_prepare(engine, &operation) < 0 || run(engine, collects) < 0)
		return fail(engine);
	vigil_engine_get_info(engine, &info);
	print_modules(engine, info.modules);
	if (vigil_engine_end(engine) < 0)
		return fail(engine);
	vigil_engine_finish(engine);
	return 0;
}
