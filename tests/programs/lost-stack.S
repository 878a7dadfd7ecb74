/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library's function whose callers nobody can find, for tests/collectors-python.bats: while it
 * executes, the stack pointer lies in memory of its own and is kept in a vector register.
 */
	.text
	.globl	lost
	.type	lost, @function
	.p2align 4
lost:	movq	%rsp, %xmm0
	leaq	elsewhere+32768(%rip), %rsp
	movq	%rdi, %rax
	xorl	%ecx, %ecx
	xorl	%edx, %edx
1:	addq	%rcx, %rdx
	incq	%rcx
	decq	%rax
	jnz	1b
	movq	%xmm0, %rsp
	movq	%rdx, %rax
	ret
	.size	lost, .-lost
	.local	elsewhere
	.comm	elsewhere, 65536, 16
	.section .note.GNU-stack, "", @progbits
