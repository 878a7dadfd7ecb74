/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the functions LIST, DELETE, READ and CONSOLIDATE do with the resources
 * of a library (resource.h); the commands list and delete do the same.
 */
#ifndef VIGIL_SESSION_REQUESTS_RESOURCES_H
#define VIGIL_SESSION_REQUESTS_RESOURCES_H

#include "parser/control.h"
#include "session/requests/resource.h"

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

/* Print the reports of one, pattern being its name, as the statement says. */
void request_read_resource(const struct resource_selection *selection,
			   const struct control_statement *statement, FILE *listing,
			   struct diag_list *diags);
/* Consolidate one. */
void request_consolidate_resource(const struct resource_selection *selection, bool replace,
				  struct diag_list *diags);
/* List them; what cannot be done is in diags. */
void request_list_resources(const struct resource_selection *selection, FILE *listing,
			    struct diag_list *diags);
/* Delete them, with a message for each in diags. */
void request_delete_resources(const struct resource_selection *selection, struct diag_list *diags);

#endif
