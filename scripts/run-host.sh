#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run one command on the kernel that runs here, with the options and the results
# of vm.sh.
#
# usage: run-host.sh --share DIR [--timeout SEC] [--env NAME=VALUE]... -- COMMAND [ARG...]
#
# DIR gets stdout, stderr, class (done, hang) and dmesg: what the kernel has said
# meanwhile. dmesg stays empty if that cannot be told. Exit status: the command's
# own; 3 if it had to be ended.
set -euo pipefail
. "$(dirname "$0")/common.sh"

share='' timeout=900 envs=()
while [ $# -gt 0 ]; do
	case $1 in
	--share)   share=$2; shift 2 ;;
	--timeout) timeout=$2; shift 2 ;;
	--env)     envs+=("$2"); shift 2 ;;
	--)        shift; break ;;
	*)         say "run-host.sh: unknown argument $1"; exit 2 ;;
	esac
done
[ -n "$share" ] && [ $# -gt 0 ] || { say "run-host.sh: needs --share DIR and a command"; exit 2; }
mkdir -p "$share"
rm -f "$share"/{class,dmesg,stdout,stderr,booted}

command=''
cleanup() {
	trap - EXIT INT TERM HUP
	[ -z "$command" ] || kill -TERM -- "-$command" 2>/dev/null || true
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The log begins here; where it can't be written to, it can't be cut.
mark="bpf-ab: $$ $(date +%s%N) begins"
echo "$mark" 2>/dev/null > /dev/kmsg || mark=''
touch "$share/booted"
set -m # a process group of its own, so that all of it can be ended
env "${envs[@]}" BPF_AB_CLOCK=host "$@" > "$share/stdout" 2> "$share/stderr" < /dev/null &
command=$!
set +m
class='' deadline=$(($(uptime_seconds) + timeout))
while kill -0 "$command" 2>/dev/null; do
	if [ "$(uptime_seconds)" -ge $deadline ]; then
		class=hang
		kill -KILL -- "-$command" 2>/dev/null || true
		break
	fi
	sleep 0.2
done
status=0
wait "$command" 2>/dev/null || status=$?
command=''
: > "$share/dmesg"
if [ -n "$mark" ] && dmesg 2>/dev/null | grep -qF "$mark"; then
	dmesg | sed "1,/$mark/d" > "$share/dmesg"
	# Silence is a finding too, and an empty file means that nothing is known.
	[ -s "$share/dmesg" ] || echo "(nothing was logged)" > "$share/dmesg"
fi
echo "${class:-done}" > "$share/class"
[ -z "$class" ] || { say "the command ran longer than $timeout s"; exit 3; }
exit $status
