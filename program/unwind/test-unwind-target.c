/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program and, if compiled so, a shared object for test-unwind.c, which compiles
 * it in several ways: main < outer < by_hand < inner, where by_hand is assembly
 * without call-frame information or symbol. With -DBARE the return of a signal
 * handler has no call-frame information either.
 */
#include <ctype.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

__attribute__((used)) NOINLINE int inner(int value)
{
	volatile int local = value;

	__asm__ volatile("int3");
	return local + 1;
}

/* Saves registers, has a frame, loops, and calls back. */
__asm__(".text\n"
	"	.align 16\n"
	".Lby_hand:\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	mov %rdi, %rbx\n"
	"	xor %r12d, %r12d\n"
	"	sub $40, %rsp\n"
	"1:	inc %r12\n"
	"	cmp $10, %r12\n"
	"	jne 1b\n"
	"	mov %ebx, %edi\n"
	"	movq $0x1234, (%rsp)\n"
	"	call inner\n"
	"	add $40, %rsp\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	ret\n"
	"	.align 16\n"
	".Lrestore:\n"
	"	mov $15, %rax\n"
	"	syscall\n");

NOINLINE int outer(int value)
{
	int result;

	/* Compiled without a red zone, so that a call here is safe. */
	__asm__ volatile("call .Lby_hand"
			 : "=a"(result)
			 : "D"(value)
			 : "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc");
	return result + value;
}

#ifdef SHARED
/* Calls functions of other objects through linkage stubs. */
int through_stubs(int rounds)
{
	char text[16] = "1234";
	int sum = 0;

	for (int i = 0; i < rounds; i++)
		sum += (int)strlen(text) + atoi(text) + toupper('a' + i) + (int)getppid();
	return sum;
}
#endif

#ifdef BARE
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

static volatile int sum;

static void on_signal(int number)
{
	sum += outer(number);
}

/* As in a C library whose signal return has no call-frame information. */
static NOINLINE void handle_bare(void)
{
	struct kernel_action action = { on_signal, 0x04000000, NULL, 0 };

	__asm__ volatile("lea .Lrestore(%%rip), %0" : "=r"(action.restorer));
	syscall(SYS_rt_sigaction, SIGILL, &action, NULL, 8);
	__asm__ volatile("ud2" ::: "memory");
}
#endif

#ifndef SHARED
int main(int argc, char **argv)
{
	(void)argv;
#ifdef BARE
	handle_bare();
#endif
	return outer(argc) == 0;
}
#endif
