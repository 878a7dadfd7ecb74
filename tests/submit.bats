#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Decks from cards to spool: each rule of running jobs that a user can observe.

bats_require_minimum_version 1.5.0

load trace
load jobs
load ordinary
load background
load waiting

setup() {
	in_own_folder
}

teardown() {
	background_end
	ordinary_end
}

# running: whether a step of a job runs: its program was executed, vigil handles signals, and its guard knows the
# step.
running() {
	grep -q RUNNING spool/*/STATE 2>/dev/null
}

# sleepers SECONDS: the number of "sleep SECONDS" processes of this user.
sleepers() {
	pgrep -u "$(id -u)" -cf "^sleep ${1/./[.]}\$"
}

# asleep COUNT SECONDS: whether there are this many.
asleep() {
	[ "$(sleepers "$2")" -eq "$1" ]
}

# guard_of VIGIL: its guard, the child in its own session that has executed no other command.
guard_of() {
	local child
	for child in $(pgrep -P "$1"); do
		[ "$(ps -o sid= -p "$child" | tr -d ' ')" != "$child" ] || { echo "$child"; return; }
	done
	return 1
}

# guard_holds VIGIL SECONDS: whether the guard has seen the "sleep SECONDS" that is in its own session. It looks every
# 200 ms, and holds what it has seen by a descriptor.
guard_holds() {
	local guard daemon
	guard=$(guard_of "$1") || return
	daemon=$(ps -o pid=,sid= -p "$(pgrep -u "$(id -u)" -d, -f "^sleep ${2/./[.]}\$")" | awk '$1 == $2 { print $1 }')
	[ -n "$daemon" ] || return
	grep -qs "^Pid:[[:space:]]*$daemon\$" "/proc/$guard/fdinfo/"*
}

# told_killed: whether the guard of a killed vigil has reported that, which it does last: in STATE, and then in the
# log.
told_killed() {
	grep -q '^KILLED ' spool/*/STATE && grep -q 'VIG504[25]S' spool/*/JESMSGLG
}

# waits FILE: a program WAITS in ./bin that ends with 0 when the file exists, with 9 if it does not within half a
# minute.
waits() {
	program WAITS <<<"for _ in \$(seq 300); do [ ! -e $PWD/$1 ] || exit 0; sleep 0.1; done; exit 9"
}

@test "the exit status is the highest return code, 99 above 98" {
	program RC <<<'exit $1'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=RC,PARM='4'
//S2       EXEC PGM=RC,PARM='8'
//S3       EXEC PGM=RC,PARM='2'
DECK
	[ "$status" -eq 8 ]
	has 'step S2 ended: return code 0008'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=RC,PARM='98'
DECK
	[ "$status" -eq 98 ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=RC,PARM='150'
DECK
	[ "$status" -eq 99 ]
	has 'return code 0150'
}

@test "return codes above 255 are kept" {
	[ -e "$VIGIL_BUILD/agent/.libs/vigil-step.so" ] || skip "the step library is not built"
	command -v python3 >/dev/null || skip "no python3"
	printf '#!%s\nimport sys\nsys.exit(int(sys.argv[1]))\n' "$(command -v python3)" >bin/RC
	chmod +x bin/RC
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=RC,PARM='1000'
//S2       EXEC PGM=IEFBR14,COND=(1000,EQ)
//S3       EXEC PGM=BPXBATCH,PARM='PGM &SYSDECK/bin/RC 4095'
DECK
	[ "$status" -eq 99 ]
	has 'step S1 ended: return code 1000'
	has 'step S2 not run: COND=(1000,EQ) of the step holds'
	has 'step S3 ended: return code 4095'
}

@test "a job's COND ends it; bypassed steps are no reason (the manual's own example)" {
	program RC <<<'exit $1'
	job <<'DECK'
//A        JOB COND=(10,LT)
//S1       EXEC PGM=RC,PARM='6'
//S2       EXEC PGM=RC,PARM='2',COND=((2,EQ),(4,EQ))
//S3       EXEC PGM=RC,PARM='0',COND=ONLY
//S4       EXEC PGM=RC,PARM='0',COND=((5,GT,S1),(2,EQ))
//S5       EXEC PGM=RC,PARM='9'
//S6       EXEC PGM=RC,PARM='10',COND=((8,GT,S5),EVEN)
//S7       EXEC PGM=RC,PARM='12',COND=(4,GT,S4)
//S8       EXEC PGM=RC,PARM='0'
//S9       EXEC PGM=RC,PARM='0',COND=ONLY
DECK
	[ "$status" -eq 12 ]
	has 'step S2 ended: return code 0002'
	has 'step S3 not run'
	has 'step S4 not run'
	has 'step S6 ended: return code 0010'
	has 'step S7 ended: return code 0012'
	has 'step S8 not run: COND=(10,LT) of the job holds'
	hasnt 'step S9 started'
	grep -q 'IEF201I A S8 - JOB TERMINATED BECAUSE OF CONDITION CODES' "$last/JESYSMSG"
	run grep -q IEF202I.*S8 "$last/JESYSMSG"
	[ "$status" -eq 1 ]
}

@test "after an abend only EVEN, ONLY and steps in an IF that asks about abends run" {
	job <<'DECK'
//A        JOB
//BAD      EXEC PGM=NOSUCH
//PLAIN    EXEC PGM=IEFBR14
//EVEN     EXEC PGM=IEFBR14,COND=EVEN
//ONLY     EXEC PGM=IEFBR14,COND=ONLY
// IF ABENDCC = S806 THEN
//FIX      EXEC PGM=IEFBR14
// ELSE
//ELSE     EXEC PGM=IEFBR14
// ENDIF
// IF RC = 0 THEN
//NOTME    EXEC PGM=IEFBR14
// ENDIF
DECK
	[ "$status" -eq 100 ]
	has 'step BAD ended: ABEND S806'
	has 'step PLAIN not run: step BAD abended'
	has 'step EVEN ended: return code 0000'
	has 'step ONLY ended: return code 0000'
	has 'step FIX ended: return code 0000'
	has 'step ELSE not run: its IF or ELSE clause does not apply'
	has 'step NOTME not run'
	grep -q '^ABENDED ' "$last/STATE"
}

@test "a step that is not run names the step of a procedure that is the reason" {
	program RC <<<'exit $1'
	program DIE <<<'kill -SEGV $$'
	job <<'DECK'
//A        JOB
//P        PROC PROG=RC
//PS1      EXEC PGM=RC,PARM='7'
//PS2      EXEC PGM=&PROG
//         PEND
//X1       EXEC P,PROG=RC
//X2       EXEC PGM=RC,COND=(7,EQ,X1.PS1)
//X3       EXEC P,PROG=DIE
//X4       EXEC PGM=RC
DECK
	has 'step X2 not run: COND=(7,EQ,X1.PS1) of the step holds'
	has 'step X4 not run: step X3.PS2 abended'
}

@test "an IF is decided once, when it is reached" {
	program RC <<<'exit $1'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=RC,PARM='4'
// IF S1.RC = 4 THEN
//S2       EXEC PGM=RC,PARM='8'
// IF S2.RC < 8 THEN
//S3       EXEC PGM=RC,PARM='1'
// ELSE
//S4       EXEC PGM=RC,PARM='5'
// ENDIF
// ELSE
//S5       EXEC PGM=RC,PARM='16'
// ENDIF
// IF S3.RUN THEN
//S6       EXEC PGM=RC,PARM='16'
// ENDIF
DECK
	[ "$status" -eq 8 ]
	has 'step S3 not run'
	has 'step S4 ended: return code 0005'
	has 'step S5 not run'
	has 'step S6 not run'
}

@test "a program that is not found is an abend S806, one that may not be run S306" {
	echo 'nothing' >bin/NOEXEC
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=NOSUCH
DECK
	[ "$status" -eq 100 ]
	has 'ABEND S806'
	has "program NOSUCH was not found in $PWD/bin"
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=NOEXEC
DECK
	[ "$status" -eq 100 ]
	has 'ABEND S306'
}

@test "signals become abend codes that say what happened" {
	job <<'DECK'
//A        JOB
//SEGV     EXEC PGM=BPXBATCH,PARM='SH kill -SEGV $$'
//FPE      EXEC PGM=BPXBATCH,PARM='SH kill -FPE $$',COND=EVEN
//ILL      EXEC PGM=BPXBATCH,PARM='SH kill -ILL $$',COND=EVEN
//ABRT     EXEC PGM=BPXBATCH,PARM='SH kill -ABRT $$',COND=EVEN
//KILL     EXEC PGM=BPXBATCH,PARM='SH kill -KILL $$',COND=EVEN
DECK
	[ "$status" -eq 100 ]
	has 'step SEGV ended: ABEND S0C4'
	has 'ended by signal SEGV'
	has 'step FPE ended: ABEND S0C9'
	has 'step ILL ended: ABEND S0C1'
	has 'step ABRT ended: ABEND U4038'
	has 'step KILL ended: ABEND S222'
}

@test "errors of the COBOL run time are abends; a return code of 1 is one" {
	[ -n "$COBC" ] || COBC=$(command -v cobc) || skip "no cobc"
	cat >abends.cob <<'COBOL'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ABENDS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT F ASSIGN TO NOFILE ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD F.
       01 R PIC X(80).
       WORKING-STORAGE SECTION.
       01 A PIC X(4) VALUE "ABCD".
       01 N REDEFINES A PIC 9(4).
       01 G.
          02 T PIC 9 OCCURS 3 TIMES.
       01 I PIC 99 VALUE 7.
       01 K PIC X(10).
       PROCEDURE DIVISION.
           ACCEPT K FROM COMMAND-LINE
           EVALUATE K
           WHEN "NUM" ADD 1 TO N
           WHEN "SUB" MOVE 1 TO T(I)
           WHEN "CALL" CALL "NOTHERE"
           WHEN "OPEN" OPEN INPUT F
           WHEN "ONE" MOVE 1 TO RETURN-CODE
           END-EVALUATE
           STOP RUN.
COBOL
	"$COBC" -x -debug -std=ibm -o bin/ABENDS abends.cob
	job <<'DECK'
//A        JOB
//NUM      EXEC PGM=ABENDS,PARM='NUM'
//SYSOUT   DD SYSOUT=*
//SUB      EXEC PGM=ABENDS,PARM='SUB',COND=EVEN
//CALL     EXEC PGM=ABENDS,PARM='CALL',COND=EVEN
//SYSOUT   DD DUMMY
//OPEN     EXEC PGM=ABENDS,PARM='OPEN',COND=EVEN
//ONE      EXEC PGM=ABENDS,PARM='ONE',COND=EVEN
DECK
	[ "$status" -eq 100 ]
	has 'step NUM ended: ABEND S0C7'
	has 'step SUB ended: ABEND S0C4'
	has 'step CALL ended: ABEND S806'
	has "module 'NOTHERE' not found"
	has 'step OPEN ended: ABEND S013'
	has 'step ONE ended: return code 0001'
}

@test "TIME limits the CPU time: abend S322" {
	job <<'DECK'
//A        JOB
//LOOP     EXEC PGM=BPXBATCH,TIME=(0,1),PARM='SH while :; do :; done'
DECK
	[ "$status" -eq 100 ]
	has 'step LOOP ended: ABEND S322'
	has 'the CPU time limit of 1 s was reached'
}

@test "NEW data sets appear under their name only when the step keeps them" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
//             PARM='SH echo text >$DD_OUT; ls &SYSDECK/root'
//OUT      DD DSN=MY.OUT,DISP=(NEW,CATLG,DELETE)
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/MY.OUT)" = text ]
	! grep -q MY.OUT "$last/S1.STDOUT" || return 1
	grep -q 'MY.OUT kept' "$last/JESYSMSG"
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
//             PARM='SH echo text >$DD_OUT; kill -SEGV $$'
//OUT      DD DSN=MY.BAD,DISP=(NEW,CATLG,DELETE)
//KEPT     DD DSN=MY.KEPT,DISP=(NEW,DELETE,CATLG)
DECK
	[ "$status" -eq 100 ]
	[ ! -e root/MY.BAD ]
	[ -e root/MY.KEPT ]
	[ -z "$(ls -d root/.vigil/JOB* 2>/dev/null)" ]
}

@test "a NEW data set that its program removes is named, and nothing else is left" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH rm $DD_A $DD_B $DD_C'
//A        DD DSN=MY.A,DISP=(NEW,CATLG)
//B        DD DSN=MY.B,DISP=(NEW,DELETE)
//C        DD DSN=&&C,DISP=(NEW,PASS)
//S2       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 0 ]
	has 'VIG5136W DD A: data set MY.A was removed by the step'
	hasnt 'DD B:'
	has 'step S2 ended: return code 0000'
	[ "$(ls -A root root/.vigil)" = "root:
.vigil

root/.vigil:
locks" ]
}

@test "IEFBR14 makes data sets, libraries too" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D1       DD DSN=MY.FILE,DISP=(NEW,CATLG)
//D2       DD DSN=MY.LIB,DISP=(NEW,CATLG),SPACE=(TRK,(5,5,5)),DSORG=PO
DECK
	[ "$status" -eq 0 ]
	[ -f root/MY.FILE ]
	[ ! -s root/MY.FILE ]
	[ -d root/MY.LIB ]
}

@test "what cannot be allocated is a JCL error, and the step does not run" {
	mkdir root && touch root/OLD.ONE
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//NEW      DD DSN=OLD.ONE,DISP=(NEW,CATLG)
//MISSING  DD DSN=NOT.THERE,DISP=SHR
//OK       DD DSN=MADE.HERE,DISP=(NEW,CATLG)
//S2       EXEC PGM=IEFBR14,COND=EVEN
DECK
	[ "$status" -eq 101 ]
	has 'VIG5102E step S1, DD NEW: data set OLD.ONE exists already'
	has 'VIG5101E step S1, DD MISSING: data set NOT.THERE does not exist'
	has 'deck.jcl:3:'
	hasnt 'step S1 ended'
	hasnt 'step S2'
	[ -e root/OLD.ONE ]
	[ ! -e root/MADE.HERE ]
	[ -z "$(ls -d root/.vigil/JOB* 2>/dev/null)" ]
	grep -q '^JCLERROR' "$last/STATE"
}

@test "DISP=MOD appends, even to a program that writes anew; MOD,DELETE is fine on nothing" {
	mkdir root && echo first >root/MY.LOG
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo second >$DD_LOG'
//LOG      DD DSN=MY.LOG,DISP=(MOD,KEEP)
//S2       EXEC PGM=BPXBATCH,PARM='SH echo new >$DD_LOG'
//LOG      DD DSN=MY.NEWLOG,DISP=(MOD,CATLG)
//S3       EXEC PGM=IEFBR14
//GONE     DD DSN=NOT.THERE,DISP=(MOD,DELETE,DELETE)
//ALSO     DD DSN=MY.NEWLOG,DISP=(MOD,DELETE,DELETE)
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/MY.LOG)" = "$(printf 'first\nsecond')" ]
	[ ! -e root/MY.NEWLOG ] && [ ! -e root/NOT.THERE ]
}

@test "a temporary data set without a name is referred to by its DD" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo one >$DD_T; echo two >$DD_U'
//T        DD UNIT=SYSDA,DISP=(NEW,PASS)
//U        DD UNIT=SYSDA,DISP=(NEW,PASS)
//S2       EXEC PGM=BPXBATCH,
//             PARM='SH cat $DD_U $DD_T; echo more >$DD_M'
//U        DD DSN=*.S1.U,DISP=(OLD,DELETE)
//T        DD DSN=*.S1.T,DISP=(OLD,PASS)
//M        DD DSN=*.T,DISP=(MOD,PASS)
//STDOUT   DD SYSOUT=*
//S3       EXEC PGM=BPXBATCH,PARM='SH cat $DD_T'
//T        DD DSN=*.S2.T,DISP=(OLD,DELETE)
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S2.STDOUT")" = "$(printf 'two\none')" ]
	[ "$(cat "$last/S3.STDOUT")" = "$(printf 'one\nmore')" ]
	[ ! -e "$last/work" ]
}

@test "UNIT and VOL without a DSN is a new temporary data set, whatever DISP says; a job behind it runs" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH test -e $DD_T -a -e $DD_U'
//T        DD UNIT=SYSDA,VOL=SER=WORK01,DISP=OLD
//U        DD UNIT=SYSDA,VOL=SER=WORK01,DISP=SHR
//S2       EXEC PGM=NOTTHERE
//T        DD UNIT=SYSDA,VOL=SER=WORK01,DISP=OLD
//B        JOB
//S1       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 100 ]
	has 'S806'
	[ "$(cut -c 1-5 spool/JOB00002.B/STATE)" = ENDED ]
}

@test "temporary and passed data sets live as long as the job" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo one >$DD_T; echo two >$DD_P'
//T        DD DSN=&&TEMP,DISP=(NEW,PASS)
//P        DD DSN=MY.PASSED,DISP=(NEW,PASS)
//S2       EXEC PGM=BPXBATCH,
//             PARM='SH cat $DD_T $DD_P; echo three >$DD_M'
//T        DD DSN=&&TEMP,DISP=(OLD,PASS)
//P        DD DSN=MY.PASSED,DISP=(OLD,PASS)
//M        DD DSN=&&TEMP,DISP=(MOD,PASS)
//STDOUT   DD SYSOUT=*
//S3       EXEC PGM=IEBGENER
//SYSUT1   DD DSN=&&TEMP,DISP=(OLD,DELETE)
//SYSUT2   DD SYSOUT=*
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DUMMY
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S2.STDOUT")" = "$(printf 'one\ntwo')" ]
	[ "$(cat "$last/S3.SYSUT2")" = "$(printf 'one\nthree')" ]
	[ ! -e root/MY.PASSED ]
	[ "$(grep -A99 'ALLOC. FOR A S2' "$last/JESYSMSG" | grep -B99 'ALLOC. FOR A S3' | grep -c 'IEF285I   &&TEMP .* PASSED')" -eq 2 ]
	! grep -q 'IEF285I.*EXTENDED' "$last/JESYSMSG" || return 1
	grep -q 'MY.PASSED was passed and never kept' "$last/JESYSMSG"
	[ ! -e "$last/work" ]
	job <<'DECK'
//B        JOB
//S1       EXEC PGM=IEFBR14
//T        DD DSN=&&TEMP,DISP=(OLD,PASS)
DECK
	[ "$status" -eq 101 ]
}

@test "concatenations are read as one; a DUMMY ends them; folders become a list" {
	mkdir -p root/L1 root/L2 && echo one >root/F1 && echo two >root/F2 && echo m >root/L1/MEM
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
//             PARM='SH cat $DD_IN; echo $DD_LIB; cat $DD_CUT'
//IN       DD DSN=F1,DISP=SHR
//         DD *
cards
/*
//         DD DSN=F2,DISP=SHR
//         DD DSN=L1(MEM),DISP=SHR
//LIB      DD DSN=L1,DISP=SHR
//         DD DSN=L2,DISP=SHR
//CUT      DD DSN=F1,DISP=SHR
//         DD DUMMY
//         DD DSN=F2,DISP=SHR
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.STDOUT")" = "$(printf 'one\ncards\ntwo\nm\n%s/root/L1:%s/root/L2\none' "$PWD" "$PWD")" ]
}

@test "nobody writes to a concatenation" {
	[ "$(id -u)" != 0 ] || skip "root may write everywhere"
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo lost >$DD_IN'
//IN       DD *
A
//         DD *
B
DECK
	[ "$status" -eq 2 ]
	grep -q 'cannot create' "$last/S1.SYSOUT"
}

@test "in-stream data is lines, or records where the DD says so" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
//             PARM='SH wc -c <$DD_LINES; wc -c <$DD_RECORDS'
//LINES    DD *
one
two
/*
//RECORDS  DD *,DCB=(RECFM=FB,LRECL=80)
one
two
/*
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(tr -d ' ' <"$last/S1.STDOUT")" = "$(printf '8\n160')" ]
}

@test "PATH with PATHOPTS, PATHMODE and PATHDISP" {
	echo old >old
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo new >$DD_NEW; cat $DD_OLD'
//OLD      DD PATH='&SYSDECK/old',PATHDISP=(DELETE,KEEP)
//NEW      DD PATH='&SYSDECK/new',PATHOPTS=(OWRONLY,OCREAT,OEXCL),
//            PATHMODE=(SIRUSR,SIWUSR)
//STDOUT   DD SYSOUT=*
//S2       EXEC PGM=IEFBR14
//NEW      DD PATH='&SYSDECK/new',PATHOPTS=(OWRONLY,OCREAT,OEXCL)
DECK
	[ "$status" -eq 101 ]
	has 'VIG5106E step S2, DD NEW'
	[ "$(cat new)" = new ]
	[ "$(stat -c %a new)" = 600 ]
	[ ! -e old ]
	[ "$(cat "$last/S1.STDOUT")" = old ]
}

@test "generations: numbers are fixed for the job" {
	mkdir root && echo one >root/MY.GDG.G0001V00
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
//             PARM='SH cat $DD_OLD >$DD_NEW; echo more >>$DD_NEW'
//OLD      DD DSN=MY.GDG(0),DISP=SHR
//NEW      DD DSN=MY.GDG(+1),DISP=(NEW,CATLG)
//S2       EXEC PGM=BPXBATCH,PARM='SH cat $DD_NEW $DD_OLD'
//NEW      DD DSN=MY.GDG(+1),DISP=SHR
//OLD      DD DSN=MY.GDG(0),DISP=SHR
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/MY.GDG.G0002V00)" = "$(printf 'one\nmore')" ]
	[ "$(cat "$last/S2.STDOUT")" = "$(printf 'one\nmore\none')" ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//OLD      DD DSN=MY.GDG(-2),DISP=SHR
DECK
	[ "$status" -eq 101 ]
	has 'VIG5108E'
}

@test "a generation or group that cannot be read is named as such" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DSN=MY.G(0),DISP=SHR
DECK
	has 'VIG5108E step S1, DD D: generation 0 of MY.G does not exist'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DSN=MY.G,DISP=SHR
DECK
	[ "$status" -eq 101 ]
	has 'VIG5101E step S1, DD D: data set MY.G does not exist'
}

@test "data set names cannot leave the root" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DSN='../OUT',DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 101 ]
	[ ! -e OUT ] && [ ! -e ../OUT ]
}

@test "programs come from STEPLIB, else JOBLIB, then the program path; scripts need no #!" {
	mkdir -p root/MY.JOBLIB root/MY.STEPLIB
	printf 'echo joblib\n' >root/MY.JOBLIB/PROG
	printf '#!/bin/sh\necho steplib $COB_LIBRARY_PATH\n' >root/MY.STEPLIB/prog
	printf '#!/bin/sh\necho path\n' >bin/PROG
	chmod +x root/*/* bin/PROG
	job <<'DECK'
//A        JOB
//JOBLIB   DD DSN=MY.JOBLIB,DISP=SHR
//S1       EXEC PGM=PROG
//S2       EXEC PGM=PROG
//STEPLIB  DD DSN=MY.STEPLIB,DISP=SHR
//SYSPRINT DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.SYSOUT")" = joblib ]
	[ "$(cat "$last/S2.SYSPRINT")" = "steplib $PWD/root/MY.STEPLIB:$PWD/bin" ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=PROG
DECK
	[ "$(cat "$last/S1.SYSOUT")" = path ]
}

@test "the caller's COB_LIBRARY_PATH stands once, behind the step's libraries" {
	mkdir -p root/MY.LIB
	ln -s /usr/bin/env bin/SHOW # a shell would tell of each name once
	COB_LIBRARY_PATH=/of/mine job <<'DECK'
//A        JOB
//S        EXEC PGM=SHOW
//STEPLIB  DD DSN=MY.LIB,DISP=SHR
DECK
	[ "$status" -eq 0 ]
	[ "$(grep -c '^COB_LIBRARY_PATH=' "$last/S.SYSOUT")" -eq 1 ]
	grep -q '^COB_LIBRARY_PATH=.*/root/MY.LIB:.*:/of/mine$' "$last/S.SYSOUT"
}

@test "PGM=*.STEP.DD runs what an earlier step made" {
	job <<'DECK'
//A        JOB
//LINK     EXEC PGM=BPXBATCH,
//             PARM='SH echo "echo made" >$DD_LOAD; chmod +x $DD_LOAD'
//LOAD     DD DSN=&&LIB(MAIN),DISP=(NEW,PASS)
//GO       EXEC PGM=*.LINK.LOAD
//SYSOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/GO.SYSOUT")" = made ]
}

@test "the step's environment is small and its folder its own" {
	program SHOW <<-'SH'
		env | sort
		echo "folder $(pwd)"
		touch droppings
	SH
	MY_SECRET=1 job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHOW
//INFILE   DD DSN=MY.NEW,DISP=(NEW,CATLG)
//SYSOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	out=$last/S1.SYSOUT
	! grep -q MY_SECRET "$out" || return 1
	grep -q '^DD_INFILE=/' "$out"
	grep -q '^dd_INFILE=/' "$out"
	grep -q '^DD_infile=/' "$out"
	grep -q '^PATH=' "$out"
	grep -q "^folder $PWD/$last/work/step.S1\$" "$out"
	[ ! -e droppings ] && [ ! -e "$last/work" ]
}

@test "standard input comes from SYSIN, output goes to SYSOUT or the spool, errors with it" {
	program BOTH <<<'cat; echo bad >&2'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BOTH
//SYSIN    DD *
card
/*
//S2       EXEC PGM=BOTH
//SYSPRINT DD SYSOUT=*
//SYSERR   DD SYSOUT=*
//S3       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.SYSOUT")" = "$(printf 'card\nbad')" ]
	[ "$(cat "$last/S2.SYSPRINT")" = "" ]
	[ "$(cat "$last/S2.SYSERR")" = bad ]
	[ ! -e "$last/S3.SYSOUT" ]
}

@test "PARM reaches a COBOL module as halfword and text" {
	[ -n "$COBC" ] || COBC=$(command -v cobc) || skip "no cobc"
	cat >PARMMOD.cob <<'COBOL'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PARMMOD.
       DATA DIVISION.
       LINKAGE SECTION.
       01 PARM-AREA.
          02 PARM-LENGTH PIC S9(4) BINARY.
          02 PARM-TEXT PIC X(100).
       PROCEDURE DIVISION USING PARM-AREA.
           DISPLAY PARM-LENGTH " " PARM-TEXT(1:PARM-LENGTH)
           MOVE 7 TO RETURN-CODE
           GOBACK.
COBOL
	"$COBC" -m -std=ibm -o bin/PARMMOD.so PARMMOD.cob
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=PARMMOD,PARM='HELLO ALL'
DECK
	[ "$status" -eq 7 ]
	grep -q '0009 HELLO ALL' "$last/S1.SYSOUT"
}

@test "what a step leaves behind is named and ended" {
	# The step ends while what it leaves behind is the process by which it would be named.
	program LEAVES <<-'SH'
		setsid sleep 77.5 &
		for _ in $(seq 300); do
			[ "$(cat /proc/$!/comm)" != sleep ] || exit 0
			sleep 0.1
		done
		exit 9
	SH
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=LEAVES
DECK
	[ "$status" -eq 0 ]
	has 'VIG5041W step S1 left process'
	has '(sleep) behind'
	! pgrep -u "$(id -u)" -f 'sleep 77[.]5'
}

@test "a signal cancels the job: the step is ended, the others do not run" {
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo x >$DD_OUT; sleep 55.5'
//OUT      DD DSN=MY.OUT,DISP=(NEW,CATLG,DELETE)
//S2       EXEC PGM=IEFBR14,COND=EVEN
DECK
	background "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
	wait_for running
	kill -TERM $pid
	code=0
	wait $pid || code=$?
	cat log
	[ "$code" -eq 100 ]
	grep -q 'VIG5040E job A is cancelled by signal TERM' log
	grep -q 'step S1 ended: ABEND S222' log
	grep -q 'VIG5004E job A ended: cancelled' log
	! grep -q 'step S2 started' log || return 1
	[ ! -e root/MY.OUT ]
	grep -q '^CANCELED' spool/*/STATE
	! pgrep -u "$(id -u)" -f 'sleep 55[.]5'
}

@test "a job that is cancelled again and again ends in order" {
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH sleep 55.5'
DECK
	background "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
	wait_for running
	while kill -TERM $pid 2>/dev/null; do :; done
	wait $pid || true
	cat log
	grep -q 'VIG5004E job A ended: cancelled' log
	grep -q '^CANCELED' spool/*/STATE
	[ ! -e spool/*/work ]
}

@test "processes that were there before the job are left alone; a signal ends all jobs of the deck" {
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH sleep 44.5'
//B        JOB
//S1       EXEC PGM=IEFBR14
DECK
	# The shell's child becomes vigil's by exec.
	background sh -c 'sleep 45 & echo $! >other; exec "$@"' sh "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
	wait_for running
	kill -INT $pid
	code=0
	wait $pid || code=$?
	cat log
	[ "$code" -eq 100 ]
	kill "$(cat other)"
	grep -q 'VIG5004E job A ended: cancelled by signal INT' log
	! grep -q 'job B' log
}

@test "under nohup a hang-up does not cancel the job" {
	waits heard
	printf '%s\n' '//A JOB' '//S1 EXEC PGM=WAITS' >deck.jcl
	background nohup "$vigil" submit --spool spool --root root --steplib bin deck.jcl >log 2>&1
	wait_for running
	kill -HUP $pid
	touch heard
	wait $pid
	grep -q 'VIG5002I job A ended' log
}

@test "a terminal that is lost cancels the job" {
	printf '%s\n' '//A JOB' "//S1 EXEC PGM=BPXBATCH,PARM='SH sleep 61.25'" >deck.jcl
	# Only vigil has the terminal, which goes away when its other end is closed.
	background python3 -c 'import os, pty, signal, sys, time
pid, terminal = pty.fork()
if pid == 0:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.dup2(os.open("log", os.O_WRONLY | os.O_CREAT), 1)
    os.dup2(1, 2)
    os.execv(sys.argv[1], sys.argv[1:])
while not os.path.exists("lost"):
    time.sleep(0.05)
os.close(terminal)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))' "$vigil" submit --spool spool --root root deck.jcl
	wait_for running
	touch lost
	status=0
	wait $pid || status=$?
	cat log
	[ "$status" -eq 100 ]
	grep -q 'VIG5004E job A ended: cancelled by signal HUP' log
	[ "$(sleepers 61.25)" -eq 0 ]
}

@test "when vigil is killed the step ends, the spool says so, and nothing is half made" {
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
// PARM='SH echo x >$DD_OUT; (sleep 66.5; echo) ; sleep 66.5'
//OUT      DD DSN=MY.OUT,DISP=(NEW,CATLG,CATLG)
DECK
	background "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
	wait_for asleep 1 66.5
	kill -KILL $pid
	wait $pid || true
	wait_for told_killed
	grep -q '^KILLED   STEP S1' spool/*/STATE
	grep -q VIG5042S spool/*/JESMSGLG
	! pgrep -u "$(id -u)" -f 'sleep 66[.]5' || return 1
	[ ! -e root/MY.OUT ]
	# The next job that makes a data set removes what the killed one had begun.
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//OUT      DD DSN=MY.OUT,DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 0 ]
	[ -z "$(ls -d root/.vigil/JOB* 2>/dev/null)" ]
}

@test "when vigil is killed a daemon of the step ends too" {
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
// PARM='SH setsid sh -c "sleep 67.5 & sleep 67.5" & sleep 67.5'
DECK
	background "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
	wait_for asleep 3 67.5
	kill -KILL $pid
	wait $pid || true
	wait_for told_killed
	grep -q '^KILLED   STEP S1' spool/*/STATE
	[ "$(sleepers 67.5)" -eq 0 ]
}

@test "when vigil is killed a daemon of the step without its environment ends too" {
	command -v setsid >/dev/null || skip "no setsid"
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
// PARM='SH (env -i setsid sleep 68.5 &) ; sleep 68.5'
DECK
	background "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
	wait_for asleep 2 68.5
	wait_for guard_holds $pid 68.5
	kill -KILL $pid
	wait $pid || true
	wait_for told_killed
	grep -q VIG5042S spool/*/JESMSGLG
	[ "$(sleepers 68.5)" -eq 0 ]
}

@test "when vigil is killed a daemon of the step whose main thread has ended ends too" {
	gcc -O2 -pthread -o tasks "$VIGIL_SOURCE/tests/programs/tasks.c"
	program DAEMON <<-END
		setsid $PWD/tasks main-ends $PWD/never &
		echo \$! >$PWD/found
		sleep 69.5
	END
	printf '//A        JOB\n//S1       EXEC PGM=DAEMON\n' >deck.jcl
	background "$vigil" submit --spool spool --root root --steplib bin deck.jcl >log 2>&1
	wait_for test -s found
	daemon=$(cat found)
	wait_for grep -q '^State:.Z' "/proc/$daemon/status"
	kill -KILL $pid
	wait $pid || true
	wait_for told_killed
	# Whoever adopted it may not have waited for it yet.
	run grep -s '^Threads:.[2-9]' "/proc/$daemon/status"
	[ "$status" -ne 0 ]
}

# bats test_tags=as:root
@test "when vigil is killed, a process of the step that its user may not end is named" {
	ordinary_folder
	setuid_program "$(command -v setpriv)" asroot
	mkdir bin
	program SLEEPER <<<"exec $PWD/asroot --reuid=0 --clear-groups sleep 64.5"
	printf '//A        JOB\n//S1       EXEC PGM=SLEEPER\n' >deck.jcl
	background "${ordinary[@]}" "$vigil" submit --spool spool --root root --steplib bin deck.jcl >log 2>&1
	wait_for pgrep -u 0 -f '^sleep 64[.]5'
	sleeper=$(pgrep -u 0 -f '^sleep 64[.]5')
	kill -KILL $pid
	wait $pid || true
	wait_for told_killed
	kill -0 "$sleeper"
	kill "$sleeper"
	grep -q "^KILLED   STEP S1" spool/*/STATE
	grep "VIG5045S vigil was killed .* could not be ended and continue: .*$sleeper" spool/*/JESMSGLG
	[ -z "$(grep VIG5042S spool/*/JESMSGLG)" ]
}

@test "when vigil is killed a child of the step's program in a session of its own without its environment ends too" {
	command -v setsid >/dev/null || skip "no setsid"
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
// PARM='SH env -i setsid sleep 68.25 & sleep 68.25'
DECK
	background "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
	wait_for asleep 2 68.25
	wait_for guard_holds $pid 68.25
	kill -KILL $pid
	wait $pid || true
	wait_for told_killed
	grep -q VIG5042S spool/*/JESMSGLG
	[ "$(sleepers 68.25)" -eq 0 ]
}

@test "the next job cleans up what vigil left that was killed with its guard" {
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
// PARM='SH trap "" TERM; setsid sleep 69.5 & sleep 69.5'
//OUT      DD DSN=&&TEMP,DISP=(NEW,PASS)
DECK
	background "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
	wait_for asleep 2 69.5
	# It may get the CPU only when the step runs.
	wait_for guard_of $pid
	kill -KILL "$(guard_of $pid)" $pid
	wait $pid || true
	[ "$(sleepers 69.5)" -ge 1 ]
	dead=$(echo spool/JOB00001.A)
	grep -q '^RUNNING' "$dead/STATE"
	[ -e "$dead/work" ]
	echo samples >"$dead/S1.vprf.$pid-0"
	job <<'DECK'
//B        JOB
//S1       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 0 ]
	grep -q '^KILLED ' "$dead/STATE"
	grep -q 'VIG5046S.*a later job cleaned up: it found processes of the step' "$dead/JESMSGLG"
	[ "$(sleepers 69.5)" -eq 0 ]
	[ ! -e "$dead/work" ]
	[ ! -e "$dead/S1.vprf.$pid-0" ]
	grep -q '^ENDED' spool/JOB00002.B/STATE
}

@test "a job is cleaned up by the next one even while its guard is still ending it" {
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
// PARM='SH (trap "" TERM; setsid sleep 66.5) & sleep 66.5'
//OUT      DD DSN=&&TEMP,DISP=(NEW,PASS)
DECK
	for _ in 1 2 3 4 5; do
		background "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
		wait_for running
		kill -KILL $pid
		# Immediately: the guard has the lock of STATE until the step is ended.
		"$vigil" submit --spool spool --root root - >log 2>&1 <<'DECK'
//B        JOB
//S1       EXEC PGM=IEFBR14
DECK
		[ -z "$(ls -d spool/*/work 2>/dev/null)" ]
		! grep -q '^RUNNING' spool/*.A/STATE || return 1
	done
}

@test "a job that runs is not cleaned up by another" {
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=WAITS
DECK
	waits over
	background "$vigil" submit --spool spool --root root --steplib bin deck.jcl >log 2>&1
	wait_for running
	job <<'DECK'
//B        JOB
//S1       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 0 ]
	grep -q '^RUNNING' spool/JOB00001.A/STATE
	touch over
	wait $pid
	grep -q '^ENDED' spool/JOB00001.A/STATE
}

@test "a step that waits longer than --elapsed is ended: S522" {
	cat >deck.jcl <<'DECK'
//A        JOB
//S0       EXEC PGM=IEFBR14
//S1       EXEC PGM=BPXBATCH,PARM='SH sleep 70.5',TIME=1440
//S2       EXEC PGM=IEFBR14
DECK
	job --elapsed 0.02 deck.jcl
	[ "$status" -eq 100 ]
	has 'step S0 ended: return code 0000'
	has 'VIG5047E step S1 has run longer than the limit of elapsed time, 0.02 minutes: it is ended'
	has 'step S1 ended: ABEND S522'
	has 'the limit of elapsed time, 0.02 minutes, was reached; CPU time used: 0.0'
	hasnt 'step S2 started'
	! pgrep -u "$(id -u)" -f '^sleep 70[.]5' || return 1
	# A process that ignores the signal is ended too; the variable is the default.
	program DEAF <<<'trap "" TERM; sleep 70.5; sleep 70.5'
	printf '//A        JOB\n//S1       EXEC PGM=DEAF\n' >deaf.jcl
	VIGIL_ELAPSED=0.01 job deaf.jcl
	[ "$status" -eq 100 ]
	has 'step S1 ended: ABEND S522'
	! pgrep -u "$(id -u)" -f '^sleep 70[.]5' || return 1
	run "$vigil" submit --elapsed soon deck.jcl
	[ "$status" -eq 2 ]
	has '--elapsed soon is not a number of minutes'
}

@test "a step that waits for ever in its handler of SIGSEGV is ended: S522" {
	cc -pthread -o bin/STUCK "$VIGIL_SOURCE/tests/programs/stuck.c" || skip "no C compiler"
	printf '//A        JOB\n//S1       EXEC PGM=STUCK\n//S2       EXEC PGM=IEFBR14\n' >deck.jcl
	job --elapsed 0.02 deck.jcl
	[ "$status" -eq 100 ]
	has 'step S1 ended: ABEND S522'
	has 'CPU time used: 0.0'
	hasnt 'step S2 started'
	[ -z "$(pgrep -u "$(id -u)" -x STUCK)" ]
}

@test "killed at any moment: data sets are whole or not there, and the next job runs" {
	mkdir root && : >root/MY.LOG
	head -c 300000 /dev/zero | tr '\0' x >whole
	cat >deck.jcl <<'DECK'
//A        JOB
//CLEAN    EXEC PGM=IEFBR14
//OUT      DD DSN=MY.OUT,DISP=(MOD,DELETE)
//S1       EXEC PGM=BPXBATCH,PARM='SH cat &SYSDECK/whole >$DD_OUT'
//OUT      DD DSN=MY.OUT,DISP=(NEW,CATLG,DELETE)
//S2       EXEC PGM=BPXBATCH,PARM='SH cat &SYSDECK/whole >$DD_LOG'
//LOG      DD DSN=MY.LOG,DISP=MOD
DECK
	for round in $(seq 25); do
		background "$vigil" submit --spool spool --root root deck.jcl >log 2>&1
		sleep "0.0$((round * 7 % 10))$((round * 3 % 10))"
		kill -KILL $pid 2>/dev/null || true
		wait $pid || true
		[ ! -e root/MY.OUT ] || cmp whole root/MY.OUT
		[ $(($(stat -c %s root/MY.LOG) % 300000)) -eq 0 ]
	done
	before=$(stat -c %s root/MY.LOG)
	job deck.jcl
	[ "$status" -eq 0 ]
	[ "$(stat -c %s root/MY.LOG)" -eq $((before + 300000)) ]
	[ -z "$(ls -d root/.vigil/JOB* 2>/dev/null)" ]
	# Every job's state is one of the words.
	! find spool -name STATE -size +0 -exec grep -LE '^(READ|RUNNING|ENDED|KILLED)' {} + | grep .
}

# adds: a program ADDS in ./bin that adds 1 to the number in DD C, which it writes when the file "go" exists.
adds() {
	program ADDS <<-SH
		n=\$(cat "\$DD_C")
		for _ in \$(seq 300); do [ ! -e $PWD/go ] || break; sleep 0.1; done
		echo \$((n + 1)) >"\$DD_C"
	SH
}

# waiting COUNT LOG...: whether this many jobs have reported that they wait.
waiting() {
	[ "$(cat "${@:2}" | grep -c 'VIG5050I job A waits for data set MY.COUNT')" -eq "$1" ]
}

@test "two jobs that need one data set take turns" {
	mkdir root && echo 0 >root/MY.COUNT
	adds
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=ADDS
//C        DD DSN=MY.COUNT,DISP=OLD
DECK
	background "$vigil" submit --spool spool --root root --steplib bin deck.jcl >log1 2>&1
	first=$!
	background "$vigil" submit --spool spool --root root --steplib bin deck.jcl >log2 2>&1
	second=$!
	wait_for waiting 1 log1 log2
	touch go
	wait $first
	wait $second
	[ "$(cat root/MY.COUNT)" = 2 ]
	waiting 1 log1 log2
	[ "$(ls spool | wc -l)" -eq 2 ]
}

@test "two names of one file, by a mapping file or a symbolic link: jobs take turns" {
	mkdir root && echo 0 >root/MY.COUNT && ln -s MY.COUNT root/MY.LINK
	echo 'MAP.ONE root/MY.COUNT' >map
	adds
	count() {
		cat >"$1.jcl" <<DECK
//A        JOB
//S1       EXEC PGM=ADDS
//C        DD DSN=$1,DISP=OLD
DECK
		background "$vigil" submit --spool spool --root root --steplib bin --map map "$1.jcl" >"log.$1" 2>&1
	}
	count MY.COUNT
	count MAP.ONE
	count MY.LINK
	wait_for waiting 2 log.MY.COUNT log.MAP.ONE log.MY.LINK
	touch go
	wait
	[ "$(cat root/MY.COUNT)" = 3 ]
	cat log.*
	[ "$(grep -c 'VIG5050I job A waits' log.* | grep -c ':1$')" -eq 2 ]
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=IDCAMS
//C        DD DSN=MY.COUNT,DISP=SHR
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  DELETE MAP.ONE
DECK
	run "$vigil" submit --spool spool --root root --map map deck.jcl
	[ "$status" -eq 0 ]
	[ ! -e root/MY.COUNT ]
}

@test "RESTART begins at a step; TYPRUN runs nothing" {
	job <<'DECK'
//A        JOB RESTART=S2
//S1       EXEC PGM=NOSUCH
//S2       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 0 ]
	hasnt 'step S1 started'
	has 'step S2 ended'
	job <<'DECK'
//A        JOB TYPRUN=SCAN
//S1       EXEC PGM=NOSUCH
DECK
	[ "$status" -eq 0 ]
	has 'VIG5006I job A is not run: TYPRUN=SCAN'
}

@test "the spool holds cards, log and state" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 0 ]
	diff deck.jcl "$last/INPUT.jcl"
	grep -q '^ *2 //S1 ' "$last/JESJCL"
	grep -q 'step S1 ended' "$last/JESMSGLG"
	grep -q '^ENDED' "$last/STATE"
	[ "$(basename "$last")" = JOB00001.A ]
	job deck.jcl
	[ "$(basename "$last")" = JOB00002.A ]
}

@test "JESYSMSG has the warnings about the job's own cards" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DUMMY
//         DD DUMMY
//B        JOB
//S1       EXEC PGM=IEFBR14 COND=(0,NE)
DECK
	[ "$status" -eq 0 ]
	grep -q '^deck.jcl:4:12: VIG1133W' spool/JOB00001.A/JESYSMSG
	[ "$(grep -c VIG1027W spool/JOB00001.A/JESYSMSG)" -eq 0 ]
	grep -q '^deck.jcl:6:.*VIG1027W' spool/JOB00002.B/JESYSMSG
	[ "$(grep -c VIG1133W spool/JOB00002.B/JESYSMSG)" -eq 0 ]
}

@test "a spool or root that is a file is said to be one" {
	touch file
	echo '//A JOB
//S1 EXEC PGM=IEFBR14
//D DD DSN=MY.NEW,DISP=(NEW,CATLG)' >deck.jcl
	run "$vigil" submit --spool file --root root deck.jcl
	[ "$status" -eq 101 ]
	has 'cannot create the spool folder file: Not a directory'
	run "$vigil" submit --spool spool --root file deck.jcl
	[ "$status" -eq 101 ]
	has 'cannot create the data set root file: Not a directory'
}

@test "a spool or root that cannot be written is said clearly" {
	[ "$(id -u)" != 0 ] || skip "root may write everywhere"
	mkdir closed && chmod 555 closed
	echo '//A JOB
//S1 EXEC PGM=IEFBR14
//D DD DSN=MY.NEW,DISP=(NEW,CATLG)' >deck.jcl
	run "$vigil" submit --spool closed/spool --root root deck.jcl
	[ "$status" -eq 101 ]
	has 'cannot create the spool folder closed/spool: Permission denied'
	run "$vigil" submit --spool spool --root closed/root deck.jcl
	[ "$status" -eq 101 ]
	has 'cannot create the data set root closed/root: Permission denied'
}

# bats test_tags=as:root
@test "a full disk keeps what was there" {
	[ "$(id -u)" = 0 ] || skip "a small file system needs root"
	mkdir root && mount -t tmpfs -o size=256k,mode=755 none root 2>/dev/null || skip "no tmpfs can be mounted"
	head -c 100000 /dev/zero >root/MY.LOG
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
//             PARM='SH head -c 100000 /dev/zero >$DD_LOG'
//LOG      DD DSN=MY.LOG,DISP=MOD
DECK
	size=$(stat -c %s root/MY.LOG)
	umount root
	[ "$status" -eq 101 ]
	has 'VIG5132E DD LOG: data set MY.LOG is unchanged'
	[ "$size" -eq 100000 ]
}

@test "records of a utility that find no room are an abend SB37: nothing half is catalogued" {
	[ -w /dev/full ] || skip "no /dev/full here"
	mkdir root && head -c 400000 /dev/zero >root/BIG
	for program in IEBGENER SORT IDCAMS; do
		job <<DECK
//A        JOB
//S1       EXEC PGM=$program
//SYSPRINT DD SYSOUT=*
//SYSOUT   DD SYSOUT=*
//SYSUT1   DD DSN=BIG,DISP=SHR,LRECL=80,RECFM=FB
//SYSUT2   DD PATH='/dev/full',LRECL=80,RECFM=FB
//SORTIN   DD DSN=BIG,DISP=SHR,LRECL=80,RECFM=FB
//SORTOUT  DD PATH='/dev/full',LRECL=80,RECFM=FB
//NEW      DD DSN=HALF,DISP=(NEW,CATLG,DELETE)
//SYSIN    DD *
$(case $program in
SORT) echo '  SORT FIELDS=COPY' ;;
IDCAMS) echo '  REPRO INFILE(SYSUT1) OUTFILE(SYSUT2)' && echo '  SET MAXCC=0' ;;
esac)
/*
//S2       EXEC PGM=IEFBR14
DECK
		[ "$status" -eq 100 ]
		has 'ended: ABEND SB37'
		has 'step S2 not run: step S1 abended'
		[ ! -e root/HALF ]
	done
}

@test "a file size limit ends no job unheard: what was there stays" {
	head -c 40000 /dev/zero >big
	mkdir root && cp big root/MY.LOG
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo more >$DD_LOG'
//LOG      DD DSN=MY.LOG,DISP=MOD
DECK
	(ulimit -f 20 && exec "$vigil" submit --spool spool --root root deck.jcl) >log 2>&1 || status=$?
	output=$(cat log)
	[ "$status" -eq 101 ]
	has 'VIG5132E DD LOG: data set MY.LOG is unchanged'
	has 'File too large'
	cmp big root/MY.LOG
}

@test "a procedure that cannot be read: permission denied is not one that is not there" {
	[ "$(id -u)" != 0 ] || skip "root may read everything"
	mkdir proc && echo '//P PROC' >proc/P && chmod 000 proc/P
	printf '//A JOB\n//S EXEC P\n' >deck.jcl
	run "$vigil" check --proclib proc deck.jcl
	[ "$status" -eq 12 ]
	has 'VIG1213E proc/P cannot be read: permission denied'
}

@test "IEBGENER copies, and refuses what it does not have" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEBGENER
//SYSUT1   DD *
text
/*
//SYSUT2   DD DSN=MY.COPY,DISP=(NEW,CATLG)
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DUMMY
//S2       EXEC PGM=IEBGENER
//SYSUT1   DD DSN=MY.COPY,DISP=SHR
//SYSUT2   DD SYSOUT=*
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  GENERATE MAXFLDS=1
  LABELS DATA=NO
/*
DECK
	[ "$status" -eq 12 ]
	[ "$(cat root/MY.COPY)" = text ]
	grep -q 'VIG5511I IEBGENER: 5 bytes copied' "$last/S1.SYSPRINT"
	grep -q 'VIG5510S IEBGENER: SYSIN line 2 column 10: LABELS is not supported' "$last/S2.SYSPRINT"
	[ ! -s "$last/S2.SYSUT2" ]
}

@test "SORT: keys, order, equal records, lines and fixed records" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SORT
//SORTIN   DD *
B 002 first
A 010 x
B 002 second
A 009 y
/*
//SORTOUT  DD SYSOUT=*
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
* a comment
  SORT FIELDS=(1,1,CH,D,
               3,3,ZD,A)
/*
//S2       EXEC PGM=SORT
//SORTIN   DD *,DCB=(RECFM=FB,LRECL=4)
0003
0001
0002
/*
//SORTOUT  DD SYSOUT=*
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,4,A),FORMAT=CH
/*
//S3       EXEC PGM=SORT
//SORTIN   DD *
B
A
B
C
/*
//SORTOUT  DD SYSOUT=*
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,1,CH,A)
  SUM FIELDS=NONE
  OMIT COND=(1,1,CH,EQ,C'C')
/*
//S4       EXEC PGM=SORT
//SORTIN   DD DUMMY
//SORTOUT  DD SYSOUT=*
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=COPY
  MODS E15=(MYEXIT,500)
/*
DECK
	[ "$status" -eq 16 ]
	[ "$(cat "$last/S1.SORTOUT")" = "$(printf 'B 002 first\nB 002 second\nA 009 y\nA 010 x')" ]
	[ "$(cat "$last/S2.SORTOUT")" = "$(printf '0001\n0002\n0003')" ]
	[ "$(cat "$last/S3.SORTOUT")" = "$(printf 'A\nB')" ]
	grep -q 'SYSIN:2:3: VIG5540S MODS is not supported' "$last/S4.SYSPRINT"
}

@test "SORT in little memory gives the same as in much, and as sort(1)" {
	mkdir root
	awk 'BEGIN { srand(7); for (i = 0; i < 30000; i++) printf "%05d %06d\n", int(rand() * 5000), i }' >root/MY.IN
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SORT,PARM='MAINSIZE=64K'
//SORTIN   DD DSN=MY.IN,DISP=SHR
//SORTOUT  DD DSN=MY.SMALL,DISP=(NEW,CATLG)
//SYSIN    DD *
  SORT FIELDS=(1,5,CH,A)
/*
//S2       EXEC PGM=SORT
//SORTIN   DD DSN=MY.IN,DISP=SHR
//SORTOUT  DD DSN=MY.LARGE,DISP=(NEW,CATLG)
//SYSIN    DD *
  SORT FIELDS=(1,5,CH,A)
/*
//S3       EXEC PGM=SORT
//SORTIN01 DD DSN=MY.SMALL,DISP=SHR
//SORTIN02 DD DSN=MY.LARGE,DISP=SHR
//SORTOUT  DD DSN=MY.MERGED,DISP=(NEW,CATLG)
//SYSIN    DD *
  MERGE FIELDS=(1,5,CH,A)
/*
DECK
	[ "$status" -eq 0 ]
	cmp root/MY.SMALL root/MY.LARGE
	LC_ALL=C sort -s -k1,1 root/MY.IN | cmp - root/MY.LARGE
	LC_ALL=C sort -m -s -k1,1 root/MY.SMALL root/MY.LARGE | cmp - root/MY.MERGED
}

@test "a data set keeps the RECFM and LRECL it was made with" {
	touch probe && python3 -c 'import os; os.setxattr("probe", "user.vigil.dcb", b"x")' 2>/dev/null ||
		skip "the file system has no extended attributes, or no python3"
	job <<'DECK'
//A        JOB
//MAKE     EXEC PGM=BPXBATCH,PARM='SH printf 0003000100020000 >$DD_OUT'
//OUT      DD DSN=MY.RECORDS,DISP=(NEW,CATLG),RECFM=FB,LRECL=4
//MORE     EXEC PGM=BPXBATCH,PARM='SH printf 0004 >$DD_OUT'
//OUT      DD DSN=MY.RECORDS,DISP=MOD
//SORT     EXEC PGM=SORT
//SORTIN   DD DSN=MY.RECORDS,DISP=SHR
//SORTOUT  DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,4,CH,D)
/*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/SORT.SORTOUT")" = "$(printf '%s\n' 0004 0003 0002 0001 0000)" ]
}

@test "SORT may sort a data set onto itself; copies onto itself are refused" {
	mkdir root && printf 'b\na\n' >root/MY.FILE
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SORT
//SORTIN   DD DSN=MY.FILE,DISP=OLD
//SORTOUT  DD DSN=MY.FILE,DISP=OLD
//SYSIN    DD *
  SORT FIELDS=(1,1,CH,A)
/*
//S2       EXEC PGM=SORT
//SORTIN   DD DSN=MY.FILE,DISP=OLD
//SORTOUT  DD DSN=MY.FILE,DISP=OLD
//SYSIN    DD *
  OPTION COPY
/*
//S3       EXEC PGM=IEBGENER
//SYSUT1   DD DSN=MY.FILE,DISP=OLD
//SYSUT2   DD DSN=MY.FILE,DISP=OLD
DECK
	[ "$status" -eq 16 ]
	has 'step S1 ended: return code 0000'
	has 'step S2 ended: return code 0016'
	has 'step S3 ended: return code 0012'
	[ "$(cat root/MY.FILE)" = "$(printf 'a\nb')" ]
}

@test "SORT: packed, binary and signed keys, as a COBOL program writes them" {
	# Two bytes of BI or FI or PD, then a letter.
	mkdir root
	printf '\000\002A\377\376B\000\001C' >root/MY.BIN
	printf '\001\054A\001\055B\000\134C' >root/MY.PACKED
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SORT
//SORTIN   DD DSN=MY.BIN,DISP=SHR,RECFM=FB,LRECL=3
//SORTOUT  DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,2,BI,A)
/*
//S2       EXEC PGM=SORT
//SORTIN   DD DSN=MY.BIN,DISP=SHR,RECFM=FB,LRECL=3
//SORTOUT  DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,2,FI,A)
/*
//S3       EXEC PGM=SORT
//SORTIN   DD DSN=MY.PACKED,DISP=SHR,RECFM=FB,LRECL=3
//SORTOUT  DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,2,PD,A)
/*
//S4       EXEC PGM=SORT
//SORTIN   DD *
12p
013
12A
/*
//SORTOUT  DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,3,ZD,D)
/*
DECK
	[ "$status" -eq 0 ]
	letters() { tr -dc 'ABC' <"$1"; }
	[ "$(letters "$last/S1.SORTOUT")" = CAB ]
	[ "$(letters "$last/S2.SORTOUT")" = BCA ]
	[ "$(letters "$last/S3.SORTOUT")" = BCA ]
	[ "$(tr '\n' ' ' <"$last/S4.SORTOUT")" = '12A 013 12p ' ]
}

@test "IDCAMS: DELETE, REPRO, LISTCAT, IF and SET; the rest is refused" {
	mkdir root && echo x >root/MY.FILE
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  DELETE NOT.THERE
  IF LASTCC = 8 THEN -
     SET MAXCC = 0
  REPRO INDATASET(MY.FILE) -
        OUTDATASET(MY.COPY)  /* a comment */
  DELETE (MY.FILE)
  LISTCAT LEVEL(MY)
/*
//S2       EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  EXPORT MY.KSDS OUTFILE(DD1)
/*
DECK
	[ "$status" -eq 12 ]
	has 'step S1 ended: return code 0000'
	[ ! -e root/MY.FILE ]
	[ "$(cat root/MY.COPY)" = x ]
	grep -q 'MY.COPY' "$last/S1.SYSPRINT"
	grep -q 'VIG5559S IDCAMS: line 1 column 3: the command EXPORT is not supported' "$last/S2.SYSPRINT"
}

@test "BPXBATCH: programs, streams and STDENV; what cannot be run is no success" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='PGM /bin/echo one two'
//STDOUT   DD SYSOUT=*
//S2       EXEC PGM=BPXBATCH,PARM='SH cat; echo $COLOUR; echo bad >&2'
//STDIN    DD *
input
/*
//STDENV   DD *
COLOUR=green
/*
//STDOUT   DD SYSOUT=*
//STDERR   DD SYSOUT=*
//S3       EXEC PGM=BPXBATCH,PARM='PGM /no/such/program'
DECK
	[ "$status" -eq 99 ]
	[ "$(cat "$last/S1.STDOUT")" = 'one two' ]
	[ "$(cat "$last/S2.STDOUT")" = "$(printf 'input\ngreen')" ]
	[ "$(cat "$last/S2.STDERR")" = bad ]
	has 'step S3 ended: return code 0127'
}

@test "errors in the cards of a DD VIGIL keep the whole job from running" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//S2       EXEC PGM=IEFBR14
//VIGIL    DD *
  ADD A,STEP=S2,SAMPLES=lots
/*
DECK
	[ "$status" -eq 101 ]
	has 'deck.jcl:5:'
	hasnt 'step S1 started'
}

@test "a step with a DD VIGIL is measured, and its profile is in the spool" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
// PARM='SH i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'
//VIGIL    DD *
  ADD A,STEP=S1
  REPORT A,STEP=S1,REPORTS=(MSD)
  REPORT A,STEP=S1,FORMAT=CSV,DSNAME=MY.PROFILE
/*
//S2       EXEC PGM=IEFBR14
//VIGIL    DD *
  ADD A,STEP=OTHER
/*
DECK
	[ "$status" -eq 0 ]
	has 'VIG5305I step S1 was measured'
	has 'VIG5302W step S2 is not measured by its own cards'
	[ -s "$last/S1.vprf" ]
	[ -s "$last/S1.VIGPROF" ]
	[ -s root/MY.PROFILE ]
	[ ! -e "$last/S2.vprf" ]
	grep -qi 'measurement session data' "$last/S1.VIGPROF"
}

@test "a PROFILER block measures the step; cards may be concatenated" {
	mkdir root && echo '  REPORT REPORTS=MSD' >root/MY.CARDS
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH true'
//VIGIL    DD *
  ADD A,SAMPLES=5000
  PROFILER
  FUNCTION=INIT,SAMPLING=ON,INTERVAL=10000
  FUNCTION=START
  END-PROFILER
/*
//         DD DSN=MY.CARDS,DISP=SHR
DECK
	[ "$status" -eq 0 ]
	has 'VIG5305I step S1 was measured'
	! grep -q '#PSU' "$last/S1.VIGPROF"
}

@test "control statements for all jobs measure the steps that match" {
	echo '  ADD A*,STEP=S%,PROGRAM=BPX*' >control
	job --control control <<'DECK'
//ABC      JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH true'
//S10      EXEC PGM=BPXBATCH,PARM='SH true'
//S2       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 0 ]
	[ -e "$last/S1.vprf" ]
	[ ! -e "$last/S10.vprf" ] && [ ! -e "$last/S2.vprf" ]
}

@test "the log names the profile where its REPORT put it, and none that could not be put" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//VIGIL    DD *
  REPORT A,REPORTS=(MSD),DSNAME=MY.PROFILE
/*
//S2       EXEC PGM=IEFBR14
//VIGIL    DD *
  REPORT A,REPORTS=(MSD),DSNAME=MY.FOLDER
/*
//         EXEC PGM=IEFBR14
DECK
	has "lost; profile $PWD/root/MY.PROFILE; sample data set $PWD/spool/JOB00001.A/S1.vprf"
	grep -q 'MEASUREMENT SESSION DATA' root/MY.PROFILE
	rm root/MY.FOLDER && mkdir root/MY.FOLDER
	job deck.jcl
	has "VIG5304W cannot print the profile of step S2: cannot open $PWD/root/MY.FOLDER"
	has "lost; sample data set $PWD/spool/JOB00002.A/S2.vprf"
}

@test "a profile does not replace the sample data set that it is printed from" {
	sample=$PWD/spool/JOB00001.A/S1.vprf
	ln -s "$sample" s
	printf '%s\n' '//A JOB' '//S1 EXEC PGM=IEFBR14' '//VIGIL DD *' '  ADD A' '  REPORT A,REPORTS=MSD,' "         DSNAME='$PWD/s'" '/*' >deck.jcl
	job deck.jcl
	[ "$status" -eq 0 ]
	has 'VIG5304W cannot print the profile of step S1: '
	has 'is a sample data set; printed output does not replace it'
	run -0 "$vigil" read -r MSD "$sample"
}

# bats test_tags=as:root
@test "a profile that cannot be written whole is not there at all" {
	[ -w /dev/full ] || skip "no /dev/full"
	[ "$(id -u)" = 0 ] || skip "a small file system needs root"
	mkdir root && mount -t tmpfs -o size=64k,mode=755 none root 2>/dev/null || skip "no tmpfs can be mounted"
	head -c 50000 /dev/zero >root/FILL
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//VIGIL    DD *
  REPORT A,REPORTS=(MSD),DSNAME='/dev/full'
/*
//S2       EXEC PGM=IEFBR14
//VIGIL    DD *
  REPORT A,REPORTS=(MSD),DSNAME=MY.PROFILE
  REPORT A,REPORTS=ALL,DSNAME=MY.PROFILE
/*
//S3       EXEC PGM=IEFBR14
//VIGIL    DD *
  REPORT A,REPORTS=ALL,DSNAME=MY.LONG
/*
DECK
	listings=$(grep -c 'PAGE    1$' root/MY.PROFILE)
	names=$(ls root)
	umount root
	has 'VIG5304W cannot print the profile of step S1'
	[ -c /dev/full ]
	has 'VIG5304W cannot print the profile of step S2: the profile cannot be written: No space'
	has 'VIG5304W cannot print the profile of step S3: the profile cannot be written: No space'
	# What was printed completely stays.
	[ "$listings" -eq 1 ]
	[ "$names" = "FILL
MY.PROFILE" ]
}

@test "PGM=VIGIL reports on earlier steps of the job" {
	mkdir root && echo '  REPROT A' >root/MY.CARDS
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH true'
//VIGIL    DD *
  ADD A
/*
//S2       EXEC PGM=VIGIL
//SYSPRINT DD SYSOUT=*
//OUT      DD DSN=MY.CSV,DISP=(NEW,CATLG)
//SYSIN    DD *
  REPORT A,STEP=S1,REPORTS=MSD
  REPORT A,STEP=S1,REPORTS=MSD,FORMAT=CSV,DSNAME=OUT
/*
//S3       EXEC PGM=VIGIL
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DSN=MY.CARDS,DISP=SHR
DECK
	[ "$status" -eq 8 ]
	has 'step S2 ended: return code 0000'
	grep -qi 'measurement session data' "$last/S2.SYSPRINT"
	[ -s root/MY.CSV ]
	grep -q 'REPROT is not a statement' "$last/S3.SYSPRINT"
}

@test "steps of one name keep their own files" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo one'
//S1       EXEC PGM=BPXBATCH,PARM='SH echo two'
//         EXEC PGM=BPXBATCH,PARM='SH echo three'
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.SYSOUT" "$last/S1-2.SYSOUT" "$last/STEP3.SYSOUT" | tr '\n' ' ')" = 'one two three ' ]
}

# The deck unchanged, over a tenth of its transactions.
@test "the demonstration deck runs whole" {
	command -v cobc >/dev/null || skip "no cobc"
	mkdir programs
	cp "$VIGIL_SOURCE/jcl-examples/payroll.jcl" .
	cp "$VIGIL_SOURCE"/jcl-examples/programs/*.cob programs
	sed -i 's/100003/10007/' programs/paygen.cob
	job payroll.jcl
	[ "$status" -eq 0 ]
	has 'job PAYROLL ended: highest return code 0000'
	[ -s root/PAY.MASTER ]
	[ "$(stat -c %s root/PAY.TRANS)" -eq 800560 ]
	[ -s "$last/CALC.VIGPROF" ]
	[ -s "$last/CALC.vprf" ]
	"$VIGIL_BUILD/vigil" report -f html -o page.html "$last/CALC.vprf"
	[ "$(tail -c 8 page.html)" = '</html>' ]
	[ "$(wc -l <"$last/LIST.STDOUT")" -eq 20 ]
	[ ! -e "$last/work" ]
	# Again up to its files, which the first run has left behind; without what takes the time.
	sed '/^\/\/CALC /,$d' payroll.jcl >again.jcl
	job again.jcl
	[ "$status" -eq 0 ]
	has 'step GENERATE ended: return code 0000'
	[ ! -e root/PAY.REGISTER ]
}

@test "the other example decks do what they say" {
	if command -v cobc >/dev/null; then
		job "$VIGIL_SOURCE/jcl-examples/conditions.jcl"
		[ "$status" -eq 99 ]
		has 'step BIG ended: return code 1000'
		has 'step EXACTLY ended: return code 0000'
		has 'step BYPASSED not run'
	fi
	job "$VIGIL_SOURCE/jcl-examples/sort.jcl"
	[ "$status" -eq 0 ]
	[ "$(head -1 "$last/SHOW.SYSUT2" | cut -c1-6)" = 000034 ]
	job "$VIGIL_SOURCE/jcl-examples/abend.jcl"
	[ "$status" -eq 100 ]
	has 'step CRASH ended: ABEND S0C4'
	has 'step CLEANUP ended: return code 0000'
}

@test "cards that belong to no DD beside a DD SYSIN: a duplicate that is not read, and the job runs" {
	program SHOW <<<'cat; echo "env: $(basename "$DD_SYSIN")"'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHOW
//SYSIN    DD *
read
/*
stray
//SYSOUT   DD SYSOUT=*
//S2       EXEC PGM=SHOW
//DATA     DD *
data
/*
first
//SYSIN    DD *
second
/*
//SYSOUT   DD SYSOUT=*
//S3       EXEC PGM=SHOW
//SYSIN    DD *
twice
//SYSIN    DD *
again
//SYSOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	has 'deck.jcl:6:1: VIG1141W these cards are not read: they belong to no DD, and the step has a DD SYSIN already'
	has 'deck.jcl:13:3: VIG1142W this DD SYSIN is not used: SYSIN DD * was put before the cards in line 12, and the first one counts'
	has 'deck.jcl:20:3: VIG1131W the step has a DD SYSIN already; the first one is used'
	[ "$(head -1 "$last/S1.SYSOUT")" = read ]
	[ "$(head -1 "$last/S2.SYSOUT")" = first ]
	[ "$(head -1 "$last/S3.SYSOUT")" = twice ]
	[ "$(sed -n 2p "$last/S1.SYSOUT")" = 'env: dd.SYSIN.1' ]
}

@test "steps are measured by --measure without a change of the deck, and what means no step is said" {
	program BURN <<<'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
	cat >deck.jcl <<'DECK'
//A        JOB
//P        PROC
//S1       EXEC PGM=BURN
//         PEND
//S1       EXEC PGM=BURN
//S2       EXEC PGM=BURN
//R        EXEC P
DECK
	submit=("$vigil" submit --spool spool --root root --steplib bin)
	run --separate-stderr "${submit[@]}" --measure deck.jcl
	[ "$status" -eq 0 ]
	[ "$(ls spool/JOB00001.A/*.vprf | wc -l)" -eq 3 ]
	run --separate-stderr "${submit[@]}" --measure=R.S1,S2 deck.jcl
	[ "$status" -eq 0 ]
	[ "$(cd spool/JOB00002.A && echo *.vprf)" = "R.S1.vprf S2.vprf" ]
	[ -z "$stderr" ]
	# What other statements say about the same step is used.
	run --separate-stderr "${submit[@]}" --measure -c 'ADD *,STEP=S1,SAMPLES=1234' deck.jcl
	[ "$status" -eq 0 ]
	[ "$(ls spool/JOB00003.A/*.vprf | wc -l)" -eq 3 ]
	"$vigil" report -f json -r MSD spool/JOB00003.A/S1.vprf | grep -q '"target_samples":"1234"'
	"$vigil" report -f json -r MSD spool/JOB00003.A/S2.vprf | grep -q '"target_samples":"10000"'
	run --separate-stderr "${submit[@]}" --measure='S1,X*' -c 'ADD *,PROGRAM=BRUN' deck.jcl
	[ "$status" -eq 0 ]
	[[ $stderr == *"--measure:2:1: VIG5312W the request selects no step of these decks"*'ADD *,STEP=X*'* ]]
	[[ $stderr == *"-c:1:1: VIG5312W"* ]]
	[ "$(ls spool/JOB00004.A/*.vprf)" = spool/JOB00004.A/S1.vprf ]
	# A file contains requests for other decks, too.
	echo 'ADD OTHER,STEP=S1' >site
	run --separate-stderr "$vigil" check --control site deck.jcl
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	run --separate-stderr "$vigil" check --measure=TOOLONGNAME deck.jcl
	[ "$status" -eq 12 ]
	[[ $stderr == *"--measure:1:"*TOOLONGNAME* ]]
	run --separate-stderr "$vigil" submit --measure= deck.jcl
	[ "$status" -eq 2 ]
}

@test "a step that runs on: the job log says for how long, what limits it, and that who started it has ended" {
	program LONG <<<"touch $PWD/began; for _ in \$(seq 300); do sleep 0.1; done"
	printf '%s\n' '//LONGJOB JOB' '//S1 EXEC PGM=LONG,TIME=(0,50)' >deck.jcl
	# The process that starts it ends when the step runs.
	sh -c '"$@" >log 2>&1 3>&- & echo $! >pid; for _ in $(seq 200); do [ -e began ] && exit; sleep 0.1; done' sh \
		"$vigil" submit --remind 0.005 --spool spool --root root --steplib bin deck.jcl
	wait_for grep -q "VIG5049I the process that started this vigil has ended; job LONGJOB continues (process $(cat pid)), and TIME= limits it" log
	wait_for grep -q 'VIG5048I step S1 has been running for 0.[0-9] minutes and has used 0.[0-9]* s of CPU time; TIME= limits it' log
	kill "$(cat pid)"
	wait_for grep -q 'VIG5004E job LONGJOB ended: cancelled by signal TERM' log
	wait_for eval '! kill -0 "$(cat pid)" 2>/dev/null'
	# Twice the time, four times, and so on.
	[ "$(grep -c VIG5048I log)" -le 10 ]
	run -2 "$vigil" submit --remind often deck.jcl
	has '--remind often is not a number of minutes'
}
