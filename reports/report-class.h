/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The class of a report, and what all reports share. A report fills a document
 * from a profile; it neither prints nor formats.
 */
#ifndef VIGIL_REPORTS_REPORT_CLASS_H
#define VIGIL_REPORTS_REPORT_CLASS_H

#include "reports/document.h"
#include "profile/event-files.h"
#include "profile/profile.h"
#include "profile/source-text.h"
#include "profile/sums.h"
#include "reports/report.h"

/* One print: the profile, the options, and the tokens that its long names got. */
struct context {
	const struct profile *profile;
	const struct report_options *options;
	struct tokens tokens;
	struct source_texts sources;
	struct strbuf text; /* scratch for a report */
	struct event_files event_files;
};

void context_init(struct context *context, const struct profile *profile,
		  const struct report_options *options);
void context_release(struct context *context);

/*
 * Which sessions have a report. Requested by its code, any session has it: then it
 * says that it is empty.
 */
enum report_kind {
	REPORT_OF_SAMPLES,
	REPORT_OF_EVENTS,
	REPORT_OF_COVERAGE,
	REPORT_OF_EITHER,  /* of events, of coverage, or of both */
	REPORT_OF_SYSTEM,  /* with records of the whole system */
	REPORT_ON_REQUEST, /* of events or coverage; printed only on request */
	REPORT_OF_SESSION, /* of any session */
};

struct report_class {
	const char *code, *title;
	void (*build)(struct context *context, struct document *document);
	enum report_kind kind;
};

/* The reports in print order; the last is TLX. */
extern const struct report_class *const report_classes[];
extern const size_t report_class_count;

extern const struct report_class report_msd, report_tda, report_rdd, report_wss, report_wtm,
	report_sac, report_sam, report_sad, report_san, report_sap,
	report_dsc, report_iof, report_psu, report_mep, report_pup, report_ace, report_acw, report_ctr, report_prc,
	report_tus, report_tuc, report_eps, report_els, report_ess, report_ets, report_ecr,
	report_evt, report_ept, report_esl, report_pro,
	report_cps, report_cst, report_csl, report_tlx;

/* Returns whether a row with this percentage is shown: it is at least a tenth of the baseline. */
bool context_shows(const struct context *context, double percent);
/* This many rows at the head of a list are always shown. */
#define ROWS_ALWAYS_SHOWN 10
/* Returns whether a module, section or service with this percentage is shown in detail. */
bool context_details(const struct context *context, double percent);
/* Fills the next column of a row with a string of the profile. */
void context_put_string(const struct context *context, struct table *table, struct row *row,
			uint64_t string);
/*
 * For a report on data that an imported recording lacks: adds a note and returns
 * true if so. Nothing else is put into the document then.
 */
bool context_without_waits(const struct context *context, struct document *document);
bool context_without_memory(const struct context *context, struct document *document);
bool context_without_files(const struct context *context, struct document *document);
/* Fills the next column with a share that depends on wait data, or as unknown without them. */
void context_put_solo(const struct context *context, struct table *table, struct row *row,
		      double percent);
/*
 * Fills the next column with the margin of error of a row's share of the run's CPU
 * samples, as profile_row_margin; 0 in a total of all.
 */
void context_put_margin(const struct context *context, struct table *table, struct row *row,
			uint64_t samples, uint64_t placed);
/*
 * Fills CPU_COLUMNS: percentages of the solo and of all samples, and the margin. placed: as
 * in profile_row_margin; 0 in rows by where code executed, of which the kernel's is one.
 */
void context_put_cpu(const struct context *context, struct table *table, struct row *row,
		     uint64_t solo, uint64_t total, uint64_t placed);
/* Sets title and margin of error of a table's bar that shows shares of CPU time. */
void context_cpu_histogram(const struct context *context, struct table *table);

/* Columns that many reports have. */
#define SAMPLES_COLUMN \
	FIGURE(COLUMN_NUMBER, "samples", NULL, "SAMPLES", 8, .flags = COLUMN_ADDITIVE | COLUMN_MINOR)
#define CPU_COLUMNS \
	FIGURE(COLUMN_PERCENT, "cpu_solo_percent", "CPU TIME %", "SOLO", 6, \
	       .flags = COLUMN_ADDITIVE | COLUMN_MINOR, \
	       .legend = "the part of TOTAL during which no other task executed or waited for a " \
			 "file"), \
		FIGURE(COLUMN_PERCENT, "cpu_total_percent", "CPU TIME %", "TOTAL", 6, \
		       .flags = COLUMN_ADDITIVE, .legend = "share of all CPU samples of the run"), \
		FIGURE(COLUMN_PERCENT, "cpu_margin_percent", "CPU TIME %", "+/-", 5, \
		       .flags = COLUMN_MARGIN, \
		       .legend = "margin of error of TOTAL in percentage points, at 95 % " \
				 "confidence")
/*
 * The file of a line, in listings only where a line's file is not the source that
 * names its section.
 */
#define OTHER_FILE_COLUMN(group_, width_) \
	FIGURE(COLUMN_NAME, "file", group_, "FILE", width_, .flags = COLUMN_OTHER, \
	       .legend = "source file of the line, where that is not the one that SECTION names")
/* The same for events, which have no sections. */
#define EVENT_FILE_COLUMN(width_) \
	{ \
		.id = "file", .heading = "FILE", .width = width_, .type = COLUMN_NAME, \
		.flags = COLUMN_OTHER, \
		.legend = "source file of the line, where that is not the one that its program " \
			  "begins in" \
	}
#define CPU_BAR BAR_COLUMN("cpu_total_percent", "cpu_solo_percent")

/* A histogram of two columns: solo, and the rest of total. */
#define BAR_COLUMN(total_, solo_) \
	{ \
		.id = "bar", .heading = "", .type = COLUMN_BAR, .bar = total_, .bar_solo = solo_, \
		.legend = "* is SOLO, + the rest of TOTAL; the scale is in percent" \
	}

#endif
