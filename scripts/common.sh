# SPDX-License-Identifier: GPL-2.0-only
# Shared by the scripts here: where things are, how a step is shown.
# shellcheck shell=bash

AB_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
AB_OUT=$AB_TOP/.output
AB_CACHE=${BPF_AB_CACHE:-$AB_TOP/.cache}
AB_LOG=$AB_OUT/log
mkdir -p "$AB_LOG" "$AB_CACHE"
AB_CACHE=$(cd "$AB_CACHE" && pwd)

say() { echo "$*" >&2; }
die() { echo "${0##*/}: $*" >&2; exit 3; }
step() { echo "[$(date +%H:%M:%S)] $*" >&2; }

need_cmd() {
	command -v "$1" >/dev/null 2>&1 || die "needs $1: $2"
}

# run_logged NAME CMD...: quiet on success; on failure the log's end and path.
run_logged() {
	local log=$AB_LOG/$1.log
	shift
	if ! "$@" >"$log" 2>&1; then
		say "failed: $*"
		tail -n 15 "$log" >&2
		die "the whole log is $log"
	fi
}

# One holder at a time, until the (sub)shell ends.
lock() {
	exec {AB_LOCK_FD}>"$1"
	if ! flock -n "$AB_LOCK_FD"; then
		step "waiting for another run ($1)"
		flock "$AB_LOCK_FD"
	fi
}

# What set-up found: setup_value KSRC_FOUND
setup_value() { sed -n "s/^$1 := //p" "$AB_OUT/setup.mk"; }

# A tree of the user is only read, its index included.
tree_git() { # TREE ARG...
	GIT_OPTIONAL_LOCKS=0 git -c safe.directory='*' -C "$1" "${@:2}"
}
is_git_tree() { tree_git "$1" rev-parse -q --verify HEAD > /dev/null 2>&1; }

# The commit that REV is in this tree.
tree_commit() { # TREE REV
	is_git_tree "$1" || { say "$1 is no git repository: it has no revision '$2'"; return 2; }
	tree_git "$1" rev-parse -q --verify --end-of-options "$2^{commit}" 2> /dev/null ||
		{ say "$1 has no revision '$2'"; return 2; }
}

# A short name for a state of a kernel tree. A Debian package is named by its
# version; a git tree by its commit and what is changed on top; any other by
# its path and the newest change of a source file below kernel/bpf and tools/.
# tree_key TREE COMMIT is that of a clean tree at that commit.
tree_key() {
	local src=$1 commit=${2:-}

	if [ -n "$commit" ]; then
		echo "$commit" | sha256sum | cut -c1-12
	elif [ -e "$src/.bpf-ab-complete" ]; then
		sha256sum < "$src/.bpf-ab-complete" | cut -c1-12
	elif tree_git "$src" rev-parse -q --verify HEAD >/dev/null 2>&1; then
		{
			tree_git "$src" rev-parse HEAD
			tree_git "$src" diff HEAD
			(cd "$src" && tree_git . ls-files -o -z --exclude-standard | xargs -0 -r sha256sum)
		} | sha256sum | cut -c1-12
	else
		{ echo "$src"; find "$src/kernel" "$src/net/core" "$src/tools/lib/bpf" -type f \
			-printf '%T@ %p\n'; } | sort | sha256sum | cut -c1-12
	fi
}

# progress LABEL COUNT TOTAL START: one line, rewritten on a terminal, else at
# most every 30 seconds. TOTAL may be 0: not known.
progress() {
	local label=$1 n=$2 total=$3 elapsed=$((SECONDS - $4)) left=''

	if [ "$total" -gt 0 ] && [ "$n" -gt 0 ]; then
		[ "$n" -le "$total" ] || total=$n
		left=", about $(mmss $((elapsed * (total - n) / n))) left"
	fi
	[ "$total" -gt 0 ] && total=" of $total" || total=''
	if [ -t 2 ]; then
		printf '\r\033[K[%s] %s: %d%s, %s%s' "$(date +%H:%M:%S)" "$label" "$n" "$total" \
			"$(mmss $elapsed)" "$left" >&2
	elif [ $((SECONDS - ${AB_PROGRESS_LAST:--30})) -ge 30 ]; then
		AB_PROGRESS_LAST=$SECONDS
		step "$label: $n$total, $(mmss $elapsed)$left"
	fi
}
progress_end() { [ ! -t 2 ] || printf '\r\033[K' >&2; }
# Seconds since this machine came up: SECONDS follows the clock on the wall, which
# may be set while we wait for something.
uptime_seconds() {
	local up
	read -r up _ < /proc/uptime
	echo "${up%%.*}"
}
mmss() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# progress_text TEXT: as progress, for what has no count of its own.
progress_text() {
	if [ -t 2 ]; then
		printf '\r\033[K[%s] %s' "$(date +%H:%M:%S)" "$1" >&2
	elif [ $((SECONDS - ${AB_PROGRESS_LAST:--30})) -ge 30 ]; then
		AB_PROGRESS_LAST=$SECONDS
		step "$1"
	fi
}

# run_counted LABEL PATTERN TOTAL LOG CMD...: runs it with its progress shown, which
# is the lines of LOG that match PATTERN. end_counted ends it and all it started.
AB_COUNTED=''
run_counted() {
	local label=$1 pattern=$2 total=$3 log=$4 start=$SECONDS status=0
	shift 4
	set -m # a process group of its own, so that all of it can be ended
	"$@" > "$log" 2>&1 < /dev/null &
	AB_COUNTED=$!
	set +m
	while kill -0 "$AB_COUNTED" 2>/dev/null; do
		progress "$label" "$(count_lines "$pattern" "$log")" "$total" "$start"
		sleep 1
	done
	progress_end
	wait "$AB_COUNTED" || status=$?
	AB_COUNTED=''
	return $status
}
end_counted() {
	[ -n "$AB_COUNTED" ] || return 0
	kill -TERM -- "-$AB_COUNTED" 2>/dev/null || true
	wait "$AB_COUNTED" 2>/dev/null || true
}
count_lines() {
	local n
	n=$(grep -cE "$1" "$2" 2>/dev/null) || true
	echo "${n:-0}"
}
