/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long names and the tokens that stand for them in listings. A token is to be read without its
 * name: what tells names apart is what it keeps. No two names share one, and none looks like
 * another name that is known.
 *
 * Of a known name of C++ or Rust a token is the longest of its short forms (name-forms.h) that fits and
 * is no other name's, so that it does not matter which name is met first. Of any other, and where
 * no form fits, it is the name's start, '-' and its end ("PAYROLL-MA-TER"), or its start and what
 * follows where it differs from the one that has that token already.
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
	struct strmap requests; /* width and name; number i + 1 is answered by item answers[i] */
	size_t *answers;
	size_t answer_alloc;
	struct strmap taken;	/* all tokens; number i + 1 is that of item owners[i] */
	size_t *owners;
	size_t owner_alloc;
	struct strmap known; /* names of code that may be asked for */
	struct strmap forms; /* their short forms */
	uint32_t *names;     /* by number of a form: the known name that has it, or many */
	size_t name_alloc;
	struct strmap words; /* texts that need no token */
};

void tokens_init(struct tokens *tokens);
void tokens_release(struct tokens *tokens);
/* A name of code that may be met: it has short forms, and no token of another one is like it. */
void tokens_know(struct tokens *tokens, const char *name);
/* The token of a name that is wider than width, at least 8; with tail "..." and its end. */
const char *tokens_put(struct tokens *tokens, const char *name, size_t width, bool tail);
/* A name that fits into width, or its token; lives as long as the tokens. */
const char *tokens_word(struct tokens *tokens, const char *name, size_t width);

#endif
