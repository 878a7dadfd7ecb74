/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processed profile of the Firefox profiler, version 62: column tables that
 * all threads share, and for each task a thread with its samples in order of time
 * (threadCPUDelta is CPU time in ns) and with markers for its waits and
 * transactions.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/json.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "exports/timed.h"
#include "profile/label.h"
#include "records/record-types.h"

#include <ctype.h>

/* two samples of a task with at most this many periods between them belong to one transaction */
#define MAX_GAP_PERIODS 2
#define VERSION_PROCESSED 62
#define VERSION_GECKO 24
/* the largest address that JavaScript represents exactly */
#define ADDRESS_LIMIT (UINT64_C(1) << 53)

enum { CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_WAIT, CATEGORY_TRANSACTION };

/* The columns of a thread while they are built. */
struct thread {
	uint64_t task;
	struct strbuf stacks, deltas, cpu;			     /* columns of the sample
								      * table */
	struct strbuf names, starts, ends, phases, categories, data; /* columns of the marker
								      * table */
	size_t samples, markers;
	uint64_t last; /* time of the last sample in ns */
	uint64_t wait_end;
	struct {
		uint64_t id, start, samples, cpu;
	} transaction; /* open transaction; id 0: none */
};

struct making {
	struct exporting *exporting;
	const struct stack_view *view;
	struct strmap strings;
	size_t *nodes; /* by stack number, and one more for no stack: the innermost row of its
		        * stack table entries */
	struct strbuf prefixes, frames;
	size_t node_count;
	struct keymap thread_keys;
	struct thread *threads;
	size_t thread_alloc;
	uint64_t together;
};

/* Appends a comma unless the column is empty. */
static void comma(struct strbuf *column)
{
	if (column->length)
		strbuf_addch(column, ',');
}

static void add_number(struct strbuf *column, uint64_t number)
{
	comma(column);
	strbuf_addnum(column, number);
}

static void add_word(struct strbuf *column, const char *word)
{
	comma(column);
	strbuf_addstr(column, word);
}

static void add_ms(struct strbuf *column, uint64_t ns)
{
	comma(column);
	json_time(column, ns, NSEC_PER_MSEC);
}

/* Writes "name":[column] and empties the column. */
static void put_column(struct making *making, const char *name, struct strbuf *column, bool last)
{
	struct strbuf *out = &making->exporting->out;

	strbuf_addf(out, "\"%s\":[", name);
	strbuf_addbuf(out, column);
	strbuf_addstr(out, last ? "]" : "],");
	strbuf_release(column);
	export_flush_if_large(making->exporting);
}

/* Writes a column that has the same word count times. */
static void put_same(struct making *making, const char *name, const char *word, size_t count)
{
	struct strbuf column = STRBUF_INIT;

	for (size_t i = 0; i < count; i++)
		add_word(&column, word);
	put_column(making, name, &column, false);
}

/*
 * Appends rows to the stack table for the levels of a frame; the outermost was
 * called from prefix. Returns the innermost row.
 */
static size_t add_nodes(struct making *making, size_t frame, size_t prefix)
{
	const struct stack_view *view = making->view;

	for (size_t at = view->first[frame + 1]; at-- > view->first[frame];) {
		add_number(&making->frames, at);
		if (prefix == SIZE_MAX)
			add_word(&making->prefixes, "null");
		else
			add_number(&making->prefixes, prefix);
		prefix = making->node_count++;
	}
	return prefix;
}

/* Makes the stack table; a parent has a lower number than what it called. */
static void make_nodes(struct making *making)
{
	const struct stack_view *view = making->view;
	size_t count = view->profile->stacks.count;

	making->nodes = xcalloc(count + 1, sizeof(*making->nodes));
	for (size_t i = 0; i < count; i++) {
		size_t parent = stack_view_parent(view, i);

		making->nodes[i] =
			add_nodes(making, stack_view_frame(view, i),
				  parent == ATTRIBUTION_NONE ? SIZE_MAX : making->nodes[parent]);
	}
	making->nodes[count] =
		add_nodes(making, stack_view_frame(view, ATTRIBUTION_NONE), SIZE_MAX);
}

static size_t node_of(const struct making *making, size_t stack)
{
	return making
		->nodes[stack == ATTRIBUTION_NONE ? making->view->profile->stacks.count : stack];
}

static struct thread *thread_of(struct making *making, uint64_t task)
{
	size_t before = making->thread_keys.count, number = keymap_put(&making->thread_keys, &task);

	GROW(making->threads, number + 1, making->thread_alloc);
	if (number == before) {
		struct thread *thread = &making->threads[number];

		memset(thread, 0, sizeof(*thread));
		thread->task = task;
		strbuf_init(&thread->stacks);
		strbuf_init(&thread->deltas);
		strbuf_init(&thread->cpu);
		strbuf_init(&thread->names);
		strbuf_init(&thread->starts);
		strbuf_init(&thread->ends);
		strbuf_init(&thread->phases);
		strbuf_init(&thread->categories);
		strbuf_init(&thread->data);
	}
	return &making->threads[number];
}

/* Adds an interval marker to a thread; the caller appends its data. */
static void add_marker(struct making *making, struct thread *thread, const char *name,
		       uint64_t start, uint64_t end, unsigned category)
{
	add_number(&thread->names, strmap_put(&making->strings, name));
	add_ms(&thread->starts, start);
	add_ms(&thread->ends, end);
	add_word(&thread->phases, "1");
	add_number(&thread->categories, category);
	comma(&thread->data);
	thread->markers++;
}

static void close_transaction(struct making *making, struct thread *thread)
{
	if (thread->transaction.id) {
		add_marker(making, thread,
			   label_transaction(making->view->profile, thread->transaction.id),
			   thread->transaction.start, thread->last, CATEGORY_TRANSACTION);
		strbuf_addf(&thread->data,
			    "{\"type\":\"transaction\",\"samples\":%" PRIu64 ",\"cpu\":%" PRIu64
			    "}",
			    thread->transaction.samples, thread->transaction.cpu);
	}
	thread->transaction.id = 0;
}

static void take_sample(void *argument, const struct timed_sample *sample)
{
	struct making *making = argument;
	struct thread *thread = thread_of(making, sample->task);
	uint64_t start = sample->end > sample->cpu ? sample->end - sample->cpu : 0;
	uint64_t end = sample->end > thread->last ? sample->end : thread->last;

	if (thread->transaction.id != sample->transaction ||
	    start > thread->last + making->together) {
		close_transaction(making, thread);
		thread->transaction.id = sample->transaction;
		thread->transaction.start = start > thread->last ? start : thread->last;
		thread->transaction.samples = thread->transaction.cpu = 0;
	}
	thread->transaction.samples++;
	thread->transaction.cpu += sample->cpu;
	add_number(&thread->stacks, node_of(making, sample->stack));
	add_ms(&thread->deltas, end - thread->last);
	add_number(&thread->cpu, sample->cpu);
	thread->samples++;
	thread->last = end;
}

static void take_wait(void *argument, const struct timed_wait *wait)
{
	struct making *making = argument;
	const struct profile *profile = making->view->profile;
	const struct record_wait *row = wait->row;
	struct thread *thread = thread_of(making, row->task);
	uint64_t start = thread->wait_end > wait->start ? thread->wait_end : wait->start;
	struct strbuf label = STRBUF_INIT;

	label_wait(profile, row->reason, row->file, &label);
	add_marker(making, thread, label.text, start, start + row->total, CATEGORY_WAIT);
	strbuf_addf(&thread->data, "{\"type\":\"wait\",\"cause\":{\"time\":");
	json_time(&thread->data, start, NSEC_PER_MSEC);
	strbuf_addf(&thread->data, ",\"stack\":%zu},\"reason\":", node_of(making, wait->stack));
	json_string(&thread->data, label_reason(row->reason));
	if (row->file) {
		strbuf_reset(&label);
		label_file(profile, row->file, &label);
		json_key(&thread->data, "file", false);
		json_string(&thread->data, label.text);
		json_key(&thread->data, "dataset", false);
		json_string(&thread->data, label_data_set(profile, row->file));
	}
	if (row->transaction) {
		json_key(&thread->data, "transaction", false);
		json_string(&thread->data, label_transaction(profile, row->transaction));
	}
	strbuf_addf(&thread->data,
		    ",\"waits\":%" PRIu64 ",\"blocked\":%" PRIu64 ",\"charged\":%" PRIu64 "}",
		    row->count, row->total, row->charged);
	thread->wait_end = start + row->total;
	strbuf_release(&label);
}

/* Appends a Breakpad id: the build id as a GUID, and 0. */
static void add_breakpad(struct strbuf *out, const char *build_id)
{
	static const unsigned char order[] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15
	};

	strbuf_addch(out, '"');
	if (strlen(build_id) >= 2 * sizeof(order) &&
	    strspn(build_id, "0123456789abcdef") >= 2 * sizeof(order)) {
		for (size_t i = 0; i < sizeof(order); i++)
			for (size_t j = 0; j < 2; j++)
				strbuf_addch(
					out,
					(char)toupper((unsigned char)build_id[order[i] * 2 + j]));
		strbuf_addch(out, '0');
	}
	strbuf_addch(out, '"');
}

static void put_libraries(struct making *making)
{
	const struct profile *profile = making->view->profile;
	struct strbuf *out = &making->exporting->out;

	strbuf_addstr(out, "\"libs\":[");
	for (size_t i = 0; i < profile->objects.count; i++) {
		const struct record_object *object = id_table_at(&profile->objects, i);
		const char *path = profile_text(profile, object->path);
		const char *build_id = profile_text(profile, object->build_id);

		strbuf_addstr(out,
			      i ? ",\n{\"arch\":null,\"name\":" : "\n{\"arch\":null,\"name\":");
		json_string(out, path_base(path));
		json_key(out, "path", false);
		json_string(out, path);
		json_key(out, "debugName", false);
		json_string(out, path_base(path));
		json_key(out, "debugPath", false);
		json_string(out, path);
		json_key(out, "breakpadId", false);
		add_breakpad(out, build_id);
		json_key(out, "codeId", false);
		if (*build_id)
			json_string(out, build_id);
		else
			strbuf_addstr(out, "null");
		strbuf_addch(out, '}');
	}
	strbuf_addstr(out, "],\n");
}

static void put_meta(struct making *making)
{
	const struct profile *profile = making->view->profile;
	struct strbuf *out = &making->exporting->out;

	strbuf_addstr(out, "{\"meta\":{\"interval\":");
	json_time(out, profile_period(profile), NSEC_PER_MSEC);
	strbuf_addstr(out, ",\"startTime\":");
	json_time(out, making->exporting->request->start, NSEC_PER_MSEC);
	strbuf_addf(out, ",\"preprocessedProfileVersion\":%d,\"version\":%d,\"product\":",
		    VERSION_PROCESSED, VERSION_GECKO);
	json_string(out, making->exporting->request->name);
	strbuf_addstr(
		out,
		",\"importedFrom\":\"vigil\",\"processType\":0,\"stackwalk\":1,\"debug\":false,"
		"\"symbolicated\":true,\"usesOnlyOneStackType\":true,"
		"\"sourceCodeIsNotOnSearchfox\":true,\"pausedRanges\":[],\n"
		"\"extensions\":{\"baseURL\":[],\"id\":[],\"length\":0,\"name\":[]},\n"
		"\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},"
		"\n"
		"\"categories\":[{\"name\":\"User\",\"color\":\"blue\",\"subcategories\":["
		"\"Other\"]},"
		"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"Wait\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"Transaction\",\"color\":\"green\",\"subcategories\":[\"Other\"]}],\n"
		"\"markerSchema\":[{\"name\":\"wait\",\"tableLabel\":\"{marker.name}\","
		"\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],\"fields\":["
		"{\"key\":\"reason\",\"label\":\"Reason\",\"format\":\"string\"},"
		"{\"key\":\"file\",\"label\":\"File\",\"format\":\"string\"},"
		"{\"key\":\"dataset\",\"label\":\"Data set\",\"format\":\"string\"},"
		"{\"key\":\"transaction\",\"label\":\"Transaction\",\"format\":\"string\"},"
		"{\"key\":\"waits\",\"label\":\"Waits\",\"format\":\"integer\"},"
		"{\"key\":\"blocked\",\"label\":\"Blocked\",\"format\":\"nanoseconds\"},"
		"{\"key\":\"charged\",\"label\":\"Charged\",\"format\":\"nanoseconds\"}]},\n"
		"{\"name\":\"transaction\",\"tableLabel\":\"{marker.name}\","
		"\"display\":[\"marker-chart\",\"marker-table\"],\"fields\":["
		"{\"key\":\"samples\",\"label\":\"CPU samples\",\"format\":\"integer\"},"
		"{\"key\":\"cpu\",\"label\":\"CPU time\",\"format\":\"nanoseconds\"}]}]},\n");
}

/* Writes the frame table: one frame per inlining level. */
static void put_frames(struct making *making)
{
	const struct stack_view *view = making->view;
	const struct profile *profile = view->profile;
	size_t count = view->first[profile->attribution.place_count + 1];
	struct strbuf addresses = STRBUF_INIT, depths = STRBUF_INIT, lines = STRBUF_INIT,
		      categories = STRBUF_INIT, functions = STRBUF_INIT;

	for (size_t i = 0; i <= profile->attribution.place_count; i++)
		for (size_t at = view->first[i]; at < view->first[i + 1]; at++) {
			const struct stack_level *level = &view->levels[at];
			uint64_t address = profile->attribution.places[i].offset;

			if (address && address < FRAME_PLACES_FIRST && address < ADDRESS_LIMIT)
				add_number(&addresses, address);
			else
				add_word(&addresses, "-1");
			add_number(&depths, view->first[i + 1] - 1 - at);
			if (level->line)
				add_number(&lines, level->line);
			else
				add_word(&lines, "null");
			add_number(&categories, view->functions[level->function].kernel
							? CATEGORY_KERNEL
							: CATEGORY_USER);
			add_number(&functions, level->function);
		}
	strbuf_addstr(&making->exporting->out, "\"frameTable\":{");
	put_column(making, "address", &addresses, false);
	put_column(making, "inlineDepth", &depths, false);
	put_column(making, "line", &lines, false);
	put_column(making, "category", &categories, false);
	put_column(making, "func", &functions, false);
	put_same(making, "subcategory", "0", count);
	put_same(making, "nativeSymbol", "null", count);
	put_same(making, "innerWindowID", "0", count);
	put_same(making, "column", "null", count);
	strbuf_addf(&making->exporting->out, "\"length\":%zu},\n", count);
}

/* Writes functions and their sources. */
static void put_functions(struct making *making)
{
	const struct stack_view *view = making->view;
	size_t count = view->function_count;
	struct strbuf names = STRBUF_INIT, resources = STRBUF_INIT, sources = STRBUF_INIT,
		      files = STRBUF_INIT;
	struct keymap known;

	keymap_init(&known, 1);
	for (size_t i = 0; i < count; i++) {
		const struct stack_function *function = &view->functions[i];
		uint64_t file = strmap_put(&making->strings, function->file);
		size_t before = known.count;

		add_number(&names, strmap_put(&making->strings, function->name));
		if (function->object == SIZE_MAX)
			add_word(&resources, "-1");
		else
			add_number(&resources, function->object);
		if (!*function->file) {
			add_word(&sources, "null");
			continue;
		}
		add_number(&sources, keymap_put(&known, &file));
		if (known.count > before)
			add_number(&files, file);
	}
	strbuf_addstr(&making->exporting->out, "\"funcTable\":{");
	put_column(making, "name", &names, false);
	put_column(making, "resource", &resources, false);
	put_column(making, "source", &sources, false);
	put_same(making, "isJS", "false", count);
	put_same(making, "relevantForJS", "false", count);
	put_same(making, "lineNumber", "null", count);
	put_same(making, "columnNumber", "null", count);
	strbuf_addf(&making->exporting->out, "\"length\":%zu},\n\"sources\":{", count);
	put_column(making, "filename", &files, false);
	put_same(making, "id", "null", known.count);
	put_same(making, "startLine", "1", known.count);
	put_same(making, "startColumn", "1", known.count);
	put_same(making, "sourceMapURL", "null", known.count);
	strbuf_addf(&making->exporting->out, "\"length\":%zu},\n", known.count);
	keymap_release(&known);
}

/* Writes the resource table: a resource for each object, with the same number. */
static void put_resources(struct making *making)
{
	const struct profile *profile = making->view->profile;
	size_t count = profile->objects.count;
	struct strbuf libraries = STRBUF_INIT, names = STRBUF_INIT;

	for (size_t i = 0; i < count; i++) {
		const struct record_object *object = id_table_at(&profile->objects, i);

		add_number(&libraries, i);
		add_number(&names, strmap_put(&making->strings,
					      path_base(profile_text(profile, object->path))));
	}
	strbuf_addstr(&making->exporting->out, "\"resourceTable\":{");
	put_column(making, "lib", &libraries, false);
	put_column(making, "name", &names, false);
	put_same(making, "host", "null", count);
	put_same(making, "type", "1", count);
	strbuf_addf(&making->exporting->out,
		    "\"length\":%zu},\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],"
		    "\"name\":[],\"functionSize\":[],\"length\":0},\n",
		    count);
}

static void put_strings(struct making *making)
{
	struct strbuf *out = &making->exporting->out;

	strbuf_addstr(out, "\"stringArray\":[");
	for (size_t i = 0; i < making->strings.count; i++) {
		strbuf_addstr(out, i ? "," : "");
		json_string(out, strmap_text(&making->strings, (uint32_t)i));
		export_flush_if_large(making->exporting);
	}
	strbuf_addstr(out, "]}");
}

/* Writes all shared tables; those of strings come last, since the others fill them. */
static void put_shared(struct making *making)
{
	struct strbuf *out = &making->exporting->out;

	strbuf_addstr(out, ",\n\"shared\":{\"stackTable\":{");
	put_column(making, "frame", &making->frames, false);
	put_column(making, "prefix", &making->prefixes, false);
	strbuf_addf(out, "\"length\":%zu},\n", making->node_count);
	put_frames(making);
	put_functions(making);
	put_resources(making);
	put_strings(making);
}

/* Writes the name, process and ids of a thread. */
static void put_owner(struct making *making, const struct thread *thread)
{
	const struct profile *profile = making->view->profile;
	const struct record_task *task = id_table_get(&profile->tasks, thread->task);
	const struct record_process *process =
		task ? id_table_get(&profile->processes, task->process) : NULL;
	struct strbuf *out = &making->exporting->out, label = STRBUF_INIT;
	uint64_t zero = profile_start(profile);

	label_task(profile, thread->task, &label);
	strbuf_addstr(out, "{\"name\":");
	json_string(out, label.length ? label.text : "(task not known)");
	strbuf_addstr(out, ",\"processName\":");
	json_string(out, process ? profile_text(profile, process->program) : "");
	strbuf_addf(out, ",\"pid\":\"%" PRIu64 "\",\"tid\":\"%" PRIu64 "\",\"isMainThread\":%s",
		    process ? process->pid : 0, task ? task->tid : thread->task,
		    task && process && task->tid == process->pid ? "true" : "false");
	strbuf_addstr(out, ",\"processType\":\"default\",\"registerTime\":");
	json_time(out, task && task->start > zero ? task->start - zero : 0, NSEC_PER_MSEC);
	strbuf_addstr(out, ",\"unregisterTime\":");
	if (task && task->end > zero)
		json_time(out, task->end - zero, NSEC_PER_MSEC);
	else
		strbuf_addstr(out, "null");
	strbuf_addstr(out, ",\"processStartupTime\":");
	json_time(out, process && process->start > zero ? process->start - zero : 0, NSEC_PER_MSEC);
	strbuf_addstr(out, ",\"processShutdownTime\":null,\"pausedRanges\":[],"
			   "\"showMarkersInTimeline\":true,\n");
	strbuf_release(&label);
}

static void put_thread(struct making *making, struct thread *thread)
{
	struct strbuf *out = &making->exporting->out;

	close_transaction(making, thread);
	put_owner(making, thread);
	strbuf_addstr(out, "\"samples\":{");
	put_column(making, "stack", &thread->stacks, false);
	put_column(making, "timeDeltas", &thread->deltas, false);
	put_column(making, "threadCPUDelta", &thread->cpu, false);
	strbuf_addf(out,
		    "\"weight\":null,\"weightType\":\"samples\",\"length\":%zu},\n\"markers\":{",
		    thread->samples);
	put_column(making, "name", &thread->names, false);
	put_column(making, "startTime", &thread->starts, false);
	put_column(making, "endTime", &thread->ends, false);
	put_column(making, "phase", &thread->phases, false);
	put_column(making, "category", &thread->categories, false);
	put_column(making, "data", &thread->data, false);
	strbuf_addf(out, "\"length\":%zu}}", thread->markers);
}

static void write_firefox(struct exporting *exporting)
{
	struct making making = { .exporting = exporting, .view = &exporting->stacks };
	const struct timed_sink taker = { take_sample, take_wait, &making };
	struct strbuf *out = &exporting->out;

	making.together = MAX_GAP_PERIODS * profile_period(making.view->profile);
	strmap_init(&making.strings);
	strmap_put(&making.strings, "");
	strbuf_init(&making.prefixes);
	strbuf_init(&making.frames);
	keymap_init(&making.thread_keys, 1);
	make_nodes(&making);
	timed_read(exporting, &taker);
	put_meta(&making);
	put_libraries(&making);
	strbuf_addstr(out, "\"pages\":[],\"profilerOverhead\":[],\"counters\":[],\n\"threads\":[");
	for (size_t i = 0; i < making.thread_keys.count; i++) {
		strbuf_addstr(out, i ? ",\n" : "\n");
		put_thread(&making, &making.threads[i]);
	}
	strbuf_addch(out, ']');
	put_shared(&making);
	strbuf_addstr(out, "}\n");
	free(making.threads);
	free(making.nodes);
	keymap_release(&making.thread_keys);
	strmap_release(&making.strings);
}

const struct export_form firefox_form = { "firefox", "processed profile for the Firefox Profiler",
					  EXPORT_STACKS, write_firefox };
