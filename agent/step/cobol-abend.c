/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that mainframe COBOL programs call to end abnormally, and detection of
 * a failure that the GnuCOBOL run time ignores: output that a full disk did not
 * take.
 */
#include "agent/agent-text.h"
#include "agent/step/cobol-ending.h"
#include "agent/step-area.h"

#include <stdio.h>

/* A user abend code has twelve bits. */
#define CODE_MASK 4095
/* Exit status after an abend, for those that see only the status: as of abort(). */
#define ABEND_STATUS 134

/* Called by COBOL programs; parameters are read through the run time, so that any USAGE works. */
AGENT_VISIBLE int CEE3ABD(void *code, void *timing);
AGENT_VISIBLE int ILBOABN0(void *code);
AGENT_VISIBLE void cob_stop_run(int status) NORETURN;
AGENT_VISIBLE void cob_close(struct cobol_file *file, struct cobol_field *status, int option,
			     int remap);

static bool ending; /* the run time closes what the program left open */

/* Ends the program through the run time, which closes its files. */
static NORETURN void end_program(int status)
{
	void (*stop)(int status) = NULL;

	ending = true;
	if (cobol_find(&stop, "cob_stop_run"))
		stop(status);
	exit(status);
}

/* Returns the first parameter of the CALL. */
static long long first_parameter(const void *data)
{
	long long (*number)(int parameter) = NULL;
	int (*count)(void) = NULL;
	int value;

	if (cobol_find(&number, "cob_get_s64_param") && cobol_find(&count, "cob_get_num_params") && count() > 0)
		return number(1);
	if (!data)
		return 0;
	memcpy(&value, data, sizeof(value)); /* the caller is not COBOL */
	return value;
}

static NORETURN void abend(const char *service, const void *data)
{
	char code_memory[8], why_memory[64];
	struct agent_text code = agent_text_in(code_memory, sizeof(code_memory));
	struct agent_text why = agent_text_in(why_memory, sizeof(why_memory));
	long long number = first_parameter(data);

	agent_text_add(&code, "U");
	agent_text_number(&code, (unsigned)number & CODE_MASK, 4);
	agent_text_add(&why, "the program called ");
	agent_text_add(&why, service);
	agent_text_add(&why, " with ");
	agent_text_signed(&why, number);
	step_abend(code.text, why.text);
	cobol_abends();
	end_program(ABEND_STATUS);
}

int CEE3ABD(void *code, void *timing UNUSED)
{
	abend("CEE3ABD", code);
}

int ILBOABN0(void *code)
{
	abend("ILBOABN0", code);
}

/* Returns whether an error means that there was no space. */
static bool is_no_space(int number)
{
	return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

/* Flushes streams, and abends if there is no space: the output would be lost silently. */
static void flush_streams(const char *name)
{
	char memory[200];
	struct agent_text why = agent_text_in(memory, sizeof(memory));
	int number;

	if (fflush(NULL) == 0 || !is_no_space(errno))
		return;
	number = errno;
	agent_text_add(&why, "output was lost");
	if (name) {
		agent_text_add(&why, ", file ");
		agent_text_add(&why, name);
	}
	agent_text_add(&why, ": ");
	agent_text_error(&why, number);
	step_abend("SB37", why.text);
	if (!ending)
		end_program(ABEND_STATUS);
}

/* Interposes on the run time's function: lines may still be buffered. */
void cob_close(struct cobol_file *file, struct cobol_field *status, int option, int remap)
{
	static void (*next)(struct cobol_file *, struct cobol_field *, int, int);
	static bool known;

	if (!next) {
		cobol_find(&next, "cob_close");
		known = cobol_known();
	}
	if (known && file && file->organization == COBOL_LINES && file->mode != COBOL_CLOSED &&
	    file->mode != COBOL_INPUT)
		flush_streams(file->name);
	cobol_verb_begins();
	next(file, status, option, remap);
	if (known && file)
		cobol_closed(file, cobol_calls(__builtin_return_address(0)));
	cobol_verb_done();
}

/*
 * Interposes on the run time's function: DISPLAY output may still be buffered, or
 * its write failed.
 */
void cob_stop_run(int status)
{
	if (!ending && cobol_calls(__builtin_return_address(0)))
		cobol_abends(); /* an error found by the run time */
	flush_streams(NULL);
	if (ferror(stdout) && !ending) {
		step_abend("SB37", "the output of DISPLAY could not be written");
		status = ABEND_STATUS;
	}
	end_program(status);
}
