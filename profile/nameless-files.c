/* SPDX-License-Identifier: Apache-2.0 */
#include "common/compat.h"
#include "profile/nameless-files.h"
#include "profile/profile.h"
#include "records/record-types.h"

void nameless_files_release(struct nameless_files *nameless)
{
	id_table_release(&nameless->records);
}

static bool is_nameless(const struct profile *profile, const struct record_file *file)
{
	const char *path = profile_text(profile, file->path);

	if (*path == '/' || *profile_text(profile, file->ddname))
		return false;
	return file->kind == FILE_PIPE || (file->kind == FILE_SOCKET && !strstr(path, "] "));
}

static struct nameless_kind *kind_of(struct nameless_files *nameless,
				     const struct record_file *file)
{
	return file->kind == FILE_PIPE ? &nameless->pipes : &nameless->sockets;
}

/* Adds a record to the sums of its kind, or removes it (sign -1). */
static void account(struct nameless_kind *kind, const struct record_file *file, int sign)
{
	kind->count += (size_t)sign;
	kind->bytes_known += (size_t)sign * !!file->bytes_known;
	kind->calls_known += (size_t)sign * !!file->calls_known;
	kind->opens += (uint64_t)sign * file->opens;
	kind->size_first += (uint64_t)sign * file->size_first;
	kind->size_last += (uint64_t)sign * file->size_last;
}

bool nameless_files_take(struct nameless_files *nameless, struct profile *profile,
			 const struct record_file *file)
{
	size_t width = sizeof(*file) / sizeof(uint64_t);
	const struct record_file *before = id_table_get(&nameless->records, file->file);
	struct nameless_kind *kind = kind_of(nameless, file);
	struct record_file all = *file;

	if (!is_nameless(profile, file))
		return false;
	if (before)
		account(kind_of(nameless, before), before, -1);
	else if (!kind->count)
		kind->first = file->file;
	account(kind, file, 1);
	id_table_put(&nameless->records, (const uint64_t *)file, width);
	all.file = kind->first;
	if (kind->count > 1) {
		all.path = strmap_put(&profile->strings, "");
		all.opens = kind->opens;
		all.size_first = kind->size_first;
		all.size_last = kind->size_last;
		all.bytes_known = kind->bytes_known == kind->count;
		all.calls_known = kind->calls_known == kind->count;
	}
	id_table_put(&profile->files, (const uint64_t *)&all, width);
	return true;
}

uint64_t nameless_files_stand_in(const struct nameless_files *nameless, uint64_t file)
{
	const struct record_file *record = id_table_get(&nameless->records, file);

	if (!record)
		return file;
	return record->kind == FILE_PIPE ? nameless->pipes.first : nameless->sockets.first;
}
