# SPDX-License-Identifier: Apache-2.0
# bats file_tags=trial
# Programs of Go: their stacks and names, with all that the compiler writes for debuggers and without any of it.

bats_require_minimum_version 1.5.0

setup_file() {
	command -v go >/dev/null || skip "golang is not installed"
	[ "$(uname -m)" = x86_64 ] || skip "stacks of Go are followed on x86-64"
	export WORK=$BATS_FILE_TMPDIR GOCACHE=$BATS_FILE_TMPDIR/cache GOFLAGS=-mod=mod GOTOOLCHAIN=local CGO_ENABLED=0
	cd "$WORK" || return 1
	cp "$VIGIL_SOURCE/tests/programs/shares.go" .
	go build -o plain shares.go || skip "go cannot build a program here"
	go build -ldflags=-compressdwarf=false -o uncompressed shares.go
	go build -ldflags='-s -w' -o stripped shares.go
	go build -buildmode=pie -ldflags='-s -w' -o moved shares.go
}

setup() {
	cd "$WORK" || return 1
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
}

# shares_agree PROGRAM: it has the shares that it is made for, and its stacks are whole.
shares_agree() {
	local all="charged('main.half') + charged('main.third') + charged('main.fifth')"
	"$vigil" run -o "$data" -- "./$1" 400 >"$BATS_TEST_TMPDIR/said" 2>"$BATS_TEST_TMPDIR/summary" || return 1
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" \
		"least(fact('stacks_whole'), 95, fact('samples_processed'))" \
		"near(charged('main.half'), 50, $all)" "near(charged('main.third'), 30, $all)" "near(charged('main.fifth'), 20, $all)" \
		"sum(r['samples'] for r in rows('MEP', 'procedures_own') if r.get('procedure', '').startswith('+0x')) == 0" \
		'ties() == ""' || { cat "$BATS_TEST_TMPDIR/summary"; return 1; }
}

@test "stacks of a Go program are whole, and its functions have their names" {
	shares_agree plain
	shares_agree uncompressed
}

@test "so they are of one that is stripped of all that is written for debuggers" {
	shares_agree stripped
	shares_agree moved
}
