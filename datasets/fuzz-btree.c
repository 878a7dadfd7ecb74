/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes the walk through the pages of an indexed file: it must end for any bytes. */
#include "common/compat.h"
#include "common/test-input.h"
#include "datasets/btree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = ERROR_INIT;

	if (btree_check(test_input(0, data, size), &err) < 0 && !*error_text(&err))
		abort();
	error_release(&err);
	return 0;
}
