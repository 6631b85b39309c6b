#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the A/B driver makes of its arguments: sides, patches, the plan. Without a
# guest, on a repository that only looks like a kernel. Prints TAP.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

work=$AB_OUT/test-ab-plan
rm -rf "$work"
mkdir -p "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.org
# Nothing of this test is worth keeping in the user's cache.
export BPF_AB_CACHE=$work/cache
unset KSRC

run() { # sets $status and $work/log
	status=0
	"$@" > "$work/log" 2>&1 || status=$?
}
plan() { run scripts/ab --dry-run --only test_progs --out "$work/out" "$@"; }
says() { grep -qE -- "$1" "$work/log"; }
fails() { # fails STATUS WORDS: one line, without the rest of a shell's trouble
	[ "$status" = "$1" ] && says "$2" && [ "$(wc -l < "$work/log")" = 1 ]
}
key() { scripts/build-kernel.sh --print-key "$@" 2> "$work/key.log"; }

# ---- a tree, two commits, a branch of two patches ---------------------------------
tree=$work/tree
mkdir -p "$tree/kernel/bpf"
in_tree() { git -C "$tree" "$@" > /dev/null 2>&1; }
in_tree init -b main
echo 'mainmenu "x"' > "$tree/Kconfig"
echo one > "$tree/kernel/bpf/verifier.c"
in_tree add -A
in_tree commit -m "bpf: one"
in_tree tag v1
echo two > "$tree/kernel/bpf/verifier.c"
in_tree commit -a -m "bpf: two"
in_tree checkout -b topic
for i in 3 4; do
	echo $i >> "$tree/kernel/bpf/verifier.c"
	in_tree commit -a -m "bpf: Add $i, märchenhaft"
done
git -C "$tree" format-patch -q --cover-letter -o "$work/series" main..topic
git -C "$tree" format-patch -q --stdout main..topic > "$work/topic.mbox"
git -C "$tree" diff main topic > "$work/plain.diff"
{
	sed '/^Subject/s/\[PATCH 1\/2\]/Re: [PATCH 1\/2]/' "$work"/series/0001*
	cat "$work"/series/0002* "$work"/series/0000* "$work"/series/0001*
} > "$work/thread.mbox"
in_tree checkout main
export KSRC=$tree

at_main=$(key --rev main)
check "a clean tree and its commit are one kernel" [ "$(key)" = "$at_main" ]
check "two revisions are two" [ "$(key --rev v1)" != "$at_main" ]
echo changed >> "$tree/kernel/bpf/verifier.c"
check "what is not committed counts" [ "$(key)" != "$at_main" ]
in_tree checkout -f main
echo new > "$tree/kernel/bpf/new.c"
check "a new file counts" [ "$(key)" != "$at_main" ]
rm "$tree/kernel/bpf/new.c"

same_patches() { # same_patches PATH PATH: the same change by another name
	[ -n "$1" ] && [ "${1##*-}" = "${2##*-}" ]
}
mbox=$(key --rev main --patches "$work/topic.mbox")
check "a mbox is a kernel of its own" [ "$mbox" != "$at_main" ]
check "a folder of patches with a cover letter is the same" \
	same_patches "$mbox" "$(key --rev main --patches "$work/series")"
check "a thread with a reply, in another order, is the same" \
	same_patches "$mbox" "$(key --rev main --patches "$work/thread.mbox")"
check "the reply is named" grep -qE 'left out, a reply: Re: \[PATCH 1/2\]' "$work/key.log"
kept=$(find "$BPF_AB_CACHE/patches" -name 0001.patch -newer "$work/topic.mbox" | head -n 1)
check "mails are decoded" grep -q '^+3$' "$kept"
check "a plain diff is a patch" [ -n "$(key --rev main --patches "$work/plain.diff")" ]
cat "$work/topic.mbox" "$work/topic.mbox" > "$work/twice.mbox"
run scripts/build-kernel.sh --print-key --patches "$work/twice.mbox"
check "two versions of a patch are refused" fails 2 'two patches 0001 .*leave one version'
sed -n '/^diff/q;p' "$work"/series/0000* > "$work/cover.mbox"
run scripts/build-kernel.sh --print-key --patches "$work/cover.mbox"
check "a mbox without a patch is refused" fails 2 'no patch in it'
echo hello > "$work/words"
run scripts/build-kernel.sh --print-key --patches "$work/words"
check "what is neither mbox nor patch is refused" fails 2 'neither a mbox nor a patch'
run scripts/build-kernel.sh --print-key --rev v9
check "a revision that is not there is refused" fails 2 "has no revision 'v9'"

# ---- sides --------------------------------------------------------------------------
plan --patched "$work/topic.mbox"
check "a mbox: base is the tree below it" says "kernel of base, .*: $(key)$"
check "a mbox: patched is it with the patches" says "kernel of topic, .*: $(key --patches "$work/topic.mbox")$"
plan --patched "v1+$work/series"
check "REV+DIR: base is REV" says "kernel of base, .*: $(key --rev v1)$"
check "REV+DIR: the name says so" says 'kernel of v1\+series'
plan --base v1 --patched topic
check "two revisions" says "kernel of topic, .*: $(key --rev topic)$"
git -C "$tree" worktree add -q "$work/other" topic > /dev/null 2>&1
plan --base main --patched "$work/other"
check "a worktree is its commit" says "kernel of other, .*: $(key --rev topic)$"
plan --patched topic
check "a revision alone: what is it compared with?" fails 2 'say --base'
plan --patched nothing-of-the-kind
check "a word that is nothing is refused" fails 2 "'nothing-of-the-kind' is no series"
plan --patched host
check "this machine alone: what is it compared with?" fails 2 'say --base'
plan --base v1 --patched host
check "a guest and a machine have no clock in common" fails 2 'no clock in common'
plan --patched ssh:-oProxyCommand=x
check "an option is no machine" fails 2 'is no machine'

# ---- options ------------------------------------------------------------------------
plan --base v1 --patched topic --boots 3
names=$(sed -n 's/^  boot \(.*\), boot .*/\1/p' "$work/log" | tr '\n' ' ')
check "boots alternate ABBA" [ "$names" = "v1 topic topic v1 v1 topic " ]
check "the plan says what it takes" says '^  in all about [0-9]+:[0-9][0-9], 2 at a time$'
plan --base v1 --patched topic --count 0
check "no rounds without a create" fails 2 '--count wants 1 to'
run scripts/ab-all.sh --into "$work/reports" --boots 0
check "what is wrong for one claim is not tried for the others" \
	[ "$status: $(grep -c '^==' "$work/log")" = "2: 1" ]
plan --base host --patched host --jobs 2
check "no company with a clock on the wall" fails 2 '--jobs is for counted clocks'
plan --base host --patched host --clock icount
check "a machine has no counted clock" fails 2 'host and ssh have no --clock icount'
plan --base v1 --patched topic --clock host
check "a guest has no clock of the host" fails 2 'not host'
plan --base v1 --patched topic --debug --only veristat
check "no timings of a debug kernel" fails 2 'tests only'
plan --base v1 --patched topic --debug --clock icount
check "no clock for a debug kernel" fails 2 'nothing is timed'
plan --base v1 --patched topic --debug
check "a debug kernel is a kernel of its own" says ": $(key --rev topic --config debug)$"
plan --base v1 --patched topic --only veristat --objects 'corpus_tiny,corpus_nix*'
check "a pattern without an object is named" fails 2 'no object matches --objects corpus_nix\*'
run scripts/ab --resume "$work/series"
check "a folder that no run left is not resumed" fails 2 'holds no plan'

# ---- bisect: kernels that are only said to be built, and a guest that says what it
# ---- measured: 10 instructions a line of the source
cat > "$work/build" <<'EOF'
#!/bin/bash
while [ $# -gt 0 ]; do
	[ "$1" != --rev ] || rev=$2
	shift
done
kernel=$BPF_AB_CACHE/kernels/$rev
mkdir -p "$kernel"
git -C "$KSRC" show "$rev:kernel/bpf/verifier.c" > "$kernel/source" || exit 3
! grep -q broken "$kernel/source" || exit 3
touch "$kernel/info" "$kernel/vmlinux.btf"
echo "$kernel"
EOF
cat > "$work/vm" <<'EOF'
#!/bin/bash
while [ "$1" != -- ]; do
	case $1 in
	--kernel) kernel=${2%/bzImage} ;;
	--share)  dir=$2 ;;
	esac
	shift
done
lines=$(wc -l < "$kernel/source")
echo "$lines" >> "$AB_SEEN"
touch "$dir/booted" "$dir/measured"
echo done > "$dir/class"
printf 'file_name,prog_name,total_insns\na.bpf.o,prog,%d\n' $((lines * 10)) > "$dir/veristat.csv"
[ "$lines" != "${AB_DIE_AT:-}" ] || kill -KILL $PPID
EOF
chmod +x "$work/build" "$work/vm"
in_tree checkout -b long v1
for i in 2 3 4 5 6 7 8 9; do
	case $i in
	4) echo "broken" >> "$tree/kernel/bpf/verifier.c" ;;
	5) sed -i 's/broken/mended/' "$tree/kernel/bpf/verifier.c" ;;
	*) echo "line $i" >> "$tree/kernel/bpf/verifier.c" ;;
	esac
	in_tree commit -a -m "bpf: commit $i"
done
in_tree checkout main
mkdir "$work/objects"
: > "$work/objects/a.bpf.o"
find_bad() { # find_bad DIE-AT QUESTION
	run env AB_BUILD="$work/build" AB_VM="$work/vm" AB_SEEN="$work/seen" AB_DIE_AT="$1" scripts/ab bisect \
		--good v1 --bad long --objdir "$work/objects" --out "$work/bisect" --when "$2"
}
found() { [ "$status" = 0 ] && says "^first bad commit: [0-9a-f]+ A [0-9-]+ bpf: commit $1$"; }
boots_of() { wc -l < "$work/seen"; }

find_bad 6 'insns>45'
check "a bisection that is killed in a boot" [ "$status" = 137 ]
before=$(boots_of)
find_bad '' 'insns>45'
check "and begun again: the first bad commit" found 6
check "and begun again: what was measured before is not measured again" \
	[ "$(sort "$work/seen" | uniq -d)" = 6 ] 
echo "# $before boots before, $(boots_of) in all"
find_bad '' 'a.bpf.o/prog,insns>25'
check "another question, of the same boots" found 3
find_bad '' 'insns>1000'
check "an end that is not what it is said to be: exit 3" [ "$status" = 3 ]
check "an end that is not what it is said to be: which" says 'long is not bad but good: insns>1000$'
find_bad '' 'no_such_column>1'
check "a question that cannot be answered" [ "$status" = 3 ]
run scripts/ab bisect --good v1 --bad long
check "a bisection without a question" fails 2 'wants --good, --bad and --when'

check "the tree was never written to" [ -z "$(git -C "$tree" status --porcelain)" ]
echo "1..$n"
