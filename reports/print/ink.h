/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inks for drawing. Colour is never the only distinction: inks that are
 * adjacent in a picture differ in their grey level or in their hatch, so that they
 * can be distinguished in black and white print and by everyone. Black text is
 * readable on all inks marked as light.
 */
#ifndef VIGIL_REPORTS_PRINT_INK_H
#define VIGIL_REPORTS_PRINT_INK_H

enum ink {
	INK_NONE, /* nothing is drawn */
	INK_BLACK,
	INK_GREY,  /* for text that matters less, and for frames */
	INK_FAINT, /* background of every other row; light */
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
	HATCH_WIDE_RISING, /* with more distance between the lines */
	HATCH_WIDE_FALLING,
	HATCH_COUNT
};

struct ink_style {
	double red, green, blue; /* 0 to 1 */
	enum hatch hatch; /* thin lines over it, in a darker shade */
};

extern const struct ink_style ink_styles[INK_COUNT];
/* Returns the brightness of an ink in grey, 0 to 1. */
double ink_brightness(enum ink ink);

#endif
