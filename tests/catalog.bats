#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Data sets of jobs: catalogue, mapping file, generation groups, record formats, locks.

load trace
load jobs
load background
load waiting

setup() {
	in_own_folder
	mkdir -p root
}

teardown() {
	background_end
}

# entry NAME LINE...: writes an entry of the catalogue.
entry() {
	mkdir -p root/.vigil/catalog
	local name=$1
	shift
	printf '%s\n' "$@" >"root/.vigil/catalog/$name"
}

# attributes PATH: the stored record attributes of a file, in either of the two locations.
attributes() {
	python3 - "$1" <<'PYTHON'
import os, sys
path = sys.argv[1]
try:
    print(os.getxattr(path, "user.vigil.dcb").decode())
except OSError:
    with open(os.path.join(os.path.dirname(path) or ".", ".vigil/attributes", os.path.basename(path))) as f:
        print(f.read().strip())
PYTHON
}

# held_until_waited_for DSN DD: job FIRST holds a data set until job SECOND, on standard input, reports that it waits
# for DSN; both run to their ends.
held_until_waited_for() {
	local second
	program HOLD <<SH
touch $PWD/held
for _ in \$(seq 600); do [ -e $PWD/go ] && break; sleep 0.05; done
echo first >>$PWD/order
SH
	printf '//FIRST JOB\n//S1 EXEC PGM=HOLD\n//D DD %s\n' "$2" >first.jcl
	cat >second.jcl
	background "$vigil" submit --spool spool --root root --steplib bin first.jcl >first.log 2>&1
	wait_for test -e held
	background "$vigil" submit --spool spool --root root second.jcl >second.log 2>&1
	second=$pid
	wait_for grep -q "VIG5050I job SECOND waits for data set $1," second.log
	touch go
	wait "$second"
	wait
}

# nothing_left FOLDER...: no staging folder is left in them.
nothing_left() {
	local folder
	for folder in "$@"; do
		[ -z "$(ls -d "$folder"/.vigil/JOB* 2>/dev/null)" ] || return 1
	done
}

@test "a mapping file puts data sets elsewhere; they appear whole or not at all" {
	mkdir area
	cat >map <<'MAP'
# where things are
PROD.PAY.MASTER   area/master.dat      # one file
PROD.**           area/{2}/{lower}
MAP
	echo master >area/master.dat
	program COPY <<'SH'
cat $DD_IN >$DD_OUT; ls -A "$(dirname "$VIGIL_MAP")/area/GL"; echo $VIGIL_MAP
SH
	job --map map <<'DECK'
//A        JOB
//S1       EXEC PGM=COPY
//IN       DD DSN=PROD.PAY.MASTER,DISP=SHR
//OUT      DD DSN=PROD.GL.COPY,DISP=(NEW,CATLG)
//HERE     DD DSN=TEST.HERE,DISP=(NEW,CATLG)
//LIB      DD DSN=PROD.LIB.X,DISP=(NEW,CATLG),SPACE=(TRK,(1,1,5))
//STDOUT   DD SYSOUT=*
//S2       EXEC PGM=BPXBATCH,
//             PARM='SH echo more >$DD_OUT; echo m >$DD_MEM'
//OUT      DD DSN=PROD.GL.COPY,DISP=MOD
//MEM      DD DSN=PROD.LIB.X(MEM),DISP=OLD
//S3       EXEC PGM=BPXBATCH,PARM='SH kill -SEGV $$'
//NEW      DD DSN=PROD.GL.NEW,DISP=(NEW,CATLG,DELETE)
//OLD      DD DSN=PROD.PAY.MASTER,DISP=(OLD,DELETE,DELETE)
DECK
	[ "$status" -eq 100 ]
	[ "$(cat area/GL/prod.gl.copy)" = "$(printf 'master\nmore')" ]
	[ "$(cat area/LIB/prod.lib.x/MEM)" = m ]
	[ -e root/TEST.HERE ]
	[ "$(cat "$last/S1.STDOUT")" = "$(printf '.vigil\n%s' "$(realpath map)")" ]
	[ ! -e area/GL/prod.gl.new ]
	[ ! -e area/master.dat ]
	[ "$(find area -name '.vigil*' | wc -l)" = 0 ]
}

@test "VIGIL_MAP names the mapping file; one that is wrong keeps everything from running" {
	echo 'A.B  other/{dsn}' >map
	VIGIL_MAP=map job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DSN=A.B,DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 0 ]
	[ -e other/A.B ]
	[ ! -e root/A.B ]
	echo 'A.*  other/{nonsense}' >map
	job --map map <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 101 ]
	has 'VIG5140E line 1 of the mapping file'
	[ ! -e spool/JOB00002.A ]
	job --map none <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
DECK
	[ "$status" -eq 101 ]
	has 'VIG5140E the mapping file none cannot be used'
}

@test "what a killed job left in a mapped folder is removed by the next one there" {
	mkdir -p area/.vigil/JOB00001.1/X
	echo 'M.*  area/{dsn}' >map
	job --map map <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DSN=M.A,DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 0 ] && [ -e area/M.A ] && [ ! -e area/.vigil ]
}

@test "names and mapped paths stay in their folders; a symbolic link is the data set it leads to" {
	mkdir away && echo far >away/file && ln -s ../away/file root/A.LINK
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH cat $DD_IN; echo more >$DD_MOD'
//IN       DD DSN=A.LINK,DISP=SHR
//MOD      DD DSN=A.LINK,DISP=MOD
//STDOUT   DD SYSOUT=*
//S2       EXEC PGM=IEFBR14
//D        DD DSN=A.LINK,DISP=(OLD,DELETE)
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.STDOUT")" = far ]
	[ "$(cat away/file)" = "$(printf 'far\nmore')" ]
	[ ! -L root/A.LINK ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DSN='A.B(../X)',DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 101 ]
}

@test "aliases, paths and alternate indexes are the data set behind them, also for locks" {
	echo data >root/A.MASTER
	entry A.AIX 'TYPE AIX' 'RELATED A.MASTER' 'OFFSET 2' 'LENGTH 2'
	entry A.PATH 'TYPE PATH' 'RELATED A.AIX'
	entry SHORT 'TYPE ALIAS' 'RELATED A.MASTER'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH cat $DD_P $DD_S'
//P        DD DSN=A.PATH,DISP=SHR
//S        DD DSN=SHORT,DISP=SHR
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.STDOUT")" = "$(printf 'data\ndata')" ]
	held_until_waited_for A.MASTER 'DSN=SHORT,DISP=OLD' <<'DECK'
//SECOND   JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo second >>&SYSDECK/order'
//D        DD DSN=A.MASTER,DISP=SHR
DECK
	[ "$(cat order)" = "$(printf 'first\nsecond')" ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DSN=SHORT,DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 101 ]
	has 'VIG5102E step S1, DD D: data set A.MASTER exists already'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DSN=SHORT,DISP=(OLD,DELETE)
DECK
	[ "$status" -eq 0 ]
	[ -z "$(ls root)" ] && [ -z "$(ls root/.vigil/catalog)" ]
}

@test "generations: (+1), (+2), (0) and (-1) are fixed for the job, and the group has no base" {
	echo one >root/MY.G.G0001V00
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
//             PARM='SH echo two >$DD_ONE; echo three >$DD_TWO'
//ONE      DD DSN=MY.G(+1),DISP=(NEW,CATLG)
//TWO      DD DSN=MY.G(+2),DISP=(NEW,CATLG)
//S2       EXEC PGM=BPXBATCH,
//             PARM='SH cat $DD_ZERO $DD_ONE $DD_TWO; ls &SYSDECK/root'
//ZERO     DD DSN=MY.G(0),DISP=SHR
//ONE      DD DSN=MY.G(+1),DISP=OLD
//TWO      DD DSN=MY.G(+2),DISP=(SHR,KEEP)
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S2.STDOUT")" = "$(printf 'one\ntwo\nthree\nMY.G.G0001V00')" ]
	[ "$(cat root/MY.G.G0002V00 root/MY.G.G0003V00)" = "$(printf 'two\nthree')" ]
	[ "$(grep -c 'VIG5141I generation group MY.G is not defined' "$last/JESYSMSG")" = 1 ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH cat $DD_A $DD_B $DD_ALL'
//A        DD DSN=MY.G(0),DISP=SHR
//B        DD DSN=MY.G(-1),DISP=SHR
//ALL      DD DSN=MY.G,DISP=SHR
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.STDOUT")" = "$(printf 'three\ntwo\nthree\ntwo\none')" ]
	nothing_left root
}

@test "all generations by the base: with those that steps of this job made and kept" {
	echo old >root/MY.G.G0007V00
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo one >$DD_O;echo no >$DD_N'
//O        DD DSN=MY.G(+1),DISP=(NEW,CATLG)
//N        DD DSN=MY.G(+2),DISP=(NEW,DELETE)
//S2       EXEC PGM=BPXBATCH,PARM='SH cat $DD_I;echo two >$DD_O'
//O        DD DSN=MY.G(+2),DISP=(NEW,CATLG)
//I        DD DSN=MY.G,DISP=SHR
//STDOUT   DD SYSOUT=*
//S3       EXEC PGM=BPXBATCH,PARM='SH cat $DD_I'
//I        DD DSN=MY.G,DISP=SHR
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S2.STDOUT")" = "$(printf 'one\nold')" ]
	[ "$(cat "$last/S3.STDOUT")" = "$(printf 'two\none\nold')" ]
	[ "$(cat root/MY.G.G0008V00 root/MY.G.G0009V00)" = "$(printf 'one\ntwo')" ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  DEFINE GDG(NAME(MY.NONE) LIMIT(3))
//S2       EXEC PGM=IEFBR14
//I        DD DSN=MY.NONE,DISP=SHR
DECK
	[ "$status" -eq 101 ]
	[[ $output == *"VIG5101E step S2, DD I: data set MY.NONE does not exist: the generation group has no generations"* ]]
}

@test "generations beyond the limit leave when the job ends" {
	entry G.SCRATCH 'TYPE GDG' 'LIMIT 2' 'SCRATCH YES'
	entry G.KEEP 'TYPE GDG' 'LIMIT 2'
	entry G.EMPTY 'TYPE GDG' 'LIMIT 2' 'SCRATCH YES' 'EMPTY YES'
	for group in SCRATCH KEEP EMPTY; do
		touch root/G.$group.G0001V00 root/G.$group.G0002V00
	done
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//A        DD DSN=G.SCRATCH(+1),DISP=(NEW,CATLG)
//B        DD DSN=G.KEEP(+1),DISP=(NEW,CATLG)
//C        DD DSN=G.EMPTY(+1),DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 0 ]
	[ "$(cd root && echo G.SCRATCH*)" = 'G.SCRATCH.G0002V00 G.SCRATCH.G0003V00' ]
	[ "$(cd root && echo G.KEEP*)" = 'G.KEEP.G0001V00 G.KEEP.G0002V00 G.KEEP.G0003V00' ]
	[ "$(cd root && echo G.EMPTY*)" = 'G.EMPTY.G0003V00' ]
	grep -q 'VIG5143I generation G.SCRATCH.G0001V00 left group G.SCRATCH, which has a limit of 2: deleted' "$last/JESYSMSG"
	grep -q 'VIG5143I generation G.KEEP.G0001V00 left group G.KEEP, which has a limit of 2: kept' "$last/JESYSMSG"
	! grep -q VIG5141I "$last/JESYSMSG" || return 1
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//B        DD DSN=G.KEEP(-2),DISP=SHR
DECK
	[ "$status" -eq 101 ]
	has 'VIG5108E'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//B        DD DSN=G.KEEP.G0001V00,DISP=SHR
//C        DD DSN=G.KEEP(0),DISP=(OLD,UNCATLG)
//S2       EXEC PGM=IEFBR14
//B        DD DSN=G.KEEP,DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 101 ]
	has 'G.KEEP is the base of a generation group; G.KEEP(+1) makes a generation'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo $DD_B'
//B        DD DSN=G.KEEP(0),DISP=SHR
//STDOUT   DD SYSOUT=*
DECK
	grep -q 'G.KEEP.G0002V00$' "$last/S1.STDOUT"
}

@test "an abend: its own new generation goes or stays as its DISP says, earlier ones enter the group" {
	entry MY.G 'TYPE GDG' 'LIMIT 5'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo one >$DD_A'
//A        DD DSN=MY.G(+1),DISP=(NEW,CATLG,DELETE)
//S2       EXEC PGM=BPXBATCH,PARM='SH kill -SEGV $$'
//B        DD DSN=MY.G(+2),DISP=(NEW,CATLG,DELETE)
//C        DD DSN=MY.G(+3),DISP=(NEW,DELETE,CATLG)
DECK
	[ "$status" -eq 100 ]
	[ "$(cd root && echo MY.G*)" = 'MY.G.G0001V00 MY.G.G0003V00' ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//A        DD DSN=MY.G(+1),DISP=(NEW,CATLG)
//B        DD DSN=MY.G(+2),DISP=(NEW,PASS)
//S2       EXEC PGM=IEFBR14
//A        DD DSN=MY.G(+1),DISP=(OLD,DELETE)
DECK
	[ "$status" -eq 0 ]
	[ "$(cd root && echo MY.G*)" = 'MY.G.G0001V00 MY.G.G0003V00' ]
	nothing_left root
}

@test "a job that is killed leaves the group as it was; the next one makes the same number" {
	entry MY.G 'TYPE GDG' 'LIMIT 1' 'SCRATCH YES'
	touch root/MY.G.G0007V00
	cat >killed.jcl <<'DECK'
//K        JOB
//S1       EXEC PGM=IEFBR14
//A        DD DSN=MY.G(+1),DISP=(NEW,CATLG)
//S2       EXEC PGM=BPXBATCH,PARM='SH touch &SYSDECK/here; sleep 20'
DECK
	background "$vigil" submit --spool spool --root root killed.jcl >/dev/null 2>&1
	wait_for test -e here
	kill -9 $pid
	wait $pid || true
	[ "$(cd root && echo MY.G*)" = MY.G.G0007V00 ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo new >$DD_A'
//A        DD DSN=MY.G(+1),DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 0 ]
	[ "$(cd root && echo MY.G*)" = MY.G.G0008V00 ]
	nothing_left root
}

@test "a cancelled job keeps the generations of the steps before; one whose name is taken is not lost" {
	cat >slow.jcl <<'DECK'
//C        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo one >$DD_A'
//A        DD DSN=MY.G(+1),DISP=(NEW,CATLG)
//S2       EXEC PGM=BPXBATCH,PARM='SH touch &SYSDECK/here; sleep 20'
//B        DD DSN=MY.G(+2),DISP=(NEW,CATLG,DELETE)
DECK
	background "$vigil" submit --spool spool --root root slow.jcl >/dev/null 2>&1
	wait_for test -e here
	kill $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 100 ]
	[ "$(cd root && echo MY.G*)" = MY.G.G0001V00 ]
	program TAKE <<'SH'
echo mine >$DD_A; touch "$VIGIL_ROOT/MY.G.G0002V00"
SH
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=TAKE
//A        DD DSN=MY.G(+1),DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 101 ]
	grep -q 'VIG5142E generation MY.G.G0002V00 could not be moved to its name' "$last/JESYSMSG"
	has 'VIG5135W'
	[ "$(cat root/.vigil/JOB*.kept/MY.G.G0002V00)" = mine ]
	job <<'DECK'
//B        JOB
//S1       EXEC PGM=IEFBR14
//A        DD DSN=MY.OTHER,DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/.vigil/JOB*.kept/MY.G.G0002V00)" = mine ] # the next job leaves it
}

@test "jobs that make generations of one base at once make different ones" {
	for i in 1 2 3 4; do
		cat >"g$i.jcl" <<'DECK'
//G        JOB
//S1       EXEC PGM=BPXBATCH,
//             PARM='SH cat $DD_OLD >$DD_NEW; echo x >>$DD_NEW'
//OLD      DD DSN=MY.G(0),DISP=SHR
//NEW      DD DSN=MY.G(+1),DISP=(NEW,CATLG)
//S2       EXEC PGM=BPXBATCH,PARM='SH sleep 0.05'
DECK
	done
	echo x >root/MY.G.G0001V00
	for i in 1 2 3 4; do
		background "$vigil" submit --spool spool --root root "g$i.jcl" >"g$i.log" 2>&1
	done
	wait
	[ "$(cd root && echo MY.G*)" = 'MY.G.G0001V00 MY.G.G0002V00 MY.G.G0003V00 MY.G.G0004V00 MY.G.G0005V00' ]
	[ "$(wc -l <root/MY.G.G0005V00)" = 5 ]
}

@test "generations begin again after 9999, lie where the mapping puts them, and GDGBIAS=STEP counts anew" {
	mkdir area && touch area/w.g9999v00
	echo 'W.* area/{lower}' >map
	job --map map <<'DECK'
//A        JOB GDGBIAS=STEP
//S1       EXEC PGM=BPXBATCH,PARM='SH echo $DD_OLD; echo a >$DD_NEW'
//OLD      DD DSN=W(0),DISP=SHR
//NEW      DD DSN=W(+1),DISP=(NEW,CATLG)
//STDOUT   DD SYSOUT=*
//S2       EXEC PGM=BPXBATCH,PARM='SH cat $DD_OLD; echo b >$DD_NEW'
//OLD      DD DSN=W(0),DISP=SHR
//NEW      DD DSN=W(+1),DISP=(NEW,CATLG)
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	grep -q '/area/w.g9999v00$' "$last/S1.STDOUT"
	[ "$(cat "$last/S2.STDOUT")" = a ]
	[ "$(cat area/w.g0001v00 area/w.g0002v00)" = "$(printf 'a\nb')" ]
}

@test "passed data sets: OLD,PASS and OLD,DELETE of temporary ones, KEEP of a named one" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo 1 >$DD_T; echo n >$DD_N'
//T        DD DSN=&&T,DISP=(,PASS),UNIT=SYSDA,SPACE=(TRK,1)
//N        DD DSN=MY.NAMED,DISP=(,PASS)
//S2       EXEC PGM=BPXBATCH,PARM='SH echo 2 >>$DD_T'
//T        DD DSN=*.S1.T,DISP=(OLD,PASS)
//S3       EXEC PGM=BPXBATCH,PARM='SH cat $DD_T $DD_N'
//T        DD DSN=&&T,DISP=(OLD,DELETE)
//N        DD DSN=MY.NAMED,DISP=(OLD,CATLG)
//STDOUT   DD SYSOUT=*
//S4       EXEC PGM=BPXBATCH,PARM='SH echo $DD_M | grep -c work'
//T        DD DSN=&&T,DISP=(NEW,PASS)
//M        DD DSN=&&M,DISP=(MOD,PASS)
//STDOUT   DD SYSOUT=*
//S5       EXEC PGM=IEFBR14
//X        DD DSN=&&T,DISP=(OLD,DELETE)
//Y        DD DSN=&&GONE,DISP=(OLD,DELETE)
DECK
	[ "$status" -eq 101 ]
	[ "$(cat "$last/S3.STDOUT")" = "$(printf '1\n2\nn')" ]
	[ "$(cat "$last/S4.STDOUT")" = 1 ]
	[ "$(cat root/MY.NAMED)" = n ]
	has 'VIG5101E step S5, DD Y: data set &&GONE does not exist'
}

@test "partitioned data sets: directory blocks, LIBRARY, members new and rewritten, records inherited" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo first >$DD_M'
//M        DD DSN=MY.PDS(ONE),DISP=(NEW,CATLG),SPACE=(TRK,(1,1,2)),
//            RECFM=FB,LRECL=80
//L        DD DSN=MY.LIB,DISP=(NEW,CATLG),DSNTYPE=LIBRARY,
//            LIKE=MY.NONE
//S2       EXEC PGM=BPXBATCH,
//             PARM='SH echo 2 >$DD_N;echo a >$DD_M;echo $VIGIL_DCB_N'
//M        DD DSN=MY.PDS(ONE),DISP=OLD
//N        DD DSN=MY.PDS(TWO),DISP=SHR
//STDOUT   DD SYSOUT=*
//S3       EXEC PGM=BPXBATCH,
//             PARM='SH echo $VIGIL_DCB_P $VIGIL_DCB_S'
//P        DD DSN=MY.PDS2,DISP=(NEW,CATLG),LIKE=MY.PDS
//S        DD DSN=MY.SEQ,DISP=(NEW,CATLG),DSORG=PS,
//            DCB=(MY.PDS,LRECL=100)
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/MY.PDS/ONE root/MY.PDS/TWO)" = "$(printf 'a\n2')" ]
	[ -d root/MY.LIB ]
	[ -d root/MY.PDS2 ]
	[ -f root/MY.SEQ ]
	[ "$(cat "$last/S2.STDOUT")" = FB,80 ]
	[ "$(cat "$last/S3.STDOUT")" = 'FB,80 FB,100' ]
	[ "$(attributes root/MY.PDS)" = 'FB,80,DSORG=PO' ]
	[ "$(attributes root/MY.PDS2)" = 'FB,80,DSORG=PO' ]
	[ "$(attributes root/MY.SEQ)" = 'FB,100' ]
	grep -q 'VIG5146W step S1, DD L: data set MY.NONE does not exist' "$last/JESYSMSG"
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//M        DD DSN=MY.PDS(THREE),DISP=(NEW,CATLG)
DECK
	[ "$status" -eq 101 ]
	has 'VIG5102E step S1, DD M: data set MY.PDS exists already'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//M        DD DSN=MY.SEQ(THREE),DISP=SHR
DECK
	[ "$status" -eq 101 ]
	has 'VIG5104E'
}

@test "RECORG and keys of a new cluster are kept with it" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//K        DD DSN=MY.KSDS,DISP=(NEW,CATLG),RECORG=KS,KEYLEN=8,
//            KEYOFF=4,LRECL=80
DECK
	[ "$status" -eq 0 ]
	[ "$(attributes root/MY.KSDS)" = ',80,DSORG=IS,KEY=8:4' ]
}

@test "a concatenation has records that fit, or is refused" {
	python3 - <<'PYTHON'
import os, struct
def make(name, data, attributes=None):
    with open("root/" + name, "wb") as f: f.write(data)
    if attributes:
        os.makedirs("root/.vigil/attributes", exist_ok=True)
        with open("root/.vigil/attributes/" + name, "w") as f: f.write(attributes + "\n")
make("F80", b"".join(b"%-80d" % n for n in (1, 2)), "FB,80")
make("F80B", b"".join(b"%-80d" % n for n in (3,)), "F,80")
make("F100", b"%-100d" % 4, "FB,100")
make("EMPTY", b"", "FB,100")
make("TEXT", b"five\nsix")
make("LONG", b"x" * 81 + b"\n")
v = lambda *r: b"".join(struct.pack(">HH", len(x), 0) + x for x in r)
make("V", v(b"a", b"bb"), "VB,84")
make("V2", v(b"c" * 90), "VB,104")
PYTHON
	program COPY <<SH
cat \$DD_F >$PWD/f; cat \$DD_T >$PWD/t; cat \$DD_V >$PWD/v
echo \$VIGIL_DCB_F \$VIGIL_DCB_V
SH
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=COPY
//F        DD DSN=TEXT,DISP=SHR
//         DD DSN=F80,DISP=SHR
//         DD DSN=EMPTY,DISP=SHR
//         DD *
seven
/*
//         DD DSN=F80B,DISP=SHR
//T        DD DSN=TEXT,DISP=SHR
//         DD DSN=TEXT,DISP=SHR
//V        DD DSN=V,DISP=SHR
//         DD DSN=V2,DISP=SHR
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.STDOUT")" = 'FB,80 VB,104' ]
	python3 - <<'PYTHON'
want = b"".join(b"%-80s" % x for x in (b"five", b"six", b"1", b"2", b"seven", b"3"))
assert open("f", "rb").read() == want, open("f", "rb").read()
assert open("t").read() == "five\nsix\nfive\nsix", open("t").read()
assert open("v", "rb").read() == open("root/V", "rb").read() + open("root/V2", "rb").read()
PYTHON
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//A        DD DSN=F80,DISP=SHR
//         DD DSN=F100,DISP=SHR
//B        DD DSN=V,DISP=SHR
//         DD DSN=F80,DISP=SHR
//C        DD DSN=TEXT,DISP=SHR
//         DD DSN=V,DISP=SHR
//D        DD DSN=F80,DISP=SHR
//         DD DSN=LONG,DISP=SHR
DECK
	[ "$status" -eq 101 ]
	has 'deck.jcl:4:12: VIG5107E step S1, DD A: the concatenation cannot be put together: F100 has records of 100 bytes, F80 of 80'
	has 'DD B: the concatenation cannot be put together: F80 has fixed records, V has records of RECFM=VB'
	has 'DD C: the concatenation cannot be put together: TEXT has lines, V has records of RECFM=VB'
	has 'DD D: the concatenation cannot be put together: line 1 has 81 characters, the records of the concatenation have 80'
}

@test "RECFM and LRECL: of the DD, else the data set's own, else what the writer made" {
	program WRITER <<'SH'
python3 - "$DD_OUT" <<'PYTHON'
import os, sys
path = sys.argv[1]
with open(path, "w") as f: f.write("%-20s" % "one")
try:
    os.setxattr(path, "user.vigil.dcb", b"FB,20")
except OSError:
    folder = os.path.join(os.path.dirname(path), ".vigil/attributes")
    os.makedirs(folder)
    with open(os.path.join(folder, os.path.basename(path)), "w") as f: f.write("FB,20\n")
PYTHON
SH
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=WRITER
//OUT      DD DSN=MY.COPY,DISP=(NEW,CATLG),BLKSIZE=200
//S2       EXEC PGM=BPXBATCH,
//             PARM='SH echo $VIGIL_DCB_A $VIGIL_DCB_B'
//A        DD DSN=MY.COPY,DISP=SHR
//B        DD DSN=MY.COPY,DISP=SHR,DCB=LRECL=40
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(attributes root/MY.COPY)" = FB,20,BLKSIZE=200 ]
	[ "$(cat "$last/S2.STDOUT")" = 'FB,20,BLKSIZE=200 FB,40,BLKSIZE=200' ]
}

@test "DISP=MOD appends records that fit: lines become fixed ones, unlike ones are refused" {
	python3 - <<'PYTHON'
open("root/TEXT", "w").write("no end")
PYTHON
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH printf %-10s one >$DD_F'
//F        DD DSN=MY.F,DISP=(NEW,CATLG),RECFM=FB,LRECL=10
//V        DD DSN=MY.V,DISP=(NEW,CATLG),RECFM=VB,LRECL=14
//S2       EXEC PGM=BPXBATCH,PARM='SH echo two >$DD_F; echo t >$DD_T'
//F        DD DSN=MY.F,DISP=MOD
//T        DD DSN=TEXT,DISP=MOD
DECK
	[ "$status" -eq 0 ]
	[ "$(cat root/MY.F)" = 'one       two       ' ]
	[ "$(cat root/TEXT)" = 'no endt' ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH printf %20s x >$DD_F'
//F        DD DSN=MY.F,DISP=MOD,LRECL=20
DECK
	[ "$status" -eq 101 ]
	has 'VIG5132E DD F: data set MY.F is unchanged'
	has 'it has RECFM=FB,LRECL=10, and RECFM=FB,LRECL=20 was to be appended'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH echo far too long >$DD_F'
//F        DD DSN=MY.F,DISP=MOD
DECK
	[ "$status" -eq 101 ]
	has 'VIG5132E DD F: data set MY.F is unchanged'
	has 'MY.F has 13 bytes, which is not a multiple of its record length 10'
	[ "$(cat root/MY.F)" = 'one       two       ' ]
	# Records of variable length fit whatever the maximum length is.
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH printf "\0\3\0\0abc" >$DD_V'
//V        DD DSN=MY.V,DISP=MOD,RECFM=VB,LRECL=30
DECK
	[ "$status" -eq 0 ]
	[ "$(stat -c %s root/MY.V)" -eq 7 ]
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//F        DD DSN=MY.F,DISP=(MOD,DELETE),RECFM=FB,LRECL=20
//V        DD DSN=MY.V,DISP=(MOD,DELETE),RECFM=FB,LRECL=80
DECK
	[ "$status" -eq 0 ]
	[ ! -e root/MY.F ] && [ ! -e root/MY.V ]
}

@test "in-stream data is in the form its reader wants, and says so" {
	program LOOK <<'SH'
echo "$VIGIL_DCB_F $VIGIL_DCB_V $VIGIL_DCB_B ($VIGIL_DCB_T)"
for dd in F V B T; do eval "cp \$DD_$dd $TO/$dd"; done
SH
	sed -i "s#\$TO#$PWD#" bin/LOOK
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=LOOK
//F        DD *,RECFM=FB,LRECL=10
one
/*
//V        DD *,RECFM=VB
one
seventeen
/*
//B        DD *,FILEDATA=RECORD
one
/*
//T        DD *
one
/*
//STDOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last"/S1.*)" = 'FB,10 VB,84 FB,80 ()' ]
	python3 - <<'PYTHON'
import struct
v = lambda *r: b"".join(struct.pack(">HH", len(x), 0) + x for x in r)
read = lambda name: open(name, "rb").read()
assert read("F") == b"one       "
assert read("V") == v(b"one", b"seventeen"), read("V")
assert read("B") == b"%-80s" % b"one"
assert read("T") == b"one\n"
PYTHON
}

@test "all generations may be deleted by the name of their base, which stays" {
	entry MY.G 'TYPE GDG' 'LIMIT 3'
	touch root/MY.G.G0001V00 root/MY.G.G0002V00
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//D        DD DSN=MY.G,DISP=(OLD,DELETE)
//S2       EXEC PGM=IEFBR14
//D        DD DSN=MY.G,DISP=SHR
DECK
	[ "$status" -eq 101 ]
	has 'VIG5101E step S2, DD D: data set MY.G does not exist'
	[ -z "$(ls root)" ] && [ -e root/.vigil/catalog/MY.G ]
}

@test "a REPORT into a data set waits for the job that uses it" {
	held_until_waited_for MY.REPORT 'DSN=MY.REPORT,DISP=(NEW,CATLG)' <<'DECK'
//SECOND   JOB
//S1       EXEC PGM=BPXBATCH,PARM='SH true'
//VIGIL    DD *
 ADD *
 REPORT DSNAME=MY.REPORT
/*
DECK
	grep -q '[A-Z]' root/MY.REPORT
}

@test "a utility gets the open lock file of its job, other programs do not" {
	program OTHER <<'SH'
test -z "$VIGIL_LOCKS" && ! ls -l /proc/self/fd | grep -q /.vigil/locks
SH
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=BPXBATCH,
//             PARM='SH readlink /proc/self/fd/$VIGIL_LOCKS'
//D        DD DSN=MY.D,DISP=(NEW,CATLG)
//STDOUT   DD SYSOUT=*
//S2       EXEC PGM=OTHER
//D        DD DSN=MY.D,DISP=SHR
DECK
	[ "$status" -eq 0 ]
	[ "$(cat "$last/S1.STDOUT")" = "$PWD/root/.vigil/locks" ]
}

@test "no room: the new generation is not there, and the group is as it was" {
	entry MY.G 'TYPE GDG' 'LIMIT 1' 'SCRATCH YES'
	echo old >root/MY.G.G0001V00
	program FILL <<'SH'
exec dd if=/dev/zero of=$DD_A bs=1k count=4000
SH
	cat >deck.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=FILL
//A        DD DSN=MY.G(+1),DISP=(NEW,CATLG,DELETE)
DECK
	run bash -c "ulimit -f 1000; exec '$vigil' submit --spool spool --root root --steplib bin deck.jcl"
	echo "$output"
	[ "$status" -eq 100 ]
	[ "$(cd root && echo MY.G*)" = MY.G.G0001V00 ]
	nothing_left root
}

@test "a symbolic link that leads nowhere is no data set to read" {
	mkdir -p root
	ln -s nowhere root/A.LINK
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//IN       DD DSN=A.LINK,DISP=SHR
DECK
	[ "$status" -eq 101 ]
	has 'VIG5106E'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEFBR14
//IN       DD DSN=A.LINK,DISP=(MOD,DELETE)
DECK
	[ "$status" -eq 0 ]
	[ ! -L root/A.LINK ]
}
