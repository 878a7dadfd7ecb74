/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One record of a recording, taken apart. Of a sample every field is passed that sample_type
 * names, in any combination; branches and what read_format gives are passed over.
 *
 * Pointers lead into the bytes of the record, which begin at a multiple of 8, and hold as long as
 * these do.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_RECORD_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_RECORD_H

#include "session/import/perf-data/perf-format.h"
#include "session/import/perf-data/perf-header.h"

#define PERF_NO_EVENT SIZE_MAX
#define PERF_NO_CPU UINT32_MAX
#define PERF_REGISTERS 64

struct perf_record {
	unsigned type; /* enum perf_record_type */
	unsigned misc;
	uint64_t place; /* in the file, for messages */
	size_t event;	/* whose record it is; PERF_NO_EVENT: the recording does not tell */
	bool has_time, has_task;
	uint64_t time; /* ns of the recording's clock */
	uint32_t pid, tid, cpu;
	union {
		struct perf_sample {
			uint64_t address, period;
			bool has_period;
			const uint64_t *chain; /* innermost first, with contexts; NULL: none */
			size_t chain_length;
			const unsigned char *raw;
			size_t raw_size;
			uint64_t abi; /* of the registers: 0 there are none, 1 32 bits, 2 64 bits */
			uint64_t mask; /* which */
			const uint64_t *registers;
			const unsigned char *stack;
			size_t stack_size;
		} sample;
		struct perf_map {
			uint32_t pid; /* (uint32_t)-1: of the kernel */
			uint64_t start, length, offset;
			uint32_t major, minor;
			uint64_t inode, generation;
			unsigned char build_id[PERF_BUILD_ID];
			unsigned build_id_size; /* 0: it tells the inode instead, or nothing */
			bool executable;
			const char *path;
		} map;
		struct {
			uint32_t pid, tid;
			const char *name;
		} comm;
		struct {
			uint32_t pid, parent_pid, tid, parent_tid;
			uint64_t time;
		} fork; /* EXIT, too */
		struct {
			uint32_t pid, tid; /* CPU_WIDE: of the other task */
		} change;
		uint64_t lost;
	};
};

/*
 * Take a record of size bytes apart. False when it is damaged. A type that is not known gives no
 * more than its number.
 */
bool perf_record_read(struct perf_record *record, const struct perf_header *header,
		      const unsigned char *bytes, size_t size);
/* Only when the record was made; false when it does not tell. */
bool perf_record_time(const struct perf_header *header, const unsigned char *bytes, size_t size,
		      uint64_t *time);

#endif
