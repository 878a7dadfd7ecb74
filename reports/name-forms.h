/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short forms of the long names that compilers of C++ and Rust make. What tells least goes first:
 *
 *	shop::order::total<int>(int) const	as it is
 *	shop::order::total<int>			without what it takes and returns
 *	shop::order::total<..>			without its template arguments
 *	order::total<int>			without namespaces, but with the arguments
 *	order::total<..>
 *	total<int>
 *	total<..>
 *
 * A lambda is told by its function: "main::{lambda#2}". Names of other languages have one form, themselves.
 */
#ifndef VIGIL_REPORTS_NAME_FORMS_H
#define VIGIL_REPORTS_NAME_FORMS_H

#include "common/strbuf.h"

enum name_form {
	NAME_FORM_BARE, /* without parameters */
	NAME_FORM_NO_ARGUMENTS,
	NAME_FORM_NO_SCOPES, /* all that distinguishes, in few words */
	NAME_FORM_OWNER,
	NAME_FORM_LAST, /* alone, with its arguments */
	NAME_FORM_LAST_BARE,
	NAME_FORMS
};

/* Whether a name has other forms than itself. */
bool name_forms_has(const char *name);
/* Append a form of a name. */
void name_forms_add(struct strbuf *sb, const char *name, enum name_form form);

#endif
