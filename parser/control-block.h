/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions and filters of PROFILER blocks: checks their operands in combination
 * and sequence, and fills their typed part. Internal to the control half of
 * parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_BLOCK_H
#define VIGIL_PARSER_CONTROL_BLOCK_H

#include "parser/control-operands.h"

/* State of the check of one input; the caller sets first, the rest starts as zero. */
struct control_block_state {
	const struct control_statement *first; /* of the input */
	const struct control_statement *init; /* the FUNCTION=INIT in effect */
	bool started;
	const struct control_statement *count, *time; /* the filters already given */
};

/* Queues errors of a function or filter whose operands are individually valid. */
void control_block_check(struct control_block_state *state,
			 const struct control_statement *statement, const struct control_form *form,
			 struct diag_list *diags);
/* Fills the typed part of a function or filter without errors. */
void control_block_fill(struct control_statement *statement, const struct control_form *form);

#endif
