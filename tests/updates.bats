#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Indexed files whose update is interrupted: nothing is destroyed silently.

load trace
load jobs
load background
load waiting

setup_file() {
	export COBC=${COBC:-$(command -v cobc)}
	export PROGRAMS=$BATS_FILE_TMPDIR/programs
	mkdir -p "$PROGRAMS"
	[ -n "$COBC" ] || return 0
	cp "$VIGIL_SOURCE/tests/programs/updates.cob" "$VIGIL_SOURCE/tests/programs/ledger.cob" "$PROGRAMS"
	(cd "$PROGRAMS" && "$COBC" -x -o UPDATES updates.cob && "$COBC" -x -debug -o LEDGER ledger.cob)
	DD_KEYED=$PROGRAMS/loaded "$PROGRAMS/UPDATES" LOAD
}

setup() {
	[ -n "$COBC" ] || skip "no cobc"
	[ -e "$VIGIL_BUILD/datasets/.libs/indexed.so" ] || skip "built without GnuCOBOL's library"
	in_own_folder
	# A path that fits on a card, wherever the tests run.
	begun=$(mktemp /tmp/begun.XXXXXX)
	mkdir root
	cp "$PROGRAMS/loaded" root/MY.KEYED
	cp "$PROGRAMS/loaded.1" root/MY.KEYED.1
}

teardown() {
	background_end
	rm -f "$begun"
}

# change [OPERANDS]: a background job that changes MY.KEYED; $submit is its process. Returns when it is in the middle
# of the changes. With DISP=SHR the file is updated in place, else in a copy: $disp.
change() {
	cat >change.jcl <<DECK
//A        JOB
//S1       EXEC PGM=UPDATES,PARM=CHANGE$1
//KEYED    DD DSN=MY.KEYED,DISP=${disp:-SHR}
//SYSERR   DD PATH='$begun',
//             PATHOPTS=(OCREAT,OWRONLY)
DECK
	background "$vigil" submit --spool spool --root root --steplib "$PROGRAMS" change.jcl >changed 2>&1
	submit=$!
	begun
}

# begun: waits until the program is in the middle of its changes.
begun() {
	wait_for grep -q '500 changed' "$begun"
}

# counted: the records of MY.KEYED; a damaged file may lead back to itself.
counted() {
	run env DD_KEYED="$PWD/root/MY.KEYED" timeout 30 "$PROGRAMS/UPDATES" COUNT
	output=$(said <<<"$output")
	echo "$output"
	records=$(sed -n 's/^records 0*\([0-9]*\) status 10$/\1/p' <<<"$output")
	[ -n "$records" ]
}

# is_whole: MY.KEYED is complete, by either key.
is_whole() {
	counted
	[ "$records" -gt 20001 ]
	DD_KEYED=$PWD/root/MY.KEYED "$utilities/idcams" --root root <<<'  VERIFY DATASET(MY.KEYED)' >verified || true
	cat verified
	grep -q 'is intact' verified
}

@test "TIME= ends a step in the middle of an update: its indexed files are closed" {
	change ',TIME=(0,1)'
	wait "$submit" || true
	cat changed
	grep -q 'ABEND S322' changed
	[ ! -e root/.vigil/updated/MY.KEYED ]
	is_whole
}

@test "a cancelled step closes its indexed files, in the step's process and below a shell" {
	change
	kill -INT "$submit"
	wait "$submit" || true
	cat changed
	grep -q 'ABEND S222' changed
	is_whole
	cp "$PROGRAMS/loaded" root/MY.KEYED
	cp "$PROGRAMS/loaded.1" root/MY.KEYED.1
	: >"$begun"
	program BELOW <<<"$PROGRAMS/UPDATES CHANGE; exit \$?"
	sed 's/PGM=UPDATES/PGM=BELOW/' change.jcl >below.jcl
	background "$vigil" submit --spool spool --root root --steplib bin below.jcl >changed 2>&1
	submit=$!
	begun
	kill -INT "$submit"
	wait "$submit" || true
	cat changed
	grep -q 'ABEND S222' changed
	is_whole
}

# restored: MY.KEYED as it was loaded, without a mark.
restored() {
	rm -f root/MY.KEYED*
	cp "$PROGRAMS/loaded" root/MY.KEYED
	cp "$PROGRAMS/loaded.1" root/MY.KEYED.1
	: >"$begun"
}

# killed: MY.KEYED after its writer was killed in the middle of an update.
killed() {
	restored
	change
	kill -KILL "$(pgrep -f "^$PROGRAMS/UPDATES CHANGE")"
	wait "$submit" || true
	cat changed
	grep -q 'ABEND' changed
}

@test "a file whose writer was killed says so: to jobs, to IDCAMS, and VERIFY mends or refuses" {
	killed
	job <<'DECK'
//B        JOB
//S1       EXEC PGM=IEFBR14
//KEYED    DD DSN=MY.KEYED,DISP=SHR
DECK
	has 'VIG5147W step S1, DD KEYED: data set MY.KEYED may be damaged: job A, step S1 ended while it was open for update'
	for verb in 'PRINT INDATASET(MY.KEYED) COUNT(1) CHARACTER' 'REPRO INDATASET(MY.KEYED) OUTFILE(OUT)' \
		'REPRO INFILE(IN) OUTDATASET(MY.KEYED)'; do
		run timeout 30 env DD_OUT="$PWD/out" DD_IN=/dev/null "$utilities/idcams" --root root <<<"  $verb"
		echo "$output"
		[ "$status" -eq 12 ]
		has 'VIG5642S IDCAMS: MY.KEYED may be damaged: job A, step S1 ended'
	done
	# A program gets the file status, whatever it opens the file for; another utility issues a message.
	for verb in COUNT CHANGE; do
		job <<DECK
//C        JOB
//S1       EXEC PGM=UPDATES,PARM=$verb
//KEYED    DD DSN=MY.KEYED,DISP=OLD
DECK
		run cat "$last/S1.SYSOUT"
		echo "$output"
		has 'VIG5148E KEYED is not opened, file status 30: job A, step S1 ended while MY.KEYED was open for update'
		has 'open 30'
	done
	job <<'DECK'
//D        JOB
//S1       EXEC PGM=SORT
//SORTIN   DD DSN=MY.KEYED,DISP=SHR
//SORTOUT  DD DSN=MY.SORTED,DISP=(NEW,CATLG)
//SYSOUT   DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,8,CH,A)
DECK
	[ "$status" -eq 16 ]
	grep 'MY.KEYED may be damaged: job A, step S1 ended' "$last/S1.SYSOUT"
	run timeout 60 "$utilities/idcams" --root root <<<'  VERIFY DATASET(MY.KEYED)'
	echo "$output"
	if [ "$status" -eq 4 ]; then
		has 'VIG5643W IDCAMS: MY.KEYED is repaired'
		counted
		[ "$records" -ge 20001 ]
		run "$utilities/idcams" --root root <<<'  VERIFY DATASET(MY.KEYED)'
		[ "$status" -eq 0 ]
	else
		[ "$status" -eq 12 ]
		has VIG5632S
		has 'is damaged'
	fi
	# A file that lost its mark: REPRO copies each record that was there, or reports the damage. Which of the two
	# it is depends on what the killed program had written.
	killed
	python3 -c 'import os; os.removexattr("root/MY.KEYED", "user.vigil.updated")' || rm root/.vigil/updated/MY.KEYED
	copied
	if [ "$status" -eq 0 ]; then
		records=$(sed -n 's/.*NUMBER OF RECORDS PROCESSED WAS \([0-9]*\).*/\1/p' <<<"$output")
		[ "$records" -ge 20001 ]
	else
		[ "$status" -eq 12 ]
		has 'MY.KEYED is damaged'
		has 'RECORDS PROCESSED WAS 0'
	fi
}

# copied: MY.KEYED copied by REPRO to an indexed file.
copied() {
	cat >copy <<'AMS'
  DEFINE CLUSTER (NAME(MY.COPY) INDEXED KEYS(8 0) RECORDSIZE(100 100))
  REPRO INDATASET(MY.KEYED) OUTDATASET(MY.COPY)
AMS
	run timeout 60 "$utilities/idcams" --root root <copy
	echo "$output"
}

@test "an indexed file whose pages lead back, and that has no mark: REPRO says so and does not go round for ever" {
	change
	kill -INT "$submit"
	wait "$submit" || true
	is_whole
	# What a killed writer leaves when only one of two related pages is written: the last page of records that is
	# followed by another leads back to the first one.
	python3 - root/MY.KEYED <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
size = struct.unpack_from("<I", data, 20)[0]
leaves = {page: struct.unpack_from("<II", data, page * size + 12)
          for page in range(1, len(data) // size) if data[page * size + 25] == 5}
first = next(page for page, (before, _) in leaves.items() if before == 0)
last = next(page for page, (_, after) in leaves.items() if after == 0)
assert len(leaves) > 100
struct.pack_into("<I", data, leaves[last][0] * size + 16, first)
open(sys.argv[1], "r+b").write(data)
PY
	copied
	[ "$status" -eq 12 ]
	has 'MY.KEYED is damaged: its pages do not follow each other (VIG5620S)'
	has 'RECORDS PROCESSED WAS 0'
	run timeout 60 "$utilities/idcams" --root root <<<'  VERIFY DATASET(MY.KEYED)'
	[ "$status" -eq 12 ]
	has VIG5632S
}

@test "an indexed file of which the keys are not known is no file of lines; who is refused it tells VERIFY its keys" {
	for verb in 'VERIFY DATASET(MY.KEYED)' 'PRINT INDATASET(MY.KEYED) COUNT(1)' \
		'REPRO INDATASET(MY.KEYED) OUTDATASET(MY.COPY)'; do
		run "$utilities/idcams" --root root <<<"  $verb"
		echo "$output"
		[ "$status" -eq 12 ]
		has 'is an indexed file, but its keys are not known'
	done
	# Killed together with vigil, which gets no information on the keys any more.
	change
	program=$(pgrep -f "^$PROGRAMS/UPDATES CHANGE")
	kill -KILL "$submit"
	wait "$submit" || true
	for ((i = 0; i < 200; i++)); do
		kill -0 "$program" 2>/dev/null || break
		sleep 0.05
	done
	job change.jcl
	has 'VIG5147W step S1, DD KEYED: data set MY.KEYED may be damaged: job A, step S1 ended'
	run "$utilities/idcams" --root root <<<'  VERIFY DATASET(MY.KEYED)'
	echo "$output"
	hasnt 'keys are not known'
	has 'MY.KEYED'
	[[ $output == *VIG5643W* || $output == *'is damaged'* ]]
}

@test "no mark stays where a program closed its file, or ended without CLOSE" {
	change
	kill -INT "$submit"
	wait "$submit" || true
	grep -q 'ABEND S222' changed
	job <<'DECK'
//B        JOB
//S1       EXEC PGM=UPDATES,PARM=LOAD
//KEYED    DD DSN=MY.KEYED,DISP=OLD
//S2       EXEC PGM=UPDATES,PARM=COUNT
//KEYED    DD DSN=MY.KEYED,DISP=SHR
DECK
	[ "$status" -eq 0 ]
	hasnt VIG5147
	[ ! -e root/.vigil/updated/MY.KEYED ]
}

@test "what a killed OPEN OUTPUT left does not hang the next one" {
	echo left >root/__db.MY.NEW
	echo left >root/__db.MY.KEYED.1
	run timeout 30 "$utilities/idcams" --root root <<<'  DEFINE CLUSTER (NAME(MY.NEW) INDEXED KEYS(8 0) RECORDSIZE(100 100))'
	echo "$output"
	[ "$status" -eq 0 ]
	cat >load.jcl <<'DECK'
//B        JOB
//S1       EXEC PGM=UPDATES,PARM=LOAD
//KEYED    DD DSN=MY.KEYED,DISP=OLD
DECK
	run timeout 30 "$vigil" submit --spool spool --root root --steplib "$PROGRAMS" load.jcl
	[ "$status" -eq 0 ]
	counted
	[ "$records" -eq 20001 ]
	! ls root/__db.*
}

@test "a fault in the middle of an update ends the step, which does not wait for ever" {
	for _ in 1 2 3 4 5 6; do
		restored
		change
		kill -SEGV "$(pgrep -f "^$PROGRAMS/UPDATES CHANGE")"
		for ((i = 0; i < 100; i++)); do
			kill -0 "$submit" 2>/dev/null || break
			sleep 0.1
		done
		cat changed
		[ "$i" -lt 100 ] || { kill -INT "$submit"; return 1; }
		grep -q 'ABEND S0C4' changed
	done
}

@test "the profile charges verbs to the program's statements, not to what vigil puts before them" {
	cp "$VIGIL_SOURCE/tests/programs/updates.cob" .
	"$COBC" -x -g -o bin/UPDATES updates.cob
	cat >measured.jcl <<'DECK'
//A        JOB
//S1       EXEC PGM=UPDATES,PARM=CHANGE,TIME=(0,1)
//KEYED    DD DSN=MY.KEYED,DISP=OLD
//VIGIL    DD *
  ADD A,STEP=S1
/*
DECK
	run "$vigil" submit --spool spool --root root --steplib bin measured.jcl
	[ "$status" -eq 100 ]
	"$vigil" report -f csv -r MSD,PSU,MEP spool/JOB*/S1.vprf >profile.csv
	grep -q 'CHANGE-ALL' profile.csv
	run grep -E 'cobol-ending|,cob_(re)?write,|,cob_read' profile.csv
	echo "$output"
	[ -z "$(grep -v '\.SYSTEM' <<<"$output")" ]
}

# sums: checksums of MY.KEYED and the file of its alternate key.
sums() {
	(cd root && md5sum MY.KEYED MY.KEYED.1)
}

# nothing_left: next to the data sets there is no trace of a step that worked on a copy.
nothing_left() {
	find root >left
	! grep -E 'JOB|update\.|replacing|__db' left || { cat left; return 1; }
}

@test "a step's update of an indexed file appears whole, or not at all when the step is killed, times out or is cancelled" {
	sums >before
	disp=OLD
	for end in KILL TIME INT VIGIL; do
		: >"$begun"
		if [ $end = TIME ]; then change ',TIME=(0,1)'; else change; fi
		case $end in
		KILL) kill -KILL "$(pgrep -f "^$PROGRAMS/UPDATES CHANGE")" ;;
		INT) kill -INT "$submit" ;;
		VIGIL) kill -KILL "$submit" ;;
		esac
		wait "$submit" || true
		cat changed
		[ $end = VIGIL ] || grep -q 'VIG5137W DD KEYED: data set MY.KEYED is unchanged by the step: ' changed
		sums >after
		diff before after
	done
	job <<'DECK'
//B        JOB
//S1       EXEC PGM=UPDATES,PARM=COUNT
//KEYED    DD DSN=MY.KEYED,DISP=SHR
DECK
	hasnt VIG5147
	grep -q 'records 0000020001 status 10' "$last/S1.SYSOUT"
	nothing_left
}

@test "an update counts when the program closed the file, whatever comes then, and not when it abends before" {
	sums >before
	for verb in ABEND DATA; do
		job <<DECK
//A        JOB
//S1       EXEC PGM=LEDGER,PARM=$verb
//KEYED    DD DSN=MY.KEYED,DISP=(OLD,KEEP,KEEP)
DECK
		has 'VIG5137W DD KEYED: data set MY.KEYED is unchanged by the step: a program abended before it closed it'
		sums >after
		diff before after
	done
	# The terminal monitor continues after an abend, and the step has a code: the update does not count either.
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IKJEFT01
//KEYED    DD DSN=MY.KEYED,DISP=OLD
//SYSTSPRT DD SYSOUT=*
//SYSTSIN  DD *
  CALL *(LEDGER) 'DATA'
DECK
	[ "$status" -eq 12 ]
	has 'is unchanged by the step: a program abended before it closed it'
	sums >after
	diff before after
	for verb in CLOSED CODE OPEN; do
		restored
		chmod 640 root/MY.KEYED
		job <<DECK
//A        JOB
//S1       EXEC PGM=LEDGER,PARM=$verb
//KEYED    DD DSN=MY.KEYED,DISP=(OLD,KEEP,KEEP)
//OTHER    DD DSN=MY.KEYED,DISP=SHR
DECK
		hasnt VIG5137
		case $verb in
		CLOSED) has 'ABEND U0012' ;;
		CODE) [ "$status" -eq 8 ] ;;
		OPEN) [ "$status" -eq 0 ] ;;
		esac
		grep 'VIG5113I step S1: data set MY.KEYED is updated in a copy' "$last/JESYSMSG"
		counted
		[ "$records" -eq 20002 ]
		is_whole_by_both
		[ "$(stat -c %a root/MY.KEYED)" = 640 ]
	done
	nothing_left
}

# is_whole_by_both: MY.KEYED has the same records by each of its keys.
is_whole_by_both() {
	"$utilities/idcams" --root root <<<'  VERIFY DATASET(MY.KEYED)' >verified
	grep -q 'is intact: 20002 records' verified
}

@test "a step that reads, deletes or loads an indexed file with DISP=OLD does so; its copy says nothing" {
	chmod 600 root/MY.KEYED root/MY.KEYED.1
	program MODES <<<"cd $PWD; stat -c %a root/MY.KEYED root/MY.KEYED.1 | xargs >modes"
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=UPDATES,PARM=COUNT
//KEYED    DD DSN=MY.KEYED,DISP=OLD
//S2       EXEC PGM=UPDATES,PARM=LOAD
//KEYED    DD DSN=MY.KEYED,DISP=MOD
//MODES    EXEC PGM=MODES
//S3       EXEC PGM=UPDATES,PARM=COUNT
//KEYED    DD DSN=MY.KEYED,DISP=(OLD,DELETE,KEEP)
DECK
	[ "$status" -eq 0 ]
	hasnt VIG5137
	grep -q 'records 0000020001 status 10' "$last/S1.SYSOUT"
	grep -q 'records 0000020001 status 10' "$last/S3.SYSOUT"
	# The load recreated the files, with the permissions that they had.
	[ "$(cat modes)" = '600 600' ]
	[ ! -e root/MY.KEYED ]
	[ ! -e root/MY.KEYED.1 ]
	nothing_left
}

@test "a new load that is killed leaves the file before it; one with fewer keys takes the others' files away" {
	sums >before
	cp root/MY.KEYED.1 root/MY.KEYED.2
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=LEDGER,PARM=LOADING
//KEYED    DD DSN=MY.KEYED,DISP=OLD
DECK
	has 'VIG5137W DD KEYED: data set MY.KEYED is unchanged by the step: job A, step S1 ended while it was open for update'
	sums >after
	diff before after
	program FEWER <<<'rm "$DD_KEYED.1" "$DD_KEYED.2"; echo >>"$DD_KEYED"'
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=FEWER
//KEYED    DD DSN=MY.KEYED,DISP=OLD
DECK
	[ "$status" -eq 0 ]
	[ ! -e root/MY.KEYED.1 ]
	[ ! -e root/MY.KEYED.2 ]
	nothing_left
}

@test "what cannot be copied is updated in place: too large, hard links, no room for staging" {
	deck='//A        JOB
//S1       EXEC PGM=LEDGER,PARM=CODE
//KEYED    DD DSN=MY.KEYED,DISP=OLD'
	cat >one.jcl <<<"$deck"
	job --copy 1 one.jcl
	[ "$status" -eq 8 ]
	grep 'VIG5112I step S1, DD KEYED: data set MY.KEYED is updated in place: it has 3.1 MB, 1.0 MB may be copied' "$last/JESYSMSG" ||
		grep VIG5113I "$last/JESYSMSG" # files share blocks here
	ln root/MY.KEYED root/MY.LINKED
	sed -i s/CODE/COUNT/ one.jcl
	job one.jcl
	grep 'VIG5112I step S1, DD KEYED: data set MY.KEYED is updated in place: .*/MY.KEYED has 2 names' "$last/JESYSMSG"
	VIGIL_COPY=some run "$vigil" submit one.jcl
	[ "$status" -eq 2 ]
	has 'VIGIL_COPY some is not a number of megabytes'
	counted
	[ "$records" -eq 20002 ]
}

@test "a replacement that was cut off between two files is finished by the next who looks" {
	for next in submit idcams; do
		rm -rf root/.vigil root/MY.KEYED*
		mkdir -p root/.vigil/replacing/MY.KEYED
		cp "$PROGRAMS/loaded" root/.vigil/replacing/MY.KEYED/MY.KEYED
		cp "$PROGRAMS/loaded.1" root/MY.KEYED.1
		echo damaged >root/MY.KEYED
		echo surplus >root/MY.KEYED.2
		echo '2 3' >root/.vigil/replacing/MY.KEYED/.files
		if [ $next = submit ]; then
			job <<'DECK'
//A        JOB
//S1       EXEC PGM=UPDATES,PARM=COUNT
//KEYED    DD DSN=MY.KEYED,DISP=SHR
DECK
			grep -q 'records 0000020001 status 10' "$last/S1.SYSOUT"
		fi
		[ $next = submit ] || "$utilities/idcams" --root root <<<'  LISTCAT'
		cmp "$PROGRAMS/loaded" root/MY.KEYED
		cmp "$PROGRAMS/loaded.1" root/MY.KEYED.1
		[ ! -e root/MY.KEYED.2 ]
		nothing_left
	done
}
