/* SPDX-License-Identifier: Apache-2.0 */
/* Patches code according to the monitor's plans: writes stubs near it, and jumps to them. */
#include "agent/events/event-patch.h"
#include "agent/events/event-kept.h"
#include "agent/event-patch-area.h"

#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)

#define PAGE UINT64_C(4096)
/*
 * Reach of a jump with a 32-bit offset, less a reserve, and the steps in which a
 * free address is sought.
 */
#define REACH (UINT64_C(2047) << 20)
#define STEP (UINT64_C(1) << 20)
/* Distance kept above a program, where its heap grows. */
#define ABOVE (UINT64_C(1) << 30)

/* The functions that stubs call: event-patch-call.c. The last one does nothing. */
void event_patch_enter(void);
void event_patch_leave(void);
void event_patch_nothing(void);

/* The beginning of an object's stubs. */
struct stubs {
	void (*enter)(void), (*leave)(void);
	uint64_t unused[6];
	unsigned char code[];
};

/*
 * In a stub: its key is this far before the return address of the entry's call;
 * after that of an exit's.
 */
#define CALL_LENGTH 6
#define STUB_LARGEST (2 * (8 + CALL_LENGTH) + EVENT_SITE_CODE + EVENT_SITE_LEAVING)

/* The original code of a site. */
struct original {
	uint64_t address;
	uint8_t length;
	uint8_t bytes[EVENT_SITE_BYTES];
};

/* The stubs of an object, identified by its start. */
static struct patched {
	uint64_t start, end, size;
	struct stubs *stubs;
	struct original *originals; /* after the stubs */
	uint64_t count;
} patched[EVENT_OBJECTS];

/* The process that owns this memory, in memory that a forked child finds cleared; NULL: unknown. */
static uint32_t *owner;

/* Maps size bytes within reach of [start, end); returns NULL if there is no free address. */
static void *map_near(uint64_t start, uint64_t end, uint64_t size)
{
	uint64_t below = start - size - 16 * PAGE, above = (end + ABOVE + PAGE - 1) & ~(PAGE - 1);
	void *memory;

	for (uint64_t at = below; at < start && at > 16 * PAGE && end - at < REACH; at -= STEP) {
		memory = mmap((void *)(at & ~(PAGE - 1)), size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (memory != MAP_FAILED)
			return memory;
	}
	for (uint64_t at = above; at + size - start < REACH; at += STEP) {
		memory = mmap((void *)at, size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (memory != MAP_FAILED)
			return memory;
	}
	return NULL;
}

/* Means to write into code: the pages made writable, or the process's memory file. */
struct writer {
	uint64_t start, size; /* pages writable now; 0: none */
	int fd;
};

static bool writer_begin(struct writer *writer, uint64_t start, uint64_t end)
{
	*writer = (struct writer){ start & ~(PAGE - 1), 0, -1 };
	writer->size = ((end + PAGE - 1) & ~(PAGE - 1)) - writer->start;
	if (mprotect((void *)writer->start, writer->size, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
		return true;
	writer->size = 0;
	writer->fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	return writer->fd >= 0;
}

static bool writer_put(const struct writer *writer, uint64_t address, const void *bytes,
		       size_t length)
{
	if (!writer->size)
		return pwrite(writer->fd, bytes, length, (off_t)address) == (ssize_t)length;
	memcpy((void *)address, bytes, length);
	return true;
}

static void writer_end(const struct writer *writer)
{
	if (writer->size)
		mprotect((void *)writer->start, writer->size, PROT_READ | PROT_EXEC);
	if (writer->fd >= 0)
		close(writer->fd);
}

static void put_distance(unsigned char *at, uint64_t target, uint64_t end)
{
	int32_t distance = (int32_t)(int64_t)(target - end);

	memcpy(at, &distance, sizeof(distance));
}

/*
 * Writes the position-dependent bytes of a part of a site's code. at: address of
 * the part, which begins at from and has length bytes.
 */
static void put_fixes(const struct event_loaded *object, const struct event_site *site,
		      unsigned char *at, unsigned from, unsigned length)
{
	for (unsigned i = 0; i < site->fix_count && i < EVENT_SITE_FIXES; i++) {
		const struct event_fix *fix = &site->fixes[i];
		uint64_t target = object->bias + fix->target;

		if (fix->at < from || fix->end > from + length)
			continue;
		if (fix->wide)
			memcpy(at + (fix->at - from), &target, sizeof(target));
		else
			put_distance(at + (fix->at - from), target,
				     (uint64_t)at + (fix->end - from));
	}
}

/* Writes a call of the agent, through a pointer of the stubs. */
static unsigned char *put_call(unsigned char *at, const void *pointer)
{
	at[0] = 0xff;
	at[1] = 0x15;
	put_distance(at + 2, (uint64_t)pointer, (uint64_t)at + CALL_LENGTH);
	return at + CALL_LENGTH;
}

/* Writes the stub of a site at an address. */
static void put_stub(const struct event_loaded *object, const struct event_site *site,
		     struct stubs *stubs, unsigned char *at)
{
	uint64_t key = site->key + (site->key_moves ? object->bias : 0);
	bool begins = site->kind != EVENT_SITE_EXIT, ends = site->kind != EVENT_SITE_ENTRY;
	unsigned before = ends ? site->call_at : site->code_length;

	if (begins) {
		memcpy(at, &key, sizeof(key));
		at = put_call(at + sizeof(key), &stubs->enter);
	}
	memcpy(at, site->code, before);
	put_fixes(object, site, at, 0, before);
	if (!ends)
		return;
	at = put_call(at + before, &stubs->leave);
	memcpy(at, site->code + before, site->code_length - before);
	put_fixes(object, site, at, before, site->code_length - before);
	memcpy(at + EVENT_SITE_LEAVING, &key, sizeof(key));
}

/* Returns the address of the stub after that of a site at at. */
static unsigned char *next_stub(const struct event_site *site, unsigned char *at)
{
	if (site->kind != EVENT_SITE_EXIT)
		at += 8 + CALL_LENGTH;
	if (site->kind == EVENT_SITE_ENTRY)
		at += site->code_length;
	else
		at += site->call_at + CALL_LENGTH + EVENT_SITE_LEAVING + 8;
	return (unsigned char *)(((uint64_t)at + 15) & ~UINT64_C(15));
}

/* Returns whether a site is valid and its code is what the plan was made for. */
static bool is_site(const struct event_loaded *object, const struct event_site *site)
{
	uint64_t at = object->bias + site->address;

	return site->length >= EVENT_PATCH_LENGTH && site->length <= EVENT_SITE_BYTES &&
	       site->code_length <= EVENT_SITE_CODE && site->call_at <= site->code_length &&
	       (site->kind == EVENT_SITE_ENTRY ||
		site->code_length - site->call_at <= EVENT_SITE_LEAVING) &&
	       at >= object->start && at + site->length <= object->end &&
	       memcmp((const void *)at, site->bytes, site->length) == 0;
}

static bool put_jump(const struct writer *writer, uint64_t at, unsigned length, uint64_t target)
{
	unsigned char jump[EVENT_SITE_BYTES];

	memset(jump, 0x90, sizeof(jump));
	jump[0] = 0xe9;
	put_distance(jump + 1, target, at + EVENT_PATCH_LENGTH);
	return writer_put(writer, at, jump, length);
}

/*
 * Returns whether other threads have begun: the link count of the folder of
 * threads includes one for each.
 */
static bool has_threads(void)
{
	struct stat status;

	return stat("/proc/self/task", &status) < 0 || status.st_nlink > 3;
}

/* Writes stubs and jumps; returns the number of sites that were not patched. */
static uint64_t patch_sites(const struct event_loaded *object, const struct event_plan *plan,
			    struct patched *one, const struct writer *writer)
{
	struct stubs *stubs = one->stubs;
	unsigned char *next = stubs->code;
	uint64_t refused = 0;

	for (uint64_t i = 0; i < plan->count; i++) {
		const struct event_site *site = &plan->sites[i];

		if (!is_site(object, site)) {
			refused++;
			continue;
		}
		put_stub(object, site, stubs, next);
		next = next_stub(site, next);
	}
	/* The stubs are complete, and executable, before anything jumps to them. */
	if (mprotect(stubs, (size_t)((uint64_t)next - (uint64_t)stubs), PROT_READ | PROT_EXEC) < 0)
		return plan->count;
	next = stubs->code;
	for (uint64_t i = 0; i < plan->count; i++) {
		const struct event_site *site = &plan->sites[i];
		struct original *original;
		uint64_t entered;

		if (!is_site(object, site))
			continue;
		entered = (uint64_t)next + (site->kind != EVENT_SITE_EXIT ? 8 : 0);
		next = next_stub(site, next);
		if (!put_jump(writer, object->bias + site->address, site->length, entered)) {
			refused++;
			continue;
		}
		original = &one->originals[one->count++];
		original->address = object->bias + site->address;
		original->length = site->length;
		memcpy(original->bytes, site->bytes, site->length);
	}
	return refused;
}

static void refuse(uint64_t *counter, uint64_t count)
{
	if (count)
		__atomic_fetch_add(counter, count, __ATOMIC_RELAXED);
}

/* Makes an object's stubs call nothing any more; a thread that is in one continues. */
static void disable_stubs(const struct patched *place)
{
	struct writer writer;
	struct stubs *stubs = place->stubs;

	if (!writer_begin(&writer, (uint64_t)stubs, (uint64_t)stubs->code))
		return;
	/* Other threads read the pointers meanwhile. */
	if (writer.size) {
		__atomic_store_n(&stubs->enter, event_patch_nothing, __ATOMIC_RELEASE);
		__atomic_store_n(&stubs->leave, event_patch_nothing, __ATOMIC_RELEASE);
	}
	writer_end(&writer);
}

/* Returns a free entry for an object; NULL: none is left, or there is nothing to do. */
static struct patched *free_place(const struct event_plan *plan)
{
	size_t place = 0;

	while (place < EVENT_OBJECTS && patched[place].stubs)
		place++;
	if (place == EVENT_OBJECTS || plan->size < sizeof(*plan) ||
	    plan->count > (plan->size - sizeof(*plan)) / sizeof(plan->sites[0]) ||
	    !event_area->functions)
		return NULL;
	return &patched[place];
}

static uint64_t pages(uint64_t size)
{
	return (size + PAGE - 1) & ~(PAGE - 1);
}

/* Records which process owns this memory. */
static void note_owner(void)
{
	void *page;

	if (owner)
		return;
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return;
	if (madvise(page, PAGE, MADV_WIPEONFORK) < 0) {
		munmap(page, PAGE);
		return;
	}
	owner = page;
	*owner = (uint32_t)getpid();
}

/*
 * Restores the original code at an object's sites where the jump is still in
 * place. No other thread may be executing it.
 */
static void restore_code(const struct patched *place)
{
	uint64_t stubs = (uint64_t)place->stubs;
	struct writer writer;

	if (!writer_begin(&writer, place->start, place->end))
		return;
	for (uint64_t i = 0; i < place->count; i++) {
		const struct original *site = &place->originals[i];
		const unsigned char *code = (const unsigned char *)site->address;
		int32_t distance;

		memcpy(&distance, code + 1, sizeof(distance));
		if (*code == 0xe9 &&
		    site->address + EVENT_PATCH_LENGTH + (uint64_t)distance - stubs < place->size)
			writer_put(&writer, site->address, site->bytes, site->length);
	}
	writer_end(&writer);
}

/*
 * When no function is collected any more: makes stubs call nothing, and restores
 * the code if no other thread can be executing it. Does its work once; no signal
 * handler runs meanwhile.
 */
static void unpatch_all(void)
{
	sigset_t all, before;
	int saved = errno;
	bool alone;

	/* A vfork child executes in its parent's memory: the parent will do it. */
	if (owner && *owner && *owner != (uint32_t)getpid())
		return;
	/* An object that the loader is unmapping may be among them. */
	if (_r_debug.r_state != RT_CONSISTENT)
		return;
	if (__atomic_exchange_n(&event_unpatched, 1, __ATOMIC_ACQ_REL))
		return;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	alone = owner && !has_threads();
	for (size_t i = 0; i < EVENT_OBJECTS; i++) {
		if (!patched[i].stubs)
			continue;
		disable_stubs(&patched[i]);
		if (alone)
			restore_code(&patched[i]);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
}

bool event_patch_object(const struct event_loaded *object, struct event_objects_area *table, const void *memory,
			bool first)
{
	const struct event_plan *plan = memory;
	struct patched one = { .start = object->start, .end = object->end };
	struct patched *place = free_place(plan);
	uint64_t size;
	struct writer writer;

	if (!place)
		return false;
	if (first && has_threads()) {
		refuse(&table->threads, plan->count);
		return false;
	}
	size = pages(sizeof(*one.stubs) + plan->count * (STUB_LARGEST + 16));
	one.size = size + pages(plan->count * sizeof(*one.originals));
	one.stubs = map_near(object->start, object->end, one.size);
	if (!one.stubs) {
		refuse(&table->far, plan->count);
		return false;
	}
	one.stubs->enter = event_patch_enter;
	one.stubs->leave = event_patch_leave;
	one.originals = (struct original *)((uint64_t)one.stubs + size);
	if (!writer_begin(&writer, object->start, object->end)) {
		munmap(one.stubs, one.size);
		refuse(&table->locked, plan->count);
		return false;
	}
	note_owner();
	__atomic_store_n(&event_unpatch, unpatch_all, __ATOMIC_RELAXED);
	refuse(&table->differ, patch_sites(object, plan, &one, &writer));
	writer_end(&writer);
	*place = one;
	if (event_unpatched)
		disable_stubs(place);
	return true;
}

void event_patch_gone(const struct event_loaded *object)
{
	for (size_t i = 0; i < EVENT_OBJECTS; i++) {
		if (!patched[i].stubs || patched[i].start != object->start)
			continue;
		munmap(patched[i].stubs, patched[i].size);
		patched[i].stubs = NULL;
		return;
	}
}

/* Returns the length of an instruction that does nothing; 0: it is another one. */
static unsigned nop_length(const unsigned char *code)
{
	unsigned prefixes = 0, length;

	if (*code == 0x90 || *code == 0xcc)
		return 1;
	while (code[prefixes] == 0x66 || code[prefixes] == 0x2e)
		prefixes++;
	code += prefixes;
	if (prefixes && *code == 0x90)
		return prefixes + 1;
	if (code[0] != 0x0f || code[1] != 0x1f)
		return 0;
	length = 3 + ((code[2] & 7) == 4);
	return prefixes + length + (code[2] >> 6 == 1 ? 1 : code[2] >> 6 == 2 ? 4 : 0);
}

bool event_patch_hook(uint64_t address, void (*function)(void))
{
	static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const unsigned char jump[] = { 0xff, 0x25, 0, 0, 0, 0 };
	const unsigned char *code = (const unsigned char *)address;
	unsigned space = 1, more = 1;
	struct writer writer;
	unsigned char *stub;
	bool done;

	if (memcmp(code, landing, sizeof(landing)) == 0)
		code += sizeof(landing);
	if (*code != 0xc3)
		return false;
	for (; space < EVENT_PATCH_LENGTH && more; space += more)
		more = nop_length(code + space);
	if (space < EVENT_PATCH_LENGTH)
		return false;
	address = (uint64_t)code;
	stub = map_near(address & ~(PAGE - 1), address + PAGE, PAGE);
	if (!stub)
		return false;
	memcpy(stub, jump, sizeof(jump));
	memcpy(stub + sizeof(jump), &function, sizeof(function));
	done = mprotect(stub, PAGE, PROT_READ | PROT_EXEC) == 0 &&
	       writer_begin(&writer, address, address + EVENT_PATCH_LENGTH);
	if (done) {
		done = put_jump(&writer, address, EVENT_PATCH_LENGTH, (uint64_t)stub);
		writer_end(&writer);
	}
	if (!done)
		munmap(stub, PAGE);
	return done;
}

#else

/*
 * Other processors: no plans are made for them (see events/patch-plan.c), and
 * nothing is patched.
 */
bool event_patch_object(const struct event_loaded *object UNUSED, struct event_objects_area *table UNUSED,
			const void *plan UNUSED, bool first UNUSED)
{
	return false;
}

void event_patch_gone(const struct event_loaded *object UNUSED) {}

bool event_patch_hook(uint64_t address UNUSED, void (*function)(void) UNUSED)
{
	return false;
}

#endif
