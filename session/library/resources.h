/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations on the resources of a library (resource.h): lists, deletes, prints
 * and consolidates them, for the functions LIST, DELETE, READ and CONSOLIDATE of
 * statements and for the commands list and delete.
 */
#ifndef VIGIL_SESSION_LIBRARY_RESOURCES_H
#define VIGIL_SESSION_LIBRARY_RESOURCES_H

#include "common/diag.h"
#include "session/library/resource.h"
#include "session/listing-print.h"

/* Maximum, in days. */
#define RESOURCE_AGE_MAX 36500

/* Selects resources. */
struct resource_selection {
	struct resource_place where;
	const char *library;		 /* as in RESOURCE-LIB; NULL: the default */
	const char *pattern;		 /* NULL: all */
	uint64_t older;			 /* days; 0: any age */
	const struct location *location; /* of the statement, for messages; NULL: none */
};

/* The reports that READ prints if it names none; only those for which the session has data. */
extern const char *const resource_usual_reports[];
extern const size_t resource_usual_report_count;

/*
 * Prints the reports of the one resource whose name is pattern to a target.
 * Unknown report codes are an error.
 */
void library_print(const struct resource_selection *selection, struct report_options *options,
		   const struct output_target *target, struct diag_list *diags);
/* Consolidates one resource. */
void library_consolidate(const struct resource_selection *selection, bool replace,
				  struct diag_list *diags);
/* Lists the resources; errors go to diags. */
void library_list(const struct resource_selection *selection, FILE *listing,
			    struct diag_list *diags);
/* Deletes the resources, with a message for each in diags. */
void library_delete(const struct resource_selection *selection, struct diag_list *diags);

#endif
