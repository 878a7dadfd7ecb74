/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHANGE: alters a request that waits for its step. The request is the one
 * of that number among those before the CHANGE, the earlier deck's first, or
 * the only one for that job. Internal to the control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_CHANGE_H
#define VIGIL_PARSER_CONTROL_CHANGE_H

#include "parser/control.h"

/* Carry a CHANGE of deck out, whose request is filled; its texts go over. False, with a message,
 * when it cannot be. */
bool control_change(struct control_deck *deck, struct control_statement *change,
		    struct diag_list *diags);
/* Queue an error when DCCPARM has more texts than there are names; false then. */
bool control_check_parameters(const struct control_operand *parameters, size_t names,
			      struct diag_list *diags);

#endif
