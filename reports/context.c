/* SPDX-License-Identifier: Apache-2.0 */
/* What all reports share: percentages, names of tasks, files, waits, transactions. */
#include "common/compat.h"
#include "reports/report-class.h"
#include "common/strmap.h"
#include "reports/text.h"

static const char *task_comm(const struct profile *profile, uint64_t id)
{
	const struct record_task *task = id_table_get(&profile->tasks, id);
	const struct record_process *process;
	const char *name = task ? profile_text(profile, task->name) : "";

	if (*name || !task)
		return name;
	process = id_table_get(&profile->processes, task->process);
	return process ? profile_text(profile, process->program) : "";
}

/* Number the tasks of each name from 1, where there is more than one. */
static void number_tasks(struct context *context)
{
	const struct profile *profile = context->profile;
	struct idmap counts, seen;
	struct strmap names;

	strmap_init(&names);
	idmap_init(&counts);
	idmap_init(&seen);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < profile->tasks.count; i++) {
			const struct record_task *task = id_table_at(&profile->tasks, i);
			uint64_t name = strmap_put(&names, task_comm(profile, task->task));
			struct idmap *map = pass ? &seen : &counts;
			uint64_t count = 0, all = 0;

			idmap_get(map, name, &count);
			idmap_put(map, name, count + 1);
			idmap_get(&counts, name, &all);
			if (pass && all > 1)
				idmap_put(&context->task_numbers, task->task, count + 1);
		}
	strmap_release(&names);
	idmap_release(&counts);
	idmap_release(&seen);
}

void context_init(struct context *context, const struct profile *profile,
		  const struct report_options *options)
{
	memset(context, 0, sizeof(*context));
	context->profile = profile;
	context->options = options;
	context->run = (double)profile_run_time(profile);
	tokens_init(&context->tokens);
	idmap_init(&context->task_numbers);
	number_tasks(context);
}

void context_release(struct context *context)
{
	tokens_release(&context->tokens);
	idmap_release(&context->task_numbers);
}

double cpu_percent(const struct context *context, uint64_t samples)
{
	return percent_of((double)samples, (double)context->profile->samples);
}

double run_percent(const struct context *context, uint64_t ns)
{
	return percent_of((double)ns, context->run);
}

double run_margin(const struct profile *profile)
{
	return margin_of(50, profile->samples);
}

bool is_shown(const struct context *context, double percent)
{
	return context->options->all || percent * 10 >= context->options->baseline;
}

bool is_detailed(const struct context *context, double percent)
{
	return context->options->all || percent >= context->options->baseline;
}

static const struct {
	const char *name, *pseudo_file;
} reasons[WAIT_REASON_COUNT] = {
	[0] = { "UNKNOWN", ".UNKNOWN" },
	[WAIT_OTHER] = { "OTHER", ".WAIT" },
	[WAIT_FILE_READ] = { "FILE READ", ".FILE" },
	[WAIT_FILE_WRITE] = { "FILE WRITE", ".FILE" },
	[WAIT_FILE_SYNC] = { "FILE SYNC", ".FILE" },
	[WAIT_FILE_OTHER] = { "FILE OPEN, STATUS", ".FILEMGT" },
	[WAIT_SOCKET] = { "SOCKET", ".SOCKET" },
	[WAIT_PIPE] = { "PIPE", ".PIPE" },
	[WAIT_TERMINAL] = { "TERMINAL", ".TERMINAL" },
	[WAIT_LOCK] = { "LOCK", ".LOCK" },
	[WAIT_SLEEP] = { "SLEEP", ".SLEEP" },
	[WAIT_CHILD] = { "CHILD PROCESS", ".CHILD" },
	[WAIT_PAGE] = { "PAGE FAULT", ".PAGE" },
	[WAIT_POLL] = { "POLL", ".POLL" },
	[WAIT_SIGNAL] = { "SIGNAL", ".SIGNAL" },
	[WAIT_DISPATCH] = { "DISPATCH DELAY", ".DISPATCH" },
	[WAIT_STOPPED] = { "STOPPED", ".STOPPED" },
	[WAIT_UNKNOWN] = { "UNKNOWN", ".UNKNOWN" },
};

const char *reason_name(uint64_t reason)
{
	return reasons[reason < WAIT_REASON_COUNT ? reason : 0].name;
}

const char *reason_pseudo_file(uint64_t reason)
{
	return reasons[reason < WAIT_REASON_COUNT ? reason : 0].pseudo_file;
}

void task_label(const struct context *context, uint64_t task, struct strbuf *sb)
{
	const char *name = task_comm(context->profile, task);
	uint64_t number;

	if (*name)
		strbuf_addstr(sb, name);
	else
		strbuf_addf(sb, "TASK %" PRIu64, task);
	if (idmap_get(&context->task_numbers, task, &number))
		strbuf_addf(sb, " %" PRIu64, number);
}

void file_label(const struct profile *profile, uint64_t id, struct strbuf *sb)
{
	const struct record_file *file = id_table_get(&profile->files, id);
	const char *ddname = file ? profile_text(profile, file->ddname) : "";
	const char *path = file ? profile_text(profile, file->path) : "";
	const char *slash = strrchr(path, '/');

	if (*ddname)
		strbuf_addstr(sb, ddname);
	else if (file && file->kind == FILE_SOCKET)
		strbuf_addstr(sb, ".SOCKET");
	else if (file && file->kind == FILE_PIPE)
		strbuf_addstr(sb, ".PIPE");
	else if (*path)
		strbuf_addstr(sb, slash && slash[1] ? slash + 1 : path);
	else
		strbuf_addf(sb, "FILE %" PRIu64, id);
}

const char *file_data_set(const struct profile *profile, uint64_t id)
{
	const struct record_file *file = id_table_get(&profile->files, id);
	const char *dsn = file ? profile_text(profile, file->dsn) : "";

	if (*dsn || !file)
		return dsn;
	return profile_text(profile, file->path);
}

const char *file_device(const struct profile *profile, uint64_t id)
{
	static const char *const kinds[] = { "",     "FILE", "FOLDER", "SOCKET",
					     "PIPE", "CHAR", "BLOCK",  "OTHER" };
	const struct record_file *file = id_table_get(&profile->files, id);
	const char *device = file ? profile_text(profile, file->device) : "";

	if (*device || !file)
		return device;
	return file->kind < ARRAY_SIZE(kinds) ? kinds[file->kind] : "";
}

const char *transaction_name(const struct profile *profile, uint64_t id)
{
	const struct record_transaction *transaction = id_table_get(&profile->transactions, id);

	if (!id)
		return ".NOTRAN";
	return transaction ? profile_text(profile, transaction->name) : ".UNKNOWN";
}

int compare_texts(const struct profile *profile, uint64_t first, uint64_t second)
{
	return first == second
		       ? 0
		       : strcmp(profile_text(profile, first), profile_text(profile, second));
}

int compare_text_pairs(const uint64_t *first, const uint64_t *second, void *profile)
{
	int order = compare_texts(profile, first[0], second[0]);

	return order ? order : compare_texts(profile, first[1], second[1]);
}

void row_string(const struct context *context, struct table *table, struct row *row,
		uint64_t string)
{
	row_text(table, row, profile_text(context->profile, string));
}

void row_cpu(const struct context *context, struct table *table, struct row *row, uint64_t solo,
	     uint64_t total)
{
	double percent = cpu_percent(context, total);

	row_real(table, row, cpu_percent(context, solo));
	row_real(table, row, percent);
	row_real(table, row, margin_of(percent, context->profile->samples));
}
