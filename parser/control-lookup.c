/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the operands of a statement by keyword, and copies their values. */
#include "common/compat.h"
#include "parser/control-lookup.h"
#include "parser/control-values.h"
#include "common/xalloc.h"

const struct control_operand *control_operand(const struct control_statement *statement,
					      unsigned form, const char *keyword)
{
	for (const struct control_operand *operand = statement->operands; operand;
	     operand = operand->next) {
		const struct control_rule *rule;

		if (operand->keyword[0] != keyword[0])
			continue; /* all spellings of a keyword begin with the same letter */
		rule = control_find_rule(form, operand->keyword);
		if (rule && strcmp(rule->canonical ? rule->canonical : rule->keyword, keyword) == 0)
			return operand;
	}
	return NULL;
}

char *control_text_of(const struct control_statement *statement, unsigned form, const char *keyword)
{
	const struct control_operand *operand = control_operand(statement, form, keyword);

	return operand && operand->values ? xstrdup(operand->values->text) : NULL;
}

uint64_t control_number_of(const struct control_statement *statement, unsigned form,
			   const char *keyword)
{
	const struct control_operand *operand = control_operand(statement, form, keyword);
	uint64_t number = 0;

	if (operand && operand->values)
		control_read_number(operand->values->text, &number);
	return number;
}

char **control_texts_of(const struct control_statement *statement, unsigned form,
			const char *keyword, size_t *count)
{
	const struct control_operand *operand = control_operand(statement, form, keyword);
	char **texts = NULL;
	size_t alloc = 0;

	*count = 0;
	if (!operand)
		return NULL;
	for (const struct control_value *value = operand->values; value; value = value->next) {
		GROW(texts, *count + 1, alloc);
		texts[(*count)++] = xstrdup(value->text);
	}
	return texts;
}

bool control_has_value(const struct control_statement *statement, unsigned form,
		       const char *keyword, const char *value)
{
	const struct control_operand *operand = control_operand(statement, form, keyword);

	return operand && operand->values && strcmp(operand->values->text, value) == 0;
}

enum control_switch control_switch_of(const struct control_statement *statement, unsigned form,
				       const char *keyword)
{
	if (!control_operand(statement, form, keyword))
		return CONTROL_SWITCH_NOT_GIVEN;
	return control_has_value(statement, form, keyword, "ON") ? CONTROL_SWITCH_ON
								 : CONTROL_SWITCH_OFF;
}

enum report_format control_read_format(const char *text)
{
	if (text && strcmp(text, "CSV") == 0)
		return REPORT_CSV;
	if (text && strcmp(text, "HTML") == 0)
		return REPORT_HTML;
	if (text && strcmp(text, "PDF") == 0)
		return REPORT_PDF;
	return text && strcmp(text, "JSON") == 0 ? REPORT_JSON : REPORT_TEXT;
}
