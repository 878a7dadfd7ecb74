/* SPDX-License-Identifier: Apache-2.0 */
/* IEBUPDTE: adds, replaces and changes members of source libraries, or a sequential file. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/catalog.h"
#include "utilities/dd.h"
#include "utilities/iebupdte-change.h"
#include "utilities/members.h"

#include <strings.h>
#include <unistd.h>

struct update {
	struct utility utility;
	bool in_place;	     /* UPDATE=INPLACE: the old master is also the new one */
	bool new_only;	     /* PARM=NEW: there is no old master */
	struct dd output;    /* SYSUT2, the new master */
	char *last;	     /* the member made last, to which ALIAS refers */
	unsigned sequential; /* number of functions that wrote a sequential new master */
};

/* Reports an error with return code 12. Returns -1. */
static int fail(struct update *update, unsigned number, const char *what, struct error *err)
{
	utility_message(&update->utility, SEVERITY_SEVERE, number, "%s: %s", what, error_text(err));
	error_release(err);
	return -1;
}

/* Chooses the record format of a new member: the one it had before, else that of another member. */
static void choose_form(const char *folder, const char *name, struct attributes *attributes)
{
	struct strbuf path = STRBUF_INIT;
	struct member_list members;
	const char *like = name;

	if (member_list_read(&members, folder, NULL) < 0)
		return;
	if (!member_exists(folder, name))
		like = members.count > 0 ? members.items[0].name : NULL;
	if (like) {
		strbuf_addf(&path, "%s/%s", folder, like);
		if (record_form(path.text, attributes) == RECORD_TEXT)
			*attributes = (struct attributes){ .recfm = "TEXT" };
	}
	strbuf_release(&path);
	member_list_release(&members);
}

/* Writes records to a file. */
static int write_records(const char *path, const struct attributes *attributes,
			 const struct card_image_list *images, struct error *err)
{
	struct record_writer *writer;
	struct error closing = ERROR_INIT;
	int result = record_writer_open(&writer, path, attributes, 0, err);

	RETURN_IF(result < 0, -1);
	for (size_t i = 0; i < images->count && result == 0; i++) {
		const struct card_image *image = &images->items[i];
		struct record record = { .data = image->text, .length = image->length };

		if (card_image_stays(image))
			result = record_write(writer, &record, err);
	}
	if (record_writer_close(writer, result == 0 ? err : &closing) < 0)
		result = -1;
	error_release(&closing);
	return result == 0 ? 0 : -1;
}

/* Writes a member of the new master. */
static int write_member(struct update *update, const char *name,
			const struct card_image_list *images)
{
	struct attributes attributes = update->output.attributes;
	bool there = member_exists(update->output.path, name);
	struct member_draft draft = { 0 };
	struct error err = ERROR_INIT;

	choose_form(update->output.path, name, &attributes);
	attributes.organization = ORGANIZATION_UNKNOWN;
	if (member_begin(&draft, update->output.path, name, &err) < 0)
		return fail(update, 5669, "SYSUT2", &err);
	if (write_records(draft.path, &attributes, images, &err) < 0) {
		member_abandon(&draft);
		return fail(update, 5669, "SYSUT2", &err);
	}
	if (member_commit(&draft, &err) < 0)
		return fail(update, 5669, "SYSUT2", &err);
	if (there)
		utility_foreign_message(&update->utility, "IEB816I", SEVERITY_INFO, 0,
			      "MEMBER NAME (%s) FOUND IN NM DIRECTORY. IT IS REPLACED.", name);
	else
		utility_foreign_message(&update->utility, "IEB817I", SEVERITY_INFO, 0,
			      "MEMBER NAME (%s) NOT FOUND IN NM DIRECTORY. IT IS ADDED.", name);
	free(update->last);
	update->last = xstrdup(name);
	return 0;
}

/* Writes the new master: a member, or the sequential file. */
static int write_master(struct update *update, const struct iebupdte_statement *statement,
			const struct card_image_list *images)
{
	const char *name = statement->member ? statement->member : statement->name;
	struct error err = ERROR_INIT;

	if (catalog_is_folder(update->output.path)) {
		if (!name)
			return iebupdte_report_error(&update->utility, statement->line,
					     "SYSUT2 is a library: NAME= is missing");
		return write_member(update, name, images);
	}
	if (update->sequential++)
		return iebupdte_report_error(&update->utility, statement->line,
				     "SYSUT2 is not a library: it takes one function only");
	if (write_records(update->output.path, &update->output.attributes, images, &err) < 0)
		return fail(update, 5669, "SYSUT2", &err);
	return 0;
}

static void print_image(struct update *update, const struct card_image *image, bool all)
{
	static const char *const marks[] = { "",	  "INSERTED*", "REPLACEMENT*",
					     "REPLACED*", "DELETED*",  "NUMBERED*" };
	char behind[96];

	if (image->mark == IMAGE_KEPT && !all)
		return;
	snprintf(behind, sizeof(behind), "%*s %s",
		 image->length < 80 ? (int)(80 - image->length) : 0, "", marks[image->mark]);
	utility_echo(update->utility.print, " ", image->text, image->length, behind);
}

/* Prints the records on SYSPRINT: the changed ones, with LIST=ALL all. */
static void print_images(struct update *update, const struct iebupdte_statement *statement,
			 const struct card_image_list *images)
{
	for (size_t i = 0; i < images->count; i++)
		print_image(update, &images->items[i], statement->list);
}

/* Returns the NUMBER statement of ADD or REPL; NULL: none. */
static const struct iebupdte_statement *find_number(const struct iebupdte_statement *function,
						    const struct iebupdte_statement *end)
{
	for (const struct iebupdte_statement *one = function->next; one != end; one = one->next)
		if (one->operation == UPDATE_NUMBER)
			return one;
	return NULL;
}

static void add_cards(struct card_image_list *images, const struct iebupdte_statement *statement,
		      const struct sequence_field *field)
{
	for (size_t i = 0; i < statement->data_count; i++)
		card_image_add_card(images, &statement->data[i], field);
}

/* Executes ADD and REPL: the cards are the member. */
static int add(struct update *update, const struct iebupdte_statement *function,
	       const struct iebupdte_statement *end)
{
	const struct iebupdte_statement *number = find_number(function, end);
	struct card_image_list images = { 0 };
	int result = 0;

	if (function->operation == UPDATE_ADD && !update->new_only && function->name &&
	    member_exists(update->output.path, function->name))
		return iebupdte_report_error(&update->utility, function->line,
				     "member %s exists, and PARM is not NEW: use REPL",
				     function->name);
	add_cards(&images, function, &function->new);
	for (const struct iebupdte_statement *one = function->next; one != end; one = one->next)
		add_cards(&images, one, &function->new);
	if (number)
		result = card_image_number_all(&update->utility, &images, number, &function->new);
	if (result == 0) {
		if (function->list)
			print_images(update, function, &images);
		result = write_master(update, function, &images);
	}
	card_image_list_release(&images);
	return result;
}

/* Reads the old master. */
static int read_old(struct update *update, const struct iebupdte_statement *function,
		    struct card_image_list *images)
{
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct record_reader *reader;
	struct record record;
	struct dd dd;
	int result;

	if (!dd_find(&dd, "SYSUT1"))
		return utility_message(&update->utility, SEVERITY_SEVERE, 5502,
				       "DD SYSUT1 is missing");
	strbuf_addstr(&path, dd.path);
	if (catalog_is_folder(dd.path) && function->name)
		strbuf_addf(&path, "/%s", function->name);
	result = record_reader_open(&reader, path.text, &dd.attributes, &err);
	if (result == 0) {
		while ((result = record_read(reader, &record, &err)) > 0)
			card_image_add(images, record.data, record.length, &function->old);
		record_reader_close(reader);
	}
	if (result < 0) {
		iebupdte_report_error(&update->utility, function->line, "the old master: %s",
			      error_text(&err));
		error_release(&err);
	}
	dd_release(&dd);
	strbuf_release(&path);
	return result;
}

/* Returns whether a CHANGE has anything to do. */
static bool has_changes(const struct iebupdte_statement *function,
			const struct iebupdte_statement *end)
{
	const struct iebupdte_statement *one = function->next;

	while (one != end && one->operation == UPDATE_ALIAS)
		one = one->next;
	return function->operation == UPDATE_REPRO || function->data_count > 0 || one != end;
}

/* Executes CHANGE and REPRO: the old master is changed or copied. */
static int change(struct update *update, const struct iebupdte_statement *function,
		  const struct iebupdte_statement *end)
{
	struct card_image_list old = { 0 }, changed = { 0 };
	int result;

	if (update->new_only)
		return iebupdte_report_error(&update->utility, function->line,
				     "PARM=NEW has no old master: only ADD is possible");
	if (!has_changes(function, end))
		return iebupdte_report_error(&update->utility, function->line,
				     "CHANGE has no data cards, NUMBER or DELETE");
	result = read_old(update, function, &old);
	if (result == 0)
		result = card_image_change(&update->utility, function, end, &old, &changed);
	if (result == 0) {
		print_images(update, function, &changed);
		result = write_master(update, function, &changed);
	}
	card_image_list_release(&old);
	card_image_list_release(&changed);
	return result;
}

/* Makes the aliases of the ALIAS statements after an executed function. */
static int make_aliases(struct update *update, const struct iebupdte_statement *function,
			const struct iebupdte_statement *end)
{
	struct error err = ERROR_INIT;

	for (const struct iebupdte_statement *one = function->next; one != end; one = one->next) {
		if (one->operation != UPDATE_ALIAS)
			continue;
		if (!update->last)
			return iebupdte_report_error(&update->utility, one->line,
					     "SYSUT2 is not a library: there are no aliases");
		if (member_alias(update->output.path, one->name, update->last, &err) < 0)
			return fail(update, 5669, "SYSUT2", &err);
	}
	return 0;
}

/* Returns the statement after a function and its details. */
static const struct iebupdte_statement *function_end(const struct iebupdte_statement *function)
{
	const struct iebupdte_statement *one = function->next;

	while (one && one->operation >= UPDATE_NUMBER && one->operation != UPDATE_ENDUP)
		one = one->next;
	return one;
}

static void print_statements(struct update *update, const struct source *source,
			     const struct iebupdte_statement *function,
			     const struct iebupdte_statement *end)
{
	for (const struct iebupdte_statement *one = function; one != end; one = one->next)
		utility_echo(update->utility.print, " ", source->lines[one->line - 1].text,
			     strlen(source->lines[one->line - 1].text), "");
}

/*
 * Executes one function. After a failure the next function is executed only if
 * both masters are libraries and the error is no worse than a wrong statement.
 */
static int carry_out(struct update *update, const struct source *source,
		     const struct iebupdte_statement *function,
		     const struct iebupdte_statement *end)
{
	int result;

	print_statements(update, source, function, end);
	if (function->broken)
		return -1;
	if (update->in_place && !function->in_place)
		return utility_message(&update->utility, SEVERITY_SEVERE, 5502,
				       "DD SYSUT2 is missing");
	if (function->operation >= UPDATE_NUMBER)
		return iebupdte_report_error(&update->utility, function->line,
				     "ADD, REPL, CHANGE or REPRO must precede it");
	if (function->operation <= UPDATE_REPL)
		result = add(update, function, end);
	else
		result = change(update, function, end);
	if (result == 0)
		result = make_aliases(update, function, end);
	return result;
}

static void run(struct update *update, const struct source *source)
{
	struct iebupdte_statement *list = iebupdte_read(&update->utility, source);
	const struct iebupdte_statement *function = list;
	bool library = catalog_is_folder(update->output.path);

	while (function && function->operation != UPDATE_ENDUP) {
		const struct iebupdte_statement *end = function_end(function);
		int result = carry_out(update, source, function, end);

		if (result < 0 && (!library || update->utility.worst >= SEVERITY_SEVERE))
			break;
		function = end;
	}
	iebupdte_free(list);
}

/* Parses PARM: NEW or MOD. Label routines are not supported. */
static int take_parm(struct update *update, const char *parm)
{
	if (!parm || !*parm || strcasecmp(parm, "MOD") == 0)
		return 0;
	update->new_only = strcasecmp(parm, "NEW") == 0;
	if (update->new_only)
		return 0;
	return utility_message(&update->utility, SEVERITY_SEVERE, 5667,
			       "PARM=%s is not supported: NEW or MOD was expected", parm);
}

int main(int argc, char **argv)
{
	struct update update = { .utility = { .name = "IEBUPDTE" } };
	struct source *source = NULL;
	const char *parm;
	int result = utility_arguments(&update.utility, argc, argv, &parm);

	if (result != 0)
		return result < 0 ? SEVERITY_SEVERE : 0;
	utility_init(&update.utility, "IEBUPDTE");
	if (take_parm(&update, parm) == 0) {
		update.in_place = !dd_find(&update.output, "SYSUT2");
		if (update.in_place && !dd_find(&update.output, "SYSUT1"))
			utility_message(&update.utility, SEVERITY_SEVERE, 5502,
					"DD SYSUT2 is missing");
		else
			source = dd_source(&update.utility, "SYSIN");
		if (source)
			run(&update, source);
		else if (update.utility.worst == 0)
			utility_message(&update.utility, SEVERITY_SEVERE, 5502,
					"DD SYSIN is missing");
	}
	utility_foreign_message(&update.utility, "IEB818I", SEVERITY_INFO, 0,
		      "HIGHEST CONDITION CODE WAS %08u", update.utility.worst);
	utility_foreign_message(&update.utility, "IEB819I", SEVERITY_INFO, 0, "END OF JOB IEBUPDTE.");
	source_free(source);
	dd_release(&update.output);
	free(update.last);
	return utility_end(&update.utility);
}
