/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the data collectors of a program. */
#include "common/compat.h"
#include "session/measure/choose-collectors.h"
#include "common/hash.h"
#include "common/outside.h"
#include "common/xalloc.h"
#include "common/paths.h"

/* The collectors of all programs whose names begin with the same characters. */
struct choice {
	char name[LIBRARY_NAME];
	bool first;
	struct sampler_collector *list;
	size_t count, alloc;
	char *known; /* texts of a list that the session's source knew; NULL: it was searched */
	struct choice *next;
};

struct collectors {
	const struct collector_request *request;
	const char *subject;
	struct library_path path;
	const struct library_file **named; /* for each name of the request; NULL: not found */
	char **missing;			   /* reasons for those not found, else "" */
	struct choice *choices;
	char *host;
};

/*
 * Returns the first usable file in the path with this name; stores a refused one
 * that was skipped in refused (NULL: not wanted). Searches the user's folders
 * only, or vigil's as well.
 */
static const struct library_file *find(const struct collectors *collectors, const char *name,
				       bool users, const struct library_file **refused)
{
	for (size_t i = 0; i < collectors->path.count; i++) {
		const struct library *library = &collectors->path.items[i];
		const struct library_file *file =
			users && library->own ? NULL : library_find(library, name);

		if (file && !file->problem)
			return file;
		if (file && refused)
			*refused = file;
	}
	return NULL;
}

/* Finds the collectors that the request names; warns about those not found. */
static void find_named(struct collectors *collectors, struct diag_list *diags)
{
	const struct collector_request *request = collectors->request;

	collectors->named = xcalloc(request->name_count + 1, sizeof(*collectors->named));
	collectors->missing = xcalloc(request->name_count + 1, sizeof(*collectors->missing));
	for (size_t i = 0; i < request->name_count; i++) {
		const struct library_file *refused = NULL;
		struct strbuf why = STRBUF_INIT;

		collectors->named[i] = find(collectors, request->names[i], false, &refused);
		if (!collectors->named[i] && refused) {
			strbuf_addf(&why, "%s is refused: %s", refused->path, refused->problem);
		} else if (!collectors->named[i]) {
			strbuf_addstr(&why, "it is not in ");
			library_path_list(&collectors->path, &why);
		}
		if (why.length)
			diag_add(diags, SEVERITY_WARNING, 3400, NULL,
				 "data collector %s is not called: %s", request->names[i],
				 why.text);
		collectors->missing[i] = strbuf_detach(&why, NULL);
	}
}

/* Reports which libraries and files are not used. */
static void report_refused(const struct collectors *collectors, struct diag_list *diags)
{
	for (size_t i = 0; i < collectors->path.count; i++) {
		const struct library *library = &collectors->path.items[i];

		if (library->problem)
			diag_add(diags, SEVERITY_WARNING, 3401, NULL,
				 "data collector library %s is not used: %s", library->path,
				 library->problem);
		else if (!library->there && library->given)
			diag_add(diags, SEVERITY_WARNING, 3402, NULL,
				 "DCCLIB: library %s does not exist", library->path);
		for (size_t j = 0; j < library->count; j++)
			if (library->files[j].problem)
				diag_add(diags, SEVERITY_WARNING, 3403, NULL,
					 "data collector %s is not used: %s",
					 library->files[j].path, library->files[j].problem);
	}
}

struct collectors *collectors_new(const struct collector_request *request, const char *subject,
				  struct diag_list *diags)
{
	struct collectors *collectors = xcalloc(1, sizeof(*collectors));

	collectors->request = request;
	collectors->subject = subject;
	library_path_init(&collectors->path, request->libraries, request->library_count);
	collectors->host = paths_collector_host();
	report_refused(collectors, diags);
	find_named(collectors, diags);
	if (!collectors->host && request->name_count > 0)
		diag_add(diags, SEVERITY_WARNING, 3404, NULL,
			 "data collectors are not called: the program they run in, "
			 "collector-host, is not installed");
	return collectors;
}

void collectors_free(struct collectors *collectors)
{
	if (!collectors)
		return;
	while (collectors->choices) {
		struct choice *next = collectors->choices->next;

		free(collectors->choices->list);
		free(collectors->choices->known);
		free(collectors->choices);
		collectors->choices = next;
	}
	for (size_t i = 0; i < collectors->request->name_count; i++)
		free(collectors->missing[i]);
	free(collectors->missing);
	free(collectors->named);
	library_path_release(&collectors->path);
	free(collectors->host);
	free(collectors);
}

static void add(struct choice *choice, const char *name, const char *path, const char *parameter,
		const char *missing, enum collector_origin origin)
{
	GROW(choice->list, choice->count + 1, choice->alloc);
	choice->list[choice->count++] = (struct sampler_collector){
		.name = name,
		.path = path,
		.parameter = parameter,
		.missing = missing,
		.origin = origin,
	};
}

/* Returns whether a file is in the list already, or named by the request. */
static bool is_taken(const struct collectors *collectors, const struct choice *choice,
		     const struct library_file *file)
{
	for (size_t i = 0; i < choice->count; i++)
		if (strcmp(choice->list[i].path, file->path) == 0)
			return true;
	for (size_t i = 0; i < collectors->request->name_count; i++)
		if (collectors->named[i] && strcmp(collectors->named[i]->path, file->path) == 0)
			return true;
	return false;
}

static void add_found(const struct collectors *collectors, struct choice *choice,
		      const struct library_file *file, enum collector_origin origin)
{
	if (file && !file->problem && !is_taken(collectors, choice, file))
		add(choice, file->name, file->path, "", "", origin);
}

/* Adds the collectors in vigil's libraries with this name, and those for every program. */
static void add_features(const struct collectors *collectors, struct choice *choice,
			 const char *name)
{
	for (size_t i = 0; i < collectors->path.count; i++) {
		const struct library *library = &collectors->path.items[i];

		if (!library->own)
			continue;
		add_found(collectors, choice, library_find(library, name), COLLECTOR_FEATURE);
		for (size_t j = 0; j < library->count; j++)
			if (library->files[j].always)
				add_found(collectors, choice, &library->files[j],
					  COLLECTOR_FEATURE);
	}
}

/*
 * Adds the user's collectors: the first with this name along the path, and those
 * for every program.
 */
static void add_users(const struct collectors *collectors, struct choice *choice, const char *name)
{
	add_found(collectors, choice, find(collectors, name, true, NULL), COLLECTOR_FOUND);
	for (size_t i = 0; i < collectors->path.count; i++) {
		const struct library *library = &collectors->path.items[i];

		for (size_t j = 0; j < library->count && !library->own; j++)
			if (library->files[j].always)
				add_found(collectors, choice, &library->files[j], COLLECTOR_FOUND);
	}
}

/* Adds the collectors that the request names, either vigil's or the user's. */
static void add_named(const struct collectors *collectors, struct choice *choice, bool own)
{
	const struct collector_request *request = collectors->request;

	for (size_t i = 0; i < request->name_count; i++) {
		const struct library_file *file = collectors->named[i];

		if ((file && file->own) == own)
			add(choice, request->names[i], file ? file->path : "",
			    i < request->parameter_count ? request->parameters[i] : "",
			    collectors->missing[i], COLLECTOR_NAMED);
	}
}

/* Returns the key of a list. */
static uint64_t key_of(const struct choice *choice)
{
	return hash_pair(hash_bytes(choice->name, strlen(choice->name)), choice->first);
}

/* Notes what was found: each collector's origin and texts, terminated by NUL. */
static void note(const struct choice *choice)
{
	struct strbuf found = STRBUF_INIT;

	for (size_t i = 0; i < choice->count; i++) {
		const struct sampler_collector *one = &choice->list[i];
		const char *const texts[] = { one->name, one->path, one->parameter, one->missing };

		strbuf_addch(&found, (char)one->origin);
		for (size_t j = 0; j < ARRAY_SIZE(texts); j++)
			strbuf_add(&found, texts[j], strlen(texts[j]) + 1);
	}
	outside_note_of(OUTSIDE_COLLECTORS, key_of(choice), found.text, found.length);
	strbuf_release(&found);
}

/* Takes the next text of a note; "" if there is none. */
static const char *take_text(const char **at, const char *end)
{
	const char *text = *at, *nul = memchr(text, '\0', (size_t)(end - text));

	RETURN_IF(!nul, "");
	*at = nul + 1;
	return text;
}

/* Takes what the session's source knows to have been found; returns false if it does not know. */
static bool recall(struct choice *choice)
{
	const char *at, *end;
	size_t size;

	at = outside_recall_of(OUTSIDE_COLLECTORS, key_of(choice), &size);
	RETURN_IF(!at, false);
	choice->known = xmalloc(size + 1);
	memcpy(choice->known, at, size);
	choice->known[size] = '\0';
	at = choice->known;
	end = at + size;
	while (at < end) {
		enum collector_origin origin = *at++ == COLLECTOR_FEATURE ? COLLECTOR_FEATURE
				: at[-1] == COLLECTOR_FOUND	      ? COLLECTOR_FOUND
								      : COLLECTOR_NAMED;
		const char *name = take_text(&at, end), *path = take_text(&at, end);
		const char *parameter = take_text(&at, end);

		add(choice, name, path, parameter, take_text(&at, end), origin);
	}
	return true;
}

/* Searches the collectors of a name. */
static void search(struct collectors *collectors, struct choice *choice)
{
	char subject[LIBRARY_NAME];

	library_name_of(choice->first && collectors->subject ? collectors->subject : "", subject);
	add_features(collectors, choice, choice->name);
	add_features(collectors, choice, subject);
	add_named(collectors, choice, true);
	add_users(collectors, choice, choice->name);
	add_users(collectors, choice, subject);
	add_named(collectors, choice, false);
}

/* Builds the list of a name. */
static struct choice *choose(struct collectors *collectors, const char *name, bool first)
{
	struct choice *choice = xcalloc(1, sizeof(*choice));

	memcpy(choice->name, name, sizeof(choice->name));
	choice->first = first;
	if (!recall(choice)) {
		search(collectors, choice);
		note(choice);
	}
	choice->next = collectors->choices;
	collectors->choices = choice;
	return choice;
}

size_t collectors_choose(void *argument, const char *program, bool first,
			 const struct sampler_collector **list)
{
	struct collectors *collectors = argument;
	struct choice *choice = collectors->choices;
	char name[LIBRARY_NAME];

	library_name_of(program, name);
	while (choice && (choice->first != first || strcmp(choice->name, name) != 0))
		choice = choice->next;
	if (!choice)
		choice = choose(collectors, name, first);
	*list = choice->list;
	return choice->count;
}

void collectors_configure(struct collectors *collectors, struct sampler_config *config)
{
	config->collector_host = collectors->host;
	config->map_programs = collectors->request->map_programs;
	config->map_program_count = collectors->request->map_program_count;
	config->subject = collectors->subject;
	config->choose = collectors_choose;
	config->choose_argument = collectors;
}

const struct library_path *collectors_path(const struct collectors *collectors)
{
	return &collectors->path;
}

const char *collectors_host(const struct collectors *collectors)
{
	return collectors->host;
}
