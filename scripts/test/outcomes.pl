#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The outcomes in a JSON summary or a recording of test_progs, one a line:
# "TEST<tab>SUBTEST<tab>pass|skip|fail<tab>REASON", the test behind its
# subtests with SUBTEST empty. Names are as in KTAP: '_' for '#'.
#
# A reader of its own for CSV, so that the writer is not checked by itself.
#
# usage: outcomes.pl json|csv|counts FILE      counts: of JSON, as a summary line
use strict;
use warnings;
use JSON::PP;

my ($format, $path) = @ARGV;
open(my $in, '<:raw', $path) or die "$path: $!\n";
my $text = do { local $/; <$in> };

sub show {
	my ($test, $subtest, $outcome, $reason) = @_;
	tr/#/_/ for $test, $subtest;
	print join("\t", $test, $subtest, $outcome, $reason), "\n";
}

sub show_json {
	for my $test (@{ $_[0]{results} }) {
		for my $part (@{ $test->{subtests} }, $test) {
			die "$part->{name}: failed, but $part->{status}\n"
				if !!$part->{failed} != ($part->{status} eq 'fail');
		}
		show($test->{name}, $_->{name}, $_->{status}, $_->{reason})
			for @{ $test->{subtests} };
		show($test->{name}, '', $test->{status}, $test->{reason});
	}
}

sub show_counts {
	my ($json) = @_;
	my @subtests = map { @{ $_->{subtests} } } @{ $json->{results} };
	my $failed = grep { $_->{failed} } @subtests;
	die "failed_subtest is $json->{failed_subtest}, listed are $failed\n"
		if $json->{failed_subtest} != $failed;
	print "Summary: $json->{success}/$json->{success_subtest} PASSED, ",
		"$json->{skipped} SKIPPED, $json->{failed} FAILED\n";
}

# Rows of RFC 4180; quoted cells may span lines.
sub csv_rows {
	my ($text) = @_;
	my (@rows, @row);
	while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/gc) {
		push @row, defined $1 ? $1 =~ s/""/"/gr : $2;
		next if $3 eq ',';
		push @rows, [@row];
		@row = ();
	}
	die "no CSV from byte " . (pos($text) // 0) . "\n" if (pos($text) // 0) != length $text;
	return @rows;
}

sub show_csv {
	my ($head, @rows) = csv_rows($_[0]);
	my (%tests, @order);
	for my $cells (@rows) {
		my %row;
		@row{@$head} = @$cells;
		push @order, $row{test_name} if !$tests{ $row{test_name} };
		push @{ $tests{ $row{test_name} } }, \%row;
	}
	for my $name (@order) {
		my (%seen, $reason);
		for my $row (@{ $tests{$name} }) {
			$seen{ $row->{outcome} } = 1;
			if ($row->{subtest_name} eq '') {
				$reason = $row->{message};
			} else {
				show($name, @$row{qw(subtest_name outcome message)});
			}
		}
		show($name, '', (grep { $seen{$_} } qw(fail pass skip))[0], $reason // '');
	}
}

if ($format eq 'csv') {
	show_csv($text);
} else {
	my $json = JSON::PP->new->utf8(0)->decode($text);
	$format eq 'counts' ? show_counts($json) : show_json($json);
}
