/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What COBOL programs of a mainframe call to end abnormally, and what the run
 * time of GnuCOBOL does not notice: output that a full disk did not take.
 */
#include "common/compat.h"
#include "agent/step-area.h"

#include <dlfcn.h>

/* A user abend code has twelve bits. */
#define CODE_MASK 4095
/* Exit status after an abend, for those who see no more of it than that: as of abort(). */
#define ABEND_STATUS 134

/* Called by COBOL programs; parameters are read through the run time, whatever their USAGE is. */
int CEE3ABD(void *code, void *timing);
int ILBOABN0(void *code);
void cob_stop_run(int status) NORETURN;
void cob_close(struct cobol_file *file, struct cobol_field *status, int option, int remap);

void *cobol_function(const char *name)
{
	static const char *const libraries[] = { COBOL_LIBRARY, "libcob.so.5", "libcob.so.1" };
	void *library = NULL, *function = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(libraries) && !library; i++)
		library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
	if (library) {
		function = dlsym(library, name);
		dlclose(library); /* it stays loaded: others have it open */
	}
	return function;
}

bool cobol_known(void)
{
	void *library = dlopen(COBOL_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);

	if (library)
		dlclose(library);
	return library != NULL;
}

static bool ending; /* the run time closes what the program left open */

/* End the program in the way of the run time: its files are closed. */
static NORETURN void end_program(int status)
{
	void (*stop)(int status);
	void *found = cobol_function("cob_stop_run");

	ending = true;
	memcpy(&stop, &found, sizeof(stop));
	if (stop)
		stop(status);
	exit(status);
}

/* The first parameter of the CALL. */
static long long first_parameter(const void *data)
{
	long long (*number)(int parameter);
	int (*count)(void);
	void *found[] = { cobol_function("cob_get_s64_param"),
			  cobol_function("cob_get_num_params") };
	int value;

	memcpy(&number, &found[0], sizeof(number));
	memcpy(&count, &found[1], sizeof(count));
	if (number && count && count() > 0)
		return number(1);
	if (!data)
		return 0;
	memcpy(&value, data, sizeof(value)); /* a caller that is no COBOL */
	return value;
}

static NORETURN void abend(const char *service, const void *data)
{
	char code[8], why[64];
	long long number = first_parameter(data);

	snprintf(code, sizeof(code), "U%04u", (unsigned)number & CODE_MASK);
	snprintf(why, sizeof(why), "the program called %s with %lld", service, number);
	step_abend(code, why);
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

/* Whether an error says that there was no room. */
static bool no_room(int number)
{
	return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

/* Write out what streams hold: what finds no room would be lost without a word. */
static void flush_streams(const char *name)
{
	char why[200];

	if (fflush(NULL) == 0 || !no_room(errno))
		return;
	snprintf(why, sizeof(why), "output was lost%s%s: %s", name ? ", file " : "",
		 name ? name : "", strerror(errno));
	step_abend("SB37", why);
	if (!ending)
		end_program(ABEND_STATUS);
}

/* Stands before the run time's: lines may still be in memory. */
void cob_close(struct cobol_file *file, struct cobol_field *status, int option, int remap)
{
	static void (*next)(struct cobol_file *, struct cobol_field *, int, int);
	static bool known;

	if (!next) {
		void *found = cobol_function("cob_close");

		memcpy(&next, &found, sizeof(next));
		known = cobol_known();
	}
	if (known && file && file->organization == COBOL_LINES && file->mode != COBOL_CLOSED &&
	    file->mode != COBOL_INPUT)
		flush_streams(file->name);
	next(file, status, option, remap);
}

/* Stands before the run time's: so may be what was displayed, or it was tried to write it. */
void cob_stop_run(int status)
{
	flush_streams(NULL);
	if (ferror(stdout) && !ending) {
		step_abend("SB37", "what was displayed could not be written");
		status = ABEND_STATUS;
	}
	end_program(status);
}
