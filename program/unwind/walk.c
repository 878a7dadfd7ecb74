/* SPDX-License-Identifier: Apache-2.0 */
/* Reads memory for a walk. */
#include "common/compat.h"
#include "program/unwind/walk.h"

void walk_init(struct walk *walk, const struct unwind_input *input)
{
	walk->input = input;
	memcpy(walk->registers, input->registers, sizeof(walk->registers));
	walk->known = input->known;
	walk->interrupted = true;
	walk->guessed = false;
	walk->deepest_read = 0;
	walk->words_searched = walk->code_reads = 0;
	walk->block_valid = false;
	walk->block_address = 0;
}

bool walk_read_word(struct walk *walk, uint64_t address, uint64_t *value)
{
	const struct unwind_input *input = walk->input;
	uint64_t at;

	if (!input->read || address == 0)
		return false;
	if (walk->block_address != (address & ~(uint64_t)(WALK_BLOCK - 1)) || !walk->block_valid) {
		walk->block_address = address & ~(uint64_t)(WALK_BLOCK - 1);
		walk->block_valid = input->read(input->read_argument, walk->block_address,
						walk->block, WALK_BLOCK);
	}
	at = address - walk->block_address;
	if (walk->block_valid && at <= WALK_BLOCK - 8) {
		memcpy(value, walk->block + at, 8);
		return true;
	}
	return input->read(input->read_argument, address, value, 8);
}

const unsigned char *walk_code(struct walk *walk, const struct mapping *mapping, uint64_t address,
			       unsigned char *buffer, size_t size)
{
	const struct unwind_input *input = walk->input;
	const unsigned char *bytes = NULL;

	if (mapping->object->kind != OBJECT_ANONYMOUS)
		bytes = object_bytes(mapping->object, address - mapping->bias, size);
	if (!bytes && input->read && walk->code_reads++ < WALK_READS_MAX &&
	    input->read(input->read_argument, address, buffer, size))
		bytes = buffer;
	return bytes;
}
