/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions and filters of PROFILER blocks: what their operands mean together
 * and one after the other, and their typed part. Internal to the control half
 * of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_BLOCK_H
#define VIGIL_PARSER_CONTROL_BLOCK_H

#include "parser/control-operands.h"

/* Where the check of an input is; first is set, the rest zero at first. */
struct control_block_state {
	const struct control_statement *first; /* of the input */
	const struct control_statement *init; /* the FUNCTION=INIT in force */
	bool started;
	const struct control_statement *count, *time; /* those filters, once they were given */
};

/* Queue what is wrong with a function or filter whose operands are right each by itself. */
void control_block_check(struct control_block_state *state,
			 const struct control_statement *statement, const struct control_form *form,
			 struct diag_list *diags);
/* Fill the typed part of one without errors. */
void control_block_fill(struct control_statement *statement, const struct control_form *form);

#endif
