/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the installed data collectors, and those that a program would get. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "sampler/collect.h"
#include "session/commands/collectors.h"

/* Time limit for loading all of them together. */
#define LOAD_TIME (5 * NSEC_PER_SEC)

struct installed {
	const struct library *library;
	const struct library_file *file;
	struct host_client client;
	struct strbuf programs, sections; /* display text */
	const char *problem;		  /* NULL: callable */
};

/* Appends an item to a text "A, B". */
static void add_item(struct strbuf *sb, const char *item)
{
	strbuf_addf(sb, "%s%s", sb->length ? ", " : "", item);
}

/* Formats a collector's self-description. */
static void describe(struct installed *one)
{
	const struct call_answer *loaded = &one->client.loaded;

	for (const char *at = loaded->programs; *at; at += strlen(at) + 1)
		add_item(&one->programs, at);
	for (size_t i = 0; i < loaded->pseudo_section_count; i++) {
		struct strbuf section = STRBUF_INIT;

		strbuf_addf(&section, "%s %s", loaded->pseudo_sections[i].section,
			    loaded->pseudo_sections[i].prefix);
		add_item(&one->sections, section.text);
		strbuf_release(&section);
	}
}

/* Starts to load a collector. */
static void begin(struct installed *one, const char *host)
{
	const struct sampler_collector wanted = { .name = one->file->name,
						  .path = one->file->path,
						  .parameter = "",
						  .missing = "",
						  .origin = COLLECTOR_NAMED };

	host_client_init(&one->client);
	one->problem = one->file->problem;
	if (one->problem)
		return;
	if (host)
		host_client_start(&one->client, host, &wanted);
	else
		host_client_refuse(&one->client,
				   "collector-host, the program it runs in, is missing");
}

/* Waits until the time given for the result of loading. */
static void end(struct installed *one, uint64_t until)
{
	if (one->problem)
		return;
	host_client_await(&one->client, until);
	if (one->client.state == HOST_CLIENT_OFF)
		one->problem = one->client.problem.text;
	else if (!one->client.loaded_once)
		one->problem = "it did not load in time";
	else
		describe(one);
}

void installed_load(struct installed_list *list, struct collectors *collectors)
{
	const struct library_path *path = collectors_path(collectors);
	uint64_t until = clock_monotonic_ns() + LOAD_TIME;
	size_t alloc = 0;

	*list = (struct installed_list){ 0 };
	for (size_t i = 0; i < path->count; i++)
		for (size_t j = 0; j < path->items[i].count; j++) {
			struct installed *one;

			GROW(list->items, list->count + 1, alloc);
			one = &list->items[list->count++];
			*one = (struct installed){ .library = &path->items[i],
						   .file = &path->items[i].files[j] };
			strbuf_init(&one->programs);
			strbuf_init(&one->sections);
		}
	for (size_t i = 0; i < list->count; i++)
		begin(&list->items[i], collectors_host(collectors));
	for (size_t i = 0; i < list->count; i++)
		end(&list->items[i], until);
}

void installed_release(struct installed_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		host_client_release(&list->items[i].client);
		strbuf_release(&list->items[i].programs);
		strbuf_release(&list->items[i].sections);
	}
	free(list->items);
}

static const char *origin_of(const struct installed *one)
{
	return one->file->own ? "vigil" : "user";
}

/* Adds the searched folders, in order. */
static void show_libraries(struct document *document, const struct library_path *path)
{
	static const struct column columns[] = {
		{ .id = "library", .heading = "LIBRARY", .width = 90, .type = COLUMN_PATH },
		{ .id = "from", .heading = "FROM", .width = 6, .type = COLUMN_TEXT },
		{ .id = "collectors", .heading = "COLLECTORS", .width = 10, .type = COLUMN_NUMBER },
		{ .id = "state", .heading = "STATE", .width = 23, .type = COLUMN_TEXT },
	};
	struct table *table = document_table(document, "libraries", "Libraries, in order of search",
					     columns, ARRAY_SIZE(columns));

	for (size_t i = 0; i < path->count; i++) {
		const struct library *library = &path->items[i];
		struct row *row = table_row(table, ROW_DETAIL);

		row_text(table, row, library->path);
		row_text(table, row, library->own ? "vigil" : "user");
		row_number(table, row, library->count);
		row_text(table, row,
			 library->problem ? "refused"
			 : library->there ? "searched"
					  : "not there");
	}
}

/* Adds the folders that are not searched; returns how many of them should be. */
static size_t note_libraries(struct document *document, const struct library_path *path)
{
	size_t problems = 0;

	for (size_t i = 0; i < path->count; i++) {
		const struct library *library = &path->items[i];
		bool missing = library->given && !library->there;

		if (library->problem)
			document_note(document, SEVERITY_WARNING, 3401,
				      "data collector library %s is not used: %s",
				      library->path, library->problem);
		else if (missing)
			document_note(document, SEVERITY_WARNING, 3402,
				      "data collector library %s does not exist",
				      library->path);
		problems += library->problem || missing;
	}
	return problems;
}

static const char *flags_of(uint32_t flags)
{
	static const char *const names[] = { "",     "HOLD",	  "PROMPT",	 "HOLD PROMPT",
					     "LAST", "HOLD LAST", "PROMPT LAST", "HOLD PROMPT LAST" };

	return names[flags & (VIGIL_HOLD | VIGIL_PROMPT | VIGIL_LAST)];
}

static void show_one(struct table *table, const struct installed *one)
{
	const struct call_answer *loaded = &one->client.loaded;
	struct row *row = table_row(table, ROW_DETAIL);
	struct strbuf names = STRBUF_INIT;

	strbuf_addf(&names, "%s %s", one->file->names.text, one->file->aliases.text);
	strbuf_addstr(&names, one->file->always ? " *" : "");
	strbuf_rtrim(&names);
	row_text(table, row, one->file->name);
	row_text(table, row, loaded->generation);
	row_text(table, row, origin_of(one));
	row_text(table, row, one->problem ? "no" : "yes");
	row_text(table, row, flags_of(loaded->collector_flags));
	row_text(table, row, one->programs.text);
	row_text(table, row, names.text);
	row_text(table, row, one->sections.text);
	row_text(table, row, one->file->path);
	row_text(table, row, one->problem ? one->problem : "");
	strbuf_release(&names);
}

size_t collectors_show_installed(struct document *document, const struct collectors *collectors,
				 const struct installed_list *list)
{
	static const struct column columns[] = {
		{ .id = "name", .heading = "NAME", .width = 8, .type = COLUMN_TEXT },
		{ .id = "generation", .heading = "GEN", .width = 4, .type = COLUMN_TEXT },
		{ .id = "from", .heading = "FROM", .width = 5, .type = COLUMN_TEXT },
		{ .id = "loads", .heading = "LOADS", .width = 5, .type = COLUMN_TEXT },
		{ .id = "flags", .heading = "FLAGS", .width = 16, .type = COLUMN_TEXT },
		{ .id = "programs", .heading = "FOR PROGRAMS", .width = 22, .type = COLUMN_TEXT },
		{ .id = "names", .heading = "FOUND AS", .width = 20, .type = COLUMN_TEXT },
		{ .id = "pseudo_sections",
		  .heading = "PSEUDO-SECTIONS",
		  .width = 20,
		  .type = COLUMN_TEXT },
		{ .id = "file", .heading = "FILE", .width = 24, .type = COLUMN_PATH },
		{ .id = "problem", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	};
	size_t problems = note_libraries(document, collectors_path(collectors));
	struct table *table;

	show_libraries(document, collectors_path(collectors));
	table = document_table(document, "collectors", "Data collectors", columns,
			       ARRAY_SIZE(columns));
	for (size_t i = 0; i < list->count; i++)
		show_one(table, &list->items[i]);
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].problem) {
			document_note(document, SEVERITY_WARNING, 3410,
				      "data collector %s is not used: %s",
				      list->items[i].file->path, list->items[i].problem);
			problems++;
		}
	return problems;
}

/* Returns the installed collector at a path. */
static const struct installed *find_installed(const struct installed_list *list, const char *path)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].file->path, path) == 0)
			return &list->items[i];
	return NULL;
}

/* Returns whether a considered collector is called, with the reason. */
static bool is_called(const struct installed *one, const char *program, struct strbuf *why)
{
	if (one->problem) {
		strbuf_addstr(why, one->problem);
		return false;
	}
	if (collect_matches(one->client.loaded.programs, program)) {
		strbuf_addf(why, "its list of programs contains %s", program);
		return true;
	}
	if (one->programs.length)
		strbuf_addf(why, "its list of programs contains %s, not %s", one->programs.text,
			    program);
	else
		strbuf_addstr(why, "its list of programs is empty");
	return false;
}

/* Adds why a collector is not considered at all. */
static void add_unconsidered(struct table *table, const struct installed *one, const char *program)
{
	struct row *row = table_row(table, ROW_DETAIL);
	struct strbuf why = STRBUF_INIT;
	char name[LIBRARY_NAME];

	library_name_of(program, name);
	if (one->file->problem)
		strbuf_addf(&why, "it is refused: %s", one->file->problem);
	else if (library_file_has(one->file, name))
		strbuf_addf(&why, "another %s is found before it", name);
	else
		strbuf_addf(&why, "the program name makes vigil search for %s", name);
	row_skip(table, row, 1);
	row_text(table, row, one->file->name);
	row_text(table, row, origin_of(one));
	row_text(table, row, "no");
	row_text(table, row, why.text);
	row_text(table, row, one->file->path);
	strbuf_release(&why);
}

size_t collectors_show_program(struct document *document, struct collectors *collectors,
			       const struct installed_list *list, const char *program)
{
	static const struct column columns[] = {
		{ .id = "order", .heading = "ORDER", .width = 5, .type = COLUMN_NUMBER },
		{ .id = "name", .heading = "NAME", .width = 8, .type = COLUMN_TEXT },
		{ .id = "from", .heading = "FROM", .width = 5, .type = COLUMN_TEXT },
		{ .id = "called", .heading = "CALLED", .width = 6, .type = COLUMN_TEXT },
		{ .id = "why", .heading = "WHY", .width = 62, .type = COLUMN_TEXT },
		{ .id = "file", .heading = "FILE", .width = 41, .type = COLUMN_PATH },
	};
	const struct sampler_collector *chosen;
	size_t problems = note_libraries(document, collectors_path(collectors));
	size_t count = collectors_choose(collectors, program, true, &chosen), order = 0;
	struct table *table =
		document_table(document, "program", NULL, columns, ARRAY_SIZE(columns));

	table_context(table, "program", "PROGRAM", program);
	for (size_t i = 0; i < count; i++) {
		const struct installed *one = find_installed(list, chosen[i].path);
		struct row *row = table_row(table, ROW_DETAIL);
		struct strbuf why = STRBUF_INIT;
		bool called = is_called(one, program, &why);

		if (called)
			row_number(table, row, ++order);
		else
			row_skip(table, row, 1);
		row_text(table, row, one->file->name);
		row_text(table, row, origin_of(one));
		row_text(table, row, called ? "yes" : "no");
		row_text(table, row, why.text);
		row_text(table, row, one->file->path);
		strbuf_release(&why);
		problems += one->problem != NULL;
	}
	for (size_t i = 0; i < list->count; i++) {
		bool considered = false;

		for (size_t j = 0; j < count; j++)
			considered |= strcmp(chosen[j].path, list->items[i].file->path) == 0;
		if (considered)
			continue;
		add_unconsidered(table, &list->items[i], program);
		problems += list->items[i].file->problem != NULL;
	}
	return problems;
}
