/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads decks for submit and check: turns cards, including control cards, into
 * plans, and checks everything before anything runs.
 */
#ifndef VIGIL_SESSION_COMMANDS_DECK_H
#define VIGIL_SESSION_COMMANDS_DECK_H

#include "parser/control.h"
#include "parser/jcl.h"
#include "session/commands/command.h"
#include "datasets/catalog.h"
#include "session/requests/checked-statements.h"

/* Number of the message that a request selects no step. */
#define DECK_SELECTS_NO_STEP 5312

struct deck {
	struct source *source;
	struct source *cards; /* control cards inside the deck that are parsed again when used */
	struct checked_cards *checked; /* those in a DD VIGIL */
	struct jcl_deck *tree;
	struct plan_job *jobs;
	char *folder; /* absolute path of the deck file's folder */
};

struct deck_list {
	struct deck *items;
	size_t count;
	bool unreadable; /* a file could not be read; already reported */
	struct catalog catalog; /* where JCLLIB finds libraries; no catalogue if it has no root */
};

struct deck_options {
	struct option_list proclibs;
	const char *root, *map; /* root and mapping file of the data sets, for the libraries of
				 * JCLLIB; NULL: none */
	bool fragments;		/* check input without a JOB as part of one */
	bool strict;
};

/* Reads and checks all decks; errors go to diags. */
void deck_list_read(struct deck_list *list, int count, char **paths,
		    const struct deck_options *options, struct diag_list *diags);
/*
 * Reads and checks a deck that a job wrote and appends it to the list. It counts
 * as located in the folder of the list's first deck. The list takes ownership of
 * source.
 */
struct deck *deck_list_add(struct deck_list *list, struct source *source,
			   const struct deck_options *options, struct diag_list *diags);
/*
 * Queues a warning for each request of --measure and -c that selects no step of
 * these decks. Files of statements are exempt: they may serve more decks than are
 * given.
 */
void deck_list_warn_unmatched(const struct deck_list *list, const struct control_deck *requests,
			   struct diag_list *diags);
void deck_list_release(struct deck_list *list);
/* Adds the folders of an environment variable (in PATH syntax) to a list that no option filled. */
void deck_default_list(struct option_list *list, const char *variable);
/* Returns the option's value, else the variable's value, else the default. */
const char *deck_folder(const char *option, const char *variable, const char *otherwise);
/* Prints the messages of at least this severity; returns true if none is an error. */
bool deck_diagnose(struct diag_list *diags, enum severity least);

#endif
