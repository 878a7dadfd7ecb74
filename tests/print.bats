#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# PDF, SVG and PNG: their content, read by poppler's programs and compared with text and JSON (print.py); written
# completely or not at all.

bats_require_minimum_version 1.5.0

load trace

sessions="payroll threads names database activity events coverage many nothing empty python hostile"

# draws: whether vigil is built with cairo.
draws() {
	[ -e "$VIGIL_BUILD/reports/print/.libs/vigil-print.so" ]
}

setup_file() {
	local name
	draws || return 0
	cd "$BATS_FILE_TMPDIR" || return 1
	for name in $sessions; do
		"$VIGIL_BUILD/reports/test-listing" "$name" dataset "$name.vprf"
		"$VIGIL_BUILD/vigil" report -l 0 -o "$name.txt" "$name.vprf"
		"$VIGIL_BUILD/vigil" report -l 0 -f pdf -o "$name.pdf" "$name.vprf"
		case $name in payroll | threads | python) "$VIGIL_BUILD/vigil" report -l 0 -f json -o "$name.json" "$name.vprf" ;; esac
		case $name in nothing | empty) ;; *) "$VIGIL_BUILD/vigil" report -l 0 -f PDF --paper letter -o "$name.letter.pdf" "$name.vprf" ;; esac
	done
}

setup() {
	vigil=$VIGIL_BUILD/vigil
	made=$BATS_FILE_TMPDIR
	cd "$BATS_TEST_TMPDIR" || return 1
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PROCLIB VIGIL_STEPLIB SOURCE_DATE_EPOCH
	draws || [[ $BATS_TEST_DESCRIPTION == "without the module that draws"* ]] || skip "vigil is built without cairo"
}


# readers: skips the test without poppler and Python.
readers() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	command -v pdftotext >/dev/null || skip "poppler-utils is not installed"
}

# shows CHECK FILE... [-- CHECK FILE...]...: print.py reports nothing.
shows() {
	run -0 python3 "$VIGIL_SOURCE/tests/print.py" "$@"
	[ -z "$output" ]
}

@test "every row, pair and note of the text listing is in the PDF, on A4 and on Letter" {
	readers
	local all=() name
	for name in payroll threads names database activity events coverage many python hostile; do
		all+=(lines "$made/$name.pdf" "$made/$name.txt" -- lines "$made/$name.letter.pdf" "$made/$name.txt" --)
	done
	shows "${all[@]}"
}

@test "figures are those of the JSON report" {
	readers
	shows figures "$made/payroll.pdf" "$made/payroll.json" -- figures "$made/threads.pdf" "$made/threads.json" -- figures "$made/python.pdf" "$made/python.json"
}

@test "contents and outline lead to the pages they name, and each page says which it is" {
	readers
	local all=() name
	for name in $sessions; do
		all+=(links "$made/$name.pdf" --)
	done
	shows "${all[@]}" links "$made/many.letter.pdf"
}

@test "A4 and Letter, lying; title, subject and the date of the session" {
	readers
	pdfinfo -isodates "$made/payroll.pdf" >info
	grep -q '^Page size:  *841.89 x 595.28 pts (A4)' info
	grep -q '^Title:  *PERFORMANCE PROFILE of PAYCALC$' info
	grep -q '^Subject:  *JOB PAYROLL    STEP CALC    PROGRAM PAYCALC$' info
	grep -q '^CreationDate:  *2025-11-20T21:34:05Z*$' <(TZ=UTC0 pdfinfo -isodates "$made/payroll.pdf" | sed 's/+00.*$//')
	pdfinfo "$made/payroll.letter.pdf" | grep -q '^Page size:  *792 x 612 pts (letter)'
	[ "$(pdffonts "$made/payroll.pdf" | awk 'NR > 2 && $(NF - 4) != "yes"' | wc -l)" = 0 ]
}

@test "no page is empty: in colour and in grey there is ink on each" {
	readers
	pdftoppm -r 20 -gray "$made/threads.pdf" page
	python3 - page-*.pgm <<-'END'
		import sys
		for name in sys.argv[1:]:
		    data = open(name, "rb").read().split(b"\n", 3)[3]
		    dark = sum(byte < 200 for byte in data) / len(data)
		    assert 0.005 < dark < 0.5, (name, dark)
	END
}

@test "the same data set makes the same bytes" {
	cp "$made/payroll.vprf" "$made/names.vprf" .
	for name in payroll names; do
		"$vigil" report -f pdf "$name.vprf" >first-$name.pdf
	done
	# A file that contains the time of its creation differs a second later.
	made_at=$EPOCHSECONDS
	while [ "$EPOCHSECONDS" = "$made_at" ]; do sleep 0.1; done
	for name in payroll names; do
		SOURCE_DATE_EPOCH=86400 "$vigil" report -f pdf -o second.pdf "$name.vprf"
		cmp first-$name.pdf second.pdf
	done
	# If the data set has no date, the file has that one.
	readers
	cp "$made/nothing.vprf" .
	SOURCE_DATE_EPOCH=86400 "$vigil" report -f pdf -o dated.pdf nothing.vprf || [ $? = 4 ]
	TZ=UTC0 pdfinfo -isodates dated.pdf | grep -q '^CreationDate:  *\(1970-01-02T00:00:00\|2025-11-20T\)'
}

@test "a file is there whole or not at all; a pipe and standard output" {
	cp "$made/payroll.vprf" "$made/threads.vprf" .
	run -2 "$vigil" report -f pdf payroll.vprf threads.vprf
	[[ $output == *"a PDF is of one session; give one file"* ]]
	"$vigil" report -f pdf payroll.vprf | cat >piped.pdf
	[ "$(head -c 5 piped.pdf)" = %PDF- ]
	tail -c 6 piped.pdf | grep -q EOF
	for form in pdf svg png; do
		picture=()
		[ $form = pdf ] || picture=(--picture flame)
		if [ -w /dev/full ]; then
			run -8 "$vigil" report -f $form "${picture[@]}" -o /dev/full payroll.vprf
			[[ $output == *VIG0031E* ]]
		fi
		echo before >out.$form
		run -8 bash -c 'ulimit -f 8; trap "" XFSZ; exec "$0" report -f "$@" payroll.vprf' "$vigil" $form "${picture[@]}" -o out.$form
		[ "$(cat out.$form)" = before ]
		# The reader of the pipe is gone: there is no message.
		run -8 bash -c 'exec 4> >(:); wait $!; exec "$0" report -f "$@" payroll.vprf >&4 2>said' "$vigil" $form "${picture[@]}"
		[ ! -s said ]
	done
	[ -z "$(find . -name '.*' -type f)" ]
	head -c 3000 payroll.vprf >torn.vprf
	run -4 "$vigil" report -f pdf -o torn.pdf torn.vprf
	tail -c 6 torn.pdf | grep -q EOF
}

@test "without a font there is a message and no file" {
	mkdir fonts
	printf '%s\n' '<?xml version="1.0"?>' '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">' \
		"<fontconfig><dir>$PWD/fonts</dir><cachedir>$PWD/cache</cachedir></fontconfig>" >fonts.conf
	export FONTCONFIG_FILE=$PWD/fonts.conf
	for form in "pdf" "png --picture time" "svg --picture cpu"; do
		# shellcheck disable=SC2086
		run -8 "$vigil" report -o out -f $form "$made/payroll.vprf"
		[[ $output == *"VIG6741E"*"no font"* ]]
		[ ! -e out ]
	done
	printf '%s\n' "REPORT INPUT='$made/payroll.vprf',FORMAT=PDF,DSNAME='$PWD/out'" >report.ctl
	run -8 "$vigil" control report.ctl
	[[ $output == *"no font with Latin letters"* ]]
	[ ! -e out ]
	run -0 "$vigil" report -r MSD "$made/payroll.vprf"
}

@test "without the module that draws there is a message and no file" {
	"$VIGIL_BUILD/reports/test-listing" payroll dataset session.vprf
	# A build without cairo has none next to it; of one with cairo a separate copy.
	if draws; then
		cp "$vigil" alone
		vigil=./alone
	fi
	run "$vigil" report -f pdf -o here.pdf session.vprf
	[ "$status" != 0 ] || skip "another vigil is installed"
	[ "$status" = 8 ]
	[[ $output == *"VIG6740E"*"without cairo"* ]]
	[ ! -e here.pdf ]
}

@test "PNG of each picture has ink and the size that is asked for" {
	readers
	local all=() picture
	for picture in time run cpu waits flame wait-flame; do
		run -0 "$vigil" report -f png --picture $picture --size 800x800 -o $picture.png "$made/threads.vprf"
		all+=(png $picture.png 800 800 --)
	done
	shows "${all[@]}"
	"$vigil" report -f png --picture flame "$made/payroll.vprf" >usual.png
	[ "$(head -c 24 usual.png | tail -c 8 | od -An -tx1 | tr -d ' ')" = 000007d0000004b0 ]
	run -0 "$vigil" report -f png --picture flame -o none.png "$made/empty.vprf"
}

@test "SVG of each picture is well-formed, and no name in it does anything" {
	readers
	local all=() picture
	for picture in time run cpu waits flame wait-flame; do
		run -0 "$vigil" report -f svg --picture $picture --title '<script>alert(1)</script> &amp; "' -o $picture.svg "$made/hostile.vprf"
		all+=(svg $picture.svg --)
	done
	shows "${all[@]}"
	run -0 "$vigil" report -f svg --size 1200x700 --picture time "$made/payroll.vprf"
	[[ $output == *'width="1200pt" height="700pt"'* ]]
}

@test "names of any bytes are inert in a PDF" {
	readers
	title=$'(a) \\ %PDF <</S/JavaScript>>\n\e[31m\xff \u202egpj.exe'
	run -0 "$vigil" report -f pdf --title "$title" -o odd.pdf "$made/hostile.vprf"
	pdfinfo odd.pdf >info
	grep -q '^Title:  *PERFORMANCE PROFILE of (a) \\ %PDF <</S/JavaScript>>..\[31m. .gpj.exe$' info
	grep -q '^JavaScript:  *no' info
	pdftotext -layout odd.pdf - | grep -qF 'OF (a) \ %PDF <</S/JavaScript>>..[31m. .gpj.exe'
	run -0 pdftotext "$made/hostile.pdf" -
	[[ $output != *$'\u202e'* && $output != *$'\e'* ]]
	run -1 grep -aqE '/(JavaScript|JS|Launch|URI|OpenAction|AA|EmbeddedFile)\b' "$made/hostile.pdf"
}

@test "options that do not fit together are refused" {
	run -2 "$vigil" report --paper a4 "$made/payroll.vprf"
	[[ $output == *"--paper is for --format pdf"* ]]
	run -2 "$vigil" report -f pdf --paper a5 "$made/payroll.vprf"
	[[ $output == *"--paper takes a4 or letter, not 'a5'"* ]]
	run -2 "$vigil" report -f png "$made/payroll.vprf"
	[[ $output == *"--format png needs --picture: time, run, cpu, waits, flame or wait-flame"* ]]
	run -2 "$vigil" report -f svg --picture face "$made/payroll.vprf"
	[[ $output == *"unknown picture 'face'"* ]]
	for size in 399x800 1000 1000x 4001x800 1000x800x 1e3x800 -500x800; do
		run -2 "$vigil" report -f svg --picture time --size $size "$made/payroll.vprf"
		[[ $output == *"--size takes WIDTHxHEIGHT"* ]]
	done
	run -2 "$vigil" report --picture time "$made/payroll.vprf"
}

@test "FORMAT=PDF in control statements: alone, in a step; named reports; monitor records; vigil read" {
	readers
	cp "$made/payroll.vprf" .
	printf '%s\n' "REPORT INPUT='payroll.vprf',FORMAT=PDF,PAPER=LETTER,DSNAME='$PWD/page.pdf'" >report.ctl
	run -0 "$vigil" control report.ctl
	pdfinfo page.pdf | grep -q '(letter)'
	printf '%s\n' '//PAGES JOB' '//CALC EXEC PGM=BPXBATCH,' "//  PARM='SH i=0; while [ \$i -lt 20000 ]; do i=\$((i+1)); done'" \
		'//VIGIL DD *' '  ADD PAGES' '  REPORT PAGES,FORMAT=PDF' '  REPORT PAGES,FORMAT=TEXT,REPORTS=MSD' \
		'  REPORT PAGES,FORMAT=PDF,REPORTS=PSU' '/*' >pages.jcl
	run -0 "$vigil" submit --spool spool --root data pages.jcl
	pdftotext spool/JOB*PAGES/CALC.VIGPROF.pdf - | grep -q 'Measurement Session Data'
	pdftotext spool/JOB*PAGES/CALC.VIGPROF.2.pdf - >second
	grep -q 'Program Section Usage Summary' second
	run ! grep -q 'Measurement Session Data' second
	grep -q 'MEASUREMENT SESSION DATA' spool/JOB*PAGES/CALC.VIGPROF
	"$vigil" read -f pdf "$made/events.vprf" >events.pdf
	pdftotext events.pdf - | grep -q '^EPS'
	python3 "$VIGIL_SOURCE/tests/monitor/synthetic-monwrite.py" make a.monwrite >/dev/null
	run -0 "$vigil" report -f pdf -o monitor.pdf a.monwrite
	pdftotext monitor.pdf - | grep -q 'Monitor Records'
	run -8 "$vigil" report -f png --picture time -o monitor.png a.monwrite
	[[ $output == *VIG6743E* ]]
	[ ! -e monitor.png ]
}
