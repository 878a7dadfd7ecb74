/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operands of ADD and CHANGE for a program that vigil does not start: ACTIVE
 * with PROGRAM, PID, CGROUP or UNIT. Internal to the control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_RUNNING_H
#define VIGIL_PARSER_CONTROL_RUNNING_H

#include "parser/control-operands.h"

/*
 * Queues errors for operands that exclude each other, and for an ADD that does not
 * select a program.
 */
void control_running_check(const struct control_statement *statement, unsigned form,
			   struct diag_list *diags);
/* Fills active, pid, cgroup and unit from operands without errors; the request owns the texts. */
void control_running_fill(struct control_request *request,
			  const struct control_statement *statement, unsigned form);

#endif
