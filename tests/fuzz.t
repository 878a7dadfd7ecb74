#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test tags: exact, limit:300
# Each fuzz target gets every input of tests/corpus/TARGET once: former findings, and inputs that reach much of its
# code. Then the targets of both parsers run for a short time, with the examples and the tables' decks as seeds: with
# libFuzzer and sanitizers if clang has them, else with the driver of parser/fuzz-driver.c. VIGIL_FUZZ_ROOMS, an
# extended regular expression, selects the rooms whose targets are run. VIGIL_FUZZ_SECONDS (default 0) is how long
# each runs; 0: only the corpus is run.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
seconds=${VIGIL_FUZZ_SECONDS:-0}

# seeds KIND: the decks of the tables tests/KIND/*.tsv, their escapes resolved, one file each.
seeds() {
	mkdir -p "$work/seeds-$1" "$work/corpus-$1"
	cat "$VIGIL_SOURCE/tests/$1"/*.tsv | awk -F '\t' -v folder="$work/seeds-$1" '
		/^#/ || length($1) > 3000 { next }
		{
			gsub(/\\n/, "\n", $1)
			gsub(/\\t/, "\t", $1)
			file = folder "/" NR
			printf "%s", $1 >file
			close(file)
		}'
}

# compile TARGET: compiles the target with libFuzzer, with everything it uses instrumented.
compile() {
	mkdir -p "$work/$1"
	for name in "$VIGIL_SOURCE"/common/*.c "$VIGIL_SOURCE"/parser/*.c "$VIGIL_BUILD"/parser/*.c; do
		[ -e "$name" ] || continue # generated files lie in one of the folders only
		case ${name##*/} in
		test-* | bench-* | fuzz-*) continue ;;
		control-*) [ "$1" = control ] || continue ;;
		jcl-* | plan.c) [ "$1" = jcl ] || continue ;;
		esac
		echo "$name"
	done | sort -u | xargs -P "$(nproc)" -I '{}' sh -c '
		clang -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
			-I"$VIGIL_BUILD" -I"$VIGIL_SOURCE" -DVIGIL_FUZZERS -DHAVE_CONFIG_H -D_GNU_SOURCE -std=gnu17 -w \
			-c -o "$0/$(basename "$1" .c).o" "$1"' "$work/$1" '{}' &&
		clang -g -fsanitize=fuzzer,address,undefined -I"$VIGIL_BUILD" -I"$VIGIL_SOURCE" -D_GNU_SOURCE \
			-std=gnu17 -w -o "$work/fuzz-$1" "$VIGIL_SOURCE/parser/fuzz-$1.c" "$work/$1"/*.o
}

# Whether clang is installed with libFuzzer.
libfuzzer() {
	echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return 0; }' |
		clang -fsanitize=fuzzer,address,undefined -x c -o "$work/try" - 2>/dev/null
}

# run TARGET: runs it for this time, from the seeds; returns its status.
run() {
	if [ -x "$work/fuzz-$1" ]; then
		"$work/fuzz-$1" -max_total_time="$seconds" -max_len=6000 -timeout=20 -print_final_stats=1 \
			-artifact_prefix="$work/" "$work/corpus-$1" "$work/seeds-$1" >"$work/log" 2>&1
	else
		cp "$VIGIL_BUILD/parser/fuzz-$1" "$work/run-$1" &&
			find "$work/seeds-$1" -type f -print0 | xargs -0 "$work/run-$1" "$seconds" >"$work/log" 2>&1
	fi
}

# targets: folder/fuzz-NAME of each target.
targets() {
	(cd "$VIGIL_SOURCE" && ls ./*/fuzz-*.c ./*/*/fuzz-*.c) | sed 's/^\.\///; s/\.c$//' | grep -v '^build\|/fuzz-driver$' |
		grep -E "^(${VIGIL_FUZZ_ROOMS:-.*})/" | sort
}

# replay TARGET: runs every input of its corpus; names those that fail.
replay() {
	set -- "$1" "$VIGIL_SOURCE/tests/corpus/${1##*/fuzz-}"
	[ -n "$(ls "$2" 2>/dev/null)" ] || { echo "# there is no input in $2"; return 1; }
	cp "$VIGIL_BUILD/$1" "$work/replay" && "$work/replay" 0 "$2"/* >"$work/log" 2>&1 && return
	tail -20 "$work/log" | sed 's/^/# /'
	for input in "$2"/*; do
		timeout 60 "$work/replay" 0 "$input" >/dev/null 2>&1 || echo "# with $input"
	done
	return 1
}

number=0
[ "$seconds" -eq 0 ] && short= || short="jcl control"
echo "1..$(echo "$(targets)" $short | wc -w)"
for target in $(targets); do
	number=$((number + 1))
	result=ok
	replay "$target" || result='not ok'
	echo "$result $number - $target with its corpus"
done
[ -n "$short" ] || exit 0
seeds jcl
seeds control
cp "$VIGIL_SOURCE"/jcl-examples/*.jcl "$work/seeds-jcl"
if libfuzzer; then
	compile jcl >"$work/compiled" 2>&1 && compile control >>"$work/compiled" 2>&1 ||
		sed 's/^/# /' "$work/compiled"
	with=libFuzzer
else
	with='the driver of our own'
fi
for target in $short; do
	number=$((number + 1))
	if run $target; then
		grep -h 'number_of_executed_units\|inputs$' "$work/log" | sed 's/^/# /'
		echo "ok $number - the grammar of $target survives $seconds seconds with $with"
	else
		tail -40 "$work/log" | sed 's/^/# /'
		for found in "$work"/crash-* "$work"/timeout-* "$work"/oom-* "$work/run-$target.input"; do
			[ -e "$found" ] && cp "$found" "$VIGIL_BUILD/fuzz-$target-${found##*/}" &&
				echo "# the input is in $VIGIL_BUILD/fuzz-$target-${found##*/}"
		done
		echo "not ok $number - the grammar of $target survives $seconds seconds with $with"
	fi
done
