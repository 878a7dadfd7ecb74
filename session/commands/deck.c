/* SPDX-License-Identifier: Apache-2.0 */
/* Reads decks and checks everything in them, including control cards. */
#include "common/compat.h"
#include "session/commands/deck.h"
#include "common/paths.h"
#include "common/similar.h"
#include "common/xalloc.h"
#include "session/commands/control-options.h"
#include "session/commands/options.h"
#include "datasets/entries.h"
#include "session/requests/requests.h"

#include <libgen.h>
#include <pwd.h>
#include <unistd.h>

/* Returns the absolute path of a deck's folder; for standard input, the current folder. */
static char *folder_of(const char *path)
{
	char *copy = xstrdup(path);
	char *folder = realpath(strcmp(path, "-") == 0 ? "." : dirname(copy), NULL);

	free(copy);
	return folder ? folder : xstrdup(".");
}

/* Returns the name of the user, for SYSUID. */
static const char *user_name(void)
{
	const struct passwd *user = getpwuid(getuid());

	return user ? user->pw_name : "";
}

/* Checks the cards of a DD VIGIL, whose statements are kept for the job. */
static void check_vigil(struct deck *deck, const struct plan_dd *dd, struct diag_list *diags)
{
	const struct checked_cards *cards = checked_cards_add(&deck->checked, dd, diags);

	request_check_reports(cards->statements.deck, &request_place_cards, diags);
}

/*
 * Checks the control cards in one DD, including members of a concatenation. A concatenation is
 * parsed as one input when its job begins, because it may contain data sets; SYSIN of PGM=VIGIL
 * when its step runs.
 */
static void check_cards(struct deck *deck, const struct plan_dd *dd, struct diag_list *diags)
{
	if (strcmp(dd->name, "VIGIL") == 0 && dd->kind == DD_INSTREAM && !dd->next_concat) {
		check_vigil(deck, dd, diags);
		return;
	}
	for (; dd; dd = dd->next_concat) {
		struct control_deck *controls;
		struct source *source;

		if (dd->kind != DD_INSTREAM)
			continue;
		source = statements_cards(dd);
		source->next = deck->cards;
		deck->cards = source;
		controls = control_parse(source, true, diags);
		/* SYSIN of PGM=VIGIL may change requests that a step before it has queued. */
		controls->queue = strcmp(dd->name, "VIGIL") != 0;
		control_check(controls, diags);
		request_check_reports(controls,
				      controls->queue ? &request_place_alone
						      : &request_place_cards,
				      diags);
		control_free(controls);
	}
}

/* Returns whether the names differ only by one swap of two adjacent letters. */
static bool is_exchanged(const char *name, const char *meant)
{
	size_t at = 0;

	while (name[at] && name[at] == meant[at])
		at++;
	return name[at] && name[at + 1] && name[at] == meant[at + 1] &&
	       name[at + 1] == meant[at] && strcmp(name + at + 2, meant + at + 2) == 0;
}

/* Returns whether a DD name is one letter away from VIGIL. */
static bool is_nearly_vigil(const char *name)
{
	struct similar similar = { .wanted = "VIGIL" };
	size_t length = strlen(name);

	similar_compare(&similar, name);
	return (similar.name && similar.distance == 1 && length >= 4 && length <= 6) ||
	       is_exchanged(name, "VIGIL");
}

/* Warns about DDs whose name is nearly VIGIL: nothing would read cards intended for vigil there. */
static void check_names(const struct plan_step *step, struct diag_list *diags)
{
	const struct plan_dd *dd;

	for (dd = step->dds; dd; dd = dd->next)
		RETURN_IF(strcmp(dd->name, "VIGIL") == 0, );
	for (dd = step->dds; dd; dd = dd->next) {
		bool cards = dd->kind == DD_INSTREAM;

		if (!is_nearly_vigil(dd->name) ||
		    (!cards && dd->kind != DD_DATASET && dd->kind != DD_PATH))
			continue;
		/* A data set may well be the program's. */
		diag_add(diags, cards ? SEVERITY_WARNING : SEVERITY_INFO, 55, &dd->location,
			 "vigil does not read DD %s; did you mean VIGIL?", dd->name);
	}
}

/* Checks the control cards of all steps: DD VIGIL, and SYSIN of the program VIGIL. */
static void check_control_cards(struct deck *deck, struct diag_list *diags)
{
	for (const struct plan_job *job = deck->jobs; job; job = job->next)
		for (const struct plan_step *step = job->steps; step; step = step->next) {
			check_names(step, diags);
			for (const struct plan_dd *dd = step->dds; dd; dd = dd->next)
				if (strcmp(dd->name, "VIGIL") == 0 ||
				    (strcmp(dd->name, "SYSIN") == 0 && step->program &&
				     strcasecmp(step->program, "VIGIL") == 0))
					check_cards(deck, dd, diags);
		}
}

/* Returns the requested procedure libraries, followed by vigil's. */
static const char **procedure_libraries(const struct deck_options *options, const char *own,
					size_t *count)
{
	const char **libraries = xcalloc(options->proclibs.count + 1, sizeof(*libraries));

	for (*count = 0; *count < options->proclibs.count; ++*count)
		libraries[*count] = options->proclibs.items[*count];
	if (own)
		libraries[(*count)++] = own;
	return libraries;
}

/* Returns the folder of a partitioned data set (jcl_options). */
static char *find_library(void *context, const char *dsn)
{
	const struct deck_list *list = context;
	struct strbuf path = STRBUF_INIT, name = STRBUF_INIT;
	unsigned key;

	if (!list->catalog.root || !catalog_name_valid(dsn))
		return NULL;
	catalog_resolve(&list->catalog, dsn, &name, &key);
	catalog_file(&list->catalog, name.text, &path);
	strbuf_release(&name);
	return strbuf_detach(&path, NULL);
}

/* Opens the catalogue; until the root is created only the mapping file locates libraries. */
static void open_catalog(struct deck_list *list, const struct deck_options *options)
{
	bool made = options->root && catalog_is_folder(options->root);
	struct error err = ERROR_INIT;

	if (!made && !options->map)
		return;
	if (catalog_open(&list->catalog, made ? options->root : "/", options->map, &err) < 0) {
		command_message(SEVERITY_ERROR, 5140, "%s", error_text(&err));
		list->unreadable = true;
	}
	error_release(&err);
}

static void read_one(struct deck_list *list, struct deck *deck, const struct deck_options *options,
		     struct diag_list *diags)
{
	char *own = paths_procedures();
	size_t count;
	const char **libraries = procedure_libraries(options, own, &count);
	struct jcl_options jcl = {
		.procedure_libraries = libraries,
		.procedure_library_count = count,
		.user = user_name(),
		.deck_folder = deck->folder,
		.find_library = find_library,
		.find_context = list,
		.fragments = options->fragments,
		.strict = options->strict,
	};

	deck->tree = jcl_parse(deck->source, &jcl, diags);
	deck->jobs = jcl_evaluate(deck->tree, &jcl, diags);
	if (!deck->jobs && diag_max_severity(diags) < SEVERITY_ERROR)
		diag_add(diags, SEVERITY_ERROR, 21, NULL,
			 "%s contains no job; expected a JOB statement", deck->source->name);
	check_control_cards(deck, diags);
	free(libraries);
	free(own);
}

void deck_list_read(struct deck_list *list, int count, char **paths,
		    const struct deck_options *options, struct diag_list *diags)
{
	*list = (struct deck_list){ .items = xcalloc((size_t)count + 1, sizeof(*list->items)) };
	open_catalog(list, options);
	for (int i = 0; i < count; i++) {
		struct deck *deck = &list->items[list->count++];
		struct error err = ERROR_INIT;

		deck->folder = folder_of(paths[i]);
		deck->source = source_read(paths[i], &err);
		if (deck->source) {
			read_one(list, deck, options, diags);
		} else {
			command_message(SEVERITY_SEVERE, 35, "%s", error_text(&err));
			list->unreadable = true;
		}
		error_release(&err);
	}
}

struct deck *deck_list_add(struct deck_list *list, struct source *source,
			   const struct deck_options *options, struct diag_list *diags)
{
	struct deck *deck;

	list->items = xreallocarray(list->items, list->count + 1, sizeof(*list->items));
	deck = &list->items[list->count++];
	*deck = (struct deck){ .source = source, .folder = xstrdup(list->items[0].folder) };
	read_one(list, deck, options, diags);
	return deck;
}

/* Returns whether a request selects a step of these jobs. */
static bool selects_step_of(const struct control_request *request, const struct plan_job *job)
{
	for (; job; job = job->next)
		for (const struct plan_step *step = job->steps; step; step = step->next) {
			const struct request_subject subject = request_subject_of(job, step);

			RETURN_IF(request_matches(request, &subject), true);
		}
	return false;
}

void deck_list_warn_unmatched(const struct deck_list *list, const struct control_deck *requests,
			   struct diag_list *diags)
{
	for (const struct control_statement *one = requests->statements; one; one = one->next) {
		const char *from = one->location.source ? one->location.source->name : "";
		bool meant = !control_samples(one) || (strcmp(from, CONTROL_MEASURE) != 0 &&
						       strcmp(from, STATEMENTS_LINES) != 0);

		for (size_t i = 0; i < list->count && !meant; i++)
			meant = selects_step_of(&one->request, list->items[i].jobs);
		if (!meant)
			diag_add(diags, SEVERITY_WARNING, DECK_SELECTS_NO_STEP, &one->location,
				 "the request selects no step of these decks");
	}
}

void deck_list_release(struct deck_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct deck *deck = &list->items[i];

		plan_free(deck->jobs);
		if (deck->tree)
			jcl_free(deck->tree);
		source_free(deck->source);
		source_free(deck->cards);
		checked_cards_free(deck->checked);
		free(deck->folder);
	}
	free(list->items);
	catalog_release(&list->catalog);
	*list = (struct deck_list){ 0 };
}

void deck_default_list(struct option_list *list, const char *variable)
{
	static char *copies[4];
	static size_t copy_count;
	const char *value = getenv(variable);
	char *at;

	if (list->count || !value || !*value || copy_count >= ARRAY_SIZE(copies))
		return;
	at = copies[copy_count++] = xstrdup(value);
	while (*at) {
		size_t length = strcspn(at, ":");
		bool last = at[length] == '\0';

		at[length] = '\0';
		if (length)
			option_list_add(list, at);
		at += length + !last;
	}
}

const char *deck_folder(const char *option, const char *variable, const char *otherwise)
{
	const char *value = getenv(variable);

	if (option)
		return option;
	return value && *value ? value : otherwise;
}

bool deck_diagnose(struct diag_list *diags, enum severity least)
{
	struct strbuf text = STRBUF_INIT;

	diag_sort(diags);
	for (size_t i = 0; i < diags->count; i++)
		if (diags->items[i].severity >= least)
			diag_format(&diags->items[i], &text);
	fputs(text.text, stderr);
	strbuf_release(&text);
	return diag_max_severity(diags) < SEVERITY_ERROR;
}
