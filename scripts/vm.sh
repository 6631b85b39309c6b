#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run one command in a guest: this machine's root file system read-only, one
# writable folder, no network, and a kernel of your choice.
#
# usage: vm.sh --kernel BZIMAGE [options] -- COMMAND [ARG...]
#
#   --kernel FILE    the kernel to boot
#   --clock MODE     icount (default): guest time counts instructions, 1 CPU
#                    tcg-wall: guest time is ours, --smp CPUs, emulated
#                    kvm: guest time is ours, --smp CPUs of this machine
#   --smp N          CPUs with tcg-wall and kvm (2)
#   --memory SIZE    guest memory (4G)
#   --share DIR      the writable folder, at the same path inside; gets stdout,
#                    stderr, dmesg, console, class, and booted once userspace runs
#                    (default: one of our own, removed at the end)
#   --env NAME=VALUE set for the command (repeatable)
#   --append ARGS    more for the kernel command line
#   --timeout SEC    a guest that runs longer is a hang (900)
#   --quiet          do not copy the command's output here
#
# Exit status: the command's own; 3 if the guest ended in another way. The
# class is printed and kept in DIR/class: done, panic, hang, oom, died.
set -euo pipefail
. "$(dirname "$0")/common.sh"

usage() { sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; }

kernel='' clock=icount smp=2 memory=4G share='' timeout=900 quiet='' append=''
envs=()
while [ $# -gt 0 ]; do
	case $1 in
	--kernel)  kernel=$2; shift 2 ;;
	--clock)   clock=$2; shift 2 ;;
	--smp)     smp=$2; shift 2 ;;
	--memory)  memory=$2; shift 2 ;;
	--share)   share=$2; shift 2 ;;
	--env)     envs+=("$2"); shift 2 ;;
	--append)  append=$2; shift 2 ;;
	--timeout) timeout=$2; shift 2 ;;
	--quiet)   quiet=1; shift ;;
	-h|--help) usage; exit 0 ;;
	--)        shift; break ;;
	*)         say "vm.sh: unknown argument $1 (see --help)"; exit 2 ;;
	esac
done
[ -n "$kernel" ] && [ $# -gt 0 ] || { say "vm.sh: needs --kernel FILE and a command"; exit 2; }
[ -r "$kernel" ] || die "no kernel at $kernel (scripts/build-kernel.sh makes one)"
need_cmd qemu-system-x86_64 "install qemu-system-x86"

case $clock in
icount)
	smp=1
	# Without erms and fsrm a memmove is words, as on hardware; with them
	# each byte of it would count as one instruction.
	machine=(-accel tcg,thread=single -icount shift=0,sleep=off -cpu max,-erms,-fsrm) ;;
tcg-wall)
	# One host thread for all CPUs: the kernel patches its own code while the
	# others run it, which QEMU with a thread a CPU was seen to get wrong.
	machine=(-accel tcg,thread=single -cpu max)
	# A busy host may not get to the timer in the time in which the kernel
	# looks whether it ticks.
	append="no_timer_check $append"
	# Nor in the time in which it finds how fast the TSC is, which is this machine's
	# own: clocks were seen to run four times too fast. For a virtual machine that
	# is what it has for "cpu MHz".
	if grep -q '^flags.* constant_tsc .*hypervisor' /proc/cpuinfo &&
		! grep -qw aperfmperf /proc/cpuinfo; then
		append="tsc_early_khz=$(awk '/^cpu MHz/ { print int($4 * 1000); exit }' /proc/cpuinfo) $append"
	fi ;;
kvm)
	[ -w /dev/kvm ] || die "there is no /dev/kvm that can be used here"
	machine=(-accel kvm -cpu host) ;;
*)	say "vm.sh: --clock is icount, tcg-wall or kvm, not $clock"; exit 2 ;;
esac

mkdir -p "$AB_OUT/vm"
started=$(mktemp "$AB_OUT/vm/started.XXXXXX")
own_share=''
if [ -z "$share" ]; then
	share=$(mktemp -d "$AB_OUT/vm/share.XXXXXX")
	own_share=1
fi
mkdir -p "$share"
share=$(cd "$share" && pwd)
qemu=''
tails=()
cleanup() {
	trap - EXIT INT TERM HUP
	[ -z "$qemu" ] || kill -KILL "$qemu" 2>/dev/null || true
	[ ${#tails[@]} -eq 0 ] || kill "${tails[@]}" 2>/dev/null || true
	[ -z "$own_share" ] || rm -rf "$share"
	rm -f "$started"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

rm -f "$share"/{booted,status,status.tmp,class,console,dmesg,stdout,stderr}
touch "$share"/{stdout,stderr,console}
{
	printf 'export BPF_AB_CLOCK=%q BPF_AB_HOST=%q BPF_AB_CACHE=%q\n' \
		"$clock" "$(hostname)" "$AB_CACHE"
	for e in "${envs[@]}"; do
		printf 'export %s=%q\n' "${e%%=*}" "${e#*=}"
	done
	# The guest works in a tmpfs: a path from here must not be relative.
	case $1 in
	/*) ;;
	*/*) set -- "$(realpath "$1")" "${@:2}" ;;
	esac
	printf 'exec'
	printf ' %q' "$@"
	echo
} > "$share/run.bash"
echo "exec bash '$share/run.bash'" > "$share/run.sh"

cmdline="console=ttyS0 root=/dev/root rootfstype=9p ro"
cmdline+=" rootflags=trans=virtio,version=9p2000.L,cache=loose,msize=262144"
cmdline+=" init=$AB_TOP/scripts/guest-init.sh BPF_AB_SHARE=$share"
cmdline+=" panic=-1 loglevel=5 nokaslr softlockup_panic=1 $append"

# setpriv: if this script is killed outright, the guest goes with it. The sandbox:
# what breaks out of the guest starts no program and becomes nobody else.
setpriv --pdeathsig KILL qemu-system-x86_64 \
	"${machine[@]}" -smp "$smp" -m "$memory" \
	-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny \
	-nodefaults -nographic -no-reboot -serial "file:$share/console" -monitor none -nic none \
	-kernel "$kernel" -append "$cmdline" \
	-fsdev local,id=root,path=/,security_model=none,readonly=on,multidevs=remap \
	-device virtio-9p-pci,fsdev=root,mount_tag=/dev/root \
	-fsdev "local,id=share,path=$share,security_model=none" \
	-device virtio-9p-pci,fsdev=share,mount_tag=share \
	< /dev/null 2> "$share/qemu" &
qemu=$!
if [ -z "$quiet" ]; then
	tail -n +1 -f --pid=$qemu -s 0.2 "$share/stdout" 2>/dev/null &
	tails+=($!)
	tail -n +1 -f --pid=$qemu -s 0.2 "$share/stderr" >&2 2>/dev/null &
	tails+=($!)
fi

class=died
deadline=$(($(uptime_seconds) + timeout))
while kill -0 "$qemu" 2>/dev/null; do
	if [ -e "$share/status" ]; then
		# Everything is written; there is nothing to wait for.
		kill -KILL "$qemu" 2>/dev/null || true
		break
	fi
	if [ "$(uptime_seconds)" -ge $deadline ]; then
		class=hang
		kill -KILL "$qemu" 2>/dev/null || true
		break
	fi
	sleep 0.3
done
wait "$qemu" 2>/dev/null || true
qemu=''
[ ${#tails[@]} -eq 0 ] || wait "${tails[@]}" 2>/dev/null || true
tails=()

# A guest is not trusted with more than files: a link or a device that it left would be
# followed here, and a program of root's could be run by anybody.
find "$share" -xdev -cnewer "$started" ! -type f ! -type d -delete
find "$share" -xdev -cnewer "$started" -type f -perm /6000 -exec chmod ug-s {} +

# The OOM killer's words are in the log even if the guest lived on.
if grep -qsE 'Out of memory|deadlocked on memory|panic_on_oom' \
	"$share/console" "$share/dmesg"; then
	class=oom
elif [ -e "$share/status" ]; then
	class=done
elif grep -qsE 'soft lockup|blocked for more than .* seconds' "$share/console"; then
	class=hang
elif grep -qs 'Kernel panic - not syncing' "$share/console"; then
	class=panic
fi
echo "$class" > "$share/class"
if [ "$class" = done ]; then
	status=$(head -c 4 "$share/status")
	[[ $status =~ ^[0-9]+$ ]] || status=3
	exit "$status"
fi
say "guest: $class (kernel $kernel)"
[ -n "$own_share" ] && tail -n 20 "$share/console" >&2
[ -z "$own_share" ] && say "guest: its console is $share/console"
exit 3
