/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libvigil: an application names its transactions, and starts and pauses
 * measurement.
 *
 * Runs inside the step, perhaps in a signal handler or between fork and exec: it
 * uses only system calls and atomic operations, no memory of the C library, no
 * lock, and no thread-local storage except eight bytes in the static TLS block of
 * each thread. Without VIGIL_TRANSACTIONS in the environment a call is one test of
 * a variable.
 */
#include "agent/agent.h"
#include "vigil/vigil.h"
#include "agent/transaction-write.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(TRANSACTION_AREA_NAME == VIGIL_TRANSACTION_MAX + 1, "a name and its end fit");

/* Values of state other than the address of an area. */
enum { NOT_MEASURED = 0, NOT_MAPPED = 1 };

static _Atomic uintptr_t state = NOT_MEASURED;
static const char *area_path;

/*
 * The calling process and thread, without asking the kernel each time. process is
 * on a page that the kernel clears in a forked child, so 0 means "ask again"; a
 * thread's number is valid while its process is the same. (A vfork child shares
 * all this and is taken for its parent.)
 */
static _Atomic uint32_t *process;
static _Thread_local struct {
	uint32_t pid, tid;
} caller __attribute__((tls_model("initial-exec")));

/* Returns a page that is cleared in a forked child; NULL if the kernel does not support it. */
static void *page_for_process(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (!madvise(page, 4096, MADV_WIPEONFORK))
		return page;
	munmap(page, 4096);
	return NULL;
}

/* Looks for the area's path once, when the library is loaded. */
__attribute__((constructor)) static void find_area(void)
{
	const char *path = secure_getenv("VIGIL_TRANSACTIONS");
	size_t size = path ? strlen(path) + 1 : 0;
	char *copy;

	if (size <= 1)
		return;
	/* A private copy: the program may change its environment. */
	copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		return;
	memcpy(copy, path, size);
	area_path = copy;
	process = page_for_process();
	atomic_store(&state, NOT_MAPPED);
}

/*
 * Maps the area. Two threads, or a thread and its signal handler, may both do so:
 * the first mapping is used, the other is left alone (it only costs address space,
 * and its size is no longer available).
 */
static struct transaction_area *map_area(void)
{
	uintptr_t expected = NOT_MAPPED;
	struct transaction_area *area = transaction_map(area_path);

	if (!atomic_compare_exchange_strong(&state, &expected,
					    area ? (uintptr_t)area : NOT_MEASURED))
		return expected > NOT_MAPPED ? (void *)expected : NULL;
	return area;
}

/* Returns the area, NULL if the program is not measured. */
static struct transaction_area *get_area(void)
{
	uintptr_t now = atomic_load_explicit(&state, memory_order_acquire);
	struct transaction_area *area;
	int saved;

	if (now != NOT_MAPPED)
		return now == NOT_MEASURED ? NULL : (void *)now;
	saved = errno;
	area = map_area();
	errno = saved;
	return area;
}

/* Returns how many bytes of a name are kept; a UTF-8 character is never split. */
static size_t kept_length(const char *name, size_t length)
{
	if (length <= VIGIL_TRANSACTION_MAX)
		return length;
	length = VIGIL_TRANSACTION_MAX;
	for (size_t back = 0; back < 4 && length > back; back++)
		if (((unsigned char)name[length - back] & 0xc0) != 0x80)
			return length - back;
	return length;
}

/* Makes sure that caller identifies the calling thread. */
static void find_caller(void)
{
	uint32_t pid = process ? atomic_load_explicit(process, memory_order_relaxed) : 0;

	if (!pid) {
		pid = (uint32_t)getpid();
		if (process)
			atomic_store_explicit(process, pid, memory_order_relaxed);
		caller.pid = 0;
	}
	if (caller.pid == pid)
		return;
	caller.tid = (uint32_t)syscall(SYS_gettid);
	caller.pid = pid;
}

/* Writes one change of the calling thread. */
static void write_change(struct transaction_area *area, const char *name, size_t length)
{
	find_caller();
	/* Names of switches are not allowed for an application. */
	while (length && *name == TRANSACTION_SWITCH) {
		name++;
		length--;
	}
	transaction_write(area, caller.pid, caller.tid, name, length);
}

int vigil_transaction_n(const char *name, size_t length)
{
	struct transaction_area *area = get_area();

	if (!area)
		return 0;
	if (!name)
		length = 0;
	while (length && name[length - 1] == ' ')
		length--;
	write_change(area, name ? name : "", kept_length(name, length));
	return 1;
}

int vigil_transaction(const char *name)
{
	struct transaction_area *area = get_area();

	if (!area)
		return 0;
	if (!name)
		name = "";
	write_change(area, name, kept_length(name, strlen(name)));
	return 1;
}

int vigil_measured(void)
{
	return get_area() != NULL;
}

/* Starts or pauses collecting on behalf of the calling thread. */
static int switch_collecting(bool start)
{
	struct transaction_area *area = get_area();

	if (!area)
		return 0;
	find_caller();
	transaction_switch(area, start, caller.pid, caller.tid);
	return 1;
}

int vigil_start(void)
{
	return switch_collecting(true);
}

int vigil_pause(void)
{
	return switch_collecting(false);
}
