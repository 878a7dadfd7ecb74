/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of address-space maps and the objects in them. */
#include "common/compat.h"
#include "program/objects/space.h"

#include "common/procfs.h"
#include "program/objects/proc-maps.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* Maps length bytes of anonymous code at start. */
static void map_anonymous(struct space **space, struct object_list *objects, uint64_t start,
			  uint64_t length)
{
	space_map(space, objects, getpid(), start, length, 0, "//anon", 0, 0);
}

/* Fails unless address is in a mapping [start, end), or in none if end is 0. */
static void expect_at(struct space *space, uint64_t address, uint64_t start, uint64_t end)
{
	const struct mapping *mapping = space_find(space, address);

	if (end == 0) {
		assert_null(mapping);
		return;
	}
	assert_non_null(mapping);
	assert_int_equal(mapping->start, start);
	assert_int_equal(mapping->end, end);
}

static void test_overlaps(void **state)
{
	struct object_list objects;
	struct space *space = space_new();

	(void)state;
	object_list_init(&objects);
	expect_at(space, 0x1000, 0, 0);
	map_anonymous(&space, &objects, 0x10000, 0x10000);
	map_anonymous(&space, &objects, 0x40000, 0x10000);
	map_anonymous(&space, &objects, 0x14000, 0x4000); /* within the first */
	expect_at(space, 0x13fff, 0x10000, 0x14000);
	expect_at(space, 0x14000, 0x14000, 0x18000);
	expect_at(space, 0x18000, 0x18000, 0x20000);
	expect_at(space, 0x20000, 0, 0);
	map_anonymous(&space, &objects, 0x1f000, 0x22000); /* end of one, start of another */
	expect_at(space, 0x1efff, 0x18000, 0x1f000);
	expect_at(space, 0x30000, 0x1f000, 0x41000);
	expect_at(space, 0x41000, 0x41000, 0x50000);
	map_anonymous(&space, &objects, 0x0, 0x100000); /* over all */
	expect_at(space, 0x41000, 0x0, 0x100000);
	map_anonymous(&space, &objects, UINT64_MAX - 10, 100); /* wraps around: not mapped */
	expect_at(space, UINT64_MAX - 5, 0, 0);
	space_drop(space);
	object_list_release(&objects);
}

/* Compared with a plain array of owners, one per page. */
static void test_overlaps_at_random(void **state)
{
	static uint32_t owner[256];
	struct object_list objects;
	struct space *space = space_new();
	uint64_t random = 88172645463325252u;

	(void)state;
	memset(owner, 0, sizeof(owner));
	object_list_init(&objects);
	for (uint32_t round = 1; round <= 2000; round++) {
		uint32_t first, count;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		first = (uint32_t)(random % 256);
		count = 1 + (uint32_t)(random >> 20) % (256 - first);
		count = count > 40 ? 1 + count % 40 : count;
		map_anonymous(&space, &objects, first * 4096u, count * 4096u);
		for (uint32_t i = first; i < first + count; i++)
			owner[i] = round << 16 | first << 8 | (count & 0xff);
		for (uint32_t i = 0; i < 256; i++) {
			const struct mapping *mapping = space_find(space, i * 4096u + 17);

			assert_true((mapping != NULL) == (owner[i] != 0));
			if (mapping)
				assert_true(mapping->start <= i * 4096u &&
					    mapping->end > i * 4096u &&
					    mapping->start >= (owner[i] >> 8 & 0xff) * 4096u);
		}
	}
	space_drop(space);
	object_list_release(&objects);
}

static void test_shared_until_changed(void **state)
{
	struct object_list objects;
	struct space *parent = space_new(), *child, *third;
	uint64_t changes;

	(void)state;
	object_list_init(&objects);
	map_anonymous(&parent, &objects, 0x10000, 0x1000);
	child = space_share(parent);
	third = space_share(parent);
	assert_ptr_equal(child, parent);
	changes = space_changes(parent);
	map_anonymous(&child, &objects, 0x20000, 0x1000);
	assert_ptr_not_equal(child, parent);
	expect_at(parent, 0x20000, 0, 0);
	expect_at(child, 0x20000, 0x20000, 0x21000);
	expect_at(child, 0x10000, 0x10000, 0x11000);
	space_clear(&third);
	assert_ptr_not_equal(third, parent);
	expect_at(third, 0x10000, 0, 0);
	expect_at(parent, 0x10000, 0x10000, 0x11000);
	assert_int_equal(space_changes(parent), changes);
	assert_true(space_changes(child) > changes && space_changes(third) > changes);
	space_drop(third);
	space_drop(parent);
	expect_at(child, 0x10000, 0x10000, 0x11000);
	space_drop(child);
	space_drop(NULL);
	object_list_release(&objects);
}

static void test_own_process(void **state)
{
	struct object_list objects;
	struct space *space = space_new();
	const struct mapping *mapping;
	uint64_t here = (uint64_t)(uintptr_t)test_own_process;
	struct strbuf id = STRBUF_INIT;
	const unsigned char *code;

	(void)state;
	object_list_init(&objects);
	assert_int_equal(space_read_proc(&space, &objects, getpid(), NULL), 0);
	mapping = space_find(space, here);
	assert_non_null(mapping);
	assert_int_equal(mapping->object->kind, OBJECT_FILE);
	assert_true(mapping->object->fd >= 0);
	/* The object's bytes at that address are those that are executed. */
	code = object_bytes(mapping->object, here - mapping->bias, 16);
	assert_non_null(code);
	assert_memory_equal(code, (const void *)(uintptr_t)here, 16);
	object_build_id(mapping->object, &id);
	assert_true(id.length == 0 || id.length >= 16);
	assert_true(object_load(mapping->object));
	assert_memory_equal(mapping->object->image, ELFMAG, SELFMAG);
	strbuf_release(&id);
	space_drop(space);
	object_list_release(&objects);
}

static void test_vdso(void **state)
{
	uint64_t start = getauxval(AT_SYSINFO_EHDR);
	struct object_list objects;
	struct space *space = space_new();
	const struct mapping *mapping;

	(void)state;
	if (start == 0) {
		print_message("# skipped: this kernel gives no vDSO\n");
		skip();
	}
	object_list_init(&objects);
	assert_int_equal(space_read_proc(&space, &objects, getpid(), NULL), 0);
	mapping = space_find(space, start);
	assert_non_null(mapping);
	assert_int_equal(mapping->object->kind, OBJECT_VDSO);
	assert_true(object_load(mapping->object));
	assert_memory_equal(mapping->object->image, ELFMAG, SELFMAG);
	assert_int_equal(start - mapping->bias, 0);
	space_drop(space);
	object_list_release(&objects);
}

/* Copies this program's file to a new temporary file. */
static int copy_self(char *path)
{
	int from = open("/proc/self/exe", O_RDONLY), to = mkstemp(path);
	char buffer[65536];
	ssize_t got;

	assert_true(from >= 0 && to >= 0);
	while ((got = read(from, buffer, sizeof(buffer))) > 0)
		assert_int_equal(write(to, buffer, (size_t)got), got);
	close(from);
	return to;
}

static void test_replaced_and_truncated(void **state)
{
	char path[] = "/tmp/vigil-test-XXXXXX";
	int fd = copy_self(path);
	struct object_list objects;
	struct object *first, *second;
	struct stat st;

	(void)state;
	object_list_init(&objects);
	fstat(fd, &st);
	first = object_for_file(&objects, path, st.st_dev, st.st_ino, getpid(), 0);
	assert_ptr_equal(first, object_for_file(&objects, path, st.st_dev, st.st_ino, getpid(), 0));
	assert_non_null(object_part(first, 0, 64));
	assert_int_equal(ftruncate(fd, 1000), 0);
	/* What was read stays; what is lost is reported. */
	assert_non_null(object_part(first, 0, 64));
	assert_null(object_part(first, first->image_size - 16, 16));
	assert_non_null(first->note);
	assert_false(object_load(first));
	second = object_for_file(&objects, path, st.st_dev, st.st_ino, getpid(), 0);
	assert_ptr_not_equal(first, second);
	assert_true(object_load(second));
	assert_int_equal(second->image_size, 1000);
	unlink(path);
	close(fd);
	object_list_release(&objects);
}

static void test_deleted(void **state)
{
	char path[] = "/tmp/vigil-test-XXXXXX";
	int fd = copy_self(path);
	struct object_list objects;
	struct strbuf deleted = STRBUF_INIT;
	struct object *object;
	unsigned char *mapped;
	struct stat st;

	(void)state;
	fstat(fd, &st);
	mapped = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert_true(mapped != MAP_FAILED);
	unlink(path);
	strbuf_addf(&deleted, "%s (deleted)", path);
	object_list_init(&objects);
	object = object_for_file(&objects, deleted.text, st.st_dev, st.st_ino, getpid(),
				 (uint64_t)(uintptr_t)mapped);
	assert_string_equal(object->path, path);
	assert_true(object_headers(object));
	assert_int_equal(object->elf_class, 64);
	munmap(mapped, (size_t)st.st_size);
	close(fd);
	strbuf_release(&deleted);
	object_list_release(&objects);
}

static void test_names_of_the_kernel(void **state)
{
	static const struct {
		const char *path;
		enum object_kind kind;
		const char *shown;
	} cases[] = {
		{ "//anon", OBJECT_ANONYMOUS, "[anonymous]" },
		{ "[heap]", OBJECT_ANONYMOUS, "[heap]" },
		{ "[stack]", OBJECT_ANONYMOUS, "[stack]" },
		{ "", OBJECT_ANONYMOUS, "[anonymous]" },
		{ "[vsyscall]", OBJECT_KERNEL, "[kernel]" },
		{ "/dev/zero (deleted)", OBJECT_ANONYMOUS, "[anonymous]" },
		{ "/SYSV00000000 (deleted)", OBJECT_ANONYMOUS, "[anonymous]" },
		{ "/memfd:code (deleted)", OBJECT_FILE, "/memfd:code" },
		{ "/no/such/file", OBJECT_FILE, "/no/such/file" },
		{ "anon_inode:[x]", OBJECT_ANONYMOUS, "[anonymous]" },
	};
	struct object_list objects;

	(void)state;
	object_list_init(&objects);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct space *space = space_new();
		const struct mapping *mapping;

		space_map(&space, &objects, getpid(), 0x5000, 0x1000, 0x3000, cases[i].path, 1,
			  cases[i].kind == OBJECT_FILE ? 12345 + i : 0);
		mapping = space_find(space, 0x5010);
		assert_non_null(mapping);
		assert_int_equal(mapping->object->kind, cases[i].kind);
		assert_string_equal(mapping->object->path, cases[i].shown);
		if (cases[i].kind == OBJECT_FILE) {
			assert_false(object_load(mapping->object));
			assert_non_null(mapping->object->note);
			assert_int_equal(0x5010 - mapping->bias, 0x3010);
		}
		space_drop(space);
	}
	object_list_release(&objects);
}

static void test_process_that_is_gone(void **state)
{
	struct object_list objects;
	struct space *space = space_new();
	struct error err = ERROR_INIT;

	(void)state;
	object_list_init(&objects);
	assert_int_equal(space_read_proc(&space, &objects, 0x3fffffff, &err), -1);
	assert_non_null(strstr(error_text(&err), "memory map of process"));
	error_release(&err);
	space_drop(space);
	object_list_release(&objects);
}

/*
 * The recorded map of a process: a deleted file, a newline in a name, no name, a
 * very high address.
 */
static void test_recorded_map(void **state)
{
	static const char *const paths[] = {
		"/opt/pay/payroll (deleted)",
		"/opt/pay/payroll (deleted)",
		"[heap]",
		"/usr/lib/a b\nc.so.6",
		"",
		"[stack]",
		"[vdso]",
		"[vsyscall]",
	};
	char root[PROCFS_ROOT_MAX];
	struct proc_region region;
	struct proc_maps maps;
	size_t count = 0;

	(void)state;
	snprintf(root, sizeof(root), "%s/tests/procfs/linux-6.1", getenv("VIGIL_SOURCE"));
	procfs_set_root(root);
	assert_int_equal(proc_maps_read(&maps, 4711, NULL), 0);
	procfs_set_root(NULL);
	for (; proc_maps_next(&maps, &region); count++) {
		assert_true(count < ARRAY_SIZE(paths));
		assert_string_equal(region.path, paths[count]);
		assert_int_equal(region.executable, count == 0 || count == 3 || count >= 6);
	}
	assert_int_equal(count, ARRAY_SIZE(paths));
	assert_true(region.start == UINT64_C(0xffffffffff600000));
	assert_int_equal(region.end - region.start, 4096);
	assert_false(region.readable || region.writable);
	proc_maps_release(&maps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlaps),
		cmocka_unit_test(test_overlaps_at_random),
		cmocka_unit_test(test_shared_until_changed),
		cmocka_unit_test(test_own_process),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_replaced_and_truncated),
		cmocka_unit_test(test_deleted),
		cmocka_unit_test(test_names_of_the_kernel),
		cmocka_unit_test(test_process_that_is_gone),
		cmocka_unit_test(test_recorded_map),
	};

	return cmocka_run_group_tests_name("space", tests, NULL, NULL);
}
