/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IGYCRCTL: compiles the COBOL program in SYSIN with GnuCOBOL, in the dialect of
 * the mainframe's compiler and with the site's signs of zoned numbers (signs.h),
 * and writes an object deck (cobc.h) to SYSLIN. Copy books are searched in the
 * libraries of SYSLIB.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/folders.h"
#include "datasets/signs.h"
#include "utilities/cobol/cobc.h"
#include "utilities/dd.h"

#include <ctype.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ARGUMENTS 64

struct compilation {
	struct utility *utility;
	char *folder;		/* of work files */
	char *source;		/* path of the file compiled */
	struct strbuf program;	/* PROGRAM-ID */
	struct strbuf options;	/* of PARM and of CBL statements, separated by commas */
	unsigned long lines;
	bool check_only;	/* NOCOMPILE */
	bool plain;		/* SYSIN is lines without CBL statements: it is compiled in its
				 * place */
	const char *flags[8];	/* for the compiler, from the options */
	size_t flag_count;
};

/* What an option of the mainframe's compiler means here. */
static const struct option {
	const char *name;
	const char *flag; /* for cobc; NULL: nothing to do */
} options_known[] = {
	{ "SSRANGE", "-debug" }, { "OPTIMIZE", "-O" },  { "OPT", "-O" },       { "NOTRUNC", "-fnotrunc" },
	{ "ADATA", NULL },	 { "ADV", NULL },	{ "AFP", NULL },       { "APOST", NULL },
	{ "ARCH", NULL },	 { "ARITH", NULL },	{ "AWO", NULL },       { "BLOCK0", NULL },
	{ "BUFSIZE", NULL },	 { "CODEPAGE", NULL },	{ "COPYRIGHT", NULL }, { "CP", NULL },
	{ "CURRENCY", NULL },	 { "DATA", NULL },	{ "DBCS", NULL },      { "DECK", NULL },
	{ "DIAGTRUNC", NULL },	 { "DISPSIGN", NULL },	{ "DYNAM", NULL },     { "EXIT", NULL },
	{ "EXP", NULL },	 { "FASTSRT", NULL },	{ "FLAG", NULL },      { "FLAGSTD", NULL },
	{ "INITIAL", NULL },	 { "INTDATE", NULL },	{ "LANGUAGE", NULL },  { "LIB", NULL },
	{ "LINECOUNT", NULL },	 { "LIST", NULL },	{ "LP", NULL },	       { "MAP", NULL },
	{ "MAXPCF", NULL },	 { "MDECK", NULL },	{ "NAME", NULL },      { "NUM", NULL },
	{ "NUMBER", NULL },	 { "NUMCHECK", NULL },	{ "NUMPROC", NULL },   { "OBJECT", NULL },
	{ "OBJ", NULL },	 { "OFFSET", NULL },	{ "OUTDD", NULL },     { "PGMNAME", NULL },
	{ "QUOTE", NULL },	 { "RENT", NULL },	{ "RES", NULL },       { "RMODE", NULL },
	{ "RULES", NULL },	 { "SEQ", NULL },	{ "SEQUENCE", NULL },  { "SIZE", NULL },
	{ "SOURCE", NULL },	 { "SPACE", NULL },	{ "SQLCCSID", NULL },  { "STGOPT", NULL },
	{ "TERM", NULL },	 { "TERMINAL", NULL },	{ "TEST", NULL },      { "TRUNC", NULL },
	{ "TUNE", NULL },	 { "VBREF", NULL },	{ "VLR", NULL },       { "VSAMOPENFS", NULL },
	{ "WORD", NULL },	 { "XMLPARSE", NULL },	{ "XREF", NULL },      { "ZWB", NULL },
};

/* Returns whether an option has this name; its value in parentheses is ignored. */
static bool is_option(const char *option, const char *name)
{
	size_t length = strcspn(option, "(");

	return strlen(name) == length && strncasecmp(option, name, length) == 0;
}

static void add_flag(struct compilation *compilation, const char *flag)
{
	for (size_t i = 0; i < compilation->flag_count; i++)
		if (strcmp(compilation->flags[i], flag) == 0)
			return;
	if (compilation->flag_count < ARRAY_SIZE(compilation->flags))
		compilation->flags[compilation->flag_count++] = flag;
}

/* Applies one option. */
static void take_option(struct compilation *compilation, const char *option)
{
	bool no = strncasecmp(option, "NO", 2) == 0;

	if (is_option(option, "NOCOMPILE") || is_option(option, "NOC")) {
		compilation->check_only = strcasestr(option, "(W)") == NULL;
		return;
	}
	if (is_option(option, "COMPILE") || is_option(option, "C"))
		return;
	if (is_option(option, "CICS") || is_option(option, "SQL") || is_option(option, "SQLIMS")) {
		utility_message(compilation->utility, SEVERITY_SEVERE, 5700,
				"the option %s needs a precompiler, which vigil does not have",
				option);
		return;
	}
	if (strcasecmp(option, "TRUNC(BIN)") == 0)
		add_flag(compilation, "-fnotrunc");
	for (size_t i = 0; i < ARRAY_SIZE(options_known); i++) {
		const struct option *known = &options_known[i];

		if (is_option(option, known->name) && known->flag)
			add_flag(compilation, known->flag);
		if (is_option(option, known->name) || (no && is_option(option + 2, known->name)))
			return;
	}
	utility_message(compilation->utility, SEVERITY_WARNING, 5701,
			"unknown option %s is ignored", option);
}

/* Splits the list of options at commas and blanks outside parentheses, and applies them. */
static void take_options(struct compilation *compilation)
{
	char *at = compilation->options.text;

	while (*(at += strspn(at, ", ."))) {
		char *start = at;
		unsigned depth = 0;

		for (; *at && (depth || !strchr(", ", *at)); at++) {
			depth += *at == '(';
			depth -= depth && *at == ')';
		}
		if (*at)
			*at++ = '\0';
		take_option(compilation, start);
	}
}

/*
 * Returns what follows a word at the start of a line's statement area; NULL:
 * another word is there.
 */
static const char *after_word(const struct record *line, const char *word)
{
	size_t length = strlen(word), from = 0;

	while (from < line->length && (line->data[from] == ' ' || isdigit((unsigned char)line->data[from])))
		from++;
	if (line->length < from + length || strncasecmp(line->data + from, word, length) != 0)
		return NULL;
	from += length;
	return from == line->length || line->data[from] == ' ' || line->data[from] == '.' ?
		       line->data + from :
		       NULL;
}

/*
 * Appends the options of a CBL or PROCESS statement, which precedes the program;
 * returns whether the line is one.
 */
static bool take_cbl(struct compilation *compilation, const struct record *line)
{
	const char *rest = after_word(line, "CBL");
	size_t size = line->length > 72 ? 72 : line->length;

	if (!rest)
		rest = after_word(line, "PROCESS");
	if (!rest || compilation->program.length > 0)
		return false;
	strbuf_addch(&compilation->options, ',');
	if (rest < line->data + size)
		strbuf_add(&compilation->options, rest, (size_t)(line->data + size - rest));
	return true;
}

/*
 * Reads the name after PROGRAM-ID of the first program. Returns where the period
 * after a name is missing (the mainframe's compiler does not require it), 0:
 * nowhere.
 */
static size_t take_program(struct compilation *compilation, const struct record *line)
{
	const char *at = after_word(line, "PROGRAM-ID"), *name;
	const char *end = line->data + (line->length > 72 ? 72 : line->length);
	bool first = compilation->program.length == 0;
	size_t missing;

	RETURN_IF(!at, 0);
	while (at < end && strchr(" .'\"", *at))
		at++;
	for (name = at; at < end && (isalnum((unsigned char)*at) || strchr("-_@#$", *at)); at++)
		if (first)
			strbuf_addch(&compilation->program, (char)toupper((unsigned char)*at));
	missing = (size_t)(at - line->data);
	RETURN_IF(at == name || missing == 72, 0);
	while (at < end && *at == ' ')
		at++;
	return at == end ? missing : 0;
}

/* Writes a line of the program, with the missing period if any. */
static void write_line(FILE *stream, const struct record *line, size_t missing)
{
	fwrite(line->data, 1, missing ? missing : line->length, stream);
	if (missing)
		putc('.', stream);
	if (missing && missing < line->length)
		fwrite(line->data + missing + 1, 1, line->length - missing - 1, stream);
	putc('\n', stream);
}

/* Reads SYSIN and copies its lines, with CBL statements as comments. */
static int read_source(struct compilation *compilation, const char *copy)
{
	struct error err = ERROR_INIT;
	struct record_reader *reader;
	struct record line;
	size_t missing;
	FILE *stream;
	int got = -1;

	RETURN_IF(dd_reader(compilation->utility, "SYSIN", &reader, NULL) < 0, -1);
	compilation->plain = record_reader_form(reader) == RECORD_TEXT;
	stream = fopen(copy, "we");
	while (stream && (got = record_read(reader, &line, &err)) > 0) {
		bool cbl = take_cbl(compilation, &line);

		compilation->lines++;
		missing = cbl ? 0 : take_program(compilation, &line);
		compilation->plain &= !cbl && !missing;
		if (cbl)
			fputs("      *", stream);
		write_line(stream, &line, missing);
	}
	if (!stream || ferror(stream) || fclose(stream) != 0)
		got = error_errno(&err, "cannot write the copy of the program");
	record_reader_close(reader);
	if (got < 0)
		utility_message(compilation->utility, SEVERITY_SEVERE, 5504, "SYSIN: %s",
				error_text(&err));
	error_release(&err);
	return got < 0 ? -1 : 0;
}

/*
 * Copies the compiler's messages to SYSPRINT, with SYSIN instead of the path, and
 * counts errors and warnings.
 */
static void print_messages(struct compilation *compilation, const char *text, unsigned counts[2])
{
	FILE *print = compilation->utility->print;
	size_t length = strlen(compilation->source);

	for (const char *end; *text; text = *end ? end + 1 : end) {
		bool own = strncmp(text, compilation->source, length) == 0;
		const char *line = own ? text + length : text;

		end = text + strcspn(text, "\n");
		utility_echo(print, own ? "SYSIN" : "", line, (size_t)(end - line), "");
		counts[0] += memmem(line, (size_t)(end - line), "error:", 6) != NULL;
		counts[1] += memmem(line, (size_t)(end - line), "warning:", 8) != NULL;
	}
}

/* Appends "-I folder" for each library of SYSLIB, which is split in place. */
static size_t add_libraries(const char **arguments, size_t count, char *libraries)
{
	char *folder;

	while (libraries && (folder = cobc_word(&libraries, ":")) && count + 11 < MAX_ARGUMENTS) {
		arguments[count++] = "-I";
		arguments[count++] = folder;
	}
	return count;
}

/* Compiles source to object. Returns the compiler's exit status, or -1 after a message. */
static int compile(struct compilation *compilation, char *object)
{
	bool ebcdic = signs_rule() == SIGN_EBCDIC;
	const char *arguments[MAX_ARGUMENTS] = { "cobc",
						  "-m",
						  "-std=ibm",
						  "-g",
						  "-Wno-unfinished",
						  ebcdic ? "-fsign=EBCDIC" : "-fsign=ASCII" };
	char *libraries = utility_dd("SYSLIB") ? xstrdup(utility_dd("SYSLIB")) : NULL;
	struct strbuf output = STRBUF_INIT;
	struct error err = ERROR_INIT;
	unsigned counts[2] = { 0, 0 };
	size_t count = add_libraries(arguments, 6, libraries);
	int status;

	for (size_t i = 0; i < compilation->flag_count; i++)
		arguments[count++] = compilation->flags[i];
	if (compilation->check_only) {
		arguments[count++] = "-fsyntax-only";
	} else {
		arguments[count++] = "-c";
		arguments[count++] = "-o";
		arguments[count++] = object;
	}
	arguments[count++] = compilation->source;
	status = cobc_run(arguments, compilation->folder, &output, &err);
	print_messages(compilation, output.text, counts);
	if (status < 0)
		utility_message(compilation->utility, SEVERITY_SEVERE, 5702, "%s", error_text(&err));
	else if (status > 0)
		utility_message(compilation->utility, SEVERITY_SEVERE, 5703,
				"%u errors, %u warnings: no object was made", counts[0], counts[1]);
	else if (counts[1] > 0)
		utility_message(compilation->utility, SEVERITY_WARNING, 5704, "%u warnings",
				counts[1]);
	error_release(&err);
	strbuf_release(&output);
	free(libraries);
	return status;
}

/* Appends the object to SYSLIN, which several compilations may share. */
static void write_object(struct compilation *compilation, const char *object)
{
	const char *path = utility_dd("SYSLIN");
	struct strbuf text = STRBUF_INIT;
	FILE *stream = path ? fopen(path, "ae") : NULL;
	bool good = stream && strbuf_read_file(&text, object) == 0;

	if (good)
		good = fprintf(stream, OBJECT_MARK " %s %zu %s\n", compilation->program.text,
			       text.length, signs_name(signs_rule())) > 0 &&
		       fwrite(text.text, 1, text.length, stream) == text.length &&
		       putc('\n', stream) != EOF;
	if (stream && fclose(stream) != 0)
		good = false;
	strbuf_release(&text);
	if (!path)
		utility_message(compilation->utility, SEVERITY_INFO, 5705,
				"DD SYSLIN is missing: the object is not kept");
	else if (!good)
		utility_message(compilation->utility, SEVERITY_SEVERE, 5505,
				"SYSLIN cannot be written: %s", strerror(errno));
}

/*
 * Returns the path of the file compiled, by which the program's statements are
 * identified when it is measured: SYSIN itself, or a copy called PROGRAM-ID.cbl,
 * which in a job lives as long as the job.
 */
static char *choose_source(const struct compilation *compilation, const char *copy,
			   struct error *err)
{
	const char *spool = getenv("VIGIL_JOB_SPOOL"), *sysin = utility_dd("SYSIN");
	bool of_job = spool && sysin && strncmp(sysin, spool, strlen(spool)) == 0;
	struct strbuf path = STRBUF_INIT;

	if (compilation->plain && sysin && !of_job)
		return realpath(sysin, NULL);
	if (spool)
		strbuf_addf(&path, "%s/work/%s.%d", spool, compilation->program.text, (int)getpid());
	else
		strbuf_addstr(&path, compilation->folder);
	if (spool && mkdir(path.text, 0777) < 0)
		error_errno(err, "%s cannot be created", path.text);
	strbuf_addf(&path, "/%s.cbl", compilation->program.text);
	if (rename(copy, path.text) == 0)
		return strbuf_detach(&path, NULL);
	error_errno(err, "%s cannot be created", path.text);
	strbuf_release(&path);
	return NULL;
}

/* Compiles SYSIN to SYSLIN in a work folder. */
static void compile_step(struct compilation *compilation)
{
	struct strbuf copy = STRBUF_INIT, object = STRBUF_INIT;
	struct error err = ERROR_INIT;

	strbuf_addf(&copy, "%s/sysin.cbl", compilation->folder);
	strbuf_addf(&object, "%s/sysin.o", compilation->folder);
	if (read_source(compilation, copy.text) == 0) {
		if (compilation->lines == 0)
			utility_message(compilation->utility, SEVERITY_SEVERE, 5707,
					"SYSIN has no program");
		take_options(compilation);
		if (compilation->program.length == 0)
			strbuf_addstr(&compilation->program, "PROGRAM");
		compilation->source = choose_source(compilation, copy.text, &err);
		if (!compilation->source)
			utility_message(compilation->utility, SEVERITY_SEVERE, 5702, "%s",
					error_text(&err));
		if (compilation->utility->worst < SEVERITY_SEVERE &&
		    compile(compilation, object.text) == 0 && !compilation->check_only)
			write_object(compilation, object.text);
		utility_message(compilation->utility, SEVERITY_INFO, 5706,
				"program %s: %lu source records, return code %u",
				compilation->program.text, compilation->lines,
				compilation->utility->worst);
	}
	strbuf_release(&copy);
	strbuf_release(&object);
	error_release(&err);
}

int main(int argc, char **argv)
{
	struct utility utility;
	struct compilation compilation = { .utility = &utility,
					   .program = STRBUF_INIT,
					   .options = STRBUF_INIT };
	struct error err = ERROR_INIT;
	const char *parm;
	int result;

	utility_init(&utility, "IGYCRCTL");
	result = utility_arguments(&utility, argc, argv, &parm);
	if (result != 0)
		return result < 0 ? SEVERITY_SEVERE : 0;
	strbuf_addstr(&compilation.options, parm ? parm : "");
	compilation.folder = cobc_make_folder(&err);
	if (compilation.folder)
		compile_step(&compilation);
	else
		utility_message(&utility, SEVERITY_SEVERE, 5702, "%s", error_text(&err));
	if (compilation.folder)
		folders_remove(compilation.folder);
	free(compilation.folder);
	free(compilation.source);
	strbuf_release(&compilation.program);
	strbuf_release(&compilation.options);
	error_release(&err);
	return utility_end(&utility);
}
