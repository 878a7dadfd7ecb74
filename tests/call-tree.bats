# SPDX-License-Identifier: Apache-2.0
# bats file_tags=exact
# End to end: call trees of programs whose calls are known.
#
# The model of the live tests is near() in profile.py: each of n samples falls into a branch of the tree with the
# probability that the program itself produces by its CPU clock; the bound is 4.9 standard deviations.

bats_require_minimum_version 1.5.0
load trace
load live

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK"
	gcc -g -O2 -fno-omit-frame-pointer -pthread -o call-tree "$VIGIL_SOURCE/tests/programs/call-tree.c"
	measured "$WORK/tree.vprf" "$(naps_of '') >= 30 and $(naps_of 'rest morning') > 0 and $(naps_of 'rest evening') > 0" ./call-tree 1200
	if [ -n "$COBC" ] && command -v "$COBC"; then
		"$COBC" -x -g -std=ibm -o CALLTREE "$VIGIL_SOURCE/tests/programs/CALLTREE.cob"
		measured "$WORK/cobol.vprf" "sum(row['waits'] for row in rows('WTM', 'reasons') if row['reason'] == 'SLEEP') >= 30 and $cobol_rests >= 30" ./CALLTREE
	fi
}

cobol_rests="sum(r['cumulative_waits'] for r in rows('CTR', 'calls') if r['path'].endswith(';CALLTREE;REST-A-WHILE') and r['cumulative_waits'] >= 30)"

# naps_of NAMES: an expression for the sleeps in nap() that ACW lists with these callers; what delayed one is a
# separate row of it. Without privileges the places of short waits are inferred from looks at some of them.
naps_of() {
	echo "sum(row['waits'] for row in rows('ACW', 'callers') if row['reason'] == 'SLEEP' and row.get('procedure') == 'nap' and all(name in row['invokers'] for name in '$1'.split()))"
}

# measured FILE EXPRESSION COMMAND...: measures until the expression holds, at most five times: on a busy machine
# looks are too late for short waits. If they are never looked at, it never holds.
measured() {
	local data=$1 wanted=$2
	shift 2
	for _ in 1 2 3 4 5; do
		"$VIGIL_BUILD/vigil" run -q -o "$data" -- "$@"
		if python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$wanted"; then return 0; fi
	done
	echo "never: $wanted"
	return 1
}

setup() {
	cd "$WORK"
	vigil=$VIGIL_BUILD/vigil
}

needs_cobol() {
	[ -e cobol.vprf ] || skip "cobc is not installed"
}

# Measures tree.vprf again until near() can judge it.
valid_tree() {
	data=$PWD/tree.vprf
	valid "$vigil" run -q -o "$data" -- ./call-tree 1200
}

holds() {
	local data=$1
	shift
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@"
}

# Whether the kernel reported the place of each wait; without privileges the places of short waits are estimates.
exact() {
	"$vigil" report -f json -r MSD "$1" | grep -q '"privilege":"FULL"'
}

# below NAME...: an expression for the rows of the call tree whose path ends with these names, below main.
below() {
	local IFS=';'
	echo "[r for r in rows('CTR', 'calls') if r['path'].endswith('main;$*')]"
}

# samples NAME..., waits NAME...: cumulative, of a path below main.
samples() {
	echo "sum(r['cumulative_samples'] for r in $(below "$@"))"
}

waits() {
	echo "sum(r['cumulative_waits'] for r in $(below "$@"))"
}

# 1200 samples.
# bats test_tags=live
@test "callers have the shares of what they called" {
	holds tree.vprf 'void() == ""' || valid_tree
	holds tree.vprf "near($(samples heavy), 50)" "near($(samples heavy common), 50)" \
		"near($(samples heavy common burn), 50)" "near($(samples light), 20)" \
		"near($(samples light common burn), 20)" "near($(samples descend), 30)" "near($(samples descend burn), 30)" 'ties() == ""'
}

@test "a procedure that calls itself is one row, and counts once" {
	holds tree.vprf "$(samples descend) > 0" "$(samples descend burn) > 0" \
		"[r['kind'] for r in $(below descend)] == ['recursive']" "$(below descend descend) == []"
}

# The lengths of all waits are the kernel's. Which of them were at which place is a sample of looks, and the row
# prints its margin, 1.96 standard deviations: one sum in 3 million is below the true value by 2.5 margins. A wait
# that was not seen by any look has no place.
# bats test_tags=live
@test "waits stand at the chain that waited" {
	# On a fully loaded machine looks are too late for a third of the waits: then nothing can be judged.
	for _ in 1 2 3; do
		if holds tree.vprf "waited('UNKNOWN') < 60e6"; then break; fi
		valid_tree
	done
	holds tree.vprf "sum(r['cumulative_wait_total_ns'] + 2.5 * r['cumulative_wait_margin_ns'] for r in $(below morning)) + waited('UNKNOWN') >= 120e6" \
		"sum(r['cumulative_wait_total_ns'] + 2.5 * r['cumulative_wait_margin_ns'] for r in $(below evening)) + waited('UNKNOWN') >= 180e6" \
		"waited('UNKNOWN') < 60e6" "$(waits morning rest nap) > 0" "$(waits evening rest nap) > 0" "sum(r['waits'] for r in $(below morning)) == 0"
	exact tree.vprf || return 0
	# A sleep may be followed by a run-queue wait.
	holds tree.vprf "40 <= $(waits morning rest nap) <= 80" "20 <= $(waits evening rest nap) <= 40" \
		"10 <= $(waits nap) <= 20" \
		"sum(r['cumulative_wait_total_ns'] for r in $(below morning)) >= 120e6" \
		"sum(r['cumulative_wait_total_ns'] for r in $(below evening)) >= 180e6" \
		"sum(r['waits'] for r in $(below morning)) == 0"
}

@test "the tree is the one that the records make, folded by another reader" {
	python3 "$VIGIL_SOURCE/tests/call-tree.py" tree.vprf
}

@test "the tree of a Python program is the one that its records make, with its functions as callers" {
	command -v python3 || skip "python3 is not installed"
	"$vigil" run -q -o python.vprf -- python3 "$VIGIL_SOURCE/tests/programs/shares.py" 1
	python3 "$VIGIL_SOURCE/tests/call-tree.py" python.vprf
	holds python.vprf "[r for r in rows('CTR', 'calls') if r['path'].endswith(';small;third')]"
	"$vigil" report --native -f json -r CTR --all python.vprf >native.json
	grep -q '"procedure":"_PyEval_EvalFrameDefault' native.json || grep -q '"procedure":"+' native.json
	! grep -q '"path":"[^"]*;small;third"' native.json || return 1
}

# 1000 CPU samples, without those that the collector did not answer. Of these functions it has the places of all but
# what Python does between them and before it executes the program.
# bats test_tags=slow
@test "the functions of a Python program have their shares as callers" {
	command -v python3 || skip "python3 is not installed"
	data=$PWD/python-live.vprf
	valid "$vigil" run -q -o "$data" -- python3 "$VIGIL_SOURCE/tests/programs/shares.py" 1
	holds "$data" "near(sum(r['cumulative_samples'] for r in rows('CTR', 'calls') if r['path'].endswith(';small;third')), 30, None, silent())" \
		"least(fact('samples_in_reports') - sum(r['cumulative_samples'] for r in rows('CTR', 'calls') if r['procedure'] == '_PyEval_EvalFrameDefault'), 95, None, silent())"
}

@test "the tree of a COBOL program has its paragraphs, and the program that it called" {
	needs_cobol
	python3 "$VIGIL_SOURCE/tests/call-tree.py" cobol.vprf
	# Nothing else is computed: the rest is the start of the program.
	holds cobol.vprf "sum(r['cumulative_samples'] for r in rows('CTR', 'calls') if r['path'].endswith(';CALCULATE;CALLTRE2;ADD-UP')) > 0" \
		"$cobol_rests >= 30"
}

# Two samples, each with its deviation (call-tree.py --perf): 1200 from vigil, 500 from perf.
# bats test_tags=slow
@test "perf finds the same shares of the same program" {
	command -v perf || skip "perf is not installed"
	perf record -q -F 499 --call-graph fp -o perf.data ./call-tree 1000 || skip "perf cannot record here"
	perf script -i perf.data >perf.txt 2>/dev/null
	python3 "$VIGIL_SOURCE/tests/call-tree.py" --perf tree.vprf perf.txt heavy light common burn descend main
}

@test "a listing folds what is below the baseline, and says how much that is" {
	"$vigil" report -l 0 -r CTR tree.vprf >listing
	grep -E '^ +[0-9]+ +heavy ' listing
	grep -E '^ +[0-9]+ +descend \(recursive\)' listing
	grep -E '\.OTHER \([0-9]+\)' listing
	"$vigil" report -l 0 -r CTR --baseline 60 tree.vprf >high
	! grep -E '^ +[0-9]+ +heavy ' high || return 1
	"$vigil" report -l 0 -r CTR --all tree.vprf >all
	! grep -q '\.OTHER' all || return 1
}

@test "each thread and each transaction has its tree on request" {
	gcc -g -O2 -pthread -o tasks "$VIGIL_SOURCE/tests/programs/tasks.c"
	"$vigil" run -q -o threads.vprf -- ./tasks threads 5 60
	python3 "$VIGIL_SOURCE/tests/call-tree.py" threads.vprf
	"$vigil" report -l 0 -r CTR --by thread threads.vprf >listing
	grep -q 'ALL THREADS' listing
	grep -q '^THREAD ' listing
	"$vigil" report -l 0 -r CTR --by transaction threads.vprf | grep -q 'ALL TRANSACTIONS'
	run -2 "$vigil" report -r CTR --by task threads.vprf
	[[ $output == *"--by takes thread or transaction, not 'task'"* ]]
	echo "REPORT INPUT='$PWD/threads.vprf',REPORTS=CTR,BY=THREAD,LINES=0,DSNAME='$PWD/printed'" >cards
	"$vigil" control cards
	diff listing printed
}

@test "one procedure is shown from all sides" {
	"$vigil" report --procedure nap -f json tree.vprf >nap.json
	python3 - nap.json "$VIGIL_SOURCE/tests/programs/call-tree.c" "$(exact tree.vprf && echo exact)" <<-'END'
		import json, sys
		[report] = json.load(open(sys.argv[1]))["reports"]
		assert report["code"] == "PRC"
		tables = {table["table"]: table["rows"] for table in report["tables"]}
		callers = {row["procedure"]: row["wait_total_ns"] for row in tables["callers"]}
		assert callers["rest"] > 0 and callers["rest"] + callers.get("main", 0) == callers["TOTALS"], callers
		if sys.argv[3]:
		    # The clock of a nap runs before the task is off the processor.
		    assert callers["rest"] >= 0.9 * 300e6 and callers["main"] >= 0.9 * 30e6, callers
		reasons = {row["reason"]: row["waits"] for row in tables["waits"]}
		assert reasons["SLEEP"] == 70 or not sys.argv[3], reasons
		lines = open(sys.argv[2]).read().splitlines()
		sleep = [number for number, text in enumerate(lines, 1) if "nanosleep(&" in text][0]
		assert [row["line"] for row in tables["statements"] if row["waits"] >= 30 and row["row"] == "detail"] == [sleep], tables["statements"]
		source = {row["line"]: row for row in tables["source"] if row.get("line")}
		assert source[sleep]["waits"] >= 30
		for number, row in source.items():
		    assert row["text"] == lines[number - 1], row
		assert "nap(unsigned ms)" in source[sleep - 4]["text"]
	END
	"$vigil" report --procedure burn -f csv tree.vprf >burn.csv
	grep -q '^PRC,callers,detail,.*descend' burn.csv
	"$vigil" report --procedure burn tree.vprf >listing
	grep -q '\*\* PROCEDURE \*\*' listing
	! grep -q '#MSD' listing || return 1
	"$vigil" report --procedure burn -r MSD,PRC tree.vprf | grep -q '#MSD'
	"$vigil" report --procedure call-tree.c:burnn tree.vprf | grep 'VIG6641W .*did you mean burn?'
	run -4 --separate-stderr "$vigil" report --procedure burnn tree.vprf
	[[ $stderr == "vigil: VIG6641W no recorded procedure is called burnn; did you mean burn?" ]]
	echo "REPORT INPUT='$PWD/tree.vprf',PROCEDURE='burn',DSNAME='$PWD/printed'" >cards
	"$vigil" control cards
	diff listing printed
}

@test "a source that is not there is said, and the lines that were measured are shown" {
	cp "$VIGIL_SOURCE/tests/programs/call-tree.c" gone.c
	gcc -g -O2 -o gone gone.c
	measured "$PWD/gone.vprf" "$(naps_of '') > 0" ./gone 200
	rm gone.c
	"$vigil" report -l 0 --procedure nap gone.vprf >listing
	grep 'VIG6643I .*gone.c cannot be read' listing
	[ "$(grep -c 'nanosleep(&time, NULL);' listing)" -eq 2 ]
	echo 'changed' >gone.c
	"$vigil" report -l 0 --procedure nap gone.vprf | grep 'VIG6507W .*gone.c was changed'
}

# callers FILE: what ACW reports on sleeps, one line each: procedure, source, waits, callers.
callers() {
	"$vigil" report -f json --all -r ACW "$1" | python3 -c '
import json, re, sys
for table in json.load(sys.stdin)["reports"][0]["tables"]:
    for row in table["rows"]:
        if table["table"] == "callers" and row["row"] == "detail" and table["context"]["reason"] == "SLEEP":
            chain = re.sub(r" \d+(?= <|$)", "", row["invokers"]).replace(" < _start", "")
            print(row["procedure"], row["section"], row["waits"], chain, sep=" | ")' | sort
}

@test "ACW names who called a helper that several wait in" {
	cat >expected <<-'END'
		nap | call-tree.c | 10 | main
		nap | call-tree.c | 20 | rest < evening < main
		nap | call-tree.c | 40 | rest < morning < main
	END
	if exact tree.vprf; then diff <(callers tree.vprf) expected; fi
	"$vigil" report -l 0 -r ACW tree.vprf >listing
	grep -E '^ +called by rest [0-9]+ < morning [0-9]+ < main [0-9]+' listing
	grep -E '^ +called by rest [0-9]+ < evening [0-9]+ < main [0-9]+' listing
}

@test "callers through templates, of recursion and of two files are told apart" {
	g++ -g -O2 -fno-optimize-sibling-calls -o chains "$VIGIL_SOURCE"/tests/programs/chains{,-other}.cc
	# If only some of the waits were seen, there are callers for some only.
	local naps="[row for row in rows('ACW', 'callers') if row['reason'] == 'SLEEP' and row.get('procedure', '').startswith('nap')]"
	measured "$PWD/chains.vprf" "len($naps) >= 3 and {row['section'] for row in $naps} == {'chains.cc', 'chains-other.cc'}" ./chains
	python3 "$VIGIL_SOURCE/tests/call-tree.py" chains.vprf
	# One level of deeper is its own caller only once, whatever its depth.
	callers chains.vprf | sed 's/\(deeper(int) < \)*deeper(int)/deeper(int)/' >found
	cat >expected <<-'END'
		nap(long) | chains-other.cc | 10 | early() < other_file() < main
		nap(long) | chains-other.cc | 10 | late() < other_file() < main
		nap(long) | chains.cc | 10 | deeper(int) < main
		nap(long) | chains.cc | 10 | void rest<int>(int) < first() < main
		nap(long) | chains.cc | 10 | void rest<long int>(long) < second() < main
		nap(long) | chains.cc | 10 | void rest<long int>(long) < third() < main
	END
	if exact chains.vprf; then diff found expected; fi
	[ "$(wc -l <found)" -ge 3 ]
	[ -z "$(comm -13 <(sed 's/| [0-9]* |/|/' expected | sort) <(sed 's/| [0-9]* |/|/' found | sort))" ]
	"$vigil" report --procedure nap -l 0 chains.vprf >listing
	grep 'VIG6642I 2 procedures are called nap' listing
	"$vigil" report --procedure chains-other.cc:nap -f csv chains.vprf | grep -E '^PRC,callers,detail,,,(early|late)[(][)]'
}

@test "ACE names who called a helper whose time is in a library" {
	cat >helper.c <<-'END'
		#include <string.h>
		static char from[1 << 20], to[1 << 20];
		static volatile int sink;
		#define PROCEDURE __attribute__((noinline)) static void
		PROCEDURE copy(int times) { while (times--) { memcpy(to, from, sizeof(to)); sink += to[times]; } }
		PROCEDURE often(void) { copy(300); sink++; }
		PROCEDURE seldom(void) { copy(100); sink += 2; }
		int main(void) { for (int i = 0; i < 8; i++) { often(); seldom(); } return 0; }
	END
	gcc -g -O1 -fno-builtin -o helper helper.c
	"$vigil" run -q -o helper.vprf -- ./helper
	holds helper.vprf "[r for r in rows('ACE', 'callers') if r['procedure'] == 'copy' and r['invokers'].startswith('often ')]" \
		"[r for r in rows('ACE', 'callers') if r['procedure'] == 'copy' and r['invokers'].startswith('seldom ')]" 'ties() == ""'
}
