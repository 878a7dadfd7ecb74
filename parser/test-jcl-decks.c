/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decks that the JCL parser must survive: garbage, mutations of the tables, and a
 * corpus of public decks if available (at VIGIL_CORPUS, if set).
 */
#include "common/compat.h"
#include "common/clock.h"
#include "parser/test-jcl-outcome.h"
#include "parser/test-mutation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Parses, evaluates, prints and parses again: nothing may break, whatever the text. */
static void survive(const char *name, const char *text, size_t length)
{
	struct outcome made = outcome_of(text, length, true);
	bool equal = print_parses_equal(made.deck);

	if (!equal) {
		FILE *stream = fopen("test-jcl-failed.jcl", "w");

		if (stream) {
			fwrite(text, 1, length, stream);
			fclose(stream);
		}
		print_message("# %s: the deck is kept in test-jcl-failed.jcl\n", name);
	}
	assert_true(equal);
	outcome_release(&made);
}

static void rubbish_is_survived(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;

	survive("nothing", "", 0);
	survive("newlines", "\n\n\n", 3);
	survive("no end", "//A", 3);
	survive("slashes", "//\n/\n/*\n//", 10);
	for (unsigned i = 0; i < 4096; i++)
		strbuf_addch(&sb, (char)(i * 37 + i / 256));
	survive("bytes", sb.text, sb.length);
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "//A JOB\n//S EXEC PGM=X,PARM=");
	strbuf_addchars(&sb, '(', 100000);
	survive("a long line", sb.text, sb.length);
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "//A JOB\n//S EXEC PGM=X,PARM=(");
	for (unsigned i = 0; i < 3000; i++)
		strbuf_addstr(&sb, "A,\n// ");
	survive("many cards", sb.text, sb.length);
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "//A JOB\n");
	for (unsigned i = 0; i < 3000; i++)
		strbuf_addstr(&sb, "// IF RC=0 THEN\n//S EXEC PGM=X\n//D DD DUMMY\n");
	survive("nested", sb.text, sb.length);
	strbuf_release(&sb);
}

/* Tests mutations of one deck. */
static void mutations_of(const char *name, const char *text, size_t length, unsigned count,
			 uint32_t *state)
{
	struct strbuf sb = STRBUF_INIT;

	if (length > 4000)
		length = 4000;
	while (count--) {
		strbuf_reset(&sb);
		strbuf_add(&sb, text, length);
		mutation_apply(&sb, state);
		survive(name, sb.text, sb.length);
	}
	strbuf_release(&sb);
}

static void mutations_of_the_tables(void **state UNUSED)
{
	static const char *const tables[] = {
		"tests/jcl/cards.tsv",	   "tests/jcl/operands.tsv",   "tests/jcl/symbols.tsv",
		"tests/jcl/dds.tsv",	   "tests/jcl/statements.tsv", "tests/jcl/conditions.tsv",
		"tests/jcl/procedures.tsv"
	};
	uint32_t seed = 4711;

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct strbuf text = STRBUF_INIT, input = STRBUF_INIT;
		char *row, *next;

		assert_non_null(read_test_file(&text, tables[i]));
		for (row = text.text; *row; row = next) {
			size_t length = strcspn(row, "\n");

			next = row + length + (row[length] == '\n');
			strbuf_reset(&input);
			add_unescaped(&input, row, strcspn(row, "\t\n"));
			mutations_of(tables[i], input.text, input.length, 12, &seed);
		}
		strbuf_release(&text);
		strbuf_release(&input);
	}
}

/* Data about a deck of the corpus. */
struct corpus_deck {
	const char *path, *tier;
	size_t path_length;
};

#define COURSE "openmainframeproject__cobol-programming-course/COBOL_Programming_Course_"

/* Lists the folders with a deck's procedures in the corpus: its own, and neighbouring ones. */
static size_t corpus_libraries(const char *root, const struct corpus_deck *deck, char **libraries)
{
	static const char *const beside[] = { "", "/../jclproc", "/../JCLLIB", "/../JCLPROC" };
	static const char *const course[] = { "#2_-_Learning_COBOL", "#3_-_Advanced_Topics" };
	size_t folder = deck->path_length, count = 0;

	while (folder > 0 && deck->path[folder - 1] != '/')
		folder--;
	for (size_t i = 0; i < ARRAY_SIZE(beside); i++, count++) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/%.*s%s", root, (int)folder, deck->path, beside[i]);
		libraries[count] = strbuf_detach(&path, NULL);
	}
	if (strncmp(deck->path, COURSE, strlen(COURSE)) != 0)
		return count;
	for (size_t i = 0; i < ARRAY_SIZE(course); i++, count++) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/" COURSE "%s/Labs/jclproc", root, course[i]);
		libraries[count] = strbuf_detach(&path, NULL);
	}
	return count;
}

/* Appends the ids of the errors, each once, in order: "VIG1040E VIG1181E". */
static void add_error_ids(struct strbuf *sb, const struct diag_list *diags)
{
	unsigned last = 0;

	for (;;) {
		unsigned next = UINT_MAX;

		for (size_t i = 0; i < diags->count; i++)
			if (diags->items[i].severity >= SEVERITY_ERROR &&
			    diags->items[i].number > last && diags->items[i].number < next)
				next = diags->items[i].number;
		if (next == UINT_MAX)
			return;
		strbuf_addf(sb, "%sVIG%04uE", sb->length ? " " : "", next);
		last = next;
	}
}

/* Appends the ids of a deck's real faults from tests/jcl/corpus-faults.tsv, or "". */
static void add_known_faults(struct strbuf *sb, const char *table, const struct corpus_deck *deck)
{
	for (const char *row = table; row && *row; row = strchr(row, '\n')) {
		row += *row == '\n';
		if (strncmp(row, deck->path, deck->path_length) == 0 &&
		    row[deck->path_length] == '\t') {
			row += deck->path_length + 1;
			strbuf_add(sb, row, strcspn(row, "\t\n"));
			return;
		}
	}
}

/* Checks that a clean deck has no errors except its known real faults. */
static void check_faults(const char *root, const struct corpus_deck *deck, const char *table,
			 const struct strbuf *text)
{
	char *libraries[8];
	struct jcl_options options = { .procedure_libraries = (const char *const *)libraries,
				       .user = "TESTER",
				       .deck_folder = "/decks",
				       .fragments = true };
	struct strbuf found = STRBUF_INIT, known = STRBUF_INIT, sb = STRBUF_INIT;
	struct outcome made;

	options.procedure_library_count = corpus_libraries(root, deck, libraries);
	made = outcome_with(text->text, text->length, &options);
	add_error_ids(&found, &made.diags);
	add_known_faults(&known, table, deck);
	if (strcmp(found.text, known.text) != 0) {
		for (size_t i = 0; i < made.diags.count; i++)
			diag_format(&made.diags.items[i], &sb);
		fail_msg("%.*s: expected '%s', but: %s", (int)deck->path_length, deck->path,
			 known.text, sb.text);
	}
	outcome_release(&made);
	for (size_t i = 0; i < options.procedure_library_count; i++)
		free(libraries[i]);
	strbuf_release(&found);
	strbuf_release(&known);
	strbuf_release(&sb);
}

/* Checks one deck of the corpus. */
static void check_corpus_deck(const char *root, const struct corpus_deck *deck, const char *table,
			      uint32_t *seed)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	uint64_t begin = clock_monotonic_ns();

	strbuf_addf(&path, "%s/%.*s", root, (int)deck->path_length, deck->path);
	assert_int_equal(strbuf_read_file(&text, path.text), 0);
	if (strncmp(deck->tier, "strict", 6) == 0)
		check_faults(root, deck, table, &text);
	survive(path.text, text.text, text.length);
	assert_true(clock_monotonic_ns() - begin < 10 * NSEC_PER_SEC);
	mutations_of(path.text, text.text, text.length, 3, seed);
	strbuf_release(&path);
	strbuf_release(&text);
}

static void corpus_parses(void **state UNUSED)
{
	const char *source = getenv("VIGIL_SOURCE"), *corpus = getenv("VIGIL_CORPUS");
	struct strbuf root = STRBUF_INIT, manifest = STRBUF_INIT, table = STRBUF_INIT;
	uint32_t seed = 1103;
	unsigned decks = 0;
	char *row;

	if (corpus)
		strbuf_addstr(&root, corpus);
	else
		strbuf_addf(&root, "%s/../shared/jcl-corpus", source ? source : ".");
	strbuf_addf(&manifest, "%s/MANIFEST.tsv", root.text);
	{
		struct strbuf path = manifest;

		strbuf_init(&manifest);
		if (strbuf_read_file(&manifest, path.text) < 0) {
			print_message("# SKIP the corpus is not there: %s\n", path.text);
			strbuf_release(&path);
			strbuf_release(&root);
			skip();
		}
		strbuf_release(&path);
	}
	assert_non_null(read_test_file(&table, "tests/jcl/corpus-faults.tsv"));
	row = strchr(manifest.text, '\n');
	while (row && *++row) {
		struct corpus_deck deck = { row, row, strcspn(row, "\t") };

		for (unsigned field = 0; field < 6; field++)
			deck.tier += strcspn(deck.tier, "\t") + 1;
		check_corpus_deck(root.text, &deck, table.text, &seed);
		decks++;
		row = strchr(row, '\n');
	}
	assert_true(decks > 300);
	strbuf_release(&root);
	strbuf_release(&manifest);
	strbuf_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rubbish_is_survived),
		cmocka_unit_test(mutations_of_the_tables),
		cmocka_unit_test(corpus_parses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
