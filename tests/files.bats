# SPDX-License-Identifier: Apache-2.0
# Bytes by file: what programs are known to read and write, compared with the listing.

bats_require_minimum_version 1.5.0
load trace
load jobs
load ordinary

setup_file() {
	gcc -O1 -o "$BATS_FILE_TMPDIR/last-words" "$VIGIL_SOURCE/tests/programs/last-words.c"
}

setup() {
	in_own_folder
	[ -e "$VIGIL_BUILD/agent/.libs/vigil-step.so" ] || skip "the step library is not built"
	command -v python3 >/dev/null || skip "no python3"
}

teardown() {
	ordinary_end
}

# moved FILE BYTES..., calls FILE CALLS...: what the last step's profile reports for the files with these names; "-":
# unknown.
moved() {
	columns_are moved_bytes "$@"
}

calls() {
	columns_are calls "$@"
}

columns_are() {
	"$vigil" report --format json --all -r DSC "$(ls -t spool/JOB*/S1.vprf | head -1)" >dsc.json
	python3 - "$@" <<-'EOF'
	import json, sys
	column = sys.argv.pop(1)
	rows = {}
	for report in json.load(open("dsc.json"))["reports"]:
	    for table in report["tables"]:
	        for row in table["rows"]:
	            if row["row"] == "detail":
	                rows[row["ddname"]] = row.get(column)
	wanted = {name: None if value == "-" else int(value) for name, value in zip(sys.argv[1::2], sys.argv[2::2])}
	for name, value in wanted.items():
	    if rows.get(name, "no row") != value:
	        print(f"{name}: {rows.get(name, 'no row')} instead of {value}")
	sys.exit(any(rows.get(name, "no row") != value for name, value in wanted.items()))
	EOF
}

# path_card NAME PATH: a DD statement for a path of any length: a card is read up to column 71, and continues in
# column 16 of the next.
path_card() {
	local card="//$1 DD PATH='$2'"
	printf '%s\n' "${card:0:71}"
	[ ${#card} -le 71 ] || printf '//%13s%s\n' '' "${card:71}"
}

# measured PROGRAM [CARD...]: a measured job of one step.
measured() {
	local program=$1
	shift
	{
		printf '%s\n' '//A JOB' "//S1 EXEC PGM=$program" "$@" '//VIGIL DD *' ' ADD A' '/*'
	} >deck.jcl
	job deck.jcl
	[ "$status" -eq 0 ]
}

@test "bytes by DD of COBOL files are those of their calls: sequential, lines, relative, indexed" {
	[ -n "$COBC" ] && command -v "$COBC" >/dev/null || skip "cobc is not installed"
	"$COBC" -x -o bin/DDBYTES "$VIGIL_SOURCE/tests/programs/ddbytes.cob"
	python3 - <<-'EOF'
	open("in", "w").write("".join("%-99dX" % i for i in range(4000)))
	open("lines", "w").write("".join("line %d\n" % i for i in range(1800)))
	EOF
	measured DDBYTES "$(path_card SEQIN "$PWD/in")" "$(path_card LINEIN "$PWD/lines")" \
		'//SEQOUT DD DSN=T.SEQ,DISP=(NEW,CATLG)' '//LINEOUT DD DSN=T.LINE,DISP=(NEW,CATLG)' \
		'//RELFILE DD DSN=T.REL,DISP=(NEW,CATLG)' '//KEYFILE DD DSN=T.KEY,DISP=(NEW,CATLG)' '//SYSOUT DD SYSOUT=*'
	# Relative records have a head of 8 bytes; every third is read and rewritten.
	moved SEQIN 400000 SEQOUT 400000 LINEOUT 404000 LINEIN "$(stat -c %s lines)" \
		RELFILE $((4000 * 58 + 1334 * 58 * 2)) SYSOUT "$(stat -c %s spool/JOB*/S1.SYSOUT)"
	# Pages of the indexed file: as many bytes as the system calls of the same program report. It is created under
	# another name.
	command -v strace >/dev/null && strace true 2>/dev/null || return 0
	rm -rf direct
	mkdir direct
	(
		cd direct
		DD_SEQIN=../in DD_LINEIN=../lines DD_SEQOUT=seq DD_LINEOUT=line DD_RELFILE=rel DD_KEYFILE=key \
			strace -f -y -o ../calls -e trace=read,write,pread64,pwrite64 ../bin/DDBYTES >/dev/null
	)
	moved KEYFILE "$(awk '/direct\/(__db\.)?key>/ && $NF > 0 { sum += $NF } END { print sum }' calls)"
	# Lines are read and written by stdio; the other files by individual calls.
	calls KEYFILE "$(grep -c 'direct/\(__db\.\)\?key>' calls)" SEQIN "$(grep -c '/in>' calls)" \
		SEQOUT "$(grep -c 'direct/seq>' calls)" RELFILE "$(grep -c 'direct/rel>' calls)" LINEIN - LINEOUT -
}

@test "bytes by file of files that are open briefly, read at a position, by children, by stdio and by copies" {
	cat >bin/BRIEF <<-EOF
	#!$(command -v python3)
	import os
	os.chdir("$PWD")
	for i in range(1000):
	    with open("brief.%d" % i, "wb", 0) as file:
	        file.write(b"x" * (i + 1))
	fd = os.open("positions", os.O_RDWR | os.O_CREAT)
	os.pwrite(fd, b"y" * 70000, 0)
	for i in range(500):
	    os.pread(fd, 77, i * 100)
	for i in range(3):
	    if os.fork() == 0:
	        os.pread(fd, 1000, 0)
	        os.writev(os.open("children", os.O_WRONLY | os.O_CREAT | os.O_APPEND), [b"a" * 10, b"b" * 20])
	        os._exit(0)
	    os.wait()
	os.copy_file_range(fd, os.open("copied", os.O_WRONLY | os.O_CREAT), 5000, 0)
	EOF
	chmod +x bin/BRIEF
	measured BRIEF '//STDOUT DD SYSOUT=*'
	moved brief.0 1 brief.499 500 brief.999 1000 positions $((70000 + 500 * 77 + 3 * 1000 + 5000)) \
		children 90 copied 5000
	calls brief.0 1 brief.499 1 brief.999 1 positions $((1 + 500 + 3 + 1)) children 3 copied 1
}

@test "bytes by file of streams: sort with its temporary files, awk, and a shell whose commands share its output" {
	seq 1 300000 >numbers
	size=$(stat -c %s numbers)
	cat >bin/STREAMS <<-EOF
	#!/bin/sh
	cd "$PWD"
	sort -n -r -S 100M numbers -o sorted
	awk '{ print \$1 > "printed" } END { print NR > "counted" }' numbers
	{
		echo one
		grep -c 7 numbers
		cat counted
		echo four
	} >shared
	tail -c 1000 numbers | cat >>shared
	EOF
	chmod +x bin/STREAMS
	measured STREAMS
	# grep and tail themselves report how much they read; the rest is known.
	moved sorted "$size" printed "$size" counted 14 shared "$(stat -c %s shared)"
}

@test "bytes that cannot be known by file are -, and no number" {
	cat >mapped.c <<-'EOF'
	#include <fcntl.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/mman.h>
	#include <unistd.h>
	int main(void)
	{
		int fd = open(getenv("OVER"), O_RDWR | O_CREAT, 0600);
		char *memory;

		if (ftruncate(fd, 100000) < 0)
			return 1;
		memory = mmap(NULL, 100000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		memset(memory, 1, 100000);
		return memory == MAP_FAILED || write(fd, "abc", 3) != 3;
	}
	EOF
	gcc -O1 -o mapped mapped.c
	printf '#!/bin/sh\nOVER=%s/over exec %s/mapped\n' "$PWD" "$PWD" >bin/MAPPED
	chmod +x bin/MAPPED
	measured MAPPED
	moved over -
	# A program into which no library can be loaded: its bytes belong to no file, and are not 0.
	cat >fixed.c <<-'EOF'
	#include <fcntl.h>
	#include <stdlib.h>
	#include <unistd.h>
	int main(void)
	{
		static char page[65536];
		int fd = open(getenv("OVER"), O_WRONLY | O_CREAT, 0600);

		for (int i = 0; i < 40; i++) {
			if (pwrite(fd, page, sizeof(page), 0) < 0)
				return 1;
			usleep(60000);
		}
		return 0;
	}
	EOF
	gcc -O1 -static -o fixed fixed.c 2>/dev/null || skip "no static C library"
	printf '#!/bin/sh\nOVER=%s/over2 %s/fixed\n' "$PWD" "$PWD" >bin/FIXED
	chmod +x bin/FIXED
	measured FIXED
	moved over2 -
}

# io_calls FILE: the number of input and output calls in the listing.
io_calls() {
	"$vigil" report --format csv -r MSD "$1" | sed -n 's/^MSD,input_output,.*,io_calls,\([0-9]*\).*/\1/p'
}

@test "what a program does just before its end counts, of the step's first program and of others" {
	cp "$BATS_FILE_TMPDIR/last-words" .
	for milliseconds in 0 5 200; do
		for command in './last-words' "sh -c './last-words $milliseconds 5000; exec ./last-words \"\$@\"' -"; do
			rm -f x.vprf
			eval "'$vigil' run -q -o x.vprf -- $command $milliseconds 5000"
			calls=$(io_calls x.vprf)
			echo "$command $milliseconds: $calls"
			[ "$calls" -ge $(($(grep -o last-words <<<"$command" | wc -l) * 5000)) ]
			[ "$calls" -le $(($(grep -o last-words <<<"$command" | wc -l) * 5000 + 500)) ]
		done
	done
	cp last-words bin/LASTWORD
	measured LASTWORD
	[ "$(io_calls "$(ls -t spool/JOB*/S1.vprf | head -1)")" -ge 5000 ]
}

# The step's first program ends between the question whether it has and the wait that takes it away.
@test "what a program does just before its end counts, if it ends just as vigil asks whether it has" {
	cat >just.c <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <sys/wait.h>
		#include <unistd.h>
		int waitid(idtype_t kind, id_t id, siginfo_t *info, int options)
		{
			int (*real)(idtype_t, id_t, siginfo_t *, int) = (int (*)(idtype_t, id_t, siginfo_t *, int))dlsym(RTLD_NEXT, "waitid");
			int result = real(kind, id, info, options);
			siginfo_t later = *info;

			for (int i = 0; i < 2000 && result == 0 && (options & WNOWAIT) && !later.si_pid; i++) {
				usleep(1000);
				if (real(kind, id, &later, options))
					break;
			}
			return result;
		}
	END
	gcc -O1 -shared -fPIC -o just.so just.c
	cp "$BATS_FILE_TMPDIR/last-words" .
	cp last-words bin/LASTWORD
	LD_PRELOAD=$PWD/just.so "$vigil" run -q -o x.vprf -- ./last-words 5 5000
	[ "$(io_calls x.vprf)" -ge 5000 ]
	LD_PRELOAD=$PWD/just.so measured LASTWORD
	[ "$(io_calls "$(ls -t spool/JOB*/S1.vprf | head -1)")" -ge 5000 ]
}

@test "what a program does just before its end counts for an ordinary user, too" {
	ordinary_folder
	cp "$BATS_FILE_TMPDIR/last-words" .
	for milliseconds in 0 5 200; do
		rm -f x.vprf
		"${ordinary[@]}" "$vigil" run -q --privilege user -o x.vprf -- ./last-words $milliseconds 5000
		calls=$(io_calls x.vprf)
		[ "$calls" -ge 5000 ]
		[ "$calls" -le 5500 ]
	done
}
