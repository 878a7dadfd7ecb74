#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The end-to-end tests that measure what programs do with their time. Each of them keeps one processor busy, so two run at a
# time: what they compare are parts of the CPU time and of the waits, which other work does not change. Then the ten files
# of the whole run that took longest. "timed.t list" names these tests; those that take long stand first.
names="profile collectors-python collectors-shell collectors-safety collectors-cobol collectors-transactions collectors-postgres
	collectors-examples collectors-perl cost collectors collectors-reports event-storm compare go call-tree findings findings-cobol findings-system places modules names files activity"
# shellcheck disable=SC2086
case $1 in
list) echo $names ;;
*)
	"$VIGIL_SOURCE/tests/end-to-end" 2 $names
	failed=$?
	echo "# Slowest of this run:"
	sort -rn "$VIGIL_BUILD/tests/times" | sed 's/^\([0-9]*\) \(.*\)/#  \1 s \2/; 10q'
	exit $failed ;;
esac
