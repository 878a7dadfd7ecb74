/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of resources: names, folders, what is listed, and what is never deleted. */
#include "common/compat.h"
#include "session/library/resource.h"
#include "common/strmap.h"
#include "common/test-folder.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/*
 * Writes a sample data set with attributes (key and value in turn,
 * NULL-terminated), and optionally a record of one type.
 */
static void write_holding(const char *path, const char *const *attributes, unsigned record,
			  const void *held)
{
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct registry types;
	struct snapshot snapshot;
	struct strmap strings;

	registry_init(&types, &session_records);
	snapshot_init(&snapshot, &types);
	strmap_init(&strings);
	for (; *attributes; attributes += 2) {
		const struct record_attribute row = { .key = strmap_put(&strings, attributes[0]),
						      .value =
							      strmap_put(&strings, attributes[1]) };

		recordset_add(snapshot_set(&snapshot, RECORD_ATTRIBUTE), &row);
	}
	if (held)
		recordset_add(snapshot_set(&snapshot, record), held);
	writer = dataset_create(path, &strings, &err);
	assert_non_null(writer);
	assert_int_equal(dataset_write(writer, &snapshot, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	snapshot_release(&snapshot);
	registry_release(&types);
	strmap_release(&strings);
	error_release(&err);
}

static void write_data_set(const char *path, const char *const *attributes)
{
	write_holding(path, attributes, 0, NULL);
}

/* Returns the path of a resource; the caller frees it. */
static char *path_of(const char *folder, const char *name, enum resource_kind kind)
{
	struct strbuf path = STRBUF_INIT;

	resource_path(folder, name, kind, &path);
	return strbuf_detach(&path, NULL);
}

/* Creates a resource with the given attributes. */
static void make(const char *folder, const char *name, enum resource_kind kind,
		 const char *job_number)
{
	const char *const attributes[] = { ATTR_RESOURCE, name,	 ATTR_JOB_NUMBER, job_number,
					   ATTR_PROGRAM,  "PAY", ATTR_EVENTS,	  "12",
					   ATTR_COMPLETE, "1",	 ATTR_START_WALL, "1000000000000",
					   NULL };
	char *path = path_of(folder, name, kind);

	write_data_set(path, attributes);
	free(path);
}

static void names_and_patterns(void **state UNUSED)
{
	char name[RESOURCE_NAME_MAX + 2];

	memset(name, 'N', sizeof(name));
	name[RESOURCE_NAME_MAX + 1] = '\0';
	assert_false(resource_name_valid(name));
	name[RESOURCE_NAME_MAX] = '\0';
	assert_true(resource_name_valid(name));
	assert_true(resource_name_valid("Night run 1"));
	assert_false(resource_name_valid(""));
	assert_false(resource_name_valid("a/b"));
	assert_false(resource_name_valid(".."));
	assert_false(resource_name_valid("a\nb"));
}

static void assert_folder(const char *library, const char *expected)
{
	char *folder = resource_folder(library, &(struct resource_place){ .root = "/data" });

	assert_string_equal(folder, expected);
	free(folder);
}

static void a_library_is_a_path_or_a_name(void **state UNUSED)
{
	unsetenv("VIGIL_LIBRARY");
	assert_folder(NULL, "/data/profiles");
	assert_folder("MYLIB", "/data/MYLIB");
	assert_folder("/srv/profiles", "/srv/profiles");
	assert_folder("./here", "./here");
	setenv("VIGIL_LIBRARY", "/env", 1);
	assert_folder(NULL, "/env");
	assert_folder("MYLIB", "/data/MYLIB");
	unsetenv("VIGIL_LIBRARY");
}

/* Checks the path of a new resource in its folder; NULL: refused. */
static void assert_created(const char *folder, const char *name, bool replace,
			   const char *job_number, const char *expected)
{
	struct error err = ERROR_INIT;
	char *path = resource_create(&(struct resource_request){ .folder = folder,
								 .name = name,
								 .replace = replace,
								 .job_number = job_number },
				     &err);

	if (expected)
		assert_string_equal(path + strlen(folder) + 1, expected);
	else
		assert_true(!path && *error_text(&err));
	free(path);
	error_release(&err);
}

static void a_resource_is_replaced_only_when_asked(void **state)
{
	struct strbuf folder = STRBUF_INIT;

	strbuf_addf(&folder, "%s/a/b", (char *)*state);
	assert_created(folder.text, "RUN", false, "", "RUN.vprf");
	make(folder.text, "RUN", RESOURCE_EVENTS, "JOB00007");
	assert_created(folder.text, "RUN", false, "", NULL);
	assert_created(folder.text, "RUN", false, "JOB00008", NULL);
	assert_created(folder.text, "RUN", true, "JOB00008", "RUN.vprf");
	/* Steps of one job do not replace each other's resources. */
	assert_created(folder.text, "RUN", true, "JOB00007", "RUN.2.vprf");
	make(folder.text, "RUN.2", RESOURCE_EVENTS, "JOB00007");
	assert_created(folder.text, "RUN", false, "JOB00007", "RUN.3.vprf");
	strbuf_release(&folder);
}

static void only_sample_data_sets_are_listed_and_deleted(void **state)
{
	const char *folder = *state;
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct resources resources;
	struct error err = ERROR_INIT;
	char name[RESOURCE_NAME_MAX + 1];
	FILE *file;

	memset(name, 'N', RESOURCE_NAME_MAX);
	name[RESOURCE_NAME_MAX] = '\0';
	make(folder, "B", RESOURCE_CONSOLIDATED, "");
	make(folder, "A", RESOURCE_EVENTS, "");
	make(folder, name, RESOURCE_COVERAGE, "");
	strbuf_addf(&path, "%s/FALSE.vprf", folder);
	file = fopen(path.text, "w");
	fputs("a letter", file);
	fclose(file);
	strbuf_reset(&path);
	strbuf_addf(&path, "%s/LINK.vprf", folder);
	assert_int_equal(symlink("A.vprf", path.text), 0);

	assert_int_equal(resources_list(&resources, folder, NULL, &err), 0);
	assert_int_equal(resources.count, 3);
	assert_string_equal(resources.items[0].name, "A");
	assert_string_equal(resources.items[0].program, "PAY");
	assert_int_equal(resources.items[0].events, 12);
	assert_true(resources.items[0].complete);
	assert_int_equal(resources.items[0].start, UINT64_C(1000000000000));
	assert_int_equal(resources.items[1].kind, RESOURCE_CONSOLIDATED);
	/* A name that is too long for a file is complete in the list. */
	assert_string_equal(resources.items[2].name, name);
	resources_print(&resources, &text);
	assert_non_null(strstr(text.text, "CONSOLIDATED"));
	/* It is on a separate line, and does not widen the table. */
	strbuf_reset(&path);
	strbuf_addf(&path, "\n%s\n         COVERAGE     ", name);
	assert_non_null(strstr(text.text, path.text));
	assert_int_equal(strncmp(text.text, "RESOURCE KIND ", strlen("RESOURCE KIND ")), 0);
	assert_int_equal(resource_delete(&resources.items[2], &err), 0);
	assert_int_equal(access(resources.items[2].path, F_OK), -1);
	resources_release(&resources);

	assert_int_equal(resources_list(&resources, folder, "?", &err), 0);
	assert_int_equal(resources.count, 2);
	resources_release(&resources);
	assert_int_equal(resources_list(&resources, "/there/is/none", NULL, &err), 0);
	assert_int_equal(resources.count, 0);
	resources_release(&resources);
	assert_int_equal(resources_list(&resources, "/dev/null", NULL, &err), -1);
	strbuf_release(&path);
	strbuf_release(&text);
	error_release(&err);
}

/* Writes a data set with a record of one type in addition to its attributes. */
static void make_holding(const char *folder, const char *file, unsigned record)
{
	static const char *const attributes[] = { ATTR_PROGRAM, "PAY", NULL };
	const uint64_t row[16] = { 0 };
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", folder, file);
	write_holding(path.text, attributes, record, row);
	strbuf_release(&path);
}

/* The suffix of a name only counts if the content is inconclusive. */
static void a_kind_is_what_a_data_set_holds(void **state)
{
	static const struct {
		const char *file;
		unsigned record;
		enum resource_kind kind;
	} rows[] = {
		{ "A.vprf", RECORD_EVENT_SUM, RESOURCE_CONSOLIDATED },
		{ "B.vprf", RECORD_COVERAGE_PROGRAM, RESOURCE_COVERAGE },
		{ "C.vprc", RECORD_EVENT, RESOURCE_EVENTS },
		{ "D.vcvf", RECORD_EVENT_SUM, RESOURCE_CONSOLIDATED },
		{ "E.vprc", RECORD_NOTE, RESOURCE_CONSOLIDATED },
		{ "F.vcvf", RECORD_NOTE, RESOURCE_COVERAGE },
	};
	const char *folder = *state;
	struct resources resources;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		make_holding(folder, rows[i].file, rows[i].record);
	assert_int_equal(resources_list(&resources, folder, NULL, &err), 0);
	assert_int_equal(resources.count, ARRAY_SIZE(rows));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(resources.items[i].kind, rows[i].kind);
	resources_release(&resources);
	error_release(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_patterns),
		cmocka_unit_test(a_library_is_a_path_or_a_name),
		cmocka_unit_test_setup_teardown(a_resource_is_replaced_only_when_asked, test_folder_make,
						test_folder_drop),
		cmocka_unit_test_setup_teardown(only_sample_data_sets_are_listed_and_deleted,
						test_folder_make, test_folder_drop),
		cmocka_unit_test_setup_teardown(a_kind_is_what_a_data_set_holds, test_folder_make,
						test_folder_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
