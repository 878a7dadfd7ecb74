/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tsm.h - the control blocks of TSM, a small program loader: what tsmdrivr keeps
 * in its memory and STRBTSMD reads from there.
 *
 * TSMANCH, the anchor, is the head of the chain of loaded programs. Each TSMPROG
 * gives the address of a program's copy. Every block begins with an eye-catcher,
 * by which a reader checks that a pointer led to a block.
 */
#ifndef TSM_H
#define TSM_H

#include <stdint.h>

#define TSMANCH_EYE "TSMANCH "
#define TSMPROG_EYE "TSMPROG "

/* A loaded program. Names are padded with blanks and have no NUL, like the eye-catchers. */
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
