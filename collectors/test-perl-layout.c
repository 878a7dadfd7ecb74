/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the layout of this version of perl with perl's headers, with which
 * tests/collectors-perl.bats compiles this; prints differences.
 */
/* Slabs are declared only for perl itself, which redefines printf. */
#define PERL_CORE
#include <EXTERN.h>
#include <perl.h>
#undef printf

#include "collectors/perl-layout.h"

static int wrong;

static void compare(const char *name, size_t here, size_t header)
{
	if (here != header) {
		printf("%s is %zu, not %zu\n", name, header, here);
		wrong = 1;
	}
}

/* Bits have no offset: set them and see where they appear. */
static void compare_operation(void)
{
	OP operation = { .op_type = 0x1ff };
	unsigned short bits;

	memcpy(&bits, (char *)&operation + PERL_OPERATION_TYPE, sizeof(bits));
	compare("PERL_OPERATION_TYPES", PERL_OPERATION_TYPES, bits);
	operation.op_type = 0;
	operation.op_slabbed = 1;
	memcpy(&bits, (char *)&operation + PERL_OPERATION_TYPE, sizeof(bits));
	compare("PERL_OPERATION_SLABBED", PERL_OPERATION_SLABBED, bits);
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
	compare_operation();
	return wrong;
}
