/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IEWL (also HEWL, IEWBLINK, LINKEDIT): binds the objects that IGYCRCTL left in
 * SYSLIN into a module, a member of the library SYSLMOD. SYSLIN may hold binder
 * statements between and after the objects.
 *
 * The module's file is the member. Next to it is a link MEMBER.so, the name under
 * which GnuCOBOL's run time finds a called program.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/folders.h"
#include "datasets/catalog.h"
#include "datasets/signs.h"
#include "utilities/cobol/cobc.h"
#include "utilities/dd.h"

#include <ctype.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_OBJECTS 200

struct binding {
	struct utility *utility;
	char *folder;			   /* of work files */
	char *objects[MAX_OBJECTS];	   /* paths */
	char *programs[MAX_OBJECTS];	   /* PROGRAM-ID of each */
	size_t count;
	bool signs[SIGN_EBCDIC + 1];	   /* the kinds of sign for which objects were compiled */
	char entry[64], member[16]; /* from ENTRY and NAME; "": not given */
	char aliases[16][16];
	size_t alias_count;
};

/* Statements that have no effect here. */
static const char *const without_effect[] = { "MODE",  "SETCODE", "SETSSI",   "ORDER",	"PAGE",
					      "TITLE", "IDENTIFY", "RENAME",  "LIBRARY", "CHANGE",
					      "REPLACE", "SETOPT", "IMPORT",  "EXPAND" };

static int read_deck(struct binding *binding, const char *path, const char *name);

/* Stores an object of a deck in a file. */
static int take_object(struct binding *binding, const char *program, const char *data, size_t size)
{
	struct strbuf path = STRBUF_INIT;
	FILE *stream;
	bool good;

	RETURN_IF(binding->count == MAX_OBJECTS,
		  utility_message(binding->utility, SEVERITY_SEVERE, 5710,
				  "cannot bind more than %d objects", MAX_OBJECTS));
	strbuf_addf(&path, "%s/object%zu.o", binding->folder, binding->count);
	stream = fopen(path.text, "we");
	good = stream && fwrite(data, 1, size, stream) == size;
	if (stream && fclose(stream) != 0)
		good = false;
	if (!good)
		utility_message(binding->utility, SEVERITY_SEVERE, 5711, "%s cannot be written: %s",
				path.text, strerror(errno));
	binding->programs[binding->count] = xstrdup(program);
	binding->objects[binding->count++] = strbuf_detach(&path, NULL);
	return good ? 0 : -1;
}

/* Handles INCLUDE DDNAME(MEMBER,...) or INCLUDE DDNAME. */
static int include(struct binding *binding, char *text)
{
	char *ddname = cobc_word(&text, " (,)"), *member = cobc_word(&text, " (,)");
	const char *folder = ddname ? utility_dd(ddname) : NULL;
	int result = 0;

	RETURN_IF(!folder, utility_message(binding->utility, SEVERITY_ERROR, 5712,
					   "INCLUDE names DD %s, which the step does not have",
					   ddname ? ddname : ""));
	if (!member)
		return read_deck(binding, folder, ddname);
	for (; member && result == 0; member = cobc_word(&text, " (,)")) {
		struct strbuf path = STRBUF_INIT;

		RETURN_IF(!catalog_member_valid(member),
			  utility_message(binding->utility, SEVERITY_ERROR, 5712,
					  "%s is not a member name", member));
		strbuf_addf(&path, "%s/%s", folder, member);
		result = read_deck(binding, path.text, member);
		strbuf_release(&path);
	}
	return result;
}

/* Copies a name from a statement; a name that is too long is an error. */
static int take_name(struct binding *binding, char *to, size_t size, const char *text)
{
	size_t length = strcspn(text, " (,");

	RETURN_IF(length == 0 || length >= size,
		  utility_message(binding->utility, SEVERITY_ERROR, 5713,
				  "\"%s\" is not a name that can be bound", text));
	memcpy(to, text, length);
	to[length] = '\0';
	return 0;
}

/* Executes one binder statement. */
static int statement(struct binding *binding, char *text)
{
	char *verb = text + strspn(text, " "), *rest = verb + strcspn(verb, " ");
	size_t length = (size_t)(rest - verb);

	rest += strspn(rest, " ");
	if (length == 0 || *verb == '*')
		return 0;
	utility_echo(binding->utility->print, " ", verb, strlen(verb), "");
	if (length == 7 && strncasecmp(verb, "INCLUDE", 7) == 0)
		return include(binding, rest);
	if (length == 5 && strncasecmp(verb, "ENTRY", 5) == 0)
		return take_name(binding, binding->entry, sizeof(binding->entry), rest);
	if (length == 4 && strncasecmp(verb, "NAME", 4) == 0)
		return take_name(binding, binding->member, 9, rest);
	if (length == 5 && strncasecmp(verb, "ALIAS", 5) == 0 &&
	    binding->alias_count < ARRAY_SIZE(binding->aliases))
		return take_name(binding, binding->aliases[binding->alias_count++], 9, rest);
	for (size_t i = 0; i < ARRAY_SIZE(without_effect); i++)
		if (strlen(without_effect[i]) == length &&
		    strncasecmp(verb, without_effect[i], length) == 0)
			return 0;
	return utility_message(binding->utility, SEVERITY_ERROR, 5714, "unknown statement %.*s",
			       (int)length, verb);
}

/* Splits a deck into objects and statements. */
static int take_deck(struct binding *binding, char *at, const char *end, const char *name)
{
	while (at < end) {
		char *line_end = memchr(at, '\n', (size_t)(end - at));
		char program[64], sign[8] = "";
		enum sign_kind kind = SIGN_NONE;
		size_t size;

		line_end = line_end ? line_end : at + (end - at);
		*line_end = '\0';
		if (sscanf(at, OBJECT_MARK " %63s %zu %7s", program, &size, sign) >= 2) {
			RETURN_IF(line_end >= end || size > (size_t)(end - line_end - 1),
				  utility_message(binding->utility, SEVERITY_SEVERE, 5715,
						  "%s: the object of %s is cut off", name, program));
			RETURN_IF(take_object(binding, program, line_end + 1, size) < 0, -1);
			binding->signs[signs_parse(sign, &kind) ? kind : SIGN_NONE] = true;
			at = line_end + 1 + size;
			at += at < end && *at == '\n';
			continue;
		}
		if (line_end - at > 71)
			at[71] = '\0';
		statement(binding, at);
		at = line_end + 1;
	}
	return 0;
}

/* Reads a deck. A module that is already bound is skipped: it is found when it is called. */
static int read_deck(struct binding *binding, const char *path, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	int result;

	if (strbuf_read_file(&text, path) < 0) {
		result = utility_message(binding->utility, SEVERITY_ERROR, 5712,
					 "%s cannot be read: %s", name, strerror(errno));
	} else if (text.length > 4 && memcmp(text.text, "\177ELF", 4) == 0) {
		utility_message(binding->utility, SEVERITY_INFO, 5716,
				"%s is bound already: it is found in STEPLIB when it is called",
				name);
		result = 0;
	} else {
		result = take_deck(binding, text.text, text.text + text.length, name);
	}
	strbuf_release(&text);
	return result;
}

/* Determines where the module goes: returns the folder, and stores its name in binding->member. */
static char *module_folder(struct binding *binding)
{
	const char *path = utility_dd("SYSLMOD");
	char *copy, *slash;

	if (!path) {
		utility_message(binding->utility, SEVERITY_SEVERE, 5502, "DD SYSLMOD is missing");
		return NULL;
	}
	copy = xstrdup(path);
	slash = strrchr(copy, '/');
	if (!catalog_is_folder(path) && slash) {
		*slash = '\0';
		if (!*binding->member)
			snprintf(binding->member, sizeof(binding->member), "%.8s", slash + 1);
	}
	if (catalog_member_valid(binding->member))
		return copy;
	utility_message(binding->utility, SEVERITY_SEVERE, 5717,
			"the module has no name: SYSLMOD names no member, and there is no NAME "
			"statement");
	free(copy);
	return NULL;
}

/* Appends "-Wl,--defsym=NAME=ENTRY" for a name that is no program of the deck. */
static void add_entry(const struct binding *binding, struct strbuf *flags, const char *name)
{
	for (size_t i = 0; i < binding->count; i++)
		if (strcasecmp(binding->programs[i], name) == 0)
			return;
	strbuf_addf(flags, "%s-Wl,--defsym=", flags->length ? " " : "");
	cobc_symbol(flags, name);
	strbuf_addch(flags, '=');
	cobc_symbol(flags, *binding->entry ? binding->entry : binding->programs[0]);
}

/* Appends "-Wl,--defsym=vigil_sign_KIND=1" for each kind of sign of the objects. */
static void add_signs(const struct binding *binding, struct strbuf *flags)
{
	for (enum sign_kind kind = SIGN_ASCII; kind <= SIGN_EBCDIC; kind++)
		if (binding->signs[kind])
			strbuf_addf(flags, "%s-Wl,--defsym=" SIGN_SYMBOL "%s=1",
				    flags->length ? " " : "", signs_name(kind));
}

/* Reports that the linker failed, with its output, and that there is no module. */
static void report_link_failure(const struct binding *binding, const char *said)
{
	for (const char *end; *said; said = *end ? end + 1 : end) {
		end = said + strcspn(said, "\n");
		utility_echo(binding->utility->print, " ", said, (size_t)(end - said), "");
	}
	utility_message(binding->utility, SEVERITY_SEVERE, 5718,
			"cannot bind %s: the linker failed with the messages above",
			binding->member);
}

/* Runs the linker; returns the path of the module, NULL after a message. */
static char *link_module(struct binding *binding)
{
	const char *arguments[MAX_OBJECTS + 8] = { "cobc", "-b", "-g",
					      "-o", "module" };
	struct strbuf flags = STRBUF_INIT, output = STRBUF_INIT, path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	size_t count = 5;
	int status;

	add_entry(binding, &flags, binding->member);
	for (size_t i = 0; i < binding->alias_count; i++)
		add_entry(binding, &flags, binding->aliases[i]);
	add_signs(binding, &flags);
	for (size_t i = 0; i < binding->count; i++)
		arguments[count++] = binding->objects[i];
	if (flags.length > 0) {
		arguments[count++] = "-Q";
		arguments[count++] = flags.text;
	}
	status = cobc_run(arguments, binding->folder, &output, &err);
	if (status < 0) {
		utility_message(binding->utility, SEVERITY_SEVERE, 5718, "cannot bind %s: %s",
				binding->member, error_text(&err));
	} else if (status > 0) {
		report_link_failure(binding, output.text);
	} else {
		strbuf_addf(&path, "%s/module.so", binding->folder);
	}
	strbuf_release(&flags);
	strbuf_release(&output);
	error_release(&err);
	return status == 0 ? strbuf_detach(&path, NULL) : NULL;
}

/* Makes FOLDER/NAME.so a link to the member. */
static int link_name(const char *folder, const char *name, const char *member)
{
	struct strbuf path = STRBUF_INIT, next = STRBUF_INIT;
	int result;

	strbuf_addf(&path, "%s/%s.so", folder, name);
	strbuf_addf(&next, "%s+", path.text);
	unlink(next.text);
	result = symlink(member, next.text) < 0 || rename(next.text, path.text) < 0 ? -1 : 0;
	strbuf_release(&path);
	strbuf_release(&next);
	return result;
}

/* Stores the module in the library, completely or not at all. */
static int store(struct binding *binding, const char *module, const char *folder)
{
	struct strbuf text = STRBUF_INIT;
	int result = strbuf_read_file(&text, module);

	if (result == 0)
		result = folders_write_file(folder, binding->member, &text);
	if (result == 0)
		result = link_name(folder, binding->member, binding->member);
	for (size_t i = 0; i < binding->alias_count && result == 0; i++)
		result = link_name(folder, binding->aliases[i], binding->member);
	strbuf_release(&text);
	if (result < 0)
		return utility_message(binding->utility, SEVERITY_SEVERE, 5505,
				       "SYSLMOD cannot be written: %s", strerror(errno));
	utility_message(binding->utility, SEVERITY_INFO, 5719,
			"module %s bound from %zu objects, entry %s", binding->member,
			binding->count, *binding->entry ? binding->entry : binding->programs[0]);
	return 0;
}

/* Binds SYSLIN to SYSLMOD in a work folder. */
static void bind_step(struct binding *binding)
{
	const char *path = utility_dd("SYSLIN");
	char *folder, *module;

	if (!path) {
		utility_message(binding->utility, SEVERITY_SEVERE, 5502, "DD SYSLIN is missing");
		return;
	}
	read_deck(binding, path, "SYSLIN");
	if (binding->utility->worst >= SEVERITY_ERROR)
		return;
	if (binding->count == 0) {
		utility_message(binding->utility, SEVERITY_SEVERE, 5720,
				"SYSLIN has no object: there is nothing to bind");
		return;
	}
	folder = module_folder(binding);
	module = folder ? link_module(binding) : NULL;
	if (module)
		store(binding, module, folder);
	free(module);
	free(folder);
}

int main(int argc, char **argv)
{
	struct utility utility;
	struct binding binding = { .utility = &utility };
	struct error err = ERROR_INIT;
	const char *parm;
	int result;

	utility_init(&utility, "IEWL");
	result = utility_arguments(&utility, argc, argv, &parm);
	if (result != 0)
		return result < 0 ? SEVERITY_SEVERE : 0;
	binding.folder = cobc_make_folder(&err);
	if (binding.folder)
		bind_step(&binding);
	else
		utility_message(&utility, SEVERITY_SEVERE, 5702, "%s", error_text(&err));
	if (binding.folder)
		folders_remove(binding.folder);
	free(binding.folder);
	for (size_t i = 0; i < binding.count; i++) {
		free(binding.objects[i]);
		free(binding.programs[i]);
	}
	error_release(&err);
	return utility_end(&utility);
}
