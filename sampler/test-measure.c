/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a program of tests/programs, and checks what holds for every measurement. */
#include "common/compat.h"
#include "sampler/test-measure.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

char *program(const char *name)
{
	static char path[4096];
	const char *build = getenv("VIGIL_BUILD");

	snprintf(path, sizeof(path), "%s/tests/programs/%s", build ? build : ".", name);
	return path;
}

void measure(struct session *session, enum privilege privilege, const char *name, const char *first,
	     const char *second, const char *third)
{
	char *command[] = { program(name), (char *)first, (char *)second, (char *)third, NULL };

	session->config.privilege = privilege;
	assert_true(session_run(session, command));
}

void need_rung(struct session *session, enum privilege privilege)
{
	if (sampler_privilege(session->sampler) != privilege) {
		print_message("# rung %d is not permitted here\n", (int)privilege);
		session_release(session);
		skip();
	}
}

bool forbid_events(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { ARRAY_SIZE(code), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

double rusage_ns(const struct session *session)
{
	return (double)session_rusage(session);
}

void assert_within(double one, double other, double slack)
{
	if (one > other + slack || other > one + slack)
		fail_msg("%.0f and %.0f are further apart than %.0f", one, other, slack);
}

void check_accounts(const struct session *session)
{
	const struct sampler_counts *counts = &session->counts;
	struct record_step step = session_step(session);
	struct record_wait waits = session_waits(session, 0, NULL);
	uint64_t samples = session->rows[RECORD_SAMPLE].count;

	assert_int_equal(counts->taken, counts->processed + counts->thinned);
	/* Some of those processed replace what the kernel dropped, as where a hypervisor keeps vigil from reading. */
	assert_true(counts->lost <= counts->processed && (counts->lost == 0 || counts->records_lost > 0));
	assert_int_equal(counts->processed, samples);
	assert_int_equal(counts->processed, counts->whole + counts->broken + counts->truncated);
	assert_int_equal(step.exec + step.wait + step.delay, step.interval);
	assert_within((double)waits.charged, (double)(step.wait + step.delay), 1000);
	assert_int_equal(counts->tasks_alive, 0);
	assert_string_equal(session_attribute(session, ATTR_PERIOD_INITIAL), "1000000");
	/* Every id that a row refers to has its row. */
	for (size_t i = 0; i < samples; i++) {
		const struct record_sample *row = recordset_get(&session->rows[RECORD_SAMPLE], i);

		assert_true(row->task >= 1 && row->task <= counts->tasks);
		assert_true(row->stack >= 1 && row->stack <= session->rows[RECORD_STACK].count);
	}
}
