/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vigil.h - calls from inside an application.
 *
 * A program that knows which unit of work it is at can say so, and the
 * Performance Profile divides CPU time and waits by these transactions.
 * Link with -lvigil (pkg-config vigil). From COBOL, with COB_PRE_LOAD=libvigil
 * or when linked with it:
 *
 *	CALL "vigil_transaction" USING BY CONTENT Z"ORDER" RETURNING OMITTED
 *
 * (without RETURNING OMITTED the CALL sets RETURN-CODE, as every CALL does).
 *
 * When the program is not measured a call costs one test of a variable.
 *
 * All functions may be called from any thread; they never fail, never
 * allocate after the first call of a thread and leave errno alone.
 */
#ifndef VIGIL_VIGIL_H
#define VIGIL_VIGIL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest transaction name kept, bytes; longer ones are cut. */
#define VIGIL_TRANSACTION_MAX 63

/*
 * The calling thread works for transaction name from now on, until the next
 * call. NULL or "" resets: what follows belongs to no transaction. name is
 * copied. Names that begin with '.' mean overhead.
 * Returns 1 when the program is measured, otherwise 0.
 */
int vigil_transaction(const char *name);

/* The same for a text of length bytes without an end mark; blanks at its end are dropped. */
int vigil_transaction_n(const char *name, size_t length);

/*
 * Start and pause collecting, samples and events alike, for the whole step from
 * this moment on: what FUNCTION=START and FUNCTION=PAUSE do in control
 * statements (vigil-statements(5)). A session that was initialized and not
 * started, or paused, waits for vigil_start(). Time in between counts for
 * nothing. Starting what is started, and pausing what is paused, changes
 * nothing. From COBOL:
 *
 *	CALL "vigil_start" RETURNING OMITTED
 *	CALL "vigil_pause" RETURNING OMITTED
 *
 * Return 1 when the program is measured, otherwise 0.
 */
int vigil_start(void);
int vigil_pause(void);

/*
 * A user event (type U): number, and text of at most 2048 bytes, or NULL.
 * Returns 1 when events are being collected, otherwise 0: before
 * FUNCTION=START, after PAUSE, or where no PROFILER block asked for them.
 */
int vigil_event(int number, const char *text);

/* 1 when the program runs under measurement, otherwise 0. */
int vigil_measured(void);

#ifdef __cplusplus
}
#endif

#endif
