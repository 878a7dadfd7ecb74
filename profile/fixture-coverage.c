/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synthetic sessions with coverage: COBOL programs with a copybook, C programs
 * that share a header and have functions of the same name, and the effects of
 * optimisation and missing information.
 */
#include "common/compat.h"
#include "profile/fixture.h"
#include "common/clock.h"
#include "records/record-types.h"

/* The session under construction. */
struct maker {
	struct fixture *fixture;
	uint64_t programs, statements, places;
	enum coverage_means means; /* of the last program */
	uint64_t address;
};

/* Properties of a program. */
struct program {
	const char *name, *source, *object, *build, *language, *reason;
	enum coverage_means means;
	bool optimised;
};

static void add_program(struct maker *maker, const struct program *program)
{
	struct fixture *f = maker->fixture;
	struct record_coverage_program row = { .program = ++maker->programs,
					       .means = program->means,
					       .library = fixture_string(f, "/opt/pay/bin"),
					       .object = fixture_string(f, program->object),
					       .build_id = fixture_string(f, program->build),
					       .name = fixture_string(f, program->name),
					       .source = fixture_string(f, program->source),
					       .language = fixture_string(f, program->language),
					       .optimised = program->optimised,
					       .partial = *program->reason != '\0',
					       .reason = fixture_string(f, program->reason) };

	maker->means = program->means;
	fixture_add(f, RECORD_COVERAGE_PROGRAM, &row);
}

/*
 * Adds a statement to the last program. blocks describes its places, one character
 * each: '+' executed, '-' not, and '/' starts the next block; "" for coverage by
 * events.
 */
static void add_statement(struct maker *maker, const char *procedure, const char *file,
			  uint64_t line, uint64_t ordinal, const char *verb, uint64_t count,
			  const char *blocks)
{
	struct fixture *f = maker->fixture;
	struct record_coverage_statement row = { .statement = ++maker->statements,
						 .program = maker->programs,
						 .procedure = fixture_string(f, procedure),
						 .file = fixture_string(f, file),
						 .line = line,
						 .ordinal = ordinal,
						 .verb = fixture_string(f, verb),
						 .count = count };
	uint64_t block = 0;

	fixture_add(f, RECORD_COVERAGE_STATEMENT, &row);
	for (; *blocks; blocks++) {
		struct record_coverage_place place = { .place = maker->places + 1,
						       .statement = maker->statements,
						       .start = maker->address,
						       .end = maker->address + 12,
						       .block = block,
						       .executed = *blocks == '+' };

		if (*blocks == '/') {
			block++;
			continue;
		}
		maker->places++;
		maker->address += 12;
		fixture_add(f, RECORD_COVERAGE_PLACE, &place);
	}
}

/* Adds a statement that is alone on its line. */
static void add_line(struct maker *maker, const char *procedure, const char *file, uint64_t line,
		     const char *verb, uint64_t count)
{
	add_statement(maker, procedure, file, line, 1, verb, count, "");
}

/* Adds a statement of a C program: executed as its places say. */
static void add_places(struct maker *maker, const char *procedure, const char *file, uint64_t line,
		       const char *blocks)
{
	add_statement(maker, procedure, file, line, 1, "", strchr(blocks, '+') != NULL, blocks);
}

static void add_facts(struct fixture *f)
{
	uint64_t start = f->time - NSEC_PER_SEC;

	fixture_attribute(f, ATTR_VERSION, "0.1.0");
	fixture_attribute(f, ATTR_PROGRAM, "PAYROLL");
	fixture_attribute(f, ATTR_JOB, "PAYJOB");
	fixture_attribute(f, ATTR_JOB_NUMBER, "JOB00012");
	fixture_attribute(f, ATTR_STEP, "CALC");
	fixture_attribute(f, ATTR_HOST, "prod1");
	fixture_attribute(f, ATTR_EXIT, "0");
	fixture_attribute(f, ATTR_COMPLETE, "1");
	fixture_number(f, ATTR_START_WALL, UINT64_C(1763674445) * NSEC_PER_SEC);
	fixture_number(f, ATTR_START, start);
	fixture_number(f, ATTR_END, start + NSEC_PER_SEC);
}

/*
 * Adds two COBOL programs with coverage by events: paragraphs of the same name, a
 * copybook, a paragraph that never ran.
 */
static void add_cobol(struct maker *maker)
{
	static const char pay[] = "/opt/pay/src/payroll.cob", tax[] = "/opt/pay/src/paytax.cob";
	static const char copy[] = "/opt/pay/copy/rates.cpy";

	add_program(maker, &(struct program){ "PAYROLL", pay, "PAYROLL", "", "COBOL", "",
					      COVERAGE_BY_EVENTS, false });
	add_line(maker, "MAIN", pay, 120, "OPEN", 1);
	add_line(maker, "MAIN", pay, 121, "PERFORM", 41);
	add_statement(maker, "MAIN", pay, 122, 1, "IF", 40, "");
	add_statement(maker, "MAIN", pay, 122, 2, "MOVE", 0, "");
	add_line(maker, "MAIN", pay, 123, "CALL", 40);
	add_line(maker, "READ-NEXT", pay, 130, "READ", 41);
	add_line(maker, "READ-NEXT", pay, 132, "MOVE", 1);
	for (uint64_t line = 140; line < 148; line++)
		add_line(maker, "BAD-RECORD", pay, line, line == 147 ? "STOP" : "DISPLAY", 0);
	add_program(maker, &(struct program){ "PAYTAX", tax, "PAYROLL", "", "COBOL", "",
					      COVERAGE_BY_EVENTS, false });
	add_line(maker, "MAIN", tax, 20, "PERFORM", 40);
	add_line(maker, "MAIN", tax, 21, "GOBACK", 40);
	add_line(maker, "RATES", copy, 3, "EVALUATE", 40);
	add_line(maker, "RATES", copy, 5, "COMPUTE", 33);
	add_line(maker, "RATES", copy, 7, "COMPUTE", 7);
	add_line(maker, "RATES", copy, 9, "COMPUTE", 0);
}

/* Adds two C programs with coverage by places. */
static void add_c(struct maker *maker)
{
	static const char load[] = "/opt/pay/src/load.c", save[] = "/opt/pay/src/save.c";
	static const char header[] = "/opt/pay/include/money.h";

	add_program(maker, &(struct program){ "load.c", load, "paylib.so", "a1b2c3", "C99", "",
					      COVERAGE_BY_PLACES, true });
	add_places(maker, "check", load, 14, "+");
	add_places(maker, "check", load, 15, "++/+/-");
	add_places(maker, "check", load, 17, "-");
	add_places(maker, "load", load, 30, "+");
	add_places(maker, "load", load, 31, "+-");
	add_places(maker, "load", load, 32, "+/+");
	add_places(maker, "round_cents", header, 8, "+/-");
	add_program(maker, &(struct program){ "save.c", save, "paylib.so", "a1b2c3", "C99",
					      "2 of its 60 functions have no line information",
					      COVERAGE_BY_PLACES, false });
	add_places(maker, "check", save, 9, "-");
	add_places(maker, "check", save, 10, "-");
	add_places(maker, "save", save, 20, "+");
	add_places(maker, "save", save, 21, "+");
	add_places(maker, "round_cents", header, 8, "-/-");
	add_places(maker, "round_cents", header, 9, "+");
}

void fixture_coverage(struct fixture *f)
{
	struct maker maker = { .fixture = f, .address = 0x1000 };

	add_facts(f);
	add_cobol(&maker);
	fixture_end_snapshot(f);
	add_c(&maker);
	fixture_end_snapshot(f);
}

void fixture_coverage_odd_paths(struct fixture *f)
{
	static const char odd[] = "/opt/R&D <old>, \"new\"/pay roll's größe.c";
	static const char plain[] = "src/main.c", above[] = "../shared/main.c";
	struct maker maker = { .fixture = f, .address = 0x1000 };

	add_facts(f);
	add_program(&maker, &(struct program){ "pay roll's größe.c", odd, "odd", "d4", "C++14", "",
					       COVERAGE_BY_PLACES, false });
	add_places(&maker, "std::less<int>::operator()(int const&, int const&) const", odd, 3, "+");
	add_places(&maker, "std::less<int>::operator()(int const&, int const&) const", odd, 4,
		   "+/-");
	add_program(&maker, &(struct program){ "main.c", plain, "odd", "d4", "C99", "",
					       COVERAGE_BY_PLACES, false });
	add_places(&maker, "main", plain, 1, "+");
	add_program(&maker, &(struct program){ "main.c", above, "odd", "d4", "C99", "",
					       COVERAGE_BY_PLACES, false });
	add_places(&maker, "main", above, 1, "-");
	/* Programs in one source that have paragraphs of the same name. */
	for (uint64_t i = 0; i < 2; i++) {
		add_program(&maker,
			    &(struct program){ i ? "INNER" : "OUTER", "nested.cob", "odd", "d4",
					       "COBOL", "", COVERAGE_BY_EVENTS, false });
		add_line(&maker, "MAIN", "nested.cob", 10 + 20 * i, "DISPLAY", 3 + i);
	}
	fixture_end_snapshot(f);
}
