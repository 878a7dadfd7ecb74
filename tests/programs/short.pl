# SPDX-License-Identifier: Apache-2.0
# short.pl: subs of less than a microsecond, called one after the other for a minute at the most. Whoever reads the statement that is
# executed and the sub that executes it one after the other, reads them of two calls now and then.
use strict;
use warnings;

my $sum = 0;

sub inner {
	my ($n) = @_;
	$sum += $n;
	$sum -= $n;
	return;
}

sub other {
	my ($n) = @_;
	for my $i (1 .. 5) {
		$sum += $n * $i;
	}
	return;
}

sub outer {
	for my $i (1 .. 1000) {
		inner($i);
		other($i);
	}
	return;
}

alarm 60;
$| = 1;
print "begun\n";
outer() while 1;    # main's line
