#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Guests end in the class that they deserve, and what runs in them gets what
# it was given. Prints TAP.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

kernel=$(scripts/build-kernel.sh)/bzImage
work=$AB_OUT/test-vm
rm -rf "$work"
mkdir -p "$work"
guest() { # guest DIR [vm.sh options] -- CMD: sets $status
	local dir=$1
	shift
	status=0
	scripts/vm.sh --kernel "$kernel" --clock tcg-wall --share "$work/$dir" "$@" \
		> "$work/log" 2>&1 || status=$?
}
class() { [ "$(cat "$work/$1/class")" = "$2" ]; }
a_guest() { pgrep -f "qemu-system.*path=$work" >/dev/null; }
no_guest() { ! a_guest; }

guest status -- sh -c 'exit 7'
check "the command's exit status comes out" [ "$status" = 7 ]
check "class done" class status done

# shellcheck disable=SC2016 # for the guest's shell
guest args -- bash -c 'printf "%s|" "$@"' x 'a b/c @unpriv' '$HOME "quoted"' "it's"
check "arguments reach the guest whole" \
	[ "$(cat "$work/args/stdout")" = "a b/c @unpriv|\$HOME \"quoted\"|it's|" ]

guest world -- sh -c 'touch /root/x 2>/dev/null && echo root-writable
	mount -o remount,rw / 2>/dev/null; touch /root/x 2>/dev/null && echo root-remounted
	ls /sys/class/net;
	cat /sys/fs/cgroup/cgroup.subtree_control; ls -d /sys/kernel/tracing/events/kmem;
	stat -f -c %T /sys/fs/bpf; cat /sys/kernel/security/lsm; echo; dmesg | grep tsc:'
check "the root is read-only" test -z "$(grep root-writable "$work/world/stdout")"
check "nor can it be made writable" test -z "$(grep root-remounted "$work/world/stdout")"
check "no network but lo" [ "$(grep -cE '^(eth|ens|enp)' "$work/world/stdout")" = 0 ]
check "cgroup2 has memory" grep -qw memory "$work/world/stdout"
check "tracefs is there" grep -q events/kmem "$work/world/stdout"
check "bpffs is there" grep -qE 'bpf' "$work/world/stdout"
check "bpf is an active LSM" grep -qE '(^|,)bpf(,|$)' "$work/world/stdout"
if grep -q '^flags.* constant_tsc .*hypervisor' /proc/cpuinfo && ! grep -qw aperfmperf /proc/cpuinfo; then
	check "its clock is as fast as this machine's" grep -qF \
		"tsc: Detected $(awk '/^cpu MHz/ { print $4; exit }' /proc/cpuinfo) MHz" "$work/world/stdout"
else
	skip "its clock is as fast as this machine's" "how fast the TSC is can't be told here"
fi

# 9p may lose a file that is unlinked while it is open, so that is not where tests write.
guest written -- perl -e 'for my $name ("here", "$ENV{TMPDIR}/there", "/tmp/there") {
	my $file;
	open($file, ">", $name) && unlink($name) && stat($file) or die "$name: $!\n" }
	exec "stat", "-f", "-c", "%T", ".", $ENV{TMPDIR}, "/tmp"'
check "a file that was unlinked while it is open is still there" [ "$status" = 0 ]
check "what tests write is in memory" [ "$(sort -u "$work/written/stdout")" = tmpfs ]

# A guest that wants something of the machine it runs on.
echo mine > "$work/victim"
mkdir "$work/evil"
ln -s ../victim "$work/evil/ours"
# shellcheck disable=SC2016 # for the guest's shell
guest evil -- sh -c 'cd "$0" || exit 1; ln -s "$1" class; ln -s "$1" complete; mkfifo pipe
	mknod disk b 8 0; cp /bin/true root; chmod 6755 root; mkdir in; ln -s /etc in/etc
	rm -f stdout; ln -s "$1" stdout; touch done' "$work/evil" "$work/victim"
check "a link that a guest left is not followed" [ "$(cat "$work/victim")" = mine ]
check "the class is a file of its own" class evil done
check "links, pipes and devices of a guest are gone" \
	[ "$(find "$work/evil" ! -type f ! -type d)" = "$work/evil/ours" ]
check "its programs are nobody's but who runs them" \
	[ "$(find "$work/evil" -name root -printf '%m\n')" = 755 ]
check "all of that was tried" [ -e "$work/evil/done" ]

guest panic -- sh -c 'echo c > /proc/sysrq-trigger'
check "a panic in a test: status 3" [ "$status" = 3 ]
check "a panic in a test: class panic" class panic panic
check "a panic in a test: the console is kept" grep -q 'Kernel panic' "$work/panic/console"

guest hang --timeout 20 -- sleep 1000
check "a hang: status 3" [ "$status" = 3 ]
check "a hang: class hang" class hang hang

guest oom --clock icount --memory 512M --timeout 200 -- sh -c 'tail /dev/zero; sleep 1'
check "out of memory: status 3" [ "$status" = 3 ]
check "out of memory: class oom" class oom oom

# Killed outright: the guest must not live on.
scripts/vm.sh --kernel "$kernel" --share "$work/killed" --quiet -- sleep 1000 \
	> "$work/log" 2>&1 &
pid=$!
sleep 3
check "a guest is running" a_guest
kill -KILL $pid
wait $pid 2>/dev/null
sleep 1
check "vm.sh killed: no guest is left" no_guest

scripts/vm.sh --kernel "$kernel" --share "$work/term" --quiet -- sleep 1000 \
	> "$work/log" 2>&1 &
pid=$!
sleep 2
kill -TERM $pid
wait $pid 2>/dev/null
check "vm.sh ended: no guest is left" no_guest
rm -rf "$work"
echo "1..$n"
