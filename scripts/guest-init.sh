#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The first process of a guest: mounts what a BPF test wants to find, runs the
# one command that vm.sh left in the share, keeps its status and the kernel
# log there, and powers off. BPF_AB_SHARE comes from the kernel command line.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root TERM=dumb LC_ALL=C.UTF-8

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm
ln -sf /proc/self/fd /dev/fd
mount -t devpts devpts /dev/pts 2>/dev/null
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /run
mkdir -p /run/work /run/tmp
# A checkout below /tmp would be hidden by a tmpfs there.
case $BPF_AB_SHARE in
/tmp/*) ;;
*) mount -t tmpfs tmpfs /tmp ;;
esac
export TMPDIR=/run/tmp

mount -t 9p -o trans=virtio,version=9p2000.L,cache=none,msize=262144 share "$BPF_AB_SHARE" || {
	echo "guest-init: the share cannot be mounted" > /dev/console
	echo o > /proc/sysrq-trigger
	sleep 60
}
touch "$BPF_AB_SHARE/booted"
mount -t bpf bpf /sys/fs/bpf
mount -t cgroup2 cgroup2 /sys/fs/cgroup && echo +memory > /sys/fs/cgroup/cgroup.subtree_control
mount -t debugfs debugfs /sys/kernel/debug
mount -t tracefs tracefs /sys/kernel/tracing
mount -t securityfs securityfs /sys/kernel/security 2>/dev/null
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null
# A guest without memory is of no more use: end it now, in a class of its own.
echo 1 > /proc/sys/vm/panic_on_oom

cd /run/work || exit
sh "$BPF_AB_SHARE/run.sh" > "$BPF_AB_SHARE/stdout" 2> "$BPF_AB_SHARE/stderr" < /dev/null
status=$?
dmesg > "$BPF_AB_SHARE/dmesg" 2>/dev/null
echo $status > "$BPF_AB_SHARE/status.tmp"
mv "$BPF_AB_SHARE/status.tmp" "$BPF_AB_SHARE/status"
sync
echo o > /proc/sysrq-trigger
sleep 60
