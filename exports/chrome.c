/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace events for the timelines of Chrome, Perfetto and others. Each task has up
 * to three tracks: its nested function slices, built from its CPU samples; its
 * transactions, each from the first to the last consecutive sample; and its waits.
 * Only the snapshot of a wait is known, so the waits of a snapshot are drawn one
 * after the other. The args of a slice have the self amounts of CPU time.
 */
#include "common/compat.h"
#include "common/json.h"
#include "common/xalloc.h"
#include "exports/timed.h"
#include "profile/label.h"
#include "records/record-types.h"

/* two samples of a task with at most this many periods between them are one run */
#define MAX_GAP_PERIODS 2
/* first number of threads that do not exist in the system, used for tracks */
#define FIRST_TRACK_TID UINT64_C(100000000)

enum track { TRACK_CPU, TRACK_TRANSACTIONS, TRACK_WAITS, TRACKS };
static const char *const track_names[TRACKS] = { "", ": transactions", ": waits" };

/* A function being executed, or a transaction. */
struct slice {
	uint64_t what, start, samples, cpu; /* samples and cpu: self */
};

/* A task on the timeline. */
struct lane {
	uint64_t task, pid, tid;
	struct slice *open; /* outermost first */
	size_t depth, alloc;
	uint64_t end;		  /* of the last sample */
	struct slice transaction; /* what: its id, 0: none */
	uint64_t wait_end;
	bool named[TRACKS];
	char *head; /* beginning of its slices of CPU time */
};

struct making {
	struct exporting *exporting;
	const struct stack_view *view;
	struct keymap lane_keys; /* task */
	struct lane *lanes;
	size_t lane_alloc;
	struct idmap tids; /* the task that has each tid */
	char **names;	   /* of functions, as JSON */
	char **slices;	   /* of functions: the rest of their slices after the lane's head */
	bool *stack_used;  /* by stack number, and one more for no stack */
	uint64_t max_gap; /* maximum ns between two samples of one run */
	struct stack_path path;
	struct slice *next; /* stack of the current sample */
	size_t next_alloc;
	bool any;
};

/* Begins an event on a track of a lane. */
static void begin_event(struct making *making, const struct lane *lane, enum track track,
			const char *phase)
{
	struct strbuf *out = &making->exporting->out;

	strbuf_addstr(out, making->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	strbuf_addstr(out, phase);
	strbuf_addstr(out, "\",\"pid\":");
	strbuf_addnum(out, lane->pid);
	strbuf_addstr(out, ",\"tid\":");
	strbuf_addnum(out,
		      track == TRACK_CPU ? lane->tid : FIRST_TRACK_TID + lane->task * TRACKS + track);
	making->any = true;
}

/* Writes the name of a track the first time it is used. */
static void name_track(struct making *making, struct lane *lane, enum track track)
{
	struct strbuf *out = &making->exporting->out, label = STRBUF_INIT;

	if (lane->named[track])
		return;
	lane->named[track] = true;
	label_task(making->view->profile, lane->task, &label);
	if (!label.length)
		strbuf_addstr(&label, "(task not known)");
	strbuf_addstr(&label, track_names[track]);
	begin_event(making, lane, track, "M");
	strbuf_addstr(out, ",\"name\":\"thread_name\",\"args\":{\"name\":");
	json_string(out, label.text);
	strbuf_addstr(out, "}}");
	begin_event(making, lane, track, "M");
	strbuf_addf(out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%" PRIu64 "}}",
		    lane->task * TRACKS + track);
	strbuf_release(&label);
}

/* Returns the common beginning of a lane's slices of CPU time, of which there may be millions. */
static char *make_head(const struct lane *lane)
{
	struct strbuf head = STRBUF_INIT;

	strbuf_addf(&head, ",\n{\"ph\":\"X\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64, lane->pid,
		    lane->tid);
	return strbuf_detach(&head, NULL);
}

/* Sets the pid and tid of a lane, and writes the name of its process. */
static void begin_lane(struct making *making, struct lane *lane)
{
	const struct profile *profile = making->view->profile;
	const struct record_task *task = id_table_get(&profile->tasks, lane->task);
	const struct record_process *process =
		task ? id_table_get(&profile->processes, task->process) : NULL;
	struct strbuf *out = &making->exporting->out;
	uint64_t other;

	lane->pid = process ? process->pid : 0;
	lane->tid = task ? task->tid : FIRST_TRACK_TID + lane->task * TRACKS;
	/* the system reuses tids */
	if (idmap_get(&making->tids, lane->tid, &other))
		lane->tid = FIRST_TRACK_TID + lane->task * TRACKS;
	idmap_put(&making->tids, lane->tid, lane->task);
	begin_event(making, lane, TRACK_CPU, "M");
	strbuf_addstr(out, ",\"name\":\"process_name\",\"args\":{\"name\":");
	json_string(out, process ? profile_text(profile, process->program) : "");
	strbuf_addstr(out, "}}");
	lane->head = make_head(lane);
}

static struct lane *lane_of(struct making *making, uint64_t task)
{
	size_t before = making->lane_keys.count, number = keymap_put(&making->lane_keys, &task);

	GROW(making->lanes, number + 1, making->lane_alloc);
	if (number == before) {
		making->lanes[number] = (struct lane){ .task = task };
		begin_lane(making, &making->lanes[number]);
	}
	return &making->lanes[number];
}

/* Appends the start and duration of a slice. */
static void add_times(struct strbuf *out, uint64_t start, uint64_t end)
{
	strbuf_addstr(out, ",\"ts\":");
	json_time(out, start, 1000);
	strbuf_addstr(out, ",\"dur\":");
	json_time(out, end - start, 1000);
}

static void add_amounts(struct strbuf *out, const struct slice *slice)
{
	strbuf_addstr(out, ",\"args\":{\"samples\":");
	strbuf_addnum(out, slice->samples);
	strbuf_addstr(out, ",\"cpu_ns\":");
	strbuf_addnum(out, slice->cpu);
	strbuf_addstr(out, "}}");
}

/* Writes the slices of a lane from depth on, which end at the lane's end. */
static void close_slices(struct making *making, struct lane *lane, size_t depth)
{
	struct strbuf *out = &making->exporting->out;

	while (lane->depth > depth) {
		const struct slice *slice = &lane->open[--lane->depth];

		name_track(making, lane, TRACK_CPU);
		strbuf_addstr(out, lane->head);
		strbuf_addstr(out, making->slices[slice->what]);
		json_time(out, slice->start, 1000);
		strbuf_addstr(out, ",\"dur\":");
		json_time(out, lane->end - slice->start, 1000);
		if (slice->samples)
			add_amounts(out, slice);
		else
			strbuf_addch(out, '}');
	}
	export_flush_if_large(making->exporting);
}

static void close_transaction(struct making *making, struct lane *lane)
{
	struct strbuf *out = &making->exporting->out;
	const struct slice *slice = &lane->transaction;

	if (slice->what) {
		name_track(making, lane, TRACK_TRANSACTIONS);
		begin_event(making, lane, TRACK_TRANSACTIONS, "X");
		strbuf_addstr(out, ",\"cat\":\"transaction\",\"name\":");
		json_string(out, label_transaction(making->view->profile, slice->what));
		add_times(out, slice->start, lane->end);
		add_amounts(out, slice);
	}
	lane->transaction.what = 0;
}

/* Stores the functions of a stack in making->next, outermost first; returns their count. */
static size_t expand(struct making *making, size_t stack)
{
	const struct stack_view *view = making->view;
	size_t count = 0;

	stack_path_set(&making->path, view, stack);
	for (size_t i = 0; i < making->path.count; i++) {
		size_t frame = stack_view_frame(view, making->path.stacks[i]);

		for (size_t at = view->first[frame + 1]; at-- > view->first[frame]; count++) {
			GROW(making->next, count + 1, making->next_alloc);
			making->next[count] = (struct slice){ .what = view->levels[at].function };
		}
	}
	return count;
}

static void take_transaction(struct making *making, struct lane *lane,
			     const struct timed_sample *sample, uint64_t start)
{
	if (lane->transaction.what != sample->transaction) {
		close_transaction(making, lane);
		lane->transaction = (struct slice){ .what = sample->transaction, .start = start };
	}
	lane->transaction.samples++;
	lane->transaction.cpu += sample->cpu;
}

static void take_sample(void *argument, const struct timed_sample *sample)
{
	struct making *making = argument;
	struct lane *lane = lane_of(making, sample->task);
	size_t count = expand(making, sample->stack), same = 0;
	uint64_t start = sample->end > sample->cpu ? sample->end - sample->cpu : 0;

	/* the sample continues a run; otherwise a new one begins */
	if (start <= lane->end + making->max_gap) {
		start = lane->end;
	} else {
		close_slices(making, lane, 0);
		close_transaction(making, lane);
	}
	while (same < count && same < lane->depth &&
	       lane->open[same].what == making->next[same].what)
		same++;
	close_slices(making, lane, same);
	take_transaction(making, lane, sample, start);
	GROW(lane->open, count + 1, lane->alloc);
	for (; lane->depth < count; lane->depth++) {
		lane->open[lane->depth] = making->next[lane->depth];
		lane->open[lane->depth].start = start;
	}
	lane->open[count - 1].samples++;
	lane->open[count - 1].cpu += sample->cpu;
	if (sample->end > lane->end)
		lane->end = sample->end;
	if (start > lane->end)
		lane->end = start;
}

/* Appends a wait's attributes other than its times. */
static void add_wait_args(struct making *making, const struct timed_wait *wait)
{
	const struct profile *profile = making->view->profile;
	const struct place *caller = attribution_caller(&profile->attribution, wait->stack);
	const struct record_wait *row = wait->row;
	struct strbuf *out = &making->exporting->out, file = STRBUF_INIT;

	strbuf_addstr(out, ",\"args\":{\"reason\":");
	json_string(out, label_reason(row->reason));
	if (row->file) {
		label_file(profile, row->file, &file);
		json_key(out, "file", false);
		json_string(out, file.text);
		if (*label_data_set(profile, row->file)) {
			json_key(out, "dataset", false);
			json_string(out, label_data_set(profile, row->file));
		}
	}
	if (row->transaction) {
		json_key(out, "transaction", false);
		json_string(out, label_transaction(profile, row->transaction));
	}
	if (caller) {
		json_key(out, "at", false);
		json_string(out, profile_text(profile, caller->procedure));
	}
	strbuf_addf(out,
		    ",\"waits\":%" PRIu64 ",\"blocked_ns\":%" PRIu64 ",\"charged_ns\":%" PRIu64
		    "}}",
		    row->count, row->total, row->charged);
	strbuf_release(&file);
}

static void take_wait(void *argument, const struct timed_wait *wait)
{
	struct making *making = argument;
	struct lane *lane = lane_of(making, wait->row->task);
	const struct profile *profile = making->view->profile;
	struct strbuf *out = &making->exporting->out, label = STRBUF_INIT;
	uint64_t start = lane->wait_end > wait->start ? lane->wait_end : wait->start;
	size_t stack = wait->stack == ATTRIBUTION_NONE ? profile->stacks.count : wait->stack;

	name_track(making, lane, TRACK_WAITS);
	label_wait(profile, wait->row->reason, wait->row->file, &label);
	begin_event(making, lane, TRACK_WAITS, "X");
	strbuf_addstr(out, ",\"cat\":\"wait\",\"name\":");
	json_string(out, label.text);
	add_times(out, start, start + wait->row->total);
	strbuf_addf(out, ",\"sf\":\"%zu\"", stack);
	making->stack_used[stack] = true;
	add_wait_args(making, wait);
	lane->wait_end = start + wait->row->total;
	export_flush_if_large(making->exporting);
	strbuf_release(&label);
}

/* Writes the stacks of waits, each as a frame called by its parent. */
static void add_stacks(struct making *making)
{
	const struct stack_view *view = making->view;
	struct strbuf *out = &making->exporting->out;
	size_t count = view->profile->stacks.count;
	const char *comma = "";

	/* a parent has a lower number */
	for (size_t i = count; i-- > 0;) {
		size_t parent = stack_view_parent(view, i);

		if (making->stack_used[i] && parent != ATTRIBUTION_NONE)
			making->stack_used[parent] = true;
	}
	for (size_t i = 0; i <= count; i++) {
		size_t stack = i == count ? ATTRIBUTION_NONE : i;
		size_t parent = stack_view_parent(view, stack),
		       frame = stack_view_frame(view, stack);
		const struct stack_level *level = &view->levels[view->first[frame]];

		if (!making->stack_used[i])
			continue;
		strbuf_addf(out, "%s\n\"%zu\":{\"category\":", comma, i);
		json_string(out, view->functions[level->function].module);
		strbuf_addstr(out, ",\"name\":");
		strbuf_addstr(out, making->names[level->function]);
		if (parent != ATTRIBUTION_NONE)
			strbuf_addf(out, ",\"parent\":\"%zu\"", parent);
		strbuf_addch(out, '}');
		comma = ",";
		export_flush_if_large(making->exporting);
	}
}

static void making_init(struct making *making, struct exporting *exporting)
{
	const struct stack_view *view = &exporting->stacks;

	memset(making, 0, sizeof(*making));
	making->exporting = exporting;
	making->view = view;
	making->max_gap = MAX_GAP_PERIODS * profile_period(view->profile);
	keymap_init(&making->lane_keys, 1);
	idmap_init(&making->tids);
	making->stack_used = xcalloc(view->profile->stacks.count + 1, sizeof(bool));
	making->names = xcalloc(view->function_count + 1, sizeof(*making->names));
	making->slices = xcalloc(view->function_count + 1, sizeof(*making->slices));
	for (size_t i = 0; i < view->function_count; i++) {
		struct strbuf name = STRBUF_INIT, slice = STRBUF_INIT;

		json_string(&name, view->functions[i].name);
		strbuf_addf(&slice, ",\"cat\":\"cpu\",\"name\":%s,\"ts\":", name.text);
		making->slices[i] = strbuf_detach(&slice, NULL);
		making->names[i] = strbuf_detach(&name, NULL);
	}
}

static void making_release(struct making *making)
{
	for (size_t i = 0; i < making->view->function_count; i++) {
		free(making->names[i]);
		free(making->slices[i]);
	}
	for (size_t i = 0; i < making->lane_keys.count; i++) {
		free(making->lanes[i].open);
		free(making->lanes[i].head);
	}
	free(making->names);
	free(making->slices);
	free(making->lanes);
	free(making->stack_used);
	free(making->next);
	stack_path_release(&making->path);
	keymap_release(&making->lane_keys);
	idmap_release(&making->tids);
}

static void write_chrome(struct exporting *exporting)
{
	const struct profile *profile = exporting->stacks.profile;
	struct strbuf *out = &exporting->out;
	struct making making;
	const struct timed_sink taker = { take_sample, take_wait, &making };

	making_init(&making, exporting);
	strbuf_addstr(
		out,
		"{\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"producer\":\"vigil\",\"program\":");
	json_string(out, exporting->request->name);
	json_key(out, "damage", false);
	json_string(out, profile_damage(profile));
	strbuf_addf(out, ",\"start_ns_since_1970\":\"%" PRIu64 "\"},\n\"traceEvents\":[",
		    exporting->request->start);
	timed_read(exporting, &taker);
	for (size_t i = 0; i < making.lane_keys.count; i++) {
		close_slices(&making, &making.lanes[i], 0);
		close_transaction(&making, &making.lanes[i]);
	}
	strbuf_addstr(out, "],\n\"stackFrames\":{");
	add_stacks(&making);
	strbuf_addstr(out, "}}\n");
	making_release(&making);
}

const struct export_form chrome_form = { "chrome", "trace events for Chrome and Perfetto",
					 EXPORT_STACKS, write_chrome };
