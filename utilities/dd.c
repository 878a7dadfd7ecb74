/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the DDs of a utility and opens their files. */
#include "common/compat.h"
#include "utilities/dd.h"
#include "common/xalloc.h"

#include <sys/stat.h>
#include <unistd.h>

/* Reads the attributes in VIGIL_DCB_name; all are unknown when there is none. */
static void environment_attributes(struct attributes *attributes, const char *name)
{
	struct strbuf variable = STRBUF_INIT;
	const char *text;

	strbuf_addf(&variable, "VIGIL_DCB_%s", name);
	text = getenv(variable.text);
	attributes_parse(attributes, text ? text : "");
	strbuf_release(&variable);
}

/* Returns whether standard input has data to read and is no terminal. */
static bool standard_input(void)
{
	struct stat info;

	return fstat(STDIN_FILENO, &info) == 0 && !isatty(STDIN_FILENO);
}

bool dd_find(struct dd *dd, const char *name)
{
	const char *path = utility_dd(name);
	struct attributes kept;

	*dd = (struct dd){ .name = name };
	if (!path && strcmp(name, "SYSIN") == 0 && standard_input())
		path = "/dev/stdin";
	if (!path)
		return false;
	dd->path = xstrdup(path);
	environment_attributes(&dd->attributes, name);
	attributes_get(path, &kept);
	attributes_merge(&dd->attributes, &kept);
	return true;
}

void dd_release(struct dd *dd)
{
	free(dd->path);
	*dd = (struct dd){ 0 };
}

static int missing(struct utility *utility, const char *name)
{
	return utility_message(utility, SEVERITY_SEVERE, 5502, "DD %s is missing", name);
}

/* Reports why a DD cannot be opened. Returns -1. */
static int report_open_error(struct utility *utility, const char *name, struct error *err)
{
	utility_message(utility, SEVERITY_SEVERE, 5503, "DD %s: %s", name, error_text(err));
	error_release(err);
	return -1;
}

int dd_reader(struct utility *utility, const char *name, struct record_reader **reader,
	      struct attributes *attributes)
{
	struct error err = ERROR_INIT;
	struct dd dd;
	int result;

	RETURN_IF(!dd_find(&dd, name), missing(utility, name));
	result = record_reader_open(reader, dd.path, &dd.attributes, &err);
	if (attributes)
		*attributes = dd.attributes;
	dd_release(&dd);
	return result < 0 ? report_open_error(utility, name, &err) : 0;
}

/*
 * Turns the attributes of a data set with keys or numbers into those of a
 * sequential one that can hold its records.
 */
static void make_sequential(struct attributes *attributes)
{
	bool variable = attributes->minimum > 0 && attributes->minimum < attributes->lrecl;

	if (attributes->organization < ORGANIZATION_INDEXED)
		return;
	if (!*attributes->recfm && attributes->lrecl) {
		snprintf(attributes->recfm, sizeof(attributes->recfm), variable ? "VB" : "FB");
		attributes->lrecl += variable ? 4 : 0;
	}
	attributes->organization = ORGANIZATION_UNKNOWN;
	attributes->order = 0;
	attributes->minimum = 0;
	attributes->key_count = 0;
}

void dd_complete(struct attributes *attributes, const struct attributes *defaults)
{
	struct attributes others = *defaults;
	bool variable = attributes->recfm[0] == 'V';

	make_sequential(&others);
	if (*attributes->recfm && !attributes->lrecl && others.lrecl)
		attributes->lrecl = (unsigned)attributes_data_length(&others) + (variable ? 4 : 0);
	attributes_merge(attributes, &others);
}

/* Stores the attributes of a data set's records with its file. */
static void keep(struct utility *utility, const struct dd *dd)
{
	struct error err = ERROR_INIT;

	if (attributes_empty(&dd->attributes) || utility_is_stream(dd->path))
		return;
	if (attributes_set(dd->path, &dd->attributes, &err) < 0)
		utility_message(utility, SEVERITY_WARNING, 5512,
				"DD %s: cannot keep its record format: %s", dd->name,
				error_text(&err));
	error_release(&err);
}

int dd_open_writer(struct utility *utility, struct dd *dd, const struct attributes *defaults,
		   unsigned options, struct record_writer **writer, struct error *err)
{
	if (defaults && !utility_is_stream(dd->path))
		dd_complete(&dd->attributes, defaults);
	RETURN_IF(record_writer_open(writer, dd->path, &dd->attributes, options, err) < 0, -1);
	keep(utility, dd);
	return 0;
}

int dd_writer(struct utility *utility, const char *name, const struct attributes *defaults,
	      unsigned options, struct record_writer **writer, struct attributes *attributes)
{
	struct error err = ERROR_INIT;
	struct dd dd;
	int result;

	RETURN_IF(!dd_find(&dd, name), missing(utility, name));
	result = dd_open_writer(utility, &dd, defaults, options, writer, &err);
	if (attributes)
		*attributes = dd.attributes;
	dd_release(&dd);
	return result < 0 ? report_open_error(utility, name, &err) : 0;
}

/* Appends all records, each with a line end. -1 with the reason. */
static int read_lines(struct record_reader *reader, struct strbuf *text, struct error *err)
{
	struct record record;
	int got;

	while ((got = record_read(reader, &record, err)) > 0) {
		strbuf_add(text, record.data, record.length);
		strbuf_addch(text, '\n');
	}
	return got;
}

struct source *dd_source(struct utility *utility, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct record_reader *reader = NULL;
	struct source *source = NULL;
	struct dd dd;

	if (!dd_find(&dd, name))
		return NULL;
	if (record_reader_open(&reader, dd.path, &dd.attributes, &err) < 0 ||
	    read_lines(reader, &text, &err) < 0)
		utility_message(utility, SEVERITY_SEVERE, 5501, "%s cannot be read: %s", name,
				error_text(&err));
	else
		source = source_new(name, text.text, text.length);
	record_reader_close(reader);
	strbuf_release(&text);
	error_release(&err);
	dd_release(&dd);
	return source;
}
