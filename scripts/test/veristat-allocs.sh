#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The allocator counters of ./veristat on this kernel: against the kernel's own
# trace of the same load, the same each time, of programs that are rejected, and
# where tables are too small. Needs root and a kernel that loads BPF. Prints TAP.
#
# usage: veristat-allocs.sh [--long] | --guest
#
# --long: with millions of allocations, and what is left of thousands of programs
# against /proc, a few minutes. --guest: all of that in a guest with the base
# kernel, in which nobody else allocates.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"

long=''
case ${1:-} in
--long) long=yes ;;
--guest)
	kernel=$("$AB_TOP/scripts/build-kernel.sh") || exit 3
	# Caches without stocks of their own, so that /proc/slabinfo has what is in use.
	exec "$AB_TOP/scripts/vm.sh" --kernel "$kernel/bzImage" --clock tcg-wall --smp 1 --timeout 1500 \
		--append slab_debug=F -- "$AB_TOP/scripts/test/veristat-allocs.sh" --long ;;
'') ;;
*) echo "veristat-allocs.sh: unknown argument $1" >&2; exit 2 ;;
esac

# tracefs where it belongs; if nobody mounted it, for this process alone.
if [ ! -d /sys/kernel/tracing/instances ] && [ -z "${BPF_AB_UNSHARED:-}" ]; then
	BPF_AB_UNSHARED=1 exec unshare -m sh -c \
		'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; exec "$0" "$@"' "$0" "$@"
fi

veristat=$AB_TOP/veristat
progs=$AB_OUT/progs
work=$(mktemp -d)
trace=/sys/kernel/tracing/instances/bpf-ab-$$
leave() {
	[ ! -d "$trace" ] || { echo 0 > "$trace/tracing_on"; rmdir "$trace"; }
	rm -rf "$work"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# measure OBJECT PROGRAM COLUMNS [ARG...]: one row of a CSV in $work/row, without its key.
measure() {
	local object=$1 program=$2 columns=$3
	shift 3
	"$veristat" -q -o csv "$progs/$object.bpf.o" -f "/$program" -e "$columns" "$@" \
		> "$work/csv" 2> "$work/log"
	tail -n 1 "$work/csv" | cut -d, -f3- > "$work/row"
}

# ---- against the trace -----------------------------------------------------------

# Of the last load in the trace, which is the one that is counted, what its thread
# did in task context: allocators' own records, allocations, their bytes wanted and
# given, how many are of caches, frees, per-CPU allocations, their bytes, pages.
own=$(sed -n '/own_functions\[\]/,/only where/s/^\t"\(.*\)",$/\1/p' "$AB_TOP/lib/kmem_sites.c" | paste -sd'|')
own="^call_site=($own)[.+]"
count_trace() {
	awk -v own="$own" '
	/ sys_enter: NR 321 \(5,/ { on = 1; loads++
		o = k = kr = kb = s = sr = sb = f = p = pr = pb = g = 0; next }
	/ sys_enter: / { on = 0 }
	/ sys_exit: NR 321 / { on = 0 }
	!on || substr($3, 3, 1) != "." { next }
	function field(name) { match($0, name "=[0-9]+"); return substr($0, RSTART + length(name) + 1, RLENGTH - length(name) - 1) }
	$5 ~ /^(kmalloc|kmem_cache_alloc):$/ && $6 ~ own { o++; next }
	$5 == "kmalloc:" { k++; kr += field("bytes_req"); kb += field("bytes_alloc") }
	$5 == "kmem_cache_alloc:" { s++; sr += field("bytes_req"); sb += field("bytes_alloc") }
	$5 == "kfree:" || $5 == "kmem_cache_free:" { f++ }
	$5 == "percpu_alloc_percpu:" { p++; pr += field(" size"); pb += field("bytes_alloc") }
	$5 == "mm_page_alloc:" { g += 2 ^ field("order") }
	END { if (loads) printf "%d %d %d %d %d %d %d %d %d %d\n", o, k + s, kr + sr, kb + sb, s, f, p, pr, pb, g }
	' "$trace/trace"
}

# The same out of the recording.
count_row() {
	awk -F, '{ print $1, $2, $3, $4, $5, $6 + $7, $8, $9, $10, $11 }' "$work/row"
}
columns=own_allocs,allocs,alloc_bytes_req,alloc_bytes,slab_allocs,frees,frees_unknown
columns+=,percpu_allocs,percpu_bytes_req,percpu_bytes,pages

against_trace() { # OBJECT PROGRAM
	: > "$trace/trace"
	"$AB_TOP/scripts/test/traced.sh" "$trace" "$veristat" -q -o csv "$progs/$1.bpf.o" \
		-f "/$2" -e "$columns" > "$work/csv" 2> "$work/log"
	tail -n 1 "$work/csv" | cut -d, -f3- > "$work/row"
	count_trace > "$work/traced"
	count_row > "$work/counted"
	sed 's/^/# trace:    /' "$work/traced"
	sed 's/^/# counters: /' "$work/counted"
	check "$1/$2: allocations, bytes, frees and pages are those of the trace" \
		cmp -s "$work/traced" "$work/counted"
	check "... and there are some" grep -qE '^[0-9]+ [1-9]' "$work/counted"
}

if mkdir "$trace" 2> /dev/null; then
	echo 65536 > "$trace/buffer_size_kb"
	for event in kmem/{kmalloc,kmem_cache_alloc,kfree,kmem_cache_free,mm_page_alloc} \
		percpu/percpu_alloc_percpu raw_syscalls/sys_{enter,exit}; do
		echo 1 > "$trace/events/$event/enable" || echo "# no event $event"
	done
	# Not what failed, nor frees of nothing: NULL, and what kmalloc(0) returns.
	for event in kmalloc kmem_cache_alloc kfree kmem_cache_free; do
		echo 'ptr > 16' > "$trace/events/kmem/$event/filter"
	done
	against_trace corpus_tiny tiny
	against_trace corpus_states diverging
	against_trace loader_verdicts rejected
	against_trace loader_verdicts rejected_at_length
	against_trace allocs_tree bounded
else
	skip "counters against the trace" "no tracing instances"
fi

# ---- the same each time -----------------------------------------------------------

# Without pages, own_allocs, frees of these: they tell of what was before.
columns=allocs,kmallocs,slab_allocs,nolocks,alloc_bytes_req,alloc_bytes,alloc_waste,live_peak
columns+=,live_after_load,leaked_after_unload,vmallocs,vmalloc_bytes,vmalloc_peak,vmalloc_live,vmalloc_leaked
columns+=,vreallocs,vrealloc_moves,vrealloc_copied,percpu_allocs,percpu_bytes,percpu_leaked
objects=("$progs"/corpus_{tiny,states,calls}.bpf.o "$progs/loader_verdicts.bpf.o")
for run in 1 2 3; do
	"$veristat" -q -o csv "${objects[@]}" -f '!/of_no_type' -e "$columns" --alloc-caches \
		--alloc-sites 5 > "$work/$run" 2> "$work/log"
done
diff "$work/1" "$work/2" > "$work/log"
check "counters and lists are the same in a second run" [ ! -s "$work/log" ]
diff "$work/1" "$work/3" > "$work/log"
check "... and in a third" [ ! -s "$work/log" ]
cat > "$work/rows.py" <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert len(rows) >= 6
for row in rows:
    name = row.pop("file_name") + "/" + row.pop("prog_name")
    del row["alloc_caches"], row["alloc_sites"]
    for column, cell in row.items():
        if not cell.isdigit() and not cell.startswith("unsupported: "):
            sys.exit(f"{name}: {column} is neither a number nor has it a reason: {cell}")
        if column.endswith(("_leaked", "leaked_after_unload")) and cell.isdigit() and cell != "0":
            sys.exit(f"{name}: {column} is {cell}")
    if row["vmallocs"].isdigit() != (len(sys.argv) > 2):
        sys.exit("vmallocs are counted where functions can be traced, and nowhere else")
END
# shellcheck disable=SC2034
fexit=$("$veristat" --probe 2> /dev/null | sed -n 's/^nolocks *yes.*/yes/p')
check "each kind is a number or has its reason, and nothing is left of what is gone" \
	eval 'python3 "$work/rows.py" "$work/1" $fexit > "$work/log" 2>&1'

# Waste is what was given and not asked for; sums are those of their parts.
measure corpus_states diverging \
	alloc_bytes,alloc_bytes_req,alloc_waste,allocs,kmallocs,slab_allocs,nolocks
check "waste and sums add up" awk -F, '
	{ exit !($3 == $1 - $2 && $3 > 0 && $4 == $5 + $6 + $7) }' "$work/row"

# ---- where it was -------------------------------------------------------------------

"$veristat" -q -o json "$progs/corpus_states.bpf.o" -e allocs,alloc_bytes --alloc-sites 3 \
	--alloc-caches > "$work/json" 2> "$work/log"
cat > "$work/lists.py" <<'END'
import json, sys
row = json.load(open(sys.argv[1]))[0]
caches, sites = row["alloc_caches"], row["alloc_sites"]
print("caches", caches, "sites", sites)
# All of it is in some cache; sites are those with most bytes or allocations.
assert sum(c["allocs"] for c in caches) == row["allocs"]
assert sum(c["bytes"] for c in caches) == row["alloc_bytes"]
assert 3 <= len(sites) <= 6
assert sites[0]["bytes"] == max(s["bytes"] for s in sites) > row["alloc_bytes"] / 4
assert all("+0x" in s["name"] for s in sites)
assert "verifier" in sites[0]["name"] or "state" in sites[0]["name"]
END
check "call sites and caches in JSON" eval 'python3 "$work/lists.py" "$work/json" > "$work/log" 2>&1'
"$veristat" -q "$progs/corpus_states.bpf.o" -e allocs --alloc-sites 3 > "$work/out" 2> "$work/log"
check "call sites below the table" eval '[ "$(grep -cE "diverging +[a-z_]+[a-z0-9_.]*\+0x[0-9a-f]+ +[0-9]+ +[0-9]+$" "$work/out")" -ge 3 ]'

# ---- tables that are too small -----------------------------------------------------------

measure corpus_states diverging allocs
# shellcheck disable=SC2034
all=$(cat "$work/row")
measure corpus_states diverging allocs,frees,live_peak,live_after_load,leaked_after_unload --alloc-room 64
check "without room to follow them, allocations are counted" eval '[ "$(cut -d, -f1 "$work/row")" = "$all" ]'
check "... and frees and what is alive have failed" eval \
	'[ "$(grep -o "failed: more allocations were alive than --alloc-room has room for" "$work/row" | wc -l)" = 4 ]'

# ---- what can be measured here -----------------------------------------------------------

"$veristat" --probe > "$work/out" 2> "$work/log"
check "--probe tells of every kind" [ $? = 0 ]
check "... with the reason of what can't be" eval \
	'[ "$(grep -cE "^[a-z_.*, ]+ (yes(: .+)?|no: .+)$" "$work/out")" = 9 ]'
sed 's/^/# /' "$work/out"
measure corpus_states diverging mem_peak_kib
if grep -q '^mem_peak.* yes' "$work/out"; then
	check "... mem_peak is trusted, and measured" grep -qE '^[0-9]+$' "$work/row"
else
	check "... mem_peak is not trusted, and not measured" grep -q '^"*unsupported: ' "$work/row"
fi

if [ -z "$long" ]; then
	echo "1..$n"
	exit
fi

# ---- much of it ---------------------------------------------------------------------------

# The trace could not hold them, but it counts; what it counts of other loads of
# the process is taken away by a second process that differs in the program only.
# events OBJECT PROGRAM: of all loads of a process, and the counters of the last.
events() {
	echo 0 > "$trace/tracing_on"
	echo 1 > "$trace/buffer_size_kb"
	: > "$trace/trace"
	"$AB_TOP/scripts/test/traced.sh" "$trace" "$veristat" -q -o csv "$progs/$1.bpf.o" -f "/$2" \
		-e own_allocs,allocs,live_peak,frees,nolocks > "$work/csv" 2> "$work/log"
	tail -n 1 "$work/csv" | cut -d, -f3- > "$work/row"
	cat "$trace"/per_cpu/cpu*/stats |
		awk '/^(entries|overrun|dropped events|commit overrun):/ { sum += $NF } END { print sum + 0 }' > "$work/events"
	cat "$work/row" "$work/events" >> "$work/log"
}
if [ -d "$trace/events/syscalls/sys_enter_bpf" ]; then
	for event in kmem/{kfree,kmem_cache_free,mm_page_alloc} percpu/percpu_alloc_percpu \
		raw_syscalls/sys_{enter,exit}; do
		echo 0 > "$trace/events/$event/enable"
	done
	for event in kmalloc kmem_cache_alloc; do
		echo '!(common_flags & 24) && ptr > 16' > "$trace/events/kmem/$event/filter"
	done
	echo 'traceon if cmd == 5' > "$trace/events/syscalls/sys_enter_bpf/trigger"
	echo 'traceoff' > "$trace/events/syscalls/sys_exit_bpf/trigger"
	events allocs_tree bounded
	few=$(awk -F, '{ print $1 + $2 }' "$work/row") few_events=$(cat "$work/events")
	events allocs_tree unbounded
	much=$(awk -F, '{ print $1 + $2 }' "$work/row") much_events=$(cat "$work/events")
	off=$(((much_events - few_events) - (much - few)))
	echo "# counters: $few, $much; trace of all loads of the process: $few_events, $much_events"
	check "a load of more than 5 million allocations, of a program of a million instructions" \
		[ "${much:-0}" -gt 5000000 ]
	# In the loads of our own programs allocators keep some records more or less.
	check "the trace has as many, but for one in 10,000: off by $off" \
		[ ${off#-} -le $((${much:-0} / 10000)) ]
	check "no pointer was lost" eval 'cut -d, -f3,4 "$work/row" | grep -qE "^[0-9]+,[0-9]+$"'
else
	skip "millions of allocations against the trace" "no system call events"
fi

# ---- what is left, against /proc ---------------------------------------------------------------

# A loop in a subshell would lose the count of tests.
"$AB_TOP/test_progs" -t kmem_proc > "$work/log" 2>&1
while read -r name result; do
	case $result in
	OK)    ok "$name" ;;
	SKIP*) skip "$name" "${result#SKIP }" ;;
	*)     not_ok "$name" ;;
	esac
done < <(sed -nE 's/^#[0-9]+\/[0-9]+ +([^:]+):(.*)/\1 \2/p' "$work/log")
echo "1..$n"
