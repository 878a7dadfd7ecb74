/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carries out COLLECT and EXTRACT: turns a checked statement into the request of a
 * collection or extraction (session/collection), and handles its messages.
 */
#ifndef VIGIL_SESSION_REQUESTS_COLLECTIONS_H
#define VIGIL_SESSION_REQUESTS_COLLECTIONS_H

#include "parser/control.h"

#include <stdio.h>

/* Queues an error for each invalid interval, time and text format. */
void request_check_collections(const struct control_deck *deck, struct diag_list *diags);
/*
 * Carries out a COLLECT or an EXTRACT; text without DSNAME goes to listing.
 * Messages are queued. Messages of a running collection are written to messages at
 * once, after all queued before (diag_print_new), because it may last for days.
 */
void carry_out_collection(const struct control_statement *statement, FILE *listing, FILE *messages,
			  struct diag_list *diags);

#endif
