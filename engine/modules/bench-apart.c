/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the cost of a call of a module in the client's process and in a
 * separate one: "bench-apart LIBRARY [SNAPSHOTS]". "make bench" uses the last
 * line.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "vigil/engine.h"

/* Takes snapshots. Prints microseconds a call for the two modules. */
static int measure(const char *library, unsigned snapshots, const char *records, bool together)
{
	struct vigil_operation operation = { .size = sizeof(operation),
					     .operation = VIGIL_COLLECTION };
	struct vigil_engine *engine = vigil_engine_init(NULL);
	uint64_t begun = clock_monotonic_ns();
	int failed;

	setenv("BENCH_RECORDS", records, 1);
	if (together)
		setenv("BENCH_TOGETHER", "1", 1);
	else
		unsetenv("BENCH_TOGETHER");
	failed = vigil_engine_register(engine, library, 0) < 0 ||
		 vigil_engine_prepare(engine, &operation) < 0 ||
		 vigil_engine_collect_snapshot(engine, 0, NULL) < 0;
	begun = clock_monotonic_ns() - begun;
	for (unsigned i = 1; i < snapshots && !failed; i++)
		failed = vigil_engine_collect_snapshot(engine, 0, NULL) < 0;
	if (failed)
		fprintf(stderr, "bench-apart: %s\n", vigil_engine_problem(engine));
	else
		printf("%s records, %s: begin %.1f ms", records, together ? "here" : "apart",
		       (double)begun / 1e6);
	for (uint32_t i = 0; i < 2 && !failed; i++) {
		struct vigil_module_information info = { .size = sizeof(info) };

		vigil_engine_get_module(engine, i, &info);
		printf(", %s %.1f us", info.description->name,
		       (double)info.cost / (double)info.calls / 1e3);
	}
	printf("\n");
	vigil_engine_finish(engine);
	return failed;
}

int main(int argc, char **argv)
{
	static const char *const records[] = { "1", "1000", "100" };
	unsigned snapshots = argc > 2 ? (unsigned)atoi(argv[2]) : 5000;
	int failed = argc < 2;

	for (size_t i = 0; i < ARRAY_SIZE(records) && !failed; i++)
		failed = measure(argv[1], snapshots, records[i], true) ||
			 measure(argv[1], snapshots, records[i], false);
	return failed;
}
