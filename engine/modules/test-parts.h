/* SPDX-License-Identifier: Apache-2.0 */
/* Modules for the tests of libvigil-engine: each test sets their declarations and actions. */
#ifndef VIGIL_ENGINE_MODULES_TEST_PARTS_H
#define VIGIL_ENGINE_MODULES_TEST_PARTS_H

#include "common/compat.h"
#include "common/strbuf.h"
#include "vigil/engine.h"

/* A module of a test: its declarations, and its action when called. */
struct part {
	struct vigil_module module;
	uint32_t capabilities, sync_points, options;
	const char *const *after, *const *members, *const *needs, *const *uses;
	const struct vigil_record_type *type, *private_type;
	int (*act)(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		   const struct vigil_set *set);
	uint32_t fail_at; /* enum vigil_what at which it returns answer */
	int answer;	  /* result at fail_at */
	uint64_t seen;	  /* for counting in act */
};

#define PARTS 8
extern struct part parts[PARTS];
extern struct strbuf history;  /* "NAME:what " for each call */
extern struct strbuf messages; /* "NAME severity text\n" */

/* The record of the tests, and its private form. */
struct gauge {
	struct vigil_prefix prefix;
	uint64_t number;
	int32_t level;
	uint32_t spare;
	uint64_t label;
};
struct small_gauge {
	struct vigil_prefix prefix;
	uint8_t number;
	uint8_t spare[7];
};
extern const struct vigil_field gauge_fields[3];
extern const struct vigil_record_type gauge_type, small_type;
/* Three snapshots without a pause, to no file. */
extern const struct vigil_operation brief;

/* Returns module number "number" of the test under a name; the caller sets its actions. */
struct part *part(unsigned number, const char *name, uint32_t capabilities, uint32_t sync_points);
/* Returns a producer GAUGES of gauges 3, 2, 1; number 2 has no level. */
struct part *producer(unsigned number);
int add_gauges(struct part *part, struct vigil_global *global, struct vigil_private *mine,
	       const struct vigil_set *set);
/* Returns a consumer COUNT that counts and checks them. */
struct part *counter(unsigned number);
/* Checks the interval that a TIMER may set. */
int see_interval(struct part *part, struct vigil_global *global, struct vigil_private *mine,
		 const struct vigil_set *set);
/* Asserts that two times are equal: a file has one pair of clocks while they move alike. */
void assert_wall(uint64_t time, uint64_t wall);
/* Returns an engine with the first count parts. */
struct vigil_engine *engine_of(unsigned count);
/* Runs an operation to its end. */
void run(struct vigil_engine *engine, const struct vigil_operation *operation);
/* Does the same with the file of the tests. */
void run_with_file(struct vigil_engine *engine, uint32_t kind);
/* Asserts that a message was sent. */
void assert_message(const char *text);

#endif
