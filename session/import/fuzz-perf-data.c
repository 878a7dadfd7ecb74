/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer on recordings: of any bytes as a perf.data there is a whole data set with the samples that
   were told, or none. */
#include "common/compat.h"
#include "session/import/test-imported.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	test_imported(data, size);
	return 0;
}
