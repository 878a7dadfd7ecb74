/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the operands that select a program running without vigil. */
#include "common/compat.h"
#include "parser/control-running.h"
#include "parser/control-lookup.h"

/* Queues an error if two operands exclude each other. */
static void check_exclusive(const struct control_statement *statement, unsigned form,
			    const char *one, const char *other, const char *why,
			    struct diag_list *diags)
{
	const struct control_operand *second = control_operand(statement, form, other);

	if (second && control_operand(statement, form, one))
		diag_add(diags, SEVERITY_ERROR, 2123, &second->location,
			 "%s and %s exclude each other: %s", one, other, why);
}

/*
 * Reports an operand that selects a running program in a request for a step. UNIT
 * may be intended as a device, as on other machines.
 */
static void refuse(const struct control_operand *operand, const char *name,
		   struct diag_list *diags)
{
	if (strcmp(name, "UNIT") == 0)
		diag_add(diags, SEVERITY_ERROR, 2902, &operand->location,
			 "UNIT is not carried out without ACTIVE: files need no space, unit or "
			 "volume on Linux, and a unit of systemd is for programs that vigil does "
			 "not start");
	else
		diag_add(diags, SEVERITY_ERROR, 6814, &operand->location,
			 "%s needs ACTIVE: it selects a program that vigil does not start", name);
}

void control_running_check(const struct control_statement *statement, unsigned form,
			   struct diag_list *diags)
{
	static const char *const where[] = { "PID", "CGROUP", "UNIT" };
	const struct control_operand *active = control_operand(statement, form, "ACTIVE");
	bool said = control_operand(statement, form, "PROGRAM") != NULL;

	for (size_t i = 0; i < ARRAY_SIZE(where); i++) {
		const struct control_operand *one = control_operand(statement, form, where[i]);

		if (one && !active && form == FORM_ADD)
			refuse(one, where[i], diags);
		for (size_t j = 0; j < i; j++)
			check_exclusive(statement, form, where[j], where[i],
					"each of them selects the program", diags);
		said |= one != NULL;
	}
	check_exclusive(statement, form, "ACTIVE", "STEP", "no job starts the program", diags);
	if (active && !said && form == FORM_ADD)
		diag_add(diags, SEVERITY_ERROR, 6813, &active->location,
			 "ACTIVE does not say which program; expected PROGRAM, PID, CGROUP or UNIT");
}

void control_running_fill(struct control_request *request,
			  const struct control_statement *statement, unsigned form)
{
	request->active = control_operand(statement, form, "ACTIVE") != NULL;
	request->pid = control_number_of(statement, form, "PID");
	request->cgroup = control_text_of(statement, form, "CGROUP");
	request->unit = control_text_of(statement, form, "UNIT");
}
