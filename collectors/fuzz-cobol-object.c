/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the reader of objects built by GnuCOBOL: for any bytes as an ELF file
 * with debug information, all names are terminated texts.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "collectors/cobol-object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t text_length(const struct cobol_code *code)
{
	size_t length = strlen(code->name) + strlen(code->folder);

	for (size_t i = 0; i < code->source_count; i++)
		length += strlen(code->sources[i]);
	return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cobol_object *object = cobol_object_read(test_input(0, data, size));

	if (object->head_size > sizeof(object->head) || object->head_size > size)
		abort();
	for (size_t i = 0; i < object->code_count; i++) {
		const struct cobol_code *code = &object->codes[i];

		/*
		 * Each is a text of the input: at most as long as it, except for escapes in names.
		 */
		if (text_length(code) > (code->source_count + 2) * 2 * (size + 1))
			abort();
		cobol_object_code(object, code->start);
		cobol_code_variable(code, COBOL_RECORD, 8);
	}
	cobol_object_bias(object, 0, object->head_address);
	cobol_object_free(object);
	return 0;
}
