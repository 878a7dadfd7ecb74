/* SPDX-License-Identifier: Apache-2.0 */
/* Walks stacks of known shape in a stopped child. */
#include "common/compat.h"
#include "program/unwind/test-unwind.h"

#include "common/path.h"
#include "program/unwind/cfi.h"
#include "program/unwind/walk.h"

#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

static volatile int depth_wanted;

static NOINLINE void stop_here(void)
{
	__asm__ volatile("int3");
	NO_TAIL;
}

static NOINLINE int recurse(int depth)
{
	volatile int local = depth;

	if (depth > 0)
		local += recurse(depth - 1);
	else
		stop_here();
	NO_TAIL;
	return local;
}

static NOINLINE void variable_frame(int size)
{
	volatile char *room = alloca((size_t)size);

	room[0] = 1;
	stop_here();
	room[size - 1] = 2;
}

static void scenario_plain(void)
{
	recurse(3);
	NO_TAIL;
}

static void scenario_deep(void)
{
	recurse(depth_wanted);
	NO_TAIL;
}

static NOINLINE int even(int depth);

static NOINLINE int odd(int depth)
{
	volatile int local = depth;

	local += even(depth - 1);
	return local;
}

static NOINLINE int even(int depth)
{
	volatile int local = depth;

	if (depth > 0)
		local += odd(depth - 1);
	else
		stop_here();
	NO_TAIL;
	return local;
}

static void scenario_mutual(void)
{
	even(depth_wanted);
	NO_TAIL;
}

static void scenario_variable(void)
{
	variable_frame(1000 + depth_wanted);
	NO_TAIL;
}

static void on_signal(int number)
{
	(void)number;
	stop_here();
	NO_TAIL;
}

static NOINLINE void interrupted(void)
{
	__asm__ volatile("ud2");
	NO_TAIL;
}

static void scenario_signal(void)
{
	static unsigned char other_stack[65536];
	stack_t stack = { .ss_sp = other_stack, .ss_size = sizeof(other_stack) };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	sigaction(SIGILL, &action, NULL);
	interrupted();
	NO_TAIL;
}

static void jump_to_nothing(void)
{
	void (*volatile nothing)(void) = NULL;
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGSEGV, &action, NULL);
	nothing();
	NO_TAIL;
}

/* The function that a thread executes. */
static void *run_thread(void *argument)
{
	recurse(2);
	NO_TAIL;
	return argument;
}

/*
 * Three functions in anonymous memory. The middle one has an old return address in
 * its frame; the others have empty frames, so that frame pointer and stack pointer
 * of the inner one are equal when it calls stop_here.
 */
static void scenario_bare_frame(void)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* push %rbp; mov %rsp,%rbp; movabs $stop_here,%rax; call *%rax; pop %rbp; ret */
	static const unsigned char bare[] = {
		0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xd0, 0x5d, 0xc3
	};
	/* push %rbp; mov %rsp,%rbp; sub $32,%rsp; movabs $old,%rax; mov %rax,(%rsp);
	   movabs $inner,%rax; call *%rax; leave; ret */
	static const unsigned char middle[] = {
		0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x20, 0x48, 0xb8, 0,	  0,
		0,    0,    0,	  0,	0,    0,    0x48, 0x89, 0x04, 0x24, 0x48, 0xb8,
		0,    0,    0,	  0,	0,    0,    0,	  0,	0xff, 0xd0, 0xc9, 0xc3,
	};
	uintptr_t called = (uintptr_t)stop_here, at = (uintptr_t)code, old = at + 16;
	void (*generated)(void);

	memcpy(code, bare, sizeof(bare));
	memcpy(code + 6, &called, sizeof(called));
	memcpy(code + 64, middle, sizeof(middle));
	memcpy(code + 64 + 10, &old, sizeof(old));
	memcpy(code + 64 + 24, &at, sizeof(at));
	at += 64;
	memcpy(code + 128, bare, sizeof(bare));
	memcpy(code + 128 + 6, &at, sizeof(at));
	at += 64;
	memcpy(&generated, &at, sizeof(generated));
	generated();
	NO_TAIL;
}

static void scenario_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_thread, NULL) == 0)
		pthread_join(thread, NULL);
}

/* Frame-pointer code in anonymous memory that calls stop_here. */
static void scenario_generated(void)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* push %rbp; mov %rsp,%rbp; sub $32,%rsp; movabs $x,%rax; call *%rax; leave; ret */
	static const unsigned char text[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x20,
					      0x48, 0xb8, 0,	0,    0,    0,	  0,	0,
					      0,    0,	  0xff, 0xd0, 0xc9, 0xc3 };
	uintptr_t address = (uintptr_t)stop_here;
	void (*generated)(void);

	memcpy(code, text, sizeof(text));
	memcpy(code + 10, &address, sizeof(address));
	memcpy(&generated, &code, sizeof(generated));
	generated();
	NO_TAIL;
}

/* Fails with the whole stack unless the frames are those named, innermost first. */
static void expect_frames(struct target *target, enum unwind_end end, ...)
{
	struct strbuf seen = STRBUF_INIT;
	const char *name;
	size_t at = 0;
	va_list names;
	bool ok = target->end == end;

	target_describe(target, &seen);
	va_start(names, end);
	while ((name = va_arg(names, const char *)) != NULL)
		ok = ok && at < target->count && strcmp(target_name(target, at++), name) == 0;
	va_end(names);
	if (!ok)
		fail_msg("frames: %s", seen.text);
	strbuf_release(&seen);
}

/* Runs a scenario in a child and walks its stack at the breakpoint. */
static void walk_scenario(struct target *target, void (*scenario)(void))
{
	if (!target_at_breakpoint(target, target_fork(target, scenario)))
		skip();
	target_capture(target);
}

static void test_plain(void **state)
{
	static struct target target;

	(void)state;
	walk_scenario(&target, scenario_plain);
	target_walk(&target);
	expect_frames(&target, UNWIND_WHOLE, "stop_here", "recurse", "recurse", "recurse",
		      "recurse", "scenario_plain", "target_fork", NULL);
	for (size_t i = 0; i < target.count; i++)
		assert_false(target.frames[i].guessed);
	target_end(&target);
}

static void test_deep(void **state)
{
	static struct target target;

	(void)state;
	depth_wanted = 400;
	walk_scenario(&target, scenario_deep);
	target_walk(&target);
	assert_int_equal(target.end, UNWIND_NO_MEMORY);
	target.input.read = target_read;
	target.input.read_argument = &target;
	target_walk(&target);
	assert_int_equal(target.end, UNWIND_WHOLE);
	assert_true(target.count > 402);
	target_end(&target);
}

/* Walks a scenario at a depth, with access to all of its memory. */
static void walk_deep(struct target *target, void (*scenario)(void), int depth)
{
	depth_wanted = depth;
	walk_scenario(target, scenario);
	target->input.read = target_read;
	target->input.read_argument = target;
	target_walk(target);
}

static void test_folded(void **state)
{
	static struct target target;

	(void)state;
	walk_deep(&target, scenario_deep, 1800);
	expect_frames(&target, UNWIND_WHOLE, "stop_here", "recurse", "recurse", "scenario_deep",
		      "target_fork", NULL);
	target_end(&target);
}

static void test_folded_round(void **state)
{
	static struct target target;

	(void)state;
	walk_deep(&target, scenario_mutual, 1800);
	expect_frames(&target, UNWIND_WHOLE, "stop_here", "even", "odd", "even", "odd", "even",
		      "scenario_mutual", "target_fork", NULL);
	target_end(&target);
}

static void test_too_deep(void **state)
{
	static struct target target;

	(void)state;
	walk_deep(&target, scenario_deep, 4000);
	expect_frames(&target, UNWIND_TOO_DEEP, "stop_here", "recurse", "recurse", NULL);
	assert_int_equal(target.count, 3);
	target_end(&target);
}

static void test_variable_frame(void **state)
{
	static struct target target;

	(void)state;
	depth_wanted = 2000;
	walk_scenario(&target, scenario_variable);
	target_walk(&target);
	expect_frames(&target, UNWIND_WHOLE, "stop_here", "variable_frame", "scenario_variable",
		      NULL);
	target_end(&target);
}

static void test_signal(void **state)
{
	static struct target target;

	(void)state;
	walk_scenario(&target, scenario_signal);
	target.input.read = target_read; /* the interrupted stack is a different one */
	target.input.read_argument = &target;
	target_walk(&target);
	assert_int_equal(target.end, UNWIND_WHOLE);
	assert_string_equal(target_name(&target, 1), "on_signal");
	assert_string_equal(target_name(&target, 3), "interrupted");
	assert_string_equal(target_name(&target, 4), "scenario_signal");
	target_end(&target);
}

static void test_call_of_nothing(void **state)
{
	static struct target target;

	(void)state;
	walk_scenario(&target, jump_to_nothing);
	target_walk(&target);
	assert_int_equal(target.end, UNWIND_WHOLE);
	assert_string_equal(target_name(&target, 1), "on_signal");
	assert_null(target.frames[3].mapping);
	assert_string_equal(target_name(&target, 4), "jump_to_nothing");
	assert_true(target.frames[4].guessed);
	target_end(&target);
}

static void test_thread(void **state)
{
	static struct target target;

	(void)state;
	walk_scenario(&target, scenario_thread);
	assert_int_not_equal(target.tid, target.pid);
	target_walk(&target);
	expect_frames(&target, UNWIND_WHOLE, "stop_here", "recurse", "recurse", "recurse",
		      "run_thread", NULL);
	assert_true(target.count <= 8);
	target_end(&target);
}

static void test_generated_code(void **state)
{
	static struct target target;

	(void)state;
	walk_scenario(&target, scenario_generated);
	target_walk(&target);
	assert_string_equal(target_name(&target, 0), "stop_here");
	assert_int_equal(target.frames[1].mapping->object->kind, OBJECT_ANONYMOUS);
	assert_string_equal(target_name(&target, 2), "scenario_generated");
	assert_true(target.frames[2].guessed);
	target_end(&target);
}

/* A frame pointer equal to the stack pointer is valid. */
static void test_bare_frame(void **state)
{
	static struct target target;

	(void)state;
	walk_scenario(&target, scenario_bare_frame);
	target.input.read = target_read; /* for the code, which is not in a file */
	target.input.read_argument = &target;
	target_walk(&target);
	assert_string_equal(target_name(&target, 0), "stop_here");
	for (size_t i = 1; i <= 3; i++)
		assert_int_equal(target.frames[i].mapping->object->kind, OBJECT_ANONYMOUS);
	assert_int_equal(target.frames[2].address - target.frames[1].address, 64 + 34 - 16);
	assert_int_equal(target.frames[3].address - target.frames[1].address, 128);
	assert_string_equal(target_name(&target, 4), "scenario_bare_frame");
	target_end(&target);
}

/* Of a blocked thread only the instruction and the stack pointer are known. */
static void test_few_registers(void **state)
{
	static struct target target;

	(void)state;
	depth_wanted = 2000;
	walk_scenario(&target, scenario_variable);
	target.input.known = 1u << 7 | 1u << 16;
	target_walk(&target);
	expect_frames(&target, UNWIND_WHOLE, "stop_here", "variable_frame", "scenario_variable",
		      "target_fork", NULL);
	assert_true(target.frames[2].guessed);
	target_end(&target);
}

/* Folder of the compiled targets; created once, removed at the end. */
static char folder[] = "/tmp/vigil-test-XXXXXX";

/*
 * Compiles the target to a file in the folder; returns false if the compiler does
 * not support the options.
 */
static bool compile(const char *options, char *path, size_t size)
{
	snprintf(path, size, "%s/target", folder);
	if (target_compile(options, path))
		return true;
	if (!strstr(options, "-static") && system("cc --version >/dev/null 2>&1") == 0)
		fail_msg("the target cannot be compiled with %s", options);
	print_message("# skipped: cannot compile with %s\n", options);
	return false;
}

/* Walks the target compiled with options, up to its outermost function. */
static void walk_compiled(struct target *target, const char *options, char *path, size_t size)
{
	if (!compile(options, path, size))
		skip();
	if (!target_at_breakpoint(target, target_exec(target, path, NULL)))
		skip();
	target_capture(target);
	target_walk(target);
	assert_int_equal(target->end, UNWIND_WHOLE);
	assert_true(target->count >= 5);
}

/* Walks the target compiled with options and checks the frames; the caller is found by its code. */
static void check_target(const char *options, bool named)
{
	static struct target target;
	char path[256];

	walk_compiled(&target, options, path, sizeof(path));
	assert_false(target.frames[1].guessed);
	assert_true(target.frames[2].guessed);
	assert_false(target.frames[3].guessed);
	if (named)
		expect_frames(&target, UNWIND_WHOLE, "inner", "?", "outer", "main", NULL);
	target_end(&target);
	unlink(path);
}

/* Walks a target without any description: the instructions of inner, by_hand, outer and main. */
static void check_bare(const char *options)
{
	static struct target target;
	char path[256];

	walk_compiled(&target, options, path, sizeof(path));
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(path_base(target.frames[i].mapping->object->path), "target");
	assert_string_not_equal(path_base(target.frames[4].mapping->object->path), "target");
	target_end(&target);
	unlink(path);
}

static void test_dynamic(void **state)
{
	(void)state;
	check_target("-O2 -fomit-frame-pointer", true);
}

static void test_stripped(void **state)
{
	(void)state;
	check_target("-O2 -fomit-frame-pointer -s", false);
}

static void test_static(void **state)
{
	(void)state;
	check_target("-O2 -static", true);
}

static void test_static_pie(void **state)
{
	(void)state;
	check_target("-O2 -static-pie", true);
}

/* Only .debug_frame describes the frames of this program's functions. */
static void test_debug_frame(void **state)
{
	(void)state;
	check_target("-O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables", true);
}

/* As test_debug_frame, compressed in each way that this machine's tools support. */
static void test_compressed_frames(void **state)
{
	static const char *const ways[] = { "zlib-gabi", "zlib-gnu" };
	char options[160];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		snprintf(options, sizeof(options),
			 "-O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables "
			 "-Wl,--compress-debug-sections=%s",
			 ways[i]);
		check_target(options, true);
	}
}

/* Without description and names: targets of calls, and frame pointers. */
static void test_frame_pointers(void **state)
{
	(void)state;
	check_bare("-O2 -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables "
		   "-s");
}

static void test_bare_handler(void **state)
{
	static struct target target;
	char path[256];

	(void)state;
	if (!compile("-O2 -DBARE", path, sizeof(path)))
		skip();
	if (!target_exec(&target, path, NULL)) {
		target_end(&target);
		skip();
	}
	target_capture(&target);
	target_walk(&target);
	expect_frames(&target, UNWIND_WHOLE, "inner", "?", "outer", "on_signal", "?", "handle_bare",
		      "main", NULL);
	target_end(&target);
	unlink(path);
}

static char plugin[256];

/* Loads a shared object, deletes its file, and calls it. */
static void scenario_deleted(void)
{
	void *library = dlopen(plugin, RTLD_NOW);
	void *address = library ? dlsym(library, "outer") : NULL;
	int (*outer)(int);

	unlink(plugin);
	if (!address)
		return;
	memcpy(&outer, &address, sizeof(outer));
	outer(1);
	NO_TAIL;
}

static void test_deleted(void **state)
{
	static struct target target;

	(void)state;
	if (!compile("-O2 -shared -fPIC -Wl,-Bsymbolic -DSHARED", plugin, sizeof(plugin)))
		skip();
	walk_scenario(&target, scenario_deleted);
	target_walk(&target);
	assert_int_equal(target.end, UNWIND_WHOLE);
	/* An unprivileged user gets only what is loaded of it, without the symbol table. */
	assert_string_equal(target_name(&target, 3), "scenario_deleted");
	assert_string_equal(target.frames[0].mapping->object->path, plugin);

	target_end(&target);
}

/* Makes the folder for compiled targets. */
static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

/* Number of allocations; the linker redirects all calls of these functions here. */
static size_t allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_reallocarray(void *memory, size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_reallocarray(void *memory, size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
	allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	allocations++;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	allocations++;
	return __real_realloc(memory, size);
}

void *__wrap_reallocarray(void *memory, size_t count, size_t size)
{
	allocations++;
	return __real_reallocarray(memory, count, size);
}

/* The first walk builds tables; later ones through the same code must not allocate. */
static void test_nothing_is_allocated(void **state)
{
	static void (*const scenarios[])(void) = { scenario_plain,     scenario_variable,
						   scenario_signal,    jump_to_nothing,
						   scenario_generated, scenario_bare_frame };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(scenarios); i++) {
		static struct target target;
		size_t count, before = allocations;

		walk_scenario(&target, scenarios[i]);
		target.input.read = target_read;
		target.input.read_argument = &target;
		target_walk(&target);
		assert_true(allocations > before); /* the counting works */
		count = target.count;
		before = allocations;
		for (int walks = 0; walks < 3; walks++)
			target_walk(&target);
		assert_int_equal(allocations, before);
		assert_int_equal(target.count, count);
		target_end(&target);
	}
}

/* Memory in which each byte is the lowest byte of its address; none above 0x3000. */
static bool read_bytes(void *argument, uint64_t address, void *buffer, size_t size)
{
	size_t *reads = argument;

	++*reads;
	if (address + size > 0x3000)
		return false;
	for (size_t i = 0; i < size; i++)
		((unsigned char *)buffer)[i] = (unsigned char)(address + i);
	return true;
}

/* The last whole word of the capture is available; beyond it memory is read. */
static void test_last_word(void **state)
{
	static const unsigned char stack[20] = { [8] = 1, [12] = 2, [16] = 3 };
	struct unwind_input input = { .stack_start = 0x1000, .stack = stack, .stack_size = 20 };
	struct walk walk;
	uint64_t word;
	size_t reads = 0;

	(void)state;
	walk_init(&walk, &input);
	assert_true(walk_word(&walk, 0x1008, &word));
	assert_int_equal(word, UINT64_C(0x200000001));
	assert_true(walk_word(&walk, 0x100c, &word)); /* up to its very end */
	assert_int_equal(word, UINT64_C(0x300000002));
	assert_false(walk_word(&walk, 0x100d, &word));
	assert_false(walk_word(&walk, 0x1014, &word));
	assert_false(walk_word(&walk, 0xff8, &word));
	input.read = read_bytes;
	input.read_argument = &reads;
	assert_true(walk_word(&walk, 0x100d, &word));
	assert_int_equal(word, UINT64_C(0x14131211100f0e0d));
	/* The last word of a block is in it; a word that crosses its end is read separately. */
	assert_int_equal(reads, 1);
	assert_true(walk_word(&walk, 0x1000 + WALK_BLOCK - 8, &word));
	assert_int_equal(reads, 1);
	assert_int_equal(word, UINT64_C(0xfffefdfcfbfaf9f8));
	assert_true(walk_word(&walk, 0x1000 + WALK_BLOCK - 7, &word));
	assert_int_equal(reads, 2);
	assert_int_equal(word, UINT64_C(0x00fffefdfcfbfaf9));
	/* Where no whole block is readable, a word may be. */
	assert_true(walk_word(&walk, 0x3000 - 8, &word));
	assert_false(walk_word(&walk, 0x3000 - 7, &word));
	assert_false(walk_word(&walk, 0, &word));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_word),
		cmocka_unit_test(test_nothing_is_allocated),
		cmocka_unit_test(test_bare_frame),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_folded),
		cmocka_unit_test(test_folded_round),
		cmocka_unit_test(test_too_deep),
		cmocka_unit_test(test_variable_frame),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_call_of_nothing),
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_generated_code),
		cmocka_unit_test(test_few_registers),
		cmocka_unit_test(test_dynamic),
		cmocka_unit_test(test_stripped),
		cmocka_unit_test(test_static),
		cmocka_unit_test(test_static_pie),
		cmocka_unit_test(test_debug_frame),
		cmocka_unit_test(test_compressed_frames),
		cmocka_unit_test(test_frame_pointers),
		cmocka_unit_test(test_bare_handler),
		cmocka_unit_test(test_deleted),
	};

	return cmocka_run_group_tests_name("unwind", tests, make_folder, remove_folder);
}
