/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is done with the resources of a library (resource.h): they are listed,
 * deleted, printed and consolidated, for the functions LIST, DELETE, READ and
 * CONSOLIDATE of statements and for the commands list and delete.
 */
#ifndef VIGIL_SESSION_LIBRARY_RESOURCES_H
#define VIGIL_SESSION_LIBRARY_RESOURCES_H

#include "common/diag.h"
#include "session/library/resource.h"
#include "session/listing-print.h"

/* Days, at most. */
#define RESOURCE_AGE_MAX 36500

/* Which resources are meant. */
struct resource_selection {
	struct resource_place where;
	const char *library;		 /* as RESOURCE-LIB says it; NULL: the default */
	const char *pattern;		 /* NULL: all */
	uint64_t older;			 /* days; 0: of any age */
	const struct location *location; /* of the statement, for messages; NULL: none */
};

/* The reports that READ prints when it names none: of those the session has data for. */
extern const char *const resource_usual_reports[];
extern const size_t resource_usual_report_count;

/*
 * Prints the reports of one, pattern being its name, to a target. Codes that are
 * no reports are an error.
 */
void library_print(const struct resource_selection *selection, struct report_options *options,
		   const struct output_target *target, struct diag_list *diags);
/* Consolidates one. */
void library_consolidate(const struct resource_selection *selection, bool replace,
				  struct diag_list *diags);
/* Lists them; what cannot be done is in diags. */
void library_list(const struct resource_selection *selection, FILE *listing,
			    struct diag_list *diags);
/* Deletes them, with a message for each in diags. */
void library_delete(const struct resource_selection *selection, struct diag_list *diags);

#endif
