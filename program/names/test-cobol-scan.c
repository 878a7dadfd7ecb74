/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the splitting of COBOL source into tokens, and the procedures of its lines. */
#include "common/compat.h"
#include "common/cobol-scan.h"
#include "program/names/names-cobol.h"
#include "program/names/test-names-subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/*
 * Fails unless lines (ending with NULL) give tokens: words unchanged, literals in
 * <>, periods as ".".
 */
static void assert_tokens(bool fixed, const char *const *lines, const char *expected)
{
	size_t count = 0;
	struct strbuf tokens = STRBUF_INIT;
	struct cobol_token token;
	struct cobol_scan scan;

	while (lines[count])
		count++;
	cobol_scan_init(&scan, (char **)(uintptr_t)lines, count, fixed);
	while (cobol_scan_next(&scan, &token)) {
		strbuf_addstr(&tokens, tokens.length ? " " : "");
		if (token.kind == COBOL_PERIOD)
			strbuf_addch(&tokens, '.');
		else if (token.kind == COBOL_LITERAL)
			strbuf_addf(&tokens, "<%s>", token.text);
		else
			strbuf_addstr(&tokens, token.text);
	}
	assert_string_equal(tokens.text, expected);
	cobol_scan_release(&scan);
	strbuf_release(&tokens);
}

#define ASSERT_TOKENS(fixed, expected, ...) \
	assert_tokens(fixed, (const char *const[]){ __VA_ARGS__, NULL }, expected)

static void literals_end_at_their_quote(void **state UNUSED)
{
	ASSERT_TOKENS(false, "DISPLAY <IT'S> . X", "DISPLAY 'IT''S'. X");
	ASSERT_TOKENS(false, "DISPLAY <A\"B> <'> .", "DISPLAY \"A\"\"B\" \"'\" .");
	ASSERT_TOKENS(false, "<> <'> <A> <B>", "'' '''' 'A' 'B'");
	ASSERT_TOKENS(true, "MOVE <ONETWO> TO T .", "           MOVE 'ONE",
		      "      -    'TWO' TO T.");
}

static void words_hold_their_decimal_points(void **state UNUSED)
{
	ASSERT_TOKENS(false, "ADD 1.5 TO N . M", "ADD 1.5 TO N. M");
	ASSERT_TOKENS(false, "ADD 1,5 2 .", "ADD 1,5, 2.");
	ASSERT_TOKENS(false, "N .", "N.");
	ASSERT_TOKENS(false, "COPY A REPLACING BY .", "COPY A REPLACING ==X. Y== BY ==Z==.");
	ASSERT_TOKENS(false, "A B", "A *> C. D", "*> E.", "B");
}

/*
 * Column 7 determines the kind of line; columns 73 to 80 are not part of the text,
 * whatever they contain.
 */
static void cards_have_seventy_two_columns(void **state UNUSED)
{
	const char *last = "      "
			   "                                                              "
			   "LAST";

	assert_int_equal(strlen(last), 72);
	ASSERT_TOKENS(true, "LAST NEXT", last, "       NEXT");
	ASSERT_TOKENS(true, "A . B .",
		      "000100 A.                                                               "
		      "PAY00010",
		      "000200 B.                                                               "
		      "PAY00020 AND MORE");
	ASSERT_TOKENS(true, "A B", "000100*NO.", "000200/NO.", "000300DNO.", "000400 A", "      ",
		      "000500$SET X", "000600 B");
	/* The card is in free format from the directive on. */
	ASSERT_TOKENS(true, "A NEAR", "       A", "       >>SOURCE FORMAT IS FREE", "NEAR");
	ASSERT_TOKENS(false, "NEAR A", "NEAR", ">>SOURCE FORMAT IS FIXED", "000100 A");
	/* A tab advances to a multiple of eight columns. */
	ASSERT_TOKENS(true, "A", "\tA");
}

/* Compares the procedures of all lines of a source, "-" for none, as one text. */
static void assert_procedures(const char *text, size_t lines, const char *expected)
{
	struct strbuf path = STRBUF_INIT, names = STRBUF_INIT;
	struct cobol_program *program;
	struct source_cache cache;

	subject_put("scan.cob", text);
	strbuf_addf(&path, "%s/scan.cob", subject_folder);
	source_cache_init(&cache);
	program = cobol_program_new(&cache, path.text, NULL, 0);
	assert_non_null(program);
	for (uint64_t line = 1; line <= lines; line++) {
		strbuf_addstr(&names, line > 1 ? ", " : "");
		if (!cobol_program_procedure(program, path.text, line, &names))
			strbuf_addch(&names, '-');
	}
	assert_string_equal(names.text, expected);
	cobol_program_free(program);
	source_cache_release(&cache);
	strbuf_release(&path);
	strbuf_release(&names);
}

/* A paragraph may have the name of a section: only the paragraph's name is qualified. */
static void namesakes_are_told_apart(void **state UNUSED)
{
	assert_procedures("       PROGRAM-ID. P.\n"
			  "       PROCEDURE DIVISION.\n"
			  "       SAME SECTION.\n"
			  "           CONTINUE.\n"
			  "       OTHER SECTION.\n"
			  "       SAME.\n"
			  "           CONTINUE.\n"
			  "       LAST SECTION 50.\n"
			  "       ALONE.\n",
			  9, "-, P, SAME, SAME, OTHER, SAME OF OTHER, SAME OF OTHER, LAST, ALONE");
	assert_procedures("       PROGRAM-ID. P.\n"
			  "       PROCEDURE DIVISION.\n"
			  "       ONE SECTION.\n"
			  "       WORK.\n"
			  "       TWO SECTION.\n"
			  "       Work.\n",
			  6, "-, P, ONE, WORK OF ONE, TWO, Work OF TWO");
}

/* END-IF alone is not a paragraph, but END-OF-JOB is. */
static void paragraphs_may_begin_with_end(void **state UNUSED)
{
	assert_procedures("       PROGRAM-ID. P.\n"
			  "       PROCEDURE DIVISION.\n"
			  "       BEGIN-IT.\n"
			  "           END-IF.\n"
			  "           end-exec.\n"
			  "           CONTINUE.\n"
			  "       END-OF-JOB.\n"
			  "           STOP RUN.\n"
			  "       END-IFS.\n",
			  9,
			  "-, P, BEGIN-IT, BEGIN-IT, BEGIN-IT, BEGIN-IT, END-OF-JOB, END-OF-JOB, "
			  "END-IFS");
}

/* Text after column 72 is not part of a heading. */
static void headings_end_with_their_card(void **state UNUSED)
{
	assert_procedures(
		"       PROGRAM-ID. P.                                                   PAY00010\n"
		"       PROCEDURE DIVISION.                                              PAY00020\n"
		"       FIRST-PART SECTION.                                              PAY00030\n"
		"       BEGIN-IT.                                                        PAY00040\n"
		"           CONTINUE.                                                    PAY00050\n"
		"       END-IT.                                                          PAY00060\n"
		"       END-PART SECTION.                                                "
		"PAY00070\n",
		7, "-, P, FIRST-PART, BEGIN-IT, BEGIN-IT, END-IT, END-PART");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(literals_end_at_their_quote),
		cmocka_unit_test(words_hold_their_decimal_points),
		cmocka_unit_test(cards_have_seventy_two_columns),
		cmocka_unit_test(namesakes_are_told_apart),
		cmocka_unit_test(paragraphs_may_begin_with_end),
		cmocka_unit_test(headings_end_with_their_card),
	};

	return cmocka_run_group_tests_name("cobol-scan", tests, subject_folder_make,
					   subject_folder_remove);
}
