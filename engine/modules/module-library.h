/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries of modules: where they are looked for, whether they are trusted, what is in them. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_LIBRARY_H
#define VIGIL_ENGINE_MODULES_MODULE_LIBRARY_H

#include "engine/modules/opened-data.h"

/*
 * The list of a library, loaded for the engine; NULL with err. *path, which
 * stays the engine's, is where it was found.
 */
const struct vigil_module_list *library_open(struct vigil_engine *opened, const char *name,
					     const char *parameter, const char **path, struct error *err);
/* Checks a module by itself and let it load; NULL with err when it is wrong. */
struct known *library_take(struct vigil_engine *opened, const struct vigil_module *module,
			   const char *path, const char *parameter, struct error *err);
/*
 * Calls each for every library in the folders that are searched, but those that
 * one before hides.
 */
void library_each(const struct vigil_engine *opened,
		  void (*each)(void *argument, const char *path), void *argument);
/* VIGIL_UNLOAD to all modules; then the libraries go. */
void library_close(struct vigil_engine *opened);

#endif
