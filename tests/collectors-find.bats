#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# How data collectors are found, in which order they are called, and what is rejected.

bats_require_minimum_version 1.5.0
load trace
load jobs
load background
load compiled

setup() {
	in_own_folder
	command -v gcc >/dev/null || skip "gcc is not installed"
	umask 022
	export HOME=$BATS_TEST_TMPDIR/home
	unset XDG_DATA_HOME VIGIL_COLLECTORS VIGIL_ROOT VIGIL_MAP VIGIL_SPOOL
	mkdir lib
}

teardown() {
	background_end
	[ -z "$place" ] || rm -rf "$place"
}

# collector FILE NAME [PROGRAMS [ALIASES]]: compiles one; its list of programs is given as C strings.
collector() {
	local programs=${3:-'"*****"'} further=()
	[ -z "$4" ] || further=(-DALIASES="\"$4\"")
	compiled gcc -shared -fPIC -I"$VIGIL_SOURCE/include" "-DNAME=\"$2\"" "-DPROGRAMS=$programs" \
		"${further[@]}" $FLAGS -o "$1" "$VIGIL_SOURCE/tests/collectors/find-named.c"
}

# work NAME...: makes programs that execute for a while.
work() {
	compiled gcc -o bin/work "$VIGIL_SOURCE/tests/collectors/find-work.c"
	for name; do cp bin/work "bin/$name"; done
}

# why PROGRAM NAME [OPTION...]: "ORDER CALLED WHY" of a collector for a program.
why() {
	"$vigil" collectors --program "$1" "${@:3}" --format csv |
		sed -nE "s/^COL,program,detail,[^,]*,([0-9]*),$2,[^,]*,([^,]*),(\"([^\"]*)\"|([^,]*)),.*/\1 \2 \4\5/p" | sed 's/^ /- /'
}

# column FILE NAME COLUMN: a column of a collector's row in a session.
column() {
	"$vigil" collectors --format json "$1" | python3 -c '
import json, sys
for row in json.load(sys.stdin)["reports"][0]["tables"][0]["rows"]:
    if row["name"] == sys.argv[1]:
        print(row[sys.argv[2]])' "$2" "$3"
}

# modules FILE: the modules that have CPU samples, which are named by collectors, in order. For a sample for which one
# of several was late the name is shorter; the longest has all of them.
modules() {
	"$vigil" report -r PSU -f csv --all "$1" | grep -o 'CALLED[^,"]*' |
		awk 'length($0) > length(longest) { longest = $0 } END { print longest }'
}

# called WANTED COMMAND...: x.vprf, which COMMAND makes, has the modules WANTED. On a busy machine a collector may be
# loaded when the program has nearly ended: missing names appear when the program works longer. No run has other
# names, or another order.
called() {
	local wanted=$1 found part rest
	shift
	for WORK in 1 4 16; do
		export WORK
		"$@"
		found=$(modules x.vprf)
		echo "with work $WORK: $found"
		if [ "$found" = "$wanted" ]; then return 0; fi
		rest=:$wanted:
		for part in ${found//:/ }; do
			[[ $rest == *":$part:"* ]] || return 1
			rest=:${rest#*":$part:"}
		done
	done
	return 1
}

needs_python() {
	command -v python3 >/dev/null || skip "python3 is not installed"
}

@test "STRB and the first four characters of the program's file name, in upper case, name its collector" {
	collector lib/STRBPAYR.so STRBPAYR
	for program in payroll PAYRoll payr payr.v1; do
		[[ $(why $program STRBPAYR -L lib) == "1 yes "* ]]
	done
	for program in pay paycalc spayroll xpayr; do
		[[ $(why $program STRBPAYR -L lib) == "- no "* ]]
	done
}

@test "a program with fewer than four characters has a collector with as many" {
	collector lib/STRBZQ.so STRBZQ
	collector lib/STRBZ.so STRBZ
	[[ $(why zq STRBZQ -L lib) == "1 yes "* ]]
	[[ $(why zq STRBZ -L lib) == "- no "* ]]
	[[ $(why z STRBZ -L lib) == "1 yes "* ]]
	[[ $(why zqar STRBZQ -L lib) == "- no "* ]]
}

@test "symbolic links of such names make one collector serve several programs" {
	collector lib/STRBMYPR.so STRBMYPR
	ln -s STRBMYPR.so lib/STRBOURP.so
	ln -s STRBMYPR.so lib/STRBYOUR.so
	for program in myprog ourprog yourprog; do
		[[ $(why $program STRBMYPR -L lib) == "1 yes "* ]]
	done
	[[ $(why theirprog STRBMYPR -L lib) == "- no "* ]]
	run -0 "$vigil" collectors -L lib -f csv
	[ "$(grep -c '^COL,collectors,detail,.*STRBMYPR' <<<"$output")" -eq 1 ]
	has "STRBMYPR STRBOURP STRBYOUR"
}

@test "the list in the object makes one collector serve several programs" {
	collector lib/STRBMYPR.so STRBMYPR '' 'OURP YOUR'
	for program in myprog ourprog yourprog; do
		[[ $(why $program STRBMYPR -L lib) == "1 yes "* ]]
	done
	[[ $(why theirprog STRBMYPR -L lib) == "- no "* ]]
}

@test "an asterisk in the list of the object has it found for every program" {
	collector lib/STRBANY.so STRBANY '"pay*"' '*'
	[[ $(why payroll STRBANY -L lib) == "1 yes "* ]]
	[[ $(why order STRBANY -L lib) == "- no its list of programs contains pay*, not order" ]]
}

@test "a file of the name comes before one that has it in its list" {
	collector lib/STRBALIA.so STRBALIA '' 'PAYR'
	collector lib/STRBPAYR.so STRBPAYR
	[[ $(why payroll STRBPAYR -L lib) == "1 yes "* ]]
	[[ $(why payroll STRBALIA -L lib) == "- no another STRBPAYR is found before it" ]]
}

@test "the list of programs decides whether what was found by name is called" {
	collector lib/STRBPAYR.so STRBPAYR '"payroll","PAYR_%"'
	[[ $(why payroll STRBPAYR -L lib) == "1 yes its list of programs contains payroll" ]]
	[[ $(why PAYROLL STRBPAYR -L lib) == "1 yes "* ]]
	[[ $(why payr_1 STRBPAYR -L lib) == "1 yes "* ]]
	[[ $(why payrep STRBPAYR -L lib) == "- no its list of programs contains payroll, PAYR_%, not payrep" ]]
}

@test "the library path is that of the request, VIGIL_COLLECTORS in order, the user's, and the first name in it counts" {
	needs_python
	mkdir -p one two "$HOME/.local/share/vigil/collectors" data/vigil/collectors
	collector lib/STRBPAYR.so STRBPAY1
	cp lib/STRBPAYR.so one; cp lib/STRBPAYR.so two
	cp lib/STRBPAYR.so "$HOME/.local/share/vigil/collectors"
	cp lib/STRBPAYR.so data/vigil/collectors
	first() {
		"$vigil" collectors -p payroll -f json "$@" | python3 -c '
import json, os, sys
rows = json.load(sys.stdin)["reports"][0]["tables"][0]["rows"]
print(*[os.path.relpath(row["file"]) for row in rows if row["called"] == "yes"])'
	}
	[ "$(first)" = home/.local/share/vigil/collectors/STRBPAYR.so ]
	[ "$(XDG_DATA_HOME=$PWD/data first)" = data/vigil/collectors/STRBPAYR.so ]
	[ "$(VIGIL_COLLECTORS=one:two first)" = one/STRBPAYR.so ]
	[ "$(VIGIL_COLLECTORS=::two:one first)" = two/STRBPAYR.so ]
	[ "$(VIGIL_COLLECTORS=one first -L lib)" = lib/STRBPAYR.so ]
	[ "$(VIGIL_COLLECTORS=one first -L two -L lib)" = two/STRBPAYR.so ]
}

# installed: a copy of vigil with its own collectors, laid out as in its build folder.
installed() {
	mkdir -p own/collectors/.libs own/sampler/host
	cp "$VIGIL_BUILD/vigil" own
	cp "$VIGIL_BUILD/sampler/host/collector-host" own/sampler/host
	vigil=$PWD/own/vigil
}

@test "collectors that come with vigil are called before the user's, whatever names them" {
	work payroll
	installed
	collector own/collectors/.libs/STRBPAYR.so STRBOWN1
	collector own/collectors/.libs/STRBLANG.so STRBLANG '' '*'
	collector own/collectors/.libs/STRBASKD.so STRBASKD '"nothing"'
	collector lib/STRBPAYR.so STRBUSER
	collector lib/STRBNAME.so STRBNAME '"nothing"'
	called "CALLED:STRBOWN1:STRBLANG:STRBASKD=a:STRBUSER:STRBNAME=n" \
		run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCCLIB='lib',DCC=(STRBNAME,STRBASKD),DCCPARM=('=n','=a')" bin/payroll
}

@test "an installed tree that was moved as a whole finds its collectors and the program they run in" {
	[ -r "$VIGIL_BUILD/Makefile" ] || skip "the folders of the installation are in the Makefile, which is not here"
	# Not by make, which would update the Makefile first.
	folders=$(sed -nE 's/^(prefix|exec_prefix|bindir|libdir|libexecdir) = (.*)/\1=\2/p' "$VIGIL_BUILD/Makefile")
	for _ in 1 2 3; do eval "$folders"; done # one may name another that stands below it
	libexecdir=$libexecdir/vigil
	[ -n "$bindir" ]
	mkdir -p "tree$bindir" "tree$libdir/vigil/features" "tree$libexecdir"
	cp "$VIGIL_BUILD/vigil" "tree$bindir"
	cp "$VIGIL_BUILD/sampler/host/collector-host" "tree$libexecdir"
	vigil=$PWD/tree$bindir/vigil
	collector "tree$libdir/vigil/features/STRBPAYR.so" STRBPAYR
	run -0 "$vigil" collectors -p payroll -f csv
	has "COL,program,detail,payroll,1,STRBPAYR,vigil,yes,"
}

@test "collectors that the request names are called in the order given, each with its parameter" {
	work payroll
	for name in ONE TWO TRE; do collector lib/STRB$name.so STRB$name '"nothing"'; done
	called "CALLED:STRBTWO=2:STRBTRE:STRBONE=1" run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCCLIB='lib',DCC=(STRBTWO,STRBTRE,STRBONE),DCCPARM=('=2','','=1')" bin/payroll
	called "CALLED:STRBONE:STRBTWO" run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCCLIB='lib',DCC=(STRBONE,STRBTWO)" bin/payroll
}

@test "the list of programs is not looked at when the request names the collector" {
	work payroll
	collector lib/STRBPAYR.so STRBPAYR '"other"'
	export VIGIL_COLLECTORS=$PWD/lib
	run -0 "$vigil" run -q -o x.vprf bin/payroll
	[ -z "$(modules x.vprf)" ]
	called "CALLED:STRBPAYR" run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=STRBPAYR" bin/payroll
}

@test "names of MAPPROGRAM count for the list of programs" {
	work payroll
	collector lib/STRBPAYR.so STRBPAYR '"other"'
	export VIGIL_COLLECTORS=$PWD/lib
	called "CALLED:STRBPAYR" run -0 "$vigil" run -q -o x.vprf -c "ADD *,MAPPROGRAM=(THIRD,OTHER)" bin/payroll
	run -0 "$vigil" run -q -o x.vprf -c "ADD *,MAPPROG=THIRD" bin/payroll
	[ -z "$(modules x.vprf)" ]
}

@test "a collector is found for each program of a step by its own name" {
	work payroll order
	collector lib/STRBORDE.so STRBORDE
	export VIGIL_COLLECTORS=$PWD/lib
	called "CALLED:STRBORDE" run -0 "$vigil" run -q -o x.vprf -- sh -c 'bin/payroll; bin/order; :'
	[ "$("$vigil" report -r PSU -f csv --all x.vprf | grep -c ',payroll,')" -gt 0 ]
}

@test "a script is found by its own name and by that of its shell" {
	collector lib/STRBNIGH.so STRBNIGH
	collector lib/STRBSHEL.so STRBSHEL '' "$(basename "$(readlink -f /bin/sh)" | cut -c1-4 | tr a-z A-Z)"
	export VIGIL_COLLECTORS=$PWD/lib
	program nightly <<<'i=0; while [ $i -lt $((100000 * WORK)) ]; do i=$((i+1)); done'
	called "CALLED:STRBSHEL:STRBNIGH" run -0 "$vigil" run -q -o x.vprf bin/nightly
}

@test "DCCLIB is a folder" {
	work payroll
	mkdir -p cards/deep
	collector cards/deep/STRBDEEP.so STRBDEEP
	for library in "'cards/deep'" "'$PWD/cards/deep'" "'$PWD/cards/../cards/deep/'"; do
		called "CALLED:STRBDEEP" run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=STRBDEEP,DCCLIB=$library" bin/payroll
		[ -z "$output" ]
	done
}

@test "DCCLIB is a data set of the root, by its name or where a mapping file puts it" {
	work PAYROLL
	mkdir -p root/PAY.COLLECT far
	collector root/PAY.COLLECT/STRBDSN.so STRBDSN
	collector far/STRBFAR.so STRBFAR
	echo 'FAR.COLLECT far' >map
	called "CALLED:STRBDSN" run -0 env VIGIL_ROOT=root "$vigil" run -q -o x.vprf -c 'ADD *,DCC=STRBDSN,DCCLIB=PAY.COLLECT' bin/PAYROLL
	WORK=8 job --map map <<-'EOF'
		//PAY      JOB
		//ONE      EXEC PGM=PAYROLL
		//VIGIL    DD *
		  ADD PAY,DCC=STRBDSN,DCCLIB=PAY.COLLECT
		//TWO      EXEC PGM=PAYROLL
		//VIGIL    DD *
		  ADD PAY,DCC=STRBFAR,DCCLIB=FAR.COLLECT
	EOF
	[ "$status" -eq 0 ]
	hasnt VIG34
	[ "$(modules "$last/ONE.vprf")" = "CALLED:STRBDSN" ]
	[ "$(modules "$last/TWO.vprf")" = "CALLED:STRBFAR" ]
}

@test "in a deck DCCLIB without a slash in front is a data set" {
	work PAYROLL
	collector lib/STRBPAYR.so STRBPAYR
	WORK=8 job <<-EOF
		//PAY      JOB
		//ONE      EXEC PGM=PAYROLL
		//VIGIL    DD *
		  ADD PAY,DCCLIB='lib/x'
		//TWO      EXEC PGM=PAYROLL
		//VIGIL    DD *
		  ADD PAY,DCCLIB=LIB
		//THREE    EXEC PGM=PAYROLL
		//VIGIL    DD *
		  ADD PAY,
		    DCCLIB='$PWD/lib'
	EOF
	[ "$status" -eq 0 ]
	has "VIG3405W step ONE: DCCLIB lib/x is not searched for data collectors: it is neither an absolute path"
	has "VIG3402W DCCLIB: library $PWD/root/LIB does not exist"
	[ "$(modules "$last/THREE.vprf")" = "CALLED:STRBPAYR" ]
}

@test "cards with collectors are carried out in DD VIGIL, in --control of submit and run, in -c, and by attach" {
	work PAYROLL
	collector lib/STRBUSER.so STRBUSER
	echo "ADD *,DCC=STRBUSER,DCCLIB='$PWD/lib',DCCPARM='=c'" >cards
	WORK=8 job --control cards <<-EOF
		//PAY      JOB
		//ONE      EXEC PGM=PAYROLL
		//TWO      EXEC PGM=PAYROLL
		//VIGIL    DD *
		  ADD PAY,DCC=STRBUSER,DCCPARM='=d',
		    DCCLIB='$PWD/lib'
	EOF
	[ "$status" -eq 0 ]
	[ "$(modules "$last/ONE.vprf")" = "CALLED:STRBUSER=c" ]
	[ "$(modules "$last/TWO.vprf")" = "CALLED:STRBUSER=d" ]
	called "CALLED:STRBUSER=c" run -0 "$vigil" run -q -o x.vprf --control cards bin/PAYROLL
	background sh -c 'ulimit -t 60; while :; do i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done; sleep 0.03; done'
	loop=$!
	run "$vigil" attach -q -d 1 -o a.vprf --control cards $loop
	kill $loop
	[ "$status" -eq 0 ]
	[ "$(modules a.vprf)" = "CALLED:STRBUSER=c" ]
}

@test "CHANGE alters the collectors of a queued request" {
	work PAYROLL
	collector lib/STRBOLD.so STRBOLD
	collector lib/STRBNEW.so STRBNEW
	echo "ADD *,DCC=STRBOLD,DCCLIB='lib',DCCPARM='=o'" >cards
	called "CALLED:STRBNEW=n:STRBOLD" run -0 "$vigil" run -q -o x.vprf --control cards -c "CHANGE 1,DCC=(STRBNEW,STRBOLD),DCCPARM='=n'" bin/PAYROLL
	called "CALLED:STRBOLD=p" run -0 "$vigil" run -q -o x.vprf --control cards -c "CHANGE 1,DCCPARM='=p'" bin/PAYROLL
	WORK=8 job <<-EOF
		//PAY      JOB
		//ONE      EXEC PGM=PAYROLL
		//VIGIL    DD *
		  ADD PAY,DCC=STRBOLD
		  CHANGE PAY,DCC=STRBNEW,
		    DCCLIB='$PWD/lib'
	EOF
	[ "$status" -eq 0 ]
	[ "$(modules "$last/ONE.vprf")" = "CALLED:STRBNEW" ]
}

@test "PGM=VIGIL queues a request for the steps after it, and changes it" {
	work PAYROLL
	collector lib/STRBOLD.so STRBOLD
	collector lib/STRBNEW.so STRBNEW
	collector lib/STRBOWN.so STRBOWN
	export VIGIL_COLLECTORS=$PWD/lib
	WORK=8 job <<-'EOF'
		//PAY      JOB
		//BEFORE   EXEC PGM=PAYROLL
		//ASK      EXEC PGM=VIGIL
		//SYSPRINT DD SYSOUT=*
		//SYSIN    DD *
		  ADD OTHER,DCC=STRBOWN
		  ADD PAY,STEP=T*,DCC=STRBOLD,DCCPARM='=o'
		//TWO      EXEC PGM=PAYROLL
		//UNASKED  EXEC PGM=PAYROLL
		//CHANGE   EXEC PGM=VIGIL
		//SYSPRINT DD SYSOUT=*
		//SYSIN    DD *
		  CHANGE 2,DCC=(STRBNEW,STRBOLD)
		//THREE    EXEC PGM=PAYROLL
		//TEN      EXEC PGM=PAYROLL
		//VIGIL    DD *
		  ADD PAY,DCC=STRBOWN
	EOF
	[ "$status" -eq 0 ]
	grep VIG2933I "$last/ASK.SYSPRINT"
	grep "VIG2933I the request is changed" "$last/CHANGE.SYSPRINT"
	[ ! -e "$last/BEFORE.vprf" ]
	[ ! -e "$last/UNASKED.vprf" ]
	[ "$(modules "$last/TWO.vprf")" = "CALLED:STRBOLD=o" ]
	[ "$(modules "$last/THREE.vprf")" = "CALLED:STRBNEW:STRBOLD" ]
	[ "$(modules "$last/TEN.vprf")" = "CALLED:STRBOWN" ]
}

@test "PGM=VIGIL: a CHANGE of what is not queued is an error of its step, and changes nothing" {
	work PAYROLL
	collector lib/STRBOLD.so STRBOLD
	export VIGIL_COLLECTORS=$PWD/lib
	WORK=8 job <<-'EOF'
		//PAY      JOB
		//ASK      EXEC PGM=VIGIL
		//SYSPRINT DD SYSOUT=*
		//SYSIN    DD *
		  ADD PAY,DCC=STRBOLD
		//CHANGE   EXEC PGM=VIGIL
		//SYSPRINT DD SYSOUT=*
		//SYSIN    DD *
		  CHANGE 1,DCC=STRBNEW
		  CHANGE 2,DCC=STRBNEW
		//TWO      EXEC PGM=PAYROLL
	EOF
	[ "$status" -eq 8 ]
	grep "VIG2931E no request before this one has the number 2" "$last/CHANGE.SYSPRINT"
	[ "$(modules "$last/TWO.vprf")" = "CALLED:STRBOLD" ]
}

@test "a named collector that is nowhere is told with every folder, is in the record, and stops nothing" {
	needs_python
	work payroll
	collector lib/STRBUSER.so STRBUSER
	export VIGIL_COLLECTORS=$PWD/lib
	called "CALLED:STRBUSER" run -0 --separate-stderr "$vigil" run -q -o x.vprf -c "ADD *,DCC=(STRBGONE,STRBUSER),DCCLIB='nowhere'" bin/payroll
	[[ $stderr == *"VIG3402W DCCLIB: library nowhere does not exist"* ]]
	[[ $stderr == *"VIG3400W data collector STRBGONE is not called: it is not in nowhere, $PWD/lib, $HOME/.local/share/vigil/collectors"* ]]
	[[ $(column x.vprf STRBGONE problem) == "it is not in nowhere, $PWD/lib,"* ]]
	[ "$(column x.vprf STRBGONE calls)" -eq 0 ]
}

@test "a library or a file that everybody can write to is refused" {
	work payroll
	collector lib/STRBUSER.so STRBUSER
	chmod o+w lib
	run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=STRBUSER,DCCLIB='lib'" bin/payroll
	has "VIG3401W data collector library $PWD/lib is not used: everybody can write to it"
	has "VIG3400W data collector STRBUSER is not called"
	[ -z "$(modules x.vprf)" ]
	run -4 "$vigil" collectors -L lib -f csv
	has "everybody can write to it"
	chmod o-w lib
	chmod o+w lib/STRBUSER.so
	run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=STRBUSER,DCCLIB='lib'" bin/payroll
	has "VIG3403W data collector $PWD/lib/STRBUSER.so is not used: everybody can write to it"
	[ -z "$(modules x.vprf)" ]
	run -4 "$vigil" collectors -L lib -f csv
}

@test "a link out of the library into a folder that everybody can write to is refused" {
	mkdir open
	collector open/any.so STRBUSER
	chmod o+w open
	ln -s ../open/any.so lib/STRBUSER.so
	run -4 "$vigil" collectors -L lib -f csv
	has "everybody can write to it"
}

# bats test_tags=as:root
@test "root refuses what does not belong to root" {
	[ "$(id -u)" -eq 0 ] || skip "only root can give files away"
	work payroll
	collector lib/STRBUSER.so STRBUSER
	chown 65534 lib/STRBUSER.so
	run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=STRBUSER,DCCLIB='lib'" bin/payroll
	has "it does not belong to root"
	[ -z "$(modules x.vprf)" ]
	chown 0 lib/STRBUSER.so
	chown 65534 lib
	run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=STRBUSER,DCCLIB='lib'" bin/payroll
	has "it does not belong to root"
	[ -z "$(modules x.vprf)" ]
}

# bats test_tags=as:root
@test "a library or a file that others of its group can write to is refused" {
	[ "$(id -u)" -eq 0 ] || skip "only root can give files to any group"
	work payroll
	collector lib/STRBUSER.so STRBUSER
	chgrp 65534 lib
	chmod 2775 lib
	run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=STRBUSER,DCCLIB='lib'" bin/payroll
	has "VIG3401W data collector library $PWD/lib is not used: others of its group can write to it"
	[ -z "$(modules x.vprf)" ]
	chmod g-w lib
	chgrp 65534 lib/STRBUSER.so
	chmod g+w lib/STRBUSER.so
	run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=STRBUSER,DCCLIB='lib'" bin/payroll
	has "VIG3403W data collector $PWD/lib/STRBUSER.so is not used: others of its group can write to it"
	[ -z "$(modules x.vprf)" ]
	chmod g-w lib/STRBUSER.so
	run -0 "$vigil" collectors -L lib
}

# as USER COMMAND...: executes it as USER (a number), with the files passwd and group as /etc/passwd and /etc/group.
as() {
	unshare -m sh -c 'mount --bind passwd /etc/passwd && mount --bind group /etc/group && exec "$@"' sh \
		setpriv --reuid="$1" --regid="$1" --clear-groups "${@:2}"
}

# bats test_tags=as:root
@test "a group may write that is the user's own, with nobody else in it" {
	[ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null || skip "only root can have an /etc/group of its own"
	installed
	place=$(mktemp -d /tmp/vigil-group-XXXXXX)
	chmod 755 "$place"
	mv own lib "$place"
	cd "$place"
	HOME=$place vigil=$place/own/vigil
	collector lib/STRBUSER.so STRBUSER
	chmod 775 lib lib/STRBUSER.so
	# loads STATUS USER UID MEMBERS: whether the library may be loaded by a user.
	loads() {
		printf '%s:x:%s:%s::/:/bin/sh\n' root 0 0 alice 4711 4711 carol 4712 "${5-4712}" >passwd
		printf '%s:x:%s:%s\n' root 0 "$4" "$2" 4711 "$4" >group
		run as "$3" "$vigil" collectors -L lib -f csv
		echo "$output"
		[ "$status" -eq "$1" ]
	}
	loads 0 alice 0 ''
	loads 0 alice 0 root
	loads 4 alice 0 carol
	has "others of its group can write to it"
	loads 4 alice 0 '' 0
	chown -R 4711:4711 lib
	loads 4 alice 0 ''
	loads 0 alice 4711 ''
	loads 0 alice 4711 alice
	loads 4 alice 4711 alice,carol
	has "others of its group can write to it"
	loads 4 alice 4711 '' 4711
	loads 4 payroll 4711 alice
	chmod g-w lib lib/STRBUSER.so
	loads 0 payroll 4711 alice
}

@test "a library that others can write to by an access list is refused" {
	needs_python
	collector lib/STRBUSER.so STRBUSER
	# setfacl -m u:65534:rwx lib
	python3 -c '
import os, struct
entries = ((1, 7, -1), (2, 7, 65534), (4, 5, -1), (16, 7, -1), (32, 5, -1))
os.setxattr("lib", "system.posix_acl_access",
            struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries))' ||
		skip "this file system has no access lists"
	run -4 "$vigil" collectors -L lib -f csv
	has "others in its access list can write to it"
	chmod g-w lib
	run -0 "$vigil" collectors -L lib -f csv
}

@test "a library below a folder that others could have changed is refused" {
	mkdir -p above/deep/lib
	collector above/deep/lib/STRBUSER.so STRBUSER
	run -0 "$vigil" collectors -L above/deep/lib -f csv
	chmod o+w above
	run -4 "$vigil" collectors -L above/deep/lib -f csv
	has "VIG3401W data collector library $PWD/above/deep/lib is not used: $PWD/above is above it: everybody can write to it"
	# The link leads through a folder that may be used.
	ln -s ../above/deep/lib/STRBUSER.so lib/STRBUSER.so
	run -4 "$vigil" collectors -L lib -f csv
	has "$PWD/above/deep/lib/STRBUSER.so is not used: $PWD/above is above it: everybody can write to it"
	# In a sticky folder only the owner of a file can replace it.
	chmod 1777 above
	run -0 "$vigil" collectors -L above/deep/lib -f csv
	[ "$(id -u)" -eq 0 ] || return 0
	chown 65534 above
	run -4 "$vigil" collectors -L above/deep/lib -f csv
	has "$PWD/above is above it: it does not belong to root"
	chown 0 above
	chgrp 65534 above
	chmod 0775 above
	run -4 "$vigil" collectors -L above/deep/lib -f csv
	has "$PWD/above is above it: others of its group can write to it"
}

@test "vigil collectors tells what is refused or not there, for a program too" {
	mkdir other
	collector lib/STRBPAYR.so STRBPAYR
	collector other/STRBPAYR.so STRBPAYR
	for program in "" "--program=payroll"; do
		run -0 "$vigil" collectors -L lib $program -f csv
		chmod o+w lib
		run -4 "$vigil" collectors -L lib -L other $program -f csv
		has "VIG3401W data collector library $PWD/lib is not used: everybody can write to it"
		has ",$PWD/other/STRBPAYR.so"
		chmod o-w lib
		run -4 "$vigil" collectors -L lib -L nowhere $program -f csv
		has "VIG3402W data collector library nowhere does not exist"
		chmod o+w lib/STRBPAYR.so
		run -4 "$vigil" collectors -L lib $program -f csv
		has "everybody can write to it"
		chmod o-w lib/STRBPAYR.so
	done
}

@test "vigil collectors tells why one cannot be loaded, and goes on with the others" {
	collector lib/STRBGOOD.so STRBGOOD
	echo 'no object at all' >lib/STRBTEXT.so
	FLAGS='-DIDENTIFIER="STROBE_COLLECTO"' collector lib/STRBIDEN.so STRBIDEN
	FLAGS=-DVERSION=99 collector lib/STRBVERS.so STRBVERS
	echo 'int nothing;' | gcc -shared -fPIC -x c -o lib/STRBNONE.so -
	ln -s nowhere.so lib/STRBLINK.so
	mkdir lib/STRBDIRE.so
	run -4 "$vigil" collectors -L lib -f csv
	echo "$output"
	note() { grep "^COL,notes,note,.*VIG3410W data collector $PWD/lib/$1 is not used: .*$2" <<<"$output"; }
	note STRBTEXT.so "cannot be loaded"
	note STRBIDEN.so "identifier"
	note STRBVERS.so "version 99"
	note STRBNONE.so "no symbol vigil_collector"
	note STRBLINK.so "link points to no file"
	note STRBDIRE.so "cannot be loaded"
	[ "$(grep -c '^COL,notes' <<<"$output")" -eq 6 ]
	grep '^COL,collectors,detail,.*,STRBGOOD,G-00,yes,' <<<"$output"
	[ "$(grep -c '^COL,collectors,detail,.*,STRB....,,no,' <<<"$output")" -eq 6 ]
}

@test "vigil collectors shows flags and pseudo-sections" {
	FLAGS='-DCOLLECTOR_FLAGS=VIGIL_HOLD -DSECTIONS={"ONE","ABC"},{".TWO","DEF"}' collector lib/STRBFLAG.so STRBFLAG
	run -0 "$vigil" collectors -L lib -f csv
	grep ',STRBFLAG,G-00,yes,HOLD,\*\*\*\*\*,STRBFLAG,".ONE ABC, .TWO DEF",' <<<"$output"
}

@test "vigil collectors shows which flags a collector has, in full" {
	collector lib/STRBNONE.so STRBNONE
	FLAGS='-DCOLLECTOR_FLAGS=VIGIL_PROMPT' collector lib/STRBPROM.so STRBPROM
	FLAGS='-DCOLLECTOR_FLAGS=VIGIL_HOLD|VIGIL_PROMPT' collector lib/STRBBOTH.so STRBBOTH
	run -0 "$vigil" collectors -L lib -f csv
	has ',STRBNONE,G-00,yes,,*****,'
	has ',STRBPROM,G-00,yes,PROMPT,*****,'
	has ',STRBBOTH,G-00,yes,HOLD PROMPT,*****,'
	run -0 "$vigil" collectors -L lib
	grep -E '^STRBPROM G-00 +user +yes +PROMPT +\*{5} ' <<<"$output"
	grep -E '^STRBBOTH G-00 +user +yes +HOLD PROMPT +\*{5} ' <<<"$output"
}

@test "vigil collectors outlives collectors that crash, end or hang while they are loaded" {
	FLAGS='-DWHEN_LOADED=abort()' collector lib/STRBCRSH.so STRBCRSH
	FLAGS='-DWHEN_LOADED=exit(3)' collector lib/STRBENDS.so STRBENDS
	FLAGS='-DWHEN_LOADED=for(;;)pause()' collector lib/STRBHANG.so STRBHANG
	collector lib/STRBGOOD.so STRBGOOD
	run -4 "$vigil" collectors -L lib -f csv
	echo "$output"
	grep 'VIG3410W.*STRBCRSH.so is not used: .*SIGABRT' <<<"$output"
	grep 'VIG3410W.*STRBENDS.so is not used: .*status 3' <<<"$output"
	grep 'VIG3410W.*STRBHANG.so is not used: it did not load within 2 seconds' <<<"$output"
	grep ',STRBGOOD,G-00,yes,' <<<"$output"
}

@test "vigil collectors tells that one cannot be read" {
	[ "$(id -u)" -ne 0 ] || skip "root can read everything"
	collector lib/STRBUSER.so STRBUSER
	chmod 0 lib/STRBUSER.so
	run -4 "$vigil" collectors -L lib -f csv
	has "Permission denied"
}

@test "a collector that no program of the step needs was not called, with a generation or without" {
	work payroll
	collector lib/STRBPAYR.so STRBPAYR '"other"'
	FLAGS='-DGENERATION=""' collector lib/STRBANON.so STRBANON '"other"' '*'
	export VIGIL_COLLECTORS=$PWD/lib
	run -0 "$vigil" run -q -o x.vprf bin/payroll
	run -0 "$vigil" report -r MSD x.vprf
	for name in STRBPAYR STRBANON; do
		has "VIG6103I data collector $name was not called: no program of the step is in its list of programs"
	done
	hasnt VIG6100W
	[ "$(grep -c 'NOT CALLED  ' <<<"$output")" -eq 2 ]
	run -0 "$vigil" collectors x.vprf
	for name in STRBPAYR STRBANON; do
		has "$name was not called: no program of the step is in its list of programs"
	done
	hasnt VIG3411W
}

@test "vigil collectors FILE warns of one that was not loaded or was switched off" {
	work payroll
	collector lib/STRBUSER.so STRBUSER
	FLAGS='-DWHEN_LOADED=abort()' collector lib/STRBCRSH.so STRBCRSH
	export VIGIL_COLLECTORS=$PWD/lib
	run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=(STRBCRSH,STRBGONE,STRBUSER)" bin/payroll
	run -0 "$vigil" collectors x.vprf
	has "VIG3411W data collector STRBCRSH was never called: its process was killed by signal 6 (SIGABRT) while it was being loaded"
	has "VIG3411W data collector STRBGONE was never called: it is not in "
	[ "$(grep -c VIG3411W <<<"$output")" -eq 2 ]
}

@test "vigil collectors FILE shows what was called in the session: calls, answers and cost" {
	needs_python
	work payroll
	collector lib/STRBUSER.so STRBUSER
	collector lib/STRBIDLE.so STRBIDLE '"nothing"'
	export VIGIL_COLLECTORS=$PWD/lib
	run -0 "$vigil" run -q -o x.vprf -c "ADD *,DCC=STRBUSER" bin/payroll
	calls=$(column x.vprf STRBUSER calls)
	[ "$calls" -gt 0 ]
	answers=$(column x.vprf STRBUSER answers)
	# A sample that arrives while the collector still works on an earlier one is late without being a call.
	[ "$answers" -gt 0 ]
	[ "$answers" -le "$calls" ]
	[ "$calls" -le $((answers + $(column x.vprf STRBUSER late))) ]
	[ "$(column x.vprf STRBUSER cost_ns)" -gt 0 ]
	[ "$(column x.vprf STRBUSER from)" = DCC ]
	[ -z "$(column x.vprf STRBIDLE calls)" ]
	run -0 "$vigil" collectors x.vprf
	has STRBUSER
	[ "$(awk '{ if (length($0) > 132) print }' <<<"$output" | grep -vc "^STRB")" -eq 0 ]
}

@test "vigil collectors: exit status 2 for a wrong command line, 8 for a bad file, and 132 columns" {
	run -2 "$vigil" collectors --format xml
	run -2 "$vigil" collectors a b
	run -2 "$vigil" collectors --program bin/x
	run -8 --separate-stderr "$vigil" collectors none.vprf
	[[ $stderr == *VIG0030E* ]]
	echo text >text.vprf
	run -8 "$vigil" collectors text.vprf
	collector lib/STRBLONG.so STRBLONG '"a long name of a program","another long name","and a third one"'
	run -0 "$vigil" collectors -L lib
	has STRBLONG
	[ "$(awk 'length($0) > 132' <<<"$output")" = "" ]
	run -0 "$vigil" collectors -L lib -f json
	has '"programs":"a long name of a program, another long name, and a third one"'
}
