# SPDX-License-Identifier: Apache-2.0
# The example data collectors (doc/collectors), measured with the programs they observe; and the chapter that writes
# one, with its commands executed verbatim.

load trace
load live
load waiting

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

# measure OPERANDS PROGRAM [ARG...]: measures with these operands. With $thousand a program of half a second gets this
# many samples, whatever they cost.
measure() {
	local operands=$1 options=()
	shift
	[ -z "$thousand" ] || options=(--rate 2000 --cost 100)
	"$vigil" run "${options[@]}" -c "ADD *$operands" -o "$data" -- "$@" 2>"$BATS_TEST_TMPDIR/summary"
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
	shows measure "" ./tsmdrivr @200 holds \
		'module(".PRIVATE") > 0' 'module("PAYSCAN") == 0' 'ties() == ""'
}

@test "STRBTSMD names the modules of a program that loads its own code, and groups TSM* in .TSMSYST" {
	shows measure ",DCCLIB='$WORK/with'" ./tsmdrivr @300 holds \
		'module("PAYSCAN") > 0' 'module("PAYPOST") > 0' 'module(".TSMSYST") > 0' \
		'module("TSMDISP") == module("TSMLOAD") == 0' 'collector("STRBTSMD")["outside"] == 0' 'ties() == ""'
}

@test "STRBTSMD rejects a chain that is a circle or leads nowhere, and the session goes on" {
	sed 's/program->next = tsmanch->first;/program->next = program; program->address = 0;/' tsmdrivr.c |
		sed 's/(uint64_t)(uintptr_t)copy;/(uint64_t)(uintptr_t)copy; broken = copy;/; s/(uintptr_t)program->address/(uintptr_t)broken/; s/^struct tsmanch \*tsmanch;/&\nstatic void *broken;/' >tsmbad.c
	mkdir -p circle
	cc -O2 -g -I. -o circle/tsmdrivr tsmbad.c
	measure ",DCCLIB='$WORK/with'" circle/tsmdrivr 200
	# It is called again after the first block that it rejects, and code in such a chain has no name.
	holds 'collector("STRBTSMD")["torn"] > 1' 'module(".PRIVATE") > 0' \
		'module("PAYSCAN") == module("PAYPOST") == module(".TSMSYST") == 0' 'ties() == ""'
}

@test "STRBDC1 names the programs and statements of an interpreter" {
	shows measure ",DCC=STRBDC1,DCCLIB='$WORK/with'" ./tinterpt payday.t4l @3 holds \
		'transaction_row("PAYSCAN")["samples"] > 0' 'transaction_row("PAYPOST")["samples"] > 0' \
		'module("PAYSCAN") > 0' 'module("PAYPOST") > 0' \
		'charged("000100") > 0' 'charged("000200") > 0' 'charged("000300") > 0' \
		'fact("subsystem") == "TINTERPT"' 'ties() == ""'
	# The same holds for a wait of a statement.
	"$vigil" report --format csv --report ACW "$data" | grep -F PAYPOST
}

@test "without STRBDC1 all time is the interpreter's" {
	shows measure "" ./tinterpt payday.t4l @2 holds \
		'module("tinterpt") > 0' 'module("PAYSCAN") == module("PAYPOST") == 0' 'transaction("PAYSCAN") == 0'
}

# The model of the shares below: each program works for its part of the CPU time by its own CPU clock, and about 1,000
# samples follow that clock, so their numbers are binomial (near() of profile.py: 4.9 deviations, and the samples
# without an answer). Of 1,000 that is 77 for a half: a collector that gives the neighbour's name, or no name for one
# of the programs, is detected. The kernel's part is excluded from the whole. Samples must not be halved for their
# cost: then some 250 are left, and those without an answer, counted before, are no longer a part of them. Time that a
# hypervisor gave to others is in the program's clock, at one of its parts, and in no sample: it may belong to any.

# bats test_tags=live
@test "the modules that STRBTSMD names have their shares" {
	local whole='module("PAYSCAN") + module("PAYPOST") + module(".TSMSYST")' unknown='silent() - late() + stolen()'
	late=out thousand=yes valid measure ",DCCLIB='$WORK/with'" ./tsmdrivr 500
	holds "near(module('PAYSCAN'), 50, $whole, $unknown)" "near(module('PAYPOST'), 30, $whole, $unknown)" \
		"near(module('.TSMSYST'), 20, $whole, $unknown)" 'module(".PRIVATE") <= silent()'
}

# The interpreter's own time, between statements and at its start, is less than 2 ms: with a mean of 4, Poisson gives
# more than 17 samples in one case in a million.
# bats test_tags=live
@test "the programs and statements that STRBDC1 names have their shares" {
	local all='module("PAYSCAN") + module("PAYPOST")' unknown='silent() - late() + stolen()'
	late=out thousand=yes valid measure ",DCC=STRBDC1,DCCLIB='$WORK/with'" ./tinterpt payday.t4l 5
	holds "near(transaction_row('PAYSCAN')['samples'], 80, unknown=$unknown)" "near(transaction_row('PAYPOST')['samples'], 20, unknown=$unknown)" \
		"near(module('PAYSCAN'), 80, $all, $unknown)" "near(charged('000200'), 50, $all, $unknown)" \
		"near(charged('000300'), 30, $all, $unknown)" "near(charged('000100'), 20, $all, $unknown)" \
		'module("tinterpt") <= 17 + silent()'
}

# Of the program's own code and the code that it loads, the loaded code has all but a call of the clock per 100,000
# iterations of a loop: at least 98 of 100 samples.
# bats test_tags=slow
@test "code that a program loads itself has its share in .PRIVATE, and the interpreter has its own without a collector" {
	valid measure "" ./tsmdrivr 1000
	holds 'least(module(".PRIVATE"), 98, module(".PRIVATE") + own(None, "tsmdrivr"))'
	valid measure "" ./tinterpt payday.t4l 10
	# The rest is the kernel and the start of the program; a tenth is more than they take.
	holds 'least(module("tinterpt"), 90)'
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
	measure ",DCC=STRBLATE,DCCLIB='$WORK/late'" ./tsmdrivr 200
	holds 'collector("STRBLATE")["late"] >= 1'
	"$vigil" report --format json --all "$data" | grep -F "data collector STRBLATE: once and late"
}

# type_in CHAPTER [SED-COMMAND]: runs the commands of the fenced blocks marked sh in an empty folder, as a reader
# would type them.
type_in() {
	rm -rf "$BATS_TEST_TMPDIR/empty"
	mkdir "$BATS_TEST_TMPDIR/empty" && cd "$BATS_TEST_TMPDIR/empty" || return 1
	sed -n '/^```sh$/,/^```$/p' "$1" | grep -v '^```' | sed "${2:-}" >../commands
	PATH=$VIGIL_BUILD:$PATH XDG_DATA_HOME=$BATS_TEST_TMPDIR/data sh -eux ../commands
}

@test "every command of collector-guide.md can be typed as it stands, and names what the text says" {
	# The program of the text works for two seconds; a quarter of one is enough for names.
	type_in "$VIGIL_SOURCE/doc/collector-guide.md" 's/i < 25;/i < 3;/'
	grep -q 'i < 3;' orders.c
	data=before.vprf
	holds 'charged("handle") > 0' 'transaction("RUSH") == 0'
	data=after.vprf
	holds 'transaction_row("RUSH")["samples"] > 0' 'transaction_row("PLAIN")["samples"] > 0' 'ties() == ""'
	data=wrong.vprf
	holds 'charged("handle") > 0' 'transaction("RUSH") == 0' 'ties() == ""'
	"$vigil" report --format json --all wrong.vprf | grep -E 'STRBORDE.*(signal|SIGSEGV)'
	data=last.vprf
	holds 'transaction_row("RUSH")["samples"] > 0' 'transaction_row("PLAIN")["samples"] > 0'
}

# guide: runs it unchanged, and judges its last session.
guide() {
	type_in "$VIGIL_SOURCE/doc/collector-guide.md"
	data=last.vprf
}

# The program's 2,000 samples follow its CPU clock, by which RUSH works for three quarters. The kernel's work for it
# and its start are less than a tenth of its time. A crash of a collector does not change the time that samples
# represent: the total is that of the switches except for one sample of a millisecond at the end, and 30 microseconds
# per switch.
# bats test_tags=slow
@test "the sessions of collector-guide.md have the shares that the text says" {
	valid guide
	for data in after.vprf last.vprf; do
		holds 'void() != "" or near(transaction_row("RUSH")["samples"], 75, unknown=silent())' \
			'void() != "" or near(transaction_row("PLAIN")["samples"], 25, unknown=silent())'
	done
	data=before.vprf
	holds 'least(charged("handle"), 90)'
	data=wrong.vprf
	holds 'least(charged("handle"), 90)' \
		'abs(fact("cpu_samples_ns") - fact("cpu_switches_ns")) <= 0.02 * fact("cpu_switches_ns") + 3e6 + 30e3 * fact("switches")'
}
