/* SPDX-License-Identifier: Apache-2.0 */
/* Values of JCL operands: texts, numbers, times, regions; tables of keywords; messages. */
#include "common/compat.h"
#include "parser/jcl-evaluation.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

int jcl_complain_at(struct jcl_evaluation *e, enum severity severity, unsigned number,
		    const struct location *at, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	diag_add(e->diags, severity, number, at, "%s", text.text);
	strbuf_release(&text);
	if (severity >= SEVERITY_ERROR && e->job)
		e->job->failed = true;
	return -1;
}

int jcl_complain(struct jcl_evaluation *e, enum severity severity, unsigned number,
		 const struct jcl_node *node, const char *format, ...)
{
	struct location at =
		node ? node->location : jcl_statement_location(e->source, e->statement);
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	/* consequences of an undefined symbol are already reported */
	if (node && (e->undefined || e->fragment) && strchr(jcl_plain_text(e, node), '&'))
		return -1;
	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	jcl_complain_at(e, severity, number, &at, "%s", text.text);
	strbuf_release(&text);
	return -1;
}

enum severity jcl_lenient(const struct jcl_evaluation *e)
{
	return e->options && e->options->strict ? SEVERITY_ERROR : SEVERITY_WARNING;
}

const struct jcl_keyword *jcl_keyword_find(const struct jcl_keyword *table, size_t count,
					   const char *name)
{
	size_t at = LOWER_BOUND(count, i, strcmp(table[i].name, name) < 0);

	return at < count && strcmp(table[at].name, name) == 0 ? &table[at] : NULL;
}

void jcl_keywords(struct jcl_evaluation *e, const struct jcl_keyword *table, size_t count,
		  void *target, const struct jcl_node *operands)
{
	uint64_t seen[4] = { 0, 0, 0, 0 };

	for (const struct jcl_node *at = operands; at; at = at->next) {
		const struct jcl_keyword *keyword;
		size_t number;

		if (at->kind != JCL_KEYWORD)
			continue;
		keyword = jcl_keyword_find(table, count, at->text);
		if (!keyword) {
			jcl_complain(e, SEVERITY_ERROR, 1032, at, "%s has no keyword %s",
				     e->statement->verb, at->text);
			continue;
		}
		number = (size_t)(keyword - table);
		if (seen[number / 64] >> (number % 64) & 1)
			jcl_complain(e, jcl_lenient(e), 1033, at,
				     "%s is given twice; the last one counts", at->text);
		seen[number / 64] |= UINT64_C(1) << (number % 64);
		if (keyword->handle)
			keyword->handle(e, target, at->child);
	}
}

void jcl_plain(struct strbuf *sb, const struct jcl_node *node)
{
	jcl_node_text(sb, node, false);
}

const char *jcl_plain_text(struct jcl_evaluation *e, const struct jcl_node *node)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text;

	if (node->kind == JCL_WORD || node->kind == JCL_QUOTED || node->kind == JCL_EMPTY)
		return node->text;
	jcl_plain(&sb, node);
	text = jcl_arena_text(&e->scratch, sb.text, sb.length);
	strbuf_release(&sb);
	return text;
}

const char *jcl_symbol_value(struct jcl_evaluation *e, const struct jcl_node *node)
{
	const char *text = jcl_plain_text(e, node);
	char *value, *to;

	if (node->kind == JCL_QUOTED || !strstr(text, "&&"))
		return text;
	to = value = jcl_arena_text(&e->scratch, text, strlen(text));
	for (; *text; text++) {
		*to++ = *text;
		text += text[0] == '&' && text[1] == '&';
	}
	*to = '\0';
	return value;
}

const struct jcl_node *jcl_members(const struct jcl_node *value)
{
	return value->kind == JCL_LIST ? value->child : value;
}

bool jcl_number(const char *text, uint64_t limit, uint64_t *number)
{
	uint64_t value = 0;

	if (*text == '\0')
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		value = value * 10 + (uint64_t)(*text - '0');
		if (value > limit)
			return false;
	}
	*number = value;
	return true;
}

int jcl_choice(const char *text, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], text) == 0)
			return (int)i;
	return -1;
}

bool jcl_step_reference(const char *text, char **step, char **procstep)
{
	const char *dot = strchr(text, '.');
	size_t length = dot ? (size_t)(dot - text) : strlen(text);

	if (!jcl_name_valid(text, length) || (dot && !jcl_name_valid(dot + 1, strlen(dot + 1))))
		return false;
	*step = xstrndup(text, length);
	*procstep = dot ? xstrdup(dot + 1) : NULL;
	return true;
}

bool jcl_time(struct jcl_evaluation *e, const struct jcl_node *value, uint64_t *seconds)
{
	const struct jcl_node *first = jcl_members(value);
	const struct jcl_node *second = value->kind == JCL_LIST ? first->next : NULL;
	uint64_t minutes = 0, rest = 0;
	const char *text = jcl_plain_text(e, first);

	*seconds = 0;
	if (strcmp(text, "NOLIMIT") == 0 || strcmp(text, "1440") == 0)
		return true;
	if (strcmp(text, "MAXIMUM") == 0) {
		*seconds = UINT64_C(357912) * 60;
		return true;
	}
	if ((first->kind != JCL_EMPTY && !jcl_number(text, 357912, &minutes)) ||
	    (second && second->kind != JCL_EMPTY &&
	     !jcl_number(jcl_plain_text(e, second), 59, &rest)) ||
	    (second && second->next) || value->kind == JCL_EMPTY) {
		jcl_complain(e, SEVERITY_ERROR, 1089, value,
			     "TIME is minutes, (minutes,seconds), NOLIMIT or MAXIMUM, not %s",
			     jcl_plain_text(e, value));
		return false;
	}
	*seconds = minutes * 60 + rest;
	return true;
}

void jcl_region(struct jcl_evaluation *e, const struct jcl_node *value, uint64_t *bytes)
{
	const char *text = jcl_plain_text(e, value);
	size_t length = strlen(text);
	char *digits = jcl_arena_text(&e->scratch, text, length);
	unsigned shift = 10;
	uint64_t number;
	bool unit = length > 1 && strchr("KMG", text[length - 1]);

	if (unit) {
		shift = text[length - 1] == 'K' ? 10 : text[length - 1] == 'M' ? 20 : 30;
		digits[length - 1] = '\0';
	}
	if (!jcl_number(digits, 99999999, &number)) {
		jcl_complain(e, SEVERITY_ERROR, 1090, value,
			     "REGION is a number with K, M or G, not %s", text);
		return;
	}
	if (!unit && number > 0)
		jcl_complain(e, jcl_lenient(e), 1091, value, "REGION=%s has no unit; K is assumed",
			     text);
	*bytes = number << shift;
}

void jcl_memlimit(struct jcl_evaluation *e, const struct jcl_node *value, uint64_t *bytes)
{
	static const char units[] = "MGTP";
	const char *text = jcl_plain_text(e, value);
	size_t length = strlen(text);
	const char *unit = length > 1 ? strchr(units, text[length - 1]) : NULL;
	unsigned shift = unit ? 20 + 10 * (unsigned)(unit - units) : 0;
	uint64_t number;

	*bytes = 0;
	if (value->kind == JCL_EMPTY || strcmp(text, "NOLIMIT") == 0)
		return;
	if (unit && jcl_number(jcl_arena_text(&e->scratch, text, length - 1),
			       UINT64_MAX / 16 >> shift, &number))
		*bytes = number << shift;
	else
		jcl_complain(e, SEVERITY_ERROR, 1221, value,
			     "MEMLIMIT is NOLIMIT or a number with M, G, T or P, not %s", text);
}
