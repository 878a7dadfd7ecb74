#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Programs that run programs: IKJEFT01, IKJEFT1A, IKJEFT1B and BPXBATCH.

load trace
load jobs
load waiting
load background

setup_file() {
	export PROGRAMS=$BATS_FILE_TMPDIR/programs
	mkdir -p "$PROGRAMS"
	[ -n "$COBC" ] && command -v "$COBC" >/dev/null || return 0
	cat >"$PROGRAMS/LINKED.cob" <<'COBOL'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LINKED.
       DATA DIVISION.
       LINKAGE SECTION.
       01 PARM.
          05 PARM-LENGTH PIC 9(4) COMP.
          05 PARM-TEXT PIC X(20).
       PROCEDURE DIVISION USING PARM.
           DISPLAY "PARM:" PARM-TEXT(1:PARM-LENGTH) ":".
           MOVE 1000 TO RETURN-CODE.
           GOBACK.
COBOL
	"$COBC" -m -std=ibm -o "$PROGRAMS/LINKED.so" "$PROGRAMS/LINKED.cob"
}

setup() {
	in_own_folder
	mkdir -p root
	unset USER
}

teardown() {
	background_end
}

# commands STEP: the SYSTSPRT of a step.
commands() { cat "$last/$1.SYSTSPRT"; }

@test "commands are echoed behind READY, and the last one's return code is the step's" {
	program RC <<<'echo "program $1"; exit $1'
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
 CALL *(RC) '8'                                                         00000010
 /* a comment */
 CALL *(RC) +
    '4'
/*
DECK
	[ "$status" -eq 4 ]
	diff - <(commands S1) <<'EXPECTED'
READY
 CALL *(RC) '8'
program 8
READY
 CALL *(RC) +
    '4'
program 4
READY
END
EXPECTED
}

@test "CALL of a library's program: PARM as linkage, a return code of 1000" {
	[ -f "$PROGRAMS/LINKED.so" ] || skip "needs cobc"
	mkdir root/PAY.LOAD
	cp "$PROGRAMS/LINKED.so" root/PAY.LOAD/
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSOUT   DD SYSOUT=*
//SYSTSIN  DD *
 CALL 'PAY.LOAD(LINKED)' 'it''s here'
/*
DECK
	[ "$status" -eq 99 ]
	has 'step S1 ended: return code 1000'
	[ "$(said "$last/S1.SYSOUT")" = "PARM:it's here:" ]
}

@test "DSN RUN: LIB first, PARMS, and the code of the last subcommand" {
	program FIRST <<<'echo "first $1"; exit 4'
	program SECOND <<<'exit 0'
	mkdir root/DB2.RUNLIB.LOAD
	printf '#!/bin/sh\necho "library $1"\nexit 2\n' >root/DB2.RUNLIB.LOAD/FIRST
	chmod +x root/DB2.RUNLIB.LOAD/FIRST
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=IKJEFT01,DYNAMNBR=20
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
DSN SYSTEM(DB2P)
  RUN  PROGRAM(SECOND) PLAN(P)
  RUN  PROGRAM(FIRST) PLAN(DSNTEP12) -
       LIB('DB2.RUNLIB.LOAD') PARMS('/ALIGN(MID)')
END
/*
//S2       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
DSN SYSTEM(DB2P)
RUN PROGRAM(FIRST) LIB('NOT.HERE')
/*
//S3       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
DSN SYSTEM(DB2P)
BIND PACKAGE(P) MEMBER(M)
END
/*
DECK
	[ "$status" -eq 12 ]
	has 'step S1 ended: return code 0002'
	has 'step S2 ended: return code 0004'
	commands S1 | grep -q '^library /ALIGN(MID)$'
	[ "$(commands S1 | grep -c '^DSN$')" -eq 3 ]
	commands S2 | grep -q 'VIG5692I IKJEFT01: library NOT.HERE does not exist'
	commands S3 | grep -q 'VIG5691E IKJEFT01: BIND is not supported'
}

@test "IKJEFT01 goes on after a return code and ends with 12 after an abend" {
	program RC <<<'exit $1'
	program CRASH <<<'kill -SEGV $$'
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
CALL *(RC) '20'
CALL *(CRASH)
CALL *(RC) '0'
/*
//S2       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
CALL *(NOTHERE)
/*
DECK
	[ "$status" -eq 12 ]
	has 'step S1 ended: return code 0012'
	has 'step S2 ended: return code 0012'
	[ "$(commands S1 | grep -c '^CALL')" -eq 2 ]
	commands S1 | grep -q '^IKJ56641I CRASH ENDED DUE TO ERROR'
	commands S1 | grep -q '^IKJ56640I SYSTEM ABEND CODE 0C4'
	commands S2 | grep -q 'REQUESTED MODULE NOTHERE NOT FOUND: ABEND S806'
}

@test "IKJEFT1A and IKJEFT1B end at a return code, and with S04C after an abend" {
	program RC <<<'exit $1'
	program CRASH <<<'kill -SEGV $$'
	for name in IKJEFT1A IKJEFT1B; do
		code=$([ $name = IKJEFT1A ] && echo 20 || echo 1)
		job <<DECK
//T        JOB
//S1       EXEC PGM=$name
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
CALL *(RC) '0'
CALL *(RC) '$code'
CALL *(RC) '0'
/*
//S2       EXEC PGM=$name
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
CALL *(CRASH)
/*
DECK
		[ "$status" -eq 100 ]
		has "step S1 ended: return code $(printf %04d "$code")"
		has 'step S2 ended: ABEND S04C'
		[ "$(commands S1 | grep -c '^CALL')" -eq 2 ]
	done
}

@test "ALLOCATE makes DDs for the commands that follow, FREE takes them away" {
	echo first >root/OLD.LOG
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
ALLOC NEW DA('NEW.PDS') +
dsntype(library) dsorg(po) recfm(f b) lrecl(80) +
unit(sysallda) space(15,15) tracks
ALLOC FI(OUT) DA('NEW.PDS(MEMBER)') SHR
SH echo text >$DD_OUT; echo "dcb $VIGIL_DCB_OUT"
FREE FI(OUT)
SH echo "free $DD_OUT"
ALLOC F(WORK) NEW DELETE DA('WORK.FILE') DSORG(PS)
LISTDS ('NEW.PDS' 'WORK.FILE') MEMBERS
ALLOC FI(LOG) DA('OLD.LOG') MOD
SH echo second >$DD_LOG
FREE ALL
ALLOC FI(LOG) DA('OLD.LOG') MOD
SH echo third >$DD_LOG
LISTDS 'WORK.FILE'
/*
DECK
	[ "$status" -eq 12 ]
	[ "$(cat root/OLD.LOG)" = "$(printf 'first\nsecond\nthird')" ]
	[ "$(cat root/NEW.PDS/MEMBER)" = text ]
	[ ! -e root/WORK.FILE ]
	commands S1 | grep -q '^dcb FB,80'
	commands S1 | grep -q '^free $'
	commands S1 | grep -q '^  FB    80 .* PO$'
	commands S1 | grep -q '^  MEMBER$'
	commands S1 | grep -q '^IKJ56228I DATA SET WORK.FILE NOT IN CATALOG'
}

@test "what cannot be appended when it is freed is the command's code, or the session's" {
	echo a >root/A.LOG
	echo b >root/B.LOG
	mkdir tmp
	alloc="ALLOC FI(B) DA('B.LOG') MOD
ALLOC FI(A) DA('A.LOG') MOD
SH echo more >\$DD_B; rm -r root/A.LOG; mkdir root/A.LOG"
	run env TMPDIR="$PWD/tmp" "$utilities/ikjeft01" --root root <<<"$alloc
FREE ALL"
	[ "$status" -eq 12 ]
	has 'IKJ56861I FILE A NOT FREED'
	[ "$(cat root/B.LOG)" = "$(printf 'b\nmore')" ]
	rmdir root/A.LOG
	echo a >root/A.LOG
	run env TMPDIR="$PWD/tmp" "$utilities/ikjeft01" --root root <<<"$alloc"
	[ "$status" -eq 12 ]
	# A file that was not appended is kept, the others are not.
	[ "$(ls tmp | grep -c '^A\.')" -eq 2 ]
	[ "$(ls tmp | grep -c '^B\.')" -eq 0 ]
}

@test "ALLOCATE of a data set that a job reads: SHR alone" {
	echo x >root/MY.FILE
	printf '#!/bin/sh\n: >%s/started\nfor _ in $(seq 600); do [ -e %s/go ] && exit; sleep 0.05; done\n' "$PWD" "$PWD" >bin/HOLD
	chmod +x bin/HOLD
	printf '//A JOB\n//S EXEC PGM=HOLD\n//F DD DSN=MY.FILE,DISP=SHR\n' >hold.jcl
	background "$vigil" submit --spool spool --root root --steplib bin hold.jcl >/dev/null
	wait_for test -e started
	run "$utilities/ikjeft01" --root root "ALLOC FI(X) DA('MY.FILE') OLD"
	old=$status said=$output
	run "$utilities/ikjeft01" --root root "ALLOC FI(X) DA('MY.FILE') SHR"
	: >go
	wait
	[ "$old" -eq 12 ]
	[[ $said == *'IKJ56225I DATA SET MY.FILE ALREADY IN USE'* ]]
	[ "$status" -eq 0 ]
}

@test "ALLOCATE says why not" {
	echo x >root/OLD.FILE
	for command in "ALLOC FI(X) DA('NOT.THERE') SHR:IKJ56228I" \
		"ALLOC FI(X) DA('OLD.FILE') NEW:IKJ56893I" "ALLOC FI(X) DA('OLD.FILE' 'OLD.FILE'):IKJ56893I" \
		"ALLOC FI(SYSTSPRT) DUMMY:IKJ56246I" "ALLOC FI(X) FROB(1):IKJ56712I" \
		"ALLOC FI(X) DA('1BAD'):IKJ56709I" "ALLOC FI(X) DA('A:VIG5680E" \
		"FREE FI(NONE):IKJ56247I" 'FREE:IKJ56701I' "ALLOC FI(X) DA('../../x'):IKJ56709I" \
		'NOSUCH A B:IKJ56500I COMMAND NOSUCH NOT FOUND' 'SUBMIT:IKJ56701I' 'CALL:IKJ56701I' 'SEND X:VIG5691E' \
		'ALLOC FI(X) DA(LIB(../../x)) SHR:IKJ56709I' 'EX LIB(../x):IKJ56709I' \
		'CALL *(../../bin/ls):CSV003I' '../bin/ls:IKJ56500I' '%../x:IKJ56500I'; do
		printf '//T JOB\n//S1 EXEC PGM=IKJEFT01\n//SYSTSPRT DD SYSOUT=*\n//SYSTSIN DD *\n%s\n' \
			"${command%%:*}" >one.jcl
		job <one.jcl
		[ "$status" -eq 12 ]
		commands S1 | grep -q "^${command##*:}"
	done
	[ "$(cat root/OLD.FILE)" = x ]
}

@test "data sets by name: DELETE, RENAME and LISTCAT are IDCAMS's, with the prefix" {
	echo x >root/HERC01.A
	echo x >root/FULL.B
	mkdir root/FULL.LIB
	echo x >root/FULL.LIB/MEM
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
PROFILE PREFIX(HERC01)
DELETE A
DEL ('FULL.LIB(MEM)')
RENAME 'FULL.B' 'FULL.C'
LISTCAT ENTRIES('FULL.C')
/*
DECK
	[ "$status" -eq 0 ]
	[ ! -e root/HERC01.A ]
	[ -z "$(ls root/FULL.LIB)" ]
	[ -e root/FULL.C ]
	commands S1 | grep -q 'NONVSAM ------- FULL.C'
}

@test "EXEC runs scripts, also without a mode; SYSEXEC is searched for other names" {
	mkdir root/MY.EXEC
	printf '#!/bin/sh\necho "script $#: $*"\nexit 3\n' >root/MY.EXEC/SCRIPT
	printf '/* REXX */\nsay hello\n' >root/MY.EXEC/REXX
	program CMD <<<'echo "command $#: $*"'
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=IKJEFT01,PARM='%SCRIPT one two'
//SYSEXEC  DD DSN=MY.EXEC,DISP=SHR
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
CMD a b
EX 'MY.EXEC(REXX)'
EXEC 'MY.EXEC(SCRIPT)' 'x y' EXEC
/*
DECK
	[ "$status" -eq 3 ]
	commands S1 | grep -q '^script 2: one two$'
	commands S1 | grep -q '^command 1: a b$'
	commands S1 | grep -q 'VIG5690E IKJEFT01: .*MY.EXEC/REXX is not executable'
	commands S1 | grep -q '^script 2: x y$'
}

@test "SYSTSIN as numbered cards of 80 bytes, and put together from a member and cards" {
	program SAY <<<'echo "said $1"'
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=IEBUPDTE,PARM=NEW
//SYSPRINT DD SYSOUT=*
//SYSUT2   DD DSN=MY.CNTL,DISP=(NEW,CATLG),DSORG=PO,RECFM=FB,LRECL=80
//SYSIN    DD *
./ ADD NAME=CMDS
./ NUMBER NEW1=10,INCR=10
CALL *(SAY) -
  'one'
DSN SYSTEM(D)
/*
//S2       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD DSN=MY.CNTL(CMDS),DISP=SHR
//         DD *
RUN PROGRAM(SAY) PARMS('two')
/*
DECK
	[ "$status" -eq 0 ]
	[ "$(stat -c %s root/MY.CNTL/CMDS)" -eq 240 ]
	commands S2 | grep -q '^said one$'
	commands S2 | grep -q '^said two$'
	[ "$(commands S2 | grep -c 000000)" -eq 0 ]
	# A card of 73 to 80 columns has a sequence number, even if it is incomplete.
	{ printf '//T JOB\n//S EXEC PGM=IKJEFT01\n//SYSTSPRT DD SYSOUT=*\n//SYSTSIN DD *\n'
		printf "%-72s0010\nCALL *(SAY) ASIS\nCALL *(SAY) 'two' CAPS\n/*\n" "CALL *(SAY) 'three'"; } >short.jcl
	job short.jcl
	[ "$status" -eq 0 ]
	commands S | grep -q '^said three$'
	commands S | grep -q '^said $'
	commands S | grep -q '^said two$'
}

@test "each program reads SYSIN from its beginning" {
	program FIRST <<<'head -1'
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSIN    DD *
line one
line two
/*
//SYSTSIN  DD *
CALL *(FIRST)
CALL *(FIRST)
/*
DECK
	[ "$status" -eq 0 ]
	[ "$(commands S1 | grep -c '^line one$')" -eq 2 ]
}

@test "SUBMIT runs a deck of a library after the job; OCOPY copies between DDs" {
	mkdir root/MY.JCL
	printf '%s\n' '//* JOB THAT IS NONE' '//SECOND   JOB' "//S1       EXEC PGM=BPXBATCH,PARM='SH echo second'" \
		>root/MY.JCL/DECK
	printf '%s\n' one two >lines.txt
	job <<'DECK'
//FIRST    JOB
//S1       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//INUNIX   DD PATH='&SYSDECK/lines.txt',PATHOPTS=(ORDONLY)
//OUTMVS   DD DSN=OUT.FB,DISP=(NEW,CATLG),RECFM=FB,LRECL=10,DSORG=PS
//SYSTSIN  DD *
SUBMIT 'MY.JCL(DECK)'
 OCOPY IND(INUNIX) OUTDD(OUTMVS) TEXT CONVERT(YES) PATHOPTS(USE)
/*
DECK
	[ "$status" -eq 0 ]
	[ "$(grep '^IKJ56250I JOB' spool/*.FIRST/S1.SYSTSPRT)" = 'IKJ56250I JOB SECOND SUBMITTED' ]
	has 'job SECOND ended: highest return code 0000'
	[ "$(cat spool/*.SECOND/S1.SYSOUT)" = second ]
	[ "$(cat root/OUT.FB)" = 'one       two       ' ]
	run "$utilities/ikjeft01" --root root "SUBMIT 'MY.JCL(DECK)'"
	[ "$status" -eq 12 ]
	has VIG5691E
}

@test "IKJEFT01 from the shell" {
	program RC <<<'exit $1'
	run "$utilities/ikjeft01" --dd STEPLIB=bin <<<"CALL *(RC) '7'"
	echo "$output"
	[ "$status" -eq 7 ]
	has 'READY'
	run "$utilities/ikjeft01" 'SH exit 9'
	[ "$status" -eq 9 ]
	run "$utilities/ikjeft01" "LISTDS 'A.B'"
	[ "$status" -eq 12 ]
	has 'NO DATA SET ROOT IS KNOWN'
}

@test "IKJEFT01 from the shell: IDCAMS is not kept from a data set that ALLOCATE has taken" {
	cat >in <<'END'
ALLOC FI(A) DA('A.IN') NEW RECFM(F B) LRECL(80)
FREE FI(A)
RENAME 'A.IN' 'A.OUT'
DELETE 'A.OUT'
END
	run "$VIGIL_BUILD/utilities/programs/ikjeft01" --root root --dd SYSTSIN=in
	echo "$output"
	[ "$status" -eq 0 ]
	[ ! -e root/A.IN ] && [ ! -e root/A.OUT ]
}

@test "BPXBATCH: SH and PGM, STDPARM, STDENV and the return code" {
	program SAY <<<'echo "$# $1 $WHAT"; exit 5'
	job <<'DECK'
//T        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo "$WHAT"; exit 3'
//STDENV   DD *
WHAT=from STDENV
/*
//S2       EXEC PGM=BPXBATSL,PARM='PGM &SYSDECK/bin/SAY one two'
//STDOUT   DD SYSOUT=*
//S3       EXEC PGM=BPXBATCH
//STDOUT   DD SYSOUT=*
//STDPARM  DD *
SH for i in 1 2;
do echo "line $i";
done
/*
//S4       EXEC PGM=BPXBATCH
//STDOUT   DD SYSOUT=*
//STDIN    DD *
echo from stdin
/*
//S5       EXEC PGM=AOPBATCH,PARM='/bin/echo a b'
//STDOUT   DD SYSOUT=*
//S6       EXEC PGM=BPXBATCH,PARM='FROB x'
DECK
	[ "$status" -eq 99 ]
	has 'step S1 ended: return code 0003'
	has 'step S2 ended: return code 0005'
	[ "$(cat "$last/S1.SYSOUT")" = 'from STDENV' ]
	[ "$(cat "$last/S2.STDOUT")" = '2 one ' ]
	[ "$(cat "$last/S3.STDOUT")" = "$(printf 'line 1\nline 2')" ]
	[ "$(cat "$last/S4.STDOUT")" = 'from stdin' ]
	[ "$(cat "$last/S5.STDOUT")" = 'a b' ]
	grep -q 'VIG5522S BPXBATCH: PARM begins with neither SH nor PGM: FROB x' "$last/S6.SYSOUT"
}

# Names of files and cards come from outside: they must not manipulate a listing on a terminal.
@test "no listing and no log has control characters from a deck or from names of files" {
	mkdir -p root/LOAD.LIB
	touch root/LOAD.LIB/$'BAD\033[2J\rNAME' root/LOAD.LIB/GOOD
	esc=$'\033[31m'
	job <<DECK
//T        JOB
//S1       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
LISTDS 'LOAD.LIB' MEMBERS
LISTDS 'X${esc}'
/*
//S2       EXEC PGM=BPXBATCH,PARM='XX',COND=EVEN
//S3       EXEC PGM=IDCAMS,COND=EVEN
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
 DELETE X${esc}
/*
//S4       EXEC PGM=SORT,COND=EVEN
//SYSOUT   DD SYSOUT=*
//SYSIN    DD *
 SORT FIELDS=(${esc})
/*
//S5       EXEC PGM=IEBUPDTE,PARM=NEW,COND=EVEN
//SYSPRINT DD SYSOUT=*
//SYSUT2   DD DSN=NEW.LIB,DISP=(NEW,CATLG),SPACE=(TRK,(1,1,1))
//SYSIN    DD DATA
./ ADD NAME=A,LIST=ALL
A ${esc} CARD
/*
DECK
	grep -F GOOD "$last/S1.SYSTSPRT"
	grep -F 'BAD.[2J.NAME' "$last/S1.SYSTSPRT"
	grep -F 'A .[31m CARD' "$last/S5.SYSPRINT"
	! grep -l $'\033' "$last"/*SYS* "$last"/S2.* "$last"/JES* || return 1
	! grep $'\033' <<<"$output"
}
