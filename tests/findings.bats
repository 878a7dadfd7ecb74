#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Findings: programs with a fault and without it; what is found, and what its removal saves.
#
# What is found, where, and with which evidence, depends on no clock: the fault is nearly all that the program does.
# The savings are judged by the slow tests. The model (saved() in findings.py): a finding's margin is 1.96 standard
# deviations, of its samples or of the looks at its waits; chance exceeds 2.5 of it once in a million, and a tenth is
# the difference between two runs of one program. A finding that reports twice what it saves, or half, is detected.

bats_require_minimum_version 1.5.0

load trace
load findings

setup_file() {
	gcc -g -O1 -o "$BATS_FILE_TMPDIR/faults" "$VIGIL_SOURCE/tests/programs/faults.c"
}

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	ln -s "$BATS_FILE_TMPDIR/faults" faults
}

# The time saved is at most what was reported, except for its margin and the difference between two runs; and most of
# it. While one task is ready and another waits, a part of that time is charged to the wait; on a machine with other
# load it is in no run().
saved() {
	found "saved('$1', run(bad), run(good), least=0)" "saved('$1', run(bad) + ready(bad), run(good), most=inf)"
}

polling() {
	measured bad ./faults poll 60
	measured good ./faults await 60
}

# bats test_tags=slow
@test "a program that sleeps until something is over: what its removal saves" {
	polling
	saved POLLING
}

@test "a program that sleeps until something is over" {
	polling
	found "list(findings(bad)) == ['POLLING']" "findings(good) == {}" \
		"findings(bad)['POLLING']['where'].startswith('faults.c: look_for line 3')" \
		"findings(bad)['POLLING']['saves_ns'] == waits(bad, 'POLLING', 'SLEEP')['wait_charged_ns']" \
		"'SLEEP %d waits of ' % waits(bad, 'POLLING', 'SLEEP')['waits'] in findings(bad)['POLLING']['evidence']"
	"$vigil" report bad.vprf >listing
	grep -A 4 '^FINDINGS$' listing | grep -q '^ 1 .*the step sleeps again and again: .* faults.c: look_for line'
	grep -q '^1[.] Wait for the event itself' listing
	grep -q '^   Seen in ACW: SLEEP ' listing
	"$vigil" report good.vprf >listing
	! grep -q '^FINDINGS$' listing || return 1
}

# Its waits are short, and which of them were synchronizing is inferred from looks at some: if these are too few
# (unknown() of more than 3 percent of the run, 8 times in a row) nothing is to be found, and the test reports that.
# bats test_tags=slow
@test "a file that is synchronized after each record" {
	measured good ./faults put 400
	# With other load so few looks see the short waits that the place of many is unknown: there is no finding for
	# these.
	for _ in 1 2 3 4 5 6 7 8; do
		measured bad ./faults sync 400
		! found "unknown(bad) <= 0.03 * run(bad)" >/dev/null || break
	done
	found "findings(good) == {}"
	# On a file system in memory it costs nothing, and is no fault.
	[ "$(stat -f -c %T .)" != tmpfs ] || skip "the file system is in memory"
	found "'SYNC' in findings(bad)" || skip "synchronizing takes next to no time here"
	found "findings(bad)['SYNC']['saves_ns'] >= waits(bad, 'SYNC', 'FILE SYNC')['wait_charged_ns'] > 0" \
		"findings(bad)['SYNC']['what'].startswith('ledger is written to the device ')"
	found "unknown(bad) <= 0.03 * run(bad)" || skip "other work leaves too few looks at waits"
	saved SYNC
}

children() {
	measured bad sh -c 'i=0; while [ $i -lt 150 ]; do i=$((i + 1)); /bin/true; done'
	measured good sh -c 'i=0; while [ $i -lt 150 ]; do i=$((i + 1)); true; done; sleep 0.3'
}

@test "a process for each record" {
	children
	found "list(findings(bad)) == ['CHILDREN']" "findings(good) == {}" \
		"findings(bad)['CHILDREN']['where'] == 'true'" \
		"findings(bad)['CHILDREN']['what'].startswith('a process of true is started 150 times, for ')"
}

# A shell that starts a process waits for it, and does nothing else meanwhile: at most what was reported is saved.
# bats test_tags=slow
@test "a process for each record: what its removal saves" {
	children
	found "saved('CHILDREN', run(bad), run(good), least=-inf)"
}

@test "an interpreter that is started for each record" {
	measured bad sh -c 'i=0; while [ $i -lt 50 ]; do i=$((i + 1)); perl -e "\$x = 1"; done'
	measured good perl -e 'for ($i = 0; $i < 50; $i++) { $x = 1 } select undef, undef, undef, 0.2'
	found "list(findings(bad)) == ['INTERPRETER-START']" "findings(good) == {}" \
		"findings(bad)['INTERPRETER-START']['what'].startswith('perl is started 50 times, for ')"
}

texts() {
	gcc -g -O1 -o texts "$VIGIL_SOURCE/tests/programs/texts.c"
	measured bad ./texts add 800
	measured good ./texts keep 800
}

@test "a text whose end is looked for before each word" {
	texts
	found "list(findings(bad)) == ['TEXT-END']" "findings(good) == {}" \
		"findings(bad)['TEXT-END']['where'] == 'texts.c: add_words line 17'" \
		"findings(bad)['TEXT-END']['evidence'].startswith('ACE: add_words line 17, %d CPU samples of str' % charged(bad, 17, '.*str(len|cat).*'))"
}

# bats test_tags=live
@test "a text whose end is looked for before each word: what its removal saves" {
	texts
	found "saved('TEXT-END', cpu(bad), cpu(good), 0.7)"
}

# python_texts N: of N pieces, which is N times N bytes to copy.
python_texts() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	cp "$VIGIL_SOURCE/tests/programs/built.py" .
	measured bad python3 built.py add "$1"
	measured good python3 built.py keep "$1"
}

@test "a text of Python that is copied with each piece" {
	python_texts 10000
	found "list(findings(bad)) == ['TEXT-BUILDING']" "findings(good) == {}" \
		"findings(bad)['TEXT-BUILDING']['where'] == 'built.py: Report.add line 12'" \
		"findings(bad)['TEXT-BUILDING']['what'] == 'a string is built piece by piece: each piece copies all of it'" \
		"findings(bad)['TEXT-BUILDING']['evidence'].split(';')[0] == 'ACE: Report.add line 12, %d CPU samples of joining texts' % charged(bad, 12, 'PyUnicode_(Concat|Append)')"
}

# bats test_tags=slow
@test "a text of Python that is copied with each piece: what its removal saves" {
	python_texts 20000
	found "saved('TEXT-BUILDING', cpu(bad), cpu(good), 0.7)"
}
