/* SPDX-License-Identifier: Apache-2.0 */
/* Requests as settings. */
#include "common/compat.h"
#include "session/measure/request-settings.h"
#include "common/xalloc.h"

enum setting_kind { SETTING_TEXT, SETTING_NUMBER, SETTING_REAL, SETTING_FLAG, SETTING_PRIVILEGE };

/* A member of a struct. */
struct setting {
	const char *name;
	enum setting_kind kind;
	size_t offset;
};

#define MEMBER(member, kind) { #member, SETTING_##kind, offsetof(struct measure_request, member) }

static const struct setting settings[] = {
	MEMBER(output, TEXT),
	MEMBER(resource, TEXT),
	MEMBER(job, TEXT),
	MEMBER(job_number, TEXT),
	MEMBER(step, TEXT),
	MEMBER(procstep, TEXT),
	MEMBER(program, TEXT),
	MEMBER(executable, TEXT),
	MEMBER(command, TEXT),
	MEMBER(request_number, NUMBER),
	MEMBER(request_type, TEXT),
	MEMBER(samples, NUMBER),
	MEMBER(session_minutes, NUMBER),
	MEMBER(rate, NUMBER),
	MEMBER(cost, REAL),
	MEMBER(no_metrics, FLAG),
	MEMBER(limit_given, FLAG),
	MEMBER(no_limit, FLAG),
	MEMBER(limit, NUMBER),
	MEMBER(limit_stops, FLAG),
	MEMBER(privilege, PRIVILEGE),
	MEMBER(sampled, FLAG),
	MEMBER(paused, FLAG),
	MEMBER(count_files, FLAG),
	MEMBER(whole_process, FLAG),
};

#undef MEMBER
#define MEMBER(member, kind) { "file." #member, SETTING_##kind, offsetof(struct sampler_file, member) }

/* Of a file; the first one begins it. */
static const struct setting file_settings[] = {
	MEMBER(ddname, TEXT),	      MEMBER(dsn, TEXT),   MEMBER(path, TEXT),
	MEMBER(organization, TEXT), MEMBER(recfm, TEXT), MEMBER(lrecl, NUMBER),
};

/* Lists of texts: the list and its length. */
static const struct setting_list {
	const char *name;
	size_t list, count;
} setting_lists[] = {
	{ "collector", offsetof(struct measure_request, collectors.names),
	  offsetof(struct measure_request, collectors.name_count) },
	{ "collector.parameter", offsetof(struct measure_request, collectors.parameters),
	  offsetof(struct measure_request, collectors.parameter_count) },
	{ "collector.library", offsetof(struct measure_request, collectors.libraries),
	  offsetof(struct measure_request, collectors.library_count) },
	{ "collector.map_program", offsetof(struct measure_request, collectors.map_programs),
	  offsetof(struct measure_request, collectors.map_program_count) },
};

/* Passes a setting with a text on. */
static void pass_text(const char *name, const char *text, setting_each each, void *argument)
{
	if (text)
		each(argument, &(struct tape_entry){ .text = name, .data = text, .size = strlen(text) });
}

/* Returns the value of a member as a number; a real one in millionths. */
static uint64_t number_of(const struct setting *setting, const char *member)
{
	switch (setting->kind) {
	case SETTING_NUMBER:
		return *(const uint64_t *)(const void *)member;
	case SETTING_REAL:
		return (uint64_t)(*(const double *)(const void *)member * 1e6 + 0.5);
	case SETTING_FLAG:
		return *(const bool *)(const void *)member;
	case SETTING_PRIVILEGE:
		return *(const enum privilege *)(const void *)member;
	default:
		return 0;
	}
}

static void pass_members(const struct setting *list, size_t count, const void *from, setting_each each,
			 void *argument)
{
	for (size_t i = 0; i < count; i++) {
		const char *member = (const char *)from + list[i].offset;

		if (list[i].kind == SETTING_TEXT)
			pass_text(list[i].name, *(const char *const *)(const void *)member, each, argument);
		else
			each(argument, &(struct tape_entry){ .text = list[i].name,
							     .b = number_of(&list[i], member) });
	}
}

void request_settings_each(const struct measure_request *request, setting_each each, void *argument)
{
	pass_members(settings, ARRAY_SIZE(settings), request, each, argument);
	for (size_t i = 0; i < request->file_count; i++)
		pass_members(file_settings, ARRAY_SIZE(file_settings), &request->files[i], each, argument);
	for (size_t i = 0; i < ARRAY_SIZE(setting_lists); i++) {
		const char *base = (const char *)request;
		const char *const *list = *(const char *const *const *)(const void *)(base + setting_lists[i].list);
		size_t count = *(const size_t *)(const void *)(base + setting_lists[i].count);

		for (size_t j = 0; j < count; j++)
			pass_text(setting_lists[i].name, list[j], each, argument);
	}
}

void made_request_init(struct made_request *made)
{
	memset(made, 0, sizeof(*made));
	made->request.output = made->request.job = made->request.job_number = "";
	made->request.step = made->request.procstep = made->request.program = "";
	made->request.command = made->request.request_type = "";
}

void made_request_release(struct made_request *made)
{
	for (size_t i = 0; i < made->text_count; i++)
		free(made->texts[i]);
	free(made->texts);
	free(made->files);
	for (size_t i = 0; i < ARRAY_SIZE(made->lists); i++)
		free(made->lists[i]);
	memset(made, 0, sizeof(*made));
}

/* Returns a setting's text, which belongs to the request. */
static const char *text_of(struct made_request *made, const struct tape_entry *setting)
{
	GROW(made->texts, made->text_count + 1, made->text_alloc);
	made->texts[made->text_count] = xstrndup(setting->size ? setting->data : "", setting->size);
	return made->texts[made->text_count++];
}

/* Sets the member that has the setting's name; returns false if there is none. */
static bool set_member(struct made_request *made, const struct setting *list, size_t count, void *to,
		       const struct tape_entry *setting)
{
	for (size_t i = 0; i < count; i++) {
		void *member = (char *)to + list[i].offset;

		if (strcmp(list[i].name, setting->text) != 0)
			continue;
		if (list[i].kind == SETTING_TEXT)
			*(const char **)member = text_of(made, setting);
		else if (list[i].kind == SETTING_NUMBER)
			*(uint64_t *)member = setting->b;
		else if (list[i].kind == SETTING_REAL)
			*(double *)member = (double)setting->b / 1e6;
		else if (list[i].kind == SETTING_FLAG)
			*(bool *)member = setting->b != 0;
		else
			*(enum privilege *)member = setting->b <= PRIVILEGE_PROC ? (enum privilege)setting->b
										 : PRIVILEGE_AUTO;
		return true;
	}
	return false;
}

/* Begins another file. */
static void begin_file(struct made_request *made)
{
	struct measure_request *request = &made->request;

	GROW(made->files, request->file_count + 1, made->file_alloc);
	made->files[request->file_count++] = (struct sampler_file){ "", "", "", "", "", 0 };
	request->files = made->files;
}

/* Adds a text to the list that has the setting's name. */
static void add_to_list(struct made_request *made, const struct tape_entry *setting)
{
	char *base = (char *)&made->request;

	for (size_t i = 0; i < ARRAY_SIZE(setting_lists); i++) {
		size_t *count = (size_t *)(void *)(base + setting_lists[i].count);

		if (strcmp(setting_lists[i].name, setting->text) != 0)
			continue;
		GROW(made->lists[i], *count + 1, made->list_allocs[i]);
		made->lists[i][(*count)++] = text_of(made, setting);
		*(const char *const **)(void *)(base + setting_lists[i].list) = made->lists[i];
	}
}

void made_request_set(struct made_request *made, const struct tape_entry *setting)
{
	struct measure_request *request = &made->request;

	if (strcmp(setting->text, file_settings[0].name) == 0)
		begin_file(made);
	if (!set_member(made, settings, ARRAY_SIZE(settings), request, setting) &&
	    !(request->file_count &&
	      set_member(made, file_settings, ARRAY_SIZE(file_settings),
			 &made->files[request->file_count - 1], setting)))
		add_to_list(made, setting);
}
