/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a recording says of itself: its events (attributes) and its features (where, when and how
 * it was made, the build ids of the files that were executed). In a file they stand in the header
 * and behind the data; in a pipe they are records among the others, and features come last, so all
 * of it is known only when the recording was read once.
 *
 * Texts are the header's. What is damaged is left out.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_HEADER_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_HEADER_H

#include "common/error.h"
#include "common/idmap.h"
#include "common/strmap.h"

struct import_input;

#define PERF_BUILD_ID 20

/* An event, as it was asked for. */
struct perf_event {
	uint32_t type;
	uint64_t config;
	uint64_t period; /* or samples a second, see PERF_FLAG_FREQUENCY */
	uint64_t sample_type, read_format, flags, branch_type, user_registers;
	char *name; /* NULL: the recording does not tell */
};

/* The build id of a file. */
struct perf_build_id {
	uint64_t path; /* number in paths */
	unsigned char id[PERF_BUILD_ID];
	unsigned size;
	bool kernel; /* the kernel's, or a module's */
};

struct perf_header {
	bool pipe;
	uint64_t data, data_end; /* where records lie */
	bool cut;		 /* the file ends before its data do, or the header was never finished */
	struct perf_event *events;
	size_t event_count, event_alloc;
	struct idmap ids; /* an event's ids to its number */
	char *host, *release, *version, *arch, *cpu_model, *command;
	uint64_t cpus;	     /* 0: not known */
	uint64_t wall, when; /* the time of day (ns since 1970) at a time of the recording; 0 not known */
	struct perf_build_id *build_ids;
	size_t build_id_count, build_id_alloc;
	struct strmap paths;
};

void perf_header_init(struct perf_header *header);
void perf_header_release(struct perf_header *header);
/* Read the header. -1 when this is none, or one of a recording that cannot be read. */
int perf_header_read(struct perf_header *header, struct import_input *input, struct error *err);

/* Records of a pipe: an event, its name, a build id, a feature. Each false when it is damaged. */
bool perf_header_attribute(struct perf_header *header, const unsigned char *bytes, size_t size);
bool perf_header_update(struct perf_header *header, const unsigned char *bytes, size_t size);
bool perf_header_build_id(struct perf_header *header, unsigned misc, const unsigned char *bytes,
			  size_t size);
bool perf_header_feature(struct perf_header *header, uint64_t feature, const unsigned char *bytes,
			 size_t size);

/* What an event is called: its name, or its numbers; appended. */
struct strbuf;
void perf_event_name(const struct perf_event *event, struct strbuf *sb);

#endif
