/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets of imports share. */
#ifndef VIGIL_SESSION_IMPORT_TEST_IMPORTED_H
#define VIGIL_SESSION_IMPORT_TEST_IMPORTED_H

#include "common/compat.h"

/* Import bytes, and read what was made; aborts when that is damaged or does not have what was told. */
void test_imported(const void *data, size_t size);

#endif
