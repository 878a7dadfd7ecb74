/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control statements from wherever they come - files, options, the cards of a
 * DD - parsed, checked, and joined into one deck. Each input is checked behind
 * those before it, so that a CHANGE finds their requests.
 */
#ifndef VIGIL_SESSION_REQUESTS_CHECKED_STATEMENTS_H
#define VIGIL_SESSION_REQUESTS_CHECKED_STATEMENTS_H

#include "parser/control.h"
#include "parser/plan.h"

/* What statements given as options are called in messages. */
#define STATEMENTS_LINES "-c"

struct statements {
	struct source *sources;
	struct control_deck *deck; /* never NULL after statements_init */
};

void statements_init(struct statements *statements);
void statements_release(struct statements *statements);
/* Adds a file of statements; what is wrong with them is in diags. -1 when it cannot be read. */
int statements_add_file(struct statements *statements, const char *path, struct diag_list *diags,
			struct error *err);
/* Adds statements given as options, one a line, together one input. */
void statements_add_lines(struct statements *statements, const char *const *lines, size_t count,
			  struct diag_list *diags);
/* Adds a text; takes source over. cards: columns 1 to 72 count. */
void statements_add_source(struct statements *statements, struct source *source, bool cards,
			   struct diag_list *diags);
/* How many statements ask for samples, and the last of them (NULL: none). */
size_t statements_requests(const struct statements *statements,
			   const struct control_statement **last);

/*
 * Returns the cards of one in-stream DD (not of what is concatenated to it) as an
 * input of their own: named and numbered as the deck, procedure or member they
 * stand in, so that messages point there. The caller frees it.
 */
struct source *statements_cards(const struct plan_dd *dd);

#endif
