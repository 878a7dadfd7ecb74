/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of SORT's parts: formats, editing, keys, order. */
#include "common/compat.h"
#include "utilities/sort/date.h"
#include "utilities/sort/order.h"
#include "utilities/sort/sign-check.h"
#include "utilities/sort/sorter.h"
#include "utilities/sort/sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Compiles statements; returns the number of error messages. */
static size_t compile(const char *text, struct sort_request *request)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct source *source = source_new("TEST", text, strlen(text));
	struct sort_statement *statements = sort_statements(source, true, &diags);
	size_t errors = 0;

	sort_request_init(request);
	sort_request_read(request, statements, &diags);
	for (size_t i = 0; i < diags.count; i++)
		errors += diags.items[i].severity >= SEVERITY_ERROR;
	sort_statements_free(statements);
	source_free(source);
	diag_list_release(&diags);
	return errors;
}

/* Returns the value of a field that fills a record. */
static long value_of(const char *bytes, size_t length, enum field_format format)
{
	const struct sort_record record = { bytes, length };
	const struct sort_field field = { 0, length, format };

	return (long)field_value(&field, &record);
}

static void formats_are_read(void **state UNUSED)
{
	assert_int_equal(value_of("12p", 3, FORMAT_ZD), -120);
	assert_int_equal(value_of("12}", 3, FORMAT_ZD), -120);
	assert_int_equal(value_of("12A", 3, FORMAT_ZD), 121);
	assert_int_equal(value_of("-12", 3, FORMAT_ZD), -12);
	assert_int_equal(value_of("\xf1\xd2", 2, FORMAT_ZD), -12);
	assert_int_equal(value_of("\x12\x3d", 2, FORMAT_PD), -123);
	assert_int_equal(value_of("\x12\x3f", 2, FORMAT_PD), 123);
	assert_int_equal(value_of("\x12\x3c", 2, FORMAT_PD), 123);
	assert_int_equal(value_of("\x12\x3b", 2, FORMAT_PD), -123);
	assert_int_equal(value_of("\x12\x3a", 2, FORMAT_PD), 123);
	assert_int_equal(value_of("\xf1\xb2", 2, FORMAT_ZD), -12);
	assert_int_equal(value_of("\xf1\xc2", 2, FORMAT_ZD), 12);
	assert_int_equal(value_of("\xff\xfe", 2, FORMAT_FI), -2);
	assert_int_equal(value_of("\xff\xfe", 2, FORMAT_BI), 65534);
	assert_int_equal(value_of("  -34", 5, FORMAT_FS), -34);
	assert_int_equal(value_of("-34  ", 5, FORMAT_FS), -34);
	assert_int_equal(value_of("1 -34", 5, FORMAT_FS), -34);
	assert_int_equal(value_of("    ", 4, FORMAT_FS), 0);
	assert_int_equal(value_of("-034", 4, FORMAT_LS), -34);
	assert_int_equal(value_of("034-", 4, FORMAT_TS), -34);
	assert_int_equal(value_of("$1,234.56", 9, FORMAT_UFF), 123456);
	assert_int_equal(value_of("(1,2)", 5, FORMAT_SFF), -12);
	assert_int_equal(value_of("K12", 3, FORMAT_OL), -212);
	assert_int_equal(value_of("012 5", 5, FORMAT_ZD), 125);
	assert_int_equal(value_of("000000000000000000123456789q", 28, FORMAT_ZD), -1234567891);
	assert_int_equal(value_of("912345678901234567p", 19, FORMAT_ZD), -9123456789012345670);
}

/* A number written to a field reads back unchanged. */
static void numbers_come_back(void **state UNUSED)
{
	static const enum field_format formats[] = { FORMAT_FI, FORMAT_ZD, FORMAT_PD, FORMAT_FS,
						     FORMAT_LS, FORMAT_TS, FORMAT_OL };
	static const struct {
		struct number_form form;
		sort_number value;
		size_t length;
	} too_large[] = {
		{ { FORMAT_ZD, SIGN_PREFERRED, SIGN_ASCII }, 100000, 5 },
		{ { FORMAT_BI, SIGN_PREFERRED, SIGN_ASCII }, -1, 5 },
		{ { FORMAT_FI, SIGN_PREFERRED, SIGN_ASCII }, 128, 1 },
		{ { FORMAT_FI, SIGN_PREFERRED, SIGN_ASCII }, -129, 1 },
		{ { FORMAT_BI, SIGN_PREFERRED, SIGN_ASCII }, 65536, 2 },
		{ { FORMAT_PD, SIGN_PREFERRED, SIGN_ASCII }, 1000, 2 },
		{ { FORMAT_FS, SIGN_PREFERRED, SIGN_ASCII }, 1000, 3 },
		{ { FORMAT_FS, SIGN_PREFERRED, SIGN_ASCII }, -100, 3 },
		{ { FORMAT_LS, SIGN_PREFERRED, SIGN_ASCII }, 100, 3 },
		{ { FORMAT_TS, SIGN_PREFERRED, SIGN_ASCII }, 100, 3 },
	}, fitting[] = {
		{ { FORMAT_ZD, SIGN_PREFERRED, SIGN_ASCII }, -99999, 5 },
		{ { FORMAT_BI, SIGN_PREFERRED, SIGN_ASCII }, 65535, 2 },
		{ { FORMAT_BI, SIGN_PREFERRED, SIGN_ASCII }, 0, 1 },
		{ { FORMAT_FI, SIGN_PREFERRED, SIGN_ASCII }, 127, 1 },
		{ { FORMAT_FI, SIGN_PREFERRED, SIGN_ASCII }, -128, 1 },
		{ { FORMAT_PD, SIGN_PREFERRED, SIGN_ASCII }, -999, 2 },
		{ { FORMAT_FS, SIGN_PREFERRED, SIGN_ASCII }, 999, 3 },
		{ { FORMAT_FS, SIGN_PREFERRED, SIGN_ASCII }, -99, 3 },
		{ { FORMAT_LS, SIGN_PREFERRED, SIGN_ASCII }, -99, 3 },
		{ { FORMAT_TS, SIGN_PREFERRED, SIGN_ASCII }, 99, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		for (int value = -120; value < 120; value += 7) {
			struct number_form form = { formats[i], SIGN_PREFERRED, SIGN_ASCII };
			char bytes[5];

			assert_true(field_put_number(value, &form, bytes, 5));
			assert_int_equal(value_of(bytes, 5, formats[i]), value);
			form.sign = SIGN_EBCDIC;
			assert_true(field_put_number(value, &form, bytes, 5));
			assert_int_equal(value_of(bytes, 5, formats[i]), value);
		}
	for (size_t i = 0; i < ARRAY_SIZE(fitting); i++)
		assert_true(field_put_number(fitting[i].value, &fitting[i].form, (char[5]){ 0 },
					     fitting[i].length));
	for (size_t i = 0; i < ARRAY_SIZE(too_large); i++)
		assert_false(field_put_number(too_large[i].value, &too_large[i].form,
					      (char[5]){ 0 }, too_large[i].length));
}

/* The sign of packed numbers is C or D, or F where F is requested. */
static void packed_numbers_have_their_sign(void **state UNUSED)
{
	static const struct {
		enum sign_style style;
		sort_number value;
		const char *bytes;
	} cases[] = {
		{ SIGN_PREFERRED, 12, "\x01\x2c" }, { SIGN_PREFERRED, -12, "\x01\x2d" },
		{ SIGN_F, 12, "\x01\x2f" },	    { SIGN_F, -12, "\x01\x2d" },
		{ SIGN_F, 999, "\x99\x9f" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct number_form form = { FORMAT_PD, cases[i].style, SIGN_ASCII };
		char bytes[2];

		assert_true(field_put_number(cases[i].value, &form, bytes, 2));
		assert_memory_equal(bytes, cases[i].bytes, 2);
	}
}

/* Numbers around the limits of 64 bits and beyond are written correctly. */
static void long_numbers_are_put(void **state UNUSED)
{
	static const char *const texts[] = {
		"9223372036854775807",
		"9223372036854775808",
		"9999999999999999999",
		"18446744073709551616",
		"1234567890123456789012345678901",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (int negative = 0; negative < 2; negative++) {
			const struct number_form form = { FORMAT_TS, SIGN_F, SIGN_ASCII };
			size_t length = strlen(texts[i]) + 1;
			char text[40], put[40] = "";
			struct sort_record record = { text, length };
			const struct sort_field field = { 0, length, FORMAT_TS };

			snprintf(text, sizeof(text), "%s%c", texts[i], negative ? '-' : '+');
			assert_true(
				field_put_number(field_value(&field, &record), &form, put, length));
			assert_string_equal(put, text);
		}
}

/* Asserts what OUTREC makes of a record. */
static void assert_built(const char *items, const char *input, const char *expected)
{
	struct strbuf text = STRBUF_INIT;
	struct sort_request request;
	const struct sort_record record = { input, strlen(input) };
	struct item_context context = { .fill = ' ' };
	struct error err = ERROR_INIT;
	const struct item_lines *lines;

	strbuf_addf(&text, " OUTREC %s", items);
	assert_int_equal(compile(text.text, &request), 0);
	context.altseq = request.altseq;
	lines = reformat_run(&request.outrec, &record, &context, false, &err);
	assert_non_null(lines);
	assert_string_equal(lines->text.text, expected);
	sort_request_release(&request);
	strbuf_release(&text);
}

static void masks_edit(void **state UNUSED)
{
	assert_built("BUILD=(1,6,ZD,M0)", "00012q", "   121-");
	assert_built("BUILD=(1,6,ZD,M1)", "000121", "000121 ");
	assert_built("BUILD=(1,6,ZD,M2)", "012345", "  123.45 ");
	assert_built("BUILD=(1,9,ZD,M2)", "123456789", "1,234,567.89 ");
	assert_built("BUILD=(1,6,ZD,M3)", "01234u", "  123.45CR");
	assert_built("BUILD=(1,6,ZD,M4)", "012345", "  +123.45");
	assert_built("BUILD=(1,6,ZD,M5)", "01234u", "  (123.45)");
	assert_built("BUILD=(1,9,ZD,M7)", "123456789", "123-45-6789");
	assert_built("BUILD=(1,6,ZD,M8)", "093015", " 9:30:15");
	assert_built("BUILD=(1,6,ZD,M10)", "000000", "     0");
	assert_built("BUILD=(1,6,ZD,M11)", "000007", "000007");
	assert_built("BUILD=(1,7,ZD,M12)", "001234u", "   -12,345");
	assert_built("BUILD=(1,4,ZD,M19)", "1234", " 12,34");
	assert_built("BUILD=(1,4,ZD,M26)", "012s", "-0123");
	assert_built("BUILD=(1,4,ZD,EDIT=(SIIT.T),SIGNS=(+,-))", "0123", " +12.3");
	assert_built("BUILD=(1,6,ZD,M10,LENGTH=3)", "000042", " 42");
	/* The sign goes next to the number where possible; text before it stays. */
	assert_built("BUILD=(1,4,ZD,EDIT=(SIIT.T))", "012s", " -12.3");
	assert_built("BUILD=(1,4,ZD,EDIT=(STTT.T))", "012s", "-012.3");
	assert_built("BUILD=(1,4,ZD,EDIT=($SIIT.T))", "012s", "$ -12.3");
	assert_built("BUILD=(1,4,ZD,EDIT=(IIT.TS))", "012s", " 12.3-");
}

/* Returns the length of what OUTREC makes of a record of 40 bytes. */
static size_t built_length(const char *items)
{
	struct strbuf text = STRBUF_INIT;
	struct sort_request request;
	size_t length;

	strbuf_addf(&text, " OUTREC BUILD=(%s)", items);
	assert_int_equal(compile(text.text, &request), 0);
	length = reformat_length(&request.outrec, 40);
	sort_request_release(&request);
	strbuf_release(&text);
	return length;
}

/* The default length of a converted number follows from the digits of its source. */
static void converted_numbers_have_their_length(void **state UNUSED)
{
	static const struct {
		const char *items;
		size_t length;
	} cases[] = {
		{ "1,5,ZD,TO=ZD", 5 },
		{ "1,5,ZD,TO=FS", 6 },
		{ "1,4,ZD,TO=PD", 3 },
		{ "1,5,ZD,TO=PD", 3 },
		{ "1,9,ZD,TO=BI", 4 },
		{ "1,10,ZD,TO=FI", 8 },
		{ "1,1,BI,M11", 3 },
		{ "1,2,FI,M11", 5 },
		{ "1,3,BI,M11", 8 },
		{ "1,4,FI,M11", 10 },
		{ "1,7,BI,M11", 17 },
		{ "1,8,BI,M11", 20 },
		{ "1,8,FI,M11", 19 },
		{ "1,3,PD,M11", 5 },
		{ "1,15,ZD,ADD,+1,TO=ZD", 15 },
		{ "1,16,ZD,ADD,+1,TO=ZD", 31 },
		{ "+1,ADD,1,2,ZD,TO=ZD", 15 },
		{ "1,5,TS,M11", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(built_length(cases[i].items), cases[i].length);
}

/* A result that does not fit loses digits or bits at its left. */
static void converted_numbers_are_cut(void **state UNUSED)
{
	assert_built("BUILD=(1,3,ZD,TO=FI,LENGTH=1)", "127", "\x7f");
	assert_built("BUILD=(1,3,ZD,TO=FI,LENGTH=1)", "128", "\x80");
	assert_built("BUILD=(1,3,ZD,TO=FI,LENGTH=1)", "129", "\x81");
	assert_built("BUILD=(1,3,ZD,TO=FI,LENGTH=1)", "12x", "\x80");
	assert_built("BUILD=(1,3,ZD,TO=FI,LENGTH=1)", "12y", "\x7f");
	assert_built("BUILD=(1,3,ZD,TO=BI,LENGTH=1)", "257", "\x01");
	assert_built("BUILD=(1,3,ZD,TO=BI,LENGTH=1)", "00q", "\xff");
	assert_built("BUILD=(1,3,ZD,TO=ZD,LENGTH=2)", "123", "23");
	assert_built("BUILD=(1,3,ZD,TO=PD,LENGTH=1)", "12s", "\x3d");
	assert_built("BUILD=(1,3,ZD,TO=FS,LENGTH=3)", "12s", "-23");
}

static void items_build(void **state UNUSED)
{
	assert_built("BUILD=(3,2,C'''',2X,1,2,2C'ab')", "abcd",
		     "cd'  abab"
		     "ab");
	assert_built("BUILD=(1,2,6:C'x')", "ab", "ab   x");
	assert_built("OVERLAY=(2:C'X',6:1,1)", "abc", "aXc  a");
	assert_built("BUILD=(1,2,HEX,1,2,TRAN=LTOU)", "ab", "6162AB");
	assert_built("BUILD=(1,2,ZD,ADD,3,2,ZD,MUL,+2,TO=ZD,LENGTH=4)", "0510", "0025");
	assert_built("BUILD=((1,2,ZD,ADD,3,2,ZD),MUL,+2,TO=ZD,LENGTH=4)", "0510", "0030");
	assert_built("BUILD=(1,1,ZD,MUL,2,1,ZD,MIN,3,1,ZD,TO=ZD,LENGTH=2)", "543", "15");
	assert_built("BUILD=(1,1,ZD,MUL,2,1,ZD,MAX,3,1,ZD,TO=ZD,LENGTH=2)", "543", "20");
	assert_built("BUILD=(1,2,ZD,SUB,3,1,ZD,SUB,4,1,ZD,TO=ZD,LENGTH=2)", "0952", "02");
	assert_built("BUILD=(1,2,ZD,DIV,3,1,ZD,MUL,4,1,ZD,TO=ZD,LENGTH=2)", "0942", "04");
	assert_built("BUILD=(1,2,ZD,MOD,3,1,ZD,TO=FS,LENGTH=2)", "0p4 ", " 0");
	assert_built("BUILD=(1,2,ZD,MOD,3,1,ZD,TO=FS,LENGTH=2)", "1q4 ", "-3");
	assert_built("BUILD=(1,2,ZD,DIV,3,2,ZD,M10,LENGTH=3)", "0500", "***");
	assert_built("BUILD=(1,1,CHANGE=(3,C'a',C'one',C'b',2,1),NOMATCH=(C'?'))", "bz", "z  ");
	assert_built("BUILD=(1,1,CHANGE=(3,C'a',C'one'),NOMATCH=(C'?'))", "x", "?  ");
	assert_built("FINDREP=(IN=C'ab',OUT=C'x')", "abcab", "xcx");
	assert_built("FINDREP=(INOUT=(C'a',C'',C'b',C'bb'),DO=2)", "aba", "bba");
	assert_built("BUILD=(1,3,UFF,TO=FS,LENGTH=4)", "1-2", "  12");
}

/* The sign's kind is that of the number's field, else the site's rule. */
static void numbers_keep_their_sign(void **state UNUSED)
{
	assert_built("BUILD=(1,3,ZD,TO=ZD,LENGTH=4)", "01K", "001K");
	assert_built("BUILD=(1,3,ZD,TO=ZD,LENGTH=4)", "01r", "001r");
	assert_built("BUILD=(1,3,ZD,TO=ZDF,LENGTH=4)", "01B", "0012");
	assert_built("BUILD=(1,3,ZD,TO=ZDC,LENGTH=4)", "01B", "001B");
	assert_built("BUILD=(1,3,ZD,TO=ZDC,LENGTH=4)", "012", "0012");
	assert_built("BUILD=(1,3,ZD,SUB,4,3,ZD,TO=ZD,LENGTH=4)", "00101{", "000R");
	assert_built("BUILD=(1,3,ZD,SUB,4,3,ZD,TO=ZD,LENGTH=4)", "00001A", "001J");
	assert_built("BUILD=(1,3,FS,TO=ZD,LENGTH=4)", "-12", "001r");
	setenv(SIGNS_VARIABLE, "EBCDIC", 1);
	assert_built("BUILD=(1,3,FS,TO=ZD,LENGTH=4)", "-12", "001K");
	assert_built("BUILD=(1,3,FS,TO=ZDC,LENGTH=4)", " 12", "001B");
	assert_built("BUILD=(1,3,ZD,TO=ZD,LENGTH=4)", "01r", "001r");
	unsetenv(SIGNS_VARIABLE);
}

static int keep_record(void *argument, const struct sort_record *record, struct error *err UNUSED)
{
	struct strbuf *kept = argument;

	strbuf_add(kept, record->data, record->length);
	return 0;
}

/* Asserts the sum of two numbers. */
static void assert_sum(const char *option, const char *one, const char *other, const char *expected)
{
	struct strbuf text = STRBUF_INIT, kept = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct sort_request request;
	struct sort_keys keys;
	struct sort_sum sum;
	const struct sort_record records[] = { { one, strlen(one) }, { other, strlen(other) } };

	strbuf_addf(&text, " SORT FIELDS=(1,1,CH,A)\n SUM FIELDS=(2,3,ZD)\n%s", option);
	assert_int_equal(compile(text.text, &request), 0);
	sort_keys_init(&keys, &request);
	sort_sum_init(&sum, &request, &keys, keep_record, &kept);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(sort_sum_take(&sum, &records[i], &err), 0);
	assert_int_equal(sort_sum_end(&sum, &err), 0);
	assert_string_equal(kept.text, expected);
	sort_request_release(&request);
	strbuf_release(&text);
	strbuf_release(&kept);
}

static void sums_keep_their_sign(void **state UNUSED)
{
	assert_sum("", "a00J", "a00K", "a00L");
	assert_sum("", "a00q", "a00r", "a00s");
	assert_sum("", "a001", "a00K", "a00J");
	assert_sum("", "a00J", "a00q", "a00K");
	assert_sum("", "a00q", "a00J", "a00r");
	assert_sum("", "a00E", "a00A", "a006");
	assert_sum(" OPTION NZDPRINT", "a00E", "a00A", "a00F");
	assert_sum(" OPTION NZDPRINT", "a005", "a001", "a006");
	assert_sum("", "a-01", "a-02", "a00s");
	setenv(SIGNS_VARIABLE, "EBCDIC", 1);
	assert_sum("", "a-01", "a-02", "a00L");
	assert_sum("", "a00q", "a00r", "a00s");
	assert_sum(" OPTION NZDPRINT", "a005", "a001", "a00F");
	unsetenv(SIGNS_VARIABLE);
}

/* Asserts the warnings about an input; each word of records is a record. */
static void assert_warned(const char *statements, enum sign_kind rule, const char *records,
			  const char *expected)
{
	char *said = NULL;
	size_t size;
	struct utility utility = { .name = "SORT", .print = open_memstream(&said, &size) };
	struct sort_request request;
	struct sign_check check;
	uint64_t number = 0;

	assert_int_equal(compile(statements, &request), 0);
	sign_check_init(&check, &request);
	for (const char *at = records; *at; at += strspn(at, " ")) {
		const struct sort_record record = { at, strcspn(at, " ") };

		number++;
		sign_watch_record(&check.selected, &record, number);
		sign_watch_record(&check.read, &record, number);
		sign_watch_record(&check.made, &record, number);
		at += record.length;
	}
	sign_check_warn(&check, &utility, "SORTIN", rule);
	fclose(utility.print);
	assert_string_equal(said, expected);
	assert_int_equal(utility.worst, SEVERITY_INFO); /* SORT itself did what was requested */
	free(said);
	sign_check_release(&check);
	sort_request_release(&request);
}

static void other_signs_are_warned_of(void **state UNUSED)
{
	static const char key[] = " SORT FIELDS=(2,3,ZD,A)";
	static const char two[] =
		"VIG5546W SORT: SORTIN has 2 EBCDIC signs (the first: record 2, column 4) in zoned "
		"fields; the rule is ASCII: COBOL programs misread the EBCDIC signs\n";

	assert_warned(
		key, SIGN_ASCII, "a001 a01K a00{ a00p", /* both kinds of sign */
		"VIG5546W SORT: SORTIN has both kinds of sign, 1 ASCII sign (the first: record "
		"4, column 4) and 2 EBCDIC signs (the first: record 2, column 4) in zoned "
		"fields; the rule is ASCII: COBOL programs misread the EBCDIC signs\n");
	assert_warned(key, SIGN_ASCII, "a001 a01K a00{", two);
	assert_warned(key, SIGN_EBCDIC, "a001 a01K a00{", "");
	assert_warned(key, SIGN_ASCII, "a001 a01p a00y", "");
	assert_warned(key, SIGN_EBCDIC, "a01p",
		      "VIG5546W SORT: SORTIN has 1 ASCII sign (the first: record 1, column 4) in "
		      "zoned fields; the rule is EBCDIC: COBOL programs misread the ASCII signs\n");
	/* A field in several statements counts once; text and truncated records do not count. */
	assert_warned(" SORT FIELDS=(2,3,ZD,A)\n SUM FIELDS=(3,2,ZD)\n"
		      " INCLUDE COND=(2,3,ZD,LT,0)\n OUTREC BUILD=(2,3,ZD,M0)",
		      SIGN_ASCII, "a001 a01K aNAM a0 a00{", two);
	/* Among signs in fields of INCLUDE and of keys, the first is that of the first record. */
	assert_warned(" SORT FIELDS=(5,3,ZD,A)\n INCLUDE COND=(2,3,ZD,LT,0)", SIGN_ASCII,
		      "a00101K a01K001",
		      "VIG5546W SORT: SORTIN has 2 EBCDIC signs (the first: record 1, column 7) in "
		      "zoned fields; the rule is ASCII: COBOL programs misread the EBCDIC signs\n");
	assert_warned(" SORT FIELDS=(5,3,ZD,A)\n INCLUDE COND=(2,3,ZD,LT,0)", SIGN_ASCII,
		      "a01K001 a00101K",
		      "VIG5546W SORT: SORTIN has 2 EBCDIC signs (the first: record 1, column 4) in "
		      "zoned fields; the rule is ASCII: COBOL programs misread the EBCDIC signs\n");
	/*
	 * The sign of OL is in its first byte; the message mentions INREC only for records
	 * that INREC made.
	 */
	assert_warned(" SORT FIELDS=(2,3,OL,A)", SIGN_ASCII, "a001 aK12 a{00",
		      "VIG5546W SORT: SORTIN has 2 EBCDIC signs (the first: record 2, column 2) in "
		      "zoned fields; the rule is ASCII: COBOL programs misread the EBCDIC signs\n");
	assert_warned(
		" INREC BUILD=(1,4)\n SORT FIELDS=(2,3,ZD,A)", SIGN_ASCII, "a01K",
		"VIG5546W SORT: SORTIN has 1 EBCDIC sign (the first: record 1, column 4) in "
		"zoned fields after INREC; the rule is ASCII: COBOL programs misread the EBCDIC "
		"signs\n");
}

static void fields_are_squeezed(void **state UNUSED)
{
	assert_built("BUILD=(1,6,JFY=(SHIFT=LEFT),C'|')", "  a b ", "a b   |");
	assert_built("BUILD=(1,6,JFY=(SHIFT=RIGHT,LENGTH=8,LEAD=C'<',TRAIL=C'>'))", "  a b ",
		     "   <a b>");
	assert_built("BUILD=(1,8,SQZ=(SHIFT=LEFT,MID=C',',LENGTH=7),C'|')", " a  b c ", "a,b,c  |");
	assert_built("BUILD=(1,8,SQZ=(SHIFT=RIGHT,PREBLANK=C'-'))", "-a-b c  ", "     abc");
	assert_built("BUILD=(1,6,JFY=(SHIFT=LEFT,LENGTH=2))", " abcd ", "ab");
}

static void ifthen_chooses(void **state UNUSED)
{
	const char *items = "IFTHEN=(WHEN=INIT,OVERLAY=(3:C'i')),\n"
			    " IFTHEN=(WHEN=(1,1,CH,EQ,C'a'),OVERLAY=(4:C'a'),HIT=NEXT),\n"
			    " IFTHEN=(WHEN=(2,1,CH,EQ,C'b'),OVERLAY=(5:C'b')),\n"
			    " IFTHEN=(WHEN=(1,1,CH,EQ,C'a'),OVERLAY=(6:C'n')),\n"
			    " IFTHEN=(WHEN=NONE,OVERLAY=(4:C'-'))";

	assert_built(items, "ab", "abiab");
	assert_built(items, "ac", "acia n");
	assert_built(items, "xy", "xyi-");
}

/* Returns whether a record passes INCLUDE. */
static bool included(const char *condition, const char *record)
{
	struct strbuf text = STRBUF_INIT;
	struct sort_request request;
	const struct sort_record one = { record, strlen(record) };
	bool holds;

	strbuf_addf(&text, " INCLUDE COND=%s", condition);
	assert_int_equal(compile(text.text, &request), 0);
	holds = condition_holds(request.condition, &one, request.altseq);
	sort_request_release(&request);
	strbuf_release(&text);
	return holds;
}

static void conditions_hold(void **state UNUSED)
{
	assert_true(included("(1,1,CH,EQ,C'a',OR,2,1,CH,EQ,C'b',AND,1,1,CH,EQ,C'x')", "az"));
	assert_false(included("((1,1,CH,EQ,C'a',|,2,1,CH,EQ,C'b'),&,1,1,CH,EQ,C'x')", "az"));
	assert_true(included("(1,3,ZD,LT,-11)", "01r"));
	assert_true(included("(1,2,ZD,GT,3,2,ZD)", "0908"));
	assert_true(included("(1,5,SS,EQ,C'bc')", "abcde"));
	assert_true(included("(1,2,SS,EQ,C'xy,ab,cd')", "ab"));
	assert_true(included("(1,2,GE,C'ab'),FORMAT=CH", "ab"));
	assert_true(included("(1,1,BI,EQ,X'61')", "a"));
	assert_true(included("(1,4,CH,EQ,C'ab')", "ab"));
	assert_true(included("(1,2,BI,EQ,X'6100')", "a"));
	assert_true(included("(1,2,BI,EQ,X'61')", "a"));
	assert_false(included("(1,2,BI,EQ,X'61')", "a "));
	assert_true(included("(1,2,CH,EQ,X'61')", "a "));
	assert_false(included("(1,2,BI,EQ,X'6120')", "a"));
	assert_true(included("(1,2,CH,EQ,X'6120')", "a"));
	assert_false(included("(1,1,CH,EQ,C'A')\n ALTSEQ CODE=(6141)", "a"));
	assert_true(included("(1,1,AQ,EQ,C'A')\n ALTSEQ CODE=(6141)", "a"));
	assert_true(included("(1,2,ZD,EQ,NUM)", "12"));
	assert_true(included("(1,2,ZD,EQ,NUM)", "1K"));
	assert_false(included("(1,2,ZD,EQ,NUM)", "K1"));
	assert_true(included("(1,2,PD,EQ,NUM)", "\x12\x3c"));
	assert_true(included("(1,2,PD,EQ,NUM)", "\x12\x3a"));
	assert_false(included("(1,2,PD,EQ,NUM)", "\x12\x39"));
	assert_false(included("(1,2,PD,EQ,NUM)", "\x1a\x3c"));
	assert_false(included("(1,2,PD,EQ,NUM)", "\xa1\x3c"));
	assert_true(included("(1,4,FS,EQ,NUM)", " -12"));
	assert_false(included("(1,4,FS,EQ,NUM)", "- 12"));
	assert_false(included("(1,4,FS,EQ,NUM)", " 12-"));
	assert_false(included("(1,2,ZD,EQ,NUM)", "x1"));
	assert_true(included("ALL", "x"));
	assert_false(included("NONE", "x"));
}

static void errors_are_found(void **state UNUSED)
{
	static const char *const wrong[] = {
		" SORT FIELDS=(0,1,CH,A)",
		" SORT FIELDS=(1,1,XX,A)",
		" SORT FIELDS=(1,1,CH,A",
		" SORT FIELDS=(1,17,PD,A)",
		" SORT FIELDS=(1,1,CH)",
		" SORT",
		" INCLUDE COND=(1,1,CH,EQ,1)",
		" INCLUDE COND=(1,1,ZD,EQ,C'a')",
		" SUM FIELDS=(1,1,CH)",
		" OUTREC BUILD=()",
		" OUTREC BUILD=(1,2,M10)",
		" OUTREC BUILD=(C'a)",
		" INREC BUILD=(1,9,BI,M10)",
		" OUTFIL FNAMES=",
		" OUTFIL SPLITBY=0",
		" MODS E15=(X,1)",
		" SORT FIELDS=(1,1,Y2C,A)",
		" SORT FIELDS=(1,1,CH,A),",
		" SUM FIELDS=NONE,XSUM",
		" OPTION NONSENSE",
		" ALTSEQ CODE=(00)",
		" INCLUDE COND=(1,300,BI,EQ,2,1,PD)",
		" OUTREC OVERLAY=(1,1),BUILD=(1,1)",
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct sort_request request;

		if (compile(wrong[i], &request) == 0)
			fail_msg("no message about \"%s\"", wrong[i]);
		sort_request_release(&request);
	}
}

/* Compares two records of different length by a key of two bytes. */
static int compared(const char *key, const char *one, const char *other)
{
	const struct sort_record records[] = { { one, strlen(one) }, { other, strlen(other) } };
	struct strbuf text = STRBUF_INIT;
	struct sort_request request;
	struct sort_keys keys;
	int order;

	strbuf_addf(&text, " SORT FIELDS=(%s)", key);
	assert_int_equal(compile(text.text, &request), 0);
	sort_keys_init(&keys, &request);
	order = sort_keys_compare(&keys, &records[0], &records[1], 0);
	sort_request_release(&request);
	strbuf_release(&text);
	return order;
}

/* A key that extends beyond its record is padded: text with blanks, binary with zeros. */
static void short_keys_are_filled(void **state UNUSED)
{
	assert_int_equal(compared("1,2,CH,A", "a", "a\x1f"), 1);
	assert_int_equal(compared("1,2,CH,A", "a", "a "), 0);
	assert_int_equal(compared("1,2,CH,D", "a", "a!"), 1);
	assert_int_equal(compared("1,2,BI,A", "a", "a\x01"), -1);
	assert_int_equal(compared("1,2,BI,D", "a", "a\x01"), 1);
	assert_int_equal(compared("1,12,BI,A", "abcdefghij", "abcdefghij\x01"), -1);
	assert_int_equal(compared("1,12,CH,A", "abcdefghij", "abcdefghij\x01"), 1);
	assert_int_equal(compared("1,1,CH,A,2,2,ZD,A", "a1", "a01"), 1);
}

/* records per test: a key of letters, and a number */
#define RECORDS 100000
#define RECORD_LENGTH 24

struct expected {
	const char *data;
	unsigned number;
};

static size_t key_length;

static int by_key(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;
	int order = memcmp(x->data, y->data, key_length);

	return order ? order : x->number < y->number ? -1 : 1;
}

struct check {
	struct expected *expected;
	size_t at;
};

static int check_next(void *argument, const struct sort_record *record, struct error *err UNUSED)
{
	struct check *check = argument;

	assert_int_equal(record->length, RECORD_LENGTH);
	assert_memory_equal(record->data, check->expected[check->at++].data, RECORD_LENGTH);
	return 0;
}

/* Sorts records whose keys use few different letters, in much or little memory. */
static void check_sort(const char *statement, size_t length, unsigned letters, uint64_t memory)
{
	char *data = malloc(RECORDS * RECORD_LENGTH);
	struct expected *expected = malloc(RECORDS * sizeof(*expected));
	struct error err = ERROR_INIT;
	struct sort_request request;
	struct sort_keys keys;
	struct sorter *sorter;
	struct check check = { expected, 0 };
	unsigned seed = 1;

	assert_int_equal(compile(statement, &request), 0);
	sort_keys_init(&keys, &request);
	sorter = sorter_new(&keys, memory, &err);
	for (unsigned i = 0; i < RECORDS; i++) {
		char *one = data + (size_t)i * RECORD_LENGTH;
		struct sort_record record = { one, RECORD_LENGTH };

		for (size_t n = 0; n < RECORD_LENGTH; n++) {
			seed = seed * 1103515245 + 12345;
			one[n] = (char)('a' + (seed >> 16) % (n < 9 ? 1 + letters / 8 : letters));
		}
		memcpy(one + 20, &i, sizeof(i));
		expected[i] = (struct expected){ one, i };
		assert_int_equal(sorter_add(sorter, &record, &err), 0);
	}
	key_length = length;
	qsort(expected, RECORDS, sizeof(*expected), by_key);
	assert_int_equal(sorter_finish(sorter, check_next, &check, &err), 0);
	assert_int_equal(check.at, RECORDS);
	sorter_free(sorter);
	sort_request_release(&request);
	free(expected);
	free(data);
}

static void sorting_is_right_and_stable(void **state UNUSED)
{
	check_sort(" SORT FIELDS=(1,20,CH,A)", 20, 26, 0);
	check_sort(" SORT FIELDS=(1,20,CH,A)", 20, 2, 0);
	check_sort(" SORT FIELDS=(1,3,CH,A,4,9,BI,A,13,2,CH,A)", 14, 3, 0);
	check_sort(" SORT FIELDS=(1,2,CH,A)", 2, 26, 0);
	check_sort(" SORT FIELDS=(1,14,CH,A)", 14, 4, 70000);
	check_sort(" SORT FIELDS=(1,1,CH,A)", 1, 26, 300000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_are_read),
		cmocka_unit_test(numbers_come_back),
		cmocka_unit_test(packed_numbers_have_their_sign),
		cmocka_unit_test(long_numbers_are_put),
		cmocka_unit_test(masks_edit),
		cmocka_unit_test(converted_numbers_have_their_length),
		cmocka_unit_test(converted_numbers_are_cut),
		cmocka_unit_test(items_build),
		cmocka_unit_test(numbers_keep_their_sign),
		cmocka_unit_test(sums_keep_their_sign),
		cmocka_unit_test(other_signs_are_warned_of),
		cmocka_unit_test(fields_are_squeezed),
		cmocka_unit_test(ifthen_chooses),
		cmocka_unit_test(conditions_hold),
		cmocka_unit_test(errors_are_found),
		cmocka_unit_test(short_keys_are_filled),
		cmocka_unit_test(sorting_is_right_and_stable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
