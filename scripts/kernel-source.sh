# SPDX-License-Identifier: GPL-2.0-only
# Source trees that build-kernel.sh may change, and patches that it puts into them.
# shellcheck shell=bash disable=SC2154 # src, saved, obj are those of build-kernel.sh

# ---- the tree ---------------------------------------------------------------

# All worktrees of a repository have one mirror: its objects are built once.
tree_repository() { (cd "$1" && cd "$(tree_git . rev-parse --git-common-dir)" && pwd -P); }

# Where the mirror of a tree is.
mirror_path() {
	local of=$1
	! is_git_tree "$1" || of=$(tree_repository "$1")
	echo "$AB_CACHE/linux/ksrc-$(echo "$of" | sha256sum | cut -c1-8)"
}

# The git folder of a mirror is beside it: a kernel build asks git for its version.
mirror_git() { git --git-dir="$src.git" --work-tree="$src" "$@"; }

# mirror_repository TREE COMMIT: our own checkout, with the objects of the user's
# repository. Without COMMIT, of what lies in TREE, committed or not. Only what
# differs from the last one is written, so only that is compiled.
mirror_repository() {
	local tree=$1 commit=$2 of
	of=$(tree_repository "$tree")
	if [ ! -e "$src.git/HEAD" ]; then
		git init -q --bare "$src.git"
		git --git-dir="$src.git" config core.bare false
		echo '.bpf-ab-*' > "$src.git/info/exclude"
	fi
	echo "$of/objects" > "$src.git/objects/info/alternates"
	rm -f "$src.git/shallow"
	[ ! -e "$of/shallow" ] || cp "$of/shallow" "$src.git/shallow"
	run_logged mirror mirror_git checkout -q -f --detach \
		"${commit:-$(tree_git "$tree" rev-parse HEAD)}"
	mirror_git clean -fdq
	[ -z "$commit" ] || return 0
	tree_git "$tree" diff --binary HEAD > "$src.diff"
	[ ! -s "$src.diff" ] ||
		(cd "$src" && run_logged mirror-diff mirror_git apply --whitespace=nowarn "$src.diff")
	rm "$src.diff"
	tree_git "$tree" ls-files -o -z --exclude-standard |
		rsync -a --from0 --files-from=- "$tree/" "$src/"
}

mirror_folder() { # TREE
	rsync -a --delete --exclude=.git --exclude='*.o' --exclude='*.a' --exclude='*.cmd' \
		--exclude='/.config*' --exclude=/include/config --exclude=/include/generated \
		--exclude='/arch/*/include/generated' --exclude='/vmlinux*' \
		--exclude=.bpf-ab-saved --exclude=.bpf-ab-patched "$1/" "$src/"
	# It has given back their old times to files that were patched once, and
	# make would believe that the patched objects are still good.
	[ ! -e "$src/.bpf-ab-patched" ] ||
		(cd "$src" && xargs -d '\n' touch -c < .bpf-ab-patched)
}

mirror() { # TREE COMMIT
	need_cmd rsync "scripts/setup.sh installs it"
	step "mirror of $1${2:+ at ${2:0:12}}"
	mkdir -p "$src"
	if is_git_tree "$1"; then
		mirror_repository "$1" "$2"
	else
		mirror_folder "$1"
	fi
}

# ---- patches ----------------------------------------------------------------

# Only what is applied counts: a better commit message builds nothing.
patches_key() {
	awk 'FNR == 1 || /^From [0-9a-f]+ / { on = 0 } /^diff / { on = !/ b\/tools\/testing\// }
		on && !/^index /' "$@" | sha256sum | cut -c1-8
}

# mail_patch MAIL INDEX DIR: its patch as DIR/NNNN.patch, N from "n/m" in its
# subject, else INDEX. A cover letter or a reply has none.
mail_patch() {
	local subject number
	git mailinfo -k "$3/message" "$3/diff" < "$1" > "$3/header" 2>/dev/null ||
		die "$1: no mail that git can read"
	subject=$(sed -n 's/^Subject: //p' "$3/header")
	grep -qE '^(diff |--- )' "$3/diff" || return 0
	if [[ $subject =~ ^[Rr][Ee]: ]]; then
		say "notice: left out, a reply: $subject"
		return 0
	fi
	number=$2
	[[ ! $subject =~ ^\[[^]]*[^0-9]([0-9]+)/[0-9]+\] ]] || number=${BASH_REMATCH[1]}
	number=$3/$(printf '%04d' "$((10#$number))").patch
	[ ! -e "$number" ] ||
		die "there are two patches $(basename "$number" .patch) ('$subject'): leave one version"
	# Without git's own signature, which is no part of the patch.
	sed -z 's/\n-- \n[0-9][^\n]*\n*$/\n/' "$3/diff" > "$number"
	rm "$3/diff"
}

# patches_of PATH DIR: the patches of a mbox, a mail, a diff, or a folder of these,
# as files in DIR.
patches_of() {
	local file n=0 mail
	if [ -d "$1" ]; then
		for file in "$1"/*.patch "$1"/*.diff "$1"/*.mbox "$1"/*.mbx "$1"/*.eml; do
			[ -e "$file" ] || continue
			n=$((n + 1))
			mkdir -p "$2/$(printf '%04d' $n)"
			patches_of "$file" "$2/$(printf '%04d' $n)"
		done
	elif grep -m 1 -qE '^(From |[A-Z][A-Za-z-]+: )' <(head -n 3 "$1"); then
		mkdir "$2/mails"
		git mailsplit -b -o"$2/mails" "$1" > /dev/null 2>&1 || die "$1: no mbox that git can read"
		for mail in "$2/mails"/*; do
			n=$((n + 1))
			mail_patch "$mail" $n "$2"
		done
	elif grep -qE '^(diff |--- )' "$1"; then
		cp "$1" "$2/0001.patch"
	else
		die "$1: neither a mbox nor a patch"
	fi
}

# unpack_patches PATH: prints the patches of PATH in their order, kept in the cache.
unpack_patches() {
	local tmp kept
	[ -r "$1" ] || { say "$1: no such mbox or folder of patches"; return 2; }
	need_cmd git "scripts/setup.sh installs it"
	mkdir -p "$AB_CACHE/patches"
	tmp=$(mktemp -d "$AB_CACHE/patches/tmp.XXXXXX")
	if ! (patches_of "$1" "$tmp"); then
		rm -rf "$tmp"
		return 2
	fi
	rm -rf "$tmp"/{mails,message,diff,header} "$tmp"/*/{mails,message,diff,header}
	if [ -z "$(find "$tmp" -name '*.patch')" ]; then
		rm -rf "$tmp"
		say "$1: no patch in it"
		return 2
	fi
	kept=$AB_CACHE/patches/$(find "$tmp" -name '*.patch' | sort | xargs sha256sum |
		cut -c1-64 | sha256sum | cut -c1-12)
	if [ -e "$kept" ]; then
		rm -rf "$tmp"
	else
		mv -T "$tmp" "$kept" 2>/dev/null || rm -rf "$tmp" # another run was first
	fi
	find "$kept" -name '*.patch' | sort
}

# Files get a new time when they come back, or make would believe that the
# patched object is still good.
take_out() {
	[ -d "$saved" ] || return 0
	local f
	while read -r f; do
		if [ -e "$saved/files/$f" ]; then
			mkdir -p "$(dirname "$src/$f")"
			cp "$saved/files/$f" "$src/$f"
		else
			rm -f "$src/$f"
		fi
	done < "$saved/list"
	rm -rf "$saved"
}

# The files that patches name, none outside the tree.
patched_files() {
	local list
	list=$(sed -n -E 's,^(\+\+\+ b|--- a)/([^[:space:]]*).*,\2,p
		s,^(rename|copy) (from|to) ([^[:space:]]+)$,\3,p' "$@" | sort -u)
	! grep -E '(^|/)\.\.(/|$)|^/' <<< "$list" >&2 || die "a patch names a file outside the tree"
	echo "$list"
}

put_in() {
	local f p
	rm -rf "$saved.tmp"
	mkdir -p "$saved.tmp/files"
	patched_files "$@" > "$saved.tmp/list"
	while read -r f; do
		[ ! -e "$src/$f" ] || (cd "$src" && cp --parents -p "$f" "$saved.tmp/files/")
	done < "$saved.tmp/list"
	sort -u "$saved.tmp/list" "$src/.bpf-ab-patched" 2>/dev/null > "$src/.bpf-ab-patched.tmp" || true
	mv "$src/.bpf-ab-patched.tmp" "$src/.bpf-ab-patched"
	mv "$saved.tmp" "$saved"
	for p; do
		run_logged "patch-$(basename "$p" .patch)" \
			patch -d "$src" -p1 --forward --fuzz=0 --no-backup-if-mismatch -i "$p"
	done
}

# A patched file whose text the last build of this object folder has seen gets the
# time back that it had then: series on top of one another differ in a file or
# two, and only what includes those is compiled.
recall_times() {
	local f sum time list=$obj/.bpf-ab-times
	# Another run may have built here since, which knew nothing of this.
	[ -e "$list" ] && [ "$(head -n 1 "$list")" = "$(stat -c %y "$obj/vmlinux")" ] || return 0
	while read -r sum time f; do
		if grep -qxF -- "$f" "$saved/list" && [ -e "$src/$f" ] &&
			[ "$sum" = "$(sha256sum < "$src/$f" | cut -c1-64)" ]; then
			touch -d "@$time" "$src/$f"
		fi
	done < <(tail -n +2 "$list")
	rm "$list" # until this build has come to its end
}

save_times() {
	local f
	{
		stat -c %y "$obj/vmlinux"
		while read -r f; do
			[ ! -e "$src/$f" ] || echo "$(sha256sum < "$src/$f" | cut -c1-64)" \
				"$(stat -c %.Y "$src/$f") $f"
		done < "$saved/list"
	} > "$obj/.bpf-ab-times"
}
