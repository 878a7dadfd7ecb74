# SPDX-License-Identifier: Apache-2.0
# ways.pl WAY SECONDS: uses the processor, or waits, in one way. Prints how many seconds of CPU time burn had, of each process.
use strict;
use warnings;
use Config;
use Time::HiRes qw(clock clock_gettime sleep CLOCK_THREAD_CPUTIME_ID);

$| = 1;
my ($way, $seconds) = @ARGV;
my $sum = 0;

sub burn {
	my $start = clock();
	while (clock() < $start + $_[0]) {
		$sum += $_ for 1 .. 500;    # burn's line
	}
	printf "burn %.3f\n", clock() - $start;
	return;
}

sub one {
	my $end = clock_gettime(CLOCK_THREAD_CPUTIME_ID) + $_[0];
	my $own = 0;
	while (clock_gettime(CLOCK_THREAD_CPUTIME_ID) < $end) {
		$own += $_ for 1 .. 500;
	}
	return;
}

sub other {
	my $end = clock_gettime(CLOCK_THREAD_CPUTIME_ID) + 3 * $_[0];
	my $own = 0;
	while (clock_gettime(CLOCK_THREAD_CPUTIME_ID) < $end) {
		$own += $_ for 1 .. 500;
	}
	return;
}

sub packs {
	require Compress::Zlib;
	my $data = join '', map { chr int rand 256 } 1 .. 1 << 18;
	my $end = clock() + $seconds;
	while (clock() < $end) {
		Compress::Zlib::compress($data, 9);    # packs's line
	}
	return;
}

sub deep {
	my ($left) = @_;
	return $left ? deep($left - 1) : burn($seconds);
}

sub key {
	my ($number) = @_;
	$number += $_ & 3 for 1 .. 40;
	return $number;
}

sub blocks {
	my @sorted = sort {
		key($a) <=> key($b)    # blocks's line
	} @_;
	return;
}

sub firsts {
	my $found = List::Util::first(sub { key($_) < 0 }, @_);    # firsts's line
	return;
}

sub backs {
	require List::Util;
	my @values = map { $_ * 7919 % 2003 } 1 .. 2000;
	my $end = clock() + $seconds;
	while (clock() < $end) {
		blocks(@values);
		firsts(@values) for 1 .. 20;
	}
	return;
}

package Some::Package;

sub method {
	main::burn($_[1]);
	return;
}

package main;

my %ways = (
	burn     => sub { burn($seconds) },
	packs    => \&packs,
	threads  => sub {
		require threads;
		my @threads = map { threads->create($_, $seconds / 4) } \&one, \&other;
		$_->join for @threads;
	},
	backs    => \&backs,
	deep     => sub { deep(200) },
	package  => sub { Some::Package->method($seconds) },
	text     => sub { eval "\n\n\$sum += 1;\nburn($seconds); 1" or die $@ },
	forks    => sub { my $child = fork; burn($seconds), exit 0 if !$child; waitpid $child, 0 },
	sleeps   => \&sleeps,
	reads    => \&reads,
);

sub sleeps {
	for (1 .. 10) {
		sleep($seconds / 10);    # sleeps's line
	}
	return;
}

sub feeds {
	my ($front) = @_;
	for (1 .. 10) {
		sleep($seconds / 10);
		syswrite $front, 'x';
	}
	exit 0;
}

sub reads {
	pipe my $back, my $front or die $!;
	my $child = fork;
	feeds($front) if !$child;
	for (1 .. 10) {
		sysread $back, my $byte, 1;    # reads's line
	}
	return;
}

$ways{$way}->();
