/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks down from an earlier walk and compares the result with a walk up, by the
 * registers: a child stops in one call after the other.
 */
#include "common/compat.h"
#include "common/strbuf.h"
#include "program/unwind/test-unwind.h"
#include "program/unwind/unwind-down.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#define ANCHORS 64
/* Number of stops of all_calls. */
#define STOPS 9

static volatile int sink;

NOINLINE static void stop(void)
{
	__asm__ volatile("int3");
	NO_TAIL;
}

NOINLINE static void plain(int depth)
{
	if (depth > 0)
		plain(depth - 1);
	else
		stop();
	NO_TAIL;
}

void plain_once(void);

NOINLINE void plain_once(void)
{
	plain(0);
	NO_TAIL;
}

/* Its frame has a size that is not known before: it is found by its frame pointer. */
NOINLINE static void varying(size_t size)
{
	volatile char *memory = __builtin_alloca(size);

	memory[0] = memory[size - 1] = 1;
	stop();
	sink += memory[0];
}

/* Its frame is large, and has return addresses that earlier calls have left there. */
NOINLINE static void large(void)
{
	volatile char memory[8192];

	memory[4000] = 1;
	stop();
	sink += memory[4000];
}

static int compare(const void *left, const void *right)
{
	if (*(const int *)left == 2)
		stop();
	return *(const int *)left - *(const int *)right;
}

NOINLINE static void through_library(void)
{
	int numbers[] = { 3, 2, 1 };

	qsort(numbers, 3, sizeof(*numbers), compare);
	sink += numbers[0];
}

/*
 * The second call leaves the return address of the first where that was: below it stands
 * an argument, after a word for alignment.
 */
#ifdef __x86_64__
void pushing(void);
__asm__(".text\n"
	".type pushing, @function\n"
	"pushing: .cfi_startproc\n"
	"	sub $24, %rsp\n"
	"	.cfi_adjust_cfa_offset 24\n"
	"	call plain_once\n"
	"	sub $8, %rsp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	push $7\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	call plain_once\n"
	"	add $40, %rsp\n"
	"	.cfi_adjust_cfa_offset -40\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size pushing, . - pushing\n");
#else
NOINLINE static void pushing(void)
{
	plain_once();
	plain_once();
	NO_TAIL;
}
#endif

NOINLINE static void calls(int which)
{
	void (*volatile by_pointer)(int) = plain;

	switch (which) {
	case 0:
		plain(0);
		break;
	case 1:
		plain(3);
		break;
	case 2:
		varying((size_t)which * 300);
		break;
	case 3:
		large();
		break;
	case 4:
		through_library();
		break;
	case 5:
		by_pointer(1);
		break;
	case 6:
		pushing();
		break;
	default:
		stop();
	}
	NO_TAIL;
}

static void all_calls(void)
{
	for (int i = 0; i < 8; i++)
		calls(i);
}

/* Appends the functions of the frames from the outermost on, but for the innermost one. */
static void describe(struct target *target, struct strbuf *sb)
{
	for (size_t i = target->count; i-- > 1;)
		strbuf_addf(sb, "%s ", target_name(target, i));
}

/* Walks down from anchors; the result replaces the frames of the target. */
static void walk_down(struct target *target, const struct unwind_anchor *anchors, size_t count)
{
	struct unwind_input input = { .space = target->space,
				      .pid = target->pid,
				      .read = target_read,
				      .read_argument = target };
	bool calls_system;

	target->count = unwind_down(&input, anchors, count, target->frames, &calls_system);
}

/*
 * From the anchors of each stop all later ones are found, those of the calls before
 * included: what the stack has of earlier calls does not mislead.
 */
static void later_calls_are_found(void **state UNUSED)
{
	struct unwind_anchor anchors[STOPS][ANCHORS];
	size_t counts[STOPS], stops = 0;
	struct target target;

	if (!target_at_breakpoint(&target, target_fork(&target, all_calls)))
		return;
	do {
		struct strbuf up = STRBUF_INIT;

		assert_true(stops < STOPS);
		target_capture(&target);
		target.input.read = target_read;
		target.input.read_argument = &target;
		target_walk(&target);
		describe(&target, &up);
		assert_string_equal(target_name(&target, 0), "stop");
		counts[stops] = unwind_anchors(target.frames, target.count, anchors[stops], ANCHORS);
		assert_true(counts[stops] >= 3);
		stops++;
		for (size_t i = 0; i < stops; i++) {
			struct strbuf down = STRBUF_INIT;

			walk_down(&target, anchors[i], counts[i]);
			describe(&target, &down);
			assert_string_equal(target_name(&target, 0), "stop");
			assert_string_equal(down.text, up.text);
			strbuf_release(&down);
		}
		strbuf_release(&up);
	} while (target_continue(&target));
	assert_int_equal(stops, STOPS);
	target_end(&target);
}

NOINLINE static void in_call(void)
{
	stop();
	NO_TAIL;
}

/* Stops in a call, and when it is over. */
static void returns(void)
{
	in_call();
	__asm__ volatile("int3");
	NO_TAIL;
}

/* Starts a child that stops in a call; returns the number of anchors of its walk, 0 if it cannot be traced. */
static size_t stop_in_call(struct target *target, struct unwind_anchor *anchors)
{
	if (!target_at_breakpoint(target, target_fork(target, returns)))
		return 0;
	target_capture(target);
	target_walk(target);
	return unwind_anchors(target->frames, target->count, anchors, ANCHORS);
}

/* A function that executes itself looks as if its last call lasted; its callers are right. */
static void a_call_that_is_over(void **state UNUSED)
{
	struct unwind_anchor anchors[ANCHORS];
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct target target;
	size_t count;

	if (!(count = stop_in_call(&target, anchors)))
		return;
	describe(&target, &before);
	assert_true(target_continue(&target));
	walk_down(&target, anchors, count);
	describe(&target, &after);
	assert_string_equal(after.text, before.text);
	strbuf_release(&before);
	strbuf_release(&after);
	target_end(&target);
}

/* Another stack, no anchor, memory that cannot be read: nothing is found. */
static void what_is_not_there(void **state UNUSED)
{
	struct unwind_anchor anchors[ANCHORS];
	struct target target;
	size_t count;

	if (!(count = stop_in_call(&target, anchors)))
		return;
	walk_down(&target, anchors, 0);
	assert_int_equal(target.count, 0);
	for (size_t i = 0; i < count; i++)
		anchors[i].stack -= 4096;
	walk_down(&target, anchors, count);
	assert_int_equal(target.count, 0);
	for (size_t i = 0; i < count; i++)
		anchors[i].stack = 4096 * i;
	walk_down(&target, anchors, count);
	assert_int_equal(target.count, 0);
	target_end(&target);
}

/* Anchors are the calls of a walk from the outermost on. */
static void anchors_are_the_outermost_calls(void **state UNUSED)
{
	const struct unwind_frame frames[] = {
		{ .address = 1, .stack = 100 }, { .address = 2, .stack = 200 }, { .address = 3 },
		{ .address = 4, .stack = 400 }, { .address = 5, .stack = 500 },
	};
	struct unwind_anchor anchors[4];

	assert_int_equal(unwind_anchors(frames, 5, anchors, 4), 3);
	assert_int_equal(anchors[0].address, 5);
	assert_int_equal(anchors[1].stack, 400);
	assert_int_equal(anchors[2].address, 2);
	assert_int_equal(unwind_anchors(frames, 5, anchors, 1), 1);
	assert_int_equal(anchors[0].address, 5);
	assert_int_equal(unwind_anchors(frames, 1, anchors, 4), 0);
	assert_int_equal(unwind_anchors(frames, 0, anchors, 4), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_calls_are_found),
		cmocka_unit_test(a_call_that_is_over),
		cmocka_unit_test(what_is_not_there),
		cmocka_unit_test(anchors_are_the_outermost_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
