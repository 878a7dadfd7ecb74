/* SPDX-License-Identifier: Apache-2.0 */
/* Makes EVENT rows from slots of the data pool. */
#include "common/compat.h"
#include "events/decoder.h"
#include "agent/event-patch-area.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "events/addresses.h"
#include "events/settle.h"
#include "events/tallies.h"
#include "records/record-types.h"

#include <sys/stat.h>

/* ns within which the first event of an image follows the end of the previous image's threads. */
#define EXEC_WITHIN NSEC_PER_SEC
/* Maximum number of slots of a forked process that wait for its parent's. */
#define HELD_MAX 65536
/* Number of events as the setter of a transaction at an exec, for transactions_schedule. */
#define BY_EVENTS UINT64_MAX

/* An event before it becomes a row. */
struct event {
	enum event_type type;
	uint64_t time;
	uint32_t program;
	struct event_place place; /* of a statement, section, paragraph or call */
	int64_t code;
	uint64_t data; /* string */
};

void event_decoder_init(struct event_decoder *decoder, struct event_pool *pool,
			struct event_sites *sites, struct transaction_history *history,
			struct event_filter *filter, struct engine *engine)
{
	*decoder = (struct event_decoder){ .pool = pool,
					   .sites = sites,
					   .history = history,
					   .filter = filter,
					   .engine = engine,
					   .gap = EVENT_GAP_NS };
	idmap_init(&decoder->by_pid);
	idmap_init(&decoder->behind);
	library_events_init(&decoder->library, pool, engine);
	recordset_init(&decoder->rows, &record_types[RECORD_EVENT]);
	recordset_init(&decoder->late, &record_types[RECORD_EVENT]);
	recordset_init(&decoder->runs, &record_types[RECORD_EVENT_RUN]);
}

void event_decoder_release(struct event_decoder *decoder)
{
	for (size_t i = 0; i < decoder->task_count; i++) {
		free(decoder->tasks[i]->frames);
		free(decoder->tasks[i]->held);
		free(decoder->tasks[i]->waiting);
		free(decoder->tasks[i]->tallied.steps);
		if (decoder->tasks[i]->run)
			event_run_writer_release(decoder->tasks[i]->run);
		free(decoder->tasks[i]->run);
		free(decoder->tasks[i]);
	}
	for (size_t i = 0; i < decoder->process_count; i++) {
		space_drop(decoder->processes[i]->space);
		free(decoder->processes[i]);
	}
	event_contexts_release(&decoder->contexts);
	free(decoder->tasks);
	free(decoder->processes);
	idmap_release(&decoder->by_pid);
	idmap_release(&decoder->behind);
	library_events_release(&decoder->library);
	recordset_release(&decoder->rows);
	recordset_release(&decoder->late);
	recordset_release(&decoder->runs);
	free(decoder->running);
}

/* Returns the newest process with a pid; NULL: none. */
static struct event_process *find_process(const struct event_decoder *decoder, pid_t pid)
{
	uint64_t index;

	return idmap_get(&decoder->by_pid, (uint64_t)pid, &index) ? decoder->processes[index]
								  : NULL;
}

/* Records that a thread had ended by a time; its last event was at an earlier one (told). */
static void forget_transaction(struct event_decoder *decoder, pid_t tid, uint64_t written_at,
			       uint64_t time)
{
	transaction_history_forget(decoder->history, tid, written_at);
	if (decoder->led)
		transactions_schedule_end(decoder->led, tid, time);
}

/* A thread begins: the one that had its number before has ended. */
static void begin_thread(struct event_decoder *decoder, pid_t tid, uint64_t time)
{
	forget_transaction(decoder, tid, time - 1, time - 1);
}

static struct event_process *add_process(struct event_decoder *decoder, pid_t pid, uint64_t time)
{
	struct event_process *process = xcalloc(1, sizeof(*process));

	process->pid = pid;
	process->start = time;
	process->space = space_new();
	process->changed = true;
	GROW(decoder->processes, decoder->process_count + 1, decoder->process_alloc);
	idmap_put(&decoder->by_pid, (uint64_t)pid, decoder->process_count);
	process->index = decoder->process_count;
	decoder->processes[decoder->process_count++] = process;
	return process;
}

/* Adds a row of a task after the anchor. */
static void put_row(struct event_decoder *decoder, struct event_task *task,
		    struct event_waiting *row)
{
	row->level = (uint32_t)task->frame_count;
	row->transaction =
		(uint32_t)transaction_history_at(decoder->history, task->tid, row->time);
	event_settle_reserve(task, 1);
	task->waiting_times += row->time != event_settle_last(task);
	task->waiting[task->waiting_count++] = *row;
	task->waiting_other += row->data || row->transaction || task->database_calls;
}

/* Adds an MB: time from here on does not count for the task's last event. */
static void put_block(struct event_decoder *decoder, struct event_task *task, uint64_t time,
		      enum event_block block)
{
	struct event_waiting row = { .time = time,
				     .code = block ? (int64_t)block : INT64_MIN };

	if (!task->running)
		return;
	task->running = false;
	row.site = (uint32_t)event_sites_get(decoder->sites, EVENT_MB, 0, NULL);
	decoder->offered++;
	put_row(decoder, task, &row);
}

/*
 * Returns whether a task's present slot is used only to keep levels and names
 * right: in a pause, where the session's MP has ended the last event, and in vigil
 * itself. It is no event, and filters do not count it.
 */
static bool is_uncounted(const struct event_decoder *decoder, const struct event_task *task)
{
	return decoder->paused || (task->process && task->process->is_vigil);
}

/*
 * Records that a database call begins or ends with the newest event. The sums of
 * steps do not show where calls begin and end, nor what ends the calls that are
 * open: a run holds neither these events nor those in between. (After a call that
 * was left by a jump, and so has no end, the task has rows only.)
 */
static void note_database_call(struct event_task *task, enum event_type type)
{
	task->waiting_other++;
	if (type == EVENT_DB)
		task->database_calls++;
	else if (task->database_calls)
		task->database_calls--;
}

/* Adds an event of a task if it is kept; returns its site, else 0. */
static uint64_t put(struct event_decoder *decoder, struct event_task *task,
		    const struct event *event)
{
	struct event_waiting row = { .time = event->time,
				     .code = event->code,
				     .data = (uint32_t)event->data };
	enum event_verdict verdict;

	task->changed = true;
	if (is_uncounted(decoder, task)) {
		task->running = false;
		return 0;
	}
	decoder->offered++;
	verdict = event_filter_judge(decoder->filter, event->type, event->program, event->place.line, event->time);
	if (verdict == EVENT_BLOCKED_HERE)
		put_block(decoder, task, event->time, EVENT_BLOCK_FILTERS);
	if (verdict != EVENT_KEPT)
		return 0;
	row.site = (uint32_t)event_sites_get(decoder->sites, event->type, event->program,
					     &event->place);
	put_row(decoder, task, &row);
	if (event->type == EVENT_DB || event->type == EVENT_DA)
		note_database_call(task, event->type);
	task->running = true;
	return row.site;
}

/* Adds an event of a type at a program, without code, data or place. */
static void put_plain(struct event_decoder *decoder, struct event_task *task, enum event_type type,
		      uint64_t time, uint32_t program)
{
	put(decoder, task,
	    &(struct event){ .type = type, .time = time, .program = program, .code = INT64_MIN });
}

/* Returns the program active in a task: of its innermost frame, or its process's executable. */
static uint32_t active(const struct event_task *task)
{
	if (task->frame_count)
		return task->frames[task->frame_count - 1].program;
	return task->process ? task->process->program : 0;
}

/* Adds an event at the active program. */
static void put_here(struct event_decoder *decoder, struct event_task *task, enum event_type type,
		     uint64_t time, int64_t code, uint64_t data)
{
	put(decoder, task,
	    &(struct event){ .type = type,
			     .time = time,
			     .program = active(task),
			     .code = code,
			     .data = data });
}

static void begin_frame(struct event_decoder *decoder, struct event_task *task, uint64_t time,
			uint32_t program, uint64_t key)
{
	GROW(task->frames, task->frame_count + 1, task->frame_alloc);
	task->frames[task->frame_count++] = (struct event_frame){ program, key };
	put_plain(decoder, task, EVENT_PS, time, program);
}

/* Ends the frame with a key and all that it called; its caller resumes. */
static void end_frame(struct event_decoder *decoder, struct event_task *task, uint64_t time,
		      uint64_t key)
{
	size_t depth = task->frame_count;

	while (depth > 0 && task->frames[depth - 1].key != key)
		depth--;
	/* It had begun before collecting began. */
	if (!depth)
		return;
	while (task->frame_count >= depth) {
		put_plain(decoder, task, EVENT_PT, time, active(task));
		task->frame_count--;
	}
	if (task->frame_count)
		put_plain(decoder, task, EVENT_PR, time, active(task));
	else if (event_filter_blocks(decoder->filter))
		put_block(decoder, task, time, EVENT_BLOCK_FILTERS);
}

/* Returns whether a path is that of the running program, vigil. */
static bool is_vigil_program(const char *path)
{
	char self[PROCFS_PATH_SIZE];
	struct stat own, other;

	return stat(procfs_process(self, PROCFS_SELF, "exe"), &own) == 0 &&
	       stat(path, &other) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

/* Return a task's frames, and set them. */
static struct event_frames frames_of(const struct event_task *task)
{
	return (struct event_frames){ task->frames, task->frame_count, task->frame_alloc };
}

static void set_frames(struct event_task *task, struct event_frames frames)
{
	task->frames = frames.all;
	task->frame_count = frames.count;
	task->frame_alloc = frames.alloc;
}

/* Switches a task to another context, where that had stopped. */
static void change_context(struct event_decoder *decoder, struct event_task *task, uint64_t number,
			   uint64_t time)
{
	struct event_frames frames = { 0 };

	if (!number)
		number = EVENT_CONTEXT_OF_THREAD(task->tid);
	if (!task->context)
		task->context = EVENT_CONTEXT_OF_THREAD(task->tid);
	if (task->context == number)
		return;
	if (task->frame_count)
		event_contexts_keep(&decoder->contexts, task->pid, task->context, frames_of(task));
	else
		free(task->frames);
	task->context = number;
	task->at_statement = 0;
	event_contexts_take(&decoder->contexts, task->pid, number, &frames);
	set_frames(task, frames);
	if (frames.count)
		put_plain(decoder, task, EVENT_PR, time, active(task));
}

/* Begins a forked process: frames active in its parent are active here. */
static void inherit(struct event_decoder *decoder, struct event_task *task, uint64_t time)
{
	struct event_process *process = task->process;
	struct event_frames frames = { 0 };

	process->forked = !event_contexts_take(&decoder->contexts, process->parent,
					       EVENT_CONTEXT_OF_FORK(process->fork), &frames);
	if (process->forked)
		return;
	free(task->frames);
	set_frames(task, frames);
	if (frames.count)
		put_plain(decoder, task, EVENT_PR, time, active(task));
}

/* Returns the process that a task waits for; NULL: it does not wait. */
static struct event_process *waited_for(const struct event_task *task)
{
	if (task && task->behind && task->behind->forked)
		return task->behind;
	return task && task->process && task->process->forked ? task->process : NULL;
}

/* Returns the process that the events and children of a process wait for; NULL: none. */
static struct event_process *waited_for_by(const struct event_decoder *decoder, pid_t pid)
{
	struct event_process *process = NULL;
	uint64_t index;

	if (idmap_get(&decoder->behind, (uint64_t)pid, &index))
		process = decoder->processes[index];
	if (!process || !process->forked)
		process = find_process(decoder, pid);
	return process && process->forked ? process : NULL;
}

/*
 * Returns the process that a lane waits for with a slot; NULL: none. A forked
 * process waits for its parent's frames; its other tasks, an image that it has
 * executed, and its own children wait for it, since what it has mapped is in the
 * slots that wait.
 */
static struct event_process *slot_waits_for(const struct event_decoder *decoder,
					    const struct event_lane_reader *lane,
					    const struct event_slot *slot)
{
	struct event_process *process =
		lane->user ? waited_for(lane->user) : waited_for_by(decoder, lane->pid);

	if (!process && (slot->mark & 0xff) == EVENT_MARK_PROCESS && EVENT_PROCESS_FORKED(slot->mark))
		process = waited_for_by(decoder,
					EVENT_MARK_NUMBER(slot->mark & ~EVENT_MARK_PAUSED));
	return process;
}

/* Takes the slots that have waited for a process, in order. */
static void take_waiting(struct event_decoder *decoder, struct event_process *process)
{
	process->forked = false;
	for (size_t i = process->first_task - 1; i < decoder->task_count; i++) {
		struct event_task *task = decoder->tasks[i];
		struct event_slot *held = task->held;
		size_t count = task->held_count;

		if (!held || task->behind != process)
			continue;
		if (!task->start)
			task->process = find_process(decoder, task->pid);
		task->behind = NULL;
		task->held = NULL;
		task->held_count = task->held_alloc = 0;
		event_decoder_take(decoder, &task->held_lane, held, count);
		free(held);
	}
}

/* Takes the waiting slots of a task, whatever it waits for. */
static void release_task(struct event_decoder *decoder, const struct event_task *task)
{
	struct event_process *process;

	while ((process = waited_for(task)))
		take_waiting(decoder, process);
}

/* Stores slots of a task that wait for a process. */
static void hold(struct event_decoder *decoder, struct event_task *task,
		 struct event_process *process, const struct event_lane_reader *lane,
		 const struct event_slot *slots, size_t count)
{
	task->behind = process;
	idmap_put(&decoder->behind, (uint64_t)task->pid, process->index);
	GROW(task->held, task->held_count + count, task->held_alloc);
	memcpy(task->held + task->held_count, slots, count * sizeof(*slots));
	task->held_count += count;
	task->held_lane = *lane;
	task->held_lane.user = task;
	if (task->held_count > HELD_MAX)
		take_waiting(decoder, process);
}

/* Handles a fork that a task is about to make. Its child may exist already. */
static void put_fork(struct event_decoder *decoder, struct event_task *task, uint64_t fork)
{
	struct event_frames frames = frames_of(task);

	event_contexts_keep(&decoder->contexts, task->pid, EVENT_CONTEXT_OF_FORK(fork),
			    event_frames_copy(&frames));
	for (size_t i = decoder->task_count; i-- > 0;) {
		struct event_task *child = decoder->tasks[i];

		if (!child->process || !child->process->forked || child->number != child->process->first_task ||
		    child->process->parent != task->pid || child->process->fork != fork)
			continue;
		inherit(decoder, child, child->last);
		take_waiting(decoder, child->process);
		return;
	}
}

/* Adds the event of a process that executes another program. */
static void put_exec(struct event_decoder *decoder, struct event_task *task, uint64_t time, const char *path)
{
	put_here(decoder, task, EVENT_KX, time, INT64_MIN, engine_string(decoder->engine, path));
}

/*
 * After an exec of a process: any of its threads may have done it, which then has
 * the number of the first, and its transaction. If the threads were at different
 * transactions it is unknown which one continues, so none does.
 */
static void hand_over_transaction(struct event_decoder *decoder, const struct event_process *process,
				  uint64_t time)
{
	uint64_t first = transaction_history_at(decoder->history, process->pid, time);

	for (size_t i = 0; i < decoder->task_count; i++) {
		const struct event_task *task = decoder->tasks[i];

		if (task->process != process || task->tid == process->pid || task->end ||
		    transaction_history_at(decoder->history, task->tid, time) == first)
			continue;
		transaction_history_set(decoder->history, process->pid, time, 0);
		if (decoder->led)
			transactions_schedule(decoder->led, process->pid, time, 0, BY_EVENTS);
		return;
	}
}

/*
 * Makes rows of what the tasks of the image before have written: it was read before
 * this one, and they write no more.
 */
static void settle_image(struct event_decoder *decoder, const struct event_process *process)
{
	for (size_t i = 0; i < decoder->task_count; i++) {
		struct event_task *task = decoder->tasks[i];

		if (task->process != process || task->lane >= process->image || task->end)
			continue;
		event_tallies_left(decoder, task, true);
		event_settle_end(decoder, task);
	}
}

/*
 * Begins a new process image: the first, that of a fork, or another one by exec. A
 * process whose fork the agent has not seen (vfork, posix_spawn) is first seen by
 * what it executes; only the first process of all existed before the step.
 */
static void begin_process(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
			  uint64_t time, uint64_t lane)
{
	struct event_process *before = task->process, *process = before, *parent;
	bool forked = EVENT_PROCESS_FORKED(mark);
	uint32_t name = EVENT_MARK_NAME(mark);
	struct strbuf path = STRBUF_INIT;

	if (!process || process->end || forked) {
		process = add_process(decoder, task->pid, time);
		begin_thread(decoder, task->tid, time);
	}
	process->parent = EVENT_MARK_NUMBER(mark);
	process->name = name;
	process->program = event_sites_executable(decoder->sites, name);
	process->changed = true;
	process->image = lane;
	process->image_start = time;
	process->is_vigil = event_pool_name(decoder->pool, name, &path) && is_vigil_program(path.text);
	task->process = process;
	event_known_forget(&decoder->known);
	parent = forked ? find_process(decoder, process->parent) : NULL;
	if (parent) {
		/* It has the parent's mappings, at the same addresses. */
		space_drop(process->space);
		process->space = space_share(parent->space);
		process->image = parent->image;
		process->fork = EVENT_PROCESS_FORK(mark);
		process->first_task = task->number;
		inherit(decoder, task, time);
	} else if (process == before) {
		process->execs++;
		settle_image(decoder, process);
		hand_over_transaction(decoder, process, time);
		space_clear(&process->space);
		put_exec(decoder, task, time, path.text);
	} else if (!forked && process->index > 0) {
		put_exec(decoder, task, time, path.text);
	}
	strbuf_release(&path);
}

/* Records code that a process has mapped. */
static void map_object(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
		       uint64_t time, const struct event_slot *data)
{
	struct strbuf path = STRBUF_INIT;
	struct stat status;

	if (!task->process || !event_pool_name(decoder->pool, (uint32_t)EVENT_MARK_NUMBER(mark), &path)) {
		strbuf_release(&path);
		return;
	}
	event_known_forget(&decoder->known);
	if (stat(path.text, &status) == 0)
		space_map(&task->process->space, &decoder->sites->objects, task->pid,
			  EVENT_OBJECT_START(data->word), EVENT_OBJECT_SIZE(data->word), data->mark, path.text,
			  status.st_dev, status.st_ino);
	if (event_filter_load(decoder->filter, path.text))
		put_here(decoder, task, EVENT_PL, time, INT64_MIN,
			 engine_string(decoder->engine, path.text));
	strbuf_release(&path);
}

/* Adds a user event, with its text in the slots that follow. */
static void put_user(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
		     uint64_t time, const struct event_slot *data)
{
	uint64_t length = EVENT_MARK_LENGTH(mark), space = EVENT_MARK_MORE(mark) * sizeof(*data);
	char *text = xstrndup((const char *)data, length < space ? length : space);

	put_here(decoder, task, EVENT_U, time, EVENT_MARK_NUMBER(mark),
		 engine_string(decoder->engine, text));
	decoder->user = true;
	free(text);
}

/* Adds a section, paragraph or statement of the active program. */
static void put_place(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
		      uint64_t time)
{
	bool statement = (mark & 0xff) == EVENT_MARK_STATEMENT;
	enum event_type type = statement ? EVENT_NS : EVENT_PP;
	uint32_t name = EVENT_SITE_NAME(mark), program = active(task);
	uint64_t site;

	event_task_is_at(task, mark);
	site = put(decoder, task,
		   &(struct event){ .type = type,
				    .time = time,
				    .program = program,
				    .place = { .line = EVENT_SITE_LINE(mark),
					       .file = EVENT_SITE_FILE(mark),
					       .procedure = statement ? 0 : name,
					       .statement = statement ? name : 0 },
				    .code = INT64_MIN });

	decoder->cobol = true;
	if (site)
		event_known_place(&decoder->known, mark, program, site);
}

/* Returns a task's place: its last statement and paragraph. */
static struct event_place place_of(const struct event_task *task)
{
	struct event_place place = { 0 };

	if (!task->frame_count || task->at_depth != task->frame_count || !task->at_statement)
		return place;
	place.line = EVENT_SITE_LINE(task->at_statement);
	place.file = EVENT_SITE_FILE(task->at_statement);
	place.procedure = task->at_paragraph ? EVENT_SITE_NAME(task->at_paragraph) : 0;
	return place;
}

/* Adds an event of a call that leaves an object, a spawned process, or a signal. */
static void put_library(struct event_decoder *decoder, struct event_task *task,
			const struct event_slot *slot, uint64_t time)
{
	const struct event_process *process = task->process;
	uint64_t image = process ? process->image : (uint64_t)task->pid;
	struct library_event found =
		library_events_read(&decoder->library, image, slot, &task->database);
	struct event_place place = place_of(task);

	place.statement = found.statement;
	place.database = found.database;
	put(decoder, task,
	    &(struct event){ .type = found.type,
			     .time = time,
			     .program = active(task),
			     .place = place,
			     .code = found.code,
			     .data = found.data });
}

/* Ends a task or process, and its active frames: STOP RUN, exit or pthread_exit leaves them. */
static void put_end(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
		    uint64_t time)
{
	bool process = (mark & 0xff) == EVENT_MARK_EXIT;

	for (; task->frame_count; task->frame_count--)
		put_plain(decoder, task, EVENT_PT, time, active(task));
	put_here(decoder, task, EVENT_KE, time, process ? (int64_t)(EVENT_MARK_VALUE(mark) & 0xff) : INT64_MIN,
		 0);
	task->end = time;
	forget_transaction(decoder, task->tid, time, time);
	if (process && task->process) {
		task->process->end = time;
		task->process->changed = true;
	}
}

/* Handles the begin of a function that filters block. */
static void reject(struct event_decoder *decoder, const struct event_task *task)
{
	if (is_uncounted(decoder, task))
		return;
	decoder->offered++;
	decoder->filter->rejected++;
}

/* Begins a function. One that filters block is never active, and makes no more events. */
static void begin_function(struct event_decoder *decoder, struct event_task *task, uint64_t address,
			   uint64_t time)
{
	struct event_process *process = task->process;
	uint32_t function = event_function_at(decoder, process, address, time);

	if (event_filter_program(decoder->filter, function)) {
		event_known_function(&decoder->known, process, address, function);
		begin_frame(decoder, task, time, function, address);
		return;
	}
	reject(decoder, task);
	/* A patched one has no address here; filters were applied before it was patched. */
	if (process && !(address & EVENT_FUNCTION_NUMBER))
		event_pool_block(decoder->pool, process->image, address);
}

static void put_function(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
			 uint64_t time)
{
	uint64_t address = EVENT_MARK_VALUE(mark);

	if (address & EVENT_FUNCTION_NUMBER)
		decoder->patched = true;
	else
		decoder->functions = true;
	if ((mark & 0xff) == EVENT_MARK_RETURN)
		end_frame(decoder, task, time, address);
	else
		begin_function(decoder, task, address, time);
}

/* Returns a key that differs for COBOL programs, Python functions and addresses of functions. */
static uint64_t program_key(uint64_t mark)
{
	return UINT64_C(1) << 63 | EVENT_MARK_VALUE(mark);
}

static uint64_t python_key(uint32_t name)
{
	return UINT64_C(1) << 62 | name;
}

/*
 * Begins or ends a Python function, or adds a line. A function that filters block
 * is never active.
 */
static void put_python(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
		       uint64_t time)
{
	uint64_t kind = mark & 0xff, line = kind == EVENT_MARK_PYTHON_LINE;
	uint32_t name = line ? EVENT_SITE_NAME(mark) : EVENT_MARK_NAME(mark);
	uint32_t function = event_sites_program(decoder->sites, name);

	decoder->python = true;
	if (kind == EVENT_MARK_PYTHON_END) {
		end_frame(decoder, task, time, python_key(name));
	} else if (line) {
		put(decoder, task,
		    &(struct event){ .type = EVENT_NS,
				     .time = time,
				     .program = function,
				     .place = { .line = EVENT_SITE_LINE(mark) },
				     .code = INT64_MIN });
	} else if (event_filter_program(decoder->filter, function)) {
		begin_frame(decoder, task, time, function, python_key(name));
	} else {
		reject(decoder, task);
	}
}

/* Returns whether slots of a kind are also written while collecting is paused. */
static bool is_written_in_pauses(uint64_t kind)
{
	return (kind >= EVENT_MARK_PROCESS && kind <= EVENT_MARK_PROGRAM_END) ||
	       kind == EVENT_MARK_ENTRY || kind == EVENT_MARK_RETURN || kind == EVENT_MARK_PYTHON || kind == EVENT_MARK_PYTHON_END ||
	       kind == EVENT_MARK_CONTEXT || kind == EVENT_MARK_FORKING ||
	       kind == EVENT_MARK_TASK;
}

/* Takes the event that begins at slot. */
static void take_event(struct event_decoder *decoder, struct event_task *task, uint64_t lane,
		       const struct event_slot *slot, uint64_t time)
{
	uint64_t mark = slot->mark, kind = mark & 0xff;

	if (decoder->paused)
		mark &= ~EVENT_MARK_PAUSED;
	switch (kind) {
	case EVENT_MARK_PROCESS:
		begin_process(decoder, task, mark, time, lane);
		break;
	case EVENT_MARK_OBJECT:
		if (EVENT_MARK_MORE(mark) == 1)
			map_object(decoder, task, mark, time, slot + 1);
		break;
	case EVENT_MARK_TASK_END:
	case EVENT_MARK_EXIT:
		put_end(decoder, task, mark, time);
		break;
	case EVENT_MARK_FORK:
		put_here(decoder, task, EVENT_KF, time, (int64_t)EVENT_MARK_VALUE(mark), 0);
		break;
	case EVENT_MARK_PROGRAM:
		decoder->cobol = true;
		begin_frame(decoder, task, time,
			    event_sites_program(decoder->sites, EVENT_MARK_NAME(mark)),
			    program_key(mark));
		break;
	case EVENT_MARK_PROGRAM_END:
		end_frame(decoder, task, time, program_key(mark));
		break;
	case EVENT_MARK_SECTION:
	case EVENT_MARK_PARAGRAPH:
	case EVENT_MARK_STATEMENT:
		put_place(decoder, task, mark, time);
		break;
	case EVENT_MARK_ENTRY:
	case EVENT_MARK_RETURN:
		put_function(decoder, task, mark, time);
		break;
	case EVENT_MARK_USER:
		put_user(decoder, task, mark, time, slot + 1);
		break;
	case EVENT_MARK_WAITED:
		put_block(decoder, task, time, EVENT_BLOCK_ROOM);
		break;
	case EVENT_MARK_FORKING:
		put_fork(decoder, task, EVENT_MARK_VALUE(mark) & EVENT_FORK_MAX);
		break;
	case EVENT_MARK_CONTEXT:
		change_context(decoder, task, EVENT_MARK_VALUE(mark), time);
		break;
	case EVENT_MARK_PYTHON:
	case EVENT_MARK_PYTHON_END:
	case EVENT_MARK_PYTHON_LINE:
		put_python(decoder, task, mark, time);
		break;
	default:
		if (kind >= EVENT_MARK_CALL && kind <= EVENT_MARK_SIGNAL)
			put_library(decoder, task, slot, time);
		break;
	}
}

/* Returns the task that writes a lane, adding it if new. */
static struct event_task *task_of(struct event_decoder *decoder, struct event_lane_reader *lane,
				  uint64_t time, bool begins_process)
{
	struct event_task *task = lane->user;

	RETURN_IF(task, task);
	task = xcalloc(1, sizeof(*task));
	task->lane = lane->number;
	task->pid = lane->pid;
	task->tid = lane->tid;
	task->start = time;
	task->changed = true;
	task->process = find_process(decoder, task->pid);
	GROW(decoder->tasks, decoder->task_count + 1, decoder->task_alloc);
	decoder->tasks[decoder->task_count++] = task;
	task->number = decoder->task_count;
	lane->user = task;
	if (!begins_process && task->tid != task->pid)
		put_here(decoder, task, EVENT_KT, time, INT64_MIN, 0);
	return task;
}

/*
 * Returns whether a slot is the first of a thread that begins. In a pause the
 * thread may have begun earlier.
 */
static bool begins_thread(const struct event_lane_reader *lane, uint64_t mark)
{
	const struct event_task *task = lane->user;

	return (mark & 0xff) == EVENT_MARK_TASK && !(mark & EVENT_MARK_PAUSED) &&
	       (!task || !task->start);
}

/* Takes the event at the first of some slots; returns its number of slots. */
static size_t take_slot(struct event_decoder *decoder, struct event_lane_reader *lane,
			const struct event_slot *slot)
{
	uint64_t mark = slot->mark, kind = mark & 0xff, time;
	struct event_task *task;

	if (kind == EVENT_MARK_VOID)
		return 1;
	if (kind == EVENT_MARK_ANCHOR) {
		/* Its time is that of the event that follows, which may not be there yet. */
		event_settle_anchor(task_of(decoder, lane, 0, true), slot->word,
				    event_pool_duration(decoder->pool, EVENT_MARK_VALUE(mark)));
		return 1;
	}
	decoder->paused = is_written_in_pauses(kind) && (mark & EVENT_MARK_PAUSED);
	time = event_pool_time(decoder->pool, slot->word);
	if (begins_thread(lane, mark))
		begin_thread(decoder, lane->tid, time);
	task = task_of(decoder, lane, time, kind == EVENT_MARK_PROCESS);
	if (time < task->last)
		time = task->last;
	task->last = time;
	if (!task->start) {
		task->start = time;
		if (kind != EVENT_MARK_PROCESS && task->tid != task->pid)
			put_here(decoder, task, EVENT_KT, time, INT64_MIN, 0);
	}
	if (kind == EVENT_MARK_TALLY)
		event_tallies_take(decoder, task, mark, slot + 1);
	if (task->anchored)
		event_settle_at(decoder, task, time);
	if (kind == EVENT_MARK_TALLY)
		return event_slots_of(mark);
	take_event(decoder, task, lane->number, slot, time);
	task->written++;
	return event_slots_of(mark);
}

void event_decoder_take(void *argument, struct event_lane_reader *lane,
			const struct event_slot *slots, size_t count)
{
	struct event_decoder *decoder = argument;
	struct event_task *task = lane->user;

	if (!count && task && !task->end && !task->gone)
		task->gone = lane->gone > task->last ? lane->gone : task->last;
	/* Changes made before these events are in the ring by now. */
	transaction_history_advance(decoder->history, clock_monotonic_ns());
	for (size_t i = 0; i < count;) {
		struct event_process *process = slot_waits_for(decoder, lane, &slots[i]);
		size_t known = 0;

		if (process) {
			hold(decoder, task_of(decoder, lane, 0, true), process, lane, slots + i,
			     count - i);
			return;
		}
		if (lane->user)
			known = event_known_take(decoder, lane->user, &slots[i], count - i);
		i += known ? known : take_slot(decoder, lane, &slots[i]);
	}
}

/* Returns whether a task belongs to an image that its process has left by exec. */
static bool is_of_old_image(const struct event_task *task)
{
	return task->process && task->lane < task->process->image;
}

/* Returns whether a thread that is gone, while its process continues, may have ended by an exec. */
static bool may_have_execed(const struct event_task *task)
{
	char state;

	if (task->tid == task->pid || clock_monotonic_ns() - task->gone > EXEC_WITHIN)
		return false;
	state = procfs_state(task->pid, task->pid);
	return state && state != 'Z' && state != 'X';
}

void event_decoder_gone(struct event_decoder *decoder, struct event_task *task, uint64_t cpu,
			bool last)
{
	uint64_t time = task->gone, last_written = task->last;
	bool left = is_of_old_image(task);

	if (!left && !last && may_have_execed(task))
		return;
	release_task(decoder, task);
	event_tallies_left(decoder, task, true);
	event_settle_gone(decoder, task, time, cpu);
	task->gone = 0;
	task->last = time;
	if (!left)
		put_here(decoder, task, EVENT_KE, time, INT64_MIN, 0);
	event_settle_end(decoder, task);
	task->end = time;
	task->left = left && task->tid == task->pid;
	if (!task->left)
		forget_transaction(decoder, task->tid, last_written,
				   left ? task->process->image_start : time);
	task->changed = true;
	if (!left && task->process && task->tid == task->pid && !task->process->end) {
		task->process->end = time;
		task->process->changed = true;
	}
}

void event_decoder_settle(struct event_decoder *decoder)
{
	for (size_t i = 0; i < decoder->task_count; i++)
		release_task(decoder, decoder->tasks[i]);
	for (size_t i = 0; i < decoder->task_count; i++) {
		event_tallies_left(decoder, decoder->tasks[i], false);
		event_settle_end(decoder, decoder->tasks[i]);
	}
}

void event_decoder_pause(struct event_decoder *decoder, uint64_t time)
{
	for (size_t i = 0; i < decoder->task_count; i++) {
		struct event_task *task = decoder->tasks[i];

		if (!task->running || task->end)
			continue;
		task->last = time > task->last ? time : task->last;
		put_block(decoder, task, task->last, EVENT_BLOCK_FILTERS);
	}
}

void event_decoder_session(struct event_decoder *decoder, enum event_type type, uint64_t time)
{
	struct record_event row = { .time = time,
				    .site = event_sites_get(decoder->sites, type, 0, NULL),
				    .code = INT64_MIN };

	decoder->offered++;
	if (type == EVENT_MP)
		decoder->paused_at = time;
	/* Pauses must not precede events before them, which may be in a run; sums are made in order of time. */
	decoder->all_late |= decoder->running_count != 0 && !decoder->bare;
	recordset_add(decoder->all_late ? &decoder->late : &decoder->rows, &row);
}
