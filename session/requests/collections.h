/* SPDX-License-Identifier: Apache-2.0 */
/*
 * COLLECT and EXTRACT: from a checked statement to what a collection or an
 * extraction is asked to do (session/collection), and to its messages.
 */
#ifndef VIGIL_SESSION_REQUESTS_COLLECTIONS_H
#define VIGIL_SESSION_REQUESTS_COLLECTIONS_H

#include "parser/control.h"

#include <stdio.h>

/* Queues an error for each interval, time and form of text that is none. */
void request_check_collections(const struct control_deck *deck, struct diag_list *diags);
/*
 * Carries out a COLLECT or an EXTRACT; text without DSNAME goes to listing.
 * Messages are queued, and what a collection says while it lasts is written to
 * messages at once, after all that was queued before (diag_print_new): it may last
 * for days.
 */
void carry_out_collection(const struct control_statement *statement, FILE *listing, FILE *messages,
			  struct diag_list *diags);

#endif
