/* SPDX-License-Identifier: Apache-2.0 */
/* Built with -finstrument-functions: shows changed registers and the return address of a hook. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

uint64_t other_place;
extern void __cyg_profile_func_enter(void *function, void *caller);

/* Not exported: its name is only in the program's own symbol table. */
__attribute__((noinline, visibility("hidden"))) int inner(int value)
{
	return value + 1;
}

/* A hand-written hook: r12 is 1 at the hook, and other_place is an alternative return address. */
__attribute__((no_instrument_function, noinline)) static void own_hook(void)
{
	uint64_t twelve, way;

	__asm__ volatile("movq $1, %%r12\n"
			 "leaq 1f(%%rip), %%rax\n"
			 "movq %%rax, other_place(%%rip)\n"
			 "leaq own_hook(%%rip), %%rdi\n"
			 "movq %%rsp, %%rbx\n"
			 "andq $-16, %%rsp\n"
			 "call __cyg_profile_func_enter@PLT\n"
			 "movq $5, %%r13\n"
			 "jmp 2f\n"
			 "1: movq $6, %%r13\n"
			 "2: movq %%rbx, %%rsp\n"
			 "movq %%r12, %0\n"
			 "movq %%r13, %1\n"
			 : "=&r"(twelve), "=&r"(way)
			 :
			 : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
			   "r12", "r13", "memory", "cc");
	other_place = 0;
	printf("r12 %d way %d\n", (int)twelve, (int)way);
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "own"))
		own_hook();
	else
		printf("inner %d\n", inner(1));
	return 0;
}
