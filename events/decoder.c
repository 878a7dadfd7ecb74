/* SPDX-License-Identifier: Apache-2.0 */
/* Makes EVENT rows from slots of the data pool. */
#include "common/compat.h"
#include "events/decoder.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <sys/stat.h>

/* Between two looks at what a process has mapped. */
#define LOOK_AFTER (10 * NSEC_PER_MSEC)

/* An event on its way to its row. */
struct event {
	enum event_type type;
	uint64_t time;
	uint32_t program;
	uint64_t line; /* of a statement, section or paragraph; 0: the program's */
	uint32_t file, procedure, statement;
	int64_t code;
	uint64_t data; /* string */
};

void event_decoder_init(struct event_decoder *decoder, struct event_pool *pool,
			struct event_sites *sites, struct event_changes *changes,
			struct event_filter *filter, struct engine *engine)
{
	*decoder = (struct event_decoder){ .pool = pool,
					   .sites = sites,
					   .changes = changes,
					   .filter = filter,
					   .engine = engine,
					   .gap = EVENT_GAP_NS };
	idmap_init(&decoder->by_pid);
	recordset_init(&decoder->rows, &record_types[RECORD_EVENT]);
}

void event_decoder_release(struct event_decoder *decoder)
{
	for (size_t i = 0; i < decoder->task_count; i++) {
		free(decoder->tasks[i]->frames);
		free(decoder->tasks[i]->pending);
		free(decoder->tasks[i]);
	}
	for (size_t i = 0; i < decoder->process_count; i++) {
		space_drop(decoder->processes[i]->space);
		free(decoder->processes[i]);
	}
	free(decoder->tasks);
	free(decoder->processes);
	idmap_release(&decoder->by_pid);
	recordset_release(&decoder->rows);
}

/* The newest process of a number; NULL: none. */
static struct event_process *find_process(const struct event_decoder *decoder, pid_t pid)
{
	uint64_t index;

	return idmap_get(&decoder->by_pid, (uint64_t)pid, &index) ? decoder->processes[index]
								  : NULL;
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
	decoder->processes[decoder->process_count++] = process;
	return process;
}

/*
 * Give rows of the pending events, from the idle time at the anchor to that at
 * until: what they cost the program goes with each of them, the rest into the gap
 * at the end, or evenly.
 */
static void settle(struct event_decoder *decoder, struct event_task *task, uint64_t until,
		   int64_t idle)
{
	double more = (double)(idle - task->idle), count = (double)task->pending_count;
	double length = (double)(until - task->anchor);
	double own = event_pool_cost(decoder->pool) * count;
	bool evenly =
		length > 0 && (task->pending_count == 0 ||
			       until - task->pending[task->pending_count - 1].time < decoder->gap);

	own = own < more ? own : more;
	for (size_t i = 0; i < task->pending_count; i++) {
		struct record_event *row = &task->pending[i];
		double share = own * (double)i / count;

		if (evenly)
			share += (more - own) * (double)(row->time - task->anchor) / length;
		row->idle = task->idle + (int64_t)share;
		recordset_add(&decoder->rows, row);
	}
	task->pending_count = 0;
}

/* The anchor that was kept belongs to an event at time. */
static void take_anchor(struct event_decoder *decoder, struct event_task *task, uint64_t time)
{
	double cost = event_pool_cost(decoder->pool) * (double)task->written;
	uint64_t own = task->anchor_own + (uint64_t)cost;
	int64_t idle;

	/* No more than the thread has used, however roughly that is known. */
	if (task->has_anchor && own > task->anchor_cpu - task->cpu)
		own = task->anchor_cpu - task->cpu;
	task->own += (int64_t)own;
	decoder->own += own;
	task->written = 0;
	if (!task->has_anchor)
		task->first_cpu = task->anchor_cpu;
	idle = (int64_t)time - (int64_t)task->anchor_cpu + task->own;
	/* The clocks are not read in one moment. */
	if (task->has_anchor && idle < task->idle)
		idle = task->idle;
	if (task->has_anchor)
		settle(decoder, task, time, idle);
	task->idle = idle;
	task->anchor = time;
	task->cpu = task->anchor_cpu;
	task->has_anchor = true;
	task->anchored = false;
}

/* Put a row of a task behind the anchor. */
static void put_row(struct event_decoder *decoder, struct event_task *task,
		    struct record_event *row)
{
	row->task = task->number;
	row->level = task->frame_count;
	row->transaction = event_changes_at(decoder->changes, task->tid, row->time);
	GROW(task->pending, task->pending_count + 1, task->pending_alloc);
	task->pending[task->pending_count++] = *row;
}

/* From here on time is not that of the task's last event. */
static void put_pause(struct event_decoder *decoder, struct event_task *task, uint64_t time)
{
	struct record_event row = { .time = time, .code = INT64_MIN };

	if (!task->running)
		return;
	task->running = false;
	row.site = event_sites_get(decoder->sites, EVENT_MP, 0, 0, 0, 0, 0);
	put_row(decoder, task, &row);
}

/* Put an event of a task, if it is kept. */
static void put(struct event_decoder *decoder, struct event_task *task, const struct event *event)
{
	struct record_event row = { .time = event->time, .code = event->code, .data = event->data };
	enum event_verdict verdict = event_filter_judge(decoder->filter, event->type,
							event->program, event->line, event->time);

	task->changed = true;
	/* What begins and ends is told meanwhile, so that levels and names are right afterwards. */
	if ((task->process && task->process->vigils) ||
	    event_changes_paused(decoder->changes, event->time)) {
		put_pause(decoder, task, event->time);
		return;
	}
	decoder->offered++;
	if (verdict == EVENT_BLOCKED_HERE)
		put_pause(decoder, task, event->time);
	if (verdict != EVENT_KEPT)
		return;
	row.site = event_sites_get(decoder->sites, event->type, event->program, event->line,
				   event->file, event->procedure, event->statement);
	put_row(decoder, task, &row);
	task->running = true;
}

/* An event of a type at a program, with nothing else to say. */
static void put_plain(struct event_decoder *decoder, struct event_task *task, enum event_type type,
		      uint64_t time, uint32_t program)
{
	put(decoder, task,
	    &(struct event){ .type = type, .time = time, .program = program, .code = INT64_MIN });
}

/* The program that is active in a task: of its frames, or what its process executes. */
static uint32_t active(const struct event_task *task)
{
	if (task->frame_count)
		return task->frames[task->frame_count - 1].program;
	return task->process ? task->process->program : 0;
}

/* An event at the active program. */
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

/* What has key ends, with all that it called; what called it goes on. */
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
		put_pause(decoder, task, time);
}

/* Whether a path is that of the program that runs here. */
static bool is_vigils(const char *path)
{
	char self[PROCFS_PATH_SIZE];
	struct stat own, other;

	return stat(procfs_process(self, PROCFS_SELF, "exe"), &own) == 0 &&
	       stat(path, &other) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

/* A new image of a process: its first, that of a fork, or another by exec. */
static void begin_process(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
			  uint64_t time, uint64_t lane)
{
	struct event_process *before = task->process, *process = before, *parent;
	bool forked = mark >> 24 & 1;
	uint32_t name = mark >> 8 & 0xffff;
	struct strbuf path = STRBUF_INIT;

	if (!process || process->end || forked)
		process = add_process(decoder, task->pid, time);
	process->parent = (pid_t)(mark >> 32);
	process->name = name;
	process->program = event_sites_executable(decoder->sites, name);
	process->changed = true;
	process->image = lane;
	process->vigils = event_pool_name(decoder->pool, name, &path) && is_vigils(path.text);
	task->process = process;
	parent = forked ? find_process(decoder, process->parent) : NULL;
	if (parent) {
		/* What was mapped in the parent is mapped here, at the same places. */
		space_drop(process->space);
		process->space = space_share(parent->space);
		process->image = parent->image;
	} else if (process == before) {
		process->execs++;
		space_clear(&process->space);
		put_here(decoder, task, EVENT_KX, time, INT64_MIN,
			 engine_string(decoder->engine, path.text));
	}
	strbuf_release(&path);
}

/* Instructions that a process has mapped. */
static void map_object(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
		       uint64_t time, const struct event_slot *data)
{
	struct strbuf path = STRBUF_INIT;
	struct stat status;

	if (!event_pool_name(decoder->pool, (uint32_t)(mark >> 32), &path) || !task->process)
		return;
	if (stat(path.text, &status) == 0)
		space_map(&task->process->space, &decoder->sites->objects, task->pid,
			  data->word >> 16, (data->word & 0xffff) * 4096, data->mark, path.text,
			  status.st_dev, status.st_ino);
	put_here(decoder, task, EVENT_PL, time, INT64_MIN,
		 engine_string(decoder->engine, path.text));
	strbuf_release(&path);
}

/* A user event, with its text in the slots behind. */
static void put_user(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
		     uint64_t time, const struct event_slot *data)
{
	uint64_t length = EVENT_MARK_LENGTH(mark), room = EVENT_MARK_MORE(mark) * sizeof(*data);
	char *text = xstrndup((const char *)data, length < room ? length : room);

	put_here(decoder, task, EVENT_U, time, EVENT_MARK_NUMBER(mark),
		 engine_string(decoder->engine, text));
	decoder->user = true;
	free(text);
}

/* A section, paragraph or statement of the program that is active. */
static void put_place(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
		      uint64_t time)
{
	bool statement = (mark & 0xff) == EVENT_MARK_STATEMENT;
	enum event_type type = statement ? EVENT_NS : EVENT_PP;
	uint32_t name = EVENT_SITE_NAME(mark);

	put(decoder, task,
	    &(struct event){ .type = type,
			     .time = time,
			     .program = active(task),
			     .line = EVENT_SITE_LINE(mark),
			     .file = EVENT_SITE_FILE(mark),
			     .procedure = statement ? 0 : name,
			     .statement = statement ? name : 0,
			     .code = INT64_MIN });
	decoder->cobol = true;
}

/* A task or process ends. */
static void put_end(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
		    uint64_t time)
{
	bool process = (mark & 0xff) == EVENT_MARK_EXIT;

	put_here(decoder, task, EVENT_KE, time, process ? (int64_t)(mark >> 8 & 0xff) : INT64_MIN,
		 0);
	task->end = time;
	if (process && task->process) {
		task->process->end = time;
		task->process->changed = true;
	}
}

/* Where a process has its instructions; looked at again when an address is new (dlopen). */
static struct space *space_of(struct event_process *process, struct object_list *objects,
			      uint64_t address, uint64_t time)
{
	struct error err = ERROR_INIT;

	if (!process)
		return NULL;
	if (!space_find(process->space, address) && !process->end &&
	    time - process->looked > LOOK_AFTER) {
		process->looked = time;
		/* A process that has ended by now is known by what it told. */
		if (space_read_proc(&process->space, objects, process->pid, &err) < 0)
			error_release(&err);
	}
	return process->space;
}

/* A function begins. One that filters block is never active, and makes no more events. */
static void begin_function(struct event_decoder *decoder, struct event_task *task, uint64_t address,
			   uint64_t time)
{
	struct event_process *process = task->process;
	struct space *space = space_of(process, &decoder->sites->objects, address, time);
	uint32_t function = event_sites_function(decoder->sites, space, address);

	if (event_filter_program(decoder->filter, function)) {
		begin_frame(decoder, task, time, function, address);
		return;
	}
	decoder->offered++;
	decoder->filter->rejected++;
	if (process)
		event_pool_block(decoder->pool, process->image, address);
}

static void put_function(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
			 uint64_t time)
{
	uint64_t address = mark >> 8;

	decoder->functions = true;
	if ((mark & 0xff) == EVENT_MARK_RETURN)
		end_frame(decoder, task, time, address);
	else
		begin_function(decoder, task, address, time);
}

/* Numbers of COBOL programs and addresses of functions are different. */
static uint64_t program_key(uint64_t mark)
{
	return UINT64_C(1) << 63 | mark >> 8;
}

/* Take the event that begins at slot. */
static void take_event(struct event_decoder *decoder, struct event_task *task, uint64_t lane,
		       const struct event_slot *slot, uint64_t time)
{
	uint64_t mark = slot->mark;

	switch (mark & 0xff) {
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
		put_here(decoder, task, EVENT_KF, time, (int64_t)(mark >> 8), 0);
		break;
	case EVENT_MARK_PROGRAM:
		decoder->cobol = true;
		begin_frame(decoder, task, time,
			    event_sites_program(decoder->sites, mark >> 8 & 0xffff),
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
	}
}

/* The task that writes a lane, made when it is new. */
static struct event_task *task_of(struct event_decoder *decoder, struct event_lane_reader *lane,
				  uint64_t time, bool begins_process)
{
	struct event_task *task = lane->user;

	RETURN_IF(task, task);
	task = xcalloc(1, sizeof(*task));
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

void event_decoder_take(void *argument, struct event_lane_reader *lane,
			const struct event_slot *slots, size_t count)
{
	struct event_decoder *decoder = argument;
	struct event_task *task = lane->user;

	/* What was changed before these events is in the ring by now. */
	event_changes_advance(decoder->changes);
	for (size_t i = 0; i < count; i++) {
		uint64_t mark = slots[i].mark, kind = mark & 0xff, time;

		if (kind == EVENT_MARK_VOID)
			continue;
		if (kind == EVENT_MARK_ANCHOR) {
			/* Its time is that of what follows, which is not always there yet. */
			task = task_of(decoder, lane, 0, true);
			task->anchor_cpu = slots[i].word;
			task->anchor_own = event_pool_duration(decoder->pool, mark >> 8);
			task->anchored = true;
			continue;
		}
		time = event_pool_time(decoder->pool, slots[i].word);
		task = task_of(decoder, lane, time, kind == EVENT_MARK_PROCESS);
		if (time < task->last)
			time = task->last;
		task->last = time;
		if (!task->start) {
			task->start = time;
			if (kind != EVENT_MARK_PROCESS && task->tid != task->pid)
				put_here(decoder, task, EVENT_KT, time, INT64_MIN, 0);
		}
		if (task->anchored)
			take_anchor(decoder, task, time);
		take_event(decoder, task, lane->number, &slots[i], time);
		task->written++;
		if (kind == EVENT_MARK_OBJECT || kind == EVENT_MARK_USER)
			i += EVENT_MARK_MORE(mark);
	}
}

void event_decoder_settle(struct event_decoder *decoder)
{
	for (size_t i = 0; i < decoder->task_count; i++) {
		struct event_task *task = decoder->tasks[i];

		settle(decoder, task, task->last, task->idle);
	}
}

void event_decoder_session(struct event_decoder *decoder, enum event_type type, uint64_t time)
{
	struct record_event row = { .time = time,
				    .site = event_sites_get(decoder->sites, type, 0, 0, 0, 0, 0),
				    .code = INT64_MIN };

	recordset_add(&decoder->rows, &row);
}
