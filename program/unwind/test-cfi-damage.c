/* SPDX-License-Identifier: Apache-2.0 */
/* Uses an object made of any bytes in every way in which the sampler does. */
#include "common/compat.h"
#include "program/unwind/test-cfi-damage.h"

#include "common/test-input.h"
#include "program/unwind/code-table.h"
#include "program/unwind/unwind.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAP_AT UINT64_C(0x7f0000000000)
#define MOST 64

/* Looks up the rows at an address, and those from the code there. */
static void look_up(struct code_table *table, uint64_t address, struct damage_counts *counts)
{
	struct routine routine;
	uint64_t low, high;

	counts->rows += cfi_find(&table->cfi, address) != NULL;
	cfi_gap(&table->cfi, address, &low, &high);
	if (routine_find(&table->routines, address, &routine)) {
		counts->routines++;
		routine_row(&table->routines, &routine, address);
	}
	routine_slot_at(&table->routines, address);
	if (high > address) {
		routine = (struct routine){ address, high };
		routine_row(&table->routines, &routine, address + 3);
	}
}

/* Walks an invented stack full of addresses of the object. */
static void walk_from(struct space *space, uint64_t address, struct damage_counts *counts)
{
	static struct unwind_frame frames[UNWIND_MAX_FRAMES];
	uint64_t stack[64];
	struct unwind_input input = { .space = space, .pid = getpid(), .known = UINT32_MAX };
	enum unwind_end end;

	for (size_t i = 0; i < ARRAY_SIZE(stack); i++)
		stack[i] = i % 3 ? address + i * 7 : 0x7ffe0000 + i * 8;
	for (size_t i = 0; i < UNWIND_REGISTERS; i++)
		input.registers[i] = 0x7ffe0000 + i * 16;
	input.registers[7] = input.stack_start = 0x7ffe0000;
	input.registers[16] = address;
	input.stack = (const unsigned char *)stack;
	input.stack_size = sizeof(stack);
	counts->frames += unwind_walk(&input, frames, &end);
}

/* Exercises everything with one object. */
static void exercise(struct object *object, struct space *space, struct damage_counts *counts)
{
	struct code_table *table = code_table_of(object);
	struct object_section section;
	struct strbuf id = STRBUF_INIT;
	int64_t bias;

	object_build_id(object, &id);
	strbuf_release(&id);
	for (uint64_t position = 0; position < object->image_size; position += 4096)
		object_bias(object, position, &bias);
	for (unsigned i = 0; i < MOST && object_section_at(object, i, &section); i++)
		object_section_bytes(object, &section);
	if (!table)
		return;
	counts->functions += table->cfi.frames.count;
	for (size_t i = 0; i < table->cfi.frames.count && i < MOST; i++) {
		uint64_t start = object->lowest_address + table->cfi.frames.starts[i];

		look_up(table, start, counts);
		look_up(table, start + 5, counts);
		look_up(table, start - 1, counts);
		walk_from(space, MAP_AT + start + 4, counts);
	}
	look_up(table, object->entry, counts);
}

void damage_exercise(const unsigned char *bytes, size_t size, struct damage_counts *counts)
{
	const char *path = test_input(0, bytes, size);
	struct object_list objects;
	struct space *space = space_new();
	const struct mapping *mapping;
	struct stat st;

	object_list_init(&objects);
	if (stat(path, &st) == 0) {
		space_map(&space, &objects, getpid(), MAP_AT, (size + 4095) & ~(size_t)4095, 0,
			  path, st.st_dev, st.st_ino);
		mapping = space_find(space, MAP_AT);
		if (mapping)
			exercise(mapping->object, space, counts);
	}
	space_drop(space);
	object_list_release(&objects);
}
