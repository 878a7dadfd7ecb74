/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tsm.h - the control blocks of TSM, a small program loader: what tsmdrivr
 * keeps in its memory and STRBTSMD reads from there.
 *
 * TSMANCH, the anchor, begins the chain of loaded programs. Each TSMPROG says
 * where the copy of a program lies. Every block begins with an eye-catcher,
 * so that whoever follows a pointer sees whether he has arrived.
 */
#ifndef TSM_H
#define TSM_H

#include <stdint.h>

#define TSMANCH_EYE "TSMANCH "
#define TSMPROG_EYE "TSMPROG "

/* Names are padded with blanks and end without NUL, as the eye-catchers do. */
struct tsmprog {
	char eye[8];
	struct tsmprog *next;
	char name[8];
	uint64_t address, length;
};

struct tsmanch {
	char eye[8];
	struct tsmprog *first;
};

#endif
