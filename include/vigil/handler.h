/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handler.h - interface for event handlers: user-written code that is called at
 * events of another program's run, through the profiler interface of the Language
 * Environment. vigil-handler(3) describes each event; [seed 002] is the original.
 *
 * A handler is a shared object CEEEVPRF.so in a library of the step, with the
 * function CEEEVPRF. It is loaded into each program that the step runs, if the
 * run-time option PROFILE(ON,'string') is in effect and TEST is not.
 *
 * Parameters are passed as the seed's address list passes them: each is the
 * address of a value. The first is the event code; those an event does not have
 * are NULL. A parameter that is "a fullword that contains the address" of a
 * structure there is the address of a pointer to it here.
 *
 * 	code     parm 2                     parm 3                    parm 4 and more
 * 	101 127  struct vigil_condition **  int32_t * result
 * 	103      struct vigil_condition **  int32_t * result
 * 	118      struct vigil_edb ** (creator's; a pointer to NULL: it was no program of the step)
 * 	120      struct vigil_caa ** (creator's; a pointer to NULL: the first thread)
 * 	123      struct vigil_dsa **        struct vigil_string *     4: struct vigil_inpl *
 * 	                                                              5: int32_t * format
 * 	133 189  struct vigil_dsa **        int32_t * hook offset     4: int32_t * format
 * 	         5: uint64_t[16] registers  6: uint64_t * return address
 * 	         7: uint64_t * entry point  8: uint64_t * clock       9: uint64_t * CPU time
 * 	         10 (189 alone): uint32_t * event mask
 * 	160      uint64_t * thread          NULL                      4: uint64_t * stack size
 * 	162      uint64_t * creating        uint64_t * created        4: uint64_t * stack size
 * 	163      uint64_t * created         NULL                      4: uint64_t * stack size
 * 	161 164  uint64_t * thread
 * 	171      uint64_t * thread
 * 	119 121 122 172 173 174 175 178 179: none
 *
 * A thread that is inside the handler raises no events. The handler may only do
 * what its event allows: 101, 103 and 127 come in a signal handler. errno is
 * preserved around the call.
 */
#ifndef VIGIL_HANDLER_H
#define VIGIL_HANDLER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum vigil_event_code {
	VIGIL_CONDITION_RAISED = 101,
	VIGIL_CONDITION_UNHANDLED = 103,
	VIGIL_ENCLAVE_INIT = 118,
	VIGIL_ENCLAVE_TERM = 119,
	VIGIL_THREAD_INIT = 120,
	VIGIL_TOOL_TERM = 121,
	VIGIL_THREAD_TERM = 122,
	VIGIL_EXTERNAL_ENTRY = 123,
	VIGIL_CONDITION_PROMOTE = 127,
	VIGIL_HOOK = 133,
	VIGIL_INITIAL_THREAD_CREATE = 160,
	VIGIL_INITIAL_THREAD_EXIT = 161,
	VIGIL_PTHREAD_CREATE = 162,
	VIGIL_PTHREAD_CREATED = 163,
	VIGIL_PTHREAD_EXIT = 164,
	VIGIL_FORK_IMMINENT = 171,
	VIGIL_IN_CHILD = 172,
	VIGIL_EXEC_IMMINENT = 173,
	VIGIL_CLEAN_UP_IMMINENT = 174,
	VIGIL_SPAWN_IMMINENT = 175,
	VIGIL_IN_PARENT = 178,
	VIGIL_AFTER_SPAWN = 179,
	VIGIL_MULTIPLE_HOOK = 189,
};

/* Values for the result of 101, 103 and 127; it is VIGIL_PERCOLATE on entry. */
#define VIGIL_RESUME 110
#define VIGIL_PERCOLATE 120

/* Bit n of an event mask, counted from the left as on the mainframe. */
#define VIGIL_MASK(bit) (UINT32_C(0x80000000) >> (bit))
#define VIGIL_MASK_MULTIPLE VIGIL_MASK(12)
#define VIGIL_MASK_BLOCK_ENTRY VIGIL_MASK(14)
#define VIGIL_MASK_LABEL VIGIL_MASK(16)
#define VIGIL_MASK_STATEMENT VIGIL_MASK(17)
#define VIGIL_MASK_CALL_RETURN VIGIL_MASK(18)
#define VIGIL_MASK_CALL_BEGIN VIGIL_MASK(28)
#define VIGIL_MASK_GOTO VIGIL_MASK(29)
#define VIGIL_MASK_EXIT VIGIL_MASK(30)

/*
 * Offsets of hooks in the hook set: a multiple of 4, from 0 to 52, in the order of
 * the mask's bits without 12 and 31.
 */
#define VIGIL_HOOK_BLOCK_ENTRY 4
#define VIGIL_HOOK_LABEL 8
#define VIGIL_HOOK_STATEMENT 12
#define VIGIL_HOOK_CALL_RETURN 16
#define VIGIL_HOOK_EXIT 52
#define VIGIL_HOOKS 14

/* Values of a hook in a thread's table. */
#define VIGIL_HOOK_DISABLED 0x0700
#define VIGIL_HOOK_ENABLED 0x45C0

/* Number of registers in a buffer, in DWARF's order: rax rdx rcx rbx rsi rdi rbp rsp r8..r15. */
#define VIGIL_HANDLER_REGISTERS 16

typedef void vigil_event_handler(int32_t *code, void *parm2, void *parm3, void *parm4, void *parm5,
				 void *parm6, void *parm7, void *parm8, void *parm9, void *parm10);

/* The entry point of a handler. */
vigil_event_handler CEEEVPRF;

/*
 * The process. event_handler is the counterpart of CEEPCBPRFEH: NULL once the
 * handler is switched off.
 */
struct vigil_pcb {
	vigil_event_handler *event_handler;
	const struct vigil_inpl *inpl;
};

/* The enclave that created this one: a process of the step that runs a program with the handler. */
struct vigil_edb {
	int32_t process;
	const char *program; /* path of the executed program; NULL: unknown */
};

/*
 * A thread. Hook n / 4 of the table is raised while it holds VIGIL_HOOK_ENABLED. A
 * thread begins with all hooks disabled, and only its own calls of the handler
 * change them.
 */
struct vigil_caa {
	struct vigil_pcb *pcb;
	uint64_t thread; /* its pthread_t */
	uint16_t hooks[VIGIL_HOOKS];
};

/* Returns the calling thread: what register 12 points at on the mainframe. */
struct vigil_caa *vigil_caa(void);

/*
 * The string of PROFILE: its length as a halfword (in this machine's byte order),
 * then upper-case text of at most 250 bytes, then NUL.
 */
struct vigil_string {
	uint16_t length;
	char text[251];
};

/* The arguments of main, the counterpart of the initialization parameter list that CEEINT gets. */
struct vigil_inpl {
	uint64_t entry; /* address of main */
	int32_t argc;
	char **argv;
	char **environment;
};

/*
 * The code that requests a service. Strings are NULL where there are none, and
 * valid during the call.
 */
struct vigil_dsa {
	uint64_t stack;	  /* the requestor's stack pointer, 0: unknown */
	const char *name; /* for a hook: program, section, paragraph or verb of COBOL, or
			   * function */
};

/*
 * A condition, here a signal. Changes of resume and registers take effect when the
 * result is VIGIL_RESUME.
 */
struct vigil_condition {
	int32_t signal;
	int32_t code;	  /* si_code */
	uint64_t address; /* si_addr of a fault, otherwise 0 */
	uint64_t resume;  /* the resume cursor: address of the interrupted instruction */
	uint64_t registers[VIGIL_HANDLER_REGISTERS];
};

#ifdef __cplusplus
}
#endif

#endif
