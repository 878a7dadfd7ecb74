/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long names and the tokens that represent them in listings. A token is readable
 * without its name: it keeps what distinguishes names. No two names share a token,
 * and no token looks like another known name.
 *
 * For a known C++ or Rust name the token is the longest of its short forms
 * (name-forms.h) that fits and belongs to no other name, so it does not depend on
 * the order of the names. For any other name, and if no form fits, it is the
 * name's start, '-' and its end ("PAYROLL-MA-TER"), or its start and the part
 * where it differs from the name that already has that token.
 */
#ifndef VIGIL_REPORTS_TOKENS_H
#define VIGIL_REPORTS_TOKENS_H

#include "common/strbuf.h"
#include "common/strmap.h"

struct tokens {
	struct token {
		char *token, *name;
	} * items;
	size_t count, alloc;
	struct strmap requests; /* width and name; entry i is answered by item answers[i - 1] */
	size_t *answers;
	size_t answer_alloc;
	struct strmap taken;	/* all tokens; entry i belongs to item owners[i - 1] */
	size_t *owners;
	size_t owner_alloc;
	struct strmap known; /* names of code that may be shown */
	struct strmap forms; /* their short forms */
	uint32_t *names;     /* by number of a form: the known name with it, or many */
	size_t name_alloc;
	struct strmap words; /* texts that need no token */
};

void tokens_init(struct tokens *tokens);
void tokens_release(struct tokens *tokens);
/*
 * Registers a name of code that may be shown: it gets short forms, and no token of
 * another name looks like it.
 */
void tokens_register(struct tokens *tokens, const char *name);
/*
 * Returns the token of a name that is wider than width, at least 8; with tail:
 * "..." and its end.
 */
const char *tokens_put(struct tokens *tokens, const char *name, size_t width, bool tail);
/* Returns a name that fits into width, or its token; valid as long as the tokens. */
const char *tokens_word(struct tokens *tokens, const char *name, size_t width);

#endif
