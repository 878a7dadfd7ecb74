#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Programs of steps: what they see of their files, how they end, and their limits.

load trace
load jobs

setup_file() {
	export COBC=${COBC:-$(command -v cobc)}
	export PROGRAMS=$BATS_FILE_TMPDIR/programs
	mkdir -p "$PROGRAMS"
	[ -n "$COBC" ] || return 0
	cards_program
	abend_programs
	writing_program
	failing_program
}

setup() {
	in_own_folder
}

needs_cobol() {
	[ -n "$COBC" ] || skip "no cobc"
}

# CARDS (a program) and CARDSM (a module) read SYSIN as fixed, VARS as variable records and LIN as lines.
cards_program() {
	local name
	for name in CARDS CARDSM; do
		cat >"$PROGRAMS/$name.cob" <<COBOL
       IDENTIFICATION DIVISION.
       PROGRAM-ID. $name.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT FFILE ASSIGN TO SYSIN.
           SELECT VFILE ASSIGN TO VARS.
           SELECT LFILE ASSIGN TO LIN ORGANIZATION LINE SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD FFILE RECORDING F.
       01 F-REC PIC X(20).
       FD VFILE RECORD VARYING FROM 1 TO 30 DEPENDING ON N.
       01 V-REC PIC X(30).
       FD LFILE.
       01 L-REC PIC X(30).
       WORKING-STORAGE SECTION.
       01 N PIC 9(4) VALUE 0.
       01 ENDED PIC X VALUE "N".
       PROCEDURE DIVISION.
           OPEN INPUT FFILE
           PERFORM UNTIL ENDED = "Y"
             READ FFILE AT END MOVE "Y" TO ENDED
             NOT AT END DISPLAY "F[" F-REC "]"
             END-READ
           END-PERFORM
           CLOSE FFILE
           OPEN INPUT VFILE
           MOVE "N" TO ENDED
           PERFORM UNTIL ENDED = "Y"
             READ VFILE AT END MOVE "Y" TO ENDED
             NOT AT END DISPLAY "V[" V-REC(1:N) "]"
             END-READ
           END-PERFORM
           CLOSE VFILE
           OPEN INPUT LFILE
           MOVE "N" TO ENDED
           PERFORM UNTIL ENDED = "Y"
             READ LFILE AT END MOVE "Y" TO ENDED
             NOT AT END DISPLAY "L[" L-REC "]"
             END-READ
           END-PERFORM
           CLOSE LFILE
           STOP RUN.
COBOL
	done
	"$COBC" -x -std=ibm -o "$PROGRAMS/CARDS" "$PROGRAMS/CARDS.cob"
	"$COBC" -m -std=ibm -o "$PROGRAMS/CARDSM.so" "$PROGRAMS/CARDSM.cob"
}

@test "in-stream data: fixed records, variable records or lines, as the program's FD reads it" {
	needs_cobol
	for form in CARDS CARDSM CARDS:1 CARDS:2 CARDS:3; do
		name=${form%:*}
		[ "$name" = "$form" ] || export COB_VARSEQ_FORMAT=${form#*:}
		job <<DECK
//A        JOB
//S1       EXEC PGM=$name
//SYSIN    DD *
ONE
TWO IS LONGER THAN TWENTY CHARACTERS
//         DD *
THREE
//VARS     DD *
A
BB B

//LIN      DD *
LINE ONE
DECK
		[ "$status" -eq 0 ]
		grep '^[FVL]\[' "$last/S1.SYSOUT" >got
		diff - got <<'END'
F[ONE                 ]
F[TWO IS LONGER THAN T]
F[THREE               ]
V[A]
V[BB B]
V[ ]
L[LINE ONE                      ]
END
	done
}

@test "in-stream data: RECFM and FILEDATA of the DD win" {
	needs_cobol
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=CARDS
//SYSIN    DD *,RECFM=FB,LRECL=10
0123456789ABC
X
//VARS     DD DUMMY
//LIN      DD DUMMY
//S2       EXEC PGM=CARDS
//SYSIN    DD *,FILEDATA=TEXT
0123456789012345678
X
//VARS     DD DUMMY
//LIN      DD DUMMY
DECK
	[ "$status" -eq 0 ]
	grep -q '^F\[0123456789X         \]' "$last/S1.SYSOUT"
	grep -q '^F\[0123456789012345678$' "$last/S2.SYSOUT"
}

# Programs that end abnormally on request: ABMAIN in the main program, ABMOD a module, ABSUB called by ABCALL, ABSTAT
# one with static calls.
abend_programs() {
	local name
	for name in ABMAIN ABMOD ABSUB ABSTAT; do
		cat >"$PROGRAMS/$name.cob" <<COBOL
       IDENTIFICATION DIVISION.
       PROGRAM-ID. $name.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 HOW PIC X(8).
       01 B PIC S9(9) BINARY VALUE 1234.
       01 N PIC S9(9) COMP-5 VALUE 77.
       01 D PIC 9(4) VALUE 4095.
       01 H PIC S9(4) BINARY VALUE 12.
       01 P PIC S9(5) PACKED-DECIMAL VALUE 305.
       01 T PIC S9(9) BINARY VALUE 1.
       01 S PIC X(8) VALUE "CEE3ABD".
       PROCEDURE DIVISION.
           ACCEPT HOW FROM ENVIRONMENT "COB_HOW"
           DISPLAY "BEFORE"
           EVALUATE HOW
           WHEN "BINARY" CALL "CEE3ABD" USING B, T
           WHEN "COMP5" CALL "CEE3ABD" USING N, T
           WHEN "DISPLAY" CALL S USING D, T
           WHEN "PACKED" CALL S USING P, T
           WHEN "HALF" CALL "ILBOABN0" USING H
           WHEN "CONTENT" CALL "CEE3ABD" USING BY CONTENT 16, 0
           END-EVALUATE
           DISPLAY "AFTER"
           GOBACK.
COBOL
	done
	cat >"$PROGRAMS/ABCALL.cob" <<'COBOL'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ABCALL.
       PROCEDURE DIVISION.
           CALL "ABSUB"
           DISPLAY "BACK"
           STOP RUN.
COBOL
	"$COBC" -x -std=ibm -o "$PROGRAMS/ABMAIN" "$PROGRAMS/ABMAIN.cob"
	"$COBC" -m -std=ibm -o "$PROGRAMS/ABMOD.so" "$PROGRAMS/ABMOD.cob"
	"$COBC" -m -std=ibm -o "$PROGRAMS/ABSUB.so" "$PROGRAMS/ABSUB.cob"
	"$COBC" -x -std=ibm -o "$PROGRAMS/ABCALL" "$PROGRAMS/ABCALL.cob"
	"$COBC" -m -std=ibm -fstatic-call -o "$PROGRAMS/ABSTAT.so" "$PROGRAMS/ABSTAT.cob"
}

@test "CEE3ABD and ILBOABN0 end the step with the user's abend code" {
	needs_cobol
	for case in 'ABMAIN BINARY U1234' 'ABMAIN COMP5 U0077' 'ABMAIN DISPLAY U4095' 'ABMAIN HALF U0012' \
		'ABMAIN PACKED U0305' 'ABMAIN CONTENT U0016' 'ABMOD BINARY U1234' 'ABMOD HALF U0012' \
		'ABCALL BINARY U1234' 'ABCALL HALF U0012' 'ABSTAT BINARY U1234' 'ABSTAT HALF U0012'; do
		# shellcheck disable=SC2086
		set -- $case
		export COB_HOW=$2 # of the environment COB_* reaches a step
		job <<DECK
//A        JOB
//S1       EXEC PGM=$1
//         IF S1.ABENDCC=U1234 THEN
//S2       EXEC PGM=IEFBR14
//         ENDIF
DECK
		[ "$status" -eq 100 ]
		has "step S1 ended: ABEND $3"
		grep -q BEFORE "$last/S1.SYSOUT"
		! grep -q 'AFTER\|BACK' "$last/S1.SYSOUT" || return 1
		[ "$3" != U1234 ] || has 'step S2 ended: return code 0000'
	done
}

@test "an abend is the job's: COND=ONLY runs, what follows does not" {
	needs_cobol
	export COB_HOW=HALF
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=ABMAIN
//S2       EXEC PGM=IEFBR14
//S3       EXEC PGM=IEFBR14,COND=ONLY
DECK
	[ "$status" -eq 100 ]
	has 'step S1 ended: ABEND U0012'
	has 'the program called ILBOABN0 with 12'
	has 'step S2 not run: step S1 abended'
	has 'step S3 ended: return code 0000'
}

# WRITER writes one file of each kind.
writing_program() {
	cat >"$PROGRAMS/WRITER.cob" <<'COBOL'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. WRITER.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT FIX ASSIGN TO FIX.
           SELECT VAR ASSIGN TO VAR.
           SELECT LIN ASSIGN TO LIN ORGANIZATION LINE SEQUENTIAL.
           SELECT PRT ASSIGN TO PRT.
           SELECT OPTIONAL IDX ASSIGN TO IDX ORGANIZATION INDEXED
             RECORD KEY IDX-KEY
             ALTERNATE RECORD KEY IDX-OTHER WITH DUPLICATES.
           SELECT REL ASSIGN TO REL ORGANIZATION RELATIVE.
       DATA DIVISION.
       FILE SECTION.
       FD FIX RECORDING F.
       01 FIX-REC PIC X(50).
       FD VAR RECORD VARYING FROM 5 TO 60 DEPENDING ON N.
       01 VAR-REC PIC X(60).
       FD LIN.
       01 LIN-REC PIC X(70).
       FD PRT.
       01 PRT-REC PIC X(40).
       FD IDX.
       01 IDX-REC.
          02 FILLER PIC XX.
          02 IDX-KEY PIC X(6).
          02 IDX-OTHER PIC X(4).
          02 FILLER PIC X(20).
       FD REL.
       01 REL-REC PIC X(33).
       WORKING-STORAGE SECTION.
       01 N PIC 99 VALUE 7.
       PROCEDURE DIVISION.
           OPEN OUTPUT FIX VAR LIN PRT IDX REL
           MOVE "1FIRST" TO FIX-REC
           WRITE FIX-REC
           MOVE "-SECOND" TO FIX-REC
           WRITE FIX-REC
           MOVE "VAR ONE" TO VAR-REC
           WRITE VAR-REC
           MOVE "LINE" TO LIN-REC
           WRITE LIN-REC
           MOVE "TITLE" TO PRT-REC
           WRITE PRT-REC AFTER ADVANCING PAGE
           MOVE "DETAIL" TO PRT-REC
           WRITE PRT-REC AFTER ADVANCING 2 LINES
           MOVE "..KEYOOOALTE" TO IDX-REC
           WRITE IDX-REC
           MOVE "REL" TO REL-REC
           WRITE REL-REC
           CLOSE FIX VAR LIN PRT IDX REL
           STOP RUN.
COBOL
	"$COBC" -x -std=ibm -o "$PROGRAMS/WRITER" "$PROGRAMS/WRITER.cob"
}

@test "SYSOUT of records is readable lines; the control character column stays, text stays as it is" {
	needs_cobol
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=WRITER
//FIX      DD SYSOUT=*,DCB=RECFM=FBA
//VAR      DD SYSOUT=*
//LIN      DD SYSOUT=*
//PRT      DD SYSOUT=*
//IDX      DD DSN=&&IDX,DISP=(NEW,PASS)
//REL      DD DSN=&&REL,DISP=(NEW,PASS)
DECK
	[ "$status" -eq 0 ]
	printf '1FIRST\n-SECOND\n' | cmp - "$last/S1.FIX"
	printf 'VAR ONE\n' | cmp - "$last/S1.VAR"
	printf 'LINE\n' | cmp - "$last/S1.LIN"
	grep -q 'TITLE' "$last/S1.PRT"
	grep -q '^DETAIL' "$last/S1.PRT"
	program PRINT <<<'cat >"$DD_OUT"'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=PRINT
//SYSIN    DD *
SHORT
A LONGER LINE
//OUT      DD SYSOUT=*,RECFM=FBA,LRECL=8
DECK
	[ "$status" -eq 0 ]
	printf 'SHORT\nA LONGER LINE\n' | cmp - "$last/S1.OUT"
}

# FAILS PARM: fails in one of several ways.
failing_program() {
	cat >"$PROGRAMS/FAILS.cob" <<'COBOL'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. FAILS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT FIX ASSIGN TO FIX.
           SELECT LIN ASSIGN TO LIN ORGANIZATION LINE SEQUENTIAL.
           SELECT IDX ASSIGN TO IDX ORGANIZATION INDEXED
             RECORD KEY IDX-KEY.
       DATA DIVISION.
       FILE SECTION.
       FD FIX.
       01 FIX-REC PIC X(80).
       FD LIN.
       01 LIN-REC PIC X(80).
       FD IDX.
       01 IDX-REC.
          02 IDX-KEY PIC X(8).
       WORKING-STORAGE SECTION.
       01 CHARS PIC X(4) VALUE "ABCD".
       01 ZONED REDEFINES CHARS PIC 9(4).
       01 PACKED REDEFINES CHARS PIC S9(7) COMP-3.
       01 TABLE-OF.
          02 ELEMENT PIC 9 OCCURS 3 TIMES.
       01 I PIC 99 VALUE 7.
       01 HOW PIC X(10).
       LINKAGE SECTION.
       01 NOWHERE PIC X(10).
       PROCEDURE DIVISION.
           ACCEPT HOW FROM COMMAND-LINE
           EVALUATE HOW
           WHEN "ZONED" ADD 1 TO ZONED
           WHEN "PACKED" ADD 1 TO PACKED
           WHEN "SUB" MOVE 1 TO ELEMENT(I)
           WHEN "REF" MOVE CHARS(I:2) TO HOW
           WHEN "LINK" MOVE "A" TO NOWHERE
           WHEN "CALL" CALL "NOTHERE"
           WHEN "OPEN" OPEN INPUT FIX
           WHEN "FIX" OPEN OUTPUT FIX
              MOVE "X" TO FIX-REC
              PERFORM 100 TIMES WRITE FIX-REC END-PERFORM
              CLOSE FIX
           WHEN "LIN" OPEN OUTPUT LIN
              MOVE "X" TO LIN-REC
              WRITE LIN-REC
           WHEN "IDX" OPEN OUTPUT IDX
              MOVE "X" TO IDX-KEY
              WRITE IDX-REC
              WRITE IDX-REC
           WHEN "SHOW" DISPLAY "SHOWN"
           WHEN "MINUS" MOVE -1 TO RETURN-CODE
           WHEN "MINUS8" MOVE -8 TO RETURN-CODE
           WHEN "LARGE" MOVE 5000 TO RETURN-CODE
           END-EVALUATE
           STOP RUN.
COBOL
	"$COBC" -x -debug -std=ibm -o "$PROGRAMS/FAILS" "$PROGRAMS/FAILS.cob"
}

# fails HOW END [DD]: the step ends in this way.
fails() {
	printf '//A JOB\n//S1 EXEC PGM=FAILS,PARM=%s\n%s\n' "$1" "${3:-//* no DD}" >fails.jcl
	job fails.jcl
	has "step S1 ended: $2"
}

@test "errors of the COBOL run time are abends, whatever language its messages would be in" {
	needs_cobol
	export LC_ALL=C.UTF-8 LANGUAGE=de
	fails ZONED 'ABEND S0C7'
	fails PACKED 'ABEND S0C7'
	fails SUB 'ABEND S0C4'
	fails REF 'ABEND S0C4'
	fails LINK 'ABEND S0C4'
	fails CALL 'ABEND S806'
	fails OPEN 'ABEND S013'
	fails IDX 'ABEND U4038' '//IDX DD DSN=&&X,DISP=NEW'
}

@test "signals that the COBOL run time catches are abends" {
	needs_cobol
	cat >SIGNAL.c <<'C'
#include <signal.h>
#include <stdlib.h>

int SIGNAL(const char *number)
{
	return raise(atoi(number));
}
C
	gcc -shared -fPIC -o bin/SIGNAL.so SIGNAL.c
	cat >RAISE.cob <<'COBOL'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. RAISE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WHICH PIC X(10).
       PROCEDURE DIVISION.
           ACCEPT WHICH FROM COMMAND-LINE
           CALL "SIGNAL" USING WHICH
           STOP RUN.
COBOL
	"$COBC" -x -std=ibm -o bin/RAISE RAISE.cob
	for case in '11 S0C4' '7 S0C4' '8 S0C9' '4 S0C1' '6 U4038' '9 S222' '15 S222' '25 SB37'; do
		# shellcheck disable=SC2086
		set -- $case
		printf '//A JOB\n//S1 EXEC PGM=RAISE,PARM=%s\n' "$1" >raise.jcl
		job raise.jcl
		[ "$status" -eq 100 ]
		has "step S1 ended: ABEND $2"
	done
	# A return code equal to a signal number is a return code.
	program ELEVEN <<<'echo "nothing (signal SIGBUS)"; exit 11'
	printf '//A JOB\n//S1 EXEC PGM=ELEVEN\n' >eleven.jcl
	job eleven.jcl
	[ "$status" -eq 11 ]
}

@test "output that finds no room is an abend SB37, also when the program does not notice" {
	needs_cobol
	fails FIX 'ABEND SB37' "//FIX DD PATH='/dev/full'"
	fails LIN 'ABEND SB37' "//LIN DD PATH='/dev/full'"
	has 'output was lost'
	fails SHOW 'ABEND SB37' "//SYSOUT DD PATH='/dev/full'"
}

@test "RETURN-CODE: negative ones are as on a mainframe, large ones stay" {
	needs_cobol
	fails MINUS 'return code 4095'
	fails MINUS8 'return code 4088'
	fails LARGE 'return code 5000'
	[ "$status" -eq 99 ]
}

# attributes DATASET: the attributes stored with it.
attributes() {
	python3 -c '
import os, sys
path = "root/" + sys.argv[1]
kept = "root/.vigil/attributes/" + sys.argv[1]
print(open(kept).read().strip() if os.path.exists(kept) else os.getxattr(path, "user.vigil.dcb").decode().strip())
' "$1"
}

@test "a data set that nobody described has the records of the program that wrote it" {
	needs_cobol
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=WRITER
//FIX      DD DSN=A.FIX,DISP=(,CATLG)
//VAR      DD DSN=A.VAR,DISP=(,CATLG)
//LIN      DD DSN=A.LIN,DISP=(,CATLG)
//PRT      DD DSN=A.PRT,DISP=(,CATLG),RECFM=FBA,LRECL=41
//IDX      DD DSN=A.IDX,DISP=(,CATLG)
//REL      DD DSN=A.REL,DISP=(,CATLG)
DECK
	[ "$status" -eq 0 ]
	! grep -q BDB "$last/S1.SYSOUT" || return 1
	[ "$(attributes A.FIX)" = FB,50,DSORG=PS ]
	[ "$(attributes A.VAR)" = VB,64,DSORG=PS,MIN=5 ]
	[ "$(attributes A.LIN)" = TEXT,70,DSORG=PS ]
	case $(attributes A.PRT) in FBA,41*) ;; *) false ;; esac
	[ "$(attributes A.IDX)" = FB,32,DSORG=IS,KEY=6:2,KEY=4:8D ]
	[ "$(attributes A.REL)" = FB,33,DSORG=RR ]
	# A program that reads records sees those of the file of lines.
	job <<'DECK'
//B        JOB
//S1       EXEC PGM=CARDS
//SYSIN    DD DSN=A.LIN,DISP=SHR
//VARS     DD DSN=A.VAR,DISP=SHR
//LIN      DD DSN=A.LIN,DISP=SHR
DECK
	[ "$status" -eq 0 ]
	grep '^[FVL]\[' "$last/S1.SYSOUT" >got
	diff - got <<'END'
F[LINE                ]
V[VAR ONE]
L[LINE                          ]
END
}

@test "a data set that is written anew has other records; one that is added to keeps its own" {
	needs_cobol
	mkdir root
	cat >write.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=WRITER
//FIX      DD DSN=A.FIX,DISP=OLD
//VAR      DD DSN=A.VAR,DISP=MOD
//LIN      DD DSN=A.LIN,DISP=OLD,RECFM=FB,LRECL=90
//PRT      DD DUMMY
//IDX      DD DSN=&&IDX,DISP=NEW
//REL      DD DSN=A.LIB(REL),DISP=SHR
DECK
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//FIX      DD DSN=A.FIX,DISP=(,CATLG),RECFM=FB,LRECL=133
//VAR      DD DSN=A.VAR,DISP=(,CATLG),RECFM=VB,LRECL=100
//LIN      DD DSN=A.LIN,DISP=(,CATLG)
//LIB      DD DSN=A.LIB,DISP=(,CATLG),DSORG=PO,RECFM=FB,LRECL=80
DECK
	[ "$status" -eq 0 ]
	job write.jcl
	[ "$status" -eq 0 ]
	[ "$(attributes A.FIX)" = FB,50,DSORG=PS ]
	case $(attributes A.VAR) in VB,100*) ;; *) false ;; esac
	case $(attributes A.LIN) in FB,90*) ;; *) false ;; esac
	case $(attributes A.LIB) in FB,80*) ;; *) false ;; esac
}

@test "a data set of lines is records for those who read records; one of records stays as it is" {
	needs_cobol
	mkdir root
	printf 'ONE\nTWO\n' >root/LINES
	printf '%-20s%-20s' 'FIXED ONE' 'FIXED TWO' >root/FIXED
	printf '0123456789012345678\n0123456789012345678\n' >root/WHOLE
	printf 'ONE\nTWO' >root/OPEN # no whole records, so its last line is one though it has no end
	for name in LINES FIXED WHOLE OPEN; do
		job <<DECK
//A        JOB
//S1       EXEC PGM=CARDS
//SYSIN    DD DSN=$name,DISP=SHR
//VARS     DD DUMMY
//LIN      DD DUMMY
DECK
		[ "$status" -eq 0 ]
		said "$last/S1.SYSOUT" >"$name.got"
	done
	printf 'F[%-20s]\nF[%-20s]\n' ONE TWO | tee OPEN.want | cmp - LINES.got
	cmp OPEN.want OPEN.got
	printf 'F[%-20s]\nF[%-20s]\n' 'FIXED ONE' 'FIXED TWO' | cmp - FIXED.got
	printf 'F[0123456789012345678\n]\nF[0123456789012345678\n]\n' | cmp - WHOLE.got
}

@test "a program that a step of the job compiled: PGM=*.STEP.DD, and by its name in STEPLIB" {
	needs_cobol
	program COMPILE <<<'"$COBC" -std=ibm $FORM -o "$DD_SYSLMOD" "$DD_SYSIN"'
	sed -i "s|\"\$COBC\"|$COBC|; s|\$FORM|\$1|" bin/COMPILE
	cat >head.jcl <<'DECK'
//A        JOB
//COMP     EXEC PGM=COMPILE,PARM='-x'
//SYSLMOD  DD DSN=&&LOAD(GO),DISP=(NEW,PASS),SPACE=(TRK,(1,1,1))
//SYSIN    DD DATA,DLM=@@
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GO.
       PROCEDURE DIVISION.
           MOVE 3 TO RETURN-CODE
           STOP RUN.
@@
//G1       EXEC PGM=*.COMP.SYSLMOD
//G2       EXEC PGM=GO
//STEPLIB  DD DSN=&&LOAD,DISP=(OLD,DELETE)
//COMPM    EXEC PGM=COMPILE,PARM='-m'
//SYSLMOD  DD DSN=&&MOD(GO),DISP=(NEW,PASS),SPACE=(TRK,(1,1,1))
//SYSIN    DD DATA,DLM=@@
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GO.
       DATA DIVISION.
       LINKAGE SECTION.
       01 PARM-AREA.
          02 PARM-LENGTH PIC S9(4) BINARY.
          02 PARM-TEXT PIC X(100).
       PROCEDURE DIVISION USING PARM-AREA.
           DISPLAY PARM-TEXT(1:PARM-LENGTH)
           MOVE 4 TO RETURN-CODE
           GOBACK.
@@
//G3       EXEC PGM=*.COMPM.SYSLMOD,PARM='HELLO'
//G4       EXEC PGM=GO,PARM='HELLO'
//STEPLIB  DD DSN=&&MOD,DISP=(OLD,DELETE)
DECK
	job head.jcl
	[ "$status" -eq 4 ]
	has 'step G1 ended: return code 0003'
	has 'step G2 ended: return code 0003'
	has 'step G3 ended: return code 0004'
	has 'step G4 ended: return code 0004'
	[ "$(said "$last/G3.SYSOUT")" = HELLO ]
	[ "$(said "$last/G4.SYSOUT")" = HELLO ]
}

@test "STEPLIB replaces JOBLIB, both come before --steplib; called subprograms are found there, too" {
	needs_cobol
	mkdir -p root/LIB.ONE root/LIB.TWO
	for where in bin root/LIB.ONE root/LIB.TWO; do
		printf '#!/bin/sh\necho %s\n' "$where" >"$where/WHERE"
		chmod +x "$where/WHERE"
	done
	printf '#!/bin/sh\necho lower\n' >root/LIB.TWO/onlylow
	chmod +x root/LIB.TWO/onlylow
	cp "$PROGRAMS/ABCALL" root/LIB.ONE/CALLER
	sed 's/ABSUB/ABSUB/; s/DISPLAY "BEFORE"/DISPLAY "OF LIB.TWO" GOBACK/' "$PROGRAMS/ABSUB.cob" >ABSUB.cob
	"$COBC" -m -std=ibm -o root/LIB.TWO/ABSUB.so ABSUB.cob
	job <<'DECK'
//A        JOB
//JOBLIB   DD DSN=LIB.ONE,DISP=SHR
//S1       EXEC PGM=WHERE
//S2       EXEC PGM=WHERE
//STEPLIB  DD DSN=LIB.TWO,DISP=SHR
//S3       EXEC PGM=CALLER
//STEPLIB  DD DSN=LIB.ONE,DISP=SHR
//         DD DSN=LIB.TWO,DISP=SHR
//S4       EXEC PGM=ONLYLOW
//STEPLIB  DD DSN=LIB.TWO,DISP=SHR
//S5       EXEC PGM=ONLYLOW
DECK
	[ "$status" -eq 100 ]
	[ "$(cat "$last/S1.SYSOUT")" = root/LIB.ONE ]
	[ "$(cat "$last/S2.SYSOUT")" = root/LIB.TWO ]
	grep -q 'OF LIB.TWO' "$last/S3.SYSOUT"
	[ "$(cat "$last/S4.SYSOUT")" = lower ]
	has 'step S5 ended: ABEND S806'
}

@test "the CPU time of all processes of a step counts: TIME of step and job" {
	# Each process ends after less than a second of CPU time; all together continue. On a busy machine a step is
	# ended late: what S1 and S2 together may use is less than the job's limit.
	program MANY <<<'while :; do timeout 0.4 sh -c "while :; do :; done"; done'
	program STUBBORN <<<'for i in 1 2 3; do (trap "" XCPU; i=0; while [ $i -lt 99999999 ]; do i=$((i + 1)); done) & done; wait'
	job <<'DECK'
//A        JOB TIME=(0,3)
//S1       EXEC PGM=MANY,TIME=(0,1)
//S2       EXEC PGM=STUBBORN,TIME=(0,1),COND=EVEN
//S3       EXEC PGM=MANY,TIME=NOLIMIT,COND=EVEN
//S4       EXEC PGM=MANY,COND=EVEN
DECK
	[ "$status" -eq 100 ]
	grep 'step S1 ended: ABEND S322.* the CPU time limit of 1 s was reached' <<<"$output"
	grep 'step S2 ended: ABEND S322.* the CPU time limit of 1 s was reached' <<<"$output"
	has 'step S3 ended: ABEND S322'
	has "step S4 ended: ABEND S322"
	has "the job's CPU time is used up"
	! pgrep -f "$BATS_TEST_TMPDIR/bin/STUBBORN"
}

@test "TIME limits the CPU time of what a shell runs: the shell does not go on" {
	program SHELL <<<'timeout --foreground 60 sh -c "while :; do :; done"; echo went on'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHELL,TIME=(0,1)
DECK
	[ "$status" -eq 100 ]
	grep 'step S1 ended: ABEND S322.* the CPU time limit of 1 s was reached' <<<"$output"
	! grep -r 'went on' "$last"/S1.* || return 1
}

@test "REGION is shown beside what was used, and limits nothing" {
	program FAT <<<"exec python3 -c 'x = bytearray(20000000); print(len(x))'"
	job <<'DECK'
//A        JOB REGION=2M
//S1       EXEC PGM=BPXBATCH,PARM='SH true',REGION=1024K
//S2       EXEC PGM=FAT
DECK
	[ "$status" -eq 0 ]
	has 'MB (REGION 1.0 MB)'
	has 'MB (REGION 2.0 MB)'
	[ "$(cat "$last/S2.SYSOUT")" = 20000000 ]
}

@test "TIME=1440, NOLIMIT and MAXIMUM limit nothing" {
	program MANY <<<'for i in 1 2; do timeout 0.15 sh -c "while :; do :; done"; done; exit 3'
	job <<'DECK'
//A        JOB TIME=1440
//S1       EXEC PGM=MANY,TIME=NOLIMIT
//S2       EXEC PGM=MANY,TIME=MAXIMUM
//S3       EXEC PGM=MANY,TIME=0
DECK
	[ "$status" -eq 3 ]
	hasnt ABEND
}

@test "what is written to the internal reader runs after the job, with its own number" {
	program NEXT <<'END'
cat <<'CARDS'
//B        JOB
//S1       EXEC PGM=IEBGENER
//SYSPRINT DD DUMMY
//SYSIN    DD DUMMY
//SYSUT1   DD DSN=MADE.BY.A,DISP=SHR
//SYSUT2   DD DSN=MADE.BY.B,DISP=(,CATLG)
CARDS
END
	printf '//C JOB\n//S1 EXEC PGM=IEFBR14\n' >second.jcl
	cat >first.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=NEXT
//STDOUT   DD SYSOUT=(A,INTRDR)
//S2       EXEC PGM=BPXBATCH,PARM='SH echo text >$DD_OUT'
//OUT      DD DSN=MADE.BY.A,DISP=(,CATLG)
DECK
	job first.jcl second.jcl
	[ "$status" -eq 0 ]
	has 'VIG5251I step S1, DD STDOUT: the deck in'
	grep -q 'VIG5254I job B was submitted by job A (JOB00001), step S1' spool/JOB00003.B/JESMSGLG
	[ -d spool/JOB00002.C ]
	[ "$(cat root/MADE.BY.B)" = text ]
}

@test "the internal reader takes records, several decks, and statements to itself" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEBGENER
//SYSPRINT DD DUMMY
//SYSIN    DD DUMMY
//SYSUT1   DD DATA,DLM=@@
//GOOD     JOB
//S1       EXEC PGM=IEFBR14
/*EOF
//BAD      JOB
//S1       EXEC PGM=NOTHERE
/*DEL
//LAST     JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH exit 7'
@@
//SYSUT2   DD SYSOUT=(*,INTRDR),RECFM=FB,LRECL=80
//S2       EXEC PGM=BPXBATCH,PARM='SH echo //X JOB; kill -9 $$'
//STDOUT   DD SYSOUT=(A,INTRDR)
DECK
	[ "$status" -eq 100 ]
	has 'job GOOD ended: highest return code 0000'
	has 'job LAST ended: highest return code 0007'
	hasnt 'job BAD'
	has 'VIG5252W step S2'
	has 'the step abended'
	hasnt 'job X'
}

@test "the internal reader: a deck with an error keeps none behind or before /*EOF from running" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEBGENER
//SYSPRINT DD DUMMY
//SYSIN    DD DUMMY
//SYSUT2   DD SYSOUT=(*,INTRDR)
//SYSUT1   DD DATA,DLM=@@
//GOOD     JOB
//S1       EXEC PGM=IEFBR14
/*EOF
//BAD      JOB
//S1       EXEC PGM=
/*EOF
//LAST     JOB
//S1       EXEC PGM=IEFBR14
@@
DECK
	[ "$status" -eq 101 ]
	has 'job GOOD ended: highest return code 0000'
	has 'S1.SYSUT2:5:17: VIG1097E'
	has 'job BAD ended: JCL error'
	has 'job LAST ended: highest return code 0000'
}

@test "a deck of the internal reader with an error, and one that submits itself" {
	program WRONG <<<'echo //B JOB; echo //S EXEC PMG=X'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=WRONG
//STDOUT   DD SYSOUT=(A,INTRDR)
DECK
	[ "$status" -eq 101 ]
	has 'VIG5253E'
	has 'submitted is not run'
	cat >again.jcl <<DECK
//AGAIN    JOB
//S1       EXEC PGM=AGAIN
//STDOUT   DD SYSOUT=(A,INTRDR)
DECK
	program AGAIN <<<"cat $BATS_TEST_TMPDIR/again.jcl"
	job again.jcl
	[ "$status" -eq 101 ]
	has 'have submitted 100 decks'
	[ "$(printf '%s\n' "$output" | grep -c 'job AGAIN ended')" -eq 101 ]
}
