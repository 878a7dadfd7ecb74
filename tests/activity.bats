#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The whole system during a step: System Activity reports (SAC, SAM, SAD, SAN, SAP).

bats_require_minimum_version 1.5.0

load trace
load jobs
load ordinary

setup() {
	vigil=$VIGIL_BUILD/vigil
	compare="python3 $VIGIL_SOURCE/tests/activity.py"
	cd "$BATS_TEST_TMPDIR" || return 1
}

teardown() {
	ordinary_end
}

# measured COMMAND...: a session of a step that reports what it used itself.
measured() {
	$compare before
	"$@" "$vigil" run -o step.vprf -- $compare burn 2>summary
}

@test "what the machine did is what /proc/stat says, and what the step used is what it knows" {
	measured
	$compare check "$vigil" step.vprf
	$compare step "$vigil" step.vprf
	# The whole profile contains all of them, and each explains its columns.
	"$vigil" report step.vprf >all
	for code in SAC SAM SAD SAN SAP; do
		grep -q "^#$code " all || { echo "$code is missing"; return 1; }
	done
	grep -q 'VIG6614I' all
}

@test "an ordinary user has the same" {
	ordinary_folder
	cp "$VIGIL_SOURCE/tests/activity.py" .
	compare="python3 activity.py"
	"${ordinary[@]}" $compare before
	"${ordinary[@]}" "$vigil" run -o step.vprf -- $compare burn 2>summary
	$compare check "$vigil" step.vprf
	$compare step "$vigil" step.vprf
}

@test "without records the reports say so, and are in no profile" {
	"$vigil" run -c 'ADD *,METRICS=OFF' -o off.vprf -- sleep 0.1 2>summary
	for file in off.vprf "$VIGIL_SOURCE"/tests/dataset/version-1.0.vprf; do
		"$vigil" report --report SAC,SAM,SAD,SAN,SAP "$file" >listing
		[ "$(grep -c 'VIG6610I NOT COLLECTED' listing)" -eq 5 ]
		"$vigil" report "$file" >all
		run -1 grep -E '^#SA[CMDNP]' all
	done
	"$vigil" report --report MSD off.vprf >msd
	grep -q 'METRICS=OFF' msd
	run -4 "$vigil" extract off.vprf SYS
	# A very short step has the records of one moment; on a busy machine it may have those of two.
	"$vigil" run -o short.vprf -- true 2>summary
	"$vigil" report --report SAP short.vprf >listing
	if [ "$("$vigil" extract -t JSON short.vprf SYS | wc -l)" -eq 1 ]; then
		grep -q 'VIG6611I' listing
	else
		grep -q '^ 00.00.00 ' listing
	fi
}

# bats test_tags=as:root
@test "where the kernel shows nothing there is no figure" {
	[ "$(id -u)" -eq 0 ] || skip "only root can hide files of /proc"
	unshare -m true 2>/dev/null || skip "a mount name space cannot be made"
	mkdir nothing
	unshare -m sh -c 'mount --bind nothing /proc/pressure && mount --bind /dev/null /proc/diskstats && exec "$@"' - \
		"$vigil" run -o blind.vprf -- sleep 0.6 2>summary || skip "files of /proc cannot be hidden"
	"$vigil" report --report SAP,SAD,SAC blind.vprf >listing
	[ "$(grep -c VIG6612I listing)" -eq 2 ]
	# There are rows for the step's part.
	"$vigil" report --report SAP --format csv blind.vprf >sap.csv
	grep -qE '^SAP,intervals,detail,,,,0,,,,,,,[0-9]' sap.csv || { cat sap.csv; return 1; }
	"$vigil" report --report SAC --format csv blind.vprf | grep -qE '^SAC,intervals,detail,,,0,[0-9]'
}

@test "a session has records of both kinds to extract" {
	"$vigil" run -o both.vprf -- sleep 0.5 2>summary
	"$vigil" extract -t JSON both.vprf >all.json
	grep -q '"record":"task"' all.json
	grep -q '"record":"mem"' all.json
	"$vigil" extract -t CSV both.vprf MEM.total | head -1 | grep -q 'mem.total'
	"$vigil" extract -t CSV both.vprf | head -1 | grep -q 'sys.load_1'
}

@test "COLLECT and EXTRACT in a deck" {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT
	job <<-'EOF'
		//METRICS  JOB
		//ONE      EXEC PGM=VIGIL
		//SYSPRINT DD SYSOUT=*
		//OUT      DD DSN=SYS.METRICS,DISP=(NEW,CATLG)
		//SYSIN    DD *
		  COLLECT INTERVAL=0.05,COUNT=4,MODULES=(MEM,CPU),DSNAME=OUT
		  EXTRACT INPUT=OUT,RECORDS=MEM.total
		  COLLECT INTERVAL=0.05,COUNT=2,MODULES=MEM,FORMAT=CSV,END='+60'
		//TWO      EXEC PGM=VIGIL
		//SYSPRINT DD SYSOUT=*
		//IN       DD DSN=SYS.METRICS,DISP=SHR
		//TEXT     DD DSN=SYS.METRICS.TEXT,DISP=(NEW,CATLG)
		//SYSIN    DD *
		  EXTRACT INPUT=IN,RECORDS=(MEM.total,CPU.user),FORMAT=JSON,
		    FROM='+0.04',DSNAME=TEXT
		//THREE    EXEC PGM=VIGIL
		//SYSPRINT DD SYSOUT=*
		//SYSIN    DD *
		  COLLECT COUNT=1,MODULES=NOSUCH
		//FOUR     EXEC PGM=IEFBR14
		//VIGIL    DD *
		  COLLECT COUNT=1
	EOF
	[ "$status" -ne 0 ]
	grep -q 'VIG2142E COLLECT cannot be given here' <<<"$output"
	sed -i '/FOUR/,$d' deck.jcl
	job deck.jcl
	[ "$status" -eq 8 ]
	# A collection that was late anywhere reports that, and is complete nevertheless.
	total=$(awk '/^MemTotal/ { printf "%.0f\n", $2 * 1024 }' /proc/meminfo)
	[ "$(grep -c "^    total  *$total bytes" "$last/ONE.SYSPRINT")" -eq 4 ]
	grep -q 'VIG3504I .*: 4 snapshots' "$last/ONE.SYSPRINT"
	[ "$(grep -c '^20..-..-..T.*Z,.*'"$total" "$last/ONE.SYSPRINT")" -eq 2 ]
	grep -q 'VIG2148I' "$last/TWO.SYSPRINT"
	python3 - "$(find "$VIGIL_ROOT" root -iname 'SYS.METRICS.TEXT*' 2>/dev/null | head -1)" "$total" <<-'END'
		import json, sys
		with open(sys.argv[1], encoding="ascii") as file:
		    records = [json.loads(line) for line in file]
		totals = [record["items"]["total"] for record in records if record["record"] == "mem"]
		assert 1 <= len(totals) <= 3 and set(totals) == {int(sys.argv[2])}, totals
		assert any("user" in record["items"] for record in records if record["record"] == "cpu")
	END
	grep -q 'VIG3506E there is no module NOSUCH' "$last/THREE.SYSPRINT"
}

@test "COLLECT and EXTRACT where no job is" {
	# On a busy machine intervals may be omitted, which gives a warning.
	"$vigil" control >first 2>said <<-'END' || [ $? -eq 4 ]
		COLLECT INTERVAL=0.05,COUNT=3,MODULES=MEM,DSNAME='c.vprf'
		EXTRACT INPUT='c.vprf',FORMAT=CSV,RECORDS=MEM.free,DSNAME='free.csv'
		COLLECT INTERVAL=0.05,COUNT=2
	END
	[ "$(wc -l <free.csv)" -eq 4 ]
	[ "$(grep -c '^[0-9][0-9]:' first)" -eq 2 ]
	# Twice: an existing file is not replaced unless requested.
	run -8 "$vigil" control <<<"COLLECT COUNT=1,DSNAME='c.vprf'"
	[[ $output == *"VIG2147E c.vprf exists already"* ]]
	"$vigil" extract -t CSV c.vprf MEM.free | cmp - free.csv
	run -8 "$vigil" control <<<"EXTRACT INPUT='c.vprf',DSNAME='c.vprf'"
	[[ $output == *"VIG0031E DSNAME would overwrite the sample data set itself"* ]]
	# Errors are found before anything is done.
	run -8 "$vigil" control <<-'END'
		COLLECT COUNT=1,INTERVAL=0.01,DSNAME='never.vprf'
		COLLECT COUNT=1,INTERVAL=0.001
		COLLECT START=25:00,COUNT=1
		COLLECT START='+5',END='+0'
		EXTRACT INPUT='c.vprf',FORMAT=XML
	END
	[ ! -e never.vprf ]
	for id in VIG2143E VIG2144E VIG2145E VIG2146E; do
		[[ $output == *"$id "* ]] || { echo "$id is missing"; return 1; }
	done
	run -8 "$vigil" run -c 'COLLECT COUNT=1' -- true
	[[ $output == *"VIG2142E COLLECT cannot be given here"* ]]
	"$vigil" control <<<"COLLECT COUNT=1,INTERVAL=0.05,DSNAME='c.vprf',REPLACE=ON" || [ $? -eq 4 ]
	[ "$("$vigil" extract -t CSV c.vprf MEM.free | wc -l)" -eq 2 ]
}
