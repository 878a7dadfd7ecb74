/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vigil.h - functions that an application calls while it is measured.
 *
 * A program can announce the unit of work it processes; the Performance Profile
 * then divides CPU time and waits by these transactions. Link with -lvigil
 * (pkg-config vigil). From COBOL, with COB_PRE_LOAD=libvigil or when linked with
 * it:
 *
 * 	CALL "vigil_transaction" USING BY CONTENT Z"ORDER" RETURNING OMITTED
 *
 * (without RETURNING OMITTED the CALL sets RETURN-CODE, as every CALL does).
 *
 * When the program is not measured, a call costs one test of a variable.
 *
 * All functions may be called from any thread. They never fail, never allocate
 * after the first call of a thread, and preserve errno.
 */
#ifndef VIGIL_VIGIL_H
#define VIGIL_VIGIL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum length in bytes of a transaction name; longer ones are truncated. */
#define VIGIL_TRANSACTION_MAX 63

/*
 * Assigns the calling thread to transaction name until the next call. NULL or ""
 * resets: what follows belongs to no transaction. name is copied. Names that begin
 * with '.' mean overhead. Returns 1 when the program is measured, otherwise 0.
 */
int vigil_transaction(const char *name);

/* Does the same for a name of length bytes without a NUL; trailing blanks are dropped. */
int vigil_transaction_n(const char *name, size_t length);

/*
 * Start and pause collecting, samples and events alike, for the whole step from
 * now on, as FUNCTION=START and FUNCTION=PAUSE do in control statements
 * (vigil-statements(5)). A session that was initialized but not started, or that
 * is paused, waits for vigil_start(). The time in between is not counted. Starting
 * a started session and pausing a paused one have no effect. From COBOL:
 *
 * 	CALL "vigil_start" RETURNING OMITTED
 * 	CALL "vigil_pause" RETURNING OMITTED
 *
 * Return 1 when the program is measured, otherwise 0.
 */
int vigil_start(void);
int vigil_pause(void);

/*
 * Records a user event (type U): number, and text of at most 2048 bytes, or NULL.
 * Returns 1 when events are being collected, otherwise 0: before FUNCTION=START,
 * after PAUSE, or where no PROFILER block requests them.
 */
int vigil_event(int number, const char *text);

/* Returns 1 when the program runs under measurement, otherwise 0. */
int vigil_measured(void);

#ifdef __cplusplus
}
#endif

#endif
