# SPDX-License-Identifier: GPL-2.0-only
# What would otherwise be found out after half an hour.
# shellcheck shell=bash # part of scripts/ab, with its variables

preflight_fail() {
	say "ab: $*"
	preflight_failed=1
}

# What a guest cannot do without, and what is measured only with it.
preflight_config() { # SIDE
	local config=${side_kernel[$1]}/config sym lost=''
	for sym in BPF_SYSCALL BPF_JIT DEBUG_INFO_BTF NET_9P_VIRTIO 9P_FS VIRTIO_PCI SERIAL_8250_CONSOLE \
		PROC_FS SYSFS TMPFS DEVTMPFS MAGIC_SYSRQ; do
		grep -qx "CONFIG_$sym=y" "$config" || lost+=" CONFIG_$sym"
	done
	[ -z "$lost" ] || preflight_fail "${side_label[$1]}: this kernel cannot be a guest, it is built without$lost"
	lost=''
	for sym in MEMCG CGROUP_BPF PERF_EVENTS FTRACE DEBUG_FS; do
		grep -qx "CONFIG_$sym=y" "$config" || lost+=" CONFIG_$sym"
	done
	[ -z "$lost" ] || say "notice: ${side_label[$1]}: not all can be measured, it is built without$lost"
}

# What this machine needs, whatever the kernels are.
preflight_here() {
	local free need memory side
	preflight_failed=''
	need=$((300 * boots))
	free=$(df -Pm "$out" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$need" ] || preflight_fail "$out has $free MiB left: $need are wanted"
	for side in a b; do
		[ "${side_kind[$side]}" != ssh ] || preflight_ssh "${side_host[$side]}"
	done
	if [ "${side_kind[a]}" = guest ]; then
		need_cmd qemu-system-x86_64 "scripts/setup.sh installs it"
		[ "$clock" != kvm ] || [ -w /dev/kvm ] ||
			preflight_fail "there is no /dev/kvm that can be used here: --clock icount needs none"
		# A guest of 4 GiB uses about 2.
		memory=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
		[ "$memory" -ge $((2000 * jobs)) ] ||
			preflight_fail "$memory MiB of memory are available: $jobs guests want $((2000 * jobs)) (--jobs 1)"
	fi
	[ -z "$preflight_failed" ] || exit 3
}

preflight_ssh() { # HOST
	local there
	need_cmd ssh "install openssh-client"
	there=$(ssh -o BatchMode=yes -o ConnectTimeout=20 -- "$1" 'id -u; uname -m; command -v bash tar' \
		2>&1 | tr '\n' ' ') || true
	[[ $there =~ ^0\ x86_64\ .*bash\ .*tar\ $ ]] ||
		preflight_fail "ssh:$1 is not root on an x86-64 machine with bash and tar: ${there:-no answer}"
}

# One small program measured on this side, as the run will measure: nothing of it
# is used, but that the clock, the counters and the memory are there.
preflight_probe() { # SIDE
	local side=$1 dir=$out/preflight-${side_dir[$1]} run=()
	rm -rf "$dir"
	mkdir -p "$dir"
	mapfile -t run < <(timeout=$([ $clock = kvm ] && echo 60 || echo 300) boot_runner "$side" "$dir")
	setpriv --pdeathsig TERM "${run[@]}" -- "$AB_TOP/scripts/ab-guest.sh" "$dir" --repeat 1 \
		--only veristat -- "$AB_OUT/progs/corpus_tiny.bpf.o" 2> "$dir/vm.log" < /dev/null &
	runner["$side probe"]=$!
}

preflight_judge() { # SIDE
	local side=$1 dir=$out/preflight-${side_dir[$1]} status=0 class csv lacks
	wait "${runner["$side probe"]}" || status=$?
	unset "runner[$side probe]"
	class=$(cat "$dir/class" 2>/dev/null || echo died)
	csv=$dir/veristat.csv
	if [ $status != 0 ] || [ ! -s "$csv" ]; then
		preflight_fail "${side_label[$side]}: a small program cannot be measured there: $class, status $status ($dir)"
		tail -qn 2 "$dir"/{qemu,stderr} >&2 2>/dev/null || true
		run_failure=$class
		return
	fi
	# Absent or unsupported is said by name, and why.
	lacks=$(preflight_lacks "$csv" duration mem_peak_kib kmallocs slab_allocs)
	case $lacks in
	*duration*) preflight_fail "${side_label[$side]}: no times are measured there: $lacks" ;;
	?*) say "notice: ${side_label[$side]}: not measured there: $lacks" ;;
	esac
	rm -rf "$dir"
}

# preflight_lacks CSV COLUMN...: those that hold no number in the first row.
preflight_lacks() {
	local csv=$1
	shift
	"$AB_TOP/veristat" -q -R "$csv" -o json | python3 -c '
import json, sys
row = json.load(sys.stdin)[0]
why = row.get("not_measured") or {}
print("; ".join(f"{c} ({why[c]})" if c in why else c for c in sys.argv[1:]
                if not isinstance(row.get(c), (int, float))))' "$@"
}

# What a probe depends on beside the kernel.
preflight_key() {
	cat "$AB_TOP"/veristat "$AB_TOP"/scripts/{vm,run-host,run-ssh,guest-init,ab-guest}.sh \
		"$AB_OUT/progs/corpus_tiny.bpf.o" | sha256sum | cut -c1-12
}

# A short run is a probe itself, but for KVM, which may open and never run a kernel.
# What was proven once need not be again.
preflight_probes() {
	local side kept sides=()
	kept=$AB_OUT/preflight/$(preflight_key)-$clock
	mkdir -p "$kept"
	[ "$clock" = kvm ] || [ $(($(plan_boot_seconds) * boots)) -ge 300 ] || return 0
	! boots_all_measured || return 0
	for side in a b; do
		[ -e "$kept/${side_key[$side]}" ] || sides+=("$side")
	done
	[ ${#sides[@]} -gt 0 ] || return 0
	step "one small program first, on ${#sides[@]} of the sides"
	for side in "${sides[@]}"; do
		preflight_probe "$side"
		[ "$jobs" -gt 1 ] || preflight_judge "$side"
	done
	for side in "${sides[@]}"; do
		[ "$jobs" = 1 ] || preflight_judge "$side"
		[ -n "$preflight_failed" ] || touch "$kept/${side_key[$side]}"
	done
}

preflight() {
	local side
	preflight_failed=''
	for side in a b; do
		[ "${side_kind[$side]}" != guest ] || preflight_config "$side"
	done
	[ -z "$preflight_failed" ] || exit 3
	preflight_probes
	[ -z "$preflight_failed" ] || report_failure "$run_failure"
}
