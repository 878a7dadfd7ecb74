#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Indexed files whose update does not come to its end: nothing is destroyed without a word.

load jobs

setup_file() {
	export COBC=${COBC:-$(command -v cobc)}
	export PROGRAMS=$BATS_FILE_TMPDIR/programs
	mkdir -p "$PROGRAMS"
	[ -n "$COBC" ] || return 0
	cp "$VIGIL_SOURCE/tests/programs/updates.cob" "$PROGRAMS"
	(cd "$PROGRAMS" && "$COBC" -x -o UPDATES updates.cob)
	DD_KEYED=$PROGRAMS/loaded "$PROGRAMS/UPDATES" LOAD
}

setup() {
	[ -n "$COBC" ] || skip "no cobc"
	[ -e "$VIGIL_BUILD/session/datasets/.libs/indexed.so" ] || skip "built without GnuCOBOL's library"
	in_own_folder
	# A path that fits a card, wherever the tests run.
	begun=$(mktemp /tmp/begun.XXXXXX)
	mkdir root
	cp "$PROGRAMS/loaded" root/MY.KEYED
	cp "$PROGRAMS/loaded.1" root/MY.KEYED.1
}

teardown() {
	rm -f "$begun"
}

# change [OPERANDS]: a job, in the background, that changes MY.KEYED; $submit is its process. Returns when it has begun.
change() {
	cat >change.jcl <<DECK
//A        JOB
//S1       EXEC PGM=UPDATES,PARM=CHANGE$1
//KEYED    DD DSN=MY.KEYED,DISP=OLD
//SYSERR   DD PATH='$begun',
//             PATHOPTS=(OCREAT,OWRONLY)
DECK
	"$vigil" submit --spool spool --root root --steplib "$PROGRAMS" change.jcl >changed 2>&1 3>&- &
	submit=$!
	for ((i = 0; i < 200; i++)); do
		grep -q 'open 00' "$begun" 2>/dev/null && break
		sleep 0.05
	done
	sleep 0.3
}

# counted: the records of MY.KEYED; a damaged file may lead back to itself.
counted() {
	run env DD_KEYED="$PWD/root/MY.KEYED" timeout 30 "$PROGRAMS/UPDATES" COUNT
	output=$(said <<<"$output")
	echo "$output"
	records=$(sed -n 's/^records 0*\([0-9]*\) status 10$/\1/p' <<<"$output")
	[ -n "$records" ]
}

# is_whole: nothing is missing in MY.KEYED, by either key.
is_whole() {
	counted
	[ "$records" -gt 20001 ]
	DD_KEYED=$PWD/root/MY.KEYED "$utilities/idcams" --root root <<<'  VERIFY DATASET(MY.KEYED)' >verified || true
	cat verified
	grep -q 'is whole' verified
}

@test "TIME= ends a step in the middle of an update: its indexed files are closed" {
	change ',TIME=(0,1)'
	wait "$submit" || true
	cat changed
	grep -q 'ABEND S322' changed
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
	"$vigil" submit --spool spool --root root --steplib bin below.jcl >changed 2>&1 3>&- &
	submit=$!
	sleep 1
	kill -INT "$submit"
	wait "$submit" || true
	cat changed
	grep -q 'ABEND S222' changed
	is_whole
}

# killed: MY.KEYED after its writer was killed in the middle of an update.
killed() {
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
	run timeout 30 "$utilities/idcams" --root root <<<'  PRINT INDATASET(MY.KEYED) COUNT(1) CHARACTER'
	[ "$status" -ge 4 ]
	has 'VIG5642W IDCAMS: MY.KEYED may be damaged: job A, step S1 ended'
	run timeout 60 "$utilities/idcams" --root root <<<'  VERIFY DATASET(MY.KEYED)'
	echo "$output"
	if [ "$status" -eq 4 ]; then
		has 'VIG5643W IDCAMS: MY.KEYED is mended'
		counted
		[ "$records" -ge 20001 ]
		run "$utilities/idcams" --root root <<<'  VERIFY DATASET(MY.KEYED)'
		[ "$status" -eq 0 ]
	else
		[ "$status" -eq 12 ]
		has VIG5632S
		has 'is damaged'
	fi
	# REPRO never goes round for ever, and never says 0.
	killed
	cat >copy <<'AMS'
  DEFINE CLUSTER (NAME(MY.COPY) INDEXED KEYS(8 0) RECORDSIZE(100 100))
  REPRO INDATASET(MY.KEYED) OUTDATASET(MY.COPY)
AMS
	run timeout 60 "$utilities/idcams" --root root <copy
	[ "$status" -ge 4 ] && [ "$status" -le 12 ]
}

@test "no mark stays where a program closed its file, or ended without CLOSE" {
	change ',TIME=(0,1)'
	wait "$submit" || true
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
		: >"$begun"
		cp "$PROGRAMS/loaded" root/MY.KEYED
		cp "$PROGRAMS/loaded.1" root/MY.KEYED.1
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
//S1       EXEC PGM=UPDATES,PARM=CHANGE,TIME=(0,2)
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
