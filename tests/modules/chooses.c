/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of the modules that come with the library: "chooses MODULE" prints the
 * module's first snapshot.
 */
#include <inttypes.h>
#include <stdio.h>
#include <vigil/engine.h>

int main(int argc, char **argv)
{
	struct vigil_operation operation = { .size = sizeof(operation),
					     .operation = VIGIL_COLLECTION };
	struct vigil_engine *engine = vigil_engine_init(NULL);
	const struct vigil_snapshot *snapshot;

	if (argc < 2 || vigil_engine_choose(engine, argv[1], 1) < 0 ||
	    vigil_engine_prepare(engine, &operation) < 0 ||
	    vigil_engine_collect_snapshot(engine, 0, &snapshot) < 0) {
		puts(vigil_engine_problem(engine));
		vigil_engine_finish(engine);
		return 1;
	}
	for (uint64_t i = 0; i < snapshot->set_count; i++)
		printf("%s %" PRIu64 " %u\n", snapshot->sets[i]->type->name,
		       snapshot->sets[i]->count, snapshot->sets[i]->type->field_count);
	vigil_engine_finish(engine);
	return 0;
}
