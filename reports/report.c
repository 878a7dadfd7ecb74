/* SPDX-License-Identifier: Apache-2.0 */
/* The Performance Profile: all reports, on a device. */
#include "common/compat.h"
#include "reports/report.h"
#include "common/clock.h"
#include "records/record-types.h"
#include "reports/device.h"
#include "reports/listing-columns.h"
#include "reports/listing-lines.h"
#include "reports/report-class.h"
#include "profile/session-facts.h"
#include "reports/print/painter.h"
#include "reports/print/picture.h"

const struct report_class *const report_classes[] = {
	&report_msd, &report_tda, &report_rdd, &report_wss, &report_wtm,
	&report_sac, &report_sam, &report_sad, &report_san, &report_sap,
	&report_dsc, &report_iof, &report_psu, &report_mep, &report_pup,
	&report_ace, &report_acw, &report_ctr, &report_prc, &report_tus, &report_tuc, &report_eps,
	&report_els, &report_ess, &report_ets, &report_ecr, &report_evt, &report_ept, &report_esl, &report_pro,
	&report_cps, &report_cst, &report_csl, &report_tlx,
};
const size_t report_class_count = ARRAY_SIZE(report_classes);

void report_options_init(struct report_options *options)
{
	memset(options, 0, sizeof(*options));
	options->device = &text_device;
	options->lines = 60;
	options->baseline = 2.0;
	options->resolution = 64;
	options->width = REPORT_A4_WIDTH;
	options->height = REPORT_A4_HEIGHT;
	options->scale = 1;
}

bool report_known(const char *code)
{
	for (size_t i = 0; i < report_class_count; i++)
		if (strcmp(report_classes[i]->code, code) == 0)
			return true;
	return false;
}

void report_list(struct strbuf *sb)
{
	for (size_t i = 0; i < report_class_count; i++)
		strbuf_addf(sb, "%s  %s\n", report_classes[i]->code, report_classes[i]->title);
}

void report_codes(struct strbuf *sb)
{
	for (size_t i = 0; i < report_class_count; i++)
		strbuf_addf(sb, "%s%s", i ? ", " : "", report_classes[i]->code);
}

/* Returns whether a session has a report when none is requested by code. */
static bool is_usual(const struct profile *profile, const struct report_class *class)
{
	switch (class->kind) {
	case REPORT_OF_SAMPLES:
		return session_facts_is_sampled(profile);
	case REPORT_OF_EVENTS:
		return event_usage_any(profile);
	case REPORT_OF_EITHER:
		return event_usage_any(profile) || coverage_any(&profile->coverage);
	case REPORT_OF_COVERAGE:
		return coverage_any(&profile->coverage);
	case REPORT_OF_SYSTEM:
		return system_activity_any(profile);
	default:
		return class->kind == REPORT_OF_SESSION;
	}
}

/*
 * Returns whether a requested report is left out because it was requested only as
 * one of the usual ones: a session without events has coverage only, and vice
 * versa.
 */
static bool is_passed_over(const struct context *context, const struct report_class *class)
{
	bool coverage = coverage_any(&context->profile->coverage);

	if (!context->options->usual)
		return false;
	if (class->kind == REPORT_OF_EVENTS)
		return coverage && !event_usage_any(context->profile);
	return class->kind == REPORT_OF_COVERAGE && !coverage;
}

/* Returns whether a report is one of the most important ones. */
static bool is_first(const struct report_class *class)
{
	static const struct report_class *const first[] = { &report_msd, &report_mep, &report_wtm,
							    &report_eps, &report_cps };

	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		RETURN_IF(first[i] == class, true);
	return false;
}

static bool is_wanted(const struct context *context, const struct report_class *class)
{
	const struct report_options *options = context->options;

	for (size_t i = 0; i < options->code_count; i++)
		if (strcmp(options->codes[i], class->code) == 0)
			return !is_passed_over(context, class);
	return options->code_count == 0 && is_usual(context->profile, class) &&
	       (!options->first || is_first(class));
}

/* Fills the head of the listing; date is filled and owned by the caller. */
static void make_listing(const struct profile *profile, const struct report_options *options,
			 struct listing *listing, struct strbuf *date)
{
	uint64_t start = profile_attribute_number(profile, ATTR_START_WALL);
	const char *version = profile_attribute(profile, ATTR_VERSION);

	if (start)
		clock_format_wall(date, start);
	listing->heading =
		profile->attribution.native ? "NATIVE PERFORMANCE PROFILE" : "PERFORMANCE PROFILE";
	listing->version = *version ? version : PACKAGE_VERSION;
	listing->program = profile_program(profile);
	listing->title = options->title ? options->title : listing->program;
	listing->job = profile_attribute(profile, ATTR_JOB);
	listing->job_number = profile_attribute(profile, ATTR_JOB_NUMBER);
	listing->step = profile_attribute(profile, ATTR_STEP);
	listing->procstep = profile_attribute(profile, ATTR_PROCSTEP);
	listing->date = date->text;
	listing->moment = start;
	listing->damaged = !session_facts_is_complete(profile);
	listing->warning = "";
	if (listing->damaged)
		listing->warning = "** SAMPLE DATA SET INCOMPLETE, SEE MSD **";
	else if (session_facts_is_sampled(profile) && profile->samples < SESSION_FEW_SAMPLES)
		listing->warning = "** FEWER THAN 100 CPU SAMPLES, SEE MSD **";
}

/* A print in progress. */
struct printing {
	struct document_flow flow;
	struct device *device;
	struct strbuf out; /* output of the device so far */
	FILE *stream;
	int failed; /* errno of a failed write: further output is dropped; 0: none */
};

/* Writes the device's output to the stream. */
static void drain(struct printing *printing)
{
	struct strbuf *out = &printing->out;

	if (!printing->failed &&
	    fwrite(out->text, 1, out->length, printing->stream) != out->length)
		printing->failed = errno ? errno : EIO;
	strbuf_reset(out);
}

/* Passes on rows of a table that may be larger than memory. */
static void flow_rows(struct document_flow *flow, struct document *document, struct table *table)
{
	struct printing *printing = (struct printing *)flow;

	printing->device->class->flow(printing->device, document, table);
	drain(printing);
}

/*
 * Fills the document of a report; a report that needs samples consists of one line
 * if none were taken.
 */
static void build(struct context *context, const struct report_class *class, struct document *document)
{
	if (class->kind == REPORT_OF_SAMPLES && !session_facts_is_sampled(context->profile))
		document_note(document, SEVERITY_INFO, 6509,
			      "the session has no samples; ADD requests them, with or without a "
			      "PROFILER block");
	else
		class->build(context, document);
}

/* Builds a report that is wanted, or that is needed to find which names are long. */
static void print_report(struct context *context, struct printing *printing,
			 const struct report_class *class, bool tokens_wanted)
{
	struct device *device = printing->device;
	bool wanted = is_wanted(context, class);
	struct document document;

	if (!wanted && (!tokens_wanted || !is_usual(context->profile, class)))
		return;
	document_init(&document, class->code, class->title, &context->tokens);
	document.flow = wanted ? &printing->flow : NULL;
	/*
	 * Programs that read reports of events and coverage find the same columns in each
	 * report of a kind.
	 */
	document.noted = class->kind == REPORT_OF_EVENTS || class->kind == REPORT_OF_COVERAGE ||
			 class->kind == REPORT_OF_EITHER || class->kind == REPORT_ON_REQUEST;
	build(context, class, &document);
	if (wanted)
		device->class->print(device, &document);
	document_release(&document);
	drain(printing);
}

/* A listing_put. */
static void put_line(void *argument, const char *line)
{
	strbuf_addf(argument, "%s\n", line);
}

/* Appends the names of the session's reports other than the first ones. */
static void add_others(const struct context *context, struct strbuf *sb)
{
	struct strbuf line = STRBUF_INIT;
	const char *between = "";

	strbuf_addstr(&line, "MORE REPORTS: ");
	for (size_t i = 0; i < report_class_count; i++) {
		const struct report_class *class = report_classes[i];

		if (!is_usual(context->profile, class) || is_first(class))
			continue;
		strbuf_addf(&line, "%s%s", between, class->code);
		between = ", ";
	}
	strbuf_addstr(&line, ".  vigil report -r PSU,ACE FILE prints those, -r all prints all, -r "
		"list describes them.");
	strbuf_addch(sb, '\n');
	listing_paragraph(line.text, 4, listing_line_width(context->options), put_line, sb);
	strbuf_release(&line);
}

/* Writes the whole listing; returns -1 if it cannot be made or written. */
static int print_all(const struct profile *profile, const struct report_options *options,
		     FILE *stream, struct error *err)
{
	bool tokens_wanted;
	struct printing printing = { .flow = { flow_rows }, .out = STRBUF_INIT, .stream = stream };
	struct strbuf date = STRBUF_INIT;
	struct listing listing = { 0 };
	struct context context;
	struct device *device;
	const char *failure;

	context_init(&context, profile, options);
	tokens_wanted = is_wanted(&context, &report_tlx);
	make_listing(profile, options, &listing, &date);
	device = device_new(options->device, options, &listing, &printing.out);
	printing.device = device;
	device->profile = profile;
	device->class->begin(device);
	for (size_t i = 0; i < report_class_count; i++)
		print_report(&context, &printing, report_classes[i], tokens_wanted);
	device->class->end(device);
	if (options->first)
		add_others(&context, &printing.out);
	failure = device->failure;
	drain(&printing);
	device_free(device);
	context_release(&context);
	strbuf_release(&date);
	strbuf_release(&printing.out);
	RETURN_IF(failure, error_set(err, "the profile cannot be drawn: %s", failure));
	if (printing.failed)
		errno = printing.failed;
	return printing.failed || fflush(stream) != 0 ? error_errno(err, "the profile cannot be written") : 0;
}

static int write_bytes(void *argument, const void *bytes, size_t length)
{
	return fwrite(bytes, 1, length, argument) == length ? 0 : -1;
}

/* Writes one picture. */
static int print_picture(const struct profile *profile, const struct report_options *options, FILE *stream,
			 struct error *err)
{
	struct sheets sheets;
	const char *failure;
	int failed;

	picture_sheet(&sheets, options->picture, profile,
		      options->title ? options->title : profile_program(profile), options->width,
		      options->height, options->resolution);
	errno = 0;
	failure = options->painter->paint(&sheets, options->device->pixels ? PAINT_PNG : PAINT_SVG,
					  options->scale, write_bytes, stream);
	failed = ferror(stream) || (!failure && fflush(stream) != 0);
	sheets_release(&sheets);
	if (failed)
		return error_errno(err, "the picture cannot be written");
	return failure ? error_set(err, "the picture cannot be drawn: %s", failure) : 0;
}

struct profile *report_load(const char *path, const struct report_options *options, struct error *err)
{
	return report_load_for(path, options->device->needs, err);
}

struct profile *report_load_for(const char *path, unsigned needs, struct error *err)
{
	switch (needs) {
	case DEVICE_NEEDS_WAITS:
		return profile_load_wait_course(path, err);
	case DEVICE_NEEDS_COURSE:
		return profile_load_course(path, err);
	default:
		return profile_load(path, err);
	}
}

int report_print(const struct profile *profile, const struct report_options *options, FILE *stream,
		 struct error *err)
{
	for (size_t i = 0; i < options->code_count; i++)
		if (!report_known(options->codes[i]))
			return error_set(err, "unknown report code %s", options->codes[i]);
	if (options->device->picture)
		return print_picture(profile, options, stream, err);
	return print_all(profile, options, stream, err);
}
