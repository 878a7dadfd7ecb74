#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test tags: exact, limit:60
# Tests what tests/circles.py detects: two files that call each other, compiled for an archive or a program, and for a
# shared object, whose objects libtool keeps only in .libs.
if ! command -v python3 >/dev/null || ! command -v nm >/dev/null || ! command -v "${CC:-gcc}" >/dev/null; then
	echo "1..0 # SKIP python3, nm or the compiler is not there"
	exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
# compiled OBJECT TEXT: compiles a C text to an object of the build folder.
compiled() {
	mkdir -p "$work/build/${1%/*}"
	echo "$2" | ${CC:-gcc} -fPIC -fvisibility=hidden -x c -c -o "$work/build/$1" -
}
# shows NAME ROOM: circles.py prints exactly the input.
shows() {
	number=$((number + 1))
	cat >"$work/expected"
	python3 -B "$VIGIL_SOURCE/tests/circles.py" "$work/build" "$2" >"$work/shown" 2>&1
	if cmp -s "$work/expected" "$work/shown"; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		diff "$work/expected" "$work/shown" | sed 's/^/# /'
	fi
}
calls_b='int b(int n); int a(int n); int a(int n) { return n ? b(n - 1) : 0; }'
calls_a='int a(int n); int b(int n); int b(int n) { return n ? a(n - 1) : 1; }'
calls_none='int b(int n); int b(int n) { return n; }'
echo "1..7"

compiled plain/libx_a-one.o "$calls_b"
compiled plain/two.o "$calls_a"
shows "two objects that call each other" plain <<'END'
plain: circle of one two
    plain/one -> plain/two: b
    plain/two -> plain/one: a
END

compiled shared/.libs/x_la-one.o "$calls_b"
compiled shared/.libs/x_la-two.o "$calls_a"
shows "two that a shared object alone is made of" shared <<'END'
shared: circle of one two
    shared/one -> shared/two: b
    shared/two -> shared/one: a
END

compiled folders/y/.libs/folders_x_la-one.o "$calls_b"
compiled folders/z/.libs/folders_x_la-two.o "$calls_a"
shows "two in folders of a room" folders <<'END'
folders: circle of y/one z/two
    folders/y/one -> folders/z/two: b
    folders/z/two -> folders/y/one: a
END

compiled both/x_la-one.o "$calls_b"
compiled both/.libs/x_la-one.o "$calls_b"
compiled both/x_la-two.o "$calls_a"
compiled both/.libs/x_la-two.o "$calls_a"
compiled both/.libs/y_la-two.o "$calls_a"
shows "what is there in several forms is taken once" both <<'END'
both: circle of one two
    both/one -> both/two: b
    both/two -> both/one: a
END

compiled straight/.libs/x_la-one.o "$calls_b"
compiled straight/.libs/x_la-two.o "$calls_none"
shows "one that calls another is no circle" straight </dev/null

compiled tested/.libs/x_la-one.o "$calls_b"
compiled tested/test-two.o "$calls_a"
shows "what tests bring is not looked at" tested </dev/null

mkdir "$work/build/empty"
shows "a room without objects is told" empty <<'END'
empty: there are no objects of it
END
