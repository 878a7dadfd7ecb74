/* SPDX-License-Identifier: Apache-2.0 */
/* Tests how findings describe statements. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/findings.h"
#include "profile/fixture.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* A line of the same procedure and source in two modules, and one that is unique. */
static void findings_that_look_the_same_show_their_modules(void **state UNUSED)
{
	static const struct {
		const char *path, *procedure, *where;
		unsigned samples;
	} made[] = {
		{ "/opt/pay/liba.so", "init", "liba.so, a.c", 50 },
		{ "/opt/pay/libb.so", "init", "libb.so, a.c", 30 },
		{ "/opt/pay/libb.so", "other", "a.c", 20 },
	};
	struct record_step step = { .interval = NSEC_PER_SEC, .exec = NSEC_PER_SEC };
	struct fixture f;
	struct findings findings;
	struct profile *profile;

	fixture_init(&f);
	fixture_number(&f, ATTR_PERIOD_INITIAL, NSEC_PER_MSEC);
	fixture_number(&f, ATTR_PERIOD, NSEC_PER_MSEC);
	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		uint64_t object = fixture_object(&f, OBJECT_FILE, made[i].path, "");
		uint64_t frame = fixture_frame(&f, object, 0x1000, "a.c", made[i].procedure, 7, "");

		fixture_samples(&f, made[i].samples, fixture_stack(&f, 0, frame), 1, 0, 0);
	}
	step.time = f.time;
	fixture_add(&f, RECORD_STEP, &step);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	findings_init(&findings, profile, 8);
	assert_int_equal(findings.count, ARRAY_SIZE(made));
	for (size_t i = 0; i < ARRAY_SIZE(made); i++)
		assert_string_equal(findings.items[i].where, made[i].where);
	findings_release(&findings);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_that_look_the_same_show_their_modules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
