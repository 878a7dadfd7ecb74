/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer on JCL: any bytes must parse, and their canonical print must parse to equal trees. */
#include "common/compat.h"
#include "parser/jcl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct jcl_options options = { .user = "FUZZ",
					     .deck_folder = "/deck",
					     .fragments = size & 1 };
	struct diag_list diags = DIAG_LIST_INIT;
	struct strbuf print = STRBUF_INIT;
	struct source *source = source_new("fuzz", (const char *)data, size), *again;
	struct jcl_deck *deck = jcl_parse(source, &options, &diags), *other;

	plan_free(jcl_evaluate(deck, &options, &diags));
	jcl_print(deck, &print);
	again = source_new("print", print.text, print.length);
	other = jcl_parse(again, &options, &diags);
	if (!jcl_equal(deck, other))
		abort();
	jcl_free(other);
	jcl_free(deck);
	source_free(again);
	source_free(source);
	strbuf_release(&print);
	diag_list_release(&diags);
	return 0;
}
