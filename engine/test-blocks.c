/* SPDX-License-Identifier: Apache-2.0 */
/* Makes sample data sets of arbitrary bytes. */
#include "common/compat.h"
#include "engine/test-blocks.h"
#include "engine/dataset-format.h"

/* Returns the type of a block: the last few numbers are those of types added later. */
static unsigned type_of(uint8_t byte)
{
	return byte >= 0xf0 ? BLOCK_CHANGES + byte % 2U : byte % 7U;
}

/* Appends a file of blocks with these contents. */
static void put_blocks(struct strbuf *file, const uint8_t *data, size_t size)
{
	static struct dataset_packer *packer;
	struct strbuf content = STRBUF_INIT;

	/* The packer is large, and keeps nothing between blocks. */
	if (!packer)
		packer = dataset_packer_new();
	dataset_put_header(file);
	while (size >= 3) {
		size_t length = data[1] | (size_t)data[2] << 8;

		length = length < size - 3 ? length : size - 3;
		strbuf_reset(&content);
		strbuf_add(&content, data + 3, length);
		dataset_put_block(packer, file, type_of(data[0]), &content, 0);
		data += 3 + length;
		size -= 3 + length;
	}
	strbuf_release(&content);
}

void test_blocks_put(struct strbuf *file, const uint8_t *data, size_t size)
{
	if (size && data[0] % 2)
		put_blocks(file, data + 1, size - 1);
	else
		strbuf_add(file, data, size);
}
