# SPDX-License-Identifier: Apache-2.0
# forms.pl FILE: comes to code in all the ways that stacks.pl does not: try, catch, defer, lexical subs, ties, AUTOLOAD, callbacks from C,
# code of patterns, goto, handlers, classes. Stops itself wherever it comes to the bottom, after it has written the stack to FILE.
# The block of defer calls nothing else: a die in one, though eval catches it, ends perl 5.36 and 5.40.
use utf8;
use v5.36;
use feature qw(try defer);
no warnings;
use List::Util qw(first reduce);

require './here.pl';

package Tied {
	sub TIESCALAR { return bless {}, shift }
	sub FETCH { main::dive(rand 3); return 1 }
	sub STORE { main::dive(rand 3) }
}

package Any {
	sub AUTOLOAD { main::dive($_[0]) }
}

package main;

tie my $tied, 'Tied';

# Perl has them since 5.38.
my $object = $] < 5.038 ? sub ($n) { dive($n) } : eval <<'END' // die $@;
	use feature 'class';
	class Base {
		field $base = main::here();
		ADJUST { main::here() }
		method come($n) { main::dive($n); $base }
	}
	class My::Größe :isa(Base) {
		field $n :param;
		field $own = do {
			main::dive($n - 1);
		};
		ADJUST { main::dive($n - 1) }
		method go {
			main::dive($n - 1);
			$self->come($n - 2);
			(method { main::dive($n - 2) })->($self);
		}
	}
	sub ($n) { My::Größe->new(n => $n)->go }
END

sub dive ($n) {
	return main::here() if $n <= 0;
	state sub inner ($n) { dive($n - 1) }
	my $way = int rand 14;
	if ($way == 0) { try { dive($n - 1) } catch ($e) { die $e } }
	if ($way == 1) { try { die } catch ($e) { dive($n - 1) } }
	if ($way == 2) { try { return dive($n - 1) } catch ($e) { die $e } }
	if ($way == 3) { defer { main::here() } dive($n - 2) }
	if ($way == 4) { inner($n) }
	if ($way == 5) { my $x = "$tied"; $tied = 3 }
	if ($way == 6) { Any::thing($n - 1) }
	if ($way == 7) { first { dive($n - 1); 1 } 1, 2 }
	if ($way == 8) { reduce { dive($n - 2); $a + $b } 1, 2, 3 }
	if ($way == 9) { 'abc' =~ /b(?{ dive($n - 1) })/ }
	if ($way == 10) { @_ = ($n - 1); goto &dive }
	if ($way == 11) { local $SIG{__WARN__} = sub { dive($n - 1) }; warn }
	if ($way == 12) { local $SIG{__DIE__} = sub { dive($n - 1) }; eval { die } }
	if ($way == 13) { $object->($n - 1) }
	return;
}

dive(rand 6) while 1;
