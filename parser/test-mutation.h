/* SPDX-License-Identifier: Apache-2.0 */
/* Small damages to a text, for tests that what reads it survives them. */
#ifndef VIGIL_PARSER_TEST_MUTATION_H
#define VIGIL_PARSER_TEST_MUTATION_H

#include "common/strbuf.h"

/* Change, cut out or repeat some bytes; state is the generator's, any number to begin with. */
void mutation_apply(struct strbuf *sb, uint32_t *state);

#endif
