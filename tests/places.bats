# SPDX-License-Identifier: Apache-2.0
# End to end: the places of waits, compared with what a program measures itself (places, held and cold of
# tests/programs).

bats_require_minimum_version 1.5.0
load trace
load background
load waiting

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK"
	for program in places held cold; do
		gcc -g -O2 -pthread -o $program "$VIGIL_SOURCE/tests/programs/$program.c"
	done
}

setup() {
	cd "$WORK"
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
}

teardown() {
	background_end
}

# measure ARG...: measures the program; its own figures go to waits, leavings and us.
measure() {
	"$vigil" run -q -o "$data" -- ./places "$@" >told
	read -r -a told <told
	waits=("${told[0]}" "${told[3]}") leavings=("${told[1]}" "${told[4]}") us=("${told[2]}" "${told[5]}")
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat told; return 1; }
}

# Whether the kernel reported each place.
must_be_exact() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" 'fact("privilege") == "FULL"' 2>/dev/null >&2 ||
		skip "only where the kernel may be sampled it tells where tasks leave the processor"
}

# The rows of a place, of a reason or of all; waiting and being ready after that together have the length that the
# program saw.
at() {
	echo "[row for row in rows('ACW', 'callers') if row.get('procedure') == '$1' and row['reason'] in ('$2' or row['reason'],)]"
}

counted() {
	echo "sum(row['waits'] for row in $(at "$1" "$2"))"
}

lasted() {
	echo "sum(row['wait_total_ns'] for row in $(at "$1" '')) / 1000"
}

# The margin that these rows print, which is 1.96 deviations; 2.5 of it are the 4.9 that chance exceeds once in a
# million.
margin() {
	echo "2.5 * sum(row.get('wait_margin_ns', 0) for row in $(at "$1" '')) / 1000"
}

# Microseconds of waits whose place is unknown.
nowhere() {
	echo "sum(row['wait_total_ns'] for row in rows('ACW', 'callers') if row.get('module') in ('.NOCALLER', '.UNKNOWN')) / 1000"
}

# Where the kernel reports each place, scheduling changes none.
# bats test_tags=as:root
@test "each of two short waits in turn has its place, where the kernel tells them" {
	local turn
	for turn in "3000 6000" "1000 4000"; do
		measure rest 700 $turn
		must_be_exact
		holds "$(counted first SLEEP) == ${waits[0]}" "$(counted second SLEEP) == ${waits[1]}" 'ties() == ""'
	done
}

# The kernel's clock has the length of each wait, and of being ready after it. The program's own figure is longer by
# what it executes between its two readings of the clock, below 200 us per wait, and by waits whose place is unknown.
# It is shorter where the program is preempted between its function's begin and that reading: a timer tick hits these
# 5 us per wait less than once in such a run, so that more than six are one case in a million, each as long as being
# ready is on average. Waits that belong to the other place are at least a third of the time.
# bats test_tags=as:root,live
@test "short waits in turn have the length that the program saw, where the kernel tells their places" {
	local place ready
	measure rest 1500 3000 6000
	must_be_exact
	for place in 0 1; do
		set -- first second
		shift $place
		ready="sum(row['wait_total_ns'] for row in $(at "$1" 'DISPATCH DELAY')) / 1000 / max(1, $(counted "$1" 'DISPATCH DELAY'))"
		holds "-200 * ${waits[place]} - $(nowhere) - 1000 <= $(lasted "$1") - ${us[place]} <= 6 * $ready + 0.01 * ${us[place]}"
	done
}

# sure MEASUREMENT ARG... -- EXPRESSION: executes it, with twice as much to measure each time, until the expression is
# true: that the bound is narrow enough to detect what the test is for. It checks how much was seen, never whether
# that is right.
sure() {
	local measurement=$1 much=$2 arguments=()
	shift 2
	while [ "$1" != -- ]; do
		arguments+=("$1")
		shift
	done
	shift
	for _ in 1 2 3 4; do
		"$measurement" "$much" "${arguments[@]}" || return 1
		if holds "$(eval "echo \"$1\"")"; then
			return 0
		fi
		echo "measured again, twice as much"
		much=$((much * 2))
	done
	echo "so little was seen that this cannot be judged"
	return 1
}

rest_by_looks() {
	VIGIL_PRIVILEGE=USER measure rest "$@"
}

# turns_by_looks MS US1 US2: places by looks at random moments, so that their times are sums of many terms, normal
# within the margin that the rows print; a wait's length is the kernel's, and the program's own figure is longer by
# below 200 us of executing. Waits that belong to the other place would be off by the difference of the two: it is
# measured longer until the bound is below that.
turns_by_looks() {
	sure rest_by_looks "$1" "$2" "$3" -- '0 < $(margin first) < ${us[1]} - ${us[0]} and 0 < $(margin second) < ${us[1]} - ${us[0]}'
	holds "abs($(lasted first) - ${us[0]}) <= $(margin first) + 200 * ${waits[0]} + $(nowhere)" \
		"abs($(lasted second) - ${us[1]}) <= $(margin second) + 200 * ${waits[1]} + $(nowhere)"
}

# bats test_tags=slow,limit:200
@test "each of two short waits in turn has its place within the margin, where looks tell" {
	turns_by_looks 2500 2000 8000
}

# bats test_tags=slow,limit:200
@test "each of two short waits in turn has its place within the margin, of other lengths" {
	turns_by_looks 5000 3000 6000
	turns_by_looks 5000 1000 4000
}

# As many waits as calls, where the kernel reports each place. The first ones come before the files of the descriptors
# are resolved: of these each sleep is a wait, or none is known. That takes a part of a second; half of all calls is
# more than that. If the sleeps in a call were separate waits, there would be twice as many as that allows.
# bats test_tags=as:root,live
@test "the sleeps of the kernel in one fsync are one wait" {
	measure sync 150 4000 "$BATS_TEST_TMPDIR/ONE" "$BATS_TEST_TMPDIR/OTHER"
	must_be_exact
	[ $((leavings[0] + leavings[1])) -gt $((3 * (waits[0] + waits[1]) / 2)) ] || skip "fsync sleeps once on this file system"
	holds "abs($(counted first 'FILE SYNC') - ${waits[0]}) <= 0.5 * (${leavings[0]} - ${waits[0]})" \
		"abs($(counted second 'FILE SYNC') - ${waits[1]}) <= 0.5 * (${leavings[1]} - ${waits[1]})" \
		"{row['ddname'] for row in $(at first 'FILE SYNC')} == {'ONE'}" "{row['ddname'] for row in $(at second 'FILE SYNC')} == {'OTHER'}"
}

# held ARG...: measures a program whose waits for a lock are known; its waiting time goes to us.
held() {
	"$vigil" run -q -o "$data" -- ./held "$@" >told
	us=$(cat told)
}

# The rows of waits for locks in wants(), with a further condition for each.
locks() {
	echo "[row for row in rows('ACW', 'locks') if row['procedure'] == 'wants' and $1]"
}

# kept_by WHO: the same for waits whose holder is reported.
kept_by() {
	locks "row.get('holder', '').startswith('$1') and row.get('holder_procedure') == 'keeps'"
}

# Each of the waits is 60 ms long, and looks are much more frequent.
@test "a wait for a lock whose holder sleeps is in the listing, with the holder" {
	held mutex 15 60
	holds "$(kept_by keeper)"
	"$vigil" report -r ACW "$data" >listing
	grep -Eq '^[^ ]+ +wants +[0-9]+ +keeper +keeps +[0-9]+ ' listing
	VIGIL_PRIVILEGE=USER held mutex 15 60
	holds "$(kept_by keeper)"
}

@test "the holder of a file's lock is told, with the file" {
	held flock 15 60 "$BATS_TEST_TMPDIR/LOCKED"
	holds "$(kept_by held)" "{row['ddname'] for row in $(locks True)} == {'LOCKED'}"
}

lock_margin() {
	echo "2.5 * sum(row.get('wait_margin_ns', 0) for row in $(locks True)) / 1000"
}

held_mutex() {
	held mutex "$1" 60
}

held_flock() {
	held flock "$1" 60 "$BATS_TEST_TMPDIR/LOCKED"
}

# lock_is_told MEASUREMENT WHO: the time of waits for the lock, and of being ready after them, is what the program
# saw: its length is the kernel's, its place a look's, within 2.5 of the margin that the rows print (4.9 deviations);
# 200 us per wait are executed between the program's readings of its clock. For the part of it of which the looks are
# certain the holder is known. A bound below half of the time detects a lock that is not reported, and waits of others
# that are mistaken for it.
lock_is_told() {
	local all known ready
	all="sum(row['wait_total_ns'] for row in $(locks True)) / 1000"
	known="sum(row['wait_total_ns'] for row in $(kept_by "$2")) / 1000"
	ready="sum(row['wait_total_ns'] for row in $(at wants 'DISPATCH DELAY')) / 1000"
	sure "$1" 15 -- '$(lock_margin) < 0.5 * $us'
	holds "abs($all + $ready - $us) <= $(lock_margin) + 0.002 * $us + 4000 + $(nowhere)" "$known >= $all - $(lock_margin)"
}

# bats test_tags=live
@test "waits for a lock have the length that the program saw, and their holder" {
	lock_is_told held_mutex keeper
}

# bats test_tags=slow
@test "waits for locks of other kinds and by other means have the length that the program saw, and their holder" {
	lock_is_told held_flock held
	export VIGIL_PRIVILEGE=USER
	lock_is_told held_mutex keeper
	lock_is_told held_flock held
}

# waits_behind PID: whether another process waits for the lock that a process holds.
waits_behind() {
	awk -v holder="$1" '$2 != "->" { own = $2 == "FLOCK" && $5 == holder } $2 == "->" && own { found = 1 } END { exit !found }' /proc/locks
}

@test "of a lock's holder outside of the step the process is told" {
	local holder
	# It holds the lock until it is told to release it, for a minute at most.
	background flock "$BATS_TEST_TMPDIR/LOCKED" sh -c 'for _ in $(seq 600); do [ ! -e "$1" ] || break; sleep 0.1; done' - "$BATS_TEST_TMPDIR/go"
	holder=$pid
	wait_for grep -q "FLOCK.* $holder " /proc/locks
	background "$vigil" run -q -o "$data" -- ./held for "$BATS_TEST_TMPDIR/LOCKED"
	wait_for waits_behind "$holder"
	sleep 1
	touch "$BATS_TEST_TMPDIR/go"
	wait "$pid"
	holds "[row['holder_pid'] for row in $(locks "row['wait_total_ns'] > 1e8")] == [$holder]"
}

@test "page faults of a mapped file name it" {
	local faults waited rows
	"$vigil" run -q -o "$data" -- ./cold "$BATS_TEST_TMPDIR/COLD" >told
	rm "$BATS_TEST_TMPDIR/COLD"
	read -r faults waited <told
	[ "$faults" -gt 100 ] && [ "$waited" -gt 100 ] || skip "the system does not forget a file here, or has it at once"
	rows="[row for row in rows('ACW', 'callers') if row.get('procedure') == 'touch' and row['reason'] == 'PAGE FAULT']"
	# A record may arrive after the process has ended.
	holds "{row['data_set'] for row in $rows} - {''} == {'$BATS_TEST_TMPDIR/COLD'}" \
		"abs(sum(row['waits'] for row in $rows) - $waited) <= 0.05 * $waited + 5" \
		"sum(row['waits'] for row in $rows if row['ddname'] == 'COLD') >= 0.9 * $waited - 5" \
		"[row for row in rows('DSC', 'files') if row['path'] == '$BATS_TEST_TMPDIR/COLD']"
}
