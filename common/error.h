/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reason why a library function failed, as full sentences for the user.
 *
 * A function below session/ that can fail takes a struct error * as its last
 * argument, leaves it unchanged on success, and on failure sets a sentence and
 * returns -1 (or NULL). The innermost function says what happened; callers may
 * prefix what they were doing:
 *
 * 	return error_set(err, "%s is not a sample data set", path);
 * 	return error_prefix(err, "the profile cannot be printed");
 *
 * Only commands print an error (error_text) and choose an exit status.
 */
#ifndef VIGIL_COMMON_ERROR_H
#define VIGIL_COMMON_ERROR_H

#include "common/strbuf.h"

struct error {
	struct strbuf text; /* "outer: inner", no newline; empty: no failure so far */
};

#define ERROR_INIT                                                                                 \
	{                                                                                          \
		STRBUF_INIT                                                                        \
	}

void error_init(struct error *err);
void error_release(struct error *err);
/* Replaces the text; returns -1 so that "return error_set(...)" is one line. err may be NULL. */
int error_set(struct error *err, const char *format, ...) PRINTFLIKE(2, 3);
/* As error_set, with ": " and the text of errno appended. */
int error_errno(struct error *err, const char *format, ...) PRINTFLIKE(2, 3);
/* Puts "format: " in front of the text; returns -1. */
int error_prefix(struct error *err, const char *format, ...) PRINTFLIKE(2, 3);
/* Returns the text, "" if there is none. Valid until the error changes. */
const char *error_text(const struct error *err);

#endif
