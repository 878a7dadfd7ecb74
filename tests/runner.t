#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test tags: exact, limit:120
# The runner itself, on tests that do what tests must not: hang, leave processes behind, keep the output open, die.
work=$(mktemp -d) || exit 1
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source/tests" "$work/source/jcl-examples" "$work/source/include" "$work/source/doc" "$work/build" "$work/state"
chmod 777 "$work/state"
echo 'abs_top_srcdir = x' >"$work/build/Makefile"
number=0
# Processes that tests leave are identified by this number: another run of this file has its own.
own=$$
export own
# ok STATUS NAME: a verdict; the runner's output is shown if it is bad.
ok() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		sed 's/^/# /' "$work/said"
		echo "not ok $number - $2"
	fi
}
# says TEXT NAME: whether the runner printed it.
says() {
	grep -q -- "$1" "$work/said"
	ok $? "$2"
}
# runs TIERS FILE [PART]: runs the runner, or another part of it, on one file; returns its status.
runs() {
	STATE=$work/state RUN_STAT=$work/state/stat RUN_REST=0.1 STUBBORN_SECONDS=3 STEADY_BUSY=1 VIGIL_BUILD=$work/build VIGIL_SOURCE=$work/source \
		python3 -B "$VIGIL_SOURCE/tests/runner$3" --tiers "$1" "$2" >"$work/said" 2>&1
}
# kept TEXT NAME: whether the verdicts file of the last run contains it.
kept() {
	grep -q -- "$1" "$work/build/tests/verdicts"
	ok $? "$2"
}
: >"$work/source/tests/unsteady"
echo 'cpu 0 0 0 0 0 0 0 0 0 0' >"$work/state/stat"
chmod 666 "$work/state/stat"

cat >"$work/source/tests/good.bats" <<'END'
setup_file() { sleep 3007.$own & echo $! >"$STATE/service"; }
@test "it \"passes\" with \$5 (and so on)" { kill -0 "$(cat "$STATE/service")"; }
@test "it is skipped" { skip "no reason"; }
@test "the service is still there" { kill -0 "$(cat "$STATE/service")"; }
teardown_file() { kill "$(cat "$STATE/service")"; }
END
runs exact tests/good.bats
ok $? "tests that pass: status 0"
says '^ok 1 - good: it "passes" with $5 (and so on) # [0-9.]* s at [0-9]*:[0-5][0-9]$' "each line has its time"
says '^ok 2 - good: it is skipped # SKIP no reason' "a test that is skipped is said to be"
says '^2 passed, 0 failed, 1 skipped$' "the last line has the counts"
says '^#  *[0-9.]* s  *[0-9.]* s  good (exact)$' "a file has its time and its CPU time"
kept '"test": "good: it is skipped", "tier": "exact", "verdict": "skipped"' "what programs read has each verdict"
kept '"run": "passed"' "and how the run ended"

cat >"$work/source/tests/works.bats" <<'END'
@test "it works for a moment" { sh -c 'sh -c "i=0; while [ \$i -lt 300000 ]; do i=\$((i + 1)); done; kill -KILL \$PPID"; :' || true; }
@test "it waits" { sleep 0.3; }
END
runs exact tests/works.bats
sed -n 's/.*works: it works.*"cpu": \([0-9.]*\).*/\1/p; s/.*works: it waits.*"cpu": \([0-9.]*\).*/\1/p; s/.*"file": "works.*"cpu": \([0-9.]*\).*/\1/p' \
	"$work/build/tests/verdicts" >"$work/said"
awk 'NR == 1 { first = $1 } NR == 2 { second = $1 } END { exit !(NR == 3 && first > 0.05 && first < 3 && second < first && $1 >= first + second - 0.1) }' "$work/said"
ok $? "CPU time is that of the test which used it, reaped or not"

cat >"$work/source/tests/own.bats" <<'END'
@test "a runner of its own would do as it likes" { [ -z "$STEADY_ON$RUN_MINUTES" ]; }
END
STEADY_ON=1 RUN_MINUTES=9 runs exact tests/own.bats
ok $? "what says how the runner works does not reach its tests"

cat >"$work/source/tests/bad.bats" <<'END'
@test "it fails" { echo what it printed; false; }
@test "it leaves something" { (setsid sleep 3011.$own >/dev/null 2>&1 3>&- &); }
@test "it is as it should be" { true; }
@test "it holds the output" { sleep 3013.$own & }
# bats test_tags=limit:2
@test "it hangs" { echo began; sleep 3017.$own; }
# bats test_tags=limit:2
@test "it hangs without a program" { echo began; mkfifo "$STATE/silent"; read -r line <>"$STATE/silent"; }
@test "it never comes to this" { true; }
END
! runs exact tests/bad.bats
ok $? "tests that fail: status 1"
says '^not ok 1 - bad: it fails' "a failure is told"
says '^# what it printed' "a failure's output is shown"
says '^not ok 2 - bad: it leaves something' "what leaves a program behind fails"
says "^# .*sleep 3011.$own" "what was left behind is named"
says '^ok 3 - bad: it is as it should be' "the next test is not blamed"
says '^not ok 4 - bad: it holds the output' "what holds the output fails"
says '^not ok 5 - bad: it hangs #' "a test that hangs is ended at its limit"
says '^#  *over its limit of 2 s' "the limit is named"
says "^# .*sleep 3017.$own" "what the hanging test was doing is shown"
says '^not ok 6 - bad: it hangs without a program' "a test whose shell itself hangs is ended"
says '^not ok 7 - bad: it never comes to this' "a test that was not reached fails"
[ -z "$(pgrep -f "sleep 30(07|11|13|17)\.$own\$")" ]
ok $? "nothing is left"

cat >"$work/source/tests/moody.bats" <<'END'
# bats file_tags=live
@test "it passes when tried again" {
	[ -e "$STATE/again" ] || { touch "$STATE/again"; false; }
}
@test "it passes at once" { true; }
END
runs live tests/moody.bats
ok $? "a live test that passes when it is tried again: status 0"
says '^# failed, and will be tried again alone: moody: it passes when tried again' "its first failure is told"
says '^ok 2 - moody: it passes when tried again # unsteady: attempt 2' "its pass is called unsteady"
kept '"verdict": "unsteady", "attempts": 2' "by what programs read, too"
! grep -q 'a hypervisor has taken' "$work/said"
ok $? "where no time was stolen there is no rest"
rm -f "$work/state/again"
sed 's/touch "$STATE.again";/& echo cpu 0 0 0 0 0 0 0 25 0 0 >"$STATE\/stat";/' "$work/source/tests/moody.bats" >"$work/source/tests/stolen.bats"
runs live tests/stolen.bats
says '^# a hypervisor has taken 0.25 s of processor time: a rest of 0.1 s' "a test that failed while time was stolen is tried again after a rest"
rm -f "$work/state/again"
STEADY_RUNS=2 runs live tests/moody.bats /steady.py
ok $? "two runs in a row, none of them red: status 0"
says '^ *2 *0 *1 .*moody: it passes when tried again$' "the table has the test that was unsteady once"
says '^1 of 2 tests failed or were unsteady' "and no other"
says '^1 busy runs, 0 of them red' "every second run is busy"
STEADY_ON=1 STEADY_RUNS=3 runs live tests/moody.bats /steady.py
says '^run 3 of 3: passed' "behind two runs that are there it goes on with the third"
! grep -q '^run [12] of 3' "$work/said"
ok $? "and with no other"
says '^2 quiet runs, 0 of them red' "all three are in its table"
rm -f "$work/state/again"
echo '2020-01-01 | moody: it passes when tried again | 2019-12-01 | a test of the runner' >"$work/source/tests/unsteady"
! runs live tests/moody.bats
ok $? "past its day in tests/unsteady it is red"
: >"$work/source/tests/unsteady"
sed -i 's/touch/true/' "$work/source/tests/moody.bats"
rm -f "$work/state/again"
! STEADY_RUNS=1 runs live tests/moody.bats /steady.py
ok $? "a red run among them: status 1"
says '^# failed: moody: it passes when tried again$' "what was red is said"
rm -f "$work/state/again"
! runs live tests/moody.bats
ok $? "a live test that fails three times is red"
says '^not ok 2 - moody: it passes when tried again' "and told"
[ "$(grep -c '^not ok' "$work/said")" = 1 ]
ok $? "by one line"
! runs exact tests/moody.bats
ok $? "a tier without a test is no success"

cat >"$work/build/crash" <<'END'
#!/bin/sh
echo 1..2
echo ok 1 - first
kill -SEGV $$
END
cat >"$work/build/short" <<'END'
#!/bin/sh
echo 1..2
echo ok 1 - first
echo 'not ok 2 # SKIP not here'
END
chmod +x "$work/build/crash" "$work/build/short"
! runs exact crash
ok $? "a unit test that dies: status 1"
says '^# no verdict: killed by signal 11' "and of what"
runs exact short
ok $? "cmocka's way to say that a test was skipped"
says '^ok 2 - short: not here # SKIP' "is understood"
echo "1..$number"
