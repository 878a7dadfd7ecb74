/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule operands of ADD, CHANGE and SUBMIT, in combination. Conversion to
 * points in time, with time zones, is done elsewhere. Internal to the control half
 * of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_SCHEDULE_H
#define VIGIL_PARSER_CONTROL_SCHEDULE_H

#include "parser/control-operands.h"

/* Queues errors for operands that exclude each other, and for dates that are not in order. */
void control_schedule_check(const struct control_statement *statement, unsigned form,
			    struct diag_list *diags);
/* Fills a schedule from operands without errors; it owns its texts and dates. */
void control_schedule_fill(struct control_schedule *schedule,
			   const struct control_statement *statement, unsigned form);

#endif
