# SPDX-License-Identifier: Apache-2.0
# vigil compare and the statement COMPARE, on sessions with known content and on real ones.
#
# What is exact here holds whatever a busy machine does to CPU times: one of the two builds does twice as much in
# post(), with at least 500 samples, so that it is slower even if all else is twice as fast. Whether nothing else
# precedes it is judged by the slow test. A session that lacks samples is made again.
bats_require_minimum_version 1.5.0

load trace

setup()
{
	vigil="$VIGIL_BUILD/vigil"
	cd "$BATS_TEST_TMPDIR" || return 1
	export VIGIL_NAMES_CACHE="$BATS_FILE_TMPDIR/names"
}

# placed FILE: whether at most one sample in 25 was constructed, as the session's profile says. Where a hypervisor takes
# the processor away for 100 ms and the kernel does not count all of it as stolen, a run of half a second is about that.
placed()
{
	"$VIGIL_BUILD/vigil" report --report MSD --format json "$1" >facts.json
	python3 -c '
import json
facts = json.load(open("facts.json"))["reports"][0]["facts"]["measurement_statistics"]
constructed = facts["samples_residue"] + facts["samples_kernel_estimated"]
raise SystemExit(25 * constructed > facts["samples_processed"])'
}

# measured FILE PROGRAM ARGUMENT: measures until that holds, five times at most.
measured()
{
	for _ in 1 2 3 4 5; do
		"$VIGIL_BUILD/vigil" run -q --rate 4999 -o "$1" -- "$2" "$3"
		rm -f "$1.old"
		if placed "$1"; then
			return
		fi
	done
}

# Two runs of one program in two builds, the second of which does twice as much in one procedure; made once for all
# tests.
setup_file()
{
	cd "$BATS_FILE_TMPDIR" || return 1
	mkdir one two
	cc -O1 -g -o one/work "$VIGIL_SOURCE/tests/compare/work.c"
	cc -O1 -g -DEXTRA=100 -o two/work "$VIGIL_SOURCE/tests/compare/work.c"
	for n in 1 2 3; do
		measured "one$n.vprf" one/work 125
		measured "two$n.vprf" two/work 125
	done
	# A program with the same samples under another name.
	cp one/work one/other
	"$VIGIL_BUILD/vigil" run -q -o other.vprf -- one/other 50
}

rows()
{
	python3 -c '
import json, sys
for table in json.load(open(sys.argv[1]))["reports"][0]["tables"]:
    if table["table"] == sys.argv[2]:
        for row in table["rows"]:
            print(*[row.get(name) for name in sys.argv[3:]], sep="|")' "$@"
}

teardown() {
	[ -z "$short" ] || rm -r "$short"
}

# Of some 2000 samples post() has 500 in the one and a thousand in the other, other procedures the same in both: the
# difference of two of their numbers has a deviation of at most 40, so that no other difference approaches 500. If the
# machine itself is slower in one run by a quarter, all procedures are.
# bats test_tags=slow
@test "the procedure that does twice the work is the first difference, its statements follow" {
	"$vigil" compare --format json -o c.json "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	[ "$(rows c.json procedures procedure verdict | head -1)" = "post|SLOWER" ]
	rows c.json differences kind what verdict | head -2 >first
	grep -q '^PROCEDURE|post (work)|SLOWER$' first
	grep -q '^STATEMENT|post .*|SLOWER$' first
	"$vigil" compare --all --format json -o c.json "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	python3 -c '
import json
facts = json.load(open("c.json"))["reports"][0]["facts"]["comparison"]
assert facts["surest"] == "post (work)", facts'
}

@test "the procedure that does twice the work in another build is slower, and its statements" {
	"$vigil" compare --format json -o c.json "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	rows c.json procedures procedure verdict | grep -q '^post|SLOWER$'
	rows c.json differences kind what verdict >differences
	grep -q '^PROCEDURE|post (work)|SLOWER$' differences
	grep -q '^STATEMENT|post .*|SLOWER$' differences
	# The procedure has another address and other lines, and is still one row.
	[ "$(rows c.json procedures procedure | grep -c '^post$')" -eq 1 ]
}

@test "text, CSV and JSON have the same rows" {
	for format in text csv json; do
		"$vigil" compare --all --lines 0 --format "$format" -o "c.$format" "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	done
	rows c.json procedures procedure >names
	[ "$(wc -l <names)" -ge 8 ]
	while read -r name; do
		grep -q "$name" c.text || return 1
		grep -q "$name" c.csv || return 1
	done <names
	grep -q '^post (work) is slower: +0' c.text
}

@test "the same run twice has no difference, and says so" {
	run -0 "$vigil" compare "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/one1.vprf"
	[[ "$output" == *"No difference can be seen."* ]]
	"$vigil" compare --format json -o c.json "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/one1.vprf"
	[ -z "$(rows c.json differences what)" ]
	[ "$(rows c.json procedures difference_ms | sort -u)" = "0" ]
}

# With several runs on a side the verdict uses their scatter: that of post(), which differs by a hundred percent, must be below some 20 %
# (Student's t of four degrees of freedom, one row of eight; with two runs, of two degrees, it had to be below some 8 %, and was not once
# alone on the machine, 30 November 2026). Alone on the machine the runs of a side differ by a few percent.
# bats test_tags=live
@test "the procedure that does twice the work is slower by three runs on a side" {
	"$vigil" compare --format json -o c.json --base "$BATS_FILE_TMPDIR/one1.vprf" --base "$BATS_FILE_TMPDIR/one2.vprf" \
		--base "$BATS_FILE_TMPDIR/one3.vprf" "$BATS_FILE_TMPDIR/two1.vprf" "$BATS_FILE_TMPDIR/two2.vprf" "$BATS_FILE_TMPDIR/two3.vprf"
	rows c.json procedures procedure verdict | grep '^post|SLOWER$'
}

@test "several runs on a side are compared by --base" {
	"$vigil" compare --format json -o c.json --base "$BATS_FILE_TMPDIR/one1.vprf" --base "$BATS_FILE_TMPDIR/one2.vprf" \
		"$BATS_FILE_TMPDIR/two1.vprf" "$BATS_FILE_TMPDIR/two2.vprf"
	rows c.json procedures procedure | grep -q '^post$'
	python3 -c '
import json
facts = json.load(open("c.json"))["reports"][0]["facts"]
assert facts["base"]["runs"] == 2 and facts["other"]["runs"] == 2, facts
assert "one1.vprf" in facts["base"]["data_set"] and "one2.vprf" in facts["base"]["data_set"], facts'
	run -4 "$vigil" compare --base "$BATS_FILE_TMPDIR/one1.vprf" --base "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	[[ "$output" == *"VIG6666W"*"one1.vprf"* ]]
}

@test "the folded stacks of both sides have the CPU time of both" {
	"$vigil" compare --format folded -o c.folded "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	"$vigil" compare --format json -o c.json "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	grep -Eq '(^|;)post [0-9]+ [0-9]+$' c.folded
	! grep -Evq '^[^ ].* [0-9]+ [0-9]+$' c.folded || return 1
	python3 -c '
import json
facts = json.load(open("c.json"))["reports"][0]["facts"]
lines = [line.rsplit(" ", 2) for line in open("c.folded")]
for column, side in ((1, "base"), (2, "other")):
    total = sum(int(line[column]) for line in lines)
    assert abs(total - facts[side]["cpu_ns"] / 1000) <= len(lines), (total, facts[side])'
}

@test "a page of HTML has the tables, and the calls of both sides as a flame graph" {
	for format in html json folded; do
		"$vigil" compare --format "$format" -o "c.$format" "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	done
	grep -q '<table data-t=procedures>' c.html
	! grep -Eq '<(script|link|img)[^>]*(src|href)=' c.html || return 1
	[ "$(stat -c %s c.html)" -lt 1000000 ]
	# A statement writes the same page.
	printf "COMPARE BASE='%s/one1.vprf',\n  INPUT='%s/two1.vprf',\n  DSNAME='by-statement.html',FORMAT=HTML\n" "$BATS_FILE_TMPDIR" "$BATS_FILE_TMPDIR" >cards
	"$vigil" control cards
	cmp c.html by-statement.html
	command -v chromium >/dev/null || skip "chromium is not installed"
	python3 "$VIGIL_SOURCE/tests/compare-page.py" c
}

@test "where nothing has a verdict, what comes nearest is named, and what could not be seen" {
	run -0 "$vigil" compare "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/one1.vprf"
	[[ "$output" == *" is reliably seen to differ from "*" % upward"* ]]
	"$vigil" compare --all --format json -o c.json "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	python3 -c '
import json
report = json.load(open("c.json"))["reports"][0]
facts = report["facts"]["comparison"]
assert facts["surest"] and facts["least_percent"] > 1, facts
rows = next(table["rows"] for table in report["tables"] if table["table"] == "procedures")
largest = max(rows, key=lambda row: row["base_ms"])
assert abs(largest["seen_from_percent"] - facts["least_percent"]) < 1e-6, (largest, facts)'
}

@test "what cannot be compared is refused with the reason, and nothing is written" {
	run -8 "$vigil" compare -o c.txt "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/other.vprf"
	[[ "$output" == *"VIG6660E"*"different programs"* ]]
	[ ! -e c.txt ]
	run -0 "$vigil" compare --any-program "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/other.vprf"
	printf '%s\n' PROFILER FUNCTION=INIT,EVENT=ALL FUNCTION=START END-PROFILER >events
	"$vigil" run -q --control events -o events.vprf -- "$BATS_FILE_TMPDIR/one/work" 5
	run -8 "$vigil" compare "$BATS_FILE_TMPDIR/one1.vprf" events.vprf
	[[ "$output" == *"VIG6660E"*"events.vprf has events or coverage only"* ]]
}

@test "a damaged data set is compared as far as it goes, with a warning; what is none is an error" {
	head -c $(($(stat -c %s "$BATS_FILE_TMPDIR/two1.vprf") * 3 / 4)) "$BATS_FILE_TMPDIR/two1.vprf" >half.vprf
	run -4 "$vigil" compare "$BATS_FILE_TMPDIR/one1.vprf" half.vprf
	[[ "$output" == *"VIG0014W half.vprf is damaged"* ]]
	[[ "$output" == *"VIG6665W"* ]]
	echo nonsense >none.vprf
	run -8 "$vigil" compare "$BATS_FILE_TMPDIR/one1.vprf" none.vprf
	[[ "$output" == *"VIG0030E"* ]]
	run -8 "$vigil" compare "$BATS_FILE_TMPDIR/one1.vprf" absent.vprf
	run -2 "$vigil" compare "$BATS_FILE_TMPDIR/one1.vprf"
	run -2 "$vigil" compare -f xml "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/one1.vprf"
	cp "$BATS_FILE_TMPDIR/one1.vprf" mine.vprf
	run -2 "$vigil" compare -o mine.vprf "$BATS_FILE_TMPDIR/one2.vprf" mine.vprf
	cmp mine.vprf "$BATS_FILE_TMPDIR/one1.vprf"
}

@test "work that is not known is said, and times stay as they were" {
	run -4 "$vigil" compare --per LEDGER "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/one2.vprf"
	[[ "$output" == *"VIG6661W"*"LEDGER"* ]]
}

@test "events of the program are work" {
	libraries="$VIGIL_BUILD/.libs"
	[ -e "$libraries/libvigil.so" ] || skip "libvigil is not built here"
	cat >orders.c <<-'END'
	#include <stdlib.h>
	#include <vigil/vigil.h>
	static volatile unsigned long sink;
	__attribute__((noinline)) static void price(void)
	{
		unsigned long value = 1;
		for (unsigned i = 0; i < 300000; i++)
			value = value * 6364136223846793005u + i;
		sink = value;
	}
	int main(int argc, char **argv)
	{
		for (int i = 0; i < atoi(argv[argc - 1]); i++) {
			price();
			vigil_event(7, "order");
		}
		return 0;
	}
	END
	${CC:-gcc} -g -O1 -I"$VIGIL_SOURCE/include" orders.c -o orders -L"$libraries" -lvigil -Wl,-rpath,"$libraries"
	printf '%s\n' 'ADD *' PROFILER FUNCTION=INIT,EVENT=U FUNCTION=START END-PROFILER >cards
	for n in 400 1200; do
		"$vigil" run -q --rate 4999 --control cards -o "$n.vprf" -- ./orders $n
	done
	run -0 "$vigil" compare 400.vprf 1200.vprf
	[[ "$output" == *"price (orders) is slower"* ]]
	"$vigil" compare --per event:U --format json -o c.json 400.vprf 1200.vprf
	python3 -c '
import json
report = json.load(open("c.json"))["reports"][0]
facts = report["facts"]
assert facts["comparison"]["work"] == "event:U" and facts["base"]["work"] == 400 and facts["other"]["work"] == 1200, facts
rows = {row["procedure"]: row for table in report["tables"] if table["table"] == "procedures" for row in table["rows"]}
price = rows["price"]
# Three times the work; a busy machine may be half as fast in one run as in the other.
assert price["other_ms"] > price["base_ms"] and price["other_unit_us"] < price["base_unit_us"] * price["other_ms"] / price["base_ms"], price'
	run -4 "$vigil" compare --per statement:READ 400.vprf 1200.vprf
	[[ "$output" == *"VIG6661W"*"statement:READ"* ]]
}

@test "COMPARE does the same as the command, and needs two sides" {
	"$vigil" compare -l 0 -o by-command.txt "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/two1.vprf"
	cat >cards <<-END
	COMPARE BASE='$BATS_FILE_TMPDIR/one1.vprf',
	        INPUT='$BATS_FILE_TMPDIR/two1.vprf',
	        DSNAME='by-statement.txt',LINES=0
	END
	"$vigil" control cards
	cmp by-command.txt by-statement.txt
	echo "COMPARE BASE='a.vprf'" >cards
	run -8 "$vigil" control cards
	[[ "$output" == *"cards:1:1: VIG6667E"* ]]
	printf "COMPARE BASE='a.vprf',\n  INPUT='b.vprf'\n" >cards
	run -8 "$vigil" control cards
	[[ "$output" == *"VIG0030E"*"a.vprf"* ]]
	printf "COMPARE BASE='%s/one1.vprf',INPUT='%s/one1.vprf',\n  DSNAME='%s/one1.vprf'\n" \
		"$BATS_FILE_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_FILE_TMPDIR" | sed 's/INPUT/\n  INPUT/' >cards
	run -8 "$vigil" control cards
	[[ "$output" == *"VIG6668E"* ]]
	"$vigil" report -r MSD "$BATS_FILE_TMPDIR/one1.vprf" >/dev/null
}

@test "COMPARE in a job: both sides by DD, the text in a DD and in SYSPRINT" {
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PROCLIB VIGIL_STEPLIB
	mkdir root
	# Columns 1 to 71 of a card do not fit a long path.
	short=$(mktemp -d /tmp/vigil-XXXXXX)
	ln -s "$PWD" "$short/here"
	cp "$BATS_FILE_TMPDIR/one1.vprf" "$BATS_FILE_TMPDIR/one2.vprf" "$BATS_FILE_TMPDIR/two1.vprf" .
	cat >deck.jcl <<-END
	//NIGHT    JOB
	//ONE      EXEC PGM=VIGIL
	//SYSPRINT DD SYSOUT=*
	//MONDAY   DD PATH='$short/here/one1.vprf'
	//TUESDAY  DD PATH='$short/here/one2.vprf'
	//LATEST   DD PATH='$short/here/two1.vprf'
	//TEXT     DD DSN=NIGHT.TEXT,DISP=(NEW,CATLG)
	//SYSIN    DD *
	  COMPARE BASE=(MONDAY,TUESDAY),INPUT=LATEST,FORMAT=JSON,DSNAME=TEXT
	  COMPARE BASE=MONDAY,INPUT=LATEST,LINES=0
	/*
	END
	run "$vigil" submit --root root --spool spool deck.jcl
	echo "$output"; [ "$status" -eq 0 ]
	"$vigil" compare --format json -o c.json --base one1.vprf --base one2.vprf two1.vprf
	text=$(find root -type f -path '*TEXT*')
	python3 -c '
import json, sys
made, wanted = (json.load(open(path))["reports"][0]["tables"] for path in sys.argv[1:])
assert made == wanted' "$text" c.json
	grep -rq "post (work) is slower" spool
}
