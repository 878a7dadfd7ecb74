/* SPDX-License-Identifier: Apache-2.0 */
/* Checks what a data collector answered and makes a stack of it. */
#include "common/compat.h"
#include "sampler/core.h"

/* Bits of a delay that its place in the histogram keeps, below the highest. */
#define DELAY_BITS 2

/* Where a delay is counted. */
static unsigned delay_place(uint64_t delay)
{
	unsigned high;

	if (delay < 1u << DELAY_BITS)
		return (unsigned)delay;
	high = 63 - (unsigned)__builtin_clzll(delay);
	return (high - DELAY_BITS + 1) << DELAY_BITS |
	       (unsigned)(delay >> (high - DELAY_BITS) & ((1u << DELAY_BITS) - 1));
}

/* The middle of the delays that are counted at a place. */
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

/* Count how long after the sample the collector last read the program's memory. */
static void count_delay(struct collector *collector, const struct sighting *sighting)
{
	const struct caller *caller = &collector->caller;
	uint64_t read_time = caller->answer.read_time, delay;

	if (sighting->state != VIGIL_EXECUTING || read_time < caller->asked_at ||
	    read_time > caller->asked_at + CALLER_PATIENCE || read_time < sighting->time)
		return;
	delay = read_time - sighting->time;
	collector->delays[delay_place(delay)]++;
	collector->delay_count++;
	if (delay > collector->delay_most)
		collector->delay_most = delay;
}

void answers_begin(struct finding *finding)
{
	const struct sighting *sighting = finding->sighting;
	const struct mapping *mapping = sighting->depth ? sighting->frames[0].mapping : NULL;
	const char *name = NULL, *slash;

	if (mapping && mapping->object->path[0] &&
	    (mapping->object->kind == OBJECT_FILE || mapping->object->kind == OBJECT_VDSO)) {
		name = mapping->object->path;
		finding->base = mapping->start;
		finding->size = mapping->end - mapping->start;
	} else if (!sighting->depth) {
		/* Where in it is not known: base and size stay 0. */
		name = sighting->task->process->program;
	}
	if (!name || !*name)
		return;
	slash = strrchr(name, '/');
	snprintf(finding->module, sizeof(finding->module), "%s", slash ? slash + 1 : name);
	finding->module_known = true;
}

/* Whether a collector may have a module taken though its range does not hold the address. */
static bool is_forced(const struct collector *collector, const struct call_answer *answer)
{
	const struct call_answer *loaded = &collector->caller.loaded;

	if (answer->base != 0 || answer->size != VIGIL_FORCED_SIZE)
		return false;
	for (size_t i = 0; i < loaded->pseudo_section_count; i++) {
		const char *prefix = loaded->pseudo_sections[i].prefix;

		if (*prefix && strncmp(answer->module, prefix, strlen(prefix)) == 0)
			return true;
	}
	return false;
}

/* Whether the module that was named can be in control. */
static bool is_inside(const struct collector *collector, const struct finding *finding,
		      const struct call_answer *answer)
{
	const struct sighting *sighting = finding->sighting;
	uint64_t address;

	/* Where it executes is not known: there is nothing to compare with. */
	if (sighting->depth == 0)
		return answer->level == 0;
	if (answer->level >= sighting->depth || answer->level >= CALL_FRAMES)
		return false;
	/* What was known before is no claim of the collector's. */
	if (finding->module_known && answer->base == finding->base &&
	    answer->size == finding->size && strcmp(answer->module, finding->module) == 0)
		return true;
	address = sighting->frames[answer->level].address;
	return (address >= answer->base && address - answer->base < answer->size) ||
	       is_forced(collector, answer);
}

/* Make frames of the places. */
static void take_places(struct sampler *sampler, struct finding *finding,
			const struct call_answer *answer)
{
	pid_t pid = finding->sighting->task->process->pid;

	finding->level = answer->level;
	finding->place_count = answer->place_count;
	finding->cut = answer->cut != 0;
	for (uint32_t i = 0; i < answer->place_count; i++) {
		const struct call_place *place = &answer->places[i];
		const char *texts = answer->texts;
		struct place_text text = {
			.module = place->module ? texts + place->module : answer->module,
			.section = texts + place->section,
			.procedure = texts + place->procedure,
			.file = texts + place->file,
			.line = place->line,
		};

		finding->places[i] = places_frame(sampler->places, &text, pid);
	}
}

/* The frame of the module that was named, when that is all that is known. */
static uint32_t module_frame(struct sampler *sampler, const struct finding *finding)
{
	const struct sighting *sighting = finding->sighting;
	bool forced = finding->base == 0 && finding->size == VIGIL_FORCED_SIZE;
	uint64_t offset = 0;

	if (sighting->depth) {
		const struct unwind_frame *frame = &sighting->frames[finding->level];

		offset = forced ? frame->offset : frame->address - finding->base;
	}
	return places_module(sampler->places, finding->module, offset % PLACES_FIRST,
			     sighting->task->process->pid);
}

/* Take over the module and the places; whether they are possible. */
static bool take_module(struct sampler *sampler, struct collector *collector,
			struct finding *finding, const struct call_answer *answer)
{
	if (!is_inside(collector, finding, answer)) {
		collector->outside++;
		return false;
	}
	finding->base = answer->base;
	finding->size = answer->size;
	finding->module_known = answer->module[0] != '\0';
	snprintf(finding->module, sizeof(finding->module), "%s", answer->module);
	finding->module_said = finding->module_known || answer->place_count;
	take_places(sampler, finding, answer);
	if (finding->module_known && !finding->place_count)
		finding->module_frame = module_frame(sampler, finding);
	return true;
}

/* Take over the transaction. */
static void take_transaction(struct sampler *sampler, struct finding *finding,
			     const struct call_answer *answer)
{
	finding->transaction_said = true;
	finding->transaction_known = answer->transaction_state == CALL_NAMED;
	snprintf(finding->transaction, sizeof(finding->transaction), "%s",
		 finding->transaction_known ? answer->transaction : "");
	finding->transaction_id = transactions_id(sampler->transactions, finding->transaction);
}

void answers_take(struct sampler *sampler, struct collector *collector, struct finding *finding)
{
	const struct call_answer *answer = &collector->caller.answer;
	bool taken = true;

	count_delay(collector, finding->sighting);
	if (answer->outcome == VIGIL_NOT_MINE)
		return;
	if (answer->outcome != VIGIL_DONE) {
		collector->torn++;
		return;
	}
	if (answer->module_named)
		taken = take_module(sampler, collector, finding, answer);
	if (answer->transaction_state == CALL_RESET || answer->transaction_state == CALL_NAMED)
		take_transaction(sampler, finding, answer);
	collector->answers += taken;
}

void answers_stack(struct sampler *sampler, const struct finding *finding, struct verdict *verdict)
{
	const struct sighting *sighting = finding->sighting;
	struct stacks *stacks = &sampler->stacks;
	pid_t pid = sighting->task->process->pid;
	uint32_t inner = 0, stack = 0;

	verdict->whole = sighting->whole;
	if (!finding->module_said || (!finding->place_count && sighting->depth == 0)) {
		inner = (uint32_t)sighting->depth;
		if (finding->module_said)
			stack = stacks_push(stacks, 0, finding->module_frame);
	} else if (finding->place_count) {
		for (uint32_t i = finding->place_count; i-- > 0;)
			stack = stacks_push(stacks, stack, finding->places[i]);
		/* Where so many are given the collector may have cut off the outermost itself. */
		verdict->whole = !finding->cut && finding->place_count < VIGIL_PLACES_MAX;
		inner = finding->level;
	} else {
		const struct unwind_frame *frame = &sighting->frames[finding->level];

		stack = stacks_walked(stacks, 0, frame + 1, sighting->depth - finding->level - 1,
				      pid);
		stack = stacks_push(stacks, stack, finding->module_frame);
		inner = finding->level;
	}
	verdict->stack = stacks_walked(stacks, stack, sighting->frames, inner, pid);
	if (verdict->whole)
		stacks_mark_whole(stacks, verdict->stack);
}
