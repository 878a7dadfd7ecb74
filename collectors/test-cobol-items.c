/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for the tests: cobol-items SOURCE PROGRAM [1] prints what
 * cobol-storage.h reads in a source, one item per line: number, number of its
 * record, offset in it, size of one occurrence, name. The compiler's own figures
 * are in the C code made by "cobc -C".
 */
#include "common/compat.h"
#include "collectors/cobol-storage.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct source_cache sources;
	struct cobol_storage storage;

	if (argc < 3)
		return 2;
	source_cache_init(&sources);
	cobol_storage_read(&storage, &sources, argv[1], argv[2], argc > 3);
	if (storage.refused)
		printf("refused: %s\n", storage.refused);
	for (uint32_t i = 0; i < storage.count; i++) {
		const struct cobol_storage_item *item = &storage.items[i], *record = item;

		while (record->level > 1 || record->redefines != COBOL_STORAGE_NONE)
			record = &storage.items[record->level > 1 ? record->root
								  : record->redefines];
		printf("%u %u %llu %u %s%s%s\n", storage.before + item->number,
		       storage.before + record->number, (unsigned long long)item->offset,
		       item->type.size, *item->name ? item->name : "FILLER",
		       record->refused ? " refused: " : "", record->refused ? record->refused : "");
	}
	cobol_storage_release(&storage);
	source_cache_release(&sources);
	return 0;
}
