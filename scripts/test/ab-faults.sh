#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What may go wrong in an A/B run, each put in on purpose: every fault has its
# class, nothing measured is lost, nothing half measured is used, and the run that
# is resumed afterwards reports what an undisturbed one does. Prints TAP.
#
# usage: ab-faults.sh [CASE...]    (all of them, 20 minutes)
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

all="init panic hang warn oom qemu full eio deleted changed guest-clock host-clock killed"
work=$AB_OUT/test-ab-faults
leave() {
	trap - EXIT INT TERM HUP
	mountpoint -q "$work/small" && umount "$work/small"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
leave
rm -rf "$work"
mkdir -p "$work/objects" "$work/bin"

scripts/build-kernel.sh > /dev/null || exit 3
cp .output/progs/corpus_tiny.bpf.o "$work/objects/"

# In place of vm.sh: the same guest, with the fault $FAULT in the patched one.
cat > "$work/vm" <<'EOF'
#!/bin/bash
options=()
while [ "$1" != -- ]; do
	options+=("$1")
	shift
done
shift
case ${options[*]} in
*"/patched/boot-1.part"*) ;;
*) FAULT='' ;;
esac
case $FAULT in
init)            options+=(--append init=/nothing) ;;
panic|hang|warn) options+=(--append "bpf_fault=$FAULT") ;;
oom)             options+=(--memory 512M); set -- sh -c 'tail /dev/zero & exec "$@"' sh "$@" ;;
full)            dd if=/dev/zero of="$FAULT_FOLDER/filler" bs=4k status=none 2> /dev/null
                 truncate -s -12k "$FAULT_FOLDER/filler" ;;
deleted)         rm "$FAULT_FOLDER/corpus_tiny.bpf.o" ;;
changed)         cp "$FAULT_FOLDER/other" "$FAULT_FOLDER/corpus_tiny.bpf.o" ;;
guest-clock)     set -- bash -c 'date -s "+1 day"; (sleep 1; date -s "-3 days") & exec "$@"' sh "$@" ;;
eio)             PATH=$FAULT_FOLDER/bin:$PATH ;;
esac > /dev/null
exec "$AB_TOP/scripts/vm.sh" "${options[@]}" -- "$@"
EOF
chmod +x "$work/vm"
cat > "$work/bin/qemu-system-x86_64" <<EOF
#!/bin/sh
FAULT_EIO=objects/corpus_tiny LD_PRELOAD=$work/faults.so exec $(command -v qemu-system-x86_64) "\$@"
EOF
chmod +x "$work/bin/qemu-system-x86_64"
gcc -O1 -shared -fPIC -o "$work/faults.so" scripts/test/faults.c -ldl || exit 3

run() { # run NAME [ab options]: sets $status and $work/log
	local name=$1
	shift
	status=0
	AB_TOP=$AB_TOP AB_VM=$work/vm FAULT_FOLDER=${FAULT_FOLDER:-} FAULT=${FAULT:-} \
		scripts/ab --boots 1 --only veristat --objdir "$work/objects" --out "$work/$name" \
		"${sides[@]}" "$@" > "$work/log" 2>&1 || status=$?
}
resume() { # resume NAME: without faults
	status=0
	scripts/ab --resume "$work/$1" > "$work/log" 2>&1 || status=$?
}
says() { grep -qE -- "$1" "$work/log"; }
class() { [ "$(cat "$work/$1/class")" = "$2" ]; }
no_half() { [ -z "$(find "$work/$1" -name '*.part')" ] && [ ! -e "$work/$1/patched/boot-1" ]; }
base_kept() { [ -e "$work/$1/base/boot-1/complete" ] && [ -s "$work/$1/base/boot-1/veristat.csv" ]; }
# The faults that this kernel has are asked for on its command line.
faulty_sides() {
	sides=(--base scripts/test/series/faults --patched scripts/test/series/faults)
}
# The base boots once; each fault is one boot of the other side.
sides=(--base base --patched base)
share_base() { # NAME
	mkdir -p "$work/$1"
	cp -a "$work/whole/base" "$work/$1/"
}
# What a run reports, without when and where it was.
figures() { ./veristat -q -C -o csv "$work/$1/base" "$work/$1/patched" | cut -d, -f1-3; }
verdict() { sed -n 's/^verdict: //p' "$work/$1/report.txt"; }
same_report() { # same_report NAME: as the undisturbed run
	[ -n "$(figures whole)" ] && [ "$(figures "$1")" = "$(figures whole)" ] &&
		[ "$(verdict "$1")" = "$(verdict whole)" ] && class "$1" equal
}

# fault NAME STATUS CLASS WORDS
fault() {
	share_base "$1"
	FAULT=$1 run "$1" "${@:5}"
	check "$1: exit $2" [ "$status" = "$2" ]
	check "$1: class $3" class "$1" "$3"
	check "$1: what happened is said" says "$4"
}
survived() { # NAME: nothing is lost or half used, and the run can be resumed
	check "$1: the base's boot is kept, no half one is left" base_kept "$1"
	check "$1: nothing of the other side is used" no_half "$1"
	resume "$1"
	check "$1, resumed: the undisturbed report" same_report "$1"
}

case_init() {
	fault init 3 panic 'again: panic|panic \(console'
	check "init: tried once more, as nothing was measured" [ "$(wc -l < "$work/init/retries")" = 1 ]
	survived init
}
case_panic() {
	faulty_sides
	FAULT=panic run panic
	check "panic in a test: exit 3" [ "$status" = 3 ]
	check "panic in a test: class panic" class panic panic
	check "panic in a test: not tried again" [ ! -e "$work/panic/retries" ]
	check "panic in a test: the console is kept" \
		grep -q 'dies of a program' "$work/panic/patched/boot-1.failed/console"
}
case_hang() {
	faulty_sides
	FAULT=hang run hang --timeout 150
	check "hang with interrupts off: exit 3" [ "$status" = 3 ]
	check "hang with interrupts off: class hang" class hang hang
	check "hang with interrupts off: not tried again" [ ! -e "$work/hang/retries" ]
	check "hang with interrupts off: the other side is kept" base_kept hang
}
case_warn() {
	faulty_sides
	FAULT=warn run warn
	check "a WARN on one side: exit 1" [ "$status" = 1 ]
	check "a WARN on one side: class splat" class warn splat
	check "a WARN on one side: it is shown" says 'a test input that complains|syscall.c'
	echo 'WARNING: *' > "$work/allow"
	FAULT=warn run warn --report --allow "$work/allow"
	check "a WARN that is allowed: exit 0" [ "$status" = 0 ]
	: > "$work/warn/patched/boot-1/dmesg"
	run warn --report
	check "a log that cannot be read is not clean" [ "$status" = 3 ]
}
case_oom() {
	fault oom 3 oom 'oom \(console'
	survived oom
}
case_qemu() {
	share_base qemu
	(
		until grep -qs 'stage veristat' "$work/qemu/patched/boot-1.part/stderr"; do sleep 0.2; done
		pkill -KILL -f "qemu-system.*path=$work/qemu/patched"
	) &
	run qemu
	wait $!
	check "QEMU killed: exit 3" [ "$status" = 3 ]
	check "QEMU killed: class died" class qemu died
	survived qemu
}
case_full() {
	mkdir -p "$work/small"
	mount -t tmpfs -o size=400m bpf-ab "$work/small" || return
	mkdir "$work/small/full"
	ln -s small/full "$work/full"
	share_base full
	FAULT=full FAULT_FOLDER=$work/small run full
	check "disk full while recording: exit 3" [ "$status" = 3 ]
	check "disk full while recording: no half boot is used" [ ! -e "$work/full/patched/boot-1" ]
	check "disk full while recording: what happened is said" says 'not measured|died'
	rm "$work/small/filler"
	resume full
	check "disk full, resumed: the undisturbed report" same_report full
	umount "$work/small"
}
case_eio() {
	FAULT_FOLDER=$work fault eio 3 "not measured" 'ended with status|cannot be read|Input/output error'
	survived eio
}
case_deleted() {
	cp "$work/objects/corpus_tiny.bpf.o" "$work/kept"
	FAULT_FOLDER=$work/objects fault deleted 3 "not measured" 'corpus_tiny.bpf.o has been changed or deleted'
	cp "$work/kept" "$work/objects/corpus_tiny.bpf.o"
	survived deleted
}
case_changed() {
	cp "$work/objects/corpus_tiny.bpf.o" "$work/kept"
	cp .output/progs/corpus_branches.bpf.o "$work/objects/other" 2>/dev/null ||
		cp "$(find .output/progs -name 'corpus_*.bpf.o' ! -name '*tiny*' | head -n 1)" "$work/objects/other"
	FAULT_FOLDER=$work/objects fault changed 3 "not measured" 'corpus_tiny.bpf.o has been changed or deleted'
	rm "$work/objects/other"
	cp "$work/kept" "$work/objects/corpus_tiny.bpf.o"
	survived changed
}
case_guest-clock() {
	share_base guest-clock
	FAULT=guest-clock run guest-clock
	check "a guest's clock that jumps by days: the undisturbed report" same_report guest-clock
}
case_host-clock() {
	share_base host-clock
	LD_PRELOAD=$work/faults.so FAULT_JUMP=$(($(uptime_seconds) + 8)) run host-clock
	check "the clock of this machine jumps by an hour: the undisturbed report" same_report host-clock
}
case_killed() {
	local i
	for i in 1 2 3 4 5 6 7 8 9 10; do
		AB_VM=$work/vm FAULT='' AB_TOP=$AB_TOP timeout -s KILL "$((1 + RANDOM % 40)).$RANDOM" scripts/ab \
			--boots 1 --only veristat --objdir "$work/objects" --out "$work/killed" "${sides[@]}" \
			> "$work/log.$i" 2>&1
	done
	resume killed
	check "killed at ten random moments and resumed: the undisturbed report" same_report killed
	check "killed: no half boot is left" [ -z "$(find "$work/killed" -name '*.part')" ]
}

run whole
check "undisturbed: exit 0" [ "$status" = 0 ]
check "undisturbed: class equal" class whole equal
# shellcheck disable=SC2086 # words
[ $# -gt 0 ] || set -- $all
for name; do
	declare -F "case_$name" > /dev/null || { say "ab-faults.sh: no case $name (of: $all)"; exit 2; }
	sides=(--base base --patched base)
	"case_$name"
done
echo "1..$n"
