/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of the walk: a child stopped by ptrace is walked, and its frames are named. */
#ifndef VIGIL_PROGRAM_UNWIND_TEST_UNWIND_H
#define VIGIL_PROGRAM_UNWIND_TEST_UNWIND_H

#include "program/unwind/unwind.h"

#define CAPTURED 8192 /* bytes of stack, as many as the sampler captures */

/* A function that keeps its name and has its own frame. */
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif
/* Prevents the compiler from turning a call at the end into a jump. */
#define NO_TAIL __asm__ volatile("" ::: "memory")

struct target {
	pid_t pid;
	pid_t tid; /* the thread that reached the breakpoint */
	struct object_list objects;
	struct space *space;
	struct unwind_input input;
	unsigned char stack[CAPTURED];
	struct unwind_frame frames[UNWIND_MAX_FRAMES];
	size_t count;
	enum unwind_end end;
	char name[256];
};

/* Starts a child of this process that runs scenario, up to its first breakpoint (int3). */
bool target_fork(struct target *target, void (*scenario)(void));
/* Starts a program, up to its first breakpoint. */
bool target_exec(struct target *target, const char *path, const char *argument);
/* Returns whether it is at its first breakpoint; otherwise prints that tracing is impossible. */
bool target_at_breakpoint(struct target *target, bool begun);
/* Continues up to the next breakpoint; returns false if it ends before. */
bool target_continue(struct target *target);
/* Compiles test-unwind-target.c with the machine's compiler; returns false if that fails. */
bool target_compile(const char *options, const char *path);
/* As target_compile, for another file of this folder. */
bool target_compile_file(const char *file, const char *options, const char *path);
/* Reads registers and stack of the stopped child, as perf would. */
void target_capture(struct target *target);
/* Walks with what was captured; reads the map first if space is NULL. */
void target_walk(struct target *target);
/* Returns the function of frame number, from the symbol tables; "?" if unknown. */
const char *target_name(struct target *target, size_t number);
/* Appends all frames as "a < b < c". */
void target_describe(struct target *target, struct strbuf *sb);
void target_end(struct target *target);
/* Reads memory of the child, for unwind_input. */
bool target_read(void *argument, uint64_t address, void *buffer, size_t size);

#endif
