/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer on output of perf script: any bytes give a complete data set with the
 * reported samples, or none.
 */
#include "common/compat.h"
#include "session/import/test-imported.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Input that begins like a recording is left to the other target. */
	if (size < 1 || data[0] == 'P')
		return 0;
	test_imported(data, size);
	return 0;
}
