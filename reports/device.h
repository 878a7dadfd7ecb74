/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices: a document in, text out. All devices walk the same documents.
 *
 * A device's class holds what callers need before they use it, so that a new
 * device is one file and one line in device-list.c: its name in commands (control
 * statements have words of their own: control_read_format), whether it must be
 * alone in its file, what it needs from a sample data set, whether it needs a
 * painter. Devices for one picture (SVG, PNG) print no documents: the session has
 * a picture (report.h), which the painter draws.
 */
#ifndef VIGIL_REPORTS_DEVICE_H
#define VIGIL_REPORTS_DEVICE_H

#include "reports/document.h"

/* The head of a listing. All texts are borrowed and never NULL unless said. */
struct listing {
	const char *heading; /* kind of listing, in capitals */
	const char *version, *title, *job, *job_number, *step, *procstep, *program, *date;
	bool damaged;
	const char *warning; /* shown on each page, "": none */
	uint64_t moment;     /* time it describes, ns since 1970; 0: unknown */
	const char *difference; /* of a comparison, for a page: page-difference.h; NULL: none */
	const char *trend;	/* of a trend, for a page: one JSON object, as
				 * reports/page/trend.js reads it; NULL: none */
};

struct device;
struct profile;
struct report_options;

/*
 * What a device shows in addition to the sums of consolidation; each level
 * includes those before it.
 */
enum device_needs {
	DEVICE_NEEDS_SUMS,
	DEVICE_NEEDS_WAITS,  /* when waits occurred: profile_load_wait_course */
	DEVICE_NEEDS_COURSE, /* when everything occurred: profile_load_course */
};

struct device_class {
	const char *name; /* of the format, in lower case; also the suffix of its files */
	size_t size; /* of the device's struct, which begins with struct device */
	void (*begin)(struct device *device);
	/* Prints a document, or the part of it that has not flowed. */
	void (*print)(struct device *device, const struct document *document);
	/*
	 * Prints a document up to the rows that a table of it has so far; called again for
	 * further rows.
	 */
	void (*flow)(struct device *device, const struct document *document,
		     const struct table *table);
	void (*end)(struct device *device);
	const char *alone; /* what the file is, "a PDF", if it must be alone in it; NULL: others
			    * may follow */
	enum device_needs needs;
	bool lines;   /* character lines; the options give their length and the lines per page */
	bool drawn;   /* drawn by the painter of the options; histograms are drawn areas then */
	bool picture; /* for one picture; the functions above are NULL */
	bool pixels;  /* for a picture: made of pixels */
};

struct device {
	const struct device_class *class;
	const struct report_options *options;
	const struct listing *listing;
	const struct profile *profile; /* borrowed; NULL: the documents belong to no session */
	struct strbuf *out; /* borrowed; all output is appended here */
	const struct table *flowing; /* table whose rows flow: print continues after those rows;
				      * or NULL */
	const char *failure; /* static; what could not be produced, so that out is incomplete; or
			      * NULL */
};

extern const struct device_class text_device, csv_device, json_device, html_device, pdf_device,
	svg_device, png_device;

/* All devices, NULL-terminated. */
extern const struct device_class *const devices[];
/* Returns the device of a format, case-insensitive; NULL if there is none of that name. */
const struct device_class *device_find(const char *format);
/* The same, limited to devices that print any document without a painter or a session. */
const struct device_class *device_of_documents(const char *format);

struct device *device_new(const struct device_class *class, const struct report_options *options,
			  const struct listing *listing, struct strbuf *out);
void device_free(struct device *device);

#define LISTING_WIDTH 132

/*
 * Appends a histogram bar of at most width characters: '*' for solo, '+' for the
 * rest up to total; one character stands for scale percent.
 */
void device_bar_add(struct strbuf *sb, double solo, double total, double scale, size_t width);
/* Appends a value in the form that listings show for its type, without padding. */
void device_value_add(struct strbuf *sb, enum column_type type, const struct value *value);
/* Returns the percentage per character so that highest fits into width: 0.1, 0.2, 0.5, 1, ... */
double device_bar_scale(double highest, size_t width);

#endif
