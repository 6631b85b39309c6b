#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# ./veristat on this kernel: verdicts and causes, exit statuses, filters,
# samples, counters, recordings, an interrupt. Prints TAP.
set -u
. "$(dirname "$0")/../common.sh"

veristat=$AB_TOP/veristat
progs=$AB_OUT/progs
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0 failed=0

# check NAME STATUS WANTED: the last run's status, and what its output has to be.
check() {
	n=$((n + 1))
	if [ "$status" != "$2" ]; then
		echo "# status $status, expected $2"
		sed 's/^/# /' "$dir/err"
	elif [ "$got" != "$3" ]; then
		diff <(echo "$3") <(echo "$got") | sed 's/^/# /'
	else
		echo "ok $n - veristat $1"
		return
	fi
	echo "not ok $n - veristat $1"
	failed=1
}

skip() { # skip NAME REASON
	n=$((n + 1))
	echo "ok $n - veristat $1 # SKIP $2"
}

# run ARG...: sets status; got are the rows of its CSV.
run() {
	status=0
	"$veristat" -q -o csv "$@" > "$dir/out" 2> "$dir/err" || status=$?
	got=$(tail -n +2 "$dir/out")
}

# ---- verdicts and causes -----------------------------------------------------

verdicts='loader_verdicts.bpf.o,rejected,failure,rejected
loader_verdicts.bpf.o,rejected_at_length,failure,rejected
loader_verdicts.bpf.o,taken,success,loaded
loader_verdicts.bpf.o,taken_at_length,success,loaded'
known='!/of_no_type'
run "$progs/loader_verdicts.bpf.o" -f "$known" -e verdict,cause
check "a rejected program is a verdict, not an error" 0 "$verdicts"
for size in 256 4096 65536; do
	run "$progs/loader_verdicts.bpf.o" -f "$known" -e verdict,cause -l 2 --log-size $size
	check "no verdict depends on a log of $size bytes" 0 "$verdicts"
done
run "$progs/loader_verdicts.bpf.o" -f "$known" -e insns,states
whole=$got
run "$progs/loader_verdicts.bpf.o" -f "$known" -e insns,states -l 2 --log-size 256
check "nor what was processed" 0 "$whole"

# cause OBJECT STATUS ROWS: what is not measured has its cause.
cause() {
	run "$progs/loader_$1.bpf.o" -e cause
	check "cause: $1" "$2" "$3"
}
cause maps 0 'loader_maps.bpf.o,takes_all,loaded'
cause map_refused 3 'loader_map_refused.bpf.o,does_not,loaded
loader_map_refused.bpf.o,uses_it,map create'
cause target_missing 3 'loader_target_missing.bpf.o,sibling,loaded
loader_target_missing.bpf.o,without_target,target missing'
cause kfunc_missing 3 'loader_kfunc_missing.bpf.o,sibling,loaded
loader_kfunc_missing.bpf.o,without_another,kfunc missing
loader_kfunc_missing.bpf.o,without_kfunc,kfunc missing'
cause struct_ops 0 'loader_struct_ops.bpf.o,rejected,rejected
loader_struct_ops.bpf.o,taken,loaded'
cause member_missing 3 'loader_member_missing.bpf.o,act,target missing'
cause freplace 3 'loader_freplace.bpf.o,of_a_number,target missing
loader_freplace.bpf.o,of_a_packet,loaded'
cause btf_refused 3 'loader_btf_refused.bpf.o,needs_btf,BTF'
cause struct_missing 3 'loader_struct_missing.bpf.o,act,target missing'
cause var_missing 3 'loader_var_missing.bpf.o,reads_it,kfunc missing'
cause config_missing 3 'loader_config_missing.bpf.o,reads_it,kfunc missing'
refused='loader_refused.bpf.o,of_a_remote_control,refused,EINVAL
loader_refused.bpf.o,sibling,loaded,0'
run "$progs/loader_refused.bpf.o" -e cause,errno
if [ $status = 0 ]; then
	skip "cause: refused" "this kernel knows remote controls"
else
	check "cause: refused" 3 "$refused"
fi
# Nobody, with CAP_BPF and nothing else; where he can see it.
cp "$progs/loader_privileged.bpf.o" "$veristat" "$dir"
chmod 755 "$dir"
status=0
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=+bpf --ambient-caps=+bpf \
	"$dir/veristat" -q -o csv -e cause,errno "$dir/loader_privileged.bpf.o" > "$dir/out" \
	2> "$dir/err" || status=$?
got=$(tail -n +2 "$dir/out")
check "cause: a program and a map that a user may not have" 3 \
	'loader_privileged.bpf.o,has_a_map,no permission,EPERM
loader_privileged.bpf.o,of_bpf,loaded,0
loader_privileged.bpf.o,of_networks,no permission,EPERM'
run "$progs/loader_verdicts.bpf.o" -f /of_no_type -e cause
check "cause: a section that names no type" 3 'loader_verdicts.bpf.o,of_no_type,type unknown'
run "$progs/loader_freplace.bpf.o" -e prog_type,attach_type
check "a guessed type is marked" 0 'loader_freplace.bpf.o,of_a_number,ext,
loader_freplace.bpf.o,of_a_packet,sched_cls (guessed),'
run "$progs/loader_maps.bpf.o" -e prog_type,attach_type
check "an attach type that is 0" 0 'loader_maps.bpf.o,takes_all,cgroup_skb,cgroup_inet_ingress'
run "$progs/loader_map_refused.bpf.o" -e verdict -f /uses_it
got=$(grep -c 'failed: map create: map .odd.: failed to create' <<< "$got")
check "a map that fails is no verdict" 3 1
# In its place was a call that no kernel takes: nothing that was counted is the program's.
for object in map_refused kfunc_missing target_missing; do
	run "$progs/loader_$object.bpf.o" -e duration,insns,states,peak_states,stack,prog_size_jited -f '!sibling' -f '!does_not'
	got=$(grep -cE ',[0-9]+(,|$)' <<< "$got")
	check "no number of a program that was not measured: $object" 3 0
done
run "$progs/loader_maps.bpf.o" -e verdict
got=$(find /sys/fs/bpf -name '*bpf_ab_must_not*' 2>/dev/null)
check "nothing is pinned" 0 ''

# ---- what is expected not to load ---------------------------------------------

printf '# both\nloader_kfunc_missing.bpf.o/without_* kfunc missing\ntext.bpf.o not opened\n' \
	> "$dir/manifest"
printf 'loader_verdicts.bpf.o/rejected* rejected\nloader_verdicts.bpf.o/of_no_type type unknown\n' \
	> "$dir/manifest2"
echo nothing > "$dir/text.bpf.o"
named=("$progs"/loader_{verdicts,kfunc_missing}.bpf.o "$dir/text.bpf.o" --manifest "$dir/manifest"
	--manifest "$dir/manifest2")
run "${named[@]}" -e cause
check "what is expected not to load is no error" 0 'loader_kfunc_missing.bpf.o,sibling,loaded
loader_kfunc_missing.bpf.o,without_another,expected: kfunc missing
loader_kfunc_missing.bpf.o,without_kfunc,expected: kfunc missing
loader_verdicts.bpf.o,of_no_type,expected: type unknown
loader_verdicts.bpf.o,rejected,expected: rejected
loader_verdicts.bpf.o,rejected_at_length,expected: rejected
loader_verdicts.bpf.o,taken,loaded
loader_verdicts.bpf.o,taken_at_length,loaded'
got=$(cat "$dir/err")
check "... and nothing is said of it" 0 ''
whole=$(cat "$dir/out")
run "${named[@]}" -j 2 -e cause
got=$(cat "$dir/out")
check "... by any process" 0 "$whole"
echo 'loader_verdicts.bpf.o/taken rejected' >> "$dir/manifest2"
run "${named[@]}" -e cause -f /taken
got=$(cat "$dir/err")
check "what loads all the same is said" 0 \
	"veristat: loader_verdicts.bpf.o/taken: expected 'rejected', but it is 'loaded'"
printf 'loader_kfunc_missing.bpf.o/without_kfunc map create\n' > "$dir/manifest"
run "${named[@]}" -e cause -f /without_kfunc
check "another cause than the expected one" 3 \
	'loader_kfunc_missing.bpf.o,without_kfunc,kfunc missing'
printf 'loader_verdicts.bpf.o/taken tired\n' > "$dir/manifest"
run "${named[@]}" -e cause
got=$(grep -c "manifest:1:29: expected why it does not load" "$dir/err")
check "a cause that does not exist" 2 1

# ---- command line ------------------------------------------------------------

run "$dir/missing.bpf.o" "$progs/corpus_tiny.bpf.o" -e verdict
check "an object that is missing, the others measured" 3 'corpus_tiny.bpf.o,tiny,success'
echo nothing > "$dir/text.bpf.o"
run "$dir/text.bpf.o" "$progs/corpus_tiny.bpf.o" -e verdict
check "a file that is no object, the others measured" 3 'corpus_tiny.bpf.o,tiny,success'
got=$(grep -c 'text.bpf.o' "$dir/err")
check "it is named once" 3 1
run "$progs/corpus_tiny.bpf.o" -f nothing_of_that_name
check "a filter that nothing passes" 2 ''
run "$progs/corpus_tiny.bpf.o" -e verdict,nonsense
check "a column that does not exist" 2 ''
run "$progs/loader_verdicts.bpf.o" -f /taken -f /rejected -e verdict -s insns
check "a sort by what is not shown" 0 'loader_verdicts.bpf.o,rejected,failure
loader_verdicts.bpf.o,taken,success'
run "$progs/loader_verdicts.bpf.o" -f "$known" -f 'insns>100' -f '!verdict=failure' -e file
check "conditions on what is not shown" 0 'loader_verdicts.bpf.o,taken_at_length'
run
check "no object" 2 ''
status=0
BPF_AB_CLOCK=sundial "$veristat" -q -o csv "$progs/corpus_tiny.bpf.o" > "$dir/out" 2> "$dir/err" ||
	status=$?
got=$(cat "$dir/out")
check "a clock that does not exist" 2 ''

run "$progs"/loader_verdicts.bpf.o "$progs/corpus_tiny.bpf.o" -e verdict -f 'loader_*/taken*'
check "a filter by object and program" 0 'loader_verdicts.bpf.o,taken,success
loader_verdicts.bpf.o,taken_at_length,success'
run "$progs"/loader_verdicts.bpf.o "$progs/corpus_tiny.bpf.o" -e verdict -f '!rejected*' \
	-f "$known" -f '!corpus_*'
check "denied by name, by program, by object" 0 'loader_verdicts.bpf.o,taken,success
loader_verdicts.bpf.o,taken_at_length,success'
printf '# those\n/taken\ntiny\n' > "$dir/filters"
run "$progs"/loader_verdicts.bpf.o "$progs/corpus_tiny.bpf.o" -e verdict -f "@$dir/filters"
check "filters from a file" 0 'corpus_tiny.bpf.o,tiny,success
loader_verdicts.bpf.o,taken,success'
printf '# objects\n%s/corpus_t*.bpf.o\n' "$progs" > "$dir/objects"
run "@$dir/objects" -e verdict
check "objects from a list" 0 'corpus_tiny.bpf.o,tiny,success'
run "$progs/loader_verdicts.bpf.o" -f /taken -f /rejected -e verdict,insns -s insns^
got=$(cut -d, -f2 <<< "$got" | paste -sd' ')
check "sorted upwards" 0 'taken rejected'
run "$progs/loader_verdicts.bpf.o" -f /taken -f /rejected -e verdict,insns -s insns -n 1
got=$(cut -d, -f2 <<< "$got")
check "the first of those sorted downwards" 0 rejected
mkdir -p "$dir/a" "$dir/b"
cp "$progs/corpus_tiny.bpf.o" "$dir/a/bpf.bpf.o"
cp "$progs/corpus_tiny.bpf.o" "$dir/b/bpf.bpf.o"
run "$dir"/[ab]/bpf.bpf.o -e verdict
check "two objects of one name" 0 'a/bpf.bpf.o,tiny,success
b/bpf.bpf.o,tiny,success'

# ---- what is set before a load, and shown of it -------------------------------

presets=$progs/loader_presets.bpf.o
set_all=(-G 's64 = -1' -G u64=0xfedcba9876543210 -G ' s32 = -0x80000000 ' -G u8=255 -G truth=1
	-G 'wide =WIDE_MOST' -G 'grid [ 1 ][MODE_THIRD] . u.half[2]=-5')
run "$presets" -e verdict "${set_all[@]}"
check "a program that wants all of its variables set" 0 loader_presets.bpf.o,needs_all,failure
printf '# mode\nmode = MODE_FAST\n' > "$dir/presets"
run "$presets" -e verdict "${set_all[@]}" -G "@$dir/presets"
check "... has them set" 0 loader_presets.bpf.o,needs_all,success
run "$presets" "$progs/corpus_tiny.bpf.o" -e verdict -G nosuch=1
check "no object has this variable" 3 ''
got=$(grep -c "no variable 'nosuch'" "$dir/err")
check "... each is named" 3 2
run "$progs/corpus_states.bpf.o" -e states
sum() { awk -F, '{ sum += $3 } END { print sum + 0 }'; }
plain=$(sum <<< "$got")
run "$progs/corpus_states.bpf.o" -e states -t
got=$(($(sum <<< "$got") > plain))
check "-t keeps more states" 0 1
run "$progs/corpus_tiny.bpf.o" -e verdict -r
check "-r is known to the kernel" 0 corpus_tiny.bpf.o,tiny,success

# shown ARG...: as run, but a table with what stands before it.
shown() {
	status=0
	"$veristat" -q "$@" > "$dir/out" 2> "$dir/err" || status=$?
	got=$(cat "$dir/out")
}
shown "$progs/loader_verdicts.bpf.o" -f /taken -e verdict -S 1
got=$(sed -n 2p <<< "$got" | grep -cE '^ {4}[1-9]: \(loader_verdicts.c:[0-9]+\).return skb->len & 1;$')
check "-S shows source lines" 0 1
shown "$progs/corpus_tiny.bpf.o" -e verdict --dump --dump=JITED
got=$(grep -cE '^DUMP \((XLATED|JITED)\) corpus_tiny.bpf.o/tiny:$|^   0: \(61\) r1 = |^0:.*(nop|endbr64)' \
	<<< "$got")
check "--dump shows both codes" 0 4
shown "$progs/loader_verdicts.bpf.o" -f /taken_at_length -e insns -l 2 -v --log-size 300
end=$(grep -c '^func#0' <<< "$got")
shown "$progs/loader_verdicts.bpf.o" -f /taken_at_length -e insns -l 2 -v --log-size 300 --log-fixed
got="$end $(grep -c '^func#0' <<< "$got") $(grep -c '^processed ' <<< "$got")"
check "--log-fixed keeps the beginning, and the statistics" 0 '0 1 1'
shown "$progs/corpus_tiny.bpf.o" -e verdict -d
got=$(grep -c '^libbpf: ' "$dir/err")
got=$((got > 5))
check "-d tells what libbpf says" 0 1

# ---- several processes ---------------------------------------------------------

run "$progs"/corpus_[clt]*.bpf.o "$progs/loader_map_refused.bpf.o" -e verdict,insns,states,cause
alone=$got
run "$progs"/corpus_[clt]*.bpf.o "$progs/loader_map_refused.bpf.o" -e verdict,insns,states,cause -j 3
check "three processes measure what one does" 3 "$alone"
got=$(grep -c 'loader_map_refused.bpf.o/uses_it: not measured: map create' "$dir/err")
check "... and say what they could not" 3 1
run "$progs/corpus_tiny.bpf.o" -j 2 -e verdict,duration
check "times are refused with -j" 2 ''
run "$progs/corpus_tiny.bpf.o" -j 2 -e verdict,duration --force
got=${got%,*}
check "... unless they are forced" 0 corpus_tiny.bpf.o,tiny,success

run "$progs/corpus_tiny.bpf.o" -j 2 -e verdict --phases
check "... those of phases, too" 2 ''
run "$progs/corpus_tiny.bpf.o" -j 2
got=$(head -n 1 "$dir/out" | tr , '\n' | grep -cE '^(verdict|total_insns|duration)$')
check "... and the default has none" 0 2
run "$progs"/corpus_{tiny,calls}.bpf.o -j 2 -e verdict --repeat 3 --warmup 1
got=$(cut -d, -f1 <<< "$got" | uniq -c | xargs)
check "each process takes all samples" 0 '3 corpus_calls.bpf.o 3 corpus_tiny.bpf.o'

# ---- progress -----------------------------------------------------------------

# On a terminal one line is written again and again, and is gone in the end.
terminal() { # ARG...
	status=0
	script -qec "$veristat $progs/corpus_tiny.bpf.o $progs/corpus_calls.bpf.o -e verdict $* > $dir/out" \
		/dev/null < /dev/null > "$dir/err" 2>&1 || status=$?
	got=$(tr '\r' '\n' < "$dir/err" | sed -E 's/^\x1b\[K//; s/ [0-9]+:[0-9]{2},/ 0:00,/')
}
if script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
	terminal
	check "progress on a terminal" 0 "
veristat: 1 of 2 objects, 0:00, corpus_tiny.bpf.o/tiny
veristat: 2 of 2 objects, 0:00, corpus_calls.bpf.o/deep"
	terminal -q
	check "... but not with -q" 0 ''
else
	for test in "progress on a terminal" "... but not with -q"; do
		n=$((n + 1))
		echo "ok $n - veristat $test # SKIP no pseudo-terminals, or no script(1)"
	done
fi
status=0
"$veristat" "$progs/corpus_tiny.bpf.o" -e verdict > /dev/null 2> "$dir/err" || status=$?
got=$(grep -c "of 1 objects" "$dir/err")
check "no progress where there is no terminal" 0 0
status=0
"$veristat" --progress "$progs/corpus_tiny.bpf.o" -e verdict > /dev/null 2> "$dir/err" || status=$?
got=$(grep -c "of 1 objects" "$dir/err")
check "... unless it is asked for" 0 1

# ---- samples, counters, recordings -------------------------------------------

counted=kmallocs,kmalloc_bytes,slab_allocs,slab_bytes,allocs,frees,live_peak,xlated_hash
run "$progs/corpus_tiny.bpf.o" -e insns,kmallocs --repeat 3
got=$(cut -d, -f3 <<< "$got" | paste -sd' ')' '$(cut -d, -f4 <<< "$got" | grep -c '^[1-9]')
check "a row per sample, counters in the first" 0 '6 6 6 1'
run "$progs"/corpus_{lookups,tiny}.bpf.o -e $counted
first=$got
run "$progs"/corpus_{lookups,tiny}.bpf.o -e $counted
check "counters are the same each time" 0 "$first"
got=$(grep -cE '(,[0-9]+){7},[0-9a-f]{16}$' <<< "$got")
check "every counter is a number" 0 3
gotox=$AB_OUT/selftests/bpf_gotox.bpf.o
test="maps that serve one load are made anew for the next"
run "$gotox" -f /one_switch -e verdict
if [ "$got" = bpf_gotox.bpf.o,one_switch,success ]; then
	run "$gotox" -f /one_switch -e verdict,duration,mem_peak_kib,kmallocs --repeat 3 --warmup 2
	got=$(cut -d, -f3 <<< "$got" | paste -sd' ')
	check "$test" 0 'success success success'
else
	skip "$test" "no jump tables: ${got:-bpf_gotox is not built}"
fi
run "$progs/corpus_tiny.bpf.o" --record "$dir/rec.csv" --repeat 2
check "a recording is what is shown" 0 "$(tail -n +2 "$dir/rec.csv")"
got=$(grep -cE '^(kernel|clock|program)=' "$dir/rec.csv.env")
check "its sidecar says what it stands on" 0 3
recorded=$(cat "$dir/rec.csv")
status=0
got=$("$veristat" -R "$dir/rec.csv" -o csv 2> "$dir/err") || status=$?
check "the default columns survive -R" 0 "$recorded"
status=0
got=$("$veristat" -C --no-env -q "$dir/rec.csv" <("$veristat" -R "$dir/rec.csv" -o csv) 2> "$dir/err" |
	grep -cE '^result: nothing got worse: .*[0-9]+ equal') || status=$?
check "... and -C, as equal to themselves" 0 1
# Statistics that this kernel's verifier does not print are not measured, and not 0.
"$veristat" -q -v -l 4 "$progs/corpus_tiny.bpf.o" -e verdict > "$dir/log"
run "$progs/corpus_tiny.bpf.o" -e max_stack_depth
if grep -q '^stack depth .*max ' "$dir/log"; then
	check "the deepest stack is a number where the log has it" 0 'corpus_tiny.bpf.o,tiny,0'
else
	check "the deepest stack is not measured where the log lacks it" 0 \
		"corpus_tiny.bpf.o,tiny,unsupported: the log of this kernel's verifier does not tell"
fi
run "$progs/corpus_tiny.bpf.o" --record "$dir/nowhere/rec.csv" -e verdict
check "a recording that cannot be written" 3 ''

# ---- code -------------------------------------------------------------------

# With each load the kernel draws other numbers, which are no part of the code.
run "$progs/corpus_loops.bpf.o" -e xlated_hash
plain=$got
run "$progs/corpus_loops.bpf.o" -e xlated_hash --rnd-hi32
# Kernels of guests do; elsewhere there are some that don't.
if [ -z "${BPF_AB_CLOCK:-}" ] &&
	[ "$(cat "$dir/err")" = "veristat: this kernel does nothing about BPF_F_TEST_RND_HI32" ]; then
	check "random upper halves are refused where there are none" 3 ''
else
	poisoned=$got
	run "$progs/corpus_loops.bpf.o" -e xlated_hash --rnd-hi32
	check "random upper halves are masked" 0 "$poisoned"
	got=$([ "$plain" = "$poisoned" ] && echo same || echo other)
	check "... and they are there" 0 other
fi
mkdir "$dir/code"
run "$progs/corpus_tiny.bpf.o" -e verdict --dump-dir "$dir/code"
got=$(sed 's/[0-9]*//g' "$dir/code/corpus_tiny.bpf.o.tiny.txt" | head -n 4)
check "code in a folder: func info, line info, instructions" 0 'func type 
line file  text  column 
: r = *(u *)(r +)
: w = '
run "$progs/corpus_tiny.bpf.o" -e verdict --dump-dir "$dir/no/such"
check "code that cannot be kept" 3 'corpus_tiny.bpf.o,tiny,success'

# Interrupted in the second program, whenever this machine gets there.
rm -f "$dir/int.csv" "$dir/int.csv.env"
env --default-signal=INT "$veristat" --progress -o csv "$progs"/corpus_{tiny,lookups}.bpf.o \
	--repeat 200 --record "$dir/int.csv" -e verdict -f /tiny -f /hash_lookups \
	> /dev/null 2> "$dir/err" &
pid=$!
for ((i = 0; i < 600; i++)); do
	if grep -q "veristat: 2 of " "$dir/err" || ! kill -0 $pid 2> /dev/null; then break; fi
	sleep 0.1
done
kill -INT $pid 2> /dev/null
status=0
wait $pid || status=$?
got=$(grep -c '^complete=no$' "$dir/int.csv.env")
check "interrupted, what was measured is kept and marked" 3 1
got=$(grep -c ',success$' "$dir/int.csv"),$(grep -cvE '^file_name|,success$' "$dir/int.csv")
case $got in [01],*) ;; *) got="at least 2,${got#*,}" ;; esac
check "... and every row of it is a verdict" 3 'at least 2,0'

echo "1..$n"
exit $failed
