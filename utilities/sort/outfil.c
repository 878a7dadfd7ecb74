/* SPDX-License-Identifier: Apache-2.0 */
/* Parses OUTFIL. */
#include "common/compat.h"
#include "utilities/sort/outfil.h"
#include "common/xalloc.h"

void outfil_init(struct outfil *outfil)
{
	*outfil = (struct outfil){
		.start = 1, .end = UINT64_MAX, .repeat = 1, .split_by = 1, .fill = ' '
	};
	reformat_init(&outfil->reformat);
	sort_report_init(&outfil->report);
}

void outfil_release(struct outfil *outfil)
{
	for (size_t i = 0; i < outfil->name_count; i++)
		free(outfil->names[i]);
	free(outfil->names);
	condition_free(outfil->condition);
	reformat_release(&outfil->reformat);
	sort_report_release(&outfil->report);
}

/* Parses a DD's name; FILES=x stands for SORTOFx. */
static void parse_name(struct scan *scan, struct outfil *outfil, const char *prefix)
{
	char word[SCAN_WORD];
	size_t length = scan_peek(scan, word);
	struct strbuf name = STRBUF_INIT;

	if (length == 0 || length + strlen(prefix) > 8) {
		scan_expected(scan, *prefix ? "one or two characters of a DD's name"
					    : "the name of a DD");
		return;
	}
	scan->at += length;
	if (*prefix && strcmp(word, "OUT") == 0)
		strbuf_addstr(&name, "SORTOUT");
	else
		strbuf_addf(&name, "%s%s", prefix, word);
	GROW(outfil->names, outfil->name_count + 1, outfil->name_alloc);
	outfil->names[outfil->name_count++] = strbuf_detach(&name, NULL);
}

static void parse_names(struct scan *scan, struct outfil *outfil, const char *prefix)
{
	bool several = scan_accept(scan, '(');

	do
		parse_name(scan, outfil, prefix);
	while (several && !scan->failed && scan_accept(scan, ','));
	if (several)
		scan_require(scan, ')');
}

/* Parses INCLUDE=, OMIT= and SAVE. */
static bool parse_selection(struct scan *scan, struct outfil *outfil)
{
	const char *at = scan->at;
	bool omit = scan_keyword(scan, "OMIT", '=');

	if (scan_keyword(scan, "SAVE", '\0')) {
		outfil->save = true;
	} else if (omit || scan_keyword(scan, "INCLUDE", '=')) {
		if (outfil->condition) {
			scan_error_at(scan, at, 5541,
				      "ICE007A SYNTAX ERROR: INCLUDE or OMIT is given already");
			return true;
		}
		outfil->omit = omit;
		outfil->condition = condition_parse(scan, FORMAT_NONE);
	} else {
		return false;
	}
	return true;
}

/* Parses SAMPLE=n or (n,m): the first m of every n records. */
static void parse_sample(struct scan *scan, struct outfil *outfil)
{
	bool both = scan_accept(scan, '(');

	outfil->sample = scan_number(scan, 2, 1000000000, "a number of records");
	outfil->sampled = 1;
	if (both) {
		scan_require(scan, ',');
		outfil->sampled = scan_number(scan, 1, 1000000000, "a number of records");
		scan_require(scan, ')');
	}
}

/* Parses operands that take a number of records. */
static bool parse_records(struct scan *scan, struct outfil *outfil)
{
	const size_t most = 1000000000000;

	if (scan_keyword(scan, "STARTREC", '=')) {
		outfil->start = scan_number(scan, 1, most, "a record's number");
	} else if (scan_keyword(scan, "ENDREC", '=')) {
		outfil->end = scan_number(scan, 1, most, "a record's number");
	} else if (scan_keyword(scan, "REPEAT", '=')) {
		outfil->repeat = scan_number(scan, 1, 1000000000, "a number of times");
	} else if (scan_keyword(scan, "SAMPLE", '=')) {
		parse_sample(scan, outfil);
	} else if (scan_keyword(scan, "SPLIT", '\0')) {
		outfil->split = SPLIT_TURN;
	} else if (scan_keyword(scan, "SPLITBY", '=')) {
		outfil->split = SPLIT_TURN;
		outfil->split_by = scan_number(scan, 1, most, "a number of records");
	} else if (scan_keyword(scan, "SPLIT1R", '=')) {
		outfil->split = SPLIT_ONCE;
		outfil->split_by = scan_number(scan, 1, most, "a number of records");
	} else {
		return false;
	}
	return true;
}

static char parse_byte(struct scan *scan)
{
	const char *at = scan->at;
	struct strbuf bytes = STRBUF_INIT;
	char byte;

	scan_bytes(scan, &bytes);
	if (bytes.length != 1)
		scan_error_at(scan, at, 5541,
			      "ICE007A SYNTAX ERROR: expected a constant of one byte");
	byte = bytes.text[0];
	strbuf_release(&bytes);
	return byte;
}

void outfil_scan_null_code(struct scan *scan, unsigned *code)
{
	if (scan_keyword(scan, "RC0", '\0'))
		*code = 0;
	else if (scan_keyword(scan, "RC4", '\0'))
		*code = 4;
	else if (scan_keyword(scan, "RC16", '\0'))
		*code = 16;
	else
		scan_expected(scan, "RC0, RC4 or RC16");
}

/* Parses operands about the form of the output's records. */
static bool parse_form(struct scan *scan, struct outfil *outfil)
{
	if (scan_keyword(scan, "VTOF", '\0') || scan_keyword(scan, "CONVERT", '\0')) {
		outfil->to_fixed = true;
	} else if (scan_keyword(scan, "FTOV", '\0')) {
		outfil->to_variable = true;
	} else if (scan_keyword(scan, "VLFILL", '=')) {
		outfil->fill = parse_byte(scan);
		outfil->filled = true;
	} else if (scan_keyword(scan, "VLTRIM", '=')) {
		outfil->trim = parse_byte(scan);
		outfil->trimmed = true;
	} else if (scan_keyword(scan, "NULLOFL", '=')) {
		outfil_scan_null_code(scan, &outfil->null_code);
	} else {
		return false;
	}
	return true;
}

static void parse_operand(struct scan *scan, struct outfil *outfil)
{
	static const char *const refused[] = { "ACCEPT", "IFTRAIL" };
	const char *at = scan->at;

	if (scan_keyword(scan, "FNAMES", '=')) {
		parse_names(scan, outfil, "");
		return;
	}
	if (scan_keyword(scan, "FILES", '=')) {
		parse_names(scan, outfil, "SORTOF");
		return;
	}
	if (parse_selection(scan, outfil) || parse_records(scan, outfil) ||
	    parse_form(scan, outfil) || reformat_scan(scan, &outfil->reformat, "OUTREC") ||
	    sort_report_scan(scan, &outfil->report))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (scan_keyword(scan, refused[i], '\0')) {
			scan_unsupported(scan, at, refused[i]);
			return;
		}
	scan_expected(scan, "an operand of OUTFIL");
}

void outfil_parse(struct scan *scan, struct outfil *outfil)
{
	const char *at = scan->at;

	outfil->location = scan->statement->location;
	do
		parse_operand(scan, outfil);
	while (!scan->failed && scan_accept(scan, ','));
	if (outfil->save && outfil->condition)
		scan_error_at(scan, at, 5541,
			      "ICE007A SYNTAX ERROR: SAVE excludes INCLUDE and OMIT");
	if (outfil->to_fixed && outfil->to_variable)
		scan_error_at(scan, at, 5541, "ICE007A SYNTAX ERROR: VTOF excludes FTOV");
}
