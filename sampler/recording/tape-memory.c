/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in recordings, without its data. */
#include "common/compat.h"
#include "sampler/recording/tape-memory.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "program/unwind/arch.h"
#include "sampler/recording/tape-sample.h"

#include <linux/perf_event.h>
#include <sys/mman.h>

/* A stack is not larger than this. */
#define STACK_MAX (UINT64_C(64) << 20)
/* Of a PERF_RECORD_MMAP2: where its numbers are, and what they need. */
#define MAP_START 16
#define MAP_LENGTH 24
#define MAP_PROTECTION 64
#define MAP_LEAST 72

void tape_code_release(struct tape_code *code)
{
	free(code->ranges);
	*code = (struct tape_code){ 0 };
}

/* Returns the number of the first range that ends after an address. */
static size_t first_after(const struct tape_code *code, uint64_t address)
{
	size_t low = 0, high = code->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (code->ranges[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void tape_code_add(struct tape_code *code, uint64_t start, uint64_t end)
{
	size_t first, last;

	if (end <= start)
		return;
	first = last = first_after(code, start ? start - 1 : 0);
	while (last < code->count && code->ranges[last].start <= end) {
		if (code->ranges[last].start < start)
			start = code->ranges[last].start;
		if (code->ranges[last].end > end)
			end = code->ranges[last].end;
		last++;
	}
	GROW(code->ranges, code->count + 1, code->alloc);
	memmove(&code->ranges[first + 1], &code->ranges[last], (code->count - last) * sizeof(*code->ranges));
	code->ranges[first] = (struct tape_code_range){ start, end };
	code->count += 1 + first - last;
}

void tape_code_add_maps(struct tape_code *code, const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		char line[64], permissions[5];
		uint64_t from, to;
		size_t length;

		if (!line_end)
			line_end = end;
		length = (size_t)(line_end - text) < sizeof(line) - 1 ? (size_t)(line_end - text) : sizeof(line) - 1;
		memcpy(line, text, length);
		line[length] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, permissions) == 3 &&
		    permissions[2] == 'x')
			tape_code_add(code, from, to);
		text = line_end + 1;
	}
}

/*
 * Returns whether a word is in one of the areas into which the kernel loads programs
 * that can be anywhere, and libraries: of texts, only one in some hundred words that
 * end with two bytes of 0 looks so.
 */
static bool is_in_area(uint64_t word)
{
	switch (word >> 40) {
	case 0x55: /* x86-64 */
	case 0x56:
	case 0x7e:
	case 0x7f:
	case 0xaa: /* aarch64 */
	case 0xff:
		return true;
	default:
		return false;
	}
}

/* Returns whether a word can be an address of code, or of the stack. */
static bool is_address(const struct tape_code *code, uint64_t stack, uint64_t word)
{
	size_t number;

	if (word - stack < STACK_MAX || is_in_area(word))
		return true;
	/* Behind a call that does not return there may be no code any more. */
	number = first_after(code, word ? word - 1 : 0);
	return number < code->count && word >= code->ranges[number].start;
}

void tape_memory_clear_stack(const struct tape_code *code, uint64_t address, unsigned char *copy, size_t size)
{
	size_t before = -address & 7, at = before < size ? before : size;
	uint64_t word;

	memset(copy, 0, at);
	for (; at + sizeof(word) <= size; at += sizeof(word)) {
		memcpy(&word, copy + at, sizeof(word));
		if (!is_address(code, address, word))
			memset(copy + at, 0, sizeof(word));
	}
	memset(copy + at, 0, size - at);
}

/* Takes the data out of the registers and the stack of a sample. */
static void clear_sample(const struct tape_code *code, bool chain, unsigned char *record, size_t size)
{
	const size_t registers = (size_t)__builtin_popcountll(arch_register_mask);
	struct unwind_input input = { 0 };
	uint64_t values[64], length;
	size_t at = TAPE_SAMPLE_HEAD;

	if (chain)
		at += tape_sample_chain(record, size);
	if (size - at < 8 || !tape_sample_word(record + at))
		return;
	at += 8;
	if (size - at < 8 * (registers + 1))
		return;
	memcpy(values, record + at, 8 * registers);
	arch_registers(values, &input);
	at += 8 * registers;
	length = tape_sample_word(record + at);
	at += 8;
	if (length && length <= size - at)
		tape_memory_clear_stack(code, input.registers[ARCH_STACK_POINTER], record + at, (size_t)length);
}

/* Learns where code is from a record of a mapping. */
static void look_at_mapping(struct tape_code *code, const unsigned char *record, size_t size)
{
	uint32_t protection;

	if (size < MAP_LEAST)
		return;
	memcpy(&protection, record + MAP_PROTECTION, sizeof(protection));
	if (protection & PROT_EXEC)
		tape_code_add(code, tape_sample_word(record + MAP_START),
			      tape_sample_word(record + MAP_START) + tape_sample_word(record + MAP_LENGTH));
}

void tape_memory_clear_records(struct tape_code *code, bool chains, const struct idmap *leavings,
			       unsigned char *records, size_t size)
{
	struct perf_event_header header;
	uint64_t leaving;

	for (size_t at = 0; at + sizeof(header) <= size; at += header.size) {
		memcpy(&header, records + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > size - at)
			return;
		if (header.type == PERF_RECORD_MMAP2)
			look_at_mapping(code, records + at, header.size);
		else if (header.type == PERF_RECORD_SAMPLE && header.size >= TAPE_SAMPLE_HEAD)
			clear_sample(code, chains && !idmap_get(leavings, tape_sample_word(records + at + TAPE_SAMPLE_EVENT), &leaving),
				     records + at, header.size);
	}
}
