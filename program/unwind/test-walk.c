/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of single steps of a walk, on hand-made stacks and code. */
#include "common/compat.h"
#include "program/unwind/arch.h"
#include "program/unwind/cfi.h"
#include "program/unwind/unwind.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define CODE UINT64_C(0x10000)
#define CODE_SIZE 0x2000
#define STACK UINT64_C(0x20000)

/* A stack, and code generated at run time, which is not in a file. */
struct made {
	struct object_list objects;
	struct space *space;
	struct unwind_input input;
	uint64_t stack[64];
	unsigned char code[CODE_SIZE];
	struct unwind_frame frames[UNWIND_MAX_FRAMES];
	enum unwind_end end;
	size_t count;
};

static struct made made;

/* Reads the code, as unwind_input.read. */
static bool read_code(void *argument UNUSED, uint64_t address, void *buffer, size_t size)
{
	if (address < CODE || address + size > CODE + CODE_SIZE)
		return false;
	memcpy(buffer, made.code + (address - CODE), size);
	return true;
}

static void begin(void)
{
	memset(&made, 0, sizeof(made));
	memset(made.code, 0x90, sizeof(made.code));
	object_list_init(&made.objects);
	made.space = space_new();
	made.input = (struct unwind_input){
		.space = made.space,
		.known = (1U << UNWIND_REGISTERS) - 1,
		.stack_start = STACK,
		.stack = (const unsigned char *)made.stack,
		.stack_size = sizeof(made.stack),
		.read = read_code,
	};
	made.input.registers[ARCH_STACK_POINTER] = STACK;
	made.input.registers[ARCH_INSTRUCTION] = CODE + 0x800;
}

static void walk(void)
{
	made.count = unwind_walk(&made.input, made.frames, &made.end);
}

static void finish(void)
{
	space_drop(made.space);
	object_list_release(&made.objects);
}

/* Puts an indirect call that ends at an address into the code. */
static void call_before(uint64_t address)
{
	made.code[address - CODE - 2] = 0xff;
	made.code[address - CODE - 1] = 0xd0;
}

/* Walks from a frame pointer with what is saved there. */
static void walk_from_frame(uint64_t saved, uint64_t back)
{
	begin();
	space_map(&made.space, &made.objects, 1, CODE, CODE_SIZE, 0, "", 0, 0);
	made.input.space = made.space;
	call_before(CODE + 8);
	call_before(CODE + 0x1000);
	made.input.registers[6] = STACK + 0x10;
	made.stack[2] = saved;
	made.stack[3] = back;
	walk();
	finish();
}

/* The chain of frame pointers ends if neither a frame nor a caller is left. */
static void the_chain_ends_with_nothing(void **state UNUSED)
{
	walk_from_frame(0, 0);
	assert_int_equal(made.count, 1);
	assert_int_equal(made.end, UNWIND_WHOLE);
	walk_from_frame(0, CODE + 0x1000);
	assert_int_equal(made.count, 2);
	assert_int_equal(made.frames[1].address, CODE + 0x1000 - 1);
	assert_int_not_equal(made.end, UNWIND_WHOLE);
	walk_from_frame(STACK + 0x40, 0);
	assert_int_equal(made.count, 1);
	assert_int_not_equal(made.end, UNWIND_WHOLE);
}

/* A call may be at the very start of its code. */
static void a_call_may_begin_its_code(void **state UNUSED)
{
	walk_from_frame(0, CODE + 8);
	assert_int_equal(made.count, 2);
	assert_int_equal(made.frames[1].address, CODE + 7);
}

static char folder[] = "/tmp/vigil-walk-XXXXXX";

/* Compiles assembly as a shared object and maps it at CODE; returns its object. */
static struct object *assemble(const char *text)
{
	struct strbuf path = STRBUF_INIT, command = STRBUF_INIT;
	struct object *object;
	struct stat st;
	FILE *stream;

	begin();
	strbuf_addf(&path, "%s/made.s", folder);
	stream = fopen(path.text, "w");
	assert_non_null(stream);
	fputs(text, stream);
	assert_int_equal(fclose(stream), 0);
	strbuf_addf(&command, "cd %s && cc -shared -nostdlib -Wl,--build-id=none -o made.so made.s",
		    folder);
	assert_int_equal(system(command.text), 0);
	strbuf_reset(&path);
	strbuf_addf(&path, "%s/made.so", folder);
	assert_int_equal(stat(path.text, &st), 0);
	object = object_for_file(&made.objects, path.text, st.st_dev, st.st_ino, getpid(), 0);
	assert_true(object_headers(object));
	strbuf_release(&path);
	strbuf_release(&command);
	return object;
}

/*
 * Maps the executable part of an object; returns the offset of its addresses from
 * those of the file.
 */
static uint64_t map_object(const struct object *object)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];

		if (segment->type != 1 || !(segment->flags & 1))
			continue;
		space_map(&made.space, &made.objects, getpid(), CODE,
			  (segment->memory_size + 4095) & ~UINT64_C(4095), segment->position,
			  object->path, object->device, object->inode);
		made.input.space = made.space;
		return CODE - segment->address;
	}
	fail();
	return 0;
}

/* The frame size is given by two bytes on the stack; the bytes next to them must not count. */
static void expressions_read_as_many_bytes_as_they_ask_for(void **state UNUSED)
{
	struct object *object = assemble("	.text\n"
					 "	.globl	sized\n"
					 "sized:\n"
					 ".Lsized:\n"
					 "	.cfi_startproc\n"
					 /* breg7 0, deref_size 2, breg7 0, plus */
					 "	.cfi_escape 0x0f,7,0x77,0,0x94,2,0x77,0,0x22\n"
					 "	.fill	15, 1, 0x90\n"
					 "	call	.Lsized\n"
					 "	.fill	12, 1, 0x90\n"
					 "	.cfi_endproc\n"
					 "	.section .note.GNU-stack,\"\",@progbits\n");
	uint64_t bias = map_object(object);
	uint64_t start = object->lowest_address;
	struct cfi_table table;
	struct frame_rows rows = { 0 };

	cfi_init(&table, object, &rows);
	assert_int_equal(table.frames.count, 1);
	start += table.frames.starts[0] + bias;
	cfi_release(&table);
	frame_rows_release(&rows);
	made.input.registers[ARCH_INSTRUCTION] = start + 4;
	made.stack[0] = UINT64_C(0x7777777777770020);
	made.stack[3] = start + 20;
	walk();
	assert_true(made.count >= 2);
	assert_int_equal(made.frames[1].address, start + 19);
	assert_false(made.frames[0].guessed);
	finish();
}

/* Functions are found by address whatever the order of their entries, even with only two. */
static void entries_in_any_order_are_sorted(void **state UNUSED)
{
	struct object *object = assemble("	.cfi_sections .debug_frame\n"
					 "	.section .text.high,\"ax\",@progbits\n"
					 "high:\n"
					 "	.cfi_startproc\n"
					 "	.fill	16, 1, 0x90\n"
					 "	.cfi_endproc\n"
					 "	.text\n"
					 "low:\n"
					 "	.cfi_startproc\n"
					 "	.fill	16, 1, 0x90\n"
					 "	.cfi_endproc\n"
					 "	.section .note.GNU-stack,\"\",@progbits\n");
	struct frame_rows rows = { 0 };
	struct cfi_table table;
	uint64_t start, end;

	cfi_init(&table, object, &rows);
	assert_true(cfi_index_debug_frames(&table));
	assert_int_equal(table.debug_frames.count, 2);
	assert_true(table.debug_frames.starts[0] < table.debug_frames.starts[1]);
	/* The first entry is that of the higher function. */
	assert_true(table.debug_frames.entries[0] > table.debug_frames.entries[1]);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t address = object->lowest_address + table.debug_frames.starts[i];

		table.debug_looked_for = true;
		assert_true(cfi_function_at(&table, address + 15, &start, &end));
		assert_int_equal(start, address);
		assert_int_equal(end, address + 16);
	}
	cfi_release(&table);
	frame_rows_release(&rows);
	finish();
}

/* In a routine that pops its return address the caller's frame begins at once. */
static void a_return_address_may_be_taken_off(void **state UNUSED)
{
	struct object *object = assemble("	.text\n"
					 "	.globl	taken\n"
					 "taken:\n"
					 "	.cfi_startproc\n"
					 "	pop	%rdi\n"
					 "	.cfi_adjust_cfa_offset -8\n"
					 "	.cfi_register %rip, %rdi\n"
					 "	.fill	32, 1, 0x90\n"
					 "	.cfi_endproc\n"
					 "	.section .note.GNU-stack,\"\",@progbits\n");
	uint64_t bias = map_object(object), start;
	struct frame_rows rows = { 0 };
	struct cfi_table table;

	cfi_init(&table, object, &rows);
	start = object->lowest_address + table.frames.starts[0] + bias;
	cfi_release(&table);
	frame_rows_release(&rows);
	made.input.registers[ARCH_INSTRUCTION] = start + 4;
	made.input.registers[5] = start + 20;
	walk();
	assert_true(made.count >= 2);
	assert_int_equal(made.frames[1].address, start + 19);
	assert_false(made.frames[1].guessed);
	finish();
}

/* Each register of a stopped task has its DWARF number. */
static void registers_of_a_held_task_have_their_numbers(void **state UNUSED)
{
	struct user_regs_struct set;
	struct unwind_input input = { 0 };
	pid_t child = fork();
	int status;

	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(ptrace(PTRACE_GETREGS, child, NULL, &set), 0);
	set.rax = 100, set.rdx = 101, set.rcx = 102, set.rbx = 103, set.rsi = 104, set.rdi = 105;
	set.rbp = 106, set.rsp = 107, set.r8 = 108, set.r9 = 109, set.r10 = 110, set.r11 = 111;
	set.r12 = 112, set.r13 = 113, set.r14 = 114, set.r15 = 115, set.rip = 116;
	assert_int_equal(ptrace(PTRACE_SETREGS, child, NULL, &set), 0);
	assert_true(arch_stopped_registers(child, &input));
	for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
		assert_int_equal(input.registers[i], 100 + i);
	assert_int_equal(input.known, (1U << UNWIND_REGISTERS) - 1);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
}

static int make_folder(void **state UNUSED)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state UNUSED)
{
	int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	unlinkat(at, "made.s", 0);
	unlinkat(at, "made.so", 0);
	close(at);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_chain_ends_with_nothing),
		cmocka_unit_test(a_call_may_begin_its_code),
		cmocka_unit_test(expressions_read_as_many_bytes_as_they_ask_for),
		cmocka_unit_test(entries_in_any_order_are_sorted),
		cmocka_unit_test(a_return_address_may_be_taken_off),
		cmocka_unit_test(registers_of_a_held_task_have_their_numbers),
	};

	return cmocka_run_group_tests_name("steps of a walk", tests, make_folder, remove_folder);
}
