/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a report is, and what all reports share. A report fills a document
 * from a sealed profile; it neither prints nor formats.
 */
#ifndef VIGIL_REPORTS_REPORT_CLASS_H
#define VIGIL_REPORTS_REPORT_CLASS_H

#include "reports/document.h"
#include "profile/profile-data.h"
#include "reports/report.h"
#include "profile/sums.h"

/* One printing: the profile, the options, and what is worked out once for all reports. */
struct context {
	const struct profile *profile;
	const struct report_options *options;
	struct tokens tokens;
	double run; /* ns, denominator of run time percent */
	struct idmap
		task_numbers; /* task id to a number among those of the same name, if several */
};

void context_init(struct context *context, const struct profile *profile,
		  const struct report_options *options);
void context_release(struct context *context);

struct report_class {
	const char *code, *title;
	void (*build)(struct context *context, struct document *document);
};

/* The reports in the order they are printed; the last is TLX. */
extern const struct report_class *const report_classes[];
extern const size_t report_class_count;

extern const struct report_class report_msd, report_tda, report_rdd, report_wss, report_wtm,
	report_dsc, report_iof, report_psu, report_mep, report_pup, report_ace, report_acw,
	report_tus, report_tuc, report_tlx;

/* Percent of the run's CPU samples, and of its run time. */
double cpu_percent(const struct context *context, uint64_t samples);
double run_percent(const struct context *context, uint64_t ns);
/* The run's margin of error in percent points: the worst case over its CPU samples. */
double run_margin(const struct profile *profile);
/* Whether a row of so many percent is shown by itself: at or above a tenth of the baseline. */
bool is_shown(const struct context *context, double percent);
/* In a list by falling percent so many rows are shown in any case. */
#define ROWS_ALWAYS_SHOWN 10
/* Whether a module, section or service of so many percent is shown in detail. */
bool is_detailed(const struct context *context, double percent);

/* "FILE READ", "LOCK", ... of enum wait_reason. */
const char *reason_name(uint64_t reason);
/* ".LOCK", ".SLEEP", ...: the pseudo-file of waits that are for no file. */
const char *reason_pseudo_file(uint64_t reason);
/* Append the name of a task: its comm, with a number when there are several of that name. */
void task_label(const struct context *context, uint64_t task, struct strbuf *sb);
/* Append DD name, or file name, or what kind of thing it is. */
void file_label(const struct profile *profile, uint64_t file, struct strbuf *sb);
/* Data set name, or path, "" when unknown. */
const char *file_data_set(const struct profile *profile, uint64_t file);
/* Device type, or the kind of file in upper case. */
const char *file_device(const struct profile *profile, uint64_t file);
/* The name of a transaction, ".NOTRAN" for 0. */
const char *transaction_name(const struct profile *profile, uint64_t transaction);
/* Compare two strings of the profile as texts. */
int compare_texts(const struct profile *profile, uint64_t first, uint64_t second);
/* A sums_compare for keys that are strings; argument is the profile. */
int compare_text_pairs(const uint64_t *first, const uint64_t *second, void *profile);

/* Texts of a row: short for row_text with a string of the profile. */
void row_string(const struct context *context, struct table *table, struct row *row,
		uint64_t string);
/* Solo and total percent and the total's margin, from samples: three columns. */
void row_cpu(const struct context *context, struct table *table, struct row *row, uint64_t solo,
	     uint64_t total);

/* Columns that many reports have. */
#define SAMPLES_COLUMN \
	{ \
		"samples", NULL, "SAMPLES", 8, COLUMN_NUMBER, COLUMN_ADDITIVE, NULL, NULL, NULL \
	}
#define CPU_COLUMNS \
	{ "cpu_solo_percent", \
	  "CPU TIME %", \
	  "SOLO", \
	  6, \
	  COLUMN_PERCENT, \
	  COLUMN_ADDITIVE, \
	  "share of the CPU samples taken while nothing else of the step executed or waited for " \
	  "a file", \
	  NULL, \
	  NULL }, \
		{ "cpu_total_percent", \
		  "CPU TIME %", \
		  "TOTAL", \
		  6, \
		  COLUMN_PERCENT, \
		  COLUMN_ADDITIVE, \
		  "share of all CPU samples of the run", \
		  NULL, \
		  NULL }, \
	{ \
		"cpu_margin_percent", "CPU TIME %", "+/-", 5, COLUMN_PERCENT, COLUMN_MARGIN, \
			"margin of error of TOTAL at 95 %, percent points", NULL, NULL \
	}
#define CPU_BAR \
	{ \
		"bar", NULL, "", 0, COLUMN_BAR, 0, "* solo, + the rest of total; | percent", \
			"cpu_total_percent", "cpu_solo_percent" \
	}

#endif
