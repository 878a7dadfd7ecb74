#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test tags: exact, limit:120
# The manual pages list exactly what the tables in the program have.
cd "$VIGIL_SOURCE" || exit 1
vigil=$VIGIL_BUILD/vigil
number=0
found=$(mktemp)
trap 'rm -f "$found"' EXIT
# ok NAME: a test passes if $found is empty; otherwise its lines are shown.
ok() {
	number=$((number + 1))
	if [ -s "$found" ]; then
		echo "not ok $number - $1"
		sed 's/^/# /' "$found"
	else
		echo "ok $number - $1"
	fi
}
commands=$("$vigil" --completion-data | awk '$1 == "command" { print $2 }')
set -- $commands
echo "1..$(($# * 4 + 6))"
for command in $commands; do
	page=doc/vigil-$command.1
	# .Fl o , Fl -output Ar FILE: the words after each Fl of an item.
	sed -n 's/^\.It Fl/.It Fl/p' "$page" | grep -o 'Fl [^ ]*' | sed 's/Fl /-/' | sort -u >"$found.page"
	{
		"$vigil" --completion-data | awk -v c="$command" '$1 == "option" && $2 == c { print $3 }'
		echo -h
		echo --help
	} | sort -u >"$found.table"
	comm -3 "$found.page" "$found.table" >"$found"
	ok "vigil-$command(1) has the options of the table"
	# The arguments of options have the same words.
	"$vigil" --completion-data | awk -v c="$command" '$1 == "option" && $2 == c && $4 != "-" && $3 ~ /^--/ { print substr($3, 2) " Ar " $4 }' |
		while read -r line; do
			grep -qF -- "Fl $line" "$page" || echo "$page: no Fl $line"
		done >"$found"
	ok "vigil-$command(1) names the arguments as --help does"
	# A synopsis with "options" in it, or one "option ...", lists only the important ones.
	sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESC/p' "$page" >"$found.synopsis"
	grep -q '^\.Op Ar options' "$found.synopsis" ||
		"$vigil" --completion-data | awk -v c="$command" '$1 == "option" && $2 == c && $3 ~ /^--/ && $3 != "--help" { print substr($3, 2) }' |
		while read -r option; do
			grep -qE -- "(Fl|\|) $option( |\$)" "$found.synopsis" || echo "$page: no $option in the synopsis"
		done >"$found"
	ok "vigil-$command(1) has all options in its synopsis"
	for section in OVERHEAD CAVEATS "EXIT STATUS" EXAMPLES; do
		grep -q "^.Sh $section" "$page" || echo "$page: no section $section"
	done >"$found"
	ok "vigil-$command(1) has its sections"
done
rm -f "$found.page" "$found.table" "$found.synopsis"
for command in $commands; do
	grep -q "vigil-$command 1" doc/vigil.1 || echo "vigil.1 does not name $command"
done >"$found"
ok "vigil(1) names every command"
# Keywords are third in a row of rules, names second in a row of forms and first in one of later verbs.
{
	sed -nE 's/^\t\{ [A-Z_| ]+, "([A-Z-]+)", .*(OPERAND|NULL).*/\1/p' parser/control-operands.c
	sed -nE 's/^\t\{ CONTROL_[A-Z]+, "([A-Z]+)".*/\1/p' parser/control-operands.c
	sed -nE 's/^\t\{ "([A-Z]+)", ".*/\1/p' parser/control-operands.c
} | sort -u >"$found.words"
[ "$(wc -l <"$found.words")" -ge 70 ] || echo "the tables cannot be read any more" >"$found"
while read -r word; do
	grep -qE "(^|[^A-Z-])$word([^A-Z-]|\$)" doc/vigil-statements.5 || echo "$word"
done <"$found.words" >>"$found"
rm -f "$found.words"
ok "vigil-statements(5) has every word of the tables"
# Operands of JCL: those with a handler are honoured, those without are ignored. list KIND WORD: the words of a list
# of the page, between its comment and the next "end".
list() {
	sed -n "/^\.\\\\\" $1: $2\$/,/^\.\\\\\" end/p" doc/vigil-jcl.7 |
		sed -nE 's/^\.(It )?Cm //p' | tr -d , | tr ' ' '\n' | sed '/^$/d' | sort
}
# operands FILE HANDLER: the names of the table's rows that match.
operands() {
	grep -oE "\{ \"[A-Z0-9]+\", $2 \}" "parser/$1.c" | sed -E 's/^[^"]*"([A-Z0-9]+)".*/\1/'
}
{
	for table in job exec dd; do
		file=jcl-$table
		[ $table != exec ] || file=jcl-step # jcl-exec has the EXEC of a procedure
		honoured=$(operands $file '[a-z_]+')
		passed=$(operands $file NULL)
		[ $table != dd ] || { # the cards of data are read long before operands
			honoured=$(printf '%s\n' "$honoured" DLM)
			passed=$(echo "$passed" | grep -vx DLM)
		}
		[ "$(echo "$passed" | wc -l)" -ge 10 ] || echo "the table of jcl-$table cannot be read any more"
		echo "$honoured" | sort >"$found.table"
		list honoured $table | diff - "$found.table"
		echo "$passed" | sort >"$found.table"
		list 'passed over' $table | diff - "$found.table"
	done
	operands jcl-dd NULL | sort >"$found.table"
	operands jcl-attributes NULL | sort | comm -13 "$found.table" - >"$found.page"
	list 'passed over' dcb | diff - "$found.page"
} >"$found"
rm -f "$found.table" "$found.page"
ok "vigil-jcl(7) has the operands of the parser's tables, each where it belongs"
sed -n '/^} verbs/,/^};/p' parser/jcl-tree.c | grep -oE '"[A-Z]+"' | tr -d '"' | while read -r verb; do
	sed -n '/^\.\\" verbs/,/^\.\\" end/p' doc/vigil-jcl.7 | grep -qE "^\.It Ic.*\b$verb\b" || echo "$verb"
done >"$found"
ok "vigil-jcl(7) has every statement"
# A row of the table begins with the word, and perhaps the type that it defines.
sed -n 's/^.*{ "\([A-Z][A-Z ]*\)", .*$/\1/p' utilities/idcams/table.c | awk '{ print $1 }' | sort -u >"$found.table"
tr -cs 'A-Z' '\n' <doc/vigil-idcams.7 | sort -u | comm -23 "$found.table" - >"$found"
[ "$(wc -l <"$found.table")" -gt 150 ] || echo "the table cannot be read any more" >"$found"
rm -f "$found.table"
ok "vigil-idcams(7) has every command and keyword of the tables"
# Compares what vigil modules prints for each producer (module, item, unit, kind and meaning) with the page, split
# into the same fields.
"$vigil" modules | awk '$2 ~ /^producer/ { print $1 }' >"$found.page"
[ "$(wc -l <"$found.page")" -ge 29 ] || echo "the list of modules cannot be read any more" >"$found"
# shellcheck disable=SC2046
"$vigil" modules $(cat "$found.page") |
	awk '/^[A-Z.0-9-]+: / { m = $1; sub(":", "", m); on = 0; next } /^ITEM / { on = 1; next }
		on && NF { i = $1; u = $2; k = $3; $1 = $2 = $3 = ""; print m, i, u, k $0 }' | tr -s ' ' | sort >"$found.table"
awk '/^\.Ss / { m = $2 } /^\.It Sy .* Pq / { i = $3; u = $6; sub(",", "", u); k = $7; getline; print m, i, u, k, $0 }' \
	"$VIGIL_BUILD/doc/vigil-metrics.7" | tr -s ' ' | sort | diff - "$found.table" >>"$found"
[ "$(wc -l <"$found.table")" -gt 1000 ] || echo "there are not more than a thousand items" >>"$found"
rm -f "$found.table" "$found.page"
ok "vigil-metrics(7) has every item of every producer, as vigil modules has it"
