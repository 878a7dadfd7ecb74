/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer on recordings: any bytes as a perf.data give a complete data set with
 * the reported samples, or none.
 */
#include "common/compat.h"
#include "session/import/test-imported.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	test_imported(data, size);
	return 0;
}
