/* SPDX-License-Identifier: Apache-2.0 */
/* Values of operands: checked against their rule, and read. Internal to the control half of
 * parser/. */
#ifndef VIGIL_PARSER_CONTROL_VALUES_H
#define VIGIL_PARSER_CONTROL_VALUES_H

#include "parser/control-operands.h"

/* Queue what is wrong with the operand's values under its rule; false when something is. */
bool control_check_values(const struct control_operand *operand, const struct control_rule *rule,
			  struct diag_list *diags);
/* A plain decimal number; false when text is none or it does not fit. */
bool control_read_number(const char *text, uint64_t *number);
/* A number of percent with decimals, 0 to 100. */
bool control_read_percent(const char *text, double *percent);
/* The bound of a range: a number, or hh:mm:ss as seconds. */
bool control_read_bound(const char *text, uint64_t *bound);
/* hh:mm in 24 hours, or in 12 with am or pm, as a minute of the day. */
bool control_read_time(const char *text, unsigned *minute);
/* mm/dd/yy or mm/dd/yyyy with one kind of separator: a day that the calendar has. */
bool control_read_date(const char *text, struct control_date *date);
/* Whether text is a name or pattern of at most maximum characters. */
bool control_is_pattern(const char *text, size_t maximum);

#endif
