#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test tags: exact, limit:120
# The rules of the project that a machine can check (HACKING.md, "Rooms").
cd "$VIGIL_SOURCE" || exit 1
number=0
# ok NAME FILE: a test passes if FILE is empty; otherwise its lines are shown.
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
trap 'rm -f "$found" "$found.named"' EXIT
# A distribution has the files that flex and bison made next to their grammars: these are not written by hand.
made=$(find . -name '*.[ly]' -type f | sed -E 's,^\./,,; s/\.[ly]$//' | paste -sd '|' -)
written() {
	grep -vE "(^|/)($made)\.[ch](:|\$)"
}
sources() {
	find "$@" -name '*.[chly]' -type f | written
}
# includes ROOM ALLOWED...: reports includes of project headers in ROOM that no pattern allows.
includes() {
	room=$1
	pattern=$2
	if [ ! -d "$room" ]; then
		number=$((number + 1))
		echo "ok $number # SKIP there is no $room yet"
		return
	fi
	grep -n '^#include "' $(sources "$room") /dev/null | grep -v '"config.h"' |
		grep -Ev "^($room/($3):.*#include \"($4)|[^:]*:[0-9]*:#include \"($pattern))" >"$found"
	ok "$room includes only $pattern" "$found"
}
rooms="common parser engine records program agent step sampler collectors events metrics profile reports exports datasets session utilities"
echo "1..40"
# Allowed includes. The third and fourth arguments: files of the room that may include something more, and what.
includes common 'common/' '-' '-'
includes parser 'parser/|common/|[a-z_-]+\.h"' '-' '-'
includes engine 'engine/|common/' '(modules/(module-library|module-operation|opened-engine|hosted|opened-data)|(modules/)?(test|bench|fuzz)-[a-z-]+)\.[ch]' 'vigil/|records/'
includes records 'records/|engine/|common/' '-' '-'
includes program 'program/|common/' '-' '-'
includes agent 'agent/|vigil/' '([a-z]+/)?test-[a-z]+\.c' 'common/'
# The part that the agent's libraries share does not depend on any of them.
grep -n '^#include "agent/[a-z]*/' agent/*.[ch] >"$found"
ok "what the agent's libraries share knows none of them" "$found"
# A library of the agent does not depend on another one: what two share is in agent/ itself.
for library in step files events coverage handler application; do
	includes "agent/$library" "agent/$library/|agent/[a-z-]+\.h|vigil/" 'test-[a-z]+\.c' 'common/'
done
includes step 'step/|records/|engine/|common/|agent/[a-z-]+-area\.h' '-' '-'
includes sampler 'sampler/|step/|records/|engine/|program/|common/|agent/[a-z-]+-area\.h|vigil/|include/vigil/' '-' '-'
includes collectors 'collectors/|program/|common/|vigil/|include/vigil/' '-' '-'
includes events 'events/|step/|records/|engine/|program/|common/|agent/[a-z-]+-area\.h|vigil/|include/vigil/' '-' '-'
includes metrics 'metrics/|records/|engine/|program/|common/|vigil/|include/vigil/' '-' '-'
includes profile 'profile/|records/|engine/|common/' '-' '-'
includes reports 'reports/|records/|profile/|engine/|common/' '-' '-'
includes exports 'exports/|records/|profile/|engine/|common/' '-' '-'
includes datasets 'datasets/|common/|agent/step-area\.h' '-' '-'
# Some utilities are a front end of what runs jobs: control statements, programs, decks that are submitted.
includes utilities 'utilities/|datasets/|common/' \
	'vigil\.c|bpxbatch\.c|iehprogm\.c|tso/[a-z-]+\.[ch]' 'session/requests/carry-out\.h|session/job/(abend|reader|program-search)\.h'
includes include/vigil 'vigil/' '-' '-'
# A header that no .mk names is missing from a distribution; one listed among the sources of a program is included.
cat Makefile.am $(find . -name build -prune -o -path './build*' -prune -o -name '*.mk' -print) >"$found.named"
find . -path './build*' -prune -o -path ./.git -prune -o -name '*.h' -type f -print | sed 's,^\./,,' | written |
	awk 'NR == FNR { for (i = 1; i <= NF; i++) named[$i]; next } !($0 in named) { print $0 " is in no .mk" }' "$found.named" - >"$found"
ok "every header goes with a distribution" "$found"
sources $(ls -d $rooms 2>/dev/null) | grep '\.h$' | xargs awk 'FNR == 1 { guard = toupper(FILENAME); gsub(/[^A-Z0-9]/, "_", guard); seen = 0 }
	/^#ifndef VIGIL_/ && !seen++ && $2 != "VIGIL_" guard { print FILENAME ": " $2 }' >"$found"
ok "the guard of a header is its path" "$found"
# A header NAME-data.h shows the internals of a part to the files of its own folder only.
for header in $(find $rooms -name '*-data.h' 2>/dev/null); do
	grep -rn "#include \"$header\"" --include='*.[chly]' $rooms 2>/dev/null | grep -v "^${header%/*}/[^/]*:"
done >"$found"
ok "private headers stay in their folder" "$found"
# Commands are named after the command; programs that tests measure, after what they do.
sources $(ls -d $rooms 2>/dev/null) | grep -v '^session/commands/' | sed 's,.*/,,' | sort | uniq -d >"$found"
ok "no two source files share a name" "$found"
# Files that call each other in a cycle can only be understood, and tested, together.
if [ -d "$VIGIL_BUILD/common" ] && command -v python3 >/dev/null && command -v nm >/dev/null; then
	(cd "$VIGIL_BUILD" && ls -d $rooms 2>/dev/null) |
		xargs python3 -B tests/circles.py "$VIGIL_BUILD" >"$found" 2>&1 || echo "tests/circles.py did not come to its end" >>"$found"
	ok "no files of a room call each other in a circle" "$found"
else
	number=$((number + 1))
	echo "ok $number # SKIP the objects of the build, python3 or nm are not there"
fi
# The files that HACKING.md names exist.
grep -oE '`[A-Za-z0-9_/.-]+\.(c|h|t|y|l|py|bats|list|mk)`' HACKING.md | tr -d '`' | grep -vE 'NAME|CODE' | sort -u >"$found.named"
find . -path './build*' -prune -o -path ./.git -prune -o -type f -print |
	awk 'NR == FNR { for (end = $0; sub(/^[^\/]*\//, "", end); ) there[end]; next } !($0 in there) { print "HACKING.md names " $0 }' - "$found.named" >"$found"
ok "the files that HACKING.md names are there" "$found"
# The agent's code may run in any program at any moment, also in a signal handler.
if [ -e "$VIGIL_BUILD/vigil" ] && command -v nm >/dev/null; then
	sh tests/agent-rule >"$found" 2>&1 || echo "tests/agent-rule did not come to its end" >>"$found"
	ok "the agent calls only what a signal handler may" "$found"
else
	number=$((number + 1))
	echo "ok $number # SKIP vigil is not built, or nm is not there"
fi
find . -name build -prune -o -path './build*' -prune -o -path './.git' -prune -o \
	\( -name '*.[chly]' -o -name '*.sh' -o -name '*.t' -o -name '*.bats' -o -name '*.mk' \) \
	-type f -print | written | xargs grep -L 'SPDX-License-Identifier: Apache-2.0' >"$found"
ok "every source file names its licence" "$found"
# What the sampler learns from outside comes through one source (common/outside.h). The name finder's thread and the
# scheduling of vigil itself are no news of the step; a collector's process has a door of its own (host/), and recorder
# and player (recording/) are sources themselves.
grep -nE '\b(syscall|ioctl|mmap|munmap|open|openat|close|p?read|p?poll|getdents64|readlink|l?stat|fstat|statx|access|clock_gettime|time|timerfd_[a-z]+|waitp?id|process_vm_readv|ptrace|getpid|getrlimit|setrlimit|nanosleep|usleep|sched_yield|getpeername)\(' \
	$(sources sampler | grep '\.c$' | grep -vE '/host/|/recording/|/(test|bench|fuzz)-|/namer\.c|/sched-slice\.c') /dev/null |
	grep -vE ':[0-9]+:[[:space:]]*(/?\*|//)' >"$found"
ok "the sampler asks the system through its source only" "$found"
below=$(printf '%s\n' $rooms | grep -vxE 'agent|utilities|session')
grep -rnE '\b(exit|printf|puts|perror)\(|std(out|err)\b' --include='*.c' $(ls -d $below 2>/dev/null) |
	written | grep -vE '/(test|bench|fuzz)-|_exit\(|snprintf\(|fprintf\(stream|"/dev/stdout"' >"$found"
ok "below session nobody prints or exits" "$found"
# Every message id in the code has an entry in the manual of messages.
: >"$found"
grep -rhoE '(diag_add\([^;]*|snapshot_note\([^;]*|VIG)\b[0-9]{4}[IWES]?\b' --include='*.[chy]' . >/dev/null
sources . | grep -v '/test-' | xargs cat | tr '\n' ' ' |
	grep -oE 'SEVERITY_(INFO|WARNING|ERROR|SEVERE), *[1-9][0-9]*' |
	sed -E 's/SEVERITY_INFO, */I /; s/SEVERITY_WARNING, */W /; s/SEVERITY_ERROR, */E /; s/SEVERITY_SEVERE, */S /' |
	sort -u | while read -r letter id; do
	printf 'VIG%04d%s\n' "$id" "$letter"
done | sort -u >"$found.named"
grep -ohE 'VIG[0-9]{4}[IWES]' doc/messages/* | sort -u | comm -23 "$found.named" - | sed 's/$/ is not in doc\/messages/' >"$found"
ok "every message is in the manual" "$found"
sources $(ls -d $rooms 2>/dev/null) include |
	xargs awk 'FNR == 1001 { print FILENAME ": more than 1000 lines" }' >"$found"
ok "no file is above 1000 lines" "$found"
sources $(ls -d $rooms 2>/dev/null) | grep '\.c$' |
	xargs awk '/^[{]$/ { start = FNR }
		/^[}]/ { if (start && FNR - start - 1 > 60) print FILENAME ":" start ": " FNR - start - 1 " lines"; start = 0 }
		FNR == 1 { start = 0 }' >"$found"
ok "no function is above 60 lines" "$found"
# In the middle of a bats test a failing "! command", or the first part of "[ a ] && [ b ]", does not end the test.
awk 'held && !/^}/ { print held }
	{ held = "" }
	/^\t+! / && !/\|\| (return 1|break)$/ { held = FILENAME ":" FNR ": " $0 }
	/^\t+\[ .*\] && \[ .*\]$/ { held = FILENAME ":" FNR ": " $0 }' tests/*.bats >"$found"
ok "no line of a bats test can fail unheard" "$found"
# No process outlives its test, and nothing runs forever; the rules are in tests/bats-rules.py.
python3 -B tests/bats-rules.py tests/*.bats tests/programs/* >"$found" 2>&1
ok "what tests start beside themselves they end, and no loop is without a limit" "$found"
# The runner reads the tags of each .bats file, and finds as many tests as bats does; it rejects unknown tags.
VIGIL_BUILD=${VIGIL_BUILD:-.} VIGIL_SOURCE=. python3 -B tests/runner --list tests/*.bats >"$found.list" 2>"$found"
[ "$(wc -l <"$found.list")" = "$(cat tests/*.bats | grep -c '^@test ')" ] || echo "the runner knows $(wc -l <"$found.list") tests" >>"$found"
rm -f "$found.list"
ok "the runner knows every end-to-end test, and its tags" "$found"
