/* SPDX-License-Identifier: Apache-2.0 */
/* Damages a text slightly, to test that its reader survives. */
#ifndef VIGIL_PARSER_TEST_MUTATION_H
#define VIGIL_PARSER_TEST_MUTATION_H

#include "common/strbuf.h"

/* Changes, removes or repeats some bytes; state is the generator's, initially any number. */
void mutation_apply(struct strbuf *sb, uint32_t *state);

#endif
