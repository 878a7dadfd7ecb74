/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the answers of data collectors and makes a stack of them. */
#include "common/compat.h"
#include "sampler/answers.h"
#include "common/path.h"
#include "sampler/collect.h"
#include "sampler/named-places.h"
#include "sampler/stacks.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

#include <assert.h>

/* Number of bits of a delay below the highest that its bucket in the histogram keeps. */
#define DELAY_BITS 2

/* Returns the bucket of a delay. */
static unsigned delay_place(uint64_t delay)
{
	unsigned high;

	if (delay < 1u << DELAY_BITS)
		return (unsigned)delay;
	high = 63 - (unsigned)__builtin_clzll(delay);
	return (high - DELAY_BITS + 1) << DELAY_BITS |
	       (unsigned)(delay >> (high - DELAY_BITS) & ((1u << DELAY_BITS) - 1));
}

/* Returns the middle of the delays in a bucket. */
static uint64_t delay_at(unsigned place)
{
	unsigned high = (place >> DELAY_BITS) + DELAY_BITS - 1;
	uint64_t digits = (place & ((1u << DELAY_BITS) - 1)) | 1u << DELAY_BITS;

	if (place < 1u << DELAY_BITS)
		return place;
	return (digits << (high - DELAY_BITS)) + (UINT64_C(1) << (high - DELAY_BITS)) / 2;
}

uint64_t answers_delay(const struct collector *collector)
{
	uint64_t seen = 0;

	for (unsigned place = 0; place < COLLECT_DELAYS; place++) {
		seen += collector->delays[place];
		if (seen * 2 > collector->delay_count)
			return delay_at(place);
	}
	return 0;
}

/* Counts how long after the sample the collector last read the program's memory. */
static void count_delay(struct collector *collector, const struct query *query)
{
	const struct host_client *client = &collector->client;
	uint64_t read_time = client->answer.read_time, delay;

	if (query->state != VIGIL_EXECUTING || read_time < client->asked_at ||
	    read_time > client->asked_at + client->patience || read_time < query->time)
		return;
	delay = read_time - query->time;
	collector->delays[delay_place(delay)]++;
	collector->delay_count++;
	if (delay > collector->delay_max)
		collector->delay_max = delay;
}

/*
 * Sets the range of addresses of the module that a mapping belongs to: where all
 * of it is loaded. A file that is not ELF has the size of the mapping.
 */
static void begin_range(struct query_state *state, const struct mapping *mapping)
{
	uint64_t start, end;

	state->base = mapping->start;
	state->size = mapping->end - mapping->start;
	if (!object_extent(mapping->object, &start, &end) ||
	    start + mapping->bias > mapping->start || end + mapping->bias < mapping->end)
		return;
	state->base = start + mapping->bias;
	state->size = end - start;
}

/* Sets the module in control, as vigil knows it. */
static void begin_module(struct query_state *state)
{
	const struct query *query = state->query;
	const struct mapping *mapping = query->depth ? query->frames[0].mapping : NULL;
	const char *name = NULL;

	if (mapping && mapping->object->path[0] &&
	    (mapping->object->kind == OBJECT_FILE || mapping->object->kind == OBJECT_VDSO)) {
		name = mapping->object->path;
		begin_range(state, mapping);
	} else if (!query->depth) {
		/* The location in it is not known: base and size stay 0. */
		name = query->task->process->base->program;
	}
	if (!name || !*name)
		return;
	snprintf(state->module, sizeof(state->module), "%s", path_base(name));
	state->module_known = true;
}

void answers_begin(struct query_state *state, const struct query *query,
		   const struct transactions *transactions)
{
	memset(state, 0, offsetof(struct query_state, places));
	state->query = query;
	begin_module(state);
	state->transaction_known = query->in_force != 0;
	snprintf(state->transaction, sizeof(state->transaction), "%s",
		 transactions_name(transactions, query->in_force));
}

/* Returns whether a collector may name a module although its range does not contain the address. */
static bool is_forced(const struct collector *collector, const struct call_answer *answer)
{
	const struct call_answer *loaded = &collector->client.loaded;

	if (answer->base != 0 || answer->size != VIGIL_FORCED_SIZE)
		return false;
	for (size_t i = 0; i < loaded->pseudo_section_count; i++) {
		const char *prefix = loaded->pseudo_sections[i].prefix;

		if (*prefix && strncmp(answer->module, prefix, strlen(prefix)) == 0)
			return true;
	}
	return false;
}

/*
 * Returns whether the named range contains an address. Programs are in the lower
 * half of the address space, so no range may extend beyond that.
 */
static bool holds(const struct call_answer *answer, uint64_t address)
{
	return answer->size <= INT64_MAX && answer->base <= INT64_MAX - answer->size &&
	       address >= answer->base && address - answer->base < answer->size;
}

/* Returns the number of frames shown to collectors. */
static size_t shown_frames(const struct query *query)
{
	return query->depth < CALL_FRAMES ? query->depth : CALL_FRAMES;
}

/* Returns whether the named module can be in control. */
static bool is_inside(const struct collector *collector, const struct query_state *state,
		      const struct call_answer *answer)
{
	const struct query *query = state->query;
	uint64_t address;
	size_t shown;

	/* The place of execution is not known: there is nothing to compare with. */
	if (query->depth == 0)
		return answer->level == 0;
	shown = shown_frames(query);
	if (answer->level > shown || (answer->level == shown && !answer->place_count))
		return false;
	/* What was known before is no claim of the collector. */
	if (state->module_known && answer->base == state->base && answer->size == state->size &&
	    strcmp(answer->module, state->module) == 0)
		return true;
	/* If all frames are inside the places, the outermost one shown is checked. */
	address = query->frames[answer->level < shown ? answer->level : shown - 1].address;
	return holds(answer, address) || is_forced(collector, answer);
}

/*
 * Returns whether the frames that are to stay between the places are valid:
 * farther out than the level, in the order of the places that called them.
 */
static bool is_between(const struct query_state *state, const struct call_answer *answer)
{
	size_t shown = shown_frames(state->query), level = (size_t)answer->level + 1, place = 1;

	for (uint32_t i = 0; i < answer->between_count; i++) {
		const struct vigil_between *between = &answer->betweens[i];

		if (between->place < place || between->level < level || between->level > shown ||
		    between->count > shown - between->level)
			return false;
		place = (size_t)between->place + 1;
		level = (size_t)between->level + between->count;
	}
	/* Places may have been cut off, and with them those that called these frames. */
	return answer->truncated || place <= answer->place_count || !answer->between_count;
}

/* Makes frames of the places. */
static void take_places(struct query_state *state, const struct call_answer *answer,
			struct named_places *places)
{
	pid_t pid = state->query->task->process->base->pid;

	state->level = answer->level;
	state->place_count = answer->place_count;
	state->truncated = answer->truncated != 0;
	state->between_count = answer->between_count;
	memcpy(state->betweens, answer->betweens,
	       answer->between_count * sizeof(*answer->betweens));
	for (uint32_t i = 0; i < answer->place_count; i++) {
		const struct call_place *place = &answer->places[i];
		const char *texts = answer->texts;
		struct named_place_text text = {
			.module = place->module ? texts + place->module : answer->module,
			.section = texts + place->section,
			.procedure = texts + place->procedure,
			.file = texts + place->file,
			.line = place->line,
		};

		state->places[i] = named_places_frame(places, &text, pid);
	}
}

/* Returns the frame of the named module, if nothing more is known. */
static uint32_t module_frame(const struct query_state *state, struct named_places *places)
{
	const struct query *query = state->query;
	bool forced = state->base == 0 && state->size == VIGIL_FORCED_SIZE;
	uint64_t offset = 0;

	if (query->depth) {
		const struct unwind_frame *frame = &query->frames[state->level];

		offset = forced ? frame->offset : frame->address - state->base;
	}
	return named_places_module(places, state->module, offset % NAMED_PLACES_FIRST,
				   query->task->process->base->pid);
}

/* Takes the module and the places; returns whether they are possible. */
static bool take_module(struct collector *collector, struct query_state *state,
			const struct call_answer *answer, struct named_places *places)
{
	if (!is_inside(collector, state, answer) || !is_between(state, answer)) {
		collector->outside++;
		return false;
	}
	state->base = answer->base;
	state->size = answer->size;
	state->module_known = answer->module[0] != '\0';
	snprintf(state->module, sizeof(state->module), "%s", answer->module);
	state->module_said = state->module_known || answer->place_count;
	take_places(state, answer, places);
	if (state->module_known && !state->place_count)
		state->module_frame = module_frame(state, places);
	return true;
}

/* Returns the time at which a collector read what it answered. */
static uint64_t read_at(const struct host_client *client, const struct query *query)
{
	uint64_t read_time = client->answer.read_time;
	bool possible = read_time >= client->asked_at && read_time >= query->time &&
			read_time <= clock_monotonic_ns();

	return possible ? read_time : query->time;
}

/* Takes the transaction. */
static void take_transaction(const struct collector *collector, struct query_state *state,
			     struct transactions *transactions)
{
	const struct call_answer *answer = &collector->client.answer;

	state->transaction_at = read_at(&collector->client, state->query);
	state->transaction_by = collector->id;
	state->transaction_said = true;
	state->transaction_known = answer->transaction_state == CALL_NAMED;
	snprintf(state->transaction, sizeof(state->transaction), "%s",
		 state->transaction_known ? answer->transaction : "");
	state->transaction_id = transactions_id(transactions, state->transaction);
}

void answers_take(struct collector *collector, struct query_state *state,
		  struct named_places *places, struct transactions *transactions)
{
	const struct call_answer *answer = &collector->client.answer;
	bool taken = true;

	count_delay(collector, state->query);
	if (answer->outcome == VIGIL_NOT_MINE)
		return;
	if (answer->outcome != VIGIL_DONE) {
		collector->torn++;
		return;
	}
	if (answer->module_named)
		taken = take_module(collector, state, answer, places);
	if (answer->transaction_state == CALL_RESET || answer->transaction_state == CALL_NAMED)
		take_transaction(collector, state, transactions);
	collector->answers += taken;
}

bool answers_change_stack(const struct query_state *state)
{
	return state->module_said;
}

/*
 * Pushes the places of a collector, which replace the frames from their level
 * outwards, except for those that stay between them.
 */
static uint32_t push_places(const struct query_state *state, struct stacks *stacks)
{
	const struct query *query = state->query;
	uint32_t stack = 0, between = state->between_count;

	for (uint32_t i = state->place_count; i-- > 0;) {
		stack = stacks_push(stacks, stack, state->places[i]);
		while (between && state->betweens[between - 1].place > i)
			between--;
		if (between && state->betweens[between - 1].place == i)
			stack = stacks_walked(
				stacks, stack, query->frames + state->betweens[between - 1].level,
				state->betweens[between - 1].count, query->task->process->base->pid);
	}
	return stack;
}

/* Pushes the frame of the module, which replaces the one at its level, inside those farther out. */
static uint32_t push_module(const struct query_state *state, struct stacks *stacks)
{
	const struct query *query = state->query;
	uint32_t outer = 0;

	if (query->depth)
		outer = stacks_walked(stacks, 0, &query->frames[state->level + 1],
				      query->depth - state->level - 1, query->task->process->base->pid);
	return stacks_push(stacks, outer, state->module_frame);
}

/*
 * Pushes the frames inside the places. If these are all frames, how the places
 * call them was not walked.
 */
static uint32_t push_inside(const struct query_state *state, struct stacks *stacks, uint32_t outer)
{
	const struct query *query = state->query;
	uint32_t stack = stacks_walked(stacks, outer, query->frames, state->level,
				       query->task->process->base->pid);

	if (state->level && state->level == shown_frames(query))
		stacks_mark_detached(stacks, stacks_below(stacks, outer, stack));
	return stack;
}

void answers_stack(const struct query_state *state, struct stacks *stacks,
		   struct resolved_stack *resolved)
{
	const struct query *query = state->query;
	uint32_t stack, native;

	/* take_module has checked that. */
	assert(state->module_said && state->level <= query->depth);
	resolved->whole = query->whole;
	resolved->truncated = query->truncated;
	/* Readers need it before the stack that stands for it. */
	native = stacks_walked(stacks, 0, query->frames, query->depth, query->task->process->base->pid);
	if (query->whole)
		stacks_mark_whole(stacks, native);
	if (state->place_count) {
		stack = push_places(state, stacks);
		/* With this many places the collector may have omitted the outermost itself. */
		resolved->truncated = state->truncated || state->place_count == VIGIL_PLACES_MAX;
		resolved->whole = !resolved->truncated;
		if (state->level && state->level == shown_frames(query))
			resolved->whole = resolved->truncated = false;
	} else {
		stack = push_module(state, stacks);
	}
	resolved->stack = stacks_stand_for(stacks, push_inside(state, stacks, stack), native);
	if (resolved->whole)
		stacks_mark_whole(stacks, resolved->stack);
	if (resolved->truncated)
		stacks_mark_truncated(stacks, resolved->stack);
}
