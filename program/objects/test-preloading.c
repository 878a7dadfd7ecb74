/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which files can be preloaded into. */
#include "common/compat.h"
#include "program/objects/preloading.h"

#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define FILE_NAME "preloading.file"

static void make_file(const void *bytes, size_t size)
{
	int fd;

	unlink(FILE_NAME);
	fd = open(FILE_NAME, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

/* Makes an executable file with one segment of a type. */
static void make_program(uint32_t segment, unsigned char class, uint16_t machine)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr segment;
	} file = { .segment.p_type = segment };

	memcpy(file.header.e_ident, ELFMAG, SELFMAG);
	file.header.e_ident[EI_CLASS] = class;
	file.header.e_machine = machine;
	file.header.e_phoff = sizeof(file.header);
	file.header.e_phentsize = sizeof(file.segment);
	file.header.e_phnum = 1;
	make_file(&file, sizeof(file));
}

static void expect(const char *path, const char *why)
{
	const char *found = preloading_obstacle(path);

	if (why) {
		assert_non_null(found);
		assert_string_equal(found, why);
	} else {
		assert_null(found);
	}
}

static void test_programs(void **state)
{
	Elf64_Ehdr own;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(read(fd, &own, sizeof(own)), sizeof(own));
	close(fd);
	expect("/proc/self/exe", NULL);
	make_program(PT_LOAD, ELFCLASS64, own.e_machine);
	expect(FILE_NAME, "is statically linked");
	make_program(PT_INTERP, ELFCLASS64, own.e_machine);
	expect(FILE_NAME, NULL);
	make_program(PT_INTERP, ELFCLASS32, own.e_machine);
	expect(FILE_NAME, "is built for another type of processor");
	make_program(PT_INTERP, ELFCLASS64, EM_S390);
	expect(FILE_NAME, "is built for another type of processor");
	unlink(FILE_NAME);
}

/* The interpreter counts; one that names itself is not a program. */
static void test_scripts(void **state)
{
	(void)state;
	make_file("#! /proc/self/exe -x\n", 21);
	expect(FILE_NAME, NULL);
	make_file("#!" FILE_NAME "\n", 3 + strlen(FILE_NAME));
	expect(FILE_NAME, NULL);
	make_file("#!", 2);
	expect(FILE_NAME, NULL);
	make_file("#", 1);
	expect(FILE_NAME, NULL);
	make_file("", 0);
	expect(FILE_NAME, NULL);
	unlink(FILE_NAME);
	expect(FILE_NAME, NULL);
}

static void test_rights(void **state)
{
	static const char why[] = "gets privileges that its user does not have (set-user-ID, "
				  "set-group-ID or capabilities)";

	(void)state;
	make_file("x", 1);
	/* A file of the user's own gives no additional privileges. */
	assert_int_equal(chmod(FILE_NAME, 06755), 0);
	expect(FILE_NAME, NULL);
	if (geteuid() != 0) {
		unlink(FILE_NAME);
		skip(); /* only root can give away a file */
	}
	assert_int_equal(chown(FILE_NAME, 65534, 0), 0);
	assert_int_equal(chmod(FILE_NAME, 04755), 0);
	expect(FILE_NAME, why);
	assert_int_equal(chown(FILE_NAME, 0, 65534), 0);
	assert_int_equal(chmod(FILE_NAME, 02755), 0);
	expect(FILE_NAME, why);
	assert_int_equal(chmod(FILE_NAME, 0755), 0);
	expect(FILE_NAME, NULL);
	unlink(FILE_NAME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_rights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
