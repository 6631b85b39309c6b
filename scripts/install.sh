#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Puts what was built into a system: all of it below PREFIX/lib/bpf-ab, links in
# PREFIX/bin, man pages, completion. "make install" calls this.
#
# usage: install.sh DESTDIR PREFIX
set -euo pipefail
. "$(dirname "$0")/common.sh"

[ $# = 2 ] || { say "install.sh: wants DESTDIR, which may be empty, and PREFIX"; exit 2; }
[[ $2 == /* ]] || { say "install.sh: PREFIX is a path from /, not '$2'"; exit 2; }
to=$1$2

"$AB_TOP/scripts/install-tree.sh" "$AB_TOP" "$to/lib/bpf-ab"
[ ! -s "$AB_OUT/llvm-disasm.so" ] ||
	install -m 644 "$AB_OUT/llvm-disasm.so" "$to/lib/bpf-ab/llvm-disasm.so"
install -d "$to/bin" "$to/share/man/man1" "$to/share/bash-completion/completions"
for name in test_progs veristat bench ab-report; do
	ln -sf "../lib/bpf-ab/$name" "$to/bin/$name"
done
for name in run-all compare; do
	ln -sf "../lib/bpf-ab/$name.sh" "$to/bin/bpf-ab-$name"
done
install -m 644 "$AB_OUT"/man/*.1 "$to/share/man/man1/"
for name in run-all compare; do
	ln -sf bpf-ab.1 "$to/share/man/man1/bpf-ab-$name.1"
done
install -m 644 "$AB_TOP/scripts/completion/bpf-ab.bash" \
	"$to/share/bash-completion/completions/test_progs"
for name in veristat bench ab-report; do
	ln -sf test_progs "$to/share/bash-completion/completions/$name"
done
say "installed: $to/bin: test_progs veristat bench ab-report bpf-ab-run-all bpf-ab-compare"
