/* SPDX-License-Identifier: Apache-2.0 */
/* Finds dash's variables by the code that uses them. */
#include "common/compat.h"
#include "collectors/dash-layout.h"
#include "program/objects/frame-header.h"

#include <elf.h>

#define CODE_MAX (4 << 20)
#define STORES_MAX 32
#define FUNCTIONS_MAX 4096
#define FRAME_HEADER_MAX (64 + 8 * FUNCTIONS_MAX)
#define CANDIDATES_MAX 128
/* Bytes around an instruction in which related instructions are looked for. */
#define NEAR 64

/* The code of the program; all addresses are offsets from its base. */
struct code {
	const struct vigil_communication *area;
	uint64_t base, start, size;
	unsigned char *bytes;
	uint32_t functions[FUNCTIONS_MAX]; /* start addresses, sorted */
	size_t function_count;
	uint64_t stores[STORES_MAX]; /* instructions that store the line number */
	size_t store_count;
};

/*
 * Instructions with an operand relative to the next instruction; for those with a
 * register operand, mask clears its three bits.
 */
struct pattern {
	unsigned char bytes[3], mask[3];
	size_t size; /* bytes before the displacement */
};

static const struct pattern load_line = { { 0x8b, 0x0d }, { 0xff, 0xff }, 2 };
static const struct pattern load_script = { { 0x48, 0x8b, 0x15 }, { 0xff, 0xff, 0xff }, 3 };
static const struct pattern load_command = { { 0x4c, 0x8b, 0x05 }, { 0xff, 0xff, 0xff }, 3 };
static const struct pattern load_pointer = { { 0x48, 0x8b, 0x05 }, { 0xfb, 0xff, 0xc7 }, 3 };
static const struct pattern load_number = { { 0x8b, 0x05 }, { 0xff, 0xc7 }, 2 };
static const struct pattern store_number = { { 0x89, 0x05 }, { 0xff, 0xc7 }, 2 };
static const struct pattern load_address = { { 0x48, 0x8d, 0x05 }, { 0xfb, 0xff, 0xc7 }, 3 };

/*
 * Returns the address that the instruction at offset refers to, 0 if it does not
 * match the pattern.
 */
static uint64_t operand(const struct code *code, size_t offset, const struct pattern *pattern)
{
	const unsigned char *bytes = code->bytes + offset;
	int32_t distance;

	RETURN_IF(offset + pattern->size + 4 > code->size, 0);
	for (size_t i = 0; i < pattern->size; i++)
		RETURN_IF((bytes[i] & pattern->mask[i]) != pattern->bytes[i], 0);
	memcpy(&distance, bytes + pattern->size, sizeof(distance));
	return code->start + offset + pattern->size + 4 + (uint64_t)(int64_t)distance;
}

/* Returns what the first matching instruction in from..to refers to. */
static uint64_t operand_within(const struct code *code, size_t from, size_t to,
			       const struct pattern *pattern)
{
	for (size_t at = from; at < to; at++) {
		uint64_t place = operand(code, at, pattern);

		if (place)
			return place;
	}
	return 0;
}

static size_t before(size_t offset)
{
	return offset > NEAR ? offset - NEAR : 0;
}

static bool is_zero_ended(const unsigned char *bytes, const char *text)
{
	return memcmp(bytes, text, strlen(text) + 1) == 0;
}

/* Returns the address of a text among the constants after the code, 0: not found. */
static uint64_t find_text(const struct code *code, const char *text)
{
	struct vigil_mapping mapping;
	uint64_t found = 0;
	unsigned char *bytes;
	size_t size;

	if (vigil_mapping_at(code->area, code->base + code->start + code->size, &mapping) != 0)
		return 0;
	size = (size_t)(mapping.end - mapping.start);
	RETURN_IF(size > CODE_MAX, 0);
	bytes = malloc(size);
	RETURN_IF(!bytes, 0);
	size = vigil_read(code->area, mapping.start, bytes, size);
	for (size_t i = 0; !found && i + strlen(text) < size; i++)
		if (is_zero_ended(bytes + i, text))
			found = mapping.start + i - code->base;
	free(bytes);
	return found;
}

/*
 * Finds script, line and command: they are loaded next to the address of the
 * format that they are printed with.
 */
static bool find_message(const struct code *code, uint64_t *facts)
{
	uint64_t text = find_text(code, "%s: %d: %s: ");

	for (size_t at = 0; text && at < code->size; at++) {
		size_t from = before(at), to = at + NEAR;

		if (operand(code, at, &load_address) != text)
			continue;
		facts[DASH_SCRIPT] = operand_within(code, from, to, &load_script);
		facts[DASH_LINE] = operand_within(code, from, to, &load_line);
		facts[DASH_COMMAND] = operand_within(code, from, to, &load_command);
		return facts[DASH_SCRIPT] && facts[DASH_LINE] && facts[DASH_COMMAND];
	}
	return false;
}

static void find_stores(struct code *code, uint64_t line)
{
	for (size_t at = 0; at < code->size && code->store_count < STORES_MAX; at++)
		if (operand(code, at, &store_number) == line)
			code->stores[code->store_count++] = at;
}

/*
 * Returns the address that most matching instructions, within a few bytes before
 * or after the stores, refer to; 0 if fewer than half of them do.
 */
static uint64_t common_operand(const struct code *code, const struct pattern *pattern, bool behind)
{
	uint64_t places[CANDIDATES_MAX], best = 0;
	size_t count = 0, best_count = 0;

	for (size_t i = 0; i < code->store_count; i++) {
		size_t from = behind ? code->stores[i] + 1 : before(code->stores[i]);
		size_t to = behind ? code->stores[i] + NEAR : code->stores[i];

		for (size_t at = from; at < to && count < CANDIDATES_MAX; at++)
			if ((places[count] = operand(code, at, pattern)) != 0)
				count++;
	}
	for (size_t i = 0; i < count; i++) {
		size_t same = 0;

		for (size_t j = 0; j < count; j++)
			same += places[j] == places[i];
		if (same > best_count) {
			best = places[i];
			best_count = same;
		}
	}
	return best_count * 2 > code->store_count ? best : 0;
}

/* Returns the offset of the call-frame information header from the base, and its size; 0: none. */
static uint64_t find_frame_header(const struct code *code, uint64_t *size)
{
	Elf64_Ehdr elf;
	Elf64_Phdr segment;

	if (vigil_read(code->area, code->base, &elf, sizeof(elf)) != sizeof(elf))
		return 0;
	for (size_t i = 0; i < elf.e_phnum; i++)
		if (vigil_read(code->area, code->base + elf.e_phoff + i * sizeof(segment), &segment,
			       sizeof(segment)) == sizeof(segment) &&
		    segment.p_type == PT_GNU_EH_FRAME) {
			*size = segment.p_memsz;
			return segment.p_vaddr;
		}
	return 0;
}

/* Reads the code's functions from a sorted table. */
static void take_functions(struct code *code, const struct frame_header *header)
{
	struct cursor cursor = header->entries;
	uint64_t place, entry, last = 0;

	for (size_t i = 0; i < header->count && i < FUNCTIONS_MAX; i++) {
		if (!frame_header_next(header, &cursor, &place, &entry))
			return;
		if (place < code->start || place - code->start >= code->size || place <= last)
			continue;
		code->functions[code->function_count++] = (uint32_t)place;
		last = place;
	}
}

/* Finds the starts of functions from the search table for unwinders. */
static void read_functions(struct code *code)
{
	uint64_t size = 0, at = find_frame_header(code, &size);
	struct frame_header header;
	unsigned char *bytes;

	RETURN_IF(!at, );
	size = size < FRAME_HEADER_MAX ? size : FRAME_HEADER_MAX;
	bytes = malloc(size);
	RETURN_IF(!bytes, );
	size = vigil_read(code->area, code->base + at, bytes, size);
	if (frame_header_read(&header, bytes, size, at))
		take_functions(code, &header);
	free(bytes);
}

/* Returns the number of the function that contains an address. */
static size_t function_at(const struct code *code, uint64_t place)
{
	size_t found = 0;

	while (found + 1 < code->function_count && code->functions[found + 1] <= place)
		found++;
	return found;
}

/* Returns whether a function stores the line. */
static bool has_line(const struct code *code, size_t function)
{
	for (size_t i = 0; i < code->store_count; i++)
		if (function_at(code, code->start + code->stores[i]) == function)
			return true;
	return false;
}

/* Finds the functions whose addresses a function returns, each once. */
static size_t addresses_within(const struct code *code, size_t function, size_t *others, size_t max)
{
	size_t from = (size_t)(code->functions[function] - code->start), count = 0;
	size_t to = (size_t)(code->functions[function + 1] - code->start);

	for (size_t at = from; at < to && count < max; at++) {
		uint64_t place = operand(code, at, &load_address);
		size_t other = place ? function_at(code, place) : 0;
		bool known = !place || code->functions[other] != place || other == function;

		for (size_t i = 0; i < count && !known; i++)
			known = others[i] == other;
		if (!known)
			others[count++] = other;
	}
	return count;
}

/* Adds a function to a list of facts. */
static void add_function(const struct code *code, uint64_t *facts, size_t function)
{
	size_t to = 0;

	while (to < 2 * DASH_FUNCTIONS_MAX && facts[to] && facts[to] != code->functions[function])
		to += 2;
	if (to < 2 * DASH_FUNCTIONS_MAX) {
		facts[to] = code->functions[function];
		facts[to + 1] = code->functions[function + 1];
	}
}

/*
 * Finds the functions without a line that are returned next to those with one,
 * where at least three are returned.
 */
static void find_evaluators(const struct code *code, uint64_t *facts)
{
	size_t others[2 * DASH_FUNCTIONS_MAX], count, with_line;

	for (size_t i = 1; i + 1 < code->function_count; i++) {
		count = addresses_within(code, i, others, ARRAY_SIZE(others));
		with_line = 0;
		for (size_t j = 0; j < count; j++)
			with_line += has_line(code, others[j]);
		if (with_line < 3)
			continue;
		for (size_t j = 0; j < count; j++)
			add_function(
				code,
				facts + (has_line(code, others[j]) ? DASH_LINED : DASH_LINELESS),
				others[j]);
		add_function(code, facts + DASH_LINED, i);
		return;
	}
}

/*
 * Finds the input that is being read: the parser's error function takes the line
 * from there. It is the function that stores the line and never accesses the
 * running function.
 */
static uint64_t find_input(const struct code *code, uint64_t function)
{
	for (size_t i = 0; code->function_count && i < code->store_count; i++) {
		size_t store = code->stores[i], from, at;

		from = code->functions[function_at(code, code->start + store)] - code->start;
		at = from;
		while (at < store && operand(code, at, &load_number) != function)
			at++;
		if (at == store)
			return operand_within(code, from, store, &load_pointer);
	}
	return 0;
}

static bool examine_code(struct code *code, uint64_t *facts)
{
	RETURN_IF(!find_message(code, facts), false);
	find_stores(code, facts[DASH_LINE]);
	facts[DASH_FUNCTION] = common_operand(code, &load_number, false);
	facts[DASH_LINENO] = common_operand(code, &store_number, true);
	read_functions(code);
	find_evaluators(code, facts);
	facts[DASH_INPUT] = find_input(code, facts[DASH_FUNCTION]);
	return facts[DASH_FUNCTION] && facts[DASH_LINENO] && facts[DASH_INPUT];
}

bool dash_examine(const struct vigil_communication *area, uint64_t base,
		  uint64_t facts[IMAGE_FACTS])
{
	struct code *code = calloc(1, sizeof(*code));
	bool mine = false;

	RETURN_IF(!code, false);
	code->area = area;
	code->base = base;
	code->start = facts[IMAGE_CODE];
	code->size = facts[IMAGE_CODE_END] - facts[IMAGE_CODE];
	code->bytes = code->size && code->size <= CODE_MAX ? malloc(code->size) : NULL;
	if (code->bytes &&
	    vigil_read(area, base + code->start, code->bytes, code->size) == code->size)
		mine = examine_code(code, facts);
	free(code->bytes);
	free(code);
	return mine;
}
