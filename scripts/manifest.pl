#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# From a recording (or CSV) of veristat with the columns verdict and cause, and what
# veristat said on stderr, the lines of a manifest: which programs did not load, and
# why. An object of which all programs fail for one reason is one line.
#
# usage: manifest.pl FILE.csv FILE.stderr [CAUSE...]
#   CAUSE   only these ("rejected", "kfunc missing", "not opened", ...)
use strict;
use warnings;

# Of a CSV after RFC 4180: lines may go on inside quotes.
sub read_csv {
	my ($path) = @_;
	open(my $in, '<', $path) or die "$path: $!\n";
	local $/;
	my $text = <$in>;
	my (@rows, @row);
	while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n|\z)/gc) {
		my $cell = defined $1 ? $1 =~ s/""/"/gr : $2;
		last if $3 eq '' && $cell eq '' && !@row;
		push @row, $cell;
		next if $3 eq ',';
		push @rows, [@row];
		@row = ();
	}
	return @rows;
}

die "usage: manifest.pl FILE.csv FILE.stderr [CAUSE...]\n" if @ARGV < 2;
my ($csv, $said, @causes) = @ARGV;
my ($names, @rows) = read_csv($csv);
my %at = map { $names->[$_] => $_ } 0 .. $#$names;
defined $at{$_} or die "$csv: there is no column $_\n" for qw(file_name prog_name cause);

my (%programs, %lines);
for my $row (@rows) {
	my $cause = $row->[$at{cause}] =~ s/^expected: //r;
	$programs{ $row->[$at{file_name}] }{$cause}{ $row->[$at{prog_name}] } = 1;
}
for my $object (keys %programs) {
	my $of = $programs{$object};
	for my $cause (grep { $_ ne 'loaded' } keys %$of) {
		my @names = keys %$of == 1 && keys %{ $of->{$cause} } > 1 ? ('*') : sort keys %{ $of->{$cause} };
		$lines{"$object/$_"} = $cause for @names;
	}
}
open(my $in, '<', $said) or die "$said: $!\n";
while (<$in>) {
	$lines{$1} = 'not opened' if m{^veristat: (?:.*/)?([^/:]+): not a BPF object};
}
my %wanted = map { $_ => 1 } @causes;
for my $line (sort keys %lines) {
	print "$line $lines{$line}\n" if !@causes || $wanted{ $lines{$line} };
}
