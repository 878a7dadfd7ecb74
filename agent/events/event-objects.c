/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the monitor how to patch the code of a process's objects. */
#include "agent/events/event-objects.h"
#include "agent/agent-wait.h"
#include "agent/events/event-names.h"
#include "agent/events/event-patch.h"
#include "agent/events/event-chunks.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ns to sleep before checking whether the monitor is still alive. */
#define MONITOR_CHECK_NS 100000000

static struct event_objects_area *table;
static struct event_loaded loaded[EVENT_OBJECTS];
static size_t loaded_count;
static bool first = true; /* the program has not begun */

/* The sources that carry out plans, by kind. */
static const struct {
	bool (*apply)(const struct event_loaded *object, struct event_objects_area *table, const void *plan,
		      bool first);
	void (*gone)(const struct event_loaded *object);
} sources[EVENT_PLAN_COUNT] = {
	[EVENT_PLAN_FUNCTIONS] = { event_patch_object, event_patch_gone },
};

/* Returns the entry of an object's file; NULL: it was never requested. */
static struct event_object *find_entry(const struct event_loaded *object)
{
	uint64_t next = __atomic_load_n(&table->next, __ATOMIC_ACQUIRE);

	for (uint64_t i = 0; i < next && i < EVENT_OBJECTS; i++) {
		struct event_object *one = &table->objects[i];

		if (__atomic_load_n(&one->state, __ATOMIC_ACQUIRE) != EVENT_OBJECT_FREE &&
		    one->device == object->device && one->inode == object->inode &&
		    one->changed == object->changed)
			return one;
	}
	return NULL;
}

/* Returns the number of the name of an absolute path. */
static uint32_t number_path(const char *path)
{
	char whole[2 * PATH_MAX];
	long folder; /* its bytes, including the NUL */
	size_t length = strnlen(path, PATH_MAX);

	if (*path == '/')
		return event_name(path, length);
	folder = syscall(SYS_getcwd, whole, (size_t)PATH_MAX);
	if (folder <= 0)
		return event_name(path, length);
	whole[folder - 1] = '/';
	memcpy(whole + folder, path, length);
	return event_name(whole, (size_t)folder + length);
}

/* Requests plans for an object's file; returns false if no entry is left. */
static bool ask(const char *path, const struct event_loaded *object)
{
	uint64_t place = __atomic_fetch_add(&table->next, 1, __ATOMIC_ACQ_REL);
	struct event_object *one;

	if (place >= EVENT_OBJECTS)
		return false;
	one = &table->objects[place];
	one->pid = (uint32_t)getpid();
	one->device = object->device;
	one->inode = object->inode;
	one->changed = object->changed;
	one->start = object->start;
	one->path = number_path(path);
	__atomic_store_n(&one->state, EVENT_OBJECT_ASKED, __ATOMIC_RELEASE);
	return true;
}

/* Waits for the answer to an entry; returns false if there will be none. */
static bool wait_for(const struct event_object *one)
{
	const struct timespec longest = { 0, MONITOR_CHECK_NS };

	for (;;) {
		uint32_t seen = __atomic_load_n(&table->answers, __ATOMIC_ACQUIRE);

		if (__atomic_load_n(&one->state, __ATOMIC_ACQUIRE) == EVENT_OBJECT_KNOWN)
			return true;
		if (!event_has_monitor() || !event_chunk_monitor_alive())
			return false;
		agent_wait(&table->answers, seen, &longest);
	}
}

/* Carries out one plan, at an offset in the file of plans. */
static bool carry_out(struct event_loaded *object, int kind, int fd, uint64_t place)
{
	uint64_t size;
	void *plan;
	bool done;

	if (pread(fd, &size, sizeof(size), (off_t)place) != (ssize_t)sizeof(size) ||
	    size < sizeof(size))
		return false;
	plan = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)place);
	if (plan == MAP_FAILED)
		return false;
	done = sources[kind].apply(object, table, plan, first);
	munmap(plan, size);
	return done;
}

/* Carries out the plans of an object. */
static void carry_out_all(struct event_loaded *object, const struct event_object *answer)
{
	int fd = -1;

	for (int kind = 0; kind < EVENT_PLAN_COUNT; kind++) {
		if (!answer->plans[kind] || !sources[kind].apply)
			continue;
		if (fd < 0)
			fd = event_chunk_open(event_area->objects, O_RDONLY);
		if (fd >= 0)
			object->applied[kind] = carry_out(object, kind, fd, answer->plans[kind]);
	}
	if (fd >= 0)
		close(fd);
}

/* Returns whether an object is not in a file, or is part of the agent. */
static bool is_left_out(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	return !slash || strncmp(base, "vigil-", 6) == 0 || strncmp(base, "libvigil.", 9) == 0 ||
	       strncmp(base, "ld-linux", 8) == 0;
}

/* Gets the address of an object and of its instructions. */
static void find_place(struct event_loaded *object, const struct dl_phdr_info *info)
{
	object->bias = info->dlpi_addr;
	object->start = UINT64_MAX;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
			continue;
		if (start < object->start)
			object->start = start & ~UINT64_C(4095);
		if (start + part->p_memsz > object->end)
			object->end = start + part->p_memsz;
	}
}

/* A scan of all objects. */
struct look {
	const char *program; /* path of the next object without a name: the program's, which
			      * comes first; then "" */
	bool asked;	     /* a request was made */
};

/* Handles a mapped object: adds one that is new, with its request made. */
static int see(struct dl_phdr_info *info, size_t size UNUSED, void *argument)
{
	struct look *look = argument;
	const char *path = *info->dlpi_name ? info->dlpi_name : look->program;
	struct event_loaded one = { .seen = true };
	struct stat status;

	look->program = "";
	find_place(&one, info);
	for (size_t i = 0; i < loaded_count; i++) {
		if (loaded[i].start == one.start && loaded[i].bias == one.bias) {
			loaded[i].seen = true;
			return 0;
		}
	}
	if (loaded_count == EVENT_OBJECTS)
		return 0;
	if (one.end && !is_left_out(path) && stat(path, &status) == 0) {
		one.device = status.st_dev;
		one.inode = status.st_ino;
		one.changed = agent_ns(&status.st_mtim);
		if (!find_entry(&one) && ask(path, &one))
			look->asked = true;
	}
	loaded[loaded_count++] = one;
	return 0;
}

/* Drops objects that are no longer mapped. */
static void forget_gone(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < loaded_count; i++) {
		if (loaded[i].seen) {
			loaded[kept++] = loaded[i];
			continue;
		}
		for (int kind = 0; kind < EVENT_PLAN_COUNT; kind++)
			if (loaded[i].applied[kind])
				sources[kind].gone(&loaded[i]);
	}
	loaded_count = kept;
}

void event_objects_scan(void)
{
	struct look look = { .program = event_program };
	int saved = errno;

	if (!table || !event_has_monitor())
		return;
	for (size_t i = 0; i < loaded_count; i++)
		loaded[i].seen = false;
	dl_iterate_phdr(see, &look);
	forget_gone();
	if (look.asked)
		event_chunk_ring();
	for (size_t i = 0; i < loaded_count; i++) {
		const struct event_object *answer;

		if (loaded[i].done)
			continue;
		loaded[i].done = true;
		answer = loaded[i].inode ? find_entry(&loaded[i]) : NULL;
		if (answer && wait_for(answer))
			carry_out_all(&loaded[i], answer);
	}
	errno = saved;
}

/* Called when the loader has changed what is mapped, or is about to. */
static void loader_changed(void)
{
	if (_r_debug.r_state == RT_CONSISTENT)
		event_objects_scan();
}

void event_objects_begin(void)
{
	void *memory;
	int fd;

	if (!event_area->objects)
		return;
	fd = event_chunk_open(event_area->objects, O_RDWR);
	if (fd < 0)
		return;
	memory = mmap(NULL, sizeof(*table), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (memory == MAP_FAILED)
		return;
	table = memory;
	if (table->magic != EVENT_OBJECTS_MAGIC) {
		table = NULL;
		return;
	}
	event_objects_scan();
	first = false;
	if (_r_debug.r_brk)
		event_patch_hook((uint64_t)_r_debug.r_brk, loader_changed);
}
