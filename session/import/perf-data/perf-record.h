/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes one record of a recording. Decoding handles every combination of fields
 * that sample_type names; branches and read_format values are skipped.
 *
 * Pointers refer to the bytes of the record, which are aligned to 8, and are valid
 * as long as these.
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
	uint64_t place; /* offset in the file, for messages */
	size_t event;	/* the record's event; PERF_NO_EVENT: unknown */
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
			uint64_t abi; /* of the registers: 0: none, 1: 32 bits, 2: 64 bits */
			uint64_t mask; /* which registers */
			const uint64_t *registers;
			const unsigned char *stack;
			size_t stack_size;
		} sample;
		struct perf_map {
			uint32_t pid; /* (uint32_t)-1: the kernel */
			uint64_t start, length, offset;
			uint32_t major, minor;
			uint64_t inode, generation;
			unsigned char build_id[PERF_BUILD_ID];
			unsigned build_id_size; /* 0: the record has the inode instead, or
						 * nothing */
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
		} fork; /* also EXIT */
		struct {
			uint32_t pid, tid; /* CPU_WIDE: of the other task */
		} change;
		uint64_t lost;
	};
};

/*
 * Decodes a record of size bytes. False if it is damaged. For an unknown type only
 * its number is set.
 */
bool perf_record_read(struct perf_record *record, const struct perf_header *header,
		      const unsigned char *bytes, size_t size);
/* Reads only the time of a record; false if it has none. */
bool perf_record_time(const struct perf_header *header, const unsigned char *bytes, size_t size,
		      uint64_t *time);

#endif
