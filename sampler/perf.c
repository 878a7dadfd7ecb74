/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and reads the kernel's performance events. */
#include "common/compat.h"
#include "sampler/perf.h"
#include "common/xalloc.h"
#include "program/unwind/arch.h"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RING_MAX (2u << 20)
#define RING_MIN (64u << 10)
#define RINGS_TOTAL (64u << 20)
/* Short tasks have shallow stacks, and finer samples are many. */
#define STACK_CAPTURED_FINER 2048
#define STACK_CAPTURED 8192
/* So many descriptors are left for other things than page faults. */
#define SPARE_DESCRIPTORS 256
#define RETURN_AFTER (32u << 10) /* bytes read before their room is given back */

/* What stands at the end of every record but a sample. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint64_t stream;
};

/* What a sample begins with. */
struct sample_head {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t stream;
	uint64_t period;
};

/* The system call, for which the C library has no function. */
static int event_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* What owner and task events have in common. */
static void attr_base(const struct perf *perf, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->exclude_kernel = !perf->kernel;
	attr->exclude_hv = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->sample_id_all = 1;
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_REGS_USER |
			    PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = arch_register_mask;
	attr->sample_stack_user = STACK_CAPTURED;
	if (perf->kernel) {
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr->exclude_callchain_user = 1;
	}
}

/* The event on the step's tasks. */
static void attr_task(const struct perf *perf, struct perf_event_attr *attr, bool on_exec)
{
	attr_base(perf, attr);
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->sample_period = perf->period;
	attr->inherit = 1;
	attr->disabled = on_exec;
	attr->enable_on_exec = on_exec;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->context_switch = 1;
	attr->wakeup_events = perf->wake_each_sample;
}

/* The event whose ring the others write into. */
static int open_owner(const struct perf *perf, int cpu, size_t ring_size)
{
	struct perf_event_attr attr;

	attr_base(perf, &attr);
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.disabled = 1;
	attr.watermark = 1;
	attr.wakeup_watermark = (uint32_t)(ring_size / 4);
	return event_open(&attr, 0, cpu);
}

/* Give the rings back. */
static void close_rings(struct perf *perf)
{
	for (size_t i = 0; i < perf->cpu_count; i++) {
		ring_unmap(&perf->cpus[i].ring);
		close(perf->cpus[i].fd);
	}
	free(perf->cpus);
	perf->cpus = NULL;
	perf->cpu_count = 0;
}

/* Whether an error means that the kernel does not want this, so that less may be granted. */
static bool is_refusal(int error)
{
	return error == EACCES || error == EPERM || error == ENOSYS || error == EOPNOTSUPP ||
	       error == ENOENT || error == EINVAL;
}

/* Make a ring of a size on each processor; false with errno when one cannot be had. */
static bool open_rings(struct perf *perf, size_t ring_size)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);

	perf->cpus = xcalloc(count > 0 ? (size_t)count : 1, sizeof(*perf->cpus));
	for (int cpu = 0; cpu < count; cpu++) {
		struct perf_cpu *one = &perf->cpus[perf->cpu_count];

		one->cpu = cpu;
		one->fd = open_owner(perf, cpu, ring_size);
		if (one->fd < 0 && errno == ENODEV)
			continue; /* off line */
		RETURN_IF(one->fd < 0, false);
		perf->cpu_count++;
		RETURN_IF(!ring_map(&one->ring, one->fd, ring_size), false);
	}
	errno = ENODEV;
	return perf->cpu_count > 0;
}

enum perf_result perf_init(struct perf *perf, bool kernel, uint64_t period, struct error *err)
{
	size_t size = RING_MAX;
	long processors = sysconf(_SC_NPROCESSORS_CONF);

	memset(perf, 0, sizeof(*perf));
	perf->open = true;
	idmap_init(&perf->roots);
	idmap_init(&perf->finer_ids);
	idmap_init(&perf->fault_ids);
	perf->kernel = kernel;
	perf->period = period;
	while (size > RING_MIN && size * (size_t)processors > RINGS_TOTAL)
		size /= 2;
	for (; size >= RING_MIN; size /= 2) {
		if (open_rings(perf, size)) {
			perf->ring_size = size;
			return PERF_OK;
		}
		int reason = errno;
		bool opened = perf->cpu_count > 0;

		close_rings(perf);
		errno = reason;
		if (!opened)
			break; /* the size is not the reason */
	}
	error_errno(err, kernel ? "the kernel may not be sampled"
				: "the kernel's performance events cannot be used");
	return is_refusal(errno) || errno == ENOMEM ? PERF_REFUSED : PERF_FAILED;
}

/* Stop reporting page faults. Records of them may still lie in the rings, and stay known. */
static void end_faults(struct perf *perf)
{
	for (size_t i = 0; i < perf->fault_count; i++)
		close(perf->faults[i]);
	perf->fault_count = 0;
	perf->no_faults = true;
}

void perf_release(struct perf *perf)
{
	perf_end_finer(perf);
	free(perf->finer);
	for (size_t i = 0; i < perf->event_count; i++)
		close(perf->events[i]);
	free(perf->events);
	end_faults(perf);
	free(perf->faults);
	close_rings(perf);
	idmap_release(&perf->roots);
	idmap_release(&perf->finer_ids);
	idmap_release(&perf->fault_ids);
	memset(perf, 0, sizeof(*perf));
}

/* Many tasks need many descriptors: take what the hard limit allows. */
static bool raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* Open an event on a task that writes into the ring of a processor; its number goes into ids. */
static int open_into(struct perf_event_attr *attr, pid_t tid, const struct perf_cpu *cpu,
		     struct idmap *ids)
{
	uint64_t id;
	int fd = event_open(attr, tid, cpu->cpu);

	if (fd < 0 && errno == EMFILE && raise_descriptor_limit())
		fd = event_open(attr, tid, cpu->cpu);
	RETURN_IF(fd < 0, -1);
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->fd) < 0) {
		close(fd);
		return -1;
	}
	if (ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0)
		idmap_put(ids, id, 1);
	return fd;
}

/* Observe a task on one processor. */
static int observe_on(struct perf *perf, pid_t tid, const struct perf_cpu *cpu, bool on_exec)
{
	struct perf_event_attr attr;
	int fd;

	attr_task(perf, &attr, on_exec);
	fd = open_into(&attr, tid, cpu, &perf->roots);
	if (fd < 0 && errno == EMFILE && perf->fault_count) {
		end_faults(perf);
		fd = open_into(&attr, tid, cpu, &perf->roots);
	}
	RETURN_IF(fd < 0, -1);
	GROW(perf->events, perf->event_count + 1, perf->event_alloc);
	perf->events[perf->event_count++] = fd;
	return fd;
}

/* In the place of its own number each event has that of the first, so that all are known. */
static void attr_known_by_first(struct perf_event_attr *attr)
{
	attr->sample_type &= ~(uint64_t)PERF_SAMPLE_STREAM_ID;
	attr->sample_type |= PERF_SAMPLE_ID;
	attr->inherit = 1;
}

/* Whether the descriptor is one of the last there are. */
static bool is_spare(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	       (rlim_t)fd + SPARE_DESCRIPTORS >= limit.rlim_max;
}

/* Tell of page faults of a task on one processor; where that cannot be had they are not told. */
static void observe_faults_on(struct perf *perf, pid_t tid, const struct perf_cpu *cpu,
			      bool on_exec)
{
	struct perf_event_attr attr;
	int fd;

	if (perf->no_faults)
		return;
	attr_base(perf, &attr);
	attr_known_by_first(&attr);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	attr.sample_period = 1;
	/* One in a system call is a part of the call's wait. */
	attr.exclude_kernel = 1;
	attr.disabled = on_exec;
	attr.enable_on_exec = on_exec;
	fd = open_into(&attr, tid, cpu, &perf->fault_ids);
	if (fd < 0)
		return;
	GROW(perf->faults, perf->fault_count + 1, perf->fault_alloc);
	perf->faults[perf->fault_count++] = fd;
	if (is_spare(fd))
		end_faults(perf);
}

enum perf_result perf_observe(struct perf *perf, pid_t tid, bool on_exec, struct error *err)
{
	for (size_t i = 0; i < perf->cpu_count; i++) {
		if (observe_on(perf, tid, &perf->cpus[i], on_exec) >= 0) {
			observe_faults_on(perf, tid, &perf->cpus[i], on_exec);
			continue;
		}
		if (errno == ESRCH)
			return PERF_GONE;
		error_errno(err, "task %d cannot be observed", tid);
		return is_refusal(errno) ? PERF_REFUSED : PERF_FAILED;
	}
	return PERF_OK;
}

bool perf_observe_finer(struct perf *perf, pid_t tid, uint64_t period)
{
	struct perf_event_attr attr;

	attr_base(perf, &attr);
	attr_known_by_first(&attr);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = period;
	attr.sample_stack_user = STACK_CAPTURED_FINER;
	for (size_t i = 0; i < perf->cpu_count; i++) {
		int fd = open_into(&attr, tid, &perf->cpus[i], &perf->finer_ids);

		RETURN_IF(fd < 0, false);
		GROW(perf->finer, perf->finer_count + 1, perf->finer_alloc);
		perf->finer[perf->finer_count++] = fd;
	}
	return true;
}

void perf_end_finer(struct perf *perf)
{
	for (size_t i = 0; i < perf->finer_count; i++)
		close(perf->finer[i]);
	perf->finer_count = 0;
}

void perf_set_period(struct perf *perf, uint64_t period)
{
	uint64_t value = period;

	for (size_t i = 0; i < perf->event_count; i++)
		ioctl(perf->events[i], PERF_EVENT_IOC_PERIOD, &value);
	perf->period = period;
}

/* Where the trailer of a record that is no sample stands. */
static const struct trailer *trailer_of(const struct perf_event_header *header)
{
	return (const void *)((const char *)header + header->size - sizeof(struct trailer));
}

/* When a record was made. */
static uint64_t record_time(const struct perf_event_header *header)
{
	if (header->type == PERF_RECORD_SAMPLE)
		return ((const struct sample_head *)header)->time;
	return trailer_of(header)->time;
}

/* Take a sample apart. */
static void parse_sample(const struct perf *perf, const struct perf_event_header *header,
			 struct observation *seen)
{
	const struct sample_head *head = (const void *)header;
	const uint64_t *at = (const void *)(head + 1);
	struct observed_sample *sample = &seen->sample;
	uint64_t root;

	seen->kind = perf->fault_ids.count && idmap_get(&perf->fault_ids, head->stream, &root) ?
			     OBSERVED_FAULT :
			     OBSERVED_SAMPLE;
	seen->pid = (pid_t)head->pid;
	seen->tid = (pid_t)head->tid;
	memset(sample, 0, sizeof(*sample));
	/* The kernel tells the period an event was made with; only the first ones were changed. */
	sample->finer = perf->finer_ids.count && idmap_get(&perf->finer_ids, head->stream, &root);
	sample->period = idmap_get(&perf->roots, head->stream, &root) ? perf->period : head->period;
	sample->kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	if (perf->kernel) {
		uint64_t count = *at++;

		sample->chain = at;
		sample->chain_length = count;
		at += count;
	}
	sample->abi = *at++;
	if (sample->abi) {
		sample->registers = at;
		at += __builtin_popcountll(arch_register_mask);
	}
	uint64_t reserved = *at++;

	if (reserved) {
		sample->stack = (const void *)at;
		sample->stack_size = at[reserved / 8];
	}
}

/* Take any other record apart; false when it is of no interest. */
static bool parse_other(const struct perf_event_header *header, struct observation *seen)
{
	const struct trailer *trailer = trailer_of(header);
	const uint32_t *word = (const void *)(header + 1);
	const uint64_t *wide = (const void *)(header + 1);

	seen->pid = (pid_t)trailer->pid;
	seen->tid = (pid_t)trailer->tid;
	switch (header->type) {
	case PERF_RECORD_SWITCH:
		seen->kind =
			header->misc & PERF_RECORD_MISC_SWITCH_OUT ? OBSERVED_OUT : OBSERVED_IN;
		seen->preempted = header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		seen->kind = header->type == PERF_RECORD_FORK ? OBSERVED_FORK : OBSERVED_EXIT;
		seen->pid = (pid_t)word[0];
		seen->tid = (pid_t)word[2];
		seen->fork.parent_pid = (pid_t)word[1];
		seen->fork.parent_tid = (pid_t)word[3];
		return true;
	case PERF_RECORD_COMM:
		seen->kind = OBSERVED_COMM;
		seen->pid = (pid_t)word[0];
		seen->tid = (pid_t)word[1];
		seen->comm.name = (const char *)(word + 2);
		seen->comm.exec = header->misc & PERF_RECORD_MISC_COMM_EXEC;
		return true;
	case PERF_RECORD_MMAP2:
		seen->kind = OBSERVED_MAP;
		seen->pid = (pid_t)word[0];
		seen->tid = (pid_t)word[1];
		seen->map.start = wide[1];
		seen->map.length = wide[2];
		seen->map.offset = wide[3];
		seen->map.major = word[8];
		seen->map.minor = word[9];
		seen->map.inode = wide[5];
		seen->map.path = (const char *)(wide + 8);
		return true;
	case PERF_RECORD_LOST:
		seen->kind = OBSERVED_LOST;
		seen->lost = wide[1];
		return true;
	default:
		return false;
	}
}

/* Pass one record on. */
static void pass(const struct perf *perf, const struct perf_event_header *header, uint64_t time,
		 perf_each each, void *argument)
{
	struct observation seen;

	seen.time = time;
	if (header->type == PERF_RECORD_SAMPLE) {
		parse_sample(perf, header, &seen);
		each(argument, &seen);
	} else if (parse_other(header, &seen)) {
		each(argument, &seen);
	}
}

/* The ring with the oldest record, and the time of the oldest in any other; NULL: all are empty. */
static struct ring *oldest_ring(struct perf *perf, uint64_t *next)
{
	struct ring *oldest = NULL;
	uint64_t oldest_time = UINT64_MAX;

	*next = UINT64_MAX;
	for (size_t i = 0; i < perf->cpu_count; i++) {
		const struct perf_event_header *header = ring_peek(&perf->cpus[i].ring);
		uint64_t time;

		if (!header)
			continue;
		time = record_time(header);
		if (!oldest || time < oldest_time) {
			*next = oldest_time;
			oldest_time = time;
			oldest = &perf->cpus[i].ring;
		} else if (time < *next) {
			*next = time;
		}
	}
	return oldest;
}

/* Pass on the records of one ring while they are older than until; returns bytes read. */
static uint64_t drain_ring(struct perf *perf, struct ring *ring, uint64_t until, perf_each each,
			   void *argument)
{
	const struct perf_event_header *header;
	uint64_t from = ring->tail, returned = from;

	while ((header = ring_peek(ring))) {
		uint64_t time = record_time(header);

		if (time > until)
			break;
		pass(perf, header, time, each, argument);
		ring_next(ring);
		if (ring->tail - returned >= RETURN_AFTER) {
			ring_return(ring);
			returned = ring->tail;
		}
	}
	ring_return(ring);
	return ring->tail - from;
}

void perf_look_at_samples(struct perf *perf, struct ring *view, perf_each each, void *argument)
{
	const struct perf_event_header *header;

	for (; (header = ring_peek(view)); ring_next(view))
		if (header->type == PERF_RECORD_SAMPLE)
			pass(perf, header, record_time(header), each, argument);
}

void perf_look_at_changes(struct perf *perf, struct ring *view, perf_each each, void *argument)
{
	const struct perf_event_header *header;

	for (; (header = ring_peek(view)); ring_next(view))
		if (header->type == PERF_RECORD_MMAP2 || header->type == PERF_RECORD_COMM)
			pass(perf, header, record_time(header), each, argument);
}

unsigned perf_drain(struct perf *perf, uint64_t time, perf_each each, void *argument)
{
	unsigned fill = 0;

	for (size_t i = 0; i < perf->cpu_count; i++) {
		struct ring *ring = &perf->cpus[i].ring;
		unsigned percent;

		ring_fetch(ring);
		percent = (unsigned)((ring->head - ring->tail) * 100 / ring->size);
		if (percent > fill)
			fill = percent;
	}
	for (;;) {
		uint64_t next;
		struct ring *ring = oldest_ring(perf, &next);

		if (!ring || drain_ring(perf, ring, next < time ? next : time, each, argument) == 0)
			return fill;
	}
}
