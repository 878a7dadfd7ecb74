# SPDX-License-Identifier: Apache-2.0
# What the tests that run jobs share: "load jobs" in a .bats file. A test works in its own folder, with programs in
# ./bin (and $PROGRAMS), procedures in ./proclib, data sets in ./root and the spool in ./spool.

# in_own_folder: called by setup().
in_own_folder() {
	vigil=$VIGIL_BUILD/vigil
	utilities=$VIGIL_BUILD/utilities/programs
	[ -x "$vigil" ] || skip "vigil is not built"
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir -p bin
}

# job [OPTION...] [DECK...]: runs the decks, or the one on standard input; $last is the folder of the last job.
job() {
	case "$*" in
	*.jcl) ;;
	*) cat >deck.jcl; set -- "$@" deck.jcl ;;
	esac
	[ ! -d proclib ] || set -- --proclib proclib "$@"
	[ -z "$PROGRAMS" ] || set -- --steplib "$PROGRAMS" "$@"
	run "$vigil" submit --spool spool --root root --steplib bin "$@"
	# shellcheck disable=SC2012
	last=$(ls -d spool/JOB* 2>/dev/null | tail -1)
	echo "$output"
}

# program NAME: makes an executable script in ./bin from standard input.
program() {
	{ echo '#!/bin/sh'; cat; } >"bin/$1"
	chmod +x "bin/$1"
}

# said [FILE]: the output of COBOL programs. GnuCOBOL 3.2 of Debian 13 was built with a newer libxml than Debian 13
# has, which each of its programs reports first.
said() {
	sed '/^Warning: program compiled against libxml /d' "$@"
}

# has TEXT, hasnt TEXT: whether the last command printed it.
has() {
	case $output in
	*"$1"*) ;;
	*) echo "not in the output: $1"; return 1 ;;
	esac
}

hasnt() {
	case $output in
	*"$1"*) echo "in the output: $1"; return 1 ;;
	esac
}
