/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated machine for tests of producers: an engine with all of them on a tree
 * of /proc and /sys.
 */
#ifndef VIGIL_METRICS_TEST_MACHINE_H
#define VIGIL_METRICS_TEST_MACHINE_H

#include "common/procfs.h"
#include "metrics/metrics.h"

/* An engine with all producers, on a tree. */
struct machine {
	char root[PROCFS_ROOT_MAX];
	struct engine *engine;
	struct metrics *metrics;
	struct module *taker;
	const struct snapshot *now; /* the last snapshot */
	size_t ended_with;	    /* number of memory records in the operation's last snapshot */
};

/* Adds the consumer that gives the snapshots to the test; begin does this. */
void add_taker(struct machine *machine);
void begin(struct machine *machine, const char *root);
void begin_tree(struct machine *machine, const char *tree);
void snap(struct machine *machine);
void end(struct machine *machine);
const struct recordset *records(const struct machine *machine, const char *type);
bool get(const struct machine *machine, const char *type, size_t record, const char *item,
	 struct field_value *value);
void is(const struct machine *machine, const char *type, size_t record, const char *item,
	uint64_t expected);
void is_missing(const struct machine *machine, const char *type, size_t record, const char *item);
void is_text(const struct machine *machine, const char *type, size_t record, const char *item,
	     const char *expected);
void is_real(const struct machine *machine, const char *type, size_t record, const char *item,
	     double expected);
size_t count(const struct machine *machine, const char *type);
void put(const char *root, const char *path, const char *text);
void remove_tree(const char *root);

#endif
