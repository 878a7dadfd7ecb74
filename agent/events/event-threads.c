/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of threads that the program creates, whatever they execute, and of vfork.
 * A thread reports its own begin; its end is reported where its lane ends
 * (event-tasks.c). pthread_create itself is in event-python-profile.c.
 */
#include "agent/events/event-threads.h"
#include "agent/events/event-library.h"

#if defined(__x86_64__)

#include <dlfcn.h>
#include <sys/types.h>
#include <threads.h>

typedef int make_function(thrd_t *, thrd_start_t, void *);

/*
 * Maximum number of threads created that have not begun yet; a further one is
 * reported by its first event only.
 */
#define BIRTHS 1024

/* What a new thread executes. */
struct birth {
	void *start, *argument;
};

/* Static memory, so that nothing is allocated in the program, as everywhere here. */
static struct {
	struct birth birth;
	uint32_t taken;
} births[BIRTHS];

static make_function hooked_make;
void event_threads_run(void);
void event_threads_vfork(void);
struct birth event_threads_begin(uint64_t number);
void event_threads_vforks(void);
void event_threads_vforked(pid_t child);

enum { MAKE, VFORK, FUNCTION_COUNT };

static struct event_hook hooks[] = {
	{ "thrd_create", (void *)(uint64_t)hooked_make, NULL },
	{ "vfork", (void *)(uint64_t)event_threads_vfork, NULL },
};

static bool wanted(const struct event_area *area)
{
	return area->threads;
}

const struct event_hooks event_thread_hooks = { hooks, FUNCTION_COUNT, wanted };

/* Stores what a thread is to execute; returns its index, BIRTHS: no entry is free. */
static uint64_t keep(void *start, void *argument)
{
	for (uint64_t i = 0; event_has_monitor() && i < BIRTHS; i++) {
		if (__atomic_load_n(&births[i].taken, __ATOMIC_RELAXED) ||
		    __atomic_exchange_n(&births[i].taken, 1, __ATOMIC_ACQUIRE))
			continue;
		births[i].birth = (struct birth){ start, argument };
		return i;
	}
	return BIRTHS;
}

static void free_birth(uint64_t number)
{
	__atomic_store_n(&births[number].taken, 0, __ATOMIC_RELEASE);
}

bool event_thread_made(void *(**start)(void *), void **argument)
{
	uint64_t number = event_area->threads ? keep((void *)(uint64_t)*start, *argument) : BIRTHS;

	if (number == BIRTHS)
		return false;
	*start = (void *(*)(void *))(uint64_t)event_threads_run;
	*argument = (void *)number;
	return true;
}

void event_thread_failed(const void *argument)
{
	free_birth((uint64_t)argument);
}

/* Called when a thread begins: returns what it is to execute. */
struct birth event_threads_begin(uint64_t number)
{
	struct birth birth = births[number].birth;

	free_birth(number);
	if (event_has_monitor())
		event_write(EVENT_MARK_TASK | event_pause_bit());
	return birth;
}

static int hooked_make(thrd_t *thread, thrd_start_t start, void *argument)
{
	make_function *real = (make_function *)hooks[MAKE].real;
	uint64_t number = keep((void *)(uint64_t)start, argument);
	int result;

	if (number == BIRTHS)
		return real(thread, start, argument);
	result = real(thread, (thrd_start_t)(uint64_t)event_threads_run, (void *)number);
	if (result != thrd_success)
		free_birth(number);
	return result;
}

/*
 * The event handler agent's actions at a vfork, if it is loaded: otherwise it
 * would interpose on vfork itself.
 */
static void (*handler_vforks)(void), (*handler_vforked)(void);

__attribute__((constructor)) static void find_handler(void)
{
	void *found = dlsym(RTLD_DEFAULT, "vigil_handler_vforks");

	memcpy(&handler_vforks, &found, sizeof(found));
	found = dlsym(RTLD_DEFAULT, "vigil_handler_vforked");
	memcpy(&handler_vforked, &found, sizeof(found));
}

void event_threads_vforks(void)
{
	if (handler_vforks)
		handler_vforks();
}

void event_threads_vforked(pid_t child)
{
	if (handler_vforked)
		handler_vforked();
	if (event_has_monitor())
		event_write(EVENT_MARK_FORK | event_pause_bit() | EVENT_VALUE(child));
}

/*
 * The thread's function is entered by a jump: no frame of the agent is below it.
 * vfork returns twice to its caller, and the child uses the parent's stack, so the
 * return address is kept in a register meanwhile.
 */
__asm__(".text\n"
	".globl event_threads_run\n .hidden event_threads_run\n"
	".type event_threads_run, @function\n"
	"event_threads_run:\n .cfi_startproc\n endbr64\n"
	"sub $8, %rsp\n .cfi_adjust_cfa_offset 8\n call event_threads_begin\n"
	"add $8, %rsp\n .cfi_adjust_cfa_offset -8\n"
	"mov %rdx, %rdi\n jmp *%rax\n"
	".cfi_endproc\n .size event_threads_run, .-event_threads_run\n"
	".globl event_threads_vfork\n .hidden event_threads_vfork\n"
	".type event_threads_vfork, @function\n"
	"event_threads_vfork:\n .cfi_startproc\n endbr64\n"
	"sub $8, %rsp\n .cfi_adjust_cfa_offset 8\n call event_threads_vforks\n"
	"add $8, %rsp\n .cfi_adjust_cfa_offset -8\n"
	"pop %rdi\n .cfi_adjust_cfa_offset -8\n .cfi_register %rip, %rdi\n"
	"mov $58, %eax\n syscall\n"
	"push %rdi\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset %rip, 0\n"
	"test %rax, %rax\n js 1f\n jz 2f\n"
	"push %rax\n .cfi_adjust_cfa_offset 8\n mov %eax, %edi\n call event_threads_vforked\n"
	"pop %rax\n .cfi_adjust_cfa_offset -8\n ret\n"
	"1: neg %eax\n push %rax\n .cfi_adjust_cfa_offset 8\n call __errno_location@PLT\n"
	"pop %rcx\n .cfi_adjust_cfa_offset -8\n mov %ecx, (%rax)\n mov $-1, %eax\n"
	"2: ret\n .cfi_endproc\n .size event_threads_vfork, .-event_threads_vfork\n");

#else

bool event_thread_made(void *(**start)(void *) UNUSED, void **argument UNUSED)
{
	return false;
}

void event_thread_failed(const void *argument UNUSED) {}

#endif
