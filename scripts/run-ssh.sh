#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run one command on another machine over ssh, with the options and the results of
# vm.sh: what its arguments name is copied there, and the results come back.
#
# usage: run-ssh.sh --host HOST --share DIR [--timeout SEC] [--env NAME=VALUE]... -- COMMAND [ARG...]
#
# HOST is root on an x86-64 machine with bash and tar, reached without a password.
# All lies in a folder below /var/tmp there, which is gone afterwards, also if the
# connection breaks. Which kernel runs there is the user's business.
set -euo pipefail
. "$(dirname "$0")/common.sh"

host='' share='' timeout=900 envs=()
while [ $# -gt 0 ]; do
	case $1 in
	--host)    host=$2; shift 2 ;;
	--share)   share=$2; shift 2 ;;
	--timeout) timeout=$2; shift 2 ;;
	--env)     envs+=(--env "$2"); shift 2 ;;
	--)        shift; break ;;
	*)         say "run-ssh.sh: unknown argument $1"; exit 2 ;;
	esac
done
[ -n "$host" ] && [ -n "$share" ] && [ $# -gt 0 ] ||
	{ say "run-ssh.sh: needs --host HOST, --share DIR and a command"; exit 2; }
[[ $host != -* ]] || { say "run-ssh.sh: $host is no machine"; exit 2; }
mkdir -p "$share"
share=$(cd "$share" && pwd)
rm -f "$share"/{class,dmesg,stdout,stderr,booted}
ssh_options=(-o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15)
over() { ssh "${ssh_options[@]}" -- "$host" "$@"; }

ssh='' remote='' tmp=$(mktemp -d)
cleanup() {
	trap - EXIT INT TERM HUP
	[ -z "$ssh" ] || kill "$ssh" 2>/dev/null || true
	rm -rf "$tmp"
	[ -z "$remote" ] || over "rm -rf '$remote'" 2>/dev/null || true
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

remote=$(over 'umask 077; mktemp -d /var/tmp/bpf-ab.XXXXXXXXXX') || die "$host cannot be reached by ssh"
[[ $remote =~ ^/var/tmp/bpf-ab\.[A-Za-z0-9]+$ ]] || { remote=''; die "$host made no folder of its own"; }

# Files of the command and ours have the same paths below $remote.
files=("$AB_TOP"/{test_progs,veristat,bench} "$AB_TOP"/scripts/{common,ab-guest,run-host,run_bench_local_storage_create}.sh)
words=()
for word; do
	case $word in
	"$share"|"$share"/*) words+=("$remote/share${word#"$share"}") ;;
	/*) words+=("$remote$word"); [ ! -f "$word" ] || files+=("$word") ;;
	*)  words+=("$word") ;;
	esac
done
for f in "$AB_OUT"/progs/*.bpf.o; do
	files+=("$f")
done
tar -C / -cz -P --transform 's,^/,,' "${files[@]}" | over "tar -C '$remote' -xz" ||
	die "nothing can be copied to $host"

# The watch ends it all there when this end of the connection is gone.
run=$(printf ' %q' "$remote$AB_TOP/scripts/run-host.sh" --share "$remote/share" --timeout "$timeout" \
	"${envs[@]}" --env "BPF_AB_HOST=$host" -- "${words[@]}")
there=$(cat <<EOF
set -m
exec 4>&2 2> /dev/null # but for what this shell says of its jobs
$run < /dev/null 2>&4 & job=\$!
{ cat > /dev/null; kill -TERM \$job 2>/dev/null; sleep 5; rm -rf '$remote'; } <&3 & watch=\$!
wait \$job
status=\$?
kill -KILL -- -\$watch 2>/dev/null
exit \$status
EOF
)
mkfifo "$tmp/hold"
exec {hold}<> "$tmp/hold"
touch "$share/booted"
setpriv --pdeathsig TERM ssh "${ssh_options[@]}" -- "$host" \
	"exec 3<&0; exec bash -c $(printf %q "$there")" < "$tmp/hold" {hold}>&- &
ssh=$!
status=0
wait "$ssh" || status=$?
ssh=''
over "tar -C '$remote/share' -cz ." | tar -C "$share" -xz --no-same-owner --no-same-permissions ||
	die "the results cannot be fetched from $host"
exit $status
