# SPDX-License-Identifier: GPL-2.0-only
# --executor slurm: each kernel is a job, the boots are an array of jobs that waits
# for both, and what they leave is looked at as if they had run here. Checkout,
# cache and results have to be in folders that all nodes see.
# shellcheck shell=bash # part of scripts/ab, with its variables

slurm_jobs=() # what is to be cancelled if we are

slurm_submit() { # slurm_submit NAME TASK [sbatch options]: sets slurm_id
	local name=$1 task=$2
	shift 2
	# SBATCH_PARTITION and the like are the user's.
	slurm_id=$(sbatch --parsable --job-name="bpf-ab-$name" --cpus-per-task=1 --mem=3G \
		--output="$out/slurm/$name-%j-%a" "$@" \
		--wrap "exec$(plan_quote "$AB_TOP/scripts/ab" --resume "$out" --task "$task")") ||
		die "Slurm does not take a job"
	slurm_id=${slurm_id%%;*}
	slurm_jobs+=("$slurm_id")
}

slurm_cancel() {
	[ ${#slurm_jobs[@]} = 0 ] || scancel "${slurm_jobs[@]}" 2>/dev/null || true
	slurm_jobs=()
}

# The kernels that are not built yet, and behind them all boots.
slurm_run() {
	local side boot n=0 after=() last=$((2 * boots - 1)) options=()
	need_cmd sbatch "install slurm-client"
	mkdir -p "$out/slurm"
	[ -z "$fresh" ] || rm -rf "$out"/{base,patched}/boot-*
	fresh=''
	for side in a b; do
		plan_find_kernel "$side"
		[ ! -e "${side_kernel[$side]}/info" ] || continue
		slurm_submit "build-$side" "build-$side"
		after+=("$slurm_id")
	done
	[ ${#after[@]} = 0 ] || options+=(--dependency "afterok:$(IFS=:; echo "${after[*]}")" --kill-on-invalid-dep=yes)
	# With the clock on the wall a boot wants the machine for itself.
	[ "$clock" != kvm ] || options+=(--exclusive)
	slurm_submit boots boot --array "0-$last${jobs_said:+%$jobs}" "${options[@]}"
	step "Slurm has the job array $slurm_id: $((last + 1)) boots${after[*]:+, after ${after[*]}}"
	while [ -n "$(squeue -h -j "$(IFS=,; echo "${slurm_jobs[*]}")" 2>/dev/null)" ]; do
		n=0
		while read -r boot; do
			# shellcheck disable=SC2086 # two words
			[ ! -e "$(boot_dir $boot)/complete" ] || n=$((n + 1))
		done < <(boot_schedule)
		progress_text "Slurm: $n of $((last + 1)) boots, $(squeue -h -t R -j "$slurm_id" 2>/dev/null | wc -l) running"
		sleep 2
	done
	progress_end
	slurm_jobs=()
	for side in a b; do
		[ -e "${side_kernel[$side]}/info" ] ||
			die "${side_label[$side]}: not built: $(find "$out/slurm" -name "build-$side-*" | sort | tail -n 1)"
	done
}

# What the jobs have left: 0 if all is measured.
slurm_collect() {
	local boot dir failed=0
	while read -r boot; do
		# shellcheck disable=SC2086 # two words
		boot_is_measured $boot && continue
		failed=3
		dir=$(boot_dir $boot).failed
		run_failure=$(cat "$dir/class" 2>/dev/null || echo died)
		step "$(boot_name $boot): $run_failure (its job's output is in $out/slurm)"
	done < <(boot_schedule)
	return $failed
}

# A job: what --task says of the plan in $out.
slurm_task() {
	local boot lock
	in_task=1
	case $task in
	build-[ab]) spec_find_kernel "${task#build-}"; return ;;
	boot) ;;
	*) usage "there is no task $task" ;;
	esac
	spec_find_kernel a
	spec_find_kernel b
	inputs_prepare
	boot=$(boot_schedule | sed -n "$((SLURM_ARRAY_TASK_ID + 1))p")
	# Jobs of a run that was killed may still be at it.
	exec {lock}> "$out/slurm/boot-${boot/ /-}.lock"
	flock "$lock"
	# shellcheck disable=SC2086 # two words
	boot_is_measured $boot || boots_run_one $boot
}
