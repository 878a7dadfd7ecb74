# SPDX-License-Identifier: Apache-2.0
# bats file_tags=trial
# The data collectors to learn from (doc/collectors), measured with the programs they observe; and the chapter
# that writes one, typed as it stands.

setup_file() {
	command -v cc >/dev/null || skip "cc is not installed"
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK" || return 1
	cp "$VIGIL_SOURCE"/doc/collectors/* .
	cc -O2 -g -o tsmdrivr tsmdrivr.c
	cc -O2 -g -o tinterpt tinterpt.c
	mkdir -p with
	(cd with && "$VIGIL_BUILD/vigil-config" --build ../STRBTSMD.c && "$VIGIL_BUILD/vigil-config" --build ../STRBDC1.c)
}

setup() {
	cd "$WORK" || return 1
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
}

# measure OPERANDS PROGRAM [ARG...]: a request with these operands.
measure() {
	local operands=$1
	shift
	"$vigil" run -c "ADD *$operands" -o "$data" -- "$@" 2>"$BATS_TEST_TMPDIR/summary"
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$BATS_TEST_TMPDIR/summary"; return 1; }
}

@test "the examples compile without a warning with gcc and clang" {
	for compiler in gcc clang; do
		command -v $compiler >/dev/null || skip "$compiler is not installed"
		for example in STRBTSMD STRBDC1; do
			# shellcheck disable=SC2046
			$compiler -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
				$("$VIGIL_BUILD/vigil-config" --collector-flags) -o example.so $example.c
		done
	done
}

@test "code that a program loads itself is .PRIVATE when nobody knows it" {
	measure "" ./tsmdrivr
	holds 'least(module(".PRIVATE"), 80)' 'module("PAYSCAN") == 0' 'ties() == ""'
}

# The kernel's share is left out, and samples to which the collector said nothing (a busy machine gave it no time, the
# chain was being made) are nobody's.
@test "STRBTSMD names the modules of a program that loads its own code, and groups TSM* in .TSMSYST" {
	measure ",DCCLIB='$WORK/with'" ./tsmdrivr
	holds 'near(module("PAYSCAN"), 50, module("PAYSCAN") + module("PAYPOST") + module(".TSMSYST"))' \
		'near(module("PAYPOST"), 30, module("PAYSCAN") + module("PAYPOST") + module(".TSMSYST"))' \
		'near(module(".TSMSYST"), 20, module("PAYSCAN") + module("PAYPOST") + module(".TSMSYST"))' \
		'module(".PRIVATE") <= 3 + unanswered("STRBTSMD")' 'ties() == ""' \
		'collector("STRBTSMD")["outside"] == 0'
}

@test "STRBTSMD rejects a chain that is a circle or leads nowhere, and the session goes on" {
	sed 's/program->next = tsmanch->first;/program->next = program; program->address = 0;/' tsmdrivr.c |
		sed 's/(uint64_t)(uintptr_t)copy;/(uint64_t)(uintptr_t)copy; broken = copy;/; s/(uintptr_t)program->address/(uintptr_t)broken/; s/^struct tsmanch \*tsmanch;/&\nstatic void *broken;/' >tsmbad.c
	mkdir -p circle
	cc -O2 -g -I. -o circle/tsmdrivr tsmbad.c
	measure ",DCCLIB='$WORK/with'" circle/tsmdrivr 500
	holds 'collector("STRBTSMD")["torn"] > 20' 'least(module(".PRIVATE"), 80)'
}

@test "STRBDC1 attributes time to the programs and statements of an interpreter" {
	measure ",DCC=STRBDC1,DCCLIB='$WORK/with'" ./tinterpt payday.t4l
	holds 'near(transaction_row("PAYSCAN")["samples"], 80, unknown=silent())' 'near(transaction_row("PAYPOST")["samples"], 20, unknown=silent())' \
		'near(module("PAYSCAN"), 80, module("PAYSCAN") + module("PAYPOST"))' \
		'near(charged("000200"), 50, unknown=silent())' 'near(charged("000300"), 30, unknown=silent())' \
		'near(charged("000100"), 20, unknown=silent())' \
		'module("tinterpt") <= 10 + unanswered("STRBDC1")' 'fact("subsystem") == "TINTERPT"' \
		'ties() == ""'
}

@test "a wait of a statement is reported for its program" {
	measure ",DCC=STRBDC1,DCCLIB='$WORK/with'" ./tinterpt payday.t4l 10
	"$vigil" report --format csv --report ACW "$data" | grep -F PAYPOST
}

@test "without STRBDC1 all time is the interpreter's" {
	measure "" ./tinterpt payday.t4l 10
	holds 'least(module("tinterpt"), 80)' 'module("PAYSCAN") == 0'
}

@test "what a collector says in an answer that comes too late is in the notes" {
	cat >late.c <<-'END'
		#include <vigil/collector.h>
		#include <unistd.h>
		static const char *const programs[] = { VIGIL_ALWAYS, NULL };
		static enum vigil_outcome entry(struct vigil_communication *area)
		{
			if (!area->anchor) {
				area->anchor = area;
				vigil_message(area, "once and late");
				usleep(50000);
			}
			return VIGIL_DONE;
		}
		VIGIL_COLLECTOR("STRBLATE", "G-00", 0, NULL, programs, entry);
	END
	mkdir -p late && (cd late && "$VIGIL_BUILD/vigil-config" --build ../late.c)
	measure ",DCC=STRBLATE,DCCLIB='$WORK/late'" ./tsmdrivr 500
	holds 'collector("STRBLATE")["late"] >= 1'
	"$vigil" report --format json --all "$data" | grep -F "data collector STRBLATE: once and late"
}

# type_in CHAPTER: runs the commands in the fenced blocks marked sh, in an empty folder, as a reader would type them.
type_in() {
	mkdir "$BATS_TEST_TMPDIR/empty" && cd "$BATS_TEST_TMPDIR/empty" || return 1
	sed -n '/^```sh$/,/^```$/p' "$1" | grep -v '^```' >../commands
	PATH=$VIGIL_BUILD:$PATH XDG_DATA_HOME=$BATS_TEST_TMPDIR/data sh -eux ../commands
}

@test "every command of collector-guide.md can be typed as it stands, and does what the text says" {
	type_in "$VIGIL_SOURCE/doc/collector-guide.md"
	data=before.vprf
	holds 'least(charged("handle"), 80)' 'transaction("RUSH") == 0'
	data=after.vprf
	holds 'near(transaction_row("RUSH")["samples"], 75, unknown=silent())' 'near(transaction_row("PLAIN")["samples"], 25, unknown=silent())' 'ties() == ""'
	data=wrong.vprf
	holds 'transaction("RUSH") == 0' 'abs(fact("cpu_samples_ns") - fact("cpu_switches_ns")) <= 0.02 * fact("cpu_switches_ns") + 3e6 + 30e3 * fact("switches")'
	"$vigil" report --format json --all wrong.vprf | grep -E 'STRBORDE.*(signal|SIGSEGV)'
	data=last.vprf
	holds 'near(transaction_row("RUSH")["samples"], 75, unknown=silent())'
}
