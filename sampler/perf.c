/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and reads the kernel's performance events. */
#include "common/compat.h"
#include "sampler/perf.h"
#include "common/chance.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/xalloc.h"
#include "program/unwind/arch.h"
#include "sampler/page-look.h"

#include <sys/resource.h>

#define RING_MAX (4u << 20) /* half a second of samples of one processor */
#define RING_MIN (64u << 10)
#define RINGS_TOTAL (64u << 20)
/* Short tasks have shallow stacks, and finer samples are many. */
#define STACK_CAPTURED_FINER 2048
#define STACK_CAPTURED 8192
/* Tasks may leave often, and the rings must not overflow before this is noticed. */
#define STACK_CAPTURED_LEAVING 4096
/* Number of descriptors that page fault events leave for other purposes. */
#define SPARE_DESCRIPTORS 256
/* Of the stack of a page fault: what is beyond is read. */
#define STACK_CAPTURED_PAGE 2048
#define RETURN_AFTER (32u << 10) /* bytes read before their space is returned */

/*
 * Periods are drawn between this part of the requested one and the whole of it.
 * One of them lasts for VARY_AFTER samples, which all fall on similar points in a
 * program that repeats itself at nearly the same rate: only if the periods differ
 * by about a half are as many samples spread as fall together, and as informative
 * as the margin assumes. Below a half, a sample looks like one of a period not yet
 * doubled (samples.c).
 */
#define PERIOD_MIN_PART 0.55
/* A new period is drawn after this many samples, for at most this many events at once. */
#define VARY_AFTER 16
#define VARY_MAX 8

/* Last part of every record except a sample. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint64_t stream;
};

/* First part of a sample. */
struct sample_head {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t address; /* only of a page fault */
	uint64_t stream;
	uint64_t period;
};

/* Returns a period for an event. */
static uint64_t draw_period(struct perf *perf)
{
	return (uint64_t)((double)perf->period * (PERIOD_MIN_PART + (1 - PERIOD_MIN_PART) * chance_part(chance_next(&perf->chance))));
}

/* Sets what owner and task events have in common. */
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
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
			    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_REGS_USER |
			    PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = arch_register_mask;
	attr->sample_stack_user = STACK_CAPTURED;
	if (perf->kernel) {
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr->exclude_callchain_user = 1;
	}
}

/* Makes an event record tasks and mappings. */
static void attr_tracks(struct perf_event_attr *attr)
{
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
}

/* Sets up the event on the step's tasks. */
static void attr_task(struct perf *perf, struct perf_event_attr *attr, bool on_exec)
{
	attr_base(perf, attr);
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->sample_period = draw_period(perf);
	attr->inherit = 1;
	attr->disabled = on_exec;
	attr->enable_on_exec = on_exec;
	attr->context_switch = 1;
	attr->wakeup_events = perf->wakeup_each_sample;
}

/* Opens the event that owns a processor's ring. */
static int open_owner(const struct perf *perf, int cpu, size_t ring_size)
{
	struct perf_event_attr attr;

	attr_base(perf, &attr);
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.disabled = 1;
	attr.watermark = 1;
	attr.wakeup_watermark = (uint32_t)(ring_size / 4);
	return outside_event(&attr, 0, cpu);
}

/* Unmaps and closes the rings. */
static void close_rings(struct perf *perf)
{
	for (size_t i = 0; i < perf->cpu_count; i++) {
		ring_unmap(&perf->cpus[i].ring);
		outside_close(perf->cpus[i].fd);
	}
	free(perf->cpus);
	perf->cpus = NULL;
	perf->cpu_count = 0;
}

/* Returns whether an error means that the kernel refuses this, so that less may work. */
static bool is_refusal(int error)
{
	return error == EACCES || error == EPERM || error == ENOSYS || error == EOPNOTSUPP ||
	       error == ENOENT || error == EINVAL;
}

/*
 * Makes a ring of this size on each processor; returns false with errno set if one
 * cannot be made.
 */
static bool open_rings(struct perf *perf, size_t ring_size)
{
	long count = outside_processors();

	perf->cpus = xcalloc(count > 0 ? (size_t)count : 1, sizeof(*perf->cpus));
	for (int cpu = 0; cpu < count; cpu++) {
		struct perf_cpu *one = &perf->cpus[perf->cpu_count];

		one->cpu = cpu;
		one->fd = open_owner(perf, cpu, ring_size);
		if (one->fd < 0 && errno == ENODEV)
			continue; /* offline */
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
	long processors = outside_processors();

	memset(perf, 0, sizeof(*perf));
	perf->open = true;
	idmap_init(&perf->roots);
	idmap_init(&perf->finer_ids);
	idmap_init(&perf->fault_ids);
	idmap_init(&perf->leaving_ids);
	perf->no_leavings = !kernel;
	perf->kernel = kernel;
	perf->period = period;
	perf->chance = clock_monotonic_ns() | 1;
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

/* Closes the events that record where tasks leave the processor. */
static void end_leavings(struct perf *perf)
{
	for (size_t i = 0; i < perf->leaving_count; i++)
		outside_close(perf->leavings[i]);
	perf->leaving_count = 0;
	perf->no_leavings = true;
}

bool perf_can_record_leavings(const struct perf *perf)
{
	return !perf->no_leavings && perf->leaving_count;
}

void perf_record_leavings(struct perf *perf, bool on)
{
	perf->leavings_off = !on;
	for (size_t i = 0; i < perf->leaving_count; i++)
		outside_control(perf->leavings[i],
				on && !perf->closed ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, NULL);
}

void perf_release(struct perf *perf)
{
	perf_end_finer(perf);
	free(perf->finer);
	for (size_t i = 0; i < perf->event_count; i++)
		outside_close(perf->events[i].fd);
	free(perf->events);
	for (size_t i = 0; i < perf->fault_count; i++)
		outside_close(perf->faults[i]);
	free(perf->faults);
	end_leavings(perf);
	free(perf->leavings);
	close_rings(perf);
	idmap_release(&perf->roots);
	idmap_release(&perf->finer_ids);
	idmap_release(&perf->fault_ids);
	idmap_release(&perf->leaving_ids);
	memset(perf, 0, sizeof(*perf));
}

/* Raises the soft descriptor limit to the hard limit, as many tasks need many descriptors. */
static bool raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (outside_descriptors(&limit, false) < 0 || limit.rlim_cur == limit.rlim_max)
		return false;
	return outside_descriptors(&limit, true) == 0;
}

/*
 * Opens an event on a task that writes into the ring of a processor; *id: its id, 0 if the
 * kernel does not say. Returns -1 with errno set on failure.
 */
static int open_redirected(struct perf_event_attr *attr, pid_t tid, const struct perf_cpu *cpu, uint64_t *id)
{
	uint64_t output = (uint64_t)cpu->fd;
	int fd = outside_event(attr, tid, cpu->cpu);

	if (fd < 0 && errno == EMFILE && raise_descriptor_limit())
		fd = outside_event(attr, tid, cpu->cpu);
	RETURN_IF(fd < 0, -1);
	if (outside_control(fd, PERF_EVENT_IOC_SET_OUTPUT, &output) < 0) {
		outside_close(fd);
		return -1;
	}
	if (outside_control(fd, PERF_EVENT_IOC_ID, id) != 0)
		*id = 0;
	return fd;
}

/* The same; adds its id to ids, with number as value. */
static int open_into(struct perf_event_attr *attr, pid_t tid, const struct perf_cpu *cpu,
		     struct idmap *ids, uint64_t number)
{
	uint64_t id;
	int fd = open_redirected(attr, tid, cpu, &id);

	if (fd >= 0 && id)
		idmap_put(ids, id, number);
	return fd;
}

/*
 * Makes records contain the id of the root event instead of that of the inherited
 * one, so that all ids are known.
 */
static void attr_root_id(struct perf_event_attr *attr)
{
	attr->sample_type &= ~(uint64_t)PERF_SAMPLE_STREAM_ID;
	attr->sample_type |= PERF_SAMPLE_ID;
	attr->inherit = 1;
}

/*
 * Returns whether fd is near the descriptor limit for optional events: other
 * events need as many.
 */
static bool is_spare(int fd)
{
	struct rlimit limit;

	return outside_descriptors(&limit, false) == 0 &&
	       ((rlim_t)fd + SPARE_DESCRIPTORS) * 2 >= limit.rlim_max;
}

/*
 * Records page faults, mappings and new tasks of a task on one processor; returns
 * false if another event must record the last two.
 */
static bool track_on(struct perf *perf, pid_t tid, const struct perf_cpu *cpu, bool on_exec)
{
	struct perf_event_attr attr;
	int fd;

	if (perf->no_faults)
		return false;
	attr_base(perf, &attr);
	attr_root_id(&attr);
	attr_tracks(&attr);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	attr.sample_period = 1;
	/* A fault in a system call is part of the call's wait. */
	attr.exclude_kernel = 1;
	attr.disabled = on_exec;
	attr.enable_on_exec = on_exec;
	fd = open_into(&attr, tid, cpu, &perf->fault_ids, 1);
	perf->no_faults = fd < 0 || is_spare(fd);
	RETURN_IF(fd < 0, false);
	GROW(perf->faults, perf->fault_count + 1, perf->fault_alloc);
	perf->faults[perf->fault_count++] = fd;
	return true;
}

/* Observes a task on one processor. */
static int observe_on(struct perf *perf, pid_t tid, const struct perf_cpu *cpu, bool on_exec)
{
	struct perf_event_attr attr;
	int fd;

	attr_task(perf, &attr, on_exec);
	if (!track_on(perf, tid, cpu, on_exec))
		attr_tracks(&attr);
	fd = open_into(&attr, tid, cpu, &perf->roots, perf->event_count + 1);
	if (fd < 0 && errno == EMFILE && perf->leaving_count) {
		end_leavings(perf);
		fd = open_into(&attr, tid, cpu, &perf->roots, perf->event_count + 1);
	}
	RETURN_IF(fd < 0, -1);
	GROW(perf->events, perf->event_count + 1, perf->event_alloc);
	perf->events[perf->event_count++] = (struct perf_root){
		.fd = fd,
		.tid = tid,
		.period = attr.sample_period,
		.before = attr.sample_period,
	};
	return fd;
}

/* Samples a task on one processor each time it leaves it. */
static void observe_leavings_on(struct perf *perf, pid_t tid, const struct perf_cpu *cpu,
				bool on_exec)
{
	struct perf_event_attr attr;
	int fd;

	if (perf->no_leavings)
		return;
	attr_base(perf, &attr);
	attr_root_id(&attr);
	attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr.sample_period = 1;
	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
	attr.exclude_callchain_user = 0;
	attr.sample_stack_user = STACK_CAPTURED_LEAVING;
	attr.disabled = on_exec || perf->leavings_off;
	attr.enable_on_exec = on_exec && !perf->leavings_off;
	fd = open_into(&attr, tid, cpu, &perf->leaving_ids, 1);
	if (fd < 0)
		return;
	GROW(perf->leavings, perf->leaving_count + 1, perf->leaving_alloc);
	perf->leavings[perf->leaving_count++] = fd;
	if (is_spare(fd))
		end_leavings(perf);
}

enum perf_result perf_observe(struct perf *perf, pid_t tid, bool on_exec, struct error *err)
{
	for (size_t i = 0; i < perf->cpu_count; i++) {
		if (observe_on(perf, tid, &perf->cpus[i], on_exec) >= 0) {
			observe_leavings_on(perf, tid, &perf->cpus[i], on_exec);
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
	attr_root_id(&attr);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = period;
	attr.sample_stack_user = STACK_CAPTURED_FINER;
	for (size_t i = 0; i < perf->cpu_count; i++) {
		int fd = open_into(&attr, tid, &perf->cpus[i], &perf->finer_ids, 1);

		RETURN_IF(fd < 0, false);
		GROW(perf->finer, perf->finer_count + 1, perf->finer_alloc);
		perf->finer[perf->finer_count++] = fd;
	}
	return true;
}

/* Returns the attributes of an event that counts pages given. */
static struct perf_event_attr page_attr(const struct perf *perf)
{
	struct perf_event_attr attr;

	attr_base(perf, &attr);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS_MIN;
	attr.exclude_kernel = 1;
	return attr;
}

bool perf_can_watch_pages(struct perf *perf)
{
	struct perf_event_attr attr = page_attr(perf);
	int fd;

	if (perf->pages == PAGES_UNASKED) {
		attr.disabled = 1;
		fd = outside_event(&attr, 0, -1);
		perf->pages = fd < 0 ? PAGES_REFUSED : PAGES_ALLOWED;
		if (fd >= 0)
			outside_close(fd);
	}
	return perf->pages == PAGES_ALLOWED;
}

/* Opens the event that records the places of the next few pages given. */
static int record_pages(struct perf *perf, pid_t tid, const struct perf_cpu *cpu, struct page_watch *watch)
{
	struct perf_event_attr attr = page_attr(perf);
	uint64_t id, times = PAGE_LOOK_RECORDS;
	int fd;

	attr.sample_period = 1;
	attr.sample_stack_user = STACK_CAPTURED_PAGE;
	attr.disabled = 1;
	fd = open_redirected(&attr, tid, cpu, &id);
	RETURN_IF(fd < 0, -1);
	watch->begun = clock_monotonic_ns();
	if (!id || outside_control(fd, PERF_EVENT_IOC_REFRESH, &times) < 0) {
		outside_close(fd);
		return -1;
	}
	watch->ready = clock_monotonic_ns();
	perf->page_ids[perf->page_ids_next++ % PERF_PAGE_IDS] = id;
	return fd;
}

void perf_watch_pages(struct perf *perf, pid_t tid, int cpu, struct page_watch *watch)
{
	*watch = (struct page_watch){ .fd = -1 };
	for (size_t i = 0; i < perf->cpu_count; i++)
		if (perf->cpus[i].cpu == cpu)
			watch->fd = record_pages(perf, tid, &perf->cpus[i], watch);
}

void perf_watch_pages_end(struct page_watch *watch)
{
	if (watch->fd >= 0)
		outside_close(watch->fd);
	watch->fd = -1;
}

void perf_end_finer(struct perf *perf)
{
	for (size_t i = 0; i < perf->finer_count; i++)
		outside_close(perf->finer[i]);
	perf->finer_count = 0;
}

bool perf_can_close(const struct perf *perf)
{
	return perf->open && perf->fault_count && !perf->no_faults;
}

void perf_enable(struct perf *perf, bool on)
{
	unsigned long what = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

	for (size_t i = 0; i < perf->event_count; i++)
		outside_control(perf->events[i].fd, what, NULL);
	for (size_t i = 0; i < perf->finer_count; i++)
		outside_control(perf->finer[i], what, NULL);
	/*
	 * Disabled events are not closed, although they cost at each switch, too: the
	 * kernel exchanges the event contexts of two tasks at a switch only while they are
	 * identical.
	 */
	for (size_t i = 0; i < perf->leaving_count; i++)
		if (!perf->leavings_off)
			outside_control(perf->leavings[i], what, NULL);
	perf->closed = !on;
}

/* Reads the ns that an event has counted so far. */
static bool read_count(const struct perf_root *root, uint64_t *count)
{
	return outside_read(root->fd, count, sizeof(*count)) == sizeof(*count);
}

/* Draws a new period for an event. */
static bool change_period(struct perf *perf, struct perf_root *root)
{
	uint64_t period = draw_period(perf);

	if (outside_control(root->fd, PERF_EVENT_IOC_PERIOD, &period) < 0)
		return false;
	root->before = root->period;
	root->period = period;
	root->since = clock_monotonic_ns();
	root->vary_at = root->since + VARY_AFTER * period;
	return true;
}

void perf_set_period(struct perf *perf, uint64_t period)
{
	perf->period = period;
	for (size_t i = 0; i < perf->event_count; i++)
		if (change_period(perf, &perf->events[i]))
			read_count(&perf->events[i], &perf->events[i].counted);
}

void perf_vary(struct perf *perf, perf_dropped dropped, void *argument)
{
	size_t count = perf->event_count < VARY_MAX ? perf->event_count : VARY_MAX;
	uint64_t now = clock_monotonic_ns();

	for (; count > 0; count--) {
		struct perf_root *root = &perf->events[perf->next_varied++ % perf->event_count];
		uint64_t counted, rest, enough = VARY_AFTER * root->period;

		if (root->kept || now < root->vary_at || !read_count(root, &counted))
			continue;
		if (counted - root->counted < enough) {
			/* An event is for one processor: it counts no faster than time passes. */
			root->vary_at = now + enough - (counted - root->counted);
			continue;
		}
		rest = (counted - root->counted) % root->period;
		if (!change_period(perf, root))
			continue;
		/*
		 * The count was read a moment before the period was started anew, as the next one
		 * will be: reading interrupts the processor that counts.
		 */
		root->counted = counted;
		dropped(argument, root->tid, rest);
	}
}

void perf_keep(struct perf *perf, pid_t tid)
{
	for (size_t i = 0; i < perf->event_count; i++)
		perf->events[i].kept |= perf->events[i].tid == tid;
}

uint64_t perf_counted(const struct perf *perf)
{
	uint64_t sum = 0, count;

	for (size_t i = 0; i < perf->event_count; i++)
		if (read_count(&perf->events[i], &count))
			sum += count;
	return sum;
}

/* Returns the trailer of a record that is no sample. */
static const struct trailer *trailer_of(const struct perf_event_header *header)
{
	return (const void *)((const char *)header + header->size - sizeof(struct trailer));
}

/* Returns the time of a record. */
static uint64_t record_time(const struct perf_event_header *header)
{
	if (header->type == PERF_RECORD_SAMPLE && header->size >= sizeof(struct sample_head))
		return ((const struct sample_head *)header)->time;
	return trailer_of(header)->time;
}

/*
 * Returns the period of a sample: the kernel records the initial period of an
 * event, and those of root events were changed.
 */
static uint64_t period_of(const struct perf *perf, const struct sample_head *head)
{
	const struct perf_root *root;
	uint64_t number;

	if (perf->told || !idmap_get(&perf->roots, head->stream, &number))
		return head->period;
	root = &perf->events[number - 1];
	return head->time < root->since ? root->before : root->period;
}

/* Returns whether an id is one of an event that records pages given. */
static bool is_of_page(const struct perf *perf, uint64_t id)
{
	for (size_t i = 0; i < PERF_PAGE_IDS; i++)
		if (perf->page_ids[i] == id)
			return true;
	return false;
}

/*
 * Returns the kind of a sample. The kernel processes all events of one fault or
 * switch in turn and reuses what it determined for the first one, including its
 * id: if another session observes the same task, our record may have the id of its
 * event. But only faults and switches have period 1, and only faults have an
 * address.
 */
static enum observation_kind kind_of(const struct perf *perf, const struct sample_head *head)
{
	uint64_t root;

	if (perf->fault_ids.count && idmap_get(&perf->fault_ids, head->stream, &root))
		return OBSERVED_FAULT;
	if (perf->leaving_ids.count && idmap_get(&perf->leaving_ids, head->stream, &root))
		return OBSERVED_LEAVING;
	if (head->period != 1 || idmap_get(&perf->roots, head->stream, &root))
		return OBSERVED_SAMPLE;
	if (!head->address)
		return OBSERVED_LEAVING;
	return is_of_page(perf, head->stream) ? OBSERVED_PAGE : OBSERVED_FAULT;
}

/* Takes count words of a record that ends at end; returns NULL if it has not so many. */
static const uint64_t *take_words(const uint64_t **at, const uint64_t *end, uint64_t count)
{
	const uint64_t *words = *at;

	RETURN_IF(count > (uint64_t)(end - words), NULL);
	*at += count;
	return words;
}

/* Parses the kernel's call chain, registers and the captured stack; returns false if one is not whole. */
static bool parse_place(struct observed_sample *sample, const uint64_t *at, const uint64_t *end, bool chain)
{
	const uint64_t *word;

	if (chain) {
		RETURN_IF(!(word = take_words(&at, end, 1)), false);
		sample->chain_length = *word;
		RETURN_IF(!(sample->chain = take_words(&at, end, *word)), false);
	}
	RETURN_IF(!(word = take_words(&at, end, 1)), false);
	sample->abi = *word;
	if (sample->abi)
		sample->registers = take_words(&at, end, (uint64_t)__builtin_popcountll(arch_register_mask));
	RETURN_IF(sample->abi && !sample->registers, false);
	RETURN_IF(!(word = take_words(&at, end, 1)), false);
	if (*word) {
		const uint64_t *stack = take_words(&at, end, *word / 8), *filled = take_words(&at, end, 1);

		RETURN_IF(!stack || !filled || *filled > *word, false);
		sample->stack = (const void *)stack;
		sample->stack_size = *filled;
	}
	return true;
}

/* Parses a sample; returns false if it is not whole. */
static bool parse_sample(const struct perf *perf, const struct perf_event_header *header,
			 struct observation *seen)
{
	const struct sample_head *head = (const void *)header;
	const uint64_t *end = (const void *)((const char *)header + header->size);
	struct observed_sample *sample = &seen->sample;
	uint64_t root;

	RETURN_IF(header->size < sizeof(*head), false);
	seen->kind = kind_of(perf, head);
	seen->pid = (pid_t)head->pid;
	seen->tid = (pid_t)head->tid;
	memset(sample, 0, sizeof(*sample));
	sample->finer = perf->finer_ids.count && idmap_get(&perf->finer_ids, head->stream, &root);
	sample->period = period_of(perf, head);
	sample->address = head->address;
	sample->kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	return parse_place(sample, (const uint64_t *)(head + 1), end,
			   perf->kernel && seen->kind != OBSERVED_LEAVING);
}

/* Returns the text at offset in a record, before its trailer; "" if there is none that is whole. */
static const char *text_at(const struct perf_event_header *header, size_t offset)
{
	const char *text = (const char *)header + offset;
	size_t end = header->size - sizeof(struct trailer);

	return offset < end && memchr(text, '\0', end - offset) ? text : "";
}

/* Returns the least size of a record's body, without its trailer; as perf_event_open(2) has it. */
static size_t body_size(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return 24;
	case PERF_RECORD_COMM:
		return 8;
	case PERF_RECORD_MMAP2:
		return 64;
	case PERF_RECORD_LOST:
		return 16;
	default:
		return 0;
	}
}

/* Parses any other record; returns false if it is not needed. */
static bool parse_other(const struct perf_event_header *header, struct observation *seen)
{
	const struct trailer *trailer = trailer_of(header);
	const uint32_t *word = (const void *)(header + 1);
	const uint64_t *wide = (const void *)(header + 1);

	RETURN_IF(header->size < sizeof(*header) + body_size(header->type) + sizeof(*trailer), false);
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
		seen->comm.name = text_at(header, sizeof(*header) + 8);
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
		seen->map.path = text_at(header, sizeof(*header) + 64);
		return true;
	case PERF_RECORD_LOST:
		seen->kind = OBSERVED_LOST;
		seen->lost = wide[1];
		return true;
	default:
		return false;
	}
}

/* Returns the number of the processor whose ring this is, or is a view of. */
static unsigned processor_of(const struct perf *perf, const struct ring *ring)
{
	for (size_t i = 0; i < perf->cpu_count; i++)
		if (perf->cpus[i].ring.data == ring->data)
			return (unsigned)i + 1;
	return 0;
}

/* Passes one record on. */
static void pass(const struct perf *perf, const struct perf_event_header *header,
		 unsigned processor, perf_each each, void *argument)
{
	struct observation seen;

	seen.time = record_time(header);
	seen.processor = processor;
	if (header->type == PERF_RECORD_SAMPLE ? parse_sample(perf, header, &seen) : parse_other(header, &seen))
		each(argument, &seen);
}

/*
 * Returns the ring with the oldest record, and in *next the time of the oldest in
 * any other ring; NULL: all are empty.
 */
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

/*
 * Passes on the records of one ring that are not later than until; returns the
 * number of bytes read.
 */
static uint64_t drain_ring(struct perf *perf, struct ring *ring, uint64_t until, perf_each each,
			   void *argument)
{
	const struct perf_event_header *header;
	uint64_t from = ring->tail, returned = from;
	unsigned processor = processor_of(perf, ring);

	while ((header = ring_peek(ring))) {
		if (record_time(header) > until)
			break;
		pass(perf, header, processor, each, argument);
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
	unsigned processor = processor_of(perf, view);

	for (; (header = ring_peek(view)); ring_next(view))
		if (header->type == PERF_RECORD_SAMPLE)
			pass(perf, header, processor, each, argument);
}

void perf_look_at_changes(struct perf *perf, struct ring *view, perf_each each, void *argument)
{
	const struct perf_event_header *header;
	unsigned processor = processor_of(perf, view);

	for (; (header = ring_peek(view)); ring_next(view))
		if (header->type == PERF_RECORD_MMAP2 || header->type == PERF_RECORD_COMM)
			pass(perf, header, processor, each, argument);
}

/* Returns the fill of a ring, percent. */
static unsigned fill_of(struct ring *ring)
{
	ring_fetch(ring);
	return (unsigned)((ring->head - ring->tail) * 100 / ring->size);
}

unsigned perf_fill(struct perf *perf)
{
	unsigned fill = 0;

	for (size_t i = 0; i < perf->cpu_count; i++) {
		unsigned percent = fill_of(&perf->cpus[i].ring);

		fill = percent > fill ? percent : fill;
	}
	return fill;
}

unsigned perf_drain(struct perf *perf, uint64_t time, perf_each each, void *argument)
{
	unsigned fill = 0;

	for (size_t i = 0; i < perf->cpu_count; i++) {
		perf->cpus[i].fill = fill_of(&perf->cpus[i].ring);
		fill = perf->cpus[i].fill > fill ? perf->cpus[i].fill : fill;
	}
	for (;;) {
		uint64_t next;
		struct ring *ring = oldest_ring(perf, &next);

		if (!ring || drain_ring(perf, ring, next < time ? next : time, each, argument) == 0)
			return fill;
	}
}
