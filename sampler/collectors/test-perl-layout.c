/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the layout of this version of perl with its own headers, with
 * which tests/collectors-perl.bats compiles this: says what differs.
 */
#include <EXTERN.h>
#include <perl.h>

#include "sampler/collectors/perl-layout.h"

static int wrong;

static void compare(const char *name, size_t here, size_t header)
{
	if (here != header) {
		printf("%s is %zu, not %zu\n", name, header, here);
		wrong = 1;
	}
}

int main(void)
{
	const struct perl_layout *layout = perl_layout(PERL_VERSION);

	if (!layout) {
		puts("this version is not known");
		return 1;
	}
#define PERL_FIELD(name, structure, member) \
	compare(#name, layout->name, offsetof(structure, member));
#define PERL_CONSTANT(name, value) compare(#name, layout->name, (size_t)(value));
	PERL_FIELDS(PERL_FIELD)
	PERL_CONSTANTS(PERL_CONSTANT)
	compare("next_statement", layout->next_statement, OP_NEXTSTATE);
	return wrong;
}
