/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a data set with events into one with sums. */
#include "common/compat.h"
#include "events/event-data-set.h"
#include "common/destination.h"
#include "engine/dataset.h"
#include "events/event-consolidate.h"
#include "records/record-types.h"

#include <sys/stat.h>
#include <unistd.h>

void event_data_set_name(struct strbuf *sb, const char *path)
{
	size_t length = strlen(path), suffix = strlen(EVENT_DATA_SET_SUFFIX);

	if (length > suffix && strcmp(path + length - suffix, EVENT_DATA_SET_SUFFIX) == 0)
		length -= suffix;
	strbuf_add(sb, path, length);
	strbuf_addstr(sb, EVENT_CONSOLIDATED_SUFFIX);
}

/* Reads, consolidates and writes; err has the reason of a failure from the module. */
static int run(struct dataset_extractor *from, struct event_consolidate *consolidate,
	       struct dataset_consumer *to, struct error *err)
{
	struct engine *engine = engine_new(&session_records);
	const struct module *reader = engine_add(engine, &dataset_extractor_class, from, err);
	const struct module *writer = NULL;
	struct error why = ERROR_INIT;
	int result = -1;

	if (reader && engine_add(engine, &event_consolidate_class, consolidate, err))
		writer = engine_add(engine, &dataset_consumer_class, to, err);
	if (writer) {
		result = engine_extract(engine, &why);
		if (result < 0)
			error_set(err, "%s",
				  reader->reason   ? reader->reason
				  : writer->reason ? writer->reason
						   : error_text(&why));
	}
	engine_free(engine);
	error_release(&why);
	return result;
}

static uint64_t file_size(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* Makes the new data set at draft. */
static int make(const char *from, const char *draft, struct consolidation_result *result,
		struct error *err)
{
	struct event_consolidate consolidate = { .drop = true, .at_end = true };
	struct dataset_extractor extractor = { .path = from };
	struct dataset_consumer consumer = { .path = draft };

	RETURN_IF(run(&extractor, &consolidate, &consumer, err) < 0, -1);
	result->events = consolidate.events;
	result->sums = consolidate.made;
	result->bytes_from = extractor.status.bytes;
	result->bytes_to = file_size(draft);
	dataset_describe_damage(&extractor.status, &result->damage);
	/* In a damaged one the events may be what is missing: the rest is kept. */
	if (result->events || result->damage.length)
		return 0;
	if (!result->sums)
		return error_set(err, "%s has no events", from);
	return error_set(err, "%s is consolidated already", from);
}

/* Checks whether the new data set may be written to its path; gets the path's description. */
static int check_place(const char *from, const char *to, bool replace, struct destination *place,
		       struct error *err)
{
	RETURN_IF(destination_find(place, to, err) < 0, -1);
	if (place->kind != DESTINATION_NEW && place->kind != DESTINATION_FILE)
		return error_set(err, "%s is not a regular file", to);
	if (destination_same(from, to))
		return error_set(err, "%s is the data set to be consolidated", to);
	if (place->kind == DESTINATION_FILE && !replace)
		return error_set(err, "%s already exists; REPLACE was not specified", to);
	return 0;
}

int event_data_set_consolidate(const char *from, const char *to, bool replace,
			       struct consolidation_result *result, struct error *err)
{
	struct strbuf draft = STRBUF_INIT;
	struct destination place;
	int made;

	memset(result, 0, sizeof(*result));
	strbuf_init(&result->damage);
	made = check_place(from, to, replace, &place, err);
	if (made == 0) {
		/*
		 * The draft of a killed process is removed by the next writer of a data set there.
		 */
		strbuf_addf(&draft, "%s.%ld-9999", place.path, (long)getpid());
		made = make(from, draft.text, result, err);
		if (made == 0 && place.mode)
			chmod(draft.text, place.mode);
		if (made == 0 && rename(draft.text, place.path) < 0)
			made = error_errno(err, "cannot put %s in place", to);
		if (made < 0)
			unlink(draft.text);
	}
	destination_release(&place);
	strbuf_release(&draft);
	if (made < 0)
		strbuf_release(&result->damage);
	return made;
}
