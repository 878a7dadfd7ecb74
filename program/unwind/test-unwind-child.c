/* SPDX-License-Identifier: Apache-2.0 */
/* Provides a stopped child for the tests of the walk. */
#include "common/compat.h"
#include "program/unwind/test-unwind.h"

#include "program/unwind/cfi.h"

#include <elf.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Continues the child and its threads until one of them reaches a breakpoint;
 * stores that thread.
 */
static bool run_to_breakpoint(struct target *target)
{
	int status, signal_number = 0;
	pid_t pid = target->pid;

	while (ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)signal_number) == 0) {
		pid = waitpid(-1, &status, __WALL);
		while (pid > 0 && !WIFSTOPPED(status) && pid != target->pid)
			pid = waitpid(-1, &status, __WALL);
		if (pid < 0 || !WIFSTOPPED(status))
			return false;
		signal_number = WSTOPSIG(status);
		if (signal_number == SIGTRAP && status >> 16 == 0) {
			target->tid = pid;
			return true;
		}
		/* A thread starts or was created: no signal to deliver. */
		if (signal_number == SIGTRAP || (signal_number == SIGSTOP && pid != target->pid))
			signal_number = 0;
	}
	return false;
}

bool target_continue(struct target *target)
{
	return run_to_breakpoint(target);
}

/* Waits for the child's first stop, and traces its threads from then on. */
static bool begin(struct target *target)
{
	int status;

	return waitpid(target->pid, &status, 0) == target->pid && WIFSTOPPED(status) &&
	       ptrace(PTRACE_SETOPTIONS, target->pid, NULL, (void *)PTRACE_O_TRACECLONE) == 0 &&
	       run_to_breakpoint(target);
}

bool target_fork(struct target *target, void (*scenario)(void))
{
	memset(target, 0, sizeof(*target));
	object_list_init(&target->objects);
	target->pid = fork();
	if (target->pid == 0) {
		alarm(60);
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(1);
		raise(SIGSTOP);
		scenario();
		_exit(0);
	}
	return begin(target);
}

bool target_exec(struct target *target, const char *path, const char *argument)
{
	memset(target, 0, sizeof(*target));
	object_list_init(&target->objects);
	target->pid = fork();
	if (target->pid == 0) {
		alarm(60);
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
			execl(path, path, argument, (char *)NULL);
		_exit(1);
	}
	return begin(target);
}

bool target_at_breakpoint(struct target *target, bool begun)
{
	if (!begun) {
		target_end(target);
		printf("# skipped: a child cannot be traced here\n");
	}
	return begun;
}

bool target_compile(const char *options, const char *path)
{
	return target_compile_file("test-unwind-target.c", options, path);
}

bool target_compile_file(const char *file, const char *options, const char *path)
{
	const char *source = getenv("VIGIL_SOURCE");
	struct strbuf command = STRBUF_INIT;
	bool done;

	strbuf_addf(&command, "cc -mno-red-zone %s -o %s %s/program/unwind/%s >/dev/null 2>&1",
		    options, path, source ? source : ".", file);
	done = system(command.text) == 0;
	strbuf_release(&command);
	return done;
}

bool target_read(void *argument, uint64_t address, void *buffer, size_t size)
{
	const struct target *target = argument;

	return object_read_memory(target->pid, address, buffer, size);
}

void target_capture(struct target *target)
{
	struct unwind_input *input = &target->input;
	struct user_regs_struct r;
	struct iovec vector = { &r, sizeof(r) };
	size_t size = CAPTURED;

	ptrace(PTRACE_GETREGSET, target->tid, (void *)(intptr_t)NT_PRSTATUS, &vector);
	{
		const uint64_t values[UNWIND_REGISTERS] = {
			r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8,
			r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15, r.rip,
		};

		memcpy(input->registers, values, sizeof(values));
	}
	input->pid = target->pid;
	input->known = (1u << UNWIND_REGISTERS) - 1;
	input->stack_start = r.rsp;
	input->stack = target->stack;
	while (size > 0 && !object_read_memory(target->pid, r.rsp, target->stack, size))
		size -= 256;
	input->stack_size = size;
}

void target_walk(struct target *target)
{
	if (!target->space) {
		target->space = space_new();
		space_read_proc(&target->space, &target->objects, target->pid, NULL);
	}
	target->input.space = target->space;
	target->count = unwind_walk(&target->input, target->frames, &target->end);
}

/* Looks up an address in one symbol table. */
static bool name_in(struct object *object, const struct object_section *section, uint64_t address,
		    char *name, size_t size)
{
	const unsigned char *bytes = object_section_bytes(object, section), *text;
	struct object_section strings;

	if (!bytes || !object_section_at(object, section->link, &strings))
		return false;
	text = object_section_bytes(object, &strings);
	for (uint64_t i = 0; text && i < section->size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym symbol;

		memcpy(&symbol, bytes + i * sizeof(symbol), sizeof(symbol));
		if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && address >= symbol.st_value &&
		    address - symbol.st_value < symbol.st_size) {
			snprintf(name, size, "%s", (const char *)text + symbol.st_name);
			return true;
		}
	}
	return false;
}

const char *target_name(struct target *target, size_t number)
{
	const struct unwind_frame *frame = &target->frames[number];
	struct object_section section;

	snprintf(target->name, sizeof(target->name), "?");
	if (number >= target->count || !frame->mapping)
		return target->name;
	for (unsigned i = 1; object_section_at(frame->mapping->object, i, &section); i++)
		if ((section.type == SHT_SYMTAB || section.type == SHT_DYNSYM) &&
		    name_in(frame->mapping->object, &section, frame->offset, target->name,
			    sizeof(target->name)))
			break;
	return target->name;
}

void target_describe(struct target *target, struct strbuf *sb)
{
	static const char *const ends[] = { "whole", "no memory", "no rule", "too deep" };

	for (size_t i = 0; i < target->count; i++)
		strbuf_addf(sb, "%s%s%s", i ? " < " : "", target->frames[i].guessed ? "~" : "",
			    target_name(target, i));
	strbuf_addf(sb, " (%s)", ends[target->end]);
}

void target_end(struct target *target)
{
	if (target->pid > 0) {
		pid_t ended;

		/* Its threads, which are traced too, must be waited for before it. */
		kill(target->pid, SIGKILL);
		do
			ended = waitpid(-1, NULL, __WALL);
		while (ended > 0 && ended != target->pid);
	}
	space_drop(target->space);
	object_list_release(&target->objects);
}
