/* SPDX-License-Identifier: Apache-2.0 */
/* Writes records of a sample data set as text, according to a request. */
#include "common/compat.h"
#include "session/collection/extraction.h"
#include "common/destination.h"
#include "common/similar.h"
#include "metrics/metrics.h"
#include "metrics/outputs.h"
#include "records/record-types.h"
#include "session/collection/module-names.h"
#include "session/collection/monitor-files.h"
#include "session/collection/stored.h"
#include "session/collection/when.h"
#include "session/output.h"

#include <signal.h>
#include <sys/stat.h>

/* An extraction in progress. */
struct extraction {
	const struct extract_request *request;
	struct message_count count;
	struct message_sink *sink;   /* counts */
	const char *name;	     /* name of the input for messages */
	const char *text;	     /* the format; NULL: none */
	struct vigil_engine *guests; /* third-party modules */
	struct message_once once;    /* their messages */
	struct selection selection;
	struct time_range range;
	struct stored_reader stored;
	const char *place; /* path of a single file to read, which may be a copy; owned */
	bool is_monitor;   /* it is a MONWRITE file */
	struct monitor_input monitor;
	struct monitor_damage damage;
	struct text_form form;
	FILE *stream;
	bool survey;		     /* only reads names */
	bool metrics;		     /* there are records of modules */
	struct metrics *offered;     /* the modules that third-party ones may name */
	const struct module *reader; /* of the data sets; NULL: a third-party module */
};

/* Adds the module that reads: data sets, or a MONWRITE file. */
static const struct module *add_reader(struct extraction *extraction, struct engine *engine,
				       struct error *err)
{
	if (!extraction->is_monitor)
		return engine_add(engine, &stored_reader_class, &extraction->stored, err);
	extraction->damage =
		(struct monitor_damage){ .sink = extraction->sink, .path = extraction->name };
	extraction->monitor = (struct monitor_input){
		.path = extraction->place,
		.leap = extraction->request->leap_seconds,
		.damage = extraction->survey ? NULL : monitor_files_damaged,
		.damage_argument = &extraction->damage,
	};
	return engine_add(engine, &monitor_input_class, &extraction->monitor, err);
}

/* Returns whether only the named records have a consumer. */
static bool filter_at_reader(const struct extraction *extraction)
{
	return !extraction->survey && extraction->selection.count &&
	       !hosted_has(extraction->guests, UINT32_MAX);
}

/* Registers the system's modules if there are third-party modules, which may name them. */
static int offer_metrics(struct extraction *extraction, struct engine *engine, struct error *err)
{
	struct hosted_module first;

	metrics_free(extraction->offered);
	extraction->offered = NULL;
	RETURN_IF(!hosted_module(extraction->guests, 0, &first), 0);
	extraction->offered = metrics_offer(engine, NULL, err);
	return extraction->offered ? 0 : -1;
}

/* Adds vigil's modules. */
static int add_own(struct extraction *extraction, struct engine *engine, struct error *err)
{
	struct stored_reader *stored = &extraction->stored;

	strbuf_release(&stored->damage);
	strbuf_release(&stored->disorder);
	*stored = (struct stored_reader){
		.paths = extraction->place ? &extraction->place : extraction->request->paths,
		.count = extraction->request->path_count,
		.guests = extraction->guests,
		.damage = STRBUF_INIT,
		.disorder = STRBUF_INIT,
		.selection = filter_at_reader(extraction) ? &extraction->selection : NULL,
		.pass_events = !selection_has(&extraction->selection, &record_types[RECORD_EVENT]),
	};
	extraction->reader = NULL;
	if (!hosted_has(extraction->guests, VIGIL_EXTRACTOR)) {
		extraction->reader = add_reader(extraction, engine, err);
		RETURN_IF(!extraction->reader, -1);
	}
	RETURN_IF(extraction->survey, 0);
	RETURN_IF(!engine_add(engine, &time_range_class, &extraction->range, err), -1);
	if (extraction->text && !text_form_add(engine, &extraction->form, extraction->text,
					       extraction->stream, &extraction->selection, err))
		return -1;
	return 0;
}

/* Creates an engine that reads the data sets; NULL with err. close_engine ends it. */
static struct engine *open_engine(struct extraction *extraction, struct error *err)
{
	const struct vigil_operation operation = { .size = sizeof(operation),
						   .operation = VIGIL_EXTRACTION,
						   .file = extraction->request->paths[0] };
	struct vigil_engine *guests = extraction->guests;

	hosted_prepare(guests, &operation);
	for (;;) {
		struct engine *engine = hosted_begin(guests, err);

		if (!engine || offer_metrics(extraction, engine, err) < 0 ||
		    add_own(extraction, engine, err) < 0 ||
		    hosted_add(guests, extraction->survey ? VIGIL_EXTRACTOR : 0, err) < 0)
			return NULL;
		if (engine_prepare(engine, OPERATION_EXTRACTION, err) == 0)
			return engine;
		if (!hosted_refuse(guests, err))
			return NULL;
	}
}

static void close_engine(struct extraction *extraction)
{
	hosted_end(extraction->guests);
	metrics_free(extraction->offered);
	extraction->offered = NULL;
}

/* Reports why reading failed: the reader's reason, if it has one. */
static int report_read_error(const struct extraction *extraction, const struct error *err)
{
	const char *reason = extraction->reader ? extraction->reader->reason : NULL;

	return message_sink_emit(extraction->sink, SEVERITY_ERROR, 30, "%s",
				reason ? reason : error_text(err));
}

/* Appends similar names that may have been intended. */
static void add_meant(struct strbuf *sb, const struct similar *similar)
{
	if (similar->name)
		strbuf_addf(sb, "; did you mean %s?", similar->name);
}

/* Reports that a type has no such item. */
static int report_no_item(const struct extraction *extraction, const struct selection_part *part,
		       const struct record_type *type)
{
	struct similar similar = { .wanted = part->item };
	struct strbuf meant = STRBUF_INIT;
	char *name = module_names_upper(type->name);
	int status;

	for (size_t i = 0; i < type->field_count; i++)
		similar_compare(&similar, type->fields[i].name);
	add_meant(&meant, &similar);
	status = message_sink_emit(extraction->sink, SEVERITY_ERROR, 3541,
				  "'%s.%s': records of %s have no item %s%s", part->record,
				  part->item, name, part->item, meant.text);
	strbuf_release(&meant);
	free(name);
	return status;
}

/* Reports that there are no such records; less severe if their module exists. */
static int report_no_record(const struct extraction *extraction, const struct selection_part *part,
			 const struct engine *modules, const struct registry *types,
			 const struct metrics *metrics)
{
	struct similar similar = { .wanted = part->record };
	struct strbuf meant = STRBUF_INIT;
	char *name = module_names_upper(part->record);
	int status;

	for (size_t i = 0; i < metrics_count(metrics); i++)
		similar_compare(&similar, metrics_get(metrics, i).class->name);
	for (size_t id = 0; id < types->count; id++)
		if (types->types[id])
			similar_compare(&similar, types->types[id]->name);
	add_meant(&meant, &similar);
	if (engine_module(modules, name))
		status = message_sink_emit(extraction->sink, SEVERITY_WARNING, 3542,
					  "%s has no records of %s", extraction->name, name);
	else
		status = message_sink_emit(extraction->sink, SEVERITY_ERROR, 3540,
					  "'%s' is neither a record of %s nor a "
					  "module%s", part->record,
					  extraction->name, meant.text);
	strbuf_release(&meant);
	free(name);
	return status;
}

/* Reports wrong names; returns the exit status. */
static int check_names(const struct extraction *extraction, const struct registry *types)
{
	struct engine *modules = engine_new(&session_records);
	struct metrics *metrics = metrics_offer(modules, NULL, NULL);
	int worst = EXIT_SUCCESS;

	for (size_t i = 0; metrics && i < extraction->selection.count; i++) {
		const struct selection_part *part = &extraction->selection.parts[i];
		const struct record_type *type = NULL;
		int status;

		if (part->known || part->optional)
			continue;
		for (size_t id = 0; id < types->count && !type; id++)
			if (types->types[id] &&
			    strcasecmp(types->types[id]->name, part->record) == 0)
				type = types->types[id];
		status = type ? report_no_item(extraction, part, type)
			      : report_no_record(extraction, part, modules, types, metrics);
		worst = status > worst ? status : worst;
	}
	engine_free(modules);
	metrics_free(metrics);
	return worst;
}

/* Reports an invalid request. */
#define say_wrong(extraction, ...) \
	(message_sink_emit((extraction)->sink, SEVERITY_ERROR, 3501, __VA_ARGS__), EXTRACT_WRONG)

/* Sets one end of the time range; returns the exit status. */
static int set_time(const struct extraction *extraction, const char *text,
		    const struct snapshot *first, uint64_t *time)
{
	if (!text)
		return EXIT_SUCCESS;
	if (*text != '+' && !first->wall)
		return message_sink_emit(extraction->sink, SEVERITY_ERROR, 3543,
					"the data set does not contain the time of day; expected "
					"+SECONDS from its first snapshot, not '%s'",
					text);
	if (!when_parse(text, time_range_place(first), time))
		return say_wrong(extraction, WHEN_WRONG, text);
	return EXIT_SUCCESS;
}

/* Sets the time range relative to the first snapshot; returns the exit status. */
static int set_range(struct extraction *extraction, const struct snapshot *first)
{
	struct time_range *range = &extraction->range;
	int status;

	*range = (struct time_range){ .to = UINT64_MAX, .selection = &extraction->selection };
	status = set_time(extraction, extraction->request->from, first, &range->from);
	if (status == EXIT_SUCCESS)
		status = set_time(extraction, extraction->request->to, first, &range->to);
	if (status == EXIT_SUCCESS && range->from > range->to)
		status = say_wrong(extraction, "the time to end is not after the time to begin");
	return status;
}

/* Returns whether a snapshot has records of modules. */
static bool has_metrics(const struct snapshot *snapshot)
{
	for (size_t id = RECORD_RUNTIME_FIRST; id < snapshot->set_count; id++)
		if (snapshot->sets[id] && snapshot->sets[id]->count)
			return true;
	return false;
}

/*
 * Reads until all given names are found, and decides what depends on them. Names
 * not found then are nowhere in the file. Returns the exit status;
 * (int)SEVERITY_WARNING: a name has no records.
 */
static int survey(struct extraction *extraction)
{
	struct selection *selection = &extraction->selection;
	struct error err = ERROR_INIT;
	struct engine *engine;
	bool all = false, session = false, first = true;
	int status = EXIT_SUCCESS, more;

	extraction->survey = true;
	engine = open_engine(extraction, &err);
	more = engine ? engine_start_extraction(engine, &err) : -1;
	while (more == 0 && status == EXIT_SUCCESS &&
	       !(all && (extraction->metrics || selection->count))) {
		more = engine_snapshot(engine, &err);
		if (more < 0)
			break;
		if (first)
			status = set_range(extraction, engine_current(engine));
		first = false;
		session = session ||
			  snapshot_records(engine_current(engine), RECORD_ATTRIBUTE)->count;
		extraction->metrics = extraction->metrics || has_metrics(engine_current(engine));
		all = selection_settle(selection, engine_types(engine));
	}
	if (more < 0)
		status = report_read_error(extraction, &err);
	else if (status == EXIT_SUCCESS && !all)
		status = check_names(extraction, engine_types(engine));
	/* For a session with metrics both are shown. */
	selection->built_in = session || !extraction->metrics;
	close_engine(extraction);
	error_release(&err);
	return status;
}

/* Reads everything with a prepared engine; -1 with err. */
static int read_all(struct extraction *extraction, struct engine *engine, struct error *err)
{
	int answer = engine_start_extraction(engine, err);

	RETURN_IF(answer < 0, -1);
	while (answer == 0 && !engine_is_halted(engine)) {
		answer = engine_extract_next(engine, err);
		hosted_count_snapshot(extraction->guests);
	}
	if (engine_finish(engine, answer < 0 ? NULL : err) < 0)
		answer = -1;
	return answer < 0 ? -1 : 0;
}

/* Extracts everything to a stream; -1 with err. */
static int extract(struct extraction *extraction, FILE *stream, struct error *err)
{
	struct error why = ERROR_INIT;
	struct engine *engine;
	int result = -1;

	extraction->survey = false;
	extraction->stream = stream;
	engine = open_engine(extraction, &why);
	extraction->once.works = true;
	if (engine)
		result = read_all(extraction, engine, &why);
	if (result < 0)
		error_set(err, "%s",
			  extraction->reader && extraction->reader->reason
				  ? extraction->reader->reason
				  : error_text(&why));
	error_release(&why);
	close_engine(extraction);
	return result;
}

/* Reports each line of a text as a warning; returns the exit status. */
static int report_lines(const struct extraction *extraction, const struct strbuf *lines,
		     unsigned number)
{
	const char *line = lines->text;
	size_t length;

	for (; *line; line += length + 1) {
		length = strcspn(line, "\n");
		message_sink_emit(extraction->sink, SEVERITY_WARNING, number, "%.*s", (int)length,
				 line);
	}
	return lines->length ? (int)SEVERITY_WARNING : EXIT_SUCCESS;
}

/* Reports what is missing; returns the exit status. */
static int report_missing(struct extraction *extraction)
{
	int status = report_lines(extraction, &extraction->stored.damage, 14);

	report_lines(extraction, &extraction->stored.disorder, 3698);
	if (extraction->is_monitor)
		monitor_files_read(&extraction->damage, &extraction->monitor);
	monitor_files_written(&extraction->form.monitor, extraction->sink);
	if (!extraction->range.passed)
		status = message_sink_emit(extraction->sink, SEVERITY_WARNING, 3544,
					  "%s has no snapshot of the requested time",
					  extraction->name);
	for (size_t i = 0; extraction->range.passed && i < extraction->selection.count; i++) {
		const struct selection_part *part = &extraction->selection.parts[i];

		if (part->known && !part->found && !part->optional)
			status = message_sink_emit(extraction->sink, SEVERITY_WARNING, 3542,
						  "%s has no records of %s", extraction->name,
						  part->record);
	}
	if (extraction->form.timeline.late)
		status = message_sink_emit(extraction->sink, SEVERITY_WARNING, 3505,
					  "%" PRIu64
					  " records have no column: they were not in the first "
					  "snapshot",
					  extraction->form.timeline.late);
	return status;
}

/* Extracts to a stream of the request; returns the exit status. */
static int write_stream(struct extraction *extraction, FILE *stream)
{
	struct error err = ERROR_INIT;
	int status = EXIT_SUCCESS;

	if (extract(extraction, stream, &err) < 0)
		status = message_sink_emit(extraction->sink, SEVERITY_ERROR, 31, "%s",
					  error_text(&err));
	else if (fflush(stream) != 0)
		status = message_sink_emit(extraction->sink, SEVERITY_ERROR, 31,
					  "cannot write the text: %s", strerror(errno));
	else
		status = report_missing(extraction);
	error_release(&err);
	return status;
}

/* Extracts to the requested output; returns the exit status. */
static int write_all(struct extraction *extraction)
{
	struct error err = ERROR_INIT;
	struct output output;
	int status = EXIT_SUCCESS;
	bool failed = true;

	signal(SIGPIPE, SIG_IGN);
	if (extraction->request->stream)
		return write_stream(extraction, extraction->request->stream);
	if (output_open(&output, extraction->request->output, &err) < 0) {
		status = message_sink_emit(extraction->sink, SEVERITY_ERROR, 31, "%s",
					  error_text(&err));
		error_release(&err);
		return status;
	}
	if (extract(extraction, output.stream, &err) < 0)
		output_abandon(&output);
	else
		failed = output_commit(&output, &err) < 0;
	if (failed)
		status = output_reader_gone(&output)
				 ? (int)SEVERITY_ERROR
				 : message_sink_emit(extraction->sink, SEVERITY_ERROR, 31, "%s",
						    error_text(&err));
	else
		status = report_missing(extraction);
	error_release(&err);
	return status;
}

/* Reports if CSV has no columns for the requested records; returns the exit status. */
static int check_form(const struct extraction *extraction)
{
	const struct selection *selection = &extraction->selection;

	if (!extraction->text || strcasecmp(extraction->text, "CSV") != 0)
		return EXIT_SUCCESS;
	if (!selection->count && !extraction->metrics)
		return message_sink_emit(
			extraction->sink, SEVERITY_ERROR, 3545,
			"%s has no system metrics, and CSV has no columns for other "
			"records; expected LIST, LISTALL or JSON",
			extraction->name);
	for (size_t i = 0; i < selection->count; i++)
		for (size_t id = 1; id < RECORD_ID_COUNT; id++)
			if (strcasecmp(record_types[id].name, selection->parts[i].record) == 0)
				return message_sink_emit(extraction->sink, SEVERITY_ERROR, 3545,
							"CSV has no columns for '%s', which is not "
							"a system metric; expected LIST, LISTALL "
							"or JSON",
							selection->parts[i].record);
	return EXIT_SUCCESS;
}

/* Extracts after the check of names; returns the exit status. */
static int extract_file(struct extraction *extraction)
{
	int worst = survey(extraction), status;

	if (worst == EXIT_SUCCESS || worst == (int)SEVERITY_WARNING) {
		status = check_form(extraction);
		if (status == EXIT_SUCCESS)
			status = write_all(extraction);
		worst = status > worst ? status : worst;
	}
	return worst;
}

/* Sets what shall be shown; returns the exit status. */
static int set_selection(struct extraction *extraction)
{
	const struct extract_request *request = extraction->request;

	for (size_t i = 0; i < request->path_count; i++)
		if (request->output && destination_same(request->output, request->paths[i]))
			return say_wrong(extraction, "%s is an input and would be overwritten",
					 request->paths[i]);
	for (size_t i = 0; i < request->record_count; i++)
		if (!selection_add(&extraction->selection, request->records[i]))
			return say_wrong(extraction, "'%s' names no records: RECORD or RECORD.ITEM",
					 request->records[i]);
	return EXIT_SUCCESS;
}

/* Extracts with third-party modules loaded; returns the exit status. */
static int extract_with_guests(struct extraction *extraction)
{
	const struct vigil_operation operation = { .size = sizeof(operation),
						   .operation = VIGIL_EXTRACTION };
	const char *text = extraction->request->text;

	if (!text) {
		hosted_prepare(extraction->guests, &operation);
		text = hosted_has(extraction->guests, VIGIL_CONSUMER) ? NULL : "LIST";
		close_engine(extraction);
	}
	extraction->text = text;
	return extract_file(extraction);
}

/* Determines whether the input is a MONWRITE file; returns the exit status. */
static int find_monitor(struct extraction *extraction)
{
	const struct extract_request *request = extraction->request;
	char *place = NULL;
	struct stat file;
	int status;

	for (size_t i = 0; request->path_count > 1 && i < request->path_count; i++)
		if (stat(request->paths[i], &file) == 0 && S_ISREG(file.st_mode) &&
		    monwrite_is(request->paths[i]))
			return say_wrong(extraction, "%s is a MONWRITE file, which must be the "
						     "only input",
					 request->paths[i]);
	if (request->path_count > 1)
		return EXIT_SUCCESS;
	status = monitor_files_place(request->paths[0], extraction->sink, &place);
	extraction->place = place;
	extraction->is_monitor = status == EXIT_SUCCESS && monwrite_is(place);
	return status;
}

int extract_run(const struct extract_request *request, const struct message_sink *sink)
{
	struct extraction extraction = {
		.request = request,
		.count = { .sink = sink },
		.stored = { .damage = STRBUF_INIT, .disorder = STRBUF_INIT },
		.name = request->path_count == 1 ? request->paths[0] : "the input"
	};
	struct message_sink counting = message_count_sink(&extraction.count);
	struct message_sink once = message_once_sink(&extraction.once);
	int status;

	extraction.sink = &counting;
	extraction.once.sink = &counting;
	status = set_selection(&extraction);
	if (status == EXIT_SUCCESS)
		status = find_monitor(&extraction);
	if (status == EXIT_SUCCESS) {
		extraction.guests = guests_load(&request->guests, &once);
		status = extraction.guests ? extract_with_guests(&extraction) : EXIT_SUCCESS;
	}
	vigil_engine_finish(extraction.guests);
	message_once_release(&extraction.once);
	strbuf_release(&extraction.stored.damage);
	strbuf_release(&extraction.stored.disorder);
	selection_release(&extraction.selection);
	free((void *)(uintptr_t)extraction.place);
	if (status == EXTRACT_WRONG)
		return status;
	return status > (int)extraction.count.worst ? status : (int)extraction.count.worst;
}
