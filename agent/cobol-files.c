/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands before cob_open of GnuCOBOL's run time. A line about each file that
 * a program opened goes to VIGIL_STEP_FILES:
 *
 *	path TAB INPUT|OUTPUT|I-O|EXTEND TAB attributes
 *
 * with the attributes as session/datasets/attributes.h writes them. And
 * cards and other files of lines are shown to a program that reads records
 * (ORGANIZATION SEQUENTIAL) in a second file, as records of its FD.
 */
#include "common/compat.h"
#include "agent/step-area.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTES 64	   /* different ones of a process are written once */
#define RECORD_LIMIT 32760 /* as of a mainframe: what is longer is no record of cards */

void cob_open(struct cobol_file *file, int mode, int sharing, struct cobol_field *status);

/* The name of ASSIGN without the blanks at its end; false when it does not fit. */
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

/* The path that the run time will make of a name: DD_name, dd_name or name of the environment. */
static const char *mapped_path(const char *name)
{
	static const char *const prefixes[] = { "DD_", "dd_", "" };
	char variable[PATH_MAX + 4];

	if (*name == '/')
		return name;
	if (strchr(name, '/') || *name == '-' || *name == '.' || isdigit((unsigned char)*name))
		return NULL;
	name += *name == '$';
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		const char *value;

		snprintf(variable, sizeof(variable), "%s%s", prefixes[i], name);
		for (char *at = variable; *at; at++)
			if (*at == '.')
				*at = '_';
		value = getenv(variable);
		if (value && *value)
			return value;
	}
	return NULL;
}

/* Whether a path is one of those in a variable. */
static bool is_listed(const char *variable, const char *path)
{
	const char *at = getenv(variable);
	size_t length = strlen(path);

	for (; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (strncmp(at, path, length) == 0 && at[length] == '\n')
			return true;
	return false;
}

/* Whether all bytes can stand in lines of text, and the first line is no longer than a record. */
static bool is_text(const char *sample, size_t size, size_t longest)
{
	const char *end = memchr(sample, '\n', size);

	if (!end || (size_t)(end - sample) > longest)
		return false;
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)sample[i];

		if (c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f')
			return false;
	}
	return true;
}

/*
 * Whether a file plainly holds lines: it begins with text, and either ends
 * with a line end or has a length that no whole number of records gives. A
 * program whose records are whole lines, with their ends, knows what it does.
 */
static bool holds_lines(const struct cobol_file *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t longest = file->maximum;
	char sample[4096], last = 0;
	struct stat info;
	bool lines = false;
	ssize_t got;

	if (fd < 0)
		return false;
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
	    pread(fd, &last, 1, info.st_size - 1) == 1) {
		bool whole = (size_t)info.st_size % longest == 0;

		got = pread(fd, sample, sizeof(sample), 0);
		lines = got > 0 && is_text(sample, (size_t)got, longest) &&
			(last == '\n' || !whole) &&
			!(whole && longest <= (size_t)got && sample[longest - 1] == '\n');
	}
	close(fd);
	return lines;
}

/* The prefix of a variable record, as COB_VARSEQ_FORMAT asks for it. */
static void write_prefix(FILE *stream, size_t length)
{
	const char *asked = getenv("COB_VARSEQ_FORMAT");
	unsigned char big[] = { (unsigned char)(length >> 8), (unsigned char)length };
	uint32_t native = (uint32_t)length;
	int format = asked ? *asked : '0';

	if (format == '2') {
		fwrite(&native, sizeof(native), 1, stream);
		return;
	}
	if (format == '1')
		fwrite("\0", 1, 2, stream);
	fwrite(big, 1, 2, stream);
	if (format != '1' && format != '3')
		fwrite("\0", 1, 2, stream);
}

/* A card as a record: filled with blanks, or cut. */
static void write_record(FILE *stream, const struct cobol_file *file, const char *card,
			 size_t length)
{
	size_t shortest = file->minimum ? file->minimum : 1;
	size_t whole = length < shortest ? shortest : length;

	if (whole > file->maximum)
		whole = file->maximum;
	if (file->minimum != file->maximum)
		write_prefix(stream, whole);
	fwrite(card, 1, length < whole ? length : whole, stream);
	for (size_t at = length; at < whole; at++)
		putc(' ', stream);
}

/* Write the records of a file of lines; -1 with errno when that is not possible. */
static int write_records(const struct cobol_file *file, const char *from, const char *to)
{
	FILE *input = fopen(from, "re"), *output = input ? fopen(to, "wxe") : NULL;
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int failed = !output;

	while (output && (length = getline(&line, &size, input)) >= 0) {
		if (length > 0 && line[length - 1] == '\n')
			length--;
		write_record(output, file, line, (size_t)length);
	}
	free(line);
	if (output)
		failed = (ferror(input) | ferror(output)) != 0;
	if (output && fclose(output) != 0)
		failed = 1;
	if (input)
		fclose(input);
	return failed ? -1 : 0;
}

/* Whether a file is there and was written after that moment. */
static bool is_newer(const char *path, const struct timespec *moment)
{
	struct stat info;

	if (stat(path, &info) < 0)
		return false;
	return info.st_mtim.tv_sec > moment->tv_sec ||
	       (info.st_mtim.tv_sec == moment->tv_sec && info.st_mtim.tv_nsec > moment->tv_nsec);
}

/* The path of the records of these lines, made when it is not there yet or older than they are. */
static void make_records(const struct cobol_file *file, const char *lines, char records[PATH_MAX])
{
	const char *notes = getenv("VIGIL_STEP_FILES");
	char made[PATH_MAX];
	struct stat info;
	int length;

	snprintf(records, PATH_MAX, "%s", lines);
	if (!notes || stat(lines, &info) < 0)
		return; /* the run time says why it cannot be opened */
	length = snprintf(records, PATH_MAX, "%s.%lx.%lx.%c%zu", notes, (unsigned long)info.st_dev,
			  (unsigned long)info.st_ino, file->minimum == file->maximum ? 'F' : 'V',
			  file->maximum);
	if (length >= PATH_MAX || is_newer(records, &info.st_mtim))
		return;
	length = snprintf(made, sizeof(made), "%s.%ld", records, (long)getpid());
	if (length < PATH_MAX && write_records(file, lines, made) == 0 &&
	    rename(made, records) == 0)
		return;
	fprintf(stderr, "VIG5309E COBOL: %s cannot be made: %s\n", records, strerror(errno));
	unlink(made);
}

/* Whether a file of lines is opened to read records. */
static bool reads_lines(const struct cobol_file *file, const char *path, int mode)
{
	if (file->organization != COBOL_SEQUENTIAL || mode != COBOL_INPUT || file->maximum == 0 ||
	    file->maximum > RECORD_LIMIT || file->minimum > file->maximum)
		return false;
	return is_listed("VIGIL_STEP_LINES", path) ||
	       (is_listed("VIGIL_STEP_PERHAPS", path) && holds_lines(file, path));
}

/*
 * The keys of an indexed file are in an array whose elements grew in version
 * 3.2: the second element's field lies in the record with one size or the other.
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

/* Append ",KEY=length:offset[D]" for each key; keys put together from fields are left out. */
static void add_keys(char *text, size_t size, const struct cobol_file *file)
{
	size_t step = key_size(file);

	for (size_t i = 0; i < file->key_count; i++) {
		const struct cobol_key *key = (const void *)((const char *)file->keys + i * step);
		size_t length = strlen(text);

		if (!key->field || key->components > 1 || key->field->data < file->record->data)
			return;
		snprintf(text + length, size - length, ",KEY=%zu:%td%s", key->field->size,
			 key->field->data - file->record->data, key->duplicates ? "D" : "");
	}
}

/* What the FD says of a file's records. */
static void describe(char *text, size_t size, const struct cobol_file *file)
{
	static const char *const organizations[] = { "PS", "PS", "RR", "IS" };
	bool variable = file->minimum != file->maximum;
	bool lines = file->organization == COBOL_LINES;

	snprintf(text, size, "%s,%zu,DSORG=%s",
		 lines	    ? "TEXT"
		 : variable ? "VB"
			    : "FB",
		 file->maximum + (variable && !lines ? 4 : 0), organizations[file->organization]);
	if (variable && !lines && file->minimum > 0)
		snprintf(text + strlen(text), size - strlen(text), ",MIN=%zu", file->minimum);
	if (file->organization == COBOL_INDEXED && file->keys && file->record)
		add_keys(text, size, file);
}

/* Whether a line was written before by this process. */
static bool noted(const char *line)
{
	static uint64_t known[NOTES];
	static size_t count;
	uint64_t hash = 1469598103934665603U;

	for (const char *at = line; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211U;
	for (size_t i = 0; i < count; i++)
		if (known[i] == hash)
			return true;
	if (count < NOTES)
		known[count++] = hash;
	return false;
}

/* Write the line about a file that is open. */
static void note(const struct cobol_file *file, int mode, const char *path)
{
	static const char *const modes[] = { "", "INPUT", "OUTPUT", "I-O", "EXTEND" };
	const char *notes = getenv("VIGIL_STEP_FILES");
	char text[1024], line[PATH_MAX + 1100];
	int fd, length;

	if (!notes || file->mode != mode)
		return;
	describe(text, sizeof(text), file);
	length = snprintf(line, sizeof(line), "%s\t%s\t%s\n", path, modes[mode], text);
	if (noted(line))
		return;
	fd = open(notes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	if (write(fd, line, (size_t)length) != length)
		errno = 0; /* then this is not learned */
	close(fd);
}

/* Open a file under another name. */
static void open_as(struct cobol_file *file, const char *path, int mode, int sharing,
		    struct cobol_field *status,
		    void (*next)(struct cobol_file *, int, int, struct cobol_field *))
{
	struct cobol_field *assign = file->assign, other = *assign;
	char copy[PATH_MAX];

	other.size = (size_t)snprintf(copy, sizeof(copy), "%s", path);
	other.data = (unsigned char *)copy;
	file->assign = &other;
	next(file, mode, sharing, status);
	file->assign = assign;
}

/*
 * A data set that a DD made is an empty file. Berkeley DB complains of one that
 * is none of its own before it makes it anew: it is not shown to it.
 */
static void clear_way(const struct cobol_file *file, int mode, const char *path)
{
	struct stat info;

	if (file->organization == COBOL_INDEXED && mode == COBOL_OUTPUT &&
	    stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0)
		unlink(path);
}

void cob_open(struct cobol_file *file, int mode, int sharing, struct cobol_field *status)
{
	static void (*next)(struct cobol_file *, int, int, struct cobol_field *);
	static bool known;
	char name[PATH_MAX], records[PATH_MAX];
	const char *path = NULL;

	if (!next) {
		void *found = cobol_function("cob_open");

		memcpy(&next, &found, sizeof(next));
		known = cobol_known();
	}
	if (known && file->organization <= COBOL_INDEXED && mode >= COBOL_INPUT &&
	    mode <= COBOL_EXTEND && assigned_name(file, name))
		path = mapped_path(name);
	if (path && reads_lines(file, path, mode)) {
		make_records(file, path, records);
		open_as(file, records, mode, sharing, status, next);
		return;
	}
	if (path)
		clear_way(file, mode, path);
	next(file, mode, sharing, status);
	if (path)
		note(file, mode, path);
}
