/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices: a document in, text out. All devices walk the same documents.
 *
 * What others must know of a device before it is asked stands in its class,
 * so that a new one is a file and a line in device-list.c: how commands call it
 * (control statements have words of their own: control_read_format), whether it stands alone in its file, what it needs of a sample data set,
 * whether a painter draws it. Devices of one picture (SVG, PNG) print no
 * documents: the session has a picture (report.h), which the painter draws.
 */
#ifndef VIGIL_REPORTS_DEVICE_H
#define VIGIL_REPORTS_DEVICE_H

#include "reports/document.h"

/* What heads a listing. All texts are borrowed and never NULL. */
struct listing {
	const char *heading; /* what it is, in capitals */
	const char *version, *title, *job, *job_number, *step, *procstep, *program, *date;
	bool damaged;
	const char *warning; /* shown on each page, "" for none */
	uint64_t moment;     /* ns since 1970 that it is of; 0: not known */
	const char *difference; /* of a comparison, for a page: page-difference.h; NULL none */
	const char *trend;	/* of a trend, for a page: one JSON object, as reports/page/trend.js reads it; NULL none */
};

struct device;
struct profile;
struct report_options;

/* What a device shows besides what consolidation sums up; each has what those before it have. */
enum device_needs {
	DEVICE_NEEDS_SUMS,
	DEVICE_NEEDS_WAITS,  /* when waits were: profile_load_wait_course */
	DEVICE_NEEDS_COURSE, /* when everything was: profile_load_course */
};

struct device_class {
	const char *name; /* of the format, in small letters; the suffix of its files */
	size_t size; /* of the device's own struct, which begins with struct device */
	void (*begin)(struct device *device);
	/* Print a document, or what of it has not flowed. */
	void (*print)(struct device *device, const struct document *document);
	/* Print a document up to the rows that a table of it has now; again for further rows. */
	void (*flow)(struct device *device, const struct document *document,
		     const struct table *table);
	void (*end)(struct device *device);
	const char *alone; /* what it is, "a PDF", where it stands alone in its file; NULL: others may follow */
	enum device_needs needs;
	bool lines;   /* of characters, as long and as many a page as the options say */
	bool drawn;   /* by a painter, which the options have; histograms are surfaces then */
	bool picture; /* it is of one picture, and the functions above are NULL */
	bool pixels;  /* of a picture: made of pixels */
};

struct device {
	const struct device_class *class;
	const struct report_options *options;
	const struct listing *listing;
	const struct profile *profile; /* borrowed; NULL: the documents are of no session */
	struct strbuf *out; /* borrowed; everything is appended here */
	const struct table *flowing; /* whose rows flow: print goes on behind those; or NULL */
	const char *failure; /* static; what could not be made, so that out is not whole; or NULL */
};

extern const struct device_class text_device, csv_device, json_device, html_device, pdf_device,
	svg_device, png_device;

/* All of them, NULL at the end. */
extern const struct device_class *const devices[];
/* The device of a format, in capitals or small letters; NULL when there is none of that name. */
const struct device_class *device_find(const char *format);
/* The same of those that print any document, without a painter or a session. */
const struct device_class *device_of_documents(const char *format);

struct device *device_new(const struct device_class *class, const struct report_options *options,
			  const struct listing *listing, struct strbuf *out);
void device_free(struct device *device);

#define LISTING_WIDTH 132

/*
 * Append a histogram bar of at most width characters: '*' for solo, '+' for
 * the rest up to total; one character stands for scale percent.
 */
void device_bar_add(struct strbuf *sb, double solo, double total, double scale, size_t width);
/* Append a value as listings show one of its type, without filling. */
void device_value_add(struct strbuf *sb, enum column_type type, const struct value *value);
/* Percent that one character stands for, so that highest fits into width: 0.1, 0.2, 0.5, 1, ... */
double device_bar_scale(double highest, size_t width);

#endif
