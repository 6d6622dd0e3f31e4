#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Compares the functions that abtf has with an image's symbols, and with ftrace's table.
#
#	check-functions.pl IMAGE LIST
#
# LIST	NAME OFFSET FLAGS of each function of "abtf list -aj IMAGE", separated by tabs
#
# Puts each symbol of code, as nm and readelf show it, into one class, and prints the number of
# symbols in each.  Prints a line "error: ..." for each symbol that is in no class or in several,
# each class without symbols, each function that only one of them has, each name that is printed
# twice, and each function that ftrace can patch and that abtf does not print or calls notrace.
use strict;
use warnings;

my ($image, $list) = @ARGV;
my $errors = 0;

sub error
{
	print "error: @_\n";
	$errors++;
}

sub lines
{
	open(my $pipe, '-|', @_) or die "$_[0]: $!";
	my @lines = <$pipe>;
	close($pipe) or die "$_[0] failed";
	chomp @lines;
	return @lines;
}

no warnings 'portable';		# numbers of 64 bits

# --- sections ---------------------------------------------------------------------------------

my (%executable, %writable, @sections);
for (lines('readelf', '-SW', $image)) {
	next unless /^ *\[ *\d+\] (\S+) +([A-Z]\S*) +(\S+) (\S+) (\S+) \S+ +([A-Zxop]*) /;
	$executable{$1} = 1 if index($6, 'X') >= 0;
	$writable{$1} = 1 if index($6, 'W') >= 0;
	push @sections, { address => hex $3, offset => hex $4, size => hex $5 }
		if index($6, 'A') >= 0 && $2 ne 'NOBITS';
}
my $wx = grep { $writable{$_} } keys %executable;

# --- symbols ----------------------------------------------------------------------------------

# Classes of symbols: by type, size (0 or not), and prefixes of names.
my $prefixes = qr/^(__pfx_|__cfi_|__SCT__)/;
my (%names_at, %address_of, @code, %count);
my %classes = (
	# the first name at a place, and others
	function => sub { $_[0]{code} && !$_[0]{padding} && !$names_at{$_[0]{address}} },
	alias => sub {
		my $names = $names_at{$_[0]{address}};
		$_[0]{code} && !$_[0]{padding} && $names && !$names->{$_[0]{name}};
	},
	padding => sub { $_[0]{code} && $_[0]{padding} },
	label => sub { $_[0]{in_code} && $_[0]{type} eq 'NOTYPE' && !$_[0]{size} },
	# in a section that is writable and has code that the kernel copies
	object => sub { $_[0]{in_code} && $writable{$_[0]{section}} && $_[0]{type} eq 'OBJECT' },
);
delete $classes{object} unless $wx;

my $nr_symbols = 0;
for (lines('nm', '-f', 'sysv', $image)) {
	my ($name, $value, $class, $type, $size, undef, $section) = split /\s*\|\s*/;
	next unless defined $section;
	$address_of{$name} = hex $value unless $value eq '';
	next unless $class =~ /^[tTwW]$/ || $type eq 'FUNC';
	$nr_symbols++;
	my %sym = (name => $name, address => hex($value || 0), type => $type,
		   size => hex($size || 0), section => $section,
		   in_code => $executable{$section});
	$sym{code} = $sym{in_code} && ($type eq 'FUNC' || ($type eq 'NOTYPE' && $sym{size}));
	$sym{padding} = $name =~ $prefixes;
	my @in = grep { $classes{$_}(\%sym) } sort keys %classes;
	$count{$_}++ for @in;
	error("$name at $value, '$class' of type $type in $section, is in " .
	      (@in ? "@in" : 'no class')) if @in != 1;
	next if !$sym{code} || $sym{padding};
	$names_at{$sym{address}}{$name} = 1;
	push @code, \%sym;
}
my $sum = 0;
for (sort keys %classes) {
	error("no symbol is in the class '$_'") unless $count{$_};
	$sum += $count{$_} // 0;
}
error("$nr_symbols symbols, but $sum in classes") if $sum != $nr_symbols;

# --- abtf's functions ---------------------------------------------------------------------------

my (%printed, %found);
my $nr_functions = 0;
open(my $in, '<', $list) or die "$list: $!";
while (<$in>) {
	chomp;
	my ($name, $offset, $flags) = split /\t/, $_, -1;
	my $symbol = $name =~ s/@.*//r;
	error("$name is printed twice") if $printed{$name}++;
	$nr_functions++;
	if ($offset eq '') {
		error("$name has no offset");
		next;
	}
	my $address = $address_of{_text} + $offset;
	my $key = "$symbol $address";
	error("$symbol is there twice") if $found{$key};
	$found{$key} = { name => $name, flags => $flags };
	error("$symbol at offset $offset is not a function of the image")
		unless $names_at{$address}{$symbol};
}
for (@code) {
	error("$_->{name} at " . sprintf('%x', $_->{address}) . ' is missing')
		unless $found{"$_->{name} $_->{address}"};
}
my $expected = ($count{function} // 0) + ($count{alias} // 0);
error("$expected functions and aliases, but abtf has $nr_functions") if $expected != $nr_functions;

# --- ftrace's table -----------------------------------------------------------------------------

# In a position-independent image, addends of relocations replace the words; a word is 0 if the
# function was overridden by another.
sub table
{
	my ($start, $stop) = @_;
	my @words;
	my $big = grep { /big endian/ } lines('readelf', '-h', $image);
	for my $sec (@sections) {
		next if $start < $sec->{address} || $stop > $sec->{address} + $sec->{size};
		open(my $file, '<:raw', $image) or die "$image: $!";
		seek($file, $sec->{offset} + $start - $sec->{address}, 0);
		read($file, my $bytes, $stop - $start);
		@words = unpack($big ? 'Q>*' : 'Q<*', $bytes);
	}
	die "$image: no section has ftrace's table" unless @words;
	for (lines('readelf', '-rW', $image)) {
		next unless /^([0-9a-f]+) +\S+ +R_\S+_RELATIV\S* +([0-9a-f]+)$/;
		my $at = hex($1) - $start;
		$words[$at / 8] = hex $2 if $at >= 0 && $at < $stop - $start;
	}
	return grep { $_ } @words;
}

my @table = sort { $a <=> $b } table(@address_of{'__start_mcount_loc', '__stop_mcount_loc'});
my %patched_at;
my ($at, $nr_hidden, $nr_patched, $nr_notrace) = (0, 0, 0, 0);
for (sort { $a->{address} <=> $b->{address} } @code) {
	# an address belongs to the function, or to the instruction after its landing pad
	$at++ while $at < @table && $table[$at] < $_->{address};
	next if $at == @table || $table[$at] >= $_->{address} + ($_->{size} || 1);
	$patched_at{$table[$at]} = 1;
	$nr_patched++;
	my $func = $found{"$_->{name} $_->{address}"};
	error("ftrace patches $_->{name}, which abtf does not print"), $nr_hidden++ unless $func;
	error("ftrace patches $_->{name}, which abtf calls notrace"), $nr_notrace++
		if $func && $func->{flags} =~ /notrace/;
}
# Unless the kernel's build removes them, the table has weak functions that others override: their
# code has no symbol, and ftrace ignores it.
my @overridden = grep { !$patched_at{$_} } @table;
error(@overridden . ' places of ' . @table . ' are in no function, such as ' .
      sprintf('%x', $overridden[0])) if @overridden > @table / 50;
error("ftrace's table is empty") unless $nr_patched;

printf "%7d %s\n", $count{$_} // 0, $_ for sort keys %classes;
printf "%7d symbols of code in all\n", $nr_symbols;
printf "%7d functions of abtf, %d names\n", $nr_functions, scalar keys %printed;
printf "%7d functions that ftrace can patch, at %d addresses: %d hidden, %d notrace\n", $nr_patched,
	scalar keys %patched_at, $nr_hidden, $nr_notrace;
printf "%7d other addresses in ftrace's table, in no function\n", scalar @overridden;
exit($errors != 0);
