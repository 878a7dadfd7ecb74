# SPDX-License-Identifier: Apache-2.0
# here.pl: here() writes the stack of a statement of its own to the file that is the program's argument, and stops the program there.
use strict;
use warnings;

open my $out, '>:utf8', $ARGV[0] or die "$ARGV[0]: $!";
select((select($out), $| = 1)[0]);

# What caller() says: FILE:LINE:SUB for each sub, eval of a text and file, innermost first.
sub here {
	my ($file, $line) = (__FILE__, __LINE__ + 10);
	my ($i, @places) = (0);
	while (my (undef, $f, $l, $sub, undef, undef, $text, $required) = caller($i++)) {
		next if $sub eq '(eval)' && !defined $text && !$required;
		$sub = '(require)' if $required;
		push @places, "$file:$line:$sub";
		($file, $line) = ($f, $l);
	}
	push @places, "$file:$line:(main)";
	print $out join('|', @places), "\n";
	kill STOP => $$;
}

1;
