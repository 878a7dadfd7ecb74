/* SPDX-License-Identifier: Apache-2.0 */
#include "common/compat.h"
#include "profile/alike-files.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "profile/profile.h"

void alike_files_init(struct alike_files *alike)
{
	*alike = (struct alike_files){ 0 };
	idmap_init(&alike->groups);
	strmap_init(&alike->looks);
}

void alike_files_release(struct alike_files *alike)
{
	id_table_release(&alike->records);
	idmap_release(&alike->groups);
	strmap_release(&alike->looks);
	free(alike->sums);
}

/* Returns whether a file has no name that a reader could tell it by. */
static bool is_nameless(const struct profile *profile, const struct record_file *file)
{
	const char *path = profile_text(profile, file->path);

	if (*path == '/' || *profile_text(profile, file->ddname))
		return false;
	return file->kind == FILE_PIPE || (file->kind == FILE_SOCKET && !strstr(path, "] "));
}

/* Returns the number of what a reader sees of a file. */
static uint32_t looks_of(struct alike_files *alike, const struct profile *profile,
			 const struct record_file *file)
{
	const char *path = profile_text(profile, file->path);
	struct strbuf looks = STRBUF_INIT;
	uint32_t number;

	strbuf_addf(&looks, "%" PRIu64, file->kind);
	if (!is_nameless(profile, file))
		strbuf_addf(&looks, "\n%s\n%s\n%s\n%s", profile_text(profile, file->ddname),
			    profile_text(profile, file->dsn), profile_text(profile, file->device), path);
	if (!*path && !*profile_text(profile, file->ddname))
		strbuf_addf(&looks, "\n%" PRIu64, file->file); /* it is shown by its id */
	number = strmap_put_n(&alike->looks, looks.text, looks.length);
	strbuf_release(&looks);
	return number;
}

/* Adds a record to the sums of its looks, or removes it (sign -1). */
static void account(struct alike_group *group, const struct record_file *file, int sign)
{
	group->count += (size_t)sign;
	group->bytes_known += (size_t)sign * !!file->bytes_known;
	group->calls_known += (size_t)sign * !!file->calls_known;
	group->opens += (uint64_t)sign * file->opens;
	group->size_first += (uint64_t)sign * file->size_first;
	group->size_last += (uint64_t)sign * file->size_last;
}

/* Returns the number of the looks of a file, as it was taken last; UINT64_MAX: it is new. */
static uint64_t known_looks(const struct alike_files *alike, uint64_t file)
{
	uint64_t number;

	return idmap_get(&alike->groups, file, &number) ? number : UINT64_MAX;
}

/*
 * Returns the group of a file's record. A file whose name becomes known later changes
 * its group, unless it represents others that have none.
 */
static struct alike_group *join(struct alike_files *alike, const struct profile *profile,
				const struct record_file *file)
{
	const struct record_file *before = id_table_get(&alike->records, file->file);
	uint64_t number = looks_of(alike, profile, file), known = known_looks(alike, file->file);
	struct alike_group *group;

	if (number >= alike->alloc) {
		size_t alloc = alike->alloc;

		GROW(alike->sums, number + 1, alike->alloc);
		memset(alike->sums + alloc, 0, (alike->alloc - alloc) * sizeof(*alike->sums));
	}
	if (before) {
		group = &alike->sums[known];
		account(group, before, -1);
		if (group->first == file->file && group->count)
			number = known;
	}
	group = &alike->sums[number];
	if (!group->count)
		*group = (struct alike_group){ .first = file->file };
	if (file->file > group->newest)
		group->newest = file->file;
	account(group, file, 1);
	idmap_put(&alike->groups, file->file, number);
	return group;
}

/* Returns the record of all files of a group, the last of which is taken now. */
static struct record_file whole_of(const struct alike_files *alike, struct profile *profile,
				   const struct alike_group *group, const struct record_file *file)
{
	const char *looks = strmap_text(&alike->looks, (uint32_t)(group - alike->sums));
	struct record_file all = *file;

	all.file = group->first;
	if (group->count == 1)
		return all;
	all.opens = group->opens;
	all.bytes_known = group->bytes_known == group->count;
	all.calls_known = group->calls_known == group->count;
	if (!strchr(looks, '\n')) { /* they have no name */
		all.path = strmap_put(&profile->strings, "");
		all.size_first = group->size_first;
		all.size_last = group->size_last;
	} else {
		const struct record_file *first = id_table_get(&alike->records, group->first);
		const struct record_file *newest = id_table_get(&alike->records, group->newest);

		all.size_first = first ? first->size_first : file->size_first;
		all.size_last = newest ? newest->size_last : file->size_last;
	}
	return all;
}

void alike_files_take(struct alike_files *alike, struct profile *profile, const struct record_file *file)
{
	size_t width = sizeof(*file) / sizeof(uint64_t);
	const struct alike_group *group = join(alike, profile, file);
	struct record_file all;

	id_table_put(&alike->records, (const uint64_t *)file, width);
	all = whole_of(alike, profile, group, file);
	id_table_put(&profile->files, (const uint64_t *)&all, width);
}

uint64_t alike_files_stand_in(const struct alike_files *alike, uint64_t file)
{
	uint64_t number;

	return idmap_get(&alike->groups, file, &number) ? alike->sums[number].first : file;
}
