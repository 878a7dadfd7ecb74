/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests how a task that is given pages of memory is told from one that has called the
 * kernel: machines of their own, on which page faults and calls cost what the test says,
 * looked at at random moments.
 */
#include "common/compat.h"
#include "sampler/page-look.h"
#include "common/chance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define LOOKS 4000
#define WINDOW 200000.0 /* ns of a look */
#define RECORDED 5e6	/* ns in which places are recorded */
#define PAGE 4096

/*
 * A program that repeats this: pages page faults, each of fault ns and after user ns, and
 * then a call of the kernel of call ns; it all varies by a half.
 */
struct program {
	int pages;
	double fault, user, call;
	uint64_t stride;
};

static uint64_t state = 88172645463325252;

static double draw(void)
{
	return chance_part(chance_next(&state));
}

static double vary(double mean)
{
	return mean * (0.5 + draw());
}

/* What a program does next, and until when. */
struct course {
	const struct program *program;
	int left; /* page faults until the call */
	double now;
	uint64_t address;
	double in_pages, in_calls; /* ns so far */
};

enum step { IN_USER, IN_PAGE, IN_CALL };

/* Goes to the end of the next step and returns its kind. */
static enum step go_on(struct course *course, bool *user)
{
	const struct program *program = course->program;
	double length;

	if (*user) {
		course->now += vary(program->user);
		*user = false;
		return IN_USER;
	}
	*user = true;
	if (course->left > 0) {
		course->left--;
		length = vary(program->fault);
		course->in_pages += length;
		course->now += length;
		course->address += program->stride;
		return IN_PAGE;
	}
	course->left = program->pages;
	length = vary(program->call);
	course->in_calls += length;
	course->now += length;
	return IN_CALL;
}

/*
 * Looks at a program at a random moment. Returns where it was; look: the pages that it is
 * given in the window from then on. The kernel records one at its end.
 */
static enum step look_at(const struct program *program, struct page_look *look)
{
	struct course course = { .program = program, .left = (int)(draw() * (program->pages + 1)), .address = 1 << 30 };
	bool user = false, found = false;
	double begun = 0, moment = 20000 + draw() * 3 * (program->pages * (program->fault + program->user) + program->call);
	enum step at = IN_USER;
	int records = 0;

	*look = (struct page_look){ .begun = (uint64_t)moment, .window = (uint64_t)WINDOW };
	for (;;) {
		enum step step = go_on(&course, &user);

		if (begun <= moment && course.now > moment && !found) {
			at = step;
			found = true;
		}
		if (course.now > moment + RECORDED || (records >= PAGE_LOOK_RECORDS && course.now > moment + WINDOW))
			return at;
		if (step == IN_PAGE && course.now >= moment) {
			look->count += course.now <= moment + WINDOW;
			if (records++ < PAGE_LOOK_RECORDS &&
			    page_look_add(look, (uint64_t)course.now, course.address))
				look->stack = 1;
		}
		begun = course.now;
	}
}

/* Returns the part of the looks that met the kernel which are said to be page faults; *truth: of those that were. */
static double part_of(const struct program *program, struct page_cost *cost, double *truth)
{
	double cycle = program->pages * (program->fault + program->user) + program->call + program->user;
	double in_kernel = (program->pages * program->fault + program->call) / cycle, said = 0;
	unsigned pages = 0, met = 0;

	for (unsigned i = 0; i < LOOKS; i++) {
		struct page_look look;
		enum step at = look_at(program, &look);

		if (at == IN_USER)
			continue;
		met++;
		pages += at == IN_PAGE;
		said += page_look_part(&look, in_kernel, cost);
	}
	*truth = (double)pages / met;
	print_message("# %d pages of %.0f ns, %.0f ns in the program, %.0f ns in a call: %.3f of the looks, said to be %.3f\n",
		      program->pages, program->fault, program->user, program->call, *truth, said / met);
	return said / met;
}

/* Checks that page faults are told apart, to off. */
static void check(const struct program *program, double off)
{
	struct page_cost cost = { 0 };
	double truth, said = part_of(program, &cost, &truth);

	assert_true(fabs(said - truth) <= off);
}

static void pages_alone(void **state_ UNUSED)
{
	check(&(struct program){ 1000, 600, 20, 600, PAGE }, 0.06);
	check(&(struct program){ 1000, 2000, 100, 2000, PAGE }, 0.06);
	check(&(struct program){ 1000, 1000, 1000, 1000, PAGE }, 0.06);
	/* Each page is used for long. */
	check(&(struct program){ 1000, 700, 9000, 700, PAGE }, 0.06);
}

static void calls_alone(void **state_ UNUSED)
{
	check(&(struct program){ 0, 0, 500, 3000, PAGE }, 0);
	check(&(struct program){ 0, 0, 5, 300000, PAGE }, 0);
}

/* As malloc() does with large memory: get it, use it, give it back. */
static void pages_and_calls_in_turn(void **state_ UNUSED)
{
	check(&(struct program){ 32, 500, 30, 9000, PAGE }, 0.12);
	check(&(struct program){ 256, 500, 30, 60000, PAGE }, 0.06);
	check(&(struct program){ 256, 500, 30, 600000, PAGE }, 0.06);
	check(&(struct program){ 4000, 500, 30, 1000000, PAGE }, 0.04);
}

/* A page now and then among calls. */
static void pages_among_calls(void **state_ UNUSED)
{
	check(&(struct program){ 1, 600, 3000, 20000, PAGE }, 0.12);
	check(&(struct program){ 1, 600, 20000, 100000, PAGE }, 0.12);
}

static void huge_pages(void **state_ UNUSED)
{
	check(&(struct program){ 30, 60000, 10000, 50000, 2 << 20 }, 0.1);
	check(&(struct program){ 30, 400000, 10000, 400000, 2 << 20 }, 0.1);
	check(&(struct program){ 30, 400000, 200000, 9000000, 2 << 20 }, 0.1);
}

/* Nothing is said without a place, or of pages that were given before. */
static void what_is_not_known(void **state_ UNUSED)
{
	struct page_cost cost = { 0 };
	struct page_look look = { .begun = 1000, .count = 50, .window = 100000 };

	assert_true(page_look_part(&look, 1, &cost) == 0);
	assert_false(page_look_add(&look, 999, PAGE));
	assert_true(page_look_add(&look, 1500, PAGE));
	assert_false(page_look_add(&look, 2500, 2 * PAGE));
	assert_true(page_look_part(&look, 1, &cost) == 0);
	look.stack = 3;
	assert_true(page_look_part(&look, 1, &cost) == 1);
	look.count = 0;
	assert_true(page_look_part(&look, 1, &cost) == 0);
	/* The session had the processor itself. */
	look.count = 50;
	look.first = 80000;
	assert_true(page_look_part(&look, 1, &cost) == 0);
	look.idle = 79000;
	assert_true(page_look_part(&look, 1, &cost) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_alone),		  cmocka_unit_test(calls_alone),
		cmocka_unit_test(pages_and_calls_in_turn), cmocka_unit_test(pages_among_calls),
		cmocka_unit_test(huge_pages),		  cmocka_unit_test(what_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
