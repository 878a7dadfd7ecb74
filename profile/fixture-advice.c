/* SPDX-License-Identifier: Apache-2.0 */
/* A session of one step in which tests search for faults. */
#include "common/compat.h"
#include "profile/fixture-advice.h"
#include "records/record-types.h"

void advice_fixture_begin(struct advice_fixture *fixture, const char *program, uint64_t exec, uint64_t wait)
{
	memset(fixture, 0, sizeof(*fixture));
	fixture_init(&fixture->f);
	fixture->program = fixture_object(&fixture->f, OBJECT_FILE, program, "");
	fixture->step = (struct record_step){ .interval = exec + wait, .exec = exec, .wait = wait };
}

void advice_fixture_run_search(struct advice_fixture *fixture)
{
	fixture->step.time = fixture->f.time;
	fixture_add(&fixture->f, RECORD_STEP, &fixture->step);
	fixture_end_snapshot(&fixture->f);
	fixture->profile = fixture_end(&fixture->f);
	advices_init(&fixture->advice_list, fixture->profile);
}

void advice_fixture_end(struct advice_fixture *fixture)
{
	advices_release(&fixture->advice_list);
	profile_free(fixture->profile);
}
