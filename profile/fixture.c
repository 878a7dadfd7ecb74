/* SPDX-License-Identifier: Apache-2.0 */
/* Builds synthetic sessions record by record. */
#include "common/compat.h"
#include "profile/fixture.h"
#include "common/clock.h"
#include "records/record-types.h"

void fixture_init(struct fixture *fixture)
{
	memset(fixture, 0, sizeof(*fixture));
	strmap_init(&fixture->strings);
	strmap_put(&fixture->strings, "");
	registry_init(&fixture->types, &session_records);
	snapshot_init(&fixture->snapshot, &fixture->types);
	fixture->time = 1000 * NSEC_PER_SEC;
	fixture->consolidation = consolidation_new();
	consolidation_keep_course(fixture->consolidation, COURSE_WHOLE);
}

void fixture_release(struct fixture *fixture)
{
	snapshot_release(&fixture->snapshot);
	registry_release(&fixture->types);
	strmap_release(&fixture->strings);
	consolidation_free(fixture->consolidation);
}

struct profile *fixture_end(struct fixture *fixture)
{
	struct profile *profile = consolidation_end(fixture->consolidation);

	fixture->consolidation = NULL;
	fixture_release(fixture);
	return profile;
}

void fixture_add(struct fixture *fixture, unsigned id, const void *record)
{
	recordset_add(snapshot_set(&fixture->snapshot, id), record);
}

uint64_t fixture_string(struct fixture *fixture, const char *text)
{
	return strmap_put(&fixture->strings, text);
}

void fixture_attribute(struct fixture *fixture, const char *key, const char *value)
{
	struct record_attribute attribute = { fixture_string(fixture, key),
					      fixture_string(fixture, value) };

	fixture_add(fixture, RECORD_ATTRIBUTE, &attribute);
}

void fixture_number(struct fixture *fixture, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	fixture_attribute(fixture, key, text);
}

uint64_t fixture_object(struct fixture *fixture, enum object_kind kind, const char *path,
			const char *note)
{
	struct record_object object = { .object = ++fixture->objects,
					.kind = kind,
					.path = fixture_string(fixture, path),
					.note = fixture_string(fixture, note) };

	fixture_add(fixture, RECORD_OBJECT, &object);
	return object.object;
}

static const char *language_of(const char *section)
{
	return strstr(section, ".cob") ? "COBOL" : strstr(section, ".cpp") ? "C++" : "C";
}

uint64_t fixture_frame(struct fixture *fixture, uint64_t object, uint64_t offset,
		       const char *section, const char *procedure, uint64_t line, const char *text)
{
	struct record_frame frame = { ++fixture->frames, object, offset };
	struct record_name name = { .frame = frame.frame };
	struct strbuf file = STRBUF_INIT;

	fixture_add(fixture, RECORD_FRAME, &frame);
	if (!procedure)
		return frame.frame;
	name.section = fixture_string(fixture, section);
	name.procedure = fixture_string(fixture, procedure);
	name.start = offset & ~UINT64_C(0xff);
	name.size = 0x100;
	name.line = line;
	name.text = fixture_string(fixture, text);
	if (line && *section)
		strbuf_addf(&file, "/src/%s", section);
	name.file = fixture_string(fixture, fixture->line_file ? fixture->line_file : file.text);
	name.language = fixture_string(fixture, language_of(section));
	fixture_add(fixture, RECORD_NAME, &name);
	strbuf_release(&file);
	return frame.frame;
}

uint64_t fixture_place(struct fixture *fixture, uint64_t object, const char *section,
		       const char *procedure, uint64_t line, const char *language, const char *text)
{
	struct record_frame frame = { ++fixture->frames, object,
				      FRAME_PLACES_FIRST + fixture->frames };
	struct record_name name = { .frame = frame.frame,
				    .section = fixture_string(fixture, section),
				    .procedure = fixture_string(fixture, procedure),
				    .line = line,
				    .language = fixture_string(fixture, language),
				    .text = fixture_string(fixture, text) };

	fixture_add(fixture, RECORD_FRAME, &frame);
	fixture_add(fixture, RECORD_NAME, &name);
	return frame.frame;
}

void fixture_pseudo_section(struct fixture *fixture, uint64_t collector, const char *prefix,
			    const char *section)
{
	struct record_pseudo_section entry = { ++fixture->entries, collector,
					       fixture_string(fixture, prefix),
					       fixture_string(fixture, section) };

	fixture_add(fixture, RECORD_PSEUDO_SECTION, &entry);
}

uint64_t fixture_stack(struct fixture *fixture, uint64_t parent, uint64_t frame)
{
	struct record_stack stack = { ++fixture->stacks, parent, frame, 0 };

	fixture_add(fixture, RECORD_STACK, &stack);
	return stack.stack;
}

void fixture_samples(struct fixture *fixture, uint64_t count, uint64_t stack, uint64_t task,
		     uint64_t flags, uint64_t transaction)
{
	struct record_sample sample = { .task = task,
					.stack = stack,
					.kind = SAMPLE_USER,
					.flags = flags,
					.transaction = transaction };

	for (uint64_t i = 0; i < count; i++) {
		sample.time = fixture->time - NSEC_PER_SEC + (i + 1) * NSEC_PER_SEC / (count + 1);
		fixture_add(fixture, RECORD_SAMPLE, &sample);
	}
	fixture->taken += count;
}

/* Sets number and time of the snapshot. */
static void close_snapshot(struct fixture *fixture)
{
	fixture->snapshot.sequence++;
	fixture->snapshot.time = fixture->time;
}

static void next_snapshot(struct fixture *fixture)
{
	snapshot_clear(&fixture->snapshot);
	fixture->time += NSEC_PER_SEC;
}

void fixture_end_snapshot(struct fixture *fixture)
{
	close_snapshot(fixture);
	/* A writer that has failed reports it again at its end. */
	if (fixture->writer)
		dataset_write(fixture->writer, &fixture->snapshot, fixture->writer_error);
	consolidation_take(fixture->consolidation, &fixture->snapshot, &fixture->strings);
	next_snapshot(fixture);
}

int fixture_write_snapshot(struct fixture *fixture, struct dataset_writer *writer,
			   struct error *err)
{
	int result;

	close_snapshot(fixture);
	result = dataset_write(writer, &fixture->snapshot, err);
	next_snapshot(fixture);
	return result;
}
