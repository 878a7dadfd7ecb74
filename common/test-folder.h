/* SPDX-License-Identifier: Apache-2.0 */
/* A fresh folder for each test: the setup and the teardown of a unit test. */
#ifndef VIGIL_COMMON_TEST_FOLDER_H
#define VIGIL_COMMON_TEST_FOLDER_H

/* Make a folder below /tmp for this user alone; *state is its path, a char *. 0, or -1. */
int test_folder_make(void **state);
/* Take it away with all that is in it. 0, or -1 when something is left. */
int test_folder_drop(void **state);

#endif
