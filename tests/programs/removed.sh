#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# removed.sh PROGRAM ARGUMENT...: runs a program, whose file is removed once it executes. It gets one argument more: a file that is made
# when its own is gone; until then it goes on, as shares does.
gone=$1.gone
"$@" "$gone" &
pid=$!
name=$(readlink -f "$1")
for _ in $(seq 500); do
	[ "$(readlink /proc/$pid/exe)" != "$name" ] || break
	sleep 0.01
done
rm "$1"
: >"$gone"
wait $pid
status=$?
rm "$gone"
exit $status
