/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operands of a statement by keyword: keyword is the canonical spelling,
 * and the operand is found in any. Internal to the control half of parser/.
 */
#ifndef VIGIL_PARSER_CONTROL_LOOKUP_H
#define VIGIL_PARSER_CONTROL_LOOKUP_H

#include "parser/control-operands.h"

/* The operand of a keyword, NULL when it is not there. */
const struct control_operand *control_operand(const struct control_statement *statement,
					      unsigned form, const char *keyword);
/* A copy of its first value, NULL when it is not there. */
char *control_text_of(const struct control_statement *statement, unsigned form,
		      const char *keyword);
/* Its first value as a number; 0 when it is not there or none. */
uint64_t control_number_of(const struct control_statement *statement, unsigned form,
			   const char *keyword);
/* Copies of all its values, for control_free_texts; NULL when it is not there. */
char **control_texts_of(const struct control_statement *statement, unsigned form,
			const char *keyword, size_t *count);
/* Whether it has a value, as its first or only one. */
bool control_has_value(const struct control_statement *statement, unsigned form,
		       const char *keyword, const char *value);
/* ON or OFF, or whether it is not there. */
enum control_switch control_switch_of(const struct control_statement *statement, unsigned form,
				      const char *keyword);
/* The value of FORMAT; NULL is TEXT. */
enum report_format control_read_format(const char *text);

#endif
