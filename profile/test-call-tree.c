/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the call tree: known shapes, and the sums of all sessions against other ways to sum. */
#include "common/compat.h"
#include "profile/call-tree.h"
#include "common/xalloc.h"
#include "profile/fixture.h"
#include "profile/usage.h"
#include "profile/wait-variance.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* A session of one program whose procedures are identified by name. */
struct session {
	struct fixture f;
	uint64_t program, next;
	struct profile *profile;
	struct call_tree tree;
};

static void begin(struct session *s)
{
	*s = (struct session){ 0 };
	fixture_init(&s->f);
	fixture_attribute(&s->f, ATTR_PERIOD, "1000000");
	s->program = fixture_object(&s->f, OBJECT_FILE, "/opt/pay/server", "");
}

/* Builds a stack from words, "main 5 walk 7": procedures with their lines; new frames each time. */
static uint64_t stack_of(struct session *s, const char *words)
{
	char text[200], *rest = text, *word;
	uint64_t stack = 0;

	snprintf(text, sizeof(text), "%s", words);
	while ((word = strsep(&rest, " "))) {
		const char *line = strsep(&rest, " ");

		s->next += 0x100;
		stack = fixture_stack(&s->f, stack,
				      fixture_frame(&s->f, s->program, s->next, "a.c", word,
						    strtoul(line, NULL, 10), ""));
	}
	return stack;
}

static void add_samples(struct session *s, const char *words, uint64_t count)
{
	fixture_samples(&s->f, count, stack_of(s, words), 1, 0, 0);
}

static void add_wait(struct session *s, const char *words, uint64_t task, uint64_t ms)
{
	struct record_wait wait = { .time = s->f.time,
				    .task = task,
				    .stack = stack_of(s, words),
				    .reason = WAIT_SLEEP,
				    .count = 2,
				    .total = ms * 1000000,
				    .charged = ms * 500000 };

	fixture_add(&s->f, RECORD_WAIT, &wait);
}

static void finish(struct session *s, const struct call_tree_options *options)
{
	fixture_end_snapshot(&s->f);
	s->profile = fixture_end(&s->f);
	call_tree_init(&s->tree, s->profile, options);
}

static void end(struct session *s)
{
	call_tree_release(&s->tree);
	profile_free(s->profile);
}

/*
 * Prints the tree as text: "main 0/9 (walk 3/9 ...)", self and total samples; then
 * waits if there are any.
 */
static void print_node(const struct call_tree *tree, size_t number, struct strbuf *sb)
{
	const struct call_tree_node *node = &tree->nodes[number];

	call_tree_label(tree, number, sb);
	if (node->kind == CALL_TREE_PROCEDURE && call_tree_place(tree, number)->line)
		strbuf_addf(sb, ":%" PRIu64, call_tree_place(tree, number)->line);
	strbuf_addf(sb, "%s%s %" PRIu64 "/%" PRIu64, node->inlined ? "*" : "",
		    node->recursive ? "^" : "", node->own[CALL_TREE_SAMPLES],
		    node->all[CALL_TREE_SAMPLES]);
	if (node->all[CALL_TREE_WAITS])
		strbuf_addf(sb, " %" PRIu64 "x%" PRIu64 "ms", node->all[CALL_TREE_WAITS],
			    node->all[CALL_TREE_CHARGED] / 1000000);
	if (node->child == CALL_TREE_NONE)
		return;
	strbuf_addstr(sb, " (");
	for (size_t child = node->child; child != CALL_TREE_NONE; child = tree->nodes[child].next) {
		print_node(tree, child, sb);
		strbuf_addstr(sb, tree->nodes[child].next == CALL_TREE_NONE ? ")" : ", ");
	}
}

static void check(const struct call_tree *tree, const char *expected)
{
	struct strbuf sb = STRBUF_INIT;

	print_node(tree, 0, &sb);
	assert_string_equal(sb.text, expected);
	strbuf_release(&sb);
}

static void callees_stand_below_their_callers(void **state UNUSED)
{
	struct session s;

	begin(&s);
	add_samples(&s, "main 5 report 20 print 30", 3);
	add_samples(&s, "main 6 report 21 print 31", 4);
	add_samples(&s, "main 7 print 30", 2);
	add_samples(&s, "main 8", 1);
	add_wait(&s, "main 9 nap 50", 1, 4);
	finish(&s, NULL);
	check(&s.tree, " 0/10 2x2ms (main 1/10 2x2ms (report 0/7 (print 7/7), nap 0/0 2x2ms, "
		       "print 2/2))");
	end(&s);
}

static void lines_are_nodes_where_asked_for(void **state UNUSED)
{
	struct call_tree_options options = { .by_line = true };
	struct session s;

	begin(&s);
	add_samples(&s, "main 5 report 20", 3);
	add_samples(&s, "main 5 report 21", 4);
	add_samples(&s, "main 6 report 21", 1);
	finish(&s, &options);
	check(&s.tree, " 0/8 (main:5 0/7 (report:21 4/4, report:20 3/3), main:6 0/1 (report:21 "
		       "1/1))");
	assert_string_equal(profile_text(s.profile, call_tree_place(&s.tree, 1)->file), "/src/a.c");
	end(&s);
}

/* Checks the sums of a procedure, printed as "own/all". */
static void check_sum(const struct session *s, const char *name, uint64_t own, uint64_t all)
{
	for (size_t i = 0; i < s->tree.places.keys.count; i++) {
		const struct call_place *place = &s->tree.places.items[i];

		if (strcmp(profile_text(s->profile, place->procedure), name) != 0)
			continue;
		assert_int_equal(s->tree.sums[i].own[CALL_TREE_SAMPLES], own);
		assert_int_equal(s->tree.sums[i].all[CALL_TREE_SAMPLES], all);
		return;
	}
	fail_msg("no procedure %s", name);
}

static void add_recursion(struct session *s)
{
	begin(s);
	add_samples(s, "main 5 walk 20", 1);
	add_samples(s, "main 5 walk 21 walk 20 walk 21 leaf 40", 5);
	add_samples(s, "main 6 expr 1 term 2 expr 1 term 2 expr 1 term 2 number 3", 7);
	add_samples(s, "main 6 expr 1 term 2 expr 1", 2);
}

static void a_chain_that_calls_itself_again_is_shown_once(void **state UNUSED)
{
	struct session s;

	add_recursion(&s);
	finish(&s, NULL);
	check(&s.tree, " 0/15 (main 0/15 (expr 0/9 (term^ 0/9 (number 7/7, expr 2/2)), "
		       "walk^ 1/6 (leaf 5/5)))");
	check_sum(&s, "walk", 1, 6);
	check_sum(&s, "expr", 2, 9);
	check_sum(&s, "term", 0, 9);
	check_sum(&s, "main", 0, 15);
	end(&s);
}

static void every_level_of_recursion_is_there_on_request(void **state UNUSED)
{
	struct call_tree_options options = { .keep_recursion = true };
	struct session s;

	add_recursion(&s);
	finish(&s, &options);
	check(&s.tree, " 0/15 (main 0/15 (expr 0/9 (term 0/9 (expr 2/9 (term 0/7 (expr 0/7 "
		       "(term 0/7 (number 7/7)))))), walk 1/6 (walk 0/5 (walk 0/5 (leaf 5/5)))))");
	check_sum(&s, "walk", 1, 6);
	check_sum(&s, "expr", 2, 9);
	end(&s);
}

static void repetitions_of_long_chains_end_at_their_period(void **state UNUSED)
{
	struct session s;

	begin(&s);
	add_samples(&s, "a 1 b 1 c 1 d 1 e 1 f 1 g 1 h 1 a 1 b 1 c 1 d 1 e 1 f 1 g 1 h 1 x 1", 3);
	add_samples(&s, "k 1 k 2 k 3 k 4 k 5 k 6 k 7 k 8 k 9 k 10 k 11 k 12", 2);
	finish(&s, NULL);
	check(&s.tree, " 0/5 (a 0/3 (b 0/3 (c 0/3 (d 0/3 (e 0/3 (f 0/3 (g 0/3 (h^ 0/3 (x "
		       "3/3)))))))), k^ 2/2)");
	end(&s);
}

static void inlined_procedures_are_nodes(void **state UNUSED)
{
	struct record_name outer = { .depth = 1, .line = 70 };
	struct session s;
	uint64_t stack;

	begin(&s);
	stack = stack_of(&s, "main 5 inner 61");
	outer.frame = s.f.frames;
	outer.procedure = fixture_string(&s.f, "outer");
	fixture_add(&s.f, RECORD_NAME, &outer);
	fixture_samples(&s.f, 2, stack, 1, 0, 0);
	add_samples(&s, "main 6 outer 71", 1);
	finish(&s, NULL);
	check(&s.tree, " 0/3 (main 0/3 (outer 1/3 (inner* 2/2)))");
	end(&s);
}

static void two_of_one_name_in_two_sources_are_two(void **state UNUSED)
{
	struct session s;
	uint64_t stack;

	begin(&s);
	add_samples(&s, "main 5 nap 61", 2);
	stack = fixture_stack(&s.f, stack_of(&s, "main 5"),
			      fixture_frame(&s.f, s.program, 0x90000, "b.c", "nap", 61, ""));
	fixture_samples(&s.f, 1, stack, 1, 0, 0);
	finish(&s, NULL);
	check(&s.tree, " 0/3 (main 0/3 (nap 2/2, nap 1/1))");
	end(&s);
}

static void add_threads(struct session *s)
{
	uint64_t stack;

	begin(s);
	for (uint64_t task = 1; task <= 2; task++) {
		struct record_task record = { .task = task, .tid = 10 + task };

		record.name = fixture_string(&s->f, task == 1 ? "reader" : "writer");
		fixture_add(&s->f, RECORD_TASK, &record);
	}
	stack = stack_of(s, "main 5 work 6");
	fixture_samples(&s->f, 3, stack, 1, 0, 0);
	fixture_samples(&s->f, 4, stack, 2, 0, 0);
	add_wait(s, "main 5 nap 7", 2, 6);
}

static void threads_have_trees_of_their_own(void **state UNUSED)
{
	struct call_tree_options options = { .by = CALL_TREE_BY_TASK };
	struct session s;

	add_threads(&s);
	finish(&s, &options);
	check(&s.tree, " 0/7 2x3ms (writer 0/4 2x3ms (main 0/4 2x3ms (work 4/4, nap 0/0 2x3ms)), "
		       "reader 0/3 (main 0/3 (work 3/3)))");
	check_sum(&s, "main", 0, 7);
	end(&s);
}

static void parts_of_a_session_can_be_selected(void **state UNUSED)
{
	struct call_tree_options options = { .one_task = true, .task = 2 };
	struct session s;

	add_threads(&s);
	finish(&s, &options);
	check(&s.tree, " 0/4 2x3ms (main 0/4 2x3ms (work 4/4, nap 0/0 2x3ms))");
	call_tree_release(&s.tree);
	options = (struct call_tree_options){ .no_cpu = true };
	call_tree_init(&s.tree, s.profile, &options);
	check(&s.tree, " 0/0 2x3ms (main 0/0 2x3ms (nap 0/0 2x3ms))");
	call_tree_release(&s.tree);
	options = (struct call_tree_options){ .no_waits = true };
	call_tree_init(&s.tree, s.profile, &options);
	check(&s.tree, " 0/7 (main 0/7 (work 7/7))");
	call_tree_release(&s.tree);
	options = (struct call_tree_options){ .one_transaction = true, .transaction = 9 };
	call_tree_init(&s.tree, s.profile, &options);
	check(&s.tree, " 0/0");
	end(&s);
}

/*
 * Counts the samples of a place including callees by walking each stack, as an
 * independent check.
 */
static uint64_t count_slowly(const struct profile *profile, struct call_places *places,
			     size_t place)
{
	const struct attribution *attribution = &profile->attribution;
	uint64_t samples = 0;

	for (size_t i = 0; i < profile->cpu_count; i++) {
		size_t stack = profile->cpu[i].stack;
		bool found = false;

		do {
			size_t frame = stack == ATTRIBUTION_NONE ? attribution->place_count
								 : attribution->frames[stack];
			size_t count;
			const size_t *numbers = call_places_of(places, frame, &count);

			while (count--)
				found = found || numbers[count] == place;
			stack = stack == ATTRIBUTION_NONE ? stack : attribution->parents[stack];
		} while (stack != ATTRIBUTION_NONE);
		samples += found ? profile->cpu[i].count : 0;
	}
	return samples;
}

/* Returns the self samples of a procedure by Program Usage by Procedure. */
static uint64_t own_usage(const struct usage *usage, const struct call_place *place)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < usage->rows.keys.count; i++) {
		const uint64_t *key = sums_key(&usage->rows, i);

		if (key[USAGE_MODULE] == place->module && key[USAGE_SECTION] == place->section &&
		    key[USAGE_REAL_MODULE] == place->real_module &&
		    key[USAGE_PROCEDURE] == place->procedure &&
		    (place->procedure || key[USAGE_START] == place->start))
			samples += sums_values(&usage->rows, i)[USAGE_TOTAL];
	}
	return samples;
}

static void check_procedures(const struct profile *profile, struct call_tree *tree)
{
	struct usage usage;

	usage_init(&usage, profile, 0);
	for (size_t i = 0; i < tree->places.keys.count; i++) {
		assert_int_equal(tree->sums[i].own[CALL_TREE_SAMPLES],
				 own_usage(&usage, &tree->places.items[i]));
		assert_int_equal(tree->sums[i].all[CALL_TREE_SAMPLES],
				 count_slowly(profile, &tree->places, i));
	}
	usage_release(&usage);
}

static void check_root(const struct profile *profile, const struct call_tree *tree)
{
	const uint64_t *all = tree->nodes[0].all;
	uint64_t waits = 0;

	for (size_t i = 0; i < profile->wait_count; i++)
		waits += profile->waits[i].count;
	assert_int_equal(all[CALL_TREE_SAMPLES], profile->samples);
	assert_int_equal(all[CALL_TREE_CHARGED], profile->charged);
	assert_int_equal(all[CALL_TREE_WAIT_TOTAL], profile->total_wait);
	assert_int_equal(all[CALL_TREE_WAITS], waits);
}

/*
 * Checks that a node's all is its own plus its children's, and that children are
 * sorted and numbered after their parents.
 */
static void check_nodes(const struct call_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		uint64_t sums[CALL_TREE_AMOUNTS], last = UINT64_MAX;

		memcpy(sums, tree->nodes[i].own, sizeof(sums));
		for (size_t child = tree->nodes[i].child; child != CALL_TREE_NONE;
		     child = tree->nodes[child].next) {
			uint64_t weight = call_tree_weight(tree->profile, tree->nodes[child].all);

			assert_true(child > i && tree->nodes[child].parent == i);
			assert_int_equal(tree->nodes[child].level, tree->nodes[i].level + 1);
			assert_true(weight <= last);
			last = weight;
			for (size_t j = 0; j < CALL_TREE_AMOUNTS; j++)
				sums[j] += tree->nodes[child].all[j];
		}
		assert_memory_equal(sums, tree->nodes[i].all, sizeof(sums));
	}
}

static void check_all(const struct profile *profile)
{
	for (unsigned form = 0; form < 12; form++) {
		struct call_tree_options options = { .keep_recursion = form & 1,
						     .by_line = form & 2,
						     .by = form / 4 };
		struct call_tree tree;

		call_tree_init(&tree, profile, &options);
		check_root(profile, &tree);
		check_nodes(&tree);
		if (!options.by_line)
			check_procedures(profile, &tree);
		call_tree_release(&tree);
	}
}

static void totals_are_those_of_the_listing_in_every_session(void **state UNUSED)
{
	for (size_t i = 0; fixture_names[i]; i++) {
		struct profile *profile = fixture_profile(fixture_names[i]);

		check_all(profile);
		profile_show_native(profile, true);
		check_all(profile);
		profile_free(profile);
	}
}

/* Returns the variance of all waits below a node, computed from the rows alone. */
static uint64_t variance_below(const struct call_tree *tree, size_t node)
{
	size_t count = tree->profile->wait_count, *rows = xcalloc(count + 1, sizeof(*rows));
	uint64_t variance;

	for (size_t i = 0; i < count; i++) {
		size_t at = tree->wait_nodes[i];

		while (at != CALL_TREE_NONE && at != node)
			at = tree->nodes[at].parent;
		rows[i] = at == CALL_TREE_NONE ? SIZE_MAX : 0;
	}
	wait_variances(tree->profile, rows, 1, &variance);
	free(rows);
	return variance;
}

static void margins_of_a_node_are_those_of_its_waits_together(void **state UNUSED)
{
	size_t differing = 0;

	for (size_t i = 0; fixture_names[i]; i++) {
		struct profile *profile = fixture_profile(fixture_names[i]);
		struct call_tree tree;
		uint64_t *own, *all;

		for (size_t j = 0; j < profile->wait_count; j++) {
			profile->waits[j].laid = profile->waits[j].total / 2;
			profile->waits[j].spread = profile->waits[j].total / 4000 * (j % 5 + 1);
			profile->waits[j].variance = profile->waits[j].spread / 2;
		}
		call_tree_init(&tree, profile, NULL);
		own = xcalloc(tree.count, sizeof(*own));
		all = xcalloc(tree.count, sizeof(*all));
		call_tree_variances(&tree, own, all);
		for (size_t j = 0; j < tree.count; j++) {
			uint64_t expected = variance_below(&tree, j);

			assert_true(all[j] <= expected + 1 && expected <= all[j] + 1);
			if (tree.nodes[j].child == CALL_TREE_NONE)
				assert_int_equal(own[j], all[j]);
			differing += own[j] != all[j];
		}
		free(own);
		free(all);
		call_tree_release(&tree);
		profile_free(profile);
	}
	assert_true(differing > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callees_stand_below_their_callers),
		cmocka_unit_test(lines_are_nodes_where_asked_for),
		cmocka_unit_test(a_chain_that_calls_itself_again_is_shown_once),
		cmocka_unit_test(every_level_of_recursion_is_there_on_request),
		cmocka_unit_test(repetitions_of_long_chains_end_at_their_period),
		cmocka_unit_test(inlined_procedures_are_nodes),
		cmocka_unit_test(two_of_one_name_in_two_sources_are_two),
		cmocka_unit_test(threads_have_trees_of_their_own),
		cmocka_unit_test(parts_of_a_session_can_be_selected),
		cmocka_unit_test(totals_are_those_of_the_listing_in_every_session),
		cmocka_unit_test(margins_of_a_node_are_those_of_its_waits_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
