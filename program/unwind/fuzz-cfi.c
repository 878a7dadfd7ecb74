/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes call-frame information: any bytes as an ELF file. */
#include "common/compat.h"
#include "program/unwind/test-cfi-damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct damage_counts counts = { 0 };

	damage_exercise(data, size, &counts);
	return 0;
}
