/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What indexed.c calls in the module indexed.so, the only part that is
 * linked with GnuCOBOL's library. Results are file statuses (0, 10, 22, ...).
 */
#ifndef VIGIL_DATASETS_INDEXED_MODULE_H
#define VIGIL_DATASETS_INDEXED_MODULE_H

#include "datasets/indexed.h"

#define INDEXED_MODULE \
	"vigil_indexed_module" /* the name of the one symbol, a struct indexed_module */

struct module_file;

struct indexed_module {
	/*
	 * NULL with the status when it cannot be opened. path is absolute; of attributes, lrecl is
	 * the longest record's bytes of data, minimum the shortest one's.
	 */
	struct module_file *(*open)(const char *path, const struct attributes *attributes,
				    enum indexed_mode mode, int *status);
	int (*read_next)(struct module_file *file, const char **data, size_t *length,
			 uint64_t *number);
	int (*start)(struct module_file *file, unsigned key, const void *bytes, size_t length,
		     uint64_t number);
	/* length is not above the longest record's. */
	int (*write)(struct module_file *file, const char *data, size_t length, uint64_t number,
		     bool replace);
	/* Frees the file in any case. */
	int (*close)(struct module_file *file);
};

#endif
