/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interposes on cob_open of the GnuCOBOL run time. Writes a line about each file
 * that a program opens to VIGIL_STEP_FILES (cobol-notes.h):
 *
 * 	path TAB INPUT|OUTPUT|I-O|EXTEND TAB attributes
 *
 * with the attributes in the form of datasets/attributes.h. A program that reads
 * records gets records if the file has lines (cobol-lines.h); an indexed file
 * whose update was not completed is not opened.
 */
#include "agent/agent-text.h"
#include "agent/step/cobol-ending.h"
#include "agent/step/cobol-lines.h"
#include "agent/step/cobol-mark.h"
#include "agent/step/cobol-notes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

AGENT_VISIBLE void cob_open(struct cobol_file *file, int mode, int sharing,
			    struct cobol_field *status);

/* Gets the name of ASSIGN without trailing blanks; returns false when it does not fit. */
static bool assigned_name(const struct cobol_file *file, char name[PATH_MAX])
{
	const struct cobol_field *assign = file->assign;
	size_t length = assign && assign->data ? assign->size : 0;

	while (length > 0 && (assign->data[length - 1] == ' ' || !assign->data[length - 1]))
		length--;
	if (length == 0 || length >= PATH_MAX)
		return false;
	memcpy(name, assign->data, length);
	name[length] = '\0';
	return true;
}

/*
 * Returns the path to which the run time will map a name: the value of DD_name,
 * dd_name or name in the environment.
 */
static const char *mapped_path(const char *name)
{
	static const char *const prefixes[] = { "DD_", "dd_", "" };
	char variable[PATH_MAX + 4];

	if (*name == '/')
		return name;
	if (strchr(name, '/') || *name == '-' || *name == '.' || (*name >= '0' && *name <= '9'))
		return NULL;
	name += *name == '$';
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		struct agent_text text = agent_text_in(variable, sizeof(variable));
		const char *value;

		agent_text_add(&text, prefixes[i]);
		agent_text_add(&text, name);
		for (char *at = variable; *at; at++)
			if (*at == '.')
				*at = '_';
		value = getenv(variable);
		if (value && *value)
			return value;
	}
	return NULL;
}

/*
 * Returns the size of a key. The keys of an indexed file are an array whose
 * elements grew in version 3.2: with the right size the second element's field
 * lies in the record.
 */
static size_t key_size(const struct cobol_file *file)
{
	static const size_t sizes[] = { sizeof(struct cobol_key) + 8 * sizeof(void *),
					sizeof(struct cobol_key) + 9 * sizeof(void *) };
	const unsigned char *start = file->record->data;

	for (size_t i = 0; file->key_count > 1 && i < ARRAY_SIZE(sizes); i++) {
		const struct cobol_key *second =
			(const void *)((const char *)file->keys + sizes[i]);

		if (second->field && second->field->data >= start &&
		    second->field->data < start + file->maximum)
			return sizes[i];
	}
	return sizes[0];
}

/* Appends ",KEY=length:offset[D]" for each key, up to the first that consists of several fields. */
static void add_keys(struct agent_text *text, const struct cobol_file *file)
{
	size_t step = key_size(file);

	for (size_t i = 0; i < file->key_count; i++) {
		const struct cobol_key *key = (const void *)((const char *)file->keys + i * step);

		if (!key->field || key->components > 1 || key->field->data < file->record->data)
			return;
		agent_text_add(text, ",KEY=");
		agent_text_number(text, key->field->size, 0);
		agent_text_add(text, ":");
		agent_text_signed(text, key->field->data - file->record->data);
		agent_text_add(text, key->duplicates ? "D" : "");
	}
}

/* Appends the attributes that the FD gives a file's records. */
static void describe(struct agent_text *text, const struct cobol_file *file)
{
	static const char *const organizations[] = { "PS", "PS", "RR", "IS" };
	bool variable = file->minimum != file->maximum;
	bool lines = file->organization == COBOL_LINES;

	agent_text_add(text, lines ? "TEXT," : variable ? "VB," : "FB,");
	agent_text_number(text, file->maximum + (variable && !lines ? 4 : 0), 0);
	agent_text_add(text, ",DSORG=");
	agent_text_add(text, organizations[file->organization]);
	if (variable && !lines && file->minimum > 0) {
		agent_text_add(text, ",MIN=");
		agent_text_number(text, file->minimum, 0);
	}
	if (file->organization == COBOL_INDEXED && file->keys && file->record)
		add_keys(text, file);
}

/* Notes a file that was opened, or that is damaged and was to be opened. */
static void note(const struct cobol_file *file, int mode, const char *path)
{
	static const char *const modes[] = { "", "INPUT", "OUTPUT", "I-O", "EXTEND" };
	char memory[1100];
	struct agent_text attributes = agent_text_in(memory, sizeof(memory));

	describe(&attributes, file);
	if (!attributes.truncated)
		cobol_note(path, modes[mode], attributes.text);
}

/* Opens a file under another name. */
static void open_as(struct cobol_file *file, const char *path, int mode, int sharing,
		    struct cobol_field *status,
		    void (*next)(struct cobol_file *, int, int, struct cobol_field *))
{
	struct cobol_field *assign = file->assign, other = *assign;
	char copy[PATH_MAX];
	struct agent_text text = agent_text_in(copy, sizeof(copy));

	agent_text_add(&text, path);
	other.size = text.length;
	other.data = (unsigned char *)copy;
	file->assign = &other;
	next(file, mode, sharing, status);
	file->assign = assign;
}

/*
 * Removes an empty file. A data set allocated by a DD is an empty file, and
 * Berkeley DB reports an error for a file that is not its own before it creates it
 * anew.
 */
static void clear_way(const struct cobol_file *file, int mode, const char *path)
{
	struct stat info;

	if (file->organization == COBOL_INDEXED && mode == COBOL_OUTPUT && stat(path, &info) == 0 &&
	    S_ISREG(info.st_mode) && info.st_size == 0)
		unlink(path);
}

/*
 * Removes temporary files. Berkeley DB creates a file under the name __db.NAME,
 * with .1 and so on for alternate keys, and waits for ever if a killed program
 * left one. The job holds the data set's lock.
 */
static void remove_leftovers(const struct cobol_file *file, int mode, const char *path)
{
	const char *slash = strrchr(path, '/');
	char memory[PATH_MAX + 32];

	if (file->organization != COBOL_INDEXED || mode != COBOL_OUTPUT || !slash ||
	    slash - path >= PATH_MAX)
		return;
	for (size_t key = 0; key < file->key_count; key++) {
		struct agent_text text = agent_text_in(memory, (size_t)(slash - path) + 2);

		agent_text_add(&text, path); /* up to the slash */
		text.size = sizeof(memory);
		text.truncated = false;
		agent_text_add(&text, "__db.");
		agent_text_add(&text, slash + 1);
		if (key) {
			agent_text_add(&text, ".");
			agent_text_number(&text, key, 0);
		}
		if (!text.truncated)
			unlink(text.text);
	}
}

/*
 * Returns whether the update of an indexed file was not completed, so that only a
 * program that creates it anew may open it.
 */
static bool is_damaged(const struct cobol_file *file, int mode, const char *path)
{
	char memory[PATH_MAX + 200], who_memory[160];
	struct agent_text line = agent_text_in(memory, sizeof(memory));
	struct agent_text who = agent_text_in(who_memory, sizeof(who_memory));

	if (file->organization != COBOL_INDEXED || mode == COBOL_OUTPUT ||
	    !cobol_mark_left(path, &who))
		return false;
	agent_text_add(&line, "VIG5148E ");
	agent_text_add(&line, file->name ? file->name : "a file");
	agent_text_add(&line, " is not opened, file status 30: ");
	agent_text_add(&line, who.text);
	agent_text_add(&line, " ended while ");
	agent_text_add(&line, strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	agent_text_add(&line, " was open for update; run VERIFY of IDCAMS to check it\n");
	agent_write_error(&line);
	return true;
}

void cob_open(struct cobol_file *file, int mode, int sharing, struct cobol_field *status)
{
	static void (*next)(struct cobol_file *, int, int, struct cobol_field *);
	static bool known;
	char name[PATH_MAX], records[PATH_MAX];
	const char *path = NULL;

	if (!next) {
		cobol_find(&next, "cob_open");
		known = cobol_known();
	}
	if (known && file->organization <= COBOL_INDEXED && mode >= COBOL_INPUT &&
	    mode <= COBOL_EXTEND && assigned_name(file, name))
		path = mapped_path(name);
	if (path && cobol_reads_lines(file, path, mode)) {
		cobol_make_records(file, path, records);
		open_as(file, records, mode, sharing, status, next);
		return;
	}
	if (path && is_damaged(file, mode, path)) {
		/*
		 * VERIFY needs the keys, which may not have been noted before the file was
		 * damaged.
		 */
		note(file, mode, path);
		open_as(file, "/dev/null/damaged", mode, sharing, status,
			next); /* file status 30 */
		return;
	}
	if (path) {
		clear_way(file, mode, path);
		remove_leftovers(file, mode, path);
	}
	cobol_verb_begins();
	next(file, mode, sharing, status);
	if (path) {
		if (file->mode == mode)
			note(file, mode, path);
		cobol_opened(file, path);
	}
	cobol_verb_done();
}
