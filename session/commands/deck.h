/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decks as submit and check read them: cards to plan, control cards in them
 * included, everything checked before anything runs.
 */
#ifndef VIGIL_SESSION_COMMANDS_DECK_H
#define VIGIL_SESSION_COMMANDS_DECK_H

#include "parser/control.h"
#include "parser/jcl.h"
#include "session/commands/command.h"
#include "datasets/catalog.h"

/* The number of the message that a request means no step. */
#define DECK_MEANS_NO_STEP 5312

struct deck {
	struct source *source;
	struct source *cards; /* control cards that stand in the deck */
	struct jcl_deck *tree;
	struct plan_job *jobs;
	char *folder; /* absolute, of the deck's file */
};

struct deck_list {
	struct deck *items;
	size_t count;
	bool unreadable; /* a file could not be read; said already */
	struct catalog catalog; /* where JCLLIB finds libraries; without a root: there is none */
};

struct deck_options {
	struct option_list proclibs;
	const char *root, *map; /* of the data sets, for libraries of JCLLIB; NULL none */
	bool fragments;		/* what holds no JOB is checked as a part of one */
	bool strict;
};

/* Read and check all decks; what is wrong is in diags. */
void deck_list_read(struct deck_list *list, int count, char **paths,
		    const struct deck_options *options, struct diag_list *diags);
/*
 * Read and check a deck that a job wrote, as one more of the list; it is taken to
 * stand in the folder of the list's first one. source belongs to the list then.
 */
struct deck *deck_list_add(struct deck_list *list, struct source *source,
			   const struct deck_options *options, struct diag_list *diags);
/*
 * Queue a warning for each request of --measure and -c that means no step of these decks; a file
 * of statements may be for more decks than are here.
 */
void deck_list_check_meant(const struct deck_list *list, const struct control_deck *requests,
			   struct diag_list *diags);
void deck_list_release(struct deck_list *list);
/* Add the folders of a variable like PATH to a list that its options did not fill. */
void deck_default_list(struct option_list *list, const char *variable);
/* The option's value, that of the variable, or the default. */
const char *deck_folder(const char *option, const char *variable, const char *otherwise);
/* Print the messages that are at least so severe; true when none is an error. */
bool deck_diagnose(struct diag_list *diags, enum severity least);

#endif
