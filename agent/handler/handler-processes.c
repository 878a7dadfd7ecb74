/* SPDX-License-Identifier: Apache-2.0 */
/* Raises the events of vfork, exec and spawn; those of fork are in handler-begin.c. */
#include "agent/handler/handler.h"
#include "agent/agent-next.h"

#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

typedef int exec_function(const char *, char *const *, char *const *);
typedef int plain_exec_function(const char *, char *const *);
typedef int handle_exec_function(int, char *const *, char *const *);
typedef int at_exec_function(int, const char *, char *const *, char *const *, int);
typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *,
			   const posix_spawnattr_t *, char *const *, char *const *);

AGENT_VISIBLE exec_function execve, execvpe;
AGENT_VISIBLE plain_exec_function execv, execvp;
AGENT_VISIBLE handle_exec_function fexecve;
AGENT_VISIBLE at_exec_function execveat;
AGENT_VISIBLE int execl(const char *path, const char *first, ...);
AGENT_VISIBLE int execlp(const char *file, const char *first, ...);
AGENT_VISIBLE int execle(const char *path, const char *first, ...);
AGENT_VISIBLE spawn_function posix_spawn, posix_spawnp;
AGENT_VISIBLE int system(const char *command);
AGENT_VISIBLE FILE *popen(const char *command, const char *mode);

/* Raises an event without parameters. */
static void raise_plain(int32_t code)
{
	if (handler_is_tracked_process())
		handler_event(code, NULL);
}

int execve(const char *path, char *const *arguments, char *const *environment)
{
	static exec_function *next;

	agent_next(&next, "execve");
	raise_plain(VIGIL_EXEC_IMMINENT);
	return next(path, arguments, environment);
}

int execvpe(const char *file, char *const *arguments, char *const *environment)
{
	static exec_function *next;

	agent_next(&next, "execvpe");
	raise_plain(VIGIL_EXEC_IMMINENT);
	return next(file, arguments, environment);
}

int execv(const char *path, char *const *arguments)
{
	return execve(path, arguments, environ);
}

int execvp(const char *file, char *const *arguments)
{
	return execvpe(file, arguments, environ);
}

int fexecve(int fd, char *const *arguments, char *const *environment)
{
	static handle_exec_function *next;

	agent_next(&next, "fexecve");
	raise_plain(VIGIL_EXEC_IMMINENT);
	return next(fd, arguments, environment);
}

int execveat(int fd, const char *path, char *const *arguments, char *const *environment, int flags)
{
	static at_exec_function *next;

	agent_next(&next, "execveat");
	raise_plain(VIGIL_EXEC_IMMINENT);
	return next(fd, path, arguments, environment, flags);
}

/* Returns the number of arguments of a list, including the first and the terminating NULL. */
static size_t count_list(va_list *list)
{
	size_t count = 1;

	while (va_arg(*list, const char *))
		count++;
	return count + 1;
}

/* Copies a list: its first argument, then the rest. */
static void take_list(char **arguments, const char *first, va_list *list)
{
	memcpy(&arguments[0], &first, sizeof(first));
	for (size_t i = 0; arguments[i]; i++)
		arguments[i + 1] = va_arg(*list, char *);
}

/* Declares name as an array of a list's arguments, on the stack: a vfork child may get here. */
#define ARGUMENTS(name, list, first) \
	va_list list; \
	va_start(list, first); \
	char *name[count_list(&list)]; \
	va_end(list); \
	va_start(list, first); \
	take_list(name, first, &list)

int execl(const char *path, const char *first, ...)
{
	ARGUMENTS(arguments, list, first);
	va_end(list);
	return execve(path, arguments, environ);
}

int execlp(const char *file, const char *first, ...)
{
	ARGUMENTS(arguments, list, first);
	va_end(list);
	return execvpe(file, arguments, environ);
}

int execle(const char *path, const char *first, ...)
{
	char *const *environment;

	ARGUMENTS(arguments, list, first);
	environment = va_arg(list, char *const *);
	va_end(list);
	return execve(path, arguments, environment);
}

/* Spawns a process between its two events. */
static int spawn(spawn_function *next, pid_t *pid, const char *name,
		 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		 char *const *arguments, char *const *environment)
{
	int result;

	raise_plain(VIGIL_SPAWN_IMMINENT);
	result = next(pid, name, actions, attributes, arguments, environment);
	raise_plain(VIGIL_AFTER_SPAWN);
	return result;
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attributes, char *const *arguments,
		char *const *environment)
{
	static spawn_function *next;

	agent_next(&next, "posix_spawn");
	return spawn(next, pid, path, actions, attributes, arguments, environment);
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attributes, char *const *arguments,
		 char *const *environment)
{
	static spawn_function *next;

	agent_next(&next, "posix_spawnp");
	return spawn(next, pid, file, actions, attributes, arguments, environment);
}

int system(const char *command)
{
	static int (*next)(const char *);
	int result;

	agent_next(&next, "system");
	if (!command)
		return next(NULL);
	raise_plain(VIGIL_SPAWN_IMMINENT);
	result = next(command);
	raise_plain(VIGIL_AFTER_SPAWN);
	return result;
}

FILE *popen(const char *command, const char *mode)
{
	static FILE *(*next)(const char *, const char *);
	FILE *stream;

	agent_next(&next, "popen");
	raise_plain(VIGIL_SPAWN_IMMINENT);
	stream = next(command, mode);
	raise_plain(VIGIL_AFTER_SPAWN);
	return stream;
}

#ifdef __x86_64__
/* Raise the events before and after a vfork, also one of the event agent (event-threads.c). */
AGENT_VISIBLE void vigil_handler_vforks(void);
AGENT_VISIBLE void vigil_handler_vforked(void);

void vigil_handler_vforks(void)
{
	uint64_t thread = (uint64_t)pthread_self();

	if (handler_is_tracked_process())
		handler_event(VIGIL_FORK_IMMINENT, &(struct handler_parameters){ { &thread } });
}

/* In the parent: its child has its own memory by now, or has ended. */
void vigil_handler_vforked(void)
{
	raise_plain(VIGIL_IN_PARENT);
}

/*
 * vfork returns twice to its caller, and the child uses the parent's stack, so the
 * return address is kept in a register meanwhile.
 */
__asm__(".globl vfork\n"
	".type vfork, @function\n"
	"vfork:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	subq $8, %rsp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	call vigil_handler_vforks\n"
	"	addq $8, %rsp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq %rdi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_register %rip, %rdi\n"
	"	movl $58, %eax\n"
	"	syscall\n"
	"	pushq %rdi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %rip, 0\n"
	"	testq %rax, %rax\n"
	"	js 1f\n"
	"	jz 2f\n"
	"	pushq %rax\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	call vigil_handler_vforked\n"
	"	popq %rax\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"2:	ret\n"
	"1:	negl %eax\n"
	"	pushq %rax\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	call __errno_location@PLT\n"
	"	popq %rcx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	movl %ecx, (%rax)\n"
	"	movl $-1, %eax\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size vfork, . - vfork\n");
#endif
