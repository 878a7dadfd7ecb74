/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads any bytes as a sample data set: a libFuzzer target, also run on
 * mutated files by test-damage. Two ways lead in: the bytes are a whole
 * file, or (first byte odd) the rest are contents of blocks, each a type, a
 * length of two bytes and so many bytes, so that no checksum stands before
 * the code behind it.
 */
#include "common/compat.h"
#include "engine/dataset-format.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Read one value. */
static uint64_t visit_value(const struct recordset *set, size_t row, size_t field,
			    const struct strmap *strings)
{
	struct field_value value;
	uint64_t sum = 0;

	if (!recordset_value(set, row, field, &value))
		return 0;
	if (value.type == FIELD_BYTES) {
		const unsigned char *bytes = value.bytes.data;

		for (size_t i = 0; i < value.bytes.length; i++)
			sum += bytes[i];
		return sum;
	}
	if (value.type != FIELD_STRING)
		return value.number;
	/* Every string of a record that comes out is in the table. */
	if (value.number >= strings->count)
		abort();
	return strlen(strmap_text(strings, (uint32_t)value.number));
}

/* Read every value, so that a checker sees each of them. */
static int visit(void *argument, const struct snapshot *snapshot, const struct strmap *strings)
{
	uint64_t *sum = argument;

	for (size_t id = 0; id < snapshot->set_count; id++) {
		const struct recordset *set = snapshot->sets[id];

		for (size_t row = 0; set && row < set->count; row++)
			for (size_t i = 0; i < set->type->field_count; i++)
				*sum += visit_value(set, row, i, strings);
	}
	return 0;
}

/* Make a file of blocks from contents. */
static void put_blocks(struct strbuf *file, const uint8_t *data, size_t size)
{
	struct dataset_packer *packer = dataset_packer_new();
	struct strbuf content = STRBUF_INIT;

	dataset_put_header(file);
	while (size >= 3) {
		size_t length = data[1] | (size_t)data[2] << 8;

		length = length < size - 3 ? length : size - 3;
		strbuf_reset(&content);
		strbuf_add(&content, data + 3, length);
		dataset_put_block(packer, file, data[0] % 7, &content);
		data += 3 + length;
		size -= 3 + length;
	}
	strbuf_release(&content);
	dataset_packer_free(packer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf file = STRBUF_INIT, text = STRBUF_INIT;
	struct dataset_status status;
	struct strmap strings;
	uint64_t sum = 0;
	char path[64];
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (size && data[0] % 2)
		put_blocks(&file, data + 1, size - 1);
	else
		strbuf_add(&file, data, size);
	if (fd < 0 || write(fd, file.text, file.length) != (ssize_t)file.length)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	strmap_init(&strings);
	if (dataset_read(path, &strings, visit, &sum, &status, NULL) == 0)
		dataset_describe_damage(&status, &text);
	strmap_release(&strings);
	strbuf_release(&text);
	strbuf_release(&file);
	close(fd);
	return 0;
}
