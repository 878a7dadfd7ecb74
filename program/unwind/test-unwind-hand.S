/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hand-written assembly as it stands in libraries for cryptography and large
 * numbers, for test-unwind-steps.c: it aligns the stack, keeps the stack
 * pointer that it was called with in a register or in its own frame, moves the
 * stack pointer on in loops, and is reached by a jump.
 */
	.text

	/* Keeps the caller's stack pointer in its frame alone; nothing describes it. */
	.type	kept_in_frame, @function
	.p2align 4
kept_in_frame:
	movq	%rsp, %rax
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	subq	$600, %rsp
	andq	$-512, %rsp
	movq	%rax, 152(%rsp)
	xorl	%eax, %eax
	movl	$5, %ebx
1:	leaq	-64(%rsp), %rsp
	movq	%rbx, (%rsp)
	movq	%rbx, %rbp
	leaq	(%rbp,%rbx), %r12
	decl	%ebx
	jnz	1b
	movq	472(%rsp), %rcx
	movq	-24(%rcx), %r12
	movq	-16(%rcx), %rbp
	movq	-8(%rcx), %rbx
	movq	%rcx, %rsp
	ret
	.size	kept_in_frame, .-kept_in_frame

	/* The same in a register alone. */
	.type	kept_in_register, @function
	.p2align 4
kept_in_register:
	leaq	8(%rsp), %r11
	subq	$1000, %rsp
	andq	$-64, %rsp
	movl	$20, %ecx
1:	movq	%rcx, (%rsp)
	decl	%ecx
	jnz	1b
	leaq	-8(%r11), %rsp
	ret
	.size	kept_in_register, .-kept_in_register

	/* Described, but in a part of its loop by memory below the stack pointer. */
	.type	below, @function
	.p2align 4
below:
	.cfi_startproc
	movq	%rsp, %rax
	.cfi_def_cfa_register %rax
	pushq	%rbx
	.cfi_offset %rbx, -16
	subq	$600, %rsp
	andq	$-512, %rsp
	movq	%rax, 152(%rsp)
	/* DW_CFA_def_cfa_expression: *(rsp + 152) + 8 */
	.cfi_escape 0x0f, 0x06, 0x77, 0x98, 0x01, 0x06, 0x23, 0x08
	movl	$5, %ebx
	movq	152(%rsp), %rdi
1:	leaq	-64(%rsp), %rsp
	movq	%rdi, -8(%rsp)
	/* *(rsp - 8) + 8 */
	.cfi_escape 0x0f, 0x05, 0x77, 0x78, 0x06, 0x23, 0x08
	movq	%rbx, (%rsp)
	xorl	%eax, %eax
	decl	%ebx
	jnz	1b
	movq	-8(%rsp), %rsi
	.cfi_def_cfa %rsi, 8
	movq	-8(%rsi), %rbx
	.cfi_restore %rbx
	leaq	(%rsi), %rsp
	.cfi_def_cfa_register %rsp
	ret
	.cfi_endproc
	.size	below, .-below

	/* Chooses a variant, as for processors. */
	.type	choose, @function
	.p2align 4
choose:
	.cfi_startproc
	testl	%edi, %edi
	jnz	below
	xorl	%eax, %eax
	ret
	.cfi_endproc
	.size	choose, .-choose

	.globl	hand_written
	.type	hand_written, @function
	.p2align 4
hand_written:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	pushq	%r12
	.cfi_def_cfa_offset 24
	.cfi_offset %r12, -24
	/* The frames of what is called begin at another place of an alignment each time. */
	subq	$56, %rsp
	.cfi_def_cfa_offset 80
	movl	%edi, %ebx
1:	call	kept_in_frame
	call	kept_in_register
	movl	$1, %edi
	call	choose
	leaq	kept_in_frame(%rip), %r12
	call	*%r12
	decl	%ebx
	jnz	1b
	addq	$56, %rsp
	.cfi_def_cfa_offset 24
	popq	%r12
	.cfi_restore %r12
	.cfi_def_cfa_offset 16
	popq	%rbx
	.cfi_restore %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	hand_written, .-hand_written
	.section .note.GNU-stack, "", @progbits
