// SPDX-License-Identifier: GPL-2.0-only
#include "randrun.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "disasm.h"
#include "prog_info.h"
#include "randbtf.h"
#include "randfile.h"
#include "randinfo.h"
#include "randmaps.h"

#define MAX_STEPS 50000000
#define LOG_LEN	  (64 * 1024)

struct randrun {
	struct patch_env env; /* unless blinded */
	bool blinded;
	struct randprog_opts prog_opts;
	int32_t kfuncs[INTERP_KFUNCS];
	struct randbtf *btf;
	struct randmaps maps;
	struct randworld world;
	uint8_t data[RAND_DATA_LEN]; /* the data of the interpreter's */
};

const struct randprog_opts *randrun__prog_opts(const struct randrun *run)
{
	return &run->prog_opts;
}

void randrun__free(struct randrun *run)
{
	if (!run)
		return;
	randmaps__free(&run->maps);
	randbtf__free(run->btf);
	randworld__free(&run->world);
	free(run);
}

void randrun__freep(struct randrun **run)
{
	randrun__free(*run);
}

/* Where one of them is missing, programs do without all. */
static void find_kfuncs(struct randrun *run)
{
	static const char *const names[] = {
		[INTERP_CAST_TO_KERN_CTX] = "bpf_cast_to_kern_ctx",
		[INTERP_ITER_NUM_NEW] = "bpf_iter_num_new",
		[INTERP_ITER_NUM_NEXT] = "bpf_iter_num_next",
		[INTERP_ITER_NUM_DESTROY] = "bpf_iter_num_destroy",
	};
	struct btf *btf = btf__load_vmlinux_btf();

	run->prog_opts.kfuncs = btf;
	for (size_t i = 0; btf && i < INTERP_KFUNCS; i++) {
		run->kfuncs[i] = btf__find_by_name_kind(btf, names[i], BTF_KIND_FUNC);
		run->prog_opts.kfuncs &= run->kfuncs[i] > 0;
	}
	btf__free(btf);
}

static int read_env(struct randrun *run, struct err *err)
{
	int rc = patch_env__blinds(err);

	run->blinded = rc > 0;
	return rc == 0 ? patch_env__read(&run->env, err) : rc < 0 ? rc : 0;
}

int randrun__open(struct randrun **ret_run, struct err *err)
{
	_cleanup_(randrun__freep) struct randrun *run = calloc(1, sizeof(*run));
	int rc;

	if (!run)
		return err__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < RAND_MAPS; i++)
		run->maps.fds[i] = -1;
	rc = read_env(run, err);
	if (rc == 0)
		rc = randmaps__create(&run->maps, err);
	if (rc == 0)
		rc = randbtf__new(&run->btf, err);
	if (rc == 0 && randworld__init(&run->world, run->data) < 0)
		rc = err__set(err, -ENOMEM, "out of memory");
	if (rc < 0)
		return rc;
	find_kfuncs(run);
	*ret_run = TAKE_PTR(run);
	return 0;
}

/* ---- one program ---- */

static int load(const struct randrun *run, const struct randcode *code, const struct randinfo *info,
		char *log)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_btf_fd = randbtf__fd(run->btf),
		    .func_info = info->funcs, .func_info_rec_size = sizeof(*info->funcs),
		    .func_info_cnt = info->n_funcs, .line_info = info->lines,
		    .line_info_rec_size = sizeof(*info->lines), .line_info_cnt = info->n_lines);

	if (log) {
		opts.log_buf = log;
		opts.log_size = LOG_LEN;
		opts.log_level = 1;
	}
	return bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "random", "GPL", code->insns.v,
			     code->insns.n, &opts);
}

/* The line in which a verifier says what it does not like: the last but its figures. */
static void last_words(const char *log, char *buf, size_t len)
{
	const char *end = strstr(log, "\nprocessed "), *line;

	end = end ? end : log + strlen(log);
	while (end > log && end[-1] == '\n')
		end--;
	for (line = end; line > log && line[-1] != '\n';)
		line--;
	snprintf(buf, len, "%.*s", (int)(end - line), line);
}

static void say_refused(const struct randrun *run, const struct randcode *code,
			const struct randinfo *info, int error, struct randrun_result *result)
{
	_cleanup_free_ char *log = calloc(1, LOG_LEN);
	_cleanup_close_ int fd = -1;
	char words[256] = "";

	result->verdict = RANDRUN_REFUSED;
	if (log) {
		fd = load(run, code, info, log);
		last_words(log, words, sizeof(words));
	}
	snprintf(result->reason, sizeof(result->reason), "not loaded: %s: %s", strerror(-error),
		 words);
}

static void say_xlated(const struct patch_model *model, const struct prog_info *info, size_t at,
		       struct randrun_result *result)
{
	char want[DISASM_LEN] = "nothing", got[DISASM_LEN] = "nothing";

	if (at < model->n)
		disasm__insn(model->insns + at, model->n - at, &disasm_xlated, want, sizeof(want),
			     NULL);
	if (at < info->n_insns)
		disasm__insn(info->insns + at, info->n_insns - at, &disasm_xlated, got, sizeof(got),
			     NULL);
	result->verdict = RANDRUN_XLATED;
	snprintf(result->reason, sizeof(result->reason),
		 "instruction %zu of %zu is '%.120s', expected '%.120s' (of %zu)", at,
		 info->n_insns, got, want, model->n);
}

static int predict(const struct randrun *run, const struct randcode *code,
		   const struct randrun_opts *opts, struct patch_model *ret_model, struct err *err)
{
	int rc = patch_model__expand(code->insns.v, code->insns.n, code->facts.v, &run->env,
				     ret_model, err);

	if (rc == 0 && opts->tamper)
		opts->tamper(ret_model);
	return rc;
}

static int check_xlated(const struct randrun *run, int fd, const struct randcode *code,
			const struct randrun_opts *opts, struct randrun_result *result,
			struct err *err)
{
	_cleanup_(patch_model__free) struct patch_model model = {};
	_cleanup_(prog_info__free) struct prog_info info = {};
	size_t at;
	int rc;

	rc = prog_info__read(fd, &info, err);
	if (rc == 0)
		rc = prog_info__need_insns(&info, err);
	if (rc == 0 && prog_info__hash(info.insns, info.n_insns, &result->hash) < 0)
		rc = err__set(err, -ENOMEM, "out of memory");
	if (rc < 0)
		return rc;
	result->n_xlated = info.n_insns;
	if (run->blinded)
		return 0;
	rc = predict(run, code, opts, &model, err);
	if (rc < 0)
		return rc;
	if (patch_model__compare(&model, info.insns, info.n_insns, &at))
		say_xlated(&model, &info, at, result);
	else if (randinfo__check(code, &model, &info, result->reason, sizeof(result->reason)))
		result->verdict = RANDRUN_INFOS;
	return 0;
}

static int interpret(const struct randrun *run, const struct randworld *world,
		     const struct randcode *code, uint32_t *ret_value, struct err *err)
{
	const struct interp_env env = {
		.maps = world->maps,
		.n_maps = RAND_MAPS,
		.map_fds = run->maps.fds,
		.kfuncs = run->kfuncs,
		.packet = world->packet + RAND_L2_LEN,
		.packet_len = world->packet_len - RAND_L2_LEN,
		.skb = &world->skb,
		.max_steps = MAX_STEPS,
	};
	uint64_t r0;
	int rc = interp__run(&env, code->insns.v, code->insns.n, &r0, err);

	if (rc == 0)
		*ret_value = r0;
	return rc;
}

static int check_run(struct randrun *run, int fd, const struct randprog *prog,
		     const struct randcode *code, struct randrun_result *result, struct err *err)
{
	struct randworld *world = &run->world;
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = world->packet, .repeat = 1);
	uint32_t want = 0;
	int rc;

	randworld__fill(world, prog->seed);
	opts.data_size_in = world->packet_len;
	memcpy(run->maps.data, run->data, RAND_DATA_LEN);
	rc = interpret(run, world, code, &want, err);
	if (rc < 0)
		return rc;
	rc = bpf_prog_test_run_opts(fd, &opts);
	if (rc < 0)
		return err__set(err, rc, "running a program: %s", strerror(-rc));
	if (opts.retval != want) {
		result->verdict = RANDRUN_RETVAL;
		snprintf(result->reason, sizeof(result->reason), "returned 0x%x, expected 0x%x",
			 opts.retval, want);
	} else if (memcmp(run->maps.data, run->data, RAND_DATA_LEN) != 0) {
		size_t at = 0;

		while (!memcmp(run->maps.data + at, run->data + at, 8))
			at += 8;
		result->verdict = RANDRUN_MEMORY;
		snprintf(result->reason, sizeof(result->reason),
			 "returned 0x%x, but left something else in byte %zu and on of the data",
			 opts.retval, at);
	}
	return 0;
}

static uint32_t verified_insns(int fd)
{
	struct bpf_prog_info info = {};
	uint32_t len = sizeof(info);

	return bpf_prog_get_info_by_fd(fd, &info, &len) ? 0 : info.verified_insns;
}

int randrun__try(struct randrun *run, const struct randprog *prog, const struct randrun_opts *opts,
		 struct randrun_result *ret_result, struct err *err)
{
	_cleanup_(randcode__free) struct randcode code = {};
	_cleanup_(randinfo__free) struct randinfo info = {};
	struct randemit_opts emit = { .map_fds = run->maps.fds, .kfuncs = run->kfuncs };
	struct randrun_result result = {};
	_cleanup_close_ int fd = -1;
	int rc;

	if (randemit__program(prog, &emit, &code) < 0 ||
	    randinfo__make(prog, &code, run->btf, &info) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	result.n_insns = code.insns.n;
	fd = load(run, &code, &info, NULL);
	if (fd < 0) {
		say_refused(run, &code, &info, fd, &result);
		*ret_result = result;
		return 0;
	}
	result.verified = verified_insns(fd);
	rc = check_xlated(run, fd, &code, opts, &result, err);
	if (rc == 0 && result.verdict == RANDRUN_AGREES)
		rc = check_run(run, fd, prog, &code, &result, err);
	if (rc == 0)
		*ret_result = result;
	return rc;
}

int randrun__source(const struct randrun *run, const struct randprog *prog,
		    const struct randrun_opts *opts, const char *reason, char **ret_text,
		    struct err *err)
{
	_cleanup_(patch_model__free) struct patch_model model = {};
	_cleanup_(randworld__free) struct randworld world = {};
	_cleanup_(randcode__free) struct randcode code = {};
	_cleanup_free_ uint8_t *data = calloc(2, RAND_DATA_LEN);
	struct randemit_opts emit = { .map_fds = run->maps.fds, .kfuncs = run->kfuncs };
	struct randfile file = { .prog = prog,
				 .code = &code,
				 .model = &model,
				 .map_fds = run->maps.fds,
				 .kfuncs = run->kfuncs,
				 .data = data + RAND_DATA_LEN,
				 .reason = reason };
	int rc;

	if (run->blinded)
		return err__set(err, -EOPNOTSUPP,
				"what becomes of it is not predicted where "
				"constants are blinded");
	if (!data || randworld__init(&world, data) < 0 || randemit__program(prog, &emit, &code) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	randworld__fill_plain(&world, prog->seed);
	/* The interpreter changes what it runs on. */
	memcpy(data + RAND_DATA_LEN, data, RAND_DATA_LEN);
	rc = predict(run, &code, opts, &model, err);
	if (rc == 0)
		rc = interpret(run, &world, &code, &file.retval, err);
	if (rc < 0)
		return rc;
	rc = randfile__text(&file, ret_text);
	return rc < 0 ? err__set(err, rc, "writing a program: %s", strerror(-rc)) : 0;
}
