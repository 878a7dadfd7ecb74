/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of an object's units, such that two sources with the same name have two sections. */
#ifndef VIGIL_PROGRAM_NAMES_UNIT_SECTIONS_H
#define VIGIL_PROGRAM_NAMES_UNIT_SECTIONS_H

#include "program/names/unit-names.h"

/*
 * Gives units whose sources have the same name, but are in different folders, as
 * many of the folders as distinguish them: "pay/main.c" and "tax/main.c".
 */
void unit_sections_assign(struct unit_names *units, size_t count);

#endif
