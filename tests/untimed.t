#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The end-to-end tests that measure no times, in two streams beside each other; the others have the machine for
# themselves. "untimed.t list" names them.
first="catalog idcams joblog libraries compile tso submit collectors-find"
second="language signs programs updates sort iebgener config step-rc night blocks events commands event-reports handler"
if [ "$1" = list ]; then
	echo "$first $second"
	exit 0
fi
if [ -z "$BATS" ]; then
	echo "1..0 # SKIP bats is not installed"
	exit 0
fi
said=$(mktemp -d) || exit 1
trap 'rm -rf "$said"' EXIT

# stream NAME...: run files one after the other.
stream() {
	for name; do
		set -- "$@" "$VIGIL_SOURCE/tests/$name.bats"
		shift
	done
	"$BATS" --tap "$@" 2>&1
}

# shellcheck disable=SC2086
stream $first >"$said/1" &
beside=$!
# shellcheck disable=SC2086
stream $second >"$said/2"
failed=$?
wait $beside || failed=1
sh "$VIGIL_SOURCE/tests/one-list" "$said/1" "$said/2"
exit $failed
