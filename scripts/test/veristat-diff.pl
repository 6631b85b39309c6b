#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Two CSVs over the same objects, the kernel's veristat's and ours: every cell
# that differs has to have one of the known reasons, which docs/veristat.md
# explains. Prints a line per reason with the number of programs that it is met by,
# and one for each cell that has none; those make it fail.
#
# usage: veristat-diff.pl THEIRS.csv THEIRS.stderr OURS.csv [SIZES.csv]
#   SIZES.csv   prog_size_jited of some programs, by ours, with all their per-CPU
#               addresses near, and all far
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
	my (%programs, %sizes);
	for my $cells (@rows) {
		my %cell;
		@cell{@names} = @$cells;
		my $name = "$cell{file_name}/$cell{prog_name}";
		$programs{$name} = \%cell;
		$sizes{$name}{ $cell{prog_size_jited} } = 1;
	}
	return (\%programs, \%sizes, grep { !/^(file|prog)_name$/ } @names);
}

my ($theirs, undef, @columns) = read_csv($ARGV[0]);
my ($ours) = read_csv($ARGV[2]);
my (undef, $sizes) = @ARGV > 3 ? read_csv($ARGV[3]) : (undef, {});

# Objects that libbpf could not prepare. It has a row of each of their programs all
# the same, of a load without relocations: a failure, or chance.
my %given_up;
open(my $said, '<', $ARGV[1]) or die "$ARGV[1]: $!\n";
while (<$said>) {
	$given_up{$1} = 1 if /^Failed to process '(.*)': -\d+$/;
}

# Its log has 64 KiB, and the kernel answers a log that is longer with an error.
sub log_did_not_fit {
	my ($t, $o) = @_;
	return 0 if $t->{verdict} ne 'failure' || $o->{verdict} ne 'success' || !$t->{total_insns};
	$t->{$_} eq $o->{$_} || return 0 for qw(total_insns total_states peak_states max_states_per_insn prog_size);
	return 1;
}

# Three bytes for each address that is far.
sub between {
	my ($size, @ends) = @_;
	my ($least, $most) = (sort { $a <=> $b } grep { /^\d+$/ } @ends)[0, -1];
	return defined $least && $size >= $least && $size <= $most && ($size - $least) % 3 == 0;
}

sub reason {
	my ($name, $column, $t, $o) = @_;
	my $cell = $o->{$column};
	my $missing = $cell =~ /^(?:failed|unsupported): /;

	return "not measured here, a failure there: $1"
		if $t->{verdict} eq 'failure' && $o->{verdict} =~ /^failed: ([a-zA-Z ]+):/;
	return 'missing here, 0 there' if $missing && $t->{$column} eq '0';
	return 'the size of a program that could not be prepared' if $missing && $column eq 'prog_size';
	return 'the whole object was given up there' if $given_up{ $t->{file_name} };
	return 'the log did not fit there' if $column =~ /^(verdict|prog_size_jited)$/ && log_did_not_fit($t, $o);
	return 'a per-CPU address was near on one side'
		if $column eq 'prog_size_jited' && between($t->{$column}, keys %{ $sizes->{$name} });
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
		my $reason = reason($name, $column, $t, $o);
		$reason ? $reasons{$reason}++ : push @unexplained, "$name: $column: $t->{$column} there, $o->{$column} here";
		$bad = 1 unless $reason;
	}
	$count{$_}++ for keys %reasons;
	$count{'the same in every column'}++ unless %reasons || $bad;
}
push @unexplained, "$_: missing there" for grep { !$theirs->{$_} } sort keys %$ours;

print "# $_: $count{$_} programs\n" for sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
print "# no reason: $_\n" for @unexplained;
printf "# %d programs, %d differences without a reason\n", scalar keys %$theirs, scalar @unexplained;
exit(@unexplained ? 1 : 0);
