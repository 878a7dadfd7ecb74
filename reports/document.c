/* SPDX-License-Identifier: Apache-2.0 */
/* A report before it is printed. */
#include "common/compat.h"
#include "reports/document.h"
#include "common/xalloc.h"
#include "reports/text.h"

#include <math.h>

/* Minimum number of rows that a table collects before they flow. */
enum { FLOW_ROWS = 1024 };

void document_init(struct document *document, const char *code, const char *title,
		   struct tokens *tokens)
{
	memset(document, 0, sizeof(*document));
	document->code = code;
	document->title = title;
	document->tokens = tokens;
}

static void release_pairs(struct pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(pairs[i].value.text);
	free(pairs);
}

/* Frees the rows of a table. */
static void drop_rows(struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		for (size_t j = 0; j < table->column_count; j++)
			free(table->rows[i].values[j].text);
		free(table->rows[i].values);
		free(table->rows[i].below);
	}
	table->row_count = 0;
}

static void table_free(struct table *table)
{
	if (!table)
		return;
	drop_rows(table);
	release_pairs(table->context, table->context_count);
	free(table->rows);
	free(table->title);
	free(table);
}

void document_release(struct document *document)
{
	for (size_t i = 0; i < document->count; i++) {
		struct block *block = &document->blocks[i];

		for (size_t j = 0; j < block->group_count; j++)
			release_pairs(block->groups[j].pairs, block->groups[j].count);
		free(block->groups);
		free(block->text);
		table_free(block->table);
	}
	free(document->blocks);
	document->blocks = NULL;
	document->count = document->alloc = 0;
}

static struct block *add_block(struct document *document, enum block_kind kind)
{
	struct block *block;

	GROW(document->blocks, document->count + 1, document->alloc);
	block = &document->blocks[document->count++];
	memset(block, 0, sizeof(*block));
	block->kind = kind;
	return block;
}

/* Adds a paragraph block whose text is a format and its arguments. */
static struct block *add_paragraph(struct document *document, enum block_kind kind,
				   const char *format, va_list ap)
{
	struct block *block = add_block(document, kind);
	struct strbuf sb = STRBUF_INIT;

	strbuf_vaddf(&sb, format, ap);
	block->text = strbuf_detach(&sb, NULL);
	return block;
}

void document_text(struct document *document, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add_paragraph(document, BLOCK_TEXT, format, ap);
	va_end(ap);
}

void document_note(struct document *document, enum severity severity, unsigned number,
		   const char *format, ...)
{
	struct block *block;
	va_list ap;

	va_start(ap, format);
	block = add_paragraph(document, BLOCK_NOTE, format, ap);
	va_end(ap);
	block->severity = severity;
	block->number = number;
}

struct pair_group *document_pairs(struct document *document, size_t group_count)
{
	struct block *block = add_block(document, BLOCK_PAIRS);

	block->group_count = group_count;
	block->groups = xcalloc(group_count, sizeof(*block->groups));
	return block->groups;
}

static struct pair *add_pair(struct pair **pairs, size_t *count, size_t *alloc, const char *id,
			     const char *label)
{
	struct pair *pair;

	GROW(*pairs, *count + 1, *alloc);
	pair = &(*pairs)[(*count)++];
	memset(pair, 0, sizeof(*pair));
	pair->id = id;
	pair->label = label;
	pair->type = COLUMN_TEXT;
	return pair;
}

void pair_text(struct pair_group *group, const char *id, const char *label, const char *text)
{
	struct pair *pair = add_pair(&group->pairs, &group->count, &group->alloc, id, label);

	if (!*text)
		return;
	pair->value.type = VALUE_TEXT;
	pair->value.text = xstrdup(text);
}

void pair_number(struct pair_group *group, const char *id, const char *label, enum column_type type,
		 uint64_t number)
{
	struct pair *pair = add_pair(&group->pairs, &group->count, &group->alloc, id, label);

	pair->type = type;
	pair->value.type = VALUE_NUMBER;
	pair->value.number = number;
}

void pair_real(struct pair_group *group, const char *id, const char *label, double real)
{
	struct pair *pair = add_pair(&group->pairs, &group->count, &group->alloc, id, label);

	pair->type = COLUMN_PERCENT;
	pair->value.type = VALUE_REAL;
	pair->value.real = real;
}

struct table *document_table(struct document *document, const char *id, const char *title,
			     const struct column *columns, size_t column_count)
{
	struct block *block = add_block(document, BLOCK_TABLE);
	struct table *table = xcalloc(1, sizeof(*table));

	table->id = id;
	table->title = xstrdup(title ? title : "");
	table->columns = columns;
	table->column_count = column_count;
	table->bar_margin = -1;
	table->document = document;
	block->table = table;
	return table;
}

void table_context(struct table *table, const char *id, const char *label, const char *text)
{
	struct pair *pair =
		add_pair(&table->context, &table->context_count, &table->context_alloc, id, label);

	pair->value.type = VALUE_TEXT;
	pair->value.text = xstrdup(text);
}

void table_context_name(struct table *table, const char *id, const char *label, const char *name,
			size_t width)
{
	struct strbuf clean = STRBUF_INIT;

	table_context(table, id, label, name);
	text_clean(&clean, name);
	if (text_width(clean.text) > width)
		table->context[table->context_count - 1].value.token =
			tokens_put(table->document->tokens, clean.text, width, false);
	strbuf_release(&clean);
}

void table_begin_group(struct table *table)
{
	table->begins_group = true;
}

struct row *table_row(struct table *table, enum row_kind kind)
{
	struct row *row;

	GROW(table->rows, table->row_count + 1, table->row_alloc);
	row = &table->rows[table->row_count++];
	row->kind = kind;
	row->filled = 0;
	row->share = 0;
	row->colour = ROW_PLAIN;
	row->below = NULL;
	row->begins_group = table->begins_group;
	table->begins_group = false;
	row->values = xcalloc(table->column_count, sizeof(*row->values));
	return row;
}

/* Returns the next value to fill; its column in *column. */
static struct value *next_value(struct table *table, struct row *row, const struct column **column)
{
	assert(row->filled < table->column_count);
	*column = &table->columns[row->filled];
	return &row->values[row->filled++];
}

void row_text(struct table *table, struct row *row, const char *text)
{
	const struct column *column;
	struct value *value = next_value(table, row, &column);
	struct strbuf clean = STRBUF_INIT;

	assert(column->type <= COLUMN_TEXT);
	if (!*text)
		return;
	value->type = VALUE_TEXT;
	value->text = xstrdup(text);
	if (column->type != COLUMN_TEXT && !(column->flags & COLUMN_DATA_ONLY)) {
		text_clean(&clean, text);
		if (text_width(clean.text) > column->width)
			value->token = tokens_put(table->document->tokens, clean.text,
						  column->width, column->type == COLUMN_PATH);
	}
	strbuf_release(&clean);
}

void row_file(struct table *table, struct row *row, const char *path, const char *other)
{
	const struct column *column;
	struct value *value = next_value(table, row, &column);
	struct strbuf clean = STRBUF_INIT;

	assert(column->flags & COLUMN_OTHER);
	if (!*path)
		return;
	value->type = VALUE_TEXT;
	value->text = xstrdup(path);
	value->token = "";
	if (*other) {
		text_clean(&clean, other);
		value->token = tokens_word(table->document->tokens, clean.text, column->width);
		table->shows_other = true;
	}
	strbuf_release(&clean);
}

void row_indented(struct table *table, struct row *row, const char *name, size_t indent,
		  const char *note)
{
	const struct column *column;
	struct value *value = next_value(table, row, &column);
	size_t width = column->width - indent - strlen(note);
	struct strbuf clean = STRBUF_INIT, shown = STRBUF_INIT;

	value->type = VALUE_TEXT;
	value->text = xstrdup(name);
	text_clean(&clean, name);
	strbuf_addchars(&shown, ' ', indent);
	/* Few different widths, so that a name at several depths gets few tokens. */
	if (text_width(clean.text) > width)
		width -= width % 8;
	strbuf_addstr(&shown, tokens_word(table->document->tokens, clean.text, width));
	strbuf_addstr(&shown, note);
	value->token = tokens_word(table->document->tokens, shown.text, column->width);
	strbuf_release(&clean);
	strbuf_release(&shown);
}

void row_below(struct row *row, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	free(row->below);
	row->below = xstrdup(text.text);
	strbuf_release(&text);
}

void row_number(struct table *table, struct row *row, uint64_t number)
{
	const struct column *column;
	struct value *value = next_value(table, row, &column);

	assert(column->type >= COLUMN_NUMBER && column->type <= COLUMN_AVERAGE);
	value->type = VALUE_NUMBER;
	value->number = number;
}

void row_at_least(struct table *table, struct row *row, uint64_t number)
{
	struct value *value = &row->values[row->filled];

	row_number(table, row, number);
	value->mark = MARK_AT_LEAST;
}

void row_unknown(struct table *table, struct row *row)
{
	row->values[row->filled].mark = MARK_UNKNOWN;
	row_skip(table, row, 1);
}

void row_real(struct table *table, struct row *row, double real)
{
	const struct column *column;
	struct value *value = next_value(table, row, &column);

	assert(column->type == COLUMN_PERCENT || column->type == COLUMN_REAL);
	value->type = VALUE_REAL;
	value->real = real;
}

void row_skip(struct table *table, struct row *row, size_t count)
{
	assert(row->filled + count <= table->column_count);
	row->filled += count;
}

void table_flow(struct table *table)
{
	struct document *document = table->document;

	if (!document->flow || table->row_count < FLOW_ROWS)
		return;
	document->flow->rows(document->flow, document, table);
	drop_rows(table);
}

size_t table_column(const struct table *table, const char *id)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (strcmp(table->columns[i].id, id) == 0)
			return i;
	return SIZE_MAX;
}

static double value_real(const struct value *value)
{
	return value->type == VALUE_REAL ? value->real : (double)value->number;
}

/* Checks one additive column: details must add up to the subtotals and the total. */
static size_t check_column(const struct document *document, const struct table *table,
			   size_t column, struct strbuf *sb)
{
	double since_subtotal = 0, sum = 0;
	size_t wrong = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];
		double value = value_real(&row->values[column]), want;

		if (row->begins_group)
			since_subtotal = 0;
		if (row->kind == ROW_DETAIL || row->kind == ROW_OTHER) {
			since_subtotal += value;
			sum += value;
			continue;
		}
		want = row->kind == ROW_TOTAL ? sum : since_subtotal;
		if (fabs(want - value) > 1e-6 * (1 + fabs(value))) {
			strbuf_addf(sb, "%s %s: rows of %s make %.6f, the total is %.6f\n",
				    document->code, table->id, table->columns[column].id, want,
				    value);
			wrong++;
		}
	}
	return wrong;
}

size_t document_check(const struct document *document, struct strbuf *sb)
{
	size_t wrong = 0;

	for (size_t i = 0; i < document->count; i++) {
		const struct table *table = document->blocks[i].table;

		for (size_t j = 0; table && j < table->column_count; j++)
			if (table->columns[j].flags & COLUMN_ADDITIVE)
				wrong += check_column(document, table, j, sb);
	}
	return wrong;
}

const struct row *document_total(const struct document *document, const char *id,
				 const struct table **found)
{
	for (size_t i = 0; i < document->count; i++) {
		const struct table *table = document->blocks[i].table;

		if (!table || strcmp(table->id, id) != 0)
			continue;
		for (size_t j = 0; j < table->row_count; j++) {
			if (table->rows[j].kind != ROW_TOTAL)
				continue;
			*found = table;
			return &table->rows[j];
		}
	}
	return NULL;
}
