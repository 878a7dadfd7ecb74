/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control statements from files, options and the cards of a DD, parsed, checked
 * and joined into one deck. Each input is checked after those before it, so that a
 * CHANGE finds their requests.
 */
#ifndef VIGIL_SESSION_REQUESTS_CHECKED_STATEMENTS_H
#define VIGIL_SESSION_REQUESTS_CHECKED_STATEMENTS_H

#include "parser/control.h"
#include "parser/plan.h"

/* The name of statements given as options, for messages. */
#define STATEMENTS_LINES "-c"

struct statements {
	struct source *sources;
	struct control_deck *deck; /* never NULL after statements_init */
};

void statements_init(struct statements *statements);
void statements_release(struct statements *statements);
/* Adds a file of statements; their errors go to diags. -1 if it cannot be read. */
int statements_add_file(struct statements *statements, const char *path, struct diag_list *diags,
			struct error *err);
/* Adds statements given as options, one per line, as one input. */
void statements_add_lines(struct statements *statements, const char *const *lines, size_t count,
			  struct diag_list *diags);
/* Adds a text and takes over source. cards: columns 1 to 72 count. */
void statements_add_source(struct statements *statements, struct source *source, bool cards,
			   struct diag_list *diags);
/* Returns the number of statements that ask for samples; *last is the last of them (NULL: none). */
size_t statements_requests(const struct statements *statements,
			   const struct control_statement **last);

/*
 * Returns the cards of one in-stream DD, without those concatenated to it, as a
 * separate input that is named and numbered like the deck, procedure or member
 * that contains them, so that messages point there. The caller frees it.
 */
struct source *statements_cards(const struct plan_dd *dd);

/* The statements of one in-stream DD VIGIL, parsed and checked once, with its deck. */
struct checked_cards {
	const struct plan_dd *dd;
	struct statements statements;
	struct checked_cards *next;
};

/* Parses and checks the cards of a DD and puts them at the head of a list, which owns them. */
struct checked_cards *checked_cards_add(struct checked_cards **list, const struct plan_dd *dd,
					struct diag_list *diags);
/* Returns the checked cards of a DD; NULL: they were not checked with the deck. */
const struct checked_cards *checked_cards_of(const struct checked_cards *list,
					     const struct plan_dd *dd);
void checked_cards_free(struct checked_cards *list);

#endif
