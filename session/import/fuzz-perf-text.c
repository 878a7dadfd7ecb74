/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer on texts of perf script: of any bytes there is a whole data set with the samples that were
   told, or none. */
#include "common/compat.h"
#include "session/import/test-imported.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* What begins as a recording is the other target's. */
	if (size < 1 || data[0] == 'P')
		return 0;
	test_imported(data, size);
	return 0;
}
