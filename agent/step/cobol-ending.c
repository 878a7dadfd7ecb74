/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets a COBOL program ended by a signal close its indexed files, and marks these
 * while they are open.
 */
#include "agent/step/cobol-ending.h"
#include "agent/agent-text.h"
#include "agent/step/cobol-mark.h"
#include "agent/step/cobol-notes.h"

#include <signal.h>
#include <unistd.h>

#define FILES 64

static const int signals[] = { SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGSEGV, SIGBUS };
static struct sigaction before[ARRAY_SIZE(signals)];
static volatile sig_atomic_t depth;   /* of nested verbs in progress */
static volatile sig_atomic_t pending; /* signal deferred to the end of the verb */
static volatile sig_atomic_t abending;
static bool watching;
static int (*close_all)(void); /* function of the run time */

/* Files that are open for update. */
static struct {
	const struct cobol_file *file; /* NULL: a free entry */
	char path[PATH_MAX];
} updated[FILES];

/* The verbs of the run time that may change a file, or read its pages. */
AGENT_VISIBLE void cob_read(struct cobol_file *file, struct cobol_field *key,
			    struct cobol_field *status, int options);
AGENT_VISIBLE void cob_read_next(struct cobol_file *file, struct cobol_field *status, int options);
AGENT_VISIBLE void cob_write(struct cobol_file *file, struct cobol_field *record, int options,
			     struct cobol_field *status, unsigned check_eop);
AGENT_VISIBLE void cob_rewrite(struct cobol_file *file, struct cobol_field *record, int options,
			       struct cobol_field *status);
AGENT_VISIBLE void cob_delete(struct cobol_file *file, struct cobol_field *status);
AGENT_VISIBLE void cob_start(struct cobol_file *file, int condition, struct cobol_field *key,
			     struct cobol_field *size, struct cobol_field *status);

/* Returns the index of a signal in signals; the last one for a signal not listed. */
static size_t place_of(int number)
{
	size_t at = 0;

	while (at < ARRAY_SIZE(signals) - 1 && signals[at] != number)
		at++;
	return at;
}

/*
 * Ends the program by a signal. A handler of the run time closes the files itself;
 * by default they are closed here.
 */
static void end_by(int number)
{
	const struct sigaction *own = &before[place_of(number)];

	abending = true;
	if (own->sa_handler == SIG_DFL && close_all) {
		depth = 1; /* defers signals that arrive meanwhile */
		close_all();
	}
	sigaction(number, own, NULL);
	raise(number);
}

static bool is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS;
}

static void on_signal(int number, siginfo_t *info, void *context UNUSED)
{
	static const struct sigaction die = { .sa_handler = SIG_DFL };
	int saved = errno;

	if (is_fault(number)) {
		abending = true;
		/* The instruction is executed again, and now faults with the other action. */
		sigaction(number, depth > 0 ? &die : &before[place_of(number)], NULL);
		if (info->si_code <= 0)
			raise(number);
	} else if (depth > 0) {
		pending = number;
	} else {
		end_by(number);
	}
	errno = saved;
}

void cobol_abends(void)
{
	abending = true;
}

void cobol_verb_begins(void)
{
	depth++;
}

void cobol_verb_done(void)
{
	int number;

	depth--;
	if (depth > 0 || !pending)
		return;
	number = pending;
	pending = 0;
	end_by(number);
}

/* Catches the signals that would end the program; a signal that it ignores stays ignored. */
static void watch(void)
{
	struct sigaction action = { .sa_sigaction = on_signal };

	watching = true;
	cobol_find_code();
	cobol_find(&close_all, "cob_tidy");
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		if (sigaction(signals[i], NULL, &before[i]) < 0 || before[i].sa_handler == SIG_IGN)
			continue;
		action.sa_mask = before[i].sa_mask;
		action.sa_flags = SA_SIGINFO | SA_RESTART | (before[i].sa_flags & (int)SA_ONSTACK);
		sigaction(signals[i], &action, NULL);
	}
}

void cobol_opened(const struct cobol_file *file, const char *path)
{
	char memory[160];
	struct timespec now = { 0 };
	struct agent_text who = agent_text_in(memory, sizeof(memory));
	const char *job = getenv("VIGIL_JOB"), *step = getenv("VIGIL_STEP");
	size_t at = 0, length = strlen(path);

	if (file->organization != COBOL_INDEXED || file->mode < COBOL_INPUT ||
	    file->mode > COBOL_EXTEND)
		return;
	if (!watching)
		watch();
	if (file->mode == COBOL_INPUT || length >= PATH_MAX)
		return;
	while (at < FILES && updated[at].file)
		at++;
	if (at == FILES)
		return;
	clock_gettime(CLOCK_BOOTTIME, &now);
	agent_text_signed(&who, getpid());
	agent_text_add(&who, " ");
	agent_text_number(&who, agent_ns(&now), 0);
	agent_text_add(&who, " job ");
	agent_text_add(&who, job ? job : "");
	agent_text_add(&who, ", step ");
	agent_text_add(&who, step ? step : "");
	memcpy(updated[at].path, path, length + 1);
	updated[at].file = file;
	cobol_mark_set(path, who.text);
}

/* Returns whether the program has a file open for update, under any name of its own. */
static bool is_open(const char *path)
{
	for (size_t i = 0; i < FILES; i++)
		if (updated[i].file && strcmp(updated[i].path, path) == 0)
			return true;
	return false;
}

void cobol_closed(const struct cobol_file *file, bool implicit)
{
	for (size_t i = 0; i < FILES; i++) {
		if (updated[i].file != file || file->mode != COBOL_CLOSED)
			continue;
		updated[i].file = NULL;
		if ((file->status && file->status[0] != '0') || is_open(updated[i].path))
			continue;
		cobol_mark_clear(updated[i].path);
		cobol_note(updated[i].path,
			   !implicit ? "CLOSED" :
			   abending  ? "ABENDED" :
				       "ENDED",
			   "");
	}
}

/* Defines a verb that interposes on the run time's and calls it. */
#define VERB(name, parameters, arguments) \
	void name parameters \
	{ \
		static __typeof__(name) *next; \
\
		cobol_find(&next, #name); \
		cobol_verb_begins(); \
		next arguments; \
		cobol_verb_done(); \
	}

VERB(cob_read,
     (struct cobol_file *file, struct cobol_field *key, struct cobol_field *status, int options),
     (file, key, status, options))
VERB(cob_read_next, (struct cobol_file *file, struct cobol_field *status, int options),
     (file, status, options))
VERB(cob_write,
     (struct cobol_file *file, struct cobol_field *record, int options, struct cobol_field *status,
      unsigned check_eop),
     (file, record, options, status, check_eop))
VERB(cob_rewrite,
     (struct cobol_file *file, struct cobol_field *record, int options, struct cobol_field *status),
     (file, record, options, status))
VERB(cob_delete, (struct cobol_file *file, struct cobol_field *status), (file, status))
VERB(cob_start,
     (struct cobol_file *file, int condition, struct cobol_field *key, struct cobol_field *size,
      struct cobol_field *status),
     (file, condition, key, size, status))
