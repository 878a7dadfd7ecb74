# SPDX-License-Identifier: Apache-2.0
# vigil-config: flags that are right, skeletons that compile, names that are checked.

load trace

setup() {
	config=$VIGIL_BUILD/vigil-config
	vigil=$VIGIL_BUILD/vigil
	[ -x "$config" ] || skip "vigil-config is not made"
	cd "$BATS_TEST_TMPDIR" || return 1
	unset CC CFLAGS CXX CXXFLAGS LDFLAGS
}

# strict COMPILER SOURCE: compiles the source to an object without a warning.
strict() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
	# shellcheck disable=SC2046
	"$1" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -O2 $("$config" --collector-flags) -o object.so "$2"
	nm -D object.so | grep -q ' vigil_collector$'
}

@test "the flags of libvigil compile, link and run a program, uninstalled too" {
	command -v cc >/dev/null || skip "cc is not installed"
	cat >program.c <<-'END'
		#include <vigil/vigil.h>
		int main(void) { return vigil_transaction("ORDER"); }
	END
	# shellcheck disable=SC2046
	cc $("$config" --cflags) -o program program.c $("$config" --libs)
	folder=$("$config" --libs)
	folder=${folder#-L}
	LD_LIBRARY_PATH=${folder%% *} ./program
}

@test "installed, it answers with the folders of configure" {
	cp "$config" . # without the build's files beside it
	prefix=$(./vigil-config --prefix)
	[ "$prefix" = "$(sed -n 's/^prefix = //p' "$VIGIL_BUILD/Makefile")" ]
	[ "$(./vigil-config --cflags)" = "-I$prefix/include" ]
	case $(./vigil-config --collectors) in "$prefix"/lib*/vigil/features) ;; *) false ;; esac
	[ "$(./vigil-config --version)" = "$("$vigil" --version | grep -oE '[0-9]+\.[0-9.]+' | head -1)" ]
}

@test "a new collector compiles without a warning with gcc" {
	"$config" --new PAYC --program PAYCALC
	strict gcc STRBPAYC.c
}

@test "a new collector compiles without a warning with clang" {
	"$config" --new PAYC --program '*****'
	strict clang STRBPAYC.c
}

@test "a new collector compiles without a warning as C++" {
	"$config" --new PAYC --program OTHER
	mv STRBPAYC.c STRBPAYC.cc
	strict g++ STRBPAYC.cc
}

@test "a new collector compiles without a warning as C++ with clang" {
	"$config" --new PAYC
	mv STRBPAYC.c STRBPAYC.cc
	strict clang++ STRBPAYC.cc
}

@test "the Makefile of a new collector builds every collector of the folder" {
	command -v make >/dev/null || skip "make is not installed"
	"$config" --new ONE_
	"$config" --new strbtwo
	make -s
	[ -x STRBONE_.so ]
	[ -x STRBTWO.so ]
	make -s clean
	[ ! -e STRBONE_.so ]
}

@test "a collector made by --new and --build is one that vigil finds" {
	"$config" --new PAYC --program PAYCALC
	"$config" --build STRBPAYC.c
	run "$vigil" collectors --library .
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *STRBPAYC*G-00* ]]
}

@test "--build names the object as its VIGIL_COLLECTOR does, whatever the source is called" {
	"$config" --new DC1
	mv STRBDC1.c other.c
	run "$config" --build other.c
	[ "$status" -eq 0 ]
	[ "$output" = STRBDC1.so ]
	[ -x STRBDC1.so ]
}

@test "--build says why nothing was made, and leaves nothing behind" {
	echo 'int nothing;' >empty.c
	run "$config" --build empty.c
	[ "$status" -eq 1 ]
	[[ $output == *"no collector in it"* ]]
	echo 'int wrong(' >wrong.c
	run "$config" --build wrong.c
	[ "$status" -eq 1 ]
	[[ $output == *"wrong.c: the compiler ended with status"* ]]
	"$config" --new ABC
	sed 's/"STRBABC"/"ABC"/' STRBABC.c >bad.c
	run "$config" --build bad.c
	[ "$status" -eq 1 ]
	[[ $output == *'the name "ABC"'* ]]
	run "$config" --build missing.c
	[ "$status" -eq 1 ]
	run "$config" --build Makefile
	[ "$status" -eq 2 ]
	! ls STRB*.so STRB.?????? 2>/dev/null
}

@test "names that cannot be are refused with status 2, and nothing is written" {
	for name in TOOLONG A-B 'A B' '$(x)' ../X STRB STRBTOOLONG 'a
b'; do
		run "$config" --new "$name"
		echo "$name: $output"
		[ "$status" -eq 2 ]
		[[ $output == *"cannot be the name of a collector: it is one to four letters"* ]]
	done
	for program in 'A"B' 'A\B' /bin/sh 'A B'; do
		run "$config" --new ABCD --program "$program"
		[ "$status" -eq 2 ]
		[[ $output == *"cannot be the name of a program"* ]]
	done
	[ -z "$(ls -A)" ]
}

@test "what is there is never overwritten" {
	echo mine >STRBPAYC.c
	run "$config" --new PAYC
	[ "$status" -eq 1 ]
	[[ $output == *"STRBPAYC.c is here already"* ]]
	[ "$(cat STRBPAYC.c)" = mine ]
	rm STRBPAYC.c
	echo mine >Makefile
	run "$config" --new PAYC
	[ "$status" -eq 1 ]
	[[ $output == *"Makefile is here already"* ]]
	[ "$(cat Makefile)" = mine ]
	[ ! -e STRBPAYC.c ]
}

@test "a command line that is wrong ends with status 2" {
	for line in "" --wrong --new --build "--program X" "--new ''"; do
		eval "run \"\$config\" $line"
		echo "$line: $output"
		[ "$status" -eq 2 ]
	done
}

@test "vigil-collector(3) has every name of the header, and its example compiles" {
	header=$VIGIL_SOURCE/include/vigil/collector.h page=$VIGIL_SOURCE/doc/vigil-collector.3
	grep -oE '\bvigil_[a-z_]+\(const struct vigil_comm|\bVIGIL_[A-Z_]+' "$header" | sed 's/(.*//' | sort -u |
		grep -vE 'VIGIL_COLLECTOR_H$|VIGIL_COLLECTOR_$' >names
	# The members of the structures that a collector fills in or reads.
	sed -nE '/^struct vigil_(communication|task|collector|place|pseudo_section|mapping|symbol) \{/,/^\};/p' "$header" |
		sed -E 's,/\*.*,,' | grep -oE '[a-z_]+(\[[A-Za-z0-9_]+\])?(, [a-z_]+)*;' | tr -d ';' | tr ',' '\n' |
		sed -E 's/\[.*//; s/ //g' >>names
	[ "$(wc -l <names)" -gt 60 ]
	missing=
	while read -r name; do
		grep -qE "(^|[^A-Za-z_])$name([^A-Za-z_]|\$)" "$page" || missing="$missing $name"
	done <names
	echo "not in the page:$missing"
	[ -z "$missing" ]
	sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$page" | sed -n '/^\.Bd/,/^\.Ed/p' | grep -v '^\.[BE]d' >STRBORDE.c
	strict gcc STRBORDE.c
}
