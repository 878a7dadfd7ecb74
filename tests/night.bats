#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# jcl-examples/night: four nights are run once, then every output is compared with what tests/night.py calculates from
# the input. In the first night a payment causes abend U0777, in the second S0C7, in the third all is well, in the
# fourth both would occur.

load trace

setup_file() {
	vigil=$VIGIL_BUILD/vigil
	[ -x "$vigil" ] || skip "vigil is not built"
	[ -n "$COBC" ] || COBC=$(command -v cobc) || skip "no cobc"
	command -v python3 >/dev/null || skip "no python3"
	export PYTHONDONTWRITEBYTECODE=1
	cd "$BATS_FILE_TMPDIR" || return 1
	night=$VIGIL_SOURCE/jcl-examples/night
	mkdir bin
	"$COBC" -x -std=ibm -I "$night/copy" -o bin/dump "$VIGIL_SOURCE/tests/programs/nightdump.cob" || return 1
	submit install "$night/install.jcl"
	for number in 1 2 3 4; do
		submit night$number --control "$night/night.ctl" "$night"/feed.jcl "$night"/night[1-5].jcl
		cp -a root "night$number"
		DD_MASTER=root/QW.CUST.MASTER DD_NUMBER=dump$number.NUMBER DD_ROUTE=dump$number.ROUTE \
			DD_METER=dump$number.METER bin/dump >"dump$number.log"
	done
	python3 "$VIGIL_SOURCE/tests/night.py" . 4
}

# submit NAME ARGUMENT...: writes the log to NAME.log, the exit status to NAME.status.
submit() {
	local name=$1 status=0

	shift
	"$vigil" submit --spool spool --root root --map "$night/night.map" "$@" >"$name.log" 2>&1 || status=$?
	echo $status >"$name.status"
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
	[ -e install.status ] || skip "vigil, cobc or python3 is missing"
}

# right TOPIC: it is correct after each of the nights.
right() {
	cat "wrong.$1"
	[ ! -s "wrong.$1" ]
}

@test "the decks are clean before anything of the company is there; a mapping file that is not is said" {
	decks=("$VIGIL_SOURCE"/jcl-examples/night/*.jcl)
	run "$VIGIL_BUILD/vigil" check --strict --root nothing --map "${decks[0]%/*}/night.map" "${decks[@]}"
	[ "$status" -eq 0 ]
	[[ $output != *VIG[0-9][0-9][0-9][0-9][WES]* ]]
	run "$VIGIL_BUILD/vigil" check --root nothing --map nothing.map "${decks[@]}"
	[ "$status" -ne 0 ]
	[[ $output == "vigil: VIG5140E the mapping file nothing.map cannot be used: "* ]]
}

@test "the programs are compiled, the libraries filled" {
	cat install.log
	[ "$(cat install.status)" -eq 0 ]
}

@test "a night with an abend ends with 100, one without with the highest return code" {
	grep -h 'VIG500' night?.log
	[ "$(cat night1.status night2.status night3.status night4.status | tr '\n' ' ')" = "100 100 4 100 " ]
}

@test "return codes, abend codes, and which steps COND and IF let run" {
	right steps
}

@test "every data set has the content that python calculates, and there is no other" {
	right data
}

@test "members of the report library and of its archive" {
	right members
}

@test "the customer master, by its primary and both alternate keys" {
	right master
}

@test "listings in the spool" {
	right listings
}

@test "job logs: the table of steps, how each ended, dispositions, statements after substitution" {
	right logs
}

@test "each step that ran has its profile; the paragraph that burns the CPU is named" {
	right profiles
}
