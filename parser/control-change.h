/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHANGE: alters a request that waits for its step. The request is the one with
 * that number among those before the CHANGE, starting with the earlier deck, or
 * the only one for that job. Internal to the control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_CHANGE_H
#define VIGIL_PARSER_CONTROL_CHANGE_H

#include "parser/control.h"

/*
 * Executes a CHANGE of deck whose request is filled; its texts move to the changed
 * request. False, with a message, if it is not possible.
 */
bool control_change(struct control_deck *deck, struct control_statement *change,
		    struct diag_list *diags);
/* Queues an error and returns false if DCCPARM has more texts than there are names. */
bool control_check_parameters(const struct control_operand *parameters, size_t names,
			      struct diag_list *diags);

#endif
