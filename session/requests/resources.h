/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What FUNCTION=LIST and FUNCTION=DELETE do with the resources of a library
 * (requests/resource.h); the commands list and delete do the same.
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

/* List them; what cannot be done is in diags. */
void request_list_resources(const struct resource_selection *selection, FILE *listing,
			    struct diag_list *diags);
/* Delete them, with a message for each in diags. */
void request_delete_resources(const struct resource_selection *selection, struct diag_list *diags);

#endif
