#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# libvigil-engine as external programs use it: what is installed, the examples (doc/modules), and bad modules.

bats_require_minimum_version 1.5.0

load trace

# Installs below $PREFIX what "make install" provides for external programs, and builds the examples against nothing
# else.
setup_file() {
	export PREFIX=$BATS_FILE_TMPDIR/usr BIN=$BATS_FILE_TMPDIR/bin
	mkdir -p "$BIN" "$PREFIX/include/vigil" "$PREFIX/lib/pkgconfig"
	cp "$VIGIL_SOURCE/include/vigil/module.h" "$VIGIL_SOURCE/include/vigil/engine.h" "$PREFIX/include/vigil/"
	cp -P "$VIGIL_BUILD"/.libs/libvigil-engine.so* "$PREFIX/lib/"
	sed -e "s,^prefix=.*,prefix=$PREFIX," -e "s,^libdir=.*,libdir=$PREFIX/lib," \
		-e "s,^includedir=.*,includedir=$PREFIX/include," \
		"$VIGIL_BUILD/include/vigil/vigil-engine.pc" >"$PREFIX/lib/pkgconfig/vigil-engine.pc"
	export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig LD_LIBRARY_PATH=$PREFIX/lib
	chmod go-w "$BATS_FILE_TMPDIR" "$BIN"
	for name in load-producer idle-filter live-consumer; do
		# shellcheck disable=SC2046
		cc -std=c11 -Wall -Wextra -Werror -shared -fPIC -o "$BIN/$name.so" "$VIGIL_SOURCE/doc/modules/$name.c" \
			$(pkg-config --cflags vigil-engine) || return 1
	done
	# It treats a module that does not answer for two seconds as hanging; on a fully loaded machine good ones need
	# more.
	sed 's/UINT64_C(2000000000)/UINT64_C(5000000000)/' "$VIGIL_SOURCE/doc/modules/client.c" >"$BATS_FILE_TMPDIR/client.c"
	grep -q 'UINT64_C(5000000000)' "$BATS_FILE_TMPDIR/client.c" || return 1
	# shellcheck disable=SC2046
	cc -std=c11 -Wall -Wextra -Werror -o "$BIN/client" "$BATS_FILE_TMPDIR/client.c" \
		$(pkg-config --cflags --libs vigil-engine) || return 1
	cc -Wall -shared -fPIC -o "$BIN/bad.so" "$VIGIL_SOURCE/tests/modules/bad.c" -I"$PREFIX/include"
	for kind in FILTER TIMER EXTRACTOR; do
		cc -Wall -shared -fPIC -DBAD_$kind -o "$BIN/bad-$kind.so" "$VIGIL_SOURCE/tests/modules/bad-others.c" \
			-I"$PREFIX/include"
	done
	for kind in VERSION IDENTIFIER SIZE NOTHING CRASHES HANGS; do
		cc -Wall -shared -fPIC -DBAD_$kind -o "$BIN/list-$kind.so" "$VIGIL_SOURCE/tests/modules/bad-list.c" \
			-I"$PREFIX/include"
	done
	cc -shared -fPIC -o "$BIN/plain.so" -x c /dev/null
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	PATH=$BIN:$PATH
	export EXAMPLE_LIST=$PWD/list EXAMPLE_LIMIT=-1
}

# client ARGUMENT...: its output is in $output, its messages in said.
client() {
	run --separate-stderr "$BIN/client" "$@"
	printf '%s\n' "$stderr" >said
}

@test "the headers compile alone, and together, as C99 and C++" {
	for header in module engine; do
		echo "#include <vigil/$header.h>" >one.c
		cc -std=c99 -Wall -Wextra -Wpedantic -Wno-variadic-macros -Werror -fsyntax-only -I"$PREFIX/include" one.c
		c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only -x c++ -I"$PREFIX/include" one.c
	done
	for header in vigil collector handler module engine; do
		echo "#include <vigil/$header.h>"
	done >all.c
	cc -Wall -Wextra -Werror -fsyntax-only -I"$VIGIL_SOURCE/include" all.c
	c++ -Wall -Wextra -Werror -fsyntax-only -x c++ -I"$VIGIL_SOURCE/include" all.c
}

@test "module.h needs only stdint.h and stddef.h" {
	run grep -h '^#include' "$VIGIL_SOURCE/include/vigil/module.h"
	[ "$output" = "#include <stddef.h>
#include <stdint.h>" ]
	run grep -h '^#include' "$VIGIL_SOURCE/include/vigil/engine.h"
	[ "$output" = '#include "vigil/module.h"' ]
}

@test "the library shows the functions of its header and no others" {
	nm -D --defined-only "$PREFIX/lib/libvigil-engine.so" | awk '{ print $3 }' | sort >shown
	grep -oE '\bvigil_engine_[a-z_]+\(' "$PREFIX/include/vigil/engine.h" | tr -d '(' | sort -u >declared
	diff shown declared
	[ "$(wc -l <shown)" -ge 13 ]
}

@test "the examples are below a hundred lines each" {
	for file in "$VIGIL_SOURCE"/doc/modules/*.c; do
		[ "$(wc -l <"$file")" -lt 100 ]
	done
}

@test "the example consumer takes live and stored data alike" {
	client collect data.vprf 4 20 "$BIN/load-producer.so" "$BIN/live-consumer.so"
	[ "$status" -eq 0 ]
	[ "$(grep -c '^. example_load average=[0-9.e-]* runnable=[0-9]* tasks=[0-9]*$' list)" -eq 4 ]
	grep -qx 'snapshot 4 last example_load 1' <<<"$output"
	mv list live
	client read data.vprf 0 0 "$BIN/live-consumer.so"
	[ "$status" -eq 0 ]
	diff live list
}

@test "what the example producer says is what /proc/loadavg says" {
	# The kernel updates it every five seconds: a comparison that one update fell into shows nothing; two updates
	# cannot fall into less.
	for _ in $(seq 20); do
		SECONDS=0
		before=$(cut -d ' ' -f 1 /proc/loadavg)
		client collect - 1 1 "$BIN/load-producer.so" "$BIN/live-consumer.so"
		after=$(cut -d ' ' -f 1 /proc/loadavg)
		[ "$before" != "$after" ] || [ $SECONDS -gt 3 ] || break
	done
	[ "$before" = "$after" ]
	load=$(sed -n 's/^1 example_load average=\([^ ]*\) .*/\1/p' list)
	[ "$load" = "$(printf %g "$before")" ]
}

@test "the example filter leaves out what is below its limit" {
	EXAMPLE_LIMIT=1e9 client collect - 3 1 "$BIN/load-producer.so" "$BIN/live-consumer.so" "$BIN/idle-filter.so"
	[ "$status" -eq 0 ]
	! grep example_load list || return 1
	EXAMPLE_LIMIT=-1 client collect - 3 1 "$BIN/load-producer.so" "$BIN/live-consumer.so" "$BIN/idle-filter.so"
	[ "$(grep -c example_load list)" -eq 3 ]
}

@test "a library is found by its name in the folders of VIGIL_MODULES" {
	VIGIL_MODULES=/nowhere:$BIN client collect - 1 1 load-producer
	[ "$status" -eq 0 ]
	grep -qx 'snapshot 1 last example_load 1' <<<"$output"
	VIGIL_MODULES=/nowhere client collect - 1 1 load-producer
	[ "$status" -eq 1 ]
	grep -q 'there is no library load-producer' said
}

@test "a library that others could change is not loaded" {
	mkdir open
	cp "$BIN/load-producer.so" open/
	chmod 777 open
	client collect - 1 1 "$PWD/open/load-producer.so"
	[ "$status" -eq 1 ]
	grep -q 'is not trusted: .*everybody can write to it' said
}

@test "libraries that are none are refused with a reason" {
	for kind in "VERSION:was built for version 2 of the interface, this is version 1" "IDENTIFIER:identifying constant" \
		"SIZE:wrong size or no modules" "NOTHING:wrong size or no modules" "CRASHES:signal 11" "HANGS:did not return"; do
		client collect - 1 1 "$BIN/list-${kind%%:*}.so"
		[ "$status" -eq 1 ]
		grep -q "^error: library .*list-${kind%%:*}.so: .*${kind#*:}" said
	done
	client collect - 1 1 "$BIN/plain.so"
	grep -q 'it has no symbol vigil_modules' said
}

@test "a module that crashes, hangs or calls exit does not take the collection along" {
	client collect data.vprf 5 50 "$BIN/bad.so" "$BIN/live-consumer.so"
	[ "$status" -eq 0 ]
	grep -qx 'warning: BAD.CRASH: it is switched off: it was ended by signal 11 (Segmentation fault) at a snapshot' said
	grep -qx 'warning: BAD.ABORT: it is switched off: it was ended by signal 6 (Aborted) at a snapshot' said
	grep -qx 'warning: BAD.EXIT: it is switched off: it called exit (3) at a snapshot' said
	grep -qx 'warning: BAD.HANG: it is switched off: it did not return at a snapshot' said
	grep -qx 'warning: BAD.RUBBISH: it is switched off: it returned 4711, which is not valid here' said
	grep -qx 'error: BAD.ERROR: the tape is torn' said
	# The module that follows the crashed one is notified, and continues.
	[ "$(grep -cx 'warning: BAD.AFTER: lost BAD.CRASH' said)" -eq 1 ]
	# The crashed module has its first record in the data, the good ones all of theirs; texts are those of each.
	[ "$(grep -c ' bad_crash number=1 ' list)" -eq 1 ]
	! grep ' bad_crash number=2 ' list || return 1
	[ "$(grep -c ' good ' list)" -eq 5 ]
	[ "$(grep -c ' bad_after ' list)" -eq 5 ]
	grep -q 'module GOOD on apart calls 7$' <<<"$output"
	mv list live
	client read data.vprf 0 0 "$BIN/live-consumer.so"
	diff live list
}

@test "a filter in a process of its own discards until it crashes" {
	client collect - 5 10 "$BIN/bad.so" "$BIN/bad-FILTER.so" "$BIN/live-consumer.so"
	[ "$status" -eq 0 ]
	grep -qx 'warning: BAD.FILTER: it is switched off: it was ended by signal 11 (Segmentation fault) at a snapshot' said
	[ "$(grep ' good ' list | cut -d ' ' -f 1-3 | paste -sd ,)" = '3 good number=3,4 good number=4,5 good number=5' ]
}

@test "a timer that crashes ends the collection in order" {
	client collect - 0 3600000 "$BIN/bad-TIMER.so" "$BIN/load-producer.so" "$BIN/live-consumer.so"
	[ "$status" -eq 0 ]
	grep -qx 'warning: BAD.TIMER: it is switched off: it was ended by signal 11 (Segmentation fault) when it was asked for the time of the next snapshot' said
	[ "$(grep -c example_load list)" -eq 5 ]
	grep -qx 'snapshot 5 last example_load 1' <<<"$output"
}

@test "an extractor that crashes ends the extraction in order" {
	client read - 0 0 "$BIN/bad-EXTRACTOR.so" "$BIN/live-consumer.so"
	[ "$status" -eq 0 ]
	grep -qx 'warning: BAD.TAPE: it is switched off: it was ended by signal 11 (Segmentation fault) at a snapshot' said
	[ "$(grep taped list | cut -d ' ' -f 1-3 | paste -sd ,)" = '1 taped number=71,2 taped number=72' ]
	grep -qx 'snapshot 2 taped 1' <<<"$output"
}

@test "no process of a module stays behind" {
	client collect - 3 10 "$BIN/bad.so"
	[ "$status" -eq 0 ]
	! pgrep -P $$ client || return 1
	! pgrep -f "$BIN/client" || return 1
}

@test "the commands of the guide work as they stand" {
	cp "$VIGIL_SOURCE"/doc/modules/*.c .
	chmod go-w .
	unset EXAMPLE_LIST EXAMPLE_LIMIT
	ln -s "$VIGIL_BUILD/vigil" vigil
	PATH=$PWD:$PATH
	grep '^    ' "$VIGIL_SOURCE/doc/module-guide.md" | sed 's/^    //' >commands
	[ "$(wc -l <commands)" -ge 8 ]
	# Omitted intervals on a busy machine give a warning.
	sed -i 's/^vigil .*\|^EX[A-Z_]*=[^ ]* vigil .*/{ &; } || [ $? -eq 4 ]/' commands
	run -0 sh -ex commands
	[ "$(grep -c example_load live)" -eq 3 ]
	[ "$(grep -c example_load stored)" -ge 3 ]
	! grep example_load none || return 1
}

@test "the system metrics are there for every client" {
	# shellcheck disable=SC2046
	cc -Wall -Wextra -Werror -o chooses "$VIGIL_SOURCE/tests/modules/chooses.c" \
		$(pkg-config --cflags --libs vigil-engine)
	run -0 ./chooses DEFAULT
	for type in cpu mem dsk sys pro; do
		grep -q "^$type [1-9]" <<<"$output"
	done
	[ "$(sed -n 's/^cpu \([0-9]*\) .*/\1/p' <<<"$output")" -eq "$(getconf _NPROCESSORS_ONLN)" ]
	run -0 ./chooses MEM
	[ "$(grep -vc '^clock ' <<<"$output")" -eq 1 ]
	run -1 ./chooses NOBODY
	[ "$output" = "there is no module NOBODY" ]
}
