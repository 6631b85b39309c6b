#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The outcomes that scripts/mutants.sh left, as a table: which tests came out
# otherwise on a kernel with a fault than on the one without it.
#
# usage: mutants-table.pl DIR BASE:FAULT...    folders of DIR
#
# Exit status: 0 each fault was caught, 1 one was not, 2 something is missing.
use strict;
use warnings;
use File::Basename;

my $names_shown = 4;
my %by_model = map { ($_ => 1) } qw(patch_list_random patch_model);
my ($dir, @pairs) = @ARGV;
my $reader = dirname($0) . '/test/outcomes.pl';

sub slurp {
	my ($path) = @_;
	open(my $in, '<', $path) or missing("$path: $!");
	local $/;
	return scalar(<$in>) // '';
}

sub missing {
	print STDERR "mutants-table.pl: $_[0]\n";
	exit 2;
}

# TEST => { subs => [SUBTEST...], outcome => {SUBTEST => pass|skip|fail}, own =>
# the test's own, why => reason of the test's own }
sub outcomes {
	my ($kernel) = @_;
	my %tests;
	for my $csv (glob "$dir/$kernel/*.csv") {
		open(my $in, '-|', $reader, 'csv', $csv) or missing("$csv: $!");
		while (my $line = <$in>) {
			chomp $line;
			my ($test, $sub, $outcome, $why) = split /\t/, $line, 4;
			if ($sub eq '') {
				@{ $tests{$test} }{qw(own why)} = ($outcome, $why);
			} else {
				push @{ $tests{$test}{subs} }, $sub;
				$tests{$test}{outcome}{$sub} = $outcome;
				# How the process of the test ended, if it did so by itself.
				$tests{$test}{died} = $why if $why =~ /^(killed|exited)/;
			}
		}
		close($in) or missing("$csv cannot be read");
	}
	for my $lost (glob "$dir/$kernel/*.lost") {
		my $why = slurp($lost);
		chomp $why;
		$tests{ basename($lost, '.lost') } =
			{ own => 'fail', why => $why, died => $why, subs => [], outcome => {} };
	}
	missing("$dir/$kernel has no outcomes") if !%tests;
	return \%tests;
}

# What of a test came out otherwise: { differ => [SUBTEST...], gone => how many
# were not reached, died => why, all => how many there are }, or undef.
sub difference {
	my ($base, $fault) = @_;
	my @subs = @{ $base->{subs} // [] };
	my @gone = grep { !defined $fault->{outcome}{$_} } @subs;
	my @differ = grep { defined $fault->{outcome}{$_} &&
		$fault->{outcome}{$_} ne $base->{outcome}{$_} } @subs;
	return undef if !@differ && !@gone && $base->{own} eq $fault->{own};
	return { differ => \@differ, gone => scalar @gone, all => scalar @subs,
		died => $fault->{died}, own => $fault->{why} };
}

sub info {
	my ($kernel) = @_;
	return { map { /^(\w+)=(.*)/ ? ($1 => $2) : () } split /\n/, slurp("$dir/$kernel/info") };
}

sub series {
	my $info = info($_[0]);
	return '`' . ($info->{series} // $_[0]) . '`' .
		(length($info->{fault} // '') ? " with `bpf_fault=$info->{fault}`" : '');
}

sub plural { return $_[0] == 1 ? "$_[0] $_[1]" : "$_[0] $_[1]s" }

# Of some of the tests: "12 subtests of 3 tests", or nothing.
sub cell {
	my ($diffs, @tests) = @_;
	my @caught = grep { $diffs->{$_} } @tests;
	return 'not run' if !@tests;
	return 'no' if !@caught;
	my $subs = 0;
	$subs += @{ $diffs->{$_}{differ} } for @caught;
	my $died = grep { $diffs->{$_}{died} } @caught;
	my $cell = ($subs ? plural($subs, 'subtest') . ' of ' : '') . plural(scalar @caught, 'test');
	return $cell . ($died ? ", $died ended early" : '');
}

sub print_details {
	my ($fault, $diffs) = @_;
	print "\n`$fault`:\n\n";
	print "- nothing\n" if !%$diffs;
	for my $test (sort keys %$diffs) {
		my $diff = $diffs->{$test};
		my @names = @{ $diff->{differ} };
		my $line = "- `$test`";
		$line .= ', ' . @names . " of $diff->{all}" if @names;
		my @shown = splice @names, 0, $names_shown;
		$line .= ': ' . join('; ', @shown) if @shown;
		$line .= "; and " . @names . " more" if @names;
		my $why = $diff->{died} // (@shown ? '' : $diff->{own});
		$line .= " ($why" . ($diff->{gone} ? ", $diff->{gone} not reached" : '') . ')'
			if length $why;
		print "$line\n";
	}
}

sub print_section {
	my ($base, @faults) = @_;
	my $info = info($base);
	my $want = outcomes($base);
	my @tests = sort keys %$want;
	my @hand = grep { !$by_model{$_} } @tests;
	my @model = grep { $by_model{$_} } @tests;
	my %count = (pass => 0, skip => 0, fail => 0);
	$count{$_}++ for map { values %{ $want->{$_}{outcome} } } @tests;
	my (%diffs, %caught);

	print "\n## Linux $info->{version}", $info->{after} ? " with $info->{after}" : '', "\n\n";
	print "Without a fault: ", plural(scalar @tests, 'test'),
		", of whose subtests $count{pass} pass, $count{fail} fail and $count{skip} are skipped.\n\n";
	print "| fault | series | tests by hand | model and generator |\n|---|---|---|---|\n";
	for my $fault (@faults) {
		my $have = outcomes($fault);
		my %d = map { ($_ => difference($want->{$_}, $have->{$_} // { outcome => {}, own => '' })) } @tests;
		delete @d{ grep { !$d{$_} } keys %d };
		$diffs{$fault} = \%d;
		$caught{hand}++ if grep { $d{$_} } @hand;
		$caught{model}++ if grep { $d{$_} } @model;
		print '| ', join(' | ', info($fault)->{summary}, series($fault), cell(\%d, @hand),
			cell(\%d, @model)), " |\n";
	}
	printf "\nCaught by hand: %d of %d. Caught by model and generator: %s.\n", $caught{hand} // 0,
		scalar @faults, @model ? ($caught{model} // 0) . ' of ' . @faults : 'not run';
	print_details($_, $diffs{$_}) for @faults;
	return grep { !%{ $diffs{$_} } } @faults;
}

my (%faults, @order);
for my $pair (@pairs) {
	my ($base, $fault) = split /:/, $pair;
	push @order, $base if !$faults{$base};
	push @{ $faults{$base} }, $fault;
}
missing('usage: mutants-table.pl DIR BASE:FAULT...') if !@order;
print <<'END';
# Faults in a kernel's patching code, and the tests that see them

This page is written by `scripts/mutants.sh`. Each fault is one deliberate change
(`scripts/test/series/`) in what moves jumps and records when the verifier
replaces instructions. The tests run on the kernel with it and on the one
without: a fault is caught by a test whose outcome differs. The model
(`patch_model`) and the generator that builds on it (`patch_list_random`)
predict instructions, the places of functions and lines, and what a program
returns. They know nothing of jump tables, of the records of tail calls and of
claims on upper halves of registers, and do not see faults in those.
END
my @missed = map { print_section($_, @{ $faults{$_} }) } @order;
exit(@missed ? 1 : 0);
