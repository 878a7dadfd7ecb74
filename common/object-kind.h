/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kinds of objects that hold the code of a program, as program/objects finds
 * them and OBJECT records carry them. The numbers are stored in files.
 */
#ifndef VIGIL_COMMON_OBJECT_KIND_H
#define VIGIL_COMMON_OBJECT_KIND_H

enum object_kind {
	OBJECT_FILE = 1,      /* an ELF file */
	OBJECT_VDSO = 2,      /* the kernel's shared object */
	OBJECT_KERNEL = 3,    /* the kernel and its modules */
	OBJECT_ANONYMOUS = 4, /* an address in no known mapping */
	OBJECT_UNKNOWN = 5,   /* a module named by a data collector */
	OBJECT_NAMED = 6,     /* a module as a data collector named it */
};

#endif
