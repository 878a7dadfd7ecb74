/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up CPU samples by COBOL statement, and finds the sources of programs. */
#include "common/compat.h"
#include "profile/advice/cobol-statements.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "records/record-types.h"

/* Returns whether a place is in a COBOL program. */
static bool is_cobol(const struct profile *profile, const struct place *place)
{
	return !place->system && !strcmp(profile_text(profile, place->function), "COBOL program");
}

/* Returns whether a place is a function that the compiler added to a program. */
static bool is_helper(const struct profile *profile, const struct place *place)
{
	return is_cobol(profile, place) && !place->line &&
	       !strncmp(profile_text(profile, place->procedure), "cob_", 4);
}

const struct place *cobol_helper(const struct profile *profile, size_t stack)
{
	const struct place *caller = attribution_caller(&profile->attribution, stack);

	return caller && is_helper(profile, caller) ? caller : NULL;
}

/* Returns the statement that a stack is charged to; NULL if it is not a COBOL statement. */
static const struct place *find_statement(const struct profile *profile, size_t stack)
{
	const struct attribution *attribution = &profile->attribution;
	const struct place *place = attribution_caller(attribution, stack);

	if (place)
		stack = attribution->callers[stack];
	while (place && is_helper(profile, place)) {
		stack = attribution->parents[stack];
		place = stack == ATTRIBUTION_NONE ? NULL : attribution_place(attribution, stack);
	}
	return place && place->line && is_cobol(profile, place) ? place : NULL;
}

static size_t statement_at(struct cobol_statements *statements, const struct place *place)
{
	uint64_t key[] = { place->module, place->section,    place->procedure,
			   place->line,	  place->other_file, place->object };
	size_t number = keymap_put(&statements->keys, key);

	GROW(statements->items, number + 1, statements->alloc);
	if (number == statements->count)
		statements->items[statements->count++] = (struct cobol_statement){ .place = place };
	return number;
}

void cobol_statements_init(struct cobol_statements *statements, const struct profile *profile)
{
	memset(statements, 0, sizeof(*statements));
	statements->profile = profile;
	keymap_init(&statements->keys, 6);
	keymap_init(&statements->programs, 2);
	source_texts_init(&statements->texts);
	statements->of = xcalloc(profile->cpu_count + 1, sizeof(*statements->of));
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct place *place = find_statement(profile, profile->cpu[i].stack);

		statements->of[i] = ATTRIBUTION_NONE;
		if (!place)
			continue;
		statements->of[i] = statement_at(statements, place);
		statements->items[statements->of[i]].samples += profile->cpu[i].count;
	}
}

void cobol_statements_release(struct cobol_statements *statements)
{
	for (size_t i = 0; i < statements->source_count; i++)
		cobol_source_free(statements->sources[i].source);
	free(statements->sources);
	free(statements->items);
	free(statements->of);
	keymap_release(&statements->keys);
	keymap_release(&statements->programs);
	source_texts_release(&statements->texts);
}

/* Returns where the source of a place's line can be read. */
static const char *path_of(struct cobol_statements *statements, const struct place *place)
{
	const struct profile *profile = statements->profile;
	const struct record_object *object = id_table_get(&profile->objects, place->object);
	const char *path = object ? profile_text(profile, object->path) : "";
	char *folder = xstrndup(path, (size_t)(path_base(path) - path));
	const char *found = source_texts_find(&statements->texts,
					      profile_text(profile, place->file), folder);

	free(folder);
	return found;
}

/* Reads the source of a place's program, by the name in any line of its main source. */
static struct cobol_source *read_program(struct cobol_statements *statements,
					 const struct place *place)
{
	const struct attribution *attribution = &statements->profile->attribution;

	for (size_t i = 0; i < attribution->place_count; i++) {
		const struct place *other = &attribution->places[i];

		if (other->object == place->object && other->section == place->section &&
		    other->line && !*profile_text(statements->profile, other->other_file) &&
		    *profile_text(statements->profile, other->file))
			return cobol_source_new(&statements->texts, path_of(statements, other));
	}
	return NULL;
}

/* Returns whether a line of a source is unchanged since the step was measured, ignoring blanks. */
static bool is_same(const char *line, const char *text)
{
	for (; *line; line++) {
		const char *a = line, *b = text;

		while (*a && *b && *a == *b) {
			a += 1 + strspn(a + 1, " \t");
			b += 1 + strspn(b + 1, " \t");
		}
		if (!*b)
			return true;
	}
	return !*text;
}

const struct cobol_source *cobol_statements_source(struct cobol_statements *statements,
						   const struct cobol_statement *statement,
						   const char **file, struct strbuf *why)
{
	const struct profile *profile = statements->profile;
	const struct place *place = statement->place;
	uint64_t key[] = { place->object, place->section };
	size_t number = keymap_put(&statements->programs, key);
	struct cobol_program_source *program;

	GROW(statements->sources, number + 1, statements->source_alloc);
	while (statements->source_count <= number)
		statements->sources[statements->source_count++] = (struct cobol_program_source){ 0 };
	program = &statements->sources[number];
	if (!program->read)
		program->source = read_program(statements, place);
	program->read = true;
	*file = path_of(statements, place);
	if (!program->source || !source_texts_count(&statements->texts, *file)) {
		strbuf_addf(why, "%s cannot be read",
			    program->source ? path_base(*file) : profile_text(profile, place->section));
		return NULL;
	}
	if (!is_same(source_texts_line(&statements->texts, *file, place->line),
		     profile_text(profile, place->text))) {
		strbuf_addf(why, "%s has been changed since", path_base(*file));
		return NULL;
	}
	return program->source;
}

const char *cobol_called(const struct profile *profile, size_t stack, struct strbuf *sb)
{
	const struct place *via = attribution_via(&profile->attribution, stack);
	const char *name = via ? profile_text(profile, via->procedure) : "";
	/* Functions known only from unwind tables are named by their address: "+0x21d40". */
	size_t length = *name == '+' ? 0 : strcspn(name, "@");

	strbuf_reset(sb);
	strbuf_add(sb, name, length);
	return sb->text;
}

bool cobol_is_one_of(const char *name, const char *const *list)
{
	for (; *list; list++) {
		size_t length = strcspn(*list, "*");

		if ((*list)[length] ? !strncmp(name, *list, length) : !strcmp(name, *list))
			return true;
	}
	return false;
}

void cobol_statement_label(const struct profile *profile, const struct place *place,
			   struct strbuf *sb)
{
	strbuf_addf(sb, "%s line %" PRIu64, profile_text(profile, place->procedure), place->line);
	if (*profile_text(profile, place->other_file))
		strbuf_addf(sb, " of %s", profile_text(profile, place->other_file));
}
