/* SPDX-License-Identifier: Apache-2.0 */
/*
 * COBOL statements that compute with items stored as digits (DISPLAY, packed):
 * each operand is converted to a number, and each result back to digits.
 *
 * What binary items would save follows from the functions the samples are in.
 * Conversions disappear in any case. Arithmetic on libgmp's numbers disappears if
 * the compiler emits machine arithmetic instead: if a single operation (ADD,
 * SUBTRACT, a comparison) has integers only; else it stays.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "profile/advice/cobol-statements.h"
#include "profile/session-facts.h"

/* Maximum number of statements, and of items per statement, that are shown. */
#define STATEMENTS 4
#define ITEMS 4
#define MOST_ITEMS 40

/* Functions of the run time that compute, compare, or convert digits to numbers. */
static const char *const computing[] = {
	"cob_add",	       "cob_add_int",	  "cob_sub",	     "cob_sub_int",	"cob_mul",
	"cob_div",	       "cob_div_*",	  "cob_decimal_*",   "cob_cmp_numdisp", "cob_cmp_packed",
	"cob_numeric_cmp",     "cob_cmp_int",	  "cob_cmp_llint",   "cob_cmp_uint",	"cob_get_int",
	"cob_get_llint",       "cob_add_packed*", "cob_set_packed*", "__gmp*",		NULL
};
/* Functions that exist only for items stored as digits. */
static const char *const digits_only[] = { "cob_cmp_numdisp*", "cob_get_numdisp*", "cob_cmp_packed*",
					   "cob_add_packed*",  "cob_set_packed*",  NULL };
/* Operations on numbers for which COMPUTE and similar statements make separate calls. */
static const char *const operating[] = { "cob_decimal_add", "cob_decimal_sub",	 "cob_decimal_mul",
					 "cob_decimal_div", "cob_decimal_pow",	 "cob_decimal_cmp",
					 "cob_decimal_align", "cob_decimal_set_*", NULL };
static const char *const to_digits[] = { "__gmpz_get_str", "__gmpz_set_str", NULL };
/* Arithmetic on libgmp's numbers. */
static const char *const on_numbers[] = {
	"__gmpz_add*",	 "__gmpz_sub*", "__gmpz_mul*",	     "__gmpz_tdiv*",	 "__gmpz_ui_pow*",
	"__gmpz_pow*",	 "__gmpz_cmp*", "cob_decimal_add",   "cob_decimal_sub",	 "cob_decimal_mul",
	"cob_decimal_div", "cob_decimal_pow", "cob_decimal_cmp", "cob_decimal_align", NULL
};

/* Samples of a statement by what they do. */
struct work {
	uint64_t computing, nameless; /* nameless: functions that are private to the run time */
	uint64_t other;		      /* named functions that do something else */
	uint64_t added;		      /* on digits, in the compiler's function helper; not
				       * included in computing */
	const struct place *helper;
	uint64_t digits;	      /* of computing: certainly on digits */
	uint64_t numbers, unnamed_numbers; /* of computing and of nameless: arithmetic on numbers */
	bool operations;	      /* makes calls for single operations */
	/*
	 * known: its items are known; fraction: one of them has a fraction; told: the
	 * statement is reported.
	 */
	bool known, fraction, is_reported;
	uint64_t saved;
	const struct cobol_source *source;
	const struct cobol_item *items[MOST_ITEMS];
	size_t count;
	struct strbuf why; /* why there are no items */
};

struct arithmetic {
	struct advice_search *search;
	struct cobol_statements statements;
	struct work *works; /* by statement */
	size_t *order;
};

/* Returns whether a function between the caller of a stack and its innermost frame is in a list. */
static bool calls(const struct profile *profile, size_t stack, const char *const *list)
{
	const struct attribution *attribution = &profile->attribution;
	size_t caller = attribution->callers[stack];

	for (; stack != ATTRIBUTION_NONE && stack != caller; stack = attribution->parents[stack])
		if (cobol_is_one_of(profile_text(profile, attribution_place(attribution, stack)->procedure),
				    list))
			return true;
	return false;
}

/* Counts the samples of one row. */
static void take(struct work *work, const struct profile *profile, const struct profile_cpu *cpu,
		 struct strbuf *sb)
{
	static const char *const idle[] = { "", "cob_trace_*", "cob_nop", NULL };
	const struct place *via = attribution_via(&profile->attribution, cpu->stack);
	const char *name = cobol_called(profile, cpu->stack, sb);
	const struct place *helper = cobol_helper(profile, cpu->stack);
	bool digits, numbers;

	if (helper && cobol_is_one_of(profile_text(profile, helper->procedure), digits_only)) {
		work->added += cpu->count;
		work->helper = helper;
	}
	if (!via || helper)
		return;
	digits = cobol_is_one_of(name, digits_only) || calls(profile, cpu->stack, to_digits);
	numbers = !digits && calls(profile, cpu->stack, on_numbers);
	if (cobol_is_one_of(name, computing)) {
		work->computing += cpu->count;
		work->digits += digits ? cpu->count : 0;
		work->numbers += numbers ? cpu->count : 0;
		work->operations |= cobol_is_one_of(name, operating);
	} else if (!*name && !strcmp(profile_text(profile, via->section), ".COBLIB")) {
		work->nameless += cpu->count;
		work->digits += digits ? cpu->count : 0;
		work->unnamed_numbers += numbers ? cpu->count : 0;
	} else if (!cobol_is_one_of(name, idle)) {
		work->other += cpu->count;
	}
}

/*
 * Assigns the run time's private functions to computing if most other samples are,
 * else not at all.
 */
static void settle(struct work *work)
{
	if (work->computing + work->added > work->other) {
		work->computing += work->nameless;
		work->numbers += work->unnamed_numbers;
	}
}

/*
 * Reduces a statement's items to those stored as digits; returns false if there
 * are items, but none of these.
 */
static bool keep_digits(struct work *work, size_t found)
{
	size_t kept = 0;

	for (size_t i = 0; i < found && i < MOST_ITEMS; i++) {
		work->fraction |= work->items[i]->fraction;
		if (work->items[i]->keeping == COBOL_KEPT_DISPLAY ||
		    work->items[i]->keeping == COBOL_KEPT_PACKED)
			work->items[kept++] = work->items[i];
	}
	work->count = kept;
	work->known = found > 0;
	return kept || !found;
}

/* Determines what a statement would save. */
static void judge(struct arithmetic *arithmetic, size_t number)
{
	struct work *work = &arithmetic->works[number];
	const struct cobol_statement *statement = &arithmetic->statements.items[number];
	const char *file;

	settle(work);
	if (!work->computing && !work->added)
		return;
	work->source =
		cobol_statements_source(&arithmetic->statements, statement, &file, &work->why);
	work->is_reported = true;
	if (work->source)
		work->is_reported = keep_digits(work, cobol_source_statement(work->source, file,
								      statement->place->line,
								      work->items, MOST_ITEMS));
	/* Without items, only functions that certainly work on digits count. */
	if (!work->known)
		work->is_reported = (work->digits + work->added) * 5 >= work->computing;
	work->saved = work->computing + work->added;
	if (work->operations || work->fraction)
		work->saved -= work->numbers;
}

/* Appends the items of a statement, or why there are none. */
static void add_items(const struct work *work, struct strbuf *sb)
{
	for (size_t i = 0; i < work->count && i < ITEMS; i++)
		strbuf_addf(sb, "%s %s PIC %s %s", i ? "," : ":",
			    cobol_source_name(work->source, work->items[i]),
			    work->items[i]->picture, work->items[i]->usage);
	if (work->count > ITEMS)
		strbuf_addf(sb, " and %zu more", work->count - ITEMS);
	if (!work->source)
		strbuf_addf(sb, " (its items are not known: %s)", work->why.text);
	else if (!work->count)
		strbuf_addstr(sb, " (its items are not found in the source)");
}

/* Adds a statement as evidence: by the calls it is charged with, or by the helper function. */
static void add_row(const struct profile *profile, struct advice *advice, const struct place *place,
		    const struct work *work)
{
	struct strbuf row = STRBUF_INIT;
	bool own = work->added > work->computing;

	cobol_statement_label(profile, place, &row);
	strbuf_addf(&row, ", %" PRIu64 " CPU samples", own ? work->added : work->computing);
	if (own)
		strbuf_addf(&row, " of %s", profile_text(profile, work->helper->procedure));
	add_items(work, &row);
	advice_evidence(advice, own ? "PUP" : "ACE", "%s", row.text);
	strbuf_release(&row);
}

/* Sorts the statements to report by falling saving; returns how many there are. */
static size_t put_in_order(struct arithmetic *arithmetic, size_t program, const size_t *programs)
{
	size_t count = 0;

	for (size_t i = 0; i < arithmetic->statements.count; i++) {
		size_t at = count;

		if (programs[i] != program || !arithmetic->works[i].is_reported)
			continue;
		while (at && arithmetic->works[arithmetic->order[at - 1]].saved <
				     arithmetic->works[i].saved) {
			arithmetic->order[at] = arithmetic->order[at - 1];
			at--;
		}
		arithmetic->order[at] = i;
		count++;
	}
	return count;
}

/* Adds advice on the statements of one program. */
static void add_program(struct arithmetic *arithmetic, size_t count)
{
	struct advice_search *search = arithmetic->search;
	const struct profile *profile = search->profile;
	const struct place *first = arithmetic->statements.items[arithmetic->order[0]].place;
	uint64_t saved = 0;
	struct advice *advice;

	for (size_t i = 0; i < count; i++)
		saved += arithmetic->works[arithmetic->order[i]].saved;
	advice = advice_add_cpu(search, "DISPLAY-ARITHMETIC", saved, ADVICE_PLACED_UNKNOWN,
				"Define items that a program computes with as USAGE COMP-5. (COMP "
				"saves less, and a COMP-5 item is not truncated to the digits of "
				"its PICTURE.) Where a record needs digits, MOVE the item to a "
				"COMP-5 item once and compute with that.");
	if (!advice)
		return;
	advice_what(advice,
		    count == 1 ? "%zu statement computes with items stored as digits, not in binary"
			       : "%zu statements compute with items stored as digits, not in binary",
		    count);
	advice_where_place(search, advice, first);
	for (size_t i = 0; i < count && i < STATEMENTS; i++)
		add_row(profile, advice, arithmetic->statements.items[arithmetic->order[i]].place,
			&arithmetic->works[arithmetic->order[i]]);
}

/* Numbers the programs of the statements, and adds advice for each. */
static void add_programs(struct arithmetic *arithmetic)
{
	size_t *programs = xcalloc(arithmetic->statements.count + 1, sizeof(*programs)), count;
	struct keymap keys;

	keymap_init(&keys, 2);
	for (size_t i = 0; i < arithmetic->statements.count; i++) {
		const struct place *place = arithmetic->statements.items[i].place;

		programs[i] = keymap_put(&keys, (const uint64_t[]){ place->module, place->section });
	}
	for (size_t i = 0; i < keys.count; i++) {
		count = put_in_order(arithmetic, i, programs);
		if (count)
			add_program(arithmetic, count);
	}
	keymap_release(&keys);
	free(programs);
}

void advice_arithmetic(struct advice_search *search)
{
	const struct profile *profile = search->profile;
	struct arithmetic arithmetic = { .search = search };
	struct strbuf sb = STRBUF_INIT;
	size_t count;

	cobol_statements_init(&arithmetic.statements, profile);
	count = arithmetic.statements.count;
	arithmetic.works = xcalloc(count + 1, sizeof(*arithmetic.works));
	arithmetic.order = xcalloc(count + 1, sizeof(*arithmetic.order));
	for (size_t i = 0; i < count; i++)
		strbuf_init(&arithmetic.works[i].why);
	for (size_t i = 0; i < profile->cpu_count; i++)
		if (arithmetic.statements.of[i] != ATTRIBUTION_NONE)
			take(&arithmetic.works[arithmetic.statements.of[i]], profile,
			     &profile->cpu[i], &sb);
	for (size_t i = 0; i < count; i++)
		judge(&arithmetic, i);
	add_programs(&arithmetic);
	for (size_t i = 0; i < count; i++)
		strbuf_release(&arithmetic.works[i].why);
	free(arithmetic.works);
	free(arithmetic.order);
	cobol_statements_release(&arithmetic.statements);
	strbuf_release(&sb);
}
