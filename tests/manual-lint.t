#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manual pages are well formed: mandoc, if it is installed, or groff reports nothing.
cd "$VIGIL_SOURCE" || exit 1
set -- doc/*.[1-8] "$VIGIL_BUILD"/doc/*.[1-8]
said=$(mktemp)
trap 'rm -f "$said"' EXIT
echo "1..$#"
number=0
# Once for all pages: each line of the output names its page. groff is what man calls, with the same warnings.
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$@" >"$said" 2>&1
elif command -v groff >/dev/null; then
	LC_ALL=C.UTF-8 groff -mandoc -wmac -Kutf8 -Tutf8 -z "$@" 2>"$said" || echo "groff: $? is its exit status" >>"$said"
else
	for page; do
		number=$((number + 1))
		echo "ok $number - ${page##*/} # SKIP neither mandoc nor groff is installed"
	done
	exit
fi
for page; do
	number=$((number + 1))
	if grep -qF "$page:" "$said"; then
		echo "not ok $number - ${page##*/} is well formed"
		grep -F "$page:" "$said" | sed 's/^/# /'
	elif [ "$number" = $# ] && grep -qvF "$(printf '%s:\n' "$@")" "$said"; then
		echo "not ok $number - ${page##*/} is well formed, and nothing is said of none"
		grep -vF "$(printf '%s:\n' "$@")" "$said" | sed 's/^/# /'
	else
		echo "ok $number - ${page##*/} is well formed"
	fi
done
