/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short forms of the long names that C++ and Rust compilers make. The least
 * informative parts are dropped first:
 *
 * 	shop::order::total<int>(int) const	as it is
 * 	shop::order::total<int>			without parameters and return type
 * 	shop::order::total<..>			without its template arguments
 * 	order::total<int>			without namespaces, but with the arguments
 * 	order::total<..>
 * 	total<int>
 * 	total<..>
 *
 * A lambda is named by its function: "main::{lambda#2}". Names of other languages
 * have one form, themselves.
 */
#ifndef VIGIL_REPORTS_NAME_FORMS_H
#define VIGIL_REPORTS_NAME_FORMS_H

#include "common/strbuf.h"

enum name_form {
	NAME_FORM_BARE, /* without parameters */
	NAME_FORM_NO_ARGUMENTS,
	NAME_FORM_NO_SCOPES, /* short, but with everything that distinguishes */
	NAME_FORM_OWNER,
	NAME_FORM_LAST, /* the last component, with its arguments */
	NAME_FORM_LAST_BARE,
	NAME_FORMS
};

/* Returns whether a name has short forms. */
bool name_forms_has(const char *name);
/* Appends a form of a name. */
void name_forms_add(struct strbuf *sb, const char *name, enum name_form form);

#endif
