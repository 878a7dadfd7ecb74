/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session of one step for tests of advice: a test fills its fixture, runs the
 * search, and ends it.
 */
#ifndef VIGIL_PROFILE_FIXTURE_ADVICE_H
#define VIGIL_PROFILE_FIXTURE_ADVICE_H

#include "profile/advice.h"
#include "profile/fixture.h"
#include "records/record-types.h"

struct advice_fixture {
	struct fixture f;
	struct record_step step; /* added last; its interval is that of the snapshot */
	uint64_t program, library, gmp, kernel, root, statement; /* objects and stacks, whichever
								  * a test needs */
	struct profile *profile; /* set by the search */
	struct advice_list advice_list;
};

/* Begins a step that executes and waits this long, ns, in a program whose object is program. */
void advice_fixture_begin(struct advice_fixture *fixture, const char *program, uint64_t exec, uint64_t wait);
/* Ends the snapshot and searches for faults. */
void advice_fixture_run_search(struct advice_fixture *fixture);
static inline const struct advice *advice_fixture_found(const struct advice_fixture *fixture)
{
	return fixture->advice_list.items;
}
/*
 * Does the same in a cmocka test and checks the number of results. They are in the
 * result, largest saving first.
 */
#define advice_fixture_search(fixture, expected)                                \
	(advice_fixture_run_search(fixture),                                          \
	 assert_int_equal((fixture)->advice_list.count, expected), advice_fixture_found(fixture))
void advice_fixture_end(struct advice_fixture *fixture);

#endif
