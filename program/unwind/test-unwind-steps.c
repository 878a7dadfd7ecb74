/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the walk with the truth: a child is single-stepped through library code
 * (libgmp's assembly, which has no call-frame information, and libc), its calls
 * and returns are tracked, and at every step the walk must give the same stack.
 */
#include "common/compat.h"
#include "program/unwind/test-unwind.h"

#include "program/unwind/decode.h"
#include "program/unwind/unwind-down.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define STEPS 20000
#define DEEPEST 512

typedef struct {
	int alloc, size;
	void *limbs;
} number[1];

/* The functions of libgmp that the computation uses; loaded if it is installed. */
static struct {
	void (*init_set_ui)(number, unsigned long);
	int (*init_set_str)(number, const char *, int);
	void (*mul)(number, const number, const number);
	void (*add)(number, const number, const number);
	void (*sub)(number, const number, const number);
	void (*addmul)(number, const number, const number);
	void (*tdiv_qr)(number, number, const number, const number);
	void (*tdiv_q_ui)(number, const number, unsigned long);
	void (*mul_2exp)(number, const number, unsigned long);
	void (*tdiv_q_2exp)(number, const number, unsigned long);
	void (*sqrt)(number, const number);
	void (*gcd)(number, const number, const number);
	void (*powm)(number, const number, const number, const number);
	char *(*get_str)(char *, int, const number);
} gmp;

/* A function of a library, and where to store its address. */
struct import {
	const char *name;
	void *function;
};

/* Loads the functions of a library; returns false if it or one of them does not exist. */
static bool load(void *library, const struct import *functions, size_t count)
{
	for (size_t i = 0; library && i < count; i++) {
		void *address = dlsym(library, functions[i].name);

		if (!address)
			return false;
		memcpy(functions[i].function, &address, sizeof(address));
	}
	return library != NULL;
}

/* Loads libgmp, linked at once or call by call; returns false if it is not installed. */
static bool load_gmp(int mode)
{
	static const struct import functions[] = {
		{ "__gmpz_init_set_ui", &gmp.init_set_ui },
		{ "__gmpz_init_set_str", &gmp.init_set_str },
		{ "__gmpz_mul", &gmp.mul },
		{ "__gmpz_add", &gmp.add },
		{ "__gmpz_sub", &gmp.sub },
		{ "__gmpz_addmul", &gmp.addmul },
		{ "__gmpz_tdiv_qr", &gmp.tdiv_qr },
		{ "__gmpz_tdiv_q_ui", &gmp.tdiv_q_ui },
		{ "__gmpz_mul_2exp", &gmp.mul_2exp },
		{ "__gmpz_tdiv_q_2exp", &gmp.tdiv_q_2exp },
		{ "__gmpz_sqrt", &gmp.sqrt },
		{ "__gmpz_gcd", &gmp.gcd },
		{ "__gmpz_powm", &gmp.powm },
		{ "__gmpz_get_str", &gmp.get_str },
	};

	return load(dlopen("libgmp.so.10", mode), functions, ARRAY_SIZE(functions));
}

/* Calculates as a decimal program does, and with larger numbers. */
static void compute(void)
{
	static char text[4096];
	number a, b, c, d, e;

	gmp.init_set_str(a, "98765432109876543210987654321098765432109876543210987", 10);
	gmp.init_set_str(b, "123456789012345678901234567890123456789", 10);
	gmp.init_set_ui(c, 1);
	gmp.init_set_ui(d, 7);
	gmp.init_set_ui(e, 3);
	for (int i = 0; i < 12; i++) {
		/* After the first round all functions are linked. */
		if (i == 1)
			__asm__ volatile("int3");
		gmp.mul(c, a, b);
		gmp.addmul(c, a, d);
		gmp.tdiv_qr(d, e, c, b);
		gmp.sub(e, c, a);
		gmp.mul_2exp(e, e, 13);
		gmp.tdiv_q_2exp(e, e, 75);
		gmp.tdiv_q_ui(e, e, 10);
		gmp.get_str(text, 10, e);
		gmp.sqrt(e, c);
		gmp.gcd(e, c, b);
		gmp.powm(e, d, b, a);
		gmp.mul(a, c, b);
		gmp.mul(b, b, b);
	}
	__asm__ volatile("int3");
}

/* Walk as for a blocked thread, for which only instruction and stack pointer are known. */
static bool few_registers;

/* Calls time, text and memory functions, with their hand-written variants for this processor. */
static void format_one(int count)
{
	static char text[4096], copy[4096];
	struct timespec now;

	snprintf(text, sizeof(text), "%d %s %g", count, "one and another", count / 3.0);
	/*
	 * The vDSO repeats reading the clock until it did not change meanwhile:
	 * single-stepped on a busy machine it may never finish. A walk from there needs
	 * the frame pointer.
	 */
	if (!few_registers)
		clock_gettime(CLOCK_MONOTONIC, &now);
	memcpy(copy, text, (size_t)(500 + count));
	if (strchr(copy, 'z') || strcmp(text, copy) > 0 || strtod(text, NULL) < 0)
		return;
	qsort(copy, 100, 1, (int (*)(const void *, const void *))strcmp);
	if (count % 10 == 0 && vfork() == 0)
		_exit(0);
}

static void format(void)
{
	__asm__ volatile("int3");
	for (int i = 0; i < 50; i++)
		format_one(i);
	__asm__ volatile("int3");
}

/* A shared object compiled for the test, and the function in it that is called. */
static char plugin[64];

/* Calls a function of the plugin between two breakpoints. */
static void run_of_plugin(const char *name, int mode)
{
	void *library = dlopen(plugin, mode);
	void *address = library ? dlsym(library, name) : NULL;
	void (*function)(int);

	if (!address)
		_exit(1);
	memcpy(&function, &address, sizeof(function));
	__asm__ volatile("int3");
	function(20);
	__asm__ volatile("int3");
}

/* Calls through linkage stubs without call-frame information, linked at run time. */
static void run_plugin(void)
{
	run_of_plugin("through_stubs", RTLD_LAZY);
}

/* Calls hand-written assembly that aligns the stack. */
static void run_hand_written(void)
{
	run_of_plugin("hand_written", RTLD_NOW);
}

/* The functions of libcrypto that are used; loaded if it is installed. */
static struct {
	unsigned char *(*sha256)(const unsigned char *, size_t, unsigned char *);
	unsigned char *(*sha512)(const unsigned char *, size_t, unsigned char *);
	void *(*bn_new)(void);
	int (*hex2bn)(void **, const char *);
	void *(*ctx_new)(void);
	int (*mod_exp)(void *, void *, void *, void *, void *, void *);
} crypto;

/* Loads libcrypto; returns false if it is not installed. */
static bool load_crypto(void)
{
	static const struct import functions[] = {
		{ "SHA256", &crypto.sha256 },	   { "SHA512", &crypto.sha512 },
		{ "BN_new", &crypto.bn_new },	   { "BN_hex2bn", &crypto.hex2bn },
		{ "BN_CTX_new", &crypto.ctx_new }, { "BN_mod_exp_mont_consttime", &crypto.mod_exp },
	};

	return load(dlopen("libcrypto.so.3", RTLD_NOW), functions, ARRAY_SIZE(functions));
}

/* Calculates hashes and powers with the variants for AVX2. */
static void encrypt(void)
{
	static unsigned char data[1 << 14], sum[64];
	char digits[257];
	void *base = NULL, *modulus = NULL, *result, *context;

	/* Not with the variants that have an instruction for it. */
	setenv("OPENSSL_ia32cap", ":~0x20000000", 1);
	if (!load_crypto())
		_exit(1);
	memset(digits, 'b', 256);
	digits[256] = 0;
	crypto.hex2bn(&modulus, digits);
	digits[0] = '7';
	crypto.hex2bn(&base, digits);
	result = crypto.bn_new();
	context = crypto.ctx_new();
	__asm__ volatile("int3");
	crypto.sha256(data, 256, sum);
	crypto.sha512(data, 384, sum);
	crypto.mod_exp(result, base, base, modulus, context, NULL);
	__asm__ volatile("int3");
}

/* The return addresses on the stack, outermost first. */
struct shadow {
	uint64_t returns[DEEPEST];
	size_t depth;
};

/* Walks down start from a walk at most this many steps ago. */
#define ANCHORS_AGE 256
#define ANCHORS 128

struct score {
	size_t steps, in_object, callers, whole, guessed;
	size_t misses_shown;
	/* Of walks down: all calls that last were found; only the outer ones; others; nothing. */
	size_t down, down_short, down_wrong, down_none;
	struct unwind_anchor anchors[ANCHORS]; /* for walks downwards */
	size_t anchor_count;
};

/* Starts with the result of the first walk. */
static void shadow_start(struct shadow *shadow, const struct target *target)
{
	shadow->depth = 0;
	for (size_t i = target->count; i-- > 1;)
		shadow->returns[shadow->depth++] = target->frames[i].address + 1;
}

/* Follows one instruction: its address, and the stack pointer before and after it. */
static void shadow_follow(struct shadow *shadow, struct target *target, uint64_t from,
			  uint64_t stack_before)
{
	unsigned char code[16];
	struct instruction instruction;

	if (!object_read_memory(target->pid, from, code, sizeof(code)) ||
	    !decode_instruction(code, sizeof(code), from, &instruction))
		return;
	if (instruction.kind == INSTRUCTION_CALL &&
	    target->input.registers[7] == stack_before - 8 && shadow->depth < DEEPEST)
		shadow->returns[shadow->depth++] = from + instruction.length;
	else if (instruction.kind == INSTRUCTION_RETURN && shadow->depth > 0)
		shadow->depth--;
}

/* Compares the walk with the truth. */
static void compare(struct score *score, const struct shadow *shadow, struct target *target)
{
	struct strbuf text = STRBUF_INIT;
	bool caller, whole = target->end == UNWIND_WHOLE && target->count == shadow->depth + 1;

	caller = target->count > 1 &&
		 target->frames[1].address + 1 == shadow->returns[shadow->depth - 1];
	for (size_t i = 1; i < target->count && whole; i++)
		whole = target->frames[i].address + 1 == shadow->returns[shadow->depth - i];
	score->steps++;
	score->callers += caller;
	score->whole += whole;
	score->guessed += target->count > 1 && target->frames[1].guessed;
	if (whole || score->misses_shown >= 3)
		return;
	score->misses_shown++;
	target_describe(target, &text);
	print_message("# %zu: at %" PRIx64 " of %s, caller %s: %s\n", score->steps,
		      target->frames[0].offset,
		      target->frames[0].mapping ? target->frames[0].mapping->object->path : "?",
		      caller ? "right" : "wrong", text.text);
	strbuf_release(&text);
}

/*
 * Walks down from an earlier walk, and compares the calls found with the truth. Calls
 * that are over may be found below it.
 */
static void compare_down(struct score *score, const struct shadow *shadow, struct target *target)
{
	static struct unwind_frame frames[UNWIND_MAX_FRAMES];
	struct unwind_input input = { .space = target->space,
				      .pid = target->pid,
				      .read = target_read,
				      .read_argument = target };
	size_t count, same = 0;
	bool calls_system;

	count = unwind_down(&input, score->anchors, score->anchor_count, frames, &calls_system);
	/* Both have the outermost call first, or last. */
	while (same < shadow->depth && same < count && frames[count - 1 - same].address + 1 == shadow->returns[same])
		same++;
	score->down_none += count == 0;
	score->down += same == shadow->depth;
	score->down_short += count && same < shadow->depth && same + 1 >= count;
	score->down_wrong += same < shadow->depth && same + 1 < count;
}

/*
 * Reads the memory of a child that has continued meanwhile: the contents below its
 * stack pointer have changed, and include addresses of other functions' frames.
 */
static bool read_meanwhile(void *argument, uint64_t address, void *buffer, size_t size)
{
	const struct target *target = argument;
	uint64_t stack = target->input.registers[7];

	if (!target_read(argument, address, buffer, size))
		return false;
	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint64_t stale = stack + 8 * ((uint64_t)rand() % 256);

		if (address + i < stack && address + i + 4096 > stack)
			memcpy((unsigned char *)buffer + i, &stale, sizeof(stale));
	}
	return true;
}

/* Single-steps the child up to its second breakpoint, walking at each step. */
static void step_through(struct target *target, struct score *score, size_t steps)
{
	struct shadow shadow;
	int status;

	target->input.read = read_meanwhile; /* some frames of libgmp are larger than the capture */
	target->input.read_argument = target;
	target_capture(target);
	target_walk(target);
	assert_int_equal(target->end, UNWIND_WHOLE);
	shadow_start(&shadow, target);
	while (score->steps < steps) {
		uint64_t from = target->input.registers[16], stack = target->input.registers[7];
		unsigned char code = 0;

		if (ptrace(PTRACE_SINGLESTEP, target->pid, NULL, NULL) < 0 ||
		    waitpid(target->pid, &status, 0) < 0 || !WIFSTOPPED(status))
			break;
		target_capture(target);
		/* A repeated string instruction stops at each iteration. */
		if (target->input.registers[16] != from)
			shadow_follow(&shadow, target, from, stack);
		object_read_memory(target->pid, target->input.registers[16], &code, 1);
		if (code == 0xcc)
			break;
		/* Anchors are of samples, which have all registers. */
		if (score->steps % ANCHORS_AGE == 0) {
			target_walk(target);
			score->anchor_count = unwind_anchors(target->frames, target->count, score->anchors, ANCHORS);
		}
		if (few_registers)
			target->input.known = 1u << 7 | 1u << 16;
		target_walk(target);
		compare(score, &shadow, target);
		compare_down(score, &shadow, target);
	}
}

/* Single-steps through a scenario; at least share (in 1/1000) of the walks must be right. */
static void check_scenario(void (*scenario)(void), size_t steps, size_t share, bool few)
{
	static struct target target;
	struct score score = { 0 };

	few_registers = few;
	if (!target_at_breakpoint(&target, target_fork(&target, scenario)))
		skip();
	step_through(&target, &score, steps);
	target_end(&target);
	print_message("# %zu steps, %zu by rule 2 or 3; caller right %zu, whole stack right %zu\n",
		      score.steps, score.guessed, score.callers, score.whole);
	print_message("# down: all calls %zu, outer ones %zu, others %zu, none %zu\n", score.down, score.down_short,
		      score.down_wrong, score.down_none);
	assert_true(score.steps >= steps / 4);
	assert_true(score.callers * 1000 >= score.steps * share);
	assert_true(score.whole * 1000 >= score.steps * share);
	/* A function that executes itself may be taken for its last call: some are wrong. */
	assert_true(score.down * 1000 >= score.steps * 600);
	assert_true(score.down_wrong * 1000 <= score.steps * 40);
}

/* Single-steps through arithmetic of libgmp, if it is installed. */
static void check_gmp(size_t steps, size_t share, bool few)
{
	if (!load_gmp(RTLD_NOW)) {
		print_message("# skipped: libgmp.so.10 is not installed\n");
		skip();
	}
	check_scenario(compute, steps, share, few);
}

static void test_gmp(void **state)
{
	const char *steps = getenv("VIGIL_TEST_STEPS");

	(void)state;
	check_gmp(steps ? (size_t)atol(steps) : STEPS, 999, false);
}

static void test_gmp_few_registers(void **state)
{
	(void)state;
	check_gmp(STEPS, 970, true);
}

static void test_stubs(void **state)
{
	(void)state;
	snprintf(plugin, sizeof(plugin), "/tmp/vigil-test-stubs-%d.so", (int)getpid());
	if (!target_compile("-O2 -shared -fPIC -fno-builtin -Wl,-z,lazy -DSHARED "
			    "-Wl,--no-ld-generated-unwind-info",
			    plugin)) {
		print_message("# skipped: this linker always describes its stubs\n");
		skip();
	}
	check_scenario(run_plugin, 2000, 999, false);
	unlink(plugin);
}

static void test_hand_written(void **state)
{
	(void)state;
	snprintf(plugin, sizeof(plugin), "/tmp/vigil-test-hand-%d.so", (int)getpid());
	if (!target_compile_file("test-unwind-hand.S", "-shared", plugin)) {
		print_message("# skipped: no compiler for it\n");
		skip();
	}
	check_scenario(run_hand_written, STEPS / 2, 999, false);
	unlink(plugin);
}

static void test_crypto(void **state)
{
	(void)state;
	if (!load_crypto()) {
		print_message("# skipped: libcrypto is not installed\n");
		skip();
	}
	check_scenario(encrypt, 3 * STEPS / 2, 995, false);
}

static void test_libc(void **state)
{
	(void)state;
	check_scenario(format, STEPS / 2, 999, false);
}

static void test_libc_few_registers(void **state)
{
	(void)state;
	/*
	 * The dynamic linker binds these functions now: while it does, how far two
	 * registers lead depends on accidental contents of the stack.
	 */
	format_one(1);
	/* Frames of variable size (printf of floating point) need a register that is missing. */
	check_scenario(format, STEPS / 2, 900, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gmp),
		cmocka_unit_test(test_gmp_few_registers),
		cmocka_unit_test(test_stubs),
		cmocka_unit_test(test_hand_written),
		cmocka_unit_test(test_crypto),
		cmocka_unit_test(test_libc),
		cmocka_unit_test(test_libc_few_registers),
	};

	return cmocka_run_group_tests_name("unwind against the truth", tests, NULL, NULL);
}
