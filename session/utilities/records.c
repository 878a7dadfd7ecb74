/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes records of the utilities' data sets. */
#include "common/compat.h"
#include "session/utilities/records.h"
#include "common/xalloc.h"
#include "session/utilities/utility.h"

#include <sys/stat.h>

/* Whether what a file begins with is a line of text rather than a record of that length. */
static bool begins_with_line(FILE *stream, size_t length)
{
	char *start = xmalloc(length + 1);
	size_t got = fread(start, 1, length + 1, stream);
	const char *end = memchr(start, '\n', got);
	bool line = end != NULL;

	for (const char *at = start; line && at < end; at++)
		line = (unsigned char)*at >= ' ' || *at == '\t' || *at == '\r';
	free(start);
	rewind(stream);
	return line;
}

int record_reader_open_as(struct record_reader *reader, const char *path, size_t fixed,
			  struct error *err)
{
	*reader = (struct record_reader){ .fixed = fixed };
	reader->stream = fopen(path, "re");
	RETURN_IF(!reader->stream, error_errno(err, "%s cannot be opened", path));
	setvbuf(reader->stream, NULL, _IOFBF, 256 * 1024);
	if (fixed) {
		reader->line = xmalloc(fixed);
		reader->alloc = fixed;
	}
	return 0;
}

int record_reader_open(struct record_reader *reader, const char *ddname, struct error *err)
{
	const char *path = utility_dd(ddname);
	char recfm[8];
	unsigned lrecl;
	struct stat info;

	RETURN_IF(!path, error_set(err, "DD %s is missing", ddname));
	utility_dcb(ddname, recfm, &lrecl);
	RETURN_IF(recfm[0] == 'V' && lrecl, error_set(err,
						      "DD %s has RECFM=%s: records of variable "
						      "length are not supported",
						      ddname, recfm));
	RETURN_IF(record_reader_open_as(reader, path, recfm[0] == 'F' ? lrecl : 0, err) < 0, -1);
	if (reader->fixed && fstat(fileno(reader->stream), &info) == 0 && S_ISREG(info.st_mode) &&
	    begins_with_line(reader->stream, reader->fixed))
		reader->fixed = 0;
	return 0;
}

/* The next line, without its end. */
static int read_line(struct record_reader *reader, struct error *err)
{
	ssize_t length = getline(&reader->line, &reader->alloc, reader->stream);

	if (length < 0)
		return ferror(reader->stream) ? error_errno(err, "a record cannot be read") : 0;
	if (reader->line[length - 1] == '\n')
		length--;
	reader->length = (size_t)length;
	return 1;
}

int record_read(struct record_reader *reader, struct error *err)
{
	if (!reader->fixed)
		return read_line(reader, err);
	reader->length = fread(reader->line, 1, reader->fixed, reader->stream);
	if (reader->length == reader->fixed)
		return 1;
	RETURN_IF(ferror(reader->stream), error_errno(err, "a record cannot be read"));
	RETURN_IF(reader->length > 0, error_set(err, "the last record has %zu bytes instead of %zu",
						reader->length, reader->fixed));
	return 0;
}

void record_reader_close(struct record_reader *reader)
{
	if (reader->stream)
		fclose(reader->stream);
	free(reader->line);
	*reader = (struct record_reader){ 0 };
}

int record_write(FILE *stream, size_t fixed, const char *data, size_t length, struct error *err)
{
	size_t taken = fixed && length > fixed ? fixed : length;
	bool good = fwrite(data, 1, taken, stream) == taken;

	for (size_t pad = taken; good && pad < fixed; pad++)
		good = putc(' ', stream) != EOF;
	if (good && !fixed)
		good = putc('\n', stream) != EOF;
	return good ? 0 : error_errno(err, "a record cannot be written");
}
