/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the operands of a statement by keyword: keyword is the canonical spelling,
 * the operand may have any spelling. Internal to the control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_LOOKUP_H
#define VIGIL_PARSER_CONTROL_LOOKUP_H

#include "parser/control-operands.h"

/* Returns the operand of a keyword; NULL: not given. */
const struct control_operand *control_operand(const struct control_statement *statement,
					      unsigned form, const char *keyword);
/* Returns a copy of its first value; NULL: not given. */
char *control_text_of(const struct control_statement *statement, unsigned form,
		      const char *keyword);
/* Returns its first value as a number; 0 if not given or not a number. */
uint64_t control_number_of(const struct control_statement *statement, unsigned form,
			   const char *keyword);
/* Returns copies of all its values, for control_free_texts; NULL: not given. */
char **control_texts_of(const struct control_statement *statement, unsigned form,
			const char *keyword, size_t *count);
/* Returns whether its first value is this one. */
bool control_has_value(const struct control_statement *statement, unsigned form,
		       const char *keyword, const char *value);
/* Returns ON, OFF, or that it is not given. */
enum control_switch control_switch_of(const struct control_statement *statement, unsigned form,
				      const char *keyword);
/* Returns the value of FORMAT; NULL means TEXT. */
enum report_format control_read_format(const char *text);

#endif
