/* SPDX-License-Identifier: Apache-2.0 */
/* A fresh folder for each test: the setup and the teardown of a unit test. */
#ifndef VIGIL_COMMON_TEST_FOLDER_H
#define VIGIL_COMMON_TEST_FOLDER_H

/* Makes a folder below /tmp for this user alone; *state is its path, a char *. Returns 0, or -1. */
int test_folder_make(void **state);
/* Removes it with its contents. Returns 0, or -1 if something is left. */
int test_folder_drop(void **state);

#endif
