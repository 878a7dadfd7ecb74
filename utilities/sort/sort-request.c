/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the control statements of SORT. */
#include "common/compat.h"
#include "utilities/sort/sort-request.h"
#include "common/xalloc.h"

#define MAX_RECORDS ((size_t)1000000000000)

enum operation_number {
	OPERATION_SORT,
	OPERATION_MERGE,
	OPERATION_INCLUDE,
	OPERATION_OMIT,
	OPERATION_SUM,
	OPERATION_INREC,
	OPERATION_OUTREC,
	OPERATION_OUTFIL,
	OPERATION_OPTION,
	OPERATION_ALTSEQ,
	OPERATION_RECORD,
	OPERATION_END,
	OPERATION_MODS,
	OPERATION_JOINKEYS,
	OPERATION_DEBUG,
};

void sort_request_init(struct sort_request *request)
{
	*request = (struct sort_request){ .stop = UINT64_MAX,
					  .sign = signs_rule(),
					  .zoned_style = SIGN_F };
	reformat_init(&request->inrec);
	reformat_init(&request->outrec);
	for (unsigned i = 0; i < 256; i++)
		request->altseq[i] = (unsigned char)i;
}

static void release_outfils(struct sort_request *request)
{
	for (size_t i = 0; i < request->outfil_count; i++)
		outfil_release(&request->outfils[i]);
	request->outfil_count = 0;
}

void sort_request_release(struct sort_request *request)
{
	release_outfils(request);
	free(request->outfils);
	condition_free(request->condition);
	reformat_release(&request->inrec);
	reformat_release(&request->outrec);
	free(request->keys);
	free(request->sums);
	for (size_t i = 0; i < ARRAY_SIZE(request->zoned); i++)
		free(request->zoned[i].items);
}

/* Returns the statement's FORMAT=f, which may follow the fields it applies to. */
static enum field_format statement_format(struct scan *scan)
{
	struct scan ahead = *scan;
	enum field_format format = FORMAT_NONE;

	while (!scan_done(&ahead)) {
		if (scan_keyword(&ahead, "FORMAT", '=')) {
			*scan = ahead;
			if (!field_format_scan(scan, &format))
				scan_expected(scan, "a format");
			ahead.failed = scan->failed;
			break;
		}
		scan_skip_value(&ahead);
		if (*ahead.at == ')' || !scan_accept(&ahead, ','))
			break;
	}
	scan->at = scan->statement->text.text;
	return format;
}

/* Skips FORMAT=f, which statement_format has already read. */
static bool pass_format(struct scan *scan)
{
	enum field_format format;

	return scan_keyword(scan, "FORMAT", '=') && field_format_scan(scan, &format);
}

static void parse_key(struct scan *scan, struct sort_request *request, enum field_format format)
{
	const char *at = scan->at;
	struct sort_key *key;

	GROW(request->keys, request->key_count + 1, request->key_alloc);
	key = &request->keys[request->key_count++];
	*key = (struct sort_key){ .field.format = format };
	field_scan(scan, &key->field);
	scan_require(scan, ',');
	if (field_format_scan(scan, &key->field.format))
		scan_require(scan, ',');
	else if (format == FORMAT_NONE)
		scan_expected(scan, "a format");
	field_check(scan, at, &key->field, FIELD_KEY);
	key->descending = scan_keyword(scan, "D", '\0');
	if (!key->descending && !scan_keyword(scan, "A", '\0')) {
		if (scan_peek_is(scan, "E"))
			scan_unsupported(scan, scan->at, "the order E (by an E61 exit)");
		scan_expected(scan, "the order A or D");
	}
}

/* Parses FIELDS=(key,...), COPY or (COPY). */
static void parse_keys(struct scan *scan, struct sort_request *request, enum field_format format)
{
	request->key_count = 0;
	if (scan_keyword(scan, "COPY", '\0')) {
		request->kind = SORT_COPY;
		return;
	}
	scan_require(scan, '(');
	if (scan_keyword(scan, "COPY", '\0')) {
		request->kind = SORT_COPY;
	} else {
		do
			parse_key(scan, request, format);
		while (!scan->failed && scan_accept(scan, ','));
	}
	scan_require(scan, ')');
}

/* Parses n, nK, nM, nG or MAX, as MAINSIZE has it, with or without parentheses. */
static void parse_size(struct scan *scan, struct sort_request *request)
{
	bool inside = scan_accept(scan, '(');

	if (!scan_keyword(scan, "MAX", '\0')) {
		char word[SCAN_WORD];
		uint64_t unit = 1;

		request->memory = scan_number(scan, 1, MAX_RECORDS, "a number of bytes, or MAX");
		scan_peek(scan, word);
		if (word[0] && !word[1] && strchr("KMG", word[0])) {
			unit = (uint64_t)1 << (word[0] == 'K' ? 10 : word[0] == 'M' ? 20 : 30);
			scan->at++;
		}
		request->memory *= unit;
	}
	if (inside)
		scan_require(scan, ')');
}

/* Returns whether an operand only tunes: it is recognized and has no effect. */
static bool tuning(const char *word)
{
	static const char *const words[] = {
		"ARESALL",  "ARESINV",	"AVGRLEN",  "BSAM",    "CFW",	   "NOCFW",   "CINV",
		"NOCINV",   "NOCHALT",	"CKPT",	    "COBEXIT", "DSA",	   "DSPSIZE", "DYNALLOC",
		"DYNALOC",  "DYNSPC",	"EFS",	    "ESTAE",   "NOESTAE",  "FILSZ",   "HIPRMAX",
		"LIST",	    "NOLIST",	"LISTX",    "NOLISTX", "MOSIZE",   "MSGDDN",  "MSGPRT",
		"MSGCON",   "NOBLKSET", "ODMAXBF",  "OUTREL",  "NOOUTREL", "OUTSEC",  "NOOUTSEC",
		"RESALL",   "RESERVEX", "RESINV",   "SDB",     "SOLRF",	   "NOSOLRF", "STIMER",
		"NOSTIMER", "SZERO",	"NOSZERO",  "SPANINC", "TRUNC",	   "USEWKDD", "VERIFY",
		"NOVERIFY", "WRKREL",	"NOWRKREL", "WRKSEC",  "NOWRKSEC", "WORK",    "BMSG",
		"NOABEND",  "CORE",	"PRINT121", "EQUALS",  "NOEQUALS",
		"IGNCKPT",  "DIAG",	"FLAG",	    "HISIZE",  "TEXIT",	   "TUNE",    "VLSCMP",
		"NOVLSCMP", "VSAMEMT",	"NVSAMEMT", "VSAMIO",  "NOVSAMIO", "PAD",     "EXITCK",
		"BALN",	    "OPT",	"SORTLIB",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

/*
 * Skips an operand without effect and its value. Equal records always keep their
 * order, so EQUALS has no effect either.
 */
static void pass_tuning(struct scan *scan, const char *word, size_t length)
{
	struct location location = scan->statement->location;
	const struct scan_location *place =
		&scan->statement->places[scan->at - scan->statement->text.text];

	location.line = place->line;
	location.column = place->column;
	location.length = (unsigned)length;
	scan->at += length;
	if (scan_accept(scan, '='))
		scan_skip_value(scan);
	if (!strstr(word, "EQUALS"))
		diag_add(scan->diags, SEVERITY_INFO, 5580, &location,
			 "%s is only for tuning and is ignored", word);
}

/* Parses an operand that SORT, MERGE, OPTION and PARM share. */
static void parse_option(struct scan *scan, struct sort_request *request)
{
	const char *at = scan->at;
	char word[SCAN_WORD];
	size_t length = scan_peek(scan, word);

	if (scan_keyword(scan, "COPY", '\0')) {
		request->copy = true;
	} else if (scan_keyword(scan, "SKIPREC", '=')) {
		request->skip = scan_number(scan, 0, MAX_RECORDS, "a number of records");
	} else if (scan_keyword(scan, "NULLOUT", '=')) {
		outfil_scan_null_code(scan, &request->null_code);
	} else if (scan_keyword(scan, "STOPAFT", '=')) {
		request->stop = scan_number(scan, 0, MAX_RECORDS, "a number of records");
	} else if (scan_keyword(scan, "MAINSIZE", '=') || scan_keyword(scan, "SIZE", '=')) {
		parse_size(scan, request);
	} else if (scan_keyword(scan, "VLSHRT", '\0') || scan_keyword(scan, "NOVLSHRT", '\0')) {
		request->short_keys = word[0] == 'V';
	} else if (scan_keyword(scan, "ZDPRINT", '\0')) {
		request->zoned_style = SIGN_F;
	} else if (scan_keyword(scan, "NZDPRINT", '\0')) {
		request->zoned_style = SIGN_PREFERRED;
	} else if (tuning(word)) {
		pass_tuning(scan, word, length);
	} else if (length > 0) {
		scan_error_at(scan, at, 5540, "%s is not supported", word);
	} else {
		scan_expected(scan, "an operand");
	}
}

static void parse_sort(struct scan *scan, struct sort_request *request, bool merge)
{
	enum field_format format = statement_format(scan);

	request->kind = merge ? SORT_MERGE : SORT_SORT;
	request->key_count = 0;
	do {
		if (scan_keyword(scan, "FIELDS", '='))
			parse_keys(scan, request, format);
		else if (!pass_format(scan))
			parse_option(scan, request);
	} while (!scan->failed && scan_accept(scan, ','));
	if (request->kind != SORT_COPY && request->key_count == 0)
		scan_expected(scan, "FIELDS=");
}

static void parse_include(struct scan *scan, struct sort_request *request, bool omit)
{
	enum field_format format = statement_format(scan);

	request->omit = omit;
	condition_free(request->condition);
	request->condition = NULL;
	do {
		if (!request->condition && scan_keyword(scan, "COND", '='))
			request->condition = condition_parse(scan, format);
		else if (!pass_format(scan))
			scan_expected(scan, "COND= or FORMAT=");
	} while (!scan->failed && scan_accept(scan, ','));
	if (!request->condition)
		scan_expected(scan, "COND=");
}

/* Parses a field to be added up; only some formats can be. */
static void parse_sum_field(struct scan *scan, struct sort_request *request,
			    enum field_format format)
{
	const char *at = scan->at;
	struct sort_field *field;

	GROW(request->sums, request->sum_count + 1, request->sum_alloc);
	field = &request->sums[request->sum_count++];
	field->format = format;
	field_scan(scan, field);
	if (scan_accept(scan, ',') && !field_format_scan(scan, &field->format))
		scan->at--;
	if (field->format == FORMAT_NONE)
		scan_expected(scan, "',' and a format");
	if (field->format != FORMAT_BI && field->format != FORMAT_FI &&
	    field->format != FORMAT_ZD && field->format != FORMAT_PD)
		scan_error_at(scan, at, 5541,
			      "ICE007A SYNTAX ERROR: SUM adds up BI, FI, PD and ZD fields");
	field_check(scan, at, field, FIELD_VALUE);
}

static void parse_sum(struct scan *scan, struct sort_request *request)
{
	enum field_format format = statement_format(scan);

	request->sum_count = 0;
	request->unique = false;
	do {
		const char *at = scan->at;

		if (scan_keyword(scan, "XSUM", '\0')) {
			scan_unsupported(scan, at, "XSUM");
		} else if (scan_keyword(scan, "FIELDS", '=')) {
			bool inside = scan_accept(scan, '(');

			request->unique = scan_keyword(scan, "NONE", '\0');
			if (!request->unique && !inside)
				scan_expected(scan, "'(' or NONE");
			if (!request->unique)
				do
					parse_sum_field(scan, request, format);
				while (!scan->failed && scan_accept(scan, ','));
			if (inside)
				scan_require(scan, ')');
		} else if (!pass_format(scan)) {
			scan_expected(scan, "FIELDS= or FORMAT=");
		}
	} while (!scan->failed && scan_accept(scan, ','));
	if (!request->unique && request->sum_count == 0)
		scan_expected(scan, "FIELDS=");
}

static void parse_reformat(struct scan *scan, struct reformat *reformat)
{
	reformat_release(reformat);
	do
		if (!reformat_scan(scan, reformat, "FIELDS"))
			scan_expected(scan, "FIELDS=, BUILD=, OVERLAY=, FINDREP= or IFTHEN=");
	while (!scan->failed && scan_accept(scan, ','));
}

static void parse_outfil(struct scan *scan, struct sort_request *request)
{
	GROW(request->outfils, request->outfil_count + 1, request->outfil_alloc);
	outfil_init(&request->outfils[request->outfil_count]);
	outfil_parse(scan, &request->outfils[request->outfil_count++]);
}

/* Parses ALTSEQ CODE=(fftt,...): character ff sorts where tt does. */
static void parse_altseq(struct scan *scan, struct sort_request *request)
{
	if (!scan_keyword(scan, "CODE", '='))
		scan_expected(scan, "CODE=");
	scan_require(scan, '(');
	while (!scan->failed) {
		char word[SCAN_WORD], *end;
		size_t length = scan_peek(scan, word);
		unsigned long code = strtoul(word, &end, 16);

		if (length != 4 || *end) {
			scan_expected(scan, "four hexadecimal digits");
			return;
		}
		request->altseq[code >> 8] = (unsigned char)code;
		scan->at += length;
		if (!scan_accept(scan, ','))
			break;
	}
	scan_require(scan, ')');
}

/* Parses RECORD: TYPE is used for data sets with keys or numbers; the DDs give the rest. */
static void parse_record(struct scan *scan, struct sort_request *request)
{
	do {
		if (scan_keyword(scan, "LENGTH", '=')) {
			scan_skip_value(scan);
		} else if (scan_keyword(scan, "TYPE", '=')) {
			request->variable =
				scan_keyword(scan, "V", '\0') || scan_keyword(scan, "VB", '\0');
			if (!request->variable && !scan_keyword(scan, "F", '\0') &&
			    !scan_keyword(scan, "FB", '\0'))
				scan_expected(scan, "F or V");
		} else
			scan_expected(scan, "TYPE= or LENGTH=");
	} while (!scan->failed && scan_accept(scan, ','));
}

static void parse_options(struct scan *scan, struct sort_request *request)
{
	do
		parse_option(scan, request);
	while (!scan->failed && scan_accept(scan, ','));
}

static const char *const operations[] = {
	[OPERATION_SORT] = "SORT",	 [OPERATION_MERGE] = "MERGE",
	[OPERATION_INCLUDE] = "INCLUDE", [OPERATION_OMIT] = "OMIT",
	[OPERATION_SUM] = "SUM",	 [OPERATION_INREC] = "INREC",
	[OPERATION_OUTREC] = "OUTREC",	 [OPERATION_OUTFIL] = "OUTFIL",
	[OPERATION_OPTION] = "OPTION",	 [OPERATION_ALTSEQ] = "ALTSEQ",
	[OPERATION_RECORD] = "RECORD",	 [OPERATION_END] = "END",
	[OPERATION_MODS] = "MODS",	 [OPERATION_JOINKEYS] = "JOINKEYS",
	[OPERATION_DEBUG] = "DEBUG",
};

/* Maps statements that exclude each other to one: SORT and MERGE, INCLUDE and OMIT. */
static enum operation_number exclusive_group(enum operation_number operation)
{
	if (operation == OPERATION_MERGE)
		return OPERATION_SORT;
	return operation == OPERATION_OMIT ? OPERATION_INCLUDE : operation;
}

/* Returns the list of a statement's zoned fields; NULL: the statement has none. */
static struct sort_fields *zoned_fields_of(struct sort_request *request, enum operation_number operation)
{
	switch (exclusive_group(operation)) {
	case OPERATION_SORT:
		return &request->zoned[ZONED_KEYS];
	case OPERATION_INCLUDE:
		return &request->zoned[ZONED_CONDITION];
	case OPERATION_SUM:
		return &request->zoned[ZONED_SUM];
	case OPERATION_INREC:
		return &request->zoned[ZONED_INREC];
	case OPERATION_OUTREC:
		return &request->zoned[ZONED_OUTREC];
	case OPERATION_OUTFIL:
		return &request->zoned[ZONED_OUTFIL];
	default:
		return NULL;
	}
}

/*
 * Registers a source's statement, which replaces that of an earlier source. false
 * after a message: a second one in the same source.
 */
static bool register_statement(struct sort_request *request, const struct sort_statement *statement,
		       enum operation_number operation, struct diag_list *diags)
{
	unsigned *said = &request->said[exclusive_group(operation)];
	struct sort_fields *zoned = zoned_fields_of(request, operation);
	bool again = *said == request->sources;

	if (zoned && !again)
		zoned->count = 0;
	if (operation == OPERATION_OUTFIL && !again)
		release_outfils(request);
	*said = request->sources;
	if (!again || operation == OPERATION_OUTFIL || operation == OPERATION_OPTION ||
	    operation == OPERATION_ALTSEQ || operation == OPERATION_DEBUG)
		return true;
	diag_add(diags, SEVERITY_SEVERE, 5541, &statement->location,
		 "ICE007A SYNTAX ERROR: a second %s statement", statement->operation);
	return false;
}

static void parse_operation(struct scan *scan, struct sort_request *request,
			    enum operation_number operation)
{
	switch (operation) {
	case OPERATION_SORT:
	case OPERATION_MERGE:
		parse_sort(scan, request, operation == OPERATION_MERGE);
		break;
	case OPERATION_INCLUDE:
	case OPERATION_OMIT:
		parse_include(scan, request, operation == OPERATION_OMIT);
		break;
	case OPERATION_SUM:
		parse_sum(scan, request);
		break;
	case OPERATION_INREC:
		parse_reformat(scan, &request->inrec);
		break;
	case OPERATION_OUTREC:
		parse_reformat(scan, &request->outrec);
		break;
	case OPERATION_OUTFIL:
		parse_outfil(scan, request);
		break;
	case OPERATION_ALTSEQ:
		parse_altseq(scan, request);
		break;
	case OPERATION_RECORD:
		parse_record(scan, request);
		break;
	default:
		parse_options(scan, request);
		break;
	}
	if (!scan_done(scan))
		scan_expected(scan, "',' or the end of the statement");
}

/* Reads one statement into the request. */
static void read_statement(struct sort_request *request, const struct sort_statement *statement,
			   struct diag_list *diags)
{
	struct scan scan;

	scan_init(&scan, statement, diags);
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++) {
		if (strcmp(statement->operation, operations[i]) != 0)
			continue;
		if (i == OPERATION_MODS || i == OPERATION_JOINKEYS)
			break;
		if (register_statement(request, statement, (enum operation_number)i, diags)) {
			scan.zoned = zoned_fields_of(request, (enum operation_number)i);
			parse_operation(&scan, request, (enum operation_number)i);
		}
		return;
	}
	diag_add(diags, SEVERITY_SEVERE, 5540, &statement->location, "%s is not supported",
		 statement->operation);
}

void sort_request_read(struct sort_request *request, const struct sort_statement *statements,
		       struct diag_list *diags)
{
	request->sources++;
	for (; statements; statements = statements->next) {
		if (strcmp(statements->operation, "END") == 0)
			break;
		read_statement(request, statements, diags);
	}
	if (request->copy)
		request->kind = SORT_COPY;
}
