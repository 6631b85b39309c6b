#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The three programs on the kernel that runs now, here or in a guest: needs
# root and a kernel that loads BPF. Prints TAP.
set -u
. "$(dirname "$0")/tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run CMD...: output in $work/log and $work/out, sets $status
run() {
	status=0
	"$@" > "$work/out" 2> "$work/err" || status=$?
	{
		echo "$* -> $status"
		cat "$work/out" "$work/err"
	} > "$work/log"
}
out_says() { grep -qE -- "$1" "$work/out"; }
err_says() { grep -qE -- "$1" "$work/err"; }

# ---- test_progs: each subtest counts ------------------------------------------

run "$top/test_progs" --record "$work/tests.csv"
tests_before=$n
while read -r line; do
	# Names may have colons of their own.
	[[ $line =~ ^(.*):((OK|SKIP|FAIL).*)$ ]] ||
		{ echo "not ok $((++n)) - not understood: $line"; continue; }
	name=${BASH_REMATCH[1]} result=${BASH_REMATCH[2]}
	case $result in
	OK)    ok "$name" ;;
	SKIP*) skip "$name" "${result#SKIP }" ;;
	*)     echo "not ok $((++n)) - $name:$result" ;;
	esac
done < <(awk '
	# A test that has subtests is counted by them; failures are printed twice.
	/^#[0-9]+(\/[0-9]+)? / {
		id = $1
		if (id in seen) next
		seen[id] = 1
		if (split(id, p, "/") == 2) parent[p[1]] = 1
		line[++k] = $0; ids[k] = id
	}
	END {
		for (i = 1; i <= k; i++)
			if (!(ids[i] in parent)) {
				sub(/^#[0-9\/]+ +/, "test_progs ", line[i])
				print line[i]
			}
	}' "$work/out")
check "test_progs ran every annotated program of progs/" \
	[ $((n - tests_before)) -ge "$(cat "$top"/progs/verifier_*.c | grep -c '^SEC("')" ]
check "test_progs exits 0" [ "$status" = 0 ]
check "test_progs leaves a recording and its sidecar" [ -s "$work/tests.csv.env" ]
run "$top/test_progs" -t no_such_test
check "test_progs: no match exits 2" [ "$status" = 2 ]

# ---- veristat --------------------------------------------------------------------

columns=verdict,insns,states,peak_states,prog_size,prog_size_jited,xlated_hash
columns+=,kmallocs,kmalloc_bytes,slab_allocs,slab_bytes,allocs,live_peak,duration,mem_peak_kib
corpus=("$top"/.output/progs/corpus_*.bpf.o)
for side in a b; do
	run "$top/veristat" -q -o csv -e "$columns" --repeat 2 --record "$work/$side.csv" "${corpus[@]}"
	check "veristat measures the corpus ($side)" [ "$status" = 0 ]
done
check "every program of the corpus is accepted" \
	[ "$(grep -c success "$work/out")" = "$(($(wc -l < "$work/out") - 1))" ]
check "every object of the corpus has a row" \
	[ "$(tail -n +2 "$work/out" | cut -d, -f1 | sort -u | wc -l)" = ${#corpus[@]} ]
run "$top/veristat" -C -e "${columns%%,kmallocs*}" "$work/a.csv" "$work/b.csv"
check "the same kernel twice: exact columns are equal" [ "$status" = 0 ]
run "$top/veristat" -R "$work/a.csv" -o csv
check "a recording can be shown again" out_says '^corpus_tiny'
run "$top/veristat" "$top/COPYING" "${corpus[0]}"
check "veristat: an object that cannot be opened exits 3" [ "$status" = 3 ]
check "veristat: and is named" err_says COPYING
check "veristat: and the others are measured" out_says success
run "$top/veristat" --no-such-option
check "veristat: a wrong option exits 2" [ "$status" = 2 ]

# ---- bench -------------------------------------------------------------------------

for type in socket task cgroup inode; do
	run "$top/bench" local-storage-create -p 1 -w 0 -d 2 --count 1000 --storage-type $type \
		--record "$work/bench-$type.csv"
	if [ "$status" = 3 ] && err_says 'programs: (loading|attaching)|no cgroup2'; then
		skip "bench local-storage-create $type" "$(head -n 1 "$work/err")"
		continue
	fi
	check "bench local-storage-create $type" [ "$status" = 0 ]
	check "bench $type: its recording has a rate" \
		grep -qE '^[^,]*,"[^"]*",[0-9.]+,' "$work/bench-$type.csv"
	check "bench $type: nothing is left of its creates" out_says 'left of the creates in the kernel: 0$'
	run "$top/bench" -C "$work/bench-$type.csv" "$work/bench-$type.csv"
	check "bench $type: a recording equals itself" [ "$status" = 0 ]
done
run "$top/bench" local-storage-create -p 4 -w 0 -d 1 --count 8192 --batch-size 1024 -o json
check "bench: 4,096 sockets at one time, without errors" [ "$status" = 0 ]
check "bench: -o json is JSON" python3 -m json.tool "$work/out" /dev/null
run "$top/bench" local-storage-create --hook tp
check "bench: a hook that sockets have not exits 2" [ "$status" = 2 ]
run setpriv --bounding-set=-sys_resource --inh-caps=-sys_resource prlimit --nofile=500:600 \
	"$top/bench" local-storage-create --batch-size 1024
check "bench: too few descriptors exit 3" [ "$status" = 3 ]
check "bench: and say what to do" err_says 'lower --batch-size or -p'
# shellcheck disable=SC2016
run unshare -m sh -c 'for m in $(grep " cgroup2 " /proc/mounts | cut -d" " -f2); do umount "$m" || exit 9
	done; exec "$@"' sh "$top/bench" local-storage-create --hook cgroup
check "bench: sockets that nothing tells of exit 3" [ "$status" = 3 ]
check "bench: and say what was missing" \
	err_says 'socket storage: cgroup/sock_create programs: no cgroup2 is mounted$'
run "$top/bench" no-such-bench
check "bench: an unknown benchmark exits 2" [ "$status" = 2 ]

# ---- those with a script of their own ----------------------------------------------

# script NAME [ARG...]: its lines become ours, with our numbers.
script() {
	local before=$n line
	while read -r line; do
		case $line in
		ok*)     ok "${line#ok * - }" ;;
		not*)    n=$((n + 1)) && echo "not ok $n - ${line#not ok * - }" ;;
		\#*)     echo "$line" ;;
		esac
	done < <("$top/scripts/test/$1.sh" "${@:2}")
	[ $n -gt "$before" ] || { n=$((n + 1)) && echo "not ok $n - $1.sh ran no test"; }
}
script test_progs
script veristat-upstream # builds the selftests that the next one takes
script veristat
script veristat-allocs
script killed 3
echo "1..$n"
