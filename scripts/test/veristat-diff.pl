#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Two CSVs over the same objects, the kernel's veristat's and ours: every cell
# that differs has to have one of the known reasons, which docs/veristat.md
# explains. Prints TAP: a line per reason with the number of programs that it is
# met by, and one for what has none.
#
# usage: veristat-diff.pl THEIRS.csv OURS.csv
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
	my @names = @{ shift @rows or die "$path: it is empty\n" };
	my %programs;
	for my $cells (@rows) {
		my %cell;
		@cell{@names} = @$cells;
		$programs{"$cell{file_name}/$cell{prog_name}"} = \%cell;
	}
	return (\%programs, grep { !/^(file|prog)_name$/ } @names);
}

my ($theirs, @columns) = read_csv($ARGV[0]);
my ($ours) = read_csv($ARGV[1]);

# It numbers a failure of libbpf to prepare an object as one of each program.
my (%seen, %prepared);
for my $program (values %$theirs) {
	$prepared{ $program->{file_name} } ||= $program->{verdict} eq 'success' || $program->{total_insns} > 0;
}

sub reason {
	my ($column, $t, $o) = @_;
	my $cell = $o->{$column};
	my $missing = $cell =~ /^(?:failed|unsupported): /;

	return "not measured here, a failure there: $1"
		if $t->{verdict} eq 'failure' && $o->{verdict} =~ /^failed: ([a-zA-Z ]+):/;
	return 'missing here, 0 there' if $missing && $t->{$column} eq '0';
	return 'the size of a program that could not be prepared' if $missing && $column eq 'prog_size';
	return 'the whole object was given up there' unless $prepared{ $t->{file_name} };
	return 'no attach type is 0' if $column eq 'attach_type' && $cell eq '';
	return 'a guessed type is marked' if $column eq 'prog_type' && $cell eq "$t->{$column} (guessed)";
	return '';
}

my (%count, @unexplained);
for my $name (sort keys %$theirs) {
	my ($t, $o) = ($theirs->{$name}, $ours->{$name});
	unless ($o) {
		push @unexplained, "$name: missing here";
		next;
	}
	my (%reasons, $bad);
	for my $column (@columns) {
		next if $t->{$column} eq $o->{$column};
		my $reason = reason($column, $t, $o);
		$reason ? $reasons{$reason}++ : push @unexplained, "$name: $column: $t->{$column} there, $o->{$column} here";
		$bad = 1 unless $reason;
	}
	$count{$_}++ for keys %reasons;
	$count{'the same in every column'}++ unless %reasons || $bad;
}
push @unexplained, "$_: missing there" for grep { !$theirs->{$_} } sort keys %$ours;

my $n = 0;
print 'ok ', ++$n, " - $_: $count{$_} programs\n" for sort { $count{$b} <=> $count{$a} } keys %count;
print "# $_\n" for @unexplained;
print @unexplained ? 'not ok ' : 'ok ', ++$n, ' - no difference without a reason: ', scalar @unexplained, "\n";
print "1..$n\n";
exit(@unexplained ? 1 : 0);
