/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes control statements: no input may crash, and what parses must print back to itself. */
#include "common/compat.h"
#include "parser/control.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct control_deck *parse(const struct source *source, bool cards, struct diag_list *diags)
{
	struct control_deck *deck = control_parse(source, cards, diags);

	control_check(deck, diags);
	return deck;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct strbuf print = STRBUF_INIT;
	bool cards = size > 0 && (data[0] & 1);
	struct source *source = source_new("fuzz", (const char *)data, size);
	struct control_deck *deck = parse(source, cards, &diags);

	control_print(deck, &print);
	if (diag_max_severity(&diags) < SEVERITY_ERROR) {
		struct diag_list more = DIAG_LIST_INIT;
		struct source *printed = source_new("print", print.text, print.length);
		struct control_deck *again = parse(printed, false, &more);

		if (!control_equal(deck, again) || diag_max_severity(&more) >= SEVERITY_ERROR)
			abort();
		control_free(again);
		source_free(printed);
		diag_list_release(&more);
	}
	strbuf_release(&print);
	control_free(deck);
	source_free(source);
	diag_list_release(&diags);
	return 0;
}
