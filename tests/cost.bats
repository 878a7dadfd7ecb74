# SPDX-License-Identifier: Apache-2.0
# End to end: what a measurement costs, and whether that is what it prints.
#
# The model of the live tests: the kernel counts CPU time for vigil, its helpers and the step, and the step reports
# its own; nothing is sampled. The bounds allow for what is not included: how processes start and end (printed() in
# cost.py). Shares of samples are judged by near() of profile.py.

bats_require_minimum_version 1.5.0

load trace
load ordinary

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK"
	gcc -g -O2 -o costly "$VIGIL_SOURCE/tests/programs/costly.c"
	gcc -g -O1 -pthread -o pingpong "$VIGIL_SOURCE/tests/programs/pingpong.c"
}

setup() {
	cd "$WORK"
	vigil=$VIGIL_BUILD/vigil
}

teardown() {
	ordinary_end
}

cost() {
	python3 "$VIGIL_SOURCE/tests/cost.py" "$vigil" "$@"
}

python_step='import time
while time.process_time() < 0.2: sum(i * i for i in range(1000))
print(time.process_time_ns())'

# bats test_tags=live
@test "the printed cost of a C step is what vigil used" {
	cost printed ./costly 100
	cost printed ./costly 600
}

# bats test_tags=slow
@test "the printed cost of a Python step is what vigil and its data collectors used" {
	cost printed python3 -c "$python_step"
}

# bats test_tags=slow
@test "an ordinary user's session prints what it cost, too" {
	ordinary_folder
	cp "$WORK/costly" .
	"${ordinary[@]}" python3 "$VIGIL_SOURCE/tests/cost.py" "$vigil" printed ./costly 100
}

# A cache of names in the test's own folder, as each user has one.
@test "what was found of the names once is kept" {
	VIGIL_NAMES_CACHE=$BATS_TEST_TMPDIR/made/names "$vigil" run -q -o x.vprf -- ./costly 60 >/dev/null
	[ "$(stat -c %a "$BATS_TEST_TMPDIR/made/names")" = 700 ]
	[ "$(find "$BATS_TEST_TMPDIR/made/names" -type f ! -perm 600 | wc -l)" -eq 0 ]
	ordinary_folder
	cp "$WORK/costly" .
	"${ordinary[@]}" env -u VIGIL_NAMES_CACHE XDG_CACHE_HOME= "$vigil" run -q -o x.vprf -- ./costly 60 >/dev/null
	[ -n "$(find .cache/vigil -name '*.names')" ]
}

# The minimum of seven excludes the effects of others on the processors' caches; reading the names anew costs several
# times as much.
# bats test_tags=slow
@test "a small step costs little after its end once its names are kept" {
	VIGIL_NAMES_CACHE=$BATS_TEST_TMPDIR/names cost cached 20 ./costly 60
}

# procedures: the procedures of costly that the profile has.
procedures() {
	"$vigil" report -f json -a x.vprf | grep -o '"procedure":"\(multiply\|print\|main\)"' | sort -u
}

@test "VIGIL_NAMES_CACHE=off keeps nothing, and names are the same" {
	ordinary_folder
	cp "$WORK/costly" .
	for cache in off "$PWD/names" "$PWD/names"; do
		# main has one sample in twenty: of 150 it may have none, of 1,200 it certainly has one.
		for ms in 150 1200; do
			"${ordinary[@]}" env VIGIL_NAMES_CACHE="$cache" "$vigil" run -q -o x.vprf -- ./costly $ms >/dev/null
			procedures >"$BATS_TEST_TMPDIR/now"
			[ "$(wc -l <"$BATS_TEST_TMPDIR/now")" -lt 3 ] || break
		done
		[ ! -e .cache ]
		# The folder exists where it was requested, and nowhere else.
		[ "$cache" = off ] || [ -d "$PWD/names" ]
		[ "$(wc -l <"$BATS_TEST_TMPDIR/now")" -eq 3 ]
		[ "$cache" = off ] || diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/now"
		mv "$BATS_TEST_TMPDIR/now" "$BATS_TEST_TMPDIR/before"
	done
}

# The figures that pingpong reports.
said() {
	awk -v name="$1" '{ for (i = 1; i < NF; i += 2) if ($i == name) print $(i + 1) }' said
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" x.vprf "$@" || { cat said || :; return 1; }
}

# Sums are what the kernel counts, so they are compared with the program's own; shares have the margin that is
# printed. What the program does after reading its clock is little. If other load left the program so little CPU that
# it hardly switched, nothing need be thinned.
thinned_holds() {
	local cpu main echo elapsed waited thinned
	cpu=$(said cpu) main=$(said main) echo=$(said echo) elapsed=$(said elapsed)
	waited=$((2 * elapsed - main - echo))
	thinned=('"VIG3017I" in notes()' 'fact("switches_watched_percent") < 90')
	[ $(($(said switches) * 1000000000 / elapsed)) -ge 50000 ] || thinned=()
	holds "${thinned[@]}" \
		"abs(fact('cpu_samples_ns') - $cpu) <= 0.03 * $cpu + 30e6" \
		"fact('cpu_switches_ns') <= 1.02 * $cpu + 30e6" \
		"abs(fact('exec_ns') + fact('wait_ns') + fact('stretch_ns') - $elapsed) <= 0.05 * $elapsed + 50e6" \
		"abs(waited('PIPE') + waited('DISPATCH DELAY') + waited('UNKNOWN') - $waited) <= 0.05 * $waited + 100e6" \
		'near(charged("heavy"), 75, charged("heavy") + charged("light"))' \
		'fact("samples_taken") == fact("samples_processed") + fact("samples_thinned")' \
		'fact("samples_in_reports") == fact("samples_processed")' \
		'ties() == ""'
}

# 2000 samples, of which heavy() has three parts of four (near()); sums are the kernel's. In addition: 2 to 5 percent
# for the scaling of windows, and 30 to 100 ms for the start and the end.
# bats test_tags=slow
@test "a step that switches all the time is watched in windows, and its sums are exact" {
	"$vigil" run -q -o x.vprf -- ./pingpong 2000 1 >said
	thinned_holds
	"$vigil" run -q -o x.vprf -- ./pingpong 2000 0 >said
	thinned_holds
}

# bats test_tags=slow
@test "an ordinary user's session thins itself, too" {
	ordinary_folder
	cp "$WORK/pingpong" .
	"${ordinary[@]}" "$vigil" run -q --privilege user -o x.vprf -- ./pingpong 2000 1 >said
	thinned_holds
}

# The watched percentage of the time.
watched() {
	"$vigil" report -f json -r MSD x.vprf | grep -o '"switches_watched_percent":[0-9.]*' | cut -d: -f2 | grep . || echo 100
}

@test "COST says how much, and with 100 all switches are watched" {
	"$vigil" run -q --cost 100 -o x.vprf -- ./pingpong 300 1 >said
	holds 'fact("cost_asked_percent") == 100' '"VIG3017I" not in notes()'
	[ -z "$("$vigil" report x.vprf | grep 'SWITCHES WATCHED')" ]
	"$vigil" run -q -c 'ADD *,COST=1' -o x.vprf -- ./pingpong 100 1 >said
	holds 'fact("cost_asked_percent") == 1' 'fact("options") == "COST=1"'
}

# A hundred thousand switches per second take some 20 percent of it: with COST=1 a twentieth of the time can be
# watched, with 20 nearly all.
# bats test_tags=live
@test "with COST 1 more is thinned than with 20" {
	"$vigil" run -q --cost 1 -o x.vprf -- ./pingpong 600 1 >said
	few=$(watched)
	"$vigil" run -q --cost 20 -o x.vprf -- ./pingpong 600 1 >said
	many=$(watched)
	echo "watched $few and $many percent"
	awk -v few="$few" -v many="$many" 'BEGIN { exit !(few + 0 < many + 0) }'
}

# A step of 1 s that is preempted some hundred times: a thousandth of its time. Only vigil's own use could approach 3
# percent.
# bats test_tags=slow
@test "a step that hardly switches is watched all the time" {
	"$vigil" run -q -o x.vprf -- ./costly 1000 >said
	holds '"VIG3017I" not in notes()' 'fact("cost_asked_percent") == 3' 'fact("cost_added_percent") < 3'
	[ -z "$("$vigil" report x.vprf | grep 'SWITCHES WATCHED')" ]
}

# One second of functions that call each other.
python_calls='import time
def inner(count): return sum(i * i for i in range(count))
def outer(count): return inner(count) + inner(count // 2)
while time.process_time() < 1: outer(1000)'

# To pass a sample to a collector takes at least 30 us of each ms: three times what COST=1 allows, and never what 100
# does. The rest is counted.
# bats test_tags=slow
@test "where collectors are shown each sample it is samples that COST halves, within a step of a second" {
	"$vigil" run -q --cost 1 -o x.vprf -- python3 -c "$python_calls"
	holds 'fact("rate_initial") == 1000' 'fact("rate_final") in (500, 250)' 'fact("rate_halved") >= 1' \
		'fact("samples_taken") == fact("samples_processed") + fact("samples_thinned")' \
		'fact("samples_thinned") > 0' 'abs(fact("cpu_samples_ns") - fact("cpu_rusage_ns")) <= 0.02 * fact("cpu_rusage_ns") + 30e6' \
		'ties() == ""'
	"$vigil" run -q --cost 100 -o x.vprf -- python3 -c "$python_calls"
	holds 'fact("rate_final") == 1000' 'fact("samples_thinned") == 0'
	# A rate that was requested is kept.
	"$vigil" run -q -c 'ADD *,COST=1,SESSION=1,SAMPLES=30000' -o x.vprf -- python3 -c "$python_calls"
	holds 'fact("rate_final") == 500' 'fact("samples_thinned") == 0'
}

@test "a cost that cannot be is refused, with its place" {
	for value in 0 0.5 100.5 -1 X; do
		run ! "$vigil" run -o none.vprf -c "ADD *,COST=$value" -- ./costly 10
		[[ $output == *"-c:1:"*VIG2* ]]
		[[ $output == *"COST"* ]]
		run -2 "$vigil" run -o none.vprf --cost "$value" -- ./costly 10
		[[ $output == *"--cost takes percent from 1 to 100"* ]]
	done
	run ! "$vigil" run -o none.vprf --cost 4 -c 'ADD *,COST=5' -- ./costly 10
	[[ $output == *"-c:1:7: VIG0022E"* ]]
	[ ! -e none.vprf ]
}
