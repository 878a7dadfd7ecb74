#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The language, as seen from the steps: what a deck specifies is what its programs get.

load trace
load jobs

setup() {
	in_own_folder
	mkdir -p proclib root
	program SHOW <<<'printf "[%s]" "$*"; for dd; do :; done; cat "$DD_IN" 2>/dev/null; true'
	program RC <<<'exit $1'
}

# shows STEP TEXT: what SHOW in a step wrote.
shows() {
	[ "$(cat "$last/$1.SYSOUT")" = "$2" ] || {
		echo "$1 wrote: $(cat "$last/$1.SYSOUT")"
		return 1
	}
}

@test "JCLLIB: a library among the data sets, a folder of a procedure library, members in either case" {
	mkdir root/MY.PROCS proclib/OTHER.PROCS
	printf "//ONE PROC\n//R EXEC PGM=SHOW,PARM='&A'\n" >root/MY.PROCS/ONE
	printf "//TWO PROC A=2\n//R EXEC PGM=SHOW,PARM='&A'\n" >proclib/OTHER.PROCS/two.prc
	printf "//R EXEC PGM=SHOW,PARM=WRONG\n" >proclib/ONE
	printf "// SET A=GROUP\n" >root/MY.PROCS/set.jcl
	job <<'DECK'
//A        JOB
//         JCLLIB ORDER=(MY.PROCS,OTHER.PROCS)
//S1       EXEC ONE,A=1
//S2       EXEC TWO
//         INCLUDE MEMBER=SET
//S3       EXEC PGM=SHOW,PARM='&A'
DECK
	[ "$status" -eq 0 ]
	shows S1.R '[1]' && shows S2.R '[2]' && shows S3 '[GROUP]'
	run "$vigil" check --root root --proclib proclib deck.jcl
	[ "$status" -eq 0 ]
}

@test "INCLUDE in a procedure: its SET holds afterwards, in the procedure only" {
	printf '//P PROC\n// INCLUDE MEMBER=VALUES\n//R EXEC PGM=SHOW,PARM=&V\n' >proclib/P
	printf '// SET V=INSIDE\n' >proclib/VALUES
	job <<'DECK'
//A        JOB
//         SET V=OUTSIDE
//S1       EXEC P
//S2       EXEC PGM=SHOW,PARM=&V
DECK
	[ "$status" -eq 0 ]
	shows S1.R '[INSIDE]' && shows S2 '[OUTSIDE]'
}

@test "procedures nest to 15, and no deeper" {
	printf "//R EXEC PGM=SHOW,PARM='&WORD'\n" >proclib/P15
	for n in $(seq 14); do
		printf '//P%s PROC\n//C EXEC P%s\n' "$n" $((n + 1)) >"proclib/P$n"
	done
	job < <(printf '//A JOB\n// SET WORD=DEEP\n//S EXEC P1\n')
	[ "$status" -eq 0 ]
	shows S.R '[DEEP]'
	printf '//P0 PROC\n//C EXEC P1\n' >proclib/P0
	job < <(printf '//A JOB\n// SET WORD=DEEP\n//S EXEC P0\n')
	[ "$status" -eq 101 ]
	[[ $output == *"proclib/P14:2:10: VIG1199E"* ]]
}

@test "DD overrides: data in the stream, concatenations, DUMMY, what is added, what is taken away" {
	for n in 1 2 3 4; do echo "file $n" >"root/MY.F$n"; done
	cat >proclib/P <<'PROC'
//P        PROC
//ONE      EXEC PGM=SHOW
//IN       DD *
of the procedure
/*
//TWO      EXEC PGM=SHOW
//IN       DD DSN=MY.F1,DISP=SHR
//         DD DSN=MY.F2,DISP=SHR
//THREE    EXEC PGM=SHOW
//IN       DD DUMMY
//FOUR     EXEC PGM=SHOW
PROC
	job <<'DECK'
//A        JOB
//S        EXEC P
//T        EXEC P
//ONE.IN   DD *
of the caller
/*
//TWO.IN   DD
//         DD DSN=MY.F3,DISP=SHR
//         DD DSN=MY.F4,DISP=SHR
//THREE.IN DD DSN=MY.F1,DISP=SHR
//FOUR.IN  DD DSN=MY.F2,DISP=SHR
DECK
	[ "$status" -eq 0 ]
	shows S.ONE '[]of the procedure'
	shows S.TWO "$(printf '[]file 1\nfile 2')"
	shows S.THREE '[]' && shows S.FOUR '[]'
	shows T.ONE '[]of the caller'
	shows T.TWO "$(printf '[]file 1\nfile 3\nfile 4')"
	shows T.THREE '[]file 1' && shows T.FOUR '[]file 2'
}

@test "overrides reach one level; the inner procedure's caller may be overridden itself" {
	echo one >root/MY.ONE
	echo two >root/MY.TWO
	printf '//INNER PROC\n//R EXEC PGM=SHOW,PARM=I\n//IN DD DUMMY\n' >proclib/INNER
	printf '//OUTER PROC\n//C EXEC INNER\n//R.IN DD DSN=MY.ONE,DISP=SHR\n//Q EXEC PGM=SHOW\n//IN DD DUMMY\n' \
		>proclib/OUTER
	job < <(printf '//A JOB\n//S EXEC OUTER\n//Q.IN DD DSN=MY.TWO,DISP=SHR\n')
	[ "$status" -eq 0 ]
	shows S.R '[I]one' && shows S.Q '[]two'
}

@test "PARM without a step is for the first, COND for all; with a step for that one" {
	printf '//P PROC\n//X EXEC PGM=SHOW,PARM=OWN1\n//Y EXEC PGM=SHOW,PARM=OWN2\n' >proclib/P
	job <<'DECK'
//A        JOB
//S1       EXEC P
//S2       EXEC P,PARM=MINE
//S3       EXEC P,PARM.Y=YOURS
//S4       EXEC P,COND=(0,EQ)
//S5       EXEC P,COND.X=(0,EQ),PARM.Y=
DECK
	[ "$status" -eq 0 ]
	shows S1.X '[OWN1]' && shows S1.Y '[OWN2]'
	shows S2.X '[MINE]' && shows S2.Y '[]'
	shows S3.X '[OWN1]' && shows S3.Y '[YOURS]'
	[ ! -e "$last/S4.X.SYSOUT" ]
	[ ! -e "$last/S4.Y.SYSOUT" ]
	[ ! -e "$last/S5.X.SYSOUT" ] && shows S5.Y '[]'
}

@test "RESTART: what an IF or COND says of steps before it is false" {
	job <<'DECK'
//A        JOB RESTART=S2
//S1       EXEC PGM=RC,PARM='8'
//S2       EXEC PGM=SHOW,PARM=TWO
//         IF (S1.RC = 0) THEN
//S3       EXEC PGM=SHOW,PARM=THREE
//         ELSE
//S4       EXEC PGM=SHOW,PARM=FOUR
//         ENDIF
//         IF (RC = 0) THEN
//S5       EXEC PGM=SHOW,PARM=FIVE
//         ENDIF
//S6       EXEC PGM=SHOW,PARM=SIX,COND=(8,EQ,S1)
DECK
	[ "$status" -eq 0 ]
	shows S2 '[TWO]' && shows S4 '[FOUR]' && shows S5 '[FIVE]' && shows S6 '[SIX]'
	[ ! -e "$last/S3.SYSOUT" ] && [ ! -e "$last/S1.SYSOUT" ]
}

@test "data in the stream: DATA, DLM, implicit SYSIN, cards that look like JCL" {
	program CAT <<<'cat'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHOW
//IN       DD DATA
//NO       DD A CARD
//
/*
//S2       EXEC PGM=SHOW
//IN       DD DATA,DLM='##'
/* rexx */
//JOB JOB
##
//S3       EXEC PGM=CAT
data without a DD
//S4       EXEC PGM=SHOW
//IN       DD *
one
/*
/*
//S5       EXEC PGM=SHOW,PARM=LAST
DECK
	[ "$status" -eq 0 ]
	shows S1 "$(printf '[]//NO       DD A CARD\n//')"
	shows S2 "$(printf '[]/* rexx */\n//JOB JOB')"
	shows S3 'data without a DD' && shows S4 '[]one' && shows S5 '[LAST]'
}

@test "symbols in data: those exported, SYSUID, and the system's when asked for" {
	before=$(date +%y%m%d)
	job <<'DECK'
//A        JOB
//         EXPORT SYMLIST=(ONE)
//         SET ONE=1,TWO=2
//S1       EXEC PGM=SHOW
//IN       DD *,SYMBOLS=JCLONLY
&ONE..&TWO &SYSUID &LYYMMDD &&ONE
/*
//S2       EXEC PGM=SHOW
//IN       DD *,SYMBOLS=EXECSYS
&LYYMMDD
/*
//S3       EXEC PGM=SHOW
//IN       DD *
&ONE
/*
DECK
	[ "$status" -eq 0 ]
	user=$(id -un | tr a-z A-Z | tr -cd 'A-Z0-9@#$' | cut -c1-8)
	shows S1 "[]1.&TWO $user &LYYMMDD &&ONE"
	# Midnight may have passed since the job began.
	shows S2 "[]$before" || shows S2 "[]$(date +%y%m%d)"
	shows S3 '[]&ONE'
}

@test "a deck with CR LF, sequence numbers, lower case and stripped blanks runs" {
	printf '%-72s%s\r\n' '//A        JOB (1),' 00000100 '//         CLASS=A' 00000200 >deck.txt
	printf "%s\r\n" "//s1       exec pgm=SHOW,parm='Mixed Case and text that goes on to" \
		'//             the next' "//             card'" >>deck.txt
	job <deck.txt
	[ "$status" -eq 0 ]
	[[ $(cat "$last/S1.SYSOUT") == '[Mixed Case and text that goes on to'*'the next'*'card]' ]]
}

@test "jobs of one file run one after the other; cards behind a null statement do not" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHOW,PARM=A
//
//S2       EXEC PGM=SHOW,PARM=LOST
//B        JOB
//S1       EXEC PGM=SHOW,PARM=B
DECK
	[ "$status" -eq 0 ]
	[ "$(cat spool/JOB*.A/S1.SYSOUT)" = '[A]' ]
	[ "$(cat spool/JOB*.B/S1.SYSOUT)" = '[B]' ]
	[ -z "$(ls spool/*/S2* 2>/dev/null)" ]
}

@test "a job of a job group is held, and so said" {
	job <<'DECK'
//G        JOBGROUP
//J        GJOB
//G        ENDGROUP
//J        JOB
//         SCHEDULE JOBGROUP=G
//S1       EXEC PGM=SHOW
DECK
	[ "$status" -eq 0 ]
	[[ $output == *"deck.jcl:1:3: VIG1224W"* && $output == *"deck.jcl:5:21: VIG1225W"* ]]
	[ ! -e "$last/S1.SYSOUT" ]
}

@test "a part of a job can be checked, not submitted" {
	printf '//P PROC\n//R EXEC PGM=SHOW,PARM=&X\n//D DD DSN=&HLQ..A(&M),DISP=SHR\n' >part.jcl
	run "$vigil" check part.jcl
	[ "$status" -eq 0 ]
	[[ $output == *VIG1227I* && $output == *"part.jcl:2:24: VIG1040I"* ]]
	printf '//D DD DSN=A.B,DISP=NEU\n' >part.jcl
	run "$vigil" check part.jcl
	[ "$status" -eq 12 ]
	[[ $output == *"part.jcl:1:21: VIG1103E"* ]]
	run "$vigil" submit --spool spool --root root part.jcl
	[ "$status" -eq 101 ]
	[[ $output == *VIG1049E* ]]
}
