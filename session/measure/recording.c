/* SPDX-License-Identifier: Apache-2.0 */
/* Records a session. */
#include "common/compat.h"
#include "session/measure/recording.h"
#include "common/clock.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "sampler/recording/recorder.h"
#include "sampler/recording/tape-file.h"
#include "session/measure/request-settings.h"

/* A piece of tape is written when it is this long, or this old; those of the first calls at once. */
#define PIECE_SIZE (1U << 20)
#define PIECE_AGE (250 * NSEC_PER_MSEC)
#define FIRST_CALLS 2

struct recording {
	struct tape_file *file; /* NULL: the recording has ended */
	struct tape_writer tape;
	struct recorder *recorder;
	struct outside *before; /* source of the thread, while a call lasts */
	uint64_t began;		/* when the piece began */
	uint64_t calls;
	struct error failure;
};

/* A setting_each. */
static void put_setting(void *argument, const struct tape_entry *setting)
{
	struct recording *recording = argument;
	struct tape_entry entry = *setting;

	entry.kind = TAPE_SESSION;
	entry.a = SESSION_SETTING;
	tape_write(&recording->tape, &entry);
}

/* Closes the file. */
static void end(struct recording *recording)
{
	struct error err = ERROR_INIT;

	recorder_stop(recording->recorder);
	if (tape_file_finish(recording->file, &err) < 0 && !error_text(&recording->failure)[0])
		error_set(&recording->failure, "%s", error_text(&err));
	recording->file = NULL;
	error_release(&err);
}

/* Writes the piece so far; if that cannot be, the recording ends. Also called while a call lasts. */
static void flush(void *argument)
{
	struct recording *recording = argument;
	struct outside *session = outside_step_aside();
	struct error err = ERROR_INIT;
	int result = tape_file_put(recording->file, &recording->tape.bytes, &err);

	recording->began = clock_monotonic_ns();
	if (result > 0)
		error_set(&recording->failure, "it has the size that --record-size allows");
	else if (result < 0)
		error_set(&recording->failure, "%s", error_text(&err));
	error_release(&err);
	if (result != 0)
		end(recording);
	outside_step_back(session);
}

char *recording_beside(const char *data_set)
{
	const char *name = path_base(data_set), *suffix = strrchr(name, '.');
	struct strbuf path = STRBUF_INIT;

	if (!suffix || suffix == name)
		suffix = data_set + strlen(data_set);
	strbuf_add(&path, data_set, (size_t)(suffix - data_set));
	strbuf_addstr(&path, RECORDING_SUFFIX);
	return strbuf_detach(&path, NULL);
}

struct recording *recording_new(const char *path, const struct measure_request *request, struct error *err)
{
	uint64_t limit = request->record_limit ? request->record_limit : RECORDING_SIZE_MB << 20;
	struct tape_file *file = tape_file_create(path, limit, err);
	struct recording *recording;

	RETURN_IF(!file, NULL);
	recording = xcalloc(1, sizeof(*recording));
	recording->file = file;
	error_init(&recording->failure);
	tape_writer_init(&recording->tape);
	recording->tape.full = flush;
	recording->tape.argument = recording;
	recording->tape.piece_size = PIECE_SIZE;
	recording->recorder = recorder_new(
		&recording->tape, &(struct recorder_options){ .objects = request->record_objects,
							      .no_memory = request->record_no_memory });
	request_settings_each(request, put_setting, recording);
	flush(recording);
	return recording;
}

void recording_enter(struct recording *recording, const struct tape_entry *call)
{
	struct tape_entry entry;

	if (!recording)
		return;
	if (recording->file) {
		entry = *call;
		entry.kind = TAPE_SESSION;
		if (!entry.text)
			entry.text = "";
		tape_write(&recording->tape, &entry);
	}
	recording->before = outside_current;
	outside_current = recorder_source(recording->recorder);
}

void recording_leave(struct recording *recording)
{
	if (!recording)
		return;
	outside_current = recording->before;
	if (recording->file && (recording->calls++ < FIRST_CALLS ||
				clock_monotonic_ns() - recording->began >= PIECE_AGE))
		flush(recording);
}

void recording_end(struct recording *recording)
{
	if (!recording || !recording->file)
		return;
	flush(recording);
	if (recording->file)
		end(recording);
}

const char *recording_failure(const struct recording *recording)
{
	return recording ? error_text(&recording->failure) : "";
}

void recording_free(struct recording *recording)
{
	if (!recording)
		return;
	recording_end(recording);
	recorder_free(recording->recorder);
	tape_writer_release(&recording->tape);
	error_release(&recording->failure);
	free(recording);
}
