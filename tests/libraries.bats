#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Libraries and their members: IEBCOPY, IEBUPDTE and IEHPROGM.

load trace
load jobs

setup() {
	in_own_folder
	mkdir -p root
}

# library NAME MEMBER...: makes a data set with members that contain their names.
library() {
	name=$1
	shift
	mkdir -p "root/$name"
	for member; do echo "$name $member" >"root/$name/$member"; done
}

# printed STEP: what a step wrote to SYSPRINT.
printed() { cat "$last/$1.SYSPRINT"; }

# cards FILE: prints fixed records of 80 bytes as lines without trailing blanks.
cards() {
	python3 -c '
import sys
data = open(sys.argv[1], "rb").read()
assert len(data) % 80 == 0 and b"\n" not in data, "no fixed records"
for at in range(0, len(data), 80):
    print(data[at:at + 80].decode().rstrip())
' "$1"
}

# numbered TEXT NUMBER: a card with a sequence number in columns 73 to 80.
numbered() { printf '%-72s%s\n' "$1" "$2"; }

@test "IEBCOPY copies a library and makes it as the input's is" {
	library A.LIB ONE TWO THREE
	job <<'DECK'
//C        JOB
//S1       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=A.LIB,DISP=SHR
//SYSUT2   DD DSN=B.LIB,DISP=(NEW,CATLG),DSORG=PO,RECFM=FB,LRECL=80
DECK
	[ "$status" -eq 0 ]
	diff -r root/A.LIB root/B.LIB
	printed S1 | grep -q '^IEB154I ONE      HAS BEEN SUCCESSFULLY COPIED$'
	printed S1 | grep -q '^IEB1098I 3 OF 3 MEMBERS COPIED FROM INPUT DATA SET REFERENCED BY SYSUT1$'
	printed S1 | grep -q '^IEB147I END OF JOB -00 WAS HIGHEST SEVERITY CODE$'
}

@test "a member that the output has stays, unless R is said" {
	library A.LIB ONE TWO THREE
	library B.LIB ONE TWO
	job <<'DECK'
//C        JOB
//S1       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//IN       DD DSN=A.LIB,DISP=SHR
//OUT      DD DSN=B.LIB,DISP=OLD
//SYSIN    DD *
         COPY  OUTDD=OUT,INDD=IN
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/B.LIB/ONE root/B.LIB/THREE)" = "$(printf 'B.LIB ONE\nA.LIB THREE')" ]
	printed S1 | grep -q 'VIG5653I IEBCOPY: ONE was not copied'
	job <<'DECK'
//C        JOB
//S1       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//IN       DD DSN=A.LIB,DISP=SHR
//OUT      DD DSN=B.LIB,DISP=OLD
//SYSIN    DD *
  COPY O=OUT,I=((IN,R)),L=NO
  E M=(TWO)
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/B.LIB/ONE root/B.LIB/TWO)" = "$(printf 'A.LIB ONE\nB.LIB TWO')" ]
	[ "$(printed S1 | grep -c IEB154I)" -eq 0 ]
}

@test "SELECT takes members, gives them other names and replaces single ones" {
	library A.LIB ONE TWO THREE
	library B.LIB ONE TWO
	job <<'DECK'
//C        JOB
//S1       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//IN       DD DSN=A.LIB,DISP=SHR
//OUT      DD DSN=B.LIB,DISP=OLD
//SYSIN    DD *
GROUP1   COPY  OUTDD=OUT,                  goes on with a comment
               INDD=IN
         SELECT MEMBER=((ONE,,R),TWO,      and here
               (THREE,NEW),NOPE)
DECK
	[ "$status" -eq 4 ]
	[ "$(cat root/B.LIB/*)" = "$(printf 'A.LIB THREE\nA.LIB ONE\nB.LIB TWO')" ]
	[ ! -e root/B.LIB/THREE ]
	printed S1 | grep -q '^IEB155I NEW      HAS BEEN'
	printed S1 | grep -q '^IEB177I NOPE     WAS SELECTED BUT NOT FOUND IN ANY INPUT DATA SET'
}

@test "several groups, several inputs and a concatenation: the first member of a name counts" {
	library A.LIB ONE
	library B.LIB ONE TWO
	library C.LIB TWO THREE
	job <<'DECK'
//C        JOB
//S1       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//A        DD DSN=A.LIB,DISP=SHR
//BC       DD DSN=B.LIB,DISP=SHR
//         DD DSN=C.LIB,DISP=SHR
//X        DD DSN=X.LIB,DISP=(NEW,CATLG),SPACE=(TRK,(1,1,5)),DSORG=PO
//Y        DD DSN=Y.LIB,DISP=(NEW,CATLG),SPACE=(TRK,(1,1,5)),DSORG=PO
//SYSIN    DD *
 COPY OUTDD=X,INDD=(A,BC)
 COPY OUTDD=Y,INDD=BC
 SELECT MEMBER=TWO
 COPY OUTDD=Y,INDD=A
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/X.LIB/ONE root/X.LIB/TWO root/X.LIB/THREE)" = \
		"$(printf 'A.LIB ONE\nB.LIB TWO\nC.LIB THREE')" ]
	[ "$(cat root/Y.LIB/*)" = "$(printf 'A.LIB ONE\nB.LIB TWO')" ]
}

@test "aliases stay aliases of members that are copied; COPYGRP brings them" {
	library A.LIB ONE TWO
	ln -s ONE root/A.LIB/UNO
	job <<'DECK'
//C        JOB
//S1       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//IN       DD DSN=A.LIB,DISP=SHR
//OUT      DD DSN=B.LIB,DISP=(NEW,CATLG),DSORG=PO
//ALONE    DD DSN=C.LIB,DISP=(NEW,CATLG),DSORG=PO
//SYSIN    DD *
 COPYGRP OUTDD=OUT,INDD=IN
 SELECT MEMBER=((ONE,FIRST))
 COPY OUTDD=ALONE,INDD=IN
 SELECT MEMBER=UNO
DECK
	[ "$status" -eq 0 ]
	[ "$(readlink root/B.LIB/UNO)" = FIRST ]
	[ ! -e root/B.LIB/TWO ]
	[ ! -L root/C.LIB/UNO ]
	[ "$(cat root/C.LIB/UNO)" = 'A.LIB ONE' ]
}

@test "a library is unloaded into an archive that tar reads, and loaded again" {
	library A.LIB ONE TWO
	head -c 70000 /dev/urandom >root/A.LIB/LARGE
	chmod 755 root/A.LIB/TWO
	ln -s ONE root/A.LIB/UNO
	job <<'DECK'
//C        JOB
//S1       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=A.LIB,DISP=SHR
//SYSUT2   DD DSN=A.UNLOADED,DISP=(NEW,CATLG),DSORG=PS
//S2       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=A.UNLOADED,DISP=SHR
//SYSUT2   DD DSN=B.LIB,DISP=(NEW,CATLG),DSORG=PO
DECK
	[ "$status" -eq 0 ]
	diff -r root/A.LIB root/B.LIB
	[ "$(readlink root/B.LIB/UNO)" = ONE ]
	[ -x root/B.LIB/TWO ]
	mkdir tar
	tar -C tar -xf root/A.UNLOADED
	rm tar/.vigil-library
	diff -r tar root/A.LIB
	# A damaged one is rejected, and nothing of it remains.
	head -c 60000 root/A.UNLOADED >root/A.CUT
	job <<'DECK'
//C        JOB
//S1       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=A.CUT,DISP=SHR
//SYSUT2   DD DSN=C.LIB,DISP=(NEW,CATLG),DSORG=PO
DECK
	[ "$status" -eq 8 ]
	printed S1 | grep -q 'VIG5652E IEBCOPY: INDD=SYSUT1: the unloaded library ends in the middle'
	[ -z "$(ls root/C.LIB)" ]
}

@test "a compress has nothing to do; libraries of other records are refused" {
	library A.LIB ONE
	job <<'DECK'
//C        JOB
//N        EXEC PGM=IEFBR14
//F        DD DSN=F.LIB,DISP=(NEW,CATLG),DSORG=PO,RECFM=FB,LRECL=80
//G        DD DSN=G.LIB,DISP=(NEW,CATLG),DSORG=PO,RECFM=FB,LRECL=133
//S1       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//LIB      DD DSN=A.LIB,DISP=OLD
//SYSIN    DD *
 COPY OUTDD=LIB,INDD=LIB
//S2       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=F.LIB,DISP=SHR
//SYSUT2   DD DSN=G.LIB,DISP=OLD
DECK
	[ "$status" -eq 8 ]
	printed S1 | grep -q '^IEB161I COMPRESS TO BE DONE USING INDD NAMED LIB$'
	printed S1 | grep -q 'VIG5657I'
	printed S2 | grep -q 'VIG5655E IEBCOPY: SYSUT1 has RECFM=FB,LRECL=80 and SYSUT2 RECFM=FB,LRECL=133'
}

@test "members keep their own form where it is not the library's" {
	mkdir root/T.LIB
	python3 -c 'import os; os.setxattr("root/T.LIB", "user.vigil.dcb", b"TEXT,0")' ||
		skip 'no extended attributes here'
	job <<'DECK'
//C        JOB
//S1       EXEC PGM=IEBUPDTE,PARM=NEW
//SYSPRINT DD SYSOUT=*
//SYSUT2   DD DSN=F.LIB,DISP=(NEW,CATLG),DSORG=PO,RECFM=FB,LRECL=80
//SYSIN    DD *
./ ADD NAME=FIXED
one
two
//S2       EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//IN       DD DSN=F.LIB,DISP=SHR
//OUT      DD DSN=T.LIB,DISP=OLD
//SYSIN    DD *
 COPY OUTDD=OUT,INDD=IN
//S3       EXEC PGM=IKJEFT01
//SYSTSPRT DD SYSOUT=*
//IN       DD DSN=T.LIB(FIXED),DISP=SHR
//OUT      DD DSN=LINES,DISP=(NEW,CATLG)
//SYSTSIN  DD *
 OCOPY INDD(IN) OUTDD(OUT) TEXT
DECK
	[ "$status" -eq 0 ]
	[ "$(cut -c1-3 root/LINES)" = "$(printf 'one\ntwo')" ]
}

@test "wrong statements of IEBCOPY are told with their line, and nothing is copied" {
	library A.LIB ONE
	for statement in 'COPY OUTDD=OUT' 'COPY OUTDD=OUT,INDD=(IN' 'COPI OUTDD=OUT,INDD=IN' \
		'SELECT MEMBER=ONE' 'COPY OUTDD=OUT,INDD=IN,FROB=YES' 'ALTERMOD OUTDD=OUT' \
		'COPY OUTDD=OUT,INDD=THIS-NAME-IS-TOO-LONG'; do
		rm -rf root/B.LIB
		printf '//C JOB\n//S1 EXEC PGM=IEBCOPY\n//SYSPRINT DD SYSOUT=*\n%s\n%s\n//SYSIN DD *\n* comment\n  %s\n' \
			'//IN DD DSN=A.LIB,DISP=SHR' '//OUT DD DSN=B.LIB,DISP=(NEW,CATLG),DSORG=PO' \
			"$statement" >wrong.jcl
		job <wrong.jcl
		[ "$status" -eq 8 ]
		printed S1 | grep -q 'VIG5650E IEBCOPY: SYSIN line 2: '
		[ -z "$(ls root/B.LIB)" ]
	done
}

@test "IEBCOPY from the shell" {
	mkdir in out
	echo text >in/A
	run "$utilities/iebcopy" --dd IN=in --dd OUT=out <<<' COPY OUTDD=OUT,INDD=IN'
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(cat out/A)" = text ]
	run "$utilities/iebcopy" --dd IN=in <<<' COPY OUTDD=OUT,INDD=IN'
	[ "$status" -eq 8 ]
	case $output in *'VIG5659E IEBCOPY: DD OUT is missing'*) ;; *) false ;; esac
}

@test "a member that cannot be copied leaves the old one as it was" {
	[ "$(id -u)" -ne 0 ] || skip "root may write everywhere"
	mkdir in out
	echo new >in/A
	echo old >out/A
	chmod a-w out
	run "$utilities/iebcopy" --dd IN=in --dd OUT=out <<<' COPY OUTDD=OUT,INDD=((IN,R))'
	chmod u+w out
	[ "$status" -eq 8 ]
	[ "$(cat out/A)" = old ]
	case $output in *VIG5654E*) ;; *) false ;; esac
}

@test "IEBUPDTE adds members with numbers, aliases and JCL in them" {
	job <<'DECK'
//U        JOB
//S1       EXEC PGM=IEBUPDTE,PARM=NEW
//SYSPRINT DD SYSOUT=*
//SYSUT2   DD DSN=U.LIB,DISP=(NEW,CATLG),DSORG=PO,RECFM=FB,LRECL=80
//SYSIN    DD DATA
./ ADD NAME=PROC1,LIST=ALL,LEVEL=01,         a comment
./             SOURCE=0
//PROC1    PROC
//S        EXEC PGM=IEFBR14
./ ALIAS NAME=PROC2
./       ADD   NAME=NUMS =====================================================
./ NUMBER NEW1=10,INCR=5
FIRST
SECOND
./ ENDUP =======================================================================
not read
/*
DECK
	[ "$status" -eq 0 ]
	[ "$(cards root/U.LIB/PROC1)" = "$(printf '//PROC1    PROC\n//S        EXEC PGM=IEFBR14')" ]
	[ "$(readlink root/U.LIB/PROC2)" = PROC1 ]
	[ "$(cards root/U.LIB/NUMS)" = "$(numbered FIRST 00000010; numbered SECOND 00000015)" ]
	printed S1 | grep -q '^IEB817I MEMBER NAME (PROC1) NOT FOUND IN NM DIRECTORY'
	printed S1 | grep -q '^ //PROC1    PROC'
	printed S1 | grep -q '^IEB818I HIGHEST CONDITION CODE WAS 00000000$'
}

# old_member: makes member OLD of U.LIB with cards 10 to 50.
old_member() {
	mkdir -p root/U.LIB
	for n in 10 20 30 40 50; do numbered "card $n" 000000$n; done >root/U.LIB/OLD
}

@test "CHANGE replaces and inserts by sequence number and deletes ranges" {
	old_member
	job <<'DECK'
//U        JOB
//S1       EXEC PGM=IEBUPDTE,PARM=MOD
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=U.LIB,DISP=OLD
//SYSUT2   DD DSN=U.LIB,DISP=OLD
//SYSIN    DD *
./ CHANGE NAME=OLD
between                                                                 00000005
new 20                                                                  00000020
after 20                                                                00000025
./ DELETE SEQ1=00000030,SEQ2=40
at the end                                                              00000060
DECK
	[ "$status" -eq 0 ]
	diff - root/U.LIB/OLD <<EXPECTED
$(numbered between 00000005)
$(numbered 'card 10' 00000010)
$(numbered 'new 20' 00000020)
$(numbered 'after 20' 00000025)
$(numbered 'card 50' 00000050)
$(numbered 'at the end' 00000060)
EXPECTED
	printed S1 | grep -q 'card 20 .*00000020 REPLACED\*'
	printed S1 | grep -q 'new 20 .*00000020 REPLACEMENT\*'
	printed S1 | grep -q 'card 40 .*00000040 DELETED\*'
	[ "$(printed S1 | grep -c 'card 50')" -eq 0 ]
	printed S1 | grep -q '^IEB816I MEMBER NAME (OLD) FOUND IN NM DIRECTORY'
}

@test "sequence numbers with letters, as real decks have them" {
	mkdir -p root/SYS1.HASPSRC
	{ numbered OLD1 C5699000; numbered OLD2 C5700000; } >root/SYS1.HASPSRC/HASPCOMM
	job <<'DECK'
//P03UMODS JOB 1,'P03UMODS HASP 4',MSGLEVEL=(1,1),CLASS=A,MSGCLASS=A
//UMODS   EXEC PGM=IEBUPDTE,PARM=MOD,REGION=96K
//SYSUT1   DD  DISP=OLD,DSN=SYS1.HASPSRC
//SYSUT2   DD  DISP=OLD,DSN=SYS1.HASPSRC
//SYSPRINT DD  SYSOUT=A
//SYSIN    DD  DATA,DLM='??'
./ CHANGE NAME=HASPCOMM ========================================================
         XR    R0,R0               Issue                       @THAS813 C5699020
./ ENDUP =======================================================================
??
DECK
	[ "$status" -eq 0 ]
	[ "$(cut -c73-80 root/SYS1.HASPSRC/HASPCOMM | tr '\n' ' ')" = 'C5699000 C5699020 C5700000 ' ]
}

@test "NUMBER renumbers ranges, and puts cards in without numbers" {
	old_member
	cp root/U.LIB/OLD root/U.LIB/OTHER
	job <<'DECK'
//U        JOB
//S1       EXEC PGM=IEBUPDTE
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=U.LIB,DISP=OLD
//SYSUT2   DD DSN=U.LIB,DISP=OLD
//SYSIN    DD *
./ CHANGE NAME=OLD
./ NUMBER SEQ1=20,NEW1=22,INCR=7,INSERT=YES
one
two
./ CHANGE NAME=OTHER
./ NUMBER SEQ1=ALL,NEW1=100,INCR=100
new 30                                                                  00000030
DECK
	[ "$status" -eq 0 ]
	diff - root/U.LIB/OLD <<EXPECTED
$(numbered 'card 10' 00000010)
$(numbered 'card 20' 00000020)
$(numbered one 00000022)
$(numbered two 00000029)
$(numbered 'card 30' 00000036)
$(numbered 'card 40' 00000043)
$(numbered 'card 50' 00000050)
EXPECTED
	diff - root/U.LIB/OTHER <<EXPECTED
$(numbered 'card 10' 00000100)
$(numbered 'card 20' 00000200)
$(numbered 'new 30' 00000300)
$(numbered 'card 40' 00000400)
$(numbered 'card 50' 00000500)
EXPECTED
}

@test "cards without a number of their own, in place, as a real deck has them" {
	old_member
	job <<'DECK'
//TASK22   JOB (888),'IEBUPDATE',CLASS=A,MSGCLASS=A,MSGLEVEL=(1,1)
//STEP040  EXEC PGM=IEBUPDTE,PARM=MOD
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=U.LIB,DISP=OLD
//SYSIN    DD DATA
./ CHANGE NAME=OLD,UPDATE=INPLACE
./ DELETE SEQ1=00000020,SEQ2=00000020
006NOVIKOV   DEVELOPER 006100
007POPOV     MANAGER   008200
./ ENDUP
/*
DECK
	[ "$status" -eq 0 ]
	diff - root/U.LIB/OLD <<EXPECTED
$(numbered 'card 10' 00000010)
006NOVIKOV   DEVELOPER 006100
007POPOV     MANAGER   008200
$(numbered 'card 30' 00000030)
$(numbered 'card 40' 00000040)
$(numbered 'card 50' 00000050)
EXPECTED
	printed STEP040 | grep -q 'VIG5666I IEBUPDTE: SYSIN line 3: the sequence number is blank'
}

@test "a hundred random changes come out as a plain table of numbers says" {
	cat >changes.py <<'PYTHON'
import os, random, subprocess, sys

random.seed(20261121)
card = lambda text, number: "%-72s%08d" % (text, number)
for case in range(100):
    old = sorted(random.sample(range(1, 400), random.randint(0, 40)))
    table = {n: card("old %d" % n, n) for n in old}
    deck, at = ["./ CHANGE NAME=M"], 0
    for _ in range(random.randint(1, 12)):
        kind = random.choice(("card", "near", "delete"))
        left = [n for n in old if n > at]
        if kind == "delete" and left:
            at = random.choice(left)
            end = at + random.randint(0, 30)
            deck.append("./ DELETE SEQ1=%d,SEQ2=%08d" % (at, end))
            table = {n: t for n, t in table.items() if not at <= n <= end}
            at = end
        else:
            at = random.choice(left) if kind == "near" and left else at + random.randint(1, 40)
            deck.append(card("case %d new %d" % (case, at), at))
            table[at] = deck[-1]
    os.makedirs("lib", exist_ok=True)
    with open("lib/M", "w") as f:
        f.writelines(card("old %d" % n, n) + "\n" for n in old)
    done = subprocess.run([sys.argv[1], "--dd", "SYSUT1=lib", "--dd", "SYSUT2=lib"],
                          input="\n".join(deck) + "\n", text=True, capture_output=True)
    with open("lib/M") as f:
        got = f.read().splitlines()
    if done.returncode != 0 or got != [table[n] for n in sorted(table)]:
        sys.exit("case %d: %d\n%s\n%s" % (case, done.returncode, "\n".join(deck), done.stdout))
PYTHON
	run python3 changes.py "$utilities/iebupdte"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "sequential masters, SEQFLD, COLUMN and MEMBER" {
	mkdir -p root
	printf '%s\n' '001AAAA' '002BBBB' '003CCCC' >root/OLD.MASTER
	job <<'DECK'
//U        JOB
//S1       EXEC PGM=IEBUPDTE
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=OLD.MASTER,DISP=SHR
//SYSUT2   DD DSN=NEW.MASTER,DISP=(NEW,CATLG)
//SYSIN    DD *
./ CHANGE SEQFLD=013,COLUMN=6
002  XX
004DDDD
//S2       EXEC PGM=IEBUPDTE
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=OLD.MASTER,DISP=SHR
//SYSUT2   DD DSN=N.LIB,DISP=(NEW,CATLG),DSORG=PO
//SYSIN    DD *
./ REPRO NEW=PO,MEMBER=COPIED
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/NEW.MASTER)" = "$(printf '001AAAA\n002BBXX\n003CCCC\n004DDDD')" ]
	cmp root/OLD.MASTER root/N.LIB/COPIED
}

@test "a wrong statement gives return code 4, its member stays, the others are done" {
	old_member
	cp root/U.LIB/OLD before
	job <<'DECK'
//U        JOB
//S1       EXEC PGM=IEBUPDTE
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=U.LIB,DISP=OLD
//SYSUT2   DD DSN=U.LIB,DISP=OLD
//SYSIN    DD *
./ CHANGE NAME=OLD
new 20                                                                  00000020
./ DELETE SEQ1=30
./ CHANGE NAME=OLD
./ ADD NAME=OLD
./ CHANGE NAME=OLD
./ DELETE SEQ1=31,SEQ2=39
./ CHANGE NAME=OLD,FROB=1
./ CHANGE NAME=NOPE
./ ADD NAME=GOOD
good
DECK
	[ "$status" -eq 4 ]
	cmp before root/U.LIB/OLD
	[ "$(cat root/U.LIB/GOOD)" = good ]
	[ "$(printed S1 | grep -o 'IEB805I CONTROL STATEMENT ERROR: SYSIN line [0-9]*' |
		grep -o '[0-9]*$' | sort -n | tr '\n' ' ')" = '3 4 5 7 8 9 ' ]
}

@test "new members have the form of the library; a member's permissions stay" {
	mkdir -p root/T.LIB
	printf '#!/bin/sh\n' >root/T.LIB/SCRIPT
	chmod 750 root/T.LIB/SCRIPT
	job <<'DECK'
//U        JOB
//S1       EXEC PGM=IEBUPDTE,PARM=NEW
//SYSPRINT DD SYSOUT=*
//SYSUT2   DD DSN=T.LIB,DISP=OLD,RECFM=FB,LRECL=80
//SYSIN    DD *
./ REPL NAME=SCRIPT
#!/bin/sh
exit 3
./ ADD NAME=TEXT
lines
DECK
	[ "$status" -eq 0 ]
	[ "$(stat -c %a root/T.LIB/SCRIPT)" = 750 ]
	[ "$(cat root/T.LIB/TEXT)" = lines ]
	run root/T.LIB/SCRIPT
	[ "$status" -eq 3 ]
}

@test "IEBUPDTE from the shell, and what it refuses" {
	mkdir out
	run "$utilities/iebupdte" --dd SYSUT2=out NEW <<<'./ ADD NAME=A
text'
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(cat out/A)" = text ]
	run "$utilities/iebupdte" --dd SYSUT2=out NEW <<<'./ CHANGE NAME=A'
	[ "$status" -eq 4 ]
	run "$utilities/iebupdte" --dd SYSUT2=out MOD,MYEXIT </dev/null
	[ "$status" -eq 12 ]
	case $output in *VIG5667S*) ;; *) false ;; esac
	run "$utilities/iebupdte" --dd SYSUT2=out <<<'no statement'
	[ "$status" -eq 4 ]
	case $output in *'IEB805I CONTROL STATEMENT ERROR: SYSIN line 1: '*) ;; *) false ;; esac
}

@test "IEHPROGM scratches and renames data sets and members" {
	library A.LIB ONE TWO THREE
	echo x >root/A.FILE
	echo x >root/B.FILE
	job <<'DECK'
//P        JOB
//S1       EXEC PGM=IEHPROGM
//SYSPRINT DD SYSOUT=*
//DD1      DD UNIT=3390,VOL=SER=111111,DISP=OLD,DSN=A.LIB
//SYSIN    DD *
         SCRATCH DSNAME=A.FILE,VOL=3390=(111111),PURGE
LABEL    SCRATCH MEMBER=ONE,DSNAME=A.LIB,                              X
               VOL=3390=111111
         RENAME DSNAME=A.LIB,VOL=3390=111111,MEMBER=TWO,NEWNAME=DUE
         RENAME DSNAME=B.FILE,VOL=3390=111111,NEWNAME=C.FILE
         UNCATLG DSNAME=C.FILE
DECK
	[ "$status" -eq 0 ]
	[ "$(ls root)" = "$(printf 'A.LIB\nC.FILE')" ]
	[ "$(ls root/A.LIB)" = "$(printf 'DUE\nTHREE')" ]
	job <<'DECK'
//P        JOB
//S1       EXEC PGM=IEHPROGM
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
 SCRATCH DSNAME=NOT.THERE
 SCRATCH VTOC,VOL=3390=111111
 RENAME DSNAME=C.FILE
 SCRATCH DSNAME=C.FILE
DECK
	[ "$status" -eq 8 ]
	[ "$(ls root)" = A.LIB ]
	printed S1 | grep -q 'VIG5672E IEHPROGM: SYSIN line 1: SCRATCH of NOT.THERE was not done'
	printed S1 | grep -q 'VIG5670E IEHPROGM: SYSIN line 2: invalid operand: VTOC'
	printed S1 | grep -q 'VIG5670E IEHPROGM: SYSIN line 3: NEWNAME= is missing'
}

@test "the listing of a utility begins anew in a data set that is there, and goes on with MOD" {
	cat >twice <<'DECK'
//P        JOB
//S1       EXEC PGM=IDCAMS
//SYSPRINT DD DSN=A.LIST,DISP=OLD
//SYSIN    DD *
 SET MAXCC = 0
//S2       EXEC PGM=SORT
//SYSOUT   DD DSN=SORT.LIST,DISP=OLD
//SORTIN   DD *
B
A
//SORTOUT  DD DUMMY
//SYSIN    DD *
 SORT FIELDS=(1,1,CH,A)
//S3       EXEC PGM=IEHPROGM
//SYSPRINT DD DSN=P.LIST,DISP=OLD
//SYSIN    DD *
 SCRATCH DSNAME=NOT.THERE
 SCRATCH DSNAME=NOR.THIS
//S4       EXEC PGM=IKJEFT01,PARM='PROFILE'
//SYSTSPRT DD DSN=T.LIST,DISP=OLD
//SYSTSIN  DD DUMMY
DECK
	for list in A.LIST SORT.LIST P.LIST T.LIST; do
		printf 'left over\n%.0s' {1..500} >root/$list
	done
	job <twice || true
	! grep 'left over' root/*.LIST || return 1
	[ "$(grep -c 'PROCESSING COMPLETE' root/A.LIST)" -eq 1 ]
	grep -q 'ICE052I' root/SORT.LIST
	[ "$(grep -c 'VIG5672E IEHPROGM: ' root/P.LIST)" -eq 2 ]
	[ "$(grep -c 'ENTRY NO[RT].TH[A-Z]* NOT FOUND' root/P.LIST)" -eq 2 ]
	grep -q 'PREFIX' root/T.LIST
	job <twice || true
	[ "$(grep -c 'PROCESSING COMPLETE' root/A.LIST)" -eq 1 ]
	sed 's/DISP=OLD/DISP=MOD/' twice >more
	job <more || true
	[ "$(grep -c 'PROCESSING COMPLETE' root/A.LIST)" -eq 2 ]
	[ "$(grep -c 'VIG5672E IEHPROGM: ' root/P.LIST)" -eq 4 ]
}
