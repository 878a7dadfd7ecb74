/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a user stack from callers to callees. */
#include "common/compat.h"
#include "program/unwind/unwind-down.h"

#include "program/unwind/decode.h"
#include "program/unwind/unwind-arch.h"
#include "program/unwind/unwind-search.h"

/* Maximum size, bytes, of a frame in which the next call is looked for. */
#define DOWN_FRAME 16384
/* Maximum number of calls found below the anchors. */
#define DOWN_CALLS 64
/* Maximum size, bytes, of a function that calls the system by itself. */
#define SYSTEM_CALL_CODE 4096
/*
 * Number of words below a call in which another one of the same function is looked for:
 * below one of an anchor, and below one that was found.
 */
#define LOWER_ANCHOR 2
#define LOWER_FOUND 40
/* Size of a return address on the stack. */
#define WORD 8

/* The walk: frames so far, outermost first. */
struct down {
	struct walk walk;
	struct unwind_frame *frames;
	size_t count;
};

size_t unwind_anchors(const struct unwind_frame *frames, size_t count, struct unwind_anchor *anchors,
		      size_t most)
{
	size_t stored = 0;

	for (size_t i = count; i-- > 1 && stored < most;)
		if (frames[i].stack)
			anchors[stored++] = (struct unwind_anchor){ frames[i].address, frames[i].stack };
	return stored;
}

/* Determines the function at an address of the process; returns false if it is not known. */
static bool find_function(struct walk *walk, uint64_t address, struct code_place *place)
{
	*place = (struct code_place){ .mapping = space_find(walk->input->space, address) };
	if (!place->mapping)
		return false;
	place->offset = address - place->mapping->bias;
	place->table = code_table_of(place->mapping->object);
	place->has_routine = place->table && cfi_function_at(&place->table->cfi, place->offset,
							     &place->routine.start, &place->routine.end);
	return place->has_routine;
}

/* Adds the frame of a call with this return address, made with this stack pointer. */
static void add(struct down *down, uint64_t address, uint64_t stack)
{
	const struct mapping *mapping = space_find(down->walk.input->space, address);

	down->frames[down->count++] = (struct unwind_frame){
		.mapping = mapping,
		.address = address,
		.offset = mapping ? address - mapping->bias : address,
		.stack = stack,
	};
}

/* Returns whether two addresses of the process are in one function. */
static bool is_same_function(struct walk *walk, uint64_t one, uint64_t other)
{
	struct code_place first, second;

	return find_function(walk, other, &second) && find_function(walk, one, &first) &&
	       first.mapping->object == second.mapping->object && first.routine.start == second.routine.start;
}

/* Returns whether a return address follows a call in the function of an anchor. */
static bool is_other_call(struct down *down, const struct unwind_anchor *anchor, uint64_t returns)
{
	const struct code_place any = { .mapping = NULL };

	return returns > 4096 && is_same_function(&down->walk, anchor->address, returns - 1) &&
	       search_match(&down->walk, &any, returns) > MATCH_NONE;
}

/* Returns whether a call can lead to a function: it, or the one that it calls and that jumps to it. */
static bool can_lead_to(struct walk *walk, uint64_t returns, const struct code_place *place, bool exact)
{
	enum match match = search_match(walk, place, returns);
	struct code_place called;
	uint64_t target;

	if (match == MATCH_EXACT || (match == MATCH_POSSIBLE && exact))
		return true;
	target = search_target(walk, returns);
	return target && find_function(walk, target, &called) && called.mapping->object == place->mapping->object &&
	       search_jumps_into(called.mapping->object, called.offset, &place->routine);
}

/*
 * Returns whether the word at an address of the stack is the return address of a call
 * made by the callee of the newest frame.
 */
static bool is_next_call(struct down *down, uint64_t at, uint64_t word)
{
	const struct unwind_frame *caller = &down->frames[down->count - 1];
	const struct code_place any = { .mapping = NULL };
	const struct frame_row *row;
	struct code_place place;
	bool exact;

	if (word < 4096 || !find_function(&down->walk, word - 1, &place))
		return false;
	row = cfi_find(&place.table->cfi, place.offset);
	if (!row || row->cfa_kind != RULE_REGISTER || row->signal || row->switched)
		return false;
	/* By the frame pointer, whose value is not known, any place fits. */
	exact = row->cfa_register == REGISTER_STACK;
	if (exact && at + WORD + (uint64_t)(int64_t)row->cfa_value != caller->stack)
		return false;
	return can_lead_to(&down->walk, caller->address + 1, &place, exact) &&
	       search_match(&down->walk, &any, word) > MATCH_NONE;
}

/*
 * A call of the newest frame's callee was found at an address of the stack: takes another
 * one that it made further down instead. A call that pushes arguments may leave a word of
 * its frame as it was, for alignment: with the return address of a call that is over. The
 * other way round there is no such word, as the call's own frame lies there. Returns
 * whether there is another one.
 */
static bool prefer_lower(struct down *down, unsigned words, uint64_t *at, uint64_t *word)
{
	const uint64_t from = *at, first = *word;

	for (uint64_t i = 1; i <= words; i++) {
		uint64_t other;

		if (!walk_word(&down->walk, from - i * WORD, &other))
			break;
		if (other < 4096 || !is_same_function(&down->walk, first - 1, other - 1) ||
		    !is_next_call(down, from - i * WORD, other))
			continue;
		*at = from - i * WORD;
		*word = other;
	}
	return *at != from;
}

/*
 * Adds the calls of anchors that last, and the first one that has given way to another.
 * Where a function is in no call, its caller may have called another one. Returns whether
 * there is any.
 */
static bool follow_anchors(struct down *down, const struct unwind_anchor *anchors, size_t count)
{
	for (size_t i = 0; i < count && down->count < UNWIND_MAX_FRAMES - 1 - DOWN_CALLS; i++) {
		uint64_t returns, at = anchors[i].stack - WORD;

		if (!walk_word(&down->walk, at, &returns))
			return false;
		if (returns - 1 == anchors[i].address) {
			if (i > 0 && prefer_lower(down, LOWER_ANCHOR, &at, &returns)) {
				add(down, returns - 1, at + WORD);
				break;
			}
			add(down, anchors[i].address, anchors[i].stack);
			continue;
		}
		if (is_other_call(down, &anchors[i], returns))
			add(down, returns - 1, anchors[i].stack);
		break;
	}
	return down->count > 0;
}

/* Adds the call that the callee of the newest frame has made; returns false if there is none. */
static bool add_next(struct down *down)
{
	uint64_t top = down->frames[down->count - 1].stack - WORD;

	for (uint64_t at = top - WORD; top - at <= DOWN_FRAME && at < top; at -= WORD) {
		uint64_t word;

		if (!walk_word(&down->walk, at, &word))
			return false;
		if (is_next_call(down, at, word)) {
			prefer_lower(down, LOWER_FOUND, &at, &word);
			add(down, word - 1, at + WORD);
			return true;
		}
	}
	return false;
}

/* Adds the function that the newest frame calls, if its address is known, at its start. */
static void add_innermost(struct down *down)
{
	const struct unwind_frame *caller = &down->frames[down->count - 1];
	uint64_t target = search_target(&down->walk, caller->address + 1);
	struct code_place place;

	if (target && find_function(&down->walk, target, &place) && place.routine.start == place.offset)
		add(down, target, caller->stack - WORD);
}

static void reverse(struct unwind_frame *frames, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct unwind_frame other = frames[i];

		frames[i] = frames[count - 1 - i];
		frames[count - 1 - i] = other;
	}
}

/* Returns whether the function of the newest frame contains an instruction that calls the system. */
static bool is_system_call(struct down *down)
{
	const struct unwind_frame *frame = &down->frames[down->count - 1];
	struct code_place place;
	const unsigned char *code;
	size_t size;

	if (!find_function(&down->walk, frame->address, &place))
		return false;
	size = (size_t)(place.routine.end - place.routine.start);
	code = size <= SYSTEM_CALL_CODE ? object_bytes(place.mapping->object, place.routine.start, size) : NULL;
	return code && decode_has_system_call(code, size);
}

size_t unwind_down(const struct unwind_input *input, const struct unwind_anchor *anchors, size_t count,
		   struct unwind_frame *frames, bool *calls_system)
{
	struct down down = { .frames = frames };

	*calls_system = false;

	walk_init(&down.walk, input);
	if (!follow_anchors(&down, anchors, count))
		return 0;
	for (unsigned i = 0; i < DOWN_CALLS && add_next(&down); i++)
		;
	add_innermost(&down);
	*calls_system = is_system_call(&down);
	reverse(frames, down.count);
	return down.count;
}
