/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the reader of WORKING-STORAGE: for any bytes as a source, items are
 * within their records, and redefined items come before those that redefine them.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "collectors/cobol-storage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source_cache sources;
	struct cobol_storage storage;
	const char *why;

	source_cache_init(&sources);
	cobol_storage_read(&storage, &sources, test_input(0, data, size), "A", size % 2 == 0);
	for (uint32_t i = 0; i < storage.count; i++) {
		const struct cobol_storage_item *item = &storage.items[i];

		if (item->root > i ||
		    (item->redefines != COBOL_STORAGE_NONE && item->redefines >= i))
			abort();
		cobol_storage_find(&storage, "", item->name, &why);
	}
	cobol_storage_release(&storage);
	source_cache_release(&sources);
	return 0;
}
