/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text as perf script prints it: for each sample a line with task, time, amount
 * and event, followed by its frames, innermost first. A CPU sample is a cpu-clock
 * event with the ns it represents. The waits of a task at one place in a snapshot
 * are one vigil:wait event with the charged ns; its innermost frame is the wait's
 * reason and file.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/utf8.h"
#include "common/xalloc.h"
#include "exports/timed.h"
#include "profile/label.h"
#include "records/record-types.h"

struct making {
	struct exporting *exporting;
	const struct stack_view *view;
	char **frames; /* by frame number: its lines; NULL: not made yet */
	struct keymap head_keys;
	char **heads; /* by task: "comm pid/tid " */
	size_t head_alloc;
	uint64_t zero;
};

/* Appends a name, without line ends. */
static void add_name(struct strbuf *sb, const char *name)
{
	size_t length;

	for (; *name; name += length) {
		uint32_t code = utf8_decode(name, &length);

		if (code < 0x20 || code == 0x7f || code == UINT32_MAX)
			strbuf_addstr(sb, "\xef\xbf\xbd");
		else
			strbuf_add(sb, name, length);
	}
}

/* Appends a frame's file in perf's notation. */
static void add_object(struct making *making, struct strbuf *sb,
		       const struct stack_function *function)
{
	const struct profile *profile = making->view->profile;
	const struct record_object *object =
		function->object == SIZE_MAX ? NULL
					     : id_table_at(&profile->objects, function->object);

	if (!object)
		strbuf_addstr(sb, "[unknown]");
	else if (object->kind == OBJECT_KERNEL)
		strbuf_addstr(sb, "[kernel.kallsyms]");
	else
		add_name(sb, profile_text(profile, object->path));
}

/* Returns the lines of a frame, one per inlining level. */
static const char *lines_of(struct making *making, size_t frame)
{
	const struct stack_view *view = making->view;
	const struct place *place = &view->profile->attribution.places[frame];
	size_t last = view->first[frame + 1] - 1;
	struct strbuf lines = STRBUF_INIT;

	if (making->frames[frame])
		return making->frames[frame];
	for (size_t at = view->first[frame]; at <= last; at++) {
		const struct stack_function *function = &view->functions[view->levels[at].function];

		strbuf_addf(&lines, "\t%16" PRIx64 " ", place->offset);
		add_name(&lines, function->named ? function->name : "[unknown]");
		if (at == last && at == view->first[frame] && function->named && place->size &&
		    place->offset >= place->start)
			strbuf_addf(&lines, "+0x%" PRIx64, place->offset - place->start);
		strbuf_addstr(&lines, " (");
		if (at == last)
			add_object(making, &lines, function);
		else
			strbuf_addstr(&lines, "inlined");
		strbuf_addstr(&lines, ")\n");
	}
	return making->frames[frame] = strbuf_detach(&lines, NULL);
}

/* "comm pid/tid ". */
static char *make_head(const struct profile *profile, uint64_t task)
{
	const struct record_task *record = id_table_get(&profile->tasks, task);
	const struct record_process *process =
		record ? id_table_get(&profile->processes, record->process) : NULL;
	struct strbuf head = STRBUF_INIT;

	add_name(&head, record ? profile_text(profile, record->name) : "");
	if (!head.length)
		strbuf_addstr(&head, ":unknown");
	strbuf_addf(&head, " %5" PRIu64 "/%-5" PRIu64 " ", process ? process->pid : 0,
		    record ? record->tid : 0);
	return strbuf_detach(&head, NULL);
}

/* Returns the beginning of a task's samples. */
static const char *head_of(struct making *making, uint64_t task)
{
	size_t before = making->head_keys.count, number = keymap_put(&making->head_keys, &task);

	GROW(making->heads, number + 1, making->head_alloc);
	if (number == before)
		making->heads[number] = make_head(making->view->profile, task);
	return making->heads[number];
}

/* Appends a time in seconds with nine decimal places. */
static void add_time(struct strbuf *out, uint64_t ns)
{
	char digits[10] = "000000000";

	strbuf_addnum(out, ns / NSEC_PER_SEC);
	ns %= NSEC_PER_SEC;
	for (size_t i = 9; i-- > 0; ns /= 10)
		digits[i] = (char)('0' + ns % 10);
	strbuf_addch(out, '.');
	strbuf_addstr(out, digits);
}

static void begin_sample(struct making *making, uint64_t task, uint64_t time, uint64_t amount,
			 const char *event)
{
	struct strbuf *out = &making->exporting->out;

	strbuf_addstr(out, head_of(making, task));
	add_time(out, making->zero + time);
	strbuf_addstr(out, ": ");
	strbuf_addnum(out, amount);
	strbuf_addstr(out, event);
}

static void end_sample(struct making *making, size_t stack)
{
	struct strbuf *out = &making->exporting->out;

	do {
		strbuf_addstr(out, lines_of(making, stack_view_frame(making->view, stack)));
		stack = stack_view_parent(making->view, stack);
	} while (stack != ATTRIBUTION_NONE);
	strbuf_addch(out, '\n');
	export_flush_if_large(making->exporting);
}

static void take_sample(void *argument, const struct timed_sample *sample)
{
	struct making *making = argument;

	begin_sample(making, sample->task, sample->end, sample->cpu, " cpu-clock: \n");
	end_sample(making, sample->stack);
}

static void take_wait(void *argument, const struct timed_wait *wait)
{
	struct making *making = argument;
	struct strbuf *out = &making->exporting->out, label = STRBUF_INIT;

	if (!wait->row->charged)
		return;
	label_wait(making->view->profile, wait->row->reason, wait->row->file, &label);
	begin_sample(making, wait->row->task, wait->end, wait->row->charged, " vigil:wait: \n");
	strbuf_addf(out, "\t%16x (", 0);
	add_name(out, label.text);
	strbuf_addstr(out, ") ([wait])\n");
	end_sample(making, wait->stack);
	strbuf_release(&label);
}

static void write_perf_script(struct exporting *exporting)
{
	struct making making = { .exporting = exporting, .view = &exporting->stacks };
	const struct profile *profile = making.view->profile;
	const struct timed_sink taker = { take_sample, take_wait, &making };

	making.zero = profile_start(profile);
	making.frames = xcalloc(profile->attribution.place_count + 1, sizeof(*making.frames));
	keymap_init(&making.head_keys, 1);
	timed_read(exporting, &taker);
	for (size_t i = 0; i <= profile->attribution.place_count; i++)
		free(making.frames[i]);
	for (size_t i = 0; i < making.head_keys.count; i++)
		free(making.heads[i]);
	free(making.frames);
	free(making.heads);
	keymap_release(&making.head_keys);
}

const struct export_form perf_script_form = { "perf-script", "text in the format of perf script",
					      EXPORT_STACKS, write_perf_script };
