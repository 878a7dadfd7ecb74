#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manual pages are well formed: man (or mandoc, where it is installed) has nothing to say.
cd "$VIGIL_SOURCE" || exit 1
set -- doc/*.[1-8] "$VIGIL_BUILD"/doc/*.[1-8]
said=$(mktemp)
trap 'rm -f "$said"' EXIT
echo "1..$#"
number=0
for page; do
	number=$((number + 1))
	if command -v mandoc >/dev/null; then
		mandoc -T lint -W warning "$page" >"$said" 2>&1
	elif command -v man >/dev/null && man --help 2>&1 | grep -q -e --warnings; then
		LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -l "$page" 2>"$said" >/dev/null
	else
		echo "ok $number - ${page##*/} # SKIP neither mandoc nor man-db is installed"
		continue
	fi
	if [ -s "$said" ]; then
		echo "not ok $number - ${page##*/} is well formed"
		sed 's/^/# /' "$said"
	else
		echo "ok $number - ${page##*/} is well formed"
	fi
done
