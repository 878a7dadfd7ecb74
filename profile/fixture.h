/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synthetic sessions for tests and benchmarks: records are added to one snapshot,
 * which is consolidated (or written to a data set) and then starts empty again.
 * All content is fixed, so listings can be compared.
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
	struct dataset_writer *writer; /* also gets the snapshots that are ended; NULL: none */
	struct error *writer_error;    /* why the writer failed */
	uint64_t time; /* end of the snapshot being filled, ns monotonic */
	uint64_t frames, stacks, objects, entries; /* last ids assigned */
	uint64_t taken;				   /* samples added so far */
	const char *line_file; /* of the next frames' lines; NULL: /src/SECTION */
};

void fixture_init(struct fixture *fixture);
void fixture_release(struct fixture *fixture);
/* Releases the fixture and returns the profile of its snapshots. */
struct profile *fixture_end(struct fixture *fixture);
/* Adds a record of a type to the snapshot. */
void fixture_add(struct fixture *fixture, unsigned type, const void *record);
uint64_t fixture_string(struct fixture *fixture, const char *text);
void fixture_attribute(struct fixture *fixture, const char *key, const char *value);
void fixture_number(struct fixture *fixture, const char *key, uint64_t value);
/* Each of these adds a record and returns its new id. */
uint64_t fixture_object(struct fixture *fixture, enum object_kind kind, const char *path,
			const char *note);
/* Adds a frame with a name; procedure NULL: without one. */
uint64_t fixture_frame(struct fixture *fixture, uint64_t object, uint64_t offset,
		       const char *section, const char *procedure, uint64_t line, const char *text);
/* Adds a place in a module that a data collector named. */
uint64_t fixture_place(struct fixture *fixture, uint64_t object, const char *section,
		       const char *procedure, uint64_t line, const char *language,
		       const char *text);
/* Adds a pseudo-section: modules with a prefix belong to a collector's pseudo-section. */
void fixture_pseudo_section(struct fixture *fixture, uint64_t collector, const char *prefix,
			    const char *section);
uint64_t fixture_stack(struct fixture *fixture, uint64_t parent, uint64_t frame);
void fixture_samples(struct fixture *fixture, uint64_t count, uint64_t stack, uint64_t task,
		     uint64_t flags, uint64_t transaction);
/* Consolidates the snapshot and begins the next, one second later. */
void fixture_end_snapshot(struct fixture *fixture);
/* The same, but writes it to a data set; the writer was made with the fixture's strings. */
int fixture_write_snapshot(struct fixture *fixture, struct dataset_writer *writer,
			   struct error *err);

/* Builds the session "events": records of events, and no samples. */
void fixture_events(struct fixture *fixture);
/*
 * Builds the session "coverage": programs with statements and places; "odd-paths":
 * the same with file names that other formats must escape.
 */
void fixture_coverage(struct fixture *fixture);
void fixture_coverage_odd_paths(struct fixture *fixture);
/* Builds the session "activity": a step, and what the whole machine did meanwhile. */
void fixture_system(struct fixture *fixture);
/* Adds a record of system metrics, of a type with this many fields of 8 bytes (at most 9). */
void fixture_system_add(struct fixture *fixture, const char *name, const struct field *fields,
			size_t count, const uint64_t *values);
/* Returns a whole session by name; NULL if the name is unknown. */
struct profile *fixture_profile(const char *name);
/* Writes a whole session by name to a data set; returns -1 with err on failure. */
int fixture_write(const char *name, const char *path, struct error *err);
/* All session names, NULL-terminated. */
extern const char *const fixture_names[];

#endif
