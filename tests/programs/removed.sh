#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# removed.sh PROGRAM ARGUMENT...: runs a program, whose file is removed once it executes.
"$@" &
pid=$!
name=$(readlink -f "$1")
for _ in $(seq 3000); do
	[ "$(readlink /proc/$pid/exe)" != "$name" ] || break
	sleep 0.01
done
rm "$1"
wait $pid
