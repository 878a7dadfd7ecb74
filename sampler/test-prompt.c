/* SPDX-License-Identifier: Apache-2.0 */
/* Tests showing samples early: the kernel's records are constructed, the collector is real. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "program/unwind/arch.h"
#include "records/record-types.h"
#include "sampler/sampler-data.h"
#include "step/test-area.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

#define RING_SIZE 65536
#define RINGS 2
#define PERIOD (1 * NSEC_PER_MSEC)
#define REGISTERS_MAX 32
#define AREA_SLOTS 16

/* Last part of every record except a sample. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time, stream;
};

/* This process is the step; it has begun to execute a program of the collector's. */
struct trial {
	struct sampler *sampler;
	struct task *task;
	struct sampler_collector collector;
	uint64_t begin;
	bool in_kernel; /* for the next samples */
	struct test_area area; /* of transactions that the step names itself */
	struct step *step;
};

/* sampler_config.choose */
static size_t choose(void *argument, const char *program UNUSED, bool first UNUSED,
		     const struct sampler_collector **list)
{
	struct trial *trial = argument;

	*list = &trial->collector;
	return 1;
}

/* Makes rings in private memory instead of the kernel's. */
static void make_rings(struct perf *perf)
{
	perf->cpus = xcalloc(RINGS, sizeof(*perf->cpus));
	perf->cpu_count = RINGS;
	for (int i = 0; i < RINGS; i++) {
		struct ring *ring = &perf->cpus[i].ring;

		ring->page = xcalloc(1, sizeof(*ring->page));
		ring->data = xcalloc(1, RING_SIZE);
		ring->size = RING_SIZE;
		ring->bounce = xmalloc(65536);
	}
}

/* parameter: what the collector does (tests/collectors/rules.c). */
static void begin(struct trial *trial, const char *parameter)
{
	struct sampler_config config = {
		.rate = NSEC_PER_SEC / PERIOD,
		.choose = choose,
		.choose_argument = trial,
		.collector_host = "sampler/host/collector-host",
		.subject = "shares",
	};
	struct process *process;
	pid_t pid = getpid();

	test_area_make(&trial->area, AREA_SLOTS);
	config.step = trial->step = step_new(&trial->area.changes);
	trial->in_kernel = false;
	trial->collector = (struct sampler_collector){
		"STRBRULE", "tests/collectors/rules.so", parameter, "", COLLECTOR_NAMED,
	};
	trial->sampler = sampler_new(&config);
	trial->sampler->ledger.chance = 0; /* nothing is random */
	trial->sampler->privilege = PRIVILEGE_USER;
	collect_prepare(trial->sampler->collect);
	collect_get(trial->sampler->collect, 0)->client.patience = 60 * NSEC_PER_SEC;
	/* However long this test is kept from the processor, its samples are not old. */
	trial->begin = clock_monotonic_ns() + 3600 * NSEC_PER_SEC;
	step_clock_init(&trial->sampler->clock, trial->begin);
	process = tasks_add_process(&trial->sampler->tasks, pid, NULL, trial->begin);
	trial->task = tasks_add_task(&trial->sampler->tasks, process, pid, "", trial->begin);
	tasks_exec(process, "shares");
	process->awaiting_image = false;
	state_set(&trial->sampler->states, trial->task, TASK_RUNNING);
	make_rings(&trial->sampler->perf);
	trial->sampler->perf.open = true;
	trial->sampler->prompt = prompt_new(&(struct prompt_parts){
		.perf = &trial->sampler->perf,
		.tasks = &trial->sampler->tasks,
		.short_tasks = &trial->sampler->short_tasks,
		.clock = &trial->sampler->clock,
		.collect = trial->sampler->collect,
		.resolver = &trial->sampler->stack_resolver,
		.transactions = trial->sampler->transactions,
	});
	trial->sampler->samples.parts.prompt = trial->sampler->prompt;
	collect_look(trial->sampler->collect, &trial->sampler->tasks, trial->begin);
	assert_true(collect_busy(trial->sampler->collect));
}

static void finish(struct trial *trial)
{
	struct perf *perf = &trial->sampler->perf;

	for (int i = 0; i < RINGS; i++) {
		free(perf->cpus[i].ring.page);
		free((void *)(uintptr_t)perf->cpus[i].ring.data);
		free(perf->cpus[i].ring.bounce);
	}
	free(perf->cpus);
	trial->sampler->perf.open = false;
	sampler_free(trial->sampler);
	step_free(trial->step);
	test_area_drop(&trial->area);
}

/* Writes a record as the kernel does. */
static void put(struct trial *trial, int number, const void *record, size_t size)
{
	struct ring *ring = &trial->sampler->perf.cpus[number].ring;
	unsigned char *data = (void *)(uintptr_t)ring->data;
	uint64_t head = ring->page->data_head;

	assert_true(head + size - ring->page->data_tail <= RING_SIZE);
	for (size_t i = 0; i < size; i++)
		data[(head + i) % RING_SIZE] = ((const unsigned char *)record)[i];
	ring->page->data_head = head + size;
}

/* The step is sampled: the sample stands for period ns. */
static void put_sample(struct trial *trial, int ring, uint64_t time, uint64_t period)
{
	struct {
		struct perf_event_header header;
		uint64_t ip;
		uint32_t pid, tid;
		uint64_t time, address, stream, period, abi, rest[REGISTERS_MAX + 1];
	} record = {
		.header = { .type = PERF_RECORD_SAMPLE },
		.pid = (uint32_t)getpid(),
		.tid = (uint32_t)getpid(),
		.time = time,
		.stream = 1,
		.period = period,
		.abi = arch_register_abi,
	};
	size_t registers = (size_t)__builtin_popcountll(arch_register_mask);

	record.header.misc = trial->in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	/* No bytes of the stack. */
	record.header.size =
		(uint16_t)(offsetof(__typeof__(record), rest) + (registers + 1) * sizeof(uint64_t));
	put(trial, ring, &record, record.header.size);
}

/* The step executes another program. */
static void put_exec(struct trial *trial, int ring, uint64_t time)
{
	const struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char name[8];
		struct trailer who;
	} record = {
		.header = { PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, sizeof(record) },
		.pid = (uint32_t)getpid(),
		.tid = (uint32_t)getpid(),
		.name = "waits",
		.who = { (uint32_t)getpid(), (uint32_t)getpid(), time, 1 },
	};

	put(trial, ring, &record, sizeof(record));
}

/* Applies all records. */
static void apply(struct trial *trial)
{
	observe_drain(trial->sampler, trial->begin + NSEC_PER_SEC);
}

/* Returns the name of the transaction in force. */
static const char *in_force(const struct trial *trial)
{
	const struct transactions *transactions = trial->sampler->transactions;

	return transactions_name(transactions, transactions_of(transactions, trial->task->base->tid));
}

/* Returns the number of samples shown and not applied yet. */
static size_t looked_at(const struct trial *trial)
{
	size_t count = 0;

	for (const struct prompt_sample *kept = trial->task->prompt.kept; kept; kept = kept->next)
		count++;
	return count;
}

/* Returns the maximum number of times that the collector was asked so far. */
static uint64_t asked(const struct trial *trial)
{
	const struct collector *collector = collect_get(trial->sampler->collect, 0);

	return collector->calls + collector->late;
}

static void a_sample_is_not_looked_at_when_an_exec_lies_in_another_ring(void **state UNUSED)
{
	struct trial trial;

	for (int ring = 0; ring < RINGS; ring++) {
		begin(&trial, "");
		put_exec(&trial, !ring, trial.begin + 1000);
		put_sample(&trial, ring, trial.begin + 2000, PERIOD);
		prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
		assert_int_equal(looked_at(&trial), 0);
		apply(&trial);
		assert_string_equal(trial.task->process->base->program, "waits");
		/* Nothing prevents the next one. */
		trial.task->process->awaiting_image = false;
		put_sample(&trial, ring, trial.begin + 2 * NSEC_PER_SEC, PERIOD);
		prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
		assert_int_equal(looked_at(&trial), 1);
		finish(&trial);
	}
}

static void what_was_found_out_before_an_exec_holds_no_more(void **state UNUSED)
{
	struct trial trial;

	begin(&trial, "");
	trial.sampler->ledger.period = 4 * PERIOD;
	trial.task->samples.credit = -(int64_t)PERIOD;
	for (uint64_t i = 1; i <= 4; i++)
		put_sample(&trial, 0, trial.begin + i * 1000, PERIOD);
	prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
	put_exec(&trial, 0, trial.begin + 5000);
	assert_int_equal(looked_at(&trial), 1);
	apply(&trial);
	assert_int_equal(looked_at(&trial), 0);
	finish(&trial);
}

static void each_sample_of_a_whole_period_is_looked_at(void **state UNUSED)
{
	struct trial trial;
	uint64_t asked_before;

	begin(&trial, "");
	for (uint64_t i = 1; i <= 10; i++)
		put_sample(&trial, (int)i % RINGS, trial.begin + i * 1000, PERIOD);
	prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
	assert_int_equal(looked_at(&trial), 10);
	asked_before = asked(&trial);
	apply(&trial);
	assert_int_equal(trial.sampler->ledger.processed, 10);
	assert_int_equal(looked_at(&trial), 0);
	assert_int_equal(asked(&trial), asked_before);
	finish(&trial);
}

static void of_samples_that_are_thinned_one_a_period_is_looked_at(void **state UNUSED)
{
	struct trial trial;
	uint64_t asked_before;

	begin(&trial, "");
	/* The rate was halved twice since the task began. */
	trial.sampler->ledger.period = 4 * PERIOD;
	trial.task->samples.credit = -(int64_t)PERIOD;
	for (uint64_t i = 1; i <= 41; i++)
		put_sample(&trial, 0, trial.begin + i * 1000, PERIOD);
	prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
	assert_int_equal(looked_at(&trial), 10);
	asked_before = asked(&trial);
	apply(&trial);
	assert_int_equal(trial.sampler->ledger.processed, 10);
	assert_int_equal(looked_at(&trial), 0);
	/* For each sample that stays, one in its period was shown. */
	assert_int_equal(asked(&trial), asked_before);
	finish(&trial);
}

static void the_sample_that_was_looked_at_is_shown_and_no_other_of_its_period(void **state UNUSED)
{
	const struct record_sample *row;
	struct trial trial;

	begin(&trial, "");
	trial.sampler->ledger.period = 4 * PERIOD;
	trial.task->samples.credit = -(int64_t)PERIOD;
	for (uint64_t i = 1; i <= 5; i++) {
		trial.in_kernel = i != 4;
		put_sample(&trial, 0, trial.begin + i * 1000, PERIOD);
	}
	prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
	apply(&trial);
	assert_int_equal(trial.sampler->ledger.rows.count, 1);
	row = recordset_get(&trial.sampler->ledger.rows, 0);
	assert_int_equal(row->kind, SAMPLE_USER);
	finish(&trial);
}

static void what_is_said_of_a_sample_that_is_thinned_holds(void **state UNUSED)
{
	struct trial trial;

	begin(&trial, "transaction=WORK");
	trial.sampler->ledger.period = 4 * PERIOD;
	trial.task->samples.credit = -100 * (int64_t)PERIOD;
	for (uint64_t i = 1; i <= 40; i++)
		put_sample(&trial, 0, trial.begin + i * 1000, PERIOD);
	prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
	assert_int_equal(transactions_of(trial.sampler->transactions, trial.task->base->tid), 0);
	apply(&trial);
	assert_int_equal(trial.sampler->ledger.processed, 0);
	assert_string_equal(in_force(&trial), "WORK");
	finish(&trial);
}

/* The step names its transaction at a time. */
static void name_transaction(struct trial *trial, uint64_t time, const char *name)
{
	test_area_change(&trial->area, (uint32_t)getpid(), time, name);
}

static void a_collector_is_shown_the_transaction_of_the_samples_time(void **state UNUSED)
{
	static const char *const own[] = { "A", "B", "A", "", "B" };
	static const char *const shown[] = { "A/SUB", "B/SUB", "A/SUB", "", "B/SUB" };
	struct trial trial;

	begin(&trial, "refine");
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		name_transaction(&trial, trial.begin + i * 1000 + 500, own[i]);
		put_sample(&trial, (int)i % RINGS, trial.begin + i * 1000 + 900, PERIOD);
	}
	/* All of them are shown before any is applied. */
	prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
	assert_int_equal(looked_at(&trial), ARRAY_SIZE(own));
	apply(&trial);
	assert_int_equal(trial.sampler->ledger.rows.count, ARRAY_SIZE(own));
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		const struct record_sample *row = recordset_get(&trial.sampler->ledger.rows, i);

		assert_string_equal(
			transactions_name(trial.sampler->transactions, row->transaction), shown[i]);
	}
	finish(&trial);
}

static void a_collector_is_shown_what_was_said_of_the_sample_before(void **state UNUSED)
{
	struct trial trial;
	uint64_t id;

	begin(&trial, "transaction=WORK");
	/* At the same time: the step named it before the sample was taken. */
	name_transaction(&trial, trial.begin + 1000, "OWN");
	put_sample(&trial, 0, trial.begin + 1000, PERIOD);
	prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
	assert_int_equal(looked_at(&trial), 1);
	name_transaction(&trial, trial.begin + 2000, "LATER");
	for (uint64_t i = 0; i <= 2; i++) {
		static const char *const wanted[] = { "", "WORK", "LATER" };

		id = prompt_transaction(trial.sampler->transactions, trial.task,
					trial.begin + 999 + i * 600);
		assert_string_equal(transactions_name(trial.sampler->transactions, id), wanted[i]);
	}
	finish(&trial);
}

static void what_one_named_ends_when_it_is_switched_off(void **state UNUSED)
{
	struct trial trial;
	struct collect *collect;
	uint64_t now;

	begin(&trial, "transaction=WORK");
	collect = trial.sampler->collect;
	put_sample(&trial, 0, trial.begin + 1000, PERIOD);
	put_sample(&trial, 0, trial.begin + NSEC_PER_SEC + 1000, PERIOD);
	prompt_look(trial.sampler->prompt, trial.sampler->ledger.period);
	assert_int_equal(looked_at(&trial), 2);
	apply(&trial);
	assert_string_equal(in_force(&trial), "WORK");
	host_client_end(&collect_get(collect, 0)->client, "this test is over");
	now = trial.sampler->clock.now;
	collect_look(collect, &trial.sampler->tasks, now);
	assert_string_equal(in_force(&trial), "");
	/* What the collector said about a sample that is applied now comes too late. */
	observe_drain(trial.sampler, trial.begin + 2 * NSEC_PER_SEC);
	assert_int_equal(looked_at(&trial), 0);
	assert_string_equal(in_force(&trial), "");
	finish(&trial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_is_not_looked_at_when_an_exec_lies_in_another_ring),
		cmocka_unit_test(what_was_found_out_before_an_exec_holds_no_more),
		cmocka_unit_test(each_sample_of_a_whole_period_is_looked_at),
		cmocka_unit_test(of_samples_that_are_thinned_one_a_period_is_looked_at),
		cmocka_unit_test(the_sample_that_was_looked_at_is_shown_and_no_other_of_its_period),
		cmocka_unit_test(what_is_said_of_a_sample_that_is_thinned_holds),
		cmocka_unit_test(a_collector_is_shown_the_transaction_of_the_samples_time),
		cmocka_unit_test(a_collector_is_shown_what_was_said_of_the_sample_before),
		cmocka_unit_test(what_one_named_ends_when_it_is_switched_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
