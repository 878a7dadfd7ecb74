# SPDX-License-Identifier: Apache-2.0
# Programs in Go: their stacks and names, with all debug information of the compiler and without any.

bats_require_minimum_version 1.5.0
load trace
load live

setup_file() {
	command -v go >/dev/null || skip "golang is not installed"
	[ "$(uname -m)" = x86_64 ] || skip "stacks of Go are followed on x86-64"
	export WORK=$BATS_FILE_TMPDIR GOCACHE=$BATS_FILE_TMPDIR/cache GOFLAGS=-mod=mod GOTOOLCHAIN=local CGO_ENABLED=0
	cd "$WORK" || return 1
	cp "$VIGIL_SOURCE/tests/programs/shares.go" .
	go build -o plain shares.go || skip "go cannot build a program here"
	go build -ldflags=-compressdwarf=false -o uncompressed shares.go
	go build -ldflags='-s -w' -o stripped shares.go
	# Linked this way. Compiling Go's run time this way too takes forty times as long (below, slow).
	go build -ldflags='-s -w -buildmode=pie' -o moved shares.go
}

setup() {
	cd "$WORK" || return 1
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
}

# measure PROGRAM ROUNDS
measure() {
	"$vigil" run -o "$data" -- "./$1" "$2" >"$BATS_TEST_TMPDIR/said" 2>"$BATS_TEST_TMPDIR/summary"
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$BATS_TEST_TMPDIR/summary"; return 1; }
}

# names_agree PROGRAM: its functions have their names, and no place in it has an address for a name. (The dynamic loader
# that a position-independent program begins in is stripped: a sample there has an address.)
names_agree() {
	measure "$1" 60
	holds "charged('main.half') > 0" "charged('main.third') > 0" "charged('main.fifth') > 0" "fact('stacks_whole') > 0" \
		"sum(r['samples'] for r in rows('MEP', 'procedures_own') if r['module'] == '$1' and r.get('procedure', '').startswith('+0x')) == 0" \
		'ties() == ""'
}

# shares_agree PROGRAM: the three functions do 5, 3 and 2 of 10 iterations of one loop, with fixed work, so that their
# shares of the samples are binomial (near() of profile.py: 4.9 deviations, 110 of 500 for a half). Stacks that the
# kernel truncated are those that the profile reports as broken; of all others 95 in 100 must be whole, minus 4.9
# deviations.
shares_agree() {
	local all="charged('main.half') + charged('main.third') + charged('main.fifth')"
	valid measure "$1" 400
	holds "least(fact('stacks_whole'), 95, fact('samples_processed'), 0)" \
		"near(charged('main.half'), 50, $all)" "near(charged('main.third'), 30, $all)" "near(charged('main.fifth'), 20, $all)"
}

@test "functions of a Go program have their names" {
	names_agree plain
	names_agree uncompressed
}

@test "so they have in one that is stripped of all that is written for debuggers" {
	names_agree stripped
	names_agree moved
}

# Slow: from Go 1.20 on each test file that is started compiles Go's run time.
# bats test_tags=slow
@test "stacks of a Go program that is stripped are whole, and its functions have their shares" {
	shares_agree stripped
}

# bats test_tags=slow
@test "stacks of Go programs of all kinds are whole, and their functions have their shares" {
	shares_agree plain
	shares_agree uncompressed
	go build -buildmode=pie -ldflags='-s -w' -o moved shares.go
	shares_agree moved
}
