/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads arbitrary bytes as a sample data set (test-blocks.h): a fuzz target, also
 * run on mutated files by test-damage.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "engine/dataset-format.h"
#include "records/record-types.h"
#include "engine/test-blocks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads one value. */
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
	/* Every string number of a record that is returned is in the table. */
	if (value.number >= strings->count)
		abort();
	return strlen(strmap_text(strings, (uint32_t)value.number));
}

/* Reads every value, so that a sanitizer checks each of them. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf file = STRBUF_INIT, text = STRBUF_INIT;
	struct dataset_status status;
	struct strmap strings;
	uint64_t sum = 0;

	test_blocks_put(&file, data, size);
	strmap_init(&strings);
	if (dataset_read(test_input(0, file.text, file.length), &session_records, &strings, visit, &sum, &status,
			 NULL) == 0)
		dataset_describe_damage(&status, &text);
	strmap_release(&strings);
	strbuf_release(&text);
	strbuf_release(&file);
	return 0;
}
