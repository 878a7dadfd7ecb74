/* SPDX-License-Identifier: Apache-2.0 */
/* What "vigil collectors" shows: each function adds its tables and notes to a document. */
#ifndef VIGIL_SESSION_COMMANDS_COLLECTORS_H
#define VIGIL_SESSION_COMMANDS_COLLECTORS_H

#include "reports/document.h"
#include "profile/profile.h"
#include "session/measure/choose-collectors.h"

/* A data collector of the library path, loaded to see what it says of itself. */
struct installed;

struct installed_list {
	struct installed *items; /* in the order of the library path */
	size_t count;
};

/* Load all that the library path has. */
void installed_load(struct installed_list *list, struct collectors *collectors);
void installed_release(struct installed_list *list);

/* The folders and what is in them; returns how many cannot be loaded, are refused or are not there. */
size_t collectors_show_installed(struct document *document, const struct collectors *collectors,
				 const struct installed_list *list);
/* Which are called for a program, in order, and why the others are not; returns how many of those
   that are meant cannot be loaded, and how many folders and files are refused or not there. */
size_t collectors_show_program(struct document *document, struct collectors *collectors,
			       const struct installed_list *list, const char *program);
/* What became of those of a session. */
void collectors_show_session(struct document *document, const struct profile *profile);

#endif
