/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks values of operands against their rule, and parses them. Internal to the
 * control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_VALUES_H
#define VIGIL_PARSER_CONTROL_VALUES_H

#include "parser/control-operands.h"

/* Queues errors of the operand's values under its rule; false if there are any. */
bool control_check_values(const struct control_operand *operand, const struct control_rule *rule,
			  struct diag_list *diags);
/* Parses a plain decimal number; false if text is none or it does not fit. */
bool control_read_number(const char *text, uint64_t *number);
/* Parses a percentage with decimals, 0 to 100. */
bool control_read_percent(const char *text, double *percent);
/* Parses the bound of a range: a number, or hh:mm:ss as seconds. */
bool control_read_bound(const char *text, uint64_t *bound);
/* Parses hh:mm with 24 hours, or with 12 and am or pm, into a minute of the day. */
bool control_read_time(const char *text, unsigned *minute);
/* Parses mm/dd/yy or mm/dd/yyyy with one kind of separator into an existing day. */
bool control_read_date(const char *text, struct control_date *date);
/* Returns whether text is a name or pattern of at most maximum characters. */
bool control_is_pattern(const char *text, size_t maximum);

#endif
