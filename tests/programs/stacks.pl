# SPDX-License-Identifier: Apache-2.0
# stacks.pl FILE: changes its call stack all the time; stops itself wherever it comes to the bottom, after it has written the stack to
# FILE (here.pl).
use utf8;
use strict;
use warnings;

require './here.pl';

package My::Häus;
use overload '+' => sub { main::dive($_[1]); $_[0] };
sub new { bless {}, shift }
sub DESTROY { main::here() if rand() < .1 }

package main;

my $object = My::Häus->new;

sub größe {
	dive(shift);
	return 1;
}

sub dive {
	my $n = shift;
	return here() if $n <= 0;
	my $way = int rand 8;
	if ($way == 0) { return dive($n - 1) }
	if ($way == 1) { eval { dive($n - 1); 1 } or die $@ }
	if ($way == 2) { eval "\n\ndive($n - 1); 1" or die $@ }
	if ($way == 3) { my @x = map { dive($n - 1); $_ } 1 }
	if ($way == 4) { my @s = sort { dive($n - 2); $a <=> $b } 1, 2 }
	if ($way == 5) { my $s = 'ab'; $s =~ s/a/dive($n - 1); 'c'/e }
	if ($way == 6) { my $x = $object + ($n - 1); my $t = My::Häus->new }
	if ($way == 7) { größe($n - 1) }
	(sub { dive($n - 3) })->();
	return;
}

dive(rand 9) while 1;
