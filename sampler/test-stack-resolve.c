/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the two ways to resolve a stack: plain, and with data collectors (a real one, rules.so). */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "program/unwind/arch.h"
#include "sampler/collect.h"
#include "sampler/named-places.h"
#include "sampler/perf.h"
#include "sampler/probe.h"
#include "sampler/stack-resolve.h"
#include "sampler/stacks.h"
#include "sampler/task-stop.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#define REGISTERS_MAX 64
/* Maximum number of attempts: on a busy machine an answer may be too late. */
#define TRIES 20000

/* The parts used to resolve stacks, and this process as the step. */
struct trial {
	struct sampler_config config;
	struct sampler_collector collector;
	struct object_list objects;
	struct stacks stacks;
	struct named_places *places;
	struct transactions *transactions;
	struct task_stops task_stops;
	struct collect *collect;
	struct step_tasks step_tasks;
	struct tasks tasks;
	struct task *task;
	struct stack_resolver resolver;
	uint64_t registers[REGISTERS_MAX];
	uint64_t stack[16];
	struct observation seen;
};

/* sampler_config.choose */
static size_t choose(void *argument, const char *program UNUSED, bool first UNUSED,
		     const struct sampler_collector **list)
{
	struct trial *trial = argument;

	*list = &trial->collector;
	return 1;
}

/* A function that is in control, and one that calls it. */
static int __attribute__((noinline)) inner(int number)
{
	return number * (int)getpid();
}

static int __attribute__((noinline)) outer(int number)
{
	return inner(number + 1) + inner(number + 2);
}

/* Makes a sample at the first instruction of inner, called from outer. */
static void make_sample(struct trial *trial)
{
	struct unwind_input input = { 0 };

	/* Positions of the instruction and the stack pointer among the registers. */
	for (uint64_t i = 0; i < REGISTERS_MAX; i++)
		trial->registers[i] = i;
	arch_registers(trial->registers, &input);
	trial->registers[input.registers[ARCH_INSTRUCTION]] = (uint64_t)(uintptr_t)inner;
	trial->registers[input.registers[ARCH_STACK_POINTER]] = (uint64_t)(uintptr_t)trial->stack;
	trial->stack[0] = (uint64_t)(uintptr_t)outer + 8;
	trial->seen = (struct observation){
		.kind = OBSERVED_SAMPLE,
		/* However long this test is kept from the processor, the sample is not old. */
		.time = clock_monotonic_ns() + 3600 * NSEC_PER_SEC,
		.pid = getpid(),
		.tid = getpid(),
		.sample = {
			.abi = arch_register_abi,
			.registers = trial->registers,
			.stack = (const unsigned char *)trial->stack,
			.stack_size = sizeof(trial->stack),
		},
	};
}

/* parameter: what the collector does (tests/collectors/rules.c); NULL: no collector. */
static void begin(struct trial *trial, const char *parameter)
{
	struct collect_parts parts;
	struct process *process;

	memset(trial, 0, sizeof(*trial));
	trial->collector = (struct sampler_collector){
		"STRBRULE", "tests/collectors/rules.so", parameter, "", COLLECTOR_NAMED,
	};
	trial->config = (struct sampler_config){
		.choose = parameter ? choose : NULL,
		.choose_argument = trial,
		.collector_host = "sampler/host/collector-host",
		.subject = "shares",
	};
	object_list_init(&trial->objects);
	stacks_init(&trial->stacks, &trial->objects);
	trial->places = named_places_new(&trial->objects, &trial->stacks);
	trial->transactions = transactions_new(NULL);
	parts = (struct collect_parts){
		.config = &trial->config,
		.named_places = trial->places,
		.transactions = trial->transactions,
		.task_stops = &trial->task_stops,
	};
	trial->collect = collect_new(&parts);
	collect_prepare(trial->collect);
	stack_resolve_init(&trial->resolver, &trial->stacks, trial->collect, &trial->task_stops,
			   trial->transactions);
	step_tasks_init(&trial->step_tasks);
	tasks_init(&trial->tasks, &trial->step_tasks);
	process = tasks_add_process(&trial->tasks, getpid(), NULL, 1);
	trial->task = tasks_add_task(&trial->tasks, process, getpid(), "", 1);
	tasks_exec(process, "shares");
	process->awaiting_image = false;
	assert_int_equal(space_read_proc(&process->space, &trial->objects, getpid(), NULL), 0);
	make_sample(trial);
}

static void finish(struct trial *trial)
{
	collect_free(trial->collect);
	tasks_release(&trial->tasks);
	step_tasks_release(&trial->step_tasks);
	transactions_free(trial->transactions);
	named_places_free(trial->places);
	stacks_release(&trial->stacks);
	object_list_release(&trial->objects);
}

/* Resolves the sample with a transaction in force. */
static struct resolved_stack resolve_sample(struct trial *trial, uint64_t in_force)
{
	struct resolved_stack resolved;

	stack_resolve_sample(&trial->resolver, trial->task, &trial->seen, in_force, &resolved);
	return resolved;
}

/* Resolves a wait with three frames, or none. */
static struct resolved_stack resolve_wait(struct trial *trial, size_t depth, enum unwind_end end)
{
	static const struct unwind_frame frames[] = {
		{ .address = 0x1000, .offset = 0x1000 },
		{ .address = 0x2000, .offset = 0x2000 },
		{ .address = 0x3000, .offset = 0x3000 },
	};
	const struct probe_site found = { .depth = depth, .end = end };
	struct resolved_stack resolved;

	stack_resolve_wait(&trial->resolver, trial->task, &found, frames, 0, &resolved);
	return resolved;
}

/*
 * Resolves the sample until the collector was called and has answered in time: it
 * may be loading, or late.
 */
static struct resolved_stack resolve_answered(struct trial *trial, uint64_t in_force)
{
	const struct collector *collector = collect_get(trial->collect, 0);
	bool answered = false;
	struct resolved_stack resolved;

	for (unsigned tries = 0; !answered && tries < TRIES; tries++) {
		uint64_t calls = collector->calls, late = collector->late;

		resolved = resolve_sample(trial, in_force);
		answered = collector->calls > calls && collector->late == late;
		if (!answered)
			usleep(1000);
	}
	assert_true(answered);
	return resolved;
}

static void check_same(const struct resolved_stack *one, const struct resolved_stack *other)
{
	assert_int_equal(one->stack, other->stack);
	assert_int_equal(one->inner, other->inner);
	assert_int_equal(one->whole, other->whole);
	assert_int_equal(one->in_kernel, other->in_kernel);
	assert_int_equal(one->transaction_said, other->transaction_said);
}

static void a_sample_without_collectors_is_what_was_walked(void **state UNUSED)
{
	struct resolved_stack resolved;
	struct trial trial;

	assert_int_equal(outer(0), 3 * getpid());
	begin(&trial, NULL);
	assert_null(trial.collect);
	resolved = resolve_sample(&trial, 0);
	/* inner, and at least its caller. */
	assert_true(stacks_parent(&trial.stacks, resolved.stack) > 0);
	assert_int_equal(
		trial.stacks.frames[trial.stacks.nodes[resolved.stack - 1].frame - 1].offset,
		trial.resolver.frames[0].offset);
	assert_int_equal(trial.resolver.frames[0].address, (uint64_t)(uintptr_t)inner);
	assert_false(resolved.unanswered || resolved.transaction_said || resolved.in_kernel);
	assert_int_equal(resolved.inner, resolved.stack);
	assert_int_equal(stack_resolve_plain(&trial.resolver, trial.task, &trial.seen),
			 resolved.stack);
	finish(&trial);
}

/* Memory that is not there must not stop later attempts. */
static void a_stack_that_cannot_be_read_is_tried_again(void **state UNUSED)
{
	struct trial trial;

	begin(&trial, NULL);
	trial.seen.sample.stack_size = 0;
	trial.stack[0] = 0;
	stack_resolve_plain(&trial.resolver, trial.task, &trial.seen);
	assert_false(trial.task->process->no_memory);
	/* A process with this number does not exist. */
	trial.task->base->tid = 5000001;
	stack_resolve_plain(&trial.resolver, trial.task, &trial.seen);
	assert_false(trial.task->process->no_memory);
	trial.task->base->tid = getpid();
	finish(&trial);
}

static void a_wait_without_collectors_is_what_was_found(void **state UNUSED)
{
	struct resolved_stack resolved;
	struct trial trial;

	begin(&trial, NULL);
	resolved = resolve_wait(&trial, 3, UNWIND_NO_RULE);
	assert_false(resolved.whole);
	assert_false(stacks_is_whole(&trial.stacks, resolved.stack));
	resolved = resolve_wait(&trial, 3, UNWIND_WHOLE);
	assert_true(resolved.whole);
	assert_true(stacks_is_whole(&trial.stacks, resolved.stack));
	assert_int_equal(trial.stacks.node_count, 3);
	resolved = resolve_wait(&trial, 0, UNWIND_WHOLE);
	assert_int_equal(resolved.stack, 0);
	assert_false(resolved.whole);
	assert_false(stack_resolve_unseen(&trial.resolver, trial.task, 0, &resolved));
	finish(&trial);
}

/* The same sample or wait with collectors, and without. */
static void a_stack_that_no_collector_knows_is_the_plain_one(void **state UNUSED)
{
	static const uint64_t chain[] = { 0xffffffff81000010, 0xffffffff81000020 };
	struct resolved_stack asked, plain;
	struct trial trial;

	begin(&trial, "programs=another");
	for (int kernel = 0; kernel < 2; kernel++) {
		trial.seen.sample.kernel = kernel;
		trial.seen.sample.chain = chain;
		trial.seen.sample.chain_length = kernel ? ARRAY_SIZE(chain) : 0;
		asked = resolve_answered(&trial, 0);
		trial.resolver.collect = NULL;
		plain = resolve_sample(&trial, 0);
		trial.resolver.collect = trial.collect;
		check_same(&asked, &plain);
		assert_int_equal(asked.inner != asked.stack, kernel);
	}
	for (int whole = 0; whole < 2; whole++) {
		uint64_t calls = collect_get(trial.collect, 0)->calls;
		enum unwind_end end = whole ? UNWIND_WHOLE : UNWIND_NO_MEMORY;

		asked = resolve_wait(&trial, 3, end);
		assert_int_equal(asked.whole, whole);
		assert_int_equal(collect_get(trial.collect, 0)->calls, calls + 1);
		trial.resolver.collect = NULL;
		plain = resolve_wait(&trial, 3, end);
		trial.resolver.collect = trial.collect;
		assert_int_equal(asked.stack, plain.stack);
		assert_int_equal(asked.whole, plain.whole);
	}
	finish(&trial);
}

static void a_wait_of_which_nothing_was_seen_is_not_asked_about(void **state UNUSED)
{
	struct trial trial;

	begin(&trial, "module=MINE");
	assert_int_equal(resolve_wait(&trial, 0, UNWIND_WHOLE).stack, 0);
	assert_int_equal(collect_get(trial.collect, 0)->calls, 0);
	finish(&trial);
}

static void what_a_collector_names_takes_the_place_of_frames(void **state UNUSED)
{
	struct resolved_stack asked, plain;
	struct trial trial;

	begin(&trial, "module=MINE level=1");
	asked = resolve_answered(&trial, 0);
	plain.stack = stack_resolve_plain(&trial.resolver, trial.task, &trial.seen);
	assert_int_not_equal(asked.stack, plain.stack);
	/* inner stays, as it is inside the frame that was named. */
	assert_int_equal(trial.stacks.nodes[asked.stack - 1].frame,
			 trial.stacks.nodes[plain.stack - 1].frame);
	assert_int_not_equal(stacks_parent(&trial.stacks, asked.stack),
			     stacks_parent(&trial.stacks, plain.stack));
	finish(&trial);
}

static void a_transaction_comes_into_force_when_it_is_applied(void **state UNUSED)
{
	struct resolved_stack resolved;
	struct trial trial;

	begin(&trial, "transaction=WORK");
	resolved = resolve_answered(&trial, 0);
	assert_true(resolved.transaction_said);
	assert_int_equal(transactions_of(trial.transactions, getpid()), 0);
	stack_resolve_apply(&trial.resolver, trial.task, &resolved, 100);
	assert_int_not_equal(resolved.transaction, 0);
	assert_int_equal(transactions_of(trial.transactions, getpid()), resolved.transaction);
	finish(&trial);
}

static void a_collector_is_given_the_transaction_in_force(void **state UNUSED)
{
	char line[1024], path[64], parameter[80];
	struct trial trial;
	FILE *log;

	snprintf(path, sizeof(path), "/tmp/vigil-test-stack-resolve-%d.log", (int)getpid());
	snprintf(parameter, sizeof(parameter), "log=%s", path);
	unlink(path);
	begin(&trial, parameter);
	resolve_answered(&trial, transactions_id(trial.transactions, "ORDER"));
	finish(&trial);
	log = fopen(path, "re");
	assert_non_null(log);
	assert_non_null(fgets(line, sizeof(line), log));
	fclose(log);
	unlink(path);
	assert_non_null(strstr(line, " transaction=ORDER "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_without_collectors_is_what_was_walked),
		cmocka_unit_test(a_wait_without_collectors_is_what_was_found),
		cmocka_unit_test(a_stack_that_no_collector_knows_is_the_plain_one),
		cmocka_unit_test(a_wait_of_which_nothing_was_seen_is_not_asked_about),
		cmocka_unit_test(what_a_collector_names_takes_the_place_of_frames),
		cmocka_unit_test(a_transaction_comes_into_force_when_it_is_applied),
		cmocka_unit_test(a_collector_is_given_the_transaction_in_force),
		cmocka_unit_test(a_stack_that_cannot_be_read_is_tried_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
