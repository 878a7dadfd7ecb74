#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test tags: slow, limit:1500, file:1800
# The unit tests, and the corpus of the fuzz targets, run again in a build with AddressSanitizer and
# UndefinedBehaviorSanitizer. SANITIZED_ROOMS, an extended regular expression, selects the rooms whose tests are built
# and run; the default is all. VIGIL_SANITIZED names a folder that keeps this build; otherwise it is made anew and
# removed.
if grep -q 'fsanitize=address' "$VIGIL_BUILD/Makefile"; then
	echo "1..0 # SKIP this build is a sanitized one already"
	exit 0
fi
if ! echo 'int main(void){return 0;}' | ${CC:-gcc} -fsanitize=address,undefined -x c -o /dev/null - 2>/dev/null; then
	echo "1..0 # SKIP the compiler has no sanitizers"
	exit 0
fi
build=${VIGIL_SANITIZED:-$(mktemp -d)}
[ -n "$VIGIL_SANITIZED" ] || trap 'rm -rf "$build"' EXIT
mkdir -p "$build/logs" && cd "$build" || exit 1
log=$build/build.log
rooms=${SANITIZED_ROOMS:-.*}
# Those of the rooms: unit tests, and fuzz targets.
chosen() {
	tr ' ' '\n' | grep -E "^($rooms)/"
}
# built: configures and makes what is requested.
built() {
	[ -f Makefile ] || "$VIGIL_SOURCE/configure" --quiet --enable-sanitizers CFLAGS='-O1 -g1' || return
	if [ -z "$SANITIZED_ROOMS" ]; then
		make -s -j"$(nproc)" all && make -s -j"$(nproc)" unit-tests
	else
		# Generated sources, on which everything depends.
		# shellcheck disable=SC2046
		make -s -j"$(nproc)" built-sources && make -s -j"$(nproc)" \
			$(make -s --no-print-directory list-unit-tests | chosen) \
			$(cd "$VIGIL_SOURCE" && find . -name 'fuzz-*.c' ! -name fuzz-driver.c ! -path './build*' | sed 's,^\./,,; s/\.c$//' | chosen)
	fi
}
if ! built >"$log" 2>&1; then
	tail -20 "$log" | sed 's/^/# /'
	echo "1..1"
	echo "not ok 1 - the sanitized build"
	exit 1
fi
tests=$(make -s --no-print-directory list-unit-tests | chosen)
echo "1..$(($(echo "$tests" | wc -w) + 1))"
# As many concurrently as there are processors; each leaves its log, and its status next to it.
echo "$tests" | VIGIL_BUILD=$build ASAN_OPTIONS=detect_leaks=1 CMOCKA_MESSAGE_OUTPUT=TAP xargs -P "$(nproc)" -I '{}' sh -c '
	log=logs/$(echo "$1" | tr / -)
	"./$1" >"$log" 2>&1
	echo $? >"$log.status"' sh '{}'
number=0
for test in $tests; do
	number=$((number + 1))
	log=logs/$(echo "$test" | tr / -)
	if [ "$(cat "$log.status")" = 0 ]; then
		echo "ok $number - sanitized $test"
	else
		grep -v '^ok' "$log" | sed 's/^/# /; 40q'
		tail -20 "$log" | sed 's/^/# /'
		# The failure comes last: a test that fails frees nothing, and leak reports then fill the log.
		grep -A 4 '^not ok' "$log" | sed 's/^/# /; 20q'
		echo "not ok $number - sanitized $test"
	fi
done
[ -n "$SANITIZED_ROOMS" ] && seconds=0 || seconds=5
if VIGIL_BUILD=$build ASAN_OPTIONS=detect_leaks=1 VIGIL_FUZZ_SECONDS=$seconds VIGIL_FUZZ_ROOMS=$rooms sh "$VIGIL_SOURCE/tests/fuzz.t" >"$log" 2>&1 &&
	! grep -q '^not ok' "$log"; then
	echo "ok $((number + 1)) - sanitized corpus of the fuzz targets"
else
	grep -v '^ok' "$log" | sed 's/^/# /' | tail -60
	echo "not ok $((number + 1)) - sanitized corpus of the fuzz targets"
fi
