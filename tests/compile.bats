#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Decks that compile, bind and run COBOL, as they come from a mainframe.

load trace
load jobs

setup() {
	command -v cobc >/dev/null || skip "GnuCOBOL is not installed"
	in_own_folder
	mkdir -p root/PAY.CBL root/PAY.LOAD root/PAY.COPY
	cat >root/PAY.CBL/MAINPGM <<'COBOL'
000100 IDENTIFICATION DIVISION.                                         MAINPGM
000200 PROGRAM-ID. MAINPGM.                                             MAINPGM
000300 DATA DIVISION.                                                   MAINPGM
       WORKING-STORAGE SECTION.
       COPY AMOUNTS.
       LINKAGE SECTION.
       01 PARM-AREA.
          05 PARM-LENGTH PIC S9(4) COMP.
          05 PARM-TEXT   PIC X(8).
       PROCEDURE DIVISION USING PARM-AREA.
           DISPLAY 'PARM ' PARM-LENGTH ' ' PARM-TEXT(1:PARM-LENGTH).
           CALL 'SUBPGM' USING AMOUNT.
           MOVE AMOUNT TO RETURN-CODE.
           GOBACK.
COBOL
	cat >root/PAY.CBL/SUBPGM <<'COBOL'
       CBL APOST,TRUNC(BIN)
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SUBPGM.
       DATA DIVISION.
       LINKAGE SECTION.
       01 AMOUNT PIC S9(4) COMP.
       PROCEDURE DIVISION USING AMOUNT.
           ADD 3 TO AMOUNT.
           GOBACK.
COBOL
	echo '       01 AMOUNT PIC S9(4) COMP VALUE 4.' >root/PAY.COPY/AMOUNTS
}

@test "compile and bind into a load library, then run from STEPLIB, with a program that is called" {
	job <<'DECK'
//COURSE   JOB 1,NOTIFY=&SYSUID
//SUB     EXEC IGYWCL
//COBOL.SYSIN  DD DSN=PAY.CBL(SUBPGM),DISP=SHR
//LKED.SYSLMOD DD DSN=PAY.LOAD(SUBPGM),DISP=SHR
//MAIN    EXEC IGYWCL,PARM.COBOL='LIB,APOST,SSRANGE'
//COBOL.SYSLIB DD DSN=PAY.COPY,DISP=SHR
//COBOL.SYSIN  DD DSN=PAY.CBL(MAINPGM),DISP=SHR
//LKED.SYSLMOD DD DSN=PAY.LOAD(PAYRUN),DISP=SHR
// IF RC < 5 THEN
//RUN     EXEC PGM=PAYRUN,PARM='HELLO'
//STEPLIB   DD DSN=PAY.LOAD,DISP=SHR
//SYSOUT    DD SYSOUT=*,OUTLIM=15000
// ELSE
// ENDIF
DECK
	[ "$status" -eq 7 ]
	grep -q 'PARM +00005 HELLO' "$last/RUN.SYSOUT"
	# The member has another name than the program in it.
	[ -f root/PAY.LOAD/PAYRUN ]
}

@test "compile, bind and go in one procedure; several programs in one module" {
	job <<'DECK'
//CLG      JOB 1
//SUB     EXEC PGM=IGYCRCTL
//SYSIN     DD DSN=PAY.CBL(SUBPGM),DISP=SHR
//SYSLIN    DD DSN=&&LOADSET,DISP=(MOD,PASS)
//SYSPRINT  DD SYSOUT=*
//GO      EXEC IGYWCLG,PARM.GO='ABC'
//COBOL.SYSLIB DD DSN=PAY.COPY,DISP=SHR
//COBOL.SYSIN  DD DSN=PAY.CBL(MAINPGM),DISP=SHR
//LKED.SYSIN   DD *
  ENTRY MAINPGM
/*
DECK
	[ "$status" -eq 7 ]
	grep -q 'PARM +00003 ABC' "$last/GO.GO.SYSOUT"
	grep -q 'module GO bound from 2 objects, entry MAINPGM' "$last/GO.LKED.SYSPRINT"
}

@test "errors of the program are in SYSPRINT with their line, and nothing is bound or run" {
	sed -i 's/ADD 3/ADDD 3/' root/PAY.CBL/SUBPGM
	job <<'DECK'
//BAD      JOB 1
//GO      EXEC IGYWCLG
//COBOL.SYSIN DD DSN=PAY.CBL(SUBPGM),DISP=SHR
DECK
	[ "$status" -eq 12 ]
	grep -q '^SYSIN:8: error:\|SUBPGM.cbl:8: error:' "$last/GO.COBOL.SYSPRINT"
	grep -q VIG5703S "$last/GO.COBOL.SYSPRINT"
	[[ $output == *"GO.LKED not run"* && $output == *"GO.GO not run"* ]]
}

@test "a program of cards of 80 bytes, measured: its statements are known by line and text" {
	job <<'DECK'
//BUSY     JOB 1
//LOAD    EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DUMMY
//SYSUT2   DD DSN=PAY.BUSY,DISP=(NEW,CATLG),DCB=(RECFM=FB,LRECL=80)
//SYSUT1   DD *,DCB=(RECFM=FB,LRECL=80)
       IDENTIFICATION DIVISION.
       PROGRAM-ID. BUSY.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 I PIC 9(9) COMP.
       01 X PIC 9(9)V99 COMP-3 VALUE 1.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM BUSY-ONE VARYING I FROM 1 BY 1 UNTIL I > 250000
           GOBACK.
       BUSY-ONE.
           COMPUTE X ROUNDED = X * 1.0000001 + 0.01.
/*
//GO      EXEC IGYWCLG
//COBOL.SYSIN DD DSN=PAY.BUSY,DISP=SHR
//GO.VIGIL DD *
  ADD *,STEP=*
/*
DECK
	[ "$status" -eq 0 ]
	grep -q 'BUSY-ONE line 12 .*BUSY.cbl: COMPUTE X ROUNDED' "$last/GO.GO.VIGPROF"
}

@test "the period behind PROGRAM-ID may be missing, as on the mainframe" {
	sed -i 's/PROGRAM-ID. SUBPGM./PROGRAM-ID.    SUBPGM/' root/PAY.CBL/SUBPGM
	job <<'DECK'
//PERIOD   JOB 1
//C       EXEC IGYWC
//COBOL.SYSIN DD DSN=PAY.CBL(SUBPGM),DISP=SHR
DECK
	[ "$status" -eq 0 ]
	grep -q 'program SUBPGM: 9 source records, return code 0' "$last/C.COBOL.SYSPRINT"
}

@test "a compilation without a program is an error" {
	job <<'DECK'
//EMPTY    JOB 1
//GO      EXEC IGYWCLG
DECK
	[ "$status" -eq 12 ]
	grep -q VIG5707S "$last/GO.COBOL.SYSPRINT"
}

@test "columns 73 to 80 are no options, statements or members; one warning is code 4" {
	{ printf '%-72s%s\n' '       CBL APOST' FROB0010
		printf '       IDENTIFICATION DIVISION.\n       PROGRAM-ID. NUMB.\n       DATA DIVISION.\n'
		printf '       WORKING-STORAGE SECTION.\n       01 A PIC X(2) VALUE "ABC".\n'
		printf '       PROCEDURE DIVISION.\n           GOBACK.\n'; } >root/PAY.CBL/NUMB
	{ cat <<'DECK'
//NUMB     JOB 1
//C       EXEC PGM=IGYCRCTL
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DSN=PAY.CBL(NUMB),DISP=SHR
//SYSLIN   DD DSN=&&OBJ(NUMB),DISP=(NEW,PASS),SPACE=(TRK,(1,1,1))
//B       EXEC PGM=IEWL
//SYSPRINT DD SYSOUT=*
//SYSLMOD  DD DSN=PAY.LOAD,DISP=SHR
//OBJ      DD DSN=&&OBJ,DISP=(OLD,DELETE)
//SYSLIN   DD *
DECK
		printf '%-72s%s\n' '  INCLUDE OBJ(NUMB)' 00000010 '  NAME NUMB(R)' 00000020
		printf '/*\n'; } >numb.jcl
	job numb.jcl
	[ "$status" -eq 4 ]
	grep -q 'VIG5704W.* 1 warnings' "$last/C.SYSPRINT"
	! grep -q FROB0010.*ignored "$last/C.SYSPRINT" || return 1
	has 'step B ended: return code 0000'
	[ -f root/PAY.LOAD/NUMB ]
}

@test "the binder refuses what it cannot do, by name" {
	job <<'DECK'
//BIND     JOB 1
//B1      EXEC PGM=IEWL
//SYSPRINT DD SYSOUT=*
//SYSLMOD  DD DSN=PAY.LOAD(X),DISP=SHR
//SYSLIN   DD *
  FROB ALL
  INCLUDE NOSUCH(X)
/*
//B2      EXEC PGM=HEWL
//SYSPRINT DD SYSOUT=*
//SYSLMOD  DD DSN=PAY.LOAD(X),DISP=SHR
//SYSLIN   DD *
VIGIL-OBJECT LOST 100000
/*
//B3      EXEC PGM=IGYCRCTL,PARM='SQL,FROB'
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DSN=PAY.CBL(SUBPGM),DISP=SHR
DECK
	[ "$status" -eq 12 ]
	grep -q 'VIG5714E.*FROB' "$last/B1.SYSPRINT"
	grep -q 'VIG5712E.*NOSUCH' "$last/B1.SYSPRINT"
	grep -q 'VIG5715S.*LOST' "$last/B2.SYSPRINT"
	grep -q 'VIG5700S.*SQL' "$last/B3.SYSPRINT"
	grep -q 'VIG5701W.*FROB' "$last/B3.SYSPRINT"
	[ ! -e root/PAY.LOAD/X ]
}

@test "what the linker says stands in the binder's listing line by line" {
	for _ in 1 2; do
		"$utilities/igycrctl" --dd SYSIN=root/PAY.CBL/SUBPGM --dd SYSPRINT=listing --dd SYSLIN=object
		cat object >>objects
	done
	run "$utilities/iewl" --dd SYSLIN=objects --dd SYSLMOD=root/PAY.LOAD/TWICE
	[ "$status" -eq 12 ]
	grep -q '^ .*multiple definition of .*SUBPGM' <<<"$output"
	grep -q '^VIG5718S IEWL: cannot bind TWICE: the linker failed' <<<"$output"
	hasnt '\n'
}

@test "listings of the compiler and of the binder show control characters as periods" {
	printf '       IDENTIFICATION DIVISION.\n       PROGRAM-ID. ESC.\n       PROCEDURE DIVISION.\n           GARBAGE\033]0;title\007 STUFF.\n' >root/PAY.CBL/ESC
	printf ' TITLE \033]0;title\007\n' >cards
	run "$utilities/igycrctl" --dd SYSIN=root/PAY.CBL/ESC --dd SYSPRINT=listing
	[ "$status" -eq 12 ]
	grep -q 'error: ' listing
	[ -z "$(grep "$(printf '[\033\007]')" listing)" ]
	run "$utilities/iewl" --dd SYSLIN=cards --dd SYSLMOD=root/PAY.LOAD/ESC
	has ' TITLE .]0;title.'
}
