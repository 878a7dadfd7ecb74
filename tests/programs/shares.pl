# SPDX-License-Identifier: Apache-2.0
# shares.pl SECONDS: three subs that use the processor for 50, 30 and 20 % of its time, called by two others. The shares are made by
# the CPU clock, so they hold on a busy machine too. Prints how much each had, in percent of the three, and how many seconds there were
# from the first statement to the last.
use strict;
use warnings;
use Time::HiRes qw(clock);

my $began = clock();
my %spent;
my $sum = 0;

sub half {
	my ($until) = @_;
	my $start = clock();
	while (clock() < $until) {
		for my $number (1 .. 500) {
			$sum += $number * $number;    # half's line
		}
	}
	$spent{half} += clock() - $start;
	return;
}

sub third {
	my ($until) = @_;
	my $start = clock();
	while (clock() < $until) {
		for my $number (1 .. 500) {
			$sum += $number * $number;    # third's line
		}
	}
	$spent{third} += clock() - $start;
	return;
}

sub fifth {
	my ($until) = @_;
	my $start = clock();
	while (clock() < $until) {
		for my $number (1 .. 500) {
			$sum += $number * $number;    # fifth's line
		}
	}
	$spent{fifth} += clock() - $start;
	return;
}

sub small {
	my ($at) = @_;
	third($at + 0.08);
	fifth($at + 0.1);
	return;
}

my $at = clock();
my $end = $at + $ARGV[0];
while ($at < $end) {
	half($at + 0.05);
	small($at);
	$at += 0.1;
}
my $all = $spent{half} + $spent{third} + $spent{fifth};
printf "%s %.2f\n", $_, 100 * $spent{$_} / $all for sort keys %spent;
printf "inside %.3f\n", clock() - $began;
