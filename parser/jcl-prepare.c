/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares a statement for evaluation: substitutes its symbols, parses its operands. */
#include "common/compat.h"
#include "parser/jcl-evaluation.h"

/* Reports an undefined symbol; &NAME as a data set name is an old form of temporary one. */
static void undefined_symbol(void *context, unsigned offset, const char *name, size_t length)
{
	struct jcl_evaluation *e = context;
	const struct jcl_text *text = &e->statement->text;
	struct location at = jcl_location(e->source, text, offset, (unsigned)length + 1);
	bool named = (offset >= 4 && memcmp(text->text + offset - 4, "DSN=", 4) == 0) ||
		     (offset >= 7 && memcmp(text->text + offset - 7, "DSNAME=", 7) == 0);
	char after = offset + 1 + length < text->length ? text->text[offset + 1 + length] : '\0';

	e->undefined = true;
	if (length > 8)
		jcl_complain_at(e, SEVERITY_ERROR, 1041, &at,
				"the symbol &%.*s is longer than 8 characters", (int)length, name);
	else if (named && (after == '\0' || after == ',' || after == '('))
		jcl_complain_at(e, jcl_lenient(e), 1044, &at,
				"the symbol &%.*s is not defined; a temporary data set is meant",
				(int)length, name);
	else if (e->fragment)
		jcl_complain_at(e, SEVERITY_INFO, 1040, &at,
				"the symbol &%.*s is not defined here; the caller must set it",
				(int)length, name);
	else
		jcl_complain_at(e, SEVERITY_ERROR, 1040, &at, "the symbol &%.*s is not defined",
				(int)length, name);
}

bool jcl_prepare(struct jcl_evaluation *e, const struct jcl_statement *statement)
{
	struct jcl_text *text;

	e->statement = statement;
	e->text = &statement->text;
	e->operands = statement->operands;
	e->undefined = false;
	if (statement->faulty)
		e->job->failed = true;
	if (statement->faulty && statement->raw)
		return false;
	if (!statement->has_symbols)
		return true;
	text = jcl_arena_get(&e->scratch, sizeof(*text));
	if (!jcl_symbols_substitute(&e->symbols, &e->scratch, statement->operation,
				    &statement->text, text, undefined_symbol, e)) {
		jcl_complain(e, SEVERITY_ERROR, 1043, NULL,
			     "the statement is longer than %d characters after its symbols are "
			     "substituted",
			     JCL_MAXIMUM_TEXT);
		return false;
	}
	e->text = text;
	if (jcl_syntax_parse(&e->syntax, text, statement->operation == JCL_IF, false, &e->operands))
		return true;
	e->job->failed = true;
	return false;
}
