/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tmain.h - the control blocks of TINTERPT, an interpreter of a small
 * fourth-generation language: what tinterpt keeps in its memory and STRBDC1
 * reads from there. TMAINCB -> current task -> current program.
 */
#ifndef TMAIN_H
#define TMAIN_H

#define TMAINCB_EYE "TMAINCB "
#define TCURTASK_EYE "TCURTASK"
#define TCURPROG_EYE "TCURPROG"

/* The program being interpreted, and the current statement. Names are padded with blanks. */
struct tcurprog {
	char eye[8];
	char name[8];
	char statement[6]; /* digits */
	char file[250];	   /* path of the source, NUL-terminated */
	unsigned line;	   /* of the statement in the source */
};

struct tcurtask {
	char eye[8];
	struct tcurprog *program;
};

struct tmaincb {
	char eye[8];
	struct tcurtask *task;
};

#endif
