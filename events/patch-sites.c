/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the sites of one function. */
#include "common/compat.h"
#include "events/patch-sites.h"
#include "agent/event-patch-area.h"
#include "common/xalloc.h"
#include "program/unwind/decode.h"

/* Maximum number of separate parts of a function. */
#define PARTS 8

struct maker {
	struct patch_object *object;
	struct patch_function *function;
	struct patch_range parts[PARTS];
	size_t part_count;
	struct code *codes; /* of one part */
	size_t count, alloc;
	bool has_inner;	/* data contain addresses of instructions inside it: it may have jump
			 * tables */
	uint64_t floor; /* addresses below belong to a site */
	struct strbuf sites;
	uint64_t site_count;
};

/* Decodes a part; returns false if some bytes are not instructions. */
static bool decode_part(struct maker *maker, const struct patch_range *part)
{
	uint64_t at = part->start;

	maker->count = 0;
	while (at < part->end) {
		GROW(maker->codes, maker->count + 1, maker->alloc);
		if (!code_at(&maker->object->scan, at, &maker->codes[maker->count]))
			return false;
		at += maker->codes[maker->count++].length;
	}
	return at == part->end;
}

static bool is_inside(const struct maker *maker, uint64_t address)
{
	for (size_t i = 0; i < maker->part_count; i++)
		if (address >= maker->parts[i].start && address < maker->parts[i].end)
			return true;
	return false;
}

/* Returns the cold part that contains an address; NULL: none. */
static const struct patch_range *cold_at(const struct patch_object *object, uint64_t address)
{
	size_t low = 0, high = object->cold_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (address < object->cold[middle].start)
			high = middle;
		else if (address >= object->cold[middle].end)
			low = middle + 1;
		else
			return &object->cold[middle];
	}
	return NULL;
}

/*
 * DWARF's number of the stack pointer, and the offset of the CFA from it while
 * there is no frame.
 */
#define STACK_POINTER 7
#define NO_FRAME 8

/*
 * Returns whether the function has no frame at an address: the return address is
 * on top of the stack.
 */
static bool is_frameless(const struct patch_object *object, uint64_t address)
{
	const struct frame_row *row = cfi_find(object->frames, address);

	return row && row->cfa_kind == RULE_REGISTER && row->cfa_register == STACK_POINTER &&
	       row->cfa_value == NO_FRAME;
}

/*
 * Finds the part that a jump outside leads to, from call-frame information, if
 * there are no symbols: code entered with a frame, or by a conditional jump, is
 * not another function.
 */
static bool find_part(const struct patch_object *object, const struct code *code,
		      struct patch_range *part)
{
	const struct code_section *section = code_section_of(&object->scan, code->target);

	if (!section || !cfi_function_at(object->frames, code->target, &part->start, &part->end) ||
	    part->end > section->end)
		return false;
	for (uint64_t at = part->start; at < part->end; at++)
		if (code_bit(section->symbols, section, at))
			return false;
	return code->kind == CODE_BRANCH || code->target != part->start ||
	       !is_frameless(object, code->address) || !is_frameless(object, part->start);
}

/* Adds the parts that the decoded part jumps to. */
static void find_parts(struct maker *maker)
{
	for (size_t i = 0; i < maker->count; i++) {
		const struct code *code = &maker->codes[i];
		const struct patch_range *cold;
		struct patch_range part;
		uint64_t claimed;

		if ((code->kind != CODE_JUMP && code->kind != CODE_BRANCH) ||
		    is_inside(maker, code->target) || maker->part_count == PARTS)
			continue;
		cold = cold_at(maker->object, code->target);
		if (cold)
			part = *cold;
		else if (!find_part(maker->object, code, &part))
			continue;
		if (idmap_get(&maker->object->claimed, part.start, &claimed))
			continue;
		idmap_put(&maker->object->claimed, part.start, 1);
		maker->parts[maker->part_count++] = part;
	}
}

/* Returns which function of instrumented code an instruction calls. */
static enum patch_caller called(const struct patch_object *object, const struct code *code)
{
	uint64_t slot = 0, caller;
	const unsigned char *stub;

	if (code->kind == CODE_CALL_INDIRECT && code->data_at) {
		slot = code->target;
	} else if (code->kind == CODE_CALL) {
		stub = object_bytes(object->scan.object, code->target, STUB_LONGEST);
		slot = stub ? decode_stub_slot(stub, STUB_LONGEST, code->target) : 0;
	}
	return slot && idmap_get(&object->callers, slot, &caller) ? (enum patch_caller)caller
								  : PATCH_CALLER_NONE;
}

/* Finds out how the function itself reports its begin; sets its key if it does. */
static void find_source(struct maker *maker)
{
	for (size_t i = 0; i < maker->count && maker->object->callers.count; i++) {
		const struct code *code = &maker->codes[i];
		enum patch_caller caller = called(maker->object, code);

		if (!caller)
			continue;
		maker->function->source = caller;
		maker->function->key = code->address + code->length;
		return;
	}
}

static void find_inner(struct maker *maker)
{
	for (size_t i = 0; i < maker->part_count; i++) {
		const struct patch_range *part = &maker->parts[i];
		const struct code_section *section =
			code_section_of(&maker->object->scan, part->start);

		for (uint64_t at = part->start + (i == 0); section && at < part->end; at++)
			maker->has_inner |= code_bit(section->data, section, at);
	}
}

/*
 * Appends an instruction to a site's code, adapted to its new address; returns
 * false if it cannot be moved.
 */
static bool move(struct event_site *site, const struct patch_object *object, const struct code *code)
{
	const unsigned char *bytes = object_bytes(object->scan.object, code->address, code->length);
	unsigned char *to = site->code + site->code_length;
	struct event_fix *fix = &site->fixes[site->fix_count];
	unsigned length = code->length, at = 0;

	if (code->kind == CODE_NOTHING)
		return true;
	if (code->kind == CODE_BRANCH || code->kind == CODE_JUMP)
		length = code->kind == CODE_BRANCH ? 6 : 5;
	else if (code->kind == CODE_CALL)
		length = 19;
	if (!bytes || code->kind == CODE_FIXED || code->kind == CODE_CALL_INDIRECT ||
	    site->code_length + length + EVENT_PATCH_LENGTH > EVENT_SITE_CODE ||
	    site->fix_count + 2 > EVENT_SITE_FIXES)
		return false;
	switch (code->kind) {
	case CODE_BRANCH:
		to[0] = 0x0f;
		to[1] = (unsigned char)(0x80 | code->condition);
		at = 2;
		break;
	case CODE_JUMP:
		to[0] = 0xe9;
		at = 1;
		break;
	case CODE_CALL: {
		/* push the return address stored below; jmp; the return address */
		static const unsigned char push[] = { 0xff, 0x35, 5, 0, 0, 0, 0xe9 };

		memcpy(to, push, sizeof(push));
		site->fixes[site->fix_count + 1] = (struct event_fix){
			.at = (uint8_t)(site->code_length + 11),
			.end = (uint8_t)(site->code_length + 19),
			.wide = 1,
			.target = code->address + code->length,
		};
		fix->at = (uint8_t)(site->code_length + 7);
		fix->end = (uint8_t)(site->code_length + 11);
		fix->target = code->target;
		site->fix_count = (uint8_t)(site->fix_count + 2);
		break;
	}
	default:
		memcpy(to, bytes, length);
		at = code->data_at;
	}
	if (at) {
		*fix = (struct event_fix){ .at = (uint8_t)(site->code_length + at),
					   .end = (uint8_t)(site->code_length + length),
					   .target = code->target };
		site->fix_count++;
	}
	site->code_length = (uint8_t)(site->code_length + length);
	return true;
}

/* Returns whether an address is a possible jump target. */
static bool is_target(const struct maker *maker, uint64_t address)
{
	const struct code_section *section = code_section_of(&maker->object->scan, address);

	return !section || code_bit(section->targets, section, address);
}

/* Returns whether there is a possible jump target between two addresses, both excluded. */
static bool is_entered(const struct maker *maker, uint64_t from, uint64_t to)
{
	for (uint64_t at = from + 1; at < to; at++)
		if (is_target(maker, at))
			return true;
	return false;
}

enum leaving { STAYS, LEAVES, UNCLEAR };

/* Returns whether an instruction leaves the function; before: the previous instruction, or NULL. */
static enum leaving leaves(const struct maker *maker, const struct code *code,
			   const struct code *before)
{
	const struct code_section *section;

	switch (code->kind) {
	case CODE_RETURN:
		return LEAVES;
	case CODE_JUMP:
	case CODE_BRANCH:
		if (is_inside(maker, code->target))
			return STAYS;
		section = code_section_of(&maker->object->scan, code->target);
		/* The target is a function, or a stub of the linkage table. */
		if (code->kind == CODE_JUMP &&
		    (!section || code_bit(section->symbols, section, code->target) ||
		     (cfi_starts_at(maker->object->frames, code->target) &&
		      is_frameless(maker->object, code->address))))
			return LEAVES;
		return UNCLEAR;
	case CODE_JUMP_INDIRECT:
		if (!maker->has_inner || (code->from_memory && !code->indexed))
			return LEAVES;
		return code->indexed || (before && before->adds) ? STAYS : UNCLEAR;
	default:
		return STAYS;
	}
}

static void put_site(struct maker *maker, struct event_site *site)
{
	const unsigned char *bytes =
		object_bytes(maker->object->scan.object, site->address, site->length);

	site->key = maker->function->key;
	site->key_moves = maker->function->source != PATCH_CALLER_NONE;
	memcpy(site->bytes, bytes, site->length);
	strbuf_add(&maker->sites, site, sizeof(*site));
	maker->site_count++;
	maker->floor = site->address + site->length;
}

/* Returns how many bytes from an address on do nothing and are no jump targets. */
static unsigned padding_length(const struct maker *maker, uint64_t address, unsigned wanted)
{
	unsigned found = 0;
	struct code code;

	while (found < wanted && !is_target(maker, address + found) &&
	       code_at(&maker->object->scan, address + found, &code) && code.kind == CODE_NOTHING)
		found += code.length;
	return found;
}

/* Appends a jump back to after the site. */
static void put_way_back(struct event_site *site)
{
	unsigned at = site->code_length;

	site->code[at] = 0xe9;
	site->fixes[site->fix_count++] = (struct event_fix){ .at = (uint8_t)(at + 1),
							     .end = (uint8_t)(at + 5),
							     .target = site->address + site->length };
	site->code_length = (uint8_t)(at + 5);
}

/*
 * Returns the index of the instruction at which the entry of the decoded part is
 * patched: after a landing pad of indirect calls.
 */
static size_t first_code(const struct maker *maker)
{
	static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const unsigned char *bytes = object_bytes(maker->object->scan.object,
						  maker->codes[0].address, sizeof(landing));

	return maker->count > 1 && maker->codes[0].length == sizeof(landing) && bytes &&
	       memcmp(bytes, landing, sizeof(landing)) == 0;
}

/* Makes the site of the entry: instructions from the first on, until they are long enough. */
static enum patch_outcome make_entry(struct maker *maker)
{
	const struct patch_function *function = maker->function;
	const struct code_section *section =
		code_section_of(&maker->object->scan, function->start);
	size_t first = first_code(maker), i;
	struct event_site site = { .address = maker->codes[first].address };
	bool over = false; /* the following code is not reached from here */

	if (code_bit(section->looped, section, function->start) ||
	    (first && is_target(maker, site.address)))
		return PATCH_JUMP;
	for (i = first; i < maker->count && site.length < EVENT_PATCH_LENGTH && !over; i++) {
		const struct code *code = &maker->codes[i];
		enum leaving leaving = leaves(maker, code, i ? code - 1 : NULL);

		if (code->kind == CODE_BRANCH)
			leaving = STAYS;
		if (leaving == UNCLEAR)
			return PATCH_FIXED;
		if (leaving == LEAVES) {
			site.kind = EVENT_SITE_WHOLE;
			site.call_at = site.code_length;
		}
		if (!move(&site, maker->object, code))
			return PATCH_FIXED;
		site.length = (uint8_t)(site.length + code->length);
		over = leaving == LEAVES || code->kind == CODE_JUMP || code->kind == CODE_CALL ||
		       code->kind == CODE_JUMP_INDIRECT;
	}
	if (site.length < EVENT_PATCH_LENGTH)
		site.length = (uint8_t)(site.length +
					padding_length(maker, site.address + site.length,
						       EVENT_PATCH_LENGTH - site.length));
	if (site.length < EVENT_PATCH_LENGTH)
		return PATCH_SHORT;
	if (is_entered(maker, site.address, site.address + site.length))
		return PATCH_JUMP;
	if (site.kind == EVENT_SITE_WHOLE && site.code_length - site.call_at > EVENT_SITE_LEAVING)
		return PATCH_FIXED;
	if (!over)
		put_way_back(&site);
	if (site.length > EVENT_SITE_BYTES)
		return PATCH_FIXED;
	put_site(maker, &site);
	return PATCH_DONE;
}

/*
 * Makes the site of an end, at the part's instruction with index last; returns
 * false if it cannot be patched.
 */
static bool make_end(struct maker *maker, size_t last)
{
	const struct code *codes = maker->codes;
	uint64_t end = codes[last].address + codes[last].length;
	struct event_site site = { .kind = EVENT_SITE_EXIT };
	size_t first = last;

	if (end - codes[last].address < EVENT_PATCH_LENGTH)
		end += padding_length(maker, end,
				      EVENT_PATCH_LENGTH - (unsigned)codes[last].length);
	while (end - codes[first].address < EVENT_PATCH_LENGTH) {
		if (first == 0 || is_target(maker, codes[first].address) ||
		    codes[first - 1].address < maker->floor ||
		    (codes[first - 1].kind != CODE_PLAIN && codes[first - 1].kind != CODE_NOTHING))
			return false;
		first--;
	}
	site.address = codes[first].address;
	if (end - site.address > EVENT_SITE_BYTES || is_entered(maker, site.address, end))
		return false;
	site.length = (uint8_t)(end - site.address);
	for (size_t i = first; i <= last; i++) {
		if (i == last)
			site.call_at = site.code_length;
		if (!move(&site, maker->object, &codes[i]))
			return false;
	}
	if (site.code_length - site.call_at > EVENT_SITE_LEAVING)
		return false;
	put_site(maker, &site);
	return true;
}

/* Makes the sites of the ends in the decoded part. */
static void make_ends(struct maker *maker)
{
	for (size_t i = 0; i < maker->count; i++) {
		const struct code *code = &maker->codes[i];
		enum leaving leaving = leaves(maker, code, i ? code - 1 : NULL);

		if (code->address < maker->floor || leaving == STAYS)
			continue;
		if (leaving == UNCLEAR || !make_end(maker, i))
			maker->function->ends_known = false;
	}
}

/* Makes all sites of the function. */
static enum patch_outcome make(struct maker *maker)
{
	struct patch_function *function = maker->function;
	enum patch_outcome outcome;

	/* Each part may lead to others. */
	for (size_t i = 0; i < maker->part_count; i++) {
		if (decode_part(maker, &maker->parts[i]))
			find_parts(maker);
		else if (i == 0)
			return PATCH_UNREADABLE;
		else
			maker->parts[i--] = maker->parts[--maker->part_count];
	}
	find_inner(maker);
	decode_part(maker, &maker->parts[0]);
	find_source(maker);
	if (function->source == PATCH_CALLER_ENTER)
		return PATCH_INSTRUMENTED;
	if (function->source == PATCH_CALLER_NONE) {
		outcome = function->begun_alone ? PATCH_SPECIAL : make_entry(maker);
		if (outcome != PATCH_DONE)
			return outcome;
	}
	function->ends_known = true;
	for (size_t i = 0; i < maker->part_count; i++) {
		if (i) {
			decode_part(maker, &maker->parts[i]);
			maker->floor = maker->parts[i].start;
		}
		make_ends(maker);
	}
	return PATCH_DONE;
}

enum patch_outcome patch_function(struct patch_object *object,
				  struct patch_function *function, struct strbuf *plan,
				  uint64_t *count)
{
	struct maker maker = { .object = object,
			       .function = function,
			       .parts = { { function->start, function->end } },
			       .part_count = 1,
			       .floor = function->start,
			       .sites = STRBUF_INIT };
	enum patch_outcome outcome = make(&maker);

	if (outcome == PATCH_DONE) {
		strbuf_addbuf(plan, &maker.sites);
		*count += maker.site_count;
	}
	strbuf_release(&maker.sites);
	free(maker.codes);
	return outcome;
}
