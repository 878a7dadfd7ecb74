/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface between indexed.c and the module indexed.so, the only part that is
 * linked with GnuCOBOL's library. Results are file statuses (0, 10, 22, ...).
 */
#ifndef VIGIL_DATASETS_INDEXED_MODULE_H
#define VIGIL_DATASETS_INDEXED_MODULE_H

#include "datasets/indexed.h"

#define INDEXED_MODULE \
	"vigil_indexed_module" /* name of the module's only symbol, a struct indexed_module */

struct module_file;

struct indexed_module {
	/*
	 * Opens a file; NULL, with the status, if that fails. path is absolute; in
	 * attributes, lrecl is the bytes of data of the longest record, minimum those of
	 * the shortest.
	 */
	struct module_file *(*open)(const char *path, const struct attributes *attributes,
				    enum indexed_mode mode, int *status);
	int (*read_next)(struct module_file *file, const char **data, size_t *length,
			 uint64_t *number);
	int (*start)(struct module_file *file, unsigned key, const void *bytes, size_t length,
		     uint64_t number);
	/* Writes a record; length must not exceed that of the longest record. */
	int (*write)(struct module_file *file, const char *data, size_t length, uint64_t number,
		     bool replace);
	/* Closes the file and frees it in any case. */
	int (*close)(struct module_file *file);
};

#endif
