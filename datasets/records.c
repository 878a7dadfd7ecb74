/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes records of data sets, in any form. */
#include "common/compat.h"
#include "datasets/records.h"
#include "datasets/catalog.h"
#include "common/xalloc.h"
#include "datasets/indexed.h"
#include "datasets/records-buffer.h"
#include "datasets/records-variable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAMPLE_SIZE ((size_t)32 * 1024) /* bytes that are inspected to distinguish lines from
					 * records */

struct record_reader {
	enum record_form form;
	int (*read)(struct record_reader *reader, struct record *record, struct error *err);
	struct record_input input;
	size_t length; /* fixed: bytes of each record */
	struct record_descriptor descriptor;
	struct indexed_file *indexed;
	uint64_t count; /* number of records read, for messages */
};

struct record_writer {
	enum record_form form;
	struct record_output output;
	size_t length; /* fixed: bytes of each record */
	struct record_descriptor descriptor;
	struct indexed_file *indexed;
	bool replace;
};

/* Returns the form that the attributes specify, without inspecting the file. */
static enum record_form form_said(const struct attributes *attributes)
{
	if (attributes->organization == ORGANIZATION_INDEXED)
		return RECORD_INDEXED;
	if (attributes->organization == ORGANIZATION_RELATIVE)
		return RECORD_RELATIVE;
	if (attributes->recfm[0] == 'F' && attributes->lrecl > 0)
		return RECORD_FIXED;
	return attributes->recfm[0] == 'V' ? RECORD_VARIABLE : RECORD_TEXT;
}

/*
 * Returns whether all bytes can be part of lines of text, and the first line is no
 * longer than a record.
 */
static bool sample_is_text(const char *sample, size_t size, size_t longest)
{
	const char *end = memchr(sample, '\n', size);

	if (!end || (size_t)(end - sample) > longest)
		return false;
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)sample[i];

		if (c == '\0' || (c < ' ' && !strchr("\n\r\t\f", c)))
			return false;
	}
	return true;
}

/* Returns whether the file may begin with a valid descriptor. */
static bool sample_is_variable(const char *sample, size_t size, size_t longest)
{
	struct record_descriptor descriptor;
	size_t length;

	if (record_descriptor_init(&descriptor, longest, NULL) < 0 || size < descriptor.size)
		return true;
	length = record_descriptor_length(&descriptor, sample);
	return length <= descriptor.longest;
}

/*
 * Returns whether a file that is fixed or variable by its attributes clearly
 * contains lines: it begins with a line, contains only text, and either ends with
 * a line end or is not a whole number of records.
 */
static bool holds_lines(int fd, const struct attributes *attributes)
{
	size_t longest = attributes_data_length(attributes);
	bool fixed = attributes->recfm[0] == 'F', lines = false;
	char *sample, last = '\n';
	struct stat info;
	ssize_t got;

	if (fstat(fd, &info) < 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
		return false;
	sample = xmalloc(SAMPLE_SIZE);
	got = pread(fd, sample, SAMPLE_SIZE, 0);
	if (got > 0 && pread(fd, &last, 1, info.st_size - 1) == 1)
		lines = sample_is_text(sample, (size_t)got, longest ? longest : SIZE_MAX);
	if (fixed)
		lines = lines && (last == '\n' || (size_t)info.st_size % longest > 0);
	else
		lines = lines && !sample_is_variable(sample, (size_t)got, longest);
	free(sample);
	return lines;
}

enum record_form record_form(const char *path, const struct attributes *attributes)
{
	enum record_form form = form_said(attributes);
	int fd;

	if (form != RECORD_FIXED && form != RECORD_VARIABLE)
		return form;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return form;
	if (holds_lines(fd, attributes))
		form = RECORD_TEXT;
	close(fd);
	return form;
}

/* Reads the next line, without its end. */
static int read_text(struct record_reader *reader, struct record *record, struct error *err)
{
	struct record_input *input = &reader->input;
	size_t seen = 0;
	int more;

	do {
		const char *start = input->data + input->start;
		const char *end = memchr(start + seen, '\n', input->end - input->start - seen);

		if (end) {
			*record = (struct record){ start, (size_t)(end - start), 0 };
			input->start += record->length + 1;
			return 1;
		}
		seen = input->end - input->start;
		more = record_input_more(input, err);
	} while (more > 0);
	RETURN_IF(more < 0, -1);
	*record = (struct record){ input->data, seen, 0 };
	input->start = input->end;
	return seen > 0;
}

/*
 * Makes size bytes available in the input. 1: available; 0: the file has ended and
 * nothing is left; -1: it ends in the middle, or cannot be read.
 */
static int need(struct record_reader *reader, size_t size, struct error *err)
{
	struct record_input *input = &reader->input;

	while (input->end - input->start < size) {
		size_t left = input->end - input->start;
		int more = record_input_more(input, err);

		RETURN_IF(more < 0, -1);
		RETURN_IF(more == 0 && left == 0, 0);
		RETURN_IF(more == 0, error_set(err,
					       "%s: record %" PRIu64 " is truncated: it has %zu "
					       "bytes instead of %zu",
					       input->path, reader->count + 1, left, size));
	}
	return 1;
}

static int read_fixed(struct record_reader *reader, struct record *record, struct error *err)
{
	struct record_input *input = &reader->input;

	if (input->end - input->start < reader->length) {
		int there = need(reader, reader->length, err);

		RETURN_IF(there <= 0, there);
	}
	*record = (struct record){ input->data + input->start, reader->length, 0 };
	input->start += reader->length;
	reader->count++;
	return 1;
}

/* Returns the length in the next descriptor; SIZE_MAX after an error. */
static size_t next_length(struct record_reader *reader, struct error *err)
{
	const struct record_descriptor *descriptor = &reader->descriptor;
	const char *bytes = reader->input.data + reader->input.start;
	size_t length = record_descriptor_length(descriptor, bytes);
	struct strbuf said = STRBUF_INIT;

	if (length <= descriptor->longest)
		return length;
	if (length == SIZE_MAX)
		strbuf_addstr(&said, "no length");
	else
		strbuf_addf(&said, "%zu bytes", length);
	error_set(err,
		  "%s: record %" PRIu64 " has no valid descriptor: it gives %s, the longest record "
		  "has %zu (COB_VARSEQ_FORMAT is %u)",
		  reader->input.path, reader->count + 1, said.text, descriptor->longest,
		  descriptor->format);
	strbuf_release(&said);
	return SIZE_MAX;
}

static int read_variable(struct record_reader *reader, struct record *record, struct error *err)
{
	struct record_input *input = &reader->input;
	size_t size = reader->descriptor.size, length;
	int there = need(reader, size, err);

	RETURN_IF(there <= 0, there);
	length = next_length(reader, err);
	RETURN_IF(length == SIZE_MAX, -1);
	RETURN_IF(need(reader, size + length, err) < 0, -1);
	*record = (struct record){ input->data + input->start + size, length, 0 };
	input->start += size + length;
	reader->count++;
	return 1;
}

static int read_numbered(struct record_reader *reader, struct record *record, struct error *err)
{
	record->number = 0;
	return indexed_read_next(reader->indexed, &record->data, &record->length, &record->number,
				 err);
}

/* Returns whether a file is not empty. */
static bool has_content(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && info.st_size > 0;
}

static int read_nothing(struct record_reader *reader, struct record *record, struct error *err)
{
	(void)reader;
	(void)record;
	(void)err;
	return 0;
}

/* Prepares reading through the library, which does not support empty files. */
static int open_indexed(struct record_reader *reader, const char *path,
			const struct attributes *attributes, struct error *err)
{
	int found;

	reader->read = read_nothing;
	RETURN_IF(!has_content(path) && access(path, R_OK) == 0, 0);
	RETURN_IF(indexed_open(&reader->indexed, path, attributes, INDEXED_INPUT, err) < 0, -1);
	reader->read = read_numbered;
	RETURN_IF(!attributes->order, 0);
	found = indexed_start(reader->indexed, attributes->order, "", 0, 0, err);
	if (found == 0)
		reader->read = read_nothing;
	return found < 0 ? -1 : 0;
}

/* Prepares reading a sequential file. */
static int open_flat(struct record_reader *reader, const char *path,
		     const struct attributes *attributes, struct error *err)
{
	size_t longest = attributes_data_length(attributes);

	RETURN_IF(catalog_is_indexed(path),
		  error_set(err,
			    "%s is an indexed file, but its keys are not known; a job with a COBOL "
			    "program that opens it for update (I-O) makes them known",
			    path));
	RETURN_IF(record_input_open(&reader->input, path, err) < 0, -1);
	if ((reader->form == RECORD_FIXED || reader->form == RECORD_VARIABLE) &&
	    holds_lines(reader->input.fd, attributes))
		reader->form = RECORD_TEXT;
	reader->length = longest;
	reader->read = reader->form == RECORD_FIXED	 ? read_fixed
		       : reader->form == RECORD_VARIABLE ? read_variable
							 : read_text;
	if (reader->form == RECORD_VARIABLE)
		return record_descriptor_init(&reader->descriptor, longest, err);
	return 0;
}

static bool has_numbers(enum record_form form)
{
	return form == RECORD_INDEXED || form == RECORD_RELATIVE;
}

int record_reader_open(struct record_reader **reader, const char *path,
		       const struct attributes *attributes, struct error *err)
{
	struct record_reader *made = xcalloc(1, sizeof(*made));
	int result;

	made->form = form_said(attributes);
	made->input.fd = -1;
	if (has_numbers(made->form))
		result = open_indexed(made, path, attributes, err);
	else
		result = open_flat(made, path, attributes, err);
	*reader = made;
	if (result == 0)
		return 0;
	record_reader_close(made);
	*reader = NULL;
	return -1;
}

enum record_form record_reader_form(const struct record_reader *reader)
{
	return reader->form;
}

int record_read(struct record_reader *reader, struct record *record, struct error *err)
{
	return reader->read(reader, record, err);
}

int record_reader_start(struct record_reader *reader, unsigned key, const void *bytes,
			size_t length, uint64_t number, struct error *err)
{
	RETURN_IF(reader->read == read_nothing, 0);
	RETURN_IF(!reader->indexed,
		  error_set(err, "%s has no keys and no numbers to start at", reader->input.path));
	return indexed_start(reader->indexed, key, bytes, length, number, err);
}

void record_reader_close(struct record_reader *reader)
{
	if (!reader)
		return;
	if (reader->indexed)
		indexed_close(reader->indexed, NULL);
	record_input_release(&reader->input);
	free(reader);
}

/* Checks that appending begins at the end of a record; terminates an incomplete last line. */
static int check_end(struct record_writer *writer, const char *path, struct error *err)
{
	char last = '\n', *room = NULL;
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool regular = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);

	if (regular && info.st_size > 0 && pread(fd, &last, 1, info.st_size - 1) < 1)
		last = '\n';
	if (fd >= 0)
		close(fd);
	RETURN_IF(!regular, 0);
	RETURN_IF(writer->form == RECORD_FIXED && (size_t)info.st_size % writer->length > 0,
		  error_set(err, "%s has %jd bytes, which is not a multiple of the record length "
				 "%zu", path,
			    (intmax_t)info.st_size, writer->length));
	if (writer->form == RECORD_TEXT && last != '\n') {
		room = record_output_reserve(&writer->output, 1, err);
		RETURN_IF(!room, -1);
		*room = '\n';
	}
	return 0;
}

static int open_flat_output(struct record_writer *writer, const char *path,
			    const struct attributes *attributes, bool append, struct error *err)
{
	if (append)
		writer->form = record_form(path, attributes);
	writer->length = attributes_data_length(attributes);
	if (writer->form == RECORD_VARIABLE)
		RETURN_IF(record_descriptor_init(&writer->descriptor, writer->length, err) < 0, -1);
	RETURN_IF(record_output_open(&writer->output, path, append, err) < 0, -1);
	return append ? check_end(writer, path, err) : 0;
}

/*
 * Opens an indexed or relative file. Replacing needs an existing file, so an empty
 * one is created.
 */
static int open_indexed_output(struct record_writer *writer, const char *path,
			       const struct attributes *attributes, unsigned options,
			       struct error *err)
{
	bool anew = !(options & RECORD_APPEND) || !has_content(path);

	writer->replace = options & RECORD_REPLACE;
	if (anew) {
		RETURN_IF(indexed_open(&writer->indexed, path, attributes, INDEXED_OUTPUT, err) < 0,
			  -1);
		RETURN_IF(!writer->replace, 0);
		RETURN_IF(indexed_close(writer->indexed, err) < 0, -1);
	}
	return indexed_open(&writer->indexed, path, attributes, INDEXED_UPDATE, err);
}

int record_writer_open(struct record_writer **writer, const char *path,
		       const struct attributes *attributes, unsigned options, struct error *err)
{
	struct record_writer *made = xcalloc(1, sizeof(*made));
	int result;

	made->form = form_said(attributes);
	made->output.fd = -1;
	if (has_numbers(made->form))
		result = open_indexed_output(made, path, attributes, options, err);
	else
		result = open_flat_output(made, path, attributes, options & RECORD_APPEND, err);
	*writer = made;
	if (result == 0)
		return 0;
	record_output_release(&made->output);
	free(made);
	*writer = NULL;
	return -1;
}

enum record_form record_writer_form(const struct record_writer *writer)
{
	return writer->form;
}

static int write_text(struct record_writer *writer, const struct record *record, struct error *err)
{
	char *room = record_output_reserve(&writer->output, record->length + 1, err);

	RETURN_IF(!room, -1);
	memcpy(room, record->data, record->length);
	room[record->length] = '\n';
	return 0;
}

static int write_fixed(struct record_writer *writer, const struct record *record, struct error *err)
{
	size_t taken = record->length < writer->length ? record->length : writer->length;
	char *room = record_output_reserve(&writer->output, writer->length, err);

	RETURN_IF(!room, -1);
	memcpy(room, record->data, taken);
	memset(room + taken, ' ', writer->length - taken);
	return 0;
}

static int write_variable(struct record_writer *writer, const struct record *record,
			  struct error *err)
{
	const struct record_descriptor *descriptor = &writer->descriptor;
	char *room;

	if (record->length > descriptor->longest) {
		error_set(err, "%s: a record has %zu bytes, the longest may have %zu",
			  writer->output.path, record->length, descriptor->longest);
		return 1;
	}
	room = record_output_reserve(&writer->output, descriptor->size + record->length, err);
	RETURN_IF(!room, -1);
	record_descriptor_put(descriptor, room, record->length);
	memcpy(room + descriptor->size, record->data, record->length);
	return 0;
}

int record_write(struct record_writer *writer, const struct record *record, struct error *err)
{
	switch (writer->form) {
	case RECORD_TEXT:
		return write_text(writer, record, err);
	case RECORD_FIXED:
		return write_fixed(writer, record, err);
	case RECORD_VARIABLE:
		return write_variable(writer, record, err);
	default:
		return indexed_write(writer->indexed, record->data, record->length, record->number,
				     writer->replace, err);
	}
}

int record_writer_close(struct record_writer *writer, struct error *err)
{
	int result;

	RETURN_IF(!writer, 0);
	if (writer->indexed)
		result = indexed_close(writer->indexed, err);
	else
		result = record_output_close(&writer->output, err);
	record_output_release(&writer->output);
	free(writer);
	return result;
}
