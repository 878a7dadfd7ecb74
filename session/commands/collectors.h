/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the output of "vigil collectors": each function adds its tables and notes
 * to a document.
 */
#ifndef VIGIL_SESSION_COMMANDS_COLLECTORS_H
#define VIGIL_SESSION_COMMANDS_COLLECTORS_H

#include "reports/document.h"
#include "profile/profile.h"
#include "session/measure/choose-collectors.h"

/* A data collector in the library path, loaded to read its description. */
struct installed;

struct installed_list {
	struct installed *items; /* in the order of the library path */
	size_t count;
};

/* Loads all collectors of the library path. */
void installed_load(struct installed_list *list, struct collectors *collectors);
void installed_release(struct installed_list *list);

/*
 * Adds the folders and the collectors in them; returns how many cannot be loaded,
 * are refused or are missing.
 */
size_t collectors_show_installed(struct document *document, const struct collectors *collectors,
				 const struct installed_list *list);
/*
 * Adds the collectors that are called for a program, in order, and why the others
 * are not; returns how many of the selected ones cannot be loaded plus how many
 * folders and files are refused or missing.
 */
size_t collectors_show_program(struct document *document, struct collectors *collectors,
			       const struct installed_list *list, const char *program);
/* Adds what became of the collectors of a session. */
void collectors_show_session(struct document *document, const struct profile *profile);

#endif
