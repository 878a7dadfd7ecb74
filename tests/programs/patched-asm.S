/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with beginnings and ends of every kind, for tests/patched.bats; patched.c calls them. */
	.text

	/* Three bytes, and nothing behind them that is in use. */
	.globl	tiny
	.type	tiny, @function
	.p2align 4
tiny:	xorl	%eax, %eax
	ret
	.size	tiny, .-tiny

	/* Three bytes, and the next function behind them at once: it cannot be patched. */
	.globl	cramped
	.type	cramped, @function
	.p2align 4
cramped:
	xorl	%eax, %eax
	ret
	.size	cramped, .-cramped

	/* A loop that goes back into the first five bytes. */
	.globl	loop_inside
	.type	loop_inside, @function
loop_inside:
	xorl	%eax, %eax
1:	incl	%eax
	decl	%edi
	jnz	1b
	ret
	.size	loop_inside, .-loop_inside

	/* A loop that goes back to the first byte. */
	.globl	loop_start
	.type	loop_start, @function
	.p2align 4
loop_start:
	subl	$1, %edi
	testl	%edi, %edi
	jg	loop_start
	movl	%edi, %eax
	ret
	.size	loop_start, .-loop_start

	/* Data relative to the instruction among the first bytes. */
	.globl	relative
	.type	relative, @function
	.p2align 4
relative:
	movl	number(%rip), %eax
	addl	$1, number(%rip)
	ret
	.size	relative, .-relative

	/* The same with a number behind the distance. */
	.globl	compared
	.type	compared, @function
	.p2align 4
compared:
	cmpl	$1000000, number(%rip)
	setl	%al
	movzbl	%al, %eax
	ret
	.size	compared, .-compared

	/* The first instruction is a call. */
	.globl	calls_first
	.type	calls_first, @function
	.p2align 4
calls_first:
	call	tiny
	addl	$7, %eax
	ret
	.size	calls_first, .-calls_first

	/* A branch among the first bytes, and two ends. */
	.globl	branches
	.type	branches, @function
	.p2align 4
branches:
	testl	%edi, %edi
	je	1f
	movl	$1, %eax
	ret
	nop
	nop
	nop
	nop
1:	movl	$2, %eax
	ret
	.size	branches, .-branches

	/* A jump into another function as the last thing. */
	.globl	tail
	.type	tail, @function
	.p2align 4
tail:	addl	$1, %edi
	nopw	(%rax)
	jmp	branches
	.size	tail, .-tail

	/* A jump through a table, and an end that is also an entry of the table. */
	.globl	table
	.type	table, @function
	.p2align 4
table:	andl	$3, %edi
	leaq	distances(%rip), %rdx
	movslq	(%rdx,%rdi,4), %rcx
	movl	$13, %eax
	addq	%rdx, %rcx
	jmp	*%rcx
.L0:	movl	$10, %eax
	jmp	.L3
.L1:	movl	$11, %eax
	jmp	.L3
.L2:	movl	$12, %eax
.L3:	ret
	nop
	nop
	nop
	nop
	.size	table, .-table

	/* Every register and the flags of the caller are kept: what it returns is the number that changed. */
	.globl	keeps
	.type	keeps, @function
	.p2align 4
keeps:	pushq	%rbx
	pushq	%rbp
	xorl	%ebx, %ebx
	movl	$101, %ecx
	movl	$102, %edx
	movl	$103, %esi
	movl	$104, %edi
	movl	$105, %r8d
	movl	$106, %r9d
	movl	$107, %r10d
	movl	$108, %r11d
	movl	$109, %eax
	movd	%eax, %xmm0
	movd	%ecx, %xmm7
	movd	%edx, %xmm15
	call	changes_nothing
	cmpl	$101, %ecx
	setne	%bl
	cmpl	$102, %edx
	setne	%cl
	addb	%cl, %bl
	cmpl	$103, %esi
	setne	%cl
	addb	%cl, %bl
	cmpl	$104, %edi
	setne	%cl
	addb	%cl, %bl
	cmpl	$105, %r8d
	setne	%cl
	addb	%cl, %bl
	cmpl	$106, %r9d
	setne	%cl
	addb	%cl, %bl
	cmpl	$107, %r10d
	setne	%cl
	addb	%cl, %bl
	cmpl	$108, %r11d
	setne	%cl
	addb	%cl, %bl
	cmpl	$109, %eax
	setne	%cl
	addb	%cl, %bl
	movd	%xmm0, %eax
	cmpl	$109, %eax
	setne	%cl
	addb	%cl, %bl
	movd	%xmm7, %eax
	cmpl	$101, %eax
	setne	%cl
	addb	%cl, %bl
	movd	%xmm15, %eax
	cmpl	$102, %eax
	setne	%cl
	addb	%cl, %bl
	movl	%ebx, %eax
	popq	%rbp
	popq	%rbx
	ret
	.size	keeps, .-keeps

	.globl	changes_nothing
	.type	changes_nothing, @function
	.p2align 4
changes_nothing:
	nopl	(%rax)
	nopl	(%rax)
	ret
	.size	changes_nothing, .-changes_nothing

	.section .rodata
	.p2align 2
distances:
	.long	.L0-distances, .L1-distances, .L2-distances, .L3-distances

	.data
	.p2align 2
number:	.long	0

	.section .note.GNU-stack, "", @progbits
