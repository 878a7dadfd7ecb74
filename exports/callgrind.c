/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The callgrind file: the self amounts of each function by line, and its calls by
 * the line of the call, each with the inclusive amounts. A stack counts once for a
 * call that it contains several times. A stack that ends in a wait ends in a
 * function for the wait, which belongs to an object without a file.
 */
#include "common/compat.h"
#include "common/utf8.h"
#include "common/xalloc.h"
#include "exports/export-form.h"
#include "profile/label.h"
#include "profile/sums.h"
#include "records/record-types.h"

enum { SAMPLES, CPU, WAITS, WAIT, EVENTS };
/* Additional columns of a call: how often it was seen, and the last stack that contained it. */
enum { COUNT = EVENTS, TURN, CALL_AMOUNTS };

struct making {
	struct exporting *exporting;
	const struct stack_view *view;
	struct strmap wait_names; /* names of the functions numbered from function_count on */
	struct sums self_amounts;	  /* function, line */
	struct sums calls;	  /* function, line, called function; EVENTS, COUNT and TURN */
	struct sums stacks;	  /* stack, name of the wait; over all tasks */
	uint64_t turn;		  /* number of the stack being walked, from 1 */
	struct stack_path path;
	struct strmap files, functions, objects; /* names already written in full */
	uint64_t totals[EVENTS];
};

static void add(uint64_t *sums, const uint64_t *amounts)
{
	for (size_t i = 0; i < EVENTS; i++)
		sums[i] += amounts[i];
}

/* Adds amounts to a call of callee unless the current stack has already done so. */
static void add_call(struct making *making, const uint64_t caller[2], uint64_t callee,
		     const uint64_t *amounts)
{
	const uint64_t key[] = { caller[0], caller[1], callee };
	uint64_t *sums = sums_at(&making->calls, key);

	if (sums[TURN] == making->turn)
		return;
	sums[TURN] = making->turn;
	add(sums, amounts);
	sums[COUNT] += amounts[SAMPLES] + amounts[WAITS];
}

/* Adds the amounts of a stack; wait: the wait's function, 0: none. */
static void add_stack(struct making *making, size_t stack, uint64_t wait, const uint64_t *amounts)
{
	const struct stack_view *view = making->view;
	uint64_t caller[2] = { 0, 0 };
	bool called = false;

	making->turn++;
	stack_path_set(&making->path, view, stack);
	for (size_t i = 0; i < making->path.count; i++) {
		size_t frame = stack_view_frame(view, making->path.stacks[i]);

		for (size_t at = view->first[frame + 1]; at-- > view->first[frame];) {
			const struct stack_level *level = &view->levels[at];

			if (called)
				add_call(making, caller, level->function, amounts);
			caller[0] = level->function;
			caller[1] = level->line;
			called = true;
		}
	}
	if (wait) {
		add_call(making, caller, wait, amounts);
		caller[0] = wait;
		caller[1] = 0;
	}
	add(sums_at(&making->self_amounts, caller), amounts);
	add(making->totals, amounts);
}

static void add_wait(struct making *making, const struct profile_wait *wait)
{
	const uint64_t amounts[EVENTS] = { 0, 0, wait->count, wait->charged };
	uint64_t key[2] = { wait->stack };
	struct strbuf name = STRBUF_INIT;

	strbuf_addch(&name, '(');
	label_wait(making->view->profile, wait->reason, wait->file, &name);
	strbuf_addch(&name, ')');
	key[1] = making->view->function_count + strmap_put(&making->wait_names, name.text);
	add(sums_at(&making->stacks, key), amounts);
	strbuf_release(&name);
}

/* Appends a name, which ends at the end of the line. */
static void add_name(struct strbuf *out, const char *name)
{
	size_t length;

	for (; *name; name += length) {
		uint32_t code = utf8_decode(name, &length);

		if (code < 0x20 || code == 0x7f || code == UINT32_MAX)
			strbuf_addstr(out, "\xef\xbf\xbd");
		else
			strbuf_add(out, name, length);
	}
}

/* Appends "fn=(7) NAME" the first time, later "fn=(7)". */
static void add_named(struct making *making, const char *what, struct strmap *known,
		      const char *name, uint64_t number)
{
	struct strbuf *out = &making->exporting->out, key = STRBUF_INIT;
	uint32_t before = (uint32_t)known->count;

	strbuf_addf(&key, "%" PRIu64 " %s", number, name);
	number = strmap_put(known, key.text);
	strbuf_addf(out, "%s=(%" PRIu64 ")", what, number);
	if (number == before) {
		strbuf_addch(out, ' ');
		add_name(out, *name ? name : "???");
	}
	strbuf_addch(out, '\n');
	strbuf_release(&key);
}

/* Appends a function's object, file and name, each after the keyword given in words. */
static void add_function(struct making *making, uint64_t function, const char *const words[3])
{
	const struct stack_view *view = making->view;
	bool waits = function >= view->function_count;
	const struct stack_function *known = waits ? NULL : &view->functions[function];
	const struct record_object *object =
		known && known->object != SIZE_MAX
			? id_table_at(&view->profile->objects, known->object)
			: NULL;

	add_named(making, words[0], &making->objects,
		  object ? profile_text(view->profile, object->path) : "", 0);
	add_named(making, words[1], &making->files, known ? known->file : "", 0);
	add_named(making, words[2], &making->functions,
		  known ? known->name
			: strmap_text(&making->wait_names,
				      (uint32_t)(function - view->function_count)),
		  function);
}

static void add_amounts(struct strbuf *out, uint64_t line, const uint64_t *amounts)
{
	strbuf_addnum(out, line);
	for (size_t i = 0; i < EVENTS; i++) {
		strbuf_addch(out, ' ');
		strbuf_addnum(out, amounts[i]);
	}
	strbuf_addch(out, '\n');
}

/* Compares by function, then line. */
static int compare(const uint64_t *first, const uint64_t *second, void *argument UNUSED)
{
	for (size_t i = 0; i < 2; i++)
		if (first[i] != second[i])
			return first[i] < second[i] ? -1 : 1;
	return 0;
}

/* Appends a call: the callee, how often it was seen, and its inclusive amounts. */
static void add_calls(struct making *making, size_t number)
{
	static const char *const words[] = { "cob", "cfi", "cfn" };
	const uint64_t *key = sums_key(&making->calls, number);
	const uint64_t *amounts = sums_values(&making->calls, number);
	struct strbuf *out = &making->exporting->out;

	add_function(making, key[2], words);
	/* a wait that was open at the end of the session has no count */
	strbuf_addf(out, "calls=%" PRIu64 " 0\n", amounts[COUNT] ? amounts[COUNT] : 1);
	add_amounts(out, key[1], amounts);
	export_flush_if_large(making->exporting);
}

/*
 * Appends all functions, each with its self amounts and its calls; both lists are
 * sorted by function.
 */
static void add_functions(struct making *making)
{
	static const char *const words[] = { "ob", "fl", "fn" };
	size_t self_amounts = 0, call = 0;

	sums_sort(&making->self_amounts, compare, NULL);
	sums_sort(&making->calls, compare, NULL);
	while (self_amounts < making->self_amounts.keys.count || call < making->calls.keys.count) {
		uint64_t function = UINT64_MAX;

		if (self_amounts < making->self_amounts.keys.count)
			function = sums_key(&making->self_amounts, making->self_amounts.order[self_amounts])[0];
		if (call < making->calls.keys.count) {
			uint64_t other = sums_key(&making->calls, making->calls.order[call])[0];

			function = other < function ? other : function;
		}
		strbuf_addch(&making->exporting->out, '\n');
		add_function(making, function, words);
		for (; self_amounts < making->self_amounts.keys.count; self_amounts++) {
			const uint64_t *key = sums_key(&making->self_amounts, making->self_amounts.order[self_amounts]);

			if (key[0] != function)
				break;
			add_amounts(&making->exporting->out, key[1],
				    sums_values(&making->self_amounts, making->self_amounts.order[self_amounts]));
		}
		for (; call < making->calls.keys.count &&
		       sums_key(&making->calls, making->calls.order[call])[0] == function;
		     call++)
			add_calls(making, making->calls.order[call]);
	}
}

static void add_header(struct making *making)
{
	const struct profile *profile = making->view->profile;
	struct strbuf *out = &making->exporting->out;

	strbuf_addstr(out, "# callgrind format\nversion: 1\ncreator: vigil ");
	add_name(out, profile_attribute(profile, ATTR_VERSION));
	strbuf_addstr(out, "\ncmd: ");
	add_name(out, *profile_attribute(profile, ATTR_COMMAND)
			      ? profile_attribute(profile, ATTR_COMMAND)
			      : making->exporting->request->name);
	strbuf_addstr(out, "\npositions: line\n"
			   "event: Samples : CPU samples\nevent: CpuNs : CPU time, ns\n"
			   "event: Waits : Waits\nevent: WaitNs : Charged wait, ns\n"
			   "events: Samples CpuNs Waits WaitNs\nsummary:");
	for (size_t i = 0; i < EVENTS; i++)
		strbuf_addf(out, " %" PRIu64, making->totals[i]);
	strbuf_addch(out, '\n');
}

static void making_init(struct making *making, struct exporting *exporting)
{
	memset(making, 0, sizeof(*making));
	making->exporting = exporting;
	making->view = &exporting->stacks;
	sums_init(&making->self_amounts, 2, EVENTS);
	sums_init(&making->calls, 3, CALL_AMOUNTS);
	sums_init(&making->stacks, 2, EVENTS);
	strmap_init(&making->wait_names);
	strmap_init(&making->files);
	strmap_init(&making->functions);
	strmap_init(&making->objects);
}

static void making_release(struct making *making)
{
	sums_release(&making->self_amounts);
	sums_release(&making->calls);
	sums_release(&making->stacks);
	strmap_release(&making->wait_names);
	strmap_release(&making->files);
	strmap_release(&making->functions);
	strmap_release(&making->objects);
	stack_path_release(&making->path);
}

static void write_callgrind(struct exporting *exporting)
{
	const struct stack_view *view = &exporting->stacks;
	struct making making;

	making_init(&making, exporting);
	for (size_t i = 0; i < view->cpu_count; i++) {
		const uint64_t amounts[EVENTS] = { view->cpu[i].count, view->cpu[i].time, 0, 0 };

		const uint64_t key[] = { view->cpu[i].stack, 0 };

		add(sums_at(&making.stacks, key), amounts);
	}
	for (size_t i = 0; i < view->wait_count; i++)
		add_wait(&making, &view->waits[i]);
	for (size_t i = 0; i < making.stacks.keys.count; i++) {
		const uint64_t *key = sums_key(&making.stacks, i);

		add_stack(&making, key[0], key[1], sums_values(&making.stacks, i));
	}
	add_header(&making);
	add_functions(&making);
	making_release(&making);
}

const struct export_form callgrind_form = { "callgrind", "callgrind.out for callgrind_annotate",
					    EXPORT_STACKS, write_callgrind };
