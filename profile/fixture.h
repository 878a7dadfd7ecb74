/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synthetic sessions for tests and benchmarks: records are added to one
 * snapshot at a time, which is consolidated (or written to a data set) and
 * is then empty again. All content is fixed, so listings can be compared.
 */
#ifndef VIGIL_PROFILE_FIXTURE_H
#define VIGIL_PROFILE_FIXTURE_H

#include "engine/dataset.h"
#include "profile/consolidation.h"
#include "records/record-types.h"

struct fixture {
	struct consolidation *consolidation; /* of the snapshots ended so far */
	struct strmap strings;
	struct registry types;
	struct snapshot snapshot;
	struct dataset_writer *writer; /* gets the snapshots that are ended, too; NULL none */
	struct error *writer_error;    /* why it could not take one */
	uint64_t time; /* end of the snapshot being filled, ns monotonic */
	uint64_t frames, stacks, objects, entries; /* ids given out so far */
	uint64_t taken;				   /* samples added so far */
	const char *line_file; /* of the next frames' lines; NULL: /src/SECTION */
};

void fixture_init(struct fixture *fixture);
void fixture_release(struct fixture *fixture);
/* Release the fixture and give the profile of its snapshots. */
struct profile *fixture_end(struct fixture *fixture);
/* Add a record of a type to the snapshot. */
void fixture_add(struct fixture *fixture, unsigned type, const void *record);
uint64_t fixture_string(struct fixture *fixture, const char *text);
void fixture_attribute(struct fixture *fixture, const char *key, const char *value);
void fixture_number(struct fixture *fixture, const char *key, uint64_t value);
/* Each returns the new id. */
uint64_t fixture_object(struct fixture *fixture, enum object_kind kind, const char *path,
			const char *note);
/* A frame with a name; procedure NULL: without one. */
uint64_t fixture_frame(struct fixture *fixture, uint64_t object, uint64_t offset,
		       const char *section, const char *procedure, uint64_t line, const char *text);
/* A place in a module that a data collector named. */
uint64_t fixture_place(struct fixture *fixture, uint64_t object, const char *section,
		       const char *procedure, uint64_t line, const char *language,
		       const char *text);
/* Modules with a prefix belong to a collector's pseudo-section. */
void fixture_pseudo_section(struct fixture *fixture, uint64_t collector, const char *prefix,
			    const char *section);
uint64_t fixture_stack(struct fixture *fixture, uint64_t parent, uint64_t frame);
void fixture_samples(struct fixture *fixture, uint64_t count, uint64_t stack, uint64_t task,
		     uint64_t flags, uint64_t transaction);
/* Consolidate the snapshot and begin the next, a second later. */
void fixture_end_snapshot(struct fixture *fixture);
/* The same, but write it to a data set; the writer was made with the fixture's strings. */
int fixture_write_snapshot(struct fixture *fixture, struct dataset_writer *writer,
			   struct error *err);

/* Build the session "events": records of events, and no samples. */
void fixture_events(struct fixture *fixture);
/* Build the session "coverage": programs with statements and places; "odd-paths": the same with
   names of files that foreign forms must write in their own way. */
void fixture_coverage(struct fixture *fixture);
void fixture_coverage_odd_paths(struct fixture *fixture);
/* Build the session "activity": a step, and what the whole machine did meanwhile. */
void fixture_system(struct fixture *fixture);
/* Add a record of system metrics, of a type with so many fields of 8 bytes (9 at most). */
void fixture_system_add(struct fixture *fixture, const char *name, const struct field *fields,
			size_t count, const uint64_t *values);
/* A whole session by name; NULL when there is none of that name. */
struct profile *fixture_profile(const char *name);
/* Write a whole session by name to a data set; -1 with err when that cannot be. */
int fixture_write(const char *name, const char *path, struct error *err);
/* The names, NULL-ended. */
extern const char *const fixture_names[];

#endif
