/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes lists of symbols: any bytes as a perf map (first byte even) or as the kernel's list. */
#include "common/compat.h"
#include "common/test-input.h"
#include "program/names/names-lists.h"

#include <fcntl.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Looks up every symbol at its ends: a result must contain the address. */
static void look_up(const struct symbol_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct symbol *symbol = &table->items[i];
		const struct symbol *found = symbol_table_find(table, symbol->start);

		if (found && (found->start > symbol->start || strlen(found->name) == 0))
			abort();
		symbol_table_find(table, symbol->start + symbol->size);
		if (i > 0 && symbol[-1].start > symbol->start)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf why = STRBUF_INIT;
	struct symbol_list list;
	const char *path;

	if (size < 1)
		return 0;
	path = test_input(0, data + 1, size - 1);
	symbol_list_init(&list);
	if (data[0] % 2)
		symbol_list_read_kernel(&list, path, &why);
	else
		symbol_list_read_map(&list, open(path, O_RDONLY | O_CLOEXEC));
	look_up(&list.table);
	symbol_list_release(&list);
	strbuf_release(&why);
	return 0;
}
