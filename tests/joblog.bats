#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The job log: JESJCL, JESMSGLG and JESYSMSG of real jobs, as an operator reads them.

load trace
load jobs

setup() {
	in_own_folder
	mkdir -p proclib
}

@test "JESJCL: numbers, level marks, comments, symbols put in" {
	cat >proclib/EXTRACT <<'PROC'
//EXTRACT  PROC IN=OLD
//* WHAT IT READS
//RUN      EXEC PGM=IEFBR14
//INPUT    DD DSN=&HLQ..&IN,
//            DISP=SHR
//         DD DUMMY
//LIST     DD SYSOUT=*
PROC
	job <<'DECK'
//PAYROLL  JOB (1234),'NIGHT',CLASS=A
//* COMMENT OF THE JOB
/*JOBPARM LINES=9
//         SET HLQ=PROD
//INNER    PROC
//LAST     EXEC PGM=IEFBR14
//OUT      DD SYSOUT=A
//         PEND
//S1       EXEC EXTRACT,IN=NEW
//RUN.INPUT DD DUMMY
//RUN.MORE DD *
//S2       EXEC INNER
//LAST.OUT DD DUMMY
//S3       EXEC PGM=IEFBR14
DATA WITHOUT A DD
DECK
	[ "$status" -eq 0 ]
	cat >expected <<'LISTING'
        1 //PAYROLL  JOB (1234),'NIGHT',CLASS=A                                   JOB00001
          *** COMMENT OF THE JOB
          /*JOBPARM LINES=9
        2 //         SET HLQ=PROD
        3 //INNER    PROC
        4 //LAST     EXEC PGM=IEFBR14
        5 //OUT      DD SYSOUT=A
        6 //         PEND
        7 //S1       EXEC EXTRACT,IN=NEW
        8 XXEXTRACT  PROC IN=OLD
          *** WHAT IT READS
        9 XXRUN      EXEC PGM=IEFBR14
       10 //RUN.INPUT DD DUMMY
       11 X/INPUT    DD DSN=&HLQ..&IN,
          X/            DISP=SHR
          IEFC653I SUBSTITUTION JCL - DSN=PROD.NEW,DISP=SHR
       12 XX         DD DUMMY
       13 XXLIST     DD SYSOUT=*
       14 //RUN.MORE DD *
       15 //S2       EXEC INNER
       16 ++INNER    PROC
       17 ++LAST     EXEC PGM=IEFBR14
       18 //LAST.OUT DD DUMMY
       19 +/OUT      DD SYSOUT=A
       20 //S3       EXEC PGM=IEFBR14
       21 //SYSIN    DD *        GENERATED STATEMENT
LISTING
	head -n "$(wc -l <expected)" "$last/JESJCL" | diff expected -
}

@test "JESJCL: MSGLEVEL leaves procedures out, or all but the JOB statement" {
	printf '//P PROC\n//R EXEC PGM=IEFBR14\n' >proclib/P
	printf '//A JOB MSGLEVEL=(2,1)\n//S EXEC P\n' >two.jcl
	job <two.jcl
	[ "$(cut -c11-20 "$last/JESJCL" | tr -d ' ')" = "$(printf '//AJOBMS\n//SEXECP')" ]
	job < <(sed s/2,1/0,1/ two.jcl)
	[ "$(wc -l <"$last/JESJCL")" -eq 1 ]
}

@test "no listing shows a password" {
	job <<'DECK'
//A        JOB USER=ME,PASSWORD=(SECRET,NEWONE),
//         NOTIFY=ME
//B        JOB USER=&SYSUID,PASSWORD=SECRET
//S        EXEC PGM=IEFBR14
DECK
	[ -z "$(grep -r SECRET spool)" ]
	[ -z "$(grep -r NEWONE spool)" ]
	[ -n "$(grep -r PASSWORD= spool)" ]
	grep -q 'PASSWORD=\*\*\*' spool/*A/JESJCL
}

@test "errors stand in JESJCL by statement number, those of a procedure too, and nothing runs" {
	printf '//P PROC\n//R EXEC PGM=IEFBR14\n//D DD DSN=A.B,DISP=NEU\n' >proclib/P
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14,COND=(4,XX)
//S2       EXEC P
DECK
	[ "$status" -eq 101 ]
	[[ $output != *"step S1 started"* ]]
	grep -q '^ STMT NO. MESSAGE$' "$last/JESJCL"
	grep -q '^        2 VIG1082E .*card 2, column 37)$' "$last/JESJCL"
	grep -q '^        6 VIG1103E .*proclib/P, card 3, column 21)$' "$last/JESJCL"
	grep -q '^        6 XXD DD' "$last/JESJCL"
	grep -q 'VIG1103E' "$last/JESYSMSG"
	grep -q '^JCLERROR' "$last/STATE"
	grep -q 'HASP395 A        ENDED - JCL ERROR' "$last/JESMSGLG"
	[[ $output == *"VIG5203I nothing was run: see "*"/JESJCL"* ]]
}

@test "JESMSGLG: the table of the steps is straight and true" {
	program RC <<<'exit $1'
	program CRASH <<<'kill -SEGV $$'
	job <<'DECK'
//A        JOB
//P        PROC
//INNER    EXEC PGM=RC,PARM='4'
//         PEND
//STEP1    EXEC P
//STEP2    EXEC PGM=RC,PARM='8',COND=(4,EQ)
//LONGNAME EXEC PGM=CRASH
//STEP4    EXEC PGM=IEFBR14
//         EXEC PGM=RC,PARM='1',COND=EVEN
DECK
	[ "$status" -eq 100 ]
	sed -n 's/^..:..:.. JOB00001  -//p' "$last/JESMSGLG" >table
	cut -c1-34 table | sed 's/ *$//' | diff - <(cat <<'TABLE'
STEPNAME PROCSTEP PROGRAM      RC
STEP1    INNER    RC         0004
STEP2             RC        FLUSH
LONGNAME          CRASH      S0C4
STEP4             IEFBR14   FLUSH
STEP5             RC         0001
TABLE
)
	python3 - <<'CHECK'
rows = [line.rstrip("\n") for line in open("table")]
head, ends = rows[0], []
for word in ("RC", "CPU S", "ELAPSED S", "PEAK STORAGE"):
    ends.append(head.index(word) + len(word))
for row in rows[1:]:
    if "FLUSH" in row:
        assert len(row) == ends[0], row
        continue
    assert len(row) == ends[3] and row[ends[0]] == " ", row  # right under its heading
    assert float(row[ends[0]:ends[1]]) < 2 and float(row[ends[1]:ends[2]]) < 10
CHECK
	[[ $output == *"-LONGNAME          CRASH      S0C4"* ]] # the operator's copy has it too
	grep -q 'IEF403I A - STARTED' "$last/JESMSGLG"
	grep -q 'IEF450I A LONGNAME - ABEND=S0C4 U0000' "$last/JESMSGLG"
	grep -q 'IEF404I A - ENDED' "$last/JESMSGLG"
	grep -q 'HASP395 A        ENDED - ABEND=S0C4' "$last/JESMSGLG"
	[[ $output == *"VIG5204I see JESYSMSG and LONGNAME.* in "*"ran after it: first see what it changed"* ]]
	tail -1 <<<"$output" | grep -q 'job A ended: ABEND S0C4'
}

@test "what to do after a step failed: RESTART where its temporary data sets are made" {
	program DIE <<<'kill -SEGV $$'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//S2       EXEC PGM=IEFBR14
//T        DD DSN=&&T,DISP=(NEW,PASS)
//S3       EXEC PGM=IEFBR14
//T        DD DSN=&&T,DISP=(OLD,DELETE)
//U        DD DSN=&&U,DISP=(NEW,PASS)
//S4       EXEC PGM=DIE
//S5       EXEC PGM=IEFBR14
//U        DD DSN=&&U,DISP=(OLD,DELETE)
DECK
	[ "$status" -eq 100 ]
	[[ $output == *"RESTART=S2 on the JOB statement begins with that step;"* ]]
	[[ $output == *"step S2 creates temporary data sets that this step or a later one needs"* ]]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=DIE
//T        DD DSN=&&T,DISP=(NEW,PASS)
//         IF ABEND THEN
//CLEAN    EXEC PGM=IEFBR14
//         ENDIF
DECK
	[ "$status" -eq 100 ]
	[[ $output == *"RESTART=S1 on the JOB statement begins with this step;"* ]]
	[[ $output == *"step CLEAN ran after it: first see what it changed"* ]]
	job <<'DECK'
//A        JOB
//P        PROC
//RUN      EXEC PGM=DIE
//         PEND
//         EXEC P
DECK
	[ "$status" -eq 100 ]
	[[ $output == *"-STEP1    RUN      DIE        S0C4"* ]]
	[[ $output == *"  once the cause is fixed, submit the whole job again"* ]]
	[[ $output != *'\n'* ]]
}

@test "JESYSMSG: allocation, disposition and code of each step" {
	mkdir -p root && echo x >root/PROD.IN
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//IN       DD DSN=PROD.IN,DISP=SHR
//         DD DUMMY
//NEW      DD DSN=PROD.NEW,DISP=(NEW,CATLG)
//PASS     DD DSN=&&P,DISP=(,PASS)
//LIST     DD SYSOUT=*
//CARDS    DD *
X
/*
//S2       EXEC PGM=IEFBR14
//OLD      DD DSN=PROD.NEW,DISP=(OLD,DELETE)
//S3       EXEC PGM=IEFBR14,COND=(0,EQ)
//         IF (S1.RC > 4) THEN
//S4       EXEC PGM=IEFBR14
//         ENDIF
DECK
	[ "$status" -eq 0 ]
	grep -v '^VIG' "$last/JESYSMSG" | sed 's/[0-9.]*\(MIN\|SEC\|K$\)/n\1/g; s/2[0-9]*\.[0-9]*/when/; s/  *n/ n/g' >lines
	diff lines - <<'LINES'
IEF236I ALLOC. FOR A S1
IEF237I DISK ALLOCATED TO IN
IEF237I DMY  ALLOCATED TO
IEF237I DISK ALLOCATED TO NEW
IEF237I DISK ALLOCATED TO PASS
IEF237I JES2 ALLOCATED TO LIST
IEF237I JES2 ALLOCATED TO CARDS
IEF142I A S1 - STEP WAS EXECUTED - COND CODE 0000
IEF285I   PROD.IN                                      KEPT
IEF285I   PROD.NEW                                     CATALOGED
IEF285I   &&P                                          PASSED
IEF285I   S1.LIST                                      SYSOUT
IEF373I STEP/S1      /START when
IEF374I STEP/S1      /STOP  when CPU nMIN nSEC SRB nMIN nSEC VIRT nK
IEF236I ALLOC. FOR A S2
IEF237I DISK ALLOCATED TO OLD
IEF142I A S2 - STEP WAS EXECUTED - COND CODE 0000
IEF285I   PROD.NEW                                     DELETED
IEF373I STEP/S2      /START when
IEF374I STEP/S2      /STOP  when CPU nMIN nSEC SRB nMIN nSEC VIRT nK
IEF202I A S3 - STEP WAS NOT RUN BECAUSE OF CONDITION CODES
IEF272I A S3 - STEP WAS NOT EXECUTED
IEF206I A S4 - STEP WAS NOT RUN BECAUSE OF CONDITIONAL EXPRESSION ON STATEMENT 12
IEF272I A S4 - STEP WAS NOT EXECUTED
IEF375I  JOB/A       /START when
IEF376I  JOB/A       /STOP  when CPU nMIN nSEC SRB nMIN nSEC
LINES
	grep -q '^VIG5131I DD NEW: data set PROD.NEW kept' "$last/JESYSMSG"
}

@test "a step whose data sets are not there is named in table and listings" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//S2       EXEC PGM=IEFBR14
//D        DD DSN=NOT.THERE,DISP=SHR
//S3       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 101 ]
	[[ $output == *"-S2                IEFBR14  JCLERR"* && $output == *"-S3                IEFBR14   FLUSH"* ]]
	[[ $output == *"RESTART=S2 on the JOB statement"* ]]
	grep -q '^IEF272I A S2 - STEP WAS NOT EXECUTED' "$last/JESYSMSG"
	grep -q 'IEF453I A - JOB FAILED - JCL ERROR' "$last/JESMSGLG"
}

@test "CPU time in the log is that of the step, in all places the same" {
	command -v python3 >/dev/null || skip "no python3"
	printf '#!%s\n' "$(command -v python3)" >bin/BURN
	cat >>bin/BURN <<'PROGRAM'
import os
while sum(os.times()[:2]) < 0.5:
    pass
block = bytearray(60 << 20)
block[::4096] = b"x" * len(block[::4096])
PROGRAM
	chmod +x bin/BURN
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BURN
DECK
	[ "$status" -eq 0 ]
	python3 - "$last" <<'CHECK'
import re, sys
system = open(sys.argv[1] + "/JESYSMSG").read()
log = open(sys.argv[1] + "/JESMSGLG").read()
user, rest, virt = re.search(r"CPU +0MIN (\S+)SEC SRB +0MIN (\S+)SEC VIRT +(\d+)K", system).groups()
cpu = float(re.search(r"VIG5202I CPU (\S+) s", system)[1])
table = re.search(r"-S1 +BURN +0000 +(\S+) +(\S+) +(\S+) MB", log)
assert 0.5 <= cpu < 1.5, cpu
assert abs(float(user) + float(rest) - cpu) < 0.02
assert float(table[1]) == cpu and float(table[2]) >= cpu * 0.9
assert 60000 < int(virt) < 200000 and abs(int(virt) / 1024 - float(table[3])) < 0.2
CHECK
}

@test "the log says where the profile and the sample data set of a measured step are" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
// PARM='SH i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'
//VIGIL    DD *
  ADD A,STEP=S1
/*
DECK
	[ "$status" -eq 0 ]
	profile=$(sed -n 's/^VIG5200I step S1: its Performance Profile is in //p' "$last/JESYSMSG")
	data=$(sed -n 's/^VIG5201I step S1: its sample data set is //p' "$last/JESYSMSG")
	grep -q 'MEASUREMENT SESSION DATA' "$profile"
	"$vigil" report --report MSD "$data" | grep -q 'MEASUREMENT SESSION DATA'
	[[ $output == *" S1.VIGPROF"* ]]
}

@test "ABDISPCC: the abnormal disposition holds when the code says so" {
	program RC <<<'exit $1'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=RC,PARM='4',ABDISPCC=(4,GT)
//D        DD DSN=MY.ONE,DISP=(,CATLG,DELETE)
//S2       EXEC PGM=RC,PARM='4',ABDISPCC=(4,GE)
//D        DD DSN=MY.TWO,DISP=(,CATLG,DELETE)
//S3       EXEC PGM=RC,PARM='8',ABDISPCC=4
//D        DD DSN=MY.THREE,DISP=(,CATLG,DELETE)
//S4       EXEC PGM=RC,PARM='8'
//D        DD DSN=MY.FOUR,DISP=(,CATLG,DELETE)
DECK
	[ "$status" -eq 8 ]
	[ "$(cd root && echo MY.*)" = 'MY.FOUR MY.ONE' ]
}

@test "JOBRC: the return code of the last step, or of one by name" {
	program RC <<<'exit $1'
	cat >steps <<'DECK'
//S1       EXEC PGM=RC,PARM='12'
//S2       EXEC PGM=RC,PARM='4'
//S3       EXEC PGM=RC,PARM='2'
//S4       EXEC PGM=RC,PARM='9',COND=(0,LE)
DECK
	job < <(echo '//A JOB'; cat steps)
	[ "$status" -eq 12 ]
	job < <(echo '//A JOB JOBRC=LASTRC'; cat steps)
	[ "$status" -eq 2 ]
	[[ $output == *"return code by JOBRC 0002"* ]]
	job < <(echo '//A JOB JOBRC=(STEP,S2)'; cat steps)
	[ "$status" -eq 4 ]
	grep -q 'ENDED - RC=0004' "$last/JESMSGLG"
}

@test "PARMDD: the records of a DD become the PARM" {
	program SHOW <<<'printf "%s|%s" "$#" "$1"'
	mkdir -p root
	printf '%-80s%-80s' 'FIXED,' 'RECORDS' >root/MY.FIXED
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHOW,PARMDD=IN
//IN       DD *
FIRST,                                                                  00000100
SECOND ONE
/*
//S2       EXEC PGM=SHOW,PARMDD=IN
//IN       DD DSN=MY.FIXED,DISP=SHR,RECFM=FB,LRECL=80
//S3       EXEC PGM=SHOW,PARMDD=IN
//IN       DD DUMMY
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.SYSOUT")" = '1|FIRST,SECOND ONE' ]
	[ "$(cat "$last/S2.SYSOUT")" = '1|FIXED,RECORDS' ]
	[ "$(cat "$last/S3.SYSOUT")" = '0|' ]
	# A record of a fixed length may hold any byte, those of a mainframe's variable records have descriptors.
	printf '%-80s%-80s' "A$(printf '\nB\025')," 'END' >root/MY.FIXED
	printf '\000\004\000\000ONE,\000\003\000\000TWO' >root/MY.VARIABLE
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHOW,PARMDD=IN
//IN       DD DSN=MY.FIXED,DISP=SHR,RECFM=FB,LRECL=80
//S2       EXEC PGM=SHOW,PARMDD=IN
//IN       DD DSN=MY.VARIABLE,DISP=SHR,RECFM=VB,LRECL=84
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.SYSOUT")" = "1|A$(printf '\nB\025'),END" ]
	[ "$(cat "$last/S2.SYSOUT")" = '1|ONE,TWO' ]
	# Another format of descriptors.
	printf '\000\000\000\004ONE,\000\000\000\003TWO' >root/MY.VARIABLE
	COB_VARSEQ_FORMAT=1 job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHOW,PARMDD=IN
//IN       DD DSN=MY.VARIABLE,DISP=SHR,RECFM=VB,LRECL=84
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.SYSOUT")" = '1|ONE,TWO' ]
	head -c 40000 /dev/zero | tr '\0' x | fold -w 70 >long
	job < <(printf '//A JOB\n//S1 EXEC PGM=SHOW,PARMDD=IN\n//IN DD *\n'; cat long)
	[ "$status" -eq 100 ]
	[[ $output == *"gives a PARM of 40000 bytes; 32760 are allowed"* ]]
}
