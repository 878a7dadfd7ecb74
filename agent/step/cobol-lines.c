/* SPDX-License-Identifier: Apache-2.0 */
/* Presents lines as records: finds out which files hold lines, and writes the file of records. */
#include "agent/step/cobol-lines.h"
#include "agent/agent-text.h"
#include "agent/file-own.h"

#include <fcntl.h>
#include <stdio.h> /* rename */
#include <sys/stat.h>
#include <unistd.h>

#define RECORD_LIMIT 32760 /* as on a mainframe; longer ones are not records of cards */
#define CHUNK 4096

/* Returns whether a path is listed in an environment variable. */
static bool is_listed(const char *variable, const char *path)
{
	const char *at = getenv(variable);
	size_t length = strlen(path);

	for (; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (strncmp(at, path, length) == 0 && at[length] == '\n')
			return true;
	return false;
}

/*
 * Returns whether all bytes are valid in lines of text, and the first line is no
 * longer than a record.
 */
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
 * Returns whether a file clearly holds lines: it begins with text, and either ends
 * with a newline or its length is not a multiple of the record length. A program
 * whose records are whole lines, including their newlines, reads the file as it
 * is.
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
	file_mark_internal(fd);
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

bool cobol_reads_lines(const struct cobol_file *file, const char *path, int mode)
{
	if (file->organization != COBOL_SEQUENTIAL || mode != COBOL_INPUT || file->maximum == 0 ||
	    file->maximum > RECORD_LIMIT || file->minimum > file->maximum)
		return false;
	return is_listed("VIGIL_STEP_LINES", path) ||
	       (is_listed("VIGIL_STEP_PERHAPS", path) && holds_lines(file, path));
}

/* A file written through a buffer. */
struct output {
	int fd;
	size_t used;
	bool failed; /* errno is that of the first failure */
	char bytes[CHUNK];
};

static void output_flush(struct output *output)
{
	if (!output->failed && agent_write(output->fd, output->bytes, output->used) < 0)
		output->failed = true;
	output->used = 0;
}

static void output_add(struct output *output, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		size_t part = sizeof(output->bytes) - output->used;

		if (part > size)
			part = size;
		memcpy(output->bytes + output->used, at, part);
		output->used += part;
		at += part;
		size -= part;
		if (output->used == sizeof(output->bytes))
			output_flush(output);
	}
}

/* Writes the prefix of a variable record in the format set by COB_VARSEQ_FORMAT. */
static void write_prefix(struct output *output, size_t length)
{
	const char *asked = getenv("COB_VARSEQ_FORMAT");
	unsigned char big[] = { (unsigned char)(length >> 8), (unsigned char)length };
	uint32_t native = (uint32_t)length;
	int format = asked ? *asked : '0';

	if (format == '2') {
		output_add(output, &native, sizeof(native));
		return;
	}
	if (format == '1')
		output_add(output, "\0", 2);
	output_add(output, big, 2);
	if (format != '1' && format != '3')
		output_add(output, "\0", 2);
}

/*
 * Writes a card of length bytes as a record: padded with blanks, or truncated.
 * card holds at most as much of it as fits a record.
 */
static void write_record(struct output *output, const struct cobol_file *file, const char *card,
			 size_t length)
{
	size_t shortest = file->minimum ? file->minimum : 1;
	size_t whole = length < shortest ? shortest : length;

	if (whole > file->maximum)
		whole = file->maximum;
	if (file->minimum != file->maximum)
		write_prefix(output, whole);
	output_add(output, card, length < whole ? length : whole);
	for (size_t at = length; at < whole; at++)
		output_add(output, " ", 1);
}

/* Writes each line of a file as a record; returns -1 with errno on failure. */
static int convert(struct output *output, const struct cobol_file *file, int from)
{
	char chunk[CHUNK], card[RECORD_LIMIT];
	size_t length = 0; /* of the line so far; card has its beginning */
	ssize_t got;

	while ((got = read(from, chunk, sizeof(chunk))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		for (ssize_t i = 0; i < got; i++) {
			if (chunk[i] == '\n') {
				write_record(output, file, card, length);
				length = 0;
				continue;
			}
			if (length < file->maximum)
				card[length] = chunk[i];
			length++;
		}
	}
	if (length > 0)
		write_record(output, file, card, length);
	output_flush(output);
	return output->failed ? -1 : 0;
}

/* Writes the records of a file of lines; returns -1 with errno on failure. */
static int write_records(const struct cobol_file *file, const char *from, const char *to)
{
	struct output output = { .fd = -1 };
	int input = open(from, O_RDONLY | O_CLOEXEC), result = -1, saved;

	if (input < 0)
		return -1;
	output.fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (output.fd >= 0)
		result = convert(&output, file, input);
	saved = errno;
	if (output.fd >= 0 && close(output.fd) < 0 && result == 0) {
		saved = errno;
		result = -1;
	}
	close(input);
	errno = saved;
	return result;
}

/* Returns whether a file exists and was written after a time. */
static bool is_newer(const char *path, const struct timespec *moment)
{
	struct stat info;

	if (stat(path, &info) < 0)
		return false;
	return info.st_mtim.tv_sec > moment->tv_sec ||
	       (info.st_mtim.tv_sec == moment->tv_sec && info.st_mtim.tv_nsec > moment->tv_nsec);
}

/* Appends the path of the file of records, next to the step's notes. */
static void add_records_path(struct agent_text *path, const char *notes,
			     const struct cobol_file *file, const struct stat *lines)
{
	agent_text_add(path, notes);
	agent_text_add(path, ".");
	agent_text_hex(path, lines->st_dev);
	agent_text_add(path, ".");
	agent_text_hex(path, lines->st_ino);
	agent_text_add(path, file->minimum == file->maximum ? ".F" : ".V");
	agent_text_number(path, file->maximum, 0);
}

static void say_not_made(const char *records, int number)
{
	char memory[PATH_MAX + 200];
	struct agent_text text = agent_text_in(memory, sizeof(memory));

	agent_text_add(&text, "VIG5309E COBOL: ");
	agent_text_add(&text, records);
	agent_text_add(&text, " cannot be created: ");
	agent_text_error(&text, number);
	agent_text_add(&text, "\n");
	agent_write_error(&text);
}

void cobol_make_records(const struct cobol_file *file, const char *lines, char records[PATH_MAX])
{
	const char *notes = getenv("VIGIL_STEP_FILES");
	struct agent_text path = agent_text_in(records, PATH_MAX), made;
	char memory[PATH_MAX];
	struct stat info;

	if (!notes || stat(lines, &info) < 0) {
		agent_text_add(&path, lines);
		return; /* the run time reports why it cannot be opened */
	}
	add_records_path(&path, notes, file, &info);
	if (path.truncated || is_newer(records, &info.st_mtim))
		return;
	made = agent_text_in(memory, sizeof(memory));
	agent_text_add(&made, records);
	agent_text_add(&made, ".");
	agent_text_signed(&made, getpid());
	if (!made.truncated && write_records(file, lines, made.text) == 0 &&
	    rename(made.text, records) == 0)
		return;
	say_not_made(records, errno);
	unlink(made.text);
}
