/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of plans for patched functions: what is decoded, what may be moved, which
 * functions are chosen; on functions of this program, whose instructions are
 * written below; and of the exchange about objects, with a requesting process.
 */
#include "common/compat.h"
#include "agent/event-patch-area.h"
#include "events/objects.h"
#include "events/patch-plan.h"
#include "program/objects/object-symbols.h"
#include "records/record-types.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__x86_64__)
__asm__(".text\n"
	/* 6 bytes, with data relative to it, and a return followed by space */
	".globl t_relative\n .type t_relative, @function\n .p2align 4\n"
	"t_relative: mov t_number(%rip), %eax\n ret\n nop\n nop\n nop\n nop\n"
	".size t_relative, .-t_relative\n"
	/* a branch first, which becomes longer, and two ends */
	".globl t_branch\n .type t_branch, @function\n .p2align 4\n"
	"t_branch: test %edi, %edi\n je 1f\n mov $1, %eax\n add $4096, %eax\n ret\n"
	"1: mov $2, %eax\n ret\n .p2align 4\n .size t_branch, .-t_branch\n"
	/* all of it is moved */
	".globl t_whole\n .type t_whole, @function\n .p2align 4\n"
	"t_whole: xor %eax, %eax\n ret\n .size t_whole, .-t_whole\n .p2align 4\n"
	/* no space */
	".globl t_short\n .type t_short, @function\n .p2align 4\n"
	"t_short: xor %eax, %eax\n ret\n .size t_short, .-t_short\n"
	/* a jump into the first bytes; and to the first */
	".globl t_inside\n .type t_inside, @function\n"
	"t_inside: xor %eax, %eax\n 1: inc %eax\n dec %edi\n jnz 1b\n ret\n"
	".size t_inside, .-t_inside\n"
	".globl t_again\n .type t_again, @function\n .p2align 4\n"
	"t_again: sub $1, %edi\n test %edi, %edi\n jg t_again\n ret\n .size t_again, .-t_again\n"
	/* an instruction that cannot be moved: jrcxz */
	".globl t_fixed\n .type t_fixed, @function\n .p2align 4\n"
	"t_fixed: jrcxz 1f\n nop\n nop\n nop\n nop\n 1: ret\n .size t_fixed, .-t_fixed\n"
	/* the end has no space: something jumps to the return, and a function follows */
	".globl t_crammed\n .type t_crammed, @function\n .p2align 4\n"
	"t_crammed: mov $1, %eax\n test %edi, %edi\n je 1f\n mov $3, %eax\n 1: ret\n"
	".size t_crammed, .-t_crammed\n"
	".globl t_last\n .type t_last, @function\n t_last: mov $1, %eax\n jmp t_whole\n .size t_last, .-t_last\n"
	".p2align 4\n .data\n .p2align 2\n t_number: .long 5\n .text\n");
#endif

struct bench {
	struct event_pool pool;
	struct event_sites sites;
	struct engine *engine;
	struct object *object; /* this program's file */
	struct event_request request;
	struct patch_plan plan;
	struct strbuf text;
	bool done;
};

static char *pattern[] = { (char *)(uintptr_t)"test-patch*!t_*" };

static struct object *object_of(struct bench *bench, const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return object_for_file(&bench->sites.objects, path, status.st_dev, status.st_ino, getpid(), 0);
}

/* Plans an object with patterns. */
static void plan_with(struct bench *bench, struct object *object, char **patterns, size_t count)
{
	uint64_t size = 0;

	patch_plan_release(&bench->plan);
	strbuf_reset(&bench->text);
	bench->request.functions = patterns;
	bench->request.function_count = count;
	bench->request.run_time = true;
	patch_plan_init(&bench->plan, &bench->request);
	bench->plan.sites = &bench->sites;
	strbuf_add(&bench->text, &size, sizeof(size));
	bench->done = patch_plan_object(&bench->plan, object, &bench->text);
}

static int bench_setup(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	struct error err = ERROR_INIT;
	char path[] = "/tmp/test-patch-XXXXXX", bytes[65536];
	int from = open("/proc/self/exe", O_RDONLY), to = mkstemp(path);
	ssize_t length;

	/* A copy: vigil never patches its own program. */
	while ((length = read(from, bytes, sizeof(bytes))) > 0)
		assert_int_equal(write(to, bytes, (size_t)length), length);
	close(from);
	close(to);
	assert_int_equal(event_pool_init(&bench->pool, 100, false, &err), 0);
	bench->engine = engine_new(&session_records);
	event_sites_init(&bench->sites, &bench->pool, bench->engine);
	strbuf_init(&bench->text);
	patch_plan_init(&bench->plan, &bench->request);
	bench->object = object_of(bench, path);
	unlink(path);
	*state = bench;
	return 0;
}

static int bench_teardown(void **state)
{
	struct bench *bench = *state;

	patch_plan_release(&bench->plan);
	strbuf_release(&bench->text);
	event_sites_release(&bench->sites);
	engine_free(bench->engine);
	event_pool_release(&bench->pool);
	free(bench);
	return 0;
}

/* Returns the address of a symbol of this program. */
static uint64_t address_of(struct bench *bench, const char *name)
{
	struct object_symbols symbols;
	struct object_symbol symbol;

	object_symbols_begin(&symbols, bench->object);
	while (object_symbols_next(&symbols, &symbol))
		if (strcmp(symbol.name, name) == 0)
			return symbol.address;
	fail_msg("no symbol %s", name);
	return 0;
}

/* Gets the sites of the function at an address, up to an end; returns their number. */
static size_t sites_of(struct bench *bench, uint64_t start, uint64_t end,
		       const struct event_site **sites, size_t most)
{
	const struct event_plan *plan = (const struct event_plan *)(const void *)bench->text.text;
	size_t found = 0;

	for (uint64_t i = 0; i < plan->count; i++)
		if (plan->sites[i].address >= start && plan->sites[i].address < end) {
			assert_true(found < most);
			sites[found++] = &plan->sites[i];
		}
	return found;
}

/* Skips if nothing can be decoded, or the program differs from its file (under sanitizers). */
#define NEEDS_CODE() \
	do { \
		if (code_unknown()) \
			skip(); \
	} while (0)

static void instructions_are_told_apart(void **state UNUSED)
{
	static const struct {
		unsigned char bytes[8];
		size_t size;
		enum code_kind kind;
		unsigned length;
		uint64_t target;
	} cases[] = {
		{ { 0xc3 }, 1, CODE_RETURN, 1, 0 },
		{ { 0xc2, 8, 0 }, 3, CODE_RETURN, 3, 0 },
		{ { 0xe9, 1, 0, 0, 0 }, 5, CODE_JUMP, 5, 0x1006 },
		{ { 0xeb, 0xfe }, 2, CODE_JUMP, 2, 0x1000 },
		{ { 0x74, 2 }, 2, CODE_BRANCH, 2, 0x1004 },
		{ { 0x0f, 0x84, 2, 0, 0, 0 }, 6, CODE_BRANCH, 6, 0x1008 },
		{ { 0xe3, 2 }, 2, CODE_FIXED, 2, 0x1004 },
		{ { 0xe2, 2 }, 2, CODE_FIXED, 2, 0x1004 },
		{ { 0xe8, 0, 1, 0, 0 }, 5, CODE_CALL, 5, 0x1105 },
		{ { 0xff, 0xe0 }, 2, CODE_JUMP_INDIRECT, 2, 0 },
		{ { 0xff, 0x25, 4, 0, 0, 0 }, 6, CODE_JUMP_INDIRECT, 6, 0x100a },
		{ { 0xff, 0xd0 }, 2, CODE_CALL_INDIRECT, 2, 0 },
		{ { 0x90 }, 1, CODE_NOTHING, 1, 0 },
		{ { 0x0f, 0x1f, 0x44, 0, 0 }, 5, CODE_NOTHING, 5, 0 },
		{ { 0xf3, 0x0f, 0x1e, 0xfa }, 4, CODE_PLAIN, 4, 0 },
		{ { 0x48, 0x8d, 0x05, 1, 0, 0, 0 }, 7, CODE_PLAIN, 7, 0x1008 },
		{ { 0x83, 0x3d, 1, 0, 0, 0, 7 }, 7, CODE_PLAIN, 7, 0x1008 },
		{ { 0x55 }, 1, CODE_PLAIN, 1, 0 },
		{ { 0x0f, 0x0b }, 2, CODE_FIXED, 2, 0 },
		{ { 0xf4 }, 1, CODE_FIXED, 1, 0 },
	};
	struct code code;

	NEEDS_CODE();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(code_decode(cases[i].bytes, cases[i].size, 0x1000, &code));
		assert_int_equal(code.kind, cases[i].kind);
		assert_int_equal(code.length, cases[i].length);
		assert_int_equal(code.target, cases[i].target);
		/* Truncated, it is no instruction. */
		assert_false(code_decode(cases[i].bytes, cases[i].size - 1, 0x1000, &code));
	}
	assert_false(code_decode((const unsigned char *)"\x06", 1, 0x1000, &code));
}

#if defined(__x86_64__)

static void data_stays_where_it_is(void **state)
{
	struct bench *bench = *state;
	uint64_t start = address_of(bench, "t_relative");
	const struct event_site *sites[4];

	NEEDS_CODE();
	plan_with(bench, bench->object, pattern, 1);
	assert_true(bench->done);
	assert_int_equal(sites_of(bench, start, start + 16, sites, 4), 2);
	assert_int_equal(sites[0]->kind, EVENT_SITE_ENTRY);
	assert_int_equal(sites[0]->length, 6);
	assert_int_equal(sites[0]->fix_count, 2);
	assert_int_equal(sites[0]->fixes[0].at, 2);
	assert_int_equal(sites[0]->fixes[0].end, 6);
	assert_int_equal(sites[0]->fixes[0].target, address_of(bench, "t_number"));
	/* And the jump back. */
	assert_int_equal(sites[0]->code_length, 11);
	assert_int_equal(sites[0]->code[6], 0xe9);
	assert_int_equal(sites[0]->fixes[1].target, start + 6);
	assert_int_equal(sites[1]->kind, EVENT_SITE_EXIT);
	assert_int_equal(sites[1]->address, start + 6);
	assert_int_equal(sites[1]->length, 5);
	assert_int_equal(sites[1]->code_length, 1);
	assert_int_equal(sites[1]->code[0], 0xc3);
	assert_int_equal(sites[0]->key, sites[1]->key);
	assert_int_equal(sites[0]->key & EVENT_FUNCTION_NUMBER, EVENT_FUNCTION_NUMBER);
}

static void branches_become_longer(void **state)
{
	struct bench *bench = *state;
	uint64_t start = address_of(bench, "t_branch");
	const struct event_site *sites[4];

	NEEDS_CODE();
	plan_with(bench, bench->object, pattern, 1);
	assert_int_equal(sites_of(bench, start, start + 32, sites, 4), 3);
	assert_int_equal(sites[0]->length, 9);
	assert_int_equal(sites[0]->code[2], 0x0f);
	assert_int_equal(sites[0]->code[3], 0x84);
	assert_int_equal(sites[0]->fixes[0].target, start + 15);
	/* test, je, mov, jmp */
	assert_int_equal(sites[0]->code_length, 2 + 6 + 5 + 5);
	/*
	 * The site begins at the addition, which precedes the first return and makes it
	 * long enough.
	 */
	assert_int_equal(sites[0]->fixes[1].target, start + 9);
	assert_int_equal(sites[1]->address, start + 9);
	assert_int_equal(sites[1]->call_at, sites[1]->code_length - 1);
}

static void functions_are_refused_with_their_reason(void **state)
{
	struct bench *bench = *state;
	uint64_t whole = address_of(bench, "t_whole");
	const struct event_site *sites[4];

	NEEDS_CODE();
	plan_with(bench, bench->object, pattern, 1);
	assert_int_equal(bench->plan.outcomes[PATCH_SHORT], 1);
	assert_int_equal(bench->plan.outcomes[PATCH_JUMP], 2);
	assert_int_equal(bench->plan.outcomes[PATCH_FIXED], 1);
	assert_int_equal(bench->plan.outcomes[PATCH_UNREADABLE], 0);
	assert_string_equal(bench->plan.refused.text, "t_short, t_inside, t_again, t_fixed");
	assert_true(bench->plan.fits[0]);
	assert_int_equal(sites_of(bench, whole, whole + 3, sites, 4), 1);
	assert_int_equal(sites[0]->kind, EVENT_SITE_WHOLE);
	assert_int_equal(sites[0]->call_at, 2);
	assert_int_equal(sites[0]->code_length, 3);
	assert_int_equal(sites_of(bench, whole + 16, whole + 19, sites, 4), 0);
}

static void an_end_without_room_is_said(void **state)
{
	static char *crammed[] = { (char *)(uintptr_t)"t_crammed" };
	static char *last[] = { (char *)(uintptr_t)"T_LAST" };
	struct bench *bench = *state;
	uint64_t start = address_of(bench, "t_crammed");
	const struct event_site *sites[4];

	NEEDS_CODE();
	plan_with(bench, bench->object, crammed, 1);
	assert_int_equal(bench->plan.ends_unknown, 1);
	assert_int_equal(sites_of(bench, start, start + 32, sites, 4), 1);
	/* A jump into another function is an end. */
	start = address_of(bench, "t_last");
	plan_with(bench, bench->object, last, 1);
	assert_int_equal(bench->plan.ends_unknown, 0);
	assert_int_equal(sites_of(bench, start, start + 32, sites, 4), 2);
	assert_int_equal(sites[1]->kind, EVENT_SITE_EXIT);
	assert_int_equal(sites[1]->fixes[0].target, address_of(bench, "t_whole"));
}

#endif

static void patterns_name_objects(void **state)
{
	static char *patterns[] = { (char *)(uintptr_t)"libc.so*!t_*", (char *)(uintptr_t)"t_rel*",
				    (char *)(uintptr_t)"nothing" };
	struct bench *bench = *state;

	NEEDS_CODE();
	plan_with(bench, bench->object, patterns, 3);
	assert_false(bench->plan.fits[0]);
	assert_true(bench->plan.fits[1]);
	assert_false(bench->plan.fits[2]);
	assert_int_equal(bench->plan.count, 1);
	assert_string_equal(event_sites_at(&bench->sites, patch_plan_program(&bench->plan, 0))->name,
			    "t_relative");
	assert_int_equal(patch_plan_program(&bench->plan, 1), 0);
}

/* All sites of a large library: none overlaps another, and all fit. */
static void sites_of_a_library_are_apart(void **state)
{
	static char *all[] = { (char *)(uintptr_t)"*" };
	static const char path[] = "/lib/x86_64-linux-gnu/libc.so.6";
	struct bench *bench = *state;
	const struct event_plan *plan;
	uint64_t size, count = 0;
	unsigned char *taken;
	struct object *object;

	NEEDS_CODE();
	if (access(path, R_OK))
		skip();
	object = object_of(bench, path);
	plan_with(bench, object, all, 1);
	assert_true(bench->done);
	assert_true(bench->plan.count > 1000);
	plan = (const struct event_plan *)(const void *)bench->text.text;
	size = object->segments[object->segment_count - 1].address + (UINT64_C(64) << 20);
	taken = calloc(size, 1);
	for (uint64_t i = 0; i < plan->count; i++) {
		const struct event_site *site = &plan->sites[i];

		assert_in_range(site->length, EVENT_PATCH_LENGTH, EVENT_SITE_BYTES);
		assert_in_range(site->code_length, 1, EVENT_SITE_CODE);
		assert_memory_equal(object_bytes(object, site->address, site->length), site->bytes,
				    site->length);
		for (unsigned at = 0; at < site->length; at++)
			assert_int_equal(taken[site->address + at]++, 0);
		count++;
	}
	free(taken);
	assert_true(count > 2000);
}

/* A file that is no program is rejected. */
static void damaged_objects_have_no_plan(void **state)
{
	struct bench *bench = *state;
	char path[] = "/tmp/test-patch-XXXXXX";
	int fd = mkstemp(path);
	static char *all[] = { (char *)(uintptr_t)"*" };

	NEEDS_CODE();
	assert_int_equal(write(fd, "\177ELF", 4), 4);
	plan_with(bench, object_of(bench, path), all, 1);
	assert_false(bench->done);
	close(fd);
	unlink(path);
}

static bool plan_eight(void *argument, struct object *object UNUSED, struct strbuf *plan)
{
	++*(int *)argument;
	strbuf_add(plan, "coverage", 8);
	return true;
}

static void hear(void *argument)
{
	++*(int *)argument;
}

/* Requests are answered once the bell has rung, with plans that can be mapped; then the pool is read. */
static void questions_are_answered(void **state)
{
	struct bench *bench = *state;
	struct event_objects objects;
	struct error err = ERROR_INIT;
	struct event_objects_area *table;
	int asked = 0, heard = 0;

	event_objects_init(&objects, &bench->pool);
	assert_int_equal(event_objects_open(&objects, &err), 0);
	/* Without a planner there are no requests. */
	assert_int_equal(bench->pool.area->objects, 0);
	event_objects_plan(&objects, EVENT_PLAN_COVERAGE, plan_eight, &asked);
	assert_int_equal(event_objects_open(&objects, &err), 0);
	assert_int_equal(bench->pool.area->objects, objects.file);
	table = mmap(NULL, sizeof(*table), PROT_READ | PROT_WRITE, MAP_SHARED, objects.file, 0);
	assert_true(table != MAP_FAILED);
	assert_true(table->magic == EVENT_OBJECTS_MAGIC);
	event_objects_watch(&objects, bench->engine, &bench->sites.objects, hear, &heard);
	table->objects[0] = (struct event_object){ .state = EVENT_OBJECT_ASKED, .path = 7 };
	/* The second is taken, but not filled in yet. */
	table->next = 2;
	assert_int_equal(write((int)bench->pool.area->bell, "", 1), 1);
	assert_int_equal(engine_wait(bench->engine, 1000, &err), 0);
	assert_int_equal(heard, 1);
	assert_int_equal(table->objects[0].state, EVENT_OBJECT_KNOWN);
	/* Its name is not in the pool: there is no such object, and no plan. */
	assert_int_equal(table->objects[0].plans[EVENT_PLAN_COVERAGE], 0);
	assert_int_equal(asked, 0);
	assert_int_equal(table->answers, 1);
	event_objects_release(&objects);
	munmap(table, sizeof(*table));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_are_told_apart),
#if defined(__x86_64__)
		cmocka_unit_test_setup_teardown(data_stays_where_it_is, bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(branches_become_longer, bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(functions_are_refused_with_their_reason,
						bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(an_end_without_room_is_said, bench_setup,
						bench_teardown),
#endif
		cmocka_unit_test_setup_teardown(patterns_name_objects, bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(sites_of_a_library_are_apart, bench_setup,
						bench_teardown),
		cmocka_unit_test_setup_teardown(damaged_objects_have_no_plan, bench_setup,
						bench_teardown),
		cmocka_unit_test_setup_teardown(questions_are_answered, bench_setup,
						bench_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
