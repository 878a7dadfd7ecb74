/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the data pool when a process begins, and reports the begins and ends of
 * processes and threads.
 */
#include "agent/agent-next.h"
#include "agent/events/event-kept.h"
#include "agent/events/event-lane.h"
#include "agent/events/event-names.h"
#include "agent/events/event-chunks.h"
#include "agent/events/event-sources.h"
#include "agent/transaction-write.h"
#include "vigil/vigil.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

AGENT_VISIBLE pid_t fork(void);
AGENT_VISIBLE void _exit(int status) NORETURN;
AGENT_VISIBLE void _Exit(int status) NORETURN;
AGENT_VISIBLE void quick_exit(int status) NORETURN;

static char path[PATH_MAX]; /* of the area; a copy, since the program may change its environment */
static pthread_key_t thread_key;
static pid_t (*next_fork)(void);
static void (*next_exit)(int status) NORETURN;
static int quick_status; /* argument of quick_exit */

/* Returns whether a mapping is a complete area. */
static bool is_area(const struct event_area *area, uint64_t size)
{
	return area->magic == EVENT_AREA_MAGIC && area->version == EVENT_AREA_VERSION &&
	       area->size == size &&
	       (area->chunk_size == EVENT_CHUNK_SIZE ||
		area->chunk_size == EVENT_CHUNK_SIZE_SMALL) &&
	       event_chunk_at(area, area->chunk_count) <= size &&
	       area->tallies + (area->tallies ? sizeof(struct event_tallies) : 0) <= size;
}

/* Maps the area behind fd, and begins to write into it. */
static void map_area(int fd)
{
	struct event_area *area;
	struct stat status;

	if (fstat(fd, &status) || status.st_size < (off_t)sizeof(*area))
		return;
	area = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (area == MAP_FAILED)
		return;
	if (!is_area(area, (uint64_t)status.st_size)) {
		munmap(area, (size_t)status.st_size);
		return;
	}
	event_chunk_set_monitor(path, status.st_dev, status.st_ino);
	event_chunk_size = area->chunk_size;
	event_gap = area->gap;
	event_anchors = area->anchors;
	event_cycles = area->cycles != 0;
	event_blocked = (const uint64_t *)((const char *)area + area->blocked);
	if (area->tallies)
		event_tallies = (struct event_tallies *)((char *)area + area->tallies);
	event_area = area;
}

/*
 * Returns the absolute path of an object loaded by a relative one: the program has
 * not changed its folder yet.
 */
static const char *absolute(const char *name)
{
	static char whole[EVENT_TEXT_MAX];
	ssize_t length;

	if (*name == '/')
		return name;
	while (name[0] == '.' && name[1] == '/')
		name += 2;
	length = readlink("/proc/self/cwd", whole, sizeof(whole) - 1);
	if (length <= 0 || strlen(name) >= sizeof(whole) - (size_t)length - 1)
		return name;
	whole[length] = '/';
	memcpy(whole + length + 1, name, strlen(name) + 1);
	return whole;
}

/*
 * Writes an object that contains code of the process. The first object has no
 * name: program points to its path.
 */
static int write_object(struct dl_phdr_info *info, size_t size UNUSED, void *program)
{
	const char **first = program, *name = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : *first;

	*first = "";
	if (!*name || strncmp(name, "linux-", 6) == 0)
		return 0;
	name = absolute(name);
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uint64_t start = (info->dlpi_addr + part->p_vaddr) & ~UINT64_C(4095);
		uint64_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
		struct event_slot data = { EVENT_OBJECT_PLACE(start, end - start),
					   part->p_offset & ~UINT64_C(4095) };

		if (part->p_type == PT_LOAD && part->p_flags & PF_X)
			event_write_data(EVENT_MARK_OBJECT | event_pause_bit() |
						 EVENT_DATA(1, 0, event_name(name, strlen(name))),
					 &data, sizeof(data));
	}
	return 0;
}

/*
 * Reports that a process image begins; number: of the fork in its parent. The
 * parent's process id is written even if it is gone by now.
 */
static void write_process(bool forked, pid_t parent, uint64_t number)
{
	uint32_t name = event_name(event_program, strlen(event_program));

	event_write(EVENT_MARK_PROCESS | event_pause_bit() | EVENT_PROCESS(name, forked, number, parent));
}

/*
 * Ends the thread: after the destructors of the program's own keys, as far as
 * possible. From then on no signal handler runs in it, since it would begin
 * another lane.
 */
static void thread_ends(void *round)
{
	uintptr_t passed = (uintptr_t)round;
	sigset_t all;

	if (passed < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(thread_key, (void *)(passed + 1));
		return;
	}
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	event_write(EVENT_MARK_TASK_END | event_pause_bit());
	event_lane_end();
}

static void process_exits(int status, void *nothing UNUSED)
{
	/* A vfork child has its parent's thread, and the parent continues. */
	if (!event_has_monitor() || (event_lane->number && event_lane->pid != (uint32_t)getpid()))
		return;
	event_write(EVENT_MARK_EXIT | event_pause_bit() | EVENT_VALUE(status & 0xff));
	event_lane_end();
}

/* The process ends by quick_exit, whose handlers get no status. */
static void process_exits_quickly(void)
{
	process_exits(quick_status, NULL);
}

/* Finds the word that starts and pauses collecting in the step. */
static void find_collecting(void)
{
	const char *value = secure_getenv("VIGIL_TRANSACTIONS");
	const struct transaction_area *area = value && *value ? transaction_map(value) : NULL;

	if (!area)
		return;
	event_collecting = &area->collecting;
	event_changes = &area->next;
}

__attribute__((constructor)) static void find_area(void)
{
	const char *value = secure_getenv("VIGIL_EVENTS"), *program = event_program;
	ssize_t length;
	int fd;

	if (!value || !*value || strlen(value) >= sizeof(path))
		return;
	memcpy(path, value, strlen(value) + 1);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return;
	map_area(fd);
	close(fd);
	if (!event_has_monitor())
		return;
	find_collecting();
	if (pthread_key_create(&thread_key, thread_ends) == 0)
		event_lane_key(thread_key);
	on_exit(process_exits, NULL);
	at_quick_exit(process_exits_quickly);
	length = readlink("/proc/self/exe", event_program, sizeof(event_program) - 1);
	event_program[length > 0 ? length : 0] = '\0';
	if (!event_area->cost)
		event_lane_measure();
	write_process(false, getppid(), 0);
	event_image = EVENT_BLOCKED_IMAGE(event_lane->number & 0xffff);
	dl_iterate_phdr(write_object, &program);
	event_sources_begin();
}

/* A thread's notes of active functions, for a child that it forks. */
struct noted {
	struct event_call *calls;
	uint64_t depth;
	struct event_noted *noted;
	uint64_t noted_count;
	uint64_t quiet, deep_written; /* as in a lane */
};

/*
 * Before a fork: returns the notes that the child inherits. Its lane will be
 * cleared, and has other memory.
 */
static struct noted keep_noted(const struct event_lane *lane)
{
	struct noted kept = { .noted = lane->noted,
			      .noted_count = lane->noted_count,
			      .quiet = lane->quiet,
			      .deep_written = lane->deep_written };

	if (!lane->depth)
		return kept;
	kept.calls = lane->calls;
	kept.depth = lane->depth;
	event_calls_share(kept.calls, true);
	return kept;
}

/* In the child: what was active in the parent is active here, and its ends are reported. */
static void give_noted(struct event_lane *lane, const struct noted *kept)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if (kept->quiet && !lane->depth && !lane->noted_count) {
		lane->quiet = 1;
		lane->deep_written = kept->deep_written;
		lane->anchored = 0;
	}
	/* A signal handler may have noted and dropped others meanwhile. */
	if (kept->calls && !lane->depth) {
		lane->calls = kept->calls;
		lane->depth = kept->depth;
	}
	if (kept->noted && !lane->noted_count) {
		lane->noted = kept->noted;
		lane->noted_count = kept->noted_count;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

pid_t fork(void)
{
	static uint64_t forks;
	struct noted kept = { 0 };
	uint64_t number = __atomic_fetch_add(&forks, 1, __ATOMIC_RELAXED) & EVENT_FORK_MAX;
	pid_t parent = getpid(), child;

	agent_next(&next_fork, "fork");
	if (event_has_monitor()) {
		event_write(EVENT_MARK_FORKING | event_pause_bit() | EVENT_VALUE(number));
		kept = keep_noted(event_lane);
	}
	child = next_fork();
	if (kept.calls)
		event_calls_share(kept.calls, false);
	if (!event_has_monitor() || child < 0)
		return child;
	if (child) {
		event_write(EVENT_MARK_FORK | event_pause_bit() | EVENT_VALUE(child));
		return child;
	}
	write_process(true, parent, number);
	if (event_lane->number)
		give_noted(event_lane, &kept);
	return child;
}

/* Ends a process that does not leave by exit. */
static NORETURN void leave(int status)
{
	agent_next(&next_exit, "_exit");
	process_exits(status, NULL);
	next_exit(status);
}

void quick_exit(int status)
{
	static void (*next)(int status) NORETURN;

	agent_next(&next, "quick_exit");
	quick_status = status;
	next(status);
}

void _exit(int status)
{
	leave(status);
}

void _Exit(int status)
{
	leave(status);
}

AGENT_VISIBLE int vigil_event(int number, const char *text)
{
	if (!event_active())
		return 0;
	event_write_text(EVENT_MARK_USER, number, text);
	return 1;
}
