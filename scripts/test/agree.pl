#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Where two runs of the same annotated objects disagree: what upstream's test_progs
# printed, and what ours wrote with -J. One line for each subtest whose outcomes
# differ and for each that only one side has, then a line with the counts.
#
# Subtests are told apart by their place in the test, since upstream prints the same
# name for two with the same description; names must be the same all the same. A
# test that is no annotated object (--not NAME, repeatable) is left out.
#
# usage: agree.pl [--not NAME]... UPSTREAM.out OURS.json
# Exit status: 0 no difference, 1 some, 2 a file is not understood.
use strict;
use warnings;
use JSON::PP;

my (%not, %theirs, %ours, %count, @differences);
while (@ARGV && $ARGV[0] eq '--not') {
	shift;
	$not{ shift @ARGV } = 1;
}
@ARGV == 2 or do { warn "usage: agree.pl [--not NAME]... UPSTREAM.out OURS.json\n"; exit 2 };

# Each subtest: [name, outcome, reason]. Failures are printed twice.
sub read_theirs {
	my ($path) = @_;
	my %word = (OK => 'pass', FAIL => 'fail', SKIP => 'skip');
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	while (<$in>) {
		my ($number, $test, $name, $result) =
			m{^#\d+/(\d+)\s+([^/\s]+)/(.*):(OK|FAIL|SKIP)\s*$} or next;
		$theirs{$test}[$number - 1] = [$name, $word{$result}, ''];
	}
	die "$path: no subtest in it\n" if !%theirs;
}

sub read_ours {
	my ($path) = @_;
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	my $json = JSON::PP->new->utf8(0)->decode(do { local $/; <$in> });
	for my $test (@{ $json->{results} }) {
		$ours{ $test->{name} } =
			[map { [$_->{name}, $_->{status}, $_->{reason} // ''] } @{ $test->{subtests} }];
	}
}

sub same_name { $_[1] eq $_[0] || index($_[1], "$_[0] (") == 0 || same_unpriv(@_) }
sub same_unpriv {
	my ($theirs, $ours) = @_;
	return $theirs =~ s/ \@unpriv$// && $ours =~ s/ \@unpriv$// && index($ours, "$theirs (") == 0;
}

sub compare_test {
	my ($test) = @_;
	my ($a, $b) = ($theirs{$test} // [], $ours{$test} // []);
	for my $i (0 .. ($#$a > $#$b ? $#$a : $#$b)) {
		my ($their, $our) = ($a->[$i], $b->[$i]);
		$count{"upstream $their->[1]"}++ if $their;
		$count{"ours $our->[1]"}++ if $our;
		if (!$their || !$our) {
			push @differences, "$test/" . ($their // $our)->[0] . ': only ' .
				($their ? "upstream has it ($their->[1])" : "ours ($our->[1])");
		} elsif (!same_name($their->[0], $our->[0])) {
			push @differences, "$test/$their->[0]: ours is called $our->[0]";
		} elsif ($their->[1] ne $our->[1]) {
			push @differences, "$test/$their->[0]: upstream $their->[1], ours $our->[1]" .
				($our->[2] eq '' ? '' : ": $our->[2]");
		}
	}
}

eval { read_theirs($ARGV[0]); read_ours($ARGV[1]); 1 } or do { warn $@; exit 2 };
my %all = (%theirs, %ours);
compare_test($_) for grep { !$not{$_} } sort keys %all;
print "$_\n" for @differences;
for my $side ('upstream', 'ours') {
	my @n = map { $count{"$side $_"} // 0 } qw(pass skip fail);
	printf "%s: %d subtests, %d passed, %d skipped, %d failed\n", $side,
		$n[0] + $n[1] + $n[2], @n;
}
printf "%d differences\n", scalar @differences;
exit(@differences ? 1 : 0);
