/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: measures a program with collectors. */
#include "common/compat.h"
#include "sampler/test-trial.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define CALLS_MAX 20000

/* sampler_config.choose: the same for every program. */
static size_t choose(void *argument, const char *program UNUSED, bool first UNUSED,
		     const struct sampler_collector **list)
{
	struct trial *trial = argument;

	*list = trial->list;
	return trial->count;
}

void trial_begin(struct trial *trial)
{
	memset(trial, 0, sizeof(*trial));
	snprintf(trial->log, sizeof(trial->log), "/tmp/test-collect-%d.log", (int)getpid());
	snprintf(trial->enough_file, sizeof(trial->enough_file), "/tmp/test-collect-%d.enough",
		 (int)getpid());
	unlink(trial->log);
	unlink(trial->enough_file);
	trial->session.config.choose = choose;
	trial->session.config.choose_argument = trial;
	trial->session.config.collector_host = "sampler/host/collector-host";
}

struct sampler_collector *trial_add(struct trial *trial, const char *path, const char *words)
{
	struct sampler_collector *collector = &trial->list[trial->count];
	char *parameter = trial->parameters[trial->count++];

	snprintf(parameter, sizeof(trial->parameters[0]), "log=%s %s", trial->log, words);
	*collector = (struct sampler_collector){ "STRBRULE", path, parameter, "", COLLECTOR_NAMED };
	return collector;
}

struct sampler_collector *trial_add_rules(struct trial *trial, const char *words)
{
	return trial_add(trial, "tests/collectors/rules.so", words);
}

/* Parses one line of the log. */
static void read_call(const char *line, struct call *call)
{
	int fields = sscanf(line,
			    "%7s tid=%ld pid=%ld time=%" SCNu64 " state=%u flags=%u "
			    "address=%" SCNx64 " base=%" SCNx64 " size=%" SCNx64
			    " module=%63s transaction=%63s id=%63s work=%u anchor=%ld frames=%zu "
			    "stack=%zu known=%x rip=%" SCNx64 " rsp=%" SCNx64 " stackat=%" SCNx64
			    " generation=%" SCNu64 " program=%63s places=%zu",
			    call->name, &call->tid, &call->pid, &call->time, &call->state,
			    &call->flags, &call->address, &call->base, &call->size, call->module,
			    call->transaction, call->id, &call->work, &call->anchor, &call->frames,
			    &call->stack, &call->known, &call->rip, &call->rsp, &call->stack_at,
			    &call->generation, call->program, &call->places);

	assert_int_equal(fields, 23);
}

/* Reads the calls so far. */
static void read_log(struct trial *trial)
{
	FILE *stream = fopen(trial->log, "re");
	char line[1024];

	if (!trial->calls)
		trial->calls = test_calloc(CALLS_MAX, sizeof(*trial->calls));
	trial->call_count = 0;
	/* The collector may be writing the last line. */
	while (stream && trial->call_count < CALLS_MAX && fgets(line, sizeof(line), stream) &&
	       strchr(line, '\n'))
		read_call(line, &trial->calls[trial->call_count++]);
	if (stream)
		fclose(stream);
}

/* session.enough: calls the test's condition for its trial, which begins with the session. */
static bool is_enough(struct session *session)
{
	struct trial *trial = (struct trial *)session;
	bool enough;

	read_log(trial);
	enough = trial->enough(trial);
	trial->came = trial->came || enough;
	return enough;
}

void trial_measure(struct trial *trial, ...)
{
	char path[256], *arguments[8] = { path };
	size_t count = 0;
	va_list words;

	va_start(words, trial);
	while ((arguments[count] = va_arg(words, char *)))
		count++;
	va_end(words);
	snprintf(path, sizeof(path), "tests/programs/%s", arguments[0]);
	arguments[0] = path;
	if (!trial->session.config.subject)
		trial->session.config.subject = path;
	if (trial->enough) {
		trial->session.enough = is_enough;
		trial->session.enough_file = trial->enough_file;
	}
	assert_true(session_run(&trial->session, arguments));
	assert_true(WIFEXITED(trial->session.status));
	assert_int_equal(WEXITSTATUS(trial->session.status), 0);
	read_log(trial);
	unlink(trial->log);
	unlink(trial->enough_file);
}

void trial_measure_until(struct trial *trial, bool (*enough)(const struct trial *trial))
{
	trial->enough = enough;
	trial_measure(trial, "shares", "20", trial->enough_file, NULL);
	if (!trial->came)
		fail_msg("it has not come about in 30 seconds of CPU time (%zu calls): %s",
			 trial->call_count, trial_problem(trial));
}

void trial_finish(struct trial *trial)
{
	session_release(&trial->session);
	test_free(trial->calls);
}

struct record_collector trial_row(const struct trial *trial, uint64_t number)
{
	const struct recordset *set = &trial->session.rows[RECORD_COLLECTOR];
	struct record_collector row = { 0 };

	for (size_t i = 0; i < set->count; i++) {
		const struct record_collector *one = recordset_get(set, i);

		if (one->collector == number)
			row = *one;
	}
	return row;
}

const char *trial_problem(const struct trial *trial)
{
	return session_text(&trial->session, trial_row(trial, 1).problem);
}

uint64_t trial_object(const struct trial *trial, uint64_t stack, const char **path)
{
	const struct session *session = &trial->session;
	const struct recordset *objects = &session->rows[RECORD_OBJECT];
	const struct record_stack *row;
	const struct record_frame *frame;

	*path = "";
	if (!stack)
		return 0;
	row = recordset_get(&session->rows[RECORD_STACK], (size_t)stack - 1);
	frame = recordset_get(&session->rows[RECORD_FRAME], (size_t)row->frame - 1);
	for (size_t i = 0; i < objects->count; i++) {
		const struct record_object *object = recordset_get(objects, i);

		if (object->object != frame->object)
			continue;
		*path = session_text(session, object->path);
		return object->kind;
	}
	return 0;
}

size_t trial_samples(const struct trial *trial, const char *module)
{
	const struct recordset *set = &trial->session.rows[RECORD_SAMPLE];
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *row = recordset_get(set, i);
		const char *path;

		count += trial_object(trial, row->stack, &path) == OBJECT_NAMED &&
			 strcmp(path, module) == 0;
	}
	return count;
}

const struct record_sample *trial_sample(const struct trial *trial, uint64_t time)
{
	const struct recordset *set = &trial->session.rows[RECORD_SAMPLE];

	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *row = recordset_get(set, i);

		if (row->time == time)
			return row;
	}
	return NULL;
}

const char *trial_transaction(const struct trial *trial, uint64_t id)
{
	const struct recordset *set = &trial->session.rows[RECORD_TRANSACTION];

	for (size_t i = set->count; i-- > 0;) {
		const struct record_transaction *row = recordset_get(set, i);

		if (row->transaction == id)
			return session_text(&trial->session, row->name);
	}
	return "";
}
