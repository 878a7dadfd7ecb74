/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file format of perf record, according to
 * tools/perf/Documentation/perf.data-file-format.txt and linux/perf_event.h. A
 * file has a header with the positions of attributes (events), data (records) and
 * features; one that was written to a pipe is a header of two words followed only
 * by records. Constants here are those of the format, not from this machine's
 * headers, which may be older than the recording.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_FORMAT_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_FORMAT_H

#include "common/compat.h"

#define PERF_MAGIC UINT64_C(0x32454c4946524550)	 /* "PERFILE2", in the byte order of the
						  * recording */
#define PERF_SWAPPED UINT64_C(0x50455246494c4532) /* the same, recorded in the opposite byte
						   * order */
#define PERF_PIPE_HEADER 16
#define PERF_FILE_HEADER 104

/* Records of the kernel. */
enum perf_record_type {
	PERF_KERNEL_MMAP = 1,
	PERF_KERNEL_LOST = 2,
	PERF_KERNEL_COMM = 3,
	PERF_KERNEL_EXIT = 4,
	PERF_KERNEL_THROTTLE = 5,
	PERF_KERNEL_FORK = 7,
	PERF_KERNEL_SAMPLE = 9,
	PERF_KERNEL_MMAP2 = 10,
	PERF_KERNEL_AUX = 11,
	PERF_KERNEL_LOST_SAMPLES = 13,
	PERF_KERNEL_SWITCH = 14,
	PERF_KERNEL_SWITCH_CPU_WIDE = 15,
	/* Of perf itself. */
	PERF_TOOL_ATTR = 64,
	PERF_TOOL_TRACING_DATA = 66,
	PERF_TOOL_BUILD_ID = 67,
	PERF_TOOL_FINISHED_ROUND = 68,
	PERF_TOOL_AUXTRACE_INFO = 70,
	PERF_TOOL_AUXTRACE = 71,
	PERF_TOOL_EVENT_UPDATE = 78,
	PERF_TOOL_FEATURE = 80,
	PERF_TOOL_COMPRESSED = 81,
	PERF_TOOL_COMPRESSED2 = 83,
	PERF_TOOL_END = 128, /* above all record types of perf */
};

/* Bits of a record's misc. */
#define PERF_MISC_MODE 7U
#define PERF_MISC_KERNEL 1U
#define PERF_MISC_USER 2U
#define PERF_MISC_GUEST_KERNEL 4U
#define PERF_MISC_GUEST_USER 5U
#define PERF_MISC_DATA (1U << 13)	  /* of MMAP: not executable */
#define PERF_MISC_COMM_EXEC (1U << 13)	  /* of COMM */
#define PERF_MISC_SWITCH_OUT (1U << 13)	  /* of SWITCH */
#define PERF_MISC_PREEMPTED (1U << 14)	  /* of SWITCH out */
#define PERF_MISC_BUILD_ID (1U << 14)	  /* of MMAP2 */
#define PERF_MISC_BUILD_ID_SIZE (1U << 15) /* of perf's BUILD_ID */

/* Bits of sample_type: the fields of samples, in the order in which they appear. */
enum perf_sample_field {
	PERF_HAS_IP = 1U << 0,
	PERF_HAS_TID = 1U << 1,
	PERF_HAS_TIME = 1U << 2,
	PERF_HAS_ADDR = 1U << 3,
	PERF_HAS_READ = 1U << 4,
	PERF_HAS_CALLCHAIN = 1U << 5,
	PERF_HAS_ID = 1U << 6,
	PERF_HAS_CPU = 1U << 7,
	PERF_HAS_PERIOD = 1U << 8,
	PERF_HAS_STREAM_ID = 1U << 9,
	PERF_HAS_RAW = 1U << 10,
	PERF_HAS_BRANCH_STACK = 1U << 11,
	PERF_HAS_REGS_USER = 1U << 12,
	PERF_HAS_STACK_USER = 1U << 13,
	PERF_HAS_IDENTIFIER = 1U << 16,
};

/* Bits of read_format. */
#define PERF_READ_TIME_ENABLED 1U
#define PERF_READ_TIME_RUNNING 2U
#define PERF_READ_ID 4U
#define PERF_READ_GROUP 8U
#define PERF_READ_LOST 16U

/* Bits of branch_sample_type that add to a branch stack. */
#define PERF_BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define PERF_BRANCH_COUNTERS (UINT64_C(1) << 19)

/* Bits of an attribute's flags. */
#define PERF_FLAG_INHERIT (UINT64_C(1) << 1)
#define PERF_FLAG_EXCLUDE_USER (UINT64_C(1) << 4)
#define PERF_FLAG_EXCLUDE_KERNEL (UINT64_C(1) << 5)
#define PERF_FLAG_FREQUENCY (UINT64_C(1) << 10)
#define PERF_FLAG_ON_EXEC (UINT64_C(1) << 12) /* of a command started by perf */
#define PERF_FLAG_SAMPLE_ID_ALL (UINT64_C(1) << 18)
#define PERF_FLAG_CONTEXT_SWITCH (UINT64_C(1) << 26)

/* Types of events, and the configurations that measure time. */
#define PERF_EVENT_HARDWARE 0
#define PERF_EVENT_SOFTWARE 1
#define PERF_EVENT_TRACEPOINT 2
#define PERF_HARDWARE_CYCLES 0
#define PERF_SOFTWARE_CPU_CLOCK 0
#define PERF_SOFTWARE_TASK_CLOCK 1

/* Values from here on in a call chain give the context of the following addresses. */
#define PERF_CHAIN_CONTEXT ((uint64_t)-4095)
#define PERF_CHAIN_KERNEL ((uint64_t)-128)
#define PERF_CHAIN_USER ((uint64_t)-512)

/* Features: bits of the header, and numbers of FEATURE records. */
enum perf_feature {
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_OS_RELEASE = 4,
	PERF_FEATURE_VERSION = 5,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_CPUS = 7,
	PERF_FEATURE_CPU_MODEL = 8,
	PERF_FEATURE_COMMAND = 11,
	PERF_FEATURE_EVENTS = 12,
	PERF_FEATURE_COMPRESSED = 27,
	PERF_FEATURE_CLOCK = 29,
	PERF_FEATURES = 256,
};

#endif
