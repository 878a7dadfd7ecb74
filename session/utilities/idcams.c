/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IDCAMS: DELETE, REPRO, LISTCAT, SET MAXCC and IF LASTCC/MAXCC ... THEN;
 * the other commands are refused with return code 12.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "session/datasets/catalog.h"
#include "session/utilities/utility.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct idcams {
	struct utility *utility;
	const char *root;
	unsigned last, highest; /* LASTCC, MAXCC */
};

/* End a command with a code. */
static void done(struct idcams *idcams, unsigned code)
{
	idcams->last = code;
	if (code > idcams->highest)
		idcams->highest = code;
}

/* The value of KEYWORD(value) in a command, upper case as it stands; NULL when it is not there. */
static char *operand(const char *text, const char *keyword)
{
	size_t length = strlen(keyword);

	for (const char *at = text; (at = strcasestr(at, keyword)); at += length) {
		const char *end;

		if ((at > text && isalnum((unsigned char)at[-1])) || at[length] != '(')
			continue;
		end = strchr(at, ')');
		if (end)
			return xstrndup(at + length + 1, (size_t)(end - at - (ssize_t)length - 1));
	}
	return NULL;
}

/* The names after the verb: "NAME" or "(NAME NAME)". Calls each; what follows is left out. */
static void each_name(struct idcams *idcams, const char *text,
		      void (*call)(struct idcams *idcams, const char *name))
{
	bool list = *text == '(';
	char name[64];

	text += list;
	do {
		size_t length;

		text += strspn(text, " ,");
		length = strcspn(text, " ,)");
		if (length == 0)
			break;
		snprintf(name, sizeof(name), "%.*s", (int)length, text);
		for (char *at = name; *at; at++)
			*at = (char)toupper((unsigned char)*at);
		call(idcams, name);
		text += length;
	} while (list && *text && *text != ')');
}

/* DELETE of one data set or member. */
static void delete_one(struct idcams *idcams, const char *name)
{
	char dsn[64], *member;
	struct strbuf path = STRBUF_INIT;
	unsigned code = 0;

	snprintf(dsn, sizeof(dsn), "%s", name);
	member = strchr(dsn, '(');
	if (member)
		*member++ = '\0';
	if (member && strchr(member, ')'))
		*strchr(member, ')') = '\0';
	strbuf_addf(&path, "%s/%s", idcams->root ? idcams->root : "", dsn);
	if (member)
		strbuf_addf(&path, "/%s", member);
	if (!idcams->root || !catalog_name_valid(dsn) ||
	    (member && !catalog_member_valid(member))) {
		utility_message(idcams->utility, SEVERITY_ERROR, 5550,
				"%s is not a data set name that can be deleted", name);
		code = 8;
	} else if (!catalog_exists(path.text)) {
		utility_message(idcams->utility, SEVERITY_ERROR, 5551, "data set %s is not there",
				name);
		code = 8;
	} else if (catalog_remove(path.text) < 0) {
		utility_message(idcams->utility, SEVERITY_ERROR, 5552, "%s cannot be deleted: %s",
				name, strerror(errno));
		code = 8;
	} else {
		utility_message(idcams->utility, SEVERITY_INFO, 5553, "%s deleted", name);
	}
	strbuf_release(&path);
	done(idcams, code > idcams->last ? code : idcams->last);
}

/* The path REPRO reads or writes: a DD, or a data set by name. */
static char *repro_path(struct idcams *idcams, const char *text, const char *file,
			const char *data_set)
{
	char *ddname = operand(text, file), *dsn = operand(text, data_set);
	struct strbuf path = STRBUF_INIT;

	if (ddname && utility_dd(ddname))
		strbuf_addstr(&path, utility_dd(ddname));
	else if (dsn && idcams->root && catalog_name_valid(dsn))
		strbuf_addf(&path, "%s/%s", idcams->root, dsn);
	free(ddname);
	free(dsn);
	if (path.length > 0)
		return strbuf_detach(&path, NULL);
	utility_message(idcams->utility, SEVERITY_SEVERE, 5554,
			"REPRO needs %s with a DD of the step, or %s", file, data_set);
	return NULL;
}

static int copy(const char *from, const char *to)
{
	char buffer[65536];
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	ssize_t got = -1;

	while (out >= 0 && (got = read(in, buffer, sizeof(buffer))) > 0) {
		for (ssize_t at = 0, now = 0; at < got; at += now) {
			now = write(out, buffer + at, (size_t)(got - at));
			if (now <= 0) {
				got = -1;
				break;
			}
		}
		if (got < 0)
			break;
	}
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) < 0)
		got = -1;
	return got < 0 ? -1 : 0;
}

static void repro(struct idcams *idcams, const char *text)
{
	char *from = repro_path(idcams, text, "INFILE", "INDATASET");
	char *to = from ? repro_path(idcams, text, "OUTFILE", "OUTDATASET") : NULL;

	if (!to) {
		done(idcams, 12);
	} else if (utility_same_file(from, to)) {
		utility_message(idcams->utility, SEVERITY_SEVERE, 5506,
				"REPRO: input and output are the same file");
		done(idcams, 12);
	} else if (copy(from, to) < 0) {
		utility_message(idcams->utility, SEVERITY_SEVERE, 5555,
				"%s cannot be copied to %s: %s", from, to, strerror(errno));
		done(idcams, 12);
	} else {
		utility_message(idcams->utility, SEVERITY_INFO, 5556, "%s copied to %s", from, to);
		done(idcams, 0);
	}
	free(from);
	free(to);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Whether a data set belongs to LEVEL(A.B). */
static bool in_level(const char *name, const char *level)
{
	size_t length = level ? strlen(level) : 0;

	return length == 0 || (strncmp(name, level, length) == 0 && name[length] == '.');
}

/* LISTCAT [ENTRIES(name)] [LEVEL(qualifiers)]. */
static void list_catalog(struct idcams *idcams, const char *text)
{
	char *entry = operand(text, "ENTRIES"), *level = operand(text, "LEVEL");
	struct dirent **names = NULL;
	int count = idcams->root ? scandir(idcams->root, &names, NULL, by_name) : 0;
	unsigned shown = 0;

	if (!entry)
		entry = operand(text, "ENT");
	for (int i = 0; i < count; i++) {
		const char *name = names[i]->d_name;
		struct strbuf path = STRBUF_INIT;
		struct stat info;

		strbuf_addf(&path, "%s/%s", idcams->root, name);
		if (catalog_name_valid(name) && in_level(name, level) &&
		    (!entry || strcmp(entry, name) == 0) && stat(path.text, &info) == 0) {
			fprintf(idcams->utility->print, " %s %-44s %12" PRIu64 " BYTES\n",
				S_ISDIR(info.st_mode) ? "PDS " : "FILE", name,
				(uint64_t)info.st_size);
			shown++;
		}
		strbuf_release(&path);
		free(names[i]);
	}
	free(names);
	if (shown == 0)
		utility_message(idcams->utility, SEVERITY_WARNING, 5557, "no data set was found");
	done(idcams, shown ? 0 : 4);
	free(entry);
	free(level);
}

/* Whether "value relation code" holds; relation as IDCAMS numbers them below. */
static bool compare(unsigned value, size_t relation, unsigned long code)
{
	const bool results[] = { value == code, value != code, value >= code,
				 value <= code, value > code,  value < code };

	return results[relation];
}

/* "LASTCC = 8" or "MAXCC LE 8": whether it holds, with what follows; -1 when it is not understood.
 */
static int condition(const struct idcams *idcams, const char **text)
{
	static const char *const names[][2] = { { "EQ", "=" },	{ "NE", "!=" }, { "GE", ">=" },
						{ "LE", "<=" }, { "GT", ">" },	{ "LT", "<" } };
	unsigned value = strncasecmp(*text, "LASTCC", 6) == 0 ? idcams->last : idcams->highest;
	const char *at = *text + strcspn(*text, " =<>!");

	at += strspn(at, " ");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		for (int form = 0; form < 2; form++) {
			size_t length = strlen(names[i][form]);
			unsigned long code;
			char *end;

			if (strncasecmp(at, names[i][form], length) != 0)
				continue;
			code = strtoul(at + length, &end, 10);
			*text = end + strspn(end, " ");
			return compare(value, i, code);
		}
	}
	return -1;
}

/* SET LASTCC=n, SET MAXCC=n. */
static void set_code(struct idcams *idcams, const char *text)
{
	bool last = strncasecmp(text, "LASTCC", 6) == 0;
	const char *value = strchr(text, '=');
	unsigned code = value ? (unsigned)strtoul(value + 1, NULL, 10) : 0;

	if (code > 16)
		code = 16;
	if (last)
		done(idcams, code);
	else
		idcams->highest = idcams->last = code;
}

static void command(struct idcams *idcams, const char *text);

/* IF condition THEN command [ELSE command]. */
static void if_command(struct idcams *idcams, const char *text)
{
	int holds = condition(idcams, &text);
	const char *other;
	char *first;

	if (holds < 0 || strncasecmp(text, "THEN", 4) != 0) {
		utility_message(idcams->utility, SEVERITY_SEVERE, 5558,
				"the IF is not understood at \"%.20s\"", text);
		done(idcams, 12);
		return;
	}
	text += 4 + strspn(text + 4, " ");
	other = strcasestr(text, " ELSE ");
	first = other ? xstrndup(text, (size_t)(other - text)) : xstrdup(text);
	if (holds)
		command(idcams, first);
	else if (other)
		command(idcams, other + 6);
	free(first);
}

/* Whether text begins with a verb; what follows it. */
static const char *after_verb(const char *text, const char *verb, const char *abbreviation)
{
	size_t length = strcspn(text, " (");

	if (strlen(verb) != length || strncasecmp(text, verb, length) != 0)
		if (strlen(abbreviation) != length || strncasecmp(text, abbreviation, length) != 0)
			return NULL;
	return text + length + strspn(text + length, " ");
}

/* Carry out one command. */
static void command(struct idcams *idcams, const char *text)
{
	const char *rest;

	text += strspn(text, " ");
	if (!*text)
		return;
	if ((rest = after_verb(text, "DELETE", "DEL"))) {
		idcams->last = 0;
		each_name(idcams, rest, delete_one);
	} else if ((rest = after_verb(text, "REPRO", "REPRO"))) {
		repro(idcams, rest);
	} else if ((rest = after_verb(text, "LISTCAT", "LISTC"))) {
		list_catalog(idcams, rest);
	} else if ((rest = after_verb(text, "SET", "SET"))) {
		set_code(idcams, rest);
	} else if ((rest = after_verb(text, "IF", "IF"))) {
		if_command(idcams, rest);
	} else {
		utility_message(idcams->utility, SEVERITY_SEVERE, 5559,
				"the command %.*s is not supported", (int)strcspn(text, " ("),
				text);
		done(idcams, 12);
	}
}

/* Append the text of a line without comments between slash-star and star-slash; in_comment lives
 * on. */
static void strip_comments(const struct source_line *line, struct strbuf *text, bool *in_comment)
{
	for (size_t i = 0; i < line->length && i < 72; i++) {
		const char *at = line->text + i;
		bool pair = i + 1 < line->length;

		if (*in_comment && pair && at[0] == '*' && at[1] == '/') {
			*in_comment = false;
			i++;
		} else if (!*in_comment && pair && at[0] == '/' && at[1] == '*') {
			*in_comment = true;
			i++;
		} else if (!*in_comment) {
			strbuf_addch(text, *at);
		}
	}
	strbuf_rtrim(text);
}

/* Whether a statement goes on: '-' or '+' at its end, or an IF that lacks its command. */
static bool goes_on(struct strbuf *text)
{
	if (text->length > 0 && strchr("-+", text->text[text->length - 1])) {
		strbuf_setlen(text, text->length - 1);
		strbuf_addch(text, ' ');
		return true;
	}
	return text->length > 5 && strcasecmp(text->text + text->length - 5, " THEN") == 0;
}

/* Join the lines of SYSIN to commands and carry them out. */
static void run(struct idcams *idcams, const struct source *source)
{
	struct strbuf text = STRBUF_INIT;
	bool in_comment = false;

	for (size_t i = 0; i < source->line_count; i++) {
		struct strbuf line = STRBUF_INIT;

		strip_comments(&source->lines[i], &line, &in_comment);
		if (line.length > 0) {
			if (text.length > 0)
				strbuf_addch(&text, ' ');
			strbuf_addstr(&text, line.text + strspn(line.text, " "));
			if (!goes_on(&text) || i + 1 == source->line_count) {
				command(idcams, text.text);
				strbuf_reset(&text);
			}
		}
		strbuf_release(&line);
	}
	if (text.length > 0)
		command(idcams, text.text);
	strbuf_release(&text);
}

int main(void)
{
	struct utility utility;
	struct idcams idcams = { .utility = &utility, .root = getenv("VIGIL_ROOT") };
	const char *path = utility_dd("SYSIN");
	struct error err = ERROR_INIT;
	struct source *source;
	int messages;

	utility_init(&utility, "IDCAMS");
	source = path ? source_read(path, &err) : NULL;
	if (source)
		run(&idcams, source);
	else
		utility_message(&utility, SEVERITY_SEVERE, 5501, "SYSIN cannot be read: %s",
				path ? error_text(&err) : "the DD is missing");
	source_free(source);
	error_release(&err);
	/* The return code is MAXCC, which SET may have lowered; only lost messages are worse. */
	utility.worst = source ? idcams.highest : (unsigned)SEVERITY_SEVERE;
	messages = utility_end(&utility);
	return messages;
}
