/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the data set root: names, mapping, entries, attributes, generations, locks. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/attributes.h"
#include "datasets/folders.h"
#include "datasets/generations.h"
#include "datasets/entries.h"
#include "datasets/lock.h"
#include "datasets/update-mark.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/*
 * The test is linked so that these replace the system's functions, because not
 * every machine has a file system without user attributes.
 */
static bool without_attributes;
ssize_t __real_getxattr(const char *path, const char *name, void *value, size_t size);
int __real_setxattr(const char *path, const char *name, const void *value, size_t size, int flags);
ssize_t __wrap_getxattr(const char *path, const char *name, void *value, size_t size);
int __wrap_setxattr(const char *path, const char *name, const void *value, size_t size, int flags);

ssize_t __wrap_getxattr(const char *path, const char *name, void *value, size_t size)
{
	if (!without_attributes)
		return __real_getxattr(path, name, value, size);
	errno = ENOTSUP;
	return -1;
}

int __wrap_setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	if (!without_attributes)
		return __real_setxattr(path, name, value, size, flags);
	errno = ENOTSUP;
	return -1;
}

/* A private root. */
struct fixture {
	char folder[32];
	struct catalog catalog;
};

static int set_up(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));
	struct strbuf root = STRBUF_INIT;

	snprintf(fixture->folder, sizeof(fixture->folder), "/tmp/catalogXXXXXX");
	assert_non_null(mkdtemp(fixture->folder));
	strbuf_addf(&root, "%s/root", fixture->folder);
	assert_int_equal(mkdir(root.text, 0777), 0);
	assert_int_equal(catalog_open(&fixture->catalog, root.text, NULL, NULL), 0);
	strbuf_release(&root);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	catalog_release(&fixture->catalog);
	folders_remove(fixture->folder);
	free(fixture);
	return 0;
}

static void write_file(const char *folder, const char *name, const char *content)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addstr(&text, content);
	assert_int_equal(folders_write_file(folder, name, &text), 0);
	strbuf_release(&text);
}

/* Creates an empty data set in the root. */
static void make(struct fixture *fixture, const char *dsn)
{
	write_file(fixture->catalog.root, dsn, "");
}

/* Uses a mapping file with this content; -1 with the reason if it is invalid. */
static int map(struct fixture *fixture, const char *content, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	char *root = xstrdup(fixture->catalog.root);
	int result;

	write_file(fixture->folder, "map", content);
	strbuf_addf(&path, "%s/map", fixture->folder);
	catalog_release(&fixture->catalog);
	result = catalog_open(&fixture->catalog, root, path.text, err);
	if (result < 0)
		assert_int_equal(catalog_open(&fixture->catalog, root, NULL, NULL), 0);
	strbuf_release(&path);
	free(root);
	return result;
}

static void assert_file(struct fixture *fixture, const char *dsn, const char *expected)
{
	struct strbuf path = STRBUF_INIT;

	catalog_file(&fixture->catalog, dsn, &path);
	assert_string_equal(path.text, expected);
	strbuf_release(&path);
}

/* Checks a list of names as one text, and frees them. */
static void assert_names(char **names, size_t count, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < count; i++) {
		strbuf_addf(&text, "%s%s", i ? " " : "", names[i]);
		free(names[i]);
	}
	free(names);
	assert_string_equal(text.text, expected);
	strbuf_release(&text);
}

static void names_are_checked(void **state UNUSED)
{
	static const char *const wrong[] = { "", ".", "TOOLONGNAME.X", "A.", ".A", "A..B", "1A", "A.1", "A/B", "..",
					     "A.../B", "A B", "A.B.\\C",
					     "ABCDEFGH.ABCDEFGH.ABCDEFGH.ABCDEFGH.ABCDEFGHI" };

	assert_true(catalog_name_valid("PROD.@PAY.#1.$X-Y"));
	assert_true(catalog_name_valid("ABCDEFGH.ABCDEFGH.ABCDEFGH.ABCDEFGH.ABCDEFGH")); /* 44 */
	assert_false(catalog_name_valid("ABCDEFGH.ABCDEFGH.ABCDEFGH.ABCDEFGH.ABCDEF.AB"));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_false(catalog_name_valid(wrong[i]));
	assert_true(catalog_member_valid("ABCDEFG8"));
	assert_false(catalog_member_valid("ABCDEFGH9"));
	assert_false(catalog_member_valid(".."));
	assert_false(catalog_member_valid("A.B"));
}

static void patterns_match(void **state UNUSED)
{
	static const struct {
		const char *pattern, *name;
		bool matches;
	} cases[] = {
		{ "A.B", "A.B", true },		{ "A.B", "A.BC", false },
		{ "A.*", "A.BC", true },	{ "A.*", "A.B.C", false },
		{ "A.*", "A", false },		{ "A.B*", "A.B", true },
		{ "A.B*", "A.BXY", true },	{ "A.%B", "A.XB", true },
		{ "A.%", "A.XB", false },	{ "A.**", "A.B.C", true },
		{ "A.**", "A", true },		{ "A.**", "AB.C", false },
		{ "**", "X.Y.Z", true },	{ "**.C", "A.B.C", true },
		{ "**.C", "C", true },		{ "**.C", "A.C.B", false },
		{ "A.**.D.*", "A.B.C.D.E", true }, { "A.**.D.*", "A.D.E", true },
		{ "A.**.D.*", "A.D", false },	{ "*.B*C", "X.BAAC", true },
		{ "*.B*C", "X.BAAD", false },	{ "a.b", "A.B", true },
		{ "A.%%%", "A.BC", false },	{ "A%B", "A.B", false },
		{ "*A*B*", "XAXBX", true },	{ "*A*B*", "XBXAX", false },
		{ "**.A.**.B", "A.A.B.B", true }, { "**.A.**.B", "B.A.C", false },
		/* Would take twice as long for each asterisk if all were tried again. */
		{ "*******************B", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (catalog_matches(cases[i].pattern, cases[i].name) != cases[i].matches)
			fail_msg("%s and %s", cases[i].pattern, cases[i].name);
}

static void mapping_puts_names_elsewhere(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf expected = STRBUF_INIT;

	assert_int_equal(map(fixture,
			     "# where things are\n\n"
			     "PROD.PAY.#MASTER  /data/pay/master.dat   # indexed\n"
			     "PROD.** /data/{2}/{lower}.txt\r\n"
			     "TEST.* test data/{dsn}\t# behind a tab\n"
			     "PROD /never/{dsn}\n",
			     NULL),
			 0);
	assert_file(fixture, "PROD.PAY.#MASTER", "/data/pay/master.dat");
	assert_file(fixture, "PROD.GL.DAY.MONEY", "/data/GL/prod.gl.day.money.txt");
	assert_file(fixture, "PROD", "/never/PROD"); /* no {2} */
	strbuf_addf(&expected, "%s/test data/TEST.X", fixture->folder);
	assert_file(fixture, "TEST.X", expected.text);
	strbuf_reset(&expected);
	strbuf_addf(&expected, "%s/TEST.X.Y", fixture->catalog.root);
	assert_file(fixture, "TEST.X.Y", expected.text);
	strbuf_release(&expected);
}

static void mapping_faults_are_located(void **state)
{
	static const struct {
		const char *content, *fault;
	} cases[] = {
		{ "A.B\n", "line 1 of the mapping file * a path is missing" },
		{ "\nA../B /x\n", "line 2 of the mapping file * the pattern is not a data set name" },
		{ "A /x/\n", "names a folder" },
		{ "A /x/{0}\n", "stand for parts" },
		{ "A /x/{99999999999}\n", "stand for parts" },
		{ "A /x/{dsn\n", "stand for parts" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *part = strstr(cases[i].fault, " * ");
		struct error err = ERROR_INIT;

		assert_int_equal(map(*state, cases[i].content, &err), -1);
		assert_non_null(strstr(error_text(&err), part ? part + 3 : cases[i].fault));
		if (part)
			assert_memory_equal(error_text(&err), cases[i].fault,
					    (size_t)(part - cases[i].fault));
		error_release(&err);
	}
}

static void attributes_are_one_line(void **state UNUSED)
{
	static const char *const lines[] = {
		"FB,80", ",80", "V,0", "TEXT,0", ",0,DSORG=PO",
		"F,200,DSORG=IS,MIN=100,BLKSIZE=400,KEY=8:0,KEY=20:10D,KEY=3:9",
	};
	static const char *const wrong[] = { "", "FB", "FB,", "FB,80X", "FB,80,", "FB,80,DSORG=XX",
					     "fb,80", "FB,99999999999", "FB,80,KEY=0:1",
					     "FB,80,KEY=1", "ABCDEFGHI,1", "FB,-1", "FB,80,MIN=" };
	struct attributes attributes;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_true(attributes_parse(&attributes, lines[i]));
		attributes_format(&text, &attributes);
		assert_string_equal(text.text, lines[i]);
		strbuf_reset(&text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		if (attributes_parse(&attributes, wrong[i]))
			fail_msg("%s", wrong[i]);
		assert_true(attributes_empty(&attributes));
	}
	for (unsigned i = 0; i < 18; i++)
		strbuf_addf(&text, i ? ",KEY=1:%u" : "F,80", i);
	assert_true(attributes_parse(&attributes, text.text));
	strbuf_addstr(&text, ",KEY=1:18");
	assert_false(attributes_parse(&attributes, text.text));
	strbuf_release(&text);
	attributes_parse(&attributes, "VB,84");
	assert_int_equal(attributes_data_length(&attributes), 80);
	attributes_parse(&attributes, "V,5");
	assert_int_equal(attributes_data_length(&attributes), 1);
	attributes_parse(&attributes, "V,4"); /* no space for a record after the descriptor */
	assert_int_equal(attributes_data_length(&attributes), 4);
	attributes_parse(&attributes, "FB,84");
	assert_int_equal(attributes_data_length(&attributes), 84);
}

/* Checks the attributes stored with a file, as text; "": none. */
static void assert_kept(const char *path, const char *expected)
{
	struct attributes attributes;
	struct strbuf text = STRBUF_INIT;

	attributes_get(path, &attributes);
	attributes_format(&text, &attributes);
	assert_string_equal(text.text, expected);
	strbuf_release(&text);
}

/* Tests setting, renaming, inheriting and removing attributes below a folder. */
static void check_attributes_in(const char *folder)
{
	struct attributes attributes;
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT, member = STRBUF_INIT;

	strbuf_addf(&a, "%s/A.B", folder);
	strbuf_addf(&b, "%s/C.D", folder);
	write_file(folder, "A.B", "x");
	attributes_parse(&attributes, "FB,80,KEY=3:4");
	assert_int_equal(attributes_set(a.text, &attributes, NULL), 0);
	assert_kept(a.text, "FB,80,KEY=3:4");
	attributes_parse(&attributes, "VB,90");
	assert_int_equal(attributes_set(a.text, &attributes, NULL), 0);
	assert_int_equal(catalog_rename(a.text, b.text), 0);
	assert_kept(b.text, "VB,90");
	assert_kept(a.text, "");
	assert_int_equal(catalog_remove(b.text), 0);
	write_file(folder, "C.D", "new");
	assert_kept(b.text, ""); /* not those of its predecessor */

	assert_int_equal(mkdir(a.text, 0777), 0);
	attributes_parse(&attributes, "FB,80,DSORG=PO");
	assert_int_equal(attributes_set(a.text, &attributes, NULL), 0);
	strbuf_addf(&member, "%s/MEM", a.text);
	assert_kept(member.text, "FB,80");
	write_file(a.text, "MEM", "x");
	attributes_parse(&attributes, "VB,104");
	assert_int_equal(attributes_set(member.text, &attributes, NULL), 0);
	assert_kept(member.text, "VB,104");
	attributes_parse(&attributes, "");
	assert_int_equal(attributes_set(member.text, &attributes, NULL), 0);
	assert_kept(member.text, "FB,80");
	assert_int_equal(catalog_remove(a.text), 0);
	assert_false(catalog_exists(a.text));
	strbuf_release(&a);
	strbuf_release(&b);
	strbuf_release(&member);
}

static void attributes_stay_with_the_data_set(void **state)
{
	struct fixture *fixture = *state;

	check_attributes_in(fixture->catalog.root);
}

static void attributes_stay_beside_where_there_are_no_extended_ones(void **state)
{
	struct fixture *fixture = *state;

	without_attributes = true;
	check_attributes_in(fixture->catalog.root);
	without_attributes = false;
}

static void entries_keep_what_was_said(void **state)
{
	struct fixture *fixture = *state;
	struct catalog_entry entry = { .type = CATALOG_GDG, .limit = 5, .scratch = true };
	struct error err = ERROR_INIT;

	assert_int_equal(catalog_entry_write(&fixture->catalog, "PAY.DAY", &entry, NULL), 0);
	assert_int_equal(catalog_entry_read(&fixture->catalog, "PAY.DAY", &entry, NULL), 0);
	assert_int_equal(entry.type, CATALOG_GDG);
	assert_int_equal(entry.limit, 5);
	assert_true(entry.scratch);
	assert_false(entry.empty);
	assert_int_equal(catalog_entry_write(&fixture->catalog, "../X", &entry, &err), -1);
	error_release(&err);
	assert_int_equal(catalog_entry_remove(&fixture->catalog, "PAY.DAY", NULL), 0);
	assert_int_equal(catalog_entry_remove(&fixture->catalog, "PAY.DAY", NULL), 0);
	assert_int_equal(catalog_entry_read(&fixture->catalog, "PAY.DAY", &entry, NULL), 0);
	assert_int_equal(entry.type, CATALOG_NONE);
	make(fixture, "PAY.DAY");
	assert_int_equal(catalog_entry_read(&fixture->catalog, "PAY.DAY", &entry, NULL), 0);
	assert_int_equal(entry.type, CATALOG_NONVSAM);
	entry = (struct catalog_entry){ .type = CATALOG_GDG };
	assert_int_equal(catalog_entry_write(&fixture->catalog, "PAY.DAY", &entry, NULL), 0);
	{
		struct strbuf folder = STRBUF_INIT;

		strbuf_addf(&folder, "%s/.vigil/catalog", fixture->catalog.root);
		write_file(folder.text, "PAY.DAY", "TYPE GDG\nRUBBISH\n");
		strbuf_release(&folder);
	}
	assert_int_equal(catalog_entry_read(&fixture->catalog, "PAY.DAY", &entry, &err), -1);
	assert_non_null(strstr(error_text(&err), "is damaged"));
	error_release(&err);
}

/* Writes an entry that refers to another name. */
static void relate(struct fixture *fixture, const char *dsn, enum catalog_type type,
		   const char *related)
{
	struct catalog_entry entry = { .type = type, .key_offset = 10, .key_length = 4 };

	entry.related = xstrdup(related);
	assert_int_equal(catalog_entry_write(&fixture->catalog, dsn, &entry, NULL), 0);
	catalog_entry_release(&entry);
}

static void assert_resolves(struct fixture *fixture, const char *dsn, enum catalog_type type,
			    const char *target, unsigned key)
{
	struct strbuf found = STRBUF_INIT;
	unsigned number;

	assert_int_equal(catalog_resolve(&fixture->catalog, dsn, &found, &number), type);
	assert_string_equal(found.text, target);
	assert_int_equal(number, key);
	strbuf_release(&found);
}

static void names_are_followed(void **state)
{
	struct fixture *fixture = *state;
	struct attributes attributes;
	struct strbuf path = STRBUF_INIT;
	char **names;
	size_t count;

	make(fixture, "PAY.MASTER");
	catalog_file(&fixture->catalog, "PAY.MASTER", &path);
	attributes_parse(&attributes, "F,80,DSORG=IS,KEY=8:0,KEY=3:1,KEY=4:10D");
	assert_int_equal(attributes_set(path.text, &attributes, NULL), 0);
	relate(fixture, "PAY.AIX", CATALOG_AIX, "PAY.MASTER");
	relate(fixture, "PAY.PATH", CATALOG_PATH, "PAY.AIX");
	relate(fixture, "SHORT", CATALOG_ALIAS, "PAY.PATH");
	relate(fixture, "ROUND", CATALOG_ALIAS, "ROUND");
	assert_resolves(fixture, "PAY.MASTER", CATALOG_NONVSAM, "PAY.MASTER", 0);
	assert_resolves(fixture, "PAY.AIX", CATALOG_AIX, "PAY.MASTER", 2);
	assert_resolves(fixture, "SHORT", CATALOG_ALIAS, "PAY.MASTER", 2);
	assert_resolves(fixture, "ROUND", CATALOG_ALIAS, "ROUND", 0);
	assert_resolves(fixture, "NOBODY", CATALOG_NONE, "NOBODY", 0);
	count = catalog_dependents(&fixture->catalog, "PAY.MASTER", &names);
	assert_names(names, count, "PAY.AIX PAY.PATH");
	make(fixture, "PAY.MASTER.1"); /* an alternate key's file is not a data set */
	count = catalog_list(&fixture->catalog, &names);
	assert_names(names, count, "PAY.AIX PAY.MASTER PAY.PATH ROUND SHORT");
	strbuf_release(&path);
}

static void files_of_alternate_keys_go_along(void **state)
{
	static const char berkeley[16] = { [12] = 0x62, 0x31, 0x05, 0x00 };
	struct fixture *fixture = *state;
	const char *root = fixture->catalog.root;
	struct strbuf from = STRBUF_INIT, to = STRBUF_INIT, key = STRBUF_INIT, content = STRBUF_INIT;

	strbuf_add(&content, berkeley, sizeof(berkeley));
	assert_int_equal(folders_write_file(root, "A.KSDS", &content), 0);
	assert_int_equal(folders_write_file(root, "A.KSDS.1", &content), 0);
	strbuf_addf(&from, "%s/A.KSDS", root);
	strbuf_addf(&to, "%s/B.KSDS", root);
	strbuf_addf(&key, "%s/B.KSDS.1", root);
	assert_int_equal(catalog_rename(from.text, to.text), 0);
	assert_false(catalog_exists(from.text));
	assert_true(catalog_exists(key.text));
	assert_int_equal(catalog_remove(to.text), 0);
	assert_false(catalog_exists(to.text));
	assert_false(catalog_exists(key.text));
	strbuf_release(&from);
	strbuf_release(&to);
	strbuf_release(&key);
	strbuf_release(&content);
}

static void deleting_takes_what_stands_over_it_along(void **state)
{
	struct fixture *fixture = *state;
	char **names;
	size_t count;

	make(fixture, "PAY.MASTER");
	relate(fixture, "PAY.AIX", CATALOG_AIX, "PAY.MASTER");
	relate(fixture, "PAY.PATH", CATALOG_PATH, "PAY.AIX");
	relate(fixture, "OTHER", CATALOG_PATH, "OTHER.MASTER");
	assert_int_equal(catalog_delete(&fixture->catalog, "PAY.MASTER", NULL), 0);
	count = catalog_list(&fixture->catalog, &names);
	assert_names(names, count, "OTHER");
}

static void files_beside_that_are_no_keys_stay(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf path = STRBUF_INIT, other = STRBUF_INIT;

	make(fixture, "LOG");
	make(fixture, "LOG.1");
	catalog_file(&fixture->catalog, "LOG", &path);
	strbuf_addf(&other, "%s.1", path.text);
	assert_int_equal(catalog_remove(path.text), 0);
	assert_true(catalog_exists(other.text));
	strbuf_release(&path);
	strbuf_release(&other);
}

/* Checks the name of a relative generation; "-": none. */
static void assert_generation(const struct generation_group *group, int relative,
			      const char *expected)
{
	struct strbuf name = STRBUF_INIT;

	if (generation_name(group, relative, &name) < 0)
		strbuf_addch(&name, '-');
	assert_string_equal(name.text, expected);
	strbuf_release(&name);
}

static void generations_are_counted(void **state)
{
	struct fixture *fixture = *state;
	struct catalog_entry entry = { .type = CATALOG_GDG, .limit = 3 };
	struct generation_group group;
	char **names;
	size_t count;

	assert_int_equal(generation_group_read(&group, &fixture->catalog, "A.G", NULL), 0);
	assert_generation(&group, 1, "A.G.G0001V00");
	assert_generation(&group, 2, "A.G.G0002V00");
	assert_generation(&group, 0, "-");
	generation_group_release(&group);
	make(fixture, "A.G.G0002V00");
	make(fixture, "A.G.G0004V00");
	make(fixture, "A.G.G0005V00");
	make(fixture, "A.G.G0006V01");
	make(fixture, "A.GX.G0007V00");
	assert_int_equal(catalog_entry_write(&fixture->catalog, "A.G", &entry, NULL), 0);
	assert_int_equal(generation_group_read(&group, &fixture->catalog, "A.G", NULL), 0);
	assert_int_equal(group.count, 3);
	assert_int_equal(group.limit, 3);
	assert_generation(&group, 1, "A.G.G0006V00");
	assert_generation(&group, 0, "A.G.G0005V00");
	assert_generation(&group, -2, "A.G.G0002V00");
	assert_generation(&group, -3, "-");
	assert_generation(&group, INT_MIN, "-");
	count = generation_roll_off(&group, 1, &names);
	assert_names(names, count, "");
	group.empty = true; /* at its limit, not above: none leaves */
	count = generation_roll_off(&group, 1, &names);
	assert_names(names, count, "");
	group.empty = false;
	group.limit = 2;
	count = generation_roll_off(&group, 1, &names);
	assert_names(names, count, "A.G.G0002V00");
	group.empty = true;
	count = generation_roll_off(&group, 1, &names);
	assert_names(names, count, "A.G.G0002V00 A.G.G0004V00");
	count = generation_roll_off(&group, 3, &names); /* more than the limit */
	assert_names(names, count, "A.G.G0002V00");
	generation_group_release(&group);
	entry = (struct catalog_entry){ .type = CATALOG_NONVSAM, .rolled_off = true };
	assert_int_equal(catalog_entry_write(&fixture->catalog, "A.G.G0005V00", &entry, NULL), 0);
	assert_int_equal(generation_group_read(&group, &fixture->catalog, "A.G", NULL), 0);
	assert_generation(&group, 0, "A.G.G0004V00");
	generation_group_release(&group);
}

static void generations_begin_again_after_9999(void **state)
{
	struct fixture *fixture = *state;
	struct generation_group group;

	make(fixture, "A.G9998V00");
	make(fixture, "A.G9999V00");
	assert_int_equal(generation_group_read(&group, &fixture->catalog, "A", NULL), 0);
	assert_generation(&group, 1, "A.G0001V00");
	assert_generation(&group, 2, "A.G0002V00");
	generation_group_release(&group);
	make(fixture, "A.G0001V00");
	assert_int_equal(generation_group_read(&group, &fixture->catalog, "A", NULL), 0);
	assert_generation(&group, 1, "A.G0002V00");
	assert_generation(&group, 0, "A.G0001V00");
	assert_generation(&group, -1, "A.G9999V00");
	generation_group_release(&group);
}

/*
 * Tests which of two generations is the newer: a new round has numbers below 1000,
 * an old one from 9000 on.
 */
static void rounds_of_generations_have_bounds(void **state)
{
	static const struct {
		const char *one, *other, *newest;
	} cases[] = {
		{ "B.G0999V00", "B.G9000V00", "B.G0999V00" },
		{ "C.G1000V00", "C.G9000V00", "C.G9000V00" },
		{ "D.G0999V00", "D.G8999V00", "D.G8999V00" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct generation_group group;

		make(*state, cases[i].one);
		make(*state, cases[i].other);
		assert_int_equal(generation_group_read(&group,
						       &((struct fixture *)*state)->catalog,
						       (char[]){ cases[i].one[0], '\0' }, NULL),
				 0);
		assert_generation(&group, 0, cases[i].newest);
		generation_group_release(&group);
	}
}

static void generations_are_found_where_the_mapping_puts_them(void **state)
{
	struct fixture *fixture = *state;
	struct generation_group group;
	struct strbuf folder = STRBUF_INIT;

	assert_int_equal(map(fixture, "PAY.** data/{1}/day-{lower}.txt\nX.** data/{2}/file\n", NULL),
			 0);
	strbuf_addf(&folder, "%s/data/PAY", fixture->folder);
	write_file(folder.text, "day-pay.day.g0007v00.txt", "");
	write_file(folder.text, "day-pay.day.g0009v00", ""); /* does not match the rule */
	strbuf_reset(&folder);
	strbuf_addf(&folder, "%s/data/G0003V00", fixture->folder);
	write_file(folder.text, "file", "");
	assert_int_equal(generation_group_read(&group, &fixture->catalog, "PAY.DAY", NULL), 0);
	assert_int_equal(group.count, 1);
	assert_generation(&group, 0, "PAY.DAY.G0007V00");
	generation_group_release(&group);
	assert_int_equal(generation_group_read(&group, &fixture->catalog, "X", NULL), 0);
	assert_generation(&group, 0, "X.G0003V00");
	generation_group_release(&group);
	strbuf_release(&folder);
}

static void generations_are_told_from_other_names(void **state UNUSED)
{
	size_t length;
	unsigned number;

	assert_true(generation_parse("A.B.G0042V00", &length, &number));
	assert_int_equal(length, 3);
	assert_int_equal(number, 42);
	assert_false(generation_parse("A.B.G042V00", &length, &number));
	assert_false(generation_parse("G0042V00", &length, &number));
	assert_false(generation_parse("A.G0042V01", &length, &number));
	assert_false(generation_parse("A.G0000V00", &length, &number));
}

/* The key that gives a path's reading order is not an attribute of the data set. */
static void what_only_a_path_says_is_not_kept(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf path = STRBUF_INIT;
	struct attributes attributes;

	make(fixture, "A.B");
	strbuf_addf(&path, "%s/A.B", fixture->catalog.root);
	assert_true(attributes_parse(&attributes, "F,80,DSORG=IS,KEY=8:0,KEY=2:8D,ORDER=1"));
	assert_int_equal(attributes.order, 1);
	assert_int_equal(attributes_set(path.text, &attributes, NULL), 0);
	attributes_get(path.text, &attributes);
	assert_int_equal(attributes.key_count, 2);
	assert_int_equal(attributes.order, 0);
	strbuf_release(&path);
}

/* Returns the number of files in the catalogue's folder, including hidden ones. */
static unsigned files_in(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	unsigned count = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder)))
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(folder);
	return count;
}

/* Attributes next to data sets are renamed with them, and none are left behind. */
static void attributes_beside_move_along(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf from = STRBUF_INIT, to = STRBUF_INIT, beside = STRBUF_INIT;
	struct attributes written = { .recfm = "FB", .lrecl = 80 }, read;

	make(fixture, "A.B");
	make(fixture, "C.D");
	strbuf_addf(&from, "%s/A.B", fixture->catalog.root);
	strbuf_addf(&to, "%s/C.D", fixture->catalog.root);
	strbuf_addf(&beside, "%s/.vigil/attributes", fixture->catalog.root);
	without_attributes = true;
	assert_int_equal(attributes_set(from.text, &written, NULL), 0);
	assert_int_equal(files_in(beside.text), 1);
	attributes_moved(from.text, to.text);
	assert_int_equal(files_in(beside.text), 1);
	attributes_get(to.text, &read);
	assert_string_equal(read.recfm, "FB");
	assert_int_equal(read.lrecl, 80);
	attributes_get(from.text, &read);
	assert_true(attributes_empty(&read));
	/* Attributes left next to the new name do not apply to a data set without any. */
	attributes_moved(from.text, to.text);
	attributes_get(to.text, &read);
	assert_true(attributes_empty(&read));
	without_attributes = false;
	strbuf_release(&from);
	strbuf_release(&to);
	strbuf_release(&beside);
}

/* Returns whether a file's last update was incomplete. */
static bool is_left(const char *path)
{
	struct strbuf who = STRBUF_INIT;
	bool left = update_mark_stale(path, &who);

	assert_true(left == (strstr(who.text, "process ") != NULL));
	strbuf_release(&who);
	return left;
}

/* Marks a file in a process that then ends, and checks it also before the process is reaped. */
static void mark_and_end(const char *path)
{
	siginfo_t ended;
	pid_t pid = fork();

	if (pid == 0) {
		update_mark_set(path);
		_exit(0);
	}
	assert_int_equal(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT), 0);
	assert_true(is_left(path));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void check_marks(const char *from, const char *to)
{
	unsetenv("VIGIL_JOB");
	assert_false(is_left(from));
	update_mark_set(from);
	assert_false(is_left(from)); /* this process may still close it */
	update_mark_clear(from);
	mark_and_end(from);
	assert_true(is_left(from));
	assert_int_equal(catalog_rename(from, to), 0);
	assert_true(is_left(to));
	assert_false(is_left(from));
	fclose(fopen(from, "we"));
	assert_false(is_left(from));
	assert_int_equal(catalog_rename(from, to), 0);
	assert_false(is_left(to)); /* another file has its name now */
	mark_and_end(to);
	assert_int_equal(catalog_remove(to), 0);
	fclose(fopen(to, "we"));
	assert_false(is_left(to));
}

static void updates_that_never_ended_are_seen(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf from = STRBUF_INIT, to = STRBUF_INIT;

	strbuf_addf(&from, "%s/A.FROM", fixture->folder);
	strbuf_addf(&to, "%s/A.TO", fixture->folder);
	for (int round = 0; round < 2; round++) {
		without_attributes = round > 0;
		fclose(fopen(from.text, "we"));
		check_marks(from.text, to.text);
	}
	without_attributes = false;
	strbuf_release(&from);
	strbuf_release(&to);
}

/* An entry is never written through a link that replaces one of vigil's folders. */
static void entries_are_not_written_through_a_link(void **state)
{
	struct fixture *fixture = *state;
	struct catalog_entry entry = { .type = CATALOG_NONVSAM };
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/.vigil", fixture->catalog.root);
	assert_int_equal(mkdir(path.text, 0777), 0);
	strbuf_addstr(&path, "/catalog");
	assert_int_equal(symlink(fixture->folder, path.text), 0);
	assert_int_equal(catalog_entry_write(&fixture->catalog, "A.B", &entry, NULL), -1);
	strbuf_reset(&path);
	strbuf_addf(&path, "%s/A.B", fixture->folder);
	assert_int_equal(access(path.text, F_OK), -1);
	strbuf_release(&path);
}

static void root_refuses_what_others_can_change(void **state)
{
	struct fixture *fixture = *state;
	struct catalog other;
	struct error err = ERROR_INIT;
	struct strbuf path = STRBUF_INIT;

	if (geteuid() != 0)
		skip();
	assert_null(folders_refuse(fixture->catalog.root));
	assert_int_equal(chmod(fixture->catalog.root, 0777), 0);
	assert_int_equal(catalog_open(&other, fixture->catalog.root, NULL, &err), -1);
	assert_non_null(strstr(error_text(&err), "is not used by root: everybody can write to it"));
	assert_int_equal(chmod(fixture->catalog.root, 0755), 0);
	assert_int_equal(catalog_open(&other, fixture->catalog.root, NULL, NULL), 0);
	catalog_release(&other);
	strbuf_addf(&path, "%s/.vigil", fixture->catalog.root);
	assert_int_equal(mkdir(path.text, 0755), 0);
	assert_int_equal(chown(path.text, 12345, 12345), 0);
	assert_int_equal(catalog_open(&other, fixture->catalog.root, NULL, NULL), -1);
	error_release(&err);
	strbuf_release(&path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_checked),
		cmocka_unit_test(patterns_match),
		cmocka_unit_test_setup_teardown(mapping_puts_names_elsewhere, set_up, tear_down),
		cmocka_unit_test_setup_teardown(mapping_faults_are_located, set_up, tear_down),
		cmocka_unit_test(attributes_are_one_line),
		cmocka_unit_test_setup_teardown(attributes_stay_with_the_data_set, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			attributes_stay_beside_where_there_are_no_extended_ones, set_up, tear_down),
		cmocka_unit_test_setup_teardown(entries_keep_what_was_said, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_are_followed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(files_of_alternate_keys_go_along, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(deleting_takes_what_stands_over_it_along, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(files_beside_that_are_no_keys_stay, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(generations_are_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rounds_of_generations_have_bounds, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_only_a_path_says_is_not_kept, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(generations_begin_again_after_9999, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(generations_are_found_where_the_mapping_puts_them,
						set_up, tear_down),
		cmocka_unit_test(generations_are_told_from_other_names),
		cmocka_unit_test_setup_teardown(attributes_beside_move_along, set_up, tear_down),
		cmocka_unit_test_setup_teardown(updates_that_never_ended_are_seen, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(entries_are_not_written_through_a_link, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(root_refuses_what_others_can_change, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
