/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operands of ADD and CHANGE that mean a program which vigil does not
 * start: ACTIVE with PROGRAM, PID, CGROUP or UNIT. Internal to the control half
 * of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_RUNNING_H
#define VIGIL_PARSER_CONTROL_RUNNING_H

#include "parser/control-operands.h"

/* Queue an error for operands that exclude each other, and for an ADD that does not say which
   program it means. */
void control_running_check(const struct control_statement *statement, unsigned form,
			   struct diag_list *diags);
/* Fill active, pid, cgroup and unit from operands without errors; the texts are owned. */
void control_running_fill(struct control_request *request,
			  const struct control_statement *statement, unsigned form);

#endif
