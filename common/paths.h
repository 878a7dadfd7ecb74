/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locations of vigil's helper files: the installed folders or, when the program
 * runs from its build folder, that folder.
 */
#ifndef VIGIL_COMMON_PATHS_H
#define VIGIL_COMMON_PATHS_H

#include "common/compat.h"

/* Returns the folder of the utility programs (iefbr14, sort, ...). The caller frees it. */
char *paths_utilities(void);
/* Returns the library preloaded into steps, or NULL if it does not exist. The caller frees it. */
char *paths_step_library(void);
/*
 * Returns the library that calls a step's event handler, or NULL if it does not
 * exist. The caller frees it.
 */
char *paths_handler_library(void);
/*
 * Return the libraries preloaded into steps whose events are requested, or NULL.
 * The caller frees them.
 */
char *paths_files_library(void);
char *paths_events_library(void);
/* Returns the coverage library, vigil-coverage.so, or NULL. The caller frees it. */
char *paths_coverage_library(void);
/*
 * Returns the module that reads and writes indexed files, or NULL if it was not
 * built. The caller frees it.
 */
char *paths_indexed_module(void);
/*
 * Returns the module that draws PDF, SVG and PNG, or NULL if it was not built. The
 * caller frees it.
 */
char *paths_print_module(void);
/* Returns the folder of the data collectors that come with vigil, or NULL. The caller frees it. */
char *paths_collectors(void);
/* Returns the program that a data collector runs in, or NULL. The caller frees it. */
char *paths_collector_host(void);
/*
 * Returns the folder in which names are cached for later sessions; it need not
 * exist yet. NULL: do not cache. The caller frees it.
 */
char *paths_names_cache(void);
/* Returns the library of the procedures that come with vigil, or NULL. The caller frees it. */
char *paths_procedures(void);

#endif
