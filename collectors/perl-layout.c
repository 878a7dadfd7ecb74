/* SPDX-License-Identifier: Apache-2.0 */
/* The layouts of perl's structures. */
#include "common/compat.h"
#include "collectors/perl-layout.h"

/*
 * Headers of Debian's libperl5.36 5.36.0-7 and libperl5.40 5.40.1-6 (usethreads,
 * 64 bits). The common part:
 */
#define SINCE_36 \
	.current = 208, .stack = 224, .stack_contexts = 8, .stack_previous = 16, .stack_top = 32, \
	.stack_max = 36, .context_type = 0, .context_statement = 16, .context_return = 48, .context_sub = 72, \
	.context_required = 64, .sub_root = 48, .slot_operation = 8, .slot_offset = 2, .slab_head = 8, \
	.slab_slots = 40, .statement_line = 36, .statement_package = 40, \
	.statement_file = 48, .sub_package = 32, .sub_name = 56, .sub_flags = 92, .glob_name = 32, \
	.glob_package = 40, .package_name = 32, .package_names = 60, .value_flags = 12, \
	.name_length = 4, .name_text = 8, .context_size = 104, .context_types = 15, .is_sub = 9, \
	.is_format = 10, .is_eval = 11, .sub_in_pattern = 0x80, .eval_block = 0xc0, \
	.value_types = 0xff, .is_code = 13, .is_glob = 9, .is_hash = 12, .has_name = 0x02000000, \
	.sub_named = 0x8000

static const struct perl_layout layouts[] = {
	{
		.version = 36,
		SINCE_36,
		.compiling = 1936,
		.compiled = 2100,
		.packages = 2608,
		.packages_max = 2616,
		.next_statement = 195,
		.debugged_statement = 196,
	},
	{
		.version = 40,
		SINCE_36,
		.compiling = 1720,
		.compiled = 1884,
		.packages = 2352,
		.packages_max = 2360,
		.next_statement = 198,
		.debugged_statement = 199,
	},
};

const struct perl_layout *perl_layout(unsigned version)
{
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		if (layouts[i].version == version)
			return &layouts[i];
	return NULL;
}
