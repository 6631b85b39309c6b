#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The benchmark's counts of allocations against the kernel's own trace of the
# same window, exactly, for a fixed number of creates. Needs root and a kernel
# that loads BPF; in a guest (BPF_AB_CLOCK is set) nobody else allocates, so
# that the counts of the whole machine are checked too. Prints TAP.
#
# usage: bench-counts.sh [TYPE[:PRODUCERS]...]   (socket task cgroup inode socket:4)
set -u
. "$(dirname "$0")/tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
creates=1024

# tracefs where it belongs; if nobody mounted it, for this process alone.
if [ ! -d /sys/kernel/tracing/instances ]; then
	[ -z "${BPF_AB_UNSHARED:-}" ] || { skip "counts against the trace" "no tracefs"; echo "1..$n"; exit; }
	BPF_AB_UNSHARED=1 exec unshare -m sh -c \
		'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; exec "$0" "$@"' "$0" "$@"
fi

work=$(mktemp -d)
trace=/sys/kernel/tracing/instances/bpf-ab-$$
leave() {
	echo 0 > "$trace/tracing_on" 2>/dev/null
	rmdir "$trace" 2>/dev/null
	rm -rf "$work"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir "$trace" || exit 3
echo 65536 > "$trace/buffer_size_kb"
echo 1 > "$trace/options/event-fork"
for event in kmem/{kmalloc,kmem_cache_alloc,kfree,kmem_cache_free} raw_syscalls/sys_{enter,exit}; do
	echo 1 > "$trace/events/$event/enable"
done

# Of each window but the first, which is to warm up, and void ones: what the
# producers did in task context, what interrupts freed that hit one outside of its
# system calls, what the BPF allocator did elsewhere, and everybody.
count_trace() {
	awk '
	{ split($1, name, "-"); pid = name[length(name)] }
	/ bpf-ab: window / {
		if ($NF == "begins") {
			w = $(NF - 1); inside[pid] = 1; n_inside++
		} else if ($NF == "ends") {
			delete inside[pid]; n_inside--
		} else {
			void[$(NF - 2)] = 1
		}
		next
	}
	/LOST/ { lost[w]++ }
	$5 == "sys_enter:" { calls[pid] = 1; next }
	$5 == "sys_exit:" { delete calls[pid]; next }
	!n_inside || / ptr=0+( |$)/ { next } # kfree(NULL)
	{
		event = $5
		ours = pid in inside && substr($3, 3, 1) == "."
		hit = pid in inside && !(pid in calls) && !ours
		free = event == "kfree:" || event == "kmem_cache_free:"
	}
	event == "kmalloc:" { machine[w]++ }
	ours && free { frees[w]++ }
	hit && free { hits[w]++ }
	ours && (event == "kmalloc:" || event == "kmem_cache_alloc:") { threads[w]++ }
	!ours && event == "kmalloc:" && /call_site=(__alloc|alloc_bulk|bpf_mem_refill)[.+]/ { refills[w]++ }
	END {
		for (i = 1; i <= w; i++)
			if (!(i in void))
				print threads[i] + 0, frees[i] + 0, hits[i] + 0, refills[i] + 0, machine[i] + 0, lost[i] + 0
	}
	' "$trace/trace"
}

# The same out of the recording.
count_recording() {
	python3 - "$1" $((creates * producers)) <<-'END'
	import csv, sys
	for row in csv.DictReader(open(sys.argv[1])):
	    def total(*names):
	        return round(sum(float(row[n]) for n in names) * int(sys.argv[2]))
	    print(total("kmallocs_per_op", "slab_allocs_per_op", "own_allocs_per_op"),
	          total("frees_per_op"), "-", total("refills_per_op"), total("machine_kmallocs_per_op"), 0)
	END
}

same_counts() {
	[ -s "$work/trace" ] && cmp -s <(cut -d' ' -f1,4- "$work/trace") \
		<(cut -d' ' -f1,4- "$work/recording")
}

# Interrupts that hit a producer in user space run on its stack, so that what they
# free is counted as its own. Some that are outside of a call hit it in the kernel yet.
similar_frees() {
	[ -s "$work/trace" ] && paste "$work/trace" "$work/recording" | awk '
		{ r = $(NF / 2 + 2); if (r < $2 || r > $2 + $3) bad = 1 } END { exit bad }'
}

[ $# -gt 0 ] || set -- socket task cgroup inode socket:4
for what; do
	type=${what%:*} producers=${what#"$type"} producers=${producers#:} producers=${producers:-1}
	: > "$trace/trace"
	echo 1 > "$trace/tracing_on"
	status=0
	# Outside a guest only our own threads: a busy machine would fill the buffer.
	only=("$top/scripts/test/traced.sh" "$trace")
	[ -z "${BPF_AB_CLOCK:-}" ] || only=()
	"${only[@]}" "$top/bench" local-storage-create --storage-type "$type" -p "$producers" \
		-q -w 1 -d 2 --count $((creates * producers)) --alloc-count $((creates * producers)) \
		--marks "$trace/trace_marker" --record "$work/csv" > "$work/log" 2>&1 || status=$?
	if [ $status = 3 ]; then
		skip "$what" "$(tail -n 1 "$work/log")"
		continue
	fi
	# Who reads makes system calls, and with them events.
	echo 0 > "$trace/tracing_on"
	count_trace > "$work/trace"
	count_recording "$work/csv" > "$work/recording"
	# Elsewhere others allocate between a mark and the window's edge.
	[ -n "${BPF_AB_CLOCK:-}" ] || sed -Ei 's/^([0-9]+ [0-9]+ [0-9-]+) .* /\1 /' "$work"/{trace,recording}
	sed 's/^/# trace:     /' "$work/trace"
	sed 's/^/# recording: /' "$work/recording"
	check "$what: two windows were traced" [ "$(wc -l < "$work/trace")" = 2 ]
	check "$what: allocations are those of the trace, exactly" same_counts
	check "$what: frees are, but for those of interrupts" similar_frees
done
echo "1..$n"
