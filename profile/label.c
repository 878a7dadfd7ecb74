/* SPDX-License-Identifier: Apache-2.0 */
/* Names of tasks, files, transactions and waits. */
#include "common/compat.h"
#include "profile/label.h"
#include "profile/profile.h"
#include "records/record-types.h"

#include <ctype.h>

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

void label_number_tasks(struct profile *profile)
{
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
				idmap_put(&profile->task_numbers, task->task, count + 1);
		}
	strmap_release(&names);
	idmap_release(&counts);
	idmap_release(&seen);
}

/*
 * Returns the path of a file that is named by the end of its path, NULL if it is
 * named otherwise.
 */
static const char *path_to_end(const struct profile *profile, const struct record_file *file)
{
	const char *path = profile_text(profile, file->path), *slash = strrchr(path, '/');

	if (*profile_text(profile, file->ddname) || file->kind == FILE_SOCKET || !slash ||
	    !slash[1] || (file->kind == FILE_PIPE && *path != '/'))
		return NULL;
	return path;
}

/* Returns the end of a path with this many folders, or all of it. */
static const char *path_end(const char *path, uint64_t folders)
{
	const char *end = path + strlen(path);

	while (end > path && (end[-1] != '/' || folders--))
		end--;
	return end;
}

/*
 * Records for each path end how many folders it has, and adds one if different
 * paths share it; returns whether any did.
 */
static bool lengthen_ends(struct profile *profile)
{
	struct idmap paths, shared;
	struct strmap ends;
	bool changed = false;

	strmap_init(&ends);
	idmap_init(&paths);
	idmap_init(&shared);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < profile->files.count; i++) {
			const struct record_file *file = id_table_at(&profile->files, i);
			const char *path = path_to_end(profile, file), *end;
			uint64_t folders = 0, first = file->path;
			uint32_t number;

			if (!path)
				continue;
			idmap_get(&profile->file_folders, file->file, &folders);
			end = path_end(path, folders);
			number = strmap_put(&ends, end);
			if (pass == 0 && idmap_get(&paths, number, &first) && first != file->path)
				idmap_put(&shared, number, 1);
			else if (pass == 0)
				idmap_put(&paths, number, file->path);
			else if (idmap_get(&shared, number, &first) && end > path) {
				idmap_put(&profile->file_folders, file->file, folders + 1);
				changed = true;
			}
		}
	strmap_release(&ends);
	idmap_release(&paths);
	idmap_release(&shared);
	return changed;
}

void label_distinguish_files(struct profile *profile)
{
	while (lengthen_ends(profile))
		;
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
	[WAIT_VIGIL] = { "VIGIL", ".VIGIL" },
};

const char *label_reason(uint64_t reason)
{
	return reasons[reason < WAIT_REASON_COUNT ? reason : 0].name;
}

const char *label_pseudo_file(uint64_t reason)
{
	return reasons[reason < WAIT_REASON_COUNT ? reason : 0].pseudo_file;
}

uint64_t label_pseudo_file_reason(uint64_t reason)
{
	const char *name = label_pseudo_file(reason);
	uint64_t first = 0;

	while (strcmp(label_pseudo_file(first), name) != 0)
		first++;
	return first;
}

void label_task(const struct profile *profile, uint64_t task, struct strbuf *sb)
{
	const char *name = task_comm(profile, task);
	uint64_t number;

	if (*name)
		strbuf_addstr(sb, name);
	else
		strbuf_addf(sb, "TASK %" PRIu64, task);
	if (idmap_get(&profile->task_numbers, task, &number))
		strbuf_addf(sb, " %" PRIu64, number);
}

void label_file(const struct profile *profile, uint64_t id, struct strbuf *sb)
{
	const struct record_file *file = id_table_get(&profile->files, id);
	const char *ddname = file ? profile_text(profile, file->ddname) : "";
	const char *path = file ? profile_text(profile, file->path) : "";
	const char *slash = strrchr(path, '/'), *peer = strstr(path, "] ");
	uint64_t folders = 0;

	if (*ddname)
		strbuf_addstr(sb, ddname);
	else if (file && file->kind == FILE_SOCKET)
		strbuf_addstr(sb, peer ? peer + 2 : ".SOCKET");
	else if (file && file->kind == FILE_PIPE && *path != '/')
		strbuf_addstr(sb, ".PIPE");
	else if (*path && slash && slash[1]) {
		idmap_get(&profile->file_folders, id, &folders);
		strbuf_addstr(sb, path_end(path, folders));
	} else if (*path)
		strbuf_addstr(sb, path);
	else
		strbuf_addf(sb, "FILE %" PRIu64, id);
}

const char *label_data_set(const struct profile *profile, uint64_t id)
{
	const struct record_file *file = id_table_get(&profile->files, id);
	const char *dsn = file ? profile_text(profile, file->dsn) : "";

	if (*dsn || !file)
		return dsn;
	return profile_text(profile, file->path);
}

const char *label_device(const struct profile *profile, uint64_t id)
{
	static const char *const kinds[] = { "",     "FILE", "FOLDER", "SOCKET",
					     "PIPE", "CHAR", "BLOCK",  "OTHER" };
	const struct record_file *file = id_table_get(&profile->files, id);
	const char *device = file ? profile_text(profile, file->device) : "";

	if (*device || !file)
		return device;
	return file->kind < ARRAY_SIZE(kinds) ? kinds[file->kind] : "";
}

const char *label_transaction(const struct profile *profile, uint64_t id)
{
	const struct record_transaction *transaction = id_table_get(&profile->transactions, id);

	if (!id)
		return ".NOTRAN";
	return transaction ? profile_text(profile, transaction->name) : ".UNKNOWN";
}

void label_wait(const struct profile *profile, uint64_t reason, uint64_t file, struct strbuf *sb)
{
	const struct record_file *record = id_table_get(&profile->files, file);

	strbuf_addstr(sb, reason == WAIT_DISPATCH ? "ready but not running" : "waiting");
	if (file) {
		strbuf_addstr(sb, record && *profile_text(profile, record->ddname) ? " for DD "
										   : " for ");
		label_file(profile, file, sb);
	}
	if (reason == WAIT_DISPATCH)
		return;
	strbuf_addstr(sb, ", ");
	for (const char *at = label_reason(reason); *at; at++)
		strbuf_addch(sb, (char)tolower((unsigned char)*at));
}
