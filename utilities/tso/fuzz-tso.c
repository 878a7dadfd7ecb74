/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the operands of TSO commands: parsed operands have words, and an unquoted
 * value is not longer than the quoted one.
 */
#include "common/compat.h"
#include "utilities/tso/tso.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct tso_operands *operands)
{
	for (size_t i = 0; i < operands->count; i++) {
		const struct tso_operand *operand = &operands->items[i];
		char *value;

		tso_among(operand->word, "DATASET DSNAME F FILE SHR OLD");
		if (!operand->value)
			continue;
		value = tso_unquote(operand->value);
		if (strlen(value) > strlen(operand->value))
			abort();
		free(value);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tso tso;
	struct tso_operands operands;
	struct strbuf text = STRBUF_INIT;

	if (!tso.utility.print)
		tso.utility = (struct utility){ "IKJEFT01", fopen("/dev/null", "w"), 0 };
	strbuf_add(&text, data, size);
	if (tso_parse(&tso, text.text, &operands) == 0) {
		check(&operands);
		tso_operands_known(&tso, &operands, 1, "DATASET F SHR");
		tso_operands_release(&operands);
	}
	strbuf_release(&text);
	return 0;
}
