/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses what coverage watches in an object. */
#include "common/compat.h"
#include "events/coverage-plan.h"
#include "agent/coverage-area.h"
#include "agent/event-filter-area.h"
#include "common/in-order.h"
#include "common/lower-bound.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "events/run-time.h"

#include <ctype.h>

/* A plan being made. */
struct reading {
	struct coverage_plan *plan;
	struct names *names;
	struct object *object;
	const struct event_request *request;
	struct statement_list list;
	struct strmap by_key; /* source and name of a program -> key number */
	uint32_t *programs;   /* by key number: index of the program */
	size_t program_alloc;
	uint32_t last_program; /* of the previous statement: most belong to the same program */
	struct strbuf text;    /* a source line */
	uint32_t other_line;   /* only places that also begin this line are used; 0: all */
	uint64_t *watched;     /* addresses, unsorted */
	size_t watched_alloc;
};

/* Returns whether a file belongs to a run time rather than to the application. */
static bool is_run_time(const char *path)
{
	return event_is_run_time(path_base(path)) || strcmp(path_base(path), "cobcrun") == 0;
}

/*
 * Returns whether a file is never watched, even with FNAT=ON: what the breakpoint
 * handler calls, and vigil's own.
 */
static bool is_forbidden(const char *path)
{
	static const char *const names[] = { "libc.so*",     "libc-*.so",   "ld-linux*",
					     "ld-*.so",	     "libpthread*", "vigil-*.so",
					     "libvigil.so*", "cobol-step",  "collector-host" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (event_pattern_matches(names[i], path_base(path)))
			return true;
	return false;
}

/* Returns whether a file is in one of the system's folders. */
static bool is_of_system(const char *path)
{
	static const char *const folders[] = { "/usr/lib",	"/usr/bin/",   "/usr/sbin/",
					       "/usr/include/", "/usr/share/", "/lib",
					       "/bin/",		"/sbin/" };

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return true;
	return false;
}

/* Returns whether a program of the object passes the filters; line 0: any of its lines. */
static bool passes(const struct reading *reading, const char *name, uint64_t line)
{
	const struct event_request *request = reading->request;

	for (size_t i = 0; i < request->program_count; i++) {
		const struct event_program_filter *filter = &request->programs[i];

		if (line && ((filter->line_from && line < filter->line_from) ||
			     (filter->line_to && line > filter->line_to)))
			continue;
		if (event_filter_matches(filter->library ? filter->library : "",
				      filter->program ? filter->program : "",
				      reading->plan->library, name))
			return true;
	}
	return request->program_count == 0;
}

/* Returns the index of a statement's program. */
static uint32_t program_of(struct reading *reading, const struct statement *statement,
			   const char *name)
{
	struct coverage_plan *plan = reading->plan;
	struct strbuf key = STRBUF_INIT;
	uint32_t number = reading->last_program;
	size_t before = reading->by_key.count;

	if (number < plan->program_count && plan->programs[number].name == name &&
	    plan->programs[number].source == statement->source) {
		plan->programs[number].optimised |= statement->optimised;
		return number;
	}
	strbuf_addf(&key, "%s\n%s", statement->source, name);
	number = strmap_put(&reading->by_key, key.text);
	strbuf_release(&key);
	if (reading->by_key.count > before) {
		GROW(reading->programs, number + 1, reading->program_alloc);
		reading->programs[number] = (uint32_t)plan->program_count;
		GROW(plan->programs, plan->program_count + 1, plan->program_alloc);
		plan->programs[plan->program_count++] = (struct coverage_plan_program){
			.name = name, .source = statement->source, .language = statement->language
		};
	}
	number = reading->programs[number];
	plan->programs[number].optimised |= statement->optimised;
	return reading->last_program = number;
}

/*
 * Returns whether a line has only braces: the compiler has assigned the begin or
 * end of a block to it.
 */
static bool is_brace(const char *text)
{
	return *text && text[strspn(text, " \t\r{};")] == '\0' && strpbrk(text, "{}");
}

/* Returns whether a COBOL word begins a statement. */
static bool is_verb(const char *word)
{
	static const char verbs[] =
		" ACCEPT ADD ALLOCATE ALTER CALL CANCEL CLOSE COMMIT COMPUTE CONTINUE DELETE "
		"DISABLE "
		"DISPLAY DIVIDE ENABLE ENTRY EVALUATE EXAMINE EXEC EXHIBIT EXIT FREE GENERATE GO "
		"GOBACK IF INITIALIZE INITIATE INSPECT INVOKE JSON MERGE MODIFY MOVE MULTIPLY NEXT "
		"OPEN PERFORM PURGE RAISE READ READY RECEIVE RELEASE RESET RESUME RETURN REWRITE "
		"ROLLBACK SEARCH SEND SET SORT START STOP STRING SUBTRACT SUPPRESS TERMINATE "
		"TRANSFORM UNLOCK UNSTRING VALIDATE WHEN WRITE XML ";
	size_t length = strlen(word);
	char sought[40];

	if (!length || length > sizeof(sought) - 3)
		return false;
	sought[0] = sought[length + 1] = ' ';
	memcpy(sought + 1, word, length);
	sought[length + 2] = '\0';
	return strstr(verbs, sought) != NULL;
}

/*
 * Reads a COBOL word in upper case and returns the text after it. Skips anything
 * else up to its end.
 */
static const char *read_word(const char *text, char word[32])
{
	size_t length = 0;

	while (isspace((unsigned char)*text))
		text++;
	if (*text == '"' || *text == '\'') {
		const char *end = strchr(text + 1, *text);

		word[0] = '\0';
		return end ? end + 1 : text + strlen(text);
	}
	for (; isalnum((unsigned char)*text) || *text == '-' || *text == '_'; text++)
		if (length < 31)
			word[length++] = (char)toupper((unsigned char)*text);
	word[length] = '\0';
	return length || !*text ? text : text + 1;
}

/*
 * Returns the verb of a COBOL statement, the first one of its line; "" in other
 * languages, and if the source cannot be read. NULL: the line is not a statement
 * but the heading of a section or paragraph, or has only braces.
 */
static const char *verb_of(struct reading *reading, const struct statement *statement)
{
	const char *text;
	char word[32];

	strbuf_reset(&reading->text);
	names_show_line(reading->names, statement->file, statement->line, &reading->text);
	text = reading->text.text;
	if (!*text || strcmp(statement->language, "COBOL") != 0)
		return is_brace(text) ? NULL : "";
	while (*text) {
		text = read_word(text, word);
		if (is_verb(word))
			return names_keep(reading->names, word);
	}
	return NULL;
}

static void add_watch(struct reading *reading, struct coverage_plan_place *place, uint64_t address)
{
	struct coverage_plan *plan = reading->plan;

	GROW(plan->watches, plan->watch_count + 1, plan->watch_alloc);
	GROW(reading->watched, plan->watch_count + 1, reading->watched_alloc);
	reading->watched[plan->watch_count++] = address;
	place->watch_count++;
}

/* Returns whether a breakpoint can be planted where a place begins. */
static bool can_watch(const struct reading *reading, const struct statement_place *place)
{
	uint64_t end = object_code_end(reading->object, place->start);

	return !place->doubtful && end >= place->start + COVERAGE_BREAK_SIZE &&
	       (!reading->other_line || place->other_line == reading->other_line);
}

/* Which of a statement's places are watched. */
enum choice { BEGINNINGS, FIRST, OWN, INLINED, NO_PLACE };

static bool is_chosen(const struct reading *reading, const struct statement_place *place,
		      enum choice choice)
{
	if (!can_watch(reading, place))
		return false;
	if (choice == BEGINNINGS)
		return place->begins || reading->other_line;
	return choice == INLINED ? place->level > 0 : choice != NO_PLACE && place->level == 0;
}

/*
 * Chooses the places. If an optimizer has left a line without a begin, its
 * instructions also belong to other lines (an if without a jump computes both
 * arms), and it is unknown whether the line was executed.
 */
static enum choice choose(const struct reading *reading, const struct statement *statement)
{
	const struct statement_place *places = &reading->list.places[statement->first];
	bool cobol = strcmp(statement->language, "COBOL") == 0, mixed = false, inlined = false;
	enum choice choice = INLINED;

	for (uint32_t i = 0; i < statement->place_count; i++) {
		if (is_chosen(reading, &places[i], BEGINNINGS))
			return BEGINNINGS;
		inlined |= is_chosen(reading, &places[i], INLINED);
		if (!is_chosen(reading, &places[i], OWN))
			continue;
		mixed |= places[i].mixed;
		choice = cobol ? FIRST : OWN;
	}
	return !mixed ? choice : inlined ? INLINED : NO_PLACE;
}

/* Adds a statement's places; returns their number. */
static uint32_t add_places(struct reading *reading, const struct statement *statement,
			   enum choice choice)
{
	const struct statement_place *places = &reading->list.places[statement->first];
	struct coverage_plan *plan = reading->plan;
	uint32_t count = 0;

	for (uint32_t i = 0; i < statement->place_count; i++) {
		struct coverage_plan_place *last;

		if (!is_chosen(reading, &places[i], choice) || (choice == FIRST && count))
			continue;
		if (choice != INLINED || !count) {
			GROW(plan->places, plan->place_count + 1, plan->place_alloc);
			plan->places[plan->place_count++] = (struct coverage_plan_place){
				.statement = (uint32_t)plan->statement_count,
				.block = places[i].block,
				.start = places[i].start,
				.end = places[i].end,
				.first = (uint32_t)plan->watch_count,
			};
			count++;
		}
		last = &plan->places[plan->place_count - 1];
		add_watch(reading, last, places[i].start);
	}
	return count;
}

/*
 * Returns the line that an optimizer has merged into that of a brace: it begins
 * where the function does, and has no instructions anywhere. 0 none.
 */
static uint32_t line_of_brace(const struct reading *reading, const struct statement *brace)
{
	const struct statement_list *list = &reading->list;
	size_t first;

	for (uint32_t i = 0; i < brace->place_count; i++) {
		uint32_t line = list->places[brace->first + i].other_line;

		if (line &&
		    !statement_list_find(list, brace->section, brace->procedure, line, &first))
			return line;
	}
	return 0;
}

static void take_statement(struct reading *reading, const struct statement *statement);

/* Takes a line of braces, as the line that an optimizer has merged into it, if there is one. */
static void take_brace(struct reading *reading, const struct statement *brace)
{
	struct statement other = *brace;

	other.line = line_of_brace(reading, brace);
	if (!other.line || strcmp(other.language, "COBOL") == 0)
		return;
	reading->other_line = (uint32_t)other.line;
	take_statement(reading, &other);
	reading->other_line = 0;
}

/* Takes one statement of the list. */
static void take_statement(struct reading *reading, const struct statement *statement)
{
	const char *name = statement->program[0] ? statement->program : statement->section;
	struct coverage_plan *plan = reading->plan;
	const char *verb = verb_of(reading, statement);
	enum choice choice = choose(reading, statement);
	uint32_t program, places;

	if (!verb && !reading->other_line)
		take_brace(reading, statement);
	if (!verb || choice == NO_PLACE || !passes(reading, name, statement->line) ||
	    strcmp(statement->language, "Go") == 0 ||
	    (!reading->request->run_time && is_of_system(statement->file)))
		return;
	program = program_of(reading, statement, name);
	places = add_places(reading, statement, choice);
	if (!places) {
		plan->programs[program].reason =
			"some statements have addresses of code that the linker removed";
		return;
	}
	GROW(plan->statements, plan->statement_count + 1, plan->statement_alloc);
	plan->statements[plan->statement_count++] = (struct coverage_plan_statement){
		.program = program,
		.places = places,
		.procedure = statement->procedure,
		.file = statement->file,
		.verb = verb,
		.line = statement->line,
	};
}

static int compare_addresses(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* Returns the bytes at an address of the object. */
static uint32_t bytes_at(struct object *object, uint64_t address)
{
	const unsigned char *from = object_bytes(object, address, COVERAGE_BREAK_SIZE);
	uint32_t bytes = COVERAGE_BREAK;

	if (from) {
		bytes = 0;
		memcpy(&bytes, from, COVERAGE_BREAK_SIZE);
	}
	return bytes;
}

/* Sorts the watched addresses, and lets places refer to them by index. */
static void sort_addresses(struct reading *reading)
{
	struct coverage_plan *plan = reading->plan;

	plan->addresses = xcalloc(plan->watch_count + 1, sizeof(*plan->addresses));
	if (plan->watch_count) {
		memcpy(plan->addresses, reading->watched,
		       plan->watch_count * sizeof(*plan->addresses));
	}
	sort_if_needed(plan->addresses, plan->watch_count, sizeof(*plan->addresses),
		       compare_addresses);
	for (size_t i = 0; i < plan->watch_count; i++)
		if (!i || plan->addresses[i] != plan->addresses[plan->address_count - 1])
			plan->addresses[plan->address_count++] = plan->addresses[i];
	for (size_t i = 0; i < plan->watch_count; i++)
		plan->watches[i] = (uint32_t)LOWER_BOUND(plan->address_count, at,
							 plan->addresses[at] < reading->watched[i]);
	plan->bytes = xcalloc(plan->address_count + 1, sizeof(*plan->bytes));
	for (size_t i = 0; i < plan->address_count; i++)
		plan->bytes[i] = bytes_at(reading->object, plan->addresses[i]);
}

/* Returns whether the object's file itself has line information. */
static bool has_lines(struct object *object)
{
	struct object_section section;

	return object_section_named(object, ".debug_line", &section) ||
	       object_section_named(object, ".zdebug_line", &section);
}

/* Sets folder and name of the object. */
static void describe(struct coverage_plan *plan, const struct object *object)
{
	const char *base = path_base(object->path);
	size_t folder = (size_t)(base - object->path);

	plan->library = xstrndup(object->path, folder > 1 ? folder - 1 : folder);
	plan->object = xstrdup(base);
}

/* Sets the build id of the object. */
static void read_build_id(struct coverage_plan *plan, struct object *object)
{
	struct strbuf id = STRBUF_INIT;

	object_build_id(object, &id);
	plan->build_id = strbuf_detach(&id, NULL);
}

/* Reads the statements, and chooses among them. */
static void read_statements(struct reading *reading)
{
	struct coverage_plan *plan = reading->plan;

	strmap_init(&reading->by_key);
	strbuf_init(&reading->text);
	statement_list_read(&reading->list, reading->names, reading->object);
	for (size_t i = 0; i < reading->list.count; i++)
		take_statement(reading, &reading->list.items[i]);
	for (size_t i = 0; i < plan->program_count; i++)
		if (!reading->list.whole)
			plan->programs[i].reason = "it has too many statements";
	if (!reading->list.count)
		plan->reason = "no line information; compile with -g";
	plan->foreign = !plan->program_count && !plan->reason;
	sort_addresses(reading);
	statement_list_release(&reading->list);
	strmap_release(&reading->by_key);
	strbuf_release(&reading->text);
	free(reading->programs);
	free(reading->watched);
}

void coverage_plan_read(struct coverage_plan *plan, struct names *names, struct object *object,
			const struct event_request *request)
{
	struct reading reading = {
		.plan = plan, .names = names, .object = object, .request = request
	};
	bool system;

	memset(plan, 0, sizeof(*plan));
	describe(plan, object);
	/* Most objects of a process end here, without being read. */
	plan->foreign =
		is_forbidden(object->path) || (!request->run_time && is_run_time(object->path));
	if (plan->foreign)
		return;
	object_headers(object);
	system = is_of_system(object->path) && !has_lines(object);
	plan->foreign = system && !request->run_time;
	if (!plan->foreign)
		read_statements(&reading);
	plan->foreign |= plan->reason && (system || !passes(&reading, plan->object, 0));
	if (!plan->foreign)
		read_build_id(plan, object);
}

void coverage_plan_release(struct coverage_plan *plan)
{
	free(plan->library);
	free(plan->object);
	free(plan->build_id);
	free(plan->programs);
	free(plan->statements);
	free(plan->places);
	free(plan->watches);
	free(plan->addresses);
	free(plan->bytes);
	memset(plan, 0, sizeof(*plan));
}
