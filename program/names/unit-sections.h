/* SPDX-License-Identifier: Apache-2.0 */
/* What the units of an object are called, so that two sources of one name are two sections. */
#ifndef VIGIL_PROGRAM_NAMES_UNIT_SECTIONS_H
#define VIGIL_PROGRAM_NAMES_UNIT_SECTIONS_H

#include "program/names/unit-names.h"

/* Give units whose sources have one name, but lie in several folders, as many of the folders as
   tell them apart: "pay/main.c" and "tax/main.c". */
void unit_sections_tell_apart(struct unit_names *units, size_t count);

#endif
