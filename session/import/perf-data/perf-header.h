/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording's metadata: its events (attributes) and its features (where, when
 * and how it was made, the build ids of the executed files). In a file they are in
 * the header and after the data; in a pipe they are records among the others, and
 * features come last, so everything is known only after the recording was read
 * once.
 *
 * The header owns the texts. Damaged parts are skipped.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_HEADER_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_HEADER_H

#include "common/error.h"
#include "common/idmap.h"
#include "common/strmap.h"

struct import_input;

#define PERF_BUILD_ID 20

/* An event as requested. */
struct perf_event {
	uint32_t type;
	uint64_t config;
	uint64_t period; /* or samples per second, see PERF_FLAG_FREQUENCY */
	uint64_t sample_type, read_format, flags, branch_type, user_registers;
	char *name; /* NULL: not recorded */
};

/* The build id of a file. */
struct perf_build_id {
	uint64_t path; /* index in paths */
	unsigned char id[PERF_BUILD_ID];
	unsigned size;
	bool kernel; /* of the kernel or a module */
};

struct perf_header {
	bool pipe;
	uint64_t data, data_end; /* start and end of the records */
	bool truncated;		 /* the file ends before its data, or the header was never
				  * completed */
	struct perf_event *events;
	size_t event_count, event_alloc;
	struct idmap ids; /* ids of an event to its index */
	char *host, *release, *version, *arch, *cpu_model, *command;
	uint64_t cpus;	     /* 0: unknown */
	uint64_t wall, when; /* time of day (ns since 1970) at a time of the recording; 0:
			      * unknown */
	struct perf_build_id *build_ids;
	size_t build_id_count, build_id_alloc;
	struct strmap paths;
};

void perf_header_init(struct perf_header *header);
void perf_header_release(struct perf_header *header);
/* Reads the header. -1 if it is none, or of an unsupported recording. */
int perf_header_read(struct perf_header *header, struct import_input *input, struct error *err);

/*
 * Add header records of a pipe: an event, its name, a build id, a feature. Each
 * returns false if it is damaged.
 */
bool perf_header_attribute(struct perf_header *header, const unsigned char *bytes, size_t size);
bool perf_header_update(struct perf_header *header, const unsigned char *bytes, size_t size);
bool perf_header_build_id(struct perf_header *header, unsigned misc, const unsigned char *bytes,
			  size_t size);
bool perf_header_feature(struct perf_header *header, uint64_t feature, const unsigned char *bytes,
			 size_t size);

/* Appends the name of an event, or its numbers. */
struct strbuf;
void perf_event_name(const struct perf_event *event, struct strbuf *sb);

#endif
