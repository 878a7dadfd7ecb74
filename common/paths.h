/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where vigil's own helper files are: the installed folders, or, when the
 * program runs from the folder it was built in, that folder's.
 */
#ifndef VIGIL_COMMON_PATHS_H
#define VIGIL_COMMON_PATHS_H

#include "common/compat.h"

/* The folder of the utility programs (iefbr14, sort, ...). The caller frees it. */
char *paths_utilities(void);
/* The library preloaded into steps, or NULL when it is not there. The caller frees it. */
char *paths_step_library(void);
/* The library that calls a step's event handler, or NULL when it is not there. The caller frees it. */
char *paths_handler_library(void);
/* The library preloaded into steps whose events are asked for, or NULL. The caller frees it. */
char *paths_files_library(void);
char *paths_events_library(void);
/* The library of coverage, vigil-coverage.so; the same. */
char *paths_coverage_library(void);
/* The module that reads and writes indexed files, or NULL when it was not built. The caller frees it. */
char *paths_indexed_module(void);
/* The module that draws PDF, SVG and PNG, or NULL when it was not built. The caller frees it. */
char *paths_print_module(void);
/* The folder of the data collectors that come with vigil, or NULL. The caller frees it. */
char *paths_collectors(void);
/* The program that a data collector runs in, or NULL. The caller frees it. */
char *paths_collector_host(void);
/* The folder in which names are kept for later sessions, which may not be there; NULL: they are not
   to be kept. The caller frees it. */
char *paths_names_cache(void);
/* The library of the procedures that come with vigil, or NULL. The caller frees it. */
char *paths_procedures(void);

#endif
