#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Findings in COBOL programs: each with a program that has the fault, and one without it.
#
# What is found, where, and with which evidence, depends on no clock: the fault is nearly all that the program does.
# The savings are judged by the slow tests. The model (saved() in findings.py): a finding's margin is 1.96 standard
# deviations, of its samples or of the looks at its waits; chance exceeds 2.5 of it once in a million, and a tenth is
# the difference between two runs of one program. A finding that reports twice what it saves, or half, is detected.

bats_require_minimum_version 1.5.0

load trace
load findings

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v "${COBC:-cobc}" >/dev/null || skip "there is no COBOL compiler"
}

# program NAME SOURCE [SCRIPT]: compiles a test program, changed by a sed script, in the folder NAME.
program() {
	mkdir "$1"
	sed "${3:-}" "$VIGIL_SOURCE/tests/programs/$2.cob" >"$1/$2.cob"
	(cd "$1" && "${COBC:-cobc}" -x -g -o "$2" "$2.cob")
}

digits() {
	program digits digits 's/3000000/1000000/'
	program binary digits 's/3000000/1000000/; s/USAGE DISPLAY/USAGE COMP-5/; s/USAGE PACKED-DECIMAL/USAGE COMP-5/'
	measured bad digits/digits
	measured good binary/digits
}

# bats test_tags=slow
@test "arithmetic on items stored as digits: what its removal saves" {
	digits
	found "saved('DISPLAY-ARITHMETIC', cpu(bad), cpu(good))"
}

@test "arithmetic on items stored as digits" {
	local via='(cob_(add|sub|mul|div|decimal|cmp|numeric_cmp|get|set_packed).*|__gmp.*|[+]0x.*)'
	digits
	found "list(findings(bad)) == ['DISPLAY-ARITHMETIC']" "findings(good) == {}" \
		"seen(bad, 'DISPLAY-ARITHMETIC', '$via')" \
		"findings(bad)['DISPLAY-ARITHMETIC']['where'].startswith('digits.cob: ')" \
		"' statements compute with items stored as digits' in findings(bad)['DISPLAY-ARITHMETIC']['what']" \
		"'ONE-PIECE line 22, ' in findings(bad)['DISPLAY-ARITHMETIC']['evidence']" \
		"': PRICE PIC S9(5)V99 DISPLAY, TOTAL PIC S9(11)V99 DISPLAY' in findings(bad)['DISPLAY-ARITHMETIC']['evidence']" \
		"' CPU samples of cob_cmp_packed_int: STOCK PIC S9(9) PACKED-DECIMAL' in findings(bad)['DISPLAY-ARITHMETIC']['evidence']" \
		"': ROUNDS PIC S9(9) DISPLAY' in findings(bad)['DISPLAY-ARITHMETIC']['evidence']"
	"$vigil" report bad.vprf >listing
	grep -q '^1[.] Define items that a program computes with as USAGE COMP-5' listing
	[ "$(sed -n '/^FINDINGS/,/^WHERE TO LOOK/p' listing | awk 'length > 132' | wc -l)" -eq 0 ]

	# Without the source, and with another one: the statements, and the reason why there are no items.
	mv digits/digits.cob kept
	"$vigil" report --format json --all bad.vprf >bad.json
	found "seen(bad, 'DISPLAY-ARITHMETIC', '$via')" "' PIC ' not in findings(bad)['DISPLAY-ARITHMETIC']['evidence']" \
		"'(its items are not known: digits.cob cannot be read)' in findings(bad)['DISPLAY-ARITHMETIC']['evidence']"
	sed '/PROCEDURE DIVISION/i\      * A line more.' kept >digits/digits.cob
	"$vigil" report --format json --all bad.vprf >bad.json
	found "' PIC ' not in findings(bad)['DISPLAY-ARITHMETIC']['evidence']" \
		"'(its items are not known: digits.cob has been changed since)' in findings(bad)['DISPLAY-ARITHMETIC']['evidence']"
}

# prices N: N searches.
prices() {
	program entries prices "s/80000 TIMES/$1 TIMES/"
	program halves prices "s/80000 TIMES/$1 TIMES/; s/SEARCH PRICE-ENTRY/SEARCH ALL PRICE-ENTRY/"
	measured bad entries/prices
	measured good halves/prices
}

# bats test_tags=slow
@test "a table that is searched entry by entry: what its removal saves" {
	prices 30000
	found "saved('TABLE-SEARCH', cpu(bad), cpu(good), 0.7)"
}

@test "a table that is searched entry by entry" {
	prices 12000
	found "list(findings(bad)) == ['TABLE-SEARCH']" "findings(good) == {}" \
		"findings(bad)['TABLE-SEARCH']['where'] == 'prices.cob: FIND-PRICE line 30'" \
		"findings(bad)['TABLE-SEARCH']['what'] == 'table PRICE-ENTRY of 1000 entries is searched entry by entry'" \
		"findings(bad)['TABLE-SEARCH']['evidence'] == 'PUP: FIND-PRICE line 33, %d CPU samples' % at_line(bad, 33)"
	# Without the source it is unknown whether a WHEN belongs to a SEARCH.
	rm entries/prices.cob
	"$vigil" report --format json --all bad.vprf >bad.json
	found "findings(bad) == {}"
}

# built N: N lines.
built() {
	program itself built "s/30 TIMES/$1 TIMES/"
	program further built "s/30 TIMES/$1 TIMES/; s/FUNCTION TRIM (LINE-BUILT)//; s/INTO LINE-BUILT[.]/INTO LINE-BUILT POINTER LINE-END./"
	[ "$(itself/built)" = "$(further/built)" ]
	measured bad itself/built
	measured good further/built
}

# bats test_tags=slow
@test "a text that is built from itself: what its removal saves" {
	built 8
	found "saved('TEXT-BUILDING', cpu(bad), cpu(good), 0.7)"
}

@test "a text that is built from itself" {
	built 4
	found "list(findings(bad)) == ['TEXT-BUILDING']" "findings(good) == {}" \
		"findings(bad)['TEXT-BUILDING']['where'] == 'built.cob: ADD-WORD line 23'" \
		"findings(bad)['TEXT-BUILDING']['what'] == 'LINE-BUILT is built from itself: each piece copies all of it'" \
		"evidence(bad, 'TEXT-BUILDING')['ACE'] == 'ADD-WORD line 23, %d CPU samples of finding and copying it' % charged(bad, 23, 'cob_(string_append|intr_trim)')"
	# Without the source it is unknown which items a statement has.
	rm itself/built.cob
	"$vigil" report --format json --all bad.vprf >bad.json
	found "findings(bad) == {}"
}

# cancels N, cancels_of_storage N: N cancels.
cancels() {
	program again again "s/20000 TIMES/$1 TIMES/"
	program once again "s/20000 TIMES/$1 TIMES/; s/CANCEL .*/CONTINUE./"
	"${COBC:-cobc}" -m -g -o ANEW.so "$VIGIL_SOURCE/tests/programs/ANEW.cob"
	export COB_LIBRARY_PATH=$PWD COB_PHYSICAL_CANCEL=yes
	measured bad again/again
	measured good once/again
}

# Where the object stays loaded, its storage is initialized at each call.
cancels_of_storage() {
	"${COBC:-cobc}" -m -g -o ANEW.so "$VIGIL_SOURCE/tests/programs/ANEW.cob"
	export COB_LIBRARY_PATH=$PWD
	unset COB_PHYSICAL_CANCEL
	program often again "s/20000 TIMES/$1 TIMES/"
	program stays again "s/20000 TIMES/$1 TIMES/; s/CANCEL .*/CONTINUE./"
	measured bad often/again
	measured good stays/again
}

# bats test_tags=slow
@test "a subprogram that is called and cancelled again and again: what its removal saves" {
	cancels 20000
	found "saved('CANCEL', cpu(bad), cpu(good), 0.7)"
	cancels_of_storage 800000
	found "saved('CANCEL', cpu(bad), cpu(good))"
}

@test "a subprogram that is called and cancelled again and again" {
	cancels 8000
	found "list(findings(bad)) == ['CANCEL']" "findings(good) == {}" \
		"findings(bad)['CANCEL']['where'] == 'again.cob: ONE-CALL line 15'" \
		"'ONE-CALL line 15, %d CPU samples of cancelling' % charged(bad, 15, 'cob_cancel') in findings(bad)['CANCEL']['evidence']" \
		"'ONE-CALL line 14, %d CPU samples of loading' % charged(bad, 14, 'cob_resolve.*|_dl_runtime_resolve.*') in findings(bad)['CANCEL']['evidence']"
}

# One sample in 35 is in the cancelling itself, and the finding needs two of them: of some 2000 samples, 60.
@test "a subprogram that stays loaded and is cancelled again and again" {
	rate=8000
	cancels_of_storage 500000
	found "list(findings(bad)) == ['CANCEL']" "findings(good) == {}"
}
