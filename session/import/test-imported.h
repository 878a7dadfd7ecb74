/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets of imports. */
#ifndef VIGIL_SESSION_IMPORT_TEST_IMPORTED_H
#define VIGIL_SESSION_IMPORT_TEST_IMPORTED_H

#include "common/compat.h"

/* Imports bytes, and reads the result; aborts if it is damaged or differs from the reported one. */
void test_imported(const void *data, size_t size);

#endif
