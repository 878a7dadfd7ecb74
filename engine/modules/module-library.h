/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries of modules: where they are searched, whether they are trusted, and their contents. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_LIBRARY_H
#define VIGIL_ENGINE_MODULES_MODULE_LIBRARY_H

#include "engine/modules/opened-data.h"

/*
 * Returns the list of a library, loaded for the engine; NULL with err. *path,
 * owned by the engine, is where it was found.
 */
const struct vigil_module_list *library_open(struct vigil_engine *opened, const char *name,
					     const char *parameter, const char **path, struct error *err);
/* Checks a module by itself and calls its VIGIL_LOAD. Returns NULL with err when it is invalid. */
struct registered_module *library_take(struct vigil_engine *opened, const struct vigil_module *module,
			   const char *path, const char *parameter, struct error *err);
/*
 * Calls each for every library in the folders searched, except those hidden by an
 * earlier one of the same name.
 */
void library_each(const struct vigil_engine *opened,
		  void (*each)(void *argument, const char *path), void *argument);
/* Calls VIGIL_UNLOAD of all modules, then unloads the libraries. */
void library_close(struct vigil_engine *opened);

#endif
