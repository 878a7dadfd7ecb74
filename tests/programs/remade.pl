# SPDX-License-Identifier: Apache-2.0
# remade.pl FILE: makes packages with subs and deletes them, and executes files of one shape: they find room where the last ones lay.
# Stops itself in each, after it has written the stack to FILE.
use strict;
use warnings;
use Symbol 'delete_package';
require './here.pl';

my @names = qw(walk turn jump);
for my $name (@names) {
	open my $file, '>', "$name.pl" or die "$name.pl: $!";
	print $file "package Part;\nmain::here();\n1;\n";
}
alarm 300;
while (1) {
	my ($package, $name) = ('P' . int(rand 3), $names[rand 3]);
	eval "package $package; sub $name { main::here(); return } $name(); 1" or die $@;
	delete_package($package);
	do "./$names[rand 3].pl" or die $@ for 0 .. rand 3;
}
