#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The benchmark's counts of allocations against the kernel's own trace of the
# same window, exactly, for a fixed number of creates. Needs root and a kernel
# that loads BPF; in a guest (BPF_AB_CLOCK is set) nobody else allocates, so
# that the counts of the whole machine are checked too. Prints TAP.
#
# usage: bench-counts.sh [TYPE...]   (socket task cgroup inode)
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
echo 32768 > "$trace/buffer_size_kb"
for event in kmalloc kmem_cache_alloc kfree kmem_cache_free; do
	echo 1 > "$trace/events/kmem/$event/enable"
done

# Of each window but the first, which is to warm up: what the thread did in
# task context, what the BPF allocator did elsewhere, and everybody.
count_trace() {
	awk '
	/window begins/ { split($1, name, "-"); pid = name[length(name)]; on = 1; windows++
		thread = frees = refills = machine = lost = 0; next }
	/window ends/ { if (on && windows > 1) print thread, frees, refills, machine, lost; on = 0; next }
	/LOST/ { lost++ }
	!on || / ptr=0+( |$)/ { next } # kfree(NULL)
	{
		split($1, name, "-"); mine = name[length(name)] == pid
		task = substr($3, 3, 1) == "."
		event = $5
	}
	event == "kmalloc:" { machine++ }
	(event == "kmalloc:" || event == "kmem_cache_alloc:") && mine && task { thread++ }
	event == "kmalloc:" && !(mine && task) &&
		/call_site=(__alloc|alloc_bulk|bpf_mem_refill)[.+]/ { refills++ }
	(event == "kfree:" || event == "kmem_cache_free:") && mine && task { frees++ }
	' "$trace/trace"
}

# The same out of the recording.
count_recording() {
	python3 - "$1" "$creates" <<-'END'
	import csv, sys
	for row in csv.DictReader(open(sys.argv[1])):
	    def total(*names):
	        return round(sum(float(row[n]) for n in names) * int(sys.argv[2]))
	    print(total("kmallocs_per_op", "slab_allocs_per_op", "own_allocs_per_op"),
	          total("frees_per_op"), total("refills_per_op"), total("machine_kmallocs_per_op"), 0)
	END
}

[ $# -gt 0 ] || set -- socket task cgroup inode
for type; do
	: > "$trace/trace"
	status=0
	# Outside a guest only our own thread: a busy machine would fill the buffer.
	# shellcheck disable=SC2016
	sh -c '[ -n "${BPF_AB_CLOCK:-}" ] || echo $$ > "$1/set_event_pid"; shift; exec "$@"' sh \
		"$trace" "$top/bench" local-storage-create --storage-type "$type" -q -w 1 -d 2 --count $creates \
		--alloc-count $creates --marks "$trace/trace_marker" --record "$work/$type.csv" \
		> "$work/log" 2>&1 || status=$?
	if [ $status = 3 ]; then
		skip "$type" "$(tail -n 1 "$work/log")"
		continue
	fi
	count_trace > "$work/trace"
	count_recording "$work/$type.csv" > "$work/recording"
	# Elsewhere others allocate between a mark and the window's edge.
	[ -n "${BPF_AB_CLOCK:-}" ] || sed -Ei 's/^([0-9]+ [0-9]+) .* /\1 /' "$work"/{trace,recording}
	sed 's/^/# trace:     /' "$work/trace"
	sed 's/^/# recording: /' "$work/recording"
	check "$type: two windows were traced" [ "$(wc -l < "$work/trace")" = 2 ]
	check "$type: allocations and frees are those of the trace, exactly" \
		cmp -s "$work/trace" "$work/recording"
done
echo "1..$n"
