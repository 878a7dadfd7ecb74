/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the reports on callers and callees. */
#include "common/compat.h"
#include "profile/butterfly.h"
#include "profile/fixture.h"
#include "records/record-types.h"
#include "reports/device.h"
#include "reports/report-class.h"
#include "reports/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* A session of one program, and its printed report. */
struct session {
	struct fixture f;
	struct profile *profile;
	struct report_options options;
	struct context context;
	struct document document;
};

static void begin(struct session *s)
{
	*s = (struct session){ 0 };
	fixture_init(&s->f);
	fixture_attribute(&s->f, ATTR_PERIOD, "1000000");
	report_options_init(&s->options);
}

/* Adds samples of a stack given in words, "main walk leaf". */
static void add_samples(struct session *s, const char *words, uint64_t count, uint64_t task)
{
	char text[1000], *rest = text, *word;
	uint64_t stack = 0, program = fixture_object(&s->f, OBJECT_FILE, "/opt/pay/server", "");

	snprintf(text, sizeof(text), "%s", words);
	while ((word = strsep(&rest, " ")))
		stack = fixture_stack(&s->f, stack,
				      fixture_frame(&s->f, program, 0x100 * (s->f.frames + 1),
						    "a.c", word, 1, ""));
	fixture_samples(&s->f, count, stack, task, 0, 0);
}

static void build(struct session *s, const struct report_class *class)
{
	fixture_end_snapshot(&s->f);
	s->profile = fixture_end(&s->f);
	context_init(&s->context, s->profile, &s->options);
	document_init(&s->document, class->code, class->title, &s->context.tokens);
	class->build(&s->context, &s->document);
}

static void end(struct session *s)
{
	document_release(&s->document);
	context_release(&s->context);
	profile_free(s->profile);
}

/* Returns a table of the document, by number. */
static const struct table *table_at(const struct session *s, size_t number)
{
	for (size_t i = 0; i < s->document.count; i++)
		if (s->document.blocks[i].table && number-- == 0)
			return s->document.blocks[i].table;
	fail_msg("there are not so many tables");
	return NULL;
}

static const struct value *value_at(const struct table *table, size_t row, const char *id)
{
	size_t column = table_column(table, id);

	assert_true(column != SIZE_MAX && row < table->row_count);
	return &table->rows[row].values[column];
}

/* Returns what a listing shows in a column. */
static const char *shown(const struct table *table, size_t row, const char *id)
{
	const struct value *value = value_at(table, row, id);

	return value->token ? value->token : value->text ? value->text : "";
}

/*
 * Checks the rows of a tree as "procedure own/cumulative", one per line, as a
 * listing shows them.
 */
static void check_rows(const struct table *table, const char *expected)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < table->row_count; i++)
		strbuf_addf(&sb, "%s %" PRIu64 "/%" PRIu64 "\n", shown(table, i, "procedure"),
			    value_at(table, i, "samples")->number,
			    value_at(table, i, "cumulative_samples")->number);
	assert_string_equal(sb.text, expected);
	strbuf_release(&sb);
}

static void callees_are_indented_below_their_callers_and_small_ones_folded(void **state UNUSED)
{
	struct session s;

	begin(&s);
	s.options.device = &json_device;
	add_samples(&s, "main read parse", 60, 1);
	add_samples(&s, "main read", 20, 1);
	add_samples(&s, "main print", 17, 1);
	add_samples(&s, "main read trace log", 1, 1);
	add_samples(&s, "main read trace show", 1, 1);
	add_samples(&s, "main init", 1, 1);
	build(&s, &report_ctr);
	check_rows(table_at(&s, 0), "main 0/100\n"
				    "  read 20/82\n"
				    "    parse 60/60\n"
				    "    trace 0/2\n"
				    "      .OTHER (2) 2/2\n"
				    "  print 17/17\n"
				    "  .OTHER (1) 1/1\n"
				    "TOTALS 100/100\n");
	assert_string_equal(value_at(table_at(&s, 0), 3, "path")->text, "main;read;trace");
	assert_string_equal(value_at(table_at(&s, 0), 3, "procedure")->text, "trace");
	assert_int_equal(value_at(table_at(&s, 0), 3, "level")->number, 3);
	assert_int_equal(value_at(table_at(&s, 0), 3, "parent")->number,
			 value_at(table_at(&s, 0), 1, "node")->number);
	end(&s);
}

static void nothing_is_folded_on_request(void **state UNUSED)
{
	struct session s;

	begin(&s);
	s.options.all = true;
	add_samples(&s, "main read walk walk walk", 999, 1);
	add_samples(&s, "main init", 1, 1);
	build(&s, &report_ctr);
	check_rows(table_at(&s, 0), "main 0/1000\n"
				    "  read 0/999\n"
				    "    walk (recursive) 999/999\n"
				    "  init 1/1\n"
				    "TOTALS 1000/1000\n");
	end(&s);
}

/* Adds a chain of this many procedures "p1 p2 p3 ...", ending with a name. */
static void add_chain(struct session *s, unsigned length, const char *last, uint64_t count)
{
	struct strbuf sb = STRBUF_INIT;

	for (unsigned i = 1; i <= length; i++)
		strbuf_addf(&sb, "p%u ", i);
	strbuf_addstr(&sb, last);
	add_samples(s, sb.text, count, 1);
	strbuf_release(&sb);
}

static void deep_trees_are_indented_where_they_branch(void **state UNUSED)
{
	struct session s;
	const struct table *table;

	begin(&s);
	add_chain(&s, 60, "leaf", 60);
	add_chain(&s, 30, "other", 40);
	build(&s, &report_ctr);
	table = table_at(&s, 0);
	assert_string_equal(shown(table, 29, "procedure"), "p30");
	assert_int_equal(value_at(table, 29, "level")->number, 30);
	assert_string_equal(shown(table, 30, "procedure"), " p31");
	assert_string_equal(shown(table, 60, "procedure"), " leaf");
	assert_int_equal(value_at(table, 60, "level")->number, 61);
	assert_string_equal(shown(table, 61, "procedure"), " other");
	end(&s);
	begin(&s);
	add_chain(&s, 24, "leaf", 60);
	build(&s, &report_ctr);
	assert_string_equal(shown(table_at(&s, 0), 24, "procedure"),
			    "                        leaf");
	end(&s);
}

static void long_names_are_shortened_within_their_indentation(void **state UNUSED)
{
	struct session s;
	const struct table *table;
	const char *name = "COMPUTE-THE-MONTHLY-PENSION-OF-ALL-THE-EMPLOYEES-OF-THE-COMPANY";

	begin(&s);
	add_chain(&s, 20, name, 60);
	build(&s, &report_ctr);
	table = table_at(&s, 0);
	assert_string_equal(value_at(table, 20, "procedure")->text, name);
	assert_true(text_width(shown(table, 20, "procedure")) <= 48);
	assert_memory_equal(shown(table, 20, "procedure"), "                    COMPUTE-THE", 31);
	assert_int_equal(s.context.tokens.count, 1);
	assert_string_equal(s.context.tokens.items[0].name, name);
	end(&s);
}

static void add_task(struct session *s, uint64_t task, const char *name)
{
	struct record_task record = { .task = task, .tid = 10 + task };

	record.name = fixture_string(&s->f, name);
	fixture_add(&s->f, RECORD_TASK, &record);
}

static void threads_have_a_list_and_a_tree_each(void **state UNUSED)
{
	struct session s;
	char name[16];

	begin(&s);
	s.options.by = CALL_TREE_BY_TASK;
	for (unsigned i = 1; i <= 14; i++) {
		snprintf(name, sizeof(name), "worker%u", i);
		add_task(&s, i, name);
		add_samples(&s, "main work", i == 1 ? 600 : i == 2 ? 388 : 1, i);
	}
	build(&s, &report_ctr);
	assert_string_equal(table_at(&s, 0)->id, "threads");
	assert_int_equal(table_at(&s, 0)->row_count, 12);
	assert_string_equal(shown(table_at(&s, 0), 0, "thread"), "worker1");
	assert_string_equal(shown(table_at(&s, 0), 10, "thread"), ".OTHER (4)");
	assert_int_equal(value_at(table_at(&s, 0), 10, "samples")->number, 4);
	assert_int_equal(value_at(table_at(&s, 0), 11, "samples")->number, 1000);
	assert_string_equal(table_at(&s, 1)->context[0].value.text, "worker1");
	check_rows(table_at(&s, 1), "main 0/600\n  work 600/600\nTOTALS 600/600\n");
	assert_int_equal(value_at(table_at(&s, 1), 0, "level")->number, 1);
	check_rows(table_at(&s, 2), "main 0/388\n  work 388/388\nTOTALS 388/388\n");
	end(&s);
}

static uint64_t total_of(const struct document *document, const char *id, const char *column)
{
	const struct table *table;
	const struct row *row = document_total(document, id, &table);

	assert_non_null(row);
	return row->values[table_column(table, column)].number;
}

static void callers_callees_and_statements_of_every_procedure_add_up(void **state UNUSED)
{
	size_t checked = 0;

	for (size_t i = 0; fixture_names[i]; i++) {
		struct profile *profile = fixture_profile(fixture_names[i]);
		struct report_options options;
		struct butterfly all;

		report_options_init(&options);
		butterfly_init(&all, profile, 0);
		for (size_t j = 0; j < all.procedure_count; j++) {
			struct strbuf label = STRBUF_INIT, wrong = STRBUF_INIT;
			const uint64_t *sums = all.sums[j].all;
			struct document document;
			struct context context;
			const struct table *unused;

			call_place_label(profile, butterfly_place(&all, j), &label);
			options.procedure = label.text;
			context_init(&context, profile, &options);
			document_init(&document, "PRC", "", &context.tokens);
			report_prc.build(&context, &document);
			if (document_check(&document, &wrong))
				fail_msg("%s %s: %s", fixture_names[i], label.text, wrong.text);
			/* Only if the name is unique. */
			if (document_total(&document, "callers", &unused)) {
				static const char *const ids[] = { "callers", "callees",
								   "statements" };

				for (size_t k = 0; k < ARRAY_SIZE(ids); k++) {
					assert_int_equal(total_of(&document, ids[k], "samples"),
							 sums[CALL_TREE_SAMPLES]);
					assert_int_equal(
						total_of(&document, ids[k], "wait_charged_ns"),
						sums[CALL_TREE_CHARGED]);
				}
				assert_int_equal(total_of(&document, "waits", "wait_total_ns"),
						 sums[CALL_TREE_WAIT_TOTAL]);
				assert_int_equal(total_of(&document, "statements", "own_samples"),
						 all.sums[j].own[CALL_TREE_SAMPLES]);
				checked++;
			}
			document_release(&document);
			context_release(&context);
			strbuf_release(&label);
			strbuf_release(&wrong);
		}
		butterfly_release(&all);
		profile_free(profile);
	}
	assert_true(checked > 100);
}

/* Checks the rows of callers or callees as "procedure samples", one per line. */
static void check_sides(const struct session *s, const char *id, const char *expected)
{
	struct strbuf sb = STRBUF_INIT;
	const struct table *table;

	assert_non_null(document_total(&s->document, id, &table));
	for (size_t i = 0; i < table->row_count; i++)
		strbuf_addf(&sb, "%s %" PRIu64 "\n", shown(table, i, "procedure"),
			    value_at(table, i, "samples")->number);
	assert_string_equal(sb.text, expected);
	strbuf_release(&sb);
}

static void callers_are_of_the_outermost_and_callees_of_the_innermost_call(void **state UNUSED)
{
	struct session s;

	begin(&s);
	s.options.procedure = "walk";
	add_samples(&s, "main left walk walk leaf", 5, 1);
	add_samples(&s, "main right walk", 4, 1);
	add_samples(&s, "main right walk look walk leaf", 3, 1);
	add_samples(&s, "main right walk look", 2, 1);
	add_samples(&s, "walk", 1, 1);
	add_samples(&s, "main other", 9, 1);
	build(&s, &report_prc);
	check_sides(&s, "callers", "right 9\nleft 5\n(no caller known) 1\nTOTALS 15\n");
	check_sides(&s, "callees", "leaf 8\n(itself) 5\nlook 2\nTOTALS 15\n");
	end(&s);
}

/* Checks the text of the notes of a document. */
static void check_note(const struct session *s, unsigned number, const char *part)
{
	for (size_t i = 0; i < s->document.count; i++) {
		const struct block *block = &s->document.blocks[i];

		if (block->kind == BLOCK_NOTE && block->number == number) {
			assert_non_null(strstr(block->text, part));
			return;
		}
	}
	fail_msg("there is no note %u", number);
}

static void add_names(struct session *s)
{
	uint64_t program = fixture_object(&s->f, OBJECT_FILE, "/opt/pay/server", ""), stack;
	uint64_t other = fixture_object(&s->f, OBJECT_FILE, "/opt/pay/worker", "");

	stack = fixture_stack(&s->f, 0, fixture_frame(&s->f, program, 0x100, "a.c", "nap", 3, ""));
	fixture_samples(&s->f, 3, stack, 1, 0, 0);
	stack = fixture_stack(&s->f, 0, fixture_frame(&s->f, program, 0x200, "b.c", "nap", 3, ""));
	fixture_samples(&s->f, 4, stack, 1, 0, 0);
	stack = fixture_stack(&s->f, 0, fixture_frame(&s->f, other, 0x300, "b.c", "nap", 3, ""));
	fixture_samples(&s->f, 5, stack, 1, 0, 0);
	stack = fixture_stack(
		&s->f, 0,
		fixture_frame(&s->f, other, 0x400, "c.cpp", "shop::mix(int, int) const", 3, ""));
	fixture_samples(&s->f, 6, stack, 1, 0, 0);
}

/* Checks what a name selects: how many procedures; if one, its samples, else a note. */
static void check_choice(const char *name, size_t count, uint64_t samples)
{
	struct session s;

	begin(&s);
	s.options.procedure = name;
	add_names(&s);
	build(&s, &report_prc);
	if (count == 1) {
		assert_int_equal(total_of(&s.document, "callers", "samples"), samples);
	} else if (count) {
		check_note(&s, 6642, name);
		assert_string_equal(table_at(&s, 0)->id, "procedures");
		assert_int_equal(table_at(&s, 0)->row_count, count);
	} else {
		check_note(&s, 6641, name);
	}
	end(&s);
}

static void a_procedure_of_several_of_one_name_is_chosen_by_module_or_file(void **state UNUSED)
{
	check_choice("nap", 3, 0);
	check_choice("NAP", 3, 0);
	check_choice("a.c:nap", 1, 3);
	check_choice("/src/a.c:nap", 1, 3);
	check_choice("b.c:nap", 2, 0);
	check_choice("server:nap", 2, 0);
	check_choice("worker:nap", 1, 5);
	check_choice("c.c:nap", 0, 0);
	check_choice(":nap", 0, 0);
	check_choice("shop::mix(int, int) const", 1, 6);
	check_choice("shop::mix", 1, 6);
	check_choice("c.cpp:shop::mix", 1, 6);
	check_choice("mix", 0, 0);
}

static void an_unknown_name_has_what_is_most_like_it(void **state UNUSED)
{
	struct session s;

	begin(&s);
	s.options.procedure = "COMPUTE-TEX";
	add_samples(&s, "MAIN COMPUTE-TAX", 5, 1);
	build(&s, &report_prc);
	check_note(&s, 6641, "did you mean COMPUTE-TAX?");
	end(&s);
	begin(&s);
	add_samples(&s, "MAIN COMPUTE-TAX", 5, 1);
	build(&s, &report_prc);
	check_note(&s, 6640, "--procedure");
	end(&s);
}

/* Adds waits of a stack given in words, in milliseconds. */
static void add_wait(struct session *s, const char *words, uint64_t ms)
{
	struct record_wait wait = { .time = s->f.time,
				    .task = 1,
				    .reason = WAIT_SLEEP,
				    .count = 1,
				    .total = ms * 1000000,
				    .charged = ms * 1000000 };

	add_samples(s, words, 0, 1);
	wait.stack = s->f.stacks;
	fixture_add(&s->f, RECORD_WAIT, &wait);
}

/* Ends a session of a thousand ms. */
static void end_run(struct session *s)
{
	struct record_step step = { .time = s->f.time, .interval = 1000000000 };

	fixture_add(&s->f, RECORD_STEP, &step);
}

/* Checks the callers of a service as "procedure ms: text below", one per line. */
static void check_callers(const struct session *s, const char *expected)
{
	const struct table *table;
	struct strbuf sb = STRBUF_INIT;

	assert_non_null(document_total(&s->document, "callers", &table));
	for (size_t i = 0; i < table->row_count; i++) {
		strbuf_addf(&sb, "%s %" PRIu64, shown(table, i, "procedure"),
			    value_at(table, i, "wait_charged_ns")->number / 1000000);
		if (table->rows[i].below)
			strbuf_addf(&sb, ": %s", table->rows[i].below);
		strbuf_addch(&sb, '\n');
	}
	assert_string_equal(sb.text, expected);
	strbuf_release(&sb);
}

static void two_callers_of_one_helper_are_two_rows(void **state UNUSED)
{
	struct session s;

	begin(&s);
	add_wait(&s, "main morning nap", 300);
	add_wait(&s, "main evening nap", 200);
	end_run(&s);
	build(&s, &report_acw);
	check_callers(&s, "nap 300: called by morning 1 < main 1\n"
			  "nap 200: called by evening 1 < main 1\n"
			  " 500\n");
	end(&s);
}

static void callers_that_differ_several_levels_up_are_two_rows(void **state UNUSED)
{
	struct session s;

	begin(&s);
	add_wait(&s, "main morning a b c nap", 300);
	add_wait(&s, "main evening a b c nap", 200);
	/*
	 * By another chain of the same helpers; and from several lines of one procedure,
	 * which is one chain.
	 */
	add_wait(&s, "main evening a b c nap", 50);
	end_run(&s);
	build(&s, &report_acw);
	check_callers(&s, "nap 300: called by c 1 < b 1 < a 1 < morning 1 < main 1\n"
			  "nap 250: called by c 1 < b 1 < a 1 < evening 1 < main 1\n"
			  " 550\n");
	end(&s);
}

static void levels_of_recursion_are_no_other_callers(void **state UNUSED)
{
	struct session s;

	begin(&s);
	add_wait(&s, "main walk walk walk nap", 300);
	add_wait(&s, "main walk nap", 200);
	add_wait(&s, "main walk walk nap nap", 100);
	end_run(&s);
	build(&s, &report_acw);
	check_callers(&s, "nap 600\n 600\n");
	end(&s);
}

static void callers_of_little_are_one_row_together(void **state UNUSED)
{
	struct session s;
	char words[40];

	begin(&s);
	add_wait(&s, "main morning nap", 300);
	for (unsigned i = 0; i < 5; i++) {
		snprintf(words, sizeof(words), "main seldom%u nap", i);
		add_wait(&s, words, 1);
	}
	end_run(&s);
	build(&s, &report_acw);
	check_callers(&s, "nap 300: called by morning 1 < main 1\n"
			  "nap 5: called by (5 others)\n"
			  " 305\n");
	end(&s);
	begin(&s);
	s.options.baseline = 20;
	for (unsigned i = 0; i < 50; i++) {
		snprintf(words, sizeof(words), "main seldom%u nap", i);
		add_wait(&s, words, 10);
	}
	end_run(&s);
	build(&s, &report_acw);
	check_callers(&s, "nap 500\n 500\n");
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callees_are_indented_below_their_callers_and_small_ones_folded),
		cmocka_unit_test(nothing_is_folded_on_request),
		cmocka_unit_test(deep_trees_are_indented_where_they_branch),
		cmocka_unit_test(long_names_are_shortened_within_their_indentation),
		cmocka_unit_test(threads_have_a_list_and_a_tree_each),
		cmocka_unit_test(callers_callees_and_statements_of_every_procedure_add_up),
		cmocka_unit_test(callers_are_of_the_outermost_and_callees_of_the_innermost_call),
		cmocka_unit_test(a_procedure_of_several_of_one_name_is_chosen_by_module_or_file),
		cmocka_unit_test(an_unknown_name_has_what_is_most_like_it),
		cmocka_unit_test(two_callers_of_one_helper_are_two_rows),
		cmocka_unit_test(callers_that_differ_several_levels_up_are_two_rows),
		cmocka_unit_test(levels_of_recursion_are_no_other_callers),
		cmocka_unit_test(callers_of_little_are_one_row_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
