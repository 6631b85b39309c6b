#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Whether two kernels made the same code of the same programs.
#
# usage: same-code.pl [--list] [--no-jited] A.csv B.csv [A-again.csv B-again.csv]
#
# The files are recordings of veristat with verdict, cause and what is to be
# equal; every column is. A program that only one side has loaded, or only one
# side knows, differs. Of a program in the second pair only the samples there
# count.
#
# The JIT picks encodings by address, so sizes vary on one kernel. They are the
# same if some size was seen on both sides: load what differs again and often.
#
#   --list      only OBJECT/PROGRAM of what differs, as veristat -f @FILE takes it
#   --no-jited  leave the sizes of machine code out
#
# Exit status: 0 the same, 1 something differs, 2 usage, 3 no program to compare.
use strict;
use warnings;

$| = 1;
my %option;
while (@ARGV && $ARGV[0] =~ /^--(list|no-jited)$/) {
	$option{$1} = 1;
	shift;
}
if (@ARGV != 2 && @ARGV != 4 || grep { /^-/ } @ARGV) {
	print STDERR "same-code.pl: expected two recordings, or four (see its beginning)\n";
	exit 2;
}

sub fields {
	my ($line) = @_;
	my @fields;
	while ($line =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/g) {
		my $field = defined $1 ? $1 =~ s/""/"/gr : $2;
		push @fields, $field;
		last if $3 eq '';
	}
	return @fields;
}

# program -> column -> value -> how often
sub recording {
	my ($path) = @_;
	my %programs;
	open(my $file, '<', $path) or fail("$path: $!");
	my $head = <$file> // fail("$path: is empty");
	chomp $head;
	my ($object, $program, @columns) = fields($head);
	fail("$path, line 1: expected file_name,prog_name and a column")
		unless @columns && "$object,$program" eq 'file_name,prog_name';
	while (my $line = <$file>) {
		chomp $line;
		my @cells = fields($line);
		fail("$path, line $.: expected @{[@columns + 2]} cells, found @{[scalar @cells]}")
			unless @cells == @columns + 2;
		my $key = "$cells[0]/$cells[1]";
		$programs{$key}{$columns[$_]}{$cells[$_ + 2]}++ for 0 .. $#columns;
	}
	return \%programs;
}

sub fail {
	print STDERR "same-code.pl: @_\n";
	exit 3;
}

sub is_loaded { return exists $_[0]{verdict}{success} }

sub same {
	my ($column, $a, $b) = @_;
	return 1 if $column eq 'prog_size_jited' && ($option{'no-jited'} || grep { $b->{$_} } keys %$a);
	return keys %$a == 1 && keys %$b == 1 && exists $b->{(keys %$a)[0]};
}

# What of a program differs: column, A, B.
sub differences {
	my ($a, $b) = @_;
	return (['program', $a ? 'there' : 'missing', $b ? 'there' : 'missing']) unless $a && $b;
	my @found;
	for my $column (sort keys %$a) {
		my ($of_a, $of_b) = ($a->{$column}, $b->{$column} // {});
		next if same($column, $of_a, $of_b);
		push @found, [$column, join(' or ', sort keys %$of_a), join(' or ', sort keys %$of_b)];
	}
	return @found;
}

my ($base, $patched) = map { recording($_) } @ARGV[0, 1];
if (@ARGV == 4) {
	my @again = map { recording($_) } @ARGV[2, 3];
	for my $program (keys %{{%{$again[0]}, %{$again[1]}}}) {
		$base->{$program} = $again[0]{$program};
		$patched->{$program} = $again[1]{$program};
	}
}

my ($programs, %objects, @loaded, $both, $differ) = (0);
@loaded = (0, 0);
$both = $differ = 0;
for my $program (sort keys %{{%$base, %$patched}}) {
	my ($a, $b) = ($base->{$program}, $patched->{$program});
	my @found = differences($a, $b);
	$programs++;
	$objects{$program =~ s,/[^/]*$,,r} = 1;
	$loaded[0]++ if $a && is_loaded($a);
	$loaded[1]++ if $b && is_loaded($b);
	$both++ if $a && $b && is_loaded($a) && is_loaded($b);
	$differ++ if @found;
	if ($option{list}) {
		print $program =~ s,^.*/([^/]*/[^/]*)$,$1,r, "\n" if @found;
	} else {
		print "differs: $program: $_->[0]: A $_->[1], B $_->[2]\n" for @found;
	}
}
fail('no program is in either recording') unless $programs;
printf "%d objects, %d programs; loaded: %d on A, %d on B, %d on both; %d differ\n",
	scalar keys %objects, $programs, @loaded, $both, $differ
	unless $option{list};
fail('no program was loaded on both sides: nothing is proved') if !$both && !$differ && !$option{list};
exit($differ ? 1 : 0);
