/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is drawn with. Nothing is told by colour alone: inks that stand beside
 * each other in a picture differ in how dark they are in grey, or in their
 * hatch, so that a black and white printer and every eye tell them apart.
 * Black text can be read on all that are told to be light.
 */
#ifndef VIGIL_REPORTS_PRINT_INK_H
#define VIGIL_REPORTS_PRINT_INK_H

enum ink {
	INK_NONE, /* nothing is drawn */
	INK_BLACK,
	INK_GREY,  /* of text that matters less; of frames */
	INK_FAINT, /* behind every other row; light */
	INK_SOLO,  /* of bars: SOLO, executing */
	INK_REST,  /* of bars: the rest of TOTAL; light */
	INK_PROGRAM, /* boxes of the flame graph; light, as the next three */
	INK_LIBRARY,
	INK_KERNEL,
	INK_UNKNOWN,
	INK_FILE_READ, /* reasons of waits; light */
	INK_FILE_WRITE,
	INK_FILE_SYNC,
	INK_FILE_OTHER,
	INK_NETWORK,
	INK_LOCK,
	INK_SLEEP,
	INK_DISPATCH,
	INK_PAGE,
	INK_CHILD,
	INK_OTHER,
	INK_COUNT
};

enum hatch {
	HATCH_NONE,
	HATCH_RISING,
	HATCH_FALLING,
	HATCH_LEVEL,
	HATCH_UPRIGHT,
	HATCH_CROSS,   /* rising and falling */
	HATCH_GRID,    /* level and upright */
	HATCH_DOTS,
	HATCH_WIDE_RISING, /* with more room between the lines */
	HATCH_WIDE_FALLING,
	HATCH_COUNT
};

struct ink_look {
	double red, green, blue; /* 0 to 1 */
	enum hatch hatch; /* thin lines over it, darker than it is */
};

extern const struct ink_look ink_looks[INK_COUNT];
/* How bright an ink is in grey, 0 to 1. */
double ink_brightness(enum ink ink);

#endif
