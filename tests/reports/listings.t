#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Listings of synthetic sessions, compared with the expected ones next to this script, and the output of the devices
# compared with each other. After an intended change:
#   make check TESTS_ONLY=../tests/reports/listings.t UPDATE_LISTINGS=1
# writes the expected listings anew; check the difference before you commit it.
here=$VIGIL_SOURCE/tests/reports
print=$VIGIL_BUILD/reports/test-listing
TZ=UTC
export TZ
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0
ok() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' "$work/difference"
	fi
}
# name.form of each stored listing.
listings="payroll.text payroll.summary payroll.csv payroll.json payroll.procedure payroll.procedure-csv threads.all threads.threads threads.summary
	reasons.plain reasons.summary empty.plain empty.summary nothing.plain nothing.summary names.brief truncated.text truncated.summary
	python.plain python.summary database.text database.json database.summary loaded.plain loaded.csv loaded.summary
	events.plain events.csv events.json events.trace events.summary
	coverage.plain coverage.csv coverage.json coverage.coverage coverage.summary odd-paths.plain odd-paths.csv
	headers.plain headers.csv headers.summary
	activity.activity activity.activity-csv activity.activity-json payroll.activity"
set -- $listings
sessions=$(for listing in $listings; do echo "${listing%%.*}"; done | sort -u)
echo "1..$(($# + 12 + $(echo $sessions | wc -w)))"
for listing in $listings; do
	name=${listing%%.*}
	form=${listing#*.}
	"$print" "$name" "$form" >"$work/listing" 2>"$work/error" || cat "$work/error" >>"$work/listing"
	[ -z "$UPDATE_LISTINGS" ] || cp "$work/listing" "$here/$listing.txt"
	diff -a "$here/$listing.txt" "$work/listing" >"$work/difference" 2>&1
	ok $? "$name as $form"
done
# No line of a listing may exceed column 132 (and one for carriage control).
for name in payroll python database loaded events coverage odd-paths headers activity; do
	"$print" "$name" all | LC_ALL=C.UTF-8 awk '{ sub(/^\f/, "") } length($0) > 132 { print NR ": " $0 }' >"$work/difference"
	[ ! -s "$work/difference" ]
	ok $? "no line of $name passes column 132"
done
if command -v python3 >/dev/null 2>&1; then
	"$print" names json >"$work/names.json"
	"$print" names csv >"$work/names.csv"
	python3 -c 'import json, sys
for report in json.load(open(sys.argv[1], encoding="utf-8"))["reports"]:
    assert report["code"] and report["title"]' "$work/names.json" >"$work/difference" 2>&1
	ok $? "JSON of odd names is valid"
	python3 -c 'import csv, sys
width = 0
for row in csv.reader(open(sys.argv[1], encoding="utf-8", newline="")):
    width = len(row) if row[0] == "report" else width
    assert len(row) == width, row' "$work/names.csv" >"$work/difference" 2>&1
	ok $? "CSV of odd names is valid"
	# Rows that look the same are one row.
	row='"row": "detail", "procedure": "TAKE-REST", "line": 17'
	echo "{\"reports\": [{\"code\": \"ACW\", \"tables\": [{\"table\": \"callers\", \"rows\": [{$row, \"waits\": 2}, {$row, \"waits\": 1}]}]}]}" >"$work/twins.json"
	! PYTHONDONTWRITEBYTECODE=1 python3 "$VIGIL_SOURCE/tests/twin_rows.py" "$work/twins.json" >"$work/difference" 2>&1
	ok $? "two rows that look the same are found"
	for name in $sessions; do
		"$print" "$name" all-json >"$work/$name.json"
		PYTHONDONTWRITEBYTECODE=1 python3 "$VIGIL_SOURCE/tests/twin_rows.py" "$work/$name.json" >"$work/difference" 2>&1
		ok $? "no two rows of $name look the same"
	done
else
	for name in "JSON of odd names" "CSV of odd names" twins $sessions; do
		number=$((number + 1))
		echo "ok $number - $name # SKIP python3 is not installed"
	done
fi
