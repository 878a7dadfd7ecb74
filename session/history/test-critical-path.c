/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the critical path: steps, data sets of other jobs, queues of a submit,
 * jobs without an end; on random nights its rows have no gaps.
 */
#include "common/compat.h"
#include "session/history/critical-path.h"
#include "common/clock.h"
#include "common/xalloc.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define SECOND NSEC_PER_SEC
#define BEGIN (1000 * SECOND)

struct night_made {
	struct history_jobs jobs;
	struct history_steps steps;
};

/* Adds a job between two seconds; 0: it has no end. */
static void add_job(struct night_made *night, const char *name, const char *submit,
		    uint64_t from, uint64_t to)
{
	struct history_job *job;

	GROW(night->jobs.items, night->jobs.count + 1, night->jobs.alloc);
	job = &night->jobs.items[night->jobs.count++];
	*job = (struct history_job){ .id = (int64_t)night->jobs.count, .name = xstrdup(name),
				     .number = xstrdup("JOB00001"), .submit = xstrdup(submit),
				     .host = xstrdup("here"), .spool = xstrdup("/s"),
				     .ending = xstrdup("ENDED"), .started = BEGIN + from * SECOND,
				     .ended = to ? BEGIN + to * SECOND : 0 };
}

/* Adds a step of the last job. */
static void add_step(struct night_made *night, const char *label, uint64_t from, uint64_t to)
{
	struct history_step *step;

	GROW(night->steps.items, night->steps.count + 1, night->steps.alloc);
	step = &night->steps.items[night->steps.count++];
	*step = (struct history_step){ .id = (int64_t)night->steps.count,
				       .job_id = (int64_t)night->jobs.count,
				       .label = xstrdup(label), .started = BEGIN + from * SECOND,
				       .ended = BEGIN + to * SECOND };
}

static void add_delay(struct night_made *night, const char *dsn, uint64_t from, uint64_t to)
{
	struct history_job *job = &night->jobs.items[night->jobs.count - 1];

	GROW(job->delays, job->delay_count + 1, job->delay_alloc);
	job->delays[job->delay_count++] =
		(struct history_delay){ xstrdup(dsn), BEGIN + from * SECOND, BEGIN + to * SECOND };
}

static void add_hold(struct night_made *night, const char *dsn, uint64_t released)
{
	struct history_job *job = &night->jobs.items[night->jobs.count - 1];

	GROW(job->holds, job->hold_count + 1, job->hold_alloc);
	job->holds[job->hold_count++] =
		(struct history_hold){ xstrdup(dsn), true, BEGIN + released * SECOND };
}

/*
 * Compares the path with a text "A.S1 10 A 2": seconds of each row; checks that
 * rows follow each other.
 */
static void assert_path(struct night_made *night, const char *expected)
{
	struct strbuf sb = STRBUF_INIT;
	struct critical_path path;

	critical_path_init(&path, &night->jobs, &night->steps);
	for (size_t i = 0; i < path.count; i++) {
		const struct path_row *row = &path.rows[i];

		assert_true(row->ended > row->began);
		if (i)
			assert_true(row->began == path.rows[i - 1].ended);
		strbuf_addf(&sb, "%s%s%s%s %u", i ? ", " : "", row->job->name, row->step ? "." : "",
			    row->step		     ? row->step->label
			    : row->kind == PATH_LOCK ? "?"
						     : "",
			    (unsigned)((row->ended - row->began) / SECOND));
		if (row->reason != PATH_NEXT)
			strbuf_addf(&sb, "%c", " bnql"[row->reason + 1]);
	}
	assert_string_equal(sb.text, expected);
	strbuf_release(&sb);
	critical_path_release(&path);
	history_jobs_release(&night->jobs);
	history_steps_release(&night->steps);
}

static void test_one_job(void **state UNUSED)
{
	struct night_made night = { 0 };

	add_job(&night, "A", "x", 0, 30);
	add_step(&night, "S1", 1, 11);
	add_step(&night, "S2", 13, 28);
	/* Another job that ended earlier is not on it. */
	add_job(&night, "B", "y", 0, 29);
	add_step(&night, "S1", 0, 29);
	assert_path(&night, "A 1b, A.S1 10, A 2, A.S2 15, A 2");
	assert_path(&night, "");
}

static void test_queue(void **state UNUSED)
{
	struct night_made night = { 0 };

	add_job(&night, "A", "x", 0, 10);
	add_step(&night, "S", 0, 10);
	add_job(&night, "B", "x", 10, 15);
	add_step(&night, "S", 10, 15);
	add_job(&night, "C", "x", 16, 20);
	add_step(&night, "S", 16, 20);
	assert_path(&night, "A.S 10b, B.S 5q, B 1, C.S 4q");
}

static void test_lock(void **state UNUSED)
{
	struct night_made night = { 0 };

	/*
	 * B waits for a data set that A releases after its second step; A's third step is
	 * not on the path.
	 */
	add_job(&night, "A", "x", 0, 40);
	add_step(&night, "S1", 0, 10);
	add_step(&night, "S2", 10, 20);
	add_step(&night, "S3", 20, 40);
	add_hold(&night, "D", 20);
	add_job(&night, "B", "y", 5, 50);
	add_delay(&night, "D", 5, 21);
	add_step(&night, "S1", 21, 50);
	/* A job that released the data set before the wait is not the one that was waited for. */
	add_job(&night, "Z", "z", 0, 4);
	add_hold(&night, "D", 4);
	assert_path(&night, "A.S1 10b, A.S2 10, B 1l, B.S1 29");
}

/* If no job of the history had it, the wait itself is on the path, followed by what was before. */
static void test_unknown_holder(void **state UNUSED)
{
	struct night_made night = { 0 };

	add_job(&night, "A", "x", 0, 30);
	add_delay(&night, "D", 2, 9);
	add_delay(&night, "E", 9, 12);
	add_step(&night, "S", 13, 30);
	assert_path(&night, "A 2b, A? 7, A? 3, A 1, A.S 17");
}

/* A job whose vigil was killed ends with its last step; a clock that was set back does no harm. */
static void test_no_end(void **state UNUSED)
{
	struct night_made night = { 0 };

	add_job(&night, "A", "x", 0, 0);
	add_step(&night, "S1", 0, 10);
	add_step(&night, "S2", 8, 25);
	add_job(&night, "B", "y", 0, 20);
	assert_path(&night, "A.S1 8b, A.S2 17");
}

/* Returns the next number below most; the same sequence in each run. */
static unsigned draw(uint64_t *seed, unsigned most)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return (unsigned)(*seed >> 33) % most;
}

/* Creates a night of some jobs, with waits and data sets that match or not. */
static void make_random(struct night_made *night, uint64_t *seed)
{
	static const char *const names[] = { "A", "B", "C" };

	for (unsigned jobs = 1 + draw(seed, 12); jobs > 0; jobs--) {
		uint64_t now = draw(seed, 50);
		const uint64_t end = draw(seed, 8) ? now + draw(seed, 60) : 0;

		add_job(night, names[draw(seed, 3)], names[draw(seed, 3)], now, end);
		if (draw(seed, 2))
			add_delay(night, names[draw(seed, 3)], now, now + draw(seed, 20));
		for (unsigned step = draw(seed, 4); step > 0; step--) {
			add_step(night, "S", now, now + draw(seed, 9));
			now += draw(seed, 12);
			add_hold(night, names[draw(seed, 3)], now);
		}
	}
}

/* On any night rows follow each other without gaps, up to the last end. */
static void test_random(void **state UNUSED)
{
	uint64_t seed = 42;

	for (unsigned turn = 0; turn < 2000; turn++) {
		struct night_made night = { 0 };
		struct critical_path path;
		uint64_t last = 0;

		make_random(&night, &seed);
		for (size_t i = 0; i < night.jobs.count; i++)
			if (night.jobs.items[i].ended > last)
				last = night.jobs.items[i].ended;
		critical_path_init(&path, &night.jobs, &night.steps);
		for (size_t i = 0; i < path.count; i++) {
			assert_true(path.rows[i].ended > path.rows[i].began);
			assert_true(i == 0 || path.rows[i].began == path.rows[i - 1].ended);
		}
		assert_true(path.count == 0 || path.rows[path.count - 1].ended >= last);
		critical_path_release(&path);
		history_jobs_release(&night.jobs);
		history_steps_release(&night.steps);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_job), cmocka_unit_test(test_queue),
		cmocka_unit_test(test_lock),	cmocka_unit_test(test_unknown_holder),
		cmocka_unit_test(test_no_end),	cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
