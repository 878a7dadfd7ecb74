/* SPDX-License-Identifier: Apache-2.0 */
/* Determines places of waits from samples of tasks that leave the processor. */
#include "common/compat.h"
#include "sampler/switch-places.h"
#include "common/clock.h"
#include "common/hash.h"
#include "program/unwind/arch.h"
#include "program/unwind/decode.h"
#include "records/record-types.h"
#include "sampler/collect.h"
#include "sampler/perf.h"
#include "sampler/probe.h"
#include "sampler/stack-resolve.h"
#include "sampler/tasks.h"
#include "sampler/waits.h"

/*
 * Maximum number of times a second that tasks may leave, and the window in which
 * they are counted.
 */
#define LEAVINGS_MAX 5000
#define WINDOW (50 * NSEC_PER_MSEC)
/* Minimum time that it stays off, and the fill of a ring, percent, that switches it off at once. */
#define OFF_MIN (500 * NSEC_PER_MSEC)
#define FILL_MAX 25

void switch_places_init(struct switch_places *places, const struct switch_places_parts *parts)
{
	*places = (struct switch_places){ .parts = *parts };
}

/*
 * Determines the call in which a task is, from its registers and the code that
 * they point to; returns false if it is in none.
 */
static bool call_of(const struct task *task, const struct unwind_input *input,
		    struct procfs_call *call)
{
	uint64_t instruction = input->registers[ARCH_INSTRUCTION];
	const struct mapping *mapping = space_find(task->process->space, instruction);
	const unsigned char *code;

	RETURN_IF(!mapping || !arch_in_call(input->registers), false);
	code = object_bytes(mapping->object, instruction - mapping->bias - SYSTEM_CALL_REACH,
			    SYSTEM_CALL_REACH);
	if (!code || !decode_system_call(code, SYSTEM_CALL_REACH, input->registers, &call->number))
		return false;
	arch_call_arguments(input->registers, call->arguments);
	call->stack = input->registers[ARCH_STACK_POINTER];
	call->instruction = instruction;
	return true;
}

/* Returns a hash of all that the program can have changed; never 0. */
static uint64_t state_of(const struct unwind_input *input, const struct observed_sample *sample)
{
	uint64_t state = hash_bytes(input->registers, sizeof(input->registers)), word;

	for (size_t at = 0; at + sizeof(word) <= sample->stack_size; at += sizeof(word)) {
		memcpy(&word, sample->stack + at, sizeof(word));
		state = hash_pair(state, word);
	}
	return state | 1;
}

/* Returns whether the kernel may sleep several times in a call that waits at this place. */
static bool is_file_call(const struct wait_site *site)
{
	return site->reason == WAIT_FILE_READ || site->reason == WAIT_FILE_WRITE ||
	       site->reason == WAIT_FILE_SYNC || site->reason == WAIT_FILE_OTHER;
}

void switch_places_take(struct switch_places *places, struct task *task,
			const struct observation *seen)
{
	const struct switch_places_parts *parts = &places->parts;
	uint64_t before = task->waits.call;
	struct unwind_input input = { 0 };
	struct procfs_call call;
	struct probe_site found;
	struct wait_site site;

	waits_leave(task, NULL, false);
	if (seen->sample.abi != arch_register_abi || collect_wants(parts->collect, task->process))
		return;
	arch_registers(seen->sample.registers, &input);
	if (!call_of(task, &input, &call) ||
	    !prober_classify(parts->prober, task->process->base->pid, task->base->tid, &call, &found))
		return;
	site = (struct wait_site){
		.reason = found.reason,
		.file = found.file,
		.syscall = found.syscall,
	};
	if (!stack_resolve_recorded(parts->resolver, task, seen, &site.stack))
		return;
	task->waits.call = is_file_call(&site) ? state_of(&input, &seen->sample) : 0;
	waits_leave(task, &site, before && task->waits.call == before);
}

/* Switches the samples on or off. */
static void turn(struct switch_places *places, bool off, uint64_t now)
{
	places->off = off;
	places->off_until = now + OFF_MIN;
	perf_record_leavings(places->parts.perf, !off);
}

void switch_places_watch(struct switch_places *places)
{
	uint64_t now = clock_monotonic_ns(), passed = now - places->since, often;
	struct perf *perf = places->parts.perf;
	bool many;

	if (!perf->open || !perf_can_record_leavings(perf))
		return;
	if (!places->off && perf_fill(perf) >= FILL_MAX)
		turn(places, true, now);
	if (passed < WINDOW)
		return;
	often = (places->parts.tasks->switches - places->switches) * NSEC_PER_SEC / passed;
	many = places->since && often > LEAVINGS_MAX;
	if (!places->off && many && places->doubted)
		turn(places, true, now);
	else if (places->off && now >= places->off_until && often < LEAVINGS_MAX / 2)
		turn(places, false, now);
	places->doubted = many;
	places->since = now;
	places->switches = places->parts.tasks->switches;
}
