/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule operands of ADD, CHANGE and SUBMIT: what they say together.
 * When that is, in a time zone, is not this part's business. Internal to the
 * control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_SCHEDULE_H
#define VIGIL_PARSER_CONTROL_SCHEDULE_H

#include "parser/control-operands.h"

/* Queue an error for operands that exclude each other, and for dates that are not in order. */
void control_schedule_check(const struct control_statement *statement, unsigned form,
			    struct diag_list *diags);
/* Fill a schedule from operands without errors; its texts and dates are owned. */
void control_schedule_fill(struct control_schedule *schedule,
			   const struct control_statement *statement, unsigned form);

#endif
