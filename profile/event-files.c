/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files in which programs of events begin. */
#include "common/compat.h"
#include "profile/event-files.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "records/record-types.h"

static bool has_line(const struct profile *profile, const struct record_event_site *site)
{
	return site->line && *profile_text(profile, site->file);
}

/* Records the files of sites: where a program is entered, else the first one seen. */
static void note_files(struct event_files *files, const struct profile *profile, bool entries)
{
	for (size_t i = 0; i < profile->event_sites.count; i++) {
		const struct record_event_site *site = id_table_at(&profile->event_sites, i);
		size_t before = files->programs.count, number;

		if (!has_line(profile, site) || (entries && site->type != EVENT_PS))
			continue;
		number = keymap_put(&files->programs,
				    (const uint64_t[]){ site->program, site->library });
		GROW(files->files, number + 1, files->alloc);
		if (number >= before)
			files->files[number] = site->file;
		else if (files->files[number] != site->file)
			files->several = true;
	}
}

void event_files_init(struct event_files *files, const struct profile *profile)
{
	memset(files, 0, sizeof(*files));
	keymap_init(&files->programs, 2);
	note_files(files, profile, true);
	note_files(files, profile, false);
}

void event_files_release(struct event_files *files)
{
	keymap_release(&files->programs);
	free(files->files);
}

const char *event_files_other(const struct event_files *files, const struct profile *profile,
			      uint64_t program, uint64_t library, uint64_t file)
{
	size_t number = keymap_find(&files->programs, (const uint64_t[]){ program, library });

	return number == SIZE_MAX || files->files[number] == file
		       ? ""
		       : path_base(profile_text(profile, file));
}
