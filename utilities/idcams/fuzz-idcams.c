/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes the parser of IDCAMS: no input may crash, and all locations are within SYSIN. */
#include "common/compat.h"
#include "utilities/idcams/tree.h"

#define RIGHT_MARGIN 72

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_location(const struct location *location)
{
	if (location->line > location->source->line_count || location->column == 0 ||
	    location->column > RIGHT_MARGIN + 1)
		abort();
}

static void check_operands(const struct idcams_operand *list)
{
	for (; list; list = list->next) {
		check_location(&list->location);
		check_operands(list->values);
	}
}

static void check_commands(const struct idcams_command *list)
{
	for (; list; list = list->next) {
		struct strbuf text = STRBUF_INIT;

		if (list->last_line > list->location.source->line_count)
			abort();
		for (size_t i = 0; i < list->diags.count; i++)
			diag_format(&list->diags.items[i], &text);
		strbuf_release(&text);
		check_operands(list->operands);
		check_commands(list->then);
		check_commands(list->otherwise);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source *source = source_new("SYSIN", (const char *)data, size);
	struct idcams_command *commands = idcams_parse(source, 1, RIGHT_MARGIN);

	check_commands(commands);
	idcams_commands_free(commands);
	source_free(source);
	return 0;
}
