#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rules of the house that a machine can check (HACKING.md, "Rooms").
cd "$VIGIL_SOURCE" || exit 1
number=0
# ok NAME FILE: a test passes when FILE is empty; otherwise its lines are shown.
ok() {
	number=$((number + 1))
	if [ -s "$2" ]; then
		echo "not ok $number - $1"
		sed 's/^/# /' "$2"
	else
		echo "ok $number - $1"
	fi
}
found=$(mktemp)
trap 'rm -f "$found"' EXIT
# A distribution has what flex and bison made beside their grammars: nobody wrote that.
made=$(find . -name '*.[ly]' -type f | sed -E 's,^\./,,; s/\.[ly]$//' | paste -sd '|' -)
written() {
	grep -vE "(^|/)($made)\.[ch](:|\$)"
}
sources() {
	find "$@" -name '*.[chly]' -type f | written
}
# includes ROOM ALLOWED...: includes of project headers from ROOM that no pattern allows.
includes() {
	room=$1
	pattern=$2
	grep -n '^#include "' $(sources "$room") | grep -v '"config.h"' |
		grep -Ev "#include \"($pattern)" >"$found"
	ok "$room includes only $pattern" "$found"
}
echo "1..14"
includes common 'common/'
includes parser 'parser/|common/|[a-z_-]+\.h"'
includes engine 'engine/|common/'
includes program 'program/|common/'
includes agent 'agent/|common/compat\.h|common/strbuf\.h|vigil/'
includes sampler 'sampler/|engine/|program/|common/|agent/|vigil/|include/vigil/'
includes profile 'profile/|engine/|common/|reports/text\.h|reports/report-class\.h'
includes reports 'reports/|profile/|engine/|common/'
includes include/vigil 'vigil/'
find . -name build -prune -o -path './build*' -prune -o -path './.git' -prune -o \
	\( -name '*.[chly]' -o -name '*.sh' -o -name '*.t' -o -name '*.bats' -o -name '*.mk' \) \
	-type f -print | written | xargs grep -L 'SPDX-License-Identifier: Apache-2.0' >"$found"
ok "every source file names its licence" "$found"
grep -rnE '\b(exit|printf|puts|perror)\(|std(out|err)\b' --include='*.c' common parser engine program sampler profile reports |
	written | grep -vE '/(test|bench|fuzz)-|agent/|_exit\(|snprintf\(|fprintf\(stream' >"$found"
ok "below session nobody prints or exits" "$found"
# Every message id in the code has an entry in the manual of messages.
: >"$found"
grep -rhoE '(diag_add\([^;]*|snapshot_note\([^;]*|VIG)\b[0-9]{4}[IWES]?\b' --include='*.[chy]' . >/dev/null
sources . | grep -v '/test-' | xargs cat | tr '\n' ' ' |
	grep -oE 'SEVERITY_(INFO|WARNING|ERROR|SEVERE), *[1-9][0-9]*' |
	sed -E 's/SEVERITY_INFO, */I /; s/SEVERITY_WARNING, */W /; s/SEVERITY_ERROR, */E /; s/SEVERITY_SEVERE, */S /' |
	sort -u | while read -r letter id; do
	printf 'VIG%04d%s\n' "$id" "$letter"
done | while read -r id; do
	grep -q "$id" doc/messages/* 2>/dev/null || echo "$id is not in doc/messages"
done >"$found"
ok "every message is in the manual" "$found"
sources common parser engine program agent sampler profile reports session utilities include |
	xargs awk 'FNR == 1001 { print FILENAME ": more than 1000 lines" }' >"$found"
ok "no file is above 1000 lines" "$found"
sources common parser engine program agent sampler profile reports session utilities | grep '\.c$' |
	xargs awk '/^[{]$/ { start = FNR }
		/^[}]/ { if (start && FNR - start - 1 > 60) print FILENAME ":" start ": " FNR - start - 1 " lines"; start = 0 }
		FNR == 1 { start = 0 }' >"$found"
ok "no function is above 60 lines" "$found"
