#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Monitor data of z/VM: synthetic MONWRITE files are read, and what vigil writes is checked with an independent table.

bats_require_minimum_version 1.5.0

load trace
load ordinary

setup() {
	vigil=$VIGIL_BUILD/vigil
	synthetic=$VIGIL_SOURCE/tests/monitor/synthetic-monwrite.py
	cd "$BATS_TEST_TMPDIR" || return 1
}

teardown() {
	ordinary_end
}

# collected ARGUMENT...: runs collect; on a busy machine intervals may be omitted.
collected() {
	status=0
	"${as[@]}" "$vigil" collect -q "$@" || status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 4 ]
}

# lists: the lists of JSON lines of MTRDDR and MTRDDRITEM, as in the synthetic files.
lists() {
	python3 -c '
import json, sys
lists = {}
for line in sys.stdin:
	record = json.loads(line)
	items = record["items"]
	if record["record"] == "mtrddr":
		assert items["complete"] == 1 and items["items"] == items["counted"], items
		lists[items["list"]] = [{"sample": "S", "event": "E"}[items["profile"]], items["domain"], items["status"], []]
		assert items["covers"] == {128: "all", 64: "only", 32: "except"}[items["status"]]
for line in open(sys.argv[1]):
	record = json.loads(line)
	if record["record"] == "mtrddritem":
		lists[record["items"]["list"]][3].append(record["items"]["item"])
print(json.dumps(sorted(lists.values())))' "$1" <"$1"
}

sorted() {
	python3 -c 'import json, sys; print(json.dumps(sorted(json.load(sys.stdin))))'
}

@test "the table of the domain detail record is what vigil reads, byte by byte" {
	run -0 python3 "$synthetic" table
	python3 "$synthetic" bytes "$vigil"
	python3 "$synthetic" make a.monwrite >made
	python3 "$synthetic" lists a.monwrite | sorted >found
	sorted <made | cmp - found
}

@test "domain detail of every domain, all, only and except, lists over frames, and what else is there" {
	python3 "$synthetic" make a.monwrite | sorted >made
	"$vigil" extract -t JSON a.monwrite >all.json
	lists all.json | cmp - made
	python3 - <<-'END'
		import json
		records = [json.loads(line) for line in open("all.json")]
		def of(name, snapshot):
		    return [record["items"] for record in records if record["record"] == name and record["snapshot"] == snapshot]
		# A list of 1200 users takes four records, since they begin behind others; one record for each other list.
		assert [(d["records"], d["items"]) for d in of("mtrddr", 1)] == [
		    (4, 1200), (1, 0), (1, 2), (1, 2), (1, 0), (1, 3), (3, 4500), (1, 1)]
		assert {d["domain"]: d["domain_name"] for d in of("mtrddr", 1)} == {
		    2: "Scheduler", 4: "User", 6: "I/O", 7: "Seek", 10: "Appldata"}
		assert all(d["flags"] == 0 and d["time"] == 1200000000 * 10**9 for d in of("mtrddr", 1))
		system, = of("mtrsys", 1)
		assert (system["system"], system["level"], system["machine"], system["partition"]) == ("SYNTH", "5.3.0", "2094", "LPAR1")
		assert system["ipl"] == (1200000000 - 86400) * 10**9 and system["termination"] is None and system["length"] == 176
		sample, = of("mtrspr", 1)
		assert (sample["interval"], sample["rate"], sample["pages"], sample["length"]) == (60, 200, 241, 48)
		assert sample["domains"] == "System,Monitor,User,Processor,I/O,Virtual Network,ISFC,Appldata"
		assert sample["rate_domains"] == "I/O"
		event, = of("mtrepr", 1)
		assert event["domains"] == "Monitor,Scheduler,User,Processor,I/O,Seek,Appldata" and event["pages"] == 68
		# Records that grew, an interval each; those that nobody knows are counted.
		for snapshot, length in (1, 440), (2, 508):
		    counts = {count["id"]: count for count in of("monrec", snapshot)}
		    assert (counts["D4R3"]["records"], counts["D4R3"]["shortest"], counts["D4R3"]["longest"]) == (40, length, length)
		    assert (counts["D12R3"]["records"], counts["D12R3"]["known"], counts["D12R3"]["name"]) == (1, 0, None)
		    assert (counts["D7R1"]["records"], counts["D4R9"]["bytes"]) == (1, 352)
		    data, = of("aplsdt", snapshot)
		    assert (data["user"], data["product"], data["length"], data["event"]) == ("LINUX1", "LINUXKRNL\\01260100", 200, 0)
		assert {record["time"] for record in records} == {"2008-01-10T21:21:00.000Z", "2008-01-10T21:22:00.000Z"}
	END
	# A pipe, standard input and a compressed file give the same; so does a selected time range.
	"$vigil" extract -t JSON - <a.monwrite | cmp - all.json
	gzip <a.monwrite >a.gz
	"$vigil" extract -t JSON a.gz | cmp - all.json
	"$vigil" extract -t JSON <(cat a.gz) | cmp - all.json
	"$vigil" extract -t JSON --from +1 a.monwrite | cmp - <(grep '"snapshot":2' all.json)
	"$vigil" extract -t JSON --leap-seconds 14 a.monwrite MTRSYS MTRDDR >leap.json
	! grep -v '"time":"2008-01-10T21:20:46.000Z".*"time":1199999986000000000' leap.json || return 1
	grep -q '"ipl":1199913586000000000' leap.json
}

@test "the report on monitor records, on every device" {
	python3 "$synthetic" make a.monwrite >made
	export TZ=UTC
	"$vigil" report -l 0 a.monwrite >listing
	grep -qE '^FILE \.* a.monwrite +SYSTEM \.* SYNTH$' listing
	grep -qE '^LAST RECORDS \.* 2008-01-10 21:22:00 +STARTED \.* 2008-01-09 21:20:00$' listing
	grep -qE '^INTERVAL, S \.* 60 +DOMAINS \.* Monitor,Scheduler,User,Processor,I/O,Seek,Appldata$' listing
	grep -qE '^sample +4 User +40 only +0 +1,200 +1,200 +4 +1 YES +2008-01-10 21:20:00$' listing
	grep -qE '^event +7 Seek +40 only +0 +4,500 +4,500 +3 +1 YES +2008-01-10 21:20:00$' listing
	grep -qE '^D12R3 +12 +3 +2 +58 +29 +29$' listing
	grep -qE '^LINUX1 +LINUXKRNL.01260100 +2 +400$' listing
	"$vigil" report -f json a.monwrite >report.json
	"$vigil" report -f csv - <a.monwrite >report.csv
	python3 - made <<-'END'
		import csv, json, sys
		made = [[{"S": "sample", "E": "event"}[p], domain, status, items] for p, domain, status, items in json.load(open("made"))]
		report, = json.load(open("report.json"))["reports"]
		tables = report["tables"]
		details, = (table["rows"] for table in tables if table["table"] == "domain_detail")
		assert [[r["profile"], r["domain"], r["status"], r["items"]] for r in details] == [m[:3] + [len(m[3])] for m in made]
		lists = [[row["item"] for row in table["rows"]] for table in tables if table["table"] == "domain_items"]
		assert lists == [m[3] for m in made if m[3]]
		assert report["facts"]["file"]["damages"] == 0 and report["facts"]["system"]["system"] == "SYNTH"
		rows = list(csv.DictReader(open("report.csv")))
		assert [[r["profile"], int(r["domain"]), int(r["status"]), int(r["items"])] for r in rows if r["table"] == "domain_detail"] == [
		    m[:3] + [len(m[3])] for m in made]
		assert [r["item"] for r in rows if r["table"] == "domain_items"] == sum((m[3] for m in made), [])
		counts = {row["id"]: row["records"] for table in tables if table["table"] == "records" for row in table["rows"] if row["row"] == "detail"}
		assert counts["D4R3"] == 80 and counts["D1R14"] == 13
	END
	# Of a truncated list, the part that exists is shown.
	head -c $((4096 * 3)) a.monwrite >cut.monwrite
	run -4 --separate-stderr "$vigil" report cut.monwrite
	[[ $output == *"** THE FILE IS DAMAGED **"* ]]
	grep -qE '^sample +4 User +40 only +80 .* NO ' <<<"$output"
}

@test "damage is told with its place, and costs what it touches" {
	python3 "$synthetic" make a.monwrite >made
	"$vigil" extract -t JSON a.monwrite MONREC >whole.json
	python3 - <<-'END'
		data = bytearray(open("a.monwrite", "rb").read())
		# The length of the twentieth record of user activity.
		at = -1
		for number in range(20):
		    at = data.index(bytes.fromhex("01b8000004000003"), at + 1)
		data[at:at + 2] = b"\xff\xff"
		open("bad.monwrite", "wb").write(data)
		open("cut.monwrite", "wb").write(data[:at + 100])
		print(at)
	END
	run -4 --separate-stderr "$vigil" extract -t JSON -o bad.json bad.monwrite MONREC
	[[ $stderr =~ "VIG3660W bad.monwrite, byte "([0-9]+)": a record is longer than its frame; 440 bytes are skipped" ]]
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
	# All others are there: one record of 40 is missing.
	sed 's/"name":"USEACT","known":1,"records":40,"bytes":17600/"name":"USEACT","known":1,"records":39,"bytes":17160/' whole.json | cmp - bad.json
	run -4 --separate-stderr "$vigil" extract -t JSON cut.monwrite MONREC
	[[ $stderr == *"VIG3660W cut.monwrite, byte "*": the file ends "*" frames too early"* ]]
	grep -q '"id":"D4R3".*"records":19,' <<<"$output"
	# A list that indicates a continuation, which does not come before its interval ends.
	python3 - <<-'END'
		data = bytearray(open("a.monwrite", "rb").read())
		data[data.index(bytes.fromhex("e20a2000")) + 3] = 0x80
		open("open.monwrite", "wb").write(data)
	END
	run -4 --separate-stderr "$vigil" extract -t JSON open.monwrite MTRDDR
	grep -q '"snapshot":1,.*"domain":10,.*"covers":"except","flags":128,"items":2,"counted":2,"records":1,"complete":0' <<<"$output"
	[[ $stderr =~ "VIG3660W open.monwrite, byte "[0-9]+": domain detail: the list of domain 10 is not continued"$ ]]
	# The numbers of lists give the order in which they ended: this one at the end of the interval, after three
	# others.
	[ "$(grep -c '"complete":1' <<<"$output")" -eq 7 ]
	# A list whose end is lost is incomplete.
	head -c $((4096 * 3)) a.monwrite >list.monwrite
	run -4 --separate-stderr "$vigil" extract -t JSON list.monwrite MTRDDR
	grep -q '"items":[1-9][0-9]*,"counted":[0-9]*,"records":2,"complete":0' <<<"$output"
	[[ $stderr == *": domain detail: the list of domain 4 is not continued"* ]]
}

# round_trip: what is written as monitor data is monitor data by the table, and is read back unchanged.
round_trip() {
	collected -i 0.1 -c 3 -o a.vprf -t MONWRITE ALL >a.monwrite
	# What is written later, from the data set, is identical.
	"$vigil" extract -t MONWRITE -o b.monwrite a.vprf
	cmp a.monwrite b.monwrite
	"$vigil" extract -t JSON a.monwrite MTRDDR MTRDDRITEM >lists.json
	lists lists.json >read
	python3 "$synthetic" lists a.monwrite | sorted | cmp - read
	for form in LISTALL CSV JSON; do
		status=0
		"$vigil" extract -t "$form" a.vprf ALL >stored || status=$?
		"$vigil" extract -t "$form" a.monwrite ALL >again || [ $? -eq "$status" ]
		cmp stored again
	done
	[ "$("$vigil" extract -t JSON a.monwrite PRO | wc -l)" -gt 3 ]
	python3 - lists.json <<-'END'
		import json, sys
		lists = [json.loads(line)["items"] for line in open(sys.argv[1])]
		assert [(l["profile"], l["domain"], l["covers"], l["items"]) for l in lists if l.get("domain") == 7] == [("event", 7, "only", 0)]
		assert "VIGIL" in [l["item"] for l in lists if "item" in l]
	END
}

@test "what vigil writes is monitor data by the table, and comes back to the last digit" {
	as=()
	round_trip
	# Users by their names, disks by their numbers; the name of the system.
	"$vigil" extract -t JSON a.monwrite >all.json
	user=$(id -un | tr a-z A-Z)
	[[ ! $user =~ ^[A-Z0-9_-]{1,8}$ ]] || grep -q "\"item\":\"$user\"" all.json
	python3 - <<-'END'
		import json, os, pwd
		records = [json.loads(line) for line in open("all.json")]
		of = lambda name: [record["items"] for record in records if record["record"] == name]
		items = {item["item"] for item in of("mtrddritem")}
		# Nothing is lost: each user and device has its whole name and number, and is in a list.
		users, devices = of("monuser"), of("mondevice")
		assert {user["number"] for user in users} == {process["user_id"] for process in of("pro")} - {None}
		assert {(d["major"], d["minor"], d["name"]) for d in devices} == {(d["major"], d["minor"], d["name"]) for d in of("dsk")}
		assert items == {"VIGIL"} | {one["item"] for one in users + devices}
		assert len({user["item"] for user in users}) == len(users)
		for user in users:
		    try:
		        assert user["name"] == pwd.getpwuid(user["number"]).pw_name
		    except KeyError:
		        assert user["name"] is None and user["item"].startswith("#")
		for disk in of("dsk"):
		    if disk["major"] < 256 and disk["minor"] < 256:
		        assert "%02X%02X" % (disk["major"], disk["minor"]) in items
		assert of("mtrsys")[0]["system"].upper() == os.uname().nodename[:8].upper()
		assert abs(of("mtrsys")[0]["ipl"] / 1e9 - int(next(l for l in open("/proc/stat") if "btime" in l).split()[1])) < 2
		pace, = of("mtrspr")
		assert pace["rate"] % 10 == 0 and pace["rate"] >= 10, pace
	END
}

@test "the same as an ordinary user" {
	ordinary_folder
	as=("${ordinary[@]}")
	round_trip
}

@test "a collection that was killed, a part that is missing, a terminal" {
	as=()
	collected -i 0.1 -c 3 -t MONWRITE MEM SYS >a.monwrite
	"$vigil" extract -t JSON a.monwrite MEM >whole
	head -c -8192 a.monwrite >killed.monwrite
	run -4 --separate-stderr "$vigil" extract -t JSON killed.monwrite MEM
	[ "$output" = "$(cat whole)" ]
	[[ $stderr == *"VIG3662W killed.monwrite does not contain everything that vigil collected" ]]
	# Without the second interval, which is a control record and a frame.
	python3 - <<-'END'
		data = open("a.monwrite", "rb").read()
		pages = [data[at:at + 4096] for at in range(0, len(data), 4096)]
		controls = [number for number, page in enumerate(pages) if page[40] in (0xe2, 0xc5) and page[:2] == b"\0\1"]
		first, after = controls[3], controls[4]
		open("gap.monwrite", "wb").write(b"".join(pages[:first] + pages[after:]))
	END
	run -4 --separate-stderr "$vigil" extract -t JSON gap.monwrite MEM
	[ "$output" = "$(grep -v '"snapshot":2' whole)" ]
	[[ $stderr == *"application data: part "*" follows part "* ]]
	[[ $stderr == *"VIG3662W gap.monwrite does not contain everything that vigil collected" ]]
	run -2 --separate-stderr "$vigil" extract ./a.monwrite ./a.monwrite
	[[ $stderr == *"./a.monwrite is a MONWRITE file, which must be the only input"* ]]
	run python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$vigil" extract -t MONWRITE a.monwrite
	[ "$status" -eq 8 ]
	[[ $output == *"MONWRITE is not text: it is not written to a terminal"* ]]
}

@test "EXTRACT as a control statement" {
	as=()
	collected -i 0.1 -c 2 -o a.vprf MEM SYS
	cat >good <<-'END'
		 EXTRACT INPUT='a.vprf',FORMAT=MONWRITE,DSNAME='a.monwrite'
		 EXTRACT INPUT='a.monwrite',FORMAT=JSON,RECORDS=(MEM,SYS)
	END
	run -0 --separate-stderr "$vigil" control good
	[ "$output" = "$("$vigil" extract -t JSON a.vprf MEM SYS)" ]
	printf " COLLECT COUNT=1,FORMAT=MONWRITE\n" >bad
	run -8 "$vigil" control bad
	[[ $output == *"VIG3665E FORMAT=MONWRITE is not text"* ]]
	printf " EXTRACT INPUT='a.vprf',FORMAT=MONWRITE\n" >bad
	run -8 "$vigil" control bad
	[[ $output == *"VIG3665E FORMAT=MONWRITE is not text"* ]]
}

@test "the examples of vigil-monitor(5)" {
	sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$VIGIL_SOURCE/doc/vigil-monitor.5" | grep '^vigil\|^gzip' >examples
	[ "$(wc -l <examples)" -eq 5 ]
	# On a busy machine intervals are missing.
	sed -i '/^vigil collect/s/$/ || [ $? -eq 4 ]/' examples
	PATH=$VIGIL_BUILD:$PATH bash -e -o pipefail examples >output
	grep -q '^  MTRDDR 1 of ' output
	grep -q '"id":"D10R2"' output
	[ "$(wc -l <memory.csv)" -ge 3 ]
}
