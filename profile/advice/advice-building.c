/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts built piece by piece, where each piece copies the whole text so far: a
 * COBOL statement that sends an item to itself (STRING FUNCTION TRIM(LINE) ...
 * INTO LINE), and in Python a += that makes a new text each time.
 */
#include "common/compat.h"
#include "common/cobol-scan.h"
#include "common/xalloc.h"
#include "profile/advice/cobol-statements.h"
#include "records/record-types.h"

#include <ctype.h>

/* Functions that a COBOL statement calls for the text that it sends to itself. */
static const char *const sending[] = { "cob_string_append", "cob_intr_trim", "cob_intr_concatenate", NULL };
/* Functions of CPython that join two texts, and those that free the previous one. */
static const char *const joining[] = { "PyUnicode_Concat", "PyUnicode_Append", "PyBytes_Concat", "bytes_concat",
				       NULL };
static const char *const freeing[] = { "_PyObject_Free", "_PyMem_RawFree", "PyObject_Free", "unicode_dealloc", NULL };

enum key { KEY_MODULE, KEY_SECTION, KEY_PROCEDURE, KEY_LINE, KEY_OTHER_FILE, KEYS };
enum amount {
	JOINED, /* CPU samples of joining */
	COPIED, /* of these: copying, or the kernel providing memory for it */
	FREED, /* freeing the previous text */
	PLACED, /* of JOINED and FREED: profile_cpu_placed */
	AMOUNTS
};

/* Puts a word into sb, with its case folded as COBOL compares it. */
static const char *fold(struct strbuf *sb, const char *word)
{
	strbuf_reset(sb);
	for (; *word; word++)
		strbuf_addch(sb, (char)toupper((unsigned char)*word));
	return sb->text;
}

/* Reads the next word of a statement; returns false if there is none. */
static bool read_word(struct cobol_scan *scan, struct strbuf *word)
{
	struct cobol_token token;

	while (cobol_scan_next(scan, &token) && token.kind != COBOL_PERIOD)
		if (token.kind == COBOL_WORD) {
			fold(word, token.text);
			return true;
		}
	return false;
}

/* The same for the statement that scan is positioned at. */
static bool is_sent_to_itself(struct cobol_scan *scan, struct strmap *words, struct strbuf *word)
{
	const char *target;
	bool string;

	RETURN_IF(!read_word(scan, word), false);
	string = !strcmp(word->text, "STRING");
	RETURN_IF(!string && strcmp(word->text, "MOVE") != 0, false);
	target = string ? "INTO" : "TO";
	while (read_word(scan, word) && strcmp(word->text, target) != 0)
		strmap_put(words, word->text);
	return !strcmp(word->text, target) && read_word(scan, word) &&
	       strmap_find(words, word->text) != UINT32_MAX &&
	       (string || strmap_find(words, "CONCATENATE") != UINT32_MAX);
}

/*
 * Returns whether the statement that begins in a line of a source builds an item
 * from itself: "STRING ... A ... INTO A", "MOVE FUNCTION CONCATENATE (A ...) TO
 * A". item is then its name.
 */
static bool sends_to_itself(const struct cobol_source *source, const char *file, uint64_t line, struct strbuf *item)
{
	struct strmap words;
	struct cobol_scan scan;
	size_t lines;
	char *const *text = source_texts_lines(source->texts, file, &lines);
	bool itself;

	RETURN_IF(!line || line > lines, false);
	strmap_init(&words);
	cobol_scan_init(&scan, text, lines, source->fixed);
	scan.line = line - 1;
	itself = is_sent_to_itself(&scan, &words, item);
	cobol_scan_release(&scan);
	strmap_release(&words);
	return itself;
}

static void add_statement(struct advice_search *search, struct cobol_statements *statements, size_t number,
			  uint64_t samples)
{
	const struct cobol_statement *statement = &statements->items[number];
	struct strbuf item = STRBUF_INIT, row = STRBUF_INIT;
	const char *file;
	const struct cobol_source *source = cobol_statements_source(statements, statement, &file, &row);
	struct advice *advice = NULL;

	if (source && sends_to_itself(source, file, statement->place->line, &item))
		advice = advice_add_cpu(search, "TEXT-BUILDING", samples, ADVICE_PLACED_UNKNOWN,
					"Keep the position of the text's end in an item, and let "
					"STRING continue from there: STRING ... INTO item WITH "
					"POINTER position.");
	if (advice) {
		advice_what(advice, "%s is built from itself: each piece copies all of it", item.text);
		advice_where_place(search, advice, statement->place);
		strbuf_reset(&row);
		cobol_statement_label(search->profile, statement->place, &row);
		advice_evidence(advice, "ACE", "%s, %" PRIu64 " CPU samples of finding and copying it", row.text,
				samples);
	}
	strbuf_release(&item);
	strbuf_release(&row);
}

static void search_cobol(struct advice_search *search)
{
	const struct profile *profile = search->profile;
	struct cobol_statements statements;
	struct strbuf name = STRBUF_INIT;
	uint64_t *samples;

	cobol_statements_init(&statements, profile);
	samples = xcalloc(statements.count + 1, sizeof(*samples));
	for (size_t i = 0; i < profile->cpu_count; i++)
		if (statements.of[i] != ATTRIBUTION_NONE &&
		    cobol_is_one_of(cobol_called(profile, profile->cpu[i].stack, &name), sending))
			samples[statements.of[i]] += profile->cpu[i].count;
	for (size_t i = 0; i < statements.count; i++)
		if (samples[i])
			add_statement(search, &statements, i, samples[i]);
	strbuf_release(&name);
	free(samples);
	cobol_statements_release(&statements);
}

/* Returns whether a function copies memory: "__memmove_avx_unaligned_erms", "memcpy@plt". */
static bool is_copying(const struct profile *profile, const struct place *place)
{
	const char *name = profile_text(profile, place->procedure);

	return strstr(name, "memcpy") || strstr(name, "memmove") ||
	       !strcmp(profile_text(profile, place->section), ".KERNEL");
}

/*
 * Joining by lines of Python, and joining without a known line: a collector is not
 * always called in time.
 */
struct joins {
	struct sums lines;
	uint64_t known, unknown; /* CPU samples of joining */
};

/* Returns whether a function of a list is on a stack inside end, a stack further out or NONE. */
static bool is_on(const struct profile *profile, size_t stack, size_t end, const char *const *list)
{
	const struct attribution *attribution = &profile->attribution;

	for (; stack != end && stack != ATTRIBUTION_NONE; stack = attribution->parents[stack])
		if (cobol_is_one_of(profile_text(profile, attribution_place(attribution, stack)->procedure), list))
			return true;
	return false;
}

/* Adds a sample of joining, or of freeing, to its line. */
static void take_line(struct joins *joins, const struct profile *profile, const struct profile_cpu *cpu, bool joined)
{
	const struct attribution *attribution = &profile->attribution;
	const struct place *caller = attribution_caller(attribution, cpu->stack);
	uint64_t *amounts = sums_at(&joins->lines, (const uint64_t[]){ caller->module, caller->section, caller->procedure,
								      caller->line, caller->other_file });

	amounts[joined ? JOINED : FREED] += cpu->count;
	amounts[PLACED] += profile_cpu_placed(cpu);
	joins->known += joined ? cpu->count : 0;
	if (joined && is_copying(profile, attribution_place(attribution, cpu->stack)))
		amounts[COPIED] += cpu->count;
}

static void take(struct joins *joins, const struct profile *profile, const struct profile_cpu *cpu)
{
	static const char *const interpreter[] = { "_PyEval_EvalFrameDefault*", NULL };
	const struct attribution *attribution = &profile->attribution;
	const struct place *caller = attribution_caller(attribution, cpu->stack);
	size_t end = caller ? attribution->callers[cpu->stack] : ATTRIBUTION_NONE;

	if (!caller || !caller->interpreted) {
		if (is_on(profile, cpu->stack, ATTRIBUTION_NONE, joining) &&
		    is_on(profile, cpu->stack, ATTRIBUTION_NONE, interpreter))
			joins->unknown += cpu->count;
	} else if (is_on(profile, cpu->stack, end, joining)) {
		take_line(joins, profile, cpu, true);
	} else if (is_on(profile, cpu->stack, end, freeing) ||
		   /*
		    * Kernel time that an ordinary user cannot sample, estimated at a line and below
		    * none of its functions.
		    */
		   (cpu->kind == SAMPLE_KERNEL_ESTIMATED && attribution_via(attribution, cpu->stack) ==
								   attribution_place(attribution, cpu->stack))) {
		take_line(joins, profile, cpu, false);
	}
}

/* Adds advice on a line, with its share of the samples without a known line. */
static void add_line(struct advice_search *search, const struct joins *joins, const uint64_t *key,
		     const uint64_t *amounts)
{
	uint64_t part = joins->known ? joins->unknown * amounts[JOINED] / joins->known : 0;
	const struct place place = { .module = (uint32_t)key[KEY_MODULE],
				     .section = (uint32_t)key[KEY_SECTION],
				     .procedure = (uint32_t)key[KEY_PROCEDURE],
				     .line = key[KEY_LINE],
				     .other_file = (uint32_t)key[KEY_OTHER_FILE] };
	struct strbuf row = STRBUF_INIT;
	struct advice *advice;

	/* For short texts, copying is the smallest part. */
	if (amounts[COPIED] * 2 < amounts[JOINED] || !amounts[JOINED])
		return;
	advice = advice_add_cpu(search, "TEXT-BUILDING", amounts[JOINED] + amounts[FREED] + part,
				part ? ADVICE_PLACED_UNKNOWN : amounts[PLACED],
				"Put the pieces into a list and join them once, after the loop "
				"(\"\".join(pieces)), or write each piece directly to its "
				"destination (io.StringIO, a file).");
	if (!advice)
		return;
	advice_what(advice, "a string is built piece by piece: each piece copies all of it");
	advice_where_place(search, advice, &place);
	cobol_statement_label(search->profile, &place, &row);
	advice_evidence(advice, "ACE", "%s, %" PRIu64 " CPU samples of joining texts", row.text, amounts[JOINED]);
	if (amounts[FREED])
		advice_evidence(advice, "ACE", "%s, %" PRIu64 " CPU samples of freeing the previous texts",
				row.text, amounts[FREED]);
	if (part)
		advice_evidence(advice, "CTR", "%" PRIu64 " CPU samples of joining texts on unknown lines",
				joins->unknown);
	strbuf_release(&row);
}

static void search_python(struct advice_search *search)
{
	const struct profile *profile = search->profile;
	struct joins joins = { .known = 0 };

	sums_init(&joins.lines, KEYS, AMOUNTS);
	for (size_t i = 0; i < profile->cpu_count; i++)
		if (profile->cpu[i].stack != ATTRIBUTION_NONE)
			take(&joins, profile, &profile->cpu[i]);
	for (size_t i = 0; i < joins.lines.keys.count; i++)
		add_line(search, &joins, sums_key(&joins.lines, i), sums_values(&joins.lines, i));
	sums_release(&joins.lines);
}

void advice_building(struct advice_search *search)
{
	search_cobol(search);
	search_python(search);
}
